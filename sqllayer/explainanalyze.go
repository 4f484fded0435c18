package sqllayer

// EXPLAIN ANALYZE: the statement is run, and every iterator that is built for it measured. A node
// may be built many times (the inner side of a join), and gives rows each time.

import (
	"io"
	"reflect"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sql/explain"
)

// analysis is an EXPLAIN ANALYZE under way.
type analysis struct {
	nodes    map[sql.Node]*explain.Actual
	building sql.Node // is being built already
}

// hashable tells whether a node can be a key: one of GMS's is a slice.
func hashable(n sql.Node) bool { return n != nil && reflect.TypeOf(n).Comparable() }

// measure builds a node with a measured iterator; nil if it is not to be measured, or is just being
// built.
func (b *builder) measure(ctx *sql.Context, a *analysis, n sql.Node, r sql.Row) (sql.RowIter, error) {
	if !hashable(n) {
		return nil, nil
	}
	if a.building == n {
		a.building = nil
		return nil, nil
	}
	got := a.nodes[n]
	if got == nil {
		got = &explain.Actual{}
		a.nodes[n] = got
	}
	a.building = n
	begun := time.Now()
	child, err := b.base.Build(ctx, n, r)
	a.building = nil
	if err != nil {
		return nil, err
	}
	got.Loops++
	return &measuredIter{child: child, got: got, spent: time.Since(begun)}, nil
}

type measuredIter struct {
	child sql.RowIter
	got   *explain.Actual
	spent time.Duration
	begun bool
}

// Next implements sql.RowIter.
func (i *measuredIter) Next(ctx *sql.Context) (sql.Row, error) {
	from := time.Now()
	row, err := i.child.Next(ctx)
	i.spent += time.Since(from)
	if !i.begun {
		i.begun = true
		i.got.First += i.spent
	}
	if err == nil {
		i.got.Rows++
	}
	return row, err
}

// Close implements sql.RowIter.
func (i *measuredIter) Close(ctx *sql.Context) error {
	i.got.All += i.spent
	i.spent = 0
	return i.child.Close(ctx)
}

// run runs the statement of EXPLAIN ANALYZE and returns what its nodes gave.
func (b *builder) run(ctx *sql.Context, s *Session, n sql.Node, r sql.Row) (map[sql.Node]*explain.Actual, error) {
	a := &analysis{nodes: make(map[sql.Node]*explain.Actual)}
	s.analysis = a
	defer func() { s.analysis = nil }()
	iter, err := b.base.Build(ctx, n, r)
	if err != nil {
		return nil, err
	}
	for err == nil {
		_, err = iter.Next(ctx)
	}
	if closed := iter.Close(ctx); err == io.EOF {
		err = closed
	}
	return a.nodes, err
}
