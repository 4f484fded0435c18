package table

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"emberdb/engine/btree"
	"emberdb/engine/buffer"
	"emberdb/engine/catalog"
	"emberdb/engine/lock"
	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// Services is what a table needs of the engine. All tables of an engine have the same ones, made by
// NewServices.
type Services struct {
	Pool  *buffer.Pool
	Txns  *txn.System
	Locks *lock.Manager
	// LockWaitTimeout is innodb_lock_wait_timeout as the session of tx has it.
	LockWaitTimeout func(tx *txn.Trx) time.Duration
	// OnDamage is told of pages and rows that a consistent read in key order has passed over,
	// because they are damaged; nil: damage is an error.
	OnDamage func(def *catalog.Table, err error)

	*shared
}

// NewServices makes the services of an engine's tables.
func NewServices(pool *buffer.Pool, txns *txn.System, locks *lock.Manager, lockWait func(tx *txn.Trx) time.Duration) Services {
	return Services{Pool: pool, Txns: txns, Locks: locks, LockWaitTimeout: lockWait, shared: newShared()}
}

// Tree is a tree whose table need not exist any more.
func (s *Services) Tree(space base.SpaceID, root base.PageNo, id base.IndexID) *btree.Tree {
	var shapes *btree.Shapes
	if s.shared != nil { // a Decoder has none
		shapes = &s.shapes
	}
	return btree.Open(s.Pool, shapes, space, root, id)
}

// journal is what logs tx's changes of t; nil: they are not logged.
func (t *Table) journal(tx *txn.Trx) *txn.Journal {
	if j := tx.Journal; j != nil && j.Wants(t.told) {
		return j
	}
	return nil
}

// Table is one version of a table's definition bound to its trees. Any number of Tables may stand
// for the same trees; they share Counters.
type Table struct {
	def     *catalog.Table
	svc     Services
	cols    []row.Column
	layout  *row.Layout
	indexes []*index   // indexes[0] is the clustered one
	rowID   bool       // the clustered key is a hidden row id
	uniques bool       // there are unique keys beside the clustered one
	all     []int      // every column
	use     *useCounts // of no index

	told  *catalog.Table // what errors and the binary log name: def, or of a part that of its table
	whole *Table         // of a part: its table, nil where the part was found by its id
	parts []*Table       // see parts.go; nil for a table with rows of its own

	placing struct {
		once   sync.Once
		placer Placer
		err    error
	}

	*Counters
}

// index is one tree of the table.
type index struct {
	def    *catalog.Index
	tree   *btree.Tree
	parts  []row.KeyPart
	unique bool
	list   int // the column whose elements have an entry each; -1: a row has one
	pos    int // in Table.indexes
	// doubtful are keys of a unique index that is being built; nil for others.
	doubtful *doubtful
	// visited are entries that others have looked at while the index is built; nil for others.
	visited *visited
	// covers tells for each column of the table whether its value can be read off a key of this
	// index.
	covers []bool
	use    *useCounts
}

// New binds a definition. It reads nothing. c are the counters of another Table of the same
// storage, nil if nobody has one.
func New(def *catalog.Table, svc Services, c *Counters) *Table {
	if c == nil {
		c = new(Counters)
	}
	t := &Table{def: def, svc: svc, cols: Columns(def), told: def, Counters: c}
	t.layout = row.NewLayoutMissing(t.cols, missing(def))
	for i, d := range def.Indexes {
		ix := &index{def: d, parts: d.Parts, unique: d.Unique, list: listed(t.cols, d.Parts), pos: i}
		ix.tree = svc.Tree(def.Space, d.Root, d.ID)
		if d.Building {
			ix.visited = new(visited)
		}
		if d.Unique && d.Building {
			ix.doubtful = new(doubtful)
		}
		t.indexes = append(t.indexes, ix)
		t.uniques = t.uniques || i > 0 && d.Unique
	}
	svc.bindUses(t)
	t.rowID = len(def.Indexes[0].Parts) == 0
	for i := range t.cols {
		t.all = append(t.all, i)
	}
	for _, ix := range t.indexes {
		ix.covers = make([]bool, len(t.cols))
		for _, parts := range [][]row.KeyPart{ix.parts, t.indexes[0].parts} {
			for _, p := range parts {
				if row.Decodable(t.cols[p.Column], p) {
					ix.covers[p.Column] = true
				}
			}
		}
	}
	return t
}

// missing are the values of columns that rows may be too old to have; nil: NULL throughout.
func missing(def *catalog.Table) (vals []row.Value) {
	for i := range def.Columns {
		if v := def.Columns[i].Missing; v != nil {
			if vals == nil {
				vals = make([]row.Value, len(def.Columns))
			}
			vals[i] = *v
		}
	}
	return vals
}

// Columns returns what package row needs of the columns of def.
func Columns(def *catalog.Table) []row.Column {
	cols := make([]row.Column, len(def.Columns))
	for i := range def.Columns {
		cols[i] = def.Columns[i].Column
	}
	return cols
}

