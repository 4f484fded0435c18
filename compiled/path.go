package compiled

import (
	"bytes"
	"slices"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
)

// path is how a program comes to the rows of a table: an index, the conditions that fix its leading
// columns, and those that bound the next.
//
//	the longest prefix of equalities wins; a unique index wholly given beats all; then a list,
//	then a range on the next column; then the order wanted
//
// Where another index uses a condition that the winner does not, or a range of a secondary index
// may be most of the table, the sizes of the ranges are looked at when the program runs, as they
// depend on its parameters.
type path struct {
	index   *catalog.Index // nil: the clustered one
	parts   []row.KeyPart
	fixed   []int // condition that fixes each leading part
	list    int   // IN, or an OR, on the next part, -1
	bounds  []int // conditions that bound the next part
	sure    []int // conditions that hold for all its rows
	point   bool
	back    bool // read from the end
	ordered bool // the rows come in the wanted order
	covers  bool // the index has all columns wanted
}

// looksUp tells whether conditions choose the rows.
func (c *path) looksUp() bool { return len(c.fixed)+len(c.bounds) > 0 || c.list >= 0 }

// used are the conditions that the path makes use of.
func (c *path) used() []int {
	out := slices.Concat(c.fixed, c.bounds)
	if c.list >= 0 {
		out = append(out, c.list)
	}
	return out
}

// choose finds the paths of a table once the tables of done are read; the score is the first one's.
// order is by the table's own columns.
func (p *Program) choose(t int, done tables, order []row.KeyPart) (paths []path, score int) {
	s := &p.tables[t]
	all := make([]path, 0, len(s.def.Indexes))
	best := -1
	for _, idx := range s.def.Indexes {
		if idx.Kind != "" || slices.ContainsFunc(idx.Parts, func(k row.KeyPart) bool { return k.Prefix > 0 }) || idx.Invisible || idx.Building {
			continue
		}
		c, n := p.try(t, done, idx, order)
		if n < 0 {
			continue
		}
		if all = append(all, c); best < 0 || n > score {
			best, score = len(all)-1, n
		}
	}
	need(best >= 0)
	first := all[best]
	paths = []path{first}
	if first.point || done != 0 || !first.looksUp() || p.Writes() {
		return paths, score
	}
	// A clustered range is never worse than the whole table; a secondary one may be.
	doubtful := !first.index.Clustered && !first.covers && len(first.fixed) == 0
	for i := range all {
		if i == best {
			continue
		}
		known := first.used()
		news := slices.ContainsFunc(all[i].used(), func(c int) bool { return !slices.Contains(known, c) })
		if news || doubtful && all[i].index.Clustered {
			paths = append(paths, all[i])
		}
	}
	return paths, score
}

// try judges an index; negative: it is of no use.
func (p *Program) try(t int, done tables, idx *catalog.Index, order []row.KeyPart) (path, int) {
	s := &p.tables[t]
	c := path{index: idx, parts: idx.Parts, list: -1}
	for _, k := range idx.Parts {
		i := p.condition(t, done, k.Column, opEq)
		if i < 0 {
			break
		}
		c.fixed = append(c.fixed, i)
	}
	next := len(c.fixed)
	score := 1000 * next
	switch {
	case next == len(idx.Parts) && next > 0:
		if c.point = idx.Unique || idx.Clustered; c.point {
			score += 1_000_000
		}
	case next < len(idx.Parts):
		col := idx.Parts[next].Column
		if c.list = p.condition(t, done, col, opIn); c.list >= 0 {
			score += 600
		} else if !idx.Parts[next].Desc {
			c.bounds = p.boundsOf(t, done, col)
			if len(c.bounds) == 0 {
				c.list = p.condition(t, done, col, opOr)
			}
			if len(c.bounds) > 0 || c.list >= 0 {
				score += 400
			}
		}
	}
	for _, i := range c.used() {
		switch w := &p.where[i]; {
		case w.op == opLike:
		case w.twin:
			c.sure = append(c.sure, i-1)
		default:
			c.sure = append(c.sure, i)
		}
	}
	c.covers = !idx.Clustered && p.covered(s, idx)
	if idx.Clustered {
		score += 100
	}
	if c.covers {
		score += 20
	}
	if ordered, back := s.ordered(idx, next, order); ordered && c.list < 0 && len(order) > 0 {
		// An index that only gives the order is worth its look-ups only if few rows are wanted.
		few := (p.limited && !p.aggregate || p.extreme) && !c.looksUp() && !idx.Clustered
		if few || c.looksUp() || idx.Clustered || c.covers && p.aggregate {
			c.back, c.ordered = back, true
			if score += 50; few || c.covers && !c.looksUp() {
				score += 150
			}
			return c, score
		}
	}
	if !c.looksUp() && !idx.Clustered {
		if !c.covers || !p.aggregate {
			return c, -1
		}
		score += 150 // all rows are needed, in whatever order: a smaller tree has them
	}
	return c, score
}

