package run

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// filling is how the columns of a row get their values: one after the other, in a row that begins
// with the defaults that are literals. An expression reads what the row has by then. First come the
// columns that the statement lists, in its order, then the computed defaults of the others, and
// generated columns. A default reads a generated column as it was before the others' defaults. Where
// BEFORE triggers run, the others' defaults come before all, except in LOAD DATA.
type filling struct {
	blank       sql.Row // how a row begins; nil: no default is computed
	first, last []int   // columns; the last are computed
	computed    map[int]sql.Expression
	given       []map[int]sql.Expression // computed defaults that VALUES has as DEFAULT, by row
}

// filling tells how rows are filled, and takes what is computed out of their source.
func (n *storeSource) filling(ctx *sql.Context, source sql.Node) (sql.Node, *filling, error) {
	f := &filling{computed: make(map[int]sql.Expression)}
	p := n.values()
	if p == nil || len(p.Projections) != len(n.columns) {
		f.first = n.order()
		return source, f, nil
	}
	own, _ := source.(*plan.Project)
	for at, c := range n.columns {
		if e := computed(p.Projections[at]); e != nil && (c.Generated != nil || own != nil) { // else triggers have seen it, and may have set another value
			f.computed[at] = e
		} else if c.Generated != nil && e == nil {
			if e := n.listed(ctx, p, c); e != nil {
				f.computed[at] = e
			}
		}
	}
	var err error
	if own != nil {
		if source, err = n.withoutComputed(ctx, own, f); err != nil {
			return nil, nil, err
		}
	}
	_, loads := p.Child.(*plan.LoadData)
	before := n.steps(ctx, f, n.early && !loads)
	if f.given != nil || before {
		f.blank, err = n.blank(ctx)
	}
	return source, f, err
}

// listed is the expression of a generated column for which the statement has DEFAULT.
func (n *storeSource) listed(ctx *sql.Context, p *plan.Project, c *sql.Column) sql.Expression {
	at := slices.IndexFunc(n.insert.ColumnNames, func(name string) bool { return strings.EqualFold(name, c.Name) })
	v, ok := p.Child.(*plan.Values)
	if !ok || at < 0 || len(v.ExpressionTuples) == 0 || at >= len(v.ExpressionTuples[0]) {
		return nil
	}
	if e := computed(v.ExpressionTuples[0][at]); e != nil {
		return n.placed(ctx, e)
	}
	return nil
}

// steps puts the columns in their order. first: defaults come before what the statement lists;
// before tells whether there are any.
func (n *storeSource) steps(ctx *sql.Context, f *filling, first bool) (before bool) {
	var defaults, generated []int
	reads := false
	for _, at := range n.order() {
		e := f.computed[at]
		switch {
		case e == nil:
			f.first = append(f.first, at)
		case n.columns[at].Generated != nil:
			generated = append(generated, at)
		default:
			defaults = append(defaults, at)
			reads = reads || n.readsGenerated(ctx, e)
		}
	}
	slices.Sort(generated)
	switch {
	case first:
		f.first, f.last = append(defaults, f.first...), generated
		return len(defaults) > 0
	case reads:
		f.last = slices.Concat(generated, defaults, generated)
	default:
		f.last = append(defaults, generated...)
	}
	return false
}

// readsGenerated tells whether an expression reads a generated column.
func (n *storeSource) readsGenerated(ctx *sql.Context, e sql.Expression) bool {
	return transform.InspectExpr(ctx, e, func(_ *sql.Context, e sql.Expression) bool {
		field, ok := e.(*expression.GetField)
		return ok && n.columns[n.columns.IndexOfColName(field.Name())].Generated != nil
	})
}

// order is the order in which MySQL looks at the columns: that of the statement's list, then the
// others.
func (n *storeSource) order() []int {
	var order []int
	for _, name := range n.insert.ColumnNames {
		if at := n.columns.IndexOfColName(name); at >= 0 && !slices.Contains(order, at) {
			order = append(order, at)
		}
	}
	for at := range n.columns {
		if !slices.Contains(order, at) {
			order = append(order, at)
		}
	}
	return order
}

// blank is a row without given values.
func (n *storeSource) blank(ctx *sql.Context) (row sql.Row, err error) {
	row = make(sql.Row, len(n.columns))
	for at, c := range n.columns {
		switch {
		case c.Generated != nil:
		case c.Default != nil && c.Default.IsLiteral():
			if row[at], err = c.Default.Eval(ctx, nil); err != nil {
				return nil, err
			}
		case !c.Nullable:
			row[at] = c.Type.Zero()
		}
	}
	return row, nil
}

