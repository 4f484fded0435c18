package run

import (
	"io"
	"reflect"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/hash"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/sqllayer/memory"
)

// group runs GROUP BY and COUNT(DISTINCT); nil leaves other queries of one group to GMS. GMS's
// iterator of groups reads the rows in a goroutine of its own, which waits for ever when the other
// one fails.
func (b *Builder) group(ctx *sql.Context, n *plan.GroupBy, r sql.Row) (sql.RowIter, error) {
	if len(n.GroupByExprs) == 0 && !slices.ContainsFunc(n.SelectDeps, countsDistinct) {
		return nil, nil
	}
	child, err := b.Base.Build(ctx, n.Child, r)
	if err != nil {
		return nil, err
	}
	it := &groupIter{RowIter: child, values: n.SelectDeps, by: n.GroupByExprs, key: make(sql.Row, len(n.GroupByExprs)), kept: memory.Keep(ctx)}
	for _, e := range n.GroupByExprs {
		it.schema = append(it.schema, &sql.Column{Type: e.Type(ctx)})
	}
	return it, nil
}

// groupIter has a row for each group, in the order of their first rows.
type groupIter struct {
	sql.RowIter // the rows to group
	values      []sql.Expression
	by          []sql.Expression
	schema      sql.Schema // of the key
	key         sql.Row
	groups      [][]sql.AggregationBuffer
	read        bool
	kept        memory.Kept
}

const groupSize, bufferSize = 96, 112 // bytes, estimated

// Next implements sql.RowIter.
func (i *groupIter) Next(ctx *sql.Context) (sql.Row, error) {
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
	row := make(sql.Row, len(g))
	var err error
	for c := range g {
		if row[c], err = g[c].Eval(ctx); err != nil {
			return nil, err
		}
		g[c].Dispose(ctx)
	}
	return row, nil
}

// group reads all rows.
func (i *groupIter) group(ctx *sql.Context) error {
	known := make(map[uint64][]sql.AggregationBuffer)
	if len(i.by) == 0 { // no rows have a count, too
		key, err := hash.HashOf(ctx, i.schema, i.key)
		if err != nil {
			return err
		}
		if known[key], err = i.begin(ctx, nil); err != nil {
			return err
		}
	}
	for {
		row, err := i.RowIter.Next(ctx)
		if err == io.EOF { //nolint:errorlint // iterators end with io.EOF itself
			return nil
		}
		if err != nil {
			return err
		}
		for c, e := range i.by {
			if i.key[c], err = e.Eval(ctx, row); err != nil {
				return err
			}
		}
		key, err := hash.HashOf(ctx, i.schema, i.key)
		if err != nil {
			return err
		}
		g, ok := known[key]
		if !ok {
			if g, err = i.begin(ctx, row); err != nil {
				return err
			}
			known[key] = g
		}
		for _, b := range g {
			if err := b.Update(ctx, row); err != nil {
				return err
			}
		}
	}
}

// begin makes a group whose first row is given.
func (i *groupIter) begin(ctx *sql.Context, row sql.Row) ([]sql.AggregationBuffer, error) {
	if err := i.kept.Add(groupSize + bufferSize*int64(len(i.values)) + memory.RowSize(row)); err != nil {
		return nil, err
	}
	g := make([]sql.AggregationBuffer, len(i.values))
	for c, e := range i.values {
		a, ok := e.(sql.Aggregation)
		if !ok {
			a = aggregation.NewFirst(e) // a column that the group determines
		}
		var err error
		if g[c], err = a.NewBuffer(ctx); err != nil {
			return nil, err
		}
		if countsDistinct(e) {
			g[c] = &distinctBuffer{AggregationBuffer: g[c], kept: &i.kept}
		}
	}
	i.groups = append(i.groups, g)
	return g, nil
}

// Close implements sql.RowIter.
func (i *groupIter) Close(ctx *sql.Context) error {
	for _, g := range i.groups {
		for _, b := range g {
			if b != nil {
				b.Dispose(ctx)
			}
		}
	}
	i.groups = nil
	i.kept.Release()
	return i.RowIter.Close(ctx)
}

func countsDistinct(e sql.Expression) bool {
	_, ok := e.(*aggregation.CountDistinct)
	return ok
}

// distinctBuffer accounts the values that COUNT(DISTINCT) has seen, which GMS keeps in a map of its
// own.
type distinctBuffer struct {
	sql.AggregationBuffer
	kept    *memory.Kept
	updates int
	counted int // values
}

// Update implements sql.AggregationBuffer.
func (b *distinctBuffer) Update(ctx *sql.Context, row sql.Row) error {
	if b.updates++; b.updates%memory.CacheStep == 0 {
		if seen := reflect.Indirect(reflect.ValueOf(b.AggregationBuffer)).FieldByName("seen"); seen.Kind() == reflect.Map {
			more := seen.Len() - b.counted
			b.counted += more
			if err := b.kept.Add(int64(more) * memory.HashSize); err != nil {
				return err
			}
		}
	}
	return b.AggregationBuffer.Update(ctx, row)
}