// covered tells whether an index has all columns of a table that the program needs.
func (p *Program) covered(s *source, idx *catalog.Index) bool {
	if s.needed == nil {
		return false
	}
	parts := slices.Concat(idx.Parts, s.def.Indexes[0].Parts)
	for _, col := range s.needed {
		if !slices.ContainsFunc(parts, func(k row.KeyPart) bool { return k.Column == col && row.Decodable(s.def.Columns[col].Column, k) }) {
			return false
		}
	}
	return true
}

// usable tells whether a condition may choose rows of a table once the tables of done are read.
func (p *Program) usable(w *cond, t int, done tables) bool {
	if w.formula >= 0 || !w.tables.in(done|1<<t) {
		return false
	}
	for _, a := range w.args {
		if a.column > 0 && !done.has(p.cols[a.column-1].table) {
			return false // known with the row itself
		}
	}
	if p.tables[t].outer || p.tables[t].exists != everyRow {
		return w.on == t
	}
	return w.on < 0
}

// condition finds a condition of a kind on a column of a table, -1.
func (p *Program) condition(t int, done tables, col int, o op) int {
	for i := range p.where {
		if w := &p.where[i]; w.op == o && w.col == p.tables[t].first+col && p.usable(w, t, done) {
			return i
		}
	}
	return -1
}

// boundsOf finds the conditions that bound a column from one side or both.
func (p *Program) boundsOf(t int, done tables, col int) (bounds []int) {
	for i := range p.where {
		switch w := &p.where[i]; w.op {
		case opLt, opLe, opGt, opGe, opBetween, opLike:
			if w.col == p.tables[t].first+col && p.usable(w, t, done) {
				bounds = append(bounds, i)
			}
		}
	}
	return bounds
}

