package process

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// Statements that run for long end when they are told to: by KILL, by a limit of their own, with
// their client, with the server. What they held is free then.
//
// Times are printed, not required: the machine may be slow. A statement is ended when the server
// shows that it runs, and has done so for KILL_AFTER, a duration. With -short the tests take
// statements that end on no machine by themselves: they wait for what nobody gives them, or have
// 10^20 and more steps before them and keep nothing of them. The others run for long because the
// server keeps or plans much; one that has ended before it was told to proves nothing and fails
// nothing.

func runFor(t testing.TB) time.Duration {
	text := os.Getenv("KILL_AFTER")
	if text == "" {
		return 100 * time.Millisecond
	}
	d, err := time.ParseDuration(text)
	require.NoError(t, err)
	return d
}

type longStatement struct {
	name   string
	setup  string // run before, on the same connection
	query  string
	block  string // what another connection holds meanwhile
	finite bool   // it may end by itself
}

// repeated joins n parts of a text.
func repeated(n int, sep string, f func(i int) string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = f(i)
	}
	return strings.Join(parts, sep)
}

// longTables makes what the statements read: d of 10 rows, n of 20000, and what belongs to single
// statements.
func longTables(t testing.TB, db *sql.DB) {
	for _, q := range []string{
		"CREATE DATABASE k", "USE k",
		"CREATE TABLE d (i INT PRIMARY KEY)",
		"INSERT INTO d VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9)",
		"CREATE TABLE n (i INT PRIMARY KEY, j INT, s VARCHAR(100), FULLTEXT KEY s (s))",
		"INSERT INTO n SELECT a.i*1000+b.i*100+c.i*10+e.i, b.i, CONCAT('word', a.i, ' text', b.i, ' row ', c.i) FROM d a, d b, d c, d e",
		"CREATE TABLE p (i INT PRIMARY KEY)",
		"INSERT INTO p VALUES (0)",
		"CREATE TABLE c (i INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES p (i) ON UPDATE CASCADE ON DELETE CASCADE)",
		"INSERT INTO c SELECT i, 0 FROM n",
		"CREATE TABLE tr (i INT PRIMARY KEY)",
		"CREATE TABLE w (i BIGINT PRIMARY KEY AUTO_INCREMENT, j INT)",
		"CREATE TABLE j (i INT PRIMARY KEY, doc JSON)",
		"CREATE TRIGGER tr_i BEFORE INSERT ON tr FOR EACH ROW BEGIN DECLARE v INT DEFAULT 0; WHILE v >= 0 DO SET v = 1; END WHILE; END",
		"CREATE PROCEDURE forever() BEGIN DECLARE v INT DEFAULT 0; WHILE v >= 0 DO SET v = 1; END WHILE; END",
		"CREATE FUNCTION spin() RETURNS INT DETERMINISTIC BEGIN DECLARE v INT DEFAULT 0; l: LOOP SET v = v + 0; END LOOP; RETURN v; END",
		"CREATE VIEW v0 AS SELECT i FROM n",
	} {
		_, err := db.Exec(q)
		require.NoError(t, err, q)
	}
	for i := 1; i < 60; i++ {
		_, err := db.Exec(fmt.Sprintf("CREATE VIEW v%d AS SELECT i FROM v%d WHERE i >= 0", i, i-1))
		require.NoError(t, err)
	}
}

const many = "d a, d b, d c, d e, d f, d g, n h, n o, n p, n q" // 10^22 rows