// withoutComputed is a source of rows that has NULL in the place of what is computed.
func (n *storeSource) withoutComputed(ctx *sql.Context, p *plan.Project, f *filling) (sql.Node, error) {
	projections, _ := withNulls(p.Projections)
	v, ok := p.Child.(*plan.Values)
	if !ok || !slices.ContainsFunc(n.columns, isComputed) {
		return p.WithExpressions(ctx, projections...)
	}
	made := *v
	made.ExpressionTuples = slices.Clone(v.ExpressionTuples)
	for r, tuple := range v.ExpressionTuples {
		nulls, places := withNulls(tuple)
		made.ExpressionTuples[r] = nulls
		for _, i := range places {
			at := n.columns.IndexOfColName(n.insert.ColumnNames[i])
			if n.columns[at].Generated != nil {
				continue
			}
			if f.given == nil {
				f.given = make([]map[int]sql.Expression, len(v.ExpressionTuples))
			}
			if f.given[r] == nil {
				f.given[r] = make(map[int]sql.Expression)
			}
			f.given[r][at] = n.placed(ctx, computed(tuple[i]))
		}
	}
	below, err := p.WithChildren(ctx, &made)
	if err != nil {
		return nil, err
	}
	return below.(*plan.Project).WithExpressions(ctx, projections...)
}

// withNulls has NULL in the places of what is computed.
func withNulls(exprs []sql.Expression) (out []sql.Expression, places []int) {
	for i, e := range exprs {
		if computed(e) != nil {
			places = append(places, i)
		}
	}
	if places == nil {
		return exprs, nil
	}
	out = slices.Clone(exprs)
	for _, i := range places {
		out[i] = expression.NewLiteral(nil, types.Null)
	}
	return out, places
}

// placed is the expression of a DEFAULT, which reads a row of the statement's list, over a row of
// the table.
func (n *storeSource) placed(ctx *sql.Context, e sql.Expression) sql.Expression {
	e, _, _ = transform.Expr(ctx, e, func(_ *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) { // no error arises
		if field, ok := e.(*expression.GetField); ok {
			return field.WithIndex(n.columns.IndexOfColName(field.Name())), transform.NewTree, nil
		}
		return e, transform.SameTree, nil
	})
	return e
}

// isComputed tells whether the default of a column is an expression, or the column is generated.
func isComputed(c *sql.Column) bool {
	return c.Generated != nil || c.Default != nil && !c.Default.IsLiteral()
}

// computed is the expression of a generated column or of a default, DEFAULT in a statement too; nil
// of other values.
func computed(e sql.Expression) sql.Expression {
	if w, ok := e.(*expression.Wrapper); ok {
		e = w.Unwrap()
	}
	if d, ok := e.(*sql.ColumnDefaultValue); ok && d != nil && !d.IsLiteral() {
		return d.Expr
	}
	return nil
}

// of is what the statement computes for a column of one of its rows, nil if the source has it.
func (f *filling) of(row int64, at int) sql.Expression {
	if row--; row >= 0 && row < int64(len(f.given)) {
		if e := f.given[row][at]; e != nil {
			return e
		}
	}
	return f.computed[at]
}

// filled gives the columns of a row their values.
func (i *storeIter) filled(ctx *sql.Context, values sql.Row) error {
	given := values
	if i.fill.blank != nil {
		given = slices.Clone(values)
		copy(values, i.fill.blank)
	}
	for _, at := range i.fill.first {
		from := i.given.Of(ctx, i.storer.Row, at)
		if values[at] = given[at]; i.fill.of(i.storer.Row, at) != nil {
			if err := i.compute(ctx, values, at); err != nil {
				return err
			}
			continue
		}
		if err := i.fit(ctx, values, at, from); err != nil {
			return err
		}
	}
	for _, at := range i.fill.last {
		if err := i.compute(ctx, values, at); err != nil {
			return err
		}
	}
	return nil
}

// compute gives a column what its expression makes of the row.
func (i *storeIter) compute(ctx *sql.Context, values sql.Row, at int) (err error) {
	e, before := i.fill.of(i.storer.Row, at), ctx.Session.WarningCount()
	if values[at], err = e.Eval(ctx, values); err == nil {
		err = i.storer.Warned(ctx, before)
	}
	if err == nil {
		err = i.fit(ctx, values, at, e.Type(ctx))
	}
	if _, unlisted := i.fill.computed[at]; err == nil && values[at] == nil && unlisted && i.node.early && !i.node.columns[at].Nullable {
		values[at] = i.node.columns[at].Type.Zero()
	}
	return err
}
