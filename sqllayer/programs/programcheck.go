package programs

// What CREATE refuses in the body of a stored program: names that are not there or there twice,
// declarations out of order, labels that lead nowhere.

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	sqlast "emberdb/sql/ast"
	"emberdb/sqllayer/sqlerr"
)

// CheckedFrame is a block, a loop or a handler's body whose statements are checked.
type CheckedFrame struct {
	outer    *CheckedFrame
	handler  bool // the labels outside are out of reach
	label    string
	loop     bool
	declared map[string]bool // "variable x" and the like
	handles  map[ConditionValue]bool
	order    int // of what has been declared last
}

// Checker checks one body.
type Checker struct {
	Frame   *CheckedFrame
	Routine string // function, procedure, trigger
}

// The order of declarations.
const (
	declaresNames = iota
	declaresCursors
	declaresHandlers
	declaresNothing
)

// CheckProgram checks a body.
func CheckProgram(spec *ast.ProcedureSpec, body ast.Statement) error {
	c := &Checker{Frame: &CheckedFrame{}, Routine: "procedure"}
	if _, _, ok := FunctionOf(spec.ProcName.Name.String()); ok {
		c.Routine = "function"
	}
	for _, p := range spec.Params {
		if err := c.declare("variable", p.Name, 1330, "Duplicate parameter: %s"); err != nil {
			return err
		}
		c.typed(p.Name, p.Type.Type)
	}
	return c.Statement(body)
}

// declare notes a name.
func (c *Checker) declare(kind, name string, code int, text string) error {
	if c.Frame.declared == nil {
		c.Frame.declared = make(map[string]bool)
	}
	key := kind + " " + strings.ToLower(name)
	if c.Frame.declared[key] {
		return sqlerr.NewError(code, text, name)
	}
	c.Frame.declared[key] = true
	return nil
}

func (c *Checker) knows(kind, name string) bool {
	for f := c.Frame; f != nil; f = f.outer {
		if f.declared[kind+" "+strings.ToLower(name)] {
			return true
		}
	}
	return false
}

func (c *Checker) statements(lists ...ast.Statements) error {
	for _, list := range lists {
		for _, stmt := range list {
			if err := c.Statement(stmt); err != nil {
				return err
			}
		}
	}
	return nil
}

// within checks statements that stand in something.
func (c *Checker) within(f *CheckedFrame, lists ...ast.Statements) error {
	if f.label != "" {
		if found := c.labelled(f.label); found != nil {
			return sqlerr.NewError(1309, "Redefining label %s", f.label)
		}
	}
	f.outer = c.Frame
	c.Frame = f
	defer func() { c.Frame = f.outer }()
	return c.statements(lists...)
}

// labelled finds what has a label.
func (c *Checker) labelled(label string) *CheckedFrame {
	for f := c.Frame; f != nil && (!f.handler || label == functionBody); f = f.outer {
		if f.label != "" && strings.EqualFold(f.label, label) {
			return f
		}
	}
	if label == functionBody { // a function's handler returns
		for f := c.Frame; f != nil; f = f.outer {
			if f.label == label {
				return f
			}
		}
	}
	return nil
}

