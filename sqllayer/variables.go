package sqllayer

// Parameters and variables of procedures. GMS puts their values into a statement before it runs it, but looks for them only in some places: not in CASE, BETWEEN,
// ORDER BY, the values of UPDATE, the conditions of joins and others. So every place where the name of a variable stands is remembered; the names are
// listed once more at a place of the statement where GMS looks, and what it has made of the list is put where the names stand.

import (
	"reflect"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/procedures"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// listName is the name of the function whose arguments are the list. It is never called.
const listName = "variables "

// variablePlaces are the places in one statement.
type variablePlaces struct {
	places []place
	list   *ast.FuncExpr
	hide   func() // takes the list out of the statement
	show   func() // puts it in again
}

// place is where a name stands.
type place struct {
	slot  reflect.Value
	entry *ast.AliasedExpr // of the list; nil: the name is that of a column
	name  *ast.ColName
	value bool // the value has to stand here, not a name that has one: GMS looks for columns in HAVING
}

// declaredIn gives the names, in lower case, and the types of a procedure's parameters and of the variables that the statements declare.
func declaredIn(n *plan.Call, ops []*procedures.InterpreterOperation) map[string]sql.Type {
	names := make(map[string]sql.Type)
	for _, p := range n.Procedure.Params {
		names[strings.ToLower(p.Name)] = p.Type
	}
	eachDeclared(ops, names)
	return names
}

func eachDeclared(ops []*procedures.InterpreterOperation, names map[string]sql.Type) {
	for _, op := range ops {
		d, ok := op.PrimaryData.(*ast.Declare)
		if !ok {
			continue
		}
		if d.Variables != nil {
			t, err := types.ColumnTypeToType(&d.Variables.VarType)
			if err != nil {
				t = nil // the declaration is going to fail
			}
			for _, v := range d.Variables.Names {
				names[strings.ToLower(v.String())] = t
			}
		}
		if d.Handler != nil {
			eachDeclared(handlerBody(d.Handler), names)
		}
	}
}

// startVariables gives the variables of a block their first values behind its declarations: GMS takes nothing but literals, as they are, and has zero for none.
func startVariables(block *ast.BeginEndBlock) {
	if block.Label == functionBody {
		return // what calls the function sets these
	}
	var sets ast.Statements
	end := 0
	for i, stmt := range block.Statements {
		d, ok := stmt.(*ast.Declare)
		if !ok {
			break
		}
		if end = i + 1; d.Variables == nil {
			continue
		}
		value := d.Variables.VarType.Default
		if value == nil {
			value = &ast.NullVal{}
		}
		d.Variables.VarType.Default = nil
		for _, name := range d.Variables.Names {
			sets = append(sets, &ast.Set{Exprs: ast.SetVarExprs{{Name: &ast.ColName{Name: name}, Expr: value}}})
		}
	}
	block.Statements = slices.Insert(slices.Clone(block.Statements), end, sets...)
}

// handlerBody gives the statements of a handler.
func handlerBody(h *ast.DeclareHandler) []*procedures.InterpreterOperation {
	var body []*procedures.InterpreterOperation
	if procedures.ConvertStmt(&body, procedures.NewInterpreterStack(), h.Statement) != nil {
		return nil
	}
	return body
}

// findVariables looks for names in a statement. It returns nil if there are none, or no place for the list.
func findVariables(stmt ast.Statement, names map[string]sql.Type) *variablePlaces {
	if call, ok := stmt.(*ast.Call); ok {
		call.Params = append(make(ast.Exprs, 0, len(call.Params)+1), call.Params...) // the list is to go behind them without moving them
	}
	v := &variablePlaces{list: &ast.FuncExpr{Name: ast.NewColIdent(listName)}}
	(&nameFinder{names: names, found: v, seen: make(map[uintptr]bool)}).value(reflect.ValueOf(stmt))
	if len(v.places) == 0 || !v.attach(stmt) {
		return nil
	}
	v.show()
	return v
}

// attach finds a place for the list.
func (v *variablePlaces) attach(stmt ast.SQLNode) bool {
	switch n := stmt.(type) {
	case *ast.Select:
		v.attachSelect(n)
	case *ast.SetOp:
		return v.attach(n.Left)
	case *ast.Insert:
		rows, ok := n.Rows.(*ast.AliasedValues)
		if !ok {
			return v.attach(n.Rows)
		}
		v.show = func() { rows.Values = append(rows.Values, ast.ValTuple{v.list}) }
		v.hide = func() { rows.Values = rows.Values[:len(rows.Values)-1] }
	case *ast.Update:
		v.attachWhere(&n.Where)
	case *ast.Delete:
		v.attachWhere(&n.Where)
	case *ast.Call:
		v.show = func() { n.Params = append(n.Params, v.list) }
		v.hide = func() { n.Params = n.Params[:len(n.Params)-1] }
	case *ast.Set:
		if len(n.Exprs) == 0 {
			return false
		}
		v.attachExpr(&n.Exprs[0].Expr)
	default:
		return false
	}
	return true
}

func (v *variablePlaces) attachSelect(n *ast.Select) {
	entry := &ast.AliasedExpr{Expr: v.list}
	v.show = func() { n.SelectExprs = append(n.SelectExprs, entry) }
	v.hide = func() { n.SelectExprs = n.SelectExprs[:len(n.SelectExprs)-1] }
}

func (v *variablePlaces) attachWhere(where **ast.Where) {
	own := *where
	if own != nil {
		v.attachExpr(&own.Expr)
		return
	}
	v.show = func() { *where = &ast.Where{Type: ast.WhereStr, Expr: v.list} }
	v.hide = func() { *where = nil }
}

// attachExpr makes an expression an entry of the list.
func (v *variablePlaces) attachExpr(slot *ast.Expr) {
	entry := &ast.AliasedExpr{Expr: *slot}
	v.list.Exprs = append(v.list.Exprs, entry)
	v.show = func() { entry.Expr, *slot = *slot, v.list }
	v.hide = func() { *slot = entry.Expr }
}

// resolve takes the list out of the statement and puts the values in their places.
func (v *variablePlaces) resolve() {
	v.hide()
	for _, p := range v.places {
		if p.entry == nil {
			p.slot.Set(reflect.ValueOf(p.name))
			continue
		}
		e := p.entry.Expr
		if c, ok := e.(*ast.ColName); ok && p.value && c.StoredProcVal != nil {
			e = c.StoredProcVal
		}
		p.slot.Set(reflect.ValueOf(e))
	}
}

// release leaves the statement as it was.
func (v *variablePlaces) release() {
	v.hide()
	for _, p := range v.places {
		p.slot.Set(reflect.ValueOf(p.name))
	}
}

// nameFinder walks a statement by reflection: the parser's own walk leaves out parts and does not tell where a node stands.
type nameFinder struct {
	names  map[string]sql.Type
	found  *variablePlaces
	seen   map[uintptr]bool
	values bool // inside HAVING
}

var exprInterface = reflect.TypeFor[ast.Expr]()

func (f *nameFinder) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		if c, ok := v.Interface().(*ast.ColName); ok && v.Type() == exprInterface && v.CanSet() {
			f.name(v, c)
			return
		}
		f.value(v.Elem())
	case reflect.Pointer:
		if v.IsNil() || f.seen[v.Pointer()] {
			return
		}
		f.seen[v.Pointer()] = true
		f.value(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			if !field.IsExported() {
				continue
			}
			before := f.values
			f.values = before || field.Name == "Having"
			f.value(v.Field(i))
			f.values = before
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return
		}
		for i := range v.Len() {
			f.value(v.Index(i))
		}
	}
}

func (f *nameFinder) name(slot reflect.Value, c *ast.ColName) {
	if _, declared := f.names[strings.ToLower(c.Name.String())]; !declared {
		return
	}
	p := place{slot: slot, name: c, value: f.values}
	if c.Qualifier.IsEmpty() {
		p.entry = &ast.AliasedExpr{Expr: c}
		f.found.list.Exprs = append(f.found.list.Exprs, p.entry)
	}
	f.found.places = append(f.found.places, p)
}
