package lower

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql/types"
	vt "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sql/ast"
)

// The names of what GMS has no words for. No client can write them.
const (
	FunctionMark   = "\x00fn"           // begins the name of a function, which is a procedure to GMS
	FunctionName   = FunctionMark + " " // CREATE FUNCTION and DROP FUNCTION
	FunctionIf     = FunctionMark + "?" // the same with IF EXISTS, IF NOT EXISTS
	FunctionResult = "ember result"     // the variable that holds what a function returns
	FunctionBody   = "ember body"       // the label of a function's body

	// TextCall is the procedure of a statement in a program that the server runs by its text. The
	// arguments behind the text are expressions, in which variables of the program may stand.
	TextCall = "\x00text"

	// ScheduleMark begins the text of an expression in the schedule of an event.
	ScheduleMark = "\x00"
)

func (l *lowerer) createRoutine(n *ast.CreateRoutine) *vt.DDL {
	spec := &vt.ProcedureSpec{ProcName: vt.ProcedureName{Name: colIdent(n.Name.Name), Qualifier: tableIdent(n.Name.Schema)}}
	characteristics := l.characteristics(n.Characteristics)
	if n.Kind == ast.Function {
		spec.ProcName.Name = vt.NewColIdent(functionAddress(n.Name.Name.Name, n.IfNotExists))
		l.inFunction = true
		spec.Body = l.functionBody(n)
	} else {
		spec.Definer, spec.Characteristics = definer(n.Definer), characteristics
		for i := range n.Params {
			spec.Params = append(spec.Params, l.routineParam(&n.Params[i]))
		}
		spec.Body = l.routineBody(n)
	}
	return &vt.DDL{Action: vt.CreateStr, ProcedureSpec: spec, Auth: onDatabases(vt.AuthType_CREATE_ROUTINE, n.Name.Schema.Name)}
}

// functionAddress is the name of a function to GMS.
func functionAddress(name string, lenient bool) string {
	if lenient {
		return FunctionIf + name
	}
	return FunctionName + name
}

// functionBody makes the body of a function that of a procedure: a block that declares the
// parameters and the result. RETURN sets the result and leaves the block.
func (l *lowerer) functionBody(n *ast.CreateRoutine) *vt.BeginEndBlock {
	block := &vt.BeginEndBlock{Label: FunctionBody}
	declare := func(name string, t *ast.DataType, collate ast.Ident) {
		block.Statements = append(block.Statements, &vt.Declare{Variables: &vt.DeclareVariables{
			Names: []vt.ColIdent{vt.NewColIdent(name)}, VarType: l.variableType(t, collate),
		}})
	}
	for i := range n.Params {
		declare(n.Params[i].Name.Name, n.Params[i].Type, n.Params[i].Collate)
	}
	declare(FunctionResult, n.Returns, n.ReturnsCollate)
	block.Statements = append(block.Statements, l.routineBody(n))
	return block
}

// What a call of a routine in another language is told: no component runs that language.
const (
	ErNoLanguage = 6001
	NoLanguage   = "Language component: Not available."
)

// routineBody lowers the body of a routine. One in another language only fails.
func (l *lowerer) routineBody(n *ast.CreateRoutine) vt.Statement {
	if n.Source == nil {
		return l.programStatement(n.Body)
	}
	return &vt.Signal{SqlStateValue: "HY000", Info: []vt.SignalInfo{
		{ConditionItemName: "mysql_errno", Value: vt.NewIntVal([]byte(strconv.Itoa(ErNoLanguage)))},
		{ConditionItemName: "message_text", Value: vt.NewStrVal([]byte(NoLanguage))},
	}}
}

// variableType lowers the type of a variable or a parameter.
func (l *lowerer) variableType(n *ast.DataType, collate ast.Ident) vt.ColumnType {
	t := l.columnType(n)
	if collate.Given() {
		t.Collate = collate.Name
	}
	if n.Kind == ast.TypeTime && n.Length != "" && n.Length <= "6" {
		t.ResolvedType = types.Time // GMS has one TIME, and refuses others: the digits are ours to keep
	}
	return t
}

