package buffer

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/internal/base"
	"emberdb/internal/invariants"
)

// A mini-transaction is the only way to read and change pages. It has two phases, told apart by
// types:
//
//	Begin         waits for log room
//	Pin ...       pages are pinned and latched, and remembered in the memo: a Page is the token for Apply
//	ReserveNew    a frame is set aside for a page that is to be made: a NewPage is the token for Create
//	(space.ReserveAlloc, space.ReserveFree ...: tokens of package space, made of these two)
//	              ---- all of the above can fail; until here nothing has changed, and giving up is
//	              Commit ----
//	Create ...    a new page is initialised
//	Apply ...     each change runs the redo operation's apply function on the page and adds its record
//	(space.Alloc, space.Free ...)
//	              ---- none of these can fail ----
//	Commit        appends the records as one group; inside the append the pages enter the flush list in LSN order; then LSNs are
//	              stamped, latches and pins are released
//
// The group is atomic in recovery, and there is no way back after the first change. So nothing is
// pinned, read or reserved after it: in a build with invariants that panics. A mini-transaction
// that is begun inside another one has phases of its own. A Mtr belongs to one goroutine and is
// dead after Commit.

// Mode of a page latch.
type Mode uint8

// The latch modes.
const (
	Shared Mode = iota + 1
	Exclusive
)

// Page is the handle of a page pinned and latched by a mini-transaction. It is valid until
// released.
type Page struct {
	m    *Mtr
	ref  frameRef
	slot uint16
	mode Mode
}

// Valid tells whether pg is a page at all; the zero Page is not.
func (pg Page) Valid() bool { return pg.ref != 0 }

// ID is the page's address.
func (pg Page) ID() base.PageID {
	return base.PageIDFrom(atomic.LoadUint64(&pg.m.pool.states[pg.ref].id))
}

// Data is the page's bytes. Read only: changes go through Mtr.Apply.
func (pg Page) Data() []byte { return pg.m.pool.page(pg.ref) }

// LSN is the end of the last committed mini-transaction that changed the page.
func (pg Page) LSN() base.LSN { return pagefile.LSN(pg.Data()) }

// Mode is the mode of the latch.
func (pg Page) Mode() Mode { return pg.mode }

// memoEntry is a page the mini-transaction holds. ref 0: the slot is unused.
type memoEntry struct {
	id      uint64
	ref     frameRef
	uses    uint16 // Pins minus Releases
	mode    Mode
	changed bool
	created bool
	unmade  bool // of ReserveNew: the frame is not the page yet
}

// NewPage is a frame that a mini-transaction has set aside for a page nobody has. Create makes it
// the page; without that, Commit gives the frame back.
type NewPage struct{ pg Page }

// ID is the page's address.
func (n NewPage) ID() base.PageID { return n.pg.ID() }

type mtrKind uint8

const (
	mtrDone mtrKind = iota
	mtrRead
	mtrWrite
)

const (
	memoInline  = 8
	recordsKeep = 64 << 10 // a larger record buffer is not kept for the next mini-transaction
)

// Mtr is a mini-transaction.
type Mtr struct {
	pool     *Pool
	memo     []memoEntry
	records  []byte
	kind     mtrKind
	doomed   error // why Begin got no log room: nothing may be changed
	stripe   uint32
	reads    uint64 // page accesses not yet counted
	writes   uint64
	onAppend func(start, end base.LSN) // m.enterFlushList, bound once
	inline   [memoInline]memoEntry
	scratch  [16]byte
}

func newMtr(p *Pool) *Mtr {
	m := &Mtr{pool: p, stripe: p.stats.nextStripe()}
	m.memo = m.inline[:0]
	m.onAppend = m.enterFlushList
	return m
}

func (p *Pool) begin(kind mtrKind) *Mtr {
	m := p.mtrs.Get().(*Mtr)
	m.kind = kind
	return m
}

// Begin starts a mini-transaction that may change pages. It waits for room in the log; if there
// will be none (disk full, log failed), the first exclusive Pin or Create returns the reason.
// REQUIRES: no page latch held.
func (p *Pool) Begin() *Mtr {
	err := p.flush.log.WaitRoom(context.Background())
	m := p.begin(mtrWrite)
	m.doomed = err
	return m
}

// Ready tells why m, which holds no page, may log nothing.
func (m *Mtr) Ready() error { return m.mayPin(Exclusive) }

// BeginNested starts a mini-transaction inside another one. It never waits for log room.
func (p *Pool) BeginNested() *Mtr { return p.begin(mtrWrite) }

// BeginRead starts a mini-transaction that changes nothing.
func (p *Pool) BeginRead() *Mtr { return p.begin(mtrRead) }

