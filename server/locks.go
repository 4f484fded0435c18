package server

import (
	"sync"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sqllayer/sqlerr"
)

// lockState is what locks of the whole server share: a mutex, and waiting for what it protects to
// change.
type lockState struct {
	mu      sync.Mutex
	changed chan struct{} // closed when something changes; nil: nobody waits
}

// signal wakes all who wait. REQUIRES: mu.
func (l *lockState) signal() {
	if l.changed != nil {
		close(l.changed)
		l.changed = nil
	}
}

// await waits until ready, which is called with mu held, holds, for lock_wait_timeout at most; the
// process list shows state meanwhile.
// REQUIRES: mu, which it lets go while it waits.
func (l *lockState) await(ctx *sql.Context, w *wireConn, state string, ready func() bool) error {
	if ready() {
		return nil
	}
	w.process.setState(state)
	defer w.process.setState("executing")
	end := time.NewTimer(lockWaitTimeout(ctx))
	defer end.Stop()
	for !ready() {
		if l.changed == nil {
			l.changed = make(chan struct{})
		}
		changed := l.changed
		l.mu.Unlock()
		var err error
		select {
		case <-changed:
		case <-ctx.Done():
			err = ctx.Err()
		case <-end.C:
			err = sqlerr.NewError(1205, "Lock wait timeout exceeded; try restarting transaction")
		}
		l.mu.Lock()
		if err != nil {
			return err
		}
	}
	return nil
}

// lockWaitTimeout is the session's lock_wait_timeout.
func lockWaitTimeout(ctx *sql.Context) time.Duration {
	v, err := ctx.GetSessionVariable(ctx, "lock_wait_timeout")
	if n, ok := v.(int64); err == nil && ok {
		return time.Duration(n) * time.Second
	}
	return 24 * time.Hour
}

// instanceLock is LOCK INSTANCE FOR BACKUP: while a session holds it, other sessions' definitions
// of objects and accounts wait, and binary logs are not purged; rows may be changed. Several
// sessions may hold it. Taking it waits for the definitions under way.
//
// Source: MySQL 9.7's manual, "LOCK INSTANCE FOR BACKUP and UNLOCK INSTANCE Statements".
type instanceLock struct {
	lockState
	holders  map[*wireConn]bool // false: it waits to be one
	defining map[*wireConn]int  // statements under way
}

// take makes w a holder.
func (l *instanceLock) take(ctx *sql.Context, w *wireConn) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.holders[w] {
		return nil
	}
	if l.holders == nil {
		l.holders = map[*wireConn]bool{}
	}
	l.holders[w] = false
	if err := l.await(ctx, w, "Waiting for backup lock", func() bool { return len(l.defining) == 0 || len(l.defining) == 1 && l.defining[w] > 0 }); err != nil {
		l.forget(w)
		return err
	}
	l.holders[w] = true
	return nil
}

// define waits until no other session holds the lock, or waits for it. One that returns nil is
// followed by done.
func (l *instanceLock) define(ctx *sql.Context, w *wireConn) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.await(ctx, w, "Waiting for backup lock", func() bool { return !l.heldByAnother(w) }); err != nil {
		return err
	}
	if l.defining == nil {
		l.defining = map[*wireConn]int{}
	}
	l.defining[w]++
	return nil
}

func (l *instanceLock) done(w *wireConn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.defining[w]--; l.defining[w] == 0 {
		delete(l.defining, w)
		l.signal()
	}
}

// mayPurge is the error of PURGE BINARY LOGS while another session holds the lock.
func (l *instanceLock) mayPurge(w *wireConn) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.heldByAnother(w) {
		return sqlerr.NewError(4085, "Could not purge binary logs since another session is executing LOCK INSTANCE FOR BACKUP. Wait for that session to release the lock.")
	}
	return nil
}

func (l *instanceLock) heldBy(w *wireConn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.holders[w]
}

// leave is UNLOCK INSTANCE, and the end of a connection.
func (l *instanceLock) leave(w *wireConn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.forget(w)
}

// forget REQUIRES mu.
func (l *instanceLock) forget(w *wireConn) {
	if _, there := l.holders[w]; there {
		delete(l.holders, w)
		l.signal()
	}
}

// heldByAnother REQUIRES mu.
func (l *instanceLock) heldByAnother(w *wireConn) bool {
	_, own := l.holders[w]
	return len(l.holders) > 1 || len(l.holders) == 1 && !own
}

// flushLock is FLUSH TABLES WITH READ LOCK: while a session holds it, other sessions' changes wait
// and its own are refused. Commits wait as well, so that what the holder reads stays the newest
// committed state. Taking it waits for the changes under way, and for sessions under LOCK TABLES:
// those go on changing what they have locked. Several sessions may hold it at once.
type flushLock struct {
	lockState
	holders map[*wireConn]bool // false: it waits to be one
	lockers map[*wireConn]bool // sessions under LOCK TABLES
	writers int
}

// wait lets a change by w pass: at once while nobody holds the lock. Who only waits to hold it lets
// those pass that it waits for: sessions under LOCK TABLES, and commits, as a change that is under
// way may wait for the end of a transaction. Every wait that returns nil is followed by done.
func (l *flushLock) wait(ctx *sql.Context, w *wireConn, commit bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.holders[w] {
		return sqlerr.NewError(1223, "Can't execute the query because you have a conflicting read lock")
	}
	if err := l.await(ctx, w, "Waiting for global read lock", func() bool { return len(l.holders) == 0 || (commit || l.lockers[w]) && !l.held() }); err != nil {
		return err
	}
	l.writers++
	return nil
}

// held tells whether somebody holds the lock. REQUIRES: mu.
func (l *flushLock) held() bool {
	for _, holds := range l.holders {
		if holds {
			return true
		}
	}
	return false
}

// locks notes whether a session is under LOCK TABLES.
func (l *flushLock) locks(w *wireConn, locked bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.lockers[w] == locked:
	case !locked:
		delete(l.lockers, w)
		l.signal()
	default:
		if l.lockers == nil {
			l.lockers = map[*wireConn]bool{}
		}
		l.lockers[w] = true
	}
}

// enter lets a change pass that does not wait; false while somebody holds the lock. It is followed
// by done.
func (l *flushLock) enter() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.holders) > 0 {
		return false
	}
	l.writers++
	return true
}

func (l *flushLock) done() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.writers--; l.writers <= 1 && len(l.holders) > 0 {
		l.signal()
	}
}

// take makes w a holder, then waits for the changes under way; changing: w's own statement is one
// of them.
func (l *flushLock) take(ctx *sql.Context, w *wireConn, changing bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.holders == nil {
		l.holders = map[*wireConn]bool{}
	}
	if l.holders[w] {
		return nil
	}
	l.holders[w] = false
	own := 0
	if changing {
		own = 1
	}
	err := l.await(ctx, w, "Waiting for global read lock", func() bool { return l.writers == own && len(l.lockers) == 0 })
	if err != nil {
		delete(l.holders, w)
		l.signal()
		return err
	}
	l.holders[w] = true
	return nil
}

func (l *flushLock) heldBy(w *wireConn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.holders[w]
}

// release is UNLOCK TABLES.
func (l *flushLock) release(w *wireConn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.holders[w] {
		delete(l.holders, w)
		l.signal()
	}
}

// leave is the end of a connection.
func (l *flushLock) leave(w *wireConn) {
	l.release(w)
	l.locks(w, false)
}
