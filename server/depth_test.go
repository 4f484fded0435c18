package server

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A statement that nests without end is an error wherever it stands: the stack of a Go program that
// overflows ends it, and with it every session.
func TestDeepStatements(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	ctx := context.Background()
	db := ts.openDB("root", "", "", "multiStatements=true")
	exec(t, db, "CREATE DATABASE d; USE d; CREATE TABLE d.t (a INT)")
	c, err := ts.openDB("root", "", "d", "multiStatements=true").Conn(ctx)
	require.NoError(t, err)
	exec(t, c, "SET SESSION group_concat_max_len = 4 << 20")
	const n = 1 << 17
	sum := "1" + strings.Repeat("+1", n)
	for _, text := range []string{
		"SELECT " + sum, "SELECT 1; SELECT " + sum, "DO " + sum, "SET @a = " + sum, "EXPLAIN SELECT " + sum, "SELECT * FROM t WHERE a IN (SELECT " + sum + ")",
		"INSERT INTO t VALUES (" + sum + ")", "UPDATE t SET a = " + sum, "DELETE FROM t WHERE a = " + sum, "SELECT 1 LIMIT 1 INTO @a UNION SELECT " + sum,
		"SELECT " + strings.Repeat("(", n) + "1" + strings.Repeat(")", n), "SELECT " + strings.Repeat("abs(", n/4) + "1" + strings.Repeat(")", n/4),
		strings.Repeat("(", n) + "SELECT 1" + strings.Repeat(")", n), strings.Repeat("(", n) + "SELECT 1", "SELECT * FROM " + strings.Repeat("(", n) + "t" + strings.Repeat(")", n),
		"SELECT " + strings.Repeat("NOT ", n/4) + "1", "SELECT 1 WHERE a" + strings.Repeat(" OR a", n/4),
		"CREATE VIEW v AS SELECT " + sum, "CREATE PROCEDURE p() SELECT " + sum, "CREATE TRIGGER r BEFORE INSERT ON t FOR EACH ROW SET NEW.a = " + sum,
		"CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO SELECT " + sum, "CREATE FUNCTION f() RETURNS INT DETERMINISTIC RETURN " + sum, "CREATE TABLE g (a INT DEFAULT (" + sum + "))",
		"CREATE PROCEDURE p() BEGIN " + strings.Repeat("BEGIN ", n/8) + strings.Repeat("END; ", n/8) + "END",
		"CREATE PROCEDURE p() BEGIN " + strings.Repeat("IF 1 THEN ", n/16) + "SELECT 1; " + strings.Repeat("END IF; ", n/16) + "END",
	} {
		_, err := c.ExecContext(ctx, text)
		require.Error(t, err, "%.50s", text)
		require.NoError(t, c.PingContext(ctx), "%.50s", text)
		stmt, err := c.PrepareContext(ctx, text)
		if err == nil {
			_, err = stmt.ExecContext(ctx)
		}
		require.Error(t, err, "%.50s", text)
	}
	exec(t, c, "SET @q = CONCAT('SELECT 1', REPEAT('+1', 1000000))")
	_, err = c.ExecContext(ctx, "PREPARE s FROM @q")
	requireCode(t, err, 1436, "HY000")

	// Long chains are no mistake.
	var sumOf int
	require.NoError(t, c.QueryRowContext(ctx, "SELECT SUM(x) FROM (SELECT 1 AS x"+strings.Repeat(" UNION ALL SELECT 1", 2000)+") q").Scan(&sumOf))
	require.Equal(t, 2001, sumOf)
	exec(t, c, "INSERT INTO t VALUES (7), (8)")
	require.NoError(t, c.QueryRowContext(ctx, "SELECT COUNT(*) FROM t WHERE a = 1"+strings.Repeat(" OR a = 7", 5000)).Scan(&sumOf))
	require.Equal(t, 1, sumOf)
	require.NoError(t, c.QueryRowContext(ctx, "SELECT COUNT(*) FROM t WHERE a > 1"+strings.Repeat(" AND a < 8", 5000)).Scan(&sumOf))
	require.Equal(t, 1, sumOf)
}
