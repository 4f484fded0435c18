package server

import (
	"context"
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
)

// Whichever way a statement comes that meets a deadlock and loses: its client is told, the whole
// transaction is gone, and what comes behind is one of its own.
func TestVictimIsTold(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	ctx := context.Background()
	pool := ts.openDB("root", "", "", "multiStatements=true")
	exec(t, pool, "CREATE DATABASE d; CREATE TABLE d.t (a INT PRIMARY KEY, b INT); INSERT INTO d.t VALUES (1,0),(2,0); CREATE TABLE d.done (a INT PRIMARY KEY); CREATE TABLE d.bulk (a INT)")
	exec(t, pool, "CREATE PROCEDURE d.p() BEGIN UPDATE d.t SET b = b + 1 WHERE a = 1; INSERT INTO d.done VALUES (50); END")
	exec(t, pool, "CREATE FUNCTION d.f() RETURNS INT READS SQL DATA RETURN (SELECT b FROM d.t WHERE a = 1 FOR UPDATE)")
	pool = ts.openDB("root", "", "d", "multiStatements=true")
	conn := func() *sql.Conn {
		c, err := pool.Conn(ctx)
		require.NoError(t, err)
		t.Cleanup(func() { c.Close() })
		return c
	}
	a, b := conn(), conn()
	update, err := a.PrepareContext(ctx, "UPDATE t SET b = b + ? WHERE a = ?")
	require.NoError(t, err)
	locking, err := a.PrepareContext(ctx, "SELECT b FROM t WHERE a = ? FOR UPDATE")
	require.NoError(t, err)
	for range 3 { // compiled by now
		_, err = update.Exec(1, 1)
		require.NoError(t, err)
		require.Len(t, rows(t, a, "SELECT b FROM t WHERE a = 1 FOR UPDATE"), 1)
		exec(t, a, "UPDATE t SET b = b + 1 WHERE a = 1")
		_, err = locking.Exec(1)
		require.NoError(t, err)
	}
	ask := func(query string) func() error {
		return func() error {
			_, err := tryRows(a, query)
			return err
		}
	}
	for name, lose := range map[string]func() error{
		"text":          ask("UPDATE t SET b = b + 1 WHERE a = 1"),
		"read":          ask("SELECT b FROM t WHERE a = 1 FOR UPDATE"),
		"subquery":      ask("SELECT (SELECT b FROM t WHERE a = 1 FOR UPDATE)"),
		"function":      ask("SELECT f()"),
		"procedure":     ask("CALL p()"),
		"insert":        ask("INSERT INTO done SELECT b FROM t WHERE a = 1"),
		"ignore":        ask("UPDATE IGNORE t SET b = b + 1 WHERE a = 1"),
		"duplicate":     ask("INSERT INTO t VALUES (1, 1) ON DUPLICATE KEY UPDATE b = b + 1"),
		"set":           ask("SET @x = f()"),
		"do":            ask("DO f()"),
		"planned":       ask("SELECT a FROM done WHERE a = f()"),
		"insert value":  ask("INSERT INTO done VALUES (f() + 9)"),
		"insert ignore": ask("INSERT IGNORE INTO done VALUES ((SELECT b + 9 FROM t WHERE a = 1 FOR UPDATE))"),
		"if":            ask("SELECT IF(f() > 5, 1, 2) FROM t WHERE a = 2 ORDER BY f() LIMIT 1"),
		"prepare":       ask("PREPARE s FROM 'SELECT a FROM done WHERE a = f()'; EXECUTE s"),
		"binary":        func() error { _, err := tryRows(a, "SELECT a FROM done WHERE a = f() + ?", 1); return err },
		"several": func() error {
			_, err := a.ExecContext(ctx, "DO 0; UPDATE t SET b = b + 1 WHERE a = 1; INSERT INTO done VALUES (51)")
			return err
		},
		"swallowed": func() error { // go-mysql-server takes any error for a document that is none, and commits nothing behind it that could tell
			exec(t, a, "SET autocommit = 0")
			defer exec(t, a, "SET autocommit = 1")
			return ask("SELECT JSON_VALID(f())")()
		},
		"prepared":      func() error { _, err := update.Exec(1, 1); return err },
		"prepared read": func() error { _, err := locking.Exec(1); return err },
	} {
		t.Run(name, func(t *testing.T) {
			exec(t, a, "BEGIN; INSERT INTO done VALUES (1); UPDATE t SET b = b + 1 WHERE a = 2")
			exec(t, b, "BEGIN; INSERT INTO bulk VALUES (1),(2),(3),(4),(5),(6),(7),(8); UPDATE t SET b = b + 1 WHERE a = 1")
			other := make(chan error, 1)
			go func() {
				_, err := b.ExecContext(ctx, "UPDATE t SET b = b + 1 WHERE a = 2")
				other <- err
			}()
			testkit.Eventually(t, func() bool {
				return len(rows(t, pool, "SELECT 1 FROM information_schema.INNODB_TRX WHERE trx_state = 'LOCK WAIT'")) == 1
			})
			requireCode(t, lose(), 1213, "40001")
			require.NoError(t, <-other)
			exec(t, b, "COMMIT")
			require.Empty(t, rows(t, a, "SELECT a FROM done"))
			exec(t, a, "INSERT INTO done VALUES (2)") // is committed at once
			require.Equal(t, [][]string{{"2"}}, rows(t, b, "SELECT a FROM done"))
			exec(t, a, "DELETE FROM done")
		})
	}
}
