package lower

import (
	"strconv"
	"strings"

	vt "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sql/ast"
	"emberdb/sqllayer/expr/operand"
)

// set lowers SET. GMS has the names of character sets among the variables.
func (l *lowerer) set(n *ast.Set) *vt.Set {
	out := &vt.Set{}
	for _, item := range n.Items {
		switch item := item.(type) {
		case *ast.SetVariable:
			out.Exprs = append(out.Exprs, l.setVariable(item))
		case *ast.SetUserVar:
			value := l.expr(item.Value)
			if plain, ok := item.Value.(*ast.Literal); !l.Plain && (!ok || plain.Charset != "") {
				value = call(operand.KeptText, value)
			}
			out.Exprs = append(out.Exprs, &vt.SetVarExpr{Name: vt.NewColName(item.Var.Name.Name), Expr: value, Scope: vt.SetScope_User})
		case *ast.SetNames:
			out.Exprs = append(out.Exprs, charsetOf("names", item.Charset))
			if item.Collation.Given() {
				out.Exprs = append(out.Exprs, &vt.SetVarExpr{Name: vt.NewColName("collation_connection"), Expr: str(item.Collation.Name)})
			}
		case *ast.SetCharset:
			out.Exprs = append(out.Exprs, charsetOf("charset", item.Charset))
		}
	}
	return out
}

func charsetOf(name string, charset ast.Ident) *vt.SetVarExpr {
	e := &vt.SetVarExpr{Name: vt.NewColName(name), Expr: &vt.Default{}, Scope: vt.SetScope_Session}
	if charset.Given() {
		e.Expr = str(charset.Name)
	}
	return e
}

var setScopes = [...]vt.SetScope{ast.NoScope: vt.SetScope_None, ast.GlobalScope: vt.SetScope_Global, ast.SessionScope: vt.SetScope_Session,
	ast.LocalScope: vt.SetScope_Session, ast.PersistScope: vt.SetScope_Persist, ast.PersistOnlyScope: vt.SetScope_PersistOnly}

// setVariable lowers the assignment of a system variable, a routine's variable or a field of NEW.
func (l *lowerer) setVariable(n *ast.SetVariable) *vt.SetVarExpr {
	l.refuseIf(n.Default.Given(), "SET DEFAULT.variable")
	e := &vt.SetVarExpr{Name: &vt.ColName{Name: colIdent(n.Name)}, Scope: setScopes[n.Scope], Expr: l.setValue(n.Value)}
	if bare, is := e.Expr.(*vt.SQLVal); is && !l.Plain && ownWay(n.Name.Name, bare) {
		e.Expr = &vt.ParenExpr{Expr: bare}
	}
	if n.Component.Given() {
		if n.At || n.Scope != ast.NoScope {
			e.Name = vt.NewColName(n.Component.Name + "." + n.Name.Name)
		} else {
			e.Name.Qualifier.Name = tableIdent(n.Component)
		}
	}
	if n.At && n.Scope == ast.NoScope {
		e.Scope = vt.SetScope_Session
	}
	return e
}

// ownWay tells bare values that GMS reads in its own way: numbers of some variables, and texts that
// mean a boolean to it and none to MySQL.
func ownWay(variable string, value *vt.SQLVal) bool {
	if value.Type == vt.IntVal {
		return strings.EqualFold(variable, "sql_mode") || strings.EqualFold(variable, "lc_time_names")
	}
	return value.Type == vt.StrVal && (strings.EqualFold(string(value.Val), "true") || strings.EqualFold(string(value.Val), "false"))
}

// setValue lowers what a variable is set to. OFF, and "" under ANSI_QUOTES, are names to our grammar
// and texts to GMS.
func (l *lowerer) setValue(x ast.Expr) vt.Expr {
	switch x := x.(type) {
	case *ast.WordValue:
		return l.wordValue(x)
	case *ast.Column:
		if !x.Table.Given() && (x.Name.Name == "" || strings.EqualFold(x.Name.Name, "off")) {
			return str(x.Name.Name)
		}
	}
	return l.expr(x)
}

// wordValue lowers ON, which stands for its own text; BINARY and ROW are names to GMS's grammar.
func (l *lowerer) wordValue(n *ast.WordValue) vt.Expr {
	if strings.EqualFold(n.Word, "on") {
		return str("ON")
	}
	return &vt.ColName{Name: vt.NewColIdent(n.Word)}
}

var isolationLevels = [...]string{ast.ReadUncommitted: vt.IsolationLevelReadUncommitted, ast.ReadCommitted: vt.IsolationLevelReadCommitted,
	ast.RepeatableRead: vt.IsolationLevelRepeatableRead, ast.Serializable: vt.IsolationLevelSerializable}

