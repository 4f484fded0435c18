package table

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"emberdb/engine/btree"
	"emberdb/engine/buffer"
	"emberdb/engine/catalog"
	"emberdb/engine/lock"
	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// LockMode tells whether a scan locks the rows it returns.
type LockMode uint8

const (
	None      LockMode = iota // consistent read
	Shared                    // FOR SHARE
	Exclusive                 // FOR UPDATE
)

// WaitPolicy tells what a locking scan does at a row that somebody else has locked.
type WaitPolicy uint8

const (
	Wait       WaitPolicy = iota
	NoWait                // base.ErrNoWait
	SkipLocked            // go on with the next row
)

// Locking tells how a statement locks the rows of a table that it reads.
type Locking struct {
	Lock LockMode
	Wait WaitPolicy
}

// ScanOptions says what to read and how.
type ScanOptions struct {
	Index *catalog.Index // one of the table's; nil = the clustered one
	// Lower and Upper are encoded key prefixes; nil = open.
	Lower, Upper []byte
	LowerExcl    bool // keys that begin with Lower are out
	UpperIncl    bool // keys that begin with Upper are in
	Reverse      bool
	Lock         LockMode
	Wait         WaitPolicy
	// Columns are the columns wanted, nil = all; the others are left NULL. A set that the index
	// covers is served from it.
	Columns []int
	// Part: several scans read the whole table together, this one the part between the bounds.
	Part bool
	// Room, if not nil, is asked before NextRows holds so many bytes more than a leaf.
	Room func(bytes int) bool
	// Target: rows this very statement has changed are skipped (source of UPDATE and DELETE).
	Target bool
	// Fresh: rows this very statement has changed are returned as they are now.
	Fresh bool
	// Match is asked, below REPEATABLE READ, about the last committed version of a row that
	// somebody else has locked; false skips the row without waiting. Clustered index only, nil =
	// wait.
	Match func(vals []row.Value) (bool, error)
	// All: the scan is read to its end, and no row of it changes meanwhile but those that Next has
	// returned. So a locking one may lock rows ahead of Next.
	All bool
	// First are the columns of Columns that Next gives, nil = all; Rest gives the others. Locking
	// scans only.
	First []int
	// Parts are the parts of a partitioned table that are read, ascending; nil = all.
	Parts []int
}

// Scan reads the rows of a range of an index. It belongs to one transaction and one goroutine.
type Scan struct {
	t  *Table
	tx *txn.Trx
	o  ScanOptions
	ix *index
	u  *union // of a partitioned table

	// The range: keys k with lo <= k < hi; hi nil = open.
	lo, hi    []byte
	end       []byte // memory of hi
	lowerFull bool   // lo is all columns of a unique index
	point     bool   // the range is one key of a unique index
	last      bool   // a record equal to Upper is the last of the range: nothing behind it needs a lock
	cols      []int
	covering  bool

	begun, done bool
	call        context.Context // of the statement that has called last
	pos         btree.Position  // the record looked at last
	h           horizon

	// Consistent reads: a batch of records copied out of the leaves.
	arena []byte
	items []item
	at    int
	limit int

	leaves leaves // of NextRows

	// Locking reads.
	again    bool      // look at the record of pos once more
	probes   int       // how often its row has been probed: see tryEntry
	matched  bool      // Match wants it
	state    txn.State // of its writer, when Match is to be asked
	entry    []byte    // key of the last record in the index
	rowKey   []byte    // its clustered key
	streak   int       // records locked without a wait in between
	held     lockedLeaf
	shown    []byte // row bytes of the row at hand
	beside   []byte // the record of the same leaf that was locked before the one at hand; aliases the leaf
	unlock   bool   // the last row's lock on the entry is new and may be given back
	unlockCl bool   // the same for the clustered record

	value []byte // clustered value of the current row
	walk  walk
	vals  []row.Value
	mem   []byte // bytes of vals that are not in value or arena

	seen []byte // key of the last record looked at, if damage is passed over

	calls, rows int // of Next; rows it gave
	phase       int // of the calls that are timed, so that one of some scans of a row is
}

