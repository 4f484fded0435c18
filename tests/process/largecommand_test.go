package process

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

// TestCommandsOfSeveralFrames prepares and runs statements longer than a frame of the protocol, of
// 16 MB, in the forms that the server reads itself: comments of versions, FOR SHARE, parameters.
func TestCommandsOfSeveralFrames(t *testing.T) {
	s := emberd.Start(t, "--max-allowed-packet=64M")
	cfg := s.Config("")
	cfg.MaxAllowedPacket = 60 << 20
	connector, err := mysql.NewConnector(cfg)
	require.NoError(t, err)
	db := sql.OpenDB(connector)
	defer db.Close()
	for _, q := range []string{"CREATE DATABASE f", "CREATE TABLE f.t (i INT PRIMARY KEY)", "INSERT INTO f.t VALUES (1)"} {
		mustExec(t, db, q)
	}
	ctx := context.Background()
	c, err := db.Conn(ctx)
	require.NoError(t, err)
	defer c.Close()
	for _, long := range []int{1 << 10, 1<<24 - 100, 17 << 20} {
		text := strings.Repeat("x", long)
		for _, q := range []string{"SELECT i + ?, LENGTH('" + text + "') /*!99999 nonsense */ /*!50000 + 0 */ FROM f.t FOR SHARE",
			"SELECT i + ?, LENGTH('" + text + "') FROM f.t"} {
			st, err := c.PrepareContext(ctx, q)
			require.NoError(t, err, "%d", long)
			var i, n int
			require.NoError(t, st.QueryRowContext(ctx, 1).Scan(&i, &n), "%d", long)
			require.Equal(t, []int{2, long}, []int{i, n})
			require.NoError(t, st.Close())
		}
		var n int
		require.NoError(t, c.QueryRowContext(ctx, "SELECT LENGTH(?)", text).Scan(&n), "%d", long)
		require.Equal(t, long, n)
		_, err := c.PrepareContext(ctx, "SELECT '"+text+"' FROM FROM")
		require.Equal(t, uint16(1064), serverError(err), "%v", err)
	}
}
