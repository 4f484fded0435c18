package txn

import (
	"sync/atomic"
	"time"

	"emberdb/engine/lock"
	"emberdb/internal/base"
)

// Isolation level.
type Isolation uint8

const (
	ReadUncommitted Isolation = iota
	ReadCommitted
	RepeatableRead
	Serializable
)

func (i Isolation) String() string {
	return [...]string{"READ UNCOMMITTED", "READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"}[i]
}

// SyncMode is how durable a commit is when it becomes visible (innodb_flush_log_at_trx_commit).
type SyncMode uint8

const (
	SyncNone  SyncMode = iota // 0: the background flush takes it along
	SyncWrite                 // 2: survives the process, not the machine
	SyncFlush                 // 1: survives a power cut
)

// Mark is a point in a transaction: the undo records behind it have at least that number.
type Mark uint64

// noStatement is the boundary before the first StartStatement: all of a transaction's own changes
// lie before it.
const noStatement = ^Mark(0)

// Turn is the place of a transaction in an order that is given from outside. Its commit takes no
// place in the log ahead of Wait, and calls Pass when it has one. An error of Wait has it rolled
// back.
type Turn interface {
	Wait() error
	Pass()
	lock.Ordered
}

// Trx is a transaction. It is used by one goroutine at a time and not again after Commit or
// Rollback, but for what Recycle does with its memory.
//
//	Begin ──first LogUndo──> Active with id and stream ──Commit──> Committed, gone
//	  │                         │        │
//	  └─Commit, Rollback: gone  │        └─Rollback, small──> rows restored, gone
//	                            ├─Rollback, large; crash──> Aborted ──background worker──> gone
//	                            └─Prepare──> prepared, Active to all others ──crash──> prepared
//	                            ──Commit, Rollback──> as above
type Trx struct {
	lock.Owner
	// LockWait is how long a row lock is waited for (innodb_lock_wait_timeout of the session); 0:
	// the engine's default.
	LockWait time.Duration
	// Journal, if not nil, follows the transaction: what it gathers is committed with it.
	Journal *Journal
	// CheckReads makes it an error to lock a row that has changed since t's view was made
	// (innodb_snapshot_isolation). From REPEATABLE READ up.
	CheckReads bool
	// Turn, if not nil, orders its commit among others.
	Turn Turn
	// Counts, if not nil, count what is done to rows.
	Counts *RowCounts

	sys        *System
	id         atomic.Uint64
	state      atomic.Uint32 // State; changed under System.mu
	iso        Isolation
	readOnly   bool
	client     bool // a client's: it may not begin to write while the server is read-only
	recovered  bool // found at open, unfinished or prepared
	unfinished bool // found unfinished at open
	ended      bool
	started    time.Time
	doom       doom    // once it is aborted
	branch     *Branch // once it is prepared
	turn       turn    // of its commit
	view       ReadView
	statement  Mark // where the present statement began

	// The undo log; nil stream: nothing written yet.
	stream  *stream
	log     base.RollPtr // its header, 0 until the first record
	records Mark         // every record that is not rolled back has a number below
	next    Mark         // number of the next record; numbers are not given twice
	work    bool         // some record must be seen by purge
	torn    error        // why a RollbackTo stopped half-way

	prevAll, nextAll *Trx // System.all
}

// Begin starts a transaction. It costs nothing lasting until the first write.
func (s *System) Begin(iso Isolation, readOnly bool) *Trx {
	t, ok := s.spares.Get().(*Trx)
	if !ok {
		t = new(Trx)
	}
	t.sys, t.iso, t.readOnly, t.started, t.statement = s, iso, readOnly, time.Now(), noStatement
	t.SetReadCommitted(iso <= ReadCommitted)
	s.register(t)
	return t
}

// Recycle lets a later Begin use t's memory, if t has taken no id and no lock on rows or tables:
// then others knew it only while they held a latch of System.all or of a shard of the lock table.
// REQUIRES: t has ended, has no metadata lock, and the caller is the last to know it.
func (s *System) Recycle(t *Trx) {
	if t.ended && t.ID() == 0 && t.Bare() {
		*t = Trx{}
		s.spares.Put(t)
	}
}

