package server

import (
	"encoding/binary"
	"sync/atomic"

	"github.com/dolthub/vitess/go/sqltypes"

	"emberdb/server/wire"
)

// cursor is what a connection knows of the cursor that the library has open. The library fetches one
// result ahead, so the cursor ends with the fetch that asks for its last row. Another command ends it
// earlier: see take and takeStmt.
//
// The connection's own goroutine owns it, and tells it of fetches. The statement runs in a goroutine
// of the library, which waits while rows are left that it has given.
type cursor struct {
	statement uint32
	asked     uint64        // rows, by all fetches
	given     atomic.Uint64 // rows, to the library
}

// isOpen tells whether rows are left. It is for the time between two commands.
func (c *cursor) isOpen() bool { return c != nil && (c.asked == 0 || c.asked < c.given.Load()) }

// fetch notes a COM_STMT_FETCH, whose frame is next.
func (w *wireConn) fetch() error {
	h, err := w.rd.Peek(wire.HeaderSize + shortest[comStmtFetch])
	if err != nil {
		w.lost(err)
		return errHungUp
	}
	p := h[wire.HeaderSize+1:]
	if c := w.cursor; c != nil && c.statement == binary.LittleEndian.Uint32(p) {
		c.asked += uint64(binary.LittleEndian.Uint32(p[4:]))
	}
	return nil
}

// openCursor is send of a statement that was executed with a cursor. A result without columns opens
// none.
func (w *wireConn) openCursor(statement uint32, send func(*sqltypes.Result) error) func(*sqltypes.Result) error {
	c := &cursor{statement: statement}
	opened := false
	return func(r *sqltypes.Result) error {
		c.given.Add(uint64(len(r.Rows)))
		if !opened && len(r.Fields) > 0 {
			opened, w.cursor = true, c // the connection's goroutine waits for this result
		}
		return send(r)
	}
}
