package bench

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"
)

func TestErrorKinds(t *testing.T) {
	server := func(n uint16) error { return fmt.Errorf("statement: %w", &mysql.MySQLError{Number: n}) }
	for _, c := range []struct {
		err             error
		retriable, lost bool
	}{
		{nil, false, false},
		{server(1213), true, false},
		{server(1205), true, false},
		{server(1062), false, false},
		{server(1053), false, true},
		{io.ErrUnexpectedEOF, false, true},
		{driver.ErrBadConn, false, true},
		{mysql.ErrInvalidConn, false, true},
		{errors.New("connection refused"), false, true},
		{sql.ErrNoRows, false, false},
	} {
		require.Equal(t, c.retriable, IsRetriable(c.err), "%v", c.err)
		require.Equal(t, c.lost, IsConnectionLost(c.err), "%v", c.err)
	}
}

func TestTargetConfig(t *testing.T) {
	target := Target{Host: "h", Port: 33, User: "u", Password: "p", Database: "d", TLS: "preferred", Timeout: time.Second}
	cfg, err := target.Config(true)
	require.NoError(t, err)
	require.Equal(t, "h:33", cfg.Addr)
	require.Equal(t, "preferred", cfg.TLSConfig)
	require.Equal(t, time.Second, cfg.ReadTimeout)
	require.True(t, cfg.InterpolateParams)

	target.Socket = "/s"
	cfg, err = target.Config(false)
	require.NoError(t, err)
	require.Equal(t, "unix", cfg.Net)
	require.Equal(t, "/s", cfg.Addr)
	require.Empty(t, cfg.TLSConfig)

	target.DSN = "me:secret@tcp(other:1)/"
	cfg, err = target.Config(false)
	require.NoError(t, err)
	require.Equal(t, "other:1", cfg.Addr)
	require.Equal(t, "me", cfg.User)
	require.Equal(t, "d", cfg.DBName, "a DSN without a database takes the one of the flag")
}
