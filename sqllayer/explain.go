package sqllayer

// EXPLAIN in the traditional form: a row for each table in the order in which the plan reads them.

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
)

// explainSchema is the result of EXPLAIN.
var explainSchema = sql.Schema{
	{Name: "id", Type: types.Int64, Nullable: true}, {Name: "select_type", Type: plan.VarChar25000}, {Name: "table", Type: plan.VarChar25000, Nullable: true},
	{Name: "partitions", Type: types.LongText, Nullable: true}, {Name: "type", Type: plan.VarChar25000, Nullable: true},
	{Name: "possible_keys", Type: plan.VarChar25000, Nullable: true}, {Name: "key", Type: plan.VarChar25000, Nullable: true},
	{Name: "key_len", Type: plan.VarChar25000, Nullable: true}, {Name: "ref", Type: plan.VarChar25000, Nullable: true},
	{Name: "rows", Type: types.Uint64, Nullable: true}, {Name: "filtered", Type: types.Float64, Nullable: true}, {Name: "Extra", Type: plan.VarChar25000, Nullable: true},
}

// go-mysql-server takes the columns of EXPLAIN from this variable; its own are all texts.
func init() { plan.DescribeSchema = explainSchema }

// explainer collects the rows.
type explainer struct {
	rows  []sql.Row
	kind  string
	extra []string // of the next table: sorting and grouping are told with the first
}

// explain runs EXPLAIN.
func (b *builder) explain(ctx *sql.Context, n *plan.DescribeQuery) (sql.RowIter, error) {
	if n.Format.Plan || n.Format.Analyze {
		return nil, nil
	}
	e := &explainer{kind: "SIMPLE"}
	switch query := n.Query(); {
	case contains[*plan.InsertInto](query):
		e.kind = "INSERT"
	case contains[*plan.UpdateSource](query):
		e.kind = "UPDATE"
	case contains[*plan.DeleteFrom](query):
		e.kind = "DELETE"
	case contains[*plan.SubqueryAlias](query) || contains[*plan.SetOp](query):
		e.kind = "PRIMARY"
	}
	e.node(ctx, n.Query(), nil)
	if len(e.rows) == 0 {
		e.rows = append(e.rows, sql.Row{int64(1), e.kind, nil, nil, nil, nil, nil, nil, nil, nil, nil, "No tables used"})
	}
	return sql.RowsToRowIter(e.rows...), nil
}

func contains[T sql.Node](n sql.Node) bool {
	found := false
	transform.Inspect(n, func(n sql.Node) bool {
		if _, ok := n.(T); ok {
			found = true
		}
		return !found
	})
	return found
}

// node walks the plan; filter is what rows of the next table are tested against.
func (e *explainer) node(ctx *sql.Context, n sql.Node, filter sql.Expression) {
	switch n := n.(type) {
	case *plan.Sort, *plan.TopN:
		e.extra = append(e.extra, "Using filesort")
	case *plan.GroupBy:
		if len(n.GroupByExprs) > 0 {
			e.extra = append(e.extra, "Using temporary")
		}
	case *plan.Distinct:
		e.extra = append(e.extra, "Using temporary")
	case *plan.Filter:
		filter = n.Expression
	case *plan.SubqueryAlias:
		inner := &explainer{kind: "DERIVED"}
		inner.node(ctx, n.Child, nil)
		e.table(n.Name(), "ALL", nil, nil, nil, nil, nil, filter)
		for _, r := range inner.rows {
			r[0] = r[0].(int64) + 1
			e.rows = append(e.rows, r)
		}
		return
	case *plan.InsertInto:
		if t := tableBelow(n.Destination); t != nil {
			e.table(t.Name(), "ALL", nil, nil, nil, nil, nil, nil)
		}
		e.node(ctx, n.Source, nil)
		return
	case *plan.IndexedTableAccess:
		e.index(ctx, n, filter)
		return
	case *plan.ResolvedTable:
		if t := ownTable(n); t != nil {
			e.scan(ctx, n.Name(), t, filter)
		}
		return
	case *plan.TableAlias:
		before := len(e.rows)
		e.node(ctx, n.Child, filter)
		if len(e.rows) > before {
			e.rows[before][2] = n.Name()
		}
		return
	}
	for _, c := range n.Children() {
		e.node(ctx, c, filter)
	}
}

// scan is a table read from its first row to its last.
func (e *explainer) scan(ctx *sql.Context, name string, t *Table, filter sql.Expression) {
	count, _, err := t.RowCount(ctx)
	if err != nil {
		count = 0
	}
	e.table(name, "ALL", possibleKeys(t, filter), nil, nil, nil, max(count, 1), filter)
}