// ordered tells whether an index, its first parts fixed, gives the order, and whether backwards.
func (s *source) ordered(idx *catalog.Index, fixed int, order []row.KeyPart) (yes, back bool) {
	parts := idx.Parts
	if !idx.Clustered {
		parts = slices.Concat(idx.Parts, s.def.Indexes[0].Parts)
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

// best chooses the path of a table for this run, and works out its ranges.
func (x *Exec) best(l *level) error {
	l.path = &l.src.paths[0]
	x.ranges(l)
	if len(l.src.paths) == 1 || len(l.scans) == 0 {
		return nil
	}
	chosen, lowest, err := 0, 0.0, error(nil)
	for i := range l.src.paths {
		l.path = &l.src.paths[i]
		x.ranges(l)
		cost, failed := x.cost(l)
		if failed != nil {
			return failed
		}
		if i == 0 || cost < lowest {
			chosen, lowest = i, cost
		}
	}
	l.path = &l.src.paths[chosen]
	x.ranges(l)
	return err
}

// lookupCost is what a row behind an entry of a secondary index costs, where one read along an
// index costs 1.
const lookupCost = 4

// cost estimates what the ranges of a level cost to read.
func (x *Exec) cost(l *level) (cost float64, err error) {
	for i := range l.scans {
		r := &l.scans[i]
		n, err := l.table.Estimate(l.path.index, r.lower, r.end())
		if err != nil {
			return 0, err
		}
		cost += max(n, 1)
	}
	if !l.path.index.Clustered && !l.path.covers {
		cost *= lookupCost
	}
	return cost, nil
}

// ranges works out what to scan. REQUIRES: the operands are resolved.
func (x *Exec) ranges(l *level) {
	p, c := x.p, l.path
	l.scans = l.scans[:0]
	from := len(x.arena)
	for n, i := range c.fixed {
		w := &p.where[i]
		x.refer(w)
		v := &x.values[w.at]
		if v.fit != fitValue {
			return // NULL, or no value of the column: nothing is equal
		}
		x.arena = row.AppendKeyPart(x.arena, p.cols[w.col].Column, c.parts[n], v.v)
	}
	prefix := x.arena[from:len(x.arena):len(x.arena)]
	switch {
	case c.list >= 0:
		x.listRanges(l, prefix)
	case len(c.bounds) > 0:
		x.boundRange(l, prefix)
	case len(prefix) == 0:
		l.scans = append(l.scans, keyRange{})
	default:
		l.scans = append(l.scans, keyRange{lower: prefix, upper: prefix, upperIncl: true})
	}
}

// listRanges makes a range for each element of IN, in key order.
func (x *Exec) listRanges(l *level, prefix []byte) {
	p, c := x.p, l.path
	in := &p.where[c.list]
	if in.op == opOr {
		x.sideRanges(l, prefix, in)
		return
	}
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
		l.scans = append(l.scans, keyRange{lower: key, upper: key, upperIncl: true})
	}
	slices.SortFunc(l.scans, func(a, b keyRange) int { return bytes.Compare(a.lower, b.lower) })
	l.scans = slices.CompactFunc(l.scans, func(a, b keyRange) bool { return bytes.Equal(a.lower, b.lower) })
}

// sideRanges makes a range for each side of an OR, in key order and apart from each other.
func (x *Exec) sideRanges(l *level, prefix []byte, or *cond) {
	for _, s := range or.sides {
		r := x.newInterval(l, prefix, or)
		if r.narrow(s.op, x.values[or.at+s.from:]) && !r.empty() {
			l.scans = append(l.scans, r.keyRange)
		}
	}
	l.scans = joined(l.scans)
}

// joined are the ranges in key order, apart from each other. The slice is used up.
func joined(ranges []keyRange) []keyRange {
	slices.SortFunc(ranges, func(a, b keyRange) int { return bytes.Compare(a.lower, b.lower) })
	kept := ranges[:0]
	for _, s := range ranges {
		if n := len(kept); n == 0 || !kept[n-1].join(s) {
			kept = append(kept, s)
		}
	}
	return kept
}

// join takes a range that does not begin before r into r, unless there is something between them.
func (r *keyRange) join(s keyRange) bool {
	end, other := r.end(), s.end()
	if n := bytes.Compare(s.lower, end); end != nil && (n > 0 || n == 0 && s.lowerExcl) {
		return false
	}
	if bytes.Equal(r.lower, s.lower) {
		r.lowerExcl = r.lowerExcl && s.lowerExcl
	}
	if end != nil && (other == nil || bytes.Compare(other, end) > 0) {
		r.upper, r.upperIncl = s.upper, s.upperIncl
	}
	return true
}

// end is the first key behind the range; nil: there is none.
func (r *keyRange) end() []byte {
	if r.upperIncl && r.upper != nil {
		return row.PrefixEnd(r.upper)
	}
	return r.upper
}

// interval is a range under way, of values of one column behind a prefix.
type interval struct {
	keyRange
	bounded bool // from above
	x       *Exec
	col     *column
	part    row.KeyPart
	prefix  []byte
}

// newInterval is everything but NULL, of the column that w compares.
func (x *Exec) newInterval(l *level, prefix []byte, w *cond) *interval {
	r := &interval{x: x, col: &x.p.cols[w.col], part: l.path.parts[len(l.path.fixed)], prefix: prefix}
	r.keyRange = keyRange{lower: r.key(row.NullValue), lowerExcl: true, upper: prefix, upperIncl: true}
	if len(prefix) == 0 {
		r.upper = nil
	}
	return r
}

func (r *interval) key(v row.Value) []byte {
	from := len(r.x.arena)
	r.x.arena = append(r.x.arena, r.prefix...)
	r.x.arena = row.AppendKeyPart(r.x.arena, r.col.Column, r.part, v)
	return r.x.arena[from:len(r.x.arena):len(r.x.arena)]
}

// keyOfBeginning is the beginning of the keys of texts that begin like this one.
func (r *interval) keyOfBeginning(text []byte) []byte {
	from := len(r.x.arena)
	r.x.arena = append(r.x.arena, r.prefix...)
	r.x.arena = row.AppendBeginning(r.x.arena, r.col.Column, r.part, text)
	return r.x.arena[from:len(r.x.arena):len(r.x.arena)]
}

// narrow bounds the range by a comparison; false: nothing compares so.
func (r *interval) narrow(o op, args []value) bool {
	switch o {
	case opEq:
		return args[0].fit == fitValue && r.above(&args[0], false) && r.below(&args[0], true)
	case opGt:
		return r.above(&args[0], true)
	case opGe:
		return r.above(&args[0], false)
	case opLt:
		return r.below(&args[0], false)
	case opLe:
		return r.below(&args[0], true)
	case opBetween:
		return r.above(&args[0], false) && r.below(&args[1], true)
	default: // opLike
		return r.beginning(&args[0])
	}
}

func (r *interval) above(v *value, excl bool) bool {
	if v.fit == fitValue {
		r.from(r.key(v.v), excl)
	}
	return v.fit == fitValue || v.fit == fitBelow
}

func (r *interval) below(v *value, incl bool) bool {
	if v.fit == fitValue {
		r.to(r.key(v.v), incl)
	}
	return v.fit == fitValue || v.fit == fitAbove
}

func (r *interval) from(key []byte, excl bool) {
	if n := bytes.Compare(key, r.lower); n > 0 || n == 0 && excl {
		r.lower, r.lowerExcl = key, excl
	}
}

func (r *interval) to(key []byte, incl bool) {
	if n := bytes.Compare(key, r.upper); !r.bounded || n < 0 || n == 0 && !incl {
		r.upper, r.upperIncl, r.bounded = key, incl, true
	}
}

func (r *interval) empty() bool {
	n := bytes.Compare(r.lower, r.upper)
	return r.bounded && (n > 0 || n == 0 && (r.lowerExcl || !r.upperIncl))
}

// boundRange makes the one range of the conditions on the part behind the prefix.
func (x *Exec) boundRange(l *level, prefix []byte) {
	r := x.newInterval(l, prefix, &x.p.where[l.path.bounds[0]])
	for _, i := range l.path.bounds {
		w := &x.p.where[i]
		x.refer(w)
		if !r.narrow(w.op, x.values[w.at:]) {
			return
		}
	}
	if !r.empty() {
		l.scans = append(l.scans, r.keyRange)
	}
}

// beginning bounds the range by the text a pattern of LIKE begins with; false: nothing matches.
// What matches is told by the condition itself.
func (r *interval) beginning(pattern *value) bool {
	if pattern.fit != fitValue {
		return pattern.fit != fitNull
	}
	text := pattern.v.B
	if n := bytes.IndexAny(text, `%_\`); n >= 0 {
		text = text[:n]
	}
	if text = bytes.TrimRight(text, " "); len(text) == 0 {
		return true
	}
	k := r.keyOfBeginning(text)
	r.from(k, false)
	r.to(row.PrefixEnd(k), false)
	return true
}
