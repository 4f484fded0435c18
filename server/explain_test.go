package server

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// explainedQueries are queries whose plans have all kinds of operators.
var explainedQueries = []string{
	"SELECT * FROM a",
	"SELECT * FROM a WHERE id = 7",
	"SELECT * FROM a WHERE id > 30 AND c <> 'x'",
	"SELECT id, b FROM a WHERE b = 3",
	"SELECT * FROM a WHERE b > 2 AND b <= 4 AND c LIKE '%1'",
	"SELECT b, COUNT(*), SUM(DISTINCT id) FROM a GROUP BY b HAVING COUNT(*) > 1 ORDER BY b DESC LIMIT 3",
	"SELECT COUNT(*), MAX(c) FROM a",
	"SELECT DISTINCT c FROM a ORDER BY c LIMIT 2, 3",
	"SELECT a.c, d.id FROM d JOIN a ON a.id = d.aid WHERE d.n < 20",
	"SELECT a.c, d.id FROM a LEFT JOIN d ON d.aid = a.id AND d.n > 3",
	"SELECT * FROM a JOIN d ON a.c = d.c",
	"SELECT * FROM a, d WHERE a.id < 4 AND d.id < 3",
	"SELECT * FROM a WHERE id IN (SELECT aid FROM d WHERE n > 5)",
	"SELECT * FROM a WHERE NOT EXISTS (SELECT 1 FROM d WHERE d.c = a.c)",
	"SELECT * FROM a WHERE b NOT IN (SELECT n FROM d)",
	"SELECT id, (SELECT MAX(n) FROM d WHERE d.aid = a.id) m FROM a",
	"SELECT * FROM a WHERE b > (SELECT AVG(n) FROM d)",
	"SELECT * FROM (SELECT b, COUNT(*) n FROM a GROUP BY b) x JOIN d ON d.n = x.n",
	"SELECT id FROM a UNION SELECT aid FROM d",
	"SELECT id FROM a UNION ALL SELECT aid FROM d ORDER BY 1 LIMIT 4",
	"SELECT c FROM a INTERSECT SELECT c FROM d",
	"SELECT c FROM a EXCEPT SELECT c FROM d",
	"WITH RECURSIVE r AS (SELECT 1 k UNION ALL SELECT k + 1 FROM r WHERE k < 5) SELECT r.k, a.c FROM r JOIN a ON a.id = r.k",
	"WITH q AS (SELECT b, MAX(id) m FROM a GROUP BY b) SELECT * FROM q x JOIN q y ON x.b = y.m",
	"SELECT id, ROW_NUMBER() OVER (PARTITION BY b ORDER BY c), SUM(b) OVER () FROM a",
	"SELECT b, SUM(id) FROM a GROUP BY b WITH ROLLUP",
	"SELECT a.id, l.n FROM a, LATERAL (SELECT n FROM d WHERE d.aid = a.id ORDER BY n DESC LIMIT 1) l",
	"SELECT * FROM a WHERE b > (SELECT AVG(n) FROM d WHERE d.aid = a.id)",
	"SELECT 1, 'x'",
	"VALUES ROW(1, 2), ROW(3, 4)",
	"SELECT * FROM a WHERE id = 1 AND id = 2",
}

