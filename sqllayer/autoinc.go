package sqllayer

import (
	"context"
	"math"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/engine/row"
	"emberdb/engine/table"
)

// PeekNextAutoIncrementValue implements sql.AutoIncrementGetter.
func (t *Table) PeekNextAutoIncrementValue(ctx *sql.Context) (uint64, error) {
	var next uint64
	err := t.estimate(ctx, func(h *table.Table) (err error) {
		next, err = h.PeekAutoInc()
		return err
	})
	return t.capped(next), err
}

// capped keeps a counter in the column's range: a column that is full gives its largest value again, which then is a duplicate.
func (t *Table) capped(next uint64) uint64 {
	if t.def.def.AutoInc < 0 {
		return next
	}
	switch t.def.cols[t.def.def.AutoInc].Type {
	case row.TInt8:
		return min(next, math.MaxInt8)
	case row.TUint8:
		return min(next, math.MaxUint8)
	case row.TInt16:
		return min(next, math.MaxInt16)
	case row.TUint16:
		return min(next, math.MaxUint16)
	case row.TInt24:
		return min(next, 1<<23-1)
	case row.TUint24:
		return min(next, 1<<24-1)
	case row.TInt32:
		return min(next, math.MaxInt32)
	case row.TUint32:
		return min(next, math.MaxUint32)
	case row.TInt64:
		return min(next, math.MaxInt64)
	}
	return next
}

// GetNextAutoIncrementValue implements sql.AutoIncrementTable. A value the statement gives itself is the engine's to note when the row comes.
func (t *Table) GetNextAutoIncrementValue(ctx *sql.Context, given any) (uint64, error) {
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	if given != nil {
		v, _, err := types.Uint64.Convert(ctx, given)
		if err != nil {
			return 0, err
		}
		t.nextAuto = max(t.nextAuto, v.(uint64))
		if n := t.s.numbers(t); n != nil {
			n.Given(v.(uint64))
		}
		return v.(uint64), nil
	}
	if t.def.def.AutoInc < 0 {
		t.nextAuto++ // ALTER TABLE gives the table its AUTO_INCREMENT column right now
		return t.nextAuto, nil
	}
	h, trx, err := t.open(ctx)
	if err != nil {
		return 0, t.s.note(err)
	}
	n := t.s.numbers(t)
	if n == nil { // a statement of a trigger
		n = &table.AutoNumbers{Rows: 1}
		t.s.setNumbers(n)
		defer n.Release()
	}
	v, err := n.Next(t.s.patient(ctx), h, trx, t.capped(math.MaxUint64))
	return v, t.s.note(err)
}

// numbers are those of the running INSERT if t is its table, nil if it is not. REQUIRES: s.mu.
func (s *Session) numbers(t *Table) *table.AutoNumbers {
	l := &s.stmt.tally
	if s.stmt.depth > 0 || l.table != 0 && l.table != t.def.def.ID {
		return nil
	}
	if !l.numbered {
		l.table, l.numbered = t.def.def.ID, true
		s.setNumbers(&l.numbers)
		if n := insertOf(s.stmt.root); n != nil {
			l.numbers.Rows = valueRows(n.Source)
		}
	}
	return &l.numbers
}

// setNumbers gives numbers the settings they obey.
func (s *Session) setNumbers(n *table.AutoNumbers) {
	n.Mode = s.settings().autoMode
	n.Step, n.Offset = s.unsigned("auto_increment_increment"), s.unsigned("auto_increment_offset")
}

// unsigned reads a session variable that is a number.
func (s *Session) unsigned(name string) uint64 {
	v, err := s.GetSessionVariable(nil, name)
	if err != nil {
		return 0
	}
	n, _, err := types.Uint64.Convert(context.Background(), v)
	if err != nil || n == nil {
		return 0
	}
	return n.(uint64)
}

// insertOf finds the INSERT that a plan is, nil if it is none.
func insertOf(root sql.Node) (found *plan.InsertInto) {
	for n := root; n != nil && found == nil; {
		if i, ok := n.(*plan.InsertInto); ok {
			return i
		}
		if t, ok := n.(*plan.TriggerExecutor); ok {
			n = t.Left()
			continue
		}
		children := n.Children()
		if len(children) != 1 {
			return nil
		}
		n = children[0]
	}
	return nil
}

// valueRows is the number of rows of VALUES, 0 of anything else.
func valueRows(n sql.Node) uint64 {
	for n != nil {
		switch v := n.(type) {
		case *plan.Values:
			return uint64(len(v.ExpressionTuples))
		case *plan.TriggerExecutor:
			n = v.Left()
			continue
		}
		children := n.Children()
		if len(children) != 1 {
			return 0
		}
		n = children[0]
	}
	return 0
}

// AutoIncrementSetter implements sql.AutoIncrementTable.
func (t *Table) AutoIncrementSetter(*sql.Context) sql.AutoIncrementSetter { return &editor{t: t} }

// SetAutoIncrementValue implements sql.AutoIncrementSetter. The counter never sinks; TRUNCATE gives the table a new one.
func (e *editor) SetAutoIncrementValue(ctx *sql.Context, v uint64) error {
	s := e.t.s
	s.mu.Lock()
	defer s.mu.Unlock()
	h, _, err := e.t.open(ctx)
	if err != nil {
		return s.note(err)
	}
	return s.note(h.SetAutoInc(v))
}

// AcquireAutoIncrementLock implements sql.AutoIncrementSetter: the numbers take the lock that innodb_autoinc_lock_mode wants, to the end of the statement.
func (e *editor) AcquireAutoIncrementLock(*sql.Context) (func(), error) {
	s := e.t.s
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.stmt.tally.numbers.Release()
	}, nil
}
