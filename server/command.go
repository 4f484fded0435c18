package server

import (
	"encoding/binary"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/server/commands"
	"emberdb/server/grants"
	"emberdb/server/wire"
	"emberdb/server/wireparam"
	"emberdb/sqllayer/sqlerr"
)

// take looks at the command whose frame, n bytes of payload, is next. It answers or rewrites
// commands the library does not know and refuses those that would confuse it. taken means the frame
// is consumed; otherwise the library reads it.
func (w *wireConn) take(n int) (taken bool, err error) {
	if counter := commands.ComCounters[w.cmd]; counter != 0 {
		w.tally(counter)
	}
	if n < commands.Shortest[w.cmd] {
		if _, err := w.payload(n); err != nil {
			return true, err
		}
		return true, w.answerError(wireparam.ErrMalformed)
	}
	if w.sandbox && !commands.Sandboxed[w.cmd] {
		if _, err := w.payload(n); err != nil {
			return true, err
		}
		return true, w.answerError(errExpired)
	}
	switch w.cmd {
	case commands.ComQuery:
		return w.tryCompiled(n)
	case commands.ComQuit, commands.ComFieldList, commands.ComPing:
		return false, nil
	case commands.ComInitDB:
		return w.initDB(n)
	case commands.ComSetOption:
		return w.setOption(n)
	case commands.ComStmtFetch:
		return false, w.fetch()
	case commands.ComResetConnection:
		w.forgetPrepared()
		return false, nil
	case commands.ComStmtPrepare, commands.ComStmtExecute, commands.ComStmtLongData, commands.ComStmtClose, commands.ComStmtReset:
		return w.takeStmt(n)
	}
	if w.cmd == commands.ComChangeUser && n > wire.MaxLoginSize {
		return true, w.refuseOversized(0, n)
	}
	p, err := w.payload(n)
	if err != nil {
		return true, err
	}
	if q, ok := commands.AsQuery(w.cmd, p[1:]); ok {
		w.cmd = commands.ComQuery
		w.in = wire.Frame(0, append([]byte{commands.ComQuery}, q...))
		return true, nil
	}
	switch w.cmd {
	case commands.ComStatistics:
		return true, w.answer([]byte(w.srv.statistics()))
	case commands.ComDebug:
		return true, w.debug()
	case commands.ComChangeUser:
		return true, w.changeUser(p[1:])
	case commands.ComRegisterReplica:
		return true, w.registerReplica(p[1:])
	case commands.ComBinlogDump, commands.ComBinlogDumpGTID:
		return true, w.dump(p[1:])
	}
	return true, w.answerError(commands.ErrUnknownCommand)
}

// initDB refuses what is the name of no database; the library takes the empty one for none.
func (w *wireConn) initDB(n int) (taken bool, err error) {
	if n > 1 && n <= 1+commands.MostNameLength {
		return false, nil
	}
	p, err := w.payload(n)
	if err != nil {
		return true, err
	}
	switch name := string(p[1:]); {
	case name == "":
		return true, w.answerError(sqlerr.NewError(1046, "No database selected"))
	case utf8.RuneCountInString(name) > commands.MostNameLength:
		return true, w.answerError(sqlerr.NewError(1059, "Identifier name '%s' is too long", name))
	}
	w.in = wire.Frame(0, p)
	return true, nil
}

// setOption lets the library turn statements of several on and off. It has nothing else to turn, and
// answers twice what it does not know.
func (w *wireConn) setOption(n int) (taken bool, err error) {
	h, err := w.rd.Peek(wire.HeaderSize + commands.Shortest[commands.ComSetOption])
	if err != nil {
		w.lost(err)
		return true, errHungUp
	}
	if binary.LittleEndian.Uint16(h[wire.HeaderSize+1:]) <= 1 {
		return false, nil
	}
	if _, err := w.payload(n); err != nil {
		return true, err
	}
	return true, w.answerError(commands.ErrUnknownCommand)
}

// debug is COM_DEBUG: the state of the server goes to its log.
func (w *wireConn) debug() error {
	if !w.srv.rights(w.bareContext()).Has(sql.PrivilegeType_Super) {
		return w.answerError(sqlerr.NewError(1227, "Access denied; you need (at least one of) the SUPER privilege(s) for this operation"))
	}
	w.srv.log.Info("state requested by COM_DEBUG", "connection", w.id, "status", w.srv.statistics())
	return w.answer(wire.EOFPayload(w.conn.StatusFlags, w.caps&wire.CapDeprecateEOF != 0))
}

// payload reads a command of one frame entirely; from here on it runs.
func (w *wireConn) payload(n int) ([]byte, error) {
	if w.more {
		return nil, w.refuseOversized(0, n)
	}
	_, p, err := wire.ReadFrame(w.rd, n)
	if err != nil {
		w.lost(err)
		return nil, errHungUp
	}
	w.received(wire.HeaderSize + n)
	w.advance(stateReading, stateBusy)
	return p, nil
}

