package exec

import (
	"bytes"
	"slices"

	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/sql/fn"
)

// Divisible returns the scan at the bottom of an operator whose rows several goroutines can make,
// each those of a part of the scan's rows; nil: it is not such an operator. They are scans of the
// clustered index, and what makes rows of its input one batch after the other.
func Divisible(op Op) *Scan {
	switch o := op.(type) {
	case *Scan:
		if o.From == nil && o.Access.Branches == nil && !o.Access.Descending && (o.Access.Index == nil || o.Access.Index.Clustered) && !o.single() {
			return o
		}
	case *Filter:
		return Divisible(o.In)
	case *Project:
		return Divisible(o.In)
	case *LookupJoin:
		return Divisible(o.L)
	case *HashJoin:
		if !o.LeftFirst {
			return Divisible(o.L)
		}
	}
	return nil
}

// spilled tells whether a hash join has put rows into the scratch file, which belongs to one
// goroutine.
func spilled(op Op) bool {
	switch o := op.(type) {
	case *Filter:
		return spilled(o.In)
	case *Project:
		return spilled(o.In)
	case *LookupJoin:
		return spilled(o.L)
	case *HashJoin:
		return o.full || spilled(o.L)
	}
	return false
}

// fork copies a divisible operator that is open, for another goroutine. The copies share what hash
// joins have built, which nobody changes any more. parts gives the ranges that the copy reads.
func fork(c *Ctx, op Op, parts func() (table.ScanOptions, bool)) Op {
	switch o := op.(type) {
	case *Scan:
		s := &Scan{Table: o.Table, Cols: o.Cols, Ids: o.Ids, Access: o.Access, Conds: clones(o.Conds), Out: o.Out}
		s.parts, s.whole, s.done = parts, true, true
		for _, n := range o.narrowings {
			s.narrowings = append(s.narrowings, &narrowing{keys: n.keys, at: n.at})
		}
		s.prepare(c)
		s.want = s.most
		return s
	case *Filter:
		f := &Filter{In: fork(c, o.In, parts), Conds: clones(o.Conds)}
		f.begin(f.Conds...)
		return f
	case *Project:
		p := &Project{In: fork(c, o.In, parts), Exprs: clones(o.Exprs), Ids: o.Ids}
		p.begin(p.Exprs...)
		return p
	case *LookupJoin:
		j := &LookupJoin{Kind: o.Kind, L: fork(c, o.L, parts), Table: o.Table, Index: o.Index, Keys: clones(o.Keys), Cols: o.Cols, On: clones(o.On), Ids: o.Ids, fill: filler{off: true}}
		j.wide.begin(j.Keys...)
		j.pace.bound = mostRows(j.On)
		j.prepare(c)
		return j
	case *HashJoin:
		j := &HashJoin{Kind: o.Kind, L: fork(c, o.L, parts), LKeys: clones(o.LKeys), On: clones(o.On), Ids: o.Ids, RightTypes: o.RightTypes}
		j.wide[leftRows].begin(j.LKeys...)
		j.pace.bound = mostRows(j.On)
		j.table, j.rows = o.table.fork(), store{cols: o.rows.cols, n: o.rows.n}
		j.heads, j.next, j.anyIn, j.null, j.kind, j.chain = o.heads, o.next, o.anyIn, o.null, o.Kind, -2
		for side := range j.parts { // nothing comes to them
			j.parts[side] = newParts(0, c.Limits.Join)
		}
		return j
	}
	panic("exec: an operator that is not divisible")
}

// clones copies expressions: each keeps values of its own.
func clones(all []fn.Expr) []fn.Expr {
	out := make([]fn.Expr, len(all))
	for i, e := range all {
		out[i] = fn.Clone(e)
	}
	return out
}

// partRows is about how many rows a part of a scan has.
const partRows = 4096

// mostParts bounds the memory for the bounds of parts.
const mostParts = 8192

// divide makes the ranges of the parts of a scan, in its order.
func (s *Scan) divide(c *Ctx) ([]table.ScanOptions, error) {
	o, none, err := s.options(c)
	if none || err != nil {
		return nil, err
	}
	rows, err := s.Table.Estimate(nil, nil, nil)
	if err != nil {
		return nil, err
	}
	want := int(min(rows/partRows, mostParts))
	if want < 2 {
		return []table.ScanOptions{o}, nil
	}
	keys, err := s.Table.Separators(want)
	if err != nil {
		return nil, err
	}
	low, high := o.Lower, o.Upper
	if o.LowerExcl && low != nil {
		low = row.PrefixEnd(low)
	}
	if o.UpperIncl && high != nil {
		high = row.PrefixEnd(high)
	}
	each := max(len(keys)/want, 1)
	o.Part = o.Lower == nil && o.Upper == nil
	var out []table.ScanOptions
	for i := each; i < len(keys); i += each {
		if k := keys[i]; bytes.Compare(k, low) > 0 && (high == nil || bytes.Compare(k, high) < 0) {
			part := o
			part.Upper, part.UpperIncl = k, false
			out = append(out, part)
			o.Lower, o.LowerExcl = k, false
		}
	}
	return append(out, o), nil
}

// fork is a table for look-ups by another goroutine.
func (t *keyTable) fork() *keyTable {
	f := *t
	f.vecs, f.scratch, f.nulls, f.made = nil, nil, nil, -1
	f.keyers = slices.Clone(t.keyers)
	return &f
}
