package exec

import (
	"context"

	"emberdb/engine/catalog"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/sql/fn"
	"emberdb/sql/histogram"
	"emberdb/sql/types"
)

// Ctx is the statement that a plan runs for.
type Ctx struct {
	context.Context
	Fn    fn.Context
	Tx    *txn.Trx
	Lock  table.LockMode // of the rows of tables that do not say how theirs are locked
	Still bool           // no row changes as long as the plan runs, so that rows may be locked ahead
	// OneByOne tells that a row may only be locked once it is known that those before it are not
	// enough, and that locks of rows that do not match are given back.
	OneByOne bool
	Local    func(micros int64) int64 // a moment as the session's clock shows it, in microseconds
	Take     func(n int64) error      // accounts memory; below zero gives it back
	Outer    Cells

	Limits  Limits
	Scratch *Scratch

	// Histogram, if not nil, is that of a column; nil: there is none.
	Histogram func(t *catalog.Table, column int) *histogram.Histogram

	Threads *Threads // that are free for parts of the plan
	Helpers int      // how many of them it may have at once

	Tells  bool // clients are told what functions warn of, where a query has one row
	Rounds int  // of a recursion: cte_max_recursion_depth
}

// locking tells how the rows of a table are locked.
func (c *Ctx) locking(own table.Locking) table.Locking {
	if own.Lock == table.None {
		own.Lock = c.Lock
	}
	return own
}

// Limits are how many bytes an operator holds in memory before it goes on in the scratch file.
type Limits struct {
	Sort  int // of a sort
	Join  int // of a hash join
	Table int // of groups, distinct rows, set operations, windows and recursions
}

// count adds to one of the session's counters.
func (c *Ctx) count(k txn.RowCount, n int) {
	if c.Tx != nil {
		c.Tx.Counts.Add(k, n)
	}
}

// toDisk counts a table that goes on in tmpdir.
func (c *Ctx) toDisk() {
	c.count(txn.CreatedTmpDiskTables, 1)
	c.count(txn.HitTmpTableSize, 1)
}

// Op is an operator.
type Op interface {
	// IDs name the columns of the batches.
	IDs() []int
	Open(c *Ctx) error
	Next(c *Ctx) (*types.Batch, error)
	Close(c *Ctx)
}

// Drain runs an operator to its end, and gives all its batches.
func Drain(c *Ctx, op Op, take func(b *types.Batch) error) error {
	defer op.Close(c)
	if err := op.Open(c); err != nil {
		return err
	}
	for {
		if err := c.Err(); err != nil {
			return err
		}
		b, err := op.Next(c)
		if b == nil || err != nil {
			return err
		}
		if err := take(b); err != nil {
			return err
		}
	}
}

// account is what an operator keeps.
type account struct{ held, asked int64 }

// step is how much memory an operator accounts at once.
const step = 64 << 10

// keep accounts n bytes more.
func (a *account) keep(c *Ctx, n int) error {
	a.asked += int64(n)
	if a.asked <= a.held {
		return nil
	}
	more := a.asked - a.held + min(step, a.asked)
	if err := c.Take(more); err != nil {
		return err
	}
	a.held += more
	return nil
}

// room accounts n bytes more if the operator may hold them: most is its limit, and the statement
// and the server have theirs. Otherwise it has to go on in the scratch file.
func (a *account) room(c *Ctx, n, most int) bool {
	if a.asked+int64(n) > int64(most) {
		return false
	}
	if a.keep(c, n) != nil {
		a.asked -= int64(n)
		return false
	}
	return true
}

// release gives everything back.
func (a *account) release(c *Ctx) {
	if a.held > 0 {
		_ = c.Take(-a.held)
	}
	*a = account{}
}

// Cells hold the values of outer columns, by ID, for a plan that depends on them. Each is a column
// of one value.
type Cells map[int]*types.Vec

// Param is an outer column: the value that its cell has when the plan is opened.
type Param struct {
	ID    int
	T     types.Type
	Cells Cells

	of  *types.Vec
	n   int
	all *types.Vec // of n times its value
}

// Type implements fn.Expr.
func (e *Param) Type() types.Type { return e.T }

// Eval implements fn.Expr.
func (e *Param) Eval(_ *fn.Context, b *types.Batch) (*types.Vec, error) {
	v := e.Cells[e.ID]
	if v == nil {
		return nil, fn.Refuse(fn.BySubquery, "an outer column without a value")
	}
	if e.of != v || e.n < b.N {
		e.of, e.n = v, b.N
		e.all = v.Repeat(e.n)
	}
	return e.all, nil
}

// Parts implements fn.Expr.
func (e *Param) Parts() []fn.Expr { return nil }

// With implements fn.Expr.
func (e *Param) With([]fn.Expr) fn.Expr { return &Param{ID: e.ID, T: e.T, Cells: e.Cells} }

// KeyName names the node in keys.
func (e *Param) KeyName() string { return "outer" }

// Place copies an expression for the rows of an operator with these columns. A column that is none
// of them is an outer one.
func Place(e fn.Expr, ids []int, outer Cells) (fn.Expr, error) {
	at := make(map[int]int, len(ids))
	for i, id := range ids {
		at[id] = i
	}
	var err error
	out := fn.Rewrite(e, func(x fn.Expr) fn.Expr {
		col, ok := x.(*fn.Column)
		if !ok {
			return nil
		}
		i, ok := at[col.ID]
		if ok {
			return &fn.Column{ID: col.ID, At: i, Name: col.Name, T: col.T}
		}
		if _, ok := outer[col.ID]; !ok {
			err = fn.Refuse(fn.BySubquery, "a column out of reach: "+col.Name)
		}
		return &Param{ID: col.ID, T: col.T, Cells: outer}
	})
	return out, err
}

// PlaceAll places several expressions.
func PlaceAll(all []fn.Expr, ids []int, outer Cells) ([]fn.Expr, error) {
	out := make([]fn.Expr, len(all))
	for i, e := range all {
		var err error
		if out[i], err = Place(e, ids, outer); err != nil {
			return nil, err
		}
	}
	return out, nil
}
