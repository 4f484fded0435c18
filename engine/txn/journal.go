package txn

// A session's part of the binary log. It follows the session's transaction (Trx.Journal), gathers
// its events, and commits them with it, see commit.go. It knows no SQL: texts and settings come
// from above.
//
//	Attach(t) ... rows ... Query(ddl) ... -> Commit, Rollback or Prepare, which detach it
//
// Events of a transaction: BEGIN, then table maps and rows of each statement, then Xid. Of a
// definition change: the statement alone. Of one that also fills its table: BEGIN, the statement,
// the rows, Xid.
//
// What gathers the events is taken from a pool for the transaction. It is returned as soon as the
// log has the events, before the commit waits for its sync: of hundreds of sessions only a few are
// in between, and what they use is in the processor's caches.

import (
	"emberdb/binlog"
	"emberdb/engine/buffer"
	"emberdb/engine/catalog"
	"emberdb/engine/redo"
	"emberdb/engine/row"
	"emberdb/internal/base"
)

// StatementInfo is what the log says of a statement.
type StatementInfo struct {
	Head      binlog.Head
	Session   *binlog.Query // its session, without SQL; not changed: a session that says something else has another one
	Flags     uint32        // Session.Flags2, at hand
	Image     binlog.Image
	RowsQuery string // its text, if that is to be logged with its rows
	// Text, if not nil, gives the statement's text if that is logged in the place of its rows, the first
	// of which is of def; else nothing.
	Text     func(def *catalog.Table) string
	Micros   uint32 // the part of its time below a second
	Before   string // a statement to be logged ahead of the rows, in their transaction
	Compress int    // at which level of zstd the transaction is compressed; 0: not at all
	Parts    bool   // updates tell what changes in JSON documents
	Cascades bool   // it may change rows of children as foreign keys ask
}

// Journaled is what a journal asks its session.
type Journaled interface {
	// Statement describes the statement that runs. It is asked once a statement, if it changes
	// rows.
	Statement(i *StatementInfo)
	// Unlogged tells tables whose changes are nobody's business. All sessions say the same.
	Unlogged(def *catalog.Table) bool
	// Named tells the name of a transaction that is being committed.
	Named(g binlog.GTID)
}

// Journal is a session's part of the binary log.
type Journal struct {
	// What every transaction touches, in two lines of the processor's caches.
	all       *Journals
	who       Journaled
	*gatherer // nil: nothing was logged
	tx        *Trx
	// Next, if not nil, names the next transaction: gtid_next, if that is not AUTOMATIC.
	Next *NextGTID
	// Branch, if not nil, says that the transaction is a branch of a distributed one.
	Branch *XID
	// OnePhase says of a Branch that it ends without having been prepared.
	OnePhase bool
	rows     bool // BEGIN stands at the head of the events
	open     bool // stmt has begun
	asked    bool // info is that of the present statement
	did      bool // the last commit was logged

	start   binlog.Start
	last    binlog.GTID
	numbers uint64 // of the newest bound ever
}

// gatherer is what gathers the events of a transaction.
type gatherer struct {
	cache   *binlog.Cache
	stmt    binlog.Statement
	info    StatementInfo
	bounds  []bound
	logged  Mark            // the transaction's point behind the last change that was logged
	broken  error           // why the events are not those of the transaction
	first   Mark            // up to here, points that bounds does not know were announced before anything was logged
	pending *binlog.Pending // the events, ready to be ordered
	text    string          // of the statement, logged in the place of its rows; once it is known whether it is
	told    int64           // where the events of the text end; 0: they are not there
	known   bool
}

// NextGTID is gtid_next.
type NextGTID struct {
	binlog.Decision
	Empty   bool  // the name is used up even if nothing is logged
	Refused error // nothing may be logged now, and this is why
}

// decision is what it says of a transaction that is logged.
func (n *NextGTID) decision() *binlog.Decision {
	if n == nil {
		return nil
	}
	return &n.Decision
}

// gather takes what gathers events.
func (j *Journal) gather() {
	if j.gatherer != nil {
		return
	}
	var ok bool
	if j.gatherer, ok = j.all.gatherers.Get().(*gatherer); !ok {
		j.gatherer = &gatherer{cache: j.all.log.NewCache()}
	}
	j.first = j.tx.Savepoint()
}

// letGo gives it back, empty. One that has a file stays with its session, which may need it again.
func (j *Journal) letGo() {
	g := j.gatherer
	if g == nil {
		return
	}
	g.info, g.bounds, g.logged, g.broken, g.first, g.pending = StatementInfo{}, g.bounds[:0], 0, nil, 0, nil
	j.asked = false
	g.cache.Reset()
	if !g.cache.HasFile() {
		j.gatherer = nil
		j.all.gatherers.Put(g)
	}
}

