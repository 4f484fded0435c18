package server

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
)

// With ember_ready_when_warm_pct clients connect at once and their statements wait; administrators
// are served.
func TestReadinessGate(t *testing.T) {
	b := &memBackend{}
	b.warmPct.Store(100)
	dir := t.TempDir()
	ts := startIn(t, dir, b, "--ember-ready-when-warm-pct=50")
	exec(t, ts.root(), "CREATE USER u IDENTIFIED BY 'p'")
	exec(t, ts.root(), "GRANT SELECT ON *.* TO u")
	testkit.Eventually(t, func() bool { return !ts.gate.closed() })

	b.warmPct.Store(10)
	ts.gate.begin(ts.Server)
	root := ts.conn()
	require.Equal(t, "1", rows(t, root, "SELECT 1")[0][0])
	db := ts.open("u", "p", "")
	require.NoError(t, db.Ping(), "connecting is possible")
	got := make(chan error, 1)
	go func() {
		var n int
		got <- db.QueryRow("SELECT 1").Scan(&n)
	}()
	testkit.Eventually(t, func() bool {
		return len(rows(t, root, "SELECT 1 FROM information_schema.processlist WHERE state = 'Waiting for the buffer pool to be warm'")) == 1
	})
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_, err := db.ExecContext(ctx, "DO 1")
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Empty(t, got)
	b.warmPct.Store(50)
	require.NoError(t, <-got)

	b.warmPct.Store(10)
	ts.gate.begin(ts.Server)
	exec(t, root, "SET GLOBAL ember_ready_when_warm_pct = 0")
	require.Len(t, rows(t, db, "SELECT 1"), 1, "switched off")
}

// XtraDB's commands and the tables, over the real engine.
func TestWarmTables(t *testing.T) {
	dir := t.TempDir()
	ts, stop := startReal(t, dir, "--innodb-buffer-pool-dump-at-shutdown=OFF")
	root, err := ts.openDB("root", "", "", "").Conn(context.Background())
	require.NoError(t, err)
	exec(t, root, "CREATE DATABASE shop")
	exec(t, root, "CREATE TABLE shop.orders (id INT PRIMARY KEY, note VARCHAR(20), KEY by_note (note))")
	exec(t, root, "INSERT INTO shop.orders VALUES (1, 'a'), (2, 'b')")
	admin := func(comment string) string {
		return rows(t, root, "SELECT * FROM information_schema.XTRADB_ADMIN_COMMAND "+comment)[0][0]
	}
	require.Equal(t, noXtradbCommand, admin(""))
	require.Equal(t, "Undefined XTRA_* command.", admin("/*!XTRA_MAKE_COFFEE*/"))
	require.Equal(t, "XTRA_LRU_RESTORE was failed.", admin("/*!XTRA_LRU_RESTORE*/"), "there is no list yet")
	require.Contains(t, rows(t, root, "SHOW WARNINGS")[0][2], "Cannot open")
	require.Equal(t, "XTRA_LRU_DUMP was succeeded.", admin("/*!XTRA_LRU_DUMP*/"))
	require.Equal(t, "XTRA_LRU_RESTORE was succeeded.", admin("/*!XTRA_LRU_RESTORE*/"))
	const warmth = "SELECT listed_pages > 0, warm_pct, resident_bytes > 0, heat > 0 FROM information_schema.EMBER_WARM_STATUS WHERE table_schema = 'shop' AND table_name = 'orders'"
	require.Equal(t, [][]string{{"1", "100", "1", "1"}}, rows(t, root, warmth))
	require.Equal(t, [][]string{{"by_note"}, {"PRIMARY"}}, rows(t, root,
		"SELECT index_name FROM information_schema.EMBER_WARM_INDEXES WHERE table_name = 'orders' AND index_name NOT LIKE '(%' ORDER BY 1"))
	require.NotEqual(t, "0", rows(t, root, "SHOW STATUS LIKE 'Ember_warm_list_pages'")[0][1])
	require.Equal(t, [][]string{{"1", "1", "1"}}, rows(t, root,
		"SELECT MIN(lru_position) = 0, MAX(lru_position) = COUNT(*) - 1, SUM(table_name = 'shop.orders') > 0 FROM information_schema.INNODB_BUFFER_PAGE_LRU"))
	require.Equal(t, "warm", rows(t, root, "SHOW STATUS LIKE 'Ember_warm_state'")[0][1])
	exec(t, root, "CREATE USER plain")
	_, err = tryRows(ts.openDB("plain", "", "", ""), "SELECT * FROM information_schema.EMBER_WARM_STATUS")
	requireCode(t, err, 1227, "42000")
	stop()

	ts, _ = startReal(t, dir)
	root, err = ts.openDB("root", "", "", "").Conn(context.Background())
	require.NoError(t, err)
	testkit.Eventually(t, func() bool {
		return len(rows(t, root, "SELECT 1 FROM information_schema.EMBER_RESTART_TIMELINE WHERE is_current = 'YES' AND phase = 'warm 100 %'")) == 1
	})
	for _, phase := range []string{"process", "files", "redo scan", "open", "first query", "list read", "tier 1", "warm 50 %"} {
		require.Equal(t, [][]string{{"done"}}, rows(t, root, "SELECT state FROM information_schema.EMBER_RESTART_TIMELINE WHERE is_current = 'YES' AND phase = '"+phase+"'"), phase)
	}
	require.Equal(t, [][]string{{"2"}}, rows(t, root, "SELECT COUNT(DISTINCT started) FROM information_schema.EMBER_RESTART_TIMELINE"))
	require.Equal(t, "100", rows(t, root, warmth)[0][1], "before anybody asked for the table")
}
