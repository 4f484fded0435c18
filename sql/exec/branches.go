package exec

import (
	"bytes"
	"slices"

	"emberdb/engine/row"
	"emberdb/engine/table"
)

// span is a range of keys: those from lo on that are below hi, nil for no end.
type span struct {
	table.ScanOptions
	lo, hi []byte
}

// openBranches opens the ranges of the branches one after the other.
func (s *Scan) openBranches(c *Ctx) error {
	spans, err := s.spans(c)
	if err != nil {
		return err
	}
	at := 0
	s.parts = func() (o table.ScanOptions, ok bool) {
		if at == len(spans) {
			return o, false
		}
		at++
		return spans[at-1].ScanOptions, true
	}
	s.done, s.opened, s.whole = true, false, false
	if s.again(c) {
		s.whole = s.scan.Whole() && slices.ContainsFunc(s.Access.Branches, func(a Access) bool { return a.Ranged() })
	}
	return nil
}

// spans are the ranges of the branches in the order of the scan. No key is in two of them.
func (s *Scan) spans(c *Ctx) ([]span, error) {
	var all []span
	for i := range s.Access.Branches {
		s.lower, s.upper = nil, nil // the spans keep them
		n := span{ScanOptions: s.whatever(c)}
		none, err := s.bounds(c, &s.Access.Branches[i], &n.ScanOptions)
		if err != nil {
			return nil, err
		}
		if n.measure() && !none {
			all = append(all, n)
		}
	}
	s.lower, s.upper = nil, nil
	if all = joined(all); s.Access.Descending {
		slices.Reverse(all)
	}
	return all, nil
}

// joined are the ranges in the order of their keys. Those with keys in common are one. The slice is
// used up.
func joined(all []span) []span {
	slices.SortStableFunc(all, func(a, b span) int { return bytes.Compare(a.lo, b.lo) })
	kept := all[:0]
	for _, n := range all {
		if k := len(kept); k == 0 || !kept[k-1].join(&n) {
			kept = append(kept, n)
		}
	}
	return kept
}

// measure finds where the range begins and ends; false: no key is in it.
func (n *span) measure() bool {
	n.lo, n.hi = n.Lower, n.Upper
	if n.LowerExcl && n.lo != nil {
		if n.lo = row.PrefixEnd(n.lo); n.lo == nil {
			return false
		}
	}
	if n.UpperIncl && n.hi != nil {
		n.hi = row.PrefixEnd(n.hi)
	}
	return n.hi == nil || bytes.Compare(n.lo, n.hi) < 0
}

// join takes a range that does not begin before n into it, if they have keys in common.
func (n *span) join(m *span) bool {
	if n.hi != nil && bytes.Compare(m.lo, n.hi) >= 0 {
		return false
	}
	if n.hi != nil && (m.hi == nil || bytes.Compare(m.hi, n.hi) > 0) {
		n.Upper, n.UpperIncl, n.hi = m.Upper, m.UpperIncl, m.hi
	}
	return true
}

// mostEstimates is for how many branches an index is asked; the others are taken for their like.
const mostEstimates = 200

func (s *Scan) estimateBranches(c *Ctx) (rows float64, err error) {
	n := len(s.Access.Branches)
	step := (n + mostEstimates - 1) / mostEstimates
	asked := 0
	for i := 0; i < n; i += max(step, 1) {
		more, err := s.estimate(c, &s.Access.Branches[i])
		if err != nil {
			return 0, err
		}
		rows, asked = rows+more, asked+1
	}
	return rows * float64(n) / float64(max(asked, 1)), nil
}
