package server

// Session tracking: the OK packet that ends a statement tells clients that ask for it
// (CLIENT_SESSION_TRACK) what the statement has changed in their session. Drivers and proxies
// follow a session by it, and find the place of a change in the binary log.
//
//	OK      0 or 0xfe, counts, status with 0x4000, warnings   info   length   entries
//	entry   kind   length   what changed
//	            0  a variable's name and value, each behind its length
//	            1  the default database, behind its length
//	            2  '1': something of the session that a new one would not have
//	            3  0, then the GTIDs behind their length
//	            5  the transaction's state, eight letters, behind their length
//	            4  the statements that begin such a transaction, behind their length
//
// session_track_* say which kinds a client is told of. What a packet did not tell, as of a statement
// that failed, the next one does.

import (
	"maps"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/binlog"
	"emberdb/internal/base"
	"emberdb/server/wire"
	"emberdb/sql/ast"
	"emberdb/sql/effect"
	"emberdb/sqllayer"
)

// Kinds of entries.
const (
	trackVariable        = 0
	trackSchema          = 1
	trackState           = 2
	trackGTIDs           = 3
	trackCharacteristics = 4
	trackTransaction     = 5
)

// statusStateChanged is SERVER_SESSION_STATE_CHANGED.
const statusStateChanged = 0x4000

// Places in the letters of a transaction's state. Those of tables without transactions, and of
// functions that give another result each time, are never set.
const (
	trxBegun   = 0 // T: by a statement, I: by a change or query without autocommit
	trxRead    = 2
	trxWritten = 4
	trxRows    = 6 // the client was sent rows
	trxLocks   = 7 // LOCK TABLES
)

const noTransaction = "________"

// tracker is what a client is told of its session.
type tracker struct {
	sqllayer.Tracked
	set      trackSettings
	used     bool          // USE, or its command
	schema   string        // as told
	before   trackSettings // of the time before the command
	named    int64         // of the names of transactions, how many were told
	did      [8]byte
	told     string // the transaction's state, as told
	next     nextTransaction
	toldNext string
}

// trackSettings are session_track_*.
type trackSettings struct {
	version       uint64 // of the session's variables, and one
	schema, state bool
	gtids, info   string
}

// settings are those of the present.
func (t *tracker) settings(s *sqllayer.Session) *trackSettings {
	if v := s.VariablesVersion() + 1; t.set.version != v {
		t.set = trackSettings{version: v, schema: s.Flag("session_track_schema"), state: s.Flag("session_track_state_change"),
			gtids: s.Text("session_track_gtids"), info: s.Text("session_track_transaction_info")}
	}
	return &t.set
}

// nextTransaction are the characteristics of the transaction that is open, or comes next.
type nextTransaction struct {
	isolation, access string // SET TRANSACTION
	begin             string
}

// track begins to gather what the client is told; w.tracker is nil where it does not ask for it.
func (w *wireConn) track() {
	s, ok := w.session.(*sqllayer.Session)
	if w.caps&wire.CapSessionTrack == 0 || !ok {
		return
	}
	w.tracker = &tracker{schema: s.GetCurrentDatabase(), told: noTransaction}
	w.tracker.clear()
	w.tracker.nextCommand(s)
	s.Track(&w.tracker.Tracked)
}

func (t *tracker) clear() { copy(t.did[:], noTransaction) }

// needsTree tells whether the client wants to know what only a statement's tree tells.
func (t *tracker) needsTree(s *sqllayer.Session) bool {
	if t == nil {
		return false
	}
	set := t.settings(s)
	return set.state || set.info != "OFF" || set.gtids == "ALL_GTIDS"
}

// nextCommand forgets the names of transactions: a client is told those of a command.
func (t *tracker) nextCommand(s sql.Session) {
	if own, ok := s.(*sqllayer.Session); ok {
		t.before = *t.settings(own)
	}
	t.Committed, t.named = binlog.Set{}, 0
}

// changed are the entries for what the statement that ends has changed. tree is nil for a program,
// which neither sets a variable nor changes the database; rows: the client was sent some.
func (w *wireConn) changed(tree ast.Statement, rows bool) []byte {
	t, s := w.tracker, w.session.(*sqllayer.Session)
	set, b := t.settings(s), t.variables(nil, s)
	if _, ok := tree.(*ast.Use); ok {
		t.used = true
	}
	_, dropped := tree.(*ast.DropDatabase)
	if db := s.GetCurrentDatabase(); t.used || dropped && db == "" && t.schema != "" {
		if t.schema = db; set.schema {
			b = appendEntry(b, trackSchema, lengthened(nil, db))
		}
	}
	if t.before.state && (t.used || changesState(tree)) {
		b = appendEntry(b, trackState, []byte{'1'})
	}
	t.used = false
	b = t.names(b, w, s, tree)
	return t.transaction(b, s, tree, rows)
}

