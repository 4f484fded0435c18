package tabledef

// From GMS's ranges to key ranges.
//
// A range of GMS has one interval for every column of the index (the extended one, perhaps fewer).
// The keys of the tree are the index's parts, then the clustered key. Going through the parts, an
// interval of one value extends the prefix and goes on; the first other one sets the bounds; what
// is left (and any column that comes after) is checked row by row with encoded values, so equality
// is the index's and not GMS's.
//
//	lower cut    Below k: from k          Above k: behind k          AboveNull: behind NULL   BelowNull: open      AboveAll: empty
//	upper cut    Above k: k included      Below k: k excluded        AboveNull: NULL included  BelowNull: empty     AboveAll: open
//
// k may be no value of the column (1.234 for DECIMAL(5,2), half a second for DATETIME): it lies
// between two values then, see edge.
//
// All bounds are key prefixes, in the sense of table.ScanOptions. A part that holds a prefix of its
// column knows its values only roughly: both of its bounds include what begins alike, and GMS keeps
// its filters for such an index.
//
// GMS uses the ranges of a look-up join again for the next row: everything is encoded at once.

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/row"
	"emberdb/sqllayer/store"
)

// KeyRange is one range of a tree.
type KeyRange struct {
	Lower, Upper         []byte
	LowerExcl, UpperIncl bool
	Checks               []*interval
}

// interval is one column's part of a range, encoded. Nil bounds are open.
type interval struct {
	Part                 row.KeyPart
	lower, upper         []byte
	lowerExcl, upperExcl bool
	empty                bool
}

func (v *interval) open() bool { return v.lower == nil && v.upper == nil }

func (v *interval) single() bool {
	return v.lower != nil && !v.lowerExcl && !v.upperExcl && bytes.Equal(v.lower, v.upper)
}

// Holds tells whether an encoded value is in the interval.
func (v *interval) Holds(key []byte) bool {
	if v.lower != nil {
		if c := bytes.Compare(key, v.lower); c < 0 || c == 0 && v.lowerExcl {
			return false
		}
	}
	if v.upper != nil {
		if c := bytes.Compare(key, v.upper); c > 0 || c == 0 && v.upperExcl {
			return false
		}
	}
	return true
}

// isEmpty tells whether a look-up finds nothing. GMS says so of every look-up for a NULL, also of
// column <=> NULL.
func isEmpty(lookup sql.IndexLookup) bool {
	ranges, _ := lookup.Ranges.(sql.MySQLRangeCollection)
	if !lookup.IsEmptyRange || len(ranges) != 1 {
		return lookup.IsEmptyRange
	}
	safe := false
	for _, c := range ranges[0] {
		if low, ok := c.LowerBound.(sql.Below); ok && low.Key == nil {
			return true
		}
		_, low := c.LowerBound.(sql.BelowNull)
		_, high := c.UpperBound.(sql.AboveNull)
		safe = safe || low && high
	}
	return !safe
}

// KeyRanges encodes the ranges of a look-up, in the order in which they are read: GMS orders the
// texts of an IN by their bytes. Empty ones are left out, and those that are the same ones once
// encoded: GMS takes the texts of an IN for different ones if their bytes are, and the rows would
// be read once for each.
func (x *Index) KeyRanges(ctx *sql.Context, lookup sql.IndexLookup) ([]KeyRange, error) {
	if isEmpty(lookup) {
		return nil, nil
	}
	ranges, ok := lookup.Ranges.(sql.MySQLRangeCollection)
	if !ok {
		return nil, fmt.Errorf("index %s: ranges of type %T", x.Name, lookup.Ranges)
	}
	out := make([]KeyRange, 0, len(ranges))
	for _, r := range ranges {
		k, ok, err := x.keyRange(ctx, r)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, k)
		}
	}
	slices.SortFunc(out, func(a, b KeyRange) int { return a.compare(&b) })
	out = slices.CompactFunc(out, func(a, b KeyRange) bool { return a.compare(&b) == 0 })
	if slices.ContainsFunc(x.Key, func(p row.KeyPart) bool { return p.Prefix > 0 }) {
		out = joined(out)
	}
	if lookup.IsReverse {
		slices.Reverse(out)
	}
	return out, nil
}

// joined makes one range of those that have keys in common, as below and above a value of which a
// key holds a prefix. GMS filters the rows of such an index. The ranges come in the order of their
// keys; the slice is used up.
func joined(all []KeyRange) []KeyRange {
	slices.SortStableFunc(all, func(a, b KeyRange) int { return bytes.Compare(a.begin(), b.begin()) })
	kept := all[:0]
	for _, k := range all {
		if n := len(kept); n == 0 || !kept[n-1].join(&k) {
			kept = append(kept, k)
		}
	}
	return kept
}

// join takes a range that does not begin before k into it, if they have keys in common.
func (k *KeyRange) join(o *KeyRange) bool {
	end, next := k.end(), o.begin()
	if end != nil && bytes.Compare(next, end) >= 0 {
		return false
	}
	if last := o.end(); end != nil && (last == nil || bytes.Compare(last, end) > 0) {
		k.Upper, k.UpperIncl = o.Upper, o.UpperIncl
	}
	k.Checks = nil
	return true
}

// begin is the least key that may be in a range; nil: there is none below.
func (k *KeyRange) begin() []byte {
	if k.LowerExcl && k.Lower != nil {
		return row.PrefixEnd(k.Lower)
	}
	return k.Lower
}