func (j *Journal) isEmpty() bool { return j.gatherer == nil || j.cache.IsEmpty() }

// Close gives back what the session's journal holds.
func (j *Journal) Close() error {
	if j.gatherer == nil {
		return nil
	}
	return j.cache.Close()
}

// Attach makes the journal follow a transaction, which has changed nothing yet.
func (j *Journal) Attach(tx *Trx) {
	j.tx = tx
	tx.Journal = j
}

// Attached tells whether the journal follows a transaction.
func (j *Journal) Attached() bool { return j.tx != nil }

// ask makes info that of the present statement.
func (j *Journal) ask() {
	j.gather()
	if !j.asked {
		j.asked = true
		j.text, j.told, j.known = "", 0, false
		j.who.Statement(&j.info)
	}
}

// Cascades tells that the present statement, of which the journal may know already, may change rows
// as foreign keys ask.
func (j *Journal) Cascades() {
	if j.gatherer != nil {
		j.info.Cascades = true
	}
}

// Logged tells whether the last commit was logged.
func (j *Journal) Logged() bool { return j.did }

// LastGTID is the name of the last transaction that was committed; zero if it had none.
func (j *Journal) LastGTID() binlog.GTID { return j.last }

func (j *Journal) fail(err error) {
	if j.broken == nil {
		j.broken = err
	}
}

// Wants tells whether changes of the table are logged.
func (j *Journal) Wants(def *catalog.Table) bool { return j.all.table(def, j.who).wanted }

// Inserted logs a new row. Inserted, Updated and Deleted are called when the change is made and
// before any other transaction can change the row. An error takes the change back. There may be a
// row id behind the last column of values.
func (j *Journal) Inserted(def *catalog.Table, after []row.Value) error {
	t, err := j.row(def)
	if t != nil {
		err = j.stmt.Insert(t, after)
	}
	return err
}

// Updated logs a changed row.
func (j *Journal) Updated(def *catalog.Table, before, after []row.Value) error {
	t, err := j.row(def)
	if t != nil {
		err = j.stmt.Update(t, before, after)
	}
	return err
}

// Deleted logs a deleted row.
func (j *Journal) Deleted(def *catalog.Table, before []row.Value) error {
	t, err := j.row(def)
	if t != nil {
		err = j.stmt.Delete(t, before)
	}
	return err
}

// row prepares for a row of a table.
func (j *Journal) row(def *catalog.Table) (*binlog.Table, error) {
	if j.ask(); j.broken != nil {
		return nil, j.broken
	}
	if j.info.Text != nil {
		if told, err := j.tell(def); told || err != nil {
			return nil, err
		}
	}
	var err error
	switch {
	case j.rows:
	case j.info.Before != "":
		err = j.Query(j.info.Before, true, nil)
	default:
		err = j.begin()
	}
	if err != nil {
		return nil, err
	}
	if !j.open {
		j.stmt.Relaxed = j.info.Flags&binlog.Flag2RelaxedUnique != 0
		j.stmt.Parts = j.info.Parts
		j.stmt.Begin(j.cache, j.info.Head, j.info.Image, 0, j.info.RowsQuery)
		j.open = true
	}
	j.stmt.NoKeys = j.info.Cascades || j.info.Flags&binlog.Flag2NoForeignKeyCheck != 0
	j.logged = j.tx.Savepoint()
	t := j.all.table(def, j.who)
	return t.table, t.err
}

// tell logs the text of the statement at its first row, if its rows are not to be logged.
func (j *Journal) tell(def *catalog.Table) (bool, error) {
	if !j.known {
		j.known, j.text = true, j.info.Text(def)
	}
	if j.text == "" {
		return false, nil
	}
	if j.told > 0 && j.cache.Len() >= j.told { // else its first rows were taken back
		j.logged = j.tx.Savepoint()
		return true, nil
	}
	err := j.Query(j.text, true, func(q *binlog.Query) { q.Microseconds = j.info.Micros })
	j.told, j.logged = j.cache.Len(), j.tx.Savepoint()
	return true, err
}

// begin logs BEGIN.
func (j *Journal) begin() error {
	j.rows = true
	if j.Branch != nil {
		return j.bracket("XA START " + j.Branch.String())
	}
	return j.cache.Begin(j.info.Head, j.info.Session, &j.start)
}

// bracket logs what stands around rows.
func (j *Journal) bracket(sql string) error {
	q := *j.info.Session
	q.SQL, q.SuppressUse = sql, true
	return j.cache.Query(j.info.Head, &q)
}

// finish logs what ends a transaction of rows.
func (j *Journal) finish() error {
	if j.Branch == nil {
		return j.cache.Xid(j.info.Head, uint64(j.tx.ID()))
	}
	if err := j.bracket("XA END " + j.Branch.String()); err != nil {
		return err
	}
	return j.cache.XAPrepare(j.info.Head, j.OnePhase, j.Branch.Format, j.Branch.Gtrid, j.Branch.Bqual)
}