func (c *Checker) Statement(stmt ast.Statement) error {
	if d, ok := stmt.(*ast.Declare); ok {
		return c.declaration(d)
	}
	c.Frame.order = declaresNothing
	switch n := stmt.(type) {
	case *ast.BeginEndBlock:
		return c.within(&CheckedFrame{label: n.Label}, n.Statements)
	case *ast.Loop:
		return c.within(&CheckedFrame{label: n.Label, loop: true}, n.Statements)
	case *ast.While:
		return c.within(&CheckedFrame{label: n.Label, loop: true}, n.Statements)
	case *ast.Repeat:
		return c.within(&CheckedFrame{label: n.Label, loop: true}, n.Statements)
	case *ast.IfStatement:
		for _, one := range n.Conditions {
			if err := c.statements(one.Statements); err != nil {
				return err
			}
		}
		return c.statements(n.Else)
	case *ast.CaseStatement:
		for _, one := range n.Cases {
			if err := c.statements(one.Statements); err != nil {
				return err
			}
		}
		return c.statements(n.Else)
	case *ast.Leave:
		if c.labelled(n.Label) == nil {
			return sqlerr.NewError(1308, "LEAVE with no matching label: %s", n.Label)
		}
	case *ast.Iterate:
		if f := c.labelled(n.Label); f == nil || !f.loop {
			return sqlerr.NewError(1308, "ITERATE with no matching label: %s", n.Label)
		}
	case *ast.OpenCursor:
		return c.cursor(n.Name)
	case *ast.FetchCursor:
		if err := c.cursor(n.Name); err != nil {
			return err
		}
		for _, name := range n.Variables {
			if !c.knows("variable", name) {
				return sqlerr.NewError(1327, "Undeclared variable: %s", name)
			}
		}
	case *ast.CloseCursor:
		return c.cursor(n.Name)
	case *ast.Signal:
		return c.signal(n)
	case *ast.Resignal:
		return c.signal(&n.Signal)
	case *ast.Return:
		return sqlerr.NewError(1313, "RETURN is only allowed in a FUNCTION")
	case *ast.Select, *ast.SetOp:
		return c.query(n)
	case *ast.Update:
		return c.limit(n.Limit)
	case *ast.Delete:
		return c.limit(n.Limit)
	case *ast.Call:
		if text, _, ok := CalledText(n); ok {
			if err := c.view(text.Tree); err != nil {
				return err
			}
			return RefusedStatement(string(text.Val), text.Tree, c.Routine)
		}
	case *ast.Set:
		if err := c.variables(n); err != nil {
			return err
		}
		return c.EndsTransaction(stmt)
	default:
		return c.EndsTransaction(stmt)
	}
	return nil
}

// view refuses variables of the program in the query of CREATE VIEW.
func (c *Checker) view(tree sqlast.Statement) (err error) {
	v, ok := tree.(*sqlast.CreateView)
	if !ok {
		return nil
	}
	sqlast.Inspect(v.Query, func(n sqlast.Node) bool {
		if name, ok := n.(*sqlast.Column); ok && !name.Table.Given() && c.knows("variable", name.Name.Name) {
			err = sqlerr.NewError(1351, "View's SELECT contains a variable or parameter")
		}
		return err == nil
	})
	return err
}

// variables refuses SET of what is neither a variable of the program nor of the server.
func (c *Checker) variables(n *ast.Set) error {
	for _, e := range n.Exprs {
		name := e.Name.Name.Lowered()
		if e.Scope != ast.SetScope_None || !e.Name.Qualifier.IsEmpty() || strings.HasPrefix(name, "@") || c.knows("variable", name) {
			continue
		}
		if _, _, known := sql.SystemVariables.GetGlobal(name); !known && name != "names" && name != "charset" {
			return sqlerr.NewError(1193, "Unknown system variable '%s'", e.Name.Name.String())
		}
	}
	return nil
}

// query checks where the rows of a SELECT go.
func (c *Checker) query(stmt ast.Statement) error {
	if n, ok := stmt.(*ast.Select); ok {
		if err := c.limit(n.Limit); err != nil {
			return err
		}
	}
	into := IntoOf(stmt)
	if into == nil {
		if c.Routine != "procedure" {
			return sqlerr.NewError(1415, "Not allowed to return a result set from a %s", c.Routine)
		}
		return nil
	}
	for _, v := range (*into).Variables {
		if name := v.String(); !strings.HasPrefix(name, "@") && !c.knows("variable", name) {
			return sqlerr.NewError(1327, "Undeclared variable: %s", name)
		}
	}
	return nil
}

// limit refuses variables in LIMIT that are no whole numbers.
func (c *Checker) limit(n *ast.Limit) error {
	if n == nil {
		return nil
	}
	for _, e := range []ast.Expr{n.Offset, n.Rowcount} {
		name, ok := e.(*ast.ColName)
		for f := c.Frame; ok && f != nil; f = f.outer {
			if key := strings.ToLower(name.Name.String()); f.declared["variable "+key] {
				if !f.declared["whole "+key] {
					return sqlerr.NewError(1691, "A variable of a non-integer based type in LIMIT clause")
				}
				break
			}
		}
	}
	return nil
}

// typed notes whether a variable is a whole number.
func (c *Checker) typed(name, kind string) {
	if kind = strings.ToLower(kind); strings.HasSuffix(kind, "int") || kind == "integer" || strings.HasPrefix(kind, "bool") {
		c.Frame.declared["whole "+strings.ToLower(name)] = true
	}
}

func (c *Checker) cursor(name string) error {
	if !c.knows("cursor", name) {
		return sqlerr.NewError(1324, "Undefined CURSOR: %s", name)
	}
	return nil
}

