package sqllayer

// EXPLAIN. The traditional form is a row for each table in the order in which the plan reads them;
// the others are in explaintree.go and explainjson.go. The parser tells the form by GMS's flags,
// see formatOf: Plan is the tree, Plan and Debug are JSON.

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	sqlast "emberdb/sql/ast"
)

// explainSchema is the result of EXPLAIN.
var explainSchema = sql.Schema{
	{Name: "id", Type: types.Uint64, Nullable: true}, {Name: "select_type", Type: plan.VarChar25000}, {Name: "table", Type: plan.VarChar25000, Nullable: true},
	{Name: "partitions", Type: types.LongText, Nullable: true}, {Name: "type", Type: plan.VarChar25000, Nullable: true},
	{Name: "possible_keys", Type: plan.VarChar25000, Nullable: true}, {Name: "key", Type: plan.VarChar25000, Nullable: true},
	{Name: "key_len", Type: plan.VarChar25000, Nullable: true}, {Name: "ref", Type: plan.VarChar25000, Nullable: true},
	{Name: "rows", Type: types.Uint64, Nullable: true}, {Name: "filtered", Type: types.Float64, Nullable: true}, {Name: "Extra", Type: plan.VarChar25000, Nullable: true},
}

// go-mysql-server takes the columns of EXPLAIN from these variables; its own are all texts, or
// called plan.
func init() {
	plan.DescribeSchema = explainSchema
	plan.DescribePlanSchema = sql.Schema{{Name: "EXPLAIN", Type: types.LongText}}
}

// formatOf gives GMS's name for the form that EXPLAIN asks for.
func formatOf(ctx context.Context, n *ast.Explain) (string, error) {
	format := n.ExplainFormat
	named := format != ""
	if c, ok := ctx.(*sql.Context); ok && !named && !n.Plan && c.Session != nil {
		if v, err := c.GetSessionVariable(c, "explain_format"); err == nil {
			format = fmt.Sprint(v)
		}
	}
	switch strings.ToLower(format) {
	case "", "traditional", "traditional_strict":
		if n.Analyze {
			return "", NewError(1235, "This version of Ember doesn't yet support 'EXPLAIN ANALYZE with TRADITIONAL format'")
		}
		return "", nil
	case "tree":
		return "tree", nil
	case "json":
		return "tree_debug", nil
	}
	return "", NewError(1791, "Unknown EXPLAIN format name: '%s'", format)
}

// explainer collects the rows.
type explainer struct {
	rows  []sql.Row
	kind  string
	extra []string // of the next table: sorting and grouping are told with the first
}

// explain runs EXPLAIN.
func (b *builder) explain(ctx *sql.Context, n *plan.DescribeQuery, r sql.Row) (sql.RowIter, error) {
	if b.layer.opts.Plain && (n.Format.Plan || n.Format.Analyze) {
		return nil, nil
	}
	if n.Format.Plan || n.Format.Analyze {
		text, err := b.explainTree(ctx, n, r)
		if err != nil {
			return nil, err
		}
		return sql.RowsToRowIter(sql.Row{text}), nil
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
		e.rows = append(e.rows, sql.Row{uint64(1), e.kind, nil, nil, nil, nil, nil, nil, nil, nil, nil, "No tables used"})
	}
	ctx.Session.Warn(&sql.Warning{Level: "Note", Code: 1003, Message: explainedText(ctx)})
	return sql.RowsToRowIter(e.rows...), nil
}

