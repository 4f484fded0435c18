package run

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/internal/base"
	sqlast "emberdb/sql/ast"
	"emberdb/sqllayer"
	"emberdb/sqllayer/lower"
	"emberdb/sqllayer/trees"
)

// shownRows leaves of the rows of a SHOW statement those that its WHERE takes, which GMS drops.
func (b *Builder) shownRows(ctx *sql.Context, schema sql.Schema, rows []sql.Row) ([]sql.Row, error) {
	st := sqllayer.SessionOf(ctx).RunningStatement(ctx)
	show, ok := st.Tree.(*sqlast.Show)
	if !ok || show.Where == nil {
		return rows, nil
	}
	where, err := b.overShown(ctx, st.Text, show.Where, schema)
	if err != nil {
		return nil, err
	}
	var out []sql.Row
	for _, r := range rows {
		v, err := where.Eval(ctx, r)
		if err != nil {
			return nil, err
		}
		if taken, err := sql.ConvertToBool(ctx, v); err != nil {
			return nil, err
		} else if taken {
			out = append(out, r)
		}
	}
	return out, nil
}

// showVariables is SHOW VARIABLES. GMS shows values as they are kept, and gives the condition of
// WHERE the names alone.
func (b *Builder) showVariables(ctx *sql.Context, n *plan.ShowVariables) (sql.RowIter, error) {
	st := sqllayer.SessionOf(ctx).RunningStatement(ctx)
	show, ok := st.Tree.(*sqlast.Show)
	where := ok && show.Where != nil
	values := sql.SystemVariables.GetAllGlobalVariables()
	if !n.Global {
		values = ctx.GetAllSessionVariables()
	}
	var rows []sql.Row
	for name, value := range values {
		if n.Filter != nil && !where {
			if like, err := n.Filter.Eval(ctx, sql.Row{strings.ToLower(name)}); err != nil || !sql.IsTrue(like) {
				continue
			}
		}
		rows = append(rows, sql.Row{name, base.Shown(value)})
	}
	slices.SortFunc(rows, func(a, b sql.Row) int { return strings.Compare(a[0].(string), b[0].(string)) })
	if where {
		var err error
		if rows, err = b.shownRows(ctx, n.Schema(ctx), rows); err != nil {
			return nil, err
		}
	}
	return sql.RowsToRowIter(rows...), nil
}

// overShown plans a condition over the columns of a SHOW statement: as one over a query that has
// columns of these names.
func (b *Builder) overShown(ctx *sql.Context, text string, where sqlast.Expr, schema sql.Schema) (sql.Expression, error) {
	condition, err := lower.Expr(text, where)
	if err != nil {
		return nil, err
	}
	columns := &ast.Select{}
	for _, c := range schema {
		value := ast.NewStrVal(nil)
		if types.IsNumber(c.Type) {
			value = ast.NewIntVal([]byte("0"))
		}
		columns.SelectExprs = append(columns.SelectExprs, &ast.AliasedExpr{Expr: value, As: ast.NewColIdent(c.Name)})
	}
	stmt, err := (&sqllayer.Parser{}).Rewrite(ctx, text, &trees.ReadStatement{Stmt: &ast.Select{
		SelectExprs: ast.SelectExprs{&ast.AliasedExpr{Expr: condition}},
		From: ast.TableExprs{&ast.AliasedTableExpr{
			Expr: &ast.Subquery{Select: columns}, As: ast.NewTableIdent("shown"), Auth: ast.AuthInformation{AuthType: ast.AuthType_IGNORE},
		}},
	}})
	if err != nil {
		return nil, err
	}
	p, _, err := b.Layer.Project(ctx, text, stmt, nil)
	if err != nil {
		return nil, err
	}
	exprs, err := trees.AsRun(ctx, p.Projections)
	if err != nil {
		return nil, err
	}
	placed, _, err := transform.Expr(ctx, exprs[0], func(_ *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		f, ok := e.(*expression.GetField)
		if !ok {
			return e, transform.SameTree, nil
		}
		at := schema.IndexOfColName(strings.ToLower(f.Name()))
		if at < 0 {
			return nil, transform.SameTree, sql.ErrColumnNotFound.New(f.Name())
		}
		return f.WithIndex(at), transform.NewTree, nil
	})
	return placed, err
}
