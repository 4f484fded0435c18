package equality

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-mysql-org/go-mysql/client"
	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

// ranHere runs a statement that the executor has to run, and returns its rows as text.
func ranHere(t *testing.T, s *side, q string) string {
	t.Helper()
	before := executed(t, s)
	res, err := s.Execute(q)
	require.NoError(t, err, q)
	require.Equal(t, before+1, executed(t, s), "the executor runs %s", q)
	return shownRows(res.Resultset.Values)
}

func shownRows(rows [][]mysql.FieldValue) string {
	var b strings.Builder
	for _, r := range rows {
		for i := range r {
			if text, ok := r[i].Value().([]byte); ok {
				b.WriteString(string(text) + " ")
			} else {
				fmt.Fprint(&b, r[i].Value(), " ")
			}
		}
	}
	return strings.TrimSpace(b.String())
}

// TestExecutorSeesTheTransaction checks that the executor reads what the session's transaction
// sees: its own changes, nobody else's.
func TestExecutorSeesTheTransaction(t *testing.T) {
	srv := emberd.Start(t)
	a, b := executorSide(t, srv, "exview"), executorSide(t, srv, "exview")
	must := func(s *side, q string) {
		t.Helper()
		_, err := s.Execute(q)
		require.NoError(t, err, q)
	}
	must(a, "CREATE TABLE v (id INT NOT NULL PRIMARY KEY, g INT NOT NULL, n INT, KEY (g))")
	must(a, "INSERT INTO v VALUES (1,1,10),(2,1,20),(3,2,30),(4,2,NULL)")
	const sums = "SELECT g, SUM(n), COUNT(*) FROM v GROUP BY g ORDER BY g"
	require.Equal(t, "1 30 2 2 30 2", ranHere(t, a, sums))
	must(b, "BEGIN")
	must(b, "UPDATE v SET n = 100 WHERE id = 1")
	must(b, "DELETE FROM v WHERE id = 3")
	must(b, "INSERT INTO v VALUES (9,3,1)")
	require.Equal(t, "1 120 2 2 <nil> 1 3 1 1", ranHere(t, b, sums))
	require.Equal(t, "1 30 2 2 30 2", ranHere(t, a, sums))
	require.Equal(t, "1 1", ranHere(t, a, "SELECT x.id, y.id FROM v x JOIN v y ON y.g = x.g AND y.n = x.n WHERE x.n = 10"))

	must(a, "BEGIN")
	require.Equal(t, "1 30 2 2 30 2", ranHere(t, a, sums))
	must(b, "COMMIT")
	require.Equal(t, "1 30 2 2 30 2", ranHere(t, a, sums), "REPEATABLE READ")
	must(a, "COMMIT")
	require.Equal(t, "1 120 2 2 <nil> 1 3 1 1", ranHere(t, a, sums))

	must(a, "SET SESSION transaction_isolation = 'READ-COMMITTED'")
	must(a, "BEGIN")
	require.Equal(t, "4", ranHere(t, a, "SELECT COUNT(*) FROM v WHERE g > 0 AND id IN (SELECT id FROM v)"))
	must(b, "DELETE FROM v WHERE id = 9")
	require.Equal(t, "3", ranHere(t, a, "SELECT COUNT(*) FROM v WHERE g > 0 AND id IN (SELECT id FROM v)"), "READ COMMITTED")
	must(a, "COMMIT")
}

