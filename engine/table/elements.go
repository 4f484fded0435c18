package table

import (
	"bytes"
	"context"
	"fmt"

	"emberdb/engine/lock"
	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// listed is the column of a key that lists elements, -1 if none does.
func listed(cols []row.Column, parts []row.KeyPart) int {
	for _, p := range parts {
		if cols[p.Column].Elements != 0 {
			return p.Column
		}
	}
	return -1
}

// elements goes through the entries of a row in an index.
type elements struct {
	part []byte // of the key, the element's; nil where a row has one entry
	rest []byte
	once bool
}

// next comes to the next entry.
func (e *elements) next() (ok bool) {
	if e.once {
		e.once = false
		return true
	}
	e.part, e.rest, ok = row.NextElement(e.rest)
	return ok
}

// elementsIn are those of the column's value.
func elementsIn(v row.Value) elements {
	if v.IsNull() {
		return elements{part: row.NullPart(), once: true}
	}
	return elements{rest: v.B}
}

// elements are those of a row of values.
func (ix *index) elements(vals []row.Value) elements {
	if ix.list < 0 {
		return elements{once: true}
	}
	return elementsIn(vals[ix.list])
}

// elementsOf are those of row bytes, which may stand in overflow pages: with ErrNotFound if they are
// freed.
func (t *Table) elementsOf(w *walk, ix *index, rowBytes []byte) (elements, error) {
	if ix.list < 0 {
		return elements{once: true}, nil
	}
	v, over := t.layout.Column(rowBytes, ix.list)
	if over {
		long, err := t.readChainBeside(w.m, nil, row.ParseOverflow(ix.list, v.B))
		if err != nil {
			return elements{}, err
		}
		v.B = long
	}
	return elementsIn(v), nil
}

// entryKeys are all keys of index ix for a row.
func (t *Table) entryKeys(w *walk, ix *index, rowBytes, clusteredKey []byte) (out [][]byte, err error) {
	e, err := t.elementsOf(w, ix, rowBytes)
	for err == nil && e.next() {
		var key []byte
		if key, err = t.entryKey(nil, w, ix, rowBytes, e.part, clusteredKey); err == nil {
			out = append(out, key)
		}
	}
	return out, err
}

// appendKey appends the key of an entry without the clustered key.
func (t *Table) appendKey(dst []byte, ix *index, vals []row.Value, element []byte) []byte {
	if ix.list < 0 {
		return row.AppendKey(dst, t.cols, ix.parts, vals)
	}
	for _, p := range ix.parts {
		if p.Column == ix.list {
			dst = append(dst, element...)
		} else {
			dst = row.AppendKeyPart(dst, t.cols[p.Column], p, vals[p.Column])
		}
	}
	return dst
}

// element is the part of an entry's key that is one of a row's elements.
func (t *Table) element(ix *index, entry []byte) ([]byte, error) {
	for _, p := range ix.parts {
		rest, err := row.SkipKeyPart(entry, t.cols[p.Column], p)
		if err != nil {
			return nil, t.corrupt("key %x of index %s: %v", entry, ix.def.Name, err)
		}
		if p.Column == ix.list {
			return entry[:len(entry)-len(rest)], nil
		}
		entry = rest
	}
	return nil, t.corrupt("index %s has no elements", ix.def.Name)
}

// elementIn returns the element of an entry, and whether a row has it.
func (t *Table) elementIn(w *walk, ix *index, rowBytes, entry []byte) (part []byte, has bool, err error) {
	if part, err = t.element(ix, entry); err != nil {
		return nil, false, err
	}
	e, err := t.elementsOf(w, ix, rowBytes)
	if e.once {
		return part, bytes.Equal(part, e.part), err
	}
	return part, row.HasElement(e.rest, part), err
}

// eachChange calls fn with the entries of row w.key in a multi-valued index that the values have and
// others do not have. entry is w.entry.
func (t *Table) eachChange(w *work, ix *index, vals, others []row.Value, fn func(entry []byte)) {
	alike := true // but for the elements
	for _, p := range ix.parts {
		alike = alike && (p.Column == ix.list || vals[p.Column].Same(others[p.Column]))
	}
	for e := ix.elements(vals); e.next(); {
		if alike && hasPart(others[ix.list], e.part) {
			continue
		}
		w.entry = append(t.appendKey(w.entry[:0], ix, vals, e.part), w.key...)
		fn(w.entry)
	}
}

func hasPart(v row.Value, part []byte) bool {
	if v.IsNull() {
		return bytes.Equal(part, row.NullPart())
	}
	return row.HasElement(v.B, part)
}

// appendGone appends the keys to keys that row w.key loses in a multi-valued index by getting new
// values, and returns their number.
func (t *Table) appendGone(w *work, ix *index, new []row.Value, keys *[]byte) (count int, err error) {
	t.eachChange(w, ix, w.vals, new, func(entry []byte) {
		*keys = appendKey(*keys, ix.def.ID, entry)
		count++
	})
	t.eachChange(w, ix, new, w.vals, func(entry []byte) {
		if len(entry) > maxEntry {
			err = fmt.Errorf("index %s of table %s.%s: %w", ix.def.Name, t.told.Schema, t.told.Name, base.ErrKeyTooLong)
		}
	})
	if len(*keys) > maxGone && err == nil {
		err = fmt.Errorf("index %s of table %s.%s: %w", ix.def.Name, t.told.Schema, t.told.Name, base.ErrRowTooBig)
	}
	return count, err
}

// maxGone is how many bytes of keys a row may lose in an index by one change.
const maxGone = 64 << 10

// updateList moves the row's entries in a multi-valued index. w.vals is the old row.
func (t *Table) updateList(ctx context.Context, tx *txn.Trx, w *work, ix *index, new []row.Value) (err error) {
	t.eachChange(w, ix, w.vals, new, func(entry []byte) {
		if err == nil {
			err = t.markEntry(ctx, tx, ix, entry)
		}
	})
	t.eachChange(w, ix, new, w.vals, func(entry []byte) {
		if err == nil {
			err = t.addEntry(ctx, tx, w, ix, entry, lock.S)
		}
	})
	return err
}
