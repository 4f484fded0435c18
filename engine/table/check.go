package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"emberdb/engine/buffer"
	"emberdb/engine/pagefile"
	"emberdb/engine/row"
	"emberdb/engine/space"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// Check verifies every row and entry: order and shape of the trees, row bytes, that every row has
// its entries and every entry its row, that no two rows have the same unique key, and that long
// values can be read. It tells report what is
// wrong; the error is about the check itself.
// REQUIRES: nobody changes the table (a table S lock; rollback and purge paused).
func (t *Table) Check(ctx context.Context, report func(error)) (rows int64, err error) {
	entries := make([]int64, len(t.indexes))
	settled := min(t.svc.Txns.OldestActive(), t.svc.Txns.OldestAborted()) // one bound for both directions: it rises meanwhile
	_, err = t.clustered().tree.Check(func(key, value []byte) error {
		live, err := t.checkClustered(key, value, settled, entries, report)
		if live {
			rows++
		}
		if err == nil {
			err = interrupted(ctx)
		}
		return err
	})
	whole := err == nil
	if err = t.faulty(err, report); err != nil {
		return rows, err
	}
	for _, ix := range t.indexes[1:] {
		found := int64(0)
		var last []byte // of a unique index: the live entry before
		_, err := ix.tree.Check(func(entry, value []byte) error {
			live, err := t.checkEntry(ix, entry, value, settled, report)
			if live {
				found++
			}
			if live && ix.unique && err == nil {
				err = t.checkDistinct(ix, last, entry, report)
				last = append(last[:0], entry...)
			}
			if errors.Is(err, base.ErrCorrupt) { // the row's page; other entries have rows elsewhere
				report(err)
				whole, err = false, nil
			}
			if err == nil {
				err = interrupted(ctx)
			}
			return err
		})
		comparable := whole && err == nil && entries[ix.pos] != damagedTree
		if err = t.faulty(err, report); err != nil {
			return rows, err
		}
		if comparable && found != entries[ix.pos] {
			report(t.corrupt("index %s has %d entries, its rows have %d", ix.def.Name, found, entries[ix.pos]))
		}
	}
	return rows, nil
}

// damagedTree stands for the number of entries of a tree that cannot be searched.
const damagedTree = -1

// faulty reports corruption and passes other errors on.
func (t *Table) faulty(err error, report func(error)) error {
	if errors.Is(err, base.ErrCorrupt) {
		report(err)
		return nil
	}
	return err
}

// checkClustered verifies one row against the indexes.
func (t *Table) checkClustered(key, value []byte, settled base.TrxID, entries []int64, report func(error)) (live bool, err error) {
	if err := t.checkValue(value); err != nil {
		report(fmt.Errorf("row %x: %w", key, err))
		return false, nil
	}
	v := newVersion(value)
	var w walk
	for _, ref := range t.layout.AppendOverflow(nil, v.row) {
		if v.deleted() {
			break
		}
		if b, err := t.readChain(nil, ref); err != nil || len(b) != int(ref.Length) {
			report(t.corrupt("row %x: value of column %s: %v", key, t.def.Columns[ref.Column].Name, err))
			return true, nil
		}
	}
	if v.deleted() {
		return false, nil
	}
	if !t.rowID {
		vals := t.layout.Decode(v.row, nil)
		if want := row.AppendKey(nil, t.cols, t.clustered().parts, vals); !t.hasLongKey(vals) && !bytes.Equal(want, key) {
			report(t.corrupt("row %x has the columns of key %x", key, want))
		}
	}
	if v.trx >= settled {
		return true, nil // to be rolled back: its entries may be missing
	}
	for _, ix := range t.indexes[1:] {
		if entries[ix.pos] == damagedTree {
			continue
		}
		keys, err := t.entryKeys(&w, ix, v.row, key)
		if err != nil {
			return true, err
		}
		for _, entry := range keys {
			entries[ix.pos]++
			if err = t.checkHeld(ix, entry, key, v.trx, report); err != nil {
				break
			}
		}
		if errors.Is(err, base.ErrCorrupt) {
			report(err)
			entries[ix.pos] = damagedTree
			continue
		}
		if err != nil {
			return true, err
		}
	}
	return true, nil
}

// checkHeld verifies that an entry of a row is there.
func (t *Table) checkHeld(ix *index, entry, key []byte, writer base.TrxID, report func(error)) error {
	m := t.svc.Pool.BeginRead()
	defer m.Commit()
	cur, err := ix.tree.Seek(m, entry, buffer.Shared)
	if err == nil && (!cur.Exact(entry) || cur.Value()[0]&flagDeleted != 0) {
		report(t.corrupt("row %x of transaction %d has no entry in index %s (marked: %v)", key, writer, ix.def.Name, cur.Exact(entry)))
	}
	return err
}

// hasLongKey tells whether a column of the primary key stands in overflow pages (a prefix of it is
// the key).
func (t *Table) hasLongKey(vals []row.Value) bool {
	for _, p := range t.clustered().parts {
		if p.Prefix > 0 && len(vals[p.Column].B) == row.OverflowRefSize {
			return true
		}
	}
	return false
}

