package server

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/server/commands"
	"emberdb/server/wire"
)

// result reads packets up to the last one of an answer, and returns how many rows came.
func (r *rawClient) result(columns bool) (rows int) {
	r.t.Helper()
	if columns {
		_, p := r.recv()
		require.NotContains(r.t, []byte{wire.Err, wire.OK}, p[0], "%q", p)
		for range p[0] {
			r.recv()
		}
	}
	for {
		_, p := r.recv()
		require.NotEqual(r.t, byte(wire.Err), p[0], "%q", p)
		if p[0] == wire.EOF && len(p) < 9 {
			return rows
		}
		rows++
	}
}

func statementCommand(cmd byte, id uint32, more ...byte) []byte {
	return append(binary.LittleEndian.AppendUint32([]byte{cmd}, id), more...)
}

// A cursor is open until its last row was fetched, or its statement, or all of the connection, was
// reset or closed. Nothing else ends it.
func TestCursorIsOpen(t *testing.T) {
	ts := start(t)
	c := ts.dial()
	var w *wireConn
	for _, one := range ts.connections() {
		w = one
	}
	prepare := func(query string) (id uint32) {
		c.send(0, append([]byte{commands.ComStmtPrepare}, query...))
		_, p := c.recv()
		require.Equal(t, byte(wire.OK), p[0], "%q", p)
		for range binary.LittleEndian.Uint16(p[5:]) {
			c.recv()
		}
		return binary.LittleEndian.Uint32(p[1:])
	}
	const total = 3*rowsPerBatch + 5
	many := prepare("WITH RECURSIVE c AS (SELECT 1 n UNION ALL SELECT n + 1 FROM c WHERE n < 389) SELECT n FROM c")
	require.Equal(t, 389, total)
	none := prepare("SELECT 1 WHERE 1 = 0")
	do := prepare("DO 1")
	open := func(id uint32) {
		c.send(0, statementCommand(commands.ComStmtExecute, id, 1, 1, 0, 0, 0))
		require.Zero(t, c.result(true))
		require.True(t, w.cursor.isOpen())
	}
	fetch := func(id, n uint32) int {
		c.send(0, binary.LittleEndian.AppendUint32(statementCommand(commands.ComStmtFetch, id), n))
		return c.result(false)
	}
	ping := func() {
		c.send(0, []byte{commands.ComPing})
		c.recv()
	}
	require.False(t, w.cursor.isOpen())

	for _, step := range []uint32{1, rowsPerBatch, 200, total - 1} {
		open(many)
		for got := uint32(0); got < total; {
			require.True(t, w.cursor.isOpen(), "%d rows", got)
			got += uint32(fetch(many, step))
			ping()
		}
		require.False(t, w.cursor.isOpen(), "the last row closes it")
	}
	open(many)
	require.Equal(t, total, fetch(many, total+1000))
	require.False(t, w.cursor.isOpen())
	open(none)
	require.Zero(t, fetch(none, 1))
	require.False(t, w.cursor.isOpen())

	open(many)
	c.send(0, binary.LittleEndian.AppendUint32(statementCommand(commands.ComStmtFetch, none), total))
	c.recvError()
	require.True(t, w.cursor.isOpen(), "it is another statement's fetch")
	c.send(0, statementCommand(commands.ComStmtReset, many))
	c.recv()
	require.False(t, w.cursor.isOpen())

	c.send(0, statementCommand(commands.ComStmtExecute, do, 1, 1, 0, 0, 0))
	c.recv()
	require.False(t, w.cursor.isOpen(), "there is no result")

	open(many)
	c.send(0, statementCommand(commands.ComStmtClose, many))
	ping()
	require.False(t, w.cursor.isOpen())

	open(none)
	c.send(0, []byte{commands.ComResetConnection})
	c.recv()
	require.False(t, w.cursor.isOpen())
}
