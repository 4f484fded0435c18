package operand

import (
	"strings"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
	"github.com/stretchr/testify/require"
)

// A long value is itself to whoever evaluates it, and short to whoever prints it; values that differ
// are printed in different ways.
func TestLongValue(t *testing.T) {
	ctx := sql.NewEmptyContext()
	long := strings.Repeat("x", 1<<20)
	printed := map[string]bool{}
	for _, e := range []ast.Expr{TextValue(long), TextValue(long + "y"), BytesValue([]byte(long + "z"))} {
		resolved, err := e.(ast.InjectedExpr).Expression.WithResolvedChildren(ctx, nil)
		require.NoError(t, err)
		value := resolved.(sql.Expression)
		v, err := value.Eval(ctx, nil)
		require.NoError(t, err)
		require.GreaterOrEqual(t, SizeOf(v), int64(len(long)))
		require.Less(t, len(value.String()), 200)
		require.False(t, printed[value.String()])
		printed[value.String()] = true
		same, err := value.WithChildren(ctx)
		require.NoError(t, err)
		require.Same(t, value, same)
	}
	require.IsType(t, &ast.SQLVal{}, TextValue("short"))
}
