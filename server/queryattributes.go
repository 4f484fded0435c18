package server

import (
	"emberdb/compiled"
	"emberdb/server/commands"
	"emberdb/server/wire"
	"emberdb/server/wireparam"
	"emberdb/sqllayer"
)

// attributes begins to read attributes of this connection.
func (w *wireConn) attributes(c *wire.Cursor) wireparam.AttributeReader {
	return wireparam.AttributeReader{Cursor: c, Set: w.clientCharset()}
}

// tell gives the session the attributes of the command.
func (w *wireConn) tell(all []sqllayer.QueryAttribute) {
	if s, ok := w.session.(*sqllayer.Session); ok && (w.attributed || len(all) > 0) {
		s.SetQueryAttributes(all)
		w.attributed = len(all) > 0
	}
}

// cutAttributes reads the attributes in front of COM_QUERY, whose first frame has n bytes of payload.
// What it leaves in the reader is the command without them, of left bytes; taken says that it left
// nothing.
func (w *wireConn) cutAttributes(n int) (left int, taken bool, err error) {
	const none = "\x00\x01" // no attributes, in one set
	head := wire.HeaderSize + 1
	if w.cmd != commands.ComQuery || w.caps&wire.CapQueryAttributes == 0 {
		return n, false, nil
	}
	if !w.more && n <= compiled.MaxText {
		h, err := w.rd.Peek(wire.HeaderSize + n)
		if err != nil {
			w.lost(err)
			return n, true, errHungUp
		}
		c := wire.Cursor{Rest: h[head:]}
		all, ok := w.attributes(&c).Query()
		if !ok {
			return n, true, w.malformed(n)
		}
		return w.cut(n, n-1-len(c.Rest), all)
	}
	h, err := w.rd.Peek(head + len(none))
	if err != nil {
		w.lost(err)
		return n, true, errHungUp
	}
	if !w.more && string(h[head:]) == none {
		return w.cut(n, len(none), nil)
	}
	p, err := w.wholePayload(n)
	if err != nil {
		return n, true, err
	}
	c := wire.Cursor{Rest: p[1:]}
	all, ok := w.attributes(&c).Query()
	if !ok {
		return n, true, w.answerError(wireparam.ErrMalformed)
	}
	w.tell(all)
	w.compiled.learn, w.compiled.report = "", nil // it is not looked at for a program
	w.give(append([]byte{commands.ComQuery}, c.Rest...))
	return n, true, nil
}

// cut takes size bytes of attributes out of the frame that is next.
func (w *wireConn) cut(n, size int, all []sqllayer.QueryAttribute) (left int, taken bool, err error) {
	w.tell(all)
	w.received(size)
	w.total -= size
	w.rd.CutFrame(wire.HeaderSize+1, size)
	return n - size, false, nil
}

// malformed refuses the command that is next.
func (w *wireConn) malformed(n int) error {
	if _, err := w.payload(n); err != nil {
		return err
	}
	return w.answerError(wireparam.ErrMalformed)
}
