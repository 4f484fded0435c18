package server

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/server/commands"
	"emberdb/server/wire"
)

func TestConnectAndQuery(t *testing.T) {
	ts := start(t)
	db := ts.root()
	require.Equal(t, [][]string{{"1", "Ember"}}, rows(t, db, "SELECT 1, @@version_comment"))
	require.Contains(t, rows(t, db, "SELECT VERSION()")[0][0], "8.4.8-ember")
	exec(t, db, "CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(20))")
	exec(t, db, "INSERT INTO t VALUES (1,'x'),(2,'y')")
	require.Equal(t, [][]string{{"1", "x"}, {"2", "y"}}, rows(t, db, "SELECT * FROM t ORDER BY a"))
	require.Equal(t, [][]string{{"2", "y"}}, rows(t, db, "SELECT * FROM t WHERE a = ?", 2))
	require.NoError(t, db.PingContext(context.Background()))
}

func TestErrorsOverTheWire(t *testing.T) {
	ts := start(t)
	db := ts.root()
	for _, c := range []struct {
		query string
		code  uint16
		state string
	}{
		{"SELEC 1", 1064, "42000"},
		{"SELECT * FROM nothere", 1146, "42S02"},
		{"SELECT nocol FROM dual", 1054, "42S22"},
		{"XA START", 1064, "42000"},
		{"HANDLER t OPEN", 1235, "42000"},
		{"KILL 99999999", 1094, "HY000"},
		{"", 1065, "42000"},
	} {
		_, err := db.Exec(c.query)
		requireCode(t, err, c.code, c.state)
		_, err = db.Exec("SELECT 1")
		require.NoError(t, err, "the connection survives %q", c.query)
	}
}

func TestBrokenPackets(t *testing.T) {
	ts := start(t, "--max-allowed-packet=1M")
	other := ts.conn()
	t.Run("out of order", func(t *testing.T) {
		c := ts.dial()
		c.send(5, []byte{commands.ComPing})
		require.Equal(t, 1156, c.recvError())
		c.requireClosed()
	})
	t.Run("empty", func(t *testing.T) {
		c := ts.dial()
		c.send(0, nil)
		require.Equal(t, 1835, c.recvError())
		c.requireClosed()
	})
	t.Run("unknown command", func(t *testing.T) {
		c := ts.dial()
		c.send(0, []byte{99})
		require.Equal(t, 1047, c.recvError())
		c.send(0, []byte{commands.ComPing})
		_, p := c.recv()
		require.Equal(t, byte(wire.OK), p[0])
	})
	t.Run("short execute", func(t *testing.T) {
		c := ts.dial()
		c.send(0, []byte{commands.ComStmtExecute, 1})
		require.Equal(t, 1835, c.recvError())
		c.send(0, []byte{commands.ComPing})
		_, p := c.recv()
		require.Equal(t, byte(wire.OK), p[0])
	})
	t.Run("unknown statement", func(t *testing.T) {
		c := ts.dial()
		c.send(0, []byte{commands.ComStmtReset, 9, 0, 0, 0})
		require.Equal(t, 1243, c.recvError())
		c.send(0, append([]byte{commands.ComStmtExecute, 9, 0, 0, 0}, make([]byte, 5)...))
		require.Equal(t, 1243, c.recvError())
		c.send(0, []byte{commands.ComStmtLongData, 9, 0, 0, 0, 0, 0, 'x'}) // no answer
		c.send(0, []byte{commands.ComPing})
		_, p := c.recv()
		require.Equal(t, byte(wire.OK), p[0])
	})
	t.Run("too large", func(t *testing.T) {
		c := ts.dial()
		c.send(0, append([]byte{commands.ComQuery}, make([]byte, 2<<20)...))
		require.Equal(t, 1153, c.recvError())
		c.requireClosed()
	})
	t.Run("too large in several frames", func(t *testing.T) {
		c := ts.dial()
		c.send(0, append([]byte{commands.ComQuery}, make([]byte, wire.MaxFrame-1)...))
		c.send(1, make([]byte, 100))
		require.Equal(t, 1153, c.recvError())
		c.requireClosed()
	})
	t.Run("garbage instead of a login", func(t *testing.T) {
		c := ts.dialBare()
		c.recv()
		c.send(1, []byte("GET / HTTP/1.1"))
		require.Equal(t, 1043, c.recvError())
		c.requireClosed()
	})
	require.Equal(t, [][]string{{"1"}}, rows(t, other, "SELECT 1"), "other connections go on")
}
