package process

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
)

// Statements that ask for more than a server has: gigabytes of one value, of many rows, of a plan;
// time without end. The test runs each alone, kills what still runs after KILL_AFTER, and prints how
// much memory the process took on its way and how long it went on after KILL:
//
//	KILL_AFTER=2s go test ./tests/process -run TestDangers -v
//	KILL_AFTER=2s go test ./tests/process -run TestDangers -v -danger-socket SOCKET -danger-pid PID     a server that runs
//
// It requires what holds on every machine: the statement ends, its connection goes on.

var (
	dangerSocket = flag.String("danger-socket", "", "socket of the server for TestDangers; empty: a fresh emberd")
	dangerPid    = flag.Int("danger-pid", 0, "process of that server")
)

// danger is one statement.
type danger struct {
	name  string
	setup []string
	query string
}

// dangers are statements that exhausted memory or time before they were bounded.
func dangers() []danger {
	doubled := func(start string, step string) []string {
		out := []string{"SET @x = " + start}
		for range 40 {
			out = append(out, "SET @x = "+step)
		}
		return out
	}
	const rows = "d a, d b, d c, d e, d f, d g, d h, d o" // 10^8
	const large = "CONCAT('[', REPEAT('{\"a\":[1,2,3]},', 200000), '1]')"
	return []danger{
		{"WKB of 2^32 parts", nil, "SELECT ST_AsText(ST_GeomFromWKB(UNHEX('0107000000FFFFFFFF')))"},
		{"ST_GeomFromText of 100,000 collections", nil, "SELECT LENGTH(ST_AsText(ST_GeomFromText(CONCAT('GEOMETRYCOLLECTION(', REPEAT('GEOMETRYCOLLECTION(POINT(1 1)),', 100000), 'POINT(1 1))'))))"},
		{"ST_GeomFromText, 100,000 deep", nil, "SELECT ST_GeomFromText(CONCAT(REPEAT('GEOMETRYCOLLECTION(', 100000), 'POINT(1 1)', REPEAT(')', 100000)))"},
		{"ST_Intersection of 20,000 crossing lines", nil, "SELECT ST_NumGeometries(ST_Intersection(ST_GeomFromText(CONCAT('LINESTRING(', REPEAT('0 0,1 1,', 10000), '2 2)')), ST_GeomFromText(CONCAT('LINESTRING(', REPEAT('0 1,1 0,', 10000), '2 2)'))))"},
		{"ST_Union of a polygon of 100,000 corners", []string{"SET cte_max_recursion_depth = 100000, group_concat_max_len = 100000000"}, "WITH RECURSIVE c AS (SELECT 1 n UNION ALL SELECT n+1 FROM c WHERE n < 100000), p AS (SELECT CONCAT('POLYGON((0 0,', GROUP_CONCAT(CONCAT(COS(n/16000)*(100+n%2), ' ', SIN(n/16000)*(100+n%2)) ORDER BY n), ',0 0))') t FROM c) SELECT ST_Area(ST_Union(ST_GeomFromText(t), ST_GeomFromText('POLYGON((0 0,0 50,50 50,50 0,0 0))'))) FROM p"},
		{"REPEAT of 4 GB", nil, "SELECT LENGTH(REPEAT('x', 4000000000))"},
		{"SPACE, LPAD, RPAD of 4 GB", nil, "SELECT LENGTH(SPACE(4000000000)), LENGTH(LPAD('x', 4000000000, 'y')), LENGTH(RPAD('x', 4000000000, 'y'))"},
		{"CONCAT of variables, doubled", doubled("REPEAT('x', 1000)", "CONCAT(@x, @x)"), "SELECT LENGTH(@x)"},
		{"REPLACE by a longer text, doubled", doubled("REPEAT('x', 1000)", "REPLACE(@x, 'x', 'xx')"), "SELECT LENGTH(@x)"},
		{"REGEXP_REPLACE by a longer text", nil, "SELECT LENGTH(REGEXP_REPLACE(REPEAT('x', 1000000), 'x', REPEAT('y', 1000)))"},
		{"QUOTE of 60 MB", nil, "SELECT LENGTH(QUOTE(REPEAT('''', 60000000)))"},
		{"QUOTE of 20 MB, for each row", nil, "SELECT COUNT(LENGTH(QUOTE(REPEAT('''', 20000000+a.i)))) FROM " + rows},
		{"SHA2 of 60 MB", nil, "SELECT SHA2(REPEAT('x', 60000000), 512), SHA2(REPEAT('y', 60000000), 512) FROM " + rows},
		{"CAST to BINARY of 4 GB", nil, "SELECT LENGTH(CAST('x' AS BINARY(4294967295)))"},
		{"CONVERT of 10 MB to utf16", nil, "SELECT COUNT(HEX(CONVERT(CONCAT(REPEAT('a\u00fc', 5000000), a.i) USING utf16))) FROM " + rows},
		{"GROUP_CONCAT of 10^8 rows", []string{"SET group_concat_max_len = 4294967295"}, "SELECT LENGTH(GROUP_CONCAT(a.i)) FROM " + rows},
		{"JSON_ARRAYAGG of 10^8 rows", nil, "SELECT JSON_LENGTH(JSON_ARRAYAGG(a.i)) FROM " + rows},
		{"JSON_OBJECTAGG of 10^8 rows", nil, "SELECT JSON_LENGTH(JSON_OBJECTAGG(CONCAT(a.i, b.i, c.i, e.i, f.i, g.i, h.i, o.i), 1)) FROM " + rows},
		{"JSON_ARRAY, doubled", doubled("JSON_ARRAY(1)", "JSON_ARRAY(@x, @x)"), "SELECT LENGTH(@x)"},
		{"JSON paths of **", []string{"SET @d = CONCAT(REPEAT('{\"a\":[', 45), '1', REPEAT(']}', 45))"}, "SELECT COUNT(JSON_EXTRACT(@d, '$**.a**.a**.a**.a**.a**.a**.a')) FROM " + rows},
		{"JSON functions of 2.6 MB", []string{"SET @d = " + large}, "SELECT COUNT(JSON_SEARCH(@d, 'all', 'x')), COUNT(JSON_PRETTY(@d)), COUNT(JSON_MERGE_PRESERVE(@d, @d)) FROM " + rows},
		{"JSON functions of a column of 2.6 MB", []string{"REPLACE INTO j VALUES (1, " + large + ")"}, "SELECT COUNT(JSON_STORAGE_SIZE(doc)), COUNT(JSON_CONTAINS(doc, doc)), COUNT(JSON_LENGTH(doc)), COUNT(JSON_SET(doc, '$[0]', a.i)) FROM j, " + rows},
		{"JSON documents of 2.6 MB, stored", nil, "INSERT INTO j SELECT 2+a.i+b.i*10+c.i*100+e.i*1000+f.i*10000+g.i*100000+h.i*1000000+o.i*10000000, " + large + " FROM " + rows},
		{"comparisons of 20 MB", []string{"SET @t = REPEAT('abcdefghij', 2000000)"}, "SELECT COUNT(CONCAT(@t, a.i) IN ('a', @t)), COUNT(NULLIF(CONCAT(@t, a.i), @t)), COUNT(GREATEST(CONCAT(@t, a.i), UPPER(@t))) FROM " + rows},
		{"functions of 20 MB", []string{"SET @t = REPEAT('abcdefghij', 2000000)"}, "SELECT COUNT(REVERSE(CONCAT(@t, a.i))), COUNT(REPLACE(CONCAT(@t, a.i), 'a', 'bc')), COUNT(COMPRESS(CONCAT(@t, a.i))), COUNT(CONCAT(@t, a.i) + 0), COUNT(CONCAT(@t, a.i) | 1) FROM " + rows},
		{"geometry functions of 20,000 points", []string{"SET @g = ST_GeomFromText(CONCAT('LINESTRING(', REPEAT('0 0,1 1,', 10000), '2 2)'))"}, "SELECT COUNT(ST_Intersects(@g, @g)), COUNT(ST_Distance(@g, @g)), COUNT(ST_Buffer(@g, a.i)) FROM " + rows},
		{"JSON_TABLE of 600 KB, joined", nil, "SELECT COUNT(*) FROM JSON_TABLE(CONCAT('[', REPEAT('1,', 300000), '1]'), '$[*]' COLUMNS (x INT PATH '$')) j, " + rows},
		{"REGEXP (a+)+$", nil, "SELECT COUNT(*) FROM n WHERE CONCAT(REPEAT('a', 60), i) REGEXP '^(a+)+$'"},
		{"LIKE of 20 KB", nil, "SELECT COUNT(*) FROM " + rows + " WHERE CONCAT(REPEAT('ab', 10000), h.i) LIKE '%a%a%a%a%c'"},
		{"recursive CTE without end", []string{"SET cte_max_recursion_depth = 4294967295"}, "WITH RECURSIVE c AS (SELECT 1 n UNION ALL SELECT n+1 FROM c) SELECT COUNT(*) FROM c"},
		{"EXPLAIN of a join of 13 tables", nil, "EXPLAIN SELECT 1 FROM " + repeated(13, ", ", func(i int) string { return fmt.Sprint("n t", i) }) + " WHERE " +
			repeated(12, " AND ", func(i int) string { return fmt.Sprintf("t%d.i = t%d.j", i, i+1) })},
		{"EXPLAIN of a join of 70 tables by subqueries", nil, "EXPLAIN SELECT 1 FROM d WHERE " + repeated(7, " AND ", func(i int) string {
			return fmt.Sprintf("i IN (SELECT t0.i FROM %s)", repeated(10, ", ", func(i int) string { return fmt.Sprint("d t", i) }))
		})},
		{"60 joins of a chain of 60 views", nil, "EXPLAIN SELECT 1 FROM " + repeated(60, ", ", func(i int) string { return fmt.Sprint("v59 t", i) })},
		{"UNION of 50,000", nil, repeated(50000, " UNION ALL ", func(i int) string { return "SELECT " + strconv.Itoa(i) })},
		{"1,000 subqueries within each other", nil, strings.Repeat("SELECT * FROM (", 1000) + "SELECT 1 x" + repeated(1000, "", func(i int) string { return fmt.Sprintf(") t%d", i) })},
		{"10,000 parentheses", nil, "SELECT " + strings.Repeat("(1-", 10000) + "1" + strings.Repeat(")", 10000)},
		{"IN of 300,000 numbers", nil, "SELECT COUNT(*) FROM n a, n b WHERE a.i + b.i IN (" + repeated(300000, ",", strconv.Itoa) + ")"},
		{"(i, j) IN of 5,000 rows", nil, "SELECT COUNT(*) FROM n WHERE (i, j) IN (" + repeated(5000, ",", func(i int) string { return fmt.Sprintf("(%d,%d)", i, i%10) }) + ")"},
		{"UPDATE by a list of 10,000", nil, "UPDATE n SET s = CONCAT(s, i + INTERVAL(i, 1, 2)) WHERE i IN (" + repeated(10000, ",", strconv.Itoa) + ")"},
		{"30,000 ORs", nil, "SELECT COUNT(*) FROM n a, n b WHERE " + repeated(30000, " OR ", func(i int) string { return "a.i = " + strconv.Itoa(i) + " AND b.j > 100" })},
		{"sort of 10^8 rows", nil, "SELECT CONCAT(a.i, b.i, c.i, e.i, f.i, g.i, h.i, o.i) x FROM " + rows + " ORDER BY x"},
		{"groups of 10^8 rows", nil, "SELECT CONCAT(a.i, b.i, c.i, e.i, f.i, g.i, h.i, o.i) x, COUNT(*) FROM " + rows + " GROUP BY x"},
		{"DISTINCT of 10^8 rows", nil, "SELECT COUNT(*) FROM (SELECT DISTINCT CONCAT(a.i, b.i, c.i, e.i, f.i, g.i, h.i, o.i) x FROM " + rows + ") z"},
		{"window over 10^8 rows", nil, "SELECT ROW_NUMBER() OVER (ORDER BY a.i) FROM " + rows},
		{"hash join with 10^8 rows", nil, "SELECT COUNT(*) FROM n JOIN (SELECT a.i+b.i*10+c.i*100+e.i*1000+f.i*10000+g.i*100000+h.i*1000000 x FROM " + rows + ") z ON z.x = n.j+0"},
		{"BENCHMARK", nil, "SELECT BENCHMARK(100000000000, SHA2('a', 512))"},
		{"stored program without end", nil, "CALL forever()"},
		{"SLEEP", nil, "SELECT SLEEP(1000000)"},
	}
}