// checkEntry verifies that a live entry belongs to a row that produces it. Entries of rows that are
// to be rolled back do not count as live.
func (t *Table) checkEntry(ix *index, entry, value []byte, settled base.TrxID, report func(error)) (live bool, err error) {
	if len(value) != 1 {
		report(t.corrupt("entry %x of index %s has a value of %d bytes", entry, ix.def.Name, len(value)))
		return false, nil
	}
	key, err := t.splitEntry(ix, entry)
	if err != nil {
		report(err)
		return false, nil
	}
	if value[0]&flagDeleted != 0 {
		return false, nil
	}
	row, ok, err := t.fetch(nil, key)
	if err != nil {
		return true, err
	}
	if !ok {
		report(t.corrupt("entry %x of index %s has no row", entry, ix.def.Name))
		return true, nil
	}
	v := newVersion(row)
	var w walk
	if v.trx >= settled {
		return false, nil
	}
	yes, err := t.produces(&w, ix, &v, entry, key)
	if err == nil && !yes {
		report(t.corrupt("entry %x of index %s does not fit its row", entry, ix.def.Name))
	}
	return true, err
}

// checkDistinct verifies that two live entries of a unique index, which follow each other, are of
// different keys.
func (t *Table) checkDistinct(ix *index, last, entry []byte, report func(error)) error {
	key, err := t.splitEntry(ix, entry)
	if err != nil {
		return nil // checkEntry has told
	}
	prefix := entry[:len(entry)-len(key)]
	if !bytes.HasPrefix(last, prefix) {
		return nil
	}
	null, err := row.HasNull(entry, t.cols, ix.parts)
	if err == nil && !null {
		report(t.corrupt("rows %x and %x have the same key in unique index %s", last[len(prefix):], key, ix.def.Name))
	}
	return err
}

// Pages adds every page the table uses to the set: trees, and overflow chains that a version of a
// row refers to or that an unfinished transaction wrote.
// REQUIRES: as Check.
func (t *Table) Pages(ctx context.Context, set *space.PageSet) error {
	for _, ix := range t.indexes {
		fn := func(_, _ []byte) error { return interrupted(ctx) }
		if ix.pos == 0 && t.mayOverflow() {
			fn = func(_, value []byte) error { return t.addVersionChains(ctx, set, value) }
		}
		st, err := ix.tree.Check(fn)
		if err != nil {
			return err
		}
		set.Merge(&st.Pages)
	}
	if t.mayOverflow() {
		return t.addUnfinishedChains(ctx, set)
	}
	return nil
}

func (t *Table) mayOverflow() bool {
	for i := range t.cols {
		if t.cols[i].Overflows() {
			return true
		}
	}
	return false
}

// addVersionChains adds the chains of all versions of a row.
func (t *Table) addVersionChains(ctx context.Context, set *space.PageSet, value []byte) error {
	if err := t.checkValue(value); err != nil {
		return err
	}
	var w walk
	for v := newVersion(value); ; {
		if err := interrupted(ctx); err != nil {
			return err
		}
		for _, ref := range t.layout.AppendOverflow(nil, v.row) {
			if err := t.addChain(ctx, set, ref); err != nil {
				return err
			}
		}
		ok, err := t.older(&w, &v)
		if errors.Is(err, base.ErrNotFound) || err == nil && !ok {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// addChain adds the pages that still belong to a chain.
func (t *Table) addChain(ctx context.Context, set *space.PageSet, ref row.OverflowRef) error {
	for no := ref.First; no != base.NilPage; {
		if err := interrupted(ctx); err != nil {
			return err
		}
		m := t.svc.Pool.BeginRead()
		pg, ok, err := t.pinChain(m, no, buffer.Shared, ref.Owner, -1)
		if err != nil || !ok {
			m.Commit()
			return err
		}
		fresh := set.Add(no)
		no = base.PageNo(le.Uint32(pg.Data()[offNext:]))
		m.Commit()
		if !fresh {
			return nil
		}
	}
	return nil
}

// addUnfinishedChains adds the chains of transactions that are to be rolled back and whose rows may
// not refer to them yet.
func (t *Table) addUnfinishedChains(ctx context.Context, set *space.PageSet) error {
	m := t.svc.Pool.BeginRead()
	used, err := space.Used(m, t.def.Space)
	m.Commit()
	if err != nil {
		return err
	}
	for no := range used.All() {
		if set.Has(no) {
			continue
		}
		if err := interrupted(ctx); err != nil {
			return err
		}
		m := t.svc.Pool.BeginRead()
		pg, err := m.Pin(base.PageID{Space: t.def.Space, No: no}, buffer.Shared)
		if err == nil && pagefile.Type(pg.Data()) == pagefile.TypeOverflow {
			owner := base.TrxID(le.Uint64(pg.Data()[offOwner:]))
			if owner != 0 && t.svc.Txns.State(owner) != txn.Committed {
				set.Add(no)
			}
		}
		m.Commit()
		if err != nil {
			return err
		}
	}
	return nil
}
