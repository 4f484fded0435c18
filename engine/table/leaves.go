package table

import (
	"context"
	"errors"
	"io"
	"time"

	"emberdb/engine/btree"
	"emberdb/engine/buffer"
	"emberdb/engine/row"
	"emberdb/internal/base"
)

// Rows of whole leaves, for those who read many. A leaf is copied under its shared latch, as a
// whole. All else happens in the copy, without a latch: rows whose last writer everybody sees stand
// there as they are to be read; of the others the visible version is looked up.

// Rows are versions of rows that a scan may see, as row bytes of the table's layout.
type Rows struct {
	Bytes [][]byte
	long  map[*byte][]row.Value
}

// HasLong tells whether some values stand outside their rows.
func (r *Rows) HasLong() bool { return r.long != nil }

// Long returns a value that stands outside a row. ok is false where the value is in the row.
func (r *Rows) Long(rowBytes []byte, col int) (b []byte, ok bool) {
	vals := r.long[&rowBytes[0]]
	if vals == nil {
		return nil, false
	}
	return vals[col].B, true
}

// leaves is where a scan of whole leaves stands.
type leaves struct {
	copies   []*btree.Leaf // those that the rows at hand alias; the last one is read
	at, end  int           // slots of the last one that are still to be read
	most     int           // how many leaves the next batch may have
	variable []int         // columns that may overflow
	rows     Rows
	mem      []byte // bytes of versions that are not in a copy
	held     int    // bytes of values outside the rows at hand
}

// mostHeld is from how many bytes on of values outside their rows a batch gets no more rows.
const mostHeld = 4 << 20

// mostLeaves bounds the memory of a batch: 16 KiB each.
const mostLeaves = 16

// Whole tells whether NextRows serves the scan.
func (s *Scan) Whole() bool {
	return s.t.parts == nil && s.o.Lock == None && !s.o.Reverse && (s.o.Index == nil || s.o.Index.Clustered) && s.t.svc.OnDamage == nil
}

// Layout is that of the bytes of Rows.
func (t *Table) Layout() *row.Layout { return t.layout }

// NextRows returns the next rows, at most so many, and io.EOF at the end. They belong to the scan
// and are valid until the next call. The first ones come from one leaf, for those who want a few.
// REQUIRES: Whole; no call of Next.
func (s *Scan) NextRows(ctx context.Context, most int) (*Rows, error) {
	s.call = ctx
	if !s.begun {
		if err := s.begin(ctx); err != nil {
			return nil, err
		}
		s.leaves.variable = s.t.layout.Variable(s.cols)
	}
	s.h.own = s.tx.ID()
	s.h.all = s.o.Fresh || s.tx.Savepoint() <= s.h.mark
	start := time.Now()
	l := &s.leaves
	l.begin(s.o.Room)
	for len(l.rows.Bytes) < most && l.held < mostHeld {
		if l.at < l.end {
			if err := s.takeRows(most); err != nil {
				return nil, err
			}
			continue
		}
		if s.done || len(l.copies) == l.most && len(l.rows.Bytes) > 0 {
			break
		}
		if err := interrupted(ctx); err != nil {
			return nil, err
		}
		if err := s.nextLeaf(); err != nil {
			return nil, err
		}
	}
	n := len(l.rows.Bytes)
	s.calls, s.rows = s.calls+max(n, 1), s.rows+n
	if s.tx.Counts != nil {
		s.usedFor().took(Fetch, start)
	}
	if n == 0 {
		return nil, io.EOF
	}
	return &l.rows, nil
}

// begin starts a batch. A leaf that is not read to its end is kept.
func (l *leaves) begin(room func(int) bool) {
	l.rows.Bytes, l.rows.long, l.mem, l.held = l.rows.Bytes[:0], nil, l.mem[:0], 0
	more := min(max(4*l.most, 1), mostLeaves) - l.most
	if more > 0 && (l.most == 0 || room == nil || room(more*base.PageSize)) {
		l.most += more
	}
	if n := len(l.copies); n > 0 && l.at < l.end {
		l.copies[0], l.copies[n-1] = l.copies[n-1], l.copies[0]
		l.copies = l.copies[:1]
	} else {
		l.copies = l.copies[:0]
	}
}

