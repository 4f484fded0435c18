package compiled

import (
	"bytes"
	"slices"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
)

// path is how a program comes to its rows: an index, the conditions that fix its leading columns, and those that bound the next.
//
//	the longest prefix of equalities wins; a unique index wholly given beats all; then a list, then a range on the next column; then the order wanted
type path struct {
	index  *catalog.Index // nil: the clustered one
	parts  []row.KeyPart
	fixed  []int // condition that fixes each leading part
	list   int   // IN on the next part, -1
	bounds []int // conditions that bound the next part
	point  bool
	back   bool // read from the end
}

// choosePath sets the program's path. inOrder: its rows come in the wanted order.
func (p *Program) choosePath(order []row.KeyPart) (inOrder bool) {
	best, bestScore := path{list: -1}, -1
	for _, idx := range p.def.Indexes {
		if idx.Kind != "" || slices.ContainsFunc(idx.Parts, func(k row.KeyPart) bool { return k.Prefix > 0 }) || idx.Invisible {
			continue
		}
		c, score := p.try(idx, order)
		if score > bestScore {
			best, bestScore, inOrder = c, score, score&1 == 1
		}
	}
	p.path = best
	for _, i := range append(slices.Clone(best.fixed), best.bounds...) {
		p.where[i].path = true
	}
	if best.list >= 0 {
		p.where[best.list].path = true
	}
	return inOrder || len(order) == 0
}

// try judges an index; the lowest bit of the score tells that it gives the order.
func (p *Program) try(idx *catalog.Index, order []row.KeyPart) (path, int) {
	c := path{index: idx, parts: idx.Parts, list: -1}
	score := 0
	next := 0
	for ; next < len(idx.Parts); next++ {
		i := p.condition(idx.Parts[next].Column, opEq)
		if i < 0 {
			break
		}
		c.fixed = append(c.fixed, i)
	}
	score = 1000 * next
	switch {
	case next == len(idx.Parts) && next > 0:
		if c.point = idx.Unique || idx.Clustered; c.point {
			score += 1_000_000
		}
	case next < len(idx.Parts):
		col := idx.Parts[next].Column
		if c.list = p.condition(col, opIn); c.list >= 0 {
			score += 600
		} else if !idx.Parts[next].Desc {
			for i := range p.where {
				switch p.where[i].op {
				case opLt, opLe, opGt, opGe, opBetween:
					if p.where[i].col == col {
						c.bounds = append(c.bounds, i)
					}
				}
			}
			if len(c.bounds) > 0 {
				score += 400
			}
		}
	}
	useful := score > 0
	if idx.Clustered {
		score += 100
	}
	if ordered, back := p.ordered(idx, next, order); ordered && c.list < 0 && len(order) > 0 {
		c.back = back
		score += 50
		// An index that only gives the order is worth its look-ups only if few rows are wanted.
		if useful || idx.Clustered || p.limited {
			if !useful && p.limited && !idx.Clustered {
				score += 100
			}
			return c, score&^1 | 1
		}
	}
	if !useful && !idx.Clustered {
		return c, -1
	}
	return c, score &^ 1
}

// condition finds a condition of a kind on a column, -1.
func (p *Program) condition(col int, o op) int {
	for i := range p.where {
		if p.where[i].col == col && p.where[i].op == o {
			return i
		}
	}
	return -1
}

// ordered tells whether an index, its first parts fixed, gives the order, and whether backwards.
func (p *Program) ordered(idx *catalog.Index, fixed int, order []row.KeyPart) (yes, back bool) {
	parts := slices.Concat(idx.Parts)
	if !idx.Clustered {
		parts = slices.Concat(idx.Parts, p.def.Indexes[0].Parts)
	}
	at, first := fixed, true
	for _, o := range order {
		if slices.ContainsFunc(parts[:fixed], func(k row.KeyPart) bool { return k.Column == o.Column }) {
			continue
		}
		if at == len(parts) || parts[at].Column != o.Column || parts[at].Prefix > 0 {
			return false, false
		}
		reverse := parts[at].Desc != o.Desc
		if !first && reverse != back {
			return false, false
		}
		back, first = reverse, false
		at++
	}
	return true, back
}