// TestExecutorIsBounded checks that statements of the executor end when they are killed, and when
// they hold too much memory, and that sorts, joins, groups, windows and recursions which need
// more memory than they have go on in tmpdir with the same result.
func TestExecutorIsBounded(t *testing.T) {
	srv := emberd.Start(t)
	s := executorSide(t, srv, "exbound")
	must := func(q string) {
		t.Helper()
		_, err := s.Execute(q)
		require.NoError(t, err, q)
	}
	must("CREATE TABLE w (id INT NOT NULL PRIMARY KEY, g INT NOT NULL, s VARCHAR(200) NOT NULL)")
	var rows []string
	for i := range 3000 {
		rows = append(rows, fmt.Sprintf("(%d,%d,'%s')", i, i%7, strings.Repeat("x", 150)))
	}
	must("INSERT INTO w VALUES " + strings.Join(rows, ","))
	before := executed(t, s)
	must("SET max_execution_time = 50")
	_, err := s.Execute("SELECT COUNT(*) FROM w a, w b, w c, w d, w e WHERE a.id + b.id + c.id + d.id + e.id = -1")
	require.ErrorContains(t, err, "3024")
	must("SET max_execution_time = 0")
	require.Equal(t, before+1, executed(t, s))
	queries := []string{"SELECT s, id FROM w ORDER BY s, id DESC", "SELECT a.id, b.s FROM w a JOIN w b ON a.g = b.id + 0 ORDER BY 2, 1", "SELECT DISTINCT s, id FROM w",
		"SELECT CONCAT(s, 'y'), id, COUNT(*) FROM w GROUP BY CONCAT(s, 'y'), id", "SELECT id, s FROM w EXCEPT SELECT id + 2900, s FROM w",
		"SELECT id, SUM(id) OVER (ORDER BY id), LAG(s) OVER (ORDER BY g, id) FROM w", "WITH RECURSIVE r AS (SELECT id, s FROM w UNION ALL SELECT id - 2000, s FROM r WHERE id > 2000) SELECT id, s FROM r",
		"SELECT a.id, b.id, b.s FROM w a JOIN w b ON a.id = b.id + 1 + a.g - a.g"}
	sorted := func(q string) string {
		res, err := s.Execute(q)
		require.NoError(t, err, q)
		var lines []string
		for _, r := range res.Values {
			lines = append(lines, shownRows([][]mysql.FieldValue{r}))
		}
		if !strings.Contains(q, "ORDER BY 2") && !strings.Contains(q, "ORDER BY s") {
			slices.Sort(lines)
		}
		return strings.Join(lines, "\n")
	}
	files := func() int {
		res, err := s.Execute("SHOW GLOBAL STATUS LIKE 'Created_tmp_files'")
		require.NoError(t, err)
		n, err := res.GetInt(0, 1)
		require.NoError(t, err)
		return int(n)
	}
	for _, q := range queries {
		must("SET ember_statement_memory = 1073741824")
		want, made := sorted(q), files()
		must("SET ember_statement_memory = 300000")
		before := executed(t, s)
		require.Equal(t, want, sorted(q), q)
		require.Equal(t, before+1, executed(t, s), q)
		require.Equal(t, made+1, files(), "%s goes on in tmpdir", q)
	}
	_, err = s.Execute("WITH RECURSIVE r AS (SELECT id, s FROM w UNION SELECT id - 2000, s FROM r WHERE id > 2000) SELECT id, s FROM r")
	require.ErrorContains(t, err, "3170", "rows that are compared with all others are kept")
	must("SET ember_statement_memory = 1073741824")
	require.Equal(t, "7", ranHere(t, s, "SELECT COUNT(DISTINCT g) FROM w"))
	require.Equal(t, "2999 2998", ranHere(t, s, "SELECT id FROM w WHERE id < 5000 ORDER BY g * 0, id DESC LIMIT 2"))
}

