package process

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
)

// hogs are statements that would keep gigabytes.
func hogs() map[string]string {
	const rows = "d a, d b, d c, d e, d f, d g, d h, d o" // 10^8
	const text = "CONCAT(a.i, b.i, c.i, e.i, f.i, g.i, h.i, o.i)"
	const kept = "CONCAT(a.i, b.i, c.i, e.i, f.i, g.i, h.i, o.i, LEFT(SLEEP(0), 0))" // SLEEP keeps it off the executor, which would go on in tmpdir
	return map[string]string{
		"spilled sort":     "SELECT " + text + " x FROM " + rows + " ORDER BY x",
		"sort":             "SELECT " + kept + " x FROM " + rows + " ORDER BY x",
		"sort with LIMIT":  "SELECT " + kept + " x FROM " + rows + " ORDER BY x LIMIT 90000000",
		"groups":           "SELECT " + kept + " x, COUNT(*) FROM " + rows + " GROUP BY x",
		"distinct":         "SELECT COUNT(*) FROM (SELECT DISTINCT " + kept + " x FROM " + rows + ") z",
		"distinct numbers": "SELECT DISTINCT a.i+b.i*10+c.i*100+e.i*1000+f.i*10000+g.i*100000+h.i*1000000+o.i*10000000 FROM " + rows,
		"count distinct":   "SELECT COUNT(DISTINCT a.i+b.i*10+c.i*100+e.i*1000+f.i*10000+g.i*100000+h.i*1000000+o.i*10000000) FROM " + rows,
		"union":            "SELECT a.i+b.i*10+c.i*100+e.i*1000+f.i*10000+g.i*100000+h.i*1000000+o.i*10000000 FROM " + rows + " UNION SELECT 1",
		"window":           "SELECT ROW_NUMBER() OVER (ORDER BY a.i) FROM " + rows,
		"hash join":        "SELECT COUNT(*) FROM d LEFT JOIN (SELECT a.i+b.i*10+c.i*100+e.i*1000+f.i*10000+g.i*100000+h.i*1000000 x FROM " + rows + ") z ON z.x = d.i",
		"derived table":    "SELECT COUNT(*) FROM d LEFT JOIN (SELECT a.i x FROM " + rows + ") z ON d.i+z.x < 0",
		"recursion":        "WITH RECURSIVE r AS (SELECT 1 n UNION ALL SELECT n+1 FROM r, d WHERE n < 10) SELECT COUNT(*) FROM r",
		"cursor":           "CALL keeper()",
		"IN list":          "SELECT 1 IN (" + repeated(700000, ",", strconv.Itoa) + ")",
	}
}

// slowHogs compute long for the memory that they take.
var slowHogs = []string{"hash join", "distinct numbers", "count distinct", "union"}

// TestStatementMemory lets each hog run into ember_statement_memory: it fails with 3170, or goes on
// in tmpdir within that memory until its time is up (3024). Its connection goes on, and nothing
// stays accounted.
func TestStatementMemory(t *testing.T) {
	_, db, _ := longServer(t, "--ember-statement-memory=4M")
	ctx := context.Background()
	c, err := db.Conn(ctx)
	require.NoError(t, err)
	defer c.Close()
	_, err = c.ExecContext(ctx, "SET max_execution_time = 2000")
	require.NoError(t, err)
	mustExec(t, db, "CREATE PROCEDURE keeper() BEGIN DECLARE c CURSOR FOR SELECT CONCAT(a.i, REPEAT('x', 4000)) FROM d a, d b, d c, d e; OPEN c; CLOSE c; END")
	mustExec(t, db, "CREATE PROCEDURE taker() BEGIN DECLARE v TEXT; SELECT CONCAT(a.i, REPEAT('x', 4000)) INTO v FROM d a, d b, d c, d e; END")
	for _, q := range []string{"CALL taker()", "SELECT CONCAT(a.i, REPEAT('x', 4000)) INTO @v FROM d a, d b, d c, d e"} {
		_, err = c.ExecContext(ctx, q)
		require.EqualValues(t, 1172, serverError(err), "two rows are held: %v", err)
	}
	for name, q := range hogs() {
		if testing.Short() && slices.Contains(slowHogs, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			ended := make(chan error, 1)
			go func() { ended <- drainQuery(ctx, c, q) }()
			var err error
			for running := true; running; {
				select {
				case err = <-ended:
					running = false
				case <-time.After(50 * time.Millisecond):
					require.Less(t, accounted(t, db), 6<<20)
				}
			}
			require.Contains(t, []uint16{3170, 3024}, serverError(err), "%v", err)
			t.Logf("HOG %-16s %5d ms: %v", name, time.Since(began).Milliseconds(), err)
		})
	}
	_, err = c.ExecContext(ctx, "SET ember_statement_memory = 0, max_execution_time = 0")
	require.NoError(t, err)
	require.NoError(t, drainQuery(ctx, c, "SELECT CONCAT(a.i, b.i, c.i, e.i, f.i) x FROM d a, d b, d c, d e, d f ORDER BY x"))
}