func (s *System) register(t *Trx) {
	s.all.Lock()
	defer s.all.Unlock()
	t.nextAll = s.all.first
	if t.nextAll != nil {
		t.nextAll.prevAll = t
	}
	s.all.first = t
	s.all.n++
}

func (s *System) unregister(t *Trx) {
	s.all.Lock()
	defer s.all.Unlock()
	if t.prevAll != nil {
		t.prevAll.nextAll = t.nextAll
	} else {
		s.all.first = t.nextAll
	}
	if t.nextAll != nil {
		t.nextAll.prevAll = t.prevAll
	}
	t.prevAll, t.nextAll = nil, nil
	s.all.n--
}

// System is the system t belongs to.
func (t *Trx) System() *System { return t.sys }

// ID is t's id, 0 before its first write.
func (t *Trx) ID() base.TrxID { return base.TrxID(t.id.Load()) }

// State is Active until t is aborted.
func (t *Trx) State() State { return State(t.state.Load()) }

// Isolation is the level t began with.
func (t *Trx) Isolation() Isolation { return t.iso }

// ReadOnly tells whether t may not write.
func (t *Trx) ReadOnly() bool { return t.readOnly }

// SetClient says whether t is a client's. Only the transactions of clients are refused their first
// write while the server is read-only.
func (t *Trx) SetClient(is bool) { t.client = is }

// SetReadOnly makes the server read-only: the first write of a client's transaction is refused with
// base.ErrServerReadOnly.
func (s *System) SetReadOnly(on bool) { s.readOnly.Store(on) }

// Started is when t began.
func (t *Trx) Started() time.Time { return t.started }

// Ended tells whether Commit or Rollback has been called.
func (t *Trx) Ended() bool { return t.ended }

// EnsureID gives t an id, so that other transactions know it as a writer.
func (t *Trx) EnsureID() (base.TrxID, error) {
	if id := t.ID(); id != 0 {
		return id, nil
	}
	switch {
	case t.readOnly:
		return 0, base.ErrReadOnly
	case t.client && t.sys.readOnly.Load():
		return 0, base.ErrServerReadOnly
	}
	if err := t.sys.enter(t); err != nil {
		return 0, err
	}
	t.SetID(t.ID())
	t.view.creator = t.ID()
	return t.ID(), nil
}

// View is what t sees. It is opened by the first call: per transaction at REPEATABLE READ and
// SERIALIZABLE, per statement below.
func (t *Trx) View() *ReadView {
	if !t.view.open {
		t.sys.openView(&t.view, t.ID(), t.iso)
	}
	return &t.view
}

// Outdated tells whether t must not lock a row of that last writer: its view is older than the
// change. See CheckReads.
func (t *Trx) Outdated(writer base.TrxID) bool {
	return t.CheckReads && t.view.open && t.iso >= RepeatableRead && !t.view.Sees(writer)
}

// StartStatement marks the boundary between two statements and returns the point to roll the new
// one back to.
func (t *Trx) StartStatement() Mark {
	if t.iso <= ReadCommitted && t.view.open {
		t.sys.closeView(&t.view)
	}
	t.statement = t.records
	if t.Journal != nil {
		t.Journal.startStatement(t.statement)
	}
	return t.statement
}

// Boundary is the present point of t, to which RollbackTo may go back.
func (t *Trx) Boundary() Mark {
	if t.Journal != nil {
		t.Journal.boundary(t.records)
	}
	return t.records
}

// SetStatement moves the boundary without a new statement: what a trigger runs sees what the
// statement has changed so far.
func (t *Trx) SetStatement(m Mark) { t.statement = m }

// Statement is where the present statement began: a row whose UndoRecord.No is at or above it, in a
// log of t, was changed by it. Without any StartStatement it is above every record.
func (t *Trx) Statement() Mark { return t.statement }

// Savepoint is the present point of t: that of Boundary, for those who go back to it before anybody
// was told of what they did.
func (t *Trx) Savepoint() Mark { return t.records }

// end takes t off all lists but the active one: its view, its locks, its place among the begun
// ones.
func (t *Trx) end() {
	t.ended = true
	if t.view.open {
		t.sys.closeView(&t.view)
	}
	t.sys.locks.ReleaseAll(&t.Owner)
	t.sys.unregister(t)
}