// Query logs a statement; edit, if not nil, adds to what the session says of it. A statement that
// rows follow is part of a transaction, any other is one.
func (j *Journal) Query(sql string, withRows bool, edit func(*binlog.Query)) error {
	j.endStatement()
	j.ask()
	if withRows && !j.rows {
		if err := j.begin(); err != nil {
			return err
		}
	}
	q := *j.info.Session
	q.SQL = sql
	if edit != nil {
		edit(&q)
	}
	return j.cache.Query(j.info.Head, &q)
}

// Statement logs a statement as a part of its transaction: it has made the first of its changes,
// and no event of a row tells them.
func (j *Journal) Statement(sql string) error {
	err := j.Query(sql, true, nil)
	j.logged = j.tx.Savepoint()
	return err
}

// StatementAhead is Statement for a transaction that has no events yet; others have begun with it.
func (j *Journal) StatementAhead(sql string) error {
	if j.rows {
		return nil
	}
	return j.Statement(sql)
}

// endStatement closes the events of the statement.
func (j *Journal) endStatement() {
	if j.open {
		j.fail(j.stmt.End())
		j.open = false
	}
}

// ready gets the events of the transaction ready to be ordered; false: there is nothing to log. j
// may be nil.
func (j *Journal) ready() (logs bool, err error) {
	if j == nil {
		return false, nil
	}
	j.last, j.did = binlog.GTID{}, false
	if logs, err = j.complete(); err != nil || !logs {
		return false, err
	}
	j.pending, err = j.all.log.Prepare(j.cache, j.Next.decision())
	j.did = err == nil
	return j.did, err
}

// complete appends the events that end the transaction; false: there are none.
func (j *Journal) complete() (bool, error) {
	j.endStatement()
	switch {
	case j.gatherer != nil && j.broken != nil:
		return false, j.broken
	case j.isEmpty() && (j.Next == nil || !j.Next.Empty):
		return false, nil
	case j.isEmpty(): // the GTID is used up even so
		j.ask()
		if err := j.begin(); err != nil {
			return false, err
		}
		return true, j.Query("COMMIT", true, nil)
	case j.Next != nil && j.Next.Refused != nil:
		return false, j.Next.Refused
	case j.rows:
		j.cache.Compress(j.info.Compress)
		return true, j.finish()
	}
	return true, nil
}

// endBranch gets the end of a prepared transaction ready, which is a statement.
func (j *Journal) endBranch(x XID, commit bool) error {
	verb := "XA ROLLBACK "
	if commit {
		verb = "XA COMMIT "
	}
	// Whoever ends a branch may be in any database, which a replica need not have.
	err := j.Query(verb+x.String(), false, func(q *binlog.Query) { q.Database = "" })
	if err == nil {
		_, err = j.ready()
	}
	return err
}

// order takes the log's order for what is ready.
func (j *Journal) order() (*binlog.Order, error) {
	o, err := j.pending.Order()
	j.pending = nil
	if err == nil {
		if j.last = o.GTID(); j.last != (binlog.GTID{}) {
			j.who.Named(j.last)
		}
	}
	return o, err
}

// maxBinlogRecord is the longest record of events. A group holds several, and the commit.
const maxBinlogRecord = 1 << 20

func init() {
	redo.RegisterOp(redo.OpBinlog, "binlog", nil, binlog.DescribeRecord)
}

// logEvents adds the records of the events to the group of m. All but the last may be in groups of
// their own: without the last one, none counts.
func logEvents(m *buffer.Mtr, o *binlog.Order) {
	for r := o.Records(maxBinlogRecord); r.More(); {
		head, data := r.Next()
		if !r.More() {
			m.Log(redo.OpBinlog, head, data)
			return
		}
		own := m.Pool().BeginNested()
		own.Log(redo.OpBinlog, head, data)
		own.Commit()
	}
}

// placed gives the order back: redo has the events, in a group that ends at lsn. It may wait for
// others to share the sync with.
func (j *Journal) placed(o *binlog.Order, lsn base.LSN) {
	o.Placed(lsn)
	if j.logged = 0; !j.cache.HasFile() { // else it is emptied when nobody waits for that any more
		j.letGo()
	}
	j.all.log.Gather()
}

// Leave forgets the transaction, if the journal follows one. j may be nil.
func (j *Journal) Leave() {
	if j == nil || j.tx == nil {
		return
	}
	j.endStatement()
	j.tx.Journal, j.tx = nil, nil
	if j.gatherer != nil && j.pending != nil { // the order was never asked for
		j.pending.Drop()
	}
	j.rows, j.asked = false, false
	j.Branch, j.OnePhase = nil, false
	j.letGo()
}