// answer replies to a command the library does not see.
func (w *wireConn) answer(payload []byte) error {
	_, err := w.send(wire.Frame(w.fed, payload))
	return err
}

func (w *wireConn) answerError(e *mysql.SQLError) error { return w.answer(wire.ErrorPayload(e, true)) }

// takeStmt checks commands on prepared statements.
func (w *wireConn) takeStmt(n int) (bool, error) {
	if w.cmd == commands.ComStmtPrepare {
		return w.takePrepare(n)
	}
	h, err := w.rd.Peek(wire.HeaderSize + commands.Shortest[w.cmd])
	if err != nil {
		w.lost(err)
		return true, errHungUp
	}
	id := binary.LittleEndian.Uint32(h[wire.HeaderSize+1:])
	stmt := w.conn.PrepareData[id]
	if stmt != nil {
		switch w.cmd {
		case commands.ComStmtClose:
			w.cursor = nil
			w.closePrepared(id)
		case commands.ComStmtReset:
			w.cursor = nil
		case commands.ComStmtExecute:
			if w.useCursor = h[wire.HeaderSize+5]&1 != 0; w.useCursor {
				w.watchCursor()
			} else if taken, err := w.tryCompiled(n); taken || err != nil {
				return taken, err
			}
			return w.takeExecute(stmt, n)
		case commands.ComStmtLongData:
			return w.checkLongData(stmt, binary.LittleEndian.Uint16(h[wire.HeaderSize+5:]), n)
		}
		return false, nil
	}
	if _, err := w.payload(n); err != nil {
		return true, err
	}
	switch w.cmd {
	case commands.ComStmtExecute:
		return true, w.answerError(commands.UnknownStatement(id, "mysql_stmt_precheck"))
	case commands.ComStmtReset:
		return true, w.answerError(commands.UnknownStatement(id, "mysqld_stmt_reset"))
	}
	return true, nil // COM_STMT_CLOSE and COM_STMT_SEND_LONG_DATA have no answer
}

// checkLongData drops data for a parameter the statement does not have, and bounds what a parameter may collect.
func (w *wireConn) checkLongData(stmt *mysql.PrepareData, param uint16, n int) (bool, error) {
	if param >= stmt.ParamsCount {
		_, err := w.payload(n)
		return true, err
	}
	have := 0
	if v := stmt.BindVars[fmt.Sprintf("v%d", param+1)]; v != nil {
		have = len(v.Value)
	}
	if int64(have+n) > w.vars.maxAllowedPacket.Load() {
		return true, w.refuseOversized(0, n)
	}
	return false, nil
}

// changeUser is COM_CHANGE_USER in progress: the identity the connection takes on when the library resets it.
type changeUser struct {
	account  clientAccount
	user     string
	database string
	charset  byte
}

// changeUser authenticates the new user, then lets the library reset the connection; the handler puts the new identity in place.
func (w *wireConn) changeUser(p []byte) error {
	c := wire.Cursor{Rest: p}
	r := &loginRequest{user: c.CString()}
	r.answer = c.Bytes(int(c.Uint8()))
	r.database = c.CString()
	r.charset = byte(c.Uint16())
	if w.caps&wire.CapPluginAuth == 0 {
		r.plugin = grants.PluginNative
	} // else: always switch plugins, which gives the client a fresh salt
	w.seq = 1
	if c.Rest == nil && r.user == "" {
		return w.refuse(0, sqlerr.NewError(1835, "Malformed communication packet."))
	}
	old := w.user
	w.user = r.user
	w.Conn.SetDeadline(time.Now().Add(time.Duration(w.srv.globals.connectTimeout.Load()) * time.Second))
	acct, err := w.authenticate(r)
	w.Conn.SetDeadline(time.Time{})
	if err == nil {
		err = w.srv.admitAccount(w, acct, false)
	}
	if err != nil {
		w.user = old
		e, ok := err.(*mysql.SQLError)
		if !ok {
			return errHungUp
		}
		w.srv.log.Warn("change of user refused: "+e.Message, "connection", w.id)
		w.sendLast(w.seq, e)
		return errHungUp
	}
	w.forgetPrepared()
	w.change = &changeUser{account: acct, user: r.user, database: r.database, charset: r.charset}
	w.in = wire.Frame(0, []byte{commands.ComResetConnection})
	w.filter = w.finishChange
	return nil
}

// finishChange passes the library's verdict on the reset to the client, with the sequence number of the exchange.
func (w *wireConn) finishChange(p []byte) (bool, error) {
	body := w.assemble(p)
	if body == nil {
		return true, nil
	}
	if w.hangUp.Load() {
		return true, nil
	}
	if body[0] == wire.Err {
		w.hangUp.Store(true)
	} else {
		body = wire.OKPayload(w.conn.StatusFlags)
	}
	return true, w.sendLogin(body)
}

// The Com_* status variables: how often each kind of statement was run.

// tally counts for the server and for the session.
func (w *wireConn) tally(counter int) {
	w.srv.counters.commands[counter].Add(1)
	w.commands[counter].Add(1)
}
