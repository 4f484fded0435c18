package expr

import (
	"context"
	"strings"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
	"github.com/stretchr/testify/require"

	"emberdb/sqllayer/expr/operand"
)

func callsOf(t *testing.T, stmt ast.Statement, name string) (n int) {
	require.NoError(t, ast.Walk(func(node ast.SQLNode) (bool, error) {
		if f, ok := node.(*ast.FuncExpr); ok && f.Name.String() == name {
			n++
		}
		return true, nil
	}, stmt))
	return n
}

// Constants of long lists ask whether the statement goes on; no other expression is changed.
func TestPaced(t *testing.T) {
	list := strings.Repeat("1,", 4*pacedBy)
	for text, want := range map[string]int{
		"SELECT a IN (" + list + "2) FROM t": 4,
		"SELECT " + list + "2":               4,
		"SELECT * FROM t WHERE a IN (" + strings.Repeat("b,", 4*pacedBy) + "2, 'x')": 1,
		"SELECT CONCAT(" + list + "2) FROM t ORDER BY 1 LIMIT 5":                     4,
		"SELECT a" + strings.Repeat("+ROUND(b, 2)", 4*pacedBy) + " FROM t":           0,
		"INSERT INTO t VALUES " + strings.Repeat("(1,'x'),", 2*pacedBy) + "(2,'y')":  4,
		"SELECT 1" + strings.Repeat(" UNION ALL SELECT 1", pacedBy):                  1,
	} {
		stmt, err := ast.Parse(text)
		require.NoError(t, err)
		Paced(stmt)
		require.Equal(t, want, callsOf(t, stmt, goesOn), text[:40])
	}
}

func TestGoesOn(t *testing.T) {
	over, cancel := context.WithCancel(t.Context())
	ctx := sql.NewContext(over, sql.WithSession(sql.NewBaseSession()))
	f, of := operand.Functions[goesOn], expression.NewLiteral(int8(1), types.Int8)
	e, err := f.NewInstance(ctx, []sql.Expression{of})
	require.NoError(t, err)
	require.Same(t, of, e)
	cancel()
	_, err = f.NewInstance(ctx, []sql.Expression{of})
	require.ErrorIs(t, err, context.Canceled)
}

// A statement that has ended is not rewritten to its end.
func TestReplaceEnds(t *testing.T) {
	over, cancel := context.WithCancel(t.Context())
	defer cancel()
	text := "INSERT INTO t VALUES " + strings.Repeat("(1+1),", 1000) + "(2)"
	for _, ended := range []bool{false, true} {
		stmt, err := ast.Parse(text)
		require.NoError(t, err)
		if ended {
			cancel()
		}
		err = Replace(over, stmt)
		require.Equal(t, ended, err != nil)
		binary := 0
		require.NoError(t, ast.Walk(func(node ast.SQLNode) (bool, error) {
			if _, ok := node.(*ast.BinaryExpr); ok {
				binary++
			}
			return true, nil
		}, stmt))
		require.Equal(t, map[bool]int{false: 0, true: 1000}[ended], binary)
	}
}
