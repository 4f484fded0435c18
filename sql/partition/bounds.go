package partition

import (
	"bytes"
	"slices"
	"time"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
)

// maxWalked is how many values of a range are placed one by one.
const maxWalked = 32

// Select implements table.Placer.
func (f *Function) Select(bounds map[int]table.Bound) []int {
	by := f.by.choose(bounds)
	if f.sub == nil {
		return by
	}
	subs := f.sub.choose(bounds)
	out := make([]int, 0, len(by)*len(subs))
	for _, p := range by {
		for _, s := range subs {
			out = append(out, p*f.subs+s)
		}
	}
	return out
}

// choose returns the partitions that can have rows within the bounds, ascending.
func (r *rule) choose(bounds map[int]table.Bound) []int {
	if vals, fixed := r.fixed(bounds); fixed {
		part, err := r.place(vals)
		switch {
		case err != nil:
			return r.all()
		case part < 0:
			return []int{}
		}
		return []int{part}
	}
	switch {
	case r.key.Method == catalog.ByList && r.value == nil:
		return r.chooseListed(bounds)
	case r.key.Method == catalog.ByRange && r.value == nil:
		return r.chooseColumns(bounds)
	case len(r.columns) != 1 || r.value == nil:
		return r.all()
	}
	b, known := bounds[r.columns[0]]
	if !known {
		return r.all()
	}
	switch r.key.Method {
	case catalog.ByRange:
		if r.rising {
			return r.chooseRange(b)
		}
	case catalog.ByList:
		if r.rising {
			return r.chooseList(b)
		}
	}
	return r.walk(b)
}

func (r *rule) all() []int {
	out := make([]int, r.count)
	for i := range out {
		out[i] = i
	}
	return out
}

// fixed returns a row with the values of the columns if all have one value.
func (r *rule) fixed(bounds map[int]table.Bound) (vals []row.Value, ok bool) {
	for _, c := range r.columns {
		b, known := bounds[c]
		if !known || !b.Null && (b.Low.IsNull() || !b.Low.Same(b.High) || b.LowExcl || b.HighExcl) {
			return nil, false
		}
		for len(vals) <= c {
			vals = append(vals, row.NullValue)
		}
		vals[c] = b.Low
		if b.Null {
			vals[c] = row.NullValue
		}
	}
	return vals, true
}

// of computes the expression of one value of its column.
func (r *rule) of(v row.Value) (number, bool) {
	vals := make([]row.Value, r.columns[0]+1)
	vals[r.columns[0]] = v
	n, err := r.value(vals)
	return n, err == nil && !n.null
}

// ends are the numbers at the ends of a bound; open ones are missing. ok is false where an end has
// no number.
func (r *rule) ends(b table.Bound) (low, high number, hasLow, hasHigh, ok bool) {
	c := r.cols[0].Type
	if hasLow = !b.Low.IsNull(); hasLow {
		v := b.Low
		if b.LowExcl {
			v = neighbour(c, v, 1)
		}
		if low, ok = r.of(v); !ok {
			return low, high, false, false, false
		}
	}
	if hasHigh = !b.High.IsNull(); hasHigh {
		v := b.High
		if b.HighExcl {
			v = neighbour(c, v, -1)
		}
		if high, ok = r.of(v); !ok {
			return low, high, false, false, false
		}
	}
	return low, high, hasLow, hasHigh, true
}

// neighbour is the next value of a type in a direction, or v where that is not known.
func neighbour(t row.Type, v row.Value, step int64) row.Value {
	switch {
	case t >= row.TUint8 && t <= row.TUint64 || t == row.TYear:
		if n := v.N + uint64(step); (n > v.N) == (step > 0) {
			return row.UintValue(n)
		}
	case t.Integer() || t == row.TTimestamp:
		if n := v.Int() + step; (n > v.Int()) == (step > 0) {
			return row.IntValue(n)
		}
	case t == row.TDate || t == row.TDateTime:
		m := momentOf(t, v)
		if m.month == 0 || m.day == 0 {
			return v
		}
		at := time.Date(m.year, time.Month(m.month), m.day, m.hour, m.minute, m.second, m.micro*1000, time.UTC)
		if t == row.TDate {
			at = at.AddDate(0, 0, int(step))
			return row.IntValue(int64(at.Year())<<9 | int64(at.Month())<<5 | int64(at.Day()))
		}
		at = at.Add(time.Duration(step) * time.Microsecond)
		ymd := int64(at.Year()*13+int(at.Month()))<<5 | int64(at.Day())
		hms := int64(at.Hour())<<12 | int64(at.Minute())<<6 | int64(at.Second())
		return row.IntValue((ymd<<17|hms)<<24 | int64(at.Nanosecond()/1000))
	}
	return v
}

// chooseRange is RANGE of an expression that rises with its column.
func (r *rule) chooseRange(b table.Bound) []int {
	low, high, hasLow, hasHigh, ok := r.ends(b)
	if !ok {
		return r.all()
	}
	from, to := 0, r.count-1
	if hasLow {
		if from = r.placeNumber(low); from < 0 {
			return r.withNull(b, []int{})
		}
	}
	if hasHigh {
		if p := r.placeNumber(high); p >= 0 {
			to = p
		}
	}
	var out []int
	for p := from; p <= to; p++ {
		out = append(out, p)
	}
	return r.withNull(b, out)
}

