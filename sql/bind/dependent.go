package bind

import (
	"slices"
	"strconv"

	"emberdb/sql/fn"
)

// dependence knows which columns of a block are the same for all rows of a group: those that keys
// of tables, equalities and queries in FROM let follow from the columns of GROUP BY. Columns of the
// blocks around are the same for all rows.
//
// The rows of the right side of an outer join are missing for some rows of the left one. What
// follows from its columns follows nevertheless; a constant follows only if it is known whether the
// row is missing.
type dependence struct {
	known map[int]bool // by ID
	full  map[int]bool // columns that are never NULL where their row is not missing
	grew  bool
}

// dependence finds what follows from the keys of a block.
func (q *Query) dependence() *dependence {
	d := &dependence{known: make(map[int]bool), full: make(map[int]bool)}
	for _, id := range q.Outer {
		d.known[id] = true
	}
	for i := range q.Groups {
		d.known[q.Groups[i].ID] = true
	}
	for d.grew = !q.Rollup; d.grew; { // a total of a ROLLUP is of rows with different keys
		d.grew = false
		d.block(q, true)
	}
	return d
}

func (d *dependence) learn(id int) {
	if !d.known[id] {
		d.known[id], d.grew = true, true
	}
}

// holds tells whether an expression is the same for all rows.
func (d *dependence) holds(e fn.Expr) bool {
	holds := true
	fn.Walk(e, func(x fn.Expr) bool {
		switch x := x.(type) {
		case *fn.Column:
			holds = holds && d.known[x.ID]
		case *Subquery:
			for _, id := range x.Query.Outer {
				holds = holds && d.known[id]
			}
		}
		return holds
	})
	return holds
}

// block learns from the tables of a block and its WHERE. Always tells that no row is missing, or
// that it is known which are.
func (d *dependence) block(q *Query, always bool) {
	d.source(q.From, q.Where, always)
	for _, e := range q.Where {
		d.equal(e, nil, always)
	}
}

// source learns from a source of rows for which conditions hold.
func (d *dependence) source(s Source, conds []fn.Expr, always bool) {
	switch s := s.(type) {
	case *Base:
		d.table(s, always)
	case *Derived:
		d.derived(s, always)
	case *Join:
		on := fn.Conjuncts(nil, s.On)
		inner := s.Kind != Left || slices.ContainsFunc(conds, func(e fn.Expr) bool { return rejects(e, s.R) })
		if inner {
			conds = append(conds[:len(conds):len(conds)], on...)
			d.source(s.L, conds, always)
			d.source(s.R, conds, always)
		} else {
			d.source(s.L, conds, always)
			d.source(s.R, on, always && (d.decided(s.On, s.R) || d.present(s.R)))
		}
		right := always && (inner || d.decided(s.On, s.R) || d.present(s.R))
		for _, e := range on {
			if inner {
				d.equal(e, nil, always)
			} else {
				d.equal(e, s.R, right)
			}
		}
	}
}

// table learns all columns of a table one of whose unique keys is known, and the generated ones
// that are made of what is known.
func (d *dependence) table(t *Base, always bool) {
	for _, ix := range t.Table.Def.Indexes {
		unique := ix.Unique && len(ix.Parts) > 0 && !ix.Building
		for _, p := range ix.Parts {
			unique = unique && p.Prefix == 0 && d.known[t.First+p.Column] && (!t.Table.Def.Columns[p.Column].Nullable || d.full[t.First+p.Column])
		}
		if !unique {
			continue
		}
		for i := range t.Table.Names {
			d.learn(t.First + i)
		}
	}
	for i := range t.Table.Def.Columns {
		if c := &t.Table.Def.Columns[i]; always && c.Generated != "" && i < len(t.Table.Names) && !d.known[t.First+i] && d.computes(t, c.Generated) {
			d.learn(t.First + i)
		}
	}
}

// derived learns the columns of a query in FROM from what stands for them inside of it, and the
// other way round.
func (d *dependence) derived(t *Derived, always bool) {
	q := t.Query
	if q.Union != nil || q.Recursion != nil || q.Rollup {
		return
	}
	some := false // of a table that is stored nothing follows from nothing
	for i := range q.Items {
		some = some || d.known[t.First+i]
	}
	d.block(q, always && (some || q.merges()))
	if q.Grouped {
		one := len(q.Groups) > 0 || some && always || d.presentItem(t)
		for i := range q.Groups {
			g := &q.Groups[i]
			if d.holds(g.Expr) {
				d.learn(g.ID)
			}
			one = one && d.known[g.ID] && (always || !g.Expr.Type().Nullable)
		}
		for _, a := range q.Aggs {
			if one {
				d.learn(a.ID)
			}
		}
	}
	for i := range q.Items {
		outer, e := t.First+i, q.Items[i].Expr
		_, constant := e.(*fn.Const)
		if id := columnID(e); id > 0 && d.known[outer] {
			d.learn(id)
		} else if d.holds(e) && (id > 0 || constant || always) {
			d.learn(outer)
		}
	}
}