// Pool is the pool m belongs to.
func (m *Mtr) Pool() *Pool { return m.pool }

// Changed tells whether something was logged.
func (m *Mtr) Changed() bool { return len(m.records) > 0 }

// LogSize is the number of bytes logged so far. A group is at most redo.Log.MaxGroup long.
func (m *Mtr) LogSize() int { return len(m.records) }

// Pin reads the page if it is absent, pins it and latches it. A page the mini-transaction holds
// already is returned again; asking for Exclusive while holding Shared panics. Each Pin is undone
// by its own Release, or by Commit.
func (m *Mtr) Pin(id base.PageID, mode Mode) (Page, error) {
	pg, _, err := m.pin(id, mode, pinWait)
	return pg, err
}

// TryPin is Pin, but returns false instead of waiting for the latch. It does read an absent page.
func (m *Mtr) TryPin(id base.PageID, mode Mode) (Page, bool, error) {
	return m.pin(id, mode, pinTry)
}

// ReserveNew sets a frame aside for a page that Create is going to make, whatever its bytes were:
// it is not read.
func (m *Mtr) ReserveNew(id base.PageID) (NewPage, error) {
	m.requireWrite()
	pg, _, err := m.pin(id, Exclusive, pinCreate)
	return NewPage{pg}, err
}

// Create initialises a page: zeros and a header.
func (m *Mtr) Create(n NewPage, t pagefile.PageType) Page {
	e := m.entry(n.pg)
	if e.unmade {
		m.pool.states[e.ref].changing()
		m.pool.reader.make(e.ref)
		e.unmade = false
	}
	body := encodeInitPage(base.PageIDFrom(e.id), t)
	m.Apply(n.pg, redo.OpInitPage, append(m.scratch[:0], body[:]...))
	e.created = true
	return n.pg
}

func (m *Mtr) pin(id base.PageID, mode Mode, how pinHow) (Page, bool, error) {
	key := id.Uint64()
	slot := -1
	for i := range m.memo {
		e := &m.memo[i]
		if e.ref == 0 {
			slot = i
		} else if e.id == key {
			return m.again(i, mode), true, nil
		}
	}
	if invariants.Enabled && len(m.records) > 0 {
		panic(fmt.Sprintf("buffer: page %s is asked for after a change", id))
	}
	if err := m.mayPin(mode); err != nil {
		return Page{}, false, err
	}
	m.reads++
	ref, err := m.pool.reader.pin(key, mode, how)
	if err != nil || ref == 0 {
		return Page{}, false, err
	}
	if slot < 0 {
		slot = len(m.memo)
		m.memo = append(m.memo, memoEntry{})
	}
	m.memo[slot] = memoEntry{id: key, ref: ref, uses: 1, mode: mode, unmade: how == pinCreate && !m.pool.isResident(ref)}
	if invariants.Enabled {
		invariants.Held(latchOf(key), how == pinTry)
	}
	return Page{m: m, ref: ref, slot: uint16(slot), mode: mode}, true, nil
}

// mayPin tells why m cannot have a new page in the given mode.
func (m *Mtr) mayPin(mode Mode) error {
	switch {
	case m.kind == mtrDone:
		panic("buffer: use of a finished mini-transaction")
	case m.kind == mtrRead || mode == Shared:
		return nil
	case m.doomed != nil:
		return m.doomed
	}
	return m.pool.failure.Err()
}

// again returns a page the memo holds.
func (m *Mtr) again(slot int, mode Mode) Page {
	e := &m.memo[slot]
	if mode == Exclusive && e.mode == Shared {
		panic(fmt.Sprintf("buffer: page %s asked for exclusively while held shared", base.PageIDFrom(e.id)))
	}
	e.uses++
	m.reads++
	return Page{m: m, ref: e.ref, slot: uint16(slot), mode: e.mode}
}

// entry returns the memo's entry of pg.
func (m *Mtr) entry(pg Page) *memoEntry {
	if int(pg.slot) >= len(m.memo) || m.memo[pg.slot].ref != pg.ref || pg.ref == 0 || pg.m != m {
		panic("buffer: page is not held by this mini-transaction")
	}
	return &m.memo[pg.slot]
}

// Release gives a page back before Commit. It panics if the mini-transaction has changed the page.
func (m *Mtr) Release(pg Page) {
	e := m.entry(pg)
	if e.uses > 1 {
		e.uses--
		return
	}
	if e.changed {
		panic(fmt.Sprintf("buffer: early release of changed page %s", pg.ID()))
	}
	m.drop(e)
	for n := len(m.memo); n > 0 && m.memo[n-1].ref == 0; n-- {
		m.memo = m.memo[:n-1]
	}
}

