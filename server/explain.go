package server

import (
	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sql/ast"
	executor "emberdb/sql/exec"
	"emberdb/sql/explain"
	"emberdb/sql/fn"
	"emberdb/sql/plan"
	"emberdb/sql/types"
	"emberdb/sqllayer"
	"emberdb/sqllayer/plandesc"
)

// EXPLAIN tells the plan that runs. A query that the executor would take is planned by it and told
// here; any other is go-mysql-server's to describe (package sqllayer).

// explaining is an EXPLAIN whose query the executor plans.
type explaining struct {
	analyze bool           // the query runs, measured
	block   *explain.Block // the plan; nil: it is not the executor's
}

// explain sends what EXPLAIN tells, if the executor would take the query; otherwise taken is false.
func (x *execution) explain(ctx *sql.Context, s *sqllayer.Session, e *ast.Explain) (taken bool, err error) {
	schema, rows, err := x.explainRows(ctx, s, e)
	if schema == nil || err != nil {
		return err != nil, err
	}
	return true, x.sendRows(ctx, schema, sql.RowsToRowIter(rows...))
}

// explainRows are what EXPLAIN tells of the executor's plan; schema is nil if it is another's.
func (x *execution) explainRows(ctx *sql.Context, s *sqllayer.Session, e *ast.Explain) (schema sql.Schema, rows []sql.Row, err error) {
	return s.Explain(ctx, e, func() (*explain.Block, error) { return x.executorPlan(ctx, s, e) })
}

// explainedRows are what EXPLAIN tells, whoever runs the statement.
func (x *execution) explainedRows(ctx *sql.Context, e *ast.Explain) ([]sql.Row, error) {
	if s, ok := ctx.Session.(*sqllayer.Session); ok {
		if schema, rows, err := x.explainRows(ctx, s, e); schema != nil || err != nil {
			return rows, err
		}
	}
	text := *e
	text.Into = nil
	in := x.nested(ctx)
	_, iter, _, err := x.h.e.QueryWithBindings(in, x.printed(&text), nil, x.bindings(), nil)
	if err != nil {
		return nil, err
	}
	return sql.RowIterToRows(in, iter)
}

// executorPlan describes the executor's plan of a query; nil if the executor does not take it.
func (x *execution) executorPlan(ctx *sql.Context, s *sqllayer.Session, e *ast.Explain) (*explain.Block, error) {
	q, ok := e.Statement.(*ast.Query)
	if !ok || e.Schema.Given() || x.cursor {
		return nil, nil
	}
	x.explaining = &explaining{analyze: e.Analyze}
	_, err := x.executeShort(ctx, s, q)
	b := x.explaining.block
	x.explaining = nil
	if _, refused := fn.IsRefusal(err); refused {
		return nil, nil
	}
	return b, err
}

// run describes a plan, and runs it before that if it is to be measured.
func (e *explaining) run(c *executor.Ctx, p *plan.Plan, names *plan.Names) (err error) {
	if e.analyze {
		p.Measure()
		err = executor.Drain(c, p.Root, func(*types.Batch) error { return nil })
	}
	if err == nil {
		e.block, err = p.Explain(c, names, plandesc.KeyLength)
	}
	return err
}
