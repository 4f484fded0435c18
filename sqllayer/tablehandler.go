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
	at              tableName // in the engine
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
	Key    []HandlerValue
}

// HandlerValue is the value of a part of the key.
type HandlerValue struct {
	Default bool
	Value   any
	Type    sql.Type
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
func (p position) rest(reverse bool) (k keyRange, ok bool) {
	switch p.side {
	case unplaced:
		return k, true
	case beforeFirst:
		return k, !reverse
	case behindLast:
		return k, reverse
	}
	if reverse {
		return keyRange{upper: p.key, upperIncl: p.side == behindKey}, true
	}
	return keyRange{lower: p.key, lowerExcl: true}, true
}

func errUnknownHandler(name string) error {
	return NewError(1109, "Unknown table '%s' in HANDLER", name)
}

// OpenHandler is HANDLER ... OPEN. The rights are the caller's to check.
func (s *Session) OpenHandler(ctx *sql.Context, db sql.Database, table, name string) error {
	if s.handlers.byName[strings.ToLower(name)] != nil {
		return NewError(1066, "Not unique table/alias: '%s'", name)
	}
	d, ok := ownDatabase(db)
	if !ok {
		return notHandled(ctx, db, table)
	}
	t, ok, err := d.table(ctx, table)
	if err != nil {
		return err
	}
	if !ok {
		if _, view, err := d.GetViewDefinition(ctx, table); err != nil || view {
			return orElse(err, NewError(1347, "'%s.%s' is not BASE TABLE", d.name, table))
		}
		return notHandled(ctx, db, table)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	h := &tableHandler{name: name, database: d.name, table: t.Name(), at: tableName{t.def.def.Schema, t.def.def.Name}, temporary: t.temporary}
	if err := s.holdHandler(ctx, h); err != nil {
		return s.note(err)
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
		return NewError(1146, "Table '%s.%s' doesn't exist", db.Name(), table)
	case strings.EqualFold(db.Name(), "information_schema"):
		return NewError(1347, "'%s.%s' is not BASE TABLE", db.Name(), strings.ToUpper(t.Name()))
	}
	return NewError(1031, "Table storage engine for '%s' doesn't have this option", t.Name())
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
	name, locks := lock.MetaName(h.at.schema, h.at.name), s.layer.eng.Locks()
	if h.temporary || s.trx != nil && locks.HoldsMeta(&s.trx.Owner, name, lock.MetaShared) && locks.MetaWanted(name) {
		return nil
	}
	return locks.LockMeta(ctx, &s.owner, name, lock.MetaShared, lock.Explicit, s.metaWait())
}

// ReadHandler prepares HANDLER ... READ. The SELECT of the table that follows reads the rows, until
// the returned function is called.
func (s *Session) ReadHandler(ctx *sql.Context, name string, r HandlerRead) (database, table string, done func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.handlers.byName[strings.ToLower(name)]
	if h == nil {
		return "", "", nil, errUnknownHandler(name)
	}
	if err := s.holdHandler(ctx, h); err != nil {
		return "", "", nil, s.note(err)
	}
	h.read, s.handlers.reads = r, h
	return h.database, h.table, func() { h.read, s.handlers.reads = HandlerRead{}, nil }, nil
}

// handled makes a table that a READ has resolved the handler's. Stored functions of its condition
// read the table as always.
func (t *Table) handled(ctx *sql.Context) error {
	h := t.s.handlers.reads
	if h == nil || t.s.program != nil || !h.at.same(tableName{t.def.def.Schema, t.def.def.Name}) {
		return nil
	}
	if h.id != t.def.def.ID || h.version != t.def.def.Version {
		h.id, h.version, h.place = t.def.def.ID, t.def.def.Version, position{}
	}
	c := &handlerCursor{h: h}
	if err := c.begin(ctx, t.def); err != nil {
		return err
	}
	t.cursor = c
	return nil
}

// handlerCursor is what one READ reads.
type handlerCursor struct {
	h     *tableHandler
	part  *tableScan // nil: no rows
	after position   // where the handler stands when there is no row left
}

// begin works out the range.
func (c *handlerCursor) begin(ctx *sql.Context, d *tableDef) error {
	r := &c.h.read
	var x *Index
	if r.Index != "" {
		if x = d.findIndex(r.Index); x == nil {
			return NewError(1176, "Key '%s' doesn't exist in table '%s'", r.Index, c.h.name)
		}
	}
	k, reverse, ok := keyRange{}, r.Action == ast.HandlerPrev || r.Action == ast.HandlerLast, true
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
		c.after = position{side: behindKey, key: k.upper}
	}
	if ok && (x == nil || x.special == nil) { // indexes without a tree have no order
		c.part = &tableScan{index: x, ranges: []keyRange{k}, reverse: reverse}
	}
	return nil
}

// keyed is the range of a comparison with a key, and its direction.
func keyed(op ast.BinaryOp, key []byte) (k keyRange, reverse bool) {
	switch op {
	case ast.Equal:
		return keyRange{lower: key, upper: key, upperIncl: true}, false
	case ast.Greater, ast.GreaterEqual:
		return keyRange{lower: key, lowerExcl: op == ast.Greater}, false
	}
	return keyRange{upper: key, upperIncl: op == ast.LessEqual}, true
}

// handlerKey encodes the values of the first parts of a key. They are stored as without strict
// mode, and their warnings are nobody's.
func handlerKey(ctx *sql.Context, x *Index, values []HandlerValue) (key []byte, err error) {
	if len(values) > len(x.columns) {
		return nil, NewError(1070, "Too many key parts specified; max %d parts allowed", len(x.columns))
	}
	before := ctx.Session.WarningCount()
	defer func() {
		if n := ctx.Session.WarningCount(); n > before {
			sessionOf(ctx).forgetWarnings(int(n - before))
		}
	}()
	if x.special != nil {
		return nil, nil
	}
	for i, v := range values {
		stored, err := x.table.storeLoosely(ctx, x.columns[i], v)
		if err != nil {
			return nil, err
		}
		key = row.AppendKeyPart(key, x.table.cols[x.columns[i]], x.key[i], stored)
	}
	return key, nil
}

// storeLoosely makes a value what a column stores.
func (d *tableDef) storeLoosely(ctx *sql.Context, column int, v HandlerValue) (out row.Value, err error) {
	c, st := &d.columns[column], newStorer(ctx, true)
	value := v.Value
	switch {
	case !v.Default:
		value, err = st.given(ctx, c, v.Type, value)
	case c.Default == nil:
		return row.NullValue, nil
	default:
		value, err = c.Default.Eval(ctx, nil)
	}
	if err != nil {
		return out, err
	}
	return d.codecs[column].encode(ctx, value)
}

// handlerRows are the rows of a READ; the handler moves with them.
type handlerRows struct {
	*rows
	c *handlerCursor
}

// Next implements sql.RowIter.
func (r *handlerRows) Next(ctx *sql.Context) (sql.Row, error) {
	out, err := r.rows.Next(ctx)
	s, h := r.t.s, r.c.h
	s.mu.Lock()
	defer s.mu.Unlock()
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
	s.mu.Lock()
	defer s.mu.Unlock()
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
		if o != h && o.at.same(h.at) {
			return
		}
	}
	if !h.temporary && (s.locked == nil || !s.locked.holds(h.at)) {
		s.layer.eng.Locks().UnlockMeta(&s.owner, lock.MetaName(h.at.schema, h.at.name), lock.Explicit)
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
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range s.handlers.byName {
		if (database == "" || strings.EqualFold(h.database, database)) && (table == "" || strings.EqualFold(h.table, table)) {
			do(h)
		}
	}
}

// yieldHandlers gives up the tables that somebody else waits for. REQUIRES: s.mu.
func (s *Session) yieldHandlers() {
	locks := s.layer.eng.Locks()
	for _, h := range s.handlers.byName {
		if !h.temporary && locks.MetaWanted(lock.MetaName(h.at.schema, h.at.name)) {
			h.place = position{}
			locks.UnlockMeta(&s.owner, lock.MetaName(h.at.schema, h.at.name), lock.Explicit)
		}
	}
}
