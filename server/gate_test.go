package server

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReadOnlyServer refuses changes however they are written, and lets the session's temporary
// tables be changed.
func TestReadOnlyServer(t *testing.T) {
	ts, _ := startReal(t, t.TempDir(), "--skip-log-bin")
	c := conn(t, ts)
	exec(t, c, "CREATE DATABASE d; USE d; CREATE TABLE t (a INT PRIMARY KEY); INSERT INTO t VALUES (1)")
	exec(t, c, "CREATE PROCEDURE p() INSERT INTO t VALUES (2)")
	exec(t, c, "CREATE FUNCTION f() RETURNS INT BEGIN INSERT INTO t VALUES (3); RETURN 1; END")
	exec(t, c, "PREPARE s FROM 'DELETE FROM t'")
	texts := []string{"INSERT INTO t VALUES (4)", "CALL p()", "SELECT f()", "DO f()", "SET @a = f()", "WITH q AS (SELECT 1 a) DELETE FROM t WHERE a IN (SELECT a FROM q)",
		"EXECUTE s", "SELECT a FROM t FOR UPDATE", "EXPLAIN INSERT INTO t VALUES (5)"}
	exec(t, c, "SET GLOBAL super_read_only = 1")
	for _, text := range texts {
		_, err := c.ExecContext(t.Context(), text)
		requireCode(t, err, 1290, "HY000")
	}
	exec(t, c, "CREATE TEMPORARY TABLE x (a INT); INSERT INTO x VALUES (1); UPDATE x SET a = 2; DROP TEMPORARY TABLE x")
	exec(t, c, "SET GLOBAL read_only = 0")
	for _, begin := range []string{"START TRANSACTION READ ONLY", "START TRANSACTION /* read write */ READ ONLY"} {
		for _, text := range texts {
			exec(t, c, begin)
			_, err := c.ExecContext(t.Context(), text)
			requireCode(t, err, 1792, "25006")
			exec(t, c, "ROLLBACK")
		}
	}
	require.Equal(t, [][]string{{"1"}}, rows(t, c, "SELECT a FROM t"))
}

// TestPreparedMeansWhatItMeant keeps the database of a prepared statement, and plans it anew when
// what it names has changed.
func TestPreparedMeansWhatItMeant(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	c := conn(t, ts)
	exec(t, c, "CREATE DATABASE a; CREATE DATABASE b; CREATE TABLE a.t (x INT); CREATE TABLE b.t (x INT); INSERT INTO a.t VALUES (1); INSERT INTO b.t VALUES (1)")
	exec(t, c, "USE a")
	byID, err := c.PrepareContext(t.Context(), "UPDATE t SET x = x + 10 WHERE x > ?")
	require.NoError(t, err)
	exec(t, c, "PREPARE s FROM 'UPDATE t SET x = x + 1'")
	exec(t, c, "CREATE VIEW v AS SELECT x FROM t")
	exec(t, c, "PREPARE w FROM 'SELECT * FROM v'")
	exec(t, c, "USE b")
	exec(t, c, "EXECUTE s")
	_, err = byID.ExecContext(t.Context(), 0)
	require.NoError(t, err)
	require.Equal(t, [][]string{{"12", "1"}}, rows(t, c, "SELECT a.t.x, b.t.x FROM a.t, b.t"))
	exec(t, c, "CREATE OR REPLACE VIEW a.v AS SELECT x, x + 1 AS y FROM b.t")
	require.Equal(t, [][]string{{"1", "2"}}, rows(t, c, "EXECUTE w"))
	require.Equal(t, "b", oneText(t, c, "SELECT DATABASE()"))
	exec(t, c, "CREATE TABLE n (i INT NOT NULL)")
	exec(t, c, "PREPARE i FROM 'INSERT IGNORE INTO n VALUES (NULL)'")
	exec(t, c, "EXECUTE i")
	require.Equal(t, [][]string{{"0"}}, rows(t, c, "SELECT i FROM n"))
}
