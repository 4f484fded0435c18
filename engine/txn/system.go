package txn

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"emberdb/engine/buffer"
	"emberdb/engine/lock"
	"emberdb/engine/redo"
	"emberdb/internal/base"
	"emberdb/internal/invariants"
)

// State of a transaction id.
type State uint8

const (
	Active    State = iota // unfinished (or prepared): its rows are locked by it
	Committed              // or never existed, or rolled back and cleaned
	Aborted                // rolled back, but its versions still stand in rows: restore them before changing the row
)

func (s State) String() string { return [...]string{"active", "committed", "aborted"}[s] }

// RowUndoer is the table room's part. Both methods are called without any latch, and may be called
// again for the same record after a crash; UndoRow also beside a writer that restores the same row.
// rec is valid during the call only.
type RowUndoer interface {
	// UndoRow takes the change back if the row still has (rec.Trx, rec.Ptr), else does nothing.
	UndoRow(rec *UndoRecord) error
	// PurgeRow removes what nobody can see any more: the version before the change is needed by no
	// view.
	PurgeRow(rec *UndoRecord) error
}

// Options of a System.
type Options struct {
	Pool  *buffer.Pool
	Log   *redo.Log
	Locks *lock.Manager
	// NextID is the first id that was never reserved: the maximum of the checkpoint's and of the
	// OpTrxIDReserve records behind it; at least 1.
	NextID base.TrxID
	// RollbackInPlace is the number of records up to which a rollback is done by its caller; 0:
	// 10,000.
	RollbackInPlace int
	// Forced is innodb_force_recovery: from 2 on nothing is purged, from 3 on unfinished
	// transactions are not rolled back, from 4 on nobody writes, from 5 on undo is not looked at,
	// so that every change counts as committed.
	Forced int
	Logger *slog.Logger
}

// idBatch is how many ids one OpTrxIDReserve record reserves.
const idBatch = 1024

type activeTrx struct {
	id base.TrxID
	t  *Trx
}

// System knows all transactions.
//
// Invariants:
//
//	(1) active holds, in ascending order, every id whose changes must be invisible to new views:
//	    unfinished transactions, and aborted ones until their last row is restored.
//	(2) An id or commit number is handed out only when a reservation above it stands in the log
//	    before anything that uses it.
//	(3) A committing transaction leaves active only when its commit is as durable as the caller
//	    asked for.
//
// Latches: a stream's pages > mu > redo append. mu is never held across I/O, but for the room in
// the log's buffer, once in idBatch ids.
type System struct {
	pool    *buffer.Pool
	log     *redo.Log
	locks   *lock.Manager
	logger  *slog.Logger
	inPlace uint64
	forced  int
	undoer  RowUndoer

	current       atomic.Pointer[snapshot]
	oldestActive  atomic.Uint64
	oldestAborted atomic.Uint64
	purgeLimit    atomic.Uint64

	mu struct {
		invariants.Mutex[invariants.TxnList]
		next, reserved      base.TrxID // next <= reserved
		active              []activeTrx
		committing          []base.TrxID // numbers handed out whose transactions are still in active, ascending
		firstView, lastView *snapshot
		aborted             int
		found               int           // of them those that Recover found
		cleaned             chan struct{} // closed and renewed when an aborted transaction is cleaned
	}

	spares sync.Pool // *Trx, zero: see Recycle

	all struct { // every begun transaction, for Snapshot
		invariants.Mutex[invariants.TxnAll]
		first *Trx
		n     int
	}

	turns    turns
	streams  streams
	undone   undoQueue
	maxUndo  atomic.Int64 // bytes
	cutHolds atomic.Int64 // callers of HoldCuts
	readOnly atomic.Bool  // see SetReadOnly
	shrinker shrinker
	grown    chan base.PageNo // pages new to streams
	purge    purge
	stats    struct {
		commits, readOnly, rollbacks, records, purged, undoneRows atomic.Int64
	}

	stop    context.Context
	cancel  context.CancelFunc
	workers sync.WaitGroup
}

