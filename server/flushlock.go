package server

import (
	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sqllayer/sqlerr"
)

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
