package server

import (
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
)

// FLUSH TABLES WITH READ LOCK waits for a session under LOCK TABLES, which goes on changing what it
// has locked meanwhile, and gives up after lock_wait_timeout.
func TestGlobalReadLockWaitsForLockedTables(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	root, locker := conn(t, ts), conn(t, ts)
	exec(t, root, "CREATE DATABASE test; CREATE DATABASE d; CREATE TABLE d.t (a INT PRIMARY KEY); SET lock_wait_timeout = 1")
	for _, mode := range []string{"READ", "WRITE"} {
		exec(t, locker, "LOCK TABLES d.t "+mode)
		_, err := root.ExecContext(t.Context(), "FLUSH TABLES WITH READ LOCK")
		requireCode(t, err, 1205, "HY000")
	}
	holder, done := running(t, ts, "FLUSH TABLES WITH READ LOCK")
	inState(t, root, "FLUSH TABLES WITH READ LOCK")
	exec(t, locker, "INSERT INTO d.t VALUES (1)")
	exec(t, locker, "UPDATE d.t SET a = 2")
	exec(t, locker, "BEGIN") // ends LOCK TABLES
	require.NoError(t, <-done)

	_, done = running(t, ts, "LOCK TABLES d.t WRITE")
	inState(t, root, "LOCK TABLES d.t WRITE")
	exec(t, locker, "LOCK TABLES d.t READ")
	exec(t, locker, "UNLOCK TABLES")
	select {
	case err := <-done:
		t.Fatal("passed a global read lock: ", err)
	default:
	}
	exec(t, root, "KILL "+holder)
	require.NoError(t, <-done)
}

// A commit passes who only waits for the global read lock: the LOCK TABLES that is waited for may
// wait for the transaction.
func TestGlobalReadLockAwaitedLetsCommitsPass(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	root, writer := conn(t, ts), conn(t, ts)
	exec(t, root, "CREATE DATABASE test; CREATE DATABASE d; CREATE TABLE d.t (a INT PRIMARY KEY)")
	exec(t, writer, "SET lock_wait_timeout = 5; BEGIN; INSERT INTO d.t VALUES (1)")
	locker, locked := running(t, ts, "LOCK TABLES d.t WRITE")
	testkit.Eventually(t, func() bool {
		ts.flushLock.mu.Lock()
		defer ts.flushLock.mu.Unlock()
		return ts.flushLock.writers == 1
	})
	_, flushed := running(t, ts, "FLUSH TABLES WITH READ LOCK")
	inState(t, root, "FLUSH TABLES WITH READ LOCK")
	exec(t, writer, "COMMIT")
	require.NoError(t, <-locked)
	exec(t, root, "KILL "+locker)
	require.NoError(t, <-flushed)
}

// inState waits until a statement waits for the global read lock.
func inState(t *testing.T, c *sql.Conn, query string) {
	t.Helper()
	testkit.Eventually(t, func() bool {
		return len(rows(t, c, "SELECT 1 FROM information_schema.PROCESSLIST WHERE STATE = 'Waiting for global read lock' AND INFO = '"+query+"'")) == 1
	})
}
