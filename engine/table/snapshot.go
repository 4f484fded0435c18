package table

import (
	"bytes"
	"context"
	"errors"
	"io"

	"emberdb/engine/btree"
	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// Consistent reads. Records are copied out of the leaves in batches under their shared latches;
// older versions, rows behind entries and long values are looked up later, without any latch. The
// first batch is small, for those who want one row.

// item is a record in the arena.
type item struct {
	key, value, end uint32 // where they start; the end of the value
	settled         bool   // secondary: all that was written to the page is visible, so the mark tells
}

const (
	firstBatch = 8
	maxBatch   = 256
	batchBytes = 64 << 10
	maxSkipped = 4096 // records looked at for one batch, at most

	// maxAttempts bounds how often a row is looked at again because its versions changed while they
	// were read. Each time somebody else got on.
	maxAttempts = 10_000
)

func (s *Scan) nextVisible(ctx context.Context) ([]row.Value, error) {
	for {
		for s.at < len(s.items) {
			it := s.items[s.at]
			s.at++
			vals, err := s.show(it)
			if err != nil && s.t.tolerates(err) {
				continue
			}
			if vals != nil || err != nil {
				return vals, err
			}
		}
		if s.done {
			return nil, io.EOF
		}
		if err := interrupted(ctx); err != nil {
			return nil, err
		}
		if err := s.fill(); err != nil {
			return nil, err
		}
	}
}

// fill copies the next records of the range, and passes damage over if it is tolerated.
func (s *Scan) fill() error {
	err := s.copyBatch()
	if err == nil || s.o.Reverse || !s.t.tolerates(err) {
		return err
	}
	from := s.lo
	if bytes.Compare(s.seen, from) > 0 {
		from = s.seen
	}
	bound, err := s.ix.tree.Beyond(from)
	if err != nil {
		return err
	}
	s.lo, s.limit = bound, 0 // begins anew there
	s.done = bound == nil
	return nil
}

// tolerates tells whether an error is damage that is passed over.
func (t *Table) tolerates(err error) bool {
	if t.svc.OnDamage == nil || !errors.Is(err, base.ErrCorrupt) {
		return false
	}
	t.svc.OnDamage(t.def, err)
	return true
}

func (s *Scan) copyBatch() (err error) {
	m := s.t.svc.Pool.BeginRead()
	defer m.Commit()
	s.arena, s.items, s.at = s.arena[:0], s.items[:0], 0
	var cur btree.Cursor
	if s.limit == 0 {
		s.limit = firstBatch
		cur, err = s.seek(m)
	} else {
		s.limit = min(s.limit*4, maxBatch)
		cur, _, err = s.resume(m, false)
	}
	up := base.TrxID(0) // READ UNCOMMITTED sees changes before their entries are there: it always looks at the row
	if s.tx.Isolation() != txn.ReadUncommitted {
		up = s.h.view.UpLimit()
	}
	for seen := 1; ; seen++ {
		if err != nil {
			return err
		}
		if !s.inside(&cur) {
			s.done = true
			return nil
		}
		if s.t.svc.OnDamage != nil {
			s.seen = append(s.seen[:0], cur.Key()...)
		}
		value := cur.Value()
		it := item{key: uint32(len(s.arena))}
		skip := false
		if s.ix.pos > 0 {
			it.settled = writerOf(&cur) < up
			skip = it.settled && value[0]&flagDeleted != 0
		} else {
			h := parseHeader(value)
			skip = h.deleted() && h.trx < up
		}
		if !skip {
			s.arena = append(s.arena, cur.Key()...)
			it.value = uint32(len(s.arena))
			s.arena = append(s.arena, value...)
			it.end = uint32(len(s.arena))
			s.items = append(s.items, it)
		}
		if s.point && s.ix.pos == 0 {
			s.done = true
			return nil
		}
		if len(s.items) >= s.limit || len(s.arena) >= batchBytes || seen >= maxSkipped {
			cur.Save(&s.pos)
			return nil
		}
		err = s.step(&cur)
	}
}

// show returns the row of an item as the transaction may see it, nil if it may not see one.
func (s *Scan) show(it item) ([]row.Value, error) {
	key, value := s.arena[it.key:it.value:it.value], s.arena[it.value:it.end:it.end]
	if s.ix.pos == 0 {
		return s.showRow(key, value, nil)
	}
	if it.settled && s.covering {
		return s.decodeEntry(key)
	}
	clusteredKey, err := s.t.splitEntry(s.ix, key)
	if err != nil {
		return nil, err
	}
	value, ok, err := s.t.fetch(s.value, clusteredKey)
	s.value = value
	if err != nil || !ok {
		return nil, err
	}
	if it.settled {
		key = nil
	}
	return s.showRow(clusteredKey, value, key)
}

// showRow returns the visible version of a row. With an entry it must be one that produces it.
func (s *Scan) showRow(key, value, entry []byte) ([]row.Value, error) {
	for range maxAttempts {
		vals, err := s.showVersion(newVersion(value), key, entry)
		if !errors.Is(err, base.ErrNotFound) {
			return vals, err
		}
		// The version was undone between the look at the row and the look at its undo.
		var ok bool
		value, ok, err = s.t.fetch(s.value, key)
		s.value = value
		if err != nil || !ok {
			return nil, err
		}
	}
	return nil, s.t.corrupt("the versions of row %x cannot be read", key)
}

func (s *Scan) showVersion(v version, key, entry []byte) ([]row.Value, error) {
	if ok, err := s.sees(&v, key, entry); !ok || err != nil {
		return nil, err
	}
	return s.decode(v.row, key)
}

// sees goes back to the version that is visible; false: there is none, or it is deleted. With an
// entry it must be one that produces it.
func (s *Scan) sees(v *version, key, entry []byte) (bool, error) {
	if v.trx != s.h.own && v.trx < s.h.view.UpLimit() {
		if v.deleted() {
			return false, nil
		}
	} else {
		if s.o.Target && v.trx == s.h.own && s.h.own != 0 {
			late, err := s.t.changedSince(&s.h, &s.walk, v)
			if late || err != nil {
				return false, err
			}
		}
		if ok, err := s.t.visible(&s.h, &s.walk, v); !ok || err != nil {
			return false, err
		}
	}
	if entry == nil {
		return true, nil
	}
	return s.t.produces(&s.walk, s.ix, v, entry, key)
}
