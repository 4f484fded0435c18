package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"emberdb/engine/buffer"
	"emberdb/engine/catalog"
	"emberdb/engine/dict"
	"emberdb/engine/lock"
	"emberdb/engine/pagefile"
	"emberdb/engine/recovery"
	"emberdb/engine/redo"
	"emberdb/engine/space"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/engine/warm"
	"emberdb/internal/base"
)

// Engine is an open storage engine.
type Engine struct {
	o        Options
	id       dirIdentity
	formatMu sync.Mutex // of id.Format
	dirLock  io.Closer
	files    *pagefile.Files
	log      *redo.Log
	failure  *base.Failure
	pool     *buffer.Pool
	memory   *os.File // of pool, where it is left to the next process; nil: it is not
	redo     *recovery.Redo
	locks    *lock.Manager
	txns     *txn.System
	rows     table.Services
	dict     *dict.Dict
	warm     *warm.Manager
	timeline *recovery.Timeline
	target   *recoveryTarget
	reporter reporter
	damage   damage
	names    tableNames
	binlog   binlogs
	branches branches
	backups  backups
	restored base.LSN // end of the backup the directory comes from, until the checkpoint has passed it; checkpointMu
	wasClean bool

	checkpoint   *checkpointer
	checkpointMu sync.Mutex
	flushAtTrx   atomic.Int32
	logSync      *periodic
	background   sync.WaitGroup // recovery and sweeps begun by Open
	stopRecovery context.CancelFunc
	watch        context.Context // of the rollback after a crash, which a shutdown does not wait for
	stopWatch    context.CancelFunc
	mirror       *redo.Mirror // nil: the pool's memory is private
	unredone     bool         // recovery was stopped; of background
	closed       atomic.Bool
}

// UUID is the identity of the data directory, MySQL's server_uuid.
func (e *Engine) UUID() string { return e.id.UUID }

// Timeline tells what the start spent its time on.
func (e *Engine) Timeline() *recovery.Timeline { return e.timeline }

// Warm is the keeper of the LRU list.
func (e *Engine) Warm() *warm.Manager { return e.warm }

// QueryReads tells how many reads of pages that queries waited for have ended, and how many are in
// flight.
func (e *Engine) QueryReads() (ended uint64, inFlight int) {
	ended, _ = e.pool.Reader().ForegroundTime()
	return ended, e.pool.Reader().ForegroundReads()
}

// Locks is the lock table, for status and LOCK TABLES.
func (e *Engine) Locks() *lock.Manager { return e.locks }

// Txns is the transaction system, for status.
func (e *Engine) Txns() *txn.System { return e.txns }

// DictVersion grows with every definition change.
func (e *Engine) DictVersion() uint64 { return e.dict.Version() }

// Begin starts a transaction. It costs nothing until rows are touched.
func (e *Engine) Begin(iso txn.Isolation, readOnly bool) *txn.Trx { return e.txns.Begin(iso, readOnly) }

// SetReadOnly makes the engine refuse the first write of a client's transaction
// (txn.Trx.SetClient).
func (e *Engine) SetReadOnly(on bool) { e.txns.SetReadOnly(on) }

// SetFlushLogAtCommit changes innodb_flush_log_at_trx_commit.
func (e *Engine) SetFlushLogAtCommit(v int) { e.flushAtTrx.Store(int32(v)) }

// lockWait is innodb_lock_wait_timeout as it holds for tx.
func (e *Engine) lockWait(tx *txn.Trx) time.Duration { return cmp.Or(tx.LockWait, e.o.LockWaitTimeout) }

func (e *Engine) syncMode() txn.SyncMode {
	switch e.flushAtTrx.Load() {
	case 0:
		return txn.SyncNone
	case 2:
		return txn.SyncWrite
	default:
		return txn.SyncFlush
	}
}

// Commit makes the transaction's changes durable, as innodb_flush_log_at_trx_commit says, and
// visible, and ends it in every case. Definition changes enter the cache before the metadata locks
// go; files the transaction dropped are removed afterwards.
func (e *Engine) Commit(_ context.Context, tx *txn.Trx) error {
	sync := e.syncMode()
	if e.dict.Changes(tx) {
		sync = txn.SyncFlush // files are removed on the strength of it
	}
	err := e.txns.Commit(tx, sync)
	e.leave(tx, err == nil)
	return err
}

// Recycle lets another transaction use the memory of tx, if it was a small one.
// REQUIRES: Commit has ended tx, and nobody uses it any more.
func (e *Engine) Recycle(tx *txn.Trx) { e.txns.Recycle(tx) }

// Rollback undoes the transaction's changes and ends it.
func (e *Engine) Rollback(tx *txn.Trx) error {
	err := e.txns.Rollback(tx)
	e.leave(tx, false)
	return err
}

// leave ends the dictionary's part of a transaction, then its metadata locks, then removes the
// files nobody needs.
func (e *Engine) leave(tx *txn.Trx, committed bool) {
	gone := e.dict.Leave(tx, committed)
	e.locks.ReleaseMeta(&tx.Owner, lock.Transaction)
	if len(gone) == 0 || e.closed.Load() {
		return
	}
	e.dict.Barrier()
	e.remove(gone)
}

// removedAtOnce is how many files are removed before the DDL log hears of it.
const removedAtOnce = 512