// Open returns a system over a formatted undo space. Recover comes next, before any view is opened.
func Open(o Options) (*System, error) {
	if o.NextID == 0 {
		return nil, fmt.Errorf("txn: the first transaction id is not known")
	}
	s := &System{pool: o.Pool, log: o.Log, locks: o.Locks, logger: o.Logger, inPlace: uint64(cmp.Or(o.RollbackInPlace, 10_000)), forced: o.Forced}
	s.turns.moved.L = &s.turns
	if s.logger == nil {
		s.logger = slog.New(slog.DiscardHandler)
	}
	s.mu.next, s.mu.reserved = o.NextID, o.NextID
	s.mu.cleaned = make(chan struct{})
	s.grown = make(chan base.PageNo, 1)
	s.shrinker.cut = s.log.Appended() // an earlier life may have left the file longer than the space
	s.oldestActive.Store(uint64(MaxTrxID))
	s.oldestAborted.Store(uint64(MaxTrxID))
	s.stop, s.cancel = context.WithCancel(context.Background())
	s.undone.init()
	s.purge.init()
	if s.forced >= 5 {
		return s, nil
	}
	if err := s.streams.open(s.pool); err != nil {
		return nil, fmt.Errorf("opening the undo space: %w", err)
	}
	return s, nil
}

// SetUndoer tells who takes row changes back. REQUIRES: before the first transaction that writes.
func (s *System) SetUndoer(u RowUndoer) { s.undoer = u }

// Start begins background rollback and purge.
func (s *System) Start() {
	for level, work := range map[int]func(){4: s.growWorker, 3: s.rollbackWorker, 2: s.purgeWorker} {
		if s.forced < level {
			s.workers.Add(1)
			go work()
		}
	}
}

// Close stops the background work between two rows. What is left goes on after the next Open.
func (s *System) Close() {
	s.cancel()
	s.workers.Wait()
}

// NextReservedID is the bound that the checkpoint must carry.
// REQUIRES: read after the checkpoint's LSN was chosen.
func (s *System) NextReservedID() base.TrxID {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mu.reserved
}

// nextLocked hands out an id or commit number.
func (s *System) nextLocked() (base.TrxID, error) {
	if s.mu.next == s.mu.reserved {
		m := s.pool.BeginNested()
		m.Log(redo.OpTrxIDReserve, EncodeReserve(s.mu.reserved+idBatch))
		if _, err := m.Commit(); err != nil {
			return 0, err
		}
		s.mu.reserved += idBatch
	}
	s.mu.next++
	return s.mu.next - 1, nil
}

// find returns the position of id in active.
func (s *System) findLocked(id base.TrxID) (int, bool) {
	return slices.BinarySearchFunc(s.mu.active, id, func(a activeTrx, id base.TrxID) int { return cmp.Compare(a.id, id) })
}

