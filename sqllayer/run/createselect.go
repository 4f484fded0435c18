package run

import (
	"cmp"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/planbuilder"
	"github.com/dolthub/go-mysql-server/sql/sets"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"emberdb/sqllayer"
	"emberdb/sqllayer/lower"
)

// WithDefaults is a schema whose defaults are expressions, and no texts.
func WithDefaults(ctx *sql.Context, table string, schema sql.Schema) sql.Schema {
	b := planbuilder.New(ctx, sqllayer.SessionOf(ctx).Layer().Engine.Analyzer.Catalog, nil)
	return b.ResolveSchemaDefaults("", table, schema)
}

// fill makes the table and puts the rows of the query into it.
func (b *Builder) fill(ctx *sql.Context, n *plan.TableCopier, ct *plan.CreateTable, r sql.Row) (sql.RowIter, error) {
	if iter, err := b.mayMake(ctx, ct); iter != nil || err != nil {
		return iter, err
	}
	if _, err := b.Base.Build(ctx, ct, r); err != nil {
		return nil, err
	}
	t, ok, err := n.Database().GetTableInsensitive(ctx, ct.Name())
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, sql.ErrTableNotFound.New(ct.Name())
	}
	rows, missing, err := rowsFor(ctx, t, n.Source)
	if err != nil {
		return nil, err
	}
	rule := ct.TableOpts[lower.DuplicatesOption]
	insert := plan.NewInsertInto(n.Database(), plan.NewResolvedTable(t, n.Database(), nil), rows, rule == lower.Replace, nil, nil, rule == lower.Ignore)
	insert.DeferredDefaults = missing
	checked, err := b.Layer.UnderForeignKeys(ctx, insert)
	if err != nil {
		return nil, err
	}
	return b.Base.Build(ctx, checked, r)
}

// rowsFor gives the rows of a query as rows of a table. Columns that have no value are missing.
func rowsFor(ctx *sql.Context, t sql.Table, query sql.Node) (rows sql.Node, missing sets.FastIntSet, err error) {
	given := query.Schema(ctx)
	var exprs []sql.Expression
	schema := WithDefaults(ctx, t.Name(), t.Schema(ctx))
	for i, c := range schema {
		made := cmp.Or(c.Default, c.Generated)
		var e sql.Expression = made
		if made != nil {
			if e, err = overRow(ctx, schema, made); err != nil {
				return nil, missing, err
			}
		}
		if at := given.IndexOfColName(c.Name); at >= 0 {
			e = expression.NewGetFieldWithTable(at, 0, given[at].Type, "", given[at].Source, given[at].Name, given[at].Nullable)
		}
		switch {
		case c.AutoIncrement:
			if e, err = expression.NewAutoIncrement(ctx, t, e); err != nil {
				return nil, missing, err
			}
		case c.Default == nil && c.Generated == nil && !c.Nullable && given.IndexOfColName(c.Name) < 0:
			missing.Add(i)
		}
		exprs = append(exprs, e)
	}
	return plan.NewProject(ctx, exprs, query), missing, nil
}

// overRow is the expression of a default or generated column, whose fields are those of the row that
// is being made.
func overRow(ctx *sql.Context, schema sql.Schema, e sql.Expression) (sql.Expression, error) {
	e, _, err := transform.Expr(ctx, e, func(_ *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		if f, ok := e.(*expression.GetField); ok {
			if at := schema.IndexOfColName(f.Name()); at >= 0 {
				return f.WithIndex(at), transform.NewTree, nil
			}
		}
		return e, transform.SameTree, nil
	})
	return e, err
}