// NewScan prepares a scan. Nothing is latched, locked or opened before the first Next.
func (t *Table) NewScan(tx *txn.Trx, o ScanOptions) *Scan {
	return &Scan{t: t, tx: tx, o: o}
}

// Restart makes s a scan of its own, like NewScan, in the memory of the scan it has been.
// REQUIRES: that one is closed, or none of its rows is in use.
func (s *Scan) Restart(t *Table, tx *txn.Trx, o ScanOptions) {
	*s = Scan{t: t, tx: tx, o: o, u: s.u, pos: s.pos, arena: s.arena[:0], items: s.items[:0], entry: s.entry[:0], rowKey: s.rowKey[:0], value: s.value[:0],
		walk: s.walk, vals: s.vals[:0], mem: s.mem[:0], end: s.end, leaves: leaves{copies: s.leaves.copies[:0]}, held: lockedLeaf{leaf: s.held.leaf}}
}

// Again ends the scan and makes it one of another range of the table, in its memory.
func (s *Scan) Again(o ScanOptions) {
	s.count()
	most := s.leaves.most
	s.Restart(s.t, s.tx, o)
	s.leaves.most = most
}

// Next returns the next row by table column, io.EOF at the end. The values belong to the scan and
// are valid until the next call.
func (s *Scan) Next(ctx context.Context) ([]row.Value, error) {
	s.call = ctx
	if !s.begun {
		if err := s.begin(ctx); err != nil {
			return nil, err
		}
	}
	if s.t.parts != nil {
		return s.nextPart(ctx)
	}
	s.h.own = s.tx.ID()
	s.h.all = s.o.Fresh || s.tx.Savepoint() <= s.h.mark
	s.calls++
	timed := (s.calls+s.phase)%sampleEvery == 0 && s.tx.Counts != nil
	var start time.Time
	if timed {
		start = time.Now()
	}
	var vals []row.Value
	var err error
	if s.o.Lock != None {
		vals, err = s.nextLocked(ctx)
	} else {
		vals, err = s.nextVisible(ctx)
	}
	if err == nil {
		s.rows++
	}
	if timed {
		s.usedFor().sampled(Fetch, time.Since(start))
	}
	return vals, err
}

// Key returns the key, in the order of the scan, of the row that Next returned last. It is valid
// until the next call.
// REQUIRES: Next has returned a row.
func (s *Scan) Key() []byte {
	if s.t.parts != nil {
		return s.u.scans[s.u.at].Key()
	}
	if s.o.Lock != None {
		return s.entry
	}
	it := s.items[s.at-1]
	return s.arena[it.key:it.value]
}

// RowKey returns the key in the clustered index of the row that Next returned last. It is valid until
// the next call.
// REQUIRES: the scan locks; Next has returned a row.
func (s *Scan) RowKey() []byte {
	if s.t.parts != nil {
		return s.u.scans[s.u.at].RowKey()
	}
	return s.rowKey
}

// countAll is count, also of the parts of a partitioned table.
func (s *Scan) countAll() {
	s.count()
	if s.u != nil {
		for i := range s.u.scans {
			s.u.scans[i].count()
		}
	}
}

// count tells the transaction's counters what the scan has done: as MySQL counts the calls of its
// handlers.
func (s *Scan) count() {
	c := s.tx.Counts
	if s.calls == 0 || c == nil {
		return
	}
	s.usedFor().add(Fetch, s.rows)
	c.Add(txn.RowsRead, s.rows)
	if s.o.Part && s.o.Lower != nil {
		c.Add(txn.ReadRndNext, s.calls)
		s.calls, s.rows = 0, 0
		return
	}
	c.Add(txn.ReadKey, 1)
	next := txn.ReadNext
	if s.o.Reverse {
		next = txn.ReadPrev
	}
	whole := s.o.Lower == nil && s.o.Upper == nil || s.o.Part
	switch {
	case whole && s.o.Reverse:
		c.Add(txn.ReadLast, 1)
		c.Add(next, s.calls-1)
	case whole && s.ix.pos == 0:
		c.Add(txn.ReadFirst, 1)
		c.Add(txn.ReadRndNext, s.calls)
	case whole:
		c.Add(txn.ReadFirst, 1)
		c.Add(next, s.calls-1)
	case !s.point:
		c.Add(next, s.calls-1)
	}
	s.calls, s.rows = 0, 0
}

