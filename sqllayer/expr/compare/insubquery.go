package compare

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"emberdb/sqllayer/expr/operand"
)

// inRows is IN (subquery) of rows of several columns, of which go-mysql-server finds only those
// without NULL, of numbers of another kind, which it rounds, and of dates and documents, whose texts
// it compares.
type inRows struct {
	operand.Two
	query *plan.Subquery
	cmp   comparer
}

var _ sql.Expression = (*inRows)(nil)
var _ sql.CollationCoercible = (*inRows)(nil)

// NewInRows returns nil if go-mysql-server compares like MySQL. Texts are looked for by their keys.
func NewInRows(ctx *sql.Context, left sql.Expression, q *plan.Subquery) sql.Expression {
	cmp := newComparer(ctx, left, q)
	if cmp.how == asText {
		return plan.NewInSubquery(ctx, operand.WeightUnder(left, cmp.text), q.WithQuery(plan.NewProject(ctx, []sql.Expression{
			operand.WeightUnder(lastColumn{cmp.right}, cmp.text)}, q.Query)))
	}
	if !types.IsTuple(cmp.left) && cmp.how != asNumber && cmp.how != asJSON && !cmp.datesOfOthers() && !isTruth(ctx, left) && !givesTruth(ctx, q) {
		return nil
	}
	return &inRows{operand.OverTwo(left, q), q, cmp}
}

// isTruth reports whether e may give a bool, which go-mysql-server does not find among numbers. The
// type of a comparison is that of a TINYINT.
func isTruth(ctx *sql.Context, e sql.Expression) bool {
	switch e.(type) {
	case *expression.GetField, *expression.Literal:
		return false
	}
	return e.Type(ctx).Type() == sqltypes.Int8
}

// givesTruth reports whether a row of the query may be a bool.
func givesTruth(ctx *sql.Context, q *plan.Subquery) bool {
	columns := q.Query.Schema(ctx)
	return len(columns) == 1 && columns[0].Type.Type() == sqltypes.Int8 && columns[0].Source == ""
}

func (in *inRows) String() string { return fmt.Sprintf("(%s IN %s)", in.LeftChild, in.RightChild) }

// Type implements sql.Expression.
func (*inRows) Type(*sql.Context) sql.Type { return types.Boolean }

// IsNullable implements sql.Expression.
func (*inRows) IsNullable(*sql.Context) bool { return true }

// WithChildren implements sql.Expression.
func (in *inRows) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 2 {
		return nil, sql.ErrInvalidChildrenNumber.New(in, len(children), 2)
	}
	q, ok := children[1].(*plan.Subquery)
	if !ok {
		return nil, expression.ErrUnsupportedInOperand.New(children[1])
	}
	return &inRows{operand.OverTwo(children[0], q), q, newComparer(ctx, children[0], q)}, nil
}

// Dispose implements sql.Disposable.
func (in *inRows) Dispose(ctx *sql.Context) { in.query.Dispose(ctx) }

// Eval implements sql.Expression.
func (in *inRows) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	if l, r := types.NumColumns(in.cmp.left), types.NumColumns(in.cmp.right); l != r {
		return nil, sql.ErrInvalidOperandColumns.New(l, r)
	}
	l, err := in.LeftChild.Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	rows, err := in.query.EvalMultiple(ctx, row)
	if err != nil {
		return nil, err
	}
	var m membership
	for _, r := range rows {
		if yes, err := m.meets(ctx, &in.cmp, l, r); yes || err != nil {
			return yes, err
		}
	}
	return found(false, m.unknown), nil
}