func longStatements(dir string) []longStatement {
	return []longStatement{
		{name: "recursive CTE", setup: "SET cte_max_recursion_depth = 4294967295", query: "WITH RECURSIVE c AS (SELECT 1 n UNION ALL SELECT (n+1)%1000 FROM c) SELECT COUNT(*) FROM c"},
		{name: "recursive CTE, distinct", finite: true, setup: "SET cte_max_recursion_depth = 4294967295", query: "WITH RECURSIVE c AS (SELECT 1 n UNION SELECT n+1 FROM c) SELECT COUNT(*) FROM c"},
		{name: "cross join without rows", query: "SELECT * FROM n a, n b, n c, n e, n f WHERE a.i + b.i + c.i + e.i + f.i < 0"},
		{name: "cross join counted", query: "SELECT COUNT(*) FROM " + many},
		{name: "join of derived tables", query: "SELECT COUNT(*) FROM " + repeated(5, ", ", func(i int) string { return fmt.Sprintf("(SELECT i FROM n LIMIT 9999) t%d", i) }) + " WHERE t0.i+t1.i+t2.i+t3.i+t4.i < 0"},
		{name: "hash join", query: "SELECT COUNT(*) FROM n t0" + repeated(7, "", func(i int) string { return fmt.Sprintf(" JOIN n t%d ON t%d.j = t%d.j", i+1, i, i+1) })},
		{name: "hash join being built", finite: true, query: "SELECT COUNT(*) FROM n JOIN (SELECT a.i+b.i x FROM " + many + ") z ON z.x = n.j+0"},
		{name: "join order of 13 tables", finite: true, query: "EXPLAIN SELECT 1 FROM " + repeated(13, ", ", func(i int) string { return fmt.Sprint("n t", i) }) + " WHERE " +
			repeated(12, " AND ", func(i int) string { return fmt.Sprintf("t%d.i = t%d.j", i, i+1) })},
		{name: "join order of 13 tables, all joined", finite: true, query: "SELECT 1 FROM " + repeated(13, ", ", func(i int) string { return fmt.Sprint("n t", i) }) + " WHERE " +
			repeated(12, " AND ", func(i int) string { return fmt.Sprintf("t0.i = t%d.i", i+1) })},
		{name: "chain of 60 views", finite: true, query: "EXPLAIN SELECT 1 FROM " + repeated(60, ", ", func(i int) string { return fmt.Sprint("v59 t", i) })},
		{name: "50000 UNION branches", finite: true, query: repeated(50000, " UNION ALL ", func(i int) string { return "SELECT " + strconv.Itoa(i) })},
		{name: "UNION branches of tables", finite: true, query: repeated(5000, " UNION ", func(i int) string { return "SELECT i FROM d WHERE i = " + strconv.Itoa(i) })},
		{name: "deep parentheses", query: "SELECT COUNT(*) FROM " + many + " WHERE a.i + b.i < " + strings.Repeat("(1-", 150) + "b.i" + strings.Repeat(")", 150)},
		{name: "many subqueries", query: "SELECT " + repeated(2000, "+", func(i int) string { return "(SELECT MAX(i) FROM n WHERE i < " + strconv.Itoa(i) + ")" })},
		{name: "IN list of 300000", query: "SELECT COUNT(*) FROM n a, n b WHERE a.i + b.i IN (" + repeated(300000, ",", strconv.Itoa) + ")"},
		{name: "INSERT of 200000 rows", query: "INSERT INTO w (j) VALUES " + repeated(200000, ",", func(i int) string { return "(" + strconv.Itoa(i) + "+SLEEP(10))" })},
		{name: "ORs of 30000", finite: true, query: "SELECT COUNT(*) FROM n a, n b WHERE " + repeated(30000, " OR ", func(i int) string { return "a.i = " + strconv.Itoa(i) + " AND b.j > 100" })},
		{name: "UPDATE of a list of 30000", finite: true, query: "UPDATE n SET s = CONCAT(s, i % 7, ' more') WHERE i IN (" + repeated(30000, ",", strconv.Itoa) + ")"},
		{name: "UPDATE of a join, a list of 30000", finite: true, query: "UPDATE n a JOIN n b USING (i) SET a.s = CONCAT(b.s, ' more') WHERE a.i IN (" + repeated(30000, ",", strconv.Itoa) + ")"},
		{name: "ORs of a key, 30000", finite: true, query: "SELECT COUNT(*) FROM n WHERE " + repeated(30000, " OR ", func(i int) string { return "i = " + strconv.Itoa(i) })},
		{name: "ANDs of 100000", finite: true, query: "SELECT COUNT(*) FROM n a, n b WHERE " + repeated(100000, " AND ", func(i int) string { return "a.i <> " + strconv.Itoa(i) })},
		{name: "JSON path", setup: "SET @d = CONCAT(REPEAT('{\"a\":[', 45), '1', REPEAT(']}', 45))", query: "SELECT COUNT(JSON_EXTRACT(@d, '$**.a**.a**.a**.a**.a**.a**.a')) FROM " + many},
		{name: "JSON of large document", setup: "SET @d = CONCAT('[', REPEAT('{\"a\":[1,2,3]},', 200000), '1]')", query: "SELECT COUNT(JSON_SEARCH(@d, 'all', 'x')), COUNT(JSON_EXTRACT(@d, '$**.a')), COUNT(JSON_PRETTY(@d)) FROM " + many},
		{name: "DATE_FORMAT of a long format", query: "SELECT COUNT(DATE_FORMAT('2001-02-03 04:05:06', CONCAT(REPEAT('%W %', 500000), a.i))) FROM " + many},
		{name: "CONVERT of a long text", setup: "SET @t = REPEAT('a\u00fc', 5000000)", query: "SELECT COUNT(LENGTH(CONVERT(CONCAT(@t, a.i) USING utf16))), COUNT(HEX(CONVERT(CONCAT(@t, a.i) USING latin1))) FROM " + many},
		{name: "REGEXP", setup: "SET GLOBAL regexp_time_limit = 2147483647", query: "SELECT COUNT(*) FROM n WHERE CONCAT(REPEAT('a', 60), i) REGEXP '^(a+)+$'"},
		{name: "REGEXP_REPLACE", setup: "SET GLOBAL regexp_time_limit = 2147483647", query: "SELECT LENGTH(REGEXP_REPLACE(CONCAT(REPEAT('a', 3000), 'b'), '(a*)*c', 'x'))"},
		{name: "REGEXP of long text", setup: "SET GLOBAL regexp_time_limit = 2147483647", query: "SELECT COUNT(*) FROM d a, d b, d c WHERE REPEAT('ab', 5000000) REGEXP CONCAT('a.*c', a.i, b.i, c.i)"},
		{name: "REPEAT, QUOTE", query: "SELECT COUNT(LENGTH(QUOTE(REPEAT('''', 20000000+a.i)))) FROM " + many},
		{name: "SHA2 of long texts", query: "SELECT SHA2(REPEAT('x', 60000000), 512), SHA2(REPEAT('y', 60000000), 512), SHA2(REPEAT('z', 60000000), 512) FROM " + many},
		{name: "LIKE of long text", query: "SELECT COUNT(*) FROM " + many + " WHERE CONCAT(REPEAT('ab', 20000), h.i) LIKE '%a%a%a%a%c'"},
		{name: "GROUP BY", query: "SELECT a.i, COUNT(*) FROM " + many + " GROUP BY a.i"},
		{name: "GROUP BY of many groups", query: "SELECT x, COUNT(*) FROM (SELECT a.i+b.i*10+c.i*100+e.i*1000+f.i*10000+g.i*100000 x FROM " + many + ") z GROUP BY x"},
		{name: "ORDER BY", query: "SELECT a.i+h.i x FROM " + many + " ORDER BY x LIMIT 100, 10"},
		{name: "ORDER BY without LIMIT", finite: true, query: "SELECT a.i+b.i x FROM n a, d b, d c ORDER BY x, SHA2(a.s, 256), b.i"},
		{name: "DISTINCT", query: "SELECT DISTINCT a.i FROM " + many},
		{name: "COUNT(DISTINCT)", query: "SELECT COUNT(DISTINCT a.i+b.i) FROM " + many},
		{name: "window", finite: true, query: "SELECT SUM(a.i) OVER (ORDER BY a.i ROWS BETWEEN 9000 PRECEDING AND 9000 FOLLOWING), COUNT(*) OVER (ORDER BY a.j RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM n a, n b"},
		{name: "window of many rows", finite: true, query: "SELECT ROW_NUMBER() OVER (ORDER BY a.i+b.i), RANK() OVER (PARTITION BY a.j ORDER BY b.j) FROM n a, n b"},
		{name: "GROUP_CONCAT", finite: true, query: "SELECT LENGTH(GROUP_CONCAT(a.i ORDER BY b.i)) FROM " + many},
		{name: "BENCHMARK", query: "SELECT BENCHMARK(100000000000, SHA2('a', 512))"},
		{name: "SLEEP", query: "SELECT SLEEP(1000000)"},
		{name: "SLEEP of rows", query: "SELECT SLEEP(1000) FROM n"},
		{name: "GET_LOCK", block: "SELECT GET_LOCK('kill', 0)", query: "SELECT GET_LOCK('kill', -1)"},
		{name: "LOAD DATA", finite: true, query: "LOAD DATA INFILE '" + filepath.Join(dir, "rows") + "' INTO TABLE w (j)"},
		{name: "LOAD DATA LOCAL", finite: true, query: "LOAD DATA LOCAL INFILE '" + filepath.Join(dir, "rows") + "' INTO TABLE w (j)"},
		{name: "INSERT ... SELECT", query: "INSERT INTO w (j) SELECT a.i FROM " + many},
		{name: "CREATE TABLE ... SELECT", query: "CREATE TABLE made SELECT a.i FROM " + many},
		{name: "UPDATE of a join", finite: true, query: "UPDATE n, (SELECT a.i FROM " + many + ") z SET n.j = z.i WHERE n.i = z.i + 100000"},
		{name: "UPDATE with subqueries", query: "UPDATE n SET j = (SELECT COUNT(*) FROM c a, c b, c e, c f WHERE a.i + b.i + e.i + f.i < n.i)"},
		{name: "DELETE with subqueries", query: "DELETE FROM n WHERE i < (SELECT COUNT(*) FROM c a, c b, c e, c f WHERE a.i + b.i + e.i + f.i < n.i - 1000000)"},
		{name: "correlated EXISTS", query: "SELECT COUNT(*) FROM n a WHERE EXISTS (SELECT 1 FROM n b, n c, n e, n f WHERE b.i + c.i + e.i + f.i = a.i - 1000000)"},
		{name: "stored program", query: "CALL forever()"},
		{name: "stored function", query: "SELECT spin()"},
		{name: "trigger", query: "INSERT INTO tr VALUES (1)"},
		{name: "foreign key cascade", block: "BEGIN; SELECT * FROM c WHERE i = 9999 FOR UPDATE", query: "DELETE FROM p WHERE i = 0"},
		{name: "full-text search", query: "SELECT COUNT(*) FROM n a, n b, n c, n e, n f WHERE MATCH (a.s) AGAINST ('word1 text2') + b.i < 0"},
		{name: "information_schema", finite: true, query: "SELECT COUNT(*) FROM information_schema.columns a, information_schema.columns b, information_schema.columns c WHERE a.column_name = 'x' OR b.column_name = 'y'"},
		{name: "row lock", block: "BEGIN; SELECT * FROM d WHERE i = 3 FOR UPDATE", query: "UPDATE d SET i = 3 WHERE i = 3"},
		{name: "metadata lock", block: "BEGIN; SELECT * FROM d", query: "ALTER TABLE d ADD COLUMN z INT"},
		{name: "LOCK TABLES", block: "LOCK TABLES d WRITE", query: "SELECT * FROM d"},
		{name: "global read lock", block: "FLUSH TABLES WITH READ LOCK", query: "INSERT INTO d VALUES (100)"},
		{name: "FLUSH TABLES WITH READ LOCK", block: "LOCK TABLES d WRITE", query: "FLUSH TABLES WITH READ LOCK"},
		{name: "result that is sent", query: "SELECT a.i, b.s FROM n a, n b, n c, n e, n f"},
		{name: "INTO variables", query: "SELECT COUNT(*) FROM " + many + " INTO @x"},
		{name: "DO", query: "DO (SELECT COUNT(*) FROM " + many + ")"},
		{name: "SET", query: "SET @x = (SELECT COUNT(*) FROM " + many + ")"},
		{name: "EXPLAIN ANALYZE", query: "EXPLAIN ANALYZE SELECT COUNT(*) FROM " + many},
		{name: "JSON_TABLE", query: "SELECT COUNT(*) FROM JSON_TABLE(CONCAT('[', REPEAT('1,', 300000), '1]'), '$[*]' COLUMNS (x INT PATH '$')) a, n b, n c, n e, n f"},
	}
}

