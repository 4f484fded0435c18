package equality

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

// TestGroupsOfDerivedTables checks groups over derived tables that are merged into their query, and
// IN of unique keys, which becomes a join. The answers are MySQL 9.7's.
func TestGroupsOfDerivedTables(t *testing.T) {
	srv := emberd.Start(t)
	s := executorSide(t, srv, "derivedgroups")
	for _, q := range []string{
		"CREATE TABLE g (id INT NOT NULL PRIMARY KEY, a INT, b DECIMAL(8,2), s VARCHAR(20), d DATE)",
		"INSERT INTO g VALUES (1,1,1.50,'x','2020-01-01'),(2,1,2.50,'y','2020-05-01'),(3,2,3.25,'x','2021-02-01'),(4,NULL,NULL,'y','2021-03-01'),(5,2,0.75,NULL,NULL)",
	} {
		_, err := s.Execute(q)
		require.NoError(t, err, q)
	}
	for _, c := range [][2]string{
		{"SELECT y, SUM(v) FROM (SELECT EXTRACT(YEAR FROM d) AS y, b * 2 AS v FROM g) AS t GROUP BY y ORDER BY y",
			"<nil> 1.50 2020 8.00 2021 6.50"},
		{"SELECT k, COUNT(*) FROM (SELECT a AS k, s FROM g WHERE id > 1) AS t GROUP BY k HAVING k > 0 ORDER BY k DESC",
			"2 2 1 1"},
		{"SELECT k + 1, k FROM (SELECT a AS k FROM g) AS t GROUP BY k ORDER BY k + 1", "<nil> <nil> 2 1 3 2"},
		{"SELECT q, COUNT(*) FROM (SELECT b / 3 AS q FROM g) AS t GROUP BY q ORDER BY q",
			"<nil> 1 0.250000 1 0.500000 1 0.833333 1 1.083333 1"},
		{"SELECT t.k, MAX(x.b) FROM (SELECT id, a AS k FROM g) AS t JOIN g x ON x.id = t.id GROUP BY t.k WITH ROLLUP",
			"<nil> <nil> 1 2.50 2 3.25 <nil> 3.25"},
		{"SELECT k, SUM(n) OVER (ORDER BY k) FROM (SELECT a AS k, id AS n FROM g) AS t GROUP BY k, n ORDER BY k, n",
			"<nil> 4 1 7 1 7 2 15 2 15"},
		{"SELECT COUNT(*) FROM g WHERE a IN (SELECT id FROM g x WHERE x.s = 'x')", "2"},
		{"SELECT id FROM g WHERE a IN (SELECT id FROM g x WHERE x.b > 2 OR x.id IN (SELECT y.id FROM g y WHERE y.s = 'x')) ORDER BY id",
			"1 2 3 5"},
		{"SELECT id FROM g WHERE a NOT IN (SELECT id FROM g x WHERE x.b > 2) ORDER BY id", "1 2"},
	} {
		require.Equal(t, c[1], ranHere(t, s, c[0]), c[0])
	}
}