// next is the copy for another leaf.
func (l *leaves) next() *btree.Leaf {
	if n := len(l.copies); n == l.most { // no row of them is wanted
		l.copies = l.copies[:n-1]
	}
	if n := len(l.copies); n < cap(l.copies) && l.copies[:n+1][n] != nil {
		l.copies = l.copies[:n+1]
	} else {
		l.copies = append(l.copies, new(btree.Leaf))
	}
	return l.copies[len(l.copies)-1]
}

// nextLeaf copies the next leaf of the range.
func (s *Scan) nextLeaf() (err error) {
	m := s.t.svc.Pool.BeginRead()
	defer m.Commit()
	var cur btree.Cursor
	if s.limit == 0 {
		s.limit = maxBatch
		cur, err = s.ix.tree.Seek(m, s.lo, buffer.Shared)
	} else {
		cur, _, err = s.resume(m, false)
	}
	if err != nil {
		return err
	}
	if !cur.Valid() {
		s.done = true
		return nil
	}
	l := &s.leaves
	leaf := l.next()
	cur.CopyLeaf(leaf)
	count := leaf.Count()
	if l.at, l.end = cur.Slot(), count; s.hi != nil {
		l.end = leaf.Search(s.hi)
		s.done = l.end < count
	}
	cur.To(count - 1)
	cur.Save(&s.pos)
	return nil
}

// takeRows adds the rows of the last leaf to the batch, as far as they fit.
func (s *Scan) takeRows(most int) error {
	l := &s.leaves
	leaf, up := l.copies[len(l.copies)-1], s.h.view.UpLimit()
	for ; l.at < l.end && len(l.rows.Bytes) < most && l.held < mostHeld; l.at++ {
		value := leaf.Value(l.at)
		h := parseHeader(value)
		if h.trx < up && h.trx != s.h.own {
			if h.deleted() {
				continue
			}
			if rowBytes := value[headerLen:]; !s.t.layout.Overflows(rowBytes, l.variable) {
				l.rows.Bytes = append(l.rows.Bytes, rowBytes)
				continue
			}
		}
		if err := s.takeVersion(leaf.Key(l.at), value, nil); err != nil {
			return err
		}
	}
	return nil
}

// takeVersion adds the visible version of a row, if there is one. With an entry it must be one that
// produces it.
func (s *Scan) takeVersion(key, value, entry []byte) error {
	for range maxAttempts {
		v := newVersion(value)
		ok, err := s.sees(&v, key, entry)
		if err == nil && ok {
			err = s.keepVersion(v.row)
		}
		if !errors.Is(err, base.ErrNotFound) {
			return err
		}
		// The version was undone between the look at the row and the look at its undo.
		value, ok, err = s.t.fetch(s.value, key)
		s.value = value
		if err != nil || !ok {
			return err
		}
	}
	return s.t.corrupt("the versions of row %x cannot be read", key)
}

// keepVersion adds a version. Its bytes, and values outside it, become the batch's.
func (s *Scan) keepVersion(rowBytes []byte) error {
	l := &s.leaves
	var vals []row.Value
	if s.t.layout.Overflows(rowBytes, l.variable) {
		if err := s.decodeLong(rowBytes, s.cols); err != nil {
			return err
		}
		vals = append(vals, s.vals...)
		l.held += len(s.mem)
		s.mem = nil // the values are there
	}
	from := len(l.mem)
	l.mem = append(l.mem, rowBytes...)
	kept := l.mem[from:len(l.mem):len(l.mem)]
	if vals != nil {
		for _, i := range l.variable {
			if v, over := s.t.layout.Column(kept, i); !over {
				vals[i] = v
			}
		}
		if l.rows.long == nil {
			l.rows.long = make(map[*byte][]row.Value)
		}
		l.rows.long[&kept[0]] = vals
	}
	l.rows.Bytes = append(l.rows.Bytes, kept)
	return nil
}
