package table

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"emberdb/engine/btree"
	"emberdb/engine/lock"
	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/internal/invariants"
)

// entryRun is a set of secondary entries of rows that one statement has changed. They go into their
// trees, or are marked there, in the order of their keys: those of one leaf with one descent.
type entryRun struct {
	keys []byte
	list []runEntry
}

// runEntry is an entry: its key is keys[from:to], the clustered key in it keys[rest:to].
type runEntry struct {
	ix             *index
	from, rest, to int
	locked         bool
}

func (r *entryRun) reset() { r.keys, r.list = r.keys[:0], r.list[:0] }

// add adds the entry of a row in ix. clustered is the end of entry.
func (r *entryRun) add(ix *index, entry, clustered []byte) {
	from := len(r.keys)
	r.keys = append(r.keys, entry...)
	r.list = append(r.list, runEntry{ix: ix, from: from, rest: len(r.keys) - len(clustered), to: len(r.keys)})
}

func (r *entryRun) entry(e runEntry) []byte { return r.keys[e.from:e.to:e.to] }

func (r *entryRun) sort() {
	slices.SortFunc(r.list, func(a, b runEntry) int {
		return cmp.Or(cmp.Compare(a.ix.pos, b.ix.pos), bytes.Compare(r.entry(a), r.entry(b)))
	})
}

// cancel takes entries that stand in both runs out of them, as often as they stand in both: a row
// that changes twice has lost them and got them again, or the other way round.
// REQUIRES: both are sorted.
func cancel(a, b *entryRun) {
	listA, listB := a.list[:0], b.list[:0]
	i, j := 0, 0
	for i < len(a.list) && j < len(b.list) {
		x, y := a.list[i], b.list[j]
		order := cmp.Or(cmp.Compare(x.ix.pos, y.ix.pos), bytes.Compare(a.entry(x), b.entry(y)))
		if order <= 0 {
			i++
		}
		if order >= 0 {
			j++
		}
		if order < 0 {
			listA = append(listA, x)
		} else if order > 0 {
			listB = append(listB, y)
		}
	}
	a.list, b.list = append(listA, a.list[i:]...), append(listB, b.list[j:]...)
}

// placeAll makes entries of rows that have just come in. After an error some of them are there, and
// none is left in r: they are taken back with their rows.
func (t *Table) placeAll(ctx context.Context, tx *txn.Trx, w *work, r *entryRun) error {
	defer r.reset()
	r.sort()
	for rest := r.list; len(rest) > 0; {
		if err := interrupted(ctx); err != nil {
			return err
		}
		n, err := t.placeRun(tx, w, r, rest)
		if err == nil && n == 0 {
			n = 1
			w.key = append(w.key[:0], r.keys[rest[0].rest:rest[0].to]...)
			err = t.addEntry(ctx, tx, w, rest[0].ix, r.entry(rest[0]), lock.S)
		}
		if err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}

// placeRun makes the first of the entries, as many as go to one leaf without a look elsewhere;
// 0: the very first is for addEntry.
func (t *Table) placeRun(tx *txn.Trx, w *work, r *entryRun, rest []runEntry) (n int, err error) {
	ix, place := rest[0].ix, &w.place
	first := r.entry(rest[0])
	if len(first)+1 > btree.MaxRecord || len(first) > btree.MaxKey || ix.doubtful != nil {
		return 0, nil
	}
	m, err := ix.tree.SeekRun(place, first, len(first)+1)
	if err != nil {
		return 0, err
	}
	defer m.Commit()
	next, err := successor(&place.Cursor)
	if err != nil {
		return 0, err
	}
	place.SetWriter(tx.ID())
	for {
		came := t.placeGroup(tx, w, r, rest[n:], next)
		n += came
		if came == 0 || n == len(rest) || rest[n].ix != ix || !place.Advance(r.entry(rest[n])) {
			return n, nil
		}
		switch {
		case place.Valid():
			next = place.Key()
		case place.Rightmost():
			next = lock.Supremum
		default: // nothing is pinned after a change
			return n, nil
		}
	}
}

// placeGroup makes the first of the entries, as many as belong side by side before the place's
// record, whose key, or that of the next leaf's first record, is next. 0: the first is for
// addEntry.
func (t *Table) placeGroup(tx *txn.Trx, w *work, r *entryRun, rest []runEntry, next []byte) (n int) {
	ix, place, room := rest[0].ix, &w.place, w.place.Room()
	if place.Exact(r.entry(rest[0])) {
		return 0
	}
	held, ok := t.tryUnique(r, rest[0], place, next)
	if held != nil {
		defer held.Unlock()
	}
	if !ok || !t.svc.Locks.TryLock(&tx.Owner, ix.tree.ID, next, lock.X, lock.InsertIntention) {
		return 0
	}
	w.record = w.record[:0]
	for ; n < len(rest) && rest[n].ix == ix; n++ {
		e := r.entry(rest[n])
		room -= btree.RecordHeader + btree.SlotSize + len(e) + 1
		if room < 0 || n > 0 && (ix.unique || !place.Precedes(e)) {
			break
		}
		w.record = btree.AppendRecord(w.record, e, []byte{0})
	}
	if n == 0 {
		return 0
	}
	if t.svc.Locks.HasGapLocks(ix.tree.ID, next) {
		for i := range rest[:n] {
			t.svc.Locks.InheritOnInsert(ix.tree.ID, r.entry(rest[i]), next)
		}
	}
	place.InsertRun(w.record)
	return n
}

// tryUnique tells whether no entry beside the place has the unique key of e, and holds the key's
// stripe, if there is one to hold. False: that cannot be told here, or now.
func (t *Table) tryUnique(r *entryRun, e runEntry, place *btree.Run, next []byte) (held *stripe[invariants.UniqueKey], ok bool) {
	if !e.ix.unique {
		return nil, true
	}
	prefix := r.keys[e.from:e.rest]
	if null, err := row.HasNull(prefix, t.cols, e.ix.parts); null || err != nil {
		return nil, err == nil
	}
	before := place.Before()
	if before == nil && !place.Leftmost() || bytes.HasPrefix(before, prefix) || bytes.HasPrefix(next, prefix) {
		return nil, false
	}
	held = t.svc.uniqueStripe(e.ix.def.ID, prefix)
	if !held.TryLock() {
		return nil, false
	}
	return held, true
}
