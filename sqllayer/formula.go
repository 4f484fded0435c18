package sqllayer

// Expressions of compiled statements that GMS evaluates.

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/planbuilder"
	"github.com/dolthub/go-mysql-server/sql/transform"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr"
)

// Expressions plans a SELECT without aggregates and returns the expressions of its list, and the literals that stand in them for the parameters of binds.
// REQUIRES: not between BeginDirect and FinishDirect.
func (l *Layer) Expressions(ctx *sql.Context, text string, binds map[string]ast.Expr) (exprs []sql.Expression, literals map[string]sql.Expression, err error) {
	stmt, _, _, err := (&parser{plain: l.opts.Plain}).ParseWithOptions(ctx, text, ';', false, sql.LoadSqlMode(ctx).ParserOptions())
	if err != nil {
		return nil, nil, err
	}
	b := planbuilder.New(ctx, l.Engine.Analyzer.Catalog, nil)
	b.SetBindings(binds)
	literals = b.BindCtx().Bindings
	node, _, err := b.BindOnly(stmt, text, nil)
	if err != nil {
		return nil, nil, err
	}
	p, ok := node.(*plan.Project)
	if !ok {
		return nil, nil, fmt.Errorf("a plan of type %T", node)
	}
	for _, e := range p.Projections {
		if a, ok := e.(*expression.Alias); ok {
			e = a.Child
		}
		if e, _, err = transform.Expr(ctx, e, splitBetween); err == nil {
			e, _, err = transform.Expr(ctx, e, expr.Mend)
		}
		if err != nil {
			return nil, nil, err
		}
		exprs = append(exprs, e)
	}
	return exprs, literals, nil
}

// splitBetween makes of BETWEEN what GMS's analyzer makes of it.
func splitBetween(_ *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	b, ok := e.(*expression.Between)
	if !ok {
		return e, transform.SameTree, nil
	}
	return expression.NewAnd(expression.NewGreaterThanOrEqual(b.Val, b.Lower), expression.NewLessThanOrEqual(b.Val, b.Upper)), transform.NewTree, nil
}

// Literals makes parameters expressions as Expressions does.
func (l *Layer) Literals(ctx *sql.Context, binds map[string]ast.Expr) (map[string]sql.Expression, error) {
	b := planbuilder.New(ctx, l.Engine.Analyzer.Catalog, nil)
	b.SetBindings(binds)
	return b.BindCtx().Bindings, nil
}
