package server

import (
	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sqllayer/sqlerr"
)

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
