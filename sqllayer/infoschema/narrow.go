package infoschema

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"emberdb/sqllayer"
)

// What a statement asks of a table of information_schema: conditions on the schema and the name of
// tables keep the others from being looked at, and what is computed for columns that nobody reads is
// not computed.

// names are the columns of a table that hold the schema and the name of what a row is about.
var names = map[string][2]string{
	"COLUMNS": {"table_schema", "table_name"}, "TABLES": {"table_schema", "table_name"}, "STATISTICS": {"table_schema", "table_name"},
	"PARTITIONS": {"table_schema", "table_name"}, "VIEWS": {"table_schema", "table_name"},
	"VIEW_TABLE_USAGE": {"view_schema", "view_name"}, "VIEW_ROUTINE_USAGE": {"table_schema", "table_name"},
	"REFERENTIAL_CONSTRAINTS": {"constraint_schema", "table_name"}, "COLUMN_STATISTICS": {"schema_name", "table_name"},
}

// Narrow gives the tables of information_schema in a plan what the plan asks of them.
func Narrow(ctx *sql.Context, root sql.Node) (sql.Node, transform.TreeIdentity, error) {
	if !readsInfoTable(ctx, root) {
		return root, transform.SameTree, nil
	}
	out, _, err := transform.NodeExprsWithOpaque(ctx, root, func(ctx *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		sub, ok := e.(*plan.Subquery)
		if !ok {
			return e, transform.SameTree, nil
		}
		query, same, err := Narrow(ctx, sub.Query)
		if err != nil || same {
			return e, transform.SameTree, err
		}
		return sub.WithQuery(query), transform.NewTree, nil
	})
	if err != nil {
		return root, transform.SameTree, err
	}
	return narrowTables(ctx, out)
}

func narrowTables(ctx *sql.Context, root sql.Node) (sql.Node, transform.TreeIdentity, error) {
	var columns map[string]bool // by table and name
	return transform.NodeWithOpaque(ctx, root, func(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		f, ok := n.(*plan.Filter)
		at := n
		if ok {
			at = f.Child
		}
		alias, t := infoTableOf(at)
		if t == nil || t.asked != nil && !ok {
			return n, transform.SameTree, nil
		}
		if columns == nil {
			columns = readColumns(ctx, root)
		}
		own := *t
		own.asked = &sqllayer.Asked{Reads: func(column string) bool { return columns[alias+"."+column] }}
		if ok {
			own.narrow(ctx, alias, expression.SplitConjunction(ctx, f.Expression))
		}
		child, err := withInfoTable(ctx, at, &own)
		if err != nil || !ok {
			return child, transform.NewTree, err
		}
		return plan.NewFilter(ctx, f.Expression, child), transform.NewTree, nil
	})
}

func readsInfoTable(ctx *sql.Context, root sql.Node) (found bool) {
	transform.InspectWithOpaque(ctx, root, func(ctx *sql.Context, n sql.Node) bool {
		_, t := infoTableOf(n)
		found = found || t != nil
		if e, ok := n.(sql.Expressioner); ok && !found {
			for _, x := range e.Expressions() {
				sql.Inspect(ctx, x, func(ctx *sql.Context, x sql.Expression) bool {
					sub, ok := x.(*plan.Subquery)
					found = found || ok && readsInfoTable(ctx, sub.Query)
					return !found
				})
			}
		}
		return !found
	})
	return found
}

// readColumns are the columns that a plan names, by table and name in lower case.
func readColumns(ctx *sql.Context, root sql.Node) map[string]bool {
	out := make(map[string]bool)
	transform.InspectWithOpaque(ctx, root, func(ctx *sql.Context, n sql.Node) bool {
		if e, ok := n.(sql.Expressioner); ok {
			for _, x := range e.Expressions() {
				sql.Inspect(ctx, x, func(_ *sql.Context, x sql.Expression) bool {
					if f, ok := x.(*expression.GetField); ok {
						out[strings.ToLower(f.Table()+"."+f.Name())] = true
					}
					return true
				})
			}
		}
		return true
	})
	return out
}

// infoTableOf is the table of information_schema that a node reads, and its name in lower case.
func infoTableOf(n sql.Node) (alias string, t *infoTable) {
	switch n := n.(type) {
	case *plan.TableAlias:
		_, t = infoTableOf(n.Child)
		return strings.ToLower(n.Name()), t
	case *plan.ResolvedTable:
		t, _ = n.Table.(*infoTable)
		return strings.ToLower(n.Name()), t
	}
	return "", nil
}

func withInfoTable(ctx *sql.Context, n sql.Node, t *infoTable) (sql.Node, error) {
	if a, ok := n.(*plan.TableAlias); ok {
		child, err := withInfoTable(ctx, a.Child, t)
		if err != nil {
			return nil, err
		}
		return a.WithChildren(ctx, child)
	}
	return n.(*plan.ResolvedTable).WithTable(ctx, t)
}

// narrow takes those of the conditions that speak of nothing but schema and name.
func (t *infoTable) narrow(ctx *sql.Context, alias string, conditions []sql.Expression) {
	var schemas, tables []sql.Expression
	for _, c := range conditions {
		c, named, ok := t.aboutNames(ctx, alias, c)
		switch {
		case !ok:
		case named:
			tables = append(tables, c)
		default:
			schemas = append(schemas, c)
		}
	}
	t.asked.Schema = func(ctx *sql.Context, schema string) bool { return holds(ctx, schemas, sql.Row{schema, nil}) }
	t.asked.Table = func(ctx *sql.Context, schema, name string) bool { return holds(ctx, tables, sql.Row{schema, name}) }
}

// holds tells whether rows may hold conditions that fail for no reason of their own.
func holds(ctx *sql.Context, conditions []sql.Expression, row sql.Row) bool {
	for _, c := range conditions {
		v, err := c.Eval(ctx, row)
		if err != nil {
			return true // the filter above tells
		}
		if ok, err := sql.ConvertToBool(ctx, v); err == nil && !ok {
			return false
		}
	}
	return true
}

// aboutNames is a condition over rows of schema and name; named tells that it asks for the name.
func (t *infoTable) aboutNames(ctx *sql.Context, alias string, c sql.Expression) (out sql.Expression, named, ok bool) {
	ok = true
	out, _, err := transform.Expr(ctx, c, func(_ *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		if r, is := e.(sql.NonDeterministicExpression); is && r.IsNonDeterministic() {
			ok = false
		}
		switch e := e.(type) {
		case *plan.Subquery, *plan.InSubquery, *plan.ExistsSubquery:
			ok = false
		case *expression.GetField:
			at := 0
			switch strings.ToLower(e.Name()) {
			case names[t.name][0]:
			case names[t.name][1]:
				at, named = 1, true
			default:
				ok = false
			}
			ok = ok && strings.EqualFold(e.Table(), alias)
			return expression.NewGetFieldWithTable(at, 0, e.Type(nil), e.Database(), e.Table(), e.Name(), false), transform.NewTree, nil
		}
		return e, transform.SameTree, nil
	})
	return out, named, ok && err == nil
}
