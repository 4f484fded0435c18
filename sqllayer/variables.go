package sqllayer

// Parameters and variables of stored programs. Before a statement goes to GMS, the values take the
// places of the names, wherever an expression may stand; GMS itself looks for them only in some
// places: not in CASE, BETWEEN, ORDER BY, the values of UPDATE, the conditions of joins and others.

import (
	"encoding/hex"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr/documents"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/expr/spatial"
	"emberdb/sqllayer/library"
	"emberdb/sqllayer/memory"
	"emberdb/sqllayer/programs"
)

// variable finds a variable by its name, nil if there is none.
func (a *activation) variable(name string) *programs.Variable {
	name = strings.ToLower(name)
	for f := a.frame; f != nil; f = f.outer {
		if v := f.variables[name]; v != nil {
			return v
		}
		if f.rows != nil {
			return f.rows.variable(name)
		}
	}
	return nil
}

// ProgramVariable gives the value of a variable of the program that runs, for texts that name one.
func (s *Session) ProgramVariable(name string) (any, sql.Type, bool) {
	if s.Program == nil {
		return nil, nil, false
	}
	v := s.Program.variable(name)
	if v == nil {
		return nil, nil, false
	}
	return v.Value, v.Column.Type, true
}

// declareVariables makes variables and gives them their first values.
func (a *activation) declareVariables(n *ast.DeclareVariables) error {
	a.s.afresh()
	declared := n.VarType
	declared.Default = nil
	column, err := a.database.declaredColumn("", declared)
	if err != nil {
		return err
	}
	var first any
	if n.VarType.Default != nil {
		if first, err = a.assigned(n.VarType.Default); err != nil {
			a.declareAs(n, column) // a handler may go on
			return err
		}
	}
	for _, to := range a.declareAs(n, column) {
		if given, ok := a.args[to.Column.Name]; ok {
			if err := a.take(to, given); err != nil {
				return err
			}
			delete(a.args, to.Column.Name)
		} else if first != nil {
			if err := a.kept(to, first); err != nil {
				return err
			}
		}
	}
	return nil
}

// declareAs makes variables that are NULL.
func (a *activation) declareAs(n *ast.DeclareVariables, column *sql.Column) (made []*programs.Variable) {
	for _, name := range n.Names {
		own := *column
		own.Name = name.String()
		v := &programs.Variable{Column: &own}
		programs.Put(&a.frame.variables, name.String(), v)
		if a.result != nil && name.String() == programs.FunctionResult {
			a.result.variable, v.Column.Name = v, a.name.Name+"()" // as errors tell of it
		}
		made = append(made, v)
	}
	return made
}

// literal is a value as an expression of that type.
func literal(ctx *sql.Context, t sql.Type, v any) ast.Expr {
	if v == nil {
		return &ast.NullVal{}
	}
	switch v := v.(type) {
	case bool:
		if v {
			return ast.NewIntVal([]byte("1"))
		}
		return ast.NewIntVal([]byte("0"))
	case float32:
		return ast.NewFloatVal([]byte(strconv.FormatFloat(float64(v), 'e', -1, 64)))
	case float64:
		return ast.NewFloatVal([]byte(strconv.FormatFloat(v, 'e', -1, 64)))
	case []byte:
		return operand.BytesValue(v)
	}
	if g, ok := v.(types.GeometryValue); ok {
		stored := &ast.SQLVal{Type: ast.HexVal, Val: []byte(hex.EncodeToString(g.Serialize()))}
		return &ast.FuncExpr{Name: ast.NewColIdent(spatial.StoredGeometry), Exprs: ast.SelectExprs{&ast.AliasedExpr{Expr: stored}}}
	}
	if types.IsInteger(t) || types.IsYear(t) || types.IsBit(t) {
		return ast.NewIntVal(fmt.Appendf(nil, "%d", v))
	}
	shown, err := t.SQL(ctx, nil, v)
	if err != nil {
		return ast.NewStrVal(fmt.Appendf(nil, "%v", v))
	}
	if types.IsDecimal(t) {
		text := shown.ToString()
		if !strings.Contains(text, ".") {
			return ast.NewIntVal([]byte(text))
		}
		return ast.NewFloatVal([]byte(text))
	}
	text := shown.ToString()
	if types.IsJSON(t) {
		document := &ast.AliasedExpr{Expr: ast.NewStrVal([]byte(text))}
		return &ast.FuncExpr{Name: ast.NewColIdent(documents.StoredDocument), Exprs: ast.SelectExprs{document}}
	}
	word := ""
	switch {
	case types.IsDateType(t):
		word = operand.AsDate
	case types.IsDatetimeType(t) || types.IsTimestampType(t):
		word = operand.AsTimestamp
	case types.IsTimespan(t):
		word = operand.AsTime
	}
	if s := SessionOf(ctx); word == "" || strings.HasPrefix(text, "0000") || s.layer.Opts.Plain {
		return operand.TextValue(text)
	}
	return operand.Value(word, []byte(text))
}

