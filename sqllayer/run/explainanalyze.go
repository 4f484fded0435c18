package run

import (
	"io"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/sql/explain"
	"emberdb/sqllayer"
	"emberdb/sqllayer/plandesc"
)

// measure builds a node with a measured iterator; nil if it is not to be measured, or is just being
// built.
func (b *Builder) measure(ctx *sql.Context, a *sqllayer.Analysis, n sql.Node, r sql.Row) (sql.RowIter, error) {
	if !plandesc.Hashable(n) {
		return nil, nil
	}
	if a.Building == n {
		a.Building = nil
		return nil, nil
	}
	got := a.Nodes[n]
	if got == nil {
		got = &explain.Actual{}
		a.Nodes[n] = got
	}
	a.Building = n
	begun := time.Now()
	child, err := b.Base.Build(ctx, n, r)
	a.Building = nil
	if err != nil {
		return nil, err
	}
	got.Loops++
	return &plandesc.MeasuredIter{Child: child, Got: got, Spent: time.Since(begun)}, nil
}

// run runs the statement of EXPLAIN ANALYZE and returns what its nodes gave.
func (b *Builder) run(ctx *sql.Context, s *sqllayer.Session, n sql.Node, r sql.Row) (map[sql.Node]*explain.Actual, error) {
	a := &sqllayer.Analysis{Nodes: make(map[sql.Node]*explain.Actual)}
	s.Analysis = a
	defer func() { s.Analysis = nil }()
	iter, err := b.Base.Build(ctx, n, r)
	if err != nil {
		return nil, err
	}
	for err == nil {
		_, err = iter.Next(ctx)
	}
	if closed := iter.Close(ctx); err == io.EOF {
		err = closed
	}
	return a.Nodes, err
}

// explain runs EXPLAIN.
func (b *Builder) explain(ctx *sql.Context, n *plan.DescribeQuery, r sql.Row) (sql.RowIter, error) {
	if b.Layer.Opts.Plain && (n.Format.Plan || n.Format.Analyze) {
		return nil, nil
	}
	s := sqllayer.SessionOf(ctx)
	p := &plandesc.Planner{S: s}
	name := map[bool]string{true: "json", false: "tree"}[n.Format.Debug]
	if !n.Format.Plan && !n.Format.Analyze {
		name = "traditional"
	}
	form, err := sqllayer.FormOf(ctx, name, n.Format.Analyze)
	if err != nil {
		return nil, err
	}
	if form.Analyze {
		if p.Actuals, err = b.run(ctx, s, n.Query(), r); err != nil {
			return nil, err
		}
	}
	return sql.RowsToRowIter(sqllayer.Told(ctx, p.Top(ctx, n.Query()), form)...), nil
}