// running is a statement that runs on a connection of its own.
type running struct {
	longStatement
	id   string
	conn *sql.Conn
	gone context.CancelFunc // closes the client's socket
	done chan error
}

// start runs a statement and returns when the server shows that it runs, or it has ended.
func start(t testing.TB, db *sql.DB, st longStatement, setup string) *running {
	t.Helper()
	ctx := context.Background()
	c, err := db.Conn(ctx)
	require.NoError(t, err)
	until, gone := context.WithCancel(ctx)
	t.Cleanup(gone)
	x := &running{longStatement: st, conn: c, gone: gone, done: make(chan error, 1)}
	require.NoError(t, c.QueryRowContext(ctx, "SELECT CONNECTION_ID()").Scan(&x.id))
	for _, q := range []string{st.setup, setup} {
		if q != "" {
			_, err := c.ExecContext(ctx, q)
			require.NoError(t, err, q)
		}
	}
	go func() { x.done <- drainQuery(until, c, st.query) }()
	testkit.Eventually(t, func() bool {
		var shown bool
		require.NoError(t, db.QueryRow("SELECT COUNT(*) > 0 FROM information_schema.PROCESSLIST WHERE COMMAND = 'Query' AND ID = "+x.id).Scan(&shown))
		return shown || len(x.done) > 0
	}, "%s runs", st.name)
	return x
}

