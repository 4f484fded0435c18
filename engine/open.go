package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"emberdb/engine/dict"
	"emberdb/engine/lock"
	"emberdb/engine/pagefile"
	"emberdb/engine/recovery"
	"emberdb/engine/redo"
	"emberdb/engine/space"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// Open opens the engine in o.DataDir, initialising an empty directory. It returns when statements
// can be served: redo that is still pending is applied as its pages are asked for, unfinished
// transactions are undone and the LRU list is loaded in the background.
func Open(o Options) (*Engine, error) {
	o.setDefaults()
	e := &Engine{o: o, timeline: recovery.NewTimeline(o.Origin)}
	e.timeline.Passed("process")
	e.target = newRecoveryTarget(e)
	e.flushAtTrx.Store(int32(o.FlushLogAtCommit))
	e.SetSyncBinlog(1)
	dirLock, err := lockDir(o.FS, o.DataDir)
	if err != nil {
		return nil, err
	}
	e.dirLock = dirLock
	e.reporter.start(e)
	if err := e.open(); err != nil {
		e.abandon()
		return nil, err
	}
	return e, nil
}

// open is Open once the directory is locked.
func (e *Engine) open() error {
	id, fresh, err := readIdentity(e.o.FS, e.o.DataDir)
	if err != nil {
		return err
	}
	e.id = id
	if fresh {
		if err := e.create(); err != nil {
			return fmt.Errorf("initialising %s: %w", e.o.DataDir, err)
		}
	}
	if err := e.attach(false); err != nil {
		return err
	}
	return e.start()
}

// create writes the files of a new data directory: the log, the system space, the undo space, and,
// last, the identity.
func (e *Engine) create() error {
	done := e.timeline.Begin("create")
	defer done("")
	if err := clean(e.o.FS, e.o.DataDir); err != nil {
		return err
	}
	e.id = dirIdentity{Format: NewestFormat, UUID: newUUID()}
	if err := e.attach(true); err != nil {
		return err
	}
	for _, s := range []base.SpaceID{base.SystemSpace, base.UndoSpace} {
		if err := e.files.Create(s, initialPages); err != nil {
			return err
		}
	}
	if err := dict.Create(e.pool); err != nil {
		return err
	}
	if err := e.createUndo(); err != nil {
		return err
	}
	if err := e.pool.Flusher().All(); err != nil {
		return err
	}
	blob, err := json.Marshal(checkpointBlob{NextTrx: 1, Clean: true})
	if err != nil {
		return err
	}
	if err := e.log.FlushTo(e.log.Appended()); err != nil {
		return err
	}
	if err := e.log.SetCheckpoint(e.log.Appended(), blob); err != nil {
		return err
	}
	if err := e.pool.Close(); err != nil {
		return err
	}
	if err := e.log.Close(); err != nil {
		return err
	}
	if err := e.files.Close(); err != nil {
		return err
	}
	return writeIdentity(e.o.FS, e.o.DataDir, e.id)
}

// createUndo formats the undo space.
func (e *Engine) createUndo() error {
	if err := space.Create(e.pool, base.UndoSpace, 0); err != nil {
		return err
	}
	return txn.Create(e.pool)
}

// initialPages is the size of a new tablespace file: 8 pages.
const initialPages base.PageNo = 8

// attach opens files, log and pool. With create the log is begun; else redo is read and left
// pending in the pool's read path.
func (e *Engine) attach(create bool) (err error) {
	o := &e.o
	e.failure = base.NewFailure()
	e.failure.OnEnter(func() {
		o.Logger.Error("the engine has failed and refuses writes until it is started anew", "cause", e.failure.Err())
	})
	done := e.timeline.Begin("files")
	e.files, err = pagefile.Open(o.FS, o.DataDir, pagefile.Options{OpenFiles: o.OpenFiles, Direct: o.Direct, Doublewrite: o.Doublewrite, ReadOnly: e.forced(forceNoRedo), Failure: e.failure})
	if err != nil {
		return err
	}
	e.checkpoint = newCheckpointer(e)
	var cp redo.Checkpoint
	logFS := o.FS
	if e.forced(forceNoRedo) {
		logFS = vfs.NewMem(1) // an empty log of no life
	}
	e.log, cp, err = redo.Open(logFS, o.DataDir, redo.Options{Capacity: o.RedoCapacity, SegmentSize: o.RedoSegment, Create: create || e.forced(forceNoRedo),
		UUID: uuidBytes(e.id.UUID), NeedRoom: e.checkpoint.needRoom, Hot: e.checkpoint.hotPages, Direct: o.Direct, Logger: o.Logger, Failure: e.failure})
	if err != nil {
		return hint(err, forceNoRedo)
	}
	done("")
	if create {
		e.pool, err = e.newPool()
		return err
	}
	return e.recover(cp)
}