// index is a table read through an index.
func (e *explainer) index(ctx *sql.Context, n *plan.IndexedTableAccess, filter sql.Expression) {
	t, _ := sql.GetUnderlyingTable(n.UnderlyingTable()).(*Table)
	x, _ := n.Index().(*Index)
	if t == nil || x == nil || x.idx == nil {
		return
	}
	name := x.ID()
	fixed, count, access := len(x.idx.Parts), uint64(1), "ref"
	var ref any
	if n.IsStatic() {
		lookup := plan.GetIndexLookup(n)
		ranges, ok := lookup.Ranges.(sql.MySQLRangeCollection)
		fixed = 0
		if ok && len(ranges) == 1 {
			fixed, _ = x.fixed(ctx, ranges[0])
		}
		fixed = min(fixed, len(x.idx.Parts))
		if rows, _, err := t.RowCount(ctx); err == nil && fixed < len(x.idx.Parts) {
			count = max(rows/2, 1)
		}
	}
	switch {
	case fixed == len(x.idx.Parts) && x.idx.Unique && n.IsStatic():
		access = "const"
	case fixed == len(x.idx.Parts) && x.idx.Unique:
		access = "eq_ref"
	case fixed == 0:
		access = "range"
	}
	if fixed > 0 {
		parts := make([]string, fixed)
		for i := range parts {
			parts[i] = "const"
			if !n.IsStatic() {
				parts[i] = "func"
			}
		}
		ref = strings.Join(parts, ",")
	}
	e.table(t.Name(), access, possibleKeys(t, filter, name), name, fmt.Sprint(keyLength(t, x, max(fixed, 1))), ref, count, filter)
}

// table adds a row.
func (e *explainer) table(name, access string, possible, key, length, ref, count any, filter sql.Expression) {
	extra := append([]string(nil), e.extra...)
	e.extra = nil
	if filter != nil && access != "const" {
		extra = append([]string{"Using where"}, extra...)
	}
	var text, filtered any
	if len(extra) > 0 {
		text = strings.Join(extra, "; ")
	}
	if count != nil {
		filtered = 100.0
	}
	e.rows = append(e.rows, sql.Row{int64(1), e.kind, name, nil, access, possible, key, length, ref, count, filtered, text})
}

// possibleKeys are the indexes that begin with a column the filter mentions, and those given.
func possibleKeys(t *Table, filter sql.Expression, used ...string) any {
	mentioned := map[string]bool{}
	if filter != nil {
		sql.Inspect(nil, filter, func(_ *sql.Context, e sql.Expression) bool {
			if f, ok := e.(*expression.GetField); ok {
				mentioned[strings.ToLower(f.Name())] = true
			}
			return true
		})
	}
	var names []string
	for _, x := range t.def.def.Indexes {
		if x.Name == "" || len(x.Parts) == 0 {
			continue
		}
		first := strings.ToLower(t.def.def.Columns[x.Parts[0].Column].Name)
		for _, u := range used {
			mentioned[first] = mentioned[first] || u == x.Name
		}
		if mentioned[first] {
			names = append(names, x.Name)
		}
	}
	if names == nil {
		return nil
	}
	return strings.Join(names, ",")
}

// keyLength is the length of the first n columns of a key as MySQL counts it.
func keyLength(t *Table, x *Index, n int) (bytes int64) {
	for _, p := range x.idx.Parts[:min(n, len(x.idx.Parts))] {
		c := &t.def.def.Columns[p.Column]
		switch c.Type {
		case row.TChar, row.TBinary:
			bytes += keyBytes(c, p)
		case row.TVarchar, row.TVarbinary, row.TText, row.TBlob:
			bytes += keyBytes(c, p) + 2
		default:
			bytes += fixedBytes(c)
		}
		if c.Nullable {
			bytes++
		}
	}
	return bytes
}

// fixedBytes is what MySQL counts for a value of a type of fixed length.
func fixedBytes(c *catalog.Column) int64 {
	switch c.Type {
	case row.TInt8, row.TUint8, row.TYear, row.TEnum:
		return 1
	case row.TInt16, row.TUint16:
		return 2
	case row.TInt24, row.TUint24, row.TDate, row.TTime:
		return 3
	case row.TInt32, row.TUint32, row.TFloat32, row.TTimestamp:
		return 4
	case row.TDateTime:
		return 5
	case row.TDecimal:
		return int64(row.DecimalWidth(c.Precision, c.Scale))
	}
	return 8
}
