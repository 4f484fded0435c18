package expr

import (
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/stretchr/testify/require"

	"emberdb/sqllayer/expr/operand"
)

// TestLargeOperands tells the types whose values may be large: a function of them runs aside.
func TestLargeOperands(t *testing.T) {
	ctx := sql.NewEmptyContext()
	for _, typ := range []sql.Type{types.JSON, types.GeometryType{}, types.LongText, types.LongBlob} {
		f, ok := operand.Lookup("json_storage_free")
		require.True(t, ok)
		e, err := f.NewInstance(ctx, []sql.Expression{expression.NewGetField(0, typ, "c", true)})
		require.NoError(t, err)
		require.False(t, e.(*Bounded).small, "%s", typ)
	}
	for _, typ := range []sql.Type{types.Int64, types.Date, types.Time, types.Year, types.Float64, types.Null} {
		require.Less(t, largest(ctx, expression.NewGetField(0, typ, "c", true)), int64(1000), "%s", typ)
	}
}
