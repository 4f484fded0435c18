package exec

import (
	"math"

	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// bits is BIT_AND, BIT_OR or BIT_XOR.
type bits struct {
	kind fn.AggregateKind
	all  []uint64 // BIT_AND: inverted, so that a new group has all bits set
}

func (a *bits) grow(groups int) { a.all = grown(a.all, groups) }
func (a *bits) size() int       { return 8 * cap(a.all) }

func (a *bits) add(_ *Ctx, groups []int32, v *types.Vec, n int) error {
	if v.Kind == types.Null {
		return nil
	}
	for i, g := range groups[:n] {
		switch {
		case v.IsNull(i):
		case a.kind == fn.BitAnd:
			a.all[g] |= ^uint64(v.I[i])
		case a.kind == fn.BitOr:
			a.all[g] |= uint64(v.I[i])
		default:
			a.all[g] ^= uint64(v.I[i])
		}
	}
	return nil
}

func (a *bits) result(_ *Ctx, from, n int, out *types.Vec) error {
	out.Reset(types.Uint, n)
	for i, x := range a.all[from : from+n] {
		if a.kind == fn.BitAnd {
			x = ^x
		}
		out.I[i] = int64(x)
	}
	return nil
}

// variance is VAR_POP and its kind. Mean and sum of squares move with each value, which keeps small
// differences between large values.
type variance struct {
	kind       fn.AggregateKind
	mean, sums []float64
	n          []int64
}

func (a *variance) grow(groups int) {
	a.mean, a.sums, a.n = grown(a.mean, groups), grown(a.sums, groups), grown(a.n, groups)
}

func (a *variance) size() int { return 8 * (cap(a.mean) + cap(a.sums) + cap(a.n)) }

func (a *variance) add(_ *Ctx, groups []int32, v *types.Vec, n int) error {
	if v.Kind == types.Null {
		return nil
	}
	for i, g := range groups[:n] {
		if v.IsNull(i) {
			continue
		}
		a.one(int(g), fn.FloatAt(v, i))
	}
	return nil
}

// one adds a value to a group.
func (a *variance) one(g int, x float64) {
	if a.n[g]++; a.n[g] == 1 {
		a.mean[g] = x
		return
	}
	before := a.mean[g]
	a.mean[g] = before + (x-before)/float64(a.n[g])
	a.sums[g] += float64((x - before) * (x - a.mean[g]))
}

func (a *variance) result(_ *Ctx, from, n int, out *types.Vec) error {
	out.Reset(types.Float, n)
	for i := range n {
		if err := a.put(from+i, out, i); err != nil {
			return err
		}
	}
	return nil
}

// put makes the value of a group the k-th of out.
func (a *variance) put(g int, out *types.Vec, k int) error {
	least := int64(1)
	if a.kind == fn.StdSamp || a.kind == fn.VarSamp {
		least = 2
	}
	if a.n[g] < least {
		out.SetNull(k)
		return nil
	}
	if out.F[k] = a.sums[g] / float64(a.n[g]-least+1); a.kind == fn.StdPop || a.kind == fn.StdSamp {
		out.F[k] = math.Sqrt(out.F[k])
	}
	if out.F[k]-out.F[k] != 0 {
		return fn.Refuse(fn.ByRow, "a DOUBLE out of range")
	}
	return nil
}
