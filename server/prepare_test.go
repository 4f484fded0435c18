package server

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// SHOW WARNINGS and ROW_COUNT() tell of a text that could not be prepared, and SHOW WARNINGS no
// more of what was before one that could.
func TestPreparingReplacesWarnings(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	ctx := context.Background()
	c, err := ts.openDB("root", "", "", "").Conn(ctx)
	require.NoError(t, err)
	exec(t, c, "CREATE DATABASE d")
	exec(t, c, "USE d")
	exec(t, c, "CREATE TABLE t (a INT PRIMARY KEY)")
	exec(t, c, "INSERT INTO t VALUES (1)")
	for text, code := range map[string]int{"SELECT a FROM t": 0, "SELECT nope FROM t": 1054, "SELECT 1,": 1064, "NOPE": 1064} {
		exec(t, c, "INSERT IGNORE INTO t VALUES (1)")
		if s, err := c.PrepareContext(ctx, text); err == nil {
			require.NoError(t, s.Close())
		}
		var level, message string
		var told, count int
		if err := c.QueryRowContext(ctx, "SHOW WARNINGS").Scan(&level, &told, &message); code > 0 {
			require.NoError(t, err, text)
		}
		require.Equal(t, code, told, text)

		exec(t, c, "INSERT IGNORE INTO t VALUES (1)")
		if _, err := c.PrepareContext(ctx, text); code > 0 {
			require.Error(t, err)
			require.NoError(t, c.QueryRowContext(ctx, "SELECT ROW_COUNT()").Scan(&count))
			require.Equal(t, -1, count, text)
		}
	}
}
