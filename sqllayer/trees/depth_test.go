package trees

import (
	"strings"
	"sync/atomic"
	"testing"

	"emberdb/internal/base"
	"emberdb/sql/parse"
	"emberdb/sqllayer/lower"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
	"github.com/stretchr/testify/require"
)

// linked is how deep the operators of one kind stand in each other.
func linked(e ast.Expr) int {
	switch n := e.(type) {
	case *ast.OrExpr:
		return 1 + max(linked(n.Left), linked(n.Right))
	case *ast.AndExpr:
		return 1 + max(linked(n.Left), linked(n.Right))
	}
	return 0
}

func TestDepth(t *testing.T) {
	const n = 20000
	check := func(text string) (ast.Statement, error) {
		stmt, err := ast.Parse(text)
		require.NoError(t, err)
		return stmt, CheckDepth(stmt, text, nil)
	}
	for _, text := range []string{
		"SELECT 1" + strings.Repeat("+1", n),
		"SELECT " + strings.Repeat("NOT ", n) + "1",
		"SELECT " + strings.Repeat("CASE WHEN 1 THEN ", n) + "1" + strings.Repeat(" END", n),
		"SELECT 1 FROM t WHERE a IN (SELECT 1 WHERE a" + strings.Repeat("+1", n) + ")",
		"SELECT 1 UNION SELECT 1 ORDER BY 1" + strings.Repeat("*1", n),
		"WITH c AS (SELECT 1 LIMIT 1) SELECT * FROM c WHERE a" + strings.Repeat("-1", n) + " > 0 UNION SELECT 2",
		"UPDATE t SET a = a" + strings.Repeat("+1", n),
		"DELETE FROM t WHERE a" + strings.Repeat("+1", n) + " = 0",
		"INSERT INTO t VALUES (1), (1" + strings.Repeat("+1", n) + ")",
		"INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE a = 1" + strings.Repeat("+1", n),
		"SET @a = 1" + strings.Repeat("+1", n),
		"CREATE VIEW v AS SELECT 1" + strings.Repeat("+1", n),
		"CREATE TABLE t (a INT AS (1" + strings.Repeat("+1", n) + "))",
		"CREATE PROCEDURE p() BEGIN SET @a = 1" + strings.Repeat("+1", n) + "; END",
		"SELECT 1 WHERE a" + strings.Repeat(" OR a", mostLinks),
	} {
		_, err := check(text)
		require.ErrorContains(t, err, "Thread stack overrun", "%.60s", text)
	}
	_, err := check("SELECT 1" + strings.Repeat("+1", mostLevels/2))
	require.NoError(t, err)
	for _, op := range []string{"OR", "AND"} {
		text := "SELECT * FROM t WHERE a = 1" + strings.Repeat(" "+op+" a = 2", n)
		stmt, err := check(text)
		require.NoError(t, err)
		where := stmt.(*ast.Select).Where.Expr
		require.LessOrEqual(t, linked(where), 16)
		whole, err := ast.Parse(text)
		require.NoError(t, err)
		require.True(t, ast.String(whole) == ast.String(stmt), "the order is that of the text")
	}
}

// The queries of a UNION stay in their order, and those whose meaning hangs on their places stay
// there.
func TestBalancedUnions(t *testing.T) {
	var text strings.Builder
	text.WriteString("SELECT 0")
	for range 400 {
		text.WriteString(" UNION ALL SELECT 1")
	}
	text.WriteString(" UNION SELECT 2 UNION ALL SELECT 3 ORDER BY 1 LIMIT 5")
	stmt, err := ast.Parse(text.String())
	require.NoError(t, err)
	plain := ast.String(stmt)
	require.NoError(t, CheckDepth(stmt, text.String(), nil))
	root := stmt.(*ast.SetOp)
	require.Equal(t, ast.UnionAllStr, root.Type)
	require.NotNil(t, root.Limit)
	distinct := root.Left.(*ast.SetOp)
	require.Equal(t, ast.UnionStr, distinct.Type)
	deep := 0
	for s := ast.SelectStatement(distinct.Left); ; deep++ {
		union, ok := s.(*ast.SetOp)
		if !ok {
			break
		}
		s = union.Left
	}
	require.LessOrEqual(t, deep, 10)
	require.True(t, plain == strings.NewReplacer("(", "", ")", "").Replace(ast.String(stmt)), "the order is that of the text")

	recursive := "WITH RECURSIVE c AS (SELECT 1" + strings.Repeat(" UNION ALL SELECT 1", 400) + " UNION ALL SELECT a + 1 FROM c WHERE a < 5) SELECT * FROM c"
	stmt, err = ast.Parse(recursive)
	require.NoError(t, err)
	plain = ast.String(stmt)
	require.NoError(t, CheckDepth(stmt, recursive, nil))
	require.True(t, plain == ast.String(stmt), "the last query is the one that is run again")
}

// A statement that was told to end is not looked at to the end.
func TestDepthEnds(t *testing.T) {
	text := "SELECT 1 IN (" + strings.Repeat("1+1,", 10000) + "2)"
	r, err := Lowered(text, parse.Options{}, lower.Options{})
	require.NoError(t, err)
	var ended atomic.Uint32
	require.NoError(t, CheckDepth(r.Stmt, text, &ended))
	ended.Store(1)
	require.ErrorIs(t, CheckDepth(r.Stmt, text, &ended), base.ErrInterrupted)
}