// runs lets a statement run for a while and tells whether it still does. Only a finite one may have
// ended.
func (x *running) runs(t testing.TB) bool {
	t.Helper()
	select {
	case err := <-x.done:
		require.True(t, x.finite, "%s ended by itself: %v", x.name, err)
		t.Logf("ENDED %-38s by itself: %v", x.name, err)
		return false
	case <-time.After(runFor(t)):
		return true
	}
}

// drainQuery reads all rows: an error may come behind them.
func drainQuery(ctx context.Context, c *sql.Conn, q string) error {
	rows, err := c.QueryContext(ctx, q)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
	}
	return rows.Err()
}

// ends waits for the end of a statement that was told to end at a moment, and returns its error.
func (x *running) ends(t testing.TB, since time.Time) error {
	t.Helper()
	err := testkit.Receive(t, x.done)
	t.Logf("ENDED %-38s %5d ms: %v", x.name, time.Since(since).Milliseconds(), err)
	return err
}

// endsWith expects an error. A finite statement may have ended before, or have found no memory.
func (x *running) endsWith(t testing.TB, code uint16, since time.Time) {
	t.Helper()
	if err := x.ends(t, since); !x.finite || err != nil && serverError(err) != 3170 {
		require.Equal(t, code, serverError(err), "%v", err)
	}
}

