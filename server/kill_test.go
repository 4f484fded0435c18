package server

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
)

// What waits for a named lock is ended by KILL, not by its time.
func TestKillEndsWaitForNamedLock(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	root := conn(t, ts)
	exec(t, root, "CREATE DATABASE test")
	require.Equal(t, "1", oneText(t, root, "SELECT GET_LOCK('l', 0)"))
	for _, query := range []string{"SELECT GET_LOCK('l', 100000)", "SELECT GET_LOCK('l', 100000) + 1", "DO GET_LOCK('l', -1)"} {
		id, done := running(t, ts, query)
		exec(t, root, "KILL QUERY "+id)
		requireCode(t, testkit.Receive(t, done), 1317, "70100")
	}
	id, done := running(t, ts, "SELECT GET_LOCK('l', 100000)")
	exec(t, root, "DO RELEASE_LOCK('l')")
	require.NoError(t, <-done)
	require.Equal(t, id, oneText(t, root, "SELECT IS_USED_LOCK('l')"))
	require.Equal(t, "0", oneText(t, root, "SELECT GET_LOCK('l', 0)"))
	require.Equal(t, "0", oneText(t, root, "SELECT GET_LOCK('l', NULL)"))
}

// A COMMIT that is killed where it waits for FLUSH TABLES WITH READ LOCK has failed: its
// transaction is gone, as MySQL's is.
func TestKilledCommitIsRolledBack(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	root, c := conn(t, ts), conn(t, ts)
	exec(t, root, "CREATE DATABASE d; CREATE TABLE d.t (a INT PRIMARY KEY)")
	exec(t, c, "BEGIN; INSERT INTO d.t VALUES (1)")
	id := oneText(t, c, "SELECT CONNECTION_ID()")
	exec(t, root, "FLUSH TABLES WITH READ LOCK")
	done := make(chan error, 1)
	go func() {
		_, err := c.ExecContext(context.Background(), "COMMIT")
		done <- err
	}()
	testkit.Eventually(t, func() bool {
		return len(rows(t, root, "SELECT 1 FROM information_schema.PROCESSLIST WHERE INFO = 'COMMIT'")) == 1
	})
	exec(t, root, "KILL QUERY "+id)
	requireCode(t, <-done, 1317, "70100")
	exec(t, root, "UNLOCK TABLES")
	exec(t, c, "BEGIN; COMMIT")
	require.Empty(t, rows(t, c, "SELECT a FROM d.t"))
}
