package engine

// A session's part of the binary log. It follows the session's transaction (txn.Observer, table.RowLog), gathers its events, and is the txn.Journal of its
// commit. It knows no SQL: texts and settings come from above.
//
//	Attach(tx) ... rows ... Query(ddl) ... -> Engine.Commit or Rollback, which detach it
//
// Events of a transaction: BEGIN, then per statement table maps and rows, then Xid. Of a definition change: the statement alone. Of one that
// fills its table as well: BEGIN, the statement, the rows, Xid.
//
// What gathers the events is taken from a pool for the transaction and given back as soon as the log has them, before the commit waits for its sync: of
// hundreds of sessions a few are between the two, and what they use is in the processor's caches. What stays with the session is not, so it is little.

import (
	"context"
	"errors"

	"emberdb/binlog"
	"emberdb/engine/buffer"
	"emberdb/engine/catalog"
	"emberdb/engine/redo"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// StatementInfo is what the log says of a statement.
type StatementInfo struct {
	Head      binlog.Head
	Session   *binlog.Query // its session, without SQL; not changed: a session that says something else has another one
	Flags     uint32        // Session.Flags2, at hand
	Image     binlog.Image
	RowsQuery string // its text, if that is to be logged with its rows
	Before    string // a statement to be logged ahead of the rows, in their transaction
	Cascades  bool   // it may change rows of children as foreign keys ask
}

// Journaled is what a journal asks its session.
type Journaled interface {
	// Statement describes the statement that runs. It is asked once a statement, if it changes rows.
	Statement(i *StatementInfo)
	// Unlogged tells tables whose changes are nobody's business. All sessions say the same.
	Unlogged(def *catalog.Table) bool
}

// Journal is a session's part of the binary log.
type Journal struct {
	// What every transaction touches, in two lines of the processor's caches.
	e         *Engine
	who       Journaled
	*gatherer // nil: nothing was logged
	tx        *txn.Trx
	// Next, if not nil, names the next transaction: gtid_next, if that is not AUTOMATIC.
	Next *NextGTID
	// Branch, if not nil, says that the transaction is a branch of a distributed one.
	Branch *txn.XID
	// OnePhase says of a Branch that it ends without having been prepared.
	OnePhase bool
	rows     bool // BEGIN stands at the head of the events
	open     bool // stmt has begun
	asked    bool // info is that of the present statement
	did      bool // the last commit was logged
	waits    bool // for acks

	start binlog.Start
	last  binlog.GTID

	acks    *Acks // of the commit
	end     binlog.Position
	numbers uint64 // of the newest bound ever
}

// gatherer is what gathers the events of a transaction.
type gatherer struct {
	cache   *binlog.Cache
	stmt    binlog.Statement
	info    StatementInfo
	bounds  []bound
	logged  txn.Mark // the transaction's point behind the last change that was logged
	broken  error    // why the events are not those of the transaction
	first   txn.Mark // up to here, points that bounds does not know were announced before anything was logged
	pending *binlog.Pending
	order   *binlog.Order
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

// NewJournal makes the journal of a session; nil if there is no log.
func (e *Engine) NewJournal(who Journaled) *Journal {
	if e.binlog.log == nil {
		return nil
	}
	return &Journal{e: e, who: who}
}

// gather takes what gathers events.
func (j *Journal) gather() {
	if j.gatherer != nil {
		return
	}
	var ok bool
	if j.gatherer, ok = j.e.binlog.gatherers.Get().(*gatherer); !ok {
		j.gatherer = &gatherer{cache: j.e.binlog.log.NewCache()}
	}
	j.first = j.tx.Savepoint()
}

// letGo gives it back, empty. One that has a file stays with its session, which may need it again.
func (j *Journal) letGo() {
	g := j.gatherer
	if g == nil {
		return
	}
	g.info, g.bounds, g.logged, g.broken, g.first, g.pending, g.order = StatementInfo{}, g.bounds[:0], 0, nil, 0, nil, nil
	j.asked = false
	g.cache.Reset()
	if !g.cache.HasFile() {
		j.gatherer = nil
		j.e.binlog.gatherers.Put(g)
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
func (j *Journal) Attach(tx *txn.Trx) {
	j.tx = tx
	tx.Observer = j
}

// Attached tells whether the journal follows a transaction.
func (j *Journal) Attached() bool { return j.tx != nil }

// ask makes info that of the present statement.
func (j *Journal) ask() {
	j.gather()
	if !j.asked {
		j.asked = true
		j.who.Statement(&j.info)
	}
}

// Cascades tells that the present statement, of which the journal may know already, may change rows as foreign keys ask.
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

// Wants implements table.RowLog.
func (j *Journal) Wants(def *catalog.Table) bool { return j.e.binlog.table(def, j.who).wanted }

// Inserted implements table.RowLog.
func (j *Journal) Inserted(def *catalog.Table, after []row.Value) error {
	t, err := j.row(def)
	if err == nil {
		err = j.stmt.Insert(t, after)
	}
	return err
}

// Updated implements table.RowLog.
func (j *Journal) Updated(def *catalog.Table, before, after []row.Value) error {
	t, err := j.row(def)
	if err == nil {
		err = j.stmt.Update(t, before, after)
	}
	return err
}

// Deleted implements table.RowLog.
func (j *Journal) Deleted(def *catalog.Table, before []row.Value) error {
	t, err := j.row(def)
	if err == nil {
		err = j.stmt.Delete(t, before)
	}
	return err
}

// row prepares for a row of a table.
func (j *Journal) row(def *catalog.Table) (*binlog.Table, error) {
	if j.ask(); j.broken != nil {
		return nil, j.broken
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
		j.stmt.Begin(j.cache, j.info.Head, j.info.Image, int(j.e.binlog.syncs.rowEvent.Load()), j.info.RowsQuery)
		j.open = true
	}
	j.stmt.NoKeys = j.info.Cascades || j.info.Flags&binlog.Flag2NoForeignKeyCheck != 0
	j.logged = j.tx.Savepoint()
	t := j.e.binlog.table(def, j.who)
	return t.table, t.err
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

// Query logs a statement; edit, if not nil, adds to what the session says of it. A statement that rows follow is part of a transaction, any other is one.
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

// endStatement closes the events of the statement.
func (j *Journal) endStatement() {
	if j.open {
		j.fail(j.stmt.End())
		j.open = false
	}
}

// prepare gets the events of the transaction ready; false: there is nothing to log.
func (j *Journal) prepare() (bool, error) {
	j.endStatement()
	if j.gatherer != nil && j.broken != nil {
		return false, j.broken
	}
	if j.isEmpty() {
		if j.Next == nil || !j.Next.Empty {
			return false, nil
		}
		j.ask()
		if err := j.begin(); err != nil { // the GTID is used up even so
			return false, err
		}
		if err := j.Query("COMMIT", true, nil); err != nil {
			return false, err
		}
	} else if j.Next != nil && j.Next.Refused != nil {
		return false, j.Next.Refused
	} else if j.rows {
		if err := j.finish(); err != nil {
			return false, err
		}
	}
	var err error
	j.pending, err = j.e.binlog.log.Prepare(j.cache, j.Next.decision())
	return err == nil, err
}

// Order implements txn.Journal.
func (j *Journal) Order() (err error) {
	j.order, err = j.pending.Order()
	j.pending = nil
	if err == nil {
		j.last = j.order.GTID()
	}
	return err
}

// maxBinlogRecord is the longest record of events. A group holds several, and the commit.
const maxBinlogRecord = 1 << 20

// Log implements txn.Journal. All but the last record may stand in groups of their own: without the last one, none counts.
func (j *Journal) Log(m *buffer.Mtr) {
	for r := j.order.Records(maxBinlogRecord); r.More(); {
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

// Waits implements txn.Journal.
func (j *Journal) Waits() bool {
	acks := j.e.binlog.syncs.acks.Load()
	if j.waits = acks != nil; j.waits {
		j.acks, j.end = acks, j.order.End()
	}
	return j.waits
}

// Placed implements txn.Journal.
func (j *Journal) Placed(lsn base.LSN) {
	j.order.Placed(lsn)
	if j.logged = 0; !j.cache.HasFile() { // else it is emptied when nobody waits for that any more
		j.letGo()
	}
	j.e.binlog.log.Gather()
}

// Abandon implements txn.Journal.
func (j *Journal) Abandon() { j.order.Abandon() }

// Durable implements txn.Journal.
func (j *Journal) Durable(lsn base.LSN) {
	j.e.binlog.log.Durable(lsn)
	if j.waits {
		(*j.acks)(j.end)
	}
}

// leave forgets the transaction.
func (j *Journal) leave() {
	j.endStatement()
	j.tx.Observer, j.tx = nil, nil
	if j.gatherer != nil && j.pending != nil { // the order was never asked for
		j.pending.Drop()
	}
	j.rows, j.asked = false, false
	j.Branch, j.OnePhase = nil, false
	j.letGo()
}

// commitMode is how durable a commit must be: as the redo log's setting says, or the binary log's, whichever asks for more.
func (b *binlogSettings) commitMode(mode txn.SyncMode) txn.SyncMode {
	n := b.syncEvery.Load()
	if n == 1 || n > 1 && b.commits.Add(1)%n == 0 {
		return txn.SyncFlush
	}
	return mode
}

// journalOf is the journal that follows tx, nil if none does.
func journalOf(tx *txn.Trx) *Journal {
	j, _ := tx.Observer.(*Journal)
	return j
}

var (
	_ txn.Journal  = (*Journal)(nil)
	_ txn.Observer = (*Journal)(nil)
	_ table.RowLog = (*Journal)(nil)
)

// PutKVLogged is PutKV as a transaction of its own that j logs as a statement.
func (e *Engine) PutKVLogged(ctx context.Context, j *Journal, namespace, k string, v []byte, sql string) error {
	tx := e.BeginDDL()
	j.Attach(tx)
	err := e.dict.PutKV(ctx, tx, namespace, k, v)
	if err == nil {
		err = j.Query(sql, false, nil)
	}
	if err != nil {
		return errors.Join(err, e.Rollback(tx))
	}
	return e.Commit(ctx, tx)
}

// commitJournaled is Commit of a transaction that a journal follows.
func (e *Engine) commitJournaled(tx *txn.Trx, j *Journal, mode txn.SyncMode) error {
	j.last = binlog.GTID{}
	logs, err := j.prepare()
	j.did = logs
	switch {
	case err != nil:
		if undone := e.txns.Rollback(tx); undone != nil {
			err = undone
		}
	case logs:
		err = e.txns.Commit(tx, e.binlog.syncs.commitMode(mode), j)
	default:
		err = e.txns.Commit(tx, mode, nil)
	}
	j.leave()
	return err
}
