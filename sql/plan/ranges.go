package plan

import (
	"slices"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/sql/exec"
	"emberdb/sql/fn"
)

// mostBranches is how many ranges of an index a table is read by.
const mostBranches = 16 << 10

// rangeOf is the range of an index, or the ranges, that the conditions of a table make.
func (p *planner) rangeOf(r *relation, ix *catalog.Index) (a exec.Access, ok bool) {
	if !r.finds(ix) {
		return exec.Access{Index: ix}, false
	}
	left := mostBranches
	branches := p.branches(r, r.conds, ix, &left)
	switch len(branches) {
	case 0:
		return exec.Access{Index: ix}, false
	case 1:
		return branches[0], true
	}
	return exec.Access{Index: ix, Branches: branches}, true
}

// branches are ranges of an index that have all rows for which the conditions hold; none: that is
// the whole index. Those of an OR are taken where each of them is narrower than what the other
// conditions leave. left is how many there may be.
func (p *planner) branches(r *relation, conds []fn.Expr, ix *catalog.Index, left *int) []exec.Access {
	if *left--; *left < 0 {
		return nil
	}
	plain, ok := p.oneRange(r, conds, ix)
	for i, c := range conds {
		if n := fn.CountBranches(c); n > 0 && n <= *left && columnsOf(c).meets(r.set) {
			if all := p.branchesOf(r, slices.Concat(conds[:i], conds[i+1:]), c, &plain, left); all != nil {
				return all
			}
		}
	}
	if !ok {
		return nil
	}
	return []exec.Access{plain}
}

// branchesOf are the ranges of the branches of a condition; nil: one of them is no narrower than
// plain, which is without that condition.
func (p *planner) branchesOf(r *relation, others []fn.Expr, or fn.Expr, plain *exec.Access, left *int) []exec.Access {
	all := []exec.Access{}
	for i := range fn.CountBranches(or) {
		parts, err := fn.Branch(or, i)
		if err != nil {
			return nil
		}
		if slices.ContainsFunc(parts, never) {
			continue
		}
		these := p.branches(r, slices.Concat(parts, others), plain.Index, left)
		if len(these) == 0 || slices.ContainsFunc(these, func(a exec.Access) bool { return !narrower(&a, plain) }) {
			return nil
		}
		all = append(all, these...)
	}
	if len(all) == 0 {
		return nil
	}
	return all
}

// never tells a condition that holds for no row.
func never(e fn.Expr) bool {
	c, ok := e.(*fn.Const)
	return ok && (c.IsNull() || fn.IsFalse(c))
}

func narrower(a, b *exec.Access) bool {
	if len(a.Equal) != len(b.Equal) {
		return len(a.Equal) > len(b.Equal)
	}
	return a.Low != nil && b.Low == nil || a.High != nil && b.High == nil || (a.Begin != nil || a.Null) && !b.Ranged()
}

// oneRange is the range of an index that conditions make together.
func (p *planner) oneRange(r *relation, conds []fn.Expr, ix *catalog.Index) (a exec.Access, ok bool) {
	a.Index = ix
	for _, part := range ix.Parts {
		if part.Prefix > 0 {
			break
		}
		if e := p.bound(r, conds, part.Column, "="); e != nil {
			a.Equal = append(a.Equal, e)
			continue
		}
		if a.Low = p.bound(r, conds, part.Column, ">="); a.Low == nil {
			a.Low, a.LowExcl = p.bound(r, conds, part.Column, ">"), true
		}
		if a.High = p.bound(r, conds, part.Column, "<="); a.High == nil {
			a.High, a.HighExcl = p.bound(r, conds, part.Column, "<"), true
		}
		if !a.Ranged() {
			p.texts(r, conds, part.Column, &a)
		}
		break
	}
	return a, len(a.Equal) > 0 || a.Ranged()
}

// texts bounds a column by what LIKE says that it begins with, or that it is NULL.
func (p *planner) texts(r *relation, conds []fn.Expr, col int, a *exec.Access) {
	id := r.base.First + col
	for _, c := range conds {
		call, ok := c.(*fn.Call)
		if !ok || len(call.Args) != 1 || column(call.Args[0]) != id {
			continue
		}
		if call.Name == "isnull" {
			a.Null = true
			return
		}
		if text, pattern := fn.Beginning(call); text != nil && r.base.Table.Def.Columns[col].Type != row.TBinary && keyed(call.Args[0].Type(), pattern.T) {
			a.Begin = text
			return
		}
	}
}

var mirrored = map[string]string{"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

// bound is what a condition compares a column of a table with, for an operator that has no rows
// below.
func (p *planner) bound(r *relation, conds []fn.Expr, col int, op string) fn.Expr {
	if e := p.compared(r, conds, col, op); e != nil {
		if placed, err := exec.Place(e, nil, p.cells); err == nil {
			return placed
		}
	}
	return nil
}

// compared is what a condition compares a column of a table with, if that is no column of the same
// queries.
func (p *planner) compared(r *relation, conds []fn.Expr, col int, op string) fn.Expr {
	id := r.base.First + col
	for _, c := range conds {
		call, ok := c.(*fn.Call)
		if !ok || mirrored[call.Name] == "" {
			continue
		}
		x, y, name := call.Args[0], call.Args[1], call.Name
		if column(x) != id {
			x, y, name = y, x, mirrored[name]
		}
		if column(x) != id || name != op || !keyed(x.Type(), y.Type()) || !p.known(y) || columnsOf(y).meets(r.set) {
			continue
		}
		return y
	}
	return nil
}
