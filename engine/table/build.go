package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"runtime"
	"sync/atomic"

	"emberdb/engine/btree"
	"emberdb/engine/buffer"
	"emberdb/engine/catalog"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// Building an index while others write the table.
//
//	1. The caller publishes a definition with the empty index at a moment without unfinished
//	   transactions in the table (other than aborted ones), and waits until no rollback or purge
//	   works with the one before. From then on every writer maintains the index like any other; it
//	   does not mind entries that are not there yet.
//	2. BuildIndex reads every version of every row and sorts the keys they have. A row it has read
//	   may be rolled back before it asks for the older versions: then it reads the row again
//	   (gatherRow).
//	3. It adds the missing ones in key order. Under the latch of the entry's leaf it looks at the
//	   row's versions once more, as rollback and purge do: a row may have changed since, and its
//	   old key is wanted only marked, or not at all. Most need no second look: the key of a newest
//	   version whose writer has committed is wanted until somebody comes to mark or settle the
//	   entry, and whoever does notes that first (visit). The builder asks under the leaf's latch,
//	   so either it sees the note, or the other finds the entry.
//	4. For a unique index it looks for equal keys (doubtful.go).
//
// So the finished index satisfies the invariants of doc.go, for old views too. Rollback settles
// entries before it restores the clustered record, and the builder may look in between; therefore
// rollback settles a second time afterwards if any index was being built meanwhile.
//
// A version that was replaced before step 1 and is not purged by then gets its entry for the views
// that may see it; its undo record does not name the key, so purge leaves the entry, marked, until
// the row has had that key once more.

// BuildIndex fills idx, an index of the table's definition whose tree is empty or holds what
// writers have put there. Sort runs go to the folder tmp. *DuplicateError when the index is unique
// and two rows have equal keys; the caller drops the tree then, and on every other error. That of a
// unique index ends with CheckDoubtful.
func (t *Table) BuildIndex(ctx context.Context, tx *txn.Trx, idx *catalog.Index, fs vfs.FS, tmp string) (err error) {
	ix, err := t.indexOf(idx)
	if err != nil {
		return err
	}
	if _, err := tx.EnsureID(); err != nil {
		return err
	}
	if ix.unique && ix.doubtful == nil { // the table has no other writers
		ix.doubtful = new(doubtful)
	}
	t.svc.building.Add(1)
	defer func() {
		t.svc.built.Add(1)
		t.svc.building.Add(-1)
	}()
	b := builder{t: t, ix: ix, tx: tx, writer: tx.ID(), seen: t.svc.Txns.SeenByAll(), sure: newSorter(fs, tmp, fmt.Sprintf("index-%d", idx.ID)),
		rest: newSorter(fs, tmp, fmt.Sprintf("index-%d-rest", idx.ID))}
	defer func() { err = errors.Join(err, b.sure.close(), b.rest.close()) }()
	if err := b.gather(ctx); err != nil {
		return err
	}
	if err := b.add(ctx); err != nil || !ix.unique {
		return err
	}
	w := getWork()
	defer w.put()
	return t.findDuplicates(ctx, tx, w, ix)
}

// visited are the entries of an index under construction that somebody may have found missing, by
// their hashes.
type visited [1 << 10]atomic.Uint64

// visit notes that somebody is coming to an entry to mark or to settle it.
// REQUIRES: the entry's leaf is not latched yet.
func (t *Table) visit(ix *index, entry []byte) {
	if ix.visited != nil {
		word, bit := ix.visited.of(t.svc.seed, entry)
		word.Or(bit)
	}
}

func (x *visited) of(seed maphash.Seed, entry []byte) (*atomic.Uint64, uint64) {
	h := maphash.Bytes(seed, entry)
	return &x[h%uint64(len(x))], 1 << (h >> 58)
}

// unvisited tells whether nobody has come to the entry. REQUIRES: its leaf's X latch.
func (t *Table) unvisited(ix *index, entry []byte) bool {
	word, bit := ix.visited.of(t.svc.seed, entry)
	return word.Load()&bit == 0
}

// builder is one BuildIndex.
type builder struct {
	t      *Table
	ix     *index
	tx     *txn.Trx
	writer base.TrxID // no view below it takes a page of the index as settled
	seen   base.TrxID // of rows whose writer is below it nobody wants an older version
	sure   *sorter    // keys of newest versions whose writers have committed
	rest   *sorter    // keys that need a look at the row
}

// gather sorts the keys of all versions of all rows.
func (b *builder) gather(ctx context.Context) error {
	t := b.t
	w := getWork()
	defer w.put()
	return t.eachRecord(ctx, t.clustered(), b.committed, func(key, value []byte, committed bool) error {
		return b.gatherRecord(w, key, value, committed)
	})
}

