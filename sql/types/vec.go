package types

import "slices"

// BatchRows is how many rows a batch has at most.
const BatchRows = 1024

// Vec is a column of values.
type Vec struct {
	Kind  Kind
	Scale int // Decimal: digits behind the point
	Null  []bool
	I     []int64
	F     []float64
	W     []Int128 // Decimal: in place of I if not nil
	S     [][]byte
	n     int
}

// Batch is a part of a table: columns of n values each.
type Batch struct {
	N    int
	Cols []*Vec
}

// NewVec makes a column of n values, which are undefined.
func NewVec(k Kind, n int) *Vec {
	v := &Vec{}
	v.Reset(k, n)
	return v
}

// Reset makes v a column of n undefined values without NULLs, in its memory.
func (v *Vec) Reset(k Kind, n int) {
	v.Kind, v.Scale, v.n, v.Null, v.W = k, 0, n, nil, nil
	switch k {
	case Float:
		v.F = slices.Grow(v.F[:0], n)[:n]
	case String:
		v.S = slices.Grow(v.S[:0], n)[:n]
	case Null:
		v.Null = make([]bool, n)
		for i := range v.Null {
			v.Null[i] = true
		}
	default:
		v.I = slices.Grow(v.I[:0], n)[:n]
	}
}

// Slice makes dst the n values of v from one on. They share memory.
func (v *Vec) Slice(dst *Vec, from, n int) {
	*dst = Vec{Kind: v.Kind, Scale: v.Scale, n: n}
	dst.Null, dst.I, dst.F, dst.W, dst.S = part(v.Null, from, n), part(v.I, from, n), part(v.F, from, n), part(v.W, from, n), part(v.S, from, n)
}

// part is nil for values that a column does not have.
func part[T any](all []T, from, n int) []T {
	if len(all) < from+n {
		return nil
	}
	return all[from : from+n : from+n]
}

// Len is the number of values.
func (v *Vec) Len() int { return v.n }

// SetNull makes a value NULL.
func (v *Vec) SetNull(i int) {
	if v.Null == nil {
		v.Null = make([]bool, v.n)
	}
	v.Null[i] = true
}

// IsNull tells whether a value is NULL.
func (v *Vec) IsNull(i int) bool { return v.Null != nil && v.Null[i] }

// Widen makes a DECIMAL hold wide values.
func (v *Vec) Widen() {
	if v.W != nil || v.Kind != Decimal {
		return
	}
	v.W = make([]Int128, v.n, max(v.n, 1))
	for i, x := range v.I[:v.n] {
		v.W[i] = FromInt64(x)
	}
}

// Wide is a value of an exact number, unscaled.
func (v *Vec) Wide(i int) Int128 {
	switch {
	case v.W != nil:
		return v.W[i]
	case v.Kind == Uint:
		return Int128{0, uint64(v.I[i])}
	}
	return FromInt64(v.I[i])
}

// Gather makes dst the values of v at the positions rows. A position below zero gives NULL.
func (v *Vec) Gather(dst *Vec, rows []int32) {
	n := len(rows)
	dst.Reset(v.Kind, n)
	dst.Scale = v.Scale
	if v.Kind == Null {
		return
	}
	missing := false
	for _, r := range rows {
		missing = missing || r < 0
	}
	if v.Null != nil || missing {
		for i, r := range rows {
			if r < 0 || v.Null != nil && v.Null[r] {
				dst.SetNull(i)
			}
		}
	}
	switch {
	case v.Kind == Float:
		gather(dst.F, v.F, rows)
	case v.Kind == String:
		gather(dst.S, v.S, rows)
	case v.W != nil:
		dst.W = make([]Int128, n)
		gather(dst.W, v.W, rows)
	default:
		gather(dst.I, v.I, rows)
	}
}

func gather[T any](dst, src []T, rows []int32) {
	for i, r := range rows {
		if r >= 0 {
			dst[i] = src[r]
		}
	}
}

