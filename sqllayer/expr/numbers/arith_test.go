package numbers

import (
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/stretchr/testify/require"

	"emberdb/sqllayer/expr/operand"
)

// The shape of an operation is known once it was asked for, unless the session has a word in it.
func TestShapesOfOperations(t *testing.T) {
	ctx := sql.NewContext(t.Context(), sql.WithSession(sql.NewBaseSession()))
	signed, unsigned := expression.NewGetField(0, types.Int64, "a", true), expression.NewGetField(1, types.Uint64, "b", true)
	one := expression.NewLiteral(int8(1), types.Int8)
	sum := NewArithmetic("+", signed, one)
	for range 2000 {
		require.Equal(t, types.Int64, sum.Type(ctx))
		require.True(t, settled(sum))
		sum = NewArithmetic("+", sum, one)
	}
	changed, err := sum.WithChildren(ctx, unsigned, one)
	require.NoError(t, err)
	require.Equal(t, types.Uint64, changed.Type(ctx))

	less := NewArithmetic("-", unsigned, one)
	above := NewArithmetic("*", less, one)
	for _, mode := range []string{"", "NO_UNSIGNED_SUBTRACTION", ""} {
		require.NoError(t, ctx.Session.SetSessionVariable(ctx, "sql_mode", mode))
		want := sql.Type(types.Uint64)
		if mode != "" {
			want = types.Int64
		}
		require.Equal(t, want, less.Type(ctx), mode)
		require.Equal(t, want, above.Type(ctx), mode)
	}
	quotient := NewArithmetic("/", signed, one)
	for _, scale := range []int64{4, 9} {
		require.NoError(t, ctx.Session.SetSessionVariable(ctx, "div_precision_increment", scale))
		require.Equal(t, int32(scale), operand.ShapeOf(ctx, NewArithmetic("+", quotient, one)).Scale)
	}
}
