package run

import (
	"slices"

	"errors"
	"io"

	apd "github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer"
	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/memory"
)

// hasForms tells whether rows may be equal whose values are written otherwise: texts, documents,
// and decimals of different digits.
func hasForms(schema sql.Schema) bool {
	for _, c := range schema {
		if types.IsTextOnly(c.Type) || types.IsDecimal(c.Type) || types.IsJSON(c.Type) {
			return true
		}
	}
	return false
}

// distinct runs DISTINCT.
func (b *Builder) distinct(ctx *sql.Context, n *plan.Distinct, r sql.Row) (sql.RowIter, error) {
	schema := n.Child.Schema(ctx)
	if len(n.DistinctOn()) > 0 || !hasForms(schema) {
		return nil, nil
	}
	child, err := b.Base.Build(ctx, n.Child, r)
	if err != nil {
		return nil, err
	}
	return newDistinct(ctx, child, expr.NewRowKey(schema, nil)), nil
}

// signedZeros projects floating-point columns with the sign of their zeros, which go-mysql-server
// takes away.
func (b *Builder) signedZeros(ctx *sql.Context, n *plan.Project, r sql.Row) (sql.RowIter, error) {
	if n.IncludesNestedIters || !slices.ContainsFunc(n.Projections, func(e sql.Expression) bool { return isFloat(ctx, e) }) {
		return nil, nil
	}
	child, err := b.Base.Build(ctx, n.Child, r)
	if err != nil {
		return nil, err
	}
	return &signedIter{child, n.Projections}, nil
}

// signedValues is signedZeros for the rows of VALUES.
func signedValues(ctx *sql.Context, n *plan.Values, r sql.Row) (sql.RowIter, error) {
	if !slices.ContainsFunc(n.ExpressionTuples, func(row []sql.Expression) bool {
		return slices.ContainsFunc(row, func(e sql.Expression) bool { return isFloat(ctx, e) })
	}) {
		return nil, nil
	}
	rows := make([]sql.Row, len(n.ExpressionTuples))
	for i, expressions := range n.ExpressionTuples {
		var err error
		if rows[i], err = signed(ctx, expressions, r); err != nil {
			return nil, err
		}
	}
	return sql.RowsToRowIter(rows...), nil
}

func isFloat(ctx *sql.Context, e sql.Expression) bool { return e != nil && types.IsFloat(e.Type(ctx)) }

type signedIter struct {
	sql.RowIter
	projections []sql.Expression
}

// Next implements sql.RowIter.
func (i *signedIter) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := i.RowIter.Next(ctx)
	if err != nil {
		return nil, err
	}
	return signed(ctx, i.projections, row)
}

