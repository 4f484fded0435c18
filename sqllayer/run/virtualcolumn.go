package run

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/sqllayer"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/store"
	"emberdb/sqllayer/tabledef"
)

// virtualValues lets the virtual columns of a table that is read have values as stored columns have
// them. GMS refuses to read a row whose expression has another type than its column.
func virtualValues(ctx *sql.Context, t sql.Table) {
	v, ok := plan.FindVirtualColumnTable(t)
	if !ok {
		return
	}
	schema := v.Schema(ctx)
	for i, e := range v.Projections {
		switch e := e.(type) {
		case *virtualValue: // the plan runs again
			e.storer = store.NewStorer(ctx, true)
		case *sql.ColumnDefaultValue:
			if i < len(schema) && !tabledef.IsList(e.Expr) {
				v.Projections[i] = &virtualValue{operand.Over(e.Expr), schema[i], store.NewStorer(ctx, true)}
			}
		}
	}
}

// virtualValue is the value of a virtual column. What does not fit is cut without a word: whoever
// stored the row was told.
type virtualValue struct {
	operand.One
	column *sql.Column
	storer store.Storer
}

// Type implements sql.Expression.
func (v *virtualValue) Type(*sql.Context) sql.Type { return v.column.Type }

// WithChildren implements sql.Expression.
func (v *virtualValue) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(v, children)
}

// Eval implements sql.Expression.
func (v *virtualValue) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v.storer.Row++
	value, err := v.Child.Eval(ctx, row)
	if err != nil || value == nil {
		return nil, err
	}
	if value, err = sql.UnwrapAny(ctx, value); err != nil {
		return nil, err
	}
	before := ctx.Session.WarningCount()
	if value, err = v.storer.Given(ctx, v.column, v.Child.Type(ctx), value); err != nil {
		return nil, err
	}
	if told := ctx.Session.WarningCount() - before; told > 0 {
		sqllayer.SessionOf(ctx).ForgetWarnings(int(told))
	}
	value, _, err = v.column.Type.Convert(ctx, value)
	return value, err
}
