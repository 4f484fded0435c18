package server

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
)

// LOCK INSTANCE FOR BACKUP holds other sessions' definitions and purges back, not changes of rows,
// temporary tables and the holder's own statements. The outcomes are MySQL 9.7's.
func TestLockInstanceForBackup(t *testing.T) {
	ts, _ := startReal(t, t.TempDir(), "--log-bin=binlog")
	holder, other := conn(t, ts), conn(t, ts)
	exec(t, holder, "CREATE DATABASE test; CREATE DATABASE d; USE d; CREATE TABLE t (a INT PRIMARY KEY)")
	exec(t, other, "USE d; SET lock_wait_timeout = 1")
	exec(t, holder, "LOCK INSTANCE FOR BACKUP")
	for _, statement := range []string{"CREATE TABLE t2 (a INT)", "ALTER TABLE t ADD b INT", "TRUNCATE t", "DROP TABLE t", "CREATE USER u", "SET PASSWORD = ''",
		"CREATE VIEW v AS SELECT 1", "DROP DATABASE d", "CREATE TABLE t2 SELECT 1 AS a"} {
		_, err := other.ExecContext(t.Context(), statement)
		requireCode(t, err, 1205, "HY000")
	}
	_, err := other.ExecContext(t.Context(), "PURGE BINARY LOGS BEFORE NOW()")
	requireCode(t, err, 4085, "HY000")
	exec(t, other, "INSERT INTO t VALUES (1); CREATE TEMPORARY TABLE tt (a INT); DROP TEMPORARY TABLE tt; FLUSH TABLES WITH READ LOCK; UNLOCK TABLES")
	exec(t, other, "LOCK INSTANCE FOR BACKUP; UNLOCK INSTANCE")
	exec(t, holder, "CREATE TABLE own (a INT); DROP TABLE own; LOCK INSTANCE FOR BACKUP")

	_, created := running(t, ts, "CREATE TABLE d.t2 (a INT)")
	testkit.Eventually(t, func() bool {
		return len(rows(t, holder, "SELECT 1 FROM information_schema.processlist WHERE state = 'Waiting for backup lock'")) == 1
	})
	exec(t, holder, "UNLOCK INSTANCE")
	require.NoError(t, <-created)

	gone := conn(t, ts)
	exec(t, gone, "LOCK INSTANCE FOR BACKUP")
	exec(t, other, "KILL "+rows(t, gone, "SELECT CONNECTION_ID()")[0][0])
	exec(t, other, "SET lock_wait_timeout = 60; DROP TABLE t2")
	require.Equal(t, [][]string{{"1"}}, rows(t, other, "SELECT COUNT(*) FROM t"))
}
