package exec

import (
	"slices"

	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// keyFilter tells for most integers that are no keys of a hash table that they are none. Where the
// keys stand close together it has a bit for each integer between the least and the greatest;
// otherwise two bits of a word for each key.
type keyFilter struct {
	low   int64
	span  uint64 // greatest key - low
	close bool
	words []uint64
}

const (
	closeBits  = 32 // so many bits a key at most where each integer has its own
	hashedBits = 16 // so many bits a key otherwise
	leastBits  = 4096
)

// newKeyFilter makes the filter of a table's keys, which are integers; nil: there is none.
func newKeyFilter(ints []int64) *keyFilter {
	f := &keyFilter{}
	if len(ints) == 0 {
		return f
	}
	f.low = slices.Min(ints)
	f.span = uint64(slices.Max(ints)) - uint64(f.low)
	if f.close = f.span < uint64(max(closeBits*len(ints), leastBits)); f.close {
		f.words = make([]uint64, f.span/64+1)
		for _, x := range ints {
			d := uint64(x) - uint64(f.low)
			f.words[d>>6] |= 1 << (d & 63)
		}
		return f
	}
	n := leastBits / 64
	for n*64 < hashedBits*len(ints) {
		n *= 2
	}
	f.words = make([]uint64, n)
	for _, x := range ints {
		at, bits := f.hashed(x)
		f.words[at] |= bits
	}
	return f
}

// size is how many bytes the filter takes.
func (f *keyFilter) size() int { return 8 * len(f.words) }

// hashed is the word of an integer, and its bits there.
func (f *keyFilter) hashed(x int64) (at, bits uint64) {
	h := hashInt(x)
	return h >> 12 & uint64(len(f.words)-1), 1<<(h>>52&63) | 1<<(h>>58)
}

// pass appends the numbers of the rows of a column that may be keys.
func (f *keyFilter) pass(rows []int32, v *types.Vec, n int) []int32 {
	if len(f.words) == 0 {
		return rows
	}
	for i, x := range v.I[:n] {
		ok := false
		if f.close {
			d := uint64(x) - uint64(f.low)
			ok = d <= f.span && f.words[d>>6]>>(d&63)&1 == 1
		} else {
			at, bits := f.hashed(x)
			ok = f.words[at]&bits == bits
		}
		if ok && (v.Null == nil || !v.Null[i]) {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

// narrowing drops rows of a scan that have no partner in a hash join above, before the rest of their
// columns is read.
type narrowing struct {
	keys  *keyFilter // nil: it drops none
	at    int        // the place in Scan.Cols of the column that has the keys
	seen  int
	drops int
}

// worthRows is after how many rows a narrowing has to have dropped an eighth of them.
const worthRows = 8 * types.BatchRows

// worth tells whether a narrowing drops enough rows to be asked.
func (n *narrowing) worth() bool {
	return n.keys != nil && (n.seen < worthRows || 8*n.drops >= n.seen)
}

// narrow drops the rows that have no partners above.
func (s *Scan) narrow() error {
	for _, n := range s.narrowings {
		if s.work.N == 0 || !n.worth() {
			continue
		}
		if err := s.fill([]int{n.at}); err != nil {
			return err
		}
		s.pass = n.keys.pass(s.pass[:0], s.work.Cols[n.at], s.work.N)
		n.seen, n.drops = n.seen+s.work.N, n.drops+s.work.N-len(s.pass)
		if len(s.pass) < s.work.N {
			s.drop(len(s.Conds) - 1)
		}
	}
	return nil
}

// narrows lets the scan that reads the keys of the left side know those of the right one, which has
// been read.
func (j *HashJoin) narrows(c *Ctx) {
	if j.LeftFirst || j.kind != Inner && j.kind != Semi || !j.table.number || j.full {
		return
	}
	j.narrow(c, j.L, j.LKeys[0], j.table.ints)
}

// narrow lets the scan that reads the keys of a side know those of the other one.
func (j *HashJoin) narrow(c *Ctx, side Op, of fn.Expr, keys []int64) {
	key, ok := of.(*fn.Column)
	if !ok || key.T.Kind != types.Int && !key.T.Kind.Temporal() {
		return
	}
	if j.narrowing == nil {
		scan, at := source(side, side.IDs()[key.At])
		if scan == nil {
			return
		}
		j.narrowing = &narrowing{at: at}
		scan.narrowings = append(scan.narrowings, j.narrowing)
	}
	f := newKeyFilter(keys)
	if !j.rows.room(c, f.size(), c.Limits.Join) {
		f = nil
	}
	j.narrowing.keys, j.narrowing.seen, j.narrowing.drops = f, 0, 0
}

// source is the scan that reads the column of an operator with an ID, and the place of the column in
// Scan.Cols: a scan without one of whose rows every row of the operator stays the same, but for
// those made of that row. nil: there is none.
func source(op Op, id int) (*Scan, int) {
	switch o := op.(type) {
	case *Scan:
		for i, k := range o.places() {
			if o.IDs()[i] == id {
				return o, k
			}
		}
	case *Measured:
		return source(o.In, id)
	case *Parallel:
		if o.Groups == nil {
			return source(o.In, id)
		}
	case *Filter:
		return source(o.In, id)
	case *Project:
		for i, e := range o.Exprs {
			if col, ok := e.(*fn.Column); ok && o.Ids[i] == id {
				return source(o.In, o.In.IDs()[col.At])
			}
		}
	case *LookupJoin:
		if slices.Contains(o.L.IDs(), id) {
			return source(o.L, id)
		}
	case *HashJoin:
		if slices.Contains(o.L.IDs(), id) {
			return source(o.L, id)
		}
		if o.Kind == Inner {
			return source(o.R, id)
		}
	}
	return nil, 0
}

// places are the places in Cols of the columns that a scan gives.
func (s *Scan) places() []int {
	if s.Out != nil {
		return s.Out
	}
	all := make([]int, len(s.Cols))
	for i := range all {
		all[i] = i
	}
	return all
}
