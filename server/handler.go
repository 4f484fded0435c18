package server

import (
	"context"
	"strings"
	"unicode/utf8"

	sqle "github.com/dolthub/go-mysql-server"
	gms "github.com/dolthub/go-mysql-server/server"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"

	"emberdb/server/commands"
	"emberdb/server/logs"
	"emberdb/server/wire"
	"emberdb/sql/ast"
	"emberdb/sql/statement"
	"emberdb/sql/token"
	"emberdb/sqllayer"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/trees"
)

// protocolLibrary is all the protocol library and the replication commands expect of go-mysql-server's
// handler.
type protocolLibrary interface {
	mysql.Handler
	mysql.ExtendedHandler
	mysql.BinlogReplicaHandler
}

// handler answers the commands the protocol library dispatches. It embeds go-mysql-server's handler
// for what needs no change.
type handler struct {
	protocolLibrary
	s  *Server
	e  *sqle.Engine
	sm *gms.SessionManager
}

func newHandler(s *Server, e *sqle.Engine, sm *gms.SessionManager, h mysql.Handler) *handler {
	return &handler{protocolLibrary: h.(protocolLibrary), s: s, e: e, sm: sm}
}

// NewConnection implements mysql.Handler.
func (h *handler) NewConnection(c *mysql.Conn) {
	w := wireOf(c)
	w.conn = c
	if c.ConnectionID = w.id; w.arrived == nil { // the library's numbers begin anew in each process
		c.ConnectionID = h.s.lastID.Add(1)
	}
	h.s.mu.Lock()
	h.s.mu.byID[c.ConnectionID] = w
	h.s.mu.Unlock()
	h.sm.AddConn(c)
	w.process = h.s.processes.get(c.ConnectionID)
}

// ConnectionAborted implements mysql.Handler. login() has counted and logged what there is to tell.
func (h *handler) ConnectionAborted(*mysql.Conn, string) error { return nil }

// ConnectionAuthenticated implements mysql.Handler: the session is created.
func (h *handler) ConnectionAuthenticated(c *mysql.Conn) (err error) {
	defer h.guard(c, "login", &err)
	if err := h.sm.ConnReady(context.Background(), c); err != nil {
		return sqlerr.Translate(err, "")
	}
	w := wireOf(c)
	h.s.processes.identify(w.process, w)
	w.introduce()
	c.StatusFlags |= mysql.ServerStatusAutocommit
	return h.initConnection(c, w)
}

// initConnection gives a new session the client's character set and runs init_connect.
func (h *handler) initConnection(c *mysql.Conn, w *wireConn) error {
	w.tracker = nil
	if w.arrived != nil {
		err := h.restore(c, w)
		w.track()
		return err
	}
	defer w.track() // what the login sets is no change
	ctx, err := h.sm.NewContextWithQuery(context.Background(), c, "")
	if err != nil {
		return sqlerr.Translate(err, "")
	}
	setClientCharset(ctx, w.charset)
	if trees.NoBackslashEscapes(ctx.Session) {
		c.StatusFlags |= statusNoBackslash
	}
	if w.event != nil {
		return nil
	}
	init := h.s.globals.initConnect.Load()
	if init == nil || *init == "" || h.s.accounts.isAdmin(w.account) {
		return nil
	}
	for rest := *init; strings.TrimSpace(rest) != ""; {
		rest, err = h.run(context.Background(), c, rest, nil, true, func(*sqltypes.Result, bool) error { return nil })
		if err != nil {
			h.s.log.Warn("init_connect failed", "connection", w.id, "error", err)
			return err
		}
	}
	return nil
}

// ConnectionClosed implements mysql.Handler.
func (h *handler) ConnectionClosed(c *mysql.Conn) {
	w := wireOf(c)
	defer h.s.release(w)
	defer func() {
		if p := recover(); p != nil {
			_ = h.s.panicked(w, "end of the connection", p)
		}
	}()
	w.closed.Store(true)
	h.s.logs.command(w, "Quit", "")
	h.s.flushLock.leave(w)
	h.s.instance.leave(w)
	h.s.backups.leave(w)
	if w.session != nil {
		h.protocolLibrary.ConnectionClosed(c)
		return
	}
	h.sm.RemoveConn(c)
}

// ComInitDB implements mysql.Handler.
func (h *handler) ComInitDB(c *mysql.Conn, name string) (err error) {
	defer h.guard(c, "change_db", &err)
	h.s.counters.questions.Add(1)
	wireOf(c).tally(commands.Com("change_db"))
	h.s.logs.command(wireOf(c), "Init DB", logs.OneLine(name))
	if shown, _, ok := strings.Cut(name, "\x00"); ok { // the name of a schema that no client sees
		return sqlerr.NewError(1049, "Unknown database '%s'", shown)
	}
	if err := h.mayUse(c, name); err != nil {
		return err
	}
	if err := h.sm.SetDB(context.Background(), c, name); err != nil {
		return sqlerr.Translate(err, name)
	}
	w := wireOf(c)
	if w.session != nil {
		w.session.GetLastQueryInfo().RowCount.Store(0)
	}
	if w.tracker != nil && w.phase == phaseServing {
		if entries := w.changed(&ast.Use{}, false); entries != nil {
			w.tellNext(entries)
		}
	}
	return nil
}