// recover reads what the last life of the server left: torn pages, redo, unfinished transactions.
func (e *Engine) recover(cp redo.Checkpoint) error {
	o := &e.o
	blob := checkpointBlob{NextTrx: unknownTrx}
	if e.forced(forceNoRedo) {
		o.Binlog = nil // what it holds is known from redo
	} else if err := json.Unmarshal(cp.Blob, &blob); err != nil {
		return fmt.Errorf("checkpoint record: %w: %v", base.ErrCorrupt, err)
	}
	var err error
	if e.restored, err = readRestored(o.FS, o.DataDir); err != nil {
		return err
	}
	done := e.timeline.Begin("doublewrite")
	repaired, err := e.files.RepairTorn()
	if err != nil {
		return err
	}
	done(fmt.Sprintf("%d torn pages restored", len(repaired.Pages)))
	e.reportRepairs(repaired)
	e.reporter.repaired.Store(int64(len(repaired.Pages)))

	if err := e.openBinlog(blob.Binlog); err != nil {
		return err
	}
	nextTrx := blob.NextTrx
	e.redo = recovery.New(recovery.Options{Log: e.log, Files: e.files, Budget: o.RecoveryMemory, MessagesFrom: blob.Messages, Fuzzy: e.restored != 0, Logger: o.Logger,
		OnRecord: func(rec redo.Record, _ base.LSN) error {
			switch {
			case rec.Op == redo.OpTrxIDReserve:
				id, err := txn.DecodeReserve(rec.Body)
				nextTrx = max(nextTrx, id)
				return err
			case rec.Op == redo.OpBinlog && e.binlog.recovery != nil:
				return e.binlog.recovery.Apply(rec.Body)
			}
			return nil
		}}, cp.LSN)
	e.reporter.redo.Store(e.redo)
	if e.pool, err = e.newPool(); err != nil {
		return err
	}
	e.mirror = redo.NewMirror(e.pool.LogMirror())
	e.log.SetMirror(e.mirror)
	done = e.timeline.Begin("redo scan")
	if !e.forced(forceNoRedo) {
		if err := e.redo.Scan(e.pool); err != nil {
			return hint(fmt.Errorf("reading redo: %w", err), forceNoRedo)
		}
	}
	s := e.redo.Stats()
	e.wasClean = blob.Clean && e.redo.Empty()
	done(fmt.Sprintf("%d bytes since the checkpoint, %d of %d segments parsed, %d pages pending", s.To-s.From, s.Parsed, s.Segments, s.PagesPending))
	if err := e.takePages(); err != nil {
		return err
	}
	e.startWarm()

	done = e.timeline.Begin("binary log")
	if err := e.startBinlog(); err != nil {
		return err
	}
	done("")

	done = e.timeline.Begin("transactions")
	defer done("")
	e.locks = lock.NewManager(lock.Options{DeadlockDetect: !o.NoDeadlockCheck})
	e.txns, err = txn.Open(txn.Options{Pool: e.pool, Log: e.log, Locks: e.locks, NextID: nextTrx, RollbackInPlace: o.RollbackInline, Forced: o.ForceRecovery, Logger: o.Logger})
	if err != nil {
		return hint(err, forceNoUndo)
	}
	e.txns.SetMaxUndo(o.MaxUndo)
	e.rows = table.NewServices(e.pool, e.txns, e.locks, e.lockWait)
	if e.forced(forceCorrupt) {
		e.rows.OnDamage = e.passedOver
	}
	if e.dict, err = dict.Open(e.pool, e.txns, e.rows, o.TableCache, e.upgrade); err != nil {
		return err
	}
	e.txns.SetUndoer(table.NewUndoer(e.dict.UseByID))
	return nil
}

// start begins the background work and marks the engine open.
func (e *Engine) start() error {
	unfinished, err := e.txns.Recover()
	if err != nil {
		return hint(err, forceNoUndo)
	}
	if err := e.recoverBranches(); err != nil {
		return err
	}
	if !e.wasClean {
		s := e.redo.Stats()
		e.o.Logger.Log(context.Background(), base.LevelSystem, fmt.Sprintf("The server was not shut down. It recovers beside its clients: redo from LSN %d to %d (%.1f MiB), %d pages, %d unfinished transactions.",
			s.From, s.To, float64(s.To-s.From)/(1<<20), e.redo.Left(), unfinished))
	}
	var left []dict.Remains
	if !e.forced(forceReadOnly) {
		if left, err = e.dict.Leftovers(context.Background()); err != nil { // before any DDL can announce new ones
			return fmt.Errorf("DDL log: %w", err)
		}
	}
	if e.binlog.log != nil || e.binlog.kept != nil {
		// The state of a log that has just begun, or ended, must be known before anything is
		// committed.
		if err := e.setCheckpoint(e.log.CheckpointLSN(), false); err != nil {
			return err
		}
	}
	e.warnForced()
	e.target.begin()
	go e.checkpoint.run()
	e.logSync = every(time.Second, e.syncLog)
	e.background.Add(1)
	ctx, stop := context.WithCancel(context.Background())
	e.stopRecovery = stop
	e.watch, e.stopWatch = context.WithCancel(ctx)
	go e.finishRecovery(ctx, left, unfinished)
	e.pool.Opened()
	e.timeline.Mark("open")
	e.reporter.opened.Store(true)
	if !e.forced(forceNoRedo) {
		e.timeline.Keep(e.o.FS, e.o.DataDir, e.o.Logger)
	}
	close(e.names.open)
	return nil
}

