package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"emberdb/engine/btree"
	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// Loader fills a table that nobody else knows yet: a rewrite by ALTER TABLE. Rows are written
// without locks and undo, as versions that everybody sees; they become known with the definition,
// and go with the tablespace when it never does.
type Loader struct {
	t    *Table
	tx   *txn.Trx // owner of long values
	fs   vfs.FS
	tmp  string
	bulk *btree.Bulk
	last []byte // the greatest key so far
	auto uint64 // what the AUTO_INCREMENT counter is raised to

	parts []*Loader // of a partitioned table
}

// NewLoader starts a load; sort runs go to the folder tmp.
func (t *Table) NewLoader(tx *txn.Trx, fs vfs.FS, tmp string) (*Loader, error) {
	if _, err := tx.EnsureID(); err != nil {
		return nil, err
	}
	l := &Loader{t: t, tx: tx, fs: fs, tmp: tmp}
	for _, p := range t.parts {
		part, err := p.NewLoader(tx, fs, tmp)
		if err != nil {
			return nil, err
		}
		l.parts = append(l.parts, part)
	}
	if t.parts == nil {
		l.bulk = t.clustered().tree.NewBulk(0)
	}
	return l, nil
}

// Add adds a row to the clustered index; *DuplicateError.
func (l *Loader) Add(ctx context.Context, vals []row.Value) error {
	if l.parts != nil {
		n, err := l.t.PartOf(vals)
		if err != nil {
			return err
		}
		return l.parts[n].Add(ctx, vals)
	}
	if err := interrupted(ctx); err != nil {
		return err
	}
	t, w := l.t, getWork()
	defer w.put()
	err := t.checkRow(vals)
	if err == nil && t.rowID {
		w.key, err = t.nextRowID(w.key[:0])
	} else if err == nil {
		w.key = row.AppendKey(w.key[:0], t.cols, t.clustered().parts, vals)
	}
	if err == nil {
		err = t.checkKeys(w, vals)
	}
	if err == nil {
		err = t.moveOut(w, vals, len(w.key))
	}
	if err == nil {
		err = t.writeChains(ctx, l.tx, w, vals)
	}
	if err != nil {
		return err
	}
	w.record = t.layout.Append(appendHeader(w.record[:0], header{}), vals, w.over)
	l.auto = max(l.auto, t.autoNext(vals))
	if l.last == nil || bytes.Compare(w.key, l.last) > 0 {
		l.last = append(l.last[:0], w.key...)
		return l.bulk.Add(w.key, w.record)
	}
	return l.insert(w)
}

// insert adds a row whose key is not the greatest.
func (l *Loader) insert(w *work) error {
	if err := l.bulk.Finish(); err != nil {
		return err
	}
	t := l.t
	m, cur, err := t.clustered().tree.SeekWrite(w.key, len(w.key)+len(w.record))
	if err != nil {
		return err
	}
	if !cur.Exact(w.key) {
		cur.Insert(w.key, w.record)
		m.Commit()
		return nil
	}
	w.old = append(w.old[:0], cur.Value()...)
	m.Commit()
	de := &DuplicateError{Table: t.told, Index: t.clustered().def}
	if de.Row, err = t.decodeOwned(w.key, w.old); err != nil {
		return err
	}
	return de
}

// Finish builds the secondary indexes; *DuplicateError.
func (l *Loader) Finish(ctx context.Context) error {
	for _, p := range l.parts {
		if err := p.Finish(ctx); err != nil {
			return err
		}
	}
	if l.parts != nil {
		return nil
	}
	if err := l.bulk.Finish(); err != nil {
		return err
	}
	if err := l.raiseAuto(); err != nil {
		return err
	}
	for _, ix := range l.t.indexes[1:] {
		if err := l.buildIndex(ctx, ix); err != nil {
			return err
		}
	}
	return nil
}

func (l *Loader) raiseAuto() error {
	m := l.t.svc.Pool.Begin()
	defer m.Commit()
	return l.t.raiseAuto(m, l.auto)
}

// buildIndex loads the tree of ix in key order. Nobody changes the table, and each row has one
// version, so nothing is judged as in BuildIndex.
func (l *Loader) buildIndex(ctx context.Context, ix *index) (err error) {
	s := newSorter(l.fs, l.tmp, fmt.Sprintf("load-%d", ix.def.ID))
	defer func() { err = errors.Join(err, s.close()) }()
	if err := l.t.gatherKeys(ctx, ix, s); err != nil {
		return err
	}
	bulk := ix.tree.NewBulk(0)
	var last []byte
	n := 0
	err = s.each(func(entry []byte) error {
		if n++; n%1024 == 0 && ctx.Err() != nil {
			return base.ErrInterrupted
		}
		if ix.unique {
			rest, err := l.t.splitEntry(ix, entry)
			if err != nil {
				return err
			}
			key := entry[:len(entry)-len(rest)]
			if n > 1 && bytes.HasPrefix(last, key) {
				if err := l.duplicate(ix, key, last[len(key):]); err != nil {
					return err
				}
			}
			last = append(last[:0], entry...)
		}
		return bulk.Add(entry, []byte{0})
	})
	if err != nil {
		return err
	}
	return bulk.Finish()
}

// duplicate is the error of a second row with that key of ix, unless the key has a NULL. other is
// the clustered key of the first row.
func (l *Loader) duplicate(ix *index, key, other []byte) error {
	null, err := row.HasNull(key, l.t.cols, ix.parts)
	if null || err != nil {
		return err
	}
	value, ok, err := l.t.fetch(nil, other)
	if err != nil || !ok {
		return errors.Join(err, l.t.corrupt("entry %x of index %s has no row", key, ix.def.Name))
	}
	vals, err := l.t.decodeOwned(other, value)
	if err != nil {
		return err
	}
	return &DuplicateError{Table: l.t.told, Index: ix.def, Row: vals}
}
