package sqllayer

// Expressions of compiled statements that GMS evaluates.

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/planbuilder"
	"github.com/dolthub/go-mysql-server/sql/transform"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr/compare"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/trees"
)

// Expressions plans a SELECT without aggregates and returns the expressions of its list, and the
// literals that stand in them for the parameters of binds.
// REQUIRES: not between BeginDirect and FinishDirect.
func (l *Layer) Expressions(ctx *sql.Context, text string, binds map[string]ast.Expr) (exprs []sql.Expression, literals map[string]sql.Expression, err error) {
	p, literals, err := l.projectPrinted(ctx, text, binds)
	if err != nil {
		return nil, nil, err
	}
	if err := compare.CheckPlan(ctx, p); err != nil {
		return nil, nil, err
	}
	exprs, err = trees.AsRun(ctx, p.Projections)
	return exprs, literals, err
}

// Stored plans a SELECT of expressions that definitions keep.
func (l *Layer) Stored(ctx *sql.Context, text string) ([]sql.Expression, error) {
	stmt, err := (&Parser{Plain: l.Opts.Plain}).stored(text)
	if err != nil {
		return nil, err
	}
	p, _, err := l.Project(ctx, text, stmt, nil)
	if err != nil {
		return nil, err
	}
	return trees.AsRun(ctx, p.Projections)
}

// Grouped plans a SELECT of groups as Expressions does.
func (l *Layer) Grouped(ctx *sql.Context, text string, binds map[string]ast.Expr, first int) (*trees.Grouped, error) {
	p, literals, err := l.projectPrinted(ctx, text, binds)
	if err != nil {
		return nil, err
	}
	if err := compare.CheckPlan(ctx, p); err != nil {
		return nil, err
	}
	n := p.Child
	if inner, ok := n.(*plan.Project); ok {
		n = inner.Child
	}
	g, ok := n.(*plan.GroupBy)
	if !ok {
		return nil, fmt.Errorf("a plan of type %T below its list", n)
	}
	out, at := &trees.Grouped{Literals: literals}, make(map[string]int)
	var calls []sql.Expression
	for _, e := range g.SelectDeps {
		if _, ok := e.(sql.Aggregation); ok {
			at[strings.ToLower(plan.AliasSubqueryString(ctx, e))] = first + len(calls)
			calls = append(calls, e)
		}
	}
	if calls, err = trees.AsRun(ctx, calls); err != nil {
		return nil, err
	}
	for _, e := range calls {
		call, ok := e.(sql.Aggregation)
		if !ok {
			return nil, fmt.Errorf("a function of type %T", e)
		}
		out.Calls = append(out.Calls, call)
	}
	if out.List, err = trees.AsRun(ctx, p.Projections); err != nil {
		return nil, err
	}
	for i, e := range out.List {
		if out.List[i], _, err = transform.Expr(ctx, e, func(_ *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
			f, ok := e.(*expression.GetField)
			if !ok || f.Table() != "" {
				return e, transform.SameTree, nil
			}
			n, ok := at[strings.ToLower(f.Name())]
			if !ok {
				return nil, transform.SameTree, fmt.Errorf("a field %s without a table", f.Name())
			}
			return f.WithIndex(n), transform.NewTree, nil
		}); err != nil {
			return nil, err
		}
	}
	out.Keys, err = trees.AsRun(ctx, g.GroupByExprs)
	return out, err
}

// projectPrinted plans a SELECT whose text the library's grammar has printed.
func (l *Layer) projectPrinted(ctx *sql.Context, text string, binds map[string]ast.Expr) (*plan.Project, map[string]sql.Expression, error) {
	stmt, err := ast.ParseWithOptions(ctx, text, operand.Mode(ctx).ParserOptions())
	if err == nil {
		stmt, err = (&Parser{Plain: l.Opts.Plain}).Rewrite(ctx, text, &trees.ReadStatement{Stmt: stmt})
	}
	if err != nil {
		return nil, nil, err
	}
	return l.Project(ctx, text, stmt, binds)
}

// Project plans a SELECT, for its expressions. Its tables are only looked at: whoever asks is
// between two statements, where a wait for a metadata lock that ends in a deadlock would take the
// transaction and tell nobody.
func (l *Layer) Project(ctx *sql.Context, text string, stmt ast.Statement, binds map[string]ast.Expr) (*plan.Project, map[string]sql.Expression, error) {
	b := planbuilder.New(Listing(ctx), l.Engine.Analyzer.Catalog, nil)
	b.SetBindings(binds)
	literals := b.BindCtx().Bindings
	node, _, err := b.BindOnly(stmt, text, nil)
	if err != nil {
		return nil, nil, err
	}
	p, ok := node.(*plan.Project)
	if !ok {
		return nil, nil, fmt.Errorf("a plan of type %T", node)
	}
	return p, literals, nil
}

// Literals makes parameters expressions as Expressions does.
func (l *Layer) Literals(ctx *sql.Context, binds map[string]ast.Expr) (map[string]sql.Expression, error) {
	b := planbuilder.New(ctx, l.Engine.Analyzer.Catalog, nil)
	b.SetBindings(binds)
	return b.BindCtx().Bindings, nil
}