func (c *Checker) signal(n *ast.Signal) error {
	if n.ConditionName != "" {
		v, ok := c.condition(n.ConditionName)
		if !ok {
			return sqlerr.NewError(1319, "Undefined CONDITION: %s", n.ConditionName)
		}
		if v {
			return sqlerr.NewError(1646, "SIGNAL/RESIGNAL can only use a CONDITION defined with SQLSTATE")
		}
	}
	if n.SqlStateValue != "" {
		if err := checkState(n.SqlStateValue); err != nil {
			return err
		}
	}
	seen := make(map[ast.SignalConditionItemName]bool)
	for _, item := range n.Info {
		if seen[item.ConditionItemName] {
			return sqlerr.NewError(1641, "Duplicate condition information item '%s'", strings.ToUpper(string(item.ConditionItemName)))
		}
		seen[item.ConditionItemName] = true
	}
	return nil
}

// condition tells whether a name stands for an error number.
func (c *Checker) condition(name string) (number, ok bool) {
	for f := c.Frame; f != nil; f = f.outer {
		if f.declared["condition "+strings.ToLower(name)] {
			return f.declared["number "+strings.ToLower(name)], true
		}
	}
	return false, false
}

func checkState(state string) error {
	bad := len(state) != 5 || strings.HasPrefix(state, "00")
	for _, r := range state {
		bad = bad || (r < '0' || r > '9') && (r < 'A' || r > 'Z')
	}
	if bad {
		return sqlerr.NewError(1407, "Bad SQLSTATE: '%s'", state)
	}
	return nil
}

func (c *Checker) declaration(d *ast.Declare) error {
	switch {
	case d.Variables != nil:
		if c.Frame.order > declaresNames {
			return sqlerr.NewError(1337, "Variable or condition declaration after cursor or handler declaration")
		}
		for _, name := range d.Variables.Names {
			if err := c.declare("variable", name.String(), 1331, "Duplicate variable: %s"); err != nil {
				return err
			}
			c.typed(name.String(), d.Variables.VarType.Type)
		}
	case d.Condition != nil:
		if c.Frame.order > declaresNames {
			return sqlerr.NewError(1337, "Variable or condition declaration after cursor or handler declaration")
		}
		if err := c.declare("condition", d.Condition.Name, 1332, "Duplicate condition: %s"); err != nil {
			return err
		}
		if d.Condition.MysqlErrorCode == nil {
			return checkState(d.Condition.SqlStateValue)
		}
		c.Frame.declared["number "+strings.ToLower(d.Condition.Name)] = true
		return checkCode(d.Condition.MysqlErrorCode)
	case d.Cursor != nil:
		if c.Frame.order > declaresCursors {
			return sqlerr.NewError(1338, "Cursor declaration after handler declaration")
		}
		c.Frame.order = declaresCursors
		return c.declare("cursor", d.Cursor.Name, 1333, "Duplicate cursor: %s")
	case d.Handler != nil:
		c.Frame.order = max(c.Frame.order, declaresHandlers)
		return c.handler(d.Handler)
	}
	return nil
}

func checkCode(v *ast.SQLVal) error {
	if ErrorCode(v).code == 0 {
		return sqlerr.NewError(1525, "Incorrect CONDITION value: '%s'", string(v.Val))
	}
	return nil
}

func (c *Checker) handler(h *ast.DeclareHandler) error {
	if c.Frame.handles == nil {
		c.Frame.handles = make(map[ConditionValue]bool)
	}
	for _, v := range h.ConditionValues {
		value := ConditionValue{Kind: v.ValueType}
		switch v.ValueType {
		case ast.DeclareHandlerCondition_MysqlErrorCode:
			if err := checkCode(v.MysqlErrorCode); err != nil {
				return err
			}
			value = ErrorCode(v.MysqlErrorCode)
		case ast.DeclareHandlerCondition_SqlState:
			if err := checkState(v.String); err != nil {
				return err
			}
			value.State = v.String
		case ast.DeclareHandlerCondition_ConditionName:
			if _, ok := c.condition(v.String); !ok {
				return sqlerr.NewError(1319, "Undefined CONDITION: %s", v.String)
			}
			value.State = strings.ToLower(v.String)
		}
		if c.Frame.handles[value] {
			return sqlerr.NewError(1413, "Duplicate handler declared in the same block")
		}
		c.Frame.handles[value] = true
	}
	return c.within(&CheckedFrame{handler: true}, ast.Statements{h.Statement})
}
