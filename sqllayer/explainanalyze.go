package sqllayer

// EXPLAIN ANALYZE: the statement is run, and every iterator that is built for it measured. A node
// may be built many times (the inner side of a join), and gives rows each time.

import (
	"fmt"
	"io"
	"reflect"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
)

// analysis is an EXPLAIN ANALYZE under way.
type analysis struct {
	nodes    map[sql.Node]*actual
	building sql.Node // is being built already
}

// actual is what a node gave.
type actual struct {
	loops, rows int
	first, all  time.Duration // of all loops
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
		got = &actual{}
		a.nodes[n] = got
	}
	a.building = n
	begun := time.Now()
	child, err := b.base.Build(ctx, n, r)
	a.building = nil
	if err != nil {
		return nil, err
	}
	got.loops++
	return &measuredIter{child: child, got: got, spent: time.Since(begun)}, nil
}

type measuredIter struct {
	child sql.RowIter
	got   *actual
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
		i.got.first += i.spent
	}
	if err == nil {
		i.got.rows++
	}
	return row, err
}

// Close implements sql.RowIter.
func (i *measuredIter) Close(ctx *sql.Context) error {
	i.got.all += i.spent
	i.spent = 0
	return i.child.Close(ctx)
}

// run runs the statement of EXPLAIN ANALYZE and returns what its nodes gave.
func (b *builder) run(ctx *sql.Context, s *Session, n sql.Node, r sql.Row) (map[sql.Node]*actual, error) {
	a := &analysis{nodes: make(map[sql.Node]*actual)}
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

// perLoop are milliseconds and rows of one loop.
func (a *actual) perLoop() (first, all, rows float64) {
	n := float64(a.loops) * float64(time.Millisecond)
	return float64(a.first) / n, float64(a.all) / n, float64(a.rows) / float64(a.loops)
}

func (a *actual) text() string {
	if a.loops == 0 {
		return " (never executed)"
	}
	first, all, rows := a.perLoop()
	return fmt.Sprintf(" (actual time=%s..%s rows=%s loops=%d)", short(first), short(all), short(rows), a.loops)
}
