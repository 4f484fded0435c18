package table

import (
	"context"

	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/internal/vfs"
)

// Loader fills a table that nobody else knows yet: a rewrite by ALTER TABLE. Rows are written without locks and undo, as versions that everybody sees;
// they become known with the definition, and go with the tablespace when it never does.
type Loader struct {
	t    *Table
	tx   *txn.Trx // owner of long values and of the index builds
	fs   vfs.FS
	tmp  string
	rows int64
}

// NewLoader starts a load; sort runs go to the folder tmp.
func (t *Table) NewLoader(tx *txn.Trx, fs vfs.FS, tmp string) (*Loader, error) {
	if _, err := tx.EnsureID(); err != nil {
		return nil, err
	}
	return &Loader{t: t, tx: tx, fs: fs, tmp: tmp}, nil
}

// Add adds a row to the clustered index; *DuplicateError.
func (l *Loader) Add(ctx context.Context, vals []row.Value) error {
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
		err = t.writeChains(l.tx, w, vals)
	}
	if err != nil {
		return err
	}
	w.record = t.layout.Append(appendHeader(w.record[:0], header{}), vals, w.over)
	m, cur, err := t.clustered().tree.SeekWrite(w.key, len(w.key)+len(w.record))
	if err != nil {
		return err
	}
	if cur.Exact(w.key) {
		w.old = append(w.old[:0], cur.Value()...)
		m.Commit()
		de := &DuplicateError{Table: t.def, Index: t.clustered().def}
		if de.Row, err = t.decodeOwned(w.key, w.old); err != nil {
			return err
		}
		return de
	}
	defer m.Commit()
	if err := t.raiseAuto(m, t.autoNext(vals)); err != nil {
		return err
	}
	cur.Insert(w.key, w.record)
	l.rows++
	return nil
}

// Finish builds the secondary indexes; *DuplicateError.
func (l *Loader) Finish(ctx context.Context) error {
	for _, ix := range l.t.indexes[1:] {
		if err := l.t.BuildIndex(ctx, l.tx, ix.def, l.fs, l.tmp); err != nil {
			return err
		}
	}
	return nil
}