// keyRange is a range of the path's index.
type keyRange struct {
	lower, upper         []byte
	lowerExcl, upperIncl bool
}

// ranges works out what to scan. REQUIRES: the operands are resolved.
func (x *Exec) ranges() {
	p, c := x.p, &x.p.path
	x.scans = x.scans[:0]
	from := len(x.arena)
	for n, i := range c.fixed {
		v := &x.values[p.where[i].at]
		if v.fit != fitValue {
			return // NULL, or no value of the column: nothing is equal
		}
		x.arena = row.AppendKeyPart(x.arena, p.cols[p.where[i].col].Column, c.parts[n], v.v)
	}
	prefix := x.arena[from:len(x.arena):len(x.arena)]
	switch {
	case c.list >= 0:
		x.listRanges(prefix)
	case len(c.bounds) > 0:
		x.boundRange(prefix)
	case len(prefix) == 0:
		x.scans = append(x.scans, keyRange{})
	default:
		x.scans = append(x.scans, keyRange{lower: prefix, upper: prefix, upperIncl: true})
	}
}

// listRanges makes a range for each element of IN, in key order.
func (x *Exec) listRanges(prefix []byte) {
	p, c := x.p, &x.p.path
	in := &p.where[c.list]
	part := c.parts[len(c.fixed)]
	for i := range in.args {
		v := &x.values[in.at+i]
		if v.fit != fitValue {
			continue
		}
		from := len(x.arena)
		x.arena = append(x.arena, prefix...)
		x.arena = row.AppendKeyPart(x.arena, p.cols[in.col].Column, part, v.v)
		key := x.arena[from:len(x.arena):len(x.arena)]
		x.scans = append(x.scans, keyRange{lower: key, upper: key, upperIncl: true})
	}
	slices.SortFunc(x.scans, func(a, b keyRange) int { return bytes.Compare(a.lower, b.lower) })
	x.scans = slices.CompactFunc(x.scans, func(a, b keyRange) bool { return bytes.Equal(a.lower, b.lower) })
}

// boundRange makes the one range of the conditions on the part behind the prefix.
func (x *Exec) boundRange(prefix []byte) {
	p, c := x.p, &x.p.path
	part := c.parts[len(c.fixed)]
	col := p.cols[part.Column].Column
	key := func(v row.Value) []byte {
		from := len(x.arena)
		x.arena = append(x.arena, prefix...)
		x.arena = row.AppendKeyPart(x.arena, col, part, v)
		return x.arena[from:len(x.arena):len(x.arena)]
	}
	// Everything but NULL.
	r := keyRange{lower: key(row.NullValue), lowerExcl: true, upper: prefix, upperIncl: true}
	if len(prefix) == 0 {
		r.upper = nil
	}
	lower := func(v *value, excl bool) bool {
		if v.fit != fitValue {
			return v.fit == fitBelow
		}
		k := key(v.v)
		if n := bytes.Compare(k, r.lower); n > 0 || n == 0 && excl {
			r.lower, r.lowerExcl = k, excl
		}
		return true
	}
	bounded := false
	upper := func(v *value, incl bool) bool {
		if v.fit != fitValue {
			return v.fit == fitAbove
		}
		k := key(v.v)
		if n := bytes.Compare(k, r.upper); !bounded || n < 0 || n == 0 && !incl {
			r.upper, r.upperIncl, bounded = k, incl, true
		}
		return true
	}
	for _, i := range c.bounds {
		args := x.values[p.where[i].at:]
		ok := true
		switch p.where[i].op {
		case opGt:
			ok = lower(&args[0], true)
		case opGe:
			ok = lower(&args[0], false)
		case opLt:
			ok = upper(&args[0], false)
		case opLe:
			ok = upper(&args[0], true)
		case opBetween:
			ok = lower(&args[0], false) && upper(&args[1], true)
		}
		if !ok {
			return
		}
	}
	if bounded {
		if n := bytes.Compare(r.lower, r.upper); n > 0 || n == 0 && (r.lowerExcl || !r.upperIncl) {
			return
		}
	}
	x.scans = append(x.scans, r)
}
