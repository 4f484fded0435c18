package server

import (
	"sync"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sqllayer"
)

// flushLock is FLUSH TABLES WITH READ LOCK: while a session holds it, other sessions' changes wait and its own are refused.
// Commits wait as well, so that what the holder reads stays the newest committed state. Taking it waits for the changes under way. Several sessions may hold it at once.
type flushLock struct {
	mu      sync.Mutex
	holders map[*wireConn]bool
	writers int
	changed chan struct{} // closed and replaced when holders or writers change
}

func (l *flushLock) signal() {
	if l.changed != nil {
		close(l.changed)
	}
	l.changed = make(chan struct{})
}

// await waits until ready, which is called with mu held, holds. The caller holds mu, and holds it again afterwards.
func (l *flushLock) await(ctx *sql.Context, limit time.Duration, ready func() bool) error {
	end := time.NewTimer(limit)
	defer end.Stop()
	for !ready() {
		if l.changed == nil {
			l.changed = make(chan struct{})
		}
		c := l.changed
		l.mu.Unlock()
		var err error
		select {
		case <-c:
		case <-ctx.Done():
			err = ctx.Err()
		case <-end.C:
			err = sqllayer.NewError(1205, "Lock wait timeout exceeded; try restarting transaction")
		}
		l.mu.Lock()
		if err != nil {
			return err
		}
	}
	return nil
}

// wait lets a change by w pass: at once while nobody holds the lock. Every wait that returns nil is followed by done.
func (l *flushLock) wait(ctx *sql.Context, w *wireConn) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.holders[w] {
		return sqllayer.NewError(1223, "Can't execute the query because you have a conflicting read lock")
	}
	if err := l.await(ctx, lockWaitTimeout(ctx), func() bool { return len(l.holders) == 0 }); err != nil {
		return err
	}
	l.writers++
	return nil
}

// enter lets a change pass that does not wait; false while somebody holds the lock. It is followed by done.
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

// take makes w a holder, then waits for the changes under way; changing: w's own statement is one of them.
func (l *flushLock) take(ctx *sql.Context, w *wireConn, changing bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.holders == nil {
		l.holders = map[*wireConn]bool{}
	}
	l.holders[w] = true
	own := 0
	if changing {
		own = 1
	}
	err := l.await(ctx, lockWaitTimeout(ctx), func() bool { return l.writers == own })
	if err != nil {
		delete(l.holders, w)
		l.signal()
	}
	return err
}

func (l *flushLock) heldBy(w *wireConn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.holders[w]
}

// release is UNLOCK TABLES and the end of a connection.
func (l *flushLock) release(w *wireConn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.holders[w] {
		delete(l.holders, w)
		l.signal()
	}
}

// lockWaitTimeout is the session's lock_wait_timeout.
func lockWaitTimeout(ctx *sql.Context) time.Duration {
	v, err := ctx.GetSessionVariable(ctx, "lock_wait_timeout")
	if n, ok := v.(int64); err == nil && ok {
		return time.Duration(n) * time.Second
	}
	return 24 * time.Hour
}
