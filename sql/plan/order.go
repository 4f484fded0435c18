package plan

import (
	"slices"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/sql/bind"
	"emberdb/sql/exec"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// order is the order in which the rows of one table are wanted, and how many of them.
type order struct {
	by   []row.KeyPart // columns
	most int64         // -1: all
	met  bool          // an index gives it
}

// costSort is what a row costs that is put into its order.
const costSort = 3.0

// orderOf is the order of a query whose rows come from one table and are neither grouped nor joined;
// nil: it is another query, or its order is not one of columns.
func orderOf(q *bind.Query, most int64) *order {
	b, ok := q.From.(*bind.Base)
	if !ok || q.Grouped || q.Distinct || len(q.Windows) > 0 || withQueries(q) {
		return nil
	}
	if varying, _ := apart(q.Where); len(varying) > 0 {
		return nil
	}
	o := &order{most: most}
	for i := range q.Order {
		col := column(q.Order[i].Expr) - b.First
		if col < 0 || col >= len(b.Table.Names) {
			return nil
		}
		o.by = append(o.by, row.KeyPart{Column: col, Desc: q.Order[i].Desc})
	}
	o.met = len(o.by) == 0
	return o
}

func withQueries(q *bind.Query) (has bool) {
	q.EachExpr(func(e fn.Expr) { has = has || hasSubquery(e) })
	return has
}

// orderKeys are what a query is ordered by, over the columns of the operator.
func (p *planner) orderKeys(q *bind.Query, op exec.Op, rows float64) (out exec.Op, keys []fn.Expr, desc []bool, err error) {
	keys, desc = make([]fn.Expr, len(q.Order)), make([]bool, len(q.Order))
	for i := range keys {
		desc[i] = q.Order[i].Desc
		if op, keys[i], err = p.values(op, rows, q.Order[i].Expr); err != nil {
			return nil, nil, nil, err
		}
	}
	return op, keys, desc, nil
}

// ordered chooses an index that gives a table's rows in the wanted order, if that is cheaper than
// to sort them. REQUIRES: the table is prepared.
func (p *planner) ordered(r *relation, o *order) error {
	if o.met {
		return nil
	}
	least := r.cost + r.rows*costSort
	for _, ix := range r.base.Table.Def.Indexes {
		if !usable(ix) || slices.Contains(r.base.Hints.Order, ix.Name) {
			continue
		}
		a, bounded := p.rangeOf(r, ix)
		back, ok := gives(r.base.Table.Def, ix, len(a.Equal), o.by)
		if !ok {
			continue
		}
		rows := r.total
		if bounded {
			var err error
			if rows, err = p.inRange(r, ix, a); err != nil {
				return err
			}
		}
		if o.most >= 0 { // it ends when so many have passed
			rows = min(rows, float64(o.most)*rows/max(r.rows, 1))
		}
		cost := r.seeks(&a) + rows
		if !ix.Clustered && !covers(r.base.Table.Def, ix, r.cols) {
			cost += rows * costFetch
		}
		if cost < least {
			least, o.met = cost, true
			r.access, r.cost = a, cost
			r.access.Descending = back
		}
	}
	return nil
}

// gives tells whether an index whose first columns are fixed gives an order, and whether backwards.
func gives(def *catalog.Table, ix *catalog.Index, fixed int, by []row.KeyPart) (back, ok bool) {
	parts := ix.Parts
	if !ix.Clustered {
		parts = slices.Concat(ix.Parts, def.Indexes[0].Parts)
	}
	at, first := fixed, true
	for _, o := range by {
		if slices.ContainsFunc(parts[:fixed], func(k row.KeyPart) bool { return k.Column == o.Column }) {
			continue
		}
		if at == len(parts) || parts[at].Column != o.Column || parts[at].Prefix > 0 || def.Columns[o.Column].Outdated() {
			return false, false
		}
		reverse := parts[at].Desc != o.Desc
		if !first && reverse != back {
			return false, false
		}
		back, first = reverse, false
		at++
	}
	return back, true
}

// endsEarly tells the scan below an operator that so many of its rows are enough.
func endsEarly(op exec.Op, most int64) {
	switch o := op.(type) {
	case *exec.Project:
		endsEarly(o.In, most)
	case *exec.Scan:
		if len(o.Conds) == 0 && most > 0 && most < 1<<20 {
			o.First = int(most)
		}
	}
}

// extremes plans the rows of a query without groups that has nothing but MIN and MAX of columns of
// which an index gives the first and the last: these rows alone. nil: it is another query, or its
// conditions make that no cheaper.
func (p *planner) extremes(q *bind.Query) (exec.Op, error) {
	b, ok := q.From.(*bind.Base)
	if !ok || !q.Grouped || len(q.Groups) > 0 || len(q.Aggs) == 0 || q.Varies || withQueries(q) {
		return nil, nil
	}
	r := p.base(b)
	if rest, _ := split([]*relation{r}, factor(slices.Clone(q.Where))); len(rest) > 0 {
		return nil, nil
	}
	if err := p.prepare(r); err != nil {
		return nil, err
	}
	all, whole := r.cost, r.access
	out := &exec.Concat{}
	for _, a := range q.Aggs {
		cost, ok, err := p.extreme(r, a)
		if err != nil || !ok || cost*float64(len(q.Aggs)) > all/2 {
			return nil, err
		}
		r.cost = cost
		op, err := p.reader(r)
		if err != nil {
			return nil, err
		}
		endsEarly(op, 1)
		out.Ins = append(out.Ins, &exec.Limit{In: op, Count: 1})
		r.cost, r.access = all, whole
	}
	out.Ids = out.Ins[0].IDs()
	p.c.OneByOne = p.c.OneByOne || locked(b)
	return out, nil
}

// extreme makes the access of a table that which begins with the row of a MIN or MAX.
func (p *planner) extreme(r *relation, a *bind.Aggregate) (cost float64, ok bool, err error) {
	if a.Arg == nil || a.Kind != fn.Min && a.Kind != fn.Max {
		return 0, false, nil
	}
	col := column(a.Arg) - r.base.First
	if col < 0 || col >= len(r.base.Table.Names) || r.base.Table.Types[col].Kind == types.Enum {
		return 0, false, nil // words have another order
	}
	def := r.base.Table.Def
	for _, ix := range def.Indexes {
		if !r.finds(ix) {
			continue
		}
		access, bounded := p.oneRange(r, r.conds, ix)
		back, gives := gives(def, ix, len(access.Equal), []row.KeyPart{{Column: col, Desc: a.Kind == fn.Max}})
		if !gives || len(access.Equal) == len(ix.Parts) || ix.Parts[len(access.Equal)].Column != col || ix.Parts[len(access.Equal)].Desc {
			continue
		}
		rows := r.total
		if bounded {
			if rows, err = p.inRange(r, ix, access); err != nil {
				return 0, false, err
			}
		}
		each := rows / max(min(r.rows, rows), 1)
		if n := costSeek + each*costFetch; !ok || n < cost {
			access.Index, access.Descending, access.NotNull = ix, back, true
			r.access, cost, ok = access, n, true
		}
	}
	return cost, ok, nil
}
