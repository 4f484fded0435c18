package table

import (
	"context"
	"encoding/binary"
	"sync"
	"sync/atomic"

	"emberdb/engine/buffer"
	"emberdb/engine/row"
	"emberdb/engine/space"
	"emberdb/engine/txn"
)

// Counters are the numbers a table hands out: auto-increment values, hidden row ids. They also
// keep what was learned of its rows.
type Counters struct {
	auto, rowid counter
	learned     atomic.Pointer[Learned]
	online      atomic.Pointer[OnlineLog] // nil: nobody rewrites the table beside its writers
}

// counter hands out numbers. It is loaded when first used and then lives in memory.
type counter struct {
	mu     sync.Mutex
	loaded bool
	next   uint64
	stored uint64 // what the table's space knows of next
}

// take returns the next value and moves on by n.
func (c *counter) take(n uint64, load func() (uint64, error)) (uint64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.loadLocked(load); err != nil {
		return 0, err
	}
	return c.takeLocked(c.next, n), nil
}

// takeLocked moves on to n behind first.
func (c *counter) takeLocked(first, n uint64) uint64 {
	if c.next = first + n; c.next < first {
		c.next = ^uint64(0) // exhausted: the last value is handed out again and its insert will be a duplicate
	}
	return first
}

// raise makes next the least value to be handed out, if it is not beyond that.
func (c *counter) raise(next uint64, load func() (uint64, error)) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.loadLocked(load); err != nil {
		return err
	}
	c.next = max(c.next, next)
	return nil
}

// isStored notes that next has been stored.
func (c *counter) isStored(next uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stored = max(c.stored, next)
}

func (c *counter) loadLocked(load func() (uint64, error)) error {
	if c.loaded {
		return nil
	}
	next, err := load()
	if err != nil {
		return err
	}
	c.next, c.stored, c.loaded = max(next, 1), max(next, 1), true
	return nil
}

// loadAuto reads the stored auto-increment counter: the next value. It is raised in the
// mini-transaction that inserts a row, so it is exact after a crash but for values that were
// reserved and never inserted.
func (t *Table) loadAuto() (uint64, error) {
	m := t.svc.Pool.BeginRead()
	defer m.Commit()
	return space.AutoInc(m, t.def.Space)
}

// NextAutoInc reserves n consecutive auto-increment values and returns the first. Statements use
// AutoNumbers.
func (t *Table) NextAutoInc(_ context.Context, _ *txn.Trx, n int) (uint64, error) {
	return t.auto.take(uint64(max(n, 0)), t.loadAuto)
}

// PeekAutoInc returns the next auto-increment value without reserving it.
func (t *Table) PeekAutoInc() (uint64, error) {
	t = t.numbered()
	return t.auto.take(0, t.loadAuto)
}

// numbered is the table whose counter gives t's AUTO_INCREMENT values.
func (t *Table) numbered() *Table {
	if t.whole != nil {
		return t.whole
	}
	return t
}

// ResetAutoInc makes next the next auto-increment value, also where it sinks.
// REQUIRES: no row has it or a greater one, and none comes in meanwhile.
func (t *Table) ResetAutoInc(next uint64) error {
	t.auto.mu.Lock()
	defer t.auto.mu.Unlock()
	m := t.svc.Pool.Begin()
	defer m.Commit()
	if err := space.ResetAutoInc(m, t.def.Space, next); err != nil {
		return err
	}
	t.auto.next, t.auto.stored, t.auto.loaded = next, next, true
	return nil
}

// SetAutoInc raises the next auto-increment value. It never sinks.
func (t *Table) SetAutoInc(next uint64) error {
	t = t.numbered()
	if err := t.auto.raise(next, t.loadAuto); err != nil {
		return err
	}
	if err := t.storeAuto(next); err != nil {
		return err
	}
	t.auto.isStored(next)
	return nil
}

// Saved tells that a Table with new Counters would hand out the same auto-increment values.
func (c *Counters) Saved() bool {
	c.auto.mu.Lock()
	defer c.auto.mu.Unlock()
	return !c.auto.loaded || c.auto.next == c.auto.stored
}

// SaveCounters stores the auto-increment values that were reserved and not used so far.
func (t *Table) SaveCounters() error {
	next, err := t.auto.take(0, t.loadAuto)
	if err != nil {
		return err
	}
	return t.SetAutoInc(next)
}

func (t *Table) storeAuto(next uint64) error {
	m := t.svc.Pool.Begin()
	defer m.Commit()
	return space.SetAutoInc(m, t.def.Space, next)
}

// exceeds tells whether next is beyond what the counter has handed out.
func (t *Table) exceeds(next uint64) (bool, error) {
	now, err := t.PeekAutoInc()
	return next > now, err
}

// autoNext returns what the counter must be raised to by a row, 0 if nothing.
func (t *Table) autoNext(vals []row.Value) uint64 {
	if t.def.AutoInc < 0 {
		return 0
	}
	switch v := vals[t.def.AutoInc]; v.Kind {
	case row.Uint:
		return min(v.N, t.greatestAuto()-1) + 1 // the greatest number stays
	case row.Int:
		if v.Int() > 0 {
			return min(v.N, t.greatestAuto()-1) + 1
		}
	case row.Float:
		if f := v.Float(); f > 0 && f < 1<<53 {
			return uint64(f) + 1
		}
	}
	return 0
}

// raiseAuto notes the auto-increment value of a row that is about to be inserted, in memory and in
// m.
func (t *Table) raiseAuto(m *buffer.Mtr, next uint64) error {
	if next == 0 {
		return nil
	}
	t = t.numbered()
	if err := t.auto.raise(next, t.loadAuto); err != nil {
		return err
	}
	if err := space.SetAutoInc(m, t.def.Space, next); err != nil {
		return err
	}
	t.auto.isStored(next)
	return nil
}

// nextRowID takes the next hidden row id. The counter starts behind the last row that is there: an
// id is used again after a restart only if nothing bears it any more.
func (t *Table) nextRowID(dst []byte) ([]byte, error) {
	id, err := t.rowid.take(1, func() (uint64, error) {
		m := t.svc.Pool.BeginRead()
		defer m.Commit()
		cur, err := t.clustered().tree.SeekLast(m, nil, buffer.Shared)
		if err != nil || !cur.Valid() {
			return 1, err
		}
		if len(cur.Key()) != 8 {
			return 0, t.corrupt("row id of %d bytes", len(cur.Key()))
		}
		return binary.BigEndian.Uint64(cur.Key()) + 1, nil
	})
	return binary.BigEndian.AppendUint64(dst, id), err
}