// latchOf is the class of a page's latch.
func latchOf(id uint64) invariants.Class {
	if base.PageIDFrom(id).Space == base.UndoSpace {
		return invariants.UndoPage{}
	}
	return invariants.DataPage{}
}

func (m *Mtr) drop(e *memoEntry) {
	if invariants.Enabled {
		invariants.Released(latchOf(e.id))
	}
	if e.unmade {
		m.pool.reader.readFailed(e.ref, errReadAgain) // who waits for the page looks for it himself
		*e = memoEntry{}
		return
	}
	pr := m.pool.procs.at(e.ref)
	pr.unlock(e.mode)
	pr.unpin()
	e.ref = 0
}

// Holds tells whether m holds the page.
func (m *Mtr) Holds(id base.PageID) bool {
	for i := range m.memo {
		if e := &m.memo[i]; e.ref != 0 && e.id == id.Uint64() {
			return true
		}
	}
	return false
}

// Unreserve gives back what ReserveNew has set aside.
func (m *Mtr) Unreserve(n NewPage) { m.Release(n.pg) }

func (m *Mtr) requireWrite() {
	if m.kind != mtrWrite {
		panic("buffer: change by a mini-transaction that only reads, or is finished")
	}
}

// Apply changes a page: it logs the operation and runs its apply function. body is concatenated.
// REQUIRES: pg is held exclusively.
func (m *Mtr) Apply(pg Page, op redo.Op, body ...[]byte) {
	m.requireWrite()
	e := m.entry(pg)
	if e.mode != Exclusive {
		panic(fmt.Sprintf("buffer: change of page %s, which is held shared", pg.ID()))
	}
	id := base.PageIDFrom(e.id)
	m.records = redo.AppendRecord(m.records, op, id, body...)
	n := 0
	for _, b := range body {
		n += len(b)
	}
	rec := redo.Record{Op: op, Page: id, Body: m.records[len(m.records)-n:]}
	if !e.changed {
		e.changed = true
		m.writes++
		m.pool.states[e.ref].changing()
	}
	if err := redo.Apply(rec, pg.Data()); err != nil {
		panic(fmt.Sprintf("buffer: apply op %d on page %s: %v", op, id, err))
	}
}

// Log adds a record that concerns no page.
func (m *Mtr) Log(op redo.Op, body ...[]byte) {
	m.requireWrite()
	m.records = redo.AppendRecord(m.records, op, base.PageID{}, body...)
}

// LogSpace adds a record that concerns a whole tablespace.
func (m *Mtr) LogSpace(op redo.Op, space base.SpaceID, body ...[]byte) {
	m.requireWrite()
	m.records = redo.AppendRecord(m.records, op, base.PageID{Space: space}, body...)
}

// Commit ends the mini-transaction and returns the end of its group in the log, 0 when it logged
// nothing. The error says that the log has not taken the group, and never will: the engine has
// failed, and the pages stay as they are, in memory.
func (m *Mtr) Commit() (end base.LSN, err error) {
	if m.kind == mtrDone {
		panic("buffer: second Commit of a mini-transaction")
	}
	if len(m.records) > 0 {
		end, err = m.append()
	}
	for i := len(m.memo) - 1; i >= 0; i-- {
		if e := &m.memo[i]; e.ref != 0 {
			m.drop(e)
		}
	}
	m.finish()
	return end, err
}

// append hands the group to the log and stamps the pages.
func (m *Mtr) append() (base.LSN, error) {
	end, err := m.pool.flush.log.Append(m.records, m.onAppend)
	if err != nil {
		if !errors.Is(err, base.ErrFailed) {
			panic(fmt.Sprintf("buffer: append of %d bytes: %v", len(m.records), err)) // a group beyond redo.MaxGroup: a bug
		}
		m.pool.flush.keepRefused(m)
		return 0, err
	}
	for i := range m.memo {
		if e := &m.memo[i]; e.changed && e.ref != 0 {
			pagefile.SetLSN(m.pool.page(e.ref), end)
			m.pool.states[e.ref].changed(end, 0)
		}
	}
	return end, nil
}

// finish returns m for the next Begin.
func (m *Mtr) finish() {
	p := m.pool
	p.stats.count(m.stripe, m.reads, m.writes)
	m.reads, m.writes = 0, 0
	m.kind, m.doomed = mtrDone, nil
	if cap(m.memo) > 64*memoInline {
		m.memo = m.inline[:0]
	}
	m.memo = m.memo[:0]
	if cap(m.records) > recordsKeep {
		m.records = nil
	}
	m.records = m.records[:0]
	p.mtrs.Put(m)
}
