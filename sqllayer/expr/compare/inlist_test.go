package compare

import (
	"context"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/stretchr/testify/require"
)

// Work over a long list ends with its statement.
func TestLongListsEnd(t *testing.T) {
	list := make([]sql.Expression, 10000)
	for i := range list {
		list[i] = expression.NewLiteral(int64(i), types.Int64)
	}
	left := expression.NewGetField(0, types.Int64, "a", true)
	over, cancel := context.WithCancel(t.Context())
	ctx := sql.NewContext(over, sql.WithSession(sql.NewBaseSession()))
	in, err := NewIn(ctx, left, list)
	require.NoError(t, err)
	cancel()
	_, err = NewIn(ctx, left, list)
	require.ErrorIs(t, err, context.Canceled)
	if in != nil {
		_, err = newKnownRows(ctx, in.(*In))
		require.ErrorIs(t, err, context.Canceled)
	}
	_, err = NewIn(ctx, left, list[:10])
	require.NoError(t, err, "a short list is done before anybody asks")
}
