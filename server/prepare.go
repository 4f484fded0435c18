package server

import (
	"strings"

	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"emberdb/sqllayer"
)

// Preparing statements the library's grammar refuses.
//
// The library parses the text of COM_STMT_PREPARE itself to count the parameters, with a grammar that lacks FOR SHARE, SHOW ENGINE and
// more. When it refuses a text before the handler was asked, its ERR packet is held back, the text is looked at again (secondLook), and
// a stand-in with the same number of parameters is given to the library: "SELECT ?, ?". The handler then puts the
// original text in place of the stand-in, so that execution sees what the client prepared.

type prepareState struct {
	text     string // what the client sent
	original string // text, once a stand-in was sent to the library
	seen     bool   // the handler was asked: the library's grammar accepts the text
	unsigned []bool // of the parameters that were not told of yet; nil: none is unsigned
}

func (w *wireConn) takePrepare(n int) (bool, error) {
	p, err := w.wholePayload(n)
	if err != nil {
		return true, err
	}
	text := string(p[1:])
	if s := w.session; sqllayer.NoBackslashEscapes(s) {
		text = sqllayer.EscapeBackslashes(text, sqllayer.AnsiQuotes(s))
	}
	text = sqllayer.PlainText(w.session, strings.TrimRight(text, "\x00"))
	if e := w.mayPrepareText(text); e != nil {
		w.remember(e, false)
		return true, w.answerError(e)
	}
	w.prep = prepareState{text: text}
	w.filter = w.watchPrepare
	w.give(append(p[:1:1], text...))
	return true, nil
}

// give lets the library read a payload in place of the command.
func (w *wireConn) give(payload []byte) {
	w.in = frames(0, payload)
	fed := byte(len(payload)/maxFrame + 1)
	w.shift.by -= fed - w.fed
	w.fed = fed
}

// watchPrepare sees the library's first answer to COM_STMT_PREPARE.
func (w *wireConn) watchPrepare(p []byte) (bool, error) {
	body := w.assemble(p)
	if body == nil {
		return true, nil
	}
	w.filter = nil
	if body[0] != packetErr && w.prep.unsigned != nil {
		w.filter = w.tellParameter
	}
	if body[0] != packetErr || w.prep.seen {
		return true, w.answer(body)
	}
	if w.prep.original != "" {
		e := sqllayer.NewError(1064, "%s", syntaxErrorText(w.prep.original, 0))
		w.remember(e, false)
		return true, w.answerError(e)
	}
	params, e := secondLook(w.prep.text, string(body))
	if e != nil {
		w.remember(e, false)
		return true, w.answerError(e)
	}
	w.prep.original = w.prep.text
	w.filter = w.watchPrepare
	w.give(append([]byte{comStmtPrepare}, standIn(params)...))
	return true, nil
}

// tellParameter sees the description of a parameter, which the library knows nothing about, and marks it where it is unsigned (params.go).
func (w *wireConn) tellParameter(p []byte) (bool, error) {
	body := w.assemble(p)
	if body == nil {
		return true, nil
	}
	if w.prep.unsigned[0] {
		body[len(body)-flagsFromEnd] |= byte(querypb.MySqlFlag_UNSIGNED_FLAG)
	}
	if w.prep.unsigned = w.prep.unsigned[1:]; len(w.prep.unsigned) == 0 {
		w.filter = nil
	}
	_, err := w.send(frame(w.held[3], body))
	return true, err
}

// flagsFromEnd is where the flags of a column's description are: before the digits behind the point and two bytes that are always zero.
const flagsFromEnd = 5

// standIn is a statement with the given number of parameters.
func standIn(params int) string {
	if params == 0 {
		return "SELECT 1"
	}
	return "SELECT " + strings.TrimSuffix(strings.Repeat("?, ", params), ", ")
}

// prepared counts a statement of this connection in (+1) or out (-1).
func (w *wireConn) prepared(delta int64) {
	w.vars.prepared += delta
	w.srv.counters.preparedStatements.Add(delta)
}

func (w *wireConn) forgetPrepared() {
	w.prepared(-w.vars.prepared)
	w.vars.named, w.texts, w.trees = 0, nil, nil
}

// closePrepared forgets a statement of COM_STMT_PREPARE.
func (w *wireConn) closePrepared(id uint32) {
	w.prepared(-1)
	delete(w.trees, id)
	delete(w.compiled.stmts, id)
}

// countNamed counts the statements of PREPARE in.
func (w *wireConn) countNamed() {
	n := int64(len(w.texts))
	if s, ok := w.session.(*sqllayer.Session); ok {
		n += int64(s.NamedStatements())
	}
	w.prepared(n - w.vars.named)
	w.vars.named = n
}

// mayPrepare is the error of one statement more than max_prepared_stmt_count.
func (s *Server) mayPrepare() error {
	limit := s.globals.maxPrepared.Load()
	if s.counters.preparedStatements.Load() < limit {
		return nil
	}
	return sqllayer.NewError(1461, "Can't create more than max_prepared_stmt_count statements (current value: %d)", limit)
}
