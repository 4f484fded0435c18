package sqllayer

// HANDLER: tables that a session opens by name and reads row by row in the order of an index.
//
// Between two statements a handler holds a place, the key of the row that was read last, and a
// metadata lock that definers wait for. It holds no cursor and no transaction. READ is a SELECT of
// the table whose rows come from the place on. So conditions, LIMIT, read views, row locks and
// rights are those of every SELECT.
//
//	open       the table exists and is no view, its metadata lock is taken
//	read       package server runs the SELECT; the table it resolves is given the handler's cursor
//	yield      a statement of the session finds that somebody waits for the table: place and lock go
//	close      by name; by the session's own DDL on the table; with the session
//
// The place belongs to one version of the definition. A READ that meets another one begins anew.

import (
	"context"
	"io"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/lock"
	"emberdb/engine/row"
	"emberdb/internal/base"
	"emberdb/sql/ast"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
)

// tableHandlers are those of a session.
type tableHandlers struct {
	byName map[string]*tableHandler // by names in lower case
	reads  *tableHandler            // by the READ that runs; nil: none does
}

// tableHandler is one open table.
type tableHandler struct {
	name            string // that it was opened under
	database, table string
	at              tabledef.TableName // in the engine
	temporary       bool

	place   position
	order   string // the index that the place is in; "" is the order of the rows themselves
	id      base.TableID
	version uint64

	read HandlerRead // that runs
}

// HandlerRead says which rows READ returns.
type HandlerRead struct {
	Index  string // "" is the order of the rows themselves
	Action ast.HandlerAction
	Op     ast.BinaryOp
	Key    []tabledef.HandlerValue
}

// position is where a handler stands in the order of an index.
type position struct {
	side side
	key  []byte
}

type side uint8

const (
	unplaced    side = iota // nothing was read: NEXT reads the first row, PREV the last
	onRow                   // on the row with the key
	behindKey               // behind all rows whose keys begin with the key
	beforeFirst             // before the first row
	behindLast              // behind the last row
)

// rest is the range from the place on; ok is false if there is nothing.
func (p position) rest(reverse bool) (k tabledef.KeyRange, ok bool) {
	switch p.side {
	case unplaced:
		return k, true
	case beforeFirst:
		return k, !reverse
	case behindLast:
		return k, reverse
	}
	if reverse {
		return tabledef.KeyRange{Upper: p.key, UpperIncl: p.side == behindKey}, true
	}
	return tabledef.KeyRange{Lower: p.key, LowerExcl: true}, true
}

func errUnknownHandler(name string) error {
	return sqlerr.NewError(1109, "Unknown table '%s' in HANDLER", name)
}

