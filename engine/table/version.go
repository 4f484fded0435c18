package table

import (
	"bytes"
	"errors"

	"emberdb/engine/buffer"
	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// version is one version of a row. row aliases the copy of the clustered value, or a buffer of the
// walk.
type version struct {
	header
	row []byte
}

func newVersion(value []byte) version { return version{parseHeader(value), value[headerLen:]} }

// walk is the memory of a walk from a version to older ones.
type walk struct {
	rec  txn.UndoRecord
	bufs [2][]byte
	at   int
	key  []byte
	long []byte
	m    *buffer.Mtr // not nil: holds the row's leaf exclusively, so that no page may be waited for
}

// older replaces v by the version before it. ok is false when there is none: v is how the row
// began. base.ErrNotFound: the undo record is gone. Either v was undone meanwhile, or what was
// before it is purged.
func (t *Table) older(w *walk, v *version) (ok bool, err error) {
	if v.ptr == 0 {
		return false, nil
	}
	if err := t.svc.Txns.ReadUndo(v.ptr, v.trx, &w.rec); err != nil {
		return false, err
	}
	if w.rec.Type == txn.UndoInsert {
		return false, nil
	}
	b, err := t.parseBody(&w.rec)
	if err != nil {
		return false, err
	}
	w.at ^= 1
	before, ok := row.ApplyPatch(w.bufs[w.at][:0], v.row, b.prefix, b.suffix, b.middle)
	w.bufs[w.at] = before
	if !ok {
		return false, t.corrupt("undo record %d:%d does not fit its row", w.rec.Ptr.Page(), w.rec.Ptr.Offset())
	}
	v.header = header{b.flags, w.rec.PrevTrx, w.rec.PrevPtr}
	v.row = before
	return true, nil
}

// horizon is what a consistent read may see.
type horizon struct {
	view *txn.ReadView
	own  base.TrxID // 0: the transaction has changed nothing yet
	mark txn.Mark   // changes of its own from here on belong to the current statement
	all  bool       // its own changes count all
}

// visible walks v back to the version h may see; false: there is none, or it is deleted.
// base.ErrNotFound: look at the row again.
func (t *Table) visible(h *horizon, w *walk, v *version) (bool, error) {
	for {
		if v.trx == h.own && h.own != 0 {
			late, err := t.changedSince(h, w, v)
			if err != nil {
				return false, err
			}
			if !late {
				return !v.deleted(), nil
			}
		} else if h.view.Sees(v.trx) {
			return !v.deleted(), nil
		}
		if ok, err := t.older(w, v); !ok || err != nil {
			return false, err
		}
	}
}

// changedSince tells whether v, a version of the reader's own, was made by its current statement.
func (t *Table) changedSince(h *horizon, w *walk, v *version) (bool, error) {
	if h.all {
		return false, nil
	}
	if err := t.svc.Txns.ReadUndo(v.ptr, v.trx, &w.rec); err != nil {
		return false, err
	}
	return w.rec.No >= uint64(h.mark), nil
}

// fetch copies the clustered value with that key into dst. The error of a value that is no row is
// reported here, so all who use it may rely on its shape.
func (t *Table) fetch(dst, key []byte) (value []byte, ok bool, err error) {
	m := t.svc.Pool.BeginRead()
	defer m.Commit()
	cur, err := t.clustered().tree.Seek(m, key, buffer.Shared)
	if err != nil || !cur.Exact(key) {
		return dst, false, err
	}
	dst = append(dst[:0], cur.Value()...)
	return dst, true, t.checkValue(dst)
}

// entryKey builds a key of index ix for a row: that of an element, of a multi-valued index. Values
// that stand in overflow pages are read: with ErrNotFound if they are freed.
func (t *Table) entryKey(dst []byte, w *walk, ix *index, rowBytes, element, clusteredKey []byte) ([]byte, error) {
	for _, p := range ix.parts {
		if p.Column == ix.list {
			dst = append(dst, element...)
			continue
		}
		v, over := t.layout.Column(rowBytes, p.Column)
		if over {
			long, err := t.readChainBeside(w.m, w.long[:0], row.ParseOverflow(p.Column, v.B))
			if w.long = long; err != nil {
				return dst, err
			}
			v.B = long
		}
		dst = row.AppendKeyPart(dst, t.cols[p.Column], p, v)
	}
	return append(dst, clusteredKey...), nil
}

// produces tells whether v is a row with this entry in ix. A version whose long values are freed is
// nobody's any more.
func (t *Table) produces(w *walk, ix *index, v *version, entry, clusteredKey []byte) (bool, error) {
	if v.deleted() {
		return false, nil
	}
	var element []byte
	var err error
	if ix.list >= 0 {
		var has bool
		if element, has, err = t.elementIn(w, ix, v.row, entry); !has && err == nil {
			return false, nil
		}
	}
	key := w.key[:0]
	if err == nil {
		key, err = t.entryKey(key, w, ix, v.row, element, clusteredKey)
		w.key = key
	}
	if errors.Is(err, base.ErrNotFound) {
		return false, nil
	}
	return bytes.Equal(key, entry), err
}

// splitEntry returns the clustered key at the end of a secondary key.
func (t *Table) splitEntry(ix *index, entry []byte) (clusteredKey []byte, err error) {
	rest, err := row.SkipKey(entry, t.cols, ix.parts)
	if err != nil {
		return nil, t.corrupt("key %x of index %s: %v", entry, ix.def.Name, err)
	}
	return rest, nil
}