var paramModes = [...]vt.ProcedureParamDirection{ast.DefaultMode: vt.ProcedureParamDirection_In, ast.ParamIn: vt.ProcedureParamDirection_In,
	ast.ParamOut: vt.ProcedureParamDirection_Out, ast.ParamInOut: vt.ProcedureParamDirection_Inout}

func (l *lowerer) routineParam(n *ast.RoutineParam) vt.ProcedureParam {
	return vt.ProcedureParam{Direction: paramModes[n.Mode], Name: n.Name.Name, Type: l.variableType(n.Type, n.Collate)}
}

func (l *lowerer) characteristics(list []ast.Characteristic) (out []vt.Characteristic) {
	for i := range list {
		c := &list[i]
		switch c.Kind {
		case ast.RoutineComment:
			out = append(out, vt.Characteristic{Type: vt.CharacteristicValue_Comment, Comment: c.Text.Bytes()})
		case ast.RoutineLanguage:
			out = append(out, vt.Characteristic{Type: vt.CharacteristicValue_LanguageSql})
		case ast.NoSQL:
			out = append(out, vt.Characteristic{Type: vt.CharacteristicValue_NoSql})
		case ast.ContainsSQL:
			out = append(out, vt.Characteristic{Type: vt.CharacteristicValue_ContainsSql})
		case ast.ReadsSQLData:
			out = append(out, vt.Characteristic{Type: vt.CharacteristicValue_ReadsSqlData})
		case ast.ModifiesSQLData:
			out = append(out, vt.Characteristic{Type: vt.CharacteristicValue_ModifiesSqlData})
		case ast.Deterministic:
			out = append(out, vt.Characteristic{Type: vt.CharacteristicValue_Deterministic})
		case ast.NotDeterministic:
			out = append(out, vt.Characteristic{Type: vt.CharacteristicValue_NotDeterministic})
		case ast.RoutineSecurity:
			security := vt.CharacteristicValue_SqlSecurityDefiner
			if c.Security == ast.SecurityInvoker {
				security = vt.CharacteristicValue_SqlSecurityInvoker
			}
			out = append(out, vt.Characteristic{Type: security})
		}
	}
	return out
}

var triggerEvents = [...]string{ast.OnInsert: vt.InsertStr, ast.OnUpdate: vt.UpdateStr, ast.OnDelete: vt.DeleteStr}

func (l *lowerer) createTrigger(n *ast.CreateTrigger) *vt.DDL {
	table := n.Table
	if !table.Schema.Given() { // it is in the trigger's
		table.Schema = n.Name.Schema
	}
	spec := &vt.TriggerSpec{
		TrigName: vt.TriggerName{Name: colIdent(n.Name.Name), Qualifier: tableIdent(n.Name.Schema)}, Definer: definer(n.Definer),
		Time: vt.BeforeStr, Event: triggerEvents[n.Event], Body: l.triggerBody(n.Body),
	}
	if n.After {
		spec.Time = vt.AfterStr
	}
	switch n.Order {
	case ast.Follows:
		spec.Order = &vt.TriggerOrder{PrecedesOrFollows: vt.FollowsStr, OtherTriggerName: n.Other.Name}
	case ast.Precedes:
		spec.Order = &vt.TriggerOrder{PrecedesOrFollows: vt.PrecedesStr, OtherTriggerName: n.Other.Name}
	}
	return &vt.DDL{Action: vt.CreateStr, Table: tableName(table), TriggerSpec: spec, Auth: onTable(vt.AuthType_TRIGGER, table),
		SubStatementPositionStart: n.Body.Pos(), SubStatementPositionEnd: n.Body.End()}
}

