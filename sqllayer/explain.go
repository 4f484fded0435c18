package sqllayer

// EXPLAIN. The plan of the statement is described (explaintree.go), and package explain writes the
// description in one of MySQL's forms. The parser tells the form by GMS's flags, see formatOf: Plan
// is the tree, Plan and Debug are JSON.

import (
	"context"
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	sqlast "emberdb/sql/ast"
	"emberdb/sql/explain"
	"emberdb/sql/parse"
	"emberdb/sql/resolve"
	sqltoken "emberdb/sql/token"
)

// explainSchema is the result of EXPLAIN.
var explainSchema = sql.Schema{
	{Name: "id", Type: types.Uint64, Nullable: true}, {Name: "select_type", Type: plan.VarChar25000}, {Name: "table", Type: plan.VarChar25000, Nullable: true},
	{Name: "partitions", Type: types.LongText, Nullable: true}, {Name: "type", Type: plan.VarChar25000, Nullable: true},
	{Name: "possible_keys", Type: plan.VarChar25000, Nullable: true}, {Name: "key", Type: plan.VarChar25000, Nullable: true},
	{Name: "key_len", Type: plan.VarChar25000, Nullable: true}, {Name: "ref", Type: plan.VarChar25000, Nullable: true},
	{Name: "rows", Type: types.Uint64, Nullable: true}, {Name: "filtered", Type: types.Float64, Nullable: true}, {Name: "Extra", Type: plan.VarChar25000, Nullable: true},
}

// explainFiltered is the place of the column filtered, which has two digits behind the point.
const explainFiltered = 10

var twoDigits = &row.Column{Type: row.TFloat64, Precision: 4, Scale: 2, Nullable: true}

// go-mysql-server takes the columns of EXPLAIN from these variables; its own are all texts, or
// called plan.
func init() {
	plan.DescribeSchema = explainSchema
	plan.DescribePlanSchema = sql.Schema{{Name: "EXPLAIN", Type: types.LongText}}
}

// formatOf gives GMS's name for the form that EXPLAIN asks for.
func formatOf(ctx context.Context, n *ast.Explain) (string, error) {
	c, _ := ctx.(*sql.Context)
	if n.Plan {
		c = nil
	}
	form, err := formOf(c, n.ExplainFormat, n.Analyze)
	switch {
	case err != nil:
		return "", err
	case form.json:
		return "tree_debug", nil
	case form.tree:
		return "tree", nil
	}
	return "", nil
}

// explainForm is the form in which a plan is told.
type explainForm struct{ tree, json, blocks, analyze bool }

// formOf is the form with a name, or that of explain_format if it has none. Without a context there
// are no variables.
func formOf(ctx *sql.Context, name string, analyze bool) (explainForm, error) {
	variable := func(of string) string {
		if ctx == nil || ctx.Session == nil {
			return ""
		}
		v, err := ctx.GetSessionVariable(ctx, of)
		if err != nil {
			return ""
		}
		return fmt.Sprint(v)
	}
	form := explainForm{analyze: analyze}
	if name == "" {
		name = variable("explain_format")
	}
	switch strings.ToLower(name) {
	case "", "traditional", "traditional_strict":
		if analyze {
			return form, NewError(1235, "This version of Ember doesn't yet support 'EXPLAIN ANALYZE with TRADITIONAL format'")
		}
	case "tree":
		form.tree = true
	case "json":
		form.tree, form.json, form.blocks = true, true, variable("explain_json_format_version") == "1"
		if form.blocks && analyze {
			return form, NewError(1235, "This version of Ember doesn't yet support 'EXPLAIN ANALYZE with JSON format version 1'")
		}
	default:
		return form, NewError(1791, "Unknown EXPLAIN format name: '%s'", name)
	}
	return form, nil
}

