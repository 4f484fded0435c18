package exec

import (
	"encoding/binary"
	"hash/maphash"

	"emberdb/sql/types"
)

// distinct lets an aggregate see every value of a group once. Once it may hold no more values, those
// that it has not seen go to parts in the scratch file. The parts are read when all rows are in.
type distinct struct {
	of    accumulator
	keyer types.Keyer
	seen  map[string]struct{}
	ints  map[groupInt]struct{} // in place of it where values are integers
	bytes int
	full  bool
	seed  maphash.Seed
	parts *parts

	scratch []byte
	number  types.Vec // of the group, as a column of parts
	rows    []int32
	groups  []int32
	vec     types.Vec
}

// groupInt is an integer of a group.
type groupInt struct {
	x     int64
	group int32
}

func newDistinct(of accumulator, keyer types.Keyer) *distinct {
	a := &distinct{of: of, keyer: keyer, seed: maphash.MakeSeed()}
	a.forget()
	return a
}

// forget forgets the values.
func (a *distinct) forget() {
	a.seen, a.ints, a.bytes, a.full, a.parts = make(map[string]struct{}), make(map[groupInt]struct{}), 0, false, nil
}

// known tells whether a group has had a value. A new one is noted if there is room for it.
func (a *distinct) known(group int32, v *types.Vec, i int) (known bool, err error) {
	if v.Kind == types.Int && !a.full { // then the keys below are not made
		key := groupInt{v.I[i], group}
		if _, known = a.ints[key]; !known {
			a.ints[key] = struct{}{}
			a.bytes += 40
		}
		return known, nil
	}
	a.scratch = binary.LittleEndian.AppendUint32(a.scratch[:0], uint32(group))
	if a.scratch, err = a.keyer.Append(a.scratch, v, i); err != nil {
		return false, err
	}
	if v.Kind == types.Int {
		_, known = a.ints[groupInt{v.I[i], group}]
		return known, nil
	}
	if _, known = a.seen[string(a.scratch)]; !known && !a.full {
		a.seen[string(a.scratch)] = struct{}{}
		a.bytes += len(a.scratch) + 48
	}
	return known, nil
}

func (a *distinct) grow(groups int) { a.of.grow(groups) }
func (a *distinct) size() int       { return a.of.size() + a.bytes }

func (a *distinct) add(c *Ctx, groups []int32, v *types.Vec, n int) (err error) {
	a.rows, a.groups = a.rows[:0], a.groups[:0]
	var all types.Batch
	for i := range n {
		if v.Kind == types.Null || v.IsNull(i) {
			continue
		}
		known, err := a.known(groups[i], v, i)
		if err == nil {
			err = c.long(len(a.scratch))
		}
		if err != nil {
			return err
		}
		if known {
			continue
		}
		if a.full {
			if all.Cols == nil {
				a.number.Reset(types.Int, n)
				for k, g := range groups[:n] {
					a.number.I[k] = int64(g)
				}
				all = types.Batch{N: n, Cols: []*types.Vec{&a.number, v}}
			}
			if err := a.parts.add(c, maphash.Bytes(a.seed, a.scratch), &all, i); err != nil {
				return err
			}
			continue
		}
		a.rows, a.groups = append(a.rows, int32(i)), append(a.groups, groups[i])
	}
	v.Gather(&a.vec, a.rows)
	return a.of.add(c, a.groups, &a.vec, len(a.rows))
}

// fill tells that no more values may be held.
func (a *distinct) fill(c *Ctx, level int) {
	if !a.full {
		a.full, a.parts = true, newParts(level, c.Limits.Table)
	}
}

// finish adds the values that are in parts.
func (a *distinct) finish(c *Ctx) error {
	if a.parts == nil {
		return nil
	}
	jobs := a.stage(nil)
	defer func() { dropJobs(c, jobs) }()
	for len(jobs) > 0 {
		j := jobs[len(jobs)-1]
		k := cursor{of: j.rows}
		for {
			b, err := k.next(c)
			if err != nil {
				return err
			}
			if b == nil {
				break
			}
			groups := make([]int32, b.N)
			for i := range groups {
				groups[i] = int32(b.Cols[0].I[i])
			}
			if err := a.add(c, groups, b.Cols[1], b.N); err != nil {
				return err
			}
			if a.bytes > c.Limits.Table {
				a.fill(c, j.level)
			}
		}
		jobs = a.stage(jobs[:len(jobs)-1])
		j.rows.drop(c)
	}
	return nil
}

// stage forgets the values and adds the parts to what has to be read.
func (a *distinct) stage(jobs []job) []job {
	if a.parts != nil {
		jobs = a.parts.jobs(jobs)
	}
	a.forget()
	return jobs
}

// drop gives up what is in parts.
func (a *distinct) drop(c *Ctx) { a.parts.drop(c) }

func (a *distinct) result(c *Ctx, from, n int, out *types.Vec) error {
	return a.of.result(c, from, n, out)
}

// builds implements builder.
func (a *distinct) builds(from, n int) int {
	if b, ok := a.of.(builder); ok {
		return b.builds(from, n)
	}
	return 0
}
