package server

import (
	"context"
	"errors"
	"strings"

	sqle "github.com/dolthub/go-mysql-server"
	gms "github.com/dolthub/go-mysql-server/server"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"
	"github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer"
)

// library is all the protocol library and the replication commands expect of go-mysql-server's handler.
type library interface {
	mysql.Handler
	mysql.ExtendedHandler
	mysql.BinlogReplicaHandler
}

// handler answers the commands the protocol library dispatches. It embeds go-mysql-server's handler for what needs no change.
type handler struct {
	library
	s  *Server
	e  *sqle.Engine
	sm *gms.SessionManager
}

func newHandler(s *Server, e *sqle.Engine, sm *gms.SessionManager, h mysql.Handler) *handler {
	return &handler{library: h.(library), s: s, e: e, sm: sm}
}

// NewConnection implements mysql.Handler.
func (h *handler) NewConnection(c *mysql.Conn) {
	w := wireOf(c)
	w.conn = c
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
		return sqllayer.Translate(err, "")
	}
	w := wireOf(c)
	h.s.processes.identify(w.process, w)
	c.StatusFlags |= mysql.ServerStatusAutocommit
	return h.initConnection(c, w)
}

// initConnection gives a new session the client's character set and runs init_connect.
func (h *handler) initConnection(c *mysql.Conn, w *wireConn) error {
	ctx, err := h.sm.NewContextWithQuery(context.Background(), c, "")
	if err != nil {
		return sqllayer.Translate(err, "")
	}
	setClientCharset(ctx, w.charset)
	if sqllayer.NoBackslashEscapes(ctx.Session) {
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
	h.s.flushLock.leave(w)
	h.s.backups.leave(w)
	if w.session != nil {
		h.library.ConnectionClosed(c)
		return
	}
	h.sm.RemoveConn(c)
}

// ComInitDB implements mysql.Handler.
func (h *handler) ComInitDB(c *mysql.Conn, name string) (err error) {
	defer h.guard(c, "change_db", &err)
	h.s.counters.questions.Add(1)
	wireOf(c).tally(com("change_db"))
	if shown, _, ok := strings.Cut(name, "\x00"); ok { // the name of a schema that no client sees
		return sqllayer.NewError(1049, "Unknown database '%s'", shown)
	}
	if err := h.mayUse(c, name); err != nil {
		return err
	}
	if err := h.sm.SetDB(context.Background(), c, name); err != nil {
		return sqllayer.Translate(err, name)
	}
	if s := wireOf(c).session; s != nil {
		s.GetLastQueryInfo().RowCount.Store(0)
	}
	return nil
}

// mayUse refuses a database that the session does not see.
func (h *handler) mayUse(c *mysql.Conn, name string) error {
	ctx, err := h.sm.NewContextWithQuery(context.Background(), c, "")
	if err != nil {
		return sqllayer.Translate(err, "")
	}
	if sqllayer.SeesDatabase(ctx, name) {
		return nil
	}
	w := wireOf(c)
	return sqllayer.NewError(1044, "Access denied for user '%s'@'%s' to database '%s'", w.account.user, w.account.host, name)
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
	wireOf(c).tally(comExecute)
	_, err := h.run(ctx, c, p.PrepareStmt, p, false, func(r *sqltypes.Result, _ bool) error { return cb(r) })
	if e, ok := err.(*mysql.SQLError); ok {
		if w := wireOf(c); w.useCursor {
			w.cursorErr = e
		}
	}
	return err
}

// ComPrepare implements mysql.Handler.
func (h *handler) ComPrepare(ctx context.Context, c *mysql.Conn, query string, p *mysql.PrepareData) (f []*querypb.Field, err error) {
	defer func() {
		if err != nil {
			delete(c.PrepareData, p.StatementID)
		}
	}()
	defer h.guard(c, "stmt_prepare", &err)
	w := wireOf(c)
	w.prep.seen = true
	if w.prep.original != "" {
		query = w.prep.original
		p.PrepareStmt = query
	}
	h.s.counters.questions.Add(1)
	w.tally(com("stmt_prepare"))
	if err := h.s.mayPrepare(); err != nil {
		return nil, err
	}
	if x := (&execution{query: query}); w.session != nil && x.clearsWarnings() {
		w.session.ClearWarnings()
	}
	f, err = h.prepare(ctx, c, query, p)
	if err != nil {
		if told := (*mysql.SQLError)(nil); errors.As(err, &told) {
			w.remember(told, false)
		}
		return nil, err
	}
	w.prepared(1)
	if s, ok := w.session.(*sqllayer.Session); ok {
		if stmt := s.TakePrepared(); stmt != nil {
			if w.trees == nil {
				w.trees = make(map[uint32]sqlparser.Statement)
			}
			w.trees[p.StatementID] = stmt
		}
	}
	return f, nil
}

func (h *handler) prepare(ctx context.Context, c *mysql.Conn, query string, p *mysql.PrepareData) ([]*querypb.Field, error) {
	sqlCtx, err := h.sm.NewContextWithQuery(ctx, c, query)
	if err != nil {
		return nil, sqllayer.Translate(err, "")
	}
	if err := refuseNUL(sqlCtx, query); err != nil {
		return nil, err
	}
	if a := adminStatement(query); a != nil {
		return nil, nil // its result describes itself at execution
	}
	db := sqlCtx.GetCurrentDatabase()
	if sqlCtx, err = h.s.processes.BeginOperation(sqlCtx); err != nil {
		return nil, sqllayer.Translate(err, db)
	}
	defer h.s.processes.EndOperation(sqlCtx)
	if err := sql.SessionCommandBegin(sqlCtx.Session); err != nil {
		return nil, sqllayer.Translate(err, db)
	}
	defer sql.SessionCommandEnd(sqlCtx.Session)
	defer h.borrowFor(sqlCtx, wireOf(c), query)()
	if s, ok := sqlCtx.Session.(*sqllayer.Session); ok {
		s.BeginPlanning()
		defer s.EndPlanning()
	}
	node, err := h.e.PrepareQuery(sqlCtx, query)
	if lost := lostTransaction(sqlCtx.Session); lost != nil {
		err = lost
	}
	if err != nil && isSyntaxError(err) && sqllayer.ParserError(err) == nil {
		x := &execution{h: h, w: wireOf(c), c: c, query: query}
		if _, bad := parseStatement(x.w, query, false); bad == nil {
			return nil, x.mayUnrun(sqlCtx, query) // it is refused, or run, at execution
		}
	}
	if err != nil {
		return nil, h.translate(sqllayer.Detail(sqlCtx, err), query, db)
	}
	if strings.Contains(query, ":v") {
		h.recount(sqlCtx, query, p)
	}
	wireOf(c).prep.unsigned = h.unsignedOf(sqlCtx, query, int(p.ParamsCount))
	if returnsOK(sqlCtx, node) {
		return nil, nil
	}
	schema := node.Schema(sqlCtx)
	return fieldsOf(sqlCtx, schema, sqllayer.ResultColumns(sqlCtx, node, schema)), nil
}

// recount corrects the number of parameters: the library takes a string literal that starts with ":v" for one.
func (h *handler) recount(ctx *sql.Context, query string, p *mysql.PrepareData) {
	stmt, err := sqlparser.ParseWithOptions(ctx, query, sql.LoadSqlMode(ctx).ParserOptions())
	if err != nil {
		return
	}
	n := uint16(0)
	_ = sqlparser.Walk(func(node sqlparser.SQLNode) (bool, error) {
		if v, ok := node.(*sqlparser.SQLVal); ok && v.Type == sqlparser.ValArg {
			n++
		}
		return true, nil
	}, stmt)
	if n != p.ParamsCount {
		p.ParamsCount, p.ParamsType = n, make([]int32, n)
		p.BindVars = make(map[string]*querypb.BindVariable, n)
	}
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
	w.change, w.locksTables, w.replay, w.texts = nil, false, nil, nil
	h.s.flushLock.leave(w)
	if ch != nil {
		w.user, w.charset = ch.user, ch.charset
		c.User = ch.user
		c.UserData = sql.MysqlConnectionUser{User: ch.account.user, Host: ch.account.host}
		if err := h.sm.SetDB(context.Background(), c, ""); err != nil {
			return sqllayer.Translate(err, "")
		}
	}
	if err := h.library.ComResetConnection(c); err != nil {
		return sqllayer.Translate(err, "")
	}
	c.StatusFlags = mysql.ServerStatusAutocommit
	if ch != nil {
		h.s.processes.identify(w.process, w)
		if ch.database != "" {
			if err := h.mayUse(c, ch.database); err != nil {
				return err
			}
			if err := h.sm.SetDB(context.Background(), c, ch.database); err != nil {
				return sqllayer.Translate(err, ch.database)
			}
		}
	}
	return h.initConnection(c, w)
}

// translate gives the client's view of an error.
func (h *handler) translate(err error, query, db string) *mysql.SQLError {
	switch {
	case isSyntaxError(err):
		if known := sqllayer.ParserError(err); known != nil {
			return known
		}
		return explainSyntax(query, err)
	case strings.HasPrefix(err.Error(), "stat NULL:"): // INTO OUTFILE and LOAD_FILE under the directory "NULL" of secure_file_priv
		return sqllayer.NewError(1290, errReadOnlyServer, "secure-file-priv")
	}
	if strings.HasPrefix(err.Error(), "local_infile needs to be set") {
		return mysql.NewSQLError(3948, "42000", "Loading local data is disabled; this must be enabled on both the client and server sides")
	}
	e := sqllayer.Translate(err, db)
	if w := leadingWords(query, 1); e.Num == erUnknownStatement && len(w) > 0 && (w[0] == "DEALLOCATE" || w[0] == "DROP") {
		e.Message = strings.Replace(e.Message, "given to EXECUTE", "given to DEALLOCATE PREPARE", 1)
	}
	return e
}

const erUnknownStatement = 1243

// setClientCharset does what SET NAMES does, for the collation number of the login.
func setClientCharset(ctx *sql.Context, id byte) {
	coll := sql.CollationID(id)
	cs := coll.CharacterSet()
	if id == 0 || cs.Name() == "" || cs.Encoder() == nil {
		return
	}
	for _, name := range []string{"character_set_client", "character_set_connection", "character_set_results"} {
		_ = ctx.SetSessionVariable(ctx, name, cs.Name())
	}
	_ = ctx.SetSessionVariable(ctx, "collation_connection", coll.Name())
}
