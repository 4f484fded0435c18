package plan

import (
	"emberdb/sql/bind"
	"emberdb/sql/fn"
	"emberdb/sql/histogram"
	"emberdb/sql/types"
)

// spreads tells what part of a table's rows conditions let pass, by the histograms of its columns.
type spreads struct {
	*statistics
	base func(id int) *bind.Base // the table of a column; nil: of none
}

// of is the histogram of a column, nil if there is none.
func (s spreads) of(e fn.Expr) *histogram.Histogram {
	id := column(e)
	if id == 0 || s.ctx.Histogram == nil {
		return nil
	}
	b := s.base(id)
	if b == nil || b.Table.Def == nil {
		return nil
	}
	return s.ctx.Histogram(b.Table.Def, id-b.First)
}

// point is the place of a value that depends on no column.
func (s spreads) point(h *histogram.Histogram, e fn.Expr) (p histogram.Point, ok bool) {
	fixed := true
	fn.Walk(e, func(x fn.Expr) bool {
		switch x.(type) {
		case *fn.Const, *fn.Call:
		default:
			fixed = false
		}
		return fixed
	})
	if !fixed {
		return p, false
	}
	v, err := fn.Clone(e).Eval(&s.ctx.Fn, &types.Batch{N: 1})
	if err != nil {
		return p, false
	}
	return h.Point(v, 0)
}

// share is the part of rows that a condition of one column lets pass; false: no histogram tells.
func (s spreads) share(e fn.Expr) (float64, bool) {
	call, ok := e.(*fn.Call)
	if !ok || len(call.Args) == 0 {
		return 0, false
	}
	if call.Name == "or" {
		return s.oneOf(call.Args)
	}
	x, name := call.Args[0], call.Name
	if len(call.Args) == 2 && column(x) == 0 && mirrored[name] != "" {
		x, name = call.Args[1], mirrored[name]
	}
	h := s.of(x)
	switch {
	case h == nil:
		return 0, false
	case name == "isnull":
		return h.Nulls, true
	case name == "isnotnull":
		return h.Value(), true
	case len(call.Args) != 2:
		return 0, false
	}
	other := call.Args[1]
	if x == other {
		other = call.Args[0]
	}
	p, ok := s.point(h, other)
	if !ok {
		return 0, false
	}
	return compared(h, name, p)
}

// oneOf is the part of rows whose column equals one of some values, which is how a short IN is bound.
func (s spreads) oneOf(ors []fn.Expr) (sum float64, ok bool) {
	first := 0
	for _, e := range ors {
		call, ok := e.(*fn.Call)
		if !ok || call.Name != "=" || column(call.Args[0]) == 0 || first != 0 && column(call.Args[0]) != first {
			return 0, false
		}
		first = column(call.Args[0])
		part, ok := s.share(e)
		if !ok {
			return 0, false
		}
		sum += part
	}
	return min(sum, 1), true
}

// compared is the part of rows for which a comparison with a point holds.
func compared(h *histogram.Histogram, name string, p histogram.Point) (share float64, ok bool) {
	switch name {
	case "=", "<=>":
		return h.Equal(p), true
	case "<>":
		return h.Value() - h.Equal(p), true
	}
	if h.Type == "enum" || h.Type == "set" { // ranges of these are ranges of their words
		return 0, false
	}
	switch name {
	case "<":
		return h.Below(p), true
	case "<=":
		return h.Value() - h.Above(p), true
	case ">":
		return h.Above(p), true
	case ">=":
		return h.Value() - h.Below(p), true
	}
	return 0, false
}

// all is the part of rows that conditions let pass together. Two bounds of a column make one range;
// what no histogram tells is told by other, which answers for one condition.
func (s spreads) all(conds []fn.Expr, other func(fn.Expr) float64) float64 {
	share := 1.0
	taken := make([]bool, len(conds))
	for i, c := range conds {
		if taken[i] {
			continue
		}
		part, ok := s.share(c)
		if ok && lowBound(c) {
			for j := range conds {
				if j != i && !taken[j] && highBound(conds[j]) && column(bounded(conds[j])) == column(bounded(c)) {
					if below, ok := s.share(conds[j]); ok {
						part, taken[j] = max(part+below-s.of(bounded(c)).Value(), 0), true
						break
					}
				}
			}
		}
		if !ok {
			part = other(c)
		}
		share *= part
	}
	return share
}

// lowBound and highBound tell the bounds of a BETWEEN.
func lowBound(e fn.Expr) bool {
	call, ok := e.(*fn.Call)
	return ok && call.Name == ">=" && column(call.Args[0]) != 0
}

func highBound(e fn.Expr) bool {
	call, ok := e.(*fn.Call)
	return ok && call.Name == "<=" && column(call.Args[0]) != 0
}

func bounded(e fn.Expr) fn.Expr { return e.(*fn.Call).Args[0] }
