package server

import (
	"time"

	"github.com/dolthub/vitess/go/mysql"

	"emberdb/server/wire"
	"emberdb/sqllayer/sqlerr"
)

// How a connection refuses what it cannot take.

// refuse answers a command that breaks the protocol and ends the connection.
func (w *wireConn) refuse(seq byte, e *mysql.SQLError) error {
	w.srv.counters.abortedClients.Add(1)
	w.srv.log.Warn("connection closed: "+e.Message, "connection", w.id, "user", w.user, "host", w.host())
	w.sendLast(seq+1, e)
	return errHungUp
}

// maxDrain bounds what is read and thrown away so that the client gets to read why its packet was
// refused.
const maxDrain = 1 << 30

// refuseOversized throws the packet away and answers 1153. n is the length of the frame whose
// header is next.
func (w *wireConn) refuseOversized(seq byte, n int) error {
	w.raw.SetReadDeadline(time.Now().Add(10 * time.Second))
	for drained := 0; drained < maxDrain; drained += n {
		if _, err := w.rd.Discard(wire.HeaderSize + n); err != nil || n < wire.MaxFrame {
			break
		}
		h, err := w.rd.Peek(wire.HeaderSize)
		if err != nil {
			break
		}
		n, seq = wire.FrameLen(h), h[3]
	}
	return w.refuse(seq, sqlerr.NewError(1153, "Got a packet bigger than 'max_allowed_packet' bytes"))
}

// sendLast writes an ERR packet as the connection's last word.
func (w *wireConn) sendLast(seq byte, e *mysql.SQLError) {
	w.raw.SetWriteDeadline(time.Now().Add(2 * time.Second))
	_, _ = w.write(wire.Frame(seq, wire.ErrorPayload(e, true))) // it may be gone already
	w.hangUp.Store(true)
}

// failMidResult replaces the end-of-result packet the library is about to write by an error. The
// rows before it are on the socket.
func (w *wireConn) failMidResult(e *mysql.SQLError) {
	w.filter = func(p []byte) (bool, error) {
		if len(p) < wire.HeaderSize+1 || p[wire.HeaderSize] != wire.EOF {
			return false, nil
		}
		w.filter = nil
		_, err := w.send(wire.Frame(p[3], wire.ErrorPayload(e, true)))
		return true, err
	}
}