// variables adds those that SET has given a value.
func (t *tracker) variables(b []byte, s *sqllayer.Session) []byte {
	if len(t.Variables) == 0 {
		return b
	}
	var list []string
	for name := range strings.SplitSeq(s.Text("session_track_system_variables"), ",") {
		list = append(list, strings.ToLower(strings.TrimSpace(name)))
	}
	for _, name := range slices.Sorted(maps.Keys(t.Variables)) {
		if !slices.Contains(list, name) && !slices.Contains(list, "*") {
			continue
		}
		if v, err := s.GetSessionVariable(nil, name); err == nil {
			b = appendEntry(b, trackVariable, lengthened(lengthened(nil, name), base.Shown(v)))
		}
	}
	clear(t.Variables)
	return b
}

// changesState tells statements that leave something in the session.
func changesState(tree ast.Statement) bool {
	switch n := tree.(type) {
	case *ast.Set:
		return slices.ContainsFunc(n.Items, func(i ast.SetItem) bool {
			v, ok := i.(*ast.SetVariable)
			return !ok || v.Scope == ast.NoScope || v.Scope == ast.SessionScope || v.Scope == ast.LocalScope
		})
	case *ast.SetTransaction:
		return n.Scope == ast.SessionScope || n.Scope == ast.LocalScope
	case *ast.Prepare, *ast.Deallocate:
		return true
	}
	return tree != nil && effect.Of(tree).Has(effect.Temporary)
}

// names adds the names of transactions.
func (t *tracker) names(b []byte, w *wireConn, s *sqllayer.Session, tree ast.Statement) []byte {
	var set string
	end, isEnd := tree.(*ast.EndTransaction)
	switch {
	case t.before.gtids == "OWN_GTID" && t.Committed.Count() != t.named:
		t.named = t.Committed.Count()
		set = t.Committed.Shown()
	case t.before.gtids == "ALL_GTIDS" && !t.open(s) && !(isEnd && end.Rollback):
		if l := w.srv.binlog(); l != nil {
			set = l.Executed().Shown()
		}
	}
	if set == "" {
		return b
	}
	return appendEntry(b, trackGTIDs, lengthened([]byte{0}, set))
}

// transaction adds state and characteristics of the session's transaction.
func (t *tracker) transaction(b []byte, s *sqllayer.Session, tree ast.Statement, rows bool) []byte {
	info := t.settings(s).info
	var e effect.Effect
	if tree != nil {
		e = effect.Of(tree)
	}
	if e.Any(effect.Commits | effect.Ends) {
		t.clear()
		if _, begins := tree.(*ast.Begin); !begins && e.Has(effect.Commits) {
			t.next = nextTransaction{}
		}
	}
	open := t.open(s)
	switch {
	case open && s.Explicit():
		t.did[trxBegun] = 'T'
	case !open:
		t.clear()
	}
	if info != "OFF" {
		t.note(s, tree, e, open, rows)
	}
	if now := string(t.did[:]); now != t.told {
		t.told = now
		b = appendEntry(b, trackTransaction, lengthened(nil, now))
	}
	if info != "CHARACTERISTICS" {
		t.toldNext = "?" // what holds is told as soon as the client wants to know
		return b
	}
	t.next.follow(tree, open)
	if now := t.next.text(); now != t.toldNext {
		t.toldNext = now
		b = appendEntry(b, trackCharacteristics, lengthened(nil, now))
	}
	return b
}

// open tells whether the session is in a transaction.
func (t *tracker) open(s *sqllayer.Session) bool {
	return transactionFlags(s, s.Flag(sql.AutoCommitSessionVar)) != 0
}

// note notes what the statement did in its transaction.
func (t *tracker) note(s *sqllayer.Session, tree ast.Statement, e effect.Effect, open, rows bool) {
	t.did[trxLocks] = '_'
	if s.UnderLocks() {
		t.did[trxLocks] = 'L'
	}
	if !open {
		return
	}
	mark := func(at int, letter byte, yes bool) {
		if !yes {
			return
		}
		if t.did[at] = letter; t.did[trxBegun] == '_' {
			t.did[trxBegun] = 'I'
		}
	}
	begin, _ := tree.(*ast.Begin)
	writes := e.Any(effect.Changes|effect.Locks|effect.Calls) && !e.Any(effect.Explains|effect.Commits)
	mark(trxRead, 'R', begin != nil && begin.Snapshot || e.Has(effect.Calls) || !e.Has(effect.Locks) && reads(tree))
	mark(trxWritten, 'W', writes)
	mark(trxRows, 'S', rows && t.did[trxBegun] != '_')
}

