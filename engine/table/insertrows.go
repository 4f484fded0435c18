package table

import (
	"bytes"
	"context"
	"errors"
	"time"

	"emberdb/engine/btree"
	"emberdb/engine/buffer"
	"emberdb/engine/lock"
	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// Rows of one statement whose clustered keys ascend go in leaf by leaf: one descent, one look at
// the gap's locks, one undo record per undo page and one change of the leaf for as many of them as
// the leaf takes.

// rowRun are rows encoded ahead.
type rowRun struct {
	recs []byte // records in the leaf's form, their versions still to be filled in
	rows []runRow
	keys [][]byte // of the rows that go in together
	ptrs []base.RollPtr
}

type runRow struct {
	start, end int // in recs
	keyLen     int
	auto       uint64 // what the AUTO_INCREMENT counter is raised to, 0 if not at all
}

// runBytes is about how much is encoded ahead: a leaf takes no more.
const runBytes = base.PageSize

func (r *rowRun) key(i int) []byte {
	at := r.rows[i].start + btree.RecordHeader
	return r.recs[at : at+r.rows[i].keyLen]
}

func (r *rowRun) value(i int) []byte {
	return r.recs[r.rows[i].start+btree.RecordHeader+r.rows[i].keyLen : r.rows[i].end]
}

// InsertRows adds rows, the values of one behind those of the other, and returns how many came in.
// The one behind them is the one a *DuplicateError is about. Those that came in are taken back with
// the statement.
//
// The secondary entries of all rows go in behind the rows, in the order of their keys. So a unique
// key that is there already may be found late, and not that of the first such row first: then all
// is taken back, and the rows are inserted one by one.
func (t *Table) InsertRows(ctx context.Context, tx *txn.Trx, vals []row.Value) (came int, err error) {
	if t.parts != nil {
		return t.insertRowsParts(ctx, tx, vals)
	}
	if err := t.beginWrite(ctx, tx); err != nil {
		return 0, err
	}
	if len(vals) > len(t.cols) && tx.Counts != nil {
		defer t.use.took(InsertRow, time.Now())
	}
	w := getWork()
	defer w.put()
	w.entries.reset()
	before := tx.Boundary()
	came, err = t.insertTogether(ctx, tx, w, vals)
	again := came > 0 && t.refusedUnique(err)
	if came > 0 && !again {
		if placed := t.placeAll(ctx, tx, w, &w.entries); placed != nil {
			came, err, again = 0, placed, t.refusedUnique(placed)
		}
	}
	if err == nil || came > 0 && !again {
		return came, err
	}
	if !again && ctx.Err() != nil {
		return 0, err // a statement that was ended is taken back by its session
	}
	if undone := tx.RollbackTo(ctx, before); undone != nil || !again {
		return 0, errors.Join(err, undone)
	}
	for came = 0; len(vals) > 0; came++ {
		if err := t.Insert(ctx, tx, vals[:len(t.cols)]); err != nil {
			return came, err
		}
		vals = vals[len(t.cols):]
	}
	return came, nil
}

// refusedUnique tells a *DuplicateError that another row may have to be told of.
func (t *Table) refusedUnique(err error) bool {
	var dup *DuplicateError
	return t.uniques && errors.As(err, &dup)
}

// insertTogether inserts rows without their entries, some of which are left in w.entries.
func (t *Table) insertTogether(ctx context.Context, tx *txn.Trx, w *work, vals []row.Value) (came int, err error) {
	width := len(t.cols)
	for rest := vals; len(rest) > 0; rest = vals[came*width:] {
		if err := t.encodeRun(w, rest); err != nil {
			return came, err
		}
		n, err := t.insertRuns(ctx, tx, w, rest)
		came += n
		if err == nil && n == 0 {
			if err = t.Insert(ctx, tx, rest[:width]); err == nil {
				came++
			}
		}
		if err != nil {
			return came, err
		}
	}
	return came, nil
}

// encodeRun makes w.run the rows at the head of vals whose keys ascend; none if the first one is
// for Insert.
func (t *Table) encodeRun(w *work, vals []row.Value) (err error) {
	r, width := &w.run, len(t.cols)
	r.recs, r.rows = r.recs[:0], r.rows[:0]
	for ; len(vals) > 0 && len(r.recs) < runBytes; vals = vals[width:] {
		v := vals[:width]
		if t.checkRow(v) != nil {
			return nil
		}
		if t.rowID {
			if w.key, err = t.nextRowID(w.key[:0]); err != nil {
				return err
			}
		} else {
			w.key = row.AppendKey(w.key[:0], t.cols, t.clustered().parts, v)
		}
		size := headerLen + t.layout.Size(v)
		last := len(r.rows) - 1
		if len(w.key)+size > btree.MaxRecord || t.checkKeys(w, v) != nil || last >= 0 && bytes.Compare(w.key, r.key(last)) <= 0 {
			return nil
		}
		x := runRow{start: len(r.recs), keyLen: len(w.key), auto: t.autoNext(v)}
		w.record = t.layout.Append(appendHeader(w.record[:0], header{}), v, nil)
		r.recs = btree.AppendRecord(r.recs, w.key, w.record)
		x.end = len(r.recs)
		r.rows = append(r.rows, x)
	}
	return nil
}

// insertRuns inserts the rows of w.run, whose values vals begins with, up to one whose key is there
// already.
func (t *Table) insertRuns(ctx context.Context, tx *txn.Trx, w *work, vals []row.Value) (came int, err error) {
	for came < len(w.run.rows) {
		if ctx.Err() != nil {
			return came, base.ErrInterrupted
		}
		n := 0
		err := t.atomically(ctx, tx, func() (err error) {
			if n, err = t.insertRun(ctx, tx, w, came); err != nil {
				return err
			}
			return t.finishRun(tx, w, came, n, vals)
		})
		if err != nil || n == 0 {
			return came, err
		}
		came += n
	}
	return came, nil
}

// insertRun inserts as many of the rows from number at on as go to one leaf; 0: the key of the
// first is there already.
func (t *Table) insertRun(ctx context.Context, tx *txn.Trx, w *work, at int) (n int, err error) {
	r := &w.run
	for {
		m, err := t.clustered().tree.SeekRun(&w.place, r.key(at), r.rows[at].end-r.rows[at].start-btree.RecordHeader)
		if err != nil {
			return 0, err
		}
		if w.place.Exact(r.key(at)) {
			m.Commit()
			return 0, nil
		}
		n, wait, err := t.insertFreshRun(tx, r, at, m, &w.place)
		m.Commit()
		if wait == nil || err != nil {
			return n, err
		}
		if err := t.wait(ctx, tx, wait); err != nil {
			return 0, err
		}
	}
}

// insertFreshRun is insertFresh of several rows. The cursor stands where the first belongs.
func (t *Table) insertFreshRun(tx *txn.Trx, r *rowRun, at int, m *buffer.Mtr, cur *btree.Run) (n int, wait *lock.Wait, err error) {
	tree := t.clustered().tree
	next, err := successor(&cur.Cursor)
	if err != nil {
		return 0, nil, err
	}
	if wait := t.svc.Locks.Lock(&tx.Owner, tree.ID, next, lock.X, lock.InsertIntention); wait != nil {
		return 0, wait, nil
	}
	r.keys = r.keys[:0]
	auto, room := uint64(0), cur.Room()
	for i := at; i < len(r.rows); i++ {
		x := &r.rows[i]
		if room -= x.end - x.start + btree.SlotSize; i > at && (room < 0 || !cur.Precedes(r.key(i))) {
			break
		}
		r.keys = append(r.keys, r.key(i))
		auto = max(auto, x.auto)
	}
	n = len(r.keys)
	if r.ptrs, err = tx.LogInserts(t.def.ID, r.keys, r.ptrs[:0]); err != nil {
		return 0, nil, err
	}
	for _, key := range r.keys {
		t.changing(tx, key)
	}
	if err := t.raiseAuto(m, auto); err != nil {
		return 0, nil, err
	}
	for i, ptr := range r.ptrs {
		putVersion(r.value(at+i), tx.ID(), ptr)
	}
	if t.svc.Locks.HasGapLocks(tree.ID, next) {
		for _, key := range r.keys {
			t.svc.Locks.InheritOnInsert(tree.ID, key, next)
		}
	}
	cur.InsertRun(r.recs[r.rows[at].start:r.rows[at+n-1].end])
	return n, nil, nil
}

// finishRun gathers the entries of n rows from number at on, and tells of the rows.
func (t *Table) finishRun(tx *txn.Trx, w *work, at, n int, vals []row.Value) error {
	width, log := len(t.cols), t.journal(tx)
	for i := at; i < at+n && (log != nil || len(t.indexes) > 1); i++ {
		v := vals[i*width : (i+1)*width : (i+1)*width]
		key := w.run.key(i)
		for _, ix := range t.indexes[1:] {
			for e := ix.elements(v); e.next(); {
				w.entry = append(t.appendKey(w.entry[:0], ix, v, e.part), key...)
				w.entries.add(ix, w.entry, key)
			}
		}
		if log != nil {
			if err := log.Inserted(t.told, v); err != nil {
				return err
			}
		}
	}
	tx.Counts.Add(txn.Write, n)
	t.count(tx, InsertRow, n)
	return nil
}