// explain runs EXPLAIN.
func (b *builder) explain(ctx *sql.Context, n *plan.DescribeQuery, r sql.Row) (sql.RowIter, error) {
	if b.layer.opts.Plain && (n.Format.Plan || n.Format.Analyze) {
		return nil, nil
	}
	s := sessionOf(ctx)
	p := &planner{s: s}
	name := map[bool]string{true: "json", false: "tree"}[n.Format.Debug]
	if !n.Format.Plan && !n.Format.Analyze {
		name = "traditional"
	}
	form, err := formOf(ctx, name, n.Format.Analyze)
	if err != nil {
		return nil, err
	}
	if form.analyze {
		if p.actuals, err = b.run(ctx, s, n.Query(), r); err != nil {
			return nil, err
		}
	}
	return sql.RowsToRowIter(told(ctx, p.top(ctx, n.Query()), form)...), nil
}

// Explain is the result of EXPLAIN for a plan that describe gives.
func (s *Session) Explain(ctx *sql.Context, n *sqlast.Explain, describe func() (*explain.Block, error)) (sql.Schema, []sql.Row, error) {
	name := n.Format.Name
	if name == "" && n.Analyze {
		name = "tree"
	}
	form, err := formOf(ctx, name, n.Analyze)
	if err != nil {
		return nil, nil, err
	}
	b, err := describe()
	if b == nil || err != nil {
		return nil, nil, err
	}
	if form.tree {
		return plan.DescribePlanSchema, told(ctx, b, form), nil
	}
	return explainSchema, told(ctx, b, form), nil
}

// told writes the description of a plan in the form that the statement asks for, and leaves
// the note with the statement's text where MySQL does.
func told(ctx *sql.Context, b *explain.Block, form explainForm) []sql.Row {
	kind := b.Root.Kind
	change := kind == "insert" || kind == "replace" || kind == "update" || kind == "delete"
	switch {
	case !form.tree:
		noteExplained(ctx)
		word := ""
		if change {
			word = strings.ToUpper(kind)
		}
		return explainRows(explain.Rows(b, word))
	case !form.json:
		return []sql.Row{{explain.Tree(b)}}
	case form.blocks:
		noteExplained(ctx)
		return []sql.Row{{explain.BlockJSON(b)}}
	}
	if !change {
		kind = "select"
	}
	return []sql.Row{{explain.JSON(b, explainedText(ctx), kind)}}
}

// explainRows are the rows of the traditional form.
func explainRows(list []explain.Row) (out []sql.Row) {
	text := func(s string) any {
		if s == "" {
			return nil
		}
		return s
	}
	for _, r := range list {
		row := sql.Row{nil, r.Select, text(r.Table), text(r.Partitions), text(r.Access), text(r.Possible), text(r.Key), text(r.Length), text(r.Ref), nil, nil, text(r.Extra)}
		if r.ID != nil {
			row[0] = *r.ID
		}
		if r.Rows != nil {
			row[9], row[10] = *r.Rows, *r.Filtered
		}
		out = append(out, row)
	}
	return out
}

// noteExplained leaves the note that tells the statement with all names written out.
func noteExplained(ctx *sql.Context) {
	sessionOf(ctx).Warn(&sql.Warning{Level: "Note", Code: 1003, Message: explainedText(ctx)})
}

// explainedText is the statement that is explained, with all names written out if they are known.
func explainedText(ctx *sql.Context) string {
	written := ctx.Query()
	n, ok := queryTree(ctx).(*sqlast.Explain)
	if !ok || n.Statement == nil {
		return written
	}
	written = written[n.Statement.Pos():n.Statement.End()]
	s := sessionOf(ctx)
	own, err := parse.Parse(written, parse.Options{Mode: modeOf(s.text("sql_mode")) | sqltoken.Prepared, Version: VersionNumber})
	if err != nil {
		return written
	}
	blocks, err := resolve.Statement(own.Statement, resolve.Options{Catalog: resolveCatalog{ctx, s.layer}, Schema: ctx.GetCurrentDatabase(), Text: written})
	if err != nil {
		return written
	}
	return sqlast.Print(own.Statement, sqlast.Options{Canonical: true, Blocks: blocks})
}

