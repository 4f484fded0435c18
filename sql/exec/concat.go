package exec

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"sort"

	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// concat is GROUP_CONCAT. A result that is longer than it may be is refused: it is cut off with a
// warning elsewhere.
type concat struct {
	of     *Aggregate
	keyers []types.Keyer
	order  []*types.Vec // keys of the batch that is added next
	zeros  []*types.Vec // by key
	groups [][]piece
	texts  []chunks            // in place of it without an order: the results so far
	sizes  []int               // of the results
	seen   map[string]struct{} // DISTINCT
	keyer  types.Keyer
	bytes  int
	key    []byte
}

// piece is one text of a group, with its key in the order.
type piece struct{ text, key []byte }

func newConcat(a *Aggregate) *concat {
	c := &concat{of: a, keyers: keyersOf(a.Order), keyer: types.KeyerOf(a.Arg.Type())}
	for i := range c.keyers {
		c.keyers[i].Desc = a.Desc[i]
		zero := types.NewVec(a.Order[i].Type().Kind, 1)
		clear(zero.I)
		clear(zero.F)
		c.zeros = append(c.zeros, zero)
	}
	if a.Distinct {
		c.seen = make(map[string]struct{})
	}
	return c
}

func (a *concat) grow(groups int) {
	a.sizes = grown(a.sizes, groups)
	if len(a.of.Order) == 0 {
		a.texts = grown(a.texts, groups)
		return
	}
	a.groups = grown(a.groups, groups)
}

func (a *concat) size() int { return a.bytes + 24*cap(a.groups) + 48*cap(a.texts) }

// sortBy computes the order of the rows of a batch.
func (a *concat) sortBy(c *Ctx, b *types.Batch) error {
	a.order = a.order[:0]
	for _, e := range a.of.Order {
		v, err := e.Eval(&c.Fn, b)
		if err != nil {
			return err
		}
		a.order = append(a.order, v)
	}
	return nil
}

func (a *concat) add(c *Ctx, groups []int32, v *types.Vec, n int) (err error) {
	for i := range n {
		if v.Kind == types.Null || v.IsNull(i) {
			continue
		}
		if err := c.long(len(v.S[i])); err != nil {
			return err
		}
		if a.seen != nil {
			a.key = binary.LittleEndian.AppendUint32(a.key[:0], uint32(groups[i]))
			if a.key, err = a.keyer.Append(a.key, v, i); err != nil {
				return err
			}
			if len(a.key) > 4*sha256.Size {
				sum := sha256.Sum256(a.key)
				a.key = append(a.key[:0], sum[:]...)
			}
			if _, known := a.seen[string(a.key)]; known {
				continue
			}
			a.seen[string(a.key)] = struct{}{}
			a.bytes += len(a.key) + 48
		}
		a.key = a.key[:0]
		for k := range a.order {
			v, at := a.order[k], i
			if v.Kind == types.Null || v.IsNull(i) { // it is ordered as its kind's zero
				v, at = a.zeros[k], 0
			}
			if a.key, err = a.keyers[k].Append(a.key, v, at); err != nil {
				return err
			}
		}
		g := groups[i]
		if len(a.of.Order) == 0 {
			if err := a.extend(g, v.S[i]); err != nil {
				return err
			}
			continue
		}
		if len(a.groups[g]) > 0 {
			a.sizes[g] += len(a.of.Separator)
		}
		if a.sizes[g] += len(v.S[i]); a.sizes[g] > a.of.Most {
			return fn.Refuse(fn.ByRow, "a long GROUP_CONCAT")
		}
		a.groups[g] = append(a.groups[g], piece{bytes.Clone(v.S[i]), bytes.Clone(a.key)})
		a.bytes += len(v.S[i]) + len(a.key) + 64
	}
	return nil
}

// extend adds a text behind those of its group.
func (a *concat) extend(g int32, s []byte) error {
	text, more := &a.texts[g], len(s)
	if text.last != nil {
		more += len(a.of.Separator)
	}
	if a.sizes[g] += more; a.sizes[g] > a.of.Most {
		return fn.Refuse(fn.ByRow, "a long GROUP_CONCAT")
	}
	if text.last != nil {
		a.bytes += text.add(a.of.Separator)
	} else {
		text.last = make([]byte, 0, len(s))
		a.bytes += len(s)
	}
	a.bytes += text.add(s)
	return nil
}

// chunks are a text that grows. A long one is not moved as it does.
type chunks struct {
	full [][]byte
	last []byte // nil: there is no text
}

// add adds bytes at the end. It tells how many bytes of memory that took.
func (c *chunks) add(s []byte) int {
	before := cap(c.last)
	if len(c.last) >= chunkBytes && len(c.last)+len(s) > cap(c.last) {
		c.full = append(c.full, c.last)
		c.last, before = make([]byte, 0, max(len(s), 2*chunkBytes)), 0
	}
	c.last = append(c.last, s...)
	return cap(c.last) - before
}

// chunkBytes is from where on a text is long.
const chunkBytes = 1 << 20

// whole is the text, which has so many bytes.
func (c *chunks) whole(x *Ctx, size int) ([]byte, error) {
	if c.full == nil {
		return c.last, nil
	}
	out := make([]byte, 0, size)
	parts := append(c.full, c.last)
	for i, part := range parts {
		if err := x.Err(); err != nil {
			return nil, err
		}
		out, parts[i] = append(out, part...), nil
	}
	c.full, c.last = nil, out
	return out, nil
}

// builds implements builder: texts in an order and those of several chunks are copied.
func (a *concat) builds(from, n int) (bytes int) {
	for i := from; i < from+n; i++ {
		if len(a.of.Order) > 0 || a.texts[i].full != nil {
			bytes += a.sizes[i]
		}
	}
	return bytes
}

func (a *concat) result(c *Ctx, from, n int, out *types.Vec) (err error) {
	out.Reset(types.String, n)
	for i := range n {
		if len(a.of.Order) == 0 {
			if out.S[i], err = a.texts[from+i].whole(c, a.sizes[from+i]); err != nil {
				return err
			}
			if out.S[i] == nil {
				out.SetNull(i)
			}
			continue
		}
		list := a.groups[from+i]
		if list == nil {
			out.SetNull(i)
			continue
		}
		ended := false
		sort.SliceStable(list, func(x, y int) bool { return c.compare(list[x].key, list[y].key, &ended) < 0 })
		if ended {
			return c.Err()
		}
		text := make([]byte, 0, a.sizes[from+i])
		for k, p := range list {
			if k > 0 {
				text = append(text, a.of.Separator...)
			}
			text = append(text, p.text...)
			if err := c.long(len(p.text)); err != nil {
				return err
			}
		}
		out.S[i] = text
	}
	return nil
}
