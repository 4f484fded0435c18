package partition

import (
	"bytes"
	"maps"

	"emberdb/engine/row"
	"emberdb/engine/table"
)

// Region is what a condition says of the columns that partition: a row for which it holds lies
// within one of these bounds by column. A condition that nothing is known of is Everywhere, one that
// never holds has no bounds at all. A region may be too wide, never too narrow.
type Region []map[int]table.Bound

// maxBounds limits how far conditions are multiplied out.
const maxBounds = 4096

// Everywhere is the region of all rows.
func Everywhere() Region { return Region{nil} }

// Within is the region of a bound of one column.
func (f *Function) Within(column int, b table.Bound) Region {
	for _, c := range f.columns {
		if c == column {
			return Region{{column: b}}
		}
	}
	return Everywhere()
}

// Uses tells whether a column decides about the parts of rows.
func (f *Function) Uses(column int) bool {
	for _, c := range f.columns {
		if c == column {
			return true
		}
	}
	return false
}

// Or is the region of rows of either.
func (a Region) Or(b Region) Region {
	if len(a)+len(b) > maxBounds {
		return Everywhere()
	}
	return append(a, b...)
}

// And is the region of rows of both.
func (f *Function) And(a, b Region) Region {
	if len(a)*len(b) > maxBounds {
		if len(a) < len(b) {
			return a
		}
		return b
	}
	out := make(Region, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			if both, some := f.both(x, y); some {
				out = append(out, both)
			}
		}
	}
	return out
}

// both are the bounds of rows that lie within x and y; some is false if there are none.
func (f *Function) both(x, y map[int]table.Bound) (out map[int]table.Bound, some bool) {
	if len(x) == 0 || len(y) == 0 {
		if len(x) == 0 {
			x = y
		}
		return x, true
	}
	out = maps.Clone(x)
	for column, b := range y {
		if a, known := out[column]; known {
			if b, some = f.narrowed(column, a, b); !some {
				return nil, false
			}
		}
		out[column] = b
	}
	return out, true
}

// narrowed is the bound of values within a and b of a column; some is false if there are none.
func (f *Function) narrowed(column int, a, b table.Bound) (out table.Bound, some bool) {
	if a.Null || b.Null {
		out, other := a, b
		if !a.Null {
			out, other = b, a
		}
		return out, !other.NotNull && other.Low.IsNull() && other.High.IsNull()
	}
	c := f.def.Columns[column].Column
	key := func(v row.Value) []byte { return row.AppendKeyPart(nil, c, row.KeyPart{}, v) }
	out = a
	out.NotNull = a.NotNull || b.NotNull
	if !b.Low.IsNull() {
		order := 1
		if !a.Low.IsNull() {
			order = bytes.Compare(key(b.Low), key(a.Low))
		}
		if order > 0 || order == 0 && b.LowExcl {
			out.Low, out.LowExcl = b.Low, b.LowExcl
		}
	}
	if !b.High.IsNull() {
		order := -1
		if !a.High.IsNull() {
			order = bytes.Compare(key(b.High), key(a.High))
		}
		if order < 0 || order == 0 && b.HighExcl {
			out.High, out.HighExcl = b.High, b.HighExcl
		}
	}
	if out.Low.IsNull() || out.High.IsNull() {
		return out, true
	}
	order := bytes.Compare(key(out.Low), key(out.High))
	return out, order < 0 || order == 0 && !out.LowExcl && !out.HighExcl
}

// In returns the parts, ascending, that can have rows of a region.
func (f *Function) In(r Region) []int {
	seen := make([]bool, f.parts())
	left := len(seen)
	for _, bounds := range r {
		if left == 0 {
			break
		}
		for _, part := range f.Select(bounds) {
			if !seen[part] {
				seen[part] = true
				left--
			}
		}
	}
	out := make([]int, 0, len(seen)-left)
	for part, is := range seen {
		if is {
			out = append(out, part)
		}
	}
	return out
}

func (f *Function) parts() int { return f.by.count * f.subs }
