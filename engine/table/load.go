package table

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"runtime"

	"golang.org/x/sync/errgroup"

	"emberdb/engine/btree"
	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// Loader fills a table that nobody else knows yet: a rewrite by ALTER TABLE. Rows are written
// without locks and undo, as versions that everybody sees; they become known with the definition,
// and go with the tablespace when it never does.
//
// The rows go into the clustered index as they come. A gatherer sorts their secondary keys
// meanwhile. Finish fills the trees of the secondary indexes from its sorters, several at a time.
type Loader struct {
	t      *Table
	tx     *txn.Trx // owner of long values
	parts  []*loadedPart
	gather *gatherer
}

// loadedPart is what a Loader knows of one part of its table, or of the table where it has none.
type loadedPart struct {
	t    *Table
	bulk *btree.Bulk
	last []byte // the greatest key so far
	auto uint64 // what the AUTO_INCREMENT counter is raised to
}

// NewLoader starts a load; sort runs go to the folder tmp. It ends with Close.
func (t *Table) NewLoader(tx *txn.Trx, fs vfs.FS, tmp string) (*Loader, error) {
	if _, err := tx.EnsureID(); err != nil {
		return nil, err
	}
	parts := t.parts
	if parts == nil {
		parts = []*Table{t}
	}
	l := &Loader{t: t, tx: tx, gather: newGatherer(parts, fs, tmp)}
	for _, p := range parts {
		l.parts = append(l.parts, &loadedPart{t: p, bulk: p.clustered().tree.NewBulk(0)})
	}
	return l, nil
}

// Add adds a row; *DuplicateError of the clustered index. Errors of a secondary key may come later.
func (l *Loader) Add(ctx context.Context, vals []row.Value) error {
	n := 0
	if l.t.parts != nil {
		var err error
		if n, err = l.t.PartOf(vals); err != nil {
			return err
		}
	}
	if err := interrupted(ctx); err != nil {
		return err
	}
	w := getWork()
	defer w.put()
	if err := l.parts[n].add(ctx, l.tx, w, vals); err != nil {
		return err
	}
	return l.gather.add(n, w.key, w.record)
}

// Close gives up what Finish has not used.
func (l *Loader) Close() error { return l.gather.close() }

// add adds a row to the clustered index, and leaves its key and value in w.
func (l *loadedPart) add(ctx context.Context, tx *txn.Trx, w *work, vals []row.Value) error {
	t := l.t
	err := t.checkRow(vals)
	if err == nil && t.rowID {
		w.key, err = t.nextRowID(w.key[:0])
	} else if err == nil {
		w.key = row.AppendKey(w.key[:0], t.cols, t.clustered().parts, vals)
	}
	if err == nil {
		err = t.checkPrimary(w.key)
	}
	if err == nil {
		err = t.moveOut(w, vals, len(w.key))
	}
	if err == nil {
		err = t.writeChains(ctx, tx, w, vals)
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
func (l *loadedPart) insert(w *work) error {
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
		if err := p.finish(); err != nil {
			return err
		}
	}
	if err := l.gather.finish(); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, s := range l.gather.sorters {
		group.Go(func() error { return l.buildIndex(ctx, s, 1+i) })
	}
	return group.Wait()
}

// finish completes the clustered index.
func (l *loadedPart) finish() error {
	if err := l.bulk.Finish(); err != nil {
		return err
	}
	m := l.t.svc.Pool.Begin()
	defer m.Commit()
	return l.t.raiseAuto(m, l.auto)
}

// buildIndex loads the trees of the n-th index, part by part, in key order. Nobody changes the
// table, and each row has one version, so nothing is judged as in BuildIndex.
func (l *Loader) buildIndex(ctx context.Context, s *sorter, n int) error {
	var at *builtPart
	rows := 0
	err := s.each(func(key []byte) error {
		if rows++; rows%1024 == 0 && ctx.Err() != nil {
			return base.ErrInterrupted
		}
		part := int(binary.BigEndian.Uint16(key))
		if at == nil || at.part != part {
			if err := at.finish(); err != nil {
				return err
			}
			t := l.parts[part].t
			at = &builtPart{t: t, part: part, ix: t.indexes[n], bulk: t.indexes[n].tree.NewBulk(0)}
		}
		return at.add(key[partBytes:])
	})
	if err != nil {
		return err
	}
	return at.finish()
}

// builtPart is the tree of a secondary index that is being loaded.
type builtPart struct {
	t    *Table
	part int
	ix   *index
	bulk *btree.Bulk
	last []byte // entry of a unique index
}

func (b *builtPart) add(entry []byte) error {
	if b.ix.unique {
		rest, err := b.t.splitEntry(b.ix, entry)
		if err != nil {
			return err
		}
		key := entry[:len(entry)-len(rest)]
		if b.last != nil && bytes.HasPrefix(b.last, key) {
			if err := b.duplicate(key, b.last[len(key):]); err != nil {
				return err
			}
		}
		b.last = append(b.last[:0], entry...)
	}
	return b.bulk.Add(entry, []byte{0})
}

func (b *builtPart) finish() error {
	if b == nil {
		return nil
	}
	return b.bulk.Finish()
}

// duplicate is the error of a second row with that key, unless the key has a NULL. other is the
// clustered key of the first row.
func (b *builtPart) duplicate(key, other []byte) error {
	t, ix := b.t, b.ix
	null, err := row.HasNull(key, t.cols, ix.parts)
	if null || err != nil {
		return err
	}
	value, ok, err := t.fetch(nil, other)
	if err != nil || !ok {
		return errors.Join(err, t.corrupt("entry %x of index %s has no row", key, ix.def.Name))
	}
	vals, err := t.decodeOwned(other, value)
	if err != nil {
		return err
	}
	return &DuplicateError{Table: t.told, Index: ix.def, Row: vals}
}
