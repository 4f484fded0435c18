package plan

import (
	"emberdb/sql/bind"
	"emberdb/sql/fn"
)

// idSet is a set of columns.
type idSet map[int]bool

// columnsOf are the columns of an expression, those of queries around the queries in it included.
func columnsOf(e fn.Expr) idSet {
	out := make(idSet)
	fn.Walk(e, func(x fn.Expr) bool {
		switch x := x.(type) {
		case *fn.Column:
			out[x.ID] = true
		case *bind.Subquery:
			for _, id := range x.Query.Outer {
				out[id] = true
			}
		}
		return true
	})
	return out
}

// within are the columns of s that are also in t.
func (s idSet) within(t idSet) idSet {
	out := make(idSet)
	for id := range s {
		if t[id] {
			out[id] = true
		}
	}
	return out
}

func (s idSet) in(t idSet) bool {
	for id := range s {
		if !t[id] {
			return false
		}
	}
	return true
}

func (s idSet) meets(t idSet) bool {
	for id := range s {
		if t[id] {
			return true
		}
	}
	return false
}

func (s idSet) add(t idSet) {
	for id := range t {
		s[id] = true
	}
}

func setOf(ids []int) idSet {
	s := make(idSet, len(ids))
	for _, id := range ids {
		s[id] = true
	}
	return s
}

// hasSubquery tells whether an expression has a query in it.
func hasSubquery(e fn.Expr) (has bool) {
	fn.Walk(e, func(x fn.Expr) bool {
		_, is := x.(*bind.Subquery)
		has = has || is
		return !has
	})
	return has
}

// factor takes what all branches of an OR have in common out of it: (a AND b) OR (a AND c) is a AND
// (b OR c).
func factor(conds []fn.Expr) (out []fn.Expr) {
	for _, c := range conds {
		or, ok := c.(*fn.Call)
		if !ok || or.Name != "or" || hasSubquery(c) {
			out = append(out, c)
			continue
		}
		branches := make([][]fn.Expr, len(or.Args))
		count := make(map[string]int)
		for i, a := range or.Args {
			branches[i] = fn.Conjuncts(nil, a)
			seen := make(map[string]bool)
			for _, part := range branches[i] {
				if k := fn.Key(part); !seen[k] {
					seen[k] = true
					count[k]++
				}
			}
		}
		taken := make(map[string]bool)
		for _, part := range branches[0] {
			if k := fn.Key(part); count[k] == len(branches) && !taken[k] {
				taken[k] = true
				out = append(out, part)
			}
		}
		if len(taken) == 0 {
			out = append(out, c)
			continue
		}
		ors := make([]fn.Expr, len(branches))
		for i, b := range branches {
			var rest []fn.Expr
			for _, part := range b {
				if !taken[fn.Key(part)] {
					rest = append(rest, part)
				}
			}
			ors[i] = fn.And(rest...)
		}
		if rest := fn.Or(ors...); !fn.IsTrue(rest) {
			out = append(out, rest)
		}
	}
	return out
}

// implied is what an OR says about the columns of one relation, if every branch says something.
func implied(c fn.Expr, of idSet) fn.Expr {
	or, ok := c.(*fn.Call)
	if !ok || or.Name != "or" || hasSubquery(c) {
		return nil
	}
	var ors []fn.Expr
	for _, a := range or.Args {
		var parts []fn.Expr
		for _, part := range fn.Conjuncts(nil, a) {
			if cols := columnsOf(part); len(cols) > 0 && cols.in(of) {
				parts = append(parts, fn.Clone(part))
			}
		}
		if len(parts) == 0 {
			return nil
		}
		ors = append(ors, fn.And(parts...))
	}
	return fn.Or(ors...)
}

// rejects tells whether a condition cannot hold where all these columns are NULL.
func rejects(c fn.Expr, of idSet) bool {
	call, ok := c.(*fn.Call)
	if !ok || hasSubquery(c) {
		return false
	}
	switch call.Name {
	case "=", "<>", "<", "<=", ">", ">=":
		return strict(call.Args[0], of) || strict(call.Args[1], of)
	case "isnotnull":
		return strict(call.Args[0], of)
	}
	return false
}

// strict tells an expression that is NULL where these columns are.
func strict(e fn.Expr, of idSet) bool {
	switch e := e.(type) {
	case *fn.Column:
		return of[e.ID]
	case *fn.Call:
		switch e.Name {
		case "+", "-", "*", "/", "neg":
			for _, a := range e.Args {
				if strict(a, of) {
					return true
				}
			}
		}
	}
	return false
}

// equality takes a = b apart.
func equality(c fn.Expr) (a, b fn.Expr, ok bool) {
	call, ok := c.(*fn.Call)
	if !ok || call.Name != "=" || hasSubquery(c) {
		return nil, nil, false
	}
	return call.Args[0], call.Args[1], true
}
