package expr

import (
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
	"github.com/stretchr/testify/require"
)

// A result is one byte longer than the operand, but no text is longer than the longest.
func TestBitTotalType(t *testing.T) {
	ctx := sql.NewEmptyContext()
	for _, c := range []struct {
		of   sql.Type
		want string
	}{{types.LongBlob, "longblob"}, {types.Blob, "longblob"}, {bytesType(6), "varbinary(7)"}, {types.Int64, "bigint unsigned"}} {
		total := &BitTotal{aggregation.NewBitAnd(expression.NewGetField(0, c.of, "a", true)), ast.BitAndStr}
		require.Equal(t, c.want, total.Type(ctx).String())
	}
}