// TestExecutorAsksForRights checks that the executor shows nobody what the account may not read.
func TestExecutorAsksForRights(t *testing.T) {
	srv := emberd.Start(t)
	s := executorSide(t, srv, "exrights")
	for _, q := range []string{"CREATE TABLE open (id INT NOT NULL PRIMARY KEY, n INT)", "CREATE TABLE closed (id INT NOT NULL PRIMARY KEY, n INT)",
		"INSERT INTO open VALUES (1, 1), (2, 2)", "INSERT INTO closed VALUES (1, 1)", "CREATE USER reader IDENTIFIED BY ''",
		"GRANT SELECT ON exrights.open TO reader", "GRANT SELECT (id) ON exrights.closed TO reader"} {
		_, err := s.Execute(q)
		require.NoError(t, err, q)
	}
	c, err := client.Connect(fmt.Sprintf("127.0.0.1:%d", srv.Port), "reader", "", "exrights")
	require.NoError(t, err)
	defer c.Close()
	for _, q := range []string{"SET NAMES utf8mb4", "SET ember_executor = 'ALL'"} {
		_, err = c.Execute(q)
		require.NoError(t, err, q)
	}
	r := &side{Conn: c, db: "exrights"}
	before := executed(t, s)
	res, err := r.Execute("SELECT SUM(n) FROM open")
	require.NoError(t, err)
	require.Equal(t, "3", shownRows(res.Values))
	require.Equal(t, before+1, executed(t, s))
	for _, q := range []string{"SELECT SUM(n) FROM closed", "SELECT COUNT(*) FROM open WHERE id IN (SELECT n FROM closed)", "SELECT SUM(o.n) FROM open o JOIN closed c ON c.n = o.id",
		"SELECT COUNT(*) FROM (SELECT n FROM closed) d", "WITH d AS (SELECT n FROM closed) SELECT COUNT(*) FROM d"} {
		_, err = r.Execute(q)
		require.ErrorContains(t, err, "denied", q)
	}
	res, err = r.Execute("SELECT COUNT(id) FROM closed")
	require.NoError(t, err)
	require.Equal(t, "1", shownRows(res.Values))
	require.Equal(t, before+1, executed(t, s), "rights on columns are for another way to judge")
}

// TestExecutorGivesWayLate checks that a value which the executor does not compute with is no
// error, however many rows came before it: nothing was sent yet.
func TestExecutorGivesWayLate(t *testing.T) {
	srv := emberd.Start(t)
	s := executorSide(t, srv, "exlate")
	const last = 8000
	rows := make([]string, last)
	for i := range rows {
		rows[i] = fmt.Sprintf("(%d,%d,'%s')", i+1, 1, strings.Repeat("x", 300))
	}
	rows[last-1] = fmt.Sprintf("(%d,0,'É')", last)
	for _, q := range []string{"CREATE TABLE l (id INT NOT NULL PRIMARY KEY, n BIGINT NOT NULL, s VARCHAR(400) NOT NULL)", "INSERT INTO l VALUES " + strings.Join(rows, ",")} {
		_, err := s.Execute(q)
		require.NoError(t, err)
	}
	for q, want := range map[string]string{
		"SELECT id, s, 100 / n FROM l": "",
		"SELECT id, UPPER(s) FROM l":   "É",
	} {
		before := executed(t, s)
		res, err := s.Execute(q)
		require.NoError(t, err, q)
		n := res.RowNumber()
		got, err := res.GetString(n-1, res.ColumnNumber()-1)
		require.NoError(t, err)
		require.Equal(t, want, got, q)
		require.Equal(t, before, executed(t, s), q)
	}
	_, err := s.Execute("SELECT id, s, 9223372036854775806 + n + (id = 8000) + (id = 8000) FROM l")
	require.ErrorContains(t, err, "1690")
	before := executed(t, s)
	res, err := s.Execute("SELECT id, s FROM l WHERE n < 5")
	require.NoError(t, err)
	require.Equal(t, last, res.RowNumber())
	require.Equal(t, before+1, executed(t, s))
}