func (l *lowerer) setTransaction(n *ast.SetTransaction) *vt.Set {
	out := &vt.Set{}
	add := func(value string) {
		out.Exprs = append(out.Exprs, &vt.SetVarExpr{Name: vt.NewColName(vt.TransactionStr), Expr: str(value), Scope: setScopes[n.Scope]})
	}
	if n.Isolation != ast.NoIsolation {
		add(isolationLevels[n.Isolation])
	}
	switch n.Access {
	case ast.ReadOnly:
		add(vt.TxReadOnly)
	case ast.ReadWrite:
		add(vt.TxReadWrite)
	}
	return out
}

// begin lowers START TRANSACTION. The session reads WITH CONSISTENT SNAPSHOT from our tree.
func begin(n *ast.Begin) *vt.Begin {
	switch n.Access {
	case ast.ReadOnly:
		return &vt.Begin{TransactionCharacteristic: vt.TxReadOnly}
	case ast.ReadWrite:
		return &vt.Begin{TransactionCharacteristic: vt.TxReadWrite}
	}
	return &vt.Begin{}
}

func endTransaction(n *ast.EndTransaction) vt.Statement {
	if n.Rollback {
		return &vt.Rollback{}
	}
	return &vt.Commit{}
}

func savepoint(n *ast.Savepoint) vt.Statement {
	switch n.Action {
	case ast.RollbackToSavepoint:
		return &vt.RollbackSavepoint{Identifier: n.Name.Name}
	case ast.ReleaseSavepoint:
		return &vt.ReleaseSavepoint{Identifier: n.Name.Name}
	}
	return &vt.Savepoint{Identifier: n.Name.Name}
}

func (l *lowerer) prepare(n *ast.Prepare) *vt.Prepare {
	switch from := n.From.(type) {
	case *ast.Literal:
		return &vt.Prepare{Name: n.Name.Name, Expr: from.Bytes()}
	case *ast.UserVar:
		return &vt.Prepare{Name: n.Name.Name, Expr: "@" + from.Name.Name}
	}
	l.refuse("PREPARE from something else than a text")
	return nil
}

func execute(n *ast.Execute) *vt.Execute {
	e := &vt.Execute{Name: n.Name.Name}
	for _, v := range n.Vars {
		e.VarList = append(e.VarList, "@"+v.Name.Name)
	}
	return e
}

func (l *lowerer) call(n *ast.Call) *vt.Call {
	return &vt.Call{
		ProcName: vt.ProcedureName{Name: colIdent(n.Name.Name), Qualifier: tableIdent(n.Name.Schema)}, Params: l.exprs(n.Args),
		Auth: vt.AuthInformation{
			AuthType: vt.AuthType_CALL, TargetType: vt.AuthTargetType_Ignore,
			TargetNames: []string{n.Name.Schema.Name, n.Name.Name.Name, strconv.Itoa(len(n.Args))},
		},
	}
}

func use(n *ast.Use) *vt.Use {
	return &vt.Use{DBName: tableIdent(n.Schema), Auth: onDatabases(vt.AuthType_VISIBLE, n.Schema.Name)}
}

func (l *lowerer) explain(n *ast.Explain) *vt.Explain {
	l.refuseIf(n.Into != nil || n.Schema.Given() || n.Connection != nil, "EXPLAIN INTO, FOR SCHEMA or FOR CONNECTION")
	switch n.Statement.(type) {
	case *ast.Query, *ast.Insert, *ast.Update, *ast.Delete:
	default:
		l.refuse("EXPLAIN of this statement")
	}
	e := &vt.Explain{Analyze: n.Analyze, ExplainFormat: n.Format.Name, Statement: l.statement(n.Statement)}
	if n.Analyze && e.ExplainFormat == "" {
		e.ExplainFormat = vt.TreeStr
	}
	return e
}

var tableLocks = [...]vt.LockType{ast.LockRead: vt.LockRead, ast.LockReadLocal: vt.LockReadLocal, ast.LockWrite: vt.LockWrite}

func lockTables(n *ast.LockTables) *vt.LockTables {
	out := &vt.LockTables{}
	for i := range n.Tables {
		t := &n.Tables[i]
		out.Tables = append(out.Tables, &vt.TableAndLockType{
			Table: &vt.AliasedTableExpr{Expr: tableName(t.Table), As: tableIdent(t.Alias), Auth: onTable(vt.AuthType_LOCK, t.Table)},
			Lock:  tableLocks[t.Kind],
		})
	}
	return out
}

// analyze lowers ANALYZE TABLE; the other statements of its kind are the server's.
func (l *lowerer) analyze(n *ast.MaintainTables) *vt.Analyze {
	l.refuseIf(n.What != ast.AnalyzeTable, "CHECK, CHECKSUM, OPTIMIZE or REPAIR TABLE")
	out := &vt.Analyze{Tables: tableNames(n.Tables)}
	if h := n.Histogram; h != nil {
		l.refuseIf(!h.Drop && h.Data == nil, "computed histogram")
		out.Action, out.Columns = vt.UpdateStr, colIdents(h.Columns)
		if h.Drop {
			out.Action = vt.DropStr
		} else {
			out.Using = literalString(h.Data)
		}
	}
	return out
}
