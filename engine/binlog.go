package engine

// The binary log beside the engine. Package binlog owns files and positions; here it meets redo,
// the checkpoint and the commit.
//
//	recovery    the log is opened with the state of the checkpoint, fed with redo's records while redo is scanned, finished before anybody commits
//	commit      a session's txn.Journal, which txn commits with the transaction
//	checkpoint  syncs the log's files as far as the checkpoint goes and keeps the log's state
//	close       the log ends first; its state goes into the last checkpoint
//
// A log that is switched off, or given another name, is recovered once more under the old one and
// closed; its GTIDs go on.

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"

	"emberdb/binlog"
	"emberdb/engine/redo"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// binlogBlob is the log's part of a checkpoint.
type binlogBlob struct {
	State  []byte `json:"state"`
	Dir    string `json:"dir"` // relative to the data directory if it lies in it
	Base   string `json:"base"`
	Index  string `json:"index,omitempty"`
	Closed bool   `json:"closed,omitempty"` // the log was closed in order and holds all that was committed
}

// binlogs is the log's side of an engine.
type binlogs struct {
	log      *binlog.Log
	recovery *binlog.Recovery // until the log is open
	old      *binlogBlob      // of the checkpoint the engine was opened with
	name     binlogBlob       // of the present log, without state
	kept     *binlogBlob      // state of a closed log; travels on in checkpoints
	journals txn.Journals
	gtidMode atomic.Int32
}

// NewJournal makes the journal of a session; nil if there is no log.
func (e *Engine) NewJournal(who txn.Journaled) *txn.Journal { return e.binlog.journals.New(who) }

// DefineLogged makes a transaction of its own that j, unless it is nil, logs as a statement.
func (e *Engine) DefineLogged(ctx context.Context, j *txn.Journal, sql string, define func(tx *txn.Trx) error) error {
	tx := e.BeginDDL()
	if j != nil {
		j.Attach(tx)
	}
	err := define(tx)
	if err == nil && j != nil {
		err = j.Query(sql, false, nil)
	}
	if err != nil {
		return errors.Join(err, e.Rollback(tx))
	}
	return e.Commit(ctx, tx)
}

// Binlog is the binary log, nil if it is off.
func (e *Engine) Binlog() *binlog.Log { return e.binlog.log }

// WaitExecuted waits until the set is part of gtid_executed and its transactions are visible, so that
// who has waited reads what they have written.
// REQUIRES: there is a binary log.
func (e *Engine) WaitExecuted(ctx context.Context, set *binlog.Set) error {
	if err := e.binlog.log.WaitExecuted(ctx, set); err != nil {
		return err
	}
	return e.txns.WaitVisible(ctx, e.binlog.log.ExecutedLSN())
}

// binlogDir is where a log stands.
func (e *Engine) binlogDir(dir string) string {
	if filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(e.o.DataDir, dir)
}

// shortDir is the opposite of binlogDir, so that a data directory may be moved.
func (e *Engine) shortDir(dir string) string {
	if rel, err := filepath.Rel(e.o.DataDir, dir); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return dir
}

// openBinlog begins the log's recovery; redo's records follow. old is what the checkpoint kept.
func (e *Engine) openBinlog(old *binlogBlob) error {
	b := &e.binlog
	b.old = old
	if o := e.o.Binlog; o != nil {
		b.name = binlogBlob{Dir: e.shortDir(e.binlogDir(o.Dir)), Base: o.Base, Index: o.Index}
	}
	if old == nil || old.Closed && !b.same() {
		return nil // nothing to recover
	}
	state, err := parseState(old)
	if err != nil {
		return err
	}
	o := e.binlogOptions()
	o.Dir, o.Base, o.Index = e.binlogDir(old.Dir), old.Base, old.Index
	o.BeginAnew = o.BeginAnew || !b.same() // nobody asks for more of it than its GTIDs
	b.recovery, err = binlog.Open(e.o.FS, o, state)
	return err
}

// same tells whether the log goes on under the name it had.
func (b *binlogs) same() bool {
	return b.old != nil && b.name.Base != "" && b.old.Dir == b.name.Dir && b.old.Base == b.name.Base && b.old.Index == b.name.Index
}