// finishRecovery applies the pending redo, in the order of the LRU list, starts undo and purge when
// no page waits for its redo any more, then the sweep of left-over files. A shutdown stops it: what is left is
// the next start's.
func (e *Engine) finishRecovery(ctx context.Context, left []dict.Remains, unfinished int) {
	defer e.background.Done()
	if e.forced(forceNoRedo) {
		return
	}
	base.Await(ctx, e.o.Hold)
	opened, before := time.Since(e.o.Origin), e.redo.Stats()
	done := e.timeline.Begin("redo")
	err := e.redo.Finish(ctx, e.listed, func() {
		s := e.redo.Stats()
		done(fmt.Sprintf("%d pages changed, %d of them on demand, %d records applied, %d skipped, %d passes", s.PagesChanged, s.PagesDemanded, s.Applied, s.Skipped, s.Passes))
		if !e.wasClean && s.PagesTotal > 0 {
			e.target.learn(opened, before)
		}
		e.tellRedone(s)
		e.txns.Start()
		e.background.Add(1)
		go e.watchRollback(unfinished)
		done = e.timeline.Begin("redone pages written")
	})
	if err != nil && ctx.Err() != nil {
		done("stopped")
		e.unredone = true
		return
	}
	if err != nil {
		done("failed: " + err.Error())
		e.refuseWrites(err)
		return
	}
	done("")
	e.remove(left)
	e.fitMemory(ctx)
}

// listed are the pages of the newest LRU list, hot to cold.
func (e *Engine) listed() (hot []base.PageID) {
	e.warm.WaitBegun()
	if list := e.warm.NewestList(); list != nil {
		for _, id := range list.IDs {
			hot = append(hot, base.PageIDFrom(id))
		}
	}
	return hot
}

// tellRedone logs what the redo of a server that was not shut down came to.
func (e *Engine) tellRedone(s recovery.Stats) {
	if e.wasClean {
		return
	}
	e.o.Logger.Log(context.Background(), base.LevelSystem, fmt.Sprintf("Redo is complete %s after the start: %d pages changed, %d of them because clients asked, %d records applied, %d skipped.",
		time.Since(e.o.Origin).Round(time.Millisecond), s.PagesChanged, s.PagesDemanded, s.Applied, s.Skipped))
}

// watchRollback tells how the rollback of the transactions that were found unfinished ends.
func (e *Engine) watchRollback(unfinished int) {
	defer e.background.Done()
	if unfinished == 0 || e.forced(forceNoRollback) {
		return
	}
	done := e.timeline.Begin("rollback")
	switch err := e.txns.WaitRecovered(e.watch); {
	case err != nil && e.watch.Err() != nil:
		done("stopped")
	case err != nil:
		done("failed: " + err.Error())
	default:
		done(fmt.Sprintf("%d transactions", unfinished))
		e.o.Logger.Log(context.Background(), base.LevelSystem, fmt.Sprintf("Rollback of %d unfinished transactions is complete %s after the start.",
			unfinished, time.Since(e.o.Origin).Round(time.Millisecond)))
	}
}

// refuseWrites makes the engine one to read from. Redo of pages that are unavailable has to stay in
// the log, which would fill, and writers would wait for room for ever.
func (e *Engine) refuseWrites(cause error) {
	e.o.Logger.Error("redo failed: the pages named are unavailable and the engine refuses writes; dump what can be read, and restore from a backup", "err", cause)
	_ = e.pool.Flusher().All() // clean pages can be evicted, so that reading goes on
	e.failure.Enter(cause)
}

// reportRepairs warns of pages that a crash had torn.
func (e *Engine) reportRepairs(r pagefile.Repaired) {
	log := e.o.Logger
	for _, id := range r.Pages {
		log.Warn("torn page restored from the doublewrite area", "file", e.files.Path(id.Space), "page", id.No)
	}
	for _, id := range r.Unrepairable {
		log.Error("torn page whose copy in the doublewrite area is damaged, too", "file", e.files.Path(id.Space), "page", id.No)
	}
	if len(r.Pages) > 0 {
		log.Warn("pages restored from the doublewrite area", "pages", len(r.Pages), "batch", r.Batch)
	}
}

// syncLog is the once-a-second sync of innodb_flush_log_at_trx_commit 0 and 2.
func (e *Engine) syncLog() {
	if lsn := e.log.Appended(); lsn > e.log.Durable() {
		_ = e.log.FlushTo(lsn) // a failure is kept in the log and told to the next writer
	}
}

// abandon closes what a failed Open had opened.
func (e *Engine) abandon() {
	e.closed.Store(true)
	e.reporter.stop()
	if e.warm != nil {
		e.abandonWarm()
	}
	_ = e.closeBinlog()
	if e.pool != nil {
		e.mirror.Close()
		_ = e.pool.Close()
	}
	if e.log != nil {
		_ = e.log.Close()
	}
	if e.files != nil {
		_ = e.files.Close()
	}
	_ = e.dirLock.Close()
}
