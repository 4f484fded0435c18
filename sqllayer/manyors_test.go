package sqllayer_test

import (
	"fmt"
	"strings"
	"testing"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
	"github.com/stretchr/testify/require"

	"emberdb/sqllayer/trees"
)

// joinedByOr joins n sides.
func joinedByOr(n int, side func(i int) string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = side(i)
	}
	return strings.Join(parts, " OR ")
}

// rowsOf is a comparison with a list of n rows.
func rowsOf(compared string, n int, row func(i int) string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = row(i)
	}
	return compared + " (" + strings.Join(parts, ", ") + ")"
}

// TestManyOrs runs conditions of thousands of ORs, which go-mysql-server would plan for minutes:
// equalities alone, among other conditions, of several columns, of several types, and none at all.
func TestManyOrs(t *testing.T) {
	c := newBench(t).session()
	c.exec("CREATE TABLE m (i INT PRIMARY KEY, j INT, s VARCHAR(10), KEY j (j))")
	c.exec("INSERT INTO m VALUES (1, 1, '1'), (2, NULL, '2'), (3, 3, NULL), (40000, 4, 'x')")
	for where, want := range map[string]string{
		joinedByOr(3000, func(i int) string { return fmt.Sprintf("i = %d", i) }):                                                   "1 2 3",
		joinedByOr(300, func(i int) string { return fmt.Sprintf("%d = j", i) }):                                                    "1 3 40000",
		"NOT (" + joinedByOr(trees.TooManyOrs, func(i int) string { return fmt.Sprintf("j = %d", i+2) }) + ")":                     "1",
		"i > 1 AND (" + joinedByOr(300, func(i int) string { return fmt.Sprintf("(i = %d)", i) }) + ")":                            "2 3",
		joinedByOr(1500, func(i int) string { return fmt.Sprintf("s = '%d'", i) }) + " OR j = 4":                                   "1 2 40000",
		joinedByOr(trees.TooManyOrs, func(i int) string { return fmt.Sprintf("i BETWEEN %d AND %d", 2*i+2, 2*i+3) }):               "2 3",
		joinedByOr(100, func(i int) string { return fmt.Sprintf("i = %d OR i = '%d' OR j = %d", 2*i+10, 2*i+1, -i) }):              "1 3",
		rowsOf("(i, j) IN", 300, func(i int) string { return fmt.Sprintf("(%d, %d)", i, i) }):                                      "1 3",
		rowsOf("(i, s) IN", 300, func(i int) string { return fmt.Sprintf("(%d, '%d')", i, i) }):                                    "1 2",
		rowsOf("(i, j) NOT IN", 300, func(i int) string { return fmt.Sprintf("(%d, %d)", i, i) }):                                  "40000",
		rowsOf("(i, j) IN", 300, func(i int) string { return fmt.Sprintf("(%d, NULL)", i) }) + " OR i = 1":                         "1",
		rowsOf("(j, i) IN", 3000, func(i int) string { return fmt.Sprintf("(%d, %d)", i, i+39996) }):                               "40000",
		rowsOf("(i, 1, j) IN", 100, func(i int) string { return fmt.Sprintf("(%d, '1', %d.0)", i, i) }):                            "1 3",
		rowsOf("i > 1 AND (i, j) IN", 100, func(i int) string { return fmt.Sprintf("(%d, -1), (3, 3)", -i) }):                      "3",
		joinedByOr(200, func(i int) string { return fmt.Sprintf("j = %d", i+10) }) + " OR s = 2 OR i = 4e4 OR i = 1 AND j IS NULL": "2 40000",
	} {
		c.query("SELECT GROUP_CONCAT(i ORDER BY i SEPARATOR ' ') FROM m WHERE "+where, want)
	}
}

// TestFewerOrs gathers equalities of a column with literals of one kind, and keeps what is left
// from indexes if it is much.
func TestFewerOrs(t *testing.T) {
	for text, want := range map[string]string{
		joinedByOr(3, func(i int) string { return fmt.Sprintf("a = %d", i) }):                  "a = 0 or a = 1 or a = 2",
		joinedByOr(trees.ManyOrs, func(int) string { return "a = 1" }):                         "a in (1" + strings.Repeat(", 1", trees.ManyOrs-1) + ")",
		joinedByOr(trees.TooManyOrs-1, func(int) string { return "a > 1" })[:5] + " AND b = 1": "a > 1 and b = 1",
	} {
		stmt, err := ast.Parse("SELECT 1 FROM t WHERE " + text)
		require.NoError(t, err)
		require.Equal(t, want, ast.String(trees.LimitRanges(stmt.(*ast.Select).Where.Expr)))
	}
	// A list is kept from indexes where it does not stand alone.
	for text, want := range map[string]bool{"a IN (%s)": false, "b = 2 AND a IN (%s)": true, "a NOT IN (%s)": true} {
		stmt, err := ast.Parse("SELECT 1 FROM t WHERE " + fmt.Sprintf(text, "1"+strings.Repeat(", 1", trees.TooLongList-1)))
		require.NoError(t, err)
		require.Equal(t, want, strings.Contains(ast.String(trees.LimitRanges(stmt.(*ast.Select).Where.Expr)), "is true"), text)
	}
	stmt, err := ast.Parse("SELECT 1 FROM t WHERE b = 2 AND (" + joinedByOr(trees.TooManyOrs, func(int) string { return "a > 1" }) + ")")
	require.NoError(t, err)
	require.Contains(t, ast.String(trees.LimitRanges(stmt.(*ast.Select).Where.Expr)), "is true")
}
