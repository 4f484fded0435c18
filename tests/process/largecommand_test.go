package process

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

// TestCommandsOfSeveralFrames prepares and runs statements longer than a frame of the protocol, of
// 16 MB, in the forms that the server reads itself: comments of versions, FOR SHARE, parameters.
func TestCommandsOfSeveralFrames(t *testing.T) {
	s := emberd.Start(t, "--max-allowed-packet=64M")
	cfg := s.Config("")
	cfg.MaxAllowedPacket = 60 << 20
	connector, err := mysql.NewConnector(cfg)
	require.NoError(t, err)
	db := sql.OpenDB(connector)
	defer db.Close()
	for _, q := range []string{"CREATE DATABASE f", "CREATE TABLE f.t (i INT PRIMARY KEY)", "INSERT INTO f.t VALUES (1)"} {
		mustExec(t, db, q)
	}
	ctx := context.Background()
	c, err := db.Conn(ctx)
	require.NoError(t, err)
	defer c.Close()
	for _, long := range []int{1 << 10, 1<<24 - 100, 17 << 20} {
		text := strings.Repeat("x", long)
		for _, q := range []string{"SELECT i + ?, LENGTH('" + text + "') /*!99999 nonsense */ /*!50000 + 0 */ FROM f.t FOR SHARE",
			"SELECT i + ?, LENGTH('" + text + "') FROM f.t"} {
			st, err := c.PrepareContext(ctx, q)
			require.NoError(t, err, "%d", long)
			var i, n int
			require.NoError(t, st.QueryRowContext(ctx, 1).Scan(&i, &n), "%d", long)
			require.Equal(t, []int{2, long}, []int{i, n})
			require.NoError(t, st.Close())
		}
		var n int
		require.NoError(t, c.QueryRowContext(ctx, "SELECT LENGTH(?)", text).Scan(&n), "%d", long)
		require.Equal(t, long, n)
		_, err := c.PrepareContext(ctx, "SELECT '"+text+"' FROM FROM")
		require.Equal(t, uint16(1064), serverError(err), "%v", err)
	}
}

// TestLongLists changes rows by lists of 10,000 values, of keys and of what is no key. The
// statements have programs, as those of short lists do: they search the key once for each value.
func TestLongLists(t *testing.T) {
	s := emberd.Start(t)
	db := s.Open("")
	defer db.Close()
	db.SetMaxOpenConns(1)
	const rows, values = 12000, 10000
	for _, q := range []string{"CREATE DATABASE l", "USE l", "SET cte_max_recursion_depth = 100000",
		"CREATE TABLE t (i INT PRIMARY KEY, k INT, s VARCHAR(20), n INT NOT NULL DEFAULT 0, KEY (k), KEY (s))"} {
		mustExec(t, db, q)
	}
	list := func(format string) string {
		return repeated(values, ",", func(i int) string { return fmt.Sprintf(format, i*2+1) })
	}
	executions := func() (n int) {
		require.NoError(t, db.QueryRow("SHOW GLOBAL STATUS LIKE 'Ember_compiled_executions'").Scan(new(string), &n))
		return n
	}
	const found = rows / 2 // the odd ones
	for _, where := range []string{"i IN (" + list("%d") + ")", "k IN (" + list("%d0") + ")", "s IN (" + list("'s%d'") + ")",
		"n IN (0," + list("%d") + ") AND i % 2 = 1", "i IN (" + list("%d") + ") AND s <> 'none'"} {
		mustExec(t, db, "DELETE FROM t")
		mustExec(t, db, fmt.Sprintf("INSERT INTO t (i, k, s) WITH RECURSIVE c AS (SELECT 1 i UNION ALL SELECT i + 1 FROM c WHERE i < %d) SELECT i, i * 10, CONCAT('s', i) FROM c", rows))
		before := executions()
		for _, q := range []string{"UPDATE t SET n = n + 1 WHERE " + where, "UPDATE t SET n = n - 1 WHERE " + where, "DELETE FROM t WHERE " + where} {
			result, err := db.Exec(q)
			require.NoError(t, err, "%.60s", q)
			n, err := result.RowsAffected()
			require.NoError(t, err)
			require.Equal(t, int64(found), n, "%.60s", q)
		}
		require.GreaterOrEqual(t, executions()-before, 3, "%.20s", where)
		var left int
		require.NoError(t, db.QueryRow("SELECT COUNT(*) FROM t WHERE i % 2 = 0 AND n = 0").Scan(&left))
		require.Equal(t, rows/2, left)
	}
}