// keyAccess is how a table is read through an index.
type keyAccess struct {
	table  *Table
	index  *Index
	fixed  int     // columns of the key that have one value
	rows   float64 // that are read
	all    float64 // of the table
	length int64
}

// indexAccess describes a table read through an index.
func indexAccess(ctx *sql.Context, n *plan.IndexedTableAccess) (a keyAccess, ok bool) {
	a.table, _ = sql.GetUnderlyingTable(n.UnderlyingTable()).(*Table)
	a.index, _ = n.Index().(*Index)
	if a.table == nil || a.index == nil || a.index.idx == nil {
		return a, false
	}
	parts := len(a.index.idx.Parts)
	a.fixed, a.rows = parts, 1
	if rows, _, err := a.table.RowCount(ctx); err == nil {
		a.all = float64(max(rows, 1))
	}
	if n.IsStatic() {
		lookup := plan.GetIndexLookup(n)
		ranges, ok := lookup.Ranges.(sql.MySQLRangeCollection)
		a.fixed = 0
		if ok && len(ranges) == 1 {
			a.fixed, _ = a.index.fixed(ctx, ranges[0])
		}
		a.fixed = min(a.fixed, parts)
		if a.fixed < parts || !a.index.idx.Unique {
			a.rows = a.estimated(ctx, ranges)
		}
	}
	a.length = KeyLength(a.table.def.def, a.index.idx.Parts[:max(a.fixed, 1)])
	return a, true
}

// estimated is about how many rows ranges of an index have.
func (a *keyAccess) estimated(ctx *sql.Context, ranges sql.MySQLRangeCollection) float64 {
	keys, err := a.index.keyRanges(ctx, sql.IndexLookup{Index: a.index, Ranges: ranges})
	if err != nil || len(keys) == 0 {
		return max(a.all/2, 1)
	}
	total := 0.0
	err = a.table.estimate(ctx, func(h *table.Table) error {
		for i := range keys {
			upper := keys[i].upper
			if keys[i].upperIncl && upper != nil {
				upper = row.PrefixEnd(upper)
			}
			lower := keys[i].lower
			if keys[i].lowerExcl && lower != nil {
				lower = row.PrefixEnd(lower)
			}
			n, err := h.Estimate(a.index.idx, lower, upper)
			if err != nil {
				return err
			}
			total += n
		}
		return nil
	})
	if err != nil {
		return max(a.all/2, 1)
	}
	return max(total, 1)
}

// possibleKeys are the indexes that begin with a column the filter mentions, and those given.
func possibleKeys(t *Table, filter sql.Expression, used ...string) []string {
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
	return names
}

// KeyLength is the length of parts of a key as MySQL counts it.
func KeyLength(def *catalog.Table, parts []row.KeyPart) (bytes int64) {
	for _, p := range parts {
		c := &def.Columns[p.Column]
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
	fraction := int64(0) // of a second, two digits a byte
	if _, digits, ok := strings.Cut(c.SQLType, "("); ok && digits != "" {
		fraction = (int64(digits[0]-'0') + 1) / 2
	}
	switch c.Type {
	case row.TInt8, row.TUint8, row.TYear, row.TEnum:
		return 1
	case row.TInt16, row.TUint16:
		return 2
	case row.TInt24, row.TUint24, row.TDate:
		return 3
	case row.TTime:
		return 3 + fraction
	case row.TInt32, row.TUint32, row.TFloat32:
		return 4
	case row.TTimestamp:
		return 4 + fraction
	case row.TDateTime:
		return 5 + fraction
	case row.TDecimal:
		return int64(row.DecimalWidth(c.Precision, c.Scale))
	}
	return 8
}