// TestBulkInsertMemory inserts many rows: more are gathered where memory allows it, as many as at
// first where it does not.
func TestBulkInsertMemory(t *testing.T) {
	_, db, _ := longServer(t)
	ctx := context.Background()
	c, err := db.Conn(ctx)
	require.NoError(t, err)
	defer c.Close()
	most := func(limit int) (most int) {
		mustExec(t, db, "DROP TABLE IF EXISTS bulk")
		mustExec(t, db, "CREATE TABLE bulk (a INT, s VARCHAR(99), KEY (s))")
		_, err := c.ExecContext(ctx, fmt.Sprintf("SET ember_statement_memory = %d", limit))
		require.NoError(t, err)
		ended := make(chan error, 1)
		go func() {
			_, err := c.ExecContext(ctx, "INSERT INTO bulk SELECT a.i, CONCAT(a.i, b.i, c.i, e.i, f.i, REPEAT('x', 60)) FROM d f, d e, d c, d b, d a, (SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3) z")
			ended <- err
		}()
		for {
			select {
			case err := <-ended:
				require.NoError(t, err)
				var n int
				require.NoError(t, db.QueryRow("SELECT COUNT(DISTINCT s) FROM bulk").Scan(&n))
				require.Equal(t, 100_000, n)
				return most
			case <-time.After(2 * time.Millisecond):
				most = max(most, accounted(t, db))
			}
		}
	}
	require.Less(t, most(6<<20), 7<<20)
	require.Greater(t, most(256<<20), 8<<20)
}

func accounted(t testing.TB, db *sql.DB) int {
	t.Helper()
	var name string
	var n int
	require.NoError(t, db.QueryRow("SHOW GLOBAL STATUS LIKE 'Ember_statement_memory'").Scan(&name, &n))
	return n
}

// TestConnectionMemory closes connections of accounts that exceed connection_memory_limit: 4082.
func TestConnectionMemory(t *testing.T) {
	s, db, _ := longServer(t)
	for _, q := range []string{"CREATE USER u@localhost", "GRANT SELECT ON k.* TO u@localhost", "SET GLOBAL connection_memory_limit = 4194304"} {
		mustExec(t, db, q)
	}
	ctx := context.Background()
	for user, want := range map[string]uint16{"u": 4082, "root": 3170} {
		cfg := s.Config("k")
		cfg.User = user
		db, err := sql.Open("mysql", cfg.FormatDSN())
		require.NoError(t, err)
		defer db.Close()
		c, err := db.Conn(ctx)
		require.NoError(t, err)
		_, err = c.ExecContext(ctx, "SET ember_statement_memory = 33554432")
		require.NoError(t, err)
		err = drainQuery(ctx, c, hogs()["sort"])
		require.Equal(t, want, serverError(err), "%v", err)
		err = drainQuery(ctx, c, "SELECT 1")
		require.Equal(t, user == "u", err != nil, "%v", err)
		c.Close()
	}
	mustExec(t, db, "SET GLOBAL connection_memory_limit = DEFAULT")
	mustExec(t, db, "SET GLOBAL global_connection_memory_limit = 16777216")
	mustExec(t, db, "SET GLOBAL global_connection_memory_tracking = ON")
	cfg := s.Config("k")
	cfg.User = "u"
	u, err := sql.Open("mysql", cfg.FormatDSN())
	require.NoError(t, err)
	defer u.Close()
	c, err := u.Conn(ctx)
	require.NoError(t, err)
	defer c.Close()
	err = drainQuery(ctx, c, hogs()["sort"])
	require.Equal(t, uint16(4081), serverError(err), "%v", err)
}