// binlogOptions fills in what the engine knows better than its caller.
func (e *Engine) binlogOptions() binlog.Options {
	var o binlog.Options
	if e.o.Binlog != nil {
		o = *e.o.Binlog
	}
	o.Dir = e.binlogDir(o.Dir)
	o.ServerUUID, o.Logger, o.Failure = uuidBytes(e.id.UUID), e.o.Logger, e.failure
	if e.o.Direct {
		o.DirectAfter = 64 << 10
	}
	o.Anonymous = true // gtid_mode=OFF, until somebody asks for more
	if o.Threshold == 0 {
		// What is not written ahead goes through redo without a wait for room.
		o.Threshold = min(32<<20, e.log.Capacity()/32)
	}
	return o
}

// startBinlog ends the log's recovery and opens it.
// REQUIRES: redo is scanned, and open for writing.
func (e *Engine) startBinlog() error {
	err := e.finishBinlog()
	e.binlog.journals.Start(e.binlog.log)
	return err
}

func (e *Engine) finishBinlog() error {
	b := &e.binlog
	var log *binlog.Log
	var err error
	if b.recovery != nil {
		if log, err = b.recovery.Finish(redoForBinlog{e}); err != nil {
			return err
		}
		b.recovery = nil
		if b.same() {
			b.log = log
			return nil
		}
		if err := e.endBinlog(log, *b.old); err != nil {
			return err
		}
	} else if b.old != nil {
		b.kept = b.old
	}
	if e.o.Binlog == nil {
		return nil
	}
	begins, err := e.inherited()
	if err != nil {
		return err
	}
	r, err := binlog.Open(e.o.FS, e.binlogOptions(), begins)
	if err != nil {
		return err
	}
	b.log, err = r.Finish(redoForBinlog{e})
	return err
}

// inherited is the state a log under a new name begins with: the GTIDs of the one before, whose
// transactions it does not hold.
func (e *Engine) inherited() (*binlog.State, error) {
	if e.binlog.kept == nil {
		return nil, nil
	}
	s, err := parseState(e.binlog.kept)
	if err != nil {
		return nil, err
	}
	return &binlog.State{Executed: s.Executed, Purged: s.Executed}, nil
}

// parseState reads the state that a checkpoint has kept.
func parseState(b *binlogBlob) (*binlog.State, error) {
	s, err := binlog.ParseState(b.State)
	if err != nil {
		return nil, fmt.Errorf("checkpoint record, state of binary log %s: %w: %w", b.Base, base.ErrCorrupt, err)
	}
	return s, nil
}

// endBinlog closes a log and keeps its state.
func (e *Engine) endBinlog(log *binlog.Log, name binlogBlob) error {
	state, err := log.Close()
	if err != nil {
		return err
	}
	name.State, name.Closed = state.Append(nil), true
	e.binlog.kept = &name
	return nil
}

// binlogState is what a checkpoint at lsn keeps, and the LSN to which redo must be durable before
// it is stored.
func (e *Engine) binlogState(lsn base.LSN) (*binlogBlob, base.LSN, error) {
	b := &e.binlog
	if b.kept != nil && (b.log == nil || b.kept.same(&b.name)) {
		return b.kept, lsn, nil
	}
	if b.log == nil {
		return nil, lsn, nil
	}
	state, err := b.log.SyncTo(lsn)
	if err != nil {
		return nil, lsn, err
	}
	blob := b.name
	blob.State = state.Append(nil)
	return &blob, max(lsn, state.LSN), nil
}

func (a *binlogBlob) same(b *binlogBlob) bool {
	return a.Dir == b.Dir && a.Base == b.Base && a.Index == b.Index
}

// closeBinlog ends the log before the last checkpoint.
func (e *Engine) closeBinlog() error {
	if e.binlog.log == nil {
		return nil
	}
	return e.endBinlog(e.binlog.log, e.binlog.name)
}

// redoForBinlog is redo as the log uses it for what is no transaction.
type redoForBinlog struct{ e *Engine }

var errBinlogRecord = errors.New("binary log: a record is too long for redo")

// Append implements binlog.Redo. It may be called with the log's order held, so it does not wait
// for room.
func (r redoForBinlog) Append(records ...[]byte) (base.LSN, error) {
	m := r.e.pool.BeginNested()
	for _, rec := range records {
		m.Log(redo.OpBinlog, rec)
	}
	if m.LogSize() > r.e.log.MaxGroup() {
		return 0, errBinlogRecord // the mini-transaction is dropped with what it has logged
	}
	return m.Commit()
}

// FlushTo implements binlog.Redo.
func (r redoForBinlog) FlushTo(lsn base.LSN) error { return r.e.log.FlushTo(lsn) }