// keepBytes bounds the memory a closed scan holds on to: a hundred rows of the usual size stay.
const keepBytes = 32 << 10

// Close ends the scan. Locks stay.
func (s *Scan) Close() {
	if s.u != nil && s.t.parts != nil {
		s.u.closeParts()
	}
	s.count()
	s.done, s.items, s.at, s.held, s.shown = true, s.items[:0], 0, lockedLeaf{}, nil
	copies := s.leaves.copies
	s.leaves = leaves{copies: copies[:0:min(cap(copies), 2)]}
	for _, b := range [...]*[]byte{&s.arena, &s.value, &s.mem} {
		if cap(*b) > keepBytes {
			*b = nil
		}
	}
}

// begin works out the range.
func (s *Scan) begin(ctx context.Context) error {
	if s.t.parts != nil {
		return s.beginParts(ctx)
	}
	var err error
	if s.ix, err = s.t.indexOf(s.o.Index); err != nil {
		return err
	}
	if s.ix.def.Building {
		return fmt.Errorf("index %s of table %s is being built: %w", s.ix.def.Name, s.t.told.Name, base.ErrTableGone)
	}
	s.begun = true
	if s.tx.Counts != nil {
		s.phase = int(s.tx.Counts.Get(txn.ReadKey) % sampleEvery)
	}
	s.bounds()
	s.wanted()
	s.vals = slices.Grow(s.vals[:0], s.t.width())[:s.t.width()]
	clear(s.vals)
	s.h.mark = s.tx.Statement()
	if s.o.Lock == None {
		s.h.view = s.tx.View()
		return s.t.known(s.h.view)
	}
	mode := lock.IX
	if s.o.Lock == Shared {
		mode = lock.IS
	}
	return s.t.lockTable(ctx, s.tx, mode)
}

func (s *Scan) bounds() {
	s.lo, s.hi = s.o.Lower, s.o.Upper
	if s.o.LowerExcl && s.lo != nil {
		if s.lo = row.PrefixEnd(s.lo); s.lo == nil {
			s.done = true
		}
	}
	if s.o.UpperIncl && s.hi != nil {
		if s.hi = row.PrefixEndIn(s.end, s.hi); s.hi != nil {
			s.end = s.hi
		}
	}
	if s.ix.unique && !s.o.LowerExcl && s.o.Lower != nil && !s.t.rowIDIndex(s.ix) {
		rest, err := row.SkipKey(s.lo, s.t.cols, s.ix.parts)
		null, _ := row.HasNull(s.lo, s.t.cols, s.ix.parts)
		s.lowerFull = err == nil && len(rest) == 0 && !null
		s.point = s.lowerFull && s.o.UpperIncl && bytes.Equal(s.o.Lower, s.o.Upper)
	}
	s.last = s.upperIsRow()
	if s.point && s.o.Lock != None {
		s.o.Reverse = false
	}
}

// upperIsRow tells whether the range ends with a whole clustered key. Then the row with that key,
// once it is found, ends a locking scan as in InnoDB: the gap behind it stays free.
func (s *Scan) upperIsRow() bool {
	if s.ix.pos != 0 || s.o.Reverse || !s.o.UpperIncl || s.o.Upper == nil || s.t.rowIDIndex(s.ix) {
		return false
	}
	rest, err := row.SkipKey(s.o.Upper, s.t.cols, s.ix.parts)
	return err == nil && len(rest) == 0
}

// rowIDIndex tells whether ix is the clustered index of a table without a primary key.
func (t *Table) rowIDIndex(ix *index) bool { return t.rowID && ix.pos == 0 }