// explainTree tells the plan as a tree or as JSON.
func (b *builder) explainTree(ctx *sql.Context, n *plan.DescribeQuery, r sql.Row) (string, error) {
	s := sessionOf(ctx)
	p := &planner{s: s, blocks: 1}
	if n.Format.Analyze {
		var err error
		if p.actuals, err = b.run(ctx, s, n.Query(), r); err != nil {
			return "", err
		}
	}
	top := p.steps(ctx, n.Query())
	var out strings.Builder
	if !n.Format.Debug {
		top.text(&out, 0)
		return out.String(), nil
	}
	if v, err := ctx.GetSessionVariable(ctx, "explain_json_format_version"); err == nil && fmt.Sprint(v) == "1" {
		if n.Format.Analyze {
			return "", NewError(1235, "This version of Ember doesn't yet support 'EXPLAIN ANALYZE with JSON format version 1'")
		}
		document := top.queryBlock(1)
		if top.kind == "union" {
			document = []member{{"query_block", top.parts()}}
		}
		ctx.Session.Warn(&sql.Warning{Level: "Note", Code: 1003, Message: explainedText(ctx)})
		writeJSON(&out, document, "")
		return out.String(), nil
	}
	kind, _, _ := strings.Cut(top.kind, "_")
	if !slices.Contains([]string{"insert", "replace", "update", "delete"}, kind) {
		kind = "select"
	}
	writeJSON(&out, []member{{"query", explainedText(ctx)}, {"query_plan", top.tree()}, {"query_type", kind}, {"json_schema_version", "2.0"}}, "")
	return out.String(), nil
}

// explainedText is the statement that is explained, as it was written.
func explainedText(ctx *sql.Context) string {
	if n, ok := queryTree(ctx).(*sqlast.Explain); ok && n.Statement != nil {
		return ctx.Query()[n.Statement.Pos():n.Statement.End()]
	}
	return ctx.Query()
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
			r[0] = r[0].(uint64) + 1
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
	e.rows[len(e.rows)-1][3] = t.readParts()
}

// keyAccess is how a table is read through an index.
type keyAccess struct {
	table    *Table
	index    *Index
	fixed    int // columns of the key that have one value
	access   string
	rows     uint64
	length   int64
	possible any
}

// indexAccess describes a table read through an index; filter is what its rows are tested against.
func indexAccess(ctx *sql.Context, n *plan.IndexedTableAccess, filter sql.Expression) (a keyAccess, ok bool) {
	a.table, _ = sql.GetUnderlyingTable(n.UnderlyingTable()).(*Table)
	a.index, _ = n.Index().(*Index)
	if a.table == nil || a.index == nil || a.index.idx == nil {
		return a, false
	}
	parts := len(a.index.idx.Parts)
	a.fixed, a.rows, a.access = parts, 1, "ref"
	if n.IsStatic() {
		lookup := plan.GetIndexLookup(n)
		ranges, ok := lookup.Ranges.(sql.MySQLRangeCollection)
		a.fixed = 0
		if ok && len(ranges) == 1 {
			a.fixed, _ = a.index.fixed(ctx, ranges[0])
		}
		a.fixed = min(a.fixed, parts)
		if rows, _, err := a.table.RowCount(ctx); err == nil && a.fixed < parts {
			a.rows = max(rows/2, 1)
		}
	}
	switch {
	case a.fixed == parts && a.index.idx.Unique && n.IsStatic():
		a.access = "const"
	case a.fixed == parts && a.index.idx.Unique:
		a.access = "eq_ref"
	case a.fixed == 0:
		a.access = "range"
	}
	a.length, a.possible = keyLength(a.table, a.index, max(a.fixed, 1)), possibleKeys(a.table, filter, a.index.ID())
	return a, true
}

// index is a table read through an index.
func (e *explainer) index(ctx *sql.Context, n *plan.IndexedTableAccess, filter sql.Expression) {
	a, ok := indexAccess(ctx, n, filter)
	if !ok {
		return
	}
	var ref any
	if a.fixed > 0 {
		parts := make([]string, a.fixed)
		for i := range parts {
			parts[i] = "const"
			if !n.IsStatic() {
				parts[i] = "func"
			}
		}
		ref = strings.Join(parts, ",")
	}
	e.table(a.table.Name(), a.access, a.possible, a.index.ID(), fmt.Sprint(a.length), ref, a.rows, filter)
	e.rows[len(e.rows)-1][3] = a.table.readParts()
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
	e.rows = append(e.rows, sql.Row{uint64(1), e.kind, name, nil, access, possible, key, length, ref, count, filtered, text})
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
