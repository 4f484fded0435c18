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
