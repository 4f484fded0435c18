package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"

	"emberdb/engine/btree"
	"emberdb/engine/buffer"
	"emberdb/engine/catalog"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// Building an index while others write the table.
//
//	1. The caller publishes a definition with the empty index at a moment without unfinished transactions in the table (other than aborted ones),
//	   and waits until no rollback or purge works with the one before.
//	   From then on every writer maintains the index like any other; it does not mind entries that are not there yet.
//	2. BuildIndex reads every version of every row and sorts the keys they have. A row it has read may be rolled back before it asks for the older versions:
//	   then it reads the row again (gatherRow).
//	3. It adds the missing ones in key order. Under the latch of the entry's leaf it looks at the row's versions once more, as rollback and purge do:
//	   a row may have changed since, and its old key is wanted only marked, or not at all.
//	4. For a unique index it looks for equal keys (doubtful.go).
//
// So the finished index satisfies the invariants of doc.go, for old views too. Rollback settles entries before it restores the clustered record, and the builder
// may look in between; therefore rollback settles a second time afterwards if any index was being built meanwhile.
//
// A version that was replaced before step 1 and is not purged by then gets its entry for the views that may see it; its undo record does not name the key, so
// purge leaves the entry, marked, until the row has had that key once more.

// BuildIndex fills idx, an index of the table's definition whose tree is empty or holds what writers have put there. Sort runs go to the folder tmp.
// *DuplicateError when the index is unique and two rows have equal keys; the caller drops the tree then, and on every other error. That of a unique index ends with CheckDoubtful.
func (t *Table) BuildIndex(ctx context.Context, tx *txn.Trx, idx *catalog.Index, fs vfs.FS, tmp string) error {
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
	s := newSorter(fs, tmp, fmt.Sprintf("index-%d", idx.ID))
	err = t.gatherKeys(ctx, ix, s)
	w := getWork()
	defer w.put()
	n := 0
	if err == nil {
		err = s.each(func(entry []byte) error {
			if n++; n%256 == 0 && ctx.Err() != nil {
				return base.ErrInterrupted
			}
			for {
				if err := t.addMissing(tx, w, ix, entry); !errors.Is(err, errBusy) {
					return err
				}
				runtime.Gosched()
			}
		})
	}
	err = errors.Join(err, s.close())
	if err == nil && ix.unique {
		err = t.findDuplicates(ctx, tx, w, ix)
	}
	return err
}

// gatherKeys gives the sorter the keys of all versions of all rows.
func (t *Table) gatherKeys(ctx context.Context, ix *index, s *sorter) error {
	w := getWork()
	defer w.put()
	return t.eachRecord(ctx, t.clustered(), func(key, value []byte) error { return t.gatherRow(w, ix, s, key, value) })
}

// gatherRow gives the sorter the keys of all versions of a row whose clustered value was read some time ago. When its newest version was taken back since,
// the way to the older ones may be gone; they are found from what the row is now.
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
			entry, err := t.entryKey(w.entry[:0], &w.walk, ix, v.row, key)
			w.entry = entry
			if err == nil && len(entry) > maxEntry {
				err = fmt.Errorf("index %s of table %s.%s: %w", ix.def.Name, t.def.Schema, t.def.Name, base.ErrKeyTooLong)
			}
			if err == nil {
				err = s.add(entry)
			}
			if err = ignore(err, base.ErrNotFound); err != nil { // its long values are freed: nobody's version any more
				return err
			}
		}
		if ok, err := t.older(&w.walk, &v); !ok || err != nil {
			return err
		}
	}
}

// eachRecord calls fn with a copy of every record of an index; no latch is held meanwhile.
func (t *Table) eachRecord(ctx context.Context, ix *index, fn func(key, value []byte) error) error {
	var pos btree.Position
	var arena []byte
	var items []item
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
			it := item{key: uint32(len(arena))}
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
			if err := fn(arena[it.key:it.value:it.value], arena[it.value:it.end:it.end]); err != nil {
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

// findDuplicates looks for rows with equal keys. Whoever gives a row a key from now on finds the others that have it.
func (t *Table) findDuplicates(ctx context.Context, tx *txn.Trx, w *work, ix *index) error {
	var last []byte
	return t.eachRecord(ctx, ix, func(entry, _ []byte) error {
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