// triggerBody lowers the body of a trigger. GMS runs statements of the language of programs in a
// block only.
func (l *lowerer) triggerBody(n ast.Statement) vt.Statement {
	body := l.programStatement(n)
	switch body.(type) {
	case *vt.BeginEndBlock, *vt.Set, *vt.Call, *vt.Insert, *vt.Update, *vt.Delete:
		return body
	}
	return &vt.BeginEndBlock{Statements: vt.Statements{body}}
}

var eventCompletions = [...]vt.EventOnCompletion{ast.NoCompletion: vt.EventOnCompletion_Undefined, ast.Preserve: vt.EventOnCompletion_Preserve,
	ast.NotPreserve: vt.EventOnCompletion_NotPreserve}

var eventStates = [...]vt.EventStatus{ast.NoEventState: vt.EventStatus_Undefined, ast.EventEnabled: vt.EventStatus_Enable,
	ast.EventDisabled: vt.EventStatus_Disable, ast.EventDisabledOnReplica: vt.EventStatus_DisableOnSlave}

// createEvent lowers CREATE EVENT and ALTER EVENT. GMS cuts the body out of the text by its place.
func (l *lowerer) createEvent(n *ast.CreateEvent) *vt.DDL {
	spec := &vt.EventSpec{
		EventName: eventName(n.Name), Definer: definer(n.Definer), IfNotExists: n.IfNotExists, OnSchedule: l.schedule(n.Schedule),
		OnCompletionPreserve: eventCompletions[n.Completion], Status: eventStates[n.State], Comment: literalString(n.Comment),
	}
	d := &vt.DDL{Action: vt.CreateStr, EventSpec: spec, Auth: onDatabases(vt.AuthType_EVENT, n.Name.Schema.Name)}
	if n.Alter {
		d.Action = vt.AlterStr
	}
	if n.RenameTo != nil {
		spec.RenameName = eventName(*n.RenameTo)
		if n.RenameTo.Schema.Given() {
			d.Auth.TargetNames = append(d.Auth.TargetNames, n.RenameTo.Schema.Name)
		}
	}
	if n.Body != nil {
		spec.Body = l.programStatement(n.Body)
		d.SubStatementPositionStart, d.SubStatementPositionEnd = n.Body.Pos(), n.Body.End()
	}
	return d
}

func eventName(n ast.TableName) vt.EventName {
	return vt.EventName{Name: colIdent(n.Name), Qualifier: tableIdent(n.Schema)}
}

// schedule lowers ON SCHEDULE. Expressions become texts: they are computed when the statement runs.
func (l *lowerer) schedule(n *ast.Schedule) *vt.EventScheduleSpec {
	if n == nil {
		return nil
	}
	moment := func(x ast.Expr) *vt.EventScheduleTimeSpec {
		if x == nil {
			return nil
		}
		return &vt.EventScheduleTimeSpec{EventTimestamp: str(ScheduleMark + l.written(x)), EventIntervals: []vt.IntervalExpr{}}
	}
	s := &vt.EventScheduleSpec{At: moment(n.At), Starts: moment(n.Starts), Ends: moment(n.Ends)}
	if n.Every != nil && strings.HasSuffix(n.Every.Unit.String(), "MICROSECOND") {
		l.raise(1235, "42000", "This version of MySQL doesn't yet support 'MICROSECOND'")
	}
	if n.Every != nil {
		s.EveryInterval = vt.IntervalExpr{Expr: str(ScheduleMark + l.written(n.Every.X)), Unit: n.Every.Unit.String()}
	}
	return s
}

func (l *lowerer) programStatements(list []ast.Statement) vt.Statements {
	out := make(vt.Statements, len(list))
	for i, n := range list {
		out[i] = l.programStatement(n)
	}
	return out
}