// reads tells whether a query of the statement has a table.
func reads(tree ast.Statement) (yes bool) {
	if _, ok := tree.(*ast.Show); ok {
		return true
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		q, ok := n.(*ast.Query)
		if !ok {
			return !yes
		}
		ast.Inspect(q, func(n ast.Node) bool {
			_, table := n.(*ast.TableSource)
			yes = yes || table
			return !yes
		})
		return false
	})
	return yes
}

var isolationWords = [...]string{ast.ReadUncommitted: "READ UNCOMMITTED", ast.ReadCommitted: "READ COMMITTED",
	ast.RepeatableRead: "REPEATABLE READ", ast.Serializable: "SERIALIZABLE"}

var accessWords = [...]string{ast.ReadWrite: "READ WRITE", ast.ReadOnly: "READ ONLY"}

// follow makes it what holds behind the statement.
func (n *nextTransaction) follow(tree ast.Statement, open bool) {
	switch tree := tree.(type) {
	case *ast.SetTransaction:
		if tree.Scope == ast.NoScope {
			if tree.Isolation != ast.NoIsolation {
				n.isolation = isolationWords[tree.Isolation]
			}
			if tree.Access != ast.NoAccessMode {
				n.access = accessWords[tree.Access]
			}
		}
	case *ast.Begin:
		if tree.Access != ast.NoAccessMode {
			n.access = accessWords[tree.Access]
		}
		if n.begin = "START TRANSACTION"; tree.Snapshot {
			n.begin += " WITH CONSISTENT SNAPSHOT"
			if n.access != "" {
				n.begin += ","
			}
		}
	case *ast.EndTransaction:
		if open { // AND CHAIN
			n.isolation, n.begin = "", "START TRANSACTION"
		} else {
			*n = nextTransaction{}
		}
	case *ast.XA:
		if tree.Verb == ast.XAStart {
			n.begin, n.access = ast.Print(tree, ast.Options{}), ""
		}
	}
	if !open && (n.begin != "" || reads(tree)) {
		*n = nextTransaction{}
	}
}

// text is the statements that begin a transaction like it.
func (n *nextTransaction) text() string {
	var b strings.Builder
	if n.isolation != "" {
		b.WriteString("SET TRANSACTION ISOLATION LEVEL " + n.isolation + ";")
	}
	switch {
	case n.begin != "":
		b.WriteString(" " + n.begin)
		if n.access != "" {
			b.WriteString(" " + n.access)
		}
		b.WriteByte(';')
	case n.access != "":
		b.WriteString(" SET TRANSACTION " + n.access + ";")
	}
	return strings.TrimPrefix(b.String(), " ")
}

func lengthened(b []byte, s string) []byte { return append(wire.AppendLenEnc(b, uint64(len(s))), s...) }

func appendEntry(b []byte, kind byte, data []byte) []byte {
	return append(wire.AppendLenEnc(append(b, kind), uint64(len(data))), data...)
}

// withChanges adds entries to the body of an OK packet.
func withChanges(body, entries []byte) []byte {
	c := wire.Cursor{Rest: body[1:]}
	c.LenEnc()
	c.LenEnc()
	at := len(body) - len(c.Rest)
	c.Bytes(4)
	if c.Bad {
		return body // of no client of ours: it asks for another protocol
	}
	body = slices.Clone(body)
	body[at+1] |= statusStateChanged >> 8
	if len(c.Rest) == 0 {
		body = append(body, 0) // no info
	}
	return append(wire.AppendLenEnc(body, uint64(len(entries))), entries...)
}

// tellNext has the next packet that the library writes tell the entries. REQUIRES: the library's
// buffer is empty, and the packet is an OK.
func (w *wireConn) tellNext(entries []byte) {
	w.editNext(func(body []byte) []byte { return withChanges(body, entries) })
}

// editNext has the next packet that the library writes changed on its way.
func (w *wireConn) editNext(edit func(body []byte) []byte) {
	w.filter = func(p []byte) (bool, error) {
		if w.nheld < wire.HeaderSize {
			n := copy(w.held[w.nheld:], p)
			w.nheld += n
			p = p[n:]
		}
		n := wire.FrameLen(w.held[:])
		if w.nheld < wire.HeaderSize || len(p) < n {
			return true, nil // the body comes by itself, and whole
		}
		w.nheld, w.filter = 0, nil
		_, err := w.send(append(wire.Frame(w.held[3], edit(p[:n:n])), p[n:]...))
		return true, err
	}
}

// tellRows has the packet that ends the rows of a statement tell what it has changed.
func (x *execution) tellRows() error {
	w := x.w
	if w.tracker == nil || x.told || !x.sent || x.cursor || w.filter != nil || w.conn.Capabilities&wire.CapDeprecateEOF == 0 {
		return nil
	}
	if entries := w.changed(x.stmt.Tree, true); entries != nil {
		if err := x.c.FlushBuffer(); err != nil {
			return err
		}
		w.tellNext(entries)
	}
	return nil
}
