package table

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// Uniqueness of an index that is being built. Writers are refused nothing for its sake: it is the
// build that fails. A key is doubtful when it may have come to two rows and one of their writers is
// still at work, or when a writer gave it to a row while another one had it.
//
//	writer      notes the key as doubtful when it finds it with another row; the builder may not have come to that row's entry yet
//	builder     looks for equal neighbours when all entries are there: two rows whose writers have ended are duplicates, others doubtful
//	at the end  nobody is at work with the table: doubtful keys are decided (CheckDoubtful)

// doubtful are the keys of one index.
type doubtful struct {
	mu   sync.Mutex
	keys map[string]struct{}
}

func (d *doubtful) add(key []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.keys == nil {
		d.keys = make(map[string]struct{})
	}
	d.keys[string(key)] = struct{}{}
}

func (d *doubtful) sorted() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Sorted(maps.Keys(d.keys))
}

// holder tells whether a row has the key of an entry.
type holder uint8

const (
	holdsNot holder = iota
	holds           // its last writer has ended, or is tx
	mayHold         // its last writer is at work
)

// holder looks at the row of an entry whose key is as long as prefix, without locks. A row that
// holds it is in w.found.
func (t *Table) holder(tx *txn.Trx, w *work, ix *index, entry []byte, prefix int) (holder, error) {
	key := entry[prefix:]
	for {
		value, state, ok, err := t.fetchState(w.found, key)
		w.found = value
		if err != nil || !ok {
			return holdsNot, err
		}
		v := newVersion(value)
		if v.trx != tx.ID() {
			switch state {
			case txn.Aborted:
				if err := t.restore(v.header); err != nil {
					return holdsNot, err
				}
				continue
			case txn.Active:
				return mayHold, nil
			}
		}
		yes, err := t.produces(&w.walk, ix, &v, entry, key)
		if err != nil || !yes {
			return holdsNot, err
		}
		return holds, nil
	}
}

// noteDoubtful notes the key of entry, the future entry of row w.key, if another row may have it.
// REQUIRES: the key's stripe is held, no latch.
func (t *Table) noteDoubtful(tx *txn.Trx, w *work, ix *index, entry []byte) error {
	prefix := entry[:len(entry)-len(w.key)]
	return t.eachEqual(tx, w, ix, prefix, func(other []byte, h holder) (more bool, err error) {
		if h == holdsNot || string(other[len(prefix):]) == string(w.key) {
			return true, nil
		}
		ix.doubtful.add(prefix)
		return false, nil
	})
}

// eachEqual calls fn with the entries of a key, and with what is known of their rows, until it has
// enough.
func (t *Table) eachEqual(tx *txn.Trx, w *work, ix *index, prefix []byte, fn func(entry []byte, h holder) (more bool, err error)) error {
	for from := prefix; ; {
		entry, ok, err := t.nextEqual(w, ix, from, prefix)
		if err != nil || !ok {
			return err
		}
		h, err := t.holder(tx, w, ix, entry, len(prefix))
		if err != nil {
			return err
		}
		if more, err := fn(entry, h); err != nil || !more {
			return err
		}
		from = append(entry, 0) // the smallest key behind it
	}
}

// decide gives the *DuplicateError of two rows that have a key: it tells the first, as MySQL does.
// sure is false if one may have it whose writer is at work.
// REQUIRES: as for noteDoubtful.
func (t *Table) decide(tx *txn.Trx, w *work, ix *index, prefix []byte) (sure bool, err error) {
	var first *DuplicateError
	sure = true
	err = t.eachEqual(tx, w, ix, prefix, func(entry []byte, h holder) (more bool, err error) {
		switch {
		case h == mayHold:
			sure = false
		case h == holds && first != nil:
			return false, first
		case h == holds:
			first, err = t.duplicateOf(ix, entry[len(prefix):], w.found)
		}
		return true, err
	})
	return sure, err
}

// duplicateOf is the error that tells a row; nil if its long values are gone, and it with them.
func (t *Table) duplicateOf(ix *index, key, value []byte) (*DuplicateError, error) {
	vals, err := t.decodeOwned(key, value)
	if err != nil {
		return nil, ignore(err, base.ErrNotFound)
	}
	return &DuplicateError{Table: t.told, Index: ix.def, Row: vals}, nil
}

// judgeKey decides about a key, or notes that it is doubtful.
func (t *Table) judgeKey(tx *txn.Trx, w *work, ix *index, prefix []byte) error {
	if null, err := row.HasNull(prefix, t.cols, ix.parts); null || err != nil {
		return err
	}
	stripe := t.svc.uniqueStripe(ix.def.ID, prefix)
	stripe.Lock()
	defer stripe.Unlock()
	sure, err := t.decide(tx, w, ix, prefix)
	if err == nil && !sure {
		ix.doubtful.add(prefix)
	}
	return err
}

// CheckDoubtful ends the build of a unique index: *DuplicateError when two rows have a key.
// REQUIRES: nobody but tx is at work with the table.
func (t *Table) CheckDoubtful(tx *txn.Trx, idx *catalog.Index) error {
	ix, err := t.indexOf(idx)
	if err != nil || ix.doubtful == nil {
		return err
	}
	w := getWork()
	defer w.put()
	for _, key := range ix.doubtful.sorted() {
		sure, err := t.decide(tx, w, ix, []byte(key))
		if err != nil {
			return err
		}
		if !sure {
			return fmt.Errorf("index %s of table %s.%s: a row has an unfinished writer at the end of the build", ix.def.Name, t.told.Schema, t.told.Name)
		}
	}
	return nil
}