// TestServerMemory runs hogs on many connections of a server with little memory: it goes on
// answering, its process stays near its limit, and all statements end with an error of their own.
func TestServerMemory(t *testing.T) {
	const clients = 150
	s, db, _ := longServer(t, "--ember-heap-memory=512M", "--max-connections=200", "--innodb-buffer-pool-size=32M")
	db.SetMaxOpenConns(0)
	queries := []string{}
	for name, q := range hogs() {
		if name != "IN list" {
			queries = append(queries, q)
		}
	}
	ctx := context.Background()
	var mu sync.Mutex
	counts := map[uint16]int{}
	count := func(code uint16) int { mu.Lock(); defer mu.Unlock(); return counts[code] }
	var wg sync.WaitGroup
	for i := range clients {
		wg.Go(func() {
			c, err := db.Conn(ctx)
			if err == nil {
				err = drainQuery(ctx, c, queries[i%len(queries)])
				c.Close()
			}
			mu.Lock()
			defer mu.Unlock()
			counts[serverError(err)]++
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	slowest, peak := time.Duration(0), int64(0)
	watcher, err := db.Conn(ctx)
	require.NoError(t, err)
	defer watcher.Close()
	watch := func() {
		began := time.Now()
		require.NoError(t, drainQuery(ctx, watcher, "SELECT COUNT(*) FROM d"))
		slowest, peak = max(slowest, time.Since(began)), max(peak, residentOf(t, s.Pid()))
	}
	// The server refuses memory for a while.
	refused := time.Duration(0)
	testkit.Eventually(t, func() bool {
		began := time.Now()
		watch()
		if time.Sleep(10 * time.Millisecond); count(1041) > 0 {
			refused += time.Since(began)
		}
		return refused > 5*time.Second
	}, "no statement is refused memory")
	t.Logf("MEMORY %d clients: peak %d MiB, slowest answer of another client %v", clients, peak>>20, slowest)
	require.Less(t, peak, int64(1200<<20))
	testkit.Eventually(t, func() bool { // those that had memory enough are not done, others have not begun
		killHogs(t, watcher)
		select {
		case <-done:
			return true
		case <-time.After(200 * time.Millisecond):
			return false
		}
	}, "statements still run")
	t.Logf("MEMORY errors: %v", counts)
	require.Zero(t, counts[0], "%v", counts)
}

// killHogs kills the statements of TestServerMemory that run.
func killHogs(t testing.TB, watcher *sql.Conn) {
	t.Helper()
	ctx := context.Background()
	rows, err := watcher.QueryContext(ctx, "SELECT ID FROM information_schema.PROCESSLIST WHERE COMMAND = 'Query' AND ID <> CONNECTION_ID()")
	require.NoError(t, err)
	var ids []string
	for rows.Next() {
		var id string
		require.NoError(t, rows.Scan(&id))
		ids = append(ids, id)
	}
	require.NoError(t, rows.Err())
	for _, id := range ids {
		_, _ = watcher.ExecContext(ctx, "KILL QUERY "+id) // it may have ended
	}
}

// residentOf is the memory of a process.
func residentOf(t testing.TB, pid int) int64 {
	t.Helper()
	return memoryOf(t, pid, "VmRSS:")
}

// memoryOf is a number of a process's status in bytes.
func memoryOf(t testing.TB, pid int, name string) int64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(text), name)
	require.True(t, ok)
	kib, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
	require.NoError(t, err)
	return kib << 10
}
