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

	"emberdb/sqllayer/expr"
)

// variable is a variable or a parameter that has its value.
type variable struct {
	column  *sql.Column
	value   any
	fixed   bool // a column of OLD, or of a row that was written
	changed bool // since it was made
}

// variable finds a variable by its name, nil if there is none.
func (a *activation) variable(name string) *variable {
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
	if s.program == nil {
		return nil, nil, false
	}
	v := s.program.variable(name)
	if v == nil {
		return nil, nil, false
	}
	return v.value, v.column.Type, true
}

// declareVariables makes variables and gives them their first values.
func (a *activation) declareVariables(n *ast.DeclareVariables) error {
	declared := n.VarType
	declared.Default = nil
	t, err := types.ColumnTypeToType(&declared)
	if err != nil {
		return err
	}
	if t, err = a.database.textsOf(t); err != nil {
		return err
	}
	var first any
	if n.VarType.Default != nil {
		if first, _, err = a.value(n.VarType.Default); err != nil {
			a.declareAs(n, t) // a handler may go on
			return err
		}
	}
	for _, to := range a.declareAs(n, t) {
		if given, ok := a.args[to.column.Name]; ok {
			a.take(to, given)
			delete(a.args, to.column.Name)
		} else if first != nil {
			if err := a.kept(to, first); err != nil {
				return err
			}
		}
	}
	return nil
}

// declareAs makes variables that are NULL.
func (a *activation) declareAs(n *ast.DeclareVariables, t sql.Type) (made []*variable) {
	for _, name := range n.Names {
		v := &variable{column: &sql.Column{Name: name.String(), Type: t, Nullable: true}}
		put(&a.frame.variables, name.String(), v)
		if a.result != nil && name.String() == functionResult {
			a.result.variable, v.column.Name = v, a.name.name+"()" // as errors tell of it
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
		return &ast.SQLVal{Type: ast.HexVal, Val: []byte(hex.EncodeToString(v))}
	}
	if g, ok := v.(types.GeometryValue); ok {
		stored := &ast.SQLVal{Type: ast.HexVal, Val: []byte(hex.EncodeToString(g.Serialize()))}
		return &ast.FuncExpr{Name: ast.NewColIdent(expr.StoredGeometry), Exprs: ast.SelectExprs{&ast.AliasedExpr{Expr: stored}}}
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
	text := []byte(shown.ToString())
	if types.IsJSON(t) {
		document := &ast.AliasedExpr{Expr: ast.NewStrVal(text)}
		return &ast.FuncExpr{Name: ast.NewColIdent(expr.StoredDocument), Exprs: ast.SelectExprs{document}}
	}
	word := ""
	switch {
	case types.IsDateType(t):
		word = expr.AsDate
	case types.IsDatetimeType(t) || types.IsTimestampType(t):
		word = expr.AsTimestamp
	case types.IsTimespan(t):
		word = expr.AsTime
	}
	if s := sessionOf(ctx); word == "" || strings.HasPrefix(shown.ToString(), "0000") || s.layer.opts.Plain {
		return ast.NewStrVal(text)
	}
	return expr.Value(word, text)
}

// bind puts the values of the variables where their names stand in a statement; release puts the
// names there again.
func (a *activation) bind(stmt ast.Statement) (release func()) {
	f := &nameFinder{a: a}
	(&visitor{seen: make(map[uintptr]bool), look: f.look, field: f.field}).value(reflect.ValueOf(stmt))
	return func() {
		for _, p := range f.places {
			p.slot.Set(reflect.ValueOf(p.name))
		}
	}
}

// place is where a name stands.
type place struct {
	slot reflect.Value
	name *ast.ColName
}

// nameFinder looks for the names of variables in a statement.
type nameFinder struct {
	a      *activation
	places []place
	plain  bool // inside HAVING, where GMS looks for columns: the value has to stand here, not a name that has one
}

var exprInterface = reflect.TypeFor[ast.Expr]()

// look is visitor.look.
func (f *nameFinder) look(v reflect.Value) (within bool) {
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

// visitor walks a parsed statement by reflection, each node once: the parser's own walk leaves out
// parts and does not tell where a node stands.
type visitor struct {
	seen  map[uintptr]bool
	look  func(v reflect.Value) (within bool) // at an interface or a pointer that is not nil
	field func(name string, walk func())      // nil, or around the walk of a field
}

func (w *visitor) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() && w.look(v) {
			w.value(v.Elem())
		}
	case reflect.Pointer:
		if v.IsNil() || w.seen[v.Pointer()] {
			return
		}
		w.seen[v.Pointer()] = true
		if w.look(v) {
			w.value(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			switch {
			case !field.IsExported():
			case w.field != nil:
				w.field(field.Name, func() { w.value(v.Field(i)) })
			default:
				w.value(v.Field(i))
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return
		}
		for i := range v.Len() {
			w.value(v.Index(i))
		}
	}
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
	value := literal(f.a.parent, known.column.Type, known.value)
	_, call := value.(*ast.FuncExpr)
	if f.plain || call || types.IsDecimal(known.column.Type) { // GMS takes a decimal that a name has for a double
		slot.Set(reflect.ValueOf(value))
		return
	}
	slot.Set(reflect.ValueOf(&ast.ColName{Name: c.Name, StoredProcVal: value}))
}
