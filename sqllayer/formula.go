package sqllayer

// Expressions of compiled statements that GMS evaluates.

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/planbuilder"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
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
		exprs = append(exprs, e)
	}
	return exprs, literals, nil
}

// Literals makes parameters expressions as Expressions does.
func (l *Layer) Literals(ctx *sql.Context, binds map[string]ast.Expr) (map[string]sql.Expression, error) {
	b := planbuilder.New(ctx, l.Engine.Analyzer.Catalog, nil)
	b.SetBindings(binds)
	return b.BindCtx().Bindings, nil
}