// equal learns a column that a condition sets equal to a constant or to another column that is known.
// Of the condition of an outer join only what it says of the right side counts.
func (d *dependence) equal(e fn.Expr, right Source, always bool) {
	d.needs(e, right)
	call, ok := e.(*fn.Call)
	if !ok || call.Name != "=" {
		return
	}
	for i, x := range call.Args {
		id := columnID(asWritten(x))
		if id == 0 || right != nil && !owner(right, id) {
			continue
		}
		other := asWritten(call.Args[1-i])
		_, constant := other.(*fn.Const)
		if known := columnID(other); constant && always || known > 0 && d.known[known] && (always || right == nil) {
			d.learn(id)
		}
	}
}

// asWritten is an operand without the conversion that a comparison has put around it.
func asWritten(e fn.Expr) fn.Expr {
	if call, ok := e.(*fn.Call); ok && call.Name == "number of text" {
		return call.Args[0]
	}
	return e
}

// decided tells whether the condition of an outer join depends on the right side and on what is
// known alone.
func (d *dependence) decided(on fn.Expr, right Source) bool {
	decided := true
	fn.Walk(on, func(x fn.Expr) bool {
		switch x := x.(type) {
		case *fn.Column:
			decided = decided && (d.known[x.ID] || owner(right, x.ID))
		case *Subquery:
			decided = false
		}
		return decided
	})
	return decided
}

// present tells whether a column is known that is NULL only in rows that are missing.
func (d *dependence) present(right Source) bool {
	switch s := right.(type) {
	case *Base:
		for i := range s.Table.Names {
			if d.known[s.First+i] && !s.Table.Def.Columns[i].Nullable {
				return true
			}
		}
	case *Derived:
		return s.Query.merges() && d.present(s.Query.From)
	case *Join:
		return d.present(s.L) || s.Kind != Left && d.present(s.R)
	}
	return false
}

// strict are the functions that are NULL, or do not hold, if one of their operands is NULL.
var strict = map[string]bool{"=": true, "<>": true, "<": true, "<=": true, ">": true, ">=": true, "isnotnull": true, "+": true, "-": true, "*": true, "/": true,
	"number of text": true, "and": true}

// rejects tells a condition that does not hold for rows of a source that are missing: an outer join
// below it is an inner one.
func rejects(e fn.Expr, s Source) bool {
	switch e := e.(type) {
	case *fn.Column:
		return owner(s, e.ID)
	case *fn.Call:
		some := func(x fn.Expr) bool { return rejects(x, s) }
		return strict[e.Name] && slices.ContainsFunc(e.Args, some) ||
			e.Name == "or" && !slices.ContainsFunc(e.Args, func(x fn.Expr) bool { return !some(x) })
	}
	return false
}

// owner tells whether a column is one of a source's.
func owner(s Source, id int) bool {
	switch s := s.(type) {
	case *Base:
		return id >= s.First && id < s.First+len(s.Table.Names)
	case *Derived:
		return id >= s.First && id < s.First+len(s.Query.Items)
	case *Join:
		return owner(s.L, id) || owner(s.R, id)
	}
	return false
}

// nameOf is the full name of a column of the block's tables, as errors show it.
func (s *scope) nameOf(id int) string {
	for _, t := range s.tables {
		if id < t.first || id >= t.first+len(t.columns) {
			continue
		}
		c := &t.columns[id-t.first]
		name := t.alias + "." + c.name
		if t.schema != "" {
			name = t.schema + "." + name
		}
		return name
	}
	return ""
}

// computed tells a generated column of the block's tables, which follows from others.
func (s *scope) computed(id int) bool {
	for _, t := range s.tables {
		if id >= t.first && id < t.first+len(t.columns) {
			c := t.columns[id-t.first].origin.Column
			return c != nil && c.Generated != ""
		}
	}
	return false
}

// follows tells a column that follows from other keys than all columns of its table's primary key.
func (s *scope) follows(id int, out *Query) bool {
	for _, t := range s.tables {
		if id < t.first || id >= t.first+len(t.columns) {
			continue
		}
		o := &t.columns[id-t.first].origin
		if !t.base || len(o.Def.Indexes) == 0 || !o.Def.Indexes[0].Clustered {
			return true
		}
		for _, p := range o.Def.Indexes[0].Parts {
			if !grouped(out, t.first+p.Column) {
				return true
			}
		}
	}
	return false
}

// ungrouped is the error of a column that differs within a group, in the n-th expression of a clause.
func ungrouped(out *Query, n int, clause, column string) error {
	if len(out.Groups) == 0 {
		return &fn.Fault{Code: 1140, Text: "In aggregated query without GROUP BY, expression #" + strconv.Itoa(n) + " of " + clause + " contains nonaggregated column '" + column +
			"'; this is incompatible with sql_mode=only_full_group_by"}
	}
	return &fn.Fault{Code: 1055, Text: "Expression #" + strconv.Itoa(n) + " of " + clause + " is not in GROUP BY clause and contains nonaggregated column '" + column +
		"' which is not functionally dependent on columns in GROUP BY clause; this is incompatible with sql_mode=only_full_group_by"}
}
