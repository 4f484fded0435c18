package exec

import (
	"bytes"
	"hash/maphash"
	"slices"

	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// keyTable numbers keys from 0 on in the order in which they come. A key is the values of some
// expressions. Keys of one integer or date are kept as numbers, others as bytes.
type keyTable struct {
	exprs  []fn.Expr
	keyers []types.Keyer
	number bool

	slots []uint32 // number of a key + 1; 0 is free
	mask  uint64
	n     int
	ints  []int64
	null  int // number of the key NULL where keys are numbers, or -1
	last  int // number of the integer that was found last, or -1: rows of one key often stand together

	keys   keyBytes
	hashes []uint64
	seed   maphash.Seed

	ctx     *Ctx
	vecs    []*types.Vec
	scratch []byte
	made    int // row of the batch whose key is in scratch, or -1
	nulls   []bool
}

func newKeyTable(exprs []fn.Expr, keyers []types.Keyer) *keyTable {
	t := &keyTable{exprs: exprs, keyers: keyers, seed: maphash.MakeSeed()}
	if len(exprs) == 1 {
		k := exprs[0].Type().Kind
		t.number = k == types.Int || k.Temporal()
	}
	t.reset()
	return t
}

// keyersOf are the keyers of some types.
func keyersOf(exprs []fn.Expr) (out []types.Keyer) {
	for _, e := range exprs {
		out = append(out, types.KeyerOf(e.Type()))
	}
	return out
}

func (t *keyTable) reset() {
	t.slots, t.mask, t.n, t.null, t.last = nil, 0, 0, -1, -1
	if len(t.exprs) > 0 {
		t.slots, t.mask = make([]uint32, 1024), 1023
	}
	t.ints, t.keys, t.hashes = nil, keyBytes{}, nil
}

// eval computes the keys of a batch by these expressions, which may be those of the other side of a
// join.
func (t *keyTable) eval(c *Ctx, exprs []fn.Expr, b *types.Batch) error {
	t.ctx, t.vecs, t.made = c, t.vecs[:0], -1
	t.nulls = slices.Grow(t.nulls[:0], b.N)[:b.N]
	clear(t.nulls)
	for _, e := range exprs {
		v, err := e.Eval(&c.Fn, b)
		if err != nil {
			return err
		}
		if v.Null != nil {
			for i, x := range v.Null[:b.N] {
				t.nulls[i] = t.nulls[i] || x
			}
		}
		t.vecs = append(t.vecs, v)
	}
	return nil
}

// take puts other values in the place of those that were computed.
func (t *keyTable) take(vecs []*types.Vec) { t.vecs, t.made = vecs, -1 }

const mix = 0x9E3779B97F4A7C15

func hashInt(x int64) uint64 {
	h := uint64(x) * mix
	return h ^ h>>29
}

// find is the number of the key of row i, -1 if it is not there.
func (t *keyTable) find(i int) (int, error) {
	if t.number {
		if t.nulls[i] {
			return t.null, nil
		}
		return t.findInt(t.vecs[0].I[i]), nil
	}
	if err := t.key(i); err != nil {
		return 0, err
	}
	return t.findBytes(maphash.Bytes(t.seed, t.scratch)), nil
}

func (t *keyTable) findInt(x int64) int {
	if t.last >= 0 && t.ints[t.last] == x {
		return t.last
	}
	for at := hashInt(x) & t.mask; ; at = (at + 1) & t.mask {
		s := t.slots[at]
		if s == 0 {
			return -1
		}
		if t.ints[s-1] == x {
			t.last = int(s - 1)
			return t.last
		}
	}
}

func (t *keyTable) findBytes(h uint64) int {
	for at := h & t.mask; ; at = (at + 1) & t.mask {
		s := t.slots[at]
		if s == 0 {
			return -1
		}
		if t.hashes[s-1] == h && bytes.Equal(t.keys.at(int(s-1)), t.scratch) {
			return int(s - 1)
		}
	}
}

// hash is by which rows are divided into parts. Equal keys have one, also in another table with the
// same seed.
func (t *keyTable) hash(i int) (uint64, error) {
	switch {
	case t.number && t.nulls[i]:
		return 0, nil
	case t.number:
		return hashInt(t.vecs[0].I[i]), nil
	}
	if err := t.key(i); err != nil {
		return 0, err
	}
	return maphash.Bytes(t.seed, t.scratch), nil
}

// key makes the key of row i.
func (t *keyTable) key(i int) (err error) {
	if t.made >= 0 && t.same(i) {
		return nil
	}
	t.scratch, t.made = t.scratch[:0], -1
	for k, v := range t.vecs {
		if t.scratch, err = t.keyers[k].Append(t.scratch, v, i); err != nil {
			return err
		}
	}
	t.made = i
	return t.ctx.long(len(t.scratch))
}

// same reports whether a row has the key that was made last, as far as that is seen without work:
// joins repeat the texts of a row.
func (t *keyTable) same(i int) bool {
	if i == t.made {
		return true
	}
	if len(t.vecs) != 1 || t.vecs[0].Kind != types.String || t.nulls[i] || t.nulls[t.made] {
		return false
	}
	a, b := t.vecs[0].S[i], t.vecs[0].S[t.made]
	return len(a) >= longBytes && len(a) == len(b) && &a[0] == &b[0]
}

// add is the number of the key of row i, which is added if it is not there.
func (t *keyTable) add(i int) (n int, added bool, err error) {
	if t.number {
		return t.addInt(i)
	}
	if err := t.key(i); err != nil {
		return 0, false, err
	}
	h := maphash.Bytes(t.seed, t.scratch)
	if n = t.findBytes(h); n >= 0 {
		return n, false, nil
	}
	t.keys.add(t.scratch)
	t.hashes = append(t.hashes, h)
	return t.enter(h), true, nil
}

func (t *keyTable) addInt(i int) (n int, added bool, err error) {
	if t.nulls[i] {
		if added = t.null < 0; added {
			t.null = t.n
			t.ints = append(t.ints, 0)
			t.n++ // no slot leads to it
		}
		return t.null, added, nil
	}
	x := t.vecs[0].I[i]
	if n = t.findInt(x); n >= 0 {
		return n, false, nil
	}
	t.ints = append(t.ints, x)
	t.last = t.enter(hashInt(x))
	return t.last, true, nil
}

// enter gives the last key a slot.
func (t *keyTable) enter(h uint64) int {
	n := t.n
	t.n++
	if 2*t.n > len(t.slots) {
		t.grow()
		return n
	}
	t.place(h, n)
	return n
}

func (t *keyTable) place(h uint64, n int) {
	at := h & t.mask
	for t.slots[at] != 0 {
		at = (at + 1) & t.mask
	}
	t.slots[at] = uint32(n + 1)
}

func (t *keyTable) grow() {
	t.slots = make([]uint32, 4*len(t.slots))
	t.mask = uint64(len(t.slots) - 1)
	for n := range t.n {
		if n == t.null {
			continue
		}
		if t.number {
			t.place(hashInt(t.ints[n]), n)
		} else {
			t.place(t.hashes[n], n)
		}
	}
}

// size is about how many bytes the table takes.
func (t *keyTable) size() int {
	return 4*len(t.slots) + 8*cap(t.ints) + t.keys.bytes() + 8*cap(t.hashes)
}