// enter gives t its id.
func (s *System) enter(t *Trx) error {
	if s.forced >= 4 {
		return base.ErrForced
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	id, err := s.nextLocked()
	if err != nil {
		return err
	}
	s.mu.active = append(s.mu.active, activeTrx{id, t})
	t.id.Store(uint64(id))
	s.boundsLocked()
	return nil
}

// leaveLocked takes t out of active: from now on new views see it.
func (s *System) leaveLocked(t *Trx) {
	if i, ok := s.findLocked(t.ID()); ok {
		s.mu.active = slices.Delete(s.mu.active, i, i+1)
	}
	s.retireSnapshotLocked()
	s.boundsLocked()
}

// boundsLocked brings the atomic shortcuts up to date.
func (s *System) boundsLocked() {
	oldest, aborted := MaxTrxID, MaxTrxID
	if len(s.mu.active) > 0 {
		oldest = s.mu.active[0].id
	}
	if s.mu.aborted > 0 {
		for _, a := range s.mu.active {
			if a.t.State() == Aborted {
				aborted = a.id
				break
			}
		}
	}
	s.oldestActive.Store(uint64(oldest))
	s.oldestAborted.Store(uint64(aborted))
}

// OldestActive: no id below is active or aborted. MaxTrxID if none is.
func (s *System) OldestActive() base.TrxID { return base.TrxID(s.oldestActive.Load()) }

// OldestAborted: no id below is aborted and uncleaned. MaxTrxID if none is.
func (s *System) OldestAborted() base.TrxID { return base.TrxID(s.oldestAborted.Load()) }

// State tells what became of transaction id, the writer of a row version.
func (s *System) State(id base.TrxID) State {
	st, _ := s.lookup(id)
	return st
}

func (s *System) lookup(id base.TrxID) (State, *Trx) {
	if uint64(id) < s.oldestActive.Load() {
		return Committed, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	i, ok := s.findLocked(id)
	if !ok {
		return Committed, nil
	}
	return s.mu.active[i].t.State(), s.mu.active[i].t
}

// LockImplicit is State, and if the transaction is active, turns the lock it has on the record by
// having written it into an entry of the lock table, so that one can wait for it.
// REQUIRES: the leaf's latch is held, so that the row's writer stays what the caller saw.
func (s *System) LockImplicit(id base.TrxID, tree base.IndexID, key []byte) State {
	for {
		st, t := s.lookup(id)
		if st != Active || s.locks.Convert(&t.Owner, tree, key) {
			return st
		}
		// It has ended since, and changed its state before it released its locks: look again.
	}
}

// KeepLock makes sure that transaction id, which takes back its change of a record, keeps the
// record's lock if it goes on.
// REQUIRES: as LockImplicit.
func (s *System) KeepLock(id base.TrxID, tree base.IndexID, key []byte) {
	if st, t := s.lookup(id); st == Active && t.GaveBack() {
		s.locks.Convert(&t.Owner, tree, key)
	}
}

// Stats are counters since the start.
type Stats struct {
	Commits, ReadOnlyCommits, Rollbacks int64
	UndoRecords, UndoneRows, PurgedRows int64
	HistoryLength                       int64
	Active, Transactions                int
	Aborted                             int // transactions whose rows are not all restored
	NextID, PurgeLimit                  base.TrxID
	UndoStreams                         int
	OldestView                          base.TrxID
}

// Stats reads the counters.
func (s *System) Stats() Stats {
	st := Stats{Commits: s.stats.commits.Load(), ReadOnlyCommits: s.stats.readOnly.Load(), Rollbacks: s.stats.rollbacks.Load(),
		UndoRecords: s.stats.records.Load(), UndoneRows: s.stats.undoneRows.Load(), PurgedRows: s.stats.purged.Load(),
		HistoryLength: s.HistoryLength(), PurgeLimit: s.PurgeLimit(), UndoStreams: s.streams.count()}
	s.mu.Lock()
	st.Active, st.Aborted, st.NextID = len(s.mu.active)-s.mu.aborted, s.mu.aborted, s.mu.next
	if s.mu.firstView != nil {
		st.OldestView = s.mu.firstView.low
	}
	s.mu.Unlock()
	s.all.Lock()
	st.Transactions = s.all.n
	s.all.Unlock()
	return st
}

// Info describes a transaction, for information_schema.INNODB_TRX.
type Info struct {
	ID        base.TrxID // 0: has not written
	State     State
	Recovered bool // found unfinished when the engine was opened
	Thread    uint64
	Isolation Isolation
	ReadOnly  bool
	Started   time.Time
	Rows      int64 // changed
	Locks     int
}

// Snapshot lists the transactions that have begun and not ended, aborted ones until they are
// cleaned.
func (s *System) Snapshot() (all []Info) {
	s.all.Lock()
	defer s.all.Unlock()
	for t := s.all.first; t != nil; t = t.nextAll {
		in := Info{ID: t.ID(), State: t.State(), Recovered: t.recovered, Thread: t.Thread(), Isolation: t.iso, ReadOnly: t.readOnly,
			Started: t.started, Rows: t.Weight(), Locks: t.Locks()}
		all = append(all, in)
	}
	return all
}
