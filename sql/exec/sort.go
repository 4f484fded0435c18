package exec

import (
	"bytes"
	"encoding/binary"
	"slices"

	"emberdb/engine/txn"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// Sort orders rows. With Most at least zero it keeps the first so many alone.
//
// Once it may hold no more, the rows at hand are ordered and become a run in the scratch file, with
// their keys. The runs are merged (merge.go).
type Sort struct {
	In   Op
	Keys []fn.Expr
	Desc []bool
	Most int64 // below zero: all

	rows   store
	keys   []sortKey
	arena  []byte
	sorted bool
	at     int
	list   []int32
	g      gatherer
	bound  []byte // keys from it on are not among the first
	runs   []*spool
	merge  *merger
	narrow narrow
}

// sortKey is the key of a kept row. head is its first bytes.
type sortKey struct {
	head uint64
	key  []byte
	row  int32
}

// IDs implements Op.
func (s *Sort) IDs() []int { return s.In.IDs() }

// Open implements Op.
func (s *Sort) Open(c *Ctx) error {
	s.drop(c)
	s.narrow.begin(s.Keys...)
	return s.In.Open(c)
}

// Close implements Op.
func (s *Sort) Close(c *Ctx) {
	s.In.Close(c)
	s.drop(c)
}

func (s *Sort) drop(c *Ctx) {
	s.forget(c)
	s.merge.drop(c)
	for _, r := range s.runs {
		r.drop(c)
	}
	s.sorted, s.at, s.bound, s.runs, s.merge = false, 0, nil, nil, nil
}

// forget gives up the rows at hand.
func (s *Sort) forget(c *Ctx) {
	s.rows.reset(c)
	s.keys, s.arena = nil, nil
}

// Next implements Op.
func (s *Sort) Next(c *Ctx) (*types.Batch, error) {
	if !s.sorted {
		if err := s.read(c); err != nil {
			return nil, err
		}
		if err := s.finish(c); err != nil {
			return nil, err
		}
		s.sorted = true
	}
	if s.merge != nil {
		return s.merge.next(c)
	}
	n := min(len(s.keys)-s.at, types.BatchRows)
	if n <= 0 {
		return nil, nil
	}
	if err := c.Err(); err != nil {
		return nil, err
	}
	s.at += n
	return s.g.gather(&s.rows, rowsOf(s.keys[s.at-n:s.at], &s.list)), nil
}

// finish orders what was read.
func (s *Sort) finish(c *Ctx) error {
	c.count(txn.SortScan, 1)
	if len(s.runs) > 0 {
		if err := s.spill(c); err != nil {
			return err
		}
		var err error
		s.merge, err = s.mergeRuns(c)
		return err
	}
	err := s.order(c)
	c.count(txn.SortRows, len(s.keys))
	return err
}

// read takes all rows in.
func (s *Sort) read(c *Ctx) error {
	keyers := keyersOf(s.Keys)
	for i := range keyers {
		keyers[i].Desc = s.Desc[i]
	}
	vecs := make([]*types.Vec, len(s.Keys))
	var scratch []byte
	for {
		if err := c.Err(); err != nil {
			return err
		}
		b, err := s.narrow.next(func() (*types.Batch, error) { return s.In.Next(c) })
		if b == nil || err != nil {
			return err
		}
		for i, e := range s.Keys {
			if vecs[i], err = e.Eval(&c.Fn, b); err != nil {
				return err
			}
		}
		for i := range b.N {
			scratch = scratch[:0]
			for k := range keyers {
				if scratch, err = keyers[k].Append(scratch, vecs[k], i); err != nil {
					return err
				}
			}
			if err := c.long(len(scratch)); err != nil {
				return err
			}
			if s.bound != nil && bytes.Compare(scratch, s.bound) >= 0 {
				continue
			}
			if err := s.keepRow(c, b, i, scratch); err != nil {
				return err
			}
			if err := c.long(len(scratch)); err != nil {
				return err
			}
		}
		if s.Most >= 0 && int64(len(s.keys)) > 4*s.Most+4*types.BatchRows {
			if err := s.prune(c); err != nil {
				return err
			}
		}
	}
}

func (s *Sort) keepRow(c *Ctx, b *types.Batch, i int, key []byte) error {
	if size := sizeOf(b, i) + len(key) + 64; !s.rows.room(c, size, c.Limits.Sort) && len(s.keys) > 0 {
		if err := s.spill(c); err != nil {
			return err
		}
		_ = s.rows.room(c, size, c.Limits.Sort)
	}
	if len(key) > cap(s.arena)-len(s.arena) {
		s.arena = make([]byte, 0, max(arenaBytes, len(key)))
	}
	from := len(s.arena)
	s.arena = append(s.arena, key...)
	k := sortKey{key: s.arena[from:len(s.arena):len(s.arena)], row: int32(s.rows.n)}
	var head [8]byte
	copy(head[:], k.key)
	k.head = binary.BigEndian.Uint64(head[:])
	s.keys = append(s.keys, k)
	s.rows.add(b, i)
	return nil
}

// order sorts the keys. Rows of equal keys stay in the order in which they came. Once the statement
// is killed all keys count as equal, so that it ends soon.
func (s *Sort) order(c *Ctx) error {
	compared, killed := 0, false
	slices.SortFunc(s.keys, func(a, b sortKey) int {
		if compared++; compared%(64<<10) == 0 {
			killed = killed || c.Err() != nil
		}
		switch {
		case killed:
			return 0
		case a.head < b.head:
			return -1
		case a.head > b.head:
			return 1
		}
		if n := c.compare(a.key, b.key, &killed); n != 0 || killed {
			return n
		}
		return int(a.row) - int(b.row)
	})
	if killed {
		return c.Err()
	}
	if s.Most >= 0 && int64(len(s.keys)) > s.Most {
		s.keys = s.keys[:s.Most]
	}
	return nil
}

// tighten sets the bound by the rows at hand, which are ordered, if they are as many as are kept.
func (s *Sort) tighten() {
	switch n := int64(len(s.keys)); {
	case s.Most == 0:
		s.bound = []byte{}
	case n == s.Most:
		s.bound = bytes.Clone(s.keys[n-1].key)
	}
}

// prune drops the rows that are not among the first.
func (s *Sort) prune(c *Ctx) error {
	if err := s.order(c); err != nil {
		return err
	}
	s.tighten()
	old, keys := s.rows, s.keys
	defer old.release(c)
	s.rows, s.keys, s.arena = store{}, nil, nil
	var g gatherer
	for len(keys) > 0 {
		n := min(len(keys), types.BatchRows)
		b := g.gather(&old, rowsOf(keys[:n], &s.list))
		for i := range n {
			if err := s.keepRow(c, b, i, keys[i].key); err != nil {
				return err
			}
		}
		keys = keys[n:]
	}
	return nil
}

// rowsOf are the rows of keys.
func rowsOf(keys []sortKey, list *[]int32) []int32 {
	*list = (*list)[:0]
	for _, k := range keys {
		*list = append(*list, k.row)
	}
	return *list
}