// committed tells whether the key of a row's newest version is sure.
// REQUIRES: the row's leaf is latched. Without the latch the writer may have rolled back: it counts
// as committed when it has ended, and it ends once its rows are restored.
func (b *builder) committed(value []byte) bool {
	return b.ix.visited != nil && b.t.writerState(parseHeader(value).trx) == txn.Committed
}

// gatherRecord sorts the keys of all versions of a row. committed: see the method of that name.
func (b *builder) gatherRecord(w *work, key, value []byte, committed bool) error {
	t := b.t
	v := newVersion(value)
	if !committed || v.deleted() {
		return t.gatherRow(w, b.ix, b.rest, key, value)
	}
	b.writer = max(b.writer, v.trx)
	if err := t.gatherVersion(w, b.ix, b.sure, key, &v); err != nil {
		return err
	}
	if v.trx < b.seen {
		return nil
	}
	more, err := t.older(&w.walk, &v)
	if !more || err != nil {
		return ignore(err, base.ErrNotFound) // purged: a committed version is not undone
	}
	return t.gatherRow(w, b.ix, b.rest, key, value)
}

// add adds the entries that are missing.
func (b *builder) add(ctx context.Context) error {
	w := getWork()
	defer w.put()
	r := &w.entries
	r.reset()
	err := b.sure.each(func(entry []byte) error {
		r.add(b.ix, entry, nil)
		if len(r.keys) < addBytes {
			return nil
		}
		return b.addRuns(ctx, w)
	})
	if err == nil {
		err = b.addRuns(ctx, w)
	}
	if err != nil {
		return err
	}
	n := 0
	return b.rest.each(func(entry []byte) error {
		if n++; n%256 == 0 && ctx.Err() != nil {
			return base.ErrInterrupted
		}
		return b.addJudged(w, entry)
	})
}

// addBytes is about how many bytes of sure keys go in between two looks at the context.
const addBytes = 256 << 10

// addRuns adds the keys in w.entries, which are sure.
func (b *builder) addRuns(ctx context.Context, w *work) error {
	if ctx.Err() != nil {
		return base.ErrInterrupted
	}
	r := &w.entries
	for rest := r.list; len(rest) > 0; {
		n, err := b.addRun(w, rest)
		if err == nil && n == 0 {
			n, err = 1, b.addJudged(w, r.entry(rest[0]))
		}
		if err != nil {
			return err
		}
		rest = rest[n:]
	}
	r.reset()
	return nil
}

// addRun adds as many of the entries as belong side by side in one leaf; 0: the very first needs a
// look.
func (b *builder) addRun(w *work, rest []runEntry) (n int, err error) {
	t, ix, r, place := b.t, b.ix, &w.entries, &w.place
	m, err := ix.tree.SeekRun(place, r.entry(rest[0]), len(r.entry(rest[0]))+1)
	if err != nil {
		return 0, err
	}
	defer m.Commit()
	next, err := successor(&place.Cursor)
	if err != nil || place.Exact(r.entry(rest[0])) {
		return 0, err
	}
	w.record = w.record[:0]
	for room := place.Room(); n < len(rest); n++ {
		e := r.entry(rest[n])
		room -= btree.RecordHeader + btree.SlotSize + len(e) + 1
		if room < 0 || n > 0 && !place.Precedes(e) || !t.unvisited(ix, e) {
			break
		}
		w.record = btree.AppendRecord(w.record, e, []byte{0})
	}
	if n == 0 {
		return 0, nil
	}
	if t.svc.Locks.HasGapLocks(ix.tree.ID, next) {
		for i := range rest[:n] {
			t.svc.Locks.InheritOnInsert(ix.tree.ID, r.entry(rest[i]), next)
		}
	}
	place.SetWriter(b.writer)
	place.InsertRun(w.record)
	return n, nil
}

// addJudged adds an entry as the row's versions want it.
func (b *builder) addJudged(w *work, entry []byte) error {
	for {
		if err := b.t.addMissing(b.tx, w, b.ix, entry); !errors.Is(err, errBusy) {
			return err
		}
		runtime.Gosched()
	}
}

// gatherRow gives the sorter the keys of all versions of a row whose clustered value was read some
// time ago. When its newest version was taken back since, the way to the older ones may be gone;
// they are found from what the row is now.
func (t *Table) gatherRow(w *work, ix *index, s *sorter, key, value []byte) error {
	for {
		top := parseHeader(value)
		err := t.gatherVersions(w, ix, s, key, newVersion(value))
		if !errors.Is(err, base.ErrNotFound) {
			return err
		}
		now, ok, err := t.fetch(w.found, key)
		w.found = now
		if err != nil || !ok || parseHeader(now).same(top) { // the same: the older ones are purged
			return err
		}
		value = now
	}
}

