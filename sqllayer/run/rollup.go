package run

import (
	"cmp"
	"io"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/expr/aggregate"
)

// rollup runs GROUP BY ... WITH ROLLUP: one reading of the rows makes the groups of all levels.
// They come in MySQL's order, that of the columns of GROUP BY with a group's own row behind the
// rows of its parts.
func (b *Builder) rollup(ctx *sql.Context, n *plan.GroupBy, r sql.Row) (sql.RowIter, error) {
	last := len(n.GroupByExprs) - 1
	if last < 0 || !aggregate.IsRollup(n.GroupByExprs[last]) {
		return nil, nil
	}
	child, err := b.Base.Build(ctx, n.Child, r)
	if err != nil {
		return nil, err
	}
	return &rollupIter{RowIter: child, values: n.SelectDeps, by: n.GroupByExprs[:last]}, nil
}

// rollupIter has the rows of the groups.
type rollupIter struct {
	sql.RowIter // the rows to group
	values      []sql.Expression
	by          []sql.Expression
	keys        []*expr.RowKey // of the levels
	groups      []*rollupGroup
	read        bool
}

// rollupGroup is one row of the result.
type rollupGroup struct {
	by      sql.Row // as many columns as its level
	buffers []sql.AggregationBuffer
}

// Next implements sql.RowIter.
func (i *rollupIter) Next(ctx *sql.Context) (sql.Row, error) {
	if !i.read {
		i.read = true
		if err := i.group(ctx); err != nil {
			return nil, err
		}
	}
	if len(i.groups) == 0 {
		return nil, io.EOF
	}
	g := i.groups[0]
	i.groups = i.groups[1:]
	row := make(sql.Row, len(i.values))
	for c, e := range i.values {
		if aggregate.IsRollupLevel(e) {
			row[c] = int64(len(g.by))
			continue
		}
		var err error
		if row[c], err = g.buffers[c].Eval(ctx); err != nil {
			return nil, err
		}
	}
	g.dispose(ctx)
	return row, nil
}

// group reads all rows.
func (i *rollupIter) group(ctx *sql.Context) error {
	schema := make(sql.Schema, len(i.by))
	collations := make([]sql.CollationID, len(i.by))
	for c, e := range i.by {
		schema[c] = &sql.Column{Type: e.Type(ctx)}
		collations[c], _ = sql.GetCoercibility(ctx, e)
	}
	for level := range len(i.by) + 1 {
		i.keys = append(i.keys, expr.NewRowKey(schema[:level], collations[:level]))
	}
	known := make([]map[string]*rollupGroup, len(i.keys))
	for level := range known {
		known[level] = make(map[string]*rollupGroup)
	}
	add := func(level int, by, row sql.Row) error {
		key, err := i.keys[level].Of(ctx, by)
		if err != nil {
			return err
		}
		g := known[level][string(key)]
		if g == nil {
			if g, err = i.newGroup(ctx, by); err != nil {
				return err
			}
			known[level][string(key)] = g
		}
		return g.update(ctx, row)
	}
	for {
		row, err := i.RowIter.Next(ctx)
		if err == io.EOF { //nolint:errorlint // iterators end with io.EOF itself
			break
		}
		if err != nil {
			return err
		}
		by := make(sql.Row, len(i.by))
		for c, e := range i.by {
			if by[c], err = e.Eval(ctx, row); err != nil {
				return err
			}
		}
		for level := range i.keys {
			if err := add(level, by[:level], row); err != nil {
				return err
			}
		}
	}
	if len(i.groups) == 0 { // no rows have a sum, too
		if _, err := i.newGroup(ctx, nil); err != nil {
			return err
		}
	}
	return i.sort(ctx, schema)
}

func (i *rollupIter) newGroup(ctx *sql.Context, by sql.Row) (g *rollupGroup, err error) {
	g = &rollupGroup{by: by, buffers: make([]sql.AggregationBuffer, len(i.values))}
	for c, e := range i.values {
		a, ok := e.(sql.Aggregation)
		if !ok {
			a = aggregation.NewFirst(e)
		}
		if g.buffers[c], err = a.NewBuffer(ctx); err != nil {
			return nil, err
		}
	}
	i.groups = append(i.groups, g)
	return g, nil
}

func (g *rollupGroup) update(ctx *sql.Context, row sql.Row) error {
	for _, b := range g.buffers {
		if err := b.Update(ctx, row); err != nil {
			return err
		}
	}
	return nil
}

func (g *rollupGroup) dispose(ctx *sql.Context) {
	for _, b := range g.buffers {
		b.Dispose(ctx)
	}
}

// sort puts the groups in order.
func (i *rollupIter) sort(ctx *sql.Context, schema sql.Schema) (err error) {
	slices.SortStableFunc(i.groups, func(a, b *rollupGroup) int {
		for c := range min(len(a.by), len(b.by)) {
			order, cerr := compareNulls(ctx, schema[c].Type, a.by[c], b.by[c])
			if cerr != nil && err == nil {
				err = cerr
			}
			if order != 0 {
				return order
			}
		}
		return cmp.Compare(len(b.by), len(a.by))
	})
	return err
}

// compareNulls compares two values of a type, NULL being the least.
func compareNulls(ctx *sql.Context, t sql.Type, a, b any) (int, error) {
	switch {
	case a == nil && b == nil:
		return 0, nil
	case a == nil:
		return -1, nil
	case b == nil:
		return 1, nil
	}
	return t.Compare(ctx, a, b)
}

// Close implements sql.RowIter.
func (i *rollupIter) Close(ctx *sql.Context) error {
	for _, g := range i.groups {
		g.dispose(ctx)
	}
	i.groups = nil
	return i.RowIter.Close(ctx)
}