// bind puts the values of the variables where their names stand in a statement; release puts the
// names there again.
func (a *activation) bind(stmt ast.Statement) (release func(), err error) {
	f := &nameFinder{a: a, kept: memory.Keep(a.parent)}
	_, f.names = stmt.(*ast.DDL)
	(&programs.Visitor{Seen: make(map[uintptr]bool), Look: f.look, Field: f.field}).Value(reflect.ValueOf(stmt))
	return func() {
		for _, p := range f.places {
			p.slot.Set(reflect.ValueOf(p.was))
		}
		f.kept.Release()
	}, f.err
}

// place is where something else stands while the statement runs.
type place struct {
	slot reflect.Value
	was  any
}

// nameFinder looks for the names of variables in a statement.
type nameFinder struct {
	a      *activation
	places []place
	kept   memory.Kept // accounts the values
	err    error
	names  bool // of a CREATE TABLE ... SELECT, whose columns have the names of the variables
	plain  bool // inside HAVING, where GMS looks for columns: the value has to stand here, not a name that has one
}

var exprInterface = reflect.TypeFor[ast.Expr]()

// look is visitor.look.
func (f *nameFinder) look(v reflect.Value) (within bool) {
	if item, ok := v.Interface().(*ast.AliasedExpr); ok && f.names && item.As.IsEmpty() {
		if c, ok := item.Expr.(*ast.ColName); ok && f.a.named(c) != nil {
			f.places = append(f.places, place{reflect.ValueOf(&item.As).Elem(), item.As})
			item.As = c.Name
		}
	}
	c, ok := v.Interface().(*ast.ColName)
	if !ok || v.Type() != exprInterface || !v.CanSet() {
		return true
	}
	f.name(v, c)
	return false
}

// field is visitor.field.
func (f *nameFinder) field(name string, walk func()) {
	before := f.plain
	f.plain = before || name == "Having"
	walk()
	f.plain = before
}

func (f *nameFinder) name(slot reflect.Value, c *ast.ColName) {
	known := f.a.named(c)
	if known == nil {
		return
	}
	f.places = append(f.places, place{slot, c})
	if to := f.a.learns; to != nil {
		if value := to.place(c, known); value != nil {
			slot.Set(reflect.ValueOf(value))
			return
		}
		to.refused = true
	}
	if err := f.kept.Add(2 * memory.ValueSize(known.Value)); err != nil {
		f.err = err
		return
	}
	value := literal(f.a.parent, known.Column.Type, known.Value)
	whole := f.plain
	switch value.(type) {
	case *ast.FuncExpr, ast.InjectedExpr:
		whole = true
	}
	if whole || types.IsDecimal(known.Column.Type) { // GMS takes a decimal that a name has for a double
		slot.Set(reflect.ValueOf(value))
		return
	}
	slot.Set(reflect.ValueOf(&ast.ColName{Name: c.Name, StoredProcVal: value}))
}

// Takes refuses a value that a system variable does not take.
func Takes(ctx *sql.Context, variable string, value any, global bool) error {
	v, _, ok := sql.SystemVariables.GetGlobal(variable)
	if !ok {
		return nil
	}
	value, err := asKept(strings.ToLower(variable), value)
	if err != nil {
		return err
	}
	if v, defined := v.(library.Setting); defined {
		return v.Takes(ctx, value, global)
	}
	_, _, err = v.GetType().Convert(ctx, value)
	return err
}