// mayUse refuses a database that the session does not see, and what cannot be a name.
func (h *handler) mayUse(c *mysql.Conn, name string) error {
	if utf8.RuneCountInString(name) > commands.MostNameLength {
		return sqlerr.NewError(1059, "Identifier name '%s' is too long", name)
	}
	ctx, err := h.sm.NewContextWithQuery(context.Background(), c, "")
	if err != nil {
		return sqlerr.Translate(err, "")
	}
	if sqllayer.SeesDatabase(ctx, name) {
		return nil
	}
	w := wireOf(c)
	return sqlerr.NewError(1044, "Access denied for user '%s'@'%s' to database '%s'", w.account.user, w.account.host, name)
}

// ComQuery implements mysql.Handler.
func (h *handler) ComQuery(ctx context.Context, c *mysql.Conn, query string, cb mysql.ResultSpoolFn) error {
	_, err := h.run(ctx, c, query, nil, false, cb)
	return err
}

// ComMultiQuery implements mysql.Handler.
func (h *handler) ComMultiQuery(ctx context.Context, c *mysql.Conn, query string, cb mysql.ResultSpoolFn) (string, error) {
	return h.run(ctx, c, query, nil, true, cb)
}

// ComStmtExecute implements mysql.Handler.
func (h *handler) ComStmtExecute(ctx context.Context, c *mysql.Conn, p *mysql.PrepareData, cb func(*sqltypes.Result) error) error {
	w := wireOf(c)
	w.tally(comExecute)
	withCursor := w.useCursor
	if withCursor {
		cb = w.openCursor(p.StatementID, cb)
	}
	_, err := h.run(ctx, c, p.PrepareStmt, p, false, func(r *sqltypes.Result, _ bool) error { return cb(r) })
	if e, ok := err.(*mysql.SQLError); ok && withCursor {
		w.cursorErr = e
	}
	return err
}

// returnsOK tells statements answered with an OK packet from those with a result set.
func returnsOK(ctx *sql.Context, node sql.Node) bool {
	switch n := node.(type) {
	case *plan.InsertInto:
		return n.Returning == nil
	case *plan.Update, *plan.UpdateJoin, *plan.DeleteFrom:
		return true
	}
	return types.IsOkResultSchema(node.Schema(ctx))
}

// ComResetConnection implements mysql.Handler; COM_CHANGE_USER passes through here too.
func (h *handler) ComResetConnection(c *mysql.Conn) (err error) {
	defer h.guard(c, "reset_connection", &err)
	w := wireOf(c)
	ch := w.change
	w.change, w.locksTables, w.replay = nil, false, nil
	h.s.flushLock.leave(w)
	h.s.instance.leave(w)
	if ch != nil {
		w.user, w.charset = ch.user, ch.charset
		c.User = ch.user
		c.UserData = sql.MysqlConnectionUser{User: ch.account.user, Host: ch.account.host}
		if err := h.sm.SetDB(context.Background(), c, ""); err != nil {
			return sqlerr.Translate(err, "")
		}
	}
	if err := h.protocolLibrary.ComResetConnection(c); err != nil {
		return sqlerr.Translate(err, "")
	}
	c.StatusFlags = mysql.ServerStatusAutocommit
	if ch != nil {
		h.s.processes.identify(w.process, w)
		w.introduce()
		if ch.database != "" {
			if err := h.mayUse(c, ch.database); err != nil {
				return err
			}
			if err := h.sm.SetDB(context.Background(), c, ch.database); err != nil {
				return sqlerr.Translate(err, ch.database)
			}
		}
	}
	if err := h.initConnection(c, w); err != nil {
		return err
	}
	if ch == nil { // the library's OK has no flags
		w.editNext(func([]byte) []byte { return wire.OKPayload(c.StatusFlags) })
	}
	return nil
}

// translate gives the client's view of an error.
func (h *handler) translate(err error, st *statement.Statement, db string) *mysql.SQLError {
	switch {
	case isSyntaxError(err): // of a statement that our parser takes
		if known := sqlerr.ParserError(err); known != nil {
			return known
		}
		return beyond(st)
	case strings.HasPrefix(err.Error(), "stat NULL:"): // INTO OUTFILE and LOAD_FILE under the directory "NULL" of secure_file_priv
		return sqlerr.NewError(1290, errReadOnlyServer, "secure-file-priv")
	}
	return sqlerr.Translate(err, db)
}

// isSyntaxError tells whether go-mysql-server could not parse the statement.
func isSyntaxError(err error) bool {
	return sql.ErrSyntaxError.Is(err) || strings.HasPrefix(err.Error(), "syntax error")
}

// beyond is the error of a statement that only go-mysql-server's grammar refuses; nil: one that has
// no text.
func beyond(st *statement.Statement) *mysql.SQLError {
	if st == nil {
		st = &statement.Statement{}
	}
	if refused := windowError(st.Tree); refused != nil {
		return refused
	}
	return sqlerr.NewError(1235, "This version of Ember doesn't yet support '%s'", st.Words(3))
}

// setClientCharset does what SET NAMES does, for the collation number of the login.
func setClientCharset(ctx *sql.Context, id byte) {
	coll := sql.CollationID(id)
	cs := coll.CharacterSet()
	if token.FindCharset(cs.Name()) == nil {
		return
	}
	for _, name := range []string{"character_set_client", "character_set_connection", "character_set_results"} {
		_ = ctx.SetSessionVariable(ctx, name, cs.Name())
	}
	_ = ctx.SetSessionVariable(ctx, "collation_connection", coll.Name())
}