// programStatement lowers a statement of a stored program.
func (l *lowerer) programStatement(n ast.Statement) vt.Statement {
	switch n := n.(type) {
	case *ast.Block:
		l.endLabel(n.Label, n.EndLabel)
		return &vt.BeginEndBlock{Label: n.Label.Name, Statements: l.programStatements(n.Statements)}
	case *ast.If:
		out := &vt.IfStatement{Else: l.programStatements(n.Else)}
		for i := range n.Branches {
			b := &n.Branches[i]
			out.Conditions = append(out.Conditions, vt.IfStatementCondition{Expr: l.expr(b.Cond), Statements: l.programStatements(b.Statements)})
		}
		return out
	case *ast.CaseStatement:
		return l.caseStatement(n)
	case *ast.Loop:
		return l.loop(n)
	case *ast.Leave:
		if n.Iterate {
			return &vt.Iterate{Label: n.Label.Name}
		}
		return &vt.Leave{Label: n.Label.Name}
	case *ast.Return:
		if !l.inFunction {
			l.raise(1313, "42000", "RETURN is only allowed in a FUNCTION")
		}
		return &vt.BeginEndBlock{Statements: vt.Statements{
			&vt.Set{Exprs: vt.SetVarExprs{{Name: vt.NewColName(FunctionResult), Expr: l.expr(n.X), Scope: vt.SetScope_None}}},
			&vt.Leave{Label: FunctionBody},
		}}
	case *ast.DeclareVariable:
		t := l.variableType(n.Type, n.Collate)
		t.Default = l.expr(n.Default)
		return &vt.Declare{Variables: &vt.DeclareVariables{Names: colIdents(n.Names), VarType: t}}
	case *ast.DeclareCondition:
		return l.declareCondition(n)
	case *ast.DeclareHandler:
		return l.declareHandler(n)
	case *ast.DeclareCursor:
		q := l.query(n.Query)
		l.tell(q, n.Query)
		return &vt.Declare{Cursor: &vt.DeclareCursor{Name: n.Name.Name, SelectStmt: q}}
	case *ast.Cursor:
		return cursor(n)
	case *ast.Kill:
		if n.Query {
			return textCall(n, "KILL QUERY", l.expr(n.ID))
		}
		return textCall(n, "KILL", l.expr(n.ID))
	case *ast.Do:
		args := make([]vt.Expr, len(n.Items))
		for i := range n.Items {
			args[i] = l.expr(n.Items[i].X)
		}
		return textCall(n, "DO", args...)
	}
	if v, ok := n.(*ast.CreateView); ok {
		l.viewQuery(v.Query)
	}
	if byText(n) {
		switch n.(type) {
		case *ast.CreateTable, *ast.AlterTable, *ast.CreateIndex: // their faults are those of the program
			l.statement(n)
		}
		return textCall(n, l.written(n))
	}
	out := l.statement(n)
	l.tell(out, n)
	return out
}

func (l *lowerer) tell(became vt.Statement, n ast.Statement) {
	if l.Inner != nil {
		l.Inner(became, n)
	}
}

// Text is the first argument of TextCall: the text of a statement, and its tree.
type Text struct {
	*vt.SQLVal
	Tree ast.Statement
}

// textCall is the statement of a program that the server runs by its text.
func textCall(n ast.Statement, text string, args ...vt.Expr) *vt.Call {
	return &vt.Call{
		ProcName: vt.ProcedureName{Name: vt.NewColIdent(TextCall)}, Params: slices.Insert(args, 0, vt.Expr(&Text{str(text), n})),
		Auth: vt.AuthInformation{AuthType: vt.AuthType_CALL, TargetType: vt.AuthTargetType_Ignore, TargetNames: []string{"", TextCall, "1"}},
	}
}

// persists reports whether a SET does nothing but persist variables.
func persists(n *ast.Set) bool {
	return !slices.ContainsFunc(n.Items, func(item ast.SetItem) bool {
		v, ok := item.(*ast.SetVariable)
		return !ok || v.Scope != ast.PersistScope && v.Scope != ast.PersistOnlyScope
	})
}

