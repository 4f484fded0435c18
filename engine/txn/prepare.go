package txn

import (
	"fmt"
)

// Two-phase commit (XA). A prepared transaction has promised its coordinator that it can commit: it
// outlives its session and a crash.
//
//	log header | rec | rec | ... | branch          state prepared is set behind the branch, in one redo group with its events
//
// To all others it is active: its rows are locked by their trx id, as before. What a crash takes
// from it are locks on what it has only read; that its tables stay as they are is recorded in the
// branch, and locked again by whoever opens the engine.

// XID names a branch of a distributed transaction. The zero value is a name, too.
type XID struct {
	Format       int64
	Gtrid, Bqual string
}

// MaxXIDPart is the longest Gtrid or Bqual.
const MaxXIDPart = 64

// String is how statements in the binary log write it.
func (x XID) String() string { return fmt.Sprintf("X'%x',X'%x',%d", x.Gtrid, x.Bqual, x.Format) }

// Branch is what is known of a prepared transaction.
type Branch struct {
	XID    XID
	Logged bool     // its events are in the binary log
	Holds  []string // names of its metadata locks
}

// Branch is nil for a transaction that is not prepared.
func (t *Trx) Branch() *Branch { return t.branch }

// append encodes an entry without its lengths, and returns the names that did not fit.
func (b *Branch) append(dst []byte, names []string) ([]byte, []string) {
	flags := byte(0)
	if b.Logged {
		flags = branchLogged
	}
	dst = append(dst, kindBranch, flags)
	dst = le.AppendUint64(dst, uint64(b.XID.Format))
	dst = append(dst, byte(len(b.XID.Gtrid)), byte(len(b.XID.Bqual)))
	dst = append(append(dst, b.XID.Gtrid...), b.XID.Bqual...)
	for len(names) > 0 && len(dst)+2+len(names[0])+entryEnds <= maxEntry {
		dst = le.AppendUint16(dst, uint16(len(names[0])))
		dst, names = append(dst, names[0]...), names[1:]
	}
	return dst, names
}

// parse adds what a whole entry tells to b.
func (b *Branch) parse(e []byte) bool {
	const head = 2 + 1 + 1 + 8 + 2
	if len(e) < head+2 {
		return false
	}
	b.Logged = e[3]&branchLogged != 0
	b.XID.Format = int64(le.Uint64(e[4:]))
	gtrid, bqual, rest := int(e[12]), int(e[13]), e[head:len(e)-2]
	if len(rest) < gtrid+bqual {
		return false
	}
	b.XID.Gtrid, b.XID.Bqual, rest = string(rest[:gtrid]), string(rest[gtrid:gtrid+bqual]), rest[gtrid+bqual:]
	for len(rest) > 0 {
		if len(rest) < 2 || len(rest)-2 < int(le.Uint16(rest)) {
			return false
		}
		n := 2 + int(le.Uint16(rest))
		b.Holds, rest = append(b.Holds, string(rest[2:n])), rest[n:]
	}
	return true
}

// Prepare makes t a prepared transaction. It leaves its session: its view is closed, its locks
// stay. An error has rolled it back, or, when the engine has failed, left its outcome to recovery.
func (s *System) Prepare(t *Trx, b Branch, sync SyncMode) error {
	defer t.Journal.Leave()
	if err := t.whole(); err != nil {
		return fmt.Errorf("prepare: %w", orRollbackError(err, s.Rollback(t)))
	}
	logs, err := t.Journal.ready()
	if err != nil {
		if undone := s.Rollback(t); undone != nil {
			return undone
		}
		return err
	}
	b.Logged = logs && t.Journal.Branch != nil // else the events are those of an empty transaction with a name
	if t.log != 0 || logs {
		if err := s.logPrepare(t, &b, sync, logs); err != nil {
			return err
		}
	}
	if t.view.open {
		s.closeView(&t.view)
	}
	t.branch = &b
	t.Detach()
	return nil
}

// logPrepare makes the promise durable.
func (s *System) logPrepare(t *Trx, b *Branch, sync SyncMode, logs bool) error {
	var err error
	for names, first := b.Holds, true; t.log != 0 && err == nil && (first || len(names) > 0); first = false {
		var entry []byte
		entry, names = b.append(nil, names)
		_, err = t.appendEntry(entry)
	}
	if err == nil {
		err = s.end(t, statePrepared, sync, logs)
	}
	switch {
	case err == nil:
		return nil
	case s.log.Failure().Err() != nil:
		s.lose(t)
		return err
	}
	return fmt.Errorf("prepare: %w", orRollbackError(err, s.Rollback(t)))
}

// end logs a state and makes it as durable as asked.
func (s *System) end(t *Trx, state uint8, sync SyncMode, logs bool) error {
	g, err := s.logEnd(t, state, logs)
	if err != nil {
		return err
	}
	if err = s.harden(g.lsn, t.syncMode(sync, logs)); err != nil {
		if g.place != nil {
			s.giveUpTurn(g.place)
		}
		return err
	}
	if g.place != nil {
		s.passTurn(&g)
	}
	return nil
}

// EndPrepared commits a prepared transaction or rolls it back. j, which may be nil, logs that if
// the transaction was logged. After an error it is prepared as before, or, when the engine has
// failed, has ended with an outcome that recovery tells.
func (s *System) EndPrepared(t *Trx, commit bool, sync SyncMode, j *Journal) error {
	logs := j != nil && t.branch.Logged
	if logs {
		j.Attach(t)
		defer j.Leave()
		if err := j.endBranch(t.branch.XID, commit); err != nil {
			return err
		}
	}
	if commit {
		return s.commit(t, sync, logs)
	}
	return s.abortPrepared(t, sync, logs)
}

// abortPrepared rolls a prepared transaction back: first it is aborted, durably; then its rows are
// restored in the background. Rollback must not be used: a crash in between would bring back the
// half of a promise.
func (s *System) abortPrepared(t *Trx, sync SyncMode, logs bool) error {
	if t.log == 0 {
		s.stats.rollbacks.Add(1)
		s.finish(t, 0)
		return nil
	}
	err := s.end(t, stateAborted, sync, logs)
	switch {
	case err == nil:
		s.stats.rollbacks.Add(1)
		s.abort(t)
	case s.log.Failure().Err() != nil:
		s.lose(t)
	}
	return err
}

// Prepared lists the prepared transactions that Recover has found.
func (s *System) Prepared() (all []*Trx) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.mu.active {
		if a.t.branch != nil {
			all = append(all, a.t)
		}
	}
	return all
}
