package sqllayer

import (
	"math"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/engine/lock"
	"emberdb/engine/row"
)

// PeekNextAutoIncrementValue implements sql.AutoIncrementGetter.
func (t *Table) PeekNextAutoIncrementValue(ctx *sql.Context) (uint64, error) {
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	h, _, err := t.open(ctx)
	if err != nil {
		return 0, t.s.note(err)
	}
	next, err := h.PeekAutoInc()
	return t.capped(next), t.s.note(err)
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
	if given != nil {
		v, _, err := types.Uint64.Convert(ctx, given)
		if err != nil {
			return 0, err
		}
		t.nextAuto = max(t.nextAuto, v.(uint64))
		return v.(uint64), nil
	}
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	if t.def.def.AutoInc < 0 {
		t.nextAuto++ // ALTER TABLE gives the table its AUTO_INCREMENT column right now
		return t.nextAuto, nil
	}
	h, trx, err := t.open(ctx)
	if err != nil {
		return 0, t.s.note(err)
	}
	v, err := h.NextAutoInc(ctx, trx, 1)
	return t.capped(v), t.s.note(err)
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

// AcquireAutoIncrementLock implements sql.AutoIncrementSetter: the table's AUTO-INC lock, to the end of the statement.
func (e *editor) AcquireAutoIncrementLock(ctx *sql.Context) (func(), error) {
	s := e.t.s
	s.mu.Lock()
	defer s.mu.Unlock()
	_, trx, err := e.t.open(ctx)
	if err != nil {
		return nil, s.note(err)
	}
	locks, id := s.layer.eng.Locks(), e.t.def.def.ID
	if w := locks.LockTable(&trx.Owner, id, lock.AutoInc); w != nil {
		if err := w.Wait(ctx, s.lockWait()); err != nil {
			return nil, s.note(err)
		}
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.trx == trx {
			locks.UnlockTable(&trx.Owner, id, lock.AutoInc)
		}
	}, nil
}