// TestDangers runs each statement alone.
func TestDangers(t *testing.T) {
	if testing.Short() {
		t.Skip("statements that take gigabytes elsewhere")
	}
	var db *sql.DB
	pid := *dangerPid
	if *dangerSocket == "" {
		s, own, _ := longServer(t)
		db, pid = own, s.Pid()
	} else {
		db = dangerServer(t)
	}
	ctx := context.Background()
	for _, d := range dangers() {
		t.Run(d.name, func(t *testing.T) {
			c, err := db.Conn(ctx)
			require.NoError(t, err)
			defer c.Close()
			for _, q := range d.setup {
				if _, err := c.ExecContext(ctx, q); err != nil && serverError(err) == 0 {
					require.NoError(t, err)
				}
			}
			var id string
			require.NoError(t, c.QueryRowContext(ctx, "SELECT CONNECTION_ID()").Scan(&id))
			before := restartPeak(t, pid)
			done := make(chan error, 1)
			began := time.Now()
			go func() { done <- drainQuery(ctx, c, d.query) }()
			how := ""
			select {
			case err = <-done:
				how = fmt.Sprintf("by itself after %d ms", time.Since(began).Milliseconds())
			case <-time.After(runFor(t)):
				began = time.Now()
				mustExec(t, db, "KILL QUERY "+id)
				err = testkit.Receive(t, done)
				how = fmt.Sprintf("%d ms after KILL", time.Since(began).Milliseconds())
			}
			t.Logf("DANGER | %s | %d MiB | %s | %s", d.name, (peakOf(t, pid)-before)>>20, how, shortError(err))
			require.True(t, err == nil || serverError(err) != 0, "%v", err)
			var one int
			require.NoError(t, c.QueryRowContext(ctx, "SELECT 1").Scan(&one))
		})
	}
}