// OpenHandler is HANDLER ... OPEN. The rights are the caller's to check.
func (s *Session) OpenHandler(ctx *sql.Context, db sql.Database, table, name string) error {
	if s.handlers.byName[strings.ToLower(name)] != nil {
		return sqlerr.NewError(1066, "Not unique table/alias: '%s'", name)
	}
	d, ok := OwnDatabase(db)
	if !ok {
		return notHandled(ctx, db, table)
	}
	s.BeginPlanning() // the definition is enough
	defer s.EndPlanning()
	t, ok, err := d.Table(ctx, table)
	if err != nil {
		return err
	}
	if !ok {
		if _, view, err := d.GetViewDefinition(ctx, table); err != nil || view {
			return orElse(err, sqlerr.NewError(1347, "'%s.%s' is not BASE TABLE", d.name, table))
		}
		return notHandled(ctx, db, table)
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	h := &tableHandler{name: name, database: d.name, table: t.Name(), at: tabledef.TableName{Schema: t.Def.Def.Schema, Name: t.Def.Def.Name}, temporary: t.Temporary}
	if err := s.holdHandler(ctx, h); err != nil {
		return s.Note(err)
	}
	if s.handlers.byName == nil {
		s.handlers.byName = make(map[string]*tableHandler)
	}
	s.handlers.byName[strings.ToLower(name)] = h
	return nil
}

// notHandled is the error of a table that has no handlers: its rows are made when they are read, or
// there is none of that name.
func notHandled(ctx *sql.Context, db sql.Database, table string) error {
	t, ok, err := db.GetTableInsensitive(ctx, table)
	switch {
	case err != nil:
		return err
	case !ok:
		return sqlerr.NewError(1146, "Table '%s.%s' doesn't exist", db.Name(), table)
	case strings.EqualFold(db.Name(), "information_schema"):
		return sqlerr.NewError(1347, "'%s.%s' is not BASE TABLE", db.Name(), strings.ToUpper(t.Name()))
	}
	return sqlerr.NewError(1031, "Table storage engine for '%s' doesn't have this option", t.Name())
}

func orElse(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

// holdHandler takes the metadata lock that definers wait for. A transaction that has the table in
// use keeps them out by itself; to wait behind them would be a deadlock.
// REQUIRES: s.mu.
func (s *Session) holdHandler(ctx context.Context, h *tableHandler) error {
	name, locks := lock.MetaName(h.at.Schema, h.at.Name), s.layer.Eng.Locks()
	if h.temporary || s.Trx != nil && locks.HoldsMeta(&s.Trx.Owner, name, lock.MetaDefinition) && locks.MetaWanted(name) {
		return nil
	}
	return locks.LockMeta(ctx, &s.owner, name, lock.MetaDefinition, lock.Explicit, s.metaWait())
}

// ReadHandler prepares HANDLER ... READ. The SELECT of the table that follows reads the rows, until
// the returned function is called.
func (s *Session) ReadHandler(ctx *sql.Context, name string, r HandlerRead) (database, table string, done func(), err error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	h := s.handlers.byName[strings.ToLower(name)]
	if h == nil {
		return "", "", nil, errUnknownHandler(name)
	}
	if err := s.holdHandler(ctx, h); err != nil {
		return "", "", nil, s.Note(err)
	}
	h.read, s.handlers.reads = r, h
	return h.database, h.table, func() { h.read, s.handlers.reads = HandlerRead{}, nil }, nil
}

// handled makes a table that a READ has resolved the handler's. Stored functions of its condition
// read the table as always.
func (t *Table) handled(ctx *sql.Context) error {
	h := t.S.handlers.reads
	if h == nil || t.S.Program != nil || !h.at.Same(tabledef.TableName{Schema: t.Def.Def.Schema, Name: t.Def.Def.Name}) {
		return nil
	}
	if h.id != t.Def.Def.ID || h.version != t.Def.Def.Version {
		h.id, h.version, h.place = t.Def.Def.ID, t.Def.Def.Version, position{}
	}
	c := &handlerCursor{h: h}
	if err := c.begin(ctx, t.Def); err != nil {
		return err
	}
	t.cursor = c
	return nil
}

// handlerCursor is what one READ reads.
type handlerCursor struct {
	h     *tableHandler
	part  *TableScan // nil: no rows
	after position   // where the handler stands when there is no row left
}

// begin works out the range.
func (c *handlerCursor) begin(ctx *sql.Context, d *tabledef.TableDef) error {
	r := &c.h.read
	var x *tabledef.Index
	if r.Index != "" {
		if x = d.FindIndex(r.Index); x == nil {
			return sqlerr.NewError(1176, "Key '%s' doesn't exist in table '%s'", r.Index, c.h.name)
		}
	}
	k, reverse, ok := tabledef.KeyRange{}, r.Action == ast.HandlerPrev || r.Action == ast.HandlerLast, true
	switch r.Action {
	case ast.HandlerNext, ast.HandlerPrev:
		if strings.EqualFold(c.h.order, r.Index) {
			k, ok = c.h.place.rest(reverse)
		}
	case ast.HandlerKey:
		key, err := handlerKey(ctx, x, r.Key)
		if err != nil {
			return err
		}
		k, reverse = keyed(r.Op, key)
	}
	c.after = position{side: behindLast}
	switch {
	case reverse:
		c.after.side = beforeFirst
	case r.Action == ast.HandlerKey && r.Op == ast.Equal:
		c.after = position{side: behindKey, key: k.Upper}
	}
	if ok && (x == nil || x.Special == nil) { // indexes without a tree have no order
		c.part = &TableScan{index: x, Ranges: []tabledef.KeyRange{k}, reverse: reverse}
	}
	return nil
}

// keyed is the range of a comparison with a key, and its direction.
func keyed(op ast.BinaryOp, key []byte) (k tabledef.KeyRange, reverse bool) {
	switch op {
	case ast.Equal:
		return tabledef.KeyRange{Lower: key, Upper: key, UpperIncl: true}, false
	case ast.Greater, ast.GreaterEqual:
		return tabledef.KeyRange{Lower: key, LowerExcl: op == ast.Greater}, false
	}
	return tabledef.KeyRange{Upper: key, UpperIncl: op == ast.LessEqual}, true
}

// handlerKey encodes the values of the first parts of a key. They are stored as without strict
// mode, and their warnings are nobody's.
func handlerKey(ctx *sql.Context, x *tabledef.Index, values []tabledef.HandlerValue) (key []byte, err error) {
	if len(values) > len(x.Columns) {
		return nil, sqlerr.NewError(1070, "Too many key parts specified; max %d parts allowed", len(x.Columns))
	}
	before := ctx.Session.WarningCount()
	defer func() {
		if n := ctx.Session.WarningCount(); n > before {
			SessionOf(ctx).ForgetWarnings(int(n - before))
		}
	}()
	if x.Special != nil {
		return nil, nil
	}
	for i, v := range values {
		stored, err := x.Owner.StoreLoosely(ctx, x.Columns[i], v)
		if err != nil {
			return nil, err
		}
		key = row.AppendKeyPart(key, x.Owner.Cols[x.Columns[i]], x.Key[i], stored)
	}
	return key, nil
}

// handlerRows are the rows of a READ; the handler moves with them.
type handlerRows struct {
	*Rows
	c *handlerCursor
}

// Next implements sql.RowIter.
func (r *handlerRows) Next(ctx *sql.Context) (sql.Row, error) {
	out, err := r.Rows.Next(ctx)
	s, h := r.T.S, r.c.h
	s.Mu.Lock()
	defer s.Mu.Unlock()
	switch {
	case err == nil && r.scan != nil:
		h.order, h.place = h.read.Index, position{side: onRow, key: append(h.place.key[:0:0], r.scan.Key()...)}
	case err == io.EOF:
		h.order, h.place = h.read.Index, r.c.after
	}
	return out, err
}

// CloseHandler is HANDLER ... CLOSE.
func (s *Session) CloseHandler(name string) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	h := s.handlers.byName[strings.ToLower(name)]
	if h == nil {
		return errUnknownHandler(name)
	}
	s.closeHandler(h)
	return nil
}

// closeHandler closes one. REQUIRES: s.mu.
func (s *Session) closeHandler(h *tableHandler) {
	delete(s.handlers.byName, strings.ToLower(h.name))
	s.releaseHandler(h)
}

// releaseHandler gives up the metadata lock, unless another handler or LOCK TABLES needs it.
// REQUIRES: s.mu.
func (s *Session) releaseHandler(h *tableHandler) {
	for _, o := range s.handlers.byName {
		if o != h && o.at.Same(h.at) {
			return
		}
	}
	if !h.temporary && (s.locked == nil || !s.locked.Holds(h.at)) {
		s.layer.Eng.Locks().UnlockMeta(&s.owner, lock.MetaName(h.at.Schema, h.at.Name), lock.Explicit)
	}
}

// HasHandlers reports whether a table is open.
func (s *Session) HasHandlers() bool { return len(s.handlers.byName) > 0 }

// CloseHandlersOf closes the handlers of a table whose definition the session is about to change;
// with an empty name, of all tables of the database.
func (s *Session) CloseHandlersOf(database, table string) {
	s.eachHandler(database, table, s.closeHandler)
}

// RewindHandlers makes the handlers of a table forget where they stand; with an empty name, all of
// them.
func (s *Session) RewindHandlers(database, table string) {
	s.eachHandler(database, table, func(h *tableHandler) { h.place = position{} })
}

func (s *Session) eachHandler(database, table string, do func(*tableHandler)) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	for _, h := range s.handlers.byName {
		if (database == "" || strings.EqualFold(h.database, database)) && (table == "" || strings.EqualFold(h.table, table)) {
			do(h)
		}
	}
}

// yieldHandlers gives up the tables that somebody else waits for. REQUIRES: s.mu.
func (s *Session) yieldHandlers() {
	locks := s.layer.Eng.Locks()
	for _, h := range s.handlers.byName {
		if !h.temporary && locks.MetaWanted(lock.MetaName(h.at.Schema, h.at.Name)) {
			h.place = position{}
			locks.UnlockMeta(&s.owner, lock.MetaName(h.at.Schema, h.at.Name), lock.Explicit)
		}
	}
}