// TestLookups checks that statements which indexes serve read few rows the first time, also where the
// value of a column is known by another one that is equal to it, or where an index is found by a
// value and a column together.
func TestLookups(t *testing.T) {
	srv := emberd.Start(t)
	s := executorSide(t, srv, "exlook")
	var stock, lines []string
	for w := range 2 {
		for i := range 6000 {
			stock = append(stock, fmt.Sprintf("(%d,%d,%d)", w, i, i%10))
			if i < 40 {
				lines = append(lines, fmt.Sprintf("(%d,%d,%d)", w, i, i*13))
			}
		}
	}
	for _, q := range []string{"CREATE TABLE house (w INT NOT NULL PRIMARY KEY, tax INT NOT NULL)", "INSERT INTO house VALUES (0, 5), (1, 6)",
		"CREATE TABLE stock (w INT NOT NULL, i INT NOT NULL, n INT NOT NULL, PRIMARY KEY (w, i))", "INSERT INTO stock VALUES " + strings.Join(stock, ","),
		"CREATE TABLE line (w INT NOT NULL, o INT NOT NULL, i INT NOT NULL, PRIMARY KEY (w, o))", "INSERT INTO line VALUES " + strings.Join(lines, ","), "SET ember_executor = ON"} {
		_, err := s.Execute(q)
		require.NoError(t, err)
	}
	for q, want := range map[string]string{
		"SELECT n, tax FROM stock, house WHERE house.w = 1 AND stock.w = house.w AND i = 77":                                         "7 6",
		"SELECT COUNT(DISTINCT stock.i) FROM line, stock WHERE line.w = 1 AND stock.w = 1 AND stock.i = line.i AND o < 30 AND n < 5": "15",
	} {
		_, err := s.Execute("FLUSH STATUS")
		require.NoError(t, err)
		res, err := s.Execute(q)
		require.NoError(t, err, q)
		var got []string
		for c := range res.ColumnNumber() {
			v, err := res.GetString(0, c)
			require.NoError(t, err)
			got = append(got, v)
		}
		require.Equal(t, want, strings.Join(got, " "), q)
		res, err = s.Execute("SELECT SUM(variable_value) FROM performance_schema.session_status WHERE variable_name LIKE 'Handler_read%'")
		require.NoError(t, err)
		read, err := res.GetInt(0, 0)
		require.NoError(t, err)
		require.Less(t, read, int64(300), q)
	}
	require.Equal(t, "12000", ranHere(t, s, "SELECT COUNT(*) FROM stock JOIN house ON house.w = stock.w WHERE stock.n >= 0"))
}

// TestExecutorTakesInvolvedQueries checks queries of kinds which other ways do not know well, for
// clients of several character sets. The answers are MySQL's.
func TestExecutorTakesInvolvedQueries(t *testing.T) {
	srv := emberd.Start(t)
	s := executorSide(t, srv, "exinvolved")
	for _, q := range []string{"CREATE TABLE i (id INT NOT NULL PRIMARY KEY, k INT, s VARCHAR(10))",
		"INSERT INTO i VALUES (1,1,'a'),(2,1,'b'),(3,2,NULL),(4,2,'B'),(5,NULL,'cc'),(6,1,'d')"} {
		_, err := s.Execute(q)
		require.NoError(t, err)
	}
	answers := []struct{ query, want string }{
		{"SELECT id FROM i WHERE k NOT IN (SELECT NULL FROM i)", ""},
		{"SELECT id FROM i a WHERE k NOT IN (SELECT b.k FROM i b WHERE b.id < a.id) ORDER BY 1", "1 3"},
		{"SELECT SUM(id) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM i ORDER BY 1", "3 6 9 11 12 15"},
		{"SELECT MAX(id) OVER (PARTITION BY k ORDER BY id DESC RANGE BETWEEN 4 PRECEDING AND 2 PRECEDING) m FROM i ORDER BY m", "<nil> <nil> <nil> <nil> <nil> 6"},
		{"SELECT id FROM i UNION ALL SELECT k FROM i UNION SELECT 9 ORDER BY 1", "<nil> 1 2 3 4 5 6 9"},
		{"(SELECT id FROM i UNION SELECT k FROM i) EXCEPT (SELECT 2 UNION SELECT 3) ORDER BY 1", "<nil> 1 4 5 6"},
		{"SELECT k, COUNT(*) FROM i a JOIN i b USING (k) WHERE k > 0 GROUP BY k ORDER BY k", "1 9 2 4"},
		{"SELECT i.id, l.m FROM i LEFT JOIN LATERAL (SELECT b.id m FROM i b WHERE b.k = i.k AND b.id > i.id ORDER BY b.id LIMIT 1) l ON TRUE ORDER BY 1", "1 2 2 6 3 4 4 <nil> 5 <nil> 6 <nil>"},
		{"SELECT IFNULL(k, 'all'), SUM(id) FROM i WHERE k IS NOT NULL GROUP BY k WITH ROLLUP", "1 9 2 7 all 16"},
		{"SELECT k, GROUP_CONCAT(s ORDER BY id DESC SEPARATOR '+') FROM i GROUP BY k WITH ROLLUP", "<nil> cc 1 d+b+a 2 B <nil> d+cc+B+b+a"},
		{"WITH RECURSIVE r AS (SELECT 1 n UNION ALL SELECT n + 1 FROM r WHERE n < 4) SELECT SUM(n), COUNT(*) FROM r", "10 4"},
		{"SELECT id, (SELECT GROUP_CONCAT(b.s ORDER BY b.id) FROM i b WHERE b.k = a.k) FROM i a WHERE id > 3 ORDER BY 1", "4 B 5 <nil> 6 a,b,d"},
		{"SELECT id FROM i a WHERE id = 5 OR EXISTS (SELECT 1 FROM i b WHERE b.k = a.k AND b.id > a.id) ORDER BY 1", "1 2 3 5"},
	}
	for _, charset := range []string{"utf8mb4", "utf8mb3", "latin1"} {
		_, err := s.Execute("SET NAMES " + charset)
		require.NoError(t, err)
		for _, a := range answers {
			require.Equal(t, a.want, ranHere(t, s, a.query), "%s: %s", charset, a.query)
		}
	}
	_, err := s.Execute("WITH RECURSIVE r AS (SELECT 1 n UNION ALL SELECT n + 1 FROM r) SELECT * FROM r LIMIT 1")
	require.ErrorContains(t, err, "3636")
	_, err = s.Execute("WITH RECURSIVE r AS (SELECT 'a' s UNION ALL SELECT CONCAT(s, 'b') FROM r) SELECT * FROM r")
	require.ErrorContains(t, err, "1406")
}

