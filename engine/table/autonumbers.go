package table

import (
	"context"
	"math"

	"emberdb/engine/catalog"
	"emberdb/engine/lock"
	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// AutoNumbers gives the rows of one INSERT their auto-increment values, in the order and with the
// gaps of MySQL's:
//
//	reservation   values are reserved for as many rows as the statement has; where that is not known, for 1, 2, 4, ... 65535. What is not used is a gap. Behind a
//	              value of the statement's own, for the rows that the reservation before still has
//	              to come
//	limit         the greatest value of the column is given to the statements behind it too, for which it is a duplicate; within a statement, base.ErrNoNumbers
//	Back          a row that was not inserted after all gives its value to the next one
//	Given         a value of the statement's own moves the next one behind it
//
// Mode is innodb_autoinc_lock_mode. The AUTO-INC lock of the table is held to the end of the
// statement (Release) by every statement in mode 0; in mode 1 by those whose number of rows is not
// known, and by others while one of these holds it. In mode 0 nothing is reserved: the counter
// moves when rows come in.
type AutoNumbers struct {
	Mode         int
	Rows         uint64 // of the statement; 0: not known
	Step, Offset uint64 // auto_increment_increment, auto_increment_offset; 0 is 1

	Forced uint64 // SET insert_id: the next value that is made, whatever the counter says; 0: none
	First  uint64 // of the first row that came in with a value made here

	limit     uint64 // the greatest value of the column
	next, end uint64 // the next value; those below end are reserved
	before    uint64 // next before the row under way
	current   uint64 // made for the row under way
	reserved  int    // how often
	forced    bool   // values follow a forced one; nothing is reserved
	coming    uint64 // rows that values were reserved for and that are still to come
	watched   *Table // whose counter Return sets back
	began     uint64 // the counter before the statement
	left      uint64 // and as the statement has left it
	locked    *Table
	owner     *lock.Owner
}

// maxReserved bounds what is reserved at a time for rows of unknown number.
const maxReserved = math.MaxUint16

// Next makes the value of the row under way.
func (a *AutoNumbers) Next(ctx context.Context, t *Table, tx *txn.Trx) (uint64, error) {
	if a.limit == 0 {
		a.limit = t.greatestAuto()
	}
	if a.before = a.next; a.next > a.limit {
		return 0, base.ErrNoNumbers
	}
	v := a.next
	if a.Forced > 0 {
		v, a.Forced, a.end, a.coming = a.Forced, 0, math.MaxUint64, 0
		a.forced = true
	} else if v >= a.end {
		n := a.Rows
		if a.reserved > 0 || n == 0 {
			n = min(uint64(1)<<min(a.reserved, 16), maxReserved)
		}
		if a.coming > 0 {
			n = a.coming
		}
		var err error
		if v, err = a.reserve(ctx, t, tx, n); err != nil {
			return 0, err
		}
		a.reserved++
		a.coming = n
		if a.end = v + n*a.step(); a.end < v {
			a.end = math.MaxUint64
		}
	}
	a.next = v + a.step()
	if a.forced {
		a.next = a.align(v + 1)
	}
	if a.next < v {
		a.next = math.MaxUint64
	}
	a.coming -= min(a.coming, 1) // a row that gave its value back had been counted
	a.current = v
	return v, nil
}

// greatestAuto is the greatest value of the AUTO_INCREMENT column.
func (t *Table) greatestAuto() uint64 {
	switch typ := t.def.Columns[t.def.AutoInc].Type; typ {
	case row.TInt8:
		return math.MaxInt8
	case row.TUint8:
		return math.MaxUint8
	case row.TInt16:
		return math.MaxInt16
	case row.TUint16:
		return math.MaxUint16
	case row.TInt24:
		return 1<<23 - 1
	case row.TUint24:
		return 1<<24 - 1
	case row.TInt32:
		return math.MaxInt32
	case row.TUint32:
		return math.MaxUint32
	case row.TInt64:
		return math.MaxInt64
	}
	return math.MaxUint64
}

func (a *AutoNumbers) step() uint64 { return max(a.Step, 1) }

// align is the first value from v on that the statement may use.
func (a *AutoNumbers) align(v uint64) uint64 {
	step, offset := a.step(), max(a.Offset, 1)
	if offset > step {
		offset = 0
	}
	switch {
	case step == 1:
		return v
	case v <= offset:
		return offset
	}
	return offset + (v-offset+step-1)/step*step
}

// reserve takes n values from the table's counter and returns the first.
func (a *AutoNumbers) reserve(ctx context.Context, t *Table, tx *txn.Trx, n uint64) (uint64, error) {
	if a.Mode == 0 || a.Mode == 1 && a.Rows == 0 {
		if err := a.lock(ctx, t, tx); err != nil {
			return 0, err
		}
	}
	for {
		first, ok, err := a.take(t, tx, n)
		if err != nil || ok {
			return first, err
		}
		if err := a.lock(ctx, t, tx); err != nil {
			return 0, err
		}
	}
}

// take is one step with looking whether a statement holds the lock: numbers do not get between
// those of that statement.
func (a *AutoNumbers) take(t *Table, tx *txn.Trx, n uint64) (first uint64, ok bool, err error) {
	c := &t.auto
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.loadLocked(t.loadAuto); err != nil {
		return 0, false, err
	}
	if a.Mode == 1 && a.locked == nil {
		if !t.svc.Locks.TryLockTable(&tx.Owner, t.def.ID, lock.AutoInc) {
			return 0, false, nil
		}
		defer t.svc.Locks.UnlockTable(&tx.Owner, t.def.ID, lock.AutoInc)
	}
	if first = min(a.align(c.next), a.limit); first == math.MaxUint64 {
		return 0, false, base.ErrNoNumbers
	}
	if a.Mode != 0 {
		c.takeLocked(first, n*a.step())
		c.next = min(c.next, a.limit)
	}
	a.left = c.next
	return first, true, nil
}

// lock takes the AUTO-INC lock.
func (a *AutoNumbers) lock(ctx context.Context, t *Table, tx *txn.Trx) error {
	if a.locked != nil {
		return nil
	}
	if w := t.svc.Locks.LockTable(&tx.Owner, t.def.ID, lock.AutoInc); w != nil {
		if err := t.wait(ctx, tx, w); err != nil {
			return err
		}
	}
	a.locked, a.owner = t, &tx.Owner
	return nil
}

// Given notes a value of the statement's own for the row under way; 0: one that is no positive
// integer.
func (a *AutoNumbers) Given(v uint64) {
	a.before, a.current = a.next, 0
	a.coming -= min(a.coming, 1)
	if v < math.MaxUint64 {
		a.left = max(a.left, v+1)
	}
	if a.next > 0 && v >= a.next && v < math.MaxUint64 {
		a.next = a.align(v + 1)
	}
}

// InTheWay tells whether it is the value made for the row under way that is there already: where
// values have run out. REPLACE does not replace that row.
func (a *AutoNumbers) InTheWay(def *catalog.Table, dup *DuplicateError) bool {
	p := dup.Index.Parts
	return a.current > 0 && len(p) > 0 && p[0].Column == def.AutoInc
}

// Came notes that the row under way has come in.
func (a *AutoNumbers) Came() {
	if a.First == 0 {
		a.First = a.current
	}
	a.before, a.current = a.next, 0 // the next row may ask for nothing and not come in
}

// Back takes the value of the row under way back: it has not come in. Further calls for the row
// change nothing.
func (a *AutoNumbers) Back() {
	if a.next = a.before; a.next == 0 {
		a.next = a.current // the first one
	}
	a.before, a.current = a.next, 0
}

// Unused takes the value of the row before back if it was made and nobody told what became of it.
// REQUIRES: values are made for one row after the other.
func (a *AutoNumbers) Unused() {
	if a.current > 0 {
		a.Back()
	}
}

// Watch notes where the table's counter stands, for Return.
func (a *AutoNumbers) Watch(t *Table) error {
	c := &t.auto
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.loadLocked(t.loadAuto); err != nil {
		return err
	}
	a.watched, a.began, a.left = t, c.next, c.next
	return nil
}

// Return sets the counter back to where it stood, if nobody else has moved it since. REQUIRES: no row
// that came in stays.
func (a *AutoNumbers) Return() {
	if a.watched == nil {
		return
	}
	c := &a.watched.auto
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.next == a.left {
		c.next = a.began
	}
}

// Release ends the statement.
func (a *AutoNumbers) Release() {
	if t := a.locked; t != nil {
		a.locked = nil
		t.svc.Locks.UnlockTable(a.owner, t.def.ID, lock.AutoInc)
	}
}