// signed computes a row. Defaults that are expressions see the other columns of the row it makes.
func signed(ctx *sql.Context, expressions []sql.Expression, row sql.Row) (out sql.Row, err error) {
	out = make(sql.Row, len(expressions))
	for _, defaults := range [...]bool{false, true} {
		from := row
		if defaults {
			from = out
		}
		for n, e := range expressions {
			if (computed(e) != nil) != defaults {
				continue
			}
			if out[n], err = e.Eval(ctx, from); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// distinctIter leaves out rows that are equal to an earlier one.
type distinctIter struct {
	sql.RowIter
	key  *expr.RowKey
	seen map[string]struct{}
	kept memory.Kept
}

func newDistinct(ctx *sql.Context, child sql.RowIter, key *expr.RowKey) *distinctIter {
	return &distinctIter{child, key, make(map[string]struct{}), memory.Keep(ctx)}
}

// Close implements sql.RowIter.
func (i *distinctIter) Close(ctx *sql.Context) error {
	i.seen = nil
	i.kept.Release()
	return i.RowIter.Close(ctx)
}

// Next implements sql.RowIter.
func (i *distinctIter) Next(ctx *sql.Context) (sql.Row, error) {
	for {
		row, err := i.RowIter.Next(ctx)
		if err != nil {
			return nil, err
		}
		key, err := i.key.Of(ctx, row)
		if err != nil {
			return nil, err
		}
		if _, known := i.seen[string(key)]; !known {
			i.seen[string(key)] = struct{}{}
			return row, i.kept.Add(int64(48 + len(key)))
		}
	}
}

// setOp runs UNION, INTERSECT and EXCEPT that tell equal rows. What comes after them, order and
// limit, is left to GMS.
func (b *Builder) setOp(ctx *sql.Context, n *plan.SetOp, r sql.Row) (sql.RowIter, error) {
	schema := n.Schema(ctx)
	if !hasForms(schema) {
		return nil, nil
	}
	source := &setSource{SetOp: *n}
	source.Limit, source.Offset, source.SortConditions = nil, nil, nil
	var out sql.Node = source
	if len(n.SortConditions) > 0 {
		out = plan.NewSort(n.SortConditions, out)
	}
	if n.Offset != nil {
		out = plan.NewOffset(n.Offset, out)
	}
	if n.Limit != nil {
		out = plan.NewLimit(n.Limit, out)
	}
	return b.Base.Build(ctx, out, r)
}

// setSource is a SetOp without order and limit.
type setSource struct{ plan.SetOp }

// WithChildren implements sql.Node.
func (n *setSource) WithChildren(ctx *sql.Context, children ...sql.Node) (sql.Node, error) {
	changed, err := n.SetOp.WithChildren(ctx, children...)
	if err != nil {
		return nil, err
	}
	return &setSource{*changed.(*plan.SetOp)}, nil
}

func (n *setSource) build(ctx *sql.Context, b *Builder, r sql.Row) (sql.RowIter, error) {
	left, err := b.Base.Build(ctx, n.Left(), r)
	if err != nil {
		return nil, err
	}
	schema := n.Schema(ctx)
	left = n.scaled(ctx, left, schema)
	collations := n.collations(ctx, len(schema))
	if n.SetOpType == plan.UnionType {
		all := &unionIter{RowIter: left, rest: func() (sql.RowIter, error) {
			right, err := b.Base.Build(ctx, n.Right(), r)
			return n.scaled(ctx, right, schema), err
		}}
		if !n.Distinct {
			return all, nil
		}
		return newDistinct(ctx, all, expr.NewRowKey(schema, collations)), nil
	}
	right, err := b.Base.Build(ctx, n.Right(), r)
	if err != nil {
		return nil, errors.Join(err, left.Close(ctx))
	}
	out := &matchIter{RowIter: left, right: right, key: expr.NewRowKey(schema, collations), keep: n.SetOpType == plan.IntersectType, all: !n.Distinct}
	if n.Distinct {
		return newDistinct(ctx, out, expr.NewRowKey(schema, collations)), nil
	}
	return out, nil
}

// collations finds out by which collations the rows of both sides compare; nil if the plan does not
// tell.
func (n *setSource) collations(ctx *sql.Context, columns int) []sql.CollationID {
	left, right := sqllayer.ResultExprs(ctx, n.Left(), columns), sqllayer.ResultExprs(ctx, n.Right(), columns)
	if left == nil || right == nil {
		return nil
	}
	out := make([]sql.CollationID, columns)
	for i := range out {
		out[i] = expr.Collation(ctx, left[i], right[i])
	}
	return out
}

// scaled gives decimals the digits of that side of the statement that has more.
func (n *setSource) scaled(ctx *sql.Context, iter sql.RowIter, schema sql.Schema) sql.RowIter {
	left, right := sqllayer.ResultExprs(ctx, n.Left(), len(schema)), sqllayer.ResultExprs(ctx, n.Right(), len(schema))
	if left == nil || right == nil || iter == nil {
		return iter
	}
	out := &scaleIter{RowIter: iter, digits: make([]int32, len(schema))}
	own := false
	for i, c := range schema {
		out.digits[i] = -1
		l, r := expr.Digits(ctx, left[i]), expr.Digits(ctx, right[i])
		if types.IsDecimal(c.Type) && l >= 0 && r >= 0 {
			out.digits[i], own = max(l, r), true
		}
	}
	if !own {
		return iter
	}
	return out
}

// scaleIter gives decimals their digits; below zero: the column stays.
type scaleIter struct {
	sql.RowIter
	digits []int32
}

// Next implements sql.RowIter.
func (i *scaleIter) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := i.RowIter.Next(ctx)
	if err != nil {
		return nil, err
	}
	out := row.Copy()
	own := out[len(out)-len(i.digits):]
	for c, digits := range i.digits {
		if d, ok := own[c].(*apd.Decimal); ok && digits >= 0 {
			if own[c], err = operand.Rounded(d, digits); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// unionIter gives the rows of one iterator after another's.
type unionIter struct {
	sql.RowIter
	rest func() (sql.RowIter, error)
}

// Next implements sql.RowIter.
func (i *unionIter) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := i.RowIter.Next(ctx)
	if err != io.EOF || i.rest == nil { //nolint:errorlint // iterators end with io.EOF itself
		return row, err
	}
	if err := i.RowIter.Close(ctx); err != nil {
		return nil, err
	}
	next, err := i.rest()
	if err != nil {
		return nil, err
	}
	i.RowIter, i.rest = next, nil
	return i.RowIter.Next(ctx)
}

// matchIter gives the rows that are among another iterator's, or that are not. all: every row of
// the other's counts for one.
type matchIter struct {
	sql.RowIter
	right     sql.RowIter
	key       *expr.RowKey
	others    map[string]int
	keep, all bool
}

// Next implements sql.RowIter.
func (i *matchIter) Next(ctx *sql.Context) (sql.Row, error) {
	if i.others == nil {
		if err := i.load(ctx); err != nil {
			return nil, err
		}
	}
	for {
		row, err := i.RowIter.Next(ctx)
		if err != nil {
			return nil, err
		}
		key, err := i.key.Of(ctx, row)
		if err != nil {
			return nil, err
		}
		n := i.others[string(key)]
		if n > 0 && i.all {
			i.others[string(key)] = n - 1
		}
		if (n > 0) == i.keep {
			return row, nil
		}
	}
}

func (i *matchIter) load(ctx *sql.Context) error {
	i.others = make(map[string]int)
	for {
		row, err := i.right.Next(ctx)
		if err == io.EOF { //nolint:errorlint // iterators end with io.EOF itself
			return nil
		}
		if err != nil {
			return err
		}
		key, err := i.key.Of(ctx, row)
		if err != nil {
			return err
		}
		i.others[string(key)]++
	}
}

// Close implements sql.RowIter.
func (i *matchIter) Close(ctx *sql.Context) error {
	return errors.Join(i.RowIter.Close(ctx), i.right.Close(ctx))
}