// dangerServer connects to a server that runs and makes its tables anew.
func dangerServer(t *testing.T) *sql.DB {
	t.Helper()
	cfg := mysql.NewConfig()
	cfg.User, cfg.Net, cfg.Addr, cfg.MultiStatements, cfg.MaxAllowedPacket, cfg.Logger = "root", "unix", *dangerSocket, true, 1<<28, &mysql.NopLogger{}
	first, err := mysql.NewConnector(cfg)
	require.NoError(t, err)
	admin := sql.OpenDB(first)
	defer admin.Close()
	mustExec(t, admin, "DROP DATABASE IF EXISTS k")
	longTables(t, admin)
	cfg = cfg.Clone()
	cfg.DBName = "k"
	second, err := mysql.NewConnector(cfg)
	require.NoError(t, err)
	db := sql.OpenDB(second)
	t.Cleanup(func() { db.Close() })
	return db
}

// restartPeak lets the kernel count a process's peak anew, and returns what it holds.
func restartPeak(t testing.TB, pid int) int64 {
	t.Helper()
	if pid == 0 {
		return 0
	}
	require.NoError(t, os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", pid), []byte("5"), 0))
	return residentOf(t, pid)
}

// peakOf is the most memory that a process had since its peak was counted anew.
func peakOf(t testing.TB, pid int) int64 {
	t.Helper()
	if pid == 0 {
		return 0
	}
	return memoryOf(t, pid, "VmHWM:")
}

// shortError is the start of an error's text.
func shortError(err error) string {
	if err == nil {
		return "done"
	}
	return fmt.Sprintf("%.90s", err.Error())
}
