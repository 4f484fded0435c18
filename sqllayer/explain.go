package sqllayer

import (
	"context"
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/row"
	sqlast "emberdb/sql/ast"
	"emberdb/sql/explain"
	"emberdb/sql/parse"
	"emberdb/sql/resolve"
	sqltoken "emberdb/sql/token"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

// EXPLAIN. The plan of the statement is described (explaintree.go), and package explain writes the
// description in one of MySQL's forms. The parser tells the form by GMS's flags, see formatOf: Plan
// is the tree, Plan and Debug are JSON.

// ExplainSchema is the result of EXPLAIN.
var ExplainSchema = sql.Schema{
	{Name: "id", Type: types.Uint64, Nullable: true}, {Name: "select_type", Type: plan.VarChar25000}, {Name: "table", Type: plan.VarChar25000, Nullable: true},
	{Name: "partitions", Type: types.LongText, Nullable: true}, {Name: "type", Type: plan.VarChar25000, Nullable: true},
	{Name: "possible_keys", Type: plan.VarChar25000, Nullable: true}, {Name: "key", Type: plan.VarChar25000, Nullable: true},
	{Name: "key_len", Type: plan.VarChar25000, Nullable: true}, {Name: "ref", Type: plan.VarChar25000, Nullable: true},
	{Name: "rows", Type: types.Uint64, Nullable: true}, {Name: "filtered", Type: types.Float64, Nullable: true}, {Name: "Extra", Type: plan.VarChar25000, Nullable: true},
}

// explainFiltered is the place of the column filtered, which has two digits behind the point.
const explainFiltered = 10

var twoDigits = &row.Column{Type: row.TFloat64, Precision: 4, Scale: 2, Nullable: true}

// formatOf gives GMS's name for the form that EXPLAIN asks for.
func formatOf(ctx context.Context, n *ast.Explain) (string, error) {
	c, _ := ctx.(*sql.Context)
	if n.Plan {
		c = nil
	}
	form, err := FormOf(c, n.ExplainFormat, n.Analyze)
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
type explainForm struct{ tree, json, blocks, Analyze bool }

// FormOf is the form with a name, or that of explain_format if it has none. Without a context there
// are no variables.
func FormOf(ctx *sql.Context, name string, analyze bool) (explainForm, error) {
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
	form := explainForm{Analyze: analyze}
	if name == "" {
		name = variable("explain_format")
	}
	switch strings.ToLower(name) {
	case "", "traditional", "traditional_strict":
		if analyze {
			return form, sqlerr.NewError(1235, "This version of Ember doesn't yet support 'EXPLAIN ANALYZE with TRADITIONAL format'")
		}
	case "tree":
		form.tree = true
	case "json":
		form.tree, form.json, form.blocks = true, true, variable("explain_json_format_version") == "1"
		if form.blocks && analyze {
			return form, sqlerr.NewError(1235, "This version of Ember doesn't yet support 'EXPLAIN ANALYZE with JSON format version 1'")
		}
	default:
		return form, sqlerr.NewError(1791, "Unknown EXPLAIN format name: '%s'", name)
	}
	return form, nil
}

// Explain is the result of EXPLAIN for a plan that describe gives.
func (s *Session) Explain(ctx *sql.Context, n *sqlast.Explain, describe func() (*explain.Block, error)) (sql.Schema, []sql.Row, error) {
	name := n.Format.Name
	if name == "" && n.Analyze {
		name = "tree"
	}
	form, err := FormOf(ctx, name, n.Analyze)
	if err != nil {
		return nil, nil, err
	}
	b, err := describe()
	if b == nil || err != nil {
		return nil, nil, err
	}
	if form.tree {
		return plan.DescribePlanSchema, Told(ctx, b, form), nil
	}
	return ExplainSchema, Told(ctx, b, form), nil
}

// Told writes the description of a plan in the form that the statement asks for, and leaves
// the note with the statement's text where MySQL does.
func Told(ctx *sql.Context, b *explain.Block, form explainForm) []sql.Row {
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
	SessionOf(ctx).Warn(&sql.Warning{Level: "Note", Code: 1003, Message: explainedText(ctx)})
}

// explainedText is the statement that is explained, with all names written out if they are known.
func explainedText(ctx *sql.Context) string {
	written := ctx.Query()
	n, ok := QueryTree(ctx).(*sqlast.Explain)
	if !ok || n.Statement == nil {
		return written
	}
	written = written[n.Statement.Pos():n.Statement.End()]
	s := SessionOf(ctx)
	own, err := parse.Parse(written, parse.Options{Mode: trees.ModeOf(s.text("sql_mode")) | sqltoken.Prepared, Version: tabledef.VersionNumber})
	if err != nil {
		return written
	}
	blocks, err := resolve.Statement(own.Statement, resolve.Options{Catalog: resolveCatalog{ctx, s.layer}, Schema: ctx.GetCurrentDatabase(), Text: written})
	if err != nil {
		return written
	}
	return sqlast.Print(own.Statement, sqlast.Options{Canonical: true, Blocks: blocks})
}

// EXPLAIN ANALYZE: the statement is run, and every iterator that is built for it measured. A node
// may be built many times (the inner side of a join), and gives rows each time.

// Analysis is an EXPLAIN ANALYZE under way.
type Analysis struct {
	Nodes    map[sql.Node]*explain.Actual
	Building sql.Node // is being built already
}