// AppendFrom adds a value of another column of the same kind. The bytes of strings are shared. A
// column of NULLs alone has no kind yet: it becomes the other one's.
func (v *Vec) AppendFrom(src *Vec, i int) {
	if v.Kind == Null && src.Kind != Null {
		nulls := v.Null
		v.Reset(src.Kind, v.n)
		v.Scale, v.Null = src.Scale, nulls[:v.n]
		clear(v.I[:cap(v.I)])
		clear(v.S[:cap(v.S)])
	}
	at := v.n
	v.n++
	if src.IsNull(i) {
		if v.Null == nil {
			v.Null = make([]bool, v.n, max(2*v.n, 64))
		} else {
			v.Null = append(v.Null, true)
		}
		v.Null[at] = true
	} else if v.Null != nil {
		v.Null = append(v.Null, false)
	}
	switch v.Kind {
	case Float:
		v.F = append(v.F, valueAt(src.F, i))
	case String:
		v.S = append(v.S, valueAt(src.S, i))
	case Null:
	case Decimal:
		v.appendDecimal(src, i)
	default:
		v.I = append(v.I, valueAt(src.I, i))
	}
}

func valueAt[T any](s []T, i int) (x T) {
	if i < len(s) {
		return s[i]
	}
	return x
}

// appendDecimal adds a DECIMAL. The scale is that of the first one; others are brought to it, which
// loses nothing where all come from one expression.
func (v *Vec) appendDecimal(src *Vec, i int) {
	if v.n == 1 {
		v.Scale = src.Scale
	}
	if src.W == nil && v.W == nil && src.Scale == v.Scale {
		v.I = append(v.I, valueAt(src.I, i))
		return
	}
	if v.W == nil {
		v.W = make([]Int128, 0, max(2*v.n, 64))
		for _, x := range v.I {
			v.W = append(v.W, FromInt64(x))
		}
		v.I = v.I[:0]
	}
	var w Int128
	if !src.IsNull(i) {
		w, _ = Rescale(src.Wide(i), src.Scale, v.Scale)
	}
	v.W = append(v.W, w)
}

// Rescale brings a DECIMAL to a larger scale.
func (v *Vec) Rescale(scale int) {
	v.Widen()
	for i := range v.W {
		if !v.IsNull(i) {
			v.W[i], _ = Rescale(v.W[i], v.Scale, scale)
		}
	}
	v.Scale = scale
}

// CopyTo makes dst the first n values of v, with the bytes of strings in the arena, which it
// returns.
func (v *Vec) CopyTo(dst *Vec, n int, arena []byte) []byte {
	nulls, wide := dst.Null, dst.W
	dst.Reset(v.Kind, n)
	dst.Scale = v.Scale
	if v.Null != nil {
		dst.Null = append(nulls[:0], v.Null[:n]...)
	}
	switch {
	case v.Kind == Null:
	case v.Kind == Float:
		copy(dst.F, v.F)
	case v.Kind == String:
		for i, s := range v.S[:n] {
			if v.IsNull(i) {
				dst.S[i] = nil
				continue
			}
			from := len(arena)
			arena = append(arena, s...)
			dst.S[i] = arena[from:len(arena):len(arena)]
		}
	case v.W != nil:
		dst.W = append(wide[:0], v.W[:n]...)
	default:
		copy(dst.I, v.I)
	}
	return arena
}

// Bytes is about how many bytes the values take, but for those of strings.
func (v *Vec) Bytes() int {
	return cap(v.Null) + 8*cap(v.I) + 8*cap(v.F) + 16*cap(v.W) + 24*cap(v.S)
}

// One is the value at i as a column of length one.
func (v *Vec) One(i int) *Vec {
	out := &Vec{}
	v.Gather(out, []int32{int32(i)})
	return out
}

// Repeat makes a column of n times the one value of v.
func (v *Vec) Repeat(n int) *Vec {
	rows := make([]int32, n)
	out := &Vec{}
	v.Gather(out, rows)
	return out
}

// Size is about how many bytes the value at i takes.
func (v *Vec) Size(i int) int {
	switch {
	case v.Kind == String:
		if v.IsNull(i) {
			return 24
		}
		return 24 + len(v.S[i])
	case v.W != nil:
		return 16
	}
	return 8
}