// gatherVersions goes from v back. base.ErrNotFound: not all older versions were found.
func (t *Table) gatherVersions(w *work, ix *index, s *sorter, key []byte, v version) error {
	for {
		if !v.deleted() {
			if err := t.gatherVersion(w, ix, s, key, &v); err != nil {
				return err
			}
		}
		if ok, err := t.older(&w.walk, &v); !ok || err != nil {
			return err
		}
	}
}

// gatherVersion gives the sorter the keys of a version.
func (t *Table) gatherVersion(w *work, ix *index, s *sorter, key []byte, v *version) error {
	e, err := t.elementsOf(&w.walk, ix, v.row)
	for err == nil && e.next() {
		var entry []byte
		entry, err = t.entryKey(w.entry[:0], &w.walk, ix, v.row, e.part, key)
		w.entry = entry
		if err == nil && len(entry) > maxEntry {
			err = fmt.Errorf("index %s of table %s.%s: %w", ix.def.Name, t.told.Schema, t.told.Name, base.ErrKeyTooLong)
		}
		if err == nil {
			err = s.add(entry)
		}
	}
	return ignore(err, base.ErrNotFound) // its long values are freed: nobody's version any more
}

// eachRecord calls fn with a copy of every record of an index, and with what judge said of its
// value; nil: false. The leaf is latched while judge runs, no latch is held while fn does.
func (t *Table) eachRecord(ctx context.Context, ix *index, judge func(value []byte) bool, fn func(key, value []byte, judged bool) error) error {
	var pos btree.Position
	type record struct {
		item
		judged bool
	}
	var arena []byte
	var items []record
	for begun, done := false, false; !done; begun = true {
		if err := interrupted(ctx); err != nil {
			return err
		}
		arena, items = arena[:0], items[:0]
		m := t.svc.Pool.BeginRead()
		var cur btree.Cursor
		var err error
		if begun {
			var same bool
			if cur, same, err = ix.tree.Restore(m, &pos, buffer.Shared); same && err == nil {
				err = cur.Next()
			}
		} else {
			cur, err = ix.tree.Seek(m, nil, buffer.Shared)
		}
		for ; err == nil && cur.Valid() && len(arena) < batchBytes; err = cur.Next() {
			it := record{item: item{key: uint32(len(arena))}, judged: judge != nil && judge(cur.Value())}
			arena = append(arena, cur.Key()...)
			it.value = uint32(len(arena))
			arena = append(arena, cur.Value()...)
			it.end = uint32(len(arena))
			items = append(items, it)
			cur.Save(&pos)
		}
		done = err == nil && !cur.Valid()
		m.Commit()
		if err != nil {
			return err
		}
		for _, it := range items {
			if err := fn(arena[it.key:it.value:it.value], arena[it.value:it.end:it.end], it.judged); err != nil {
				return err
			}
		}
	}
	return nil
}

// addMissing adds an entry unless a writer has done so or no version of its row wants it any more.
func (t *Table) addMissing(tx *txn.Trx, w *work, ix *index, entry []byte) error {
	m, cur, err := ix.tree.SeekWrite(entry, len(entry)+1)
	if err != nil {
		return err
	}
	defer m.Commit()
	if cur.Exact(entry) {
		return nil
	}
	w.walk.m = m
	state, writer, err := t.entryState(w, ix, entry, limits{})
	w.walk.m = nil
	if err != nil || state == entryAbsent {
		return err
	}
	flags := byte(0)
	if state == entryMarked {
		flags = flagDeleted
	}
	next, err := successor(&cur)
	if err != nil {
		return err
	}
	// No view that was opened before the builder's transaction ends takes the page as settled.
	cur.SetWriter(max(tx.ID(), writer))
	t.svc.Locks.InheritOnInsert(ix.tree.ID, entry, next)
	cur.Insert(entry, []byte{flags})
	return nil
}

// findDuplicates looks for rows with equal keys. Whoever gives a row a key from now on finds the
// others that have it.
func (t *Table) findDuplicates(ctx context.Context, tx *txn.Trx, w *work, ix *index) error {
	var last []byte
	return t.eachRecord(ctx, ix, nil, func(entry, _ []byte, _ bool) error {
		rest, err := t.splitEntry(ix, entry)
		if err != nil {
			return err
		}
		prefix := entry[:len(entry)-len(rest)]
		if !bytes.Equal(prefix, last) {
			last = append(last[:0], prefix...)
			return nil
		}
		return t.judgeKey(tx, w, ix, last)
	})
}