func serverError(err error) uint16 {
	var e *mysql.MySQLError
	if errors.As(err, &e) {
		return e.Number
	}
	return 0
}

// longServer starts a server with the tables of the long statements.
func longServer(t *testing.T, args ...string) (s *emberd.Server, db *sql.DB, dir string) {
	t.Helper()
	dir = t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "rows"), []byte(strings.Repeat("1\n", 10_000_000)), 0o644))
	s = emberd.Start(t, append([]string{"--secure-file-priv=" + dir, "--local-infile=1"}, args...)...)
	cfg := s.Config("")
	cfg.MultiStatements, cfg.AllowAllFiles, cfg.MaxAllowedPacket = true, true, 1<<28
	cfg.Params = map[string]string{"innodb_lock_wait_timeout": "100000", "lock_wait_timeout": "100000"}
	first, err := mysql.NewConnector(cfg)
	require.NoError(t, err)
	longTables(t, sql.OpenDB(first))
	cfg = cfg.Clone()
	cfg.DBName = "k"
	second, err := mysql.NewConnector(cfg)
	require.NoError(t, err)
	db = sql.OpenDB(second)
	t.Cleanup(func() { db.Close() })
	return s, db, dir
}

// requireFree takes every lock there is on a connection of its own.
func requireFree(t testing.TB, db *sql.DB) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), testkit.WaitLimit)
	defer cancel()
	c, err := db.Conn(ctx)
	require.NoError(t, err)
	defer c.Close()
	for _, q := range []string{"LOCK TABLES d WRITE, n WRITE, p WRITE, c WRITE, tr WRITE, w WRITE", "UNLOCK TABLES",
		"FLUSH TABLES WITH READ LOCK", "UNLOCK TABLES", "SELECT 1 FROM d FOR UPDATE"} {
		_, err := c.ExecContext(ctx, q)
		require.NoError(t, err, q)
	}
}

