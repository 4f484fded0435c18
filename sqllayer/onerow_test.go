package sqllayer_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The row of a subquery is looked for by an index, whether the subquery may have several or not.
func TestComparedSubqueriesAreSearchedFor(t *testing.T) {
	b := newBench(t)
	c := b.session()
	c.exec("CREATE TABLE o (id INT PRIMARY KEY, k INT, KEY (k))")
	c.exec("CREATE TABLE i (id INT PRIMARY KEY, k INT, w INT)")
	for _, table := range []string{"o (id, k)", "i (id, k)"} {
		c.exec("INSERT INTO " + table + " WITH RECURSIVE n AS (SELECT 1 x UNION ALL SELECT x + 1 FROM n WHERE x < 500) SELECT x, x FROM n")
	}
	for _, query := range []string{"SELECT MAX(k) FROM i", "SELECT id FROM i WHERE k = 7", "SELECT id + 1 FROM i WHERE k = 7", "SELECT k FROM i ORDER BY k DESC LIMIT 1"} {
		for _, column := range []string{"id", "k"} {
			plan := strings.Join(c.exec("EXPLAIN FORMAT=TREE SELECT * FROM o WHERE "+column+" = ("+query+")"), "\n")
			require.Contains(t, strings.ToLower(plan), "index lookup on o", plan)
		}
	}
}