// wanted finds the columns to decode and whether the index alone has them.
func (s *Scan) wanted() {
	s.cols = s.o.Columns
	if s.cols == nil {
		s.cols = s.t.all
	}
	s.covering = s.ix.pos > 0 && s.o.Columns != nil
	for _, c := range s.cols {
		s.covering = s.covering && s.ix.covers[c]
	}
}

// seek places a cursor at the first record of the range in the direction of the scan.
func (s *Scan) seek(m *buffer.Mtr) (cur btree.Cursor, err error) {
	if !s.o.Reverse {
		return s.ix.tree.Seek(m, s.lo, buffer.Shared)
	}
	if cur, err = s.ix.tree.SeekLast(m, s.hi, buffer.Shared); err == nil && s.hi != nil && cur.Exact(s.hi) {
		err = cur.Prev()
	}
	return cur, err
}

// resume places a cursor at the record to look at next: that of pos if it stays, else the one
// behind it in the direction of the scan.
func (s *Scan) resume(m *buffer.Mtr, stay bool) (cur btree.Cursor, same bool, err error) {
	cur, same, err = s.ix.tree.Restore(m, &s.pos, buffer.Shared)
	switch {
	case err != nil || same && stay:
	case s.o.Reverse:
		err = cur.Prev()
		same = false
	case same:
		err = cur.Next()
		same = false
	}
	return cur, same, err
}

// step moves the cursor in the direction of the scan.
func (s *Scan) step(cur *btree.Cursor) error {
	if s.o.Reverse {
		return cur.Prev()
	}
	return cur.Next()
}

// inside tells whether the cursor stands on a record of the range.
func (s *Scan) inside(cur *btree.Cursor) bool {
	if !cur.Valid() {
		return false
	}
	if s.o.Reverse {
		return s.lo == nil || bytes.Compare(cur.Key(), s.lo) >= 0
	}
	return s.hi == nil || bytes.Compare(cur.Key(), s.hi) < 0
}

// Get reads one row by a whole key of a unique index; as Fresh scans do it sees all changes of its
// own transaction. The values are the caller's.
func (t *Table) Get(ctx context.Context, tx *txn.Trx, idx *catalog.Index, key []byte, l LockMode, wait WaitPolicy) (vals []row.Value, ok bool, err error) {
	if l == None && (idx == nil || idx.Clustered) && t.parts == nil {
		return t.getClustered(ctx, tx, key)
	}
	s := Scan{t: t, tx: tx, o: ScanOptions{Index: idx, Lower: key, Upper: key, UpperIncl: true, Lock: l, Wait: wait, Fresh: true}}
	vals, err = s.Next(ctx)
	s.countAll()
	if err == io.EOF {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	return vals, true, nil // nobody else will use s
}

// getClustered is Get by primary key without a lock.
func (t *Table) getClustered(ctx context.Context, tx *txn.Trx, key []byte) (vals []row.Value, ok bool, err error) {
	if err := interrupted(ctx); err != nil {
		return nil, false, err
	}
	s := Scan{t: t, tx: tx, call: ctx, ix: t.clustered(), cols: t.all, h: horizon{view: tx.View(), own: tx.ID(), all: true}}
	if err := t.known(s.h.view); err != nil {
		return nil, false, err
	}
	tx.Counts.Add(txn.ReadKey, 1)
	if s.value, ok, err = t.fetch(nil, key); !ok || err != nil {
		return nil, false, err
	}
	if tx.Counts != nil {
		tx.Counts.Add(txn.RowsRead, 1)
		t.clustered().use.add(Fetch, 1)
	}
	s.vals = make([]row.Value, t.width())
	vals, err = s.showRow(key, s.value, nil)
	return vals, vals != nil, err
}

// known refuses a view from before the table was rewritten or emptied by a definition change: the
// rows it should see are gone.
func (t *Table) known(v *txn.ReadView) error {
	if t.def.Rewritten != 0 && !v.Sees(t.def.Rewritten) {
		return fmt.Errorf("table %s.%s: %w", t.told.Schema, t.told.Name, base.ErrTableGone)
	}
	return nil
}

func interrupted(ctx context.Context) error {
	if ctx.Err() != nil {
		return base.ErrInterrupted
	}
	return nil
}
