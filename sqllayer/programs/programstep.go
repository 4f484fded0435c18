package programs

import (
	"context"
	"reflect"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/trees"
)

// StepSource is a statement to make a step of.
type StepSource struct {
	Database string
	Tree     ast.Statement // as it was read, but for the parameters
	Schema   sql.Schema    // of its rows
	Columns  []ResultColumn
}

// StepValue is the value of a parameter.
type StepValue struct {
	Value any
	Type  sql.Type
}

// StepEnd tells how the run of a step has ended.
type StepEnd uint8

// The ends of runs. In all but the first nothing has happened.
const (
	StepDone  StepEnd = iota
	StepOther         // GMS has to run the statement this time
	StepStale         // the step is not valid any more
)

// StepResult is what a step has done.
type StepResult struct {
	Rows      []sql.Row
	Affected  uint64
	Generated uint64 // LAST_INSERT_ID() from now on; 0: it stays
}

// MostSteps is how often a step is made of a statement: definitions change.
const MostSteps = 16

// Changing are functions whose value is another one for each row.
var Changing = map[string]bool{"rand": true, "uuid": true, "uuid_short": true, "uuid_to_bin": true, "random_bytes": true}

// Replaced is an expression as the layer runs it.
func Replaced(e ast.Expr) ast.Expr {
	s := &ast.Select{SelectExprs: ast.SelectExprs{&ast.AliasedExpr{Expr: e}}}
	_ = expr.Replace(context.Background(), s) // which does not end
	return s.SelectExprs[0].(*ast.AliasedExpr).Expr
}

// TreeCopy copies a tree: what it points to is the copy's own.
func TreeCopy(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return v
		}
		inner := TreeCopy(v.Elem())
		if v.Kind() == reflect.Interface {
			out := reflect.New(v.Type()).Elem()
			out.Set(inner)
			return out
		}
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(inner)
		return out
	case reflect.Struct:
		out := reflect.New(v.Type()).Elem()
		out.Set(v)
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && trees.HoldsNodes(v.Field(i).Kind()) {
				out.Field(i).Set(TreeCopy(v.Field(i)))
			}
		}
		return out
	case reflect.Slice:
		if v.IsNil() || !trees.HoldsNodes(v.Type().Elem().Kind()) {
			return v
		}
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(TreeCopy(v.Index(i)))
		}
		return out
	}
	return v
}