// remove deletes the tablespace files and trees that no definition names any more, and takes them
// out of the DDL log. What cannot be removed will be at the next start.
func (e *Engine) remove(gone []dict.Remains) {
	var files []dict.Remains
	for _, r := range gone {
		if r.Index == 0 {
			files = append(files, r)
			continue
		}
		err := e.dropTree(r)
		if err == nil {
			err = e.dict.Gone(context.Background(), r)
		}
		e.notRemoved(err, r)
	}
	for some := range slices.Chunk(files, removedAtOnce) {
		e.notRemoved(e.removeFiles(some), some...)
	}
}

func (e *Engine) notRemoved(err error, rs ...dict.Remains) {
	if err == nil {
		return
	}
	for _, r := range rs {
		e.o.Logger.Error("left over by a definition change and not removed; it will be at the next start", "space", r.Space, "index", r.Index, "err", err)
	}
}

// removeFiles deletes tablespace files: the log knows it first, the DDL log last.
func (e *Engine) removeFiles(rs []dict.Remains) error {
	e.backups.files.RLock() // none of the files is missing in a backup that does not know of the drop
	defer e.backups.files.RUnlock()
	spaces := make([]base.SpaceID, len(rs))
	for i, r := range rs {
		spaces[i] = r.Space
	}
	m := e.pool.Begin()
	for _, s := range spaces {
		m.LogSpace(redo.OpSpaceDrop, s)
	}
	lsn, err := m.Commit()
	if err == nil {
		err = e.log.FlushTo(lsn)
	}
	if err != nil { // before the pages are forgotten: then the checkpoint may pass their changes
		return err
	}
	e.pool.DropSpace(spaces...)
	e.rows.ForgetUses(spaces...)
	if err := e.files.Drop(spaces...); err != nil {
		return err
	}
	return e.dict.Gone(context.Background(), rs...)
}

// dropTree frees the pages of a tree whose space lives on. It may have got anywhere before a crash.
func (e *Engine) dropTree(r dict.Remains) error {
	if !e.files.Exists(r.Space) {
		return nil // the space went meanwhile
	}
	m := e.pool.BeginRead()
	root, err := space.Root(m, r.Space, r.Index)
	m.Commit()
	if errors.Is(err, base.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return e.rows.Tree(r.Space, root, r.Index).Drop()
}

// Table returns the table of that name and holds its metadata lock, shared, to the end of tx;
// base.ErrNotFound.
func (e *Engine) Table(ctx context.Context, tx *txn.Trx, schema, name string) (*table.Table, error) {
	return e.TableAs(ctx, tx, schema, name, lock.MetaShared)
}

// TableAs is Table with a metadata lock of the given mode.
func (e *Engine) TableAs(ctx context.Context, tx *txn.Trx, schema, name string, mode lock.MetaMode) (*table.Table, error) {
	whole, _ := catalog.SplitPart(name)
	if err := e.LockMeta(ctx, tx, schema, whole, mode); err != nil {
		return nil, err
	}
	return e.dict.Table(ctx, tx, schema, name)
}

// Look calls fn with the table of that name as it was committed last, or as tx has changed it;
// base.ErrNotFound. Nobody's metadata lock keeps it waiting, and it takes none: what fn reads are
// definitions and estimates, no rows.
func (e *Engine) Look(ctx context.Context, tx *txn.Trx, schema, name string, fn func(t *table.Table) error) error {
	return e.dict.Look(ctx, tx, schema, name, fn)
}

// Close shuts the engine down. A fast close (innodb_fast_shutdown=2) leaves the work to recovery;
// else every page is written and the next start finds nothing to redo. All transactions must have
// ended.
func (e *Engine) Close(fast bool) error {
	if e.closed.Swap(true) {
		return nil
	}
	e.endRecovery()
	fast = fast || e.unredone || e.forced(forceNoRedo) // the log stays what it is
	e.reporter.stop()
	err := e.warm.Close(!fast)
	e.logSync.stop()
	e.txns.Close()
	e.checkpoint.stop()
	err = errors.Join(err, e.closeBinlog())
	if !fast {
		err = errors.Join(err, e.pool.Flusher().All())
		if err == nil {
			err = e.setCheckpoint(e.log.Appended(), true)
		}
	}
	if errors.Is(err, base.ErrDiskFull) && e.failure.Err() == nil {
		e.o.Logger.Warn("the disk is full, so not everything was written at shutdown; nothing is lost, the next start takes it from the redo log", "err", err)
		err = nil
	}
	e.mirror.Close()
	if err = errors.Join(err, e.pool.Close(), e.closeMemory(), e.log.Close(), e.files.Close(), e.dirLock.Close()); err != nil {
		return fmt.Errorf("shutdown: %w", err)
	}
	return nil
}

// recoveryGrace is how long a shutdown waits for a recovery that may be about to end. One that ends
// leaves nothing to the next start.
const recoveryGrace = 500 * time.Millisecond

// endRecovery stops what recovery still does in the background.
func (e *Engine) endRecovery() {
	if e.stopRecovery == nil {
		return
	}
	e.stopWatch()
	e.redo.Hurry()
	stop := time.AfterFunc(recoveryGrace, e.stopRecovery)
	e.background.Wait()
	stop.Stop()
	e.stopRecovery()
}

// periodic runs fn every interval until stopped.
type periodic struct{ quit, done chan struct{} }

func every(d time.Duration, fn func()) *periodic {
	p := &periodic{quit: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(p.done)
		t := time.NewTicker(d)
		defer t.Stop()
		for {
			select {
			case <-p.quit:
				return
			case <-t.C:
				fn()
			}
		}
	}()
	return p
}

func (p *periodic) stop() {
	close(p.quit)
	<-p.done
}
