package expr

import (
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
	"github.com/stretchr/testify/require"

	"emberdb/sqllayer/expr/aggregate"
	"emberdb/sqllayer/expr/numbers"
)

// A result is one byte longer than the operand, but no text is longer than the longest.
func TestBitTotalType(t *testing.T) {
	ctx := sql.NewEmptyContext()
	for _, c := range []struct {
		of   sql.Type
		want string
	}{{types.LongBlob, "longblob"}, {types.Blob, "longblob"}, {numbers.BytesType(6), "varbinary(7)"}, {types.Int64, "bigint unsigned"}} {
		total := &aggregate.BitTotal{Aggregation: aggregation.NewBitAnd(expression.NewGetField(0, c.of, "a", true)), Op: ast.BitAndStr}
		require.Equal(t, c.want, total.Type(ctx).String())
	}
}
