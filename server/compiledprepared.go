package server

// Programs of prepared statements: COM_STMT_EXECUTE.

import (
	"encoding/binary"
	"strings"

	"github.com/dolthub/vitess/go/mysql"

	"emberdb/compiled"
	"emberdb/internal/base"
	"emberdb/sql/token"
)

// preparedProgram is what is known of a prepared statement.
type preparedProgram struct {
	data     *mysql.PrepareData
	prefixes uint64
	key      string
	program  *compiled.Program
	plain    bool // it has no tables
}

// countFollows is the flag of COM_STMT_EXECUTE that says that the number of values follows, also of a
// statement without parameters. Some clients set it always; the number only follows where client and
// server have agreed on attributes of statements.
const countFollows = 8

// tryPrepared looks for the program of a prepared statement. p is the payload of COM_STMT_EXECUTE
// behind the command.
func (w *wireConn) tryPrepared(p []byte) (taken bool, err error) {
	cs := &w.compiled
	if p[4]&^countFollows != 0 {
		return false, nil
	}
	id := binary.LittleEndian.Uint32(p)
	data := w.conn.PrepareData[id]
	if data == nil {
		return false, nil
	}
	st := cs.prepared(w, data)
	if st == nil {
		return false, nil
	}
	if st.program == nil {
		if st.program, cs.why = w.srv.programs.Get([]byte(st.key), cs.dictionary()); cs.why == compiled.ByFirst {
			st.program = w.unknownPrepared(st)
		}
	}
	if st.program == nil {
		return false, nil
	}
	if w.bind(data, p) != nil || !cs.usual(data) {
		cs.why = compiled.ByParameter // the library's way tells the error
		return false, nil
	}
	taken, err = w.runProgram(st.program, cs.params, nil, data.PrepareStmt, true)
	if taken || cs.why != compiled.ByChange {
		return taken, err
	}
	w.srv.programs.Forget([]byte(st.key))
	if st.program = w.unknownPrepared(st); st.program == nil {
		return false, err
	}
	return w.runProgram(st.program, cs.params, nil, data.PrepareStmt, true)
}

// unknownPrepared is unknown of a prepared statement.
func (w *wireConn) unknownPrepared(st *preparedProgram) *compiled.Program {
	cs := &w.compiled
	cs.learnPlain = st.plain
	return w.unknown([]byte(st.key), []byte(st.key[len(cs.prefix)+len(preparedMark):]), nil, true)
}

// prepared is what is known of a prepared statement; nil if it can have no program.
func (cs *compiledConn) prepared(w *wireConn, data *mysql.PrepareData) *preparedProgram {
	if st := cs.stmts[data.StatementID]; st != nil && st.data == data && st.prefixes == cs.prefixes {
		return st
	}
	return w.preparedKey(data.StatementID, data)
}

// preparedKey makes the key of a prepared statement: another one than that of the same text.
func (w *wireConn) preparedKey(id uint32, data *mysql.PrepareData) *preparedProgram {
	cs := &w.compiled
	if p := w.statements[id]; p == nil || p.db != cs.db || p.Options.Mode != cs.session.ReadOptions().Mode|token.Prepared {
		cs.why = compiled.BySettings // the text means something else by now
		return nil
	}
	text := string(compiled.Bare([]byte(data.PrepareStmt), true))
	if text == "" || !compilable(text[0]) {
		cs.why = compiled.ByKind
		return nil
	}
	if !base.IsASCII([]byte(text)) || strings.ContainsAny(text, "@#;\\\"\x00") && !compiled.Plain([]byte(text)) || strings.Contains(text, "/*") || strings.Contains(text, "--") {
		return nil
	}
	if data.ParamsCount > 0 && compiled.Plain([]byte(text)) {
		return nil // a plan has the values of one execution
	}
	st := &preparedProgram{data: data, prefixes: cs.prefixes, key: string(cs.prefix) + preparedMark + text}
	st.plain = compiled.Plain([]byte(text))
	st.program = compiled.Control([]byte(text))
	if cs.stmts == nil {
		cs.stmts = make(map[uint32]*preparedProgram)
	}
	cs.stmts[id] = st
	return st
}