// end is what all keys of a range are below; nil: nothing.
func (k *KeyRange) end() []byte {
	if k.UpperIncl && k.Upper != nil {
		return row.PrefixEnd(k.Upper)
	}
	return k.Upper
}

// compare orders ranges by where they begin; zero: both are the same.
func (k *KeyRange) compare(o *KeyRange) int {
	if c := cmp.Or(bytes.Compare(k.Lower, o.Lower), bytes.Compare(k.Upper, o.Upper), falseFirst(k.LowerExcl, o.LowerExcl), falseFirst(k.UpperIncl, o.UpperIncl)); c != 0 {
		return c
	}
	return slices.CompareFunc(k.Checks, o.Checks, func(v, w *interval) int {
		return cmp.Or(cmp.Compare(v.Part.Column, w.Part.Column), bytes.Compare(v.lower, w.lower), bytes.Compare(v.upper, w.upper),
			falseFirst(v.lowerExcl, w.lowerExcl), falseFirst(v.upperExcl, w.upperExcl))
	})
}

func falseFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// KeyRange encodes one range; ok is false if it is empty.
func (x *Index) keyRange(ctx *sql.Context, r sql.MySQLRange) (out KeyRange, ok bool, err error) {
	if len(r) > len(x.extended) {
		return out, false, fmt.Errorf("index %s of %d columns: a range of %d", x.Name, len(x.extended), len(r))
	}
	intervals := make([]*interval, 0, len(r))
	for i := range r {
		v, err := x.interval(ctx, x.partOf(x.extended[i]), r[i])
		if err != nil || v.empty {
			return out, false, err
		}
		if !v.open() {
			intervals = append(intervals, v)
		}
	}
	var prefix []byte
	used := make(map[int]bool, len(intervals))
	for _, p := range x.Key {
		v := intervalOf(intervals, p)
		if v == nil {
			break
		}
		used[p.Column] = true
		if !v.single() {
			out.bound(prefix, v)
			prefix = nil
			break
		}
		prefix = append(prefix, v.lower...)
	}
	if prefix != nil {
		out.Lower, out.Upper, out.UpperIncl = prefix, prefix, true
	}
	for _, v := range intervals {
		if !used[v.Part.Column] {
			out.Checks = append(out.Checks, v)
		}
	}
	return out, true, nil
}

// partOf is the first key part of a column.
func (x *Index) partOf(column int) row.KeyPart {
	for _, p := range x.Key {
		if p.Column == column {
			return p
		}
	}
	return row.KeyPart{Column: column}
}

// intervalOf finds the interval of a part. The clustered key may repeat a column that the index has
// a prefix of: that is another part.
func intervalOf(intervals []*interval, p row.KeyPart) *interval {
	for _, v := range intervals {
		if v.Part == p {
			return v
		}
	}
	return nil
}

// bound sets the bounds: what begins with prefix and has the next part in v.
func (k *KeyRange) bound(prefix []byte, v *interval) {
	k.Lower, k.Upper, k.UpperIncl = prefix, prefix, true
	if v.lower != nil {
		k.Lower, k.LowerExcl = slices.Concat(prefix, v.lower), v.lowerExcl
	}
	if v.upper != nil {
		k.Upper, k.UpperIncl = slices.Concat(prefix, v.upper), !v.upperExcl
	}
}

// interval encodes the cuts of one column.
func (x *Index) interval(ctx *sql.Context, p row.KeyPart, e sql.MySQLRangeColumnExpr) (*interval, error) {
	v := &interval{Part: p}
	rough := p.Prefix > 0
	var at store.Edge
	switch cut := e.LowerBound.(type) {
	case sql.Below:
		at = x.edge(ctx, p, cut.Key)
		v.lower, v.lowerExcl = at.Key, at.Side > 0 && !rough
	case sql.Above:
		at = x.edge(ctx, p, cut.Key)
		v.lower, v.lowerExcl = at.Key, at.Side >= 0 && !rough
	case sql.AboveNull:
		v.lower, v.lowerExcl = row.AppendKeyPart(nil, x.Owner.Cols[p.Column], p, row.NullValue), true
	case sql.BelowNull:
	case sql.AboveAll:
		v.empty = true
	default:
		return nil, fmt.Errorf("index %s: cut of type %T", x.Name, cut)
	}
	v.empty = v.empty || at.Fits == sql.Overflow
	at = store.Edge{}
	switch cut := e.UpperBound.(type) {
	case sql.Above:
		at = x.edge(ctx, p, cut.Key)
		v.upper, v.upperExcl = at.Key, at.Side < 0 && !rough
	case sql.Below:
		at = x.edge(ctx, p, cut.Key)
		v.upper, v.upperExcl = at.Key, at.Side <= 0 && !rough
	case sql.AboveNull:
		v.upper = row.AppendKeyPart(nil, x.Owner.Cols[p.Column], p, row.NullValue)
	case sql.AboveAll:
	case sql.BelowNull:
		v.empty = true
	default:
		return nil, fmt.Errorf("index %s: cut of type %T", x.Name, cut)
	}
	v.empty = v.empty || at.Fits == sql.Underflow
	if v.lower == nil && sql.MySQLRangeCutIsBinding(e.LowerBound) {
		// A lower bound below the column's domain: everything but NULL.
		v.lower, v.lowerExcl = row.AppendKeyPart(nil, x.Owner.Cols[p.Column], p, row.NullValue), true
	}
	if p.Desc { // the key's bytes are inverted
		v.lower, v.lowerExcl, v.upper, v.upperExcl = v.upper, v.upperExcl, v.lower, v.lowerExcl
	}
	return v, nil
}
