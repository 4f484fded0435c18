package table

import (
	"bytes"

	"emberdb/engine/btree"
	"emberdb/engine/buffer"
	"emberdb/engine/catalog"
	"emberdb/engine/row"
)

const (
	distinctPlaces  = 16  // of a large index, where Distinct reads entries
	distinctEntries = 256 // at each of them; an index of no more than all these is read whole
)

// Distinct is about how many values the first column of an index has, the first two, and so on:
// exact for a small index, else reckoned from entries at some places. Entries that only older
// versions need count as well.
func (t *Table) Distinct(idx *catalog.Index) ([]float64, error) {
	ix, err := t.indexOf(idx)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(ix.parts))
	for _, p := range t.parts {
		of, err := p.Distinct(p.indexes[ix.pos].def)
		if err != nil {
			return nil, err
		}
		for i := range out { // a value may be in several parts, a key that begins with those of the partition is in one
			out[i] = max(out[i], of[i])
		}
	}
	if t.parts != nil {
		return out, nil
	}
	total, err := ix.tree.Estimate(nil, nil)
	if err != nil || total < 1 {
		return out, err
	}
	w := distinctWalk{t: t, ix: ix, changes: make([]float64, len(out)), values: make([]float64, len(out)), ends: make([]int, len(out))}
	starts, each := [][]byte{nil}, distinctPlaces*distinctEntries
	if total > float64(each) {
		keys, err := ix.tree.Separators(distinctPlaces)
		if err != nil {
			return nil, err
		}
		for i := 1; i < distinctPlaces && len(keys) >= distinctPlaces; i++ {
			starts = append(starts, keys[i*len(keys)/distinctPlaces])
		}
		each = distinctEntries
	}
	for _, from := range starts {
		if err := w.read(from, each); err != nil {
			return nil, err
		}
	}
	for i := range out {
		if out[i] = w.values[i]; !w.whole && w.pairs > 0 {
			out[i] = max(out[i], 1+w.changes[i]/w.pairs*(total-1))
		}
	}
	return out, nil
}

// distinctWalk counts how often leading columns change from one entry to the next.
type distinctWalk struct {
	t       *Table
	ix      *index
	pairs   float64   // of neighbours
	changes []float64 // among these, by number of columns
	values  []float64 // that were seen, by number of columns
	last    []byte
	ends    []int // in last, by number of columns
	whole   bool  // one walk was from the first entry to the last
}

// read walks over entries from a key on.
func (w *distinctWalk) read(from []byte, most int) error {
	m := w.t.svc.Pool.BeginRead()
	defer m.Commit()
	c, err := w.ix.tree.Seek(m, from, buffer.Shared)
	for n := 0; err == nil && c.Valid(); n++ {
		if n == most {
			return nil
		}
		if err = w.look(&c, n > 0); err == nil {
			err = c.Next()
		}
	}
	w.whole = w.whole || from == nil
	return err
}

// look takes the entry at the cursor; beside tells that it is the neighbour of the last one.
func (w *distinctWalk) look(c *btree.Cursor, beside bool) error {
	key := c.Key()
	rest, at, changed := key, 0, w.last == nil
	if beside {
		w.pairs++
	}
	for i, p := range w.ix.parts {
		var err error
		if rest, err = row.SkipKeyPart(rest, w.t.def.Columns[p.Column].Column, p); err != nil {
			return err
		}
		end := len(key) - len(rest)
		changed = changed || !bytes.Equal(key[at:end], w.last[min(at, len(w.last)):min(w.ends[i], len(w.last))])
		if changed {
			w.values[i]++
			if beside {
				w.changes[i]++
			}
		}
		w.ends[i], at = end, end
	}
	w.last = append(w.last[:0], key...)
	return nil
}
