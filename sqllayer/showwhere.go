package sqllayer

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	sqlast "emberdb/sql/ast"
	"emberdb/sqllayer/lower"
)

// shownRows leaves of the rows of a SHOW statement those that its WHERE takes, which GMS drops.
func (b *builder) shownRows(ctx *sql.Context, schema sql.Schema, rows []sql.Row) ([]sql.Row, error) {
	st := sessionOf(ctx).runningStatement(ctx)
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

// allVariables is the condition that GMS itself asks of the variables that are then looked at.
type allVariables struct{ *expression.Literal }

// showVariables is SHOW VARIABLES with WHERE, whose condition GMS gives the names alone.
func (b *builder) showVariables(ctx *sql.Context, n *plan.ShowVariables, r sql.Row) (sql.RowIter, error) {
	st := sessionOf(ctx).runningStatement(ctx)
	show, ok := st.Tree.(*sqlast.Show)
	if _, all := n.Filter.(allVariables); all || !ok || show.Where == nil {
		return nil, nil
	}
	all := *n
	all.Filter = allVariables{expression.NewLiteral(true, types.Boolean)}
	iter, err := b.base.Build(ctx, &all, r)
	if err != nil {
		return nil, err
	}
	rows, err := sql.RowIterToRows(ctx, iter)
	if err != nil {
		return nil, err
	}
	if rows, err = b.shownRows(ctx, n.Schema(ctx), rows); err != nil {
		return nil, err
	}
	return sql.RowsToRowIter(rows...), nil
}

// overShown plans a condition over the columns of a SHOW statement: as one over a query that has
// columns of these names.
func (b *builder) overShown(ctx *sql.Context, text string, where sqlast.Expr, schema sql.Schema) (sql.Expression, error) {
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
	stmt, err := (&parser{}).rewrite(ctx, text, &readStatement{stmt: &ast.Select{
		SelectExprs: ast.SelectExprs{&ast.AliasedExpr{Expr: condition}},
		From: ast.TableExprs{&ast.AliasedTableExpr{
			Expr: &ast.Subquery{Select: columns}, As: ast.NewTableIdent("shown"), Auth: ast.AuthInformation{AuthType: ast.AuthType_IGNORE},
		}},
	}})
	if err != nil {
		return nil, err
	}
	p, _, err := b.layer.project(ctx, text, stmt, nil)
	if err != nil {
		return nil, err
	}
	exprs, err := asRun(ctx, p.Projections)
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