// TestExplainAnalyze: what EXPLAIN ANALYZE tells of the last operator is what the query gives,
// whoever runs it, and every form tells the plan of every query.
func TestExplainAnalyze(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	db := ts.login("root", "", "")
	db.SetMaxOpenConns(1)
	for _, q := range []string{
		"CREATE DATABASE ex", "USE ex",
		"CREATE TABLE a (id INT PRIMARY KEY, b INT, c VARCHAR(10), KEY b (b))",
		"CREATE TABLE d (id INT PRIMARY KEY, aid INT, n INT, c VARCHAR(10), KEY aid (aid))",
		"INSERT INTO a WITH RECURSIVE s AS (SELECT 1 k UNION ALL SELECT k + 1 FROM s WHERE k < 40) SELECT k, k % 7, CONCAT('c', k % 11) FROM s",
		"INSERT INTO d SELECT id, id % 20, id % 13, c FROM a",
	} {
		exec(t, db, q)
	}
	first := regexp.MustCompile(`^-> [^\n]*\(actual time=[0-9.e+-]+ rows=([0-9.e+]+) loops=1\)`)
	for _, mode := range []string{"ALL", "ON", "OFF"} {
		exec(t, db, "SET ember_executor = "+mode)
		for _, q := range explainedQueries {
			text := mode + ": " + q
			got := len(rows(t, db, q))
			tree := rows(t, db, "EXPLAIN ANALYZE "+q)[0][0]
			m := first.FindStringSubmatch(tree)
			require.NotNil(t, m, "%s\n%s", text, tree)
			require.Equal(t, fmt.Sprint(got), m[1], "%s\n%s", text, tree)
			require.NotContains(t, tree, "other", text)

			require.True(t, strings.HasPrefix(rows(t, db, "EXPLAIN FORMAT=TREE "+q)[0][0], "-> "), text)
			for _, version := range []string{"1", "2"} {
				exec(t, db, "SET explain_json_format_version = "+version)
				document := rows(t, db, "EXPLAIN FORMAT=JSON "+q)[0][0]
				var v map[string]any
				require.NoError(t, json.Unmarshal([]byte(document), &v), "%s\n%s", text, document)
			}
			var v struct {
				Plan struct {
					Rows  *float64 `json:"actual_rows"`
					Loops *float64 `json:"actual_loops"`
				} `json:"query_plan"`
			}
			document := rows(t, db, "EXPLAIN ANALYZE FORMAT=JSON "+q)[0][0]
			require.NoError(t, json.Unmarshal([]byte(document), &v), text)
			require.NotNil(t, v.Plan.Rows, "%s\n%s", text, document)
			require.Equal(t, float64(got), *v.Plan.Rows, "%s\n%s", text, document)

			table := rows(t, db, "EXPLAIN FORMAT=TRADITIONAL "+q)
			require.NotEmpty(t, table, text)
			for _, r := range table {
				require.Len(t, r, 12, text)
				require.NotEqual(t, "NULL", r[0], text)
			}
		}
	}
}

// TestExplainFails: what a query is refused for, EXPLAIN is refused for as well, and EXPLAIN
// ANALYZE fails as the query does; the session goes on in its transaction.
func TestExplainFails(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	db := ts.login("root", "", "")
	db.SetMaxOpenConns(1)
	exec(t, db, "CREATE DATABASE ex")
	exec(t, db, "USE ex")
	exec(t, db, "CREATE TABLE a (id INT PRIMARY KEY, b INT)")
	exec(t, db, "INSERT INTO a VALUES (1, 1), (2, 2)")
	for _, mode := range []string{"ALL", "OFF"} {
		exec(t, db, "SET ember_executor = "+mode)
		exec(t, db, "BEGIN")
		exec(t, db, "UPDATE a SET b = b + 1")
		for _, q := range []struct {
			text  string
			code  uint16
			state string
		}{
			{"EXPLAIN SELECT id, COUNT(*) FROM a", 1140, "42000"},
			{"EXPLAIN SELECT nothing FROM a", 1054, "42S22"},
			{"EXPLAIN SELECT * FROM nothing", 1146, "42S02"},
			{"EXPLAIN FORMAT=XML SELECT * FROM a", 1791, "HY000"},
			{"EXPLAIN ANALYZE FORMAT=TRADITIONAL SELECT * FROM a", 1235, "42000"},
			{"EXPLAIN ANALYZE SELECT (SELECT id FROM a) FROM a", 1242, "21000"},
		} {
			_, err := tryRows(db, q.text)
			requireCode(t, err, q.code, q.state)
		}
		rows(t, db, "EXPLAIN SELECT * FROM a x JOIN a y ON x.b = y.b")
		rows(t, db, "EXPLAIN ANALYZE SELECT * FROM a x JOIN a y ON x.b = y.b")
		require.Equal(t, [][]string{{"1", "2"}, {"2", "3"}}, rows(t, db, "SELECT * FROM a"), "the transaction goes on")
		exec(t, db, "ROLLBACK")
		require.Equal(t, [][]string{{"1", "1"}, {"2", "2"}}, rows(t, db, "SELECT * FROM a"))
	}
}
