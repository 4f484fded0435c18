package operand

import (
	"reflect"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// Builtin finds a function of go-mysql-server.
func Builtin(name string) (sql.Function, bool) {
	for _, f := range function.BuiltIns {
		if f.FunctionName() == name {
			return f, true
		}
	}
	return nil, false
}

// Alias is a second name of one of go-mysql-server's functions.
func Alias(name, of string) sql.Function {
	return sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		f, ok := Builtin(of)
		if !ok {
			return nil, sql.ErrFunctionNotFound.New(name)
		}
		return f.NewInstance(ctx, args)
	}}
}

var ExprType = reflect.TypeFor[ast.Expr]()

// CallOf is a call of a function.
func CallOf(name string, args ...ast.Expr) *ast.FuncExpr {
	f := &ast.FuncExpr{Name: ast.NewColIdent(name)}
	for _, a := range args {
		f.Exprs = append(f.Exprs, &ast.AliasedExpr{Expr: a})
	}
	return f
}

// Names of functions that stand in a parsed text for what the parser lacks.
const (
	TrimBoth     = "trim both " // a text, and what is taken away from its ends
	TrimLeading  = "trim leading "
	TrimTrailing = "trim trailing "
	AllOf        = "\x00all"        // of a subquery, to the right of a comparison
	AnyOf        = "\x00any"        // also SOME
	IntervalOf   = "\x00interval"   // INTERVAL(n, a, b, ...)
	CollatableOf = "\x00collatable" // of what COLLATE stands behind, and the collation's name
	CollatedOf   = "\x00collated"   // of a constant with a character set: COLLATE stands behind it
)

// WalkExprs walks a part of a tree. replace tells what comes in the place of an expression; done if
// nothing within it is to be looked at.
func WalkExprs(v reflect.Value, replace func(ast.Expr) (to ast.Expr, done bool)) {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		if e, ok := v.Interface().(ast.Expr); ok && v.CanSet() && v.Type() == ExprType {
			if to, done := replace(e); done {
				v.Set(reflect.ValueOf(to))
				return
			}
		}
		WalkExprs(v.Elem(), replace)
	case reflect.Pointer:
		if !v.IsNil() {
			WalkExprs(v.Elem(), replace)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				WalkExprs(v.Field(i), replace)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			WalkExprs(v.Index(i), replace)
		}
	}
}