// TestKillEndsStatements kills each statement while it runs: it fails with 1317, and what it held
// is free though its connection goes on.
func TestKillEndsStatements(t *testing.T) {
	_, db, dir := longServer(t)
	ctx := context.Background()
	for _, st := range ended(dir) {
		t.Run(st.name, func(t *testing.T) {
			release := func() {}
			if st.block != "" {
				b, err := db.Conn(ctx)
				require.NoError(t, err)
				_, err = b.ExecContext(ctx, st.block)
				require.NoError(t, err)
				release = func() {
					_, err := b.ExecContext(ctx, "UNLOCK TABLES; ROLLBACK; DO RELEASE_ALL_LOCKS()")
					require.NoError(t, err)
					b.Close()
				}
			}
			x := start(t, db, st, "")
			defer x.conn.Close()
			if x.runs(t) {
				began := time.Now()
				mustExec(t, db, "KILL QUERY "+x.id)
				x.endsWith(t, 1317, began)
			}
			release()
			var one int
			require.NoError(t, x.conn.QueryRowContext(ctx, "SELECT 1").Scan(&one))
			requireFree(t, db)
		})
	}
}

// TestExecutionTimeEndsStatements lets max_execution_time and its hint end SELECTs: 3024.
func TestExecutionTimeEndsStatements(t *testing.T) {
	_, db, dir := longServer(t)
	limit := runFor(t)
	for i, st := range ended(dir) {
		if st.block != "" || !strings.HasPrefix(st.query, "SELECT ") && !strings.HasPrefix(st.query, "WITH ") || strings.Contains(st.query, " INTO ") {
			continue
		}
		t.Run(st.name, func(t *testing.T) {
			setup := fmt.Sprintf("SET max_execution_time = %d", limit.Milliseconds())
			if rest, ok := strings.CutPrefix(st.query, "SELECT "); ok && i%2 == 0 && !strings.Contains(st.query, "UNION") {
				st.query, setup = fmt.Sprintf("SELECT /*+ MAX_EXECUTION_TIME(%d) */ %s", limit.Milliseconds(), rest), ""
			}
			x := start(t, db, st, setup)
			defer x.conn.Close()
			x.endsWith(t, 3024, time.Now())
		})
	}
}

// few are statements of each kind, for the ends that concern all in the same way.
func few(dir string) []longStatement {
	return named(dir, "cross join counted", "recursive CTE", "JSON path", "GROUP BY", "SLEEP", "INSERT ... SELECT", "stored program",
		"result that is sent", "UPDATE with subqueries")
}

// ended are the statements that the tests end one by one.
func ended(dir string) []longStatement {
	if !testing.Short() {
		return longStatements(dir)
	}
	return append(few(dir), named(dir, "chain of 60 views", "window", "ORs of 30000", "hash join", "DATE_FORMAT of a long format",
		"CONVERT of a long text", "REGEXP", "foreign key cascade", "row lock", "metadata lock", "FLUSH TABLES WITH READ LOCK")...)
}

func named(dir string, names ...string) []longStatement {
	return slices.DeleteFunc(longStatements(dir), func(st longStatement) bool { return !slices.Contains(names, st.name) })
}

// TestDisconnectEndsStatements closes clients while their statements run: they end, and their
// transactions are rolled back.
func TestDisconnectEndsStatements(t *testing.T) {
	_, db, dir := longServer(t)
	for i, st := range few(dir) {
		x := start(t, db, st, fmt.Sprintf("BEGIN; INSERT INTO d VALUES (%d)", 100+i))
		require.True(t, x.runs(t))
		began := time.Now()
		x.gone()
		testkit.Eventually(t, func() bool {
			return value(t, db, "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE ID = "+x.id) == "0"
		}, st.name)
		t.Logf("ENDED %-38s %5d ms", st.name, time.Since(began).Milliseconds())
		mustExec(t, db, fmt.Sprintf("INSERT INTO d VALUES (%d); DELETE FROM d WHERE i = %d", 100+i, 100+i))
	}
}

// TestShutdownEndsStatements stops a server whose statements run: they fail with 1053, and the
// process ends.
func TestShutdownEndsStatements(t *testing.T) {
	s, db, dir := longServer(t, "--shutdown-timeout=0")
	var all []*running
	for _, st := range few(dir) {
		all = append(all, start(t, db, st, ""))
	}
	for _, x := range all {
		require.True(t, x.runs(t))
	}
	began := time.Now()
	require.NoError(t, s.Stop())
	t.Logf("ENDED process after %d ms", time.Since(began).Milliseconds())
	for _, x := range all {
		err := x.ends(t, began)
		require.Error(t, err)
		if n := serverError(err); n != 0 { // else the connection was closed
			require.Equal(t, uint16(1053), n, "%v", err)
		}
	}
	require.NoError(t, s.Launch())
}