// Def is the definition the table was bound to.
func (t *Table) Def() *catalog.Table { return t.def }

// clustered is the index that holds the rows.
func (t *Table) clustered() *index { return t.indexes[0] }

// indexOf finds the index of a definition, which may come from another version of the table.
func (t *Table) indexOf(def *catalog.Index) (*index, error) {
	if def == nil {
		return t.clustered(), nil
	}
	for _, ix := range t.indexes {
		if ix.def == def || ix.def.ID == def.ID {
			return ix, nil
		}
	}
	return nil, fmt.Errorf("index %s of table %s: %w", def.Name, t.told.Name, base.ErrTableGone)
}

// width is the number of values in the rows this table hands out: a hidden row id stands behind the
// last column.
func (t *Table) width() int {
	if t.rowID {
		return len(t.cols) + 1
	}
	return len(t.cols)
}

// gaps tells whether tx locks gaps.
func gaps(tx *txn.Trx) bool { return tx.Isolation() >= txn.RepeatableRead }

// lockTable takes a table intention lock.
func (t *Table) lockTable(ctx context.Context, tx *txn.Trx, mode lock.Mode) error {
	if w := t.svc.Locks.LockTable(&tx.Owner, t.def.ID, mode); w != nil {
		return t.wait(ctx, tx, w)
	}
	return nil
}

// LockTable locks the whole table: S or X for LOCK TABLES and DDL that copies.
func (t *Table) LockTable(ctx context.Context, tx *txn.Trx, exclusive bool) error {
	for _, p := range t.parts {
		if err := p.LockTable(ctx, tx, exclusive); err != nil {
			return err
		}
	}
	if exclusive {
		return t.lockTable(ctx, tx, lock.X)
	}
	return t.lockTable(ctx, tx, lock.S)
}

// wait waits for a lock. REQUIRES: no latch held.
func (t *Table) wait(ctx context.Context, tx *txn.Trx, w *lock.Wait) error {
	return w.Wait(ctx, t.svc.LockWaitTimeout(tx))
}

// DuplicateError tells that a row would have the same unique key as another one. The other row is
// locked.
type DuplicateError struct {
	Table *catalog.Table
	Index *catalog.Index
	Row   []row.Value // the existing row, as scans return it
}

func (e *DuplicateError) Error() string {
	return fmt.Sprintf("duplicate entry for key '%s.%s'", e.Table.Name, e.Index.Name)
}

// FullError tells which table there was no room for.
type FullError struct {
	Table *catalog.Table
	Err   error
}

func (e *FullError) Error() string { return fmt.Sprintf("table '%s' is full: %v", e.Table.Name, e.Err) }

// Full makes a full disk that an operation on the table has met its FullError.
func Full(def *catalog.Table, err error) error {
	if errors.Is(err, base.ErrDiskFull) {
		return &FullError{Table: def, Err: err}
	}
	return err
}

// Unwrap gives the cause.
func (e *FullError) Unwrap() error { return e.Err }

// ChangedError tells that a transaction with CheckReads has come to lock a row that was changed
// after its view was made. The caller rolls it back.
type ChangedError struct{ Table *catalog.Table }

func (e *ChangedError) Error() string {
	return fmt.Sprintf("Record has changed since last read in table '%s'", e.Table.Name)
}

// checkRead is a *ChangedError if tx must not lock a row of that last writer.
// REQUIRES: tx has the row's lock, or nobody else can have it.
func (t *Table) checkRead(tx *txn.Trx, writer base.TrxID) error {
	if tx.Outdated(writer) {
		return &ChangedError{Table: t.told}
	}
	return nil
}

// work is the memory of one row operation.
type work struct {
	key      []byte // clustered key
	record   []byte // new clustered value
	old      []byte // copy of the current clustered value
	entry    []byte // secondary keys
	entryOld []byte
	equal    []byte // an entry with the same unique key

	equalMarked bool   // it is delete-marked
	body        []byte // undo
	keys        []byte // old keys for the undo body
	found       []byte
	vals        []row.Value // of the old row
	newVals     []row.Value
	over        []row.OverflowRef
	chains      []row.OverflowRef
	rec         txn.UndoRecord
	walk        walk
	run         rowRun
	place       btree.Run
	entries     entryRun
}

var works = sync.Pool{New: func() any { return new(work) }}

const workKeep = 256 << 10 // larger buffers are not kept

func getWork() *work { return works.Get().(*work) }

func (w *work) put() {
	if cap(w.record)+cap(w.old)+cap(w.body) > workKeep {
		return
	}
	if cap(w.entries.keys) > workKeep {
		w.entries = entryRun{}
	}
	clear(w.vals[:cap(w.vals)])
	clear(w.newVals[:cap(w.newVals)])
	works.Put(w)
}