// withNull adds the partition of NULL where a date that is not NULL may have no number.
func (r *rule) withNull(b table.Bound, parts []int) []int {
	at := r.nulls
	if r.key.Method == catalog.ByRange {
		at = 0
	}
	c := r.cols[0].Type
	dates := c == row.TDate || c == row.TDateTime
	if at >= 0 && (dates || !b.NotNull && b.Low.IsNull()) && !slices.Contains(parts, at) {
		parts = append(parts, at)
		slices.Sort(parts)
	}
	return parts
}

// chooseList is LIST of an expression that rises with its column.
func (r *rule) chooseList(b table.Bound) []int {
	low, high, hasLow, hasHigh, ok := r.ends(b)
	if !ok {
		return r.all()
	}
	unsigned := low.unsigned || high.unsigned
	out := []int{}
	for bits, part := range r.lists {
		n := number{n: bits, unsigned: unsigned}
		if !(hasLow && n.less(low)) && !(hasHigh && high.less(n)) && !slices.Contains(out, part) {
			out = append(out, part)
		}
	}
	slices.Sort(out)
	return r.withNull(b, out)
}

// walk places the values of a short range of whole numbers.
func (r *rule) walk(b table.Bound) []int {
	t := r.cols[0].Type
	if !t.Integer() || b.Low.IsNull() || b.High.IsNull() {
		return r.all()
	}
	v, high := b.Low, b.High
	if b.LowExcl {
		v = neighbour(t, v, 1)
	}
	if b.HighExcl {
		high = neighbour(t, high, -1)
	}
	if high.N-v.N >= maxWalked {
		return r.all()
	}
	out := []int{}
	for ; ; v.N++ {
		vals := make([]row.Value, r.columns[0]+1)
		vals[r.columns[0]] = v
		part, err := r.place(vals)
		if err != nil {
			return r.all()
		}
		if part >= 0 && !slices.Contains(out, part) {
			out = append(out, part)
		}
		if v.N == high.N {
			break
		}
	}
	slices.Sort(out)
	return out
}

// chooseColumns is RANGE COLUMNS: the equal columns in front, and the bounds of the one behind them.
func (r *rule) chooseColumns(bounds map[int]table.Bound) []int {
	var low, high []byte
	highest := true // keys that begin with high are in
	for i, c := range r.columns {
		b, known := bounds[c]
		if !known {
			break
		}
		if b.Null || !b.Low.IsNull() && b.Low.Same(b.High) && !b.LowExcl && !b.HighExcl {
			v := b.Low
			if b.Null {
				v = row.NullValue
			}
			low = row.AppendKeyPart(low, r.cols[i], row.KeyPart{}, v)
			high = row.AppendKeyPart(high, r.cols[i], row.KeyPart{}, v)
			continue
		}
		if !b.Low.IsNull() {
			low = row.AppendKeyPart(low, r.cols[i], row.KeyPart{}, b.Low)
			if b.LowExcl {
				low = append(low, maxValue)
			}
		}
		if !b.High.IsNull() {
			high = row.AppendKeyPart(high, r.cols[i], row.KeyPart{}, b.High)
			highest = !b.HighExcl
		} else {
			highest = true
		}
		break
	}
	from, to := 0, r.count-1
	if len(low) > 0 {
		from = r.above(low)
	}
	if len(high) > 0 {
		if highest {
			high = append(high, maxValue)
		}
		to = min(to, r.below(high))
	}
	out := []int{}
	for p := from; p <= to; p++ {
		out = append(out, p)
	}
	return out
}

// below returns the last partition that can have keys below key.
func (r *rule) below(key []byte) int {
	at, _ := slices.BinarySearchFunc(r.most, key, bytes.Compare)
	return at
}

// chooseListed is LIST COLUMNS: the partitions whose values lie within the bounds.
func (r *rule) chooseListed(bounds map[int]table.Bound) []int {
	out := []int{}
	for key, part := range r.listed {
		inside := true
		for i, c := range r.columns {
			if b, known := bounds[c]; known && !r.within(i, r.rows[key][i], b) {
				inside = false
			}
		}
		if inside && !slices.Contains(out, part) {
			out = append(out, part)
		}
	}
	slices.Sort(out)
	return out
}

// within tells whether a value of the column at i lies within a bound.
func (r *rule) within(i int, v row.Value, b table.Bound) bool {
	if v.IsNull() {
		return b.Null || !b.NotNull && b.Low.IsNull()
	}
	if b.Null {
		return false
	}
	compare := func(to row.Value) int {
		return bytes.Compare(row.AppendKeyPart(nil, r.cols[i], row.KeyPart{}, v), row.AppendKeyPart(nil, r.cols[i], row.KeyPart{}, to))
	}
	if !b.Low.IsNull() {
		if c := compare(b.Low); c < 0 || c == 0 && b.LowExcl {
			return false
		}
	}
	if !b.High.IsNull() {
		if c := compare(b.High); c > 0 || c == 0 && b.HighExcl {
			return false
		}
	}
	return true
}