// byText reports whether a statement of a program is run by its text. GMS plans the others.
func byText(n ast.Statement) bool {
	switch n := n.(type) {
	case *ast.Set:
		return persists(n)
	case *ast.Explain:
		return n.Into != nil
	case *ast.CreateTable:
		return n.Query == nil
	case *ast.Query, *ast.Insert, *ast.Update, *ast.Delete, *ast.SetTransaction, *ast.Call, *ast.Begin, *ast.EndTransaction, *ast.Savepoint,
		*ast.Describe, *ast.Signal, *ast.GetDiagnostics:
		return false
	}
	return true
}

func (l *lowerer) caseStatement(n *ast.CaseStatement) *vt.CaseStatement {
	out := &vt.CaseStatement{Expr: l.expr(n.X), Else: l.programStatements(n.Else)}
	if n.Else == nil {
		out.Else = nil
	}
	for i := range n.Branches {
		b := &n.Branches[i]
		out.Cases = append(out.Cases, vt.CaseStatementCase{Case: l.expr(b.Cond), Statements: l.programStatements(b.Statements)})
	}
	return out
}

// endLabel refuses a label behind END that is not the one in front of the block.
func (l *lowerer) endLabel(label, end ast.Ident) {
	if end.Given() && !strings.EqualFold(label.Name, end.Name) {
		l.raise(1310, "42000", "End-label %s without match", end.Name)
	}
}

func (l *lowerer) loop(n *ast.Loop) vt.Statement {
	l.endLabel(n.Label, n.EndLabel)
	body := l.programStatements(n.Statements)
	switch n.Kind {
	case ast.WhileLoop:
		return &vt.While{Label: n.Label.Name, Condition: l.expr(n.Cond), Statements: body}
	case ast.RepeatLoop:
		return &vt.Repeat{Label: n.Label.Name, Condition: l.expr(n.Cond), Statements: body}
	}
	return &vt.Loop{Label: n.Label.Name, Statements: body}
}

func (l *lowerer) declareCondition(n *ast.DeclareCondition) *vt.Declare {
	c := &vt.DeclareCondition{Name: n.Name.Name}
	if n.Condition.Kind == ast.StateCondition {
		c.SqlStateValue = n.Condition.State.Bytes()
	} else {
		c.MysqlErrorCode = number(n.Condition.Number)
	}
	return &vt.Declare{Condition: c}
}

func (l *lowerer) declareHandler(n *ast.DeclareHandler) *vt.Declare {
	h := &vt.DeclareHandler{Action: vt.DeclareHandlerAction_Continue, Statement: l.programStatement(n.Body)}
	if n.Exit {
		h.Action = vt.DeclareHandlerAction_Exit
	}
	for i := range n.Conditions {
		c := &n.Conditions[i]
		var v vt.DeclareHandlerCondition
		switch c.Kind {
		case ast.ErrorCondition:
			v.ValueType, v.MysqlErrorCode = vt.DeclareHandlerCondition_MysqlErrorCode, number(c.Number)
		case ast.StateCondition:
			v.ValueType, v.String = vt.DeclareHandlerCondition_SqlState, c.State.Bytes()
		case ast.NamedCondition:
			v.ValueType, v.String = vt.DeclareHandlerCondition_ConditionName, c.Name.Name
		case ast.SQLWarning:
			v.ValueType = vt.DeclareHandlerCondition_SqlWarning
		case ast.NotFound:
			v.ValueType = vt.DeclareHandlerCondition_NotFound
		case ast.SQLException:
			v.ValueType = vt.DeclareHandlerCondition_SqlException
		}
		h.ConditionValues = append(h.ConditionValues, v)
	}
	return &vt.Declare{Handler: h}
}

func cursor(n *ast.Cursor) vt.Statement {
	switch n.Verb {
	case ast.OpenCursor:
		return &vt.OpenCursor{Name: n.Name.Name}
	case ast.CloseCursor:
		return &vt.CloseCursor{Name: n.Name.Name}
	}
	f := &vt.FetchCursor{Name: n.Name.Name}
	for _, v := range n.Into {
		f.Variables = append(f.Variables, v.Name)
	}
	return f
}
