package sqllayer_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// explained runs EXPLAIN, which gives one text.
func (c *conn) explained(q string) string {
	rows := c.exec(q)
	require.Len(c.b.t, rows, 1, q)
	return rows[0]
}

// findMember looks for the first object of a document that has all the members.
func findMember(v any, with map[string]any) map[string]any {
	switch v := v.(type) {
	case map[string]any:
		found := true
		for name, want := range with {
			found = found && fmt.Sprint(v[name]) == fmt.Sprint(want)
		}
		if found {
			return v
		}
		for _, m := range v {
			if f := findMember(m, with); f != nil {
				return f
			}
		}
	case []any:
		for _, m := range v {
			if f := findMember(m, with); f != nil {
				return f
			}
		}
	}
	return nil
}

// TestExplainDocuments: every plan has a tree and a document of steps, which tell how each table is
// read.
func TestExplainDocuments(t *testing.T) {
	b := newBench(t)
	c := b.session()
	c.exec("CREATE TABLE a (id INT PRIMARY KEY, b INT, c VARCHAR(20), KEY b (b))")
	c.exec("INSERT INTO a VALUES (1, 2, 'x'), (2, 3, 'y'), (3, 4, 'z')")
	c.exec("CREATE TABLE d (id INT PRIMARY KEY, aid INT, KEY aid (aid))")
	c.exec("INSERT INTO d VALUES (1, 1), (2, 2), (3, 2)")
	for _, q := range []struct {
		text, tree string
		with       map[string]any
	}{
		{"SELECT * FROM a WHERE b = 3 AND c = 'y'", "Index lookup on a using b (b = 3)", map[string]any{"index_name": "b", "lookup_condition": "b = 3", "key_columns": "[b]"}},
		{"SELECT * FROM a x WHERE id = 2", "Single-row index lookup on x using PRIMARY (id = 2)", map[string]any{"table_name": "a", "index_name": "PRIMARY", "alias": "x"}},
		{"SELECT * FROM a WHERE b > 1 AND b <= 3", "Index range scan on a using b over (1 < b <= 3)", map[string]any{"index_access_type": "index_range_scan"}},
		{"SELECT * FROM a WHERE c LIKE '%x' ORDER BY c DESC", "Sort: a.c DESC", map[string]any{"access_type": "sort"}},
		{"SELECT c, COUNT(*) FROM a GROUP BY c", "Aggregate using temporary table", map[string]any{"access_type": "temp_table_aggregate"}},
		{"SELECT a.c, d.id FROM d JOIN a ON a.id = d.aid", "inner join", map[string]any{"join_type": "inner join"}},
		{"SELECT a.c, d.id FROM a LEFT JOIN d ON a.id = d.aid", "left join", map[string]any{"join_type": "left join"}},
		{"SELECT * FROM a WHERE id IN (SELECT aid FROM d)", "semijoin", map[string]any{"access_type": "join"}},
		{"SELECT * FROM a WHERE b > (SELECT MIN(id) FROM d WHERE d.aid = a.id)", "Select #2 (subquery in condition; dependent)", map[string]any{"subquery": true, "dependent": true}},
		{"SELECT * FROM (SELECT b, COUNT(*) FROM a GROUP BY b) x WHERE b > 1", "Materialize", map[string]any{"access_type": "materialize"}},
		{"SELECT id FROM a UNION SELECT id FROM d ORDER BY 1 LIMIT 2", "Union materialize with deduplication", map[string]any{"deduplication": true}},
		{"WITH RECURSIVE r AS (SELECT 1 n UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT * FROM r", "Scan new records on r", map[string]any{"access_type": "materialize", "recursive": true}},
		{"SELECT ROW_NUMBER() OVER (ORDER BY b) FROM a", "Window aggregate", map[string]any{"access_type": "window"}},
		{"SELECT * FROM a LIMIT 2 OFFSET 1", "Limit/Offset: 2/1 row(s)", map[string]any{"limit": 2, "limit_offset": 1}},
		{"SELECT * FROM a WHERE 1 = 0", "Zero rows", map[string]any{"access_type": "zero_rows"}},
		{"INSERT INTO a SELECT id + 9, aid, '' FROM d", "Insert into a", map[string]any{"operation": "Insert into a"}},
		{"UPDATE a SET c = 'n' WHERE b < 3", "Update a", map[string]any{"operation": "Update a (immediate)"}},
		{"DELETE FROM a WHERE id = 1", "Delete from a", map[string]any{"access_type": "delete_rows"}},
	} {
		require.Contains(t, c.explained("EXPLAIN FORMAT=TREE "+q.text), q.tree, q.text)
		document := c.explained("EXPLAIN FORMAT=JSON " + q.text)
		var v map[string]any
		require.NoError(t, json.Unmarshal([]byte(document), &v), document)
		require.Contains(t, v["query"], strings.ToLower(strings.Fields(q.text)[0])+" ")
		require.NotNil(t, findMember(v["query_plan"], q.with), "%s\n%s", q.text, document)
		if strings.HasPrefix(q.text, "SELECT") {
			require.NotContains(t, c.explained("EXPLAIN ANALYZE "+q.text), "loops=0", q.text)
		}
	}
	require.Len(t, c.exec("SELECT * FROM a WHERE c <> 'n'"), 3, "nothing was run")

	tree := c.explained("EXPLAIN ANALYZE SELECT a.c, d.id FROM d JOIN a ON a.id = d.aid WHERE d.id < 3")
	require.Regexp(t, `rows=2 loops=1\)`, tree)
	var v map[string]any
	require.NoError(t, json.Unmarshal([]byte(c.explained("EXPLAIN ANALYZE FORMAT=JSON SELECT * FROM a WHERE c <> 'x'")), &v))
	require.NotNil(t, findMember(v, map[string]any{"access_type": "filter", "actual_rows": 2, "actual_loops": 1}))
	require.NotNil(t, findMember(v, map[string]any{"access_type": "table", "actual_rows": 3}))
}

// TestExplainAsWritten: what the layer changes of a statement before it runs is not seen, and what
// it refuses is.
func TestExplainAsWritten(t *testing.T) {
	c := newBench(t).session()
	c.exec("CREATE TABLE t (a INT PRIMARY KEY, b INT)")
	c.exec("CREATE TABLE u (a INT PRIMARY KEY, b INT)")
	require.NotContains(t, c.explained("EXPLAIN FORMAT=TREE DELETE FROM t"), "Limit")
	require.NotContains(t, c.explained("EXPLAIN FORMAT=TREE UPDATE t x JOIN u t ON x.a = t.a SET x.b = 1"), "`")
	require.Contains(t, c.explained("EXPLAIN FORMAT=TREE SELECT SUM(SUM(a)) OVER (), @n FROM t GROUP BY b"), "Window aggregate")
	require.Contains(t, c.explained("EXPLAIN FORMAT=TREE SELECT * FROM t WHERE b > ALL (SELECT a FROM u)"), "on u")
	require.Contains(t, c.explained("EXPLAIN FORMAT=TREE SELECT * FROM t WHERE b = ANY (SELECT b FROM u)"), "on u")
	c.fails(1093, "EXPLAIN UPDATE t SET b = (SELECT MAX(b) FROM t)")
}
