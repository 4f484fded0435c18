package server

import (
	"context"
	"database/sql"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// twoSessions are two connections on a database with two tables. The second gives up a wait for a
// metadata lock after a second.
func twoSessions(t *testing.T, args ...string) (ts *testServer, a, b *sql.Conn) {
	t.Helper()
	ts, _ = startReal(t, t.TempDir(), args...)
	ctx := context.Background()
	for _, c := range []**sql.Conn{&a, &b} {
		conn, err := ts.openDB("root", "", "", "").Conn(ctx)
		require.NoError(t, err)
		t.Cleanup(func() { conn.Close() })
		*c = conn
		exec(t, conn, "CREATE DATABASE IF NOT EXISTS d")
		exec(t, conn, "USE d")
		exec(t, conn, "SET lock_wait_timeout = 1")
	}
	exec(t, a, "CREATE TABLE t (a INT PRIMARY KEY, b INT)")
	exec(t, a, "CREATE TABLE u (a INT PRIMARY KEY)")
	exec(t, a, "INSERT INTO t VALUES (1, 1)")
	return ts, a, b
}

// TestPreparingHoldsNoMetadataLock changes the tables of statements that have been prepared, or
// could not be, inside of transactions.
func TestPreparingHoldsNoMetadataLock(t *testing.T) {
	_, a, b := twoSessions(t)
	ctx := context.Background()
	for i, begin := range []string{"BEGIN", "SET autocommit = 0"} {
		for j, prepare := range []func() error{
			func() error {
				_, err := a.ExecContext(ctx, "PREPARE s FROM 'SELECT * FROM t JOIN u'")
				return err
			},
			func() error {
				_, err := a.ExecContext(ctx, "PREPARE s FROM 'UPDATE t SET b = 2'")
				return err
			},
			func() error {
				_, err := a.ExecContext(ctx, "PREPARE s FROM 'SELECT nope FROM t JOIN u'")
				requireCode(t, err, 1054, "42S22")
				return nil
			},
			func() error {
				s, err := a.PrepareContext(ctx, "SELECT * FROM t JOIN u WHERE b = ?")
				if err == nil {
					defer s.Close()
				}
				return err
			},
			func() error {
				_, err := a.PrepareContext(ctx, "SELECT nope FROM t JOIN u")
				requireCode(t, err, 1054, "42S22")
				return nil
			},
		} {
			exec(t, a, begin)
			require.NoError(t, prepare())
			exec(t, b, fmt.Sprintf("ALTER TABLE t ADD c%d%d INT", i, j))
			exec(t, b, fmt.Sprintf("ALTER TABLE u ADD c%d%d INT", i, j))
			exec(t, a, "ROLLBACK")
		}
	}
	exec(t, a, "BEGIN")
	rows(t, a, "SELECT * FROM u")
	exec(t, a, "PREPARE s FROM 'SELECT * FROM t'")
	exec(t, b, "ALTER TABLE t ADD more INT")
	_, err := b.ExecContext(ctx, "ALTER TABLE u ADD more INT")
	requireCode(t, err, 1205, "HY000") // the lock of the SELECT stays
}

// TestSavepointsReleaseMetadataLocks goes back behind what a transaction has read and changed.
func TestSavepointsReleaseMetadataLocks(t *testing.T) {
	_, a, b := twoSessions(t)
	ctx := context.Background()
	exec(t, a, "BEGIN")
	rows(t, a, "SELECT * FROM t")
	exec(t, a, "SAVEPOINT x")
	exec(t, a, "INSERT INTO u VALUES (1)")
	exec(t, a, "SAVEPOINT y")
	rows(t, a, "SELECT * FROM t")
	exec(t, a, "ROLLBACK TO SAVEPOINT y")
	_, err := b.ExecContext(ctx, "DROP TABLE u")
	requireCode(t, err, 1205, "HY000")
	exec(t, a, "ROLLBACK TO SAVEPOINT x")
	exec(t, b, "DROP TABLE u")
	_, err = b.ExecContext(ctx, "ALTER TABLE t ADD c INT")
	requireCode(t, err, 1205, "HY000")
	exec(t, a, "COMMIT")
	exec(t, b, "ALTER TABLE t ADD c INT")

	exec(t, a, "BEGIN")
	exec(t, a, "SAVEPOINT x")
	exec(t, a, "UPDATE t SET b = 9")
	exec(t, a, "ROLLBACK TO SAVEPOINT x")
	exec(t, b, "ALTER TABLE t ADD d INT")
	exec(t, a, "UPDATE t SET b = 10")
	exec(t, a, "COMMIT")
	require.Equal(t, [][]string{{"1", "10", "NULL", "NULL"}}, rows(t, b, "SELECT * FROM t"))
}

// TestFailedLockTablesReleases lets others at what was locked before, with compiled statements too,
// which wait no longer than lock_wait_timeout says.
func TestFailedLockTablesReleases(t *testing.T) {
	_, a, b := twoSessions(t)
	ctx := context.Background()
	exec(t, a, "LOCK TABLES t WRITE")
	for range 3 {
		_, err := b.ExecContext(ctx, "INSERT INTO t VALUES (2, 2)")
		requireCode(t, err, 1205, "HY000")
	}
	_, err := a.ExecContext(ctx, "LOCK TABLES u WRITE, nope WRITE")
	requireCode(t, err, 1146, "42S02")
	exec(t, b, "INSERT INTO t VALUES (2, 2)")
	exec(t, b, "INSERT INTO u VALUES (2)")
	exec(t, b, "FLUSH TABLES WITH READ LOCK")
	exec(t, b, "UNLOCK TABLES")
}

// TestClosedStatementsAreForgotten keeps nothing of statements that are closed.
func TestClosedStatementsAreForgotten(t *testing.T) {
	ts, a, _ := twoSessions(t)
	ctx := context.Background()
	for i := range 200 {
		s, err := a.PrepareContext(ctx, fmt.Sprintf("SELECT a + %d FROM t WHERE b = ?", i))
		require.NoError(t, err)
		_, err = s.ExecContext(ctx, 1)
		require.NoError(t, err)
		require.NoError(t, s.Close())
		exec(t, a, fmt.Sprintf("PREPARE n%d FROM 'SELECT a + %d FROM t'", i, i))
		exec(t, a, fmt.Sprintf("DEALLOCATE PREPARE n%d", i))
	}
	rows(t, a, "SELECT 1")
	require.Zero(t, ts.counters.preparedStatements.Load()) // orders what the connection did before what follows
	ts.mu.Lock()
	defer ts.mu.Unlock()
	for w := range ts.mu.conns {
		require.Empty(t, w.statements)
		require.Empty(t, w.compiled.stmts)
		require.Empty(t, w.named)
	}
}

// TestPreparedStatementsAreCounted holds all kinds of prepared statements to
// max_prepared_stmt_count.
func TestPreparedStatementsAreCounted(t *testing.T) {
	ts, a, b := twoSessions(t)
	ctx := context.Background()
	count := func() string { return rows(t, b, "SHOW STATUS LIKE 'Prepared_stmt_count'")[0][1] }
	exec(t, a, "SET GLOBAL max_prepared_stmt_count = 3")
	exec(t, a, "PREPARE one FROM 'SELECT 1'")
	exec(t, a, "PREPARE two FROM 'SHOW ENGINES'")
	s, err := a.PrepareContext(ctx, "SELECT a FROM t")
	require.NoError(t, err)
	require.Equal(t, "3", count())
	_, err = a.ExecContext(ctx, "PREPARE three FROM 'SELECT 3'")
	requireCode(t, err, 1461, "42000")
	_, err = b.PrepareContext(ctx, "SELECT 3")
	requireCode(t, err, 1461, "42000")
	exec(t, a, "PREPARE one FROM 'SELECT 2'") // in the place of the other
	require.Equal(t, "3", count())
	exec(t, a, "CREATE PROCEDURE p() BEGIN DEALLOCATE PREPARE one; PREPARE other FROM 'SELECT 5'; END")
	exec(t, a, "CALL p()")
	require.Equal(t, [][]string{{"5"}}, rows(t, a, "EXECUTE other"))
	require.Equal(t, "3", count())
	require.NoError(t, s.Close())
	exec(t, a, "DEALLOCATE PREPARE two")
	require.Equal(t, "1", count())
	require.NoError(t, a.Close())
	_ = ts
}