// TestKillEndsOperators kills statements that cannot end by themselves within each of the
// executor's operators.
func TestKillEndsOperators(t *testing.T) {
	srv := emberd.Start(t)
	s, other := executorSide(t, srv, "exkilled"), executorSide(t, srv, "exkilled2")
	for _, q := range []string{"CREATE TABLE n (id INT NOT NULL PRIMARY KEY, g INT NOT NULL)", "CREATE TABLE o LIKE n",
		"INSERT INTO n WITH RECURSIVE r AS (SELECT 1 x UNION ALL SELECT x + 1 FROM r WHERE x < 900) SELECT x, x % 7 FROM r", "SET cte_max_recursion_depth = 4294967295"} {
		_, err := s.Execute(q)
		require.NoError(t, err, q)
	}
	id, err := s.Execute("SELECT CONNECTION_ID()")
	require.NoError(t, err)
	connection, err := id.GetUint(0, 0)
	require.NoError(t, err)
	const none, pairs = "o a, o b, o c, o d, o e, o f", "n a, n b, n c, n d, n e, n f" // 5 * 10^17 rows
	for _, q := range []string{
		"SELECT a.id FROM %s WHERE a.id + b.id + c.id + d.id + e.id + f.id < 0",
		"SELECT a.g, b.g, COUNT(*) FROM %s GROUP BY a.g, b.g",
		"SELECT a.g, b.g, COUNT(*) FROM %s GROUP BY a.g, b.g WITH ROLLUP",
		"SELECT COUNT(DISTINCT a.g) FROM %s",
		"SELECT a.id FROM %s ORDER BY f.id, e.id, d.id LIMIT 5",
		"SELECT COUNT(*) FROM (SELECT DISTINCT a.g FROM %s) x",
		"SELECT COUNT(*) FROM (SELECT a.g FROM %s UNION SELECT 1) x",
		"SELECT a.g FROM %s EXCEPT SELECT g FROM n",
		"SELECT ROW_NUMBER() OVER (ORDER BY x.c) FROM (SELECT a.g, COUNT(*) c FROM %s GROUP BY a.g) x",
		"SELECT x.id, (SELECT COUNT(*) FROM %s WHERE b.id > x.id) y FROM n x ORDER BY y LIMIT 1",
		"WITH RECURSIVE r AS (SELECT 1 x UNION ALL SELECT 1 - x FROM r) SELECT COUNT(*) FROM r WHERE x < 0",
	} {
		over := func(tables string) string { return strings.ReplaceAll(q, "%s", tables) }
		if strings.Contains(q, "%s") {
			before := executed(t, s)
			_, err := s.Execute(over(none))
			require.NoError(t, err, q)
			require.Equal(t, before+1, executed(t, s), q)
		}
		require.True(t, interrupt(t, s, other, connection, over(pairs), false), q)
	}
}
