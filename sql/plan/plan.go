package plan

import (
	"math"
	"slices"

	"emberdb/engine/txn"
	"emberdb/sql/bind"
	"emberdb/sql/exec"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// Plan is what runs a query.
type Plan struct {
	Root exec.Op
	Cost float64 // about the rows that are looked at
	// Simple tells a query of one table that an index serves: its order, or a part of its rows.
	Simple bool
	// MayRefuse tells whether a row may turn out, while the plan runs, to be one that has to run
	// another way.
	MayRefuse bool
	Reads     []txn.RowCount // how tables are read, for the session's counters
}

// planner plans one statement.
type planner struct {
	c      *exec.Ctx
	stats  *statistics
	cells  exec.Cells  // of outer columns
	uses   map[int]int // how often columns are named
	types  map[int]types.Type
	owners map[int]*relation // of columns, once it is known how many rows pass
	valued map[int]valued    // columns of tables
	// distincts is about how many different values columns have.
	distincts map[int]float64
	last      int     // ID given last
	cost      float64 // of what was planned so far
	fails     bool    // an expression may refuse a row
	works     map[*bind.WorkTable]*exec.WorkTable
	reads     []txn.RowCount
	wanted    *order // of the rows of FROM that is planned next
}

// Build plans a query.
func Build(q *bind.Query, c *exec.Ctx) (*Plan, error) {
	p := &planner{c: c, stats: newStatistics(c), cells: make(exec.Cells), uses: make(map[int]int), types: make(map[int]types.Type), owners: make(map[int]*relation), last: 1 << 20,
		valued: make(map[int]valued), distincts: make(map[int]float64), works: make(map[*bind.WorkTable]*exec.WorkTable)}
	easy := simple(q)
	merge(q)
	p.count(q)
	root, _, err := p.query(q)
	if err != nil {
		return nil, err
	}
	if last, ok := root.(*exec.Project); ok && c.Tells {
		_, last.Tells = last.In.(*exec.OneRow)
	}
	if c.Helpers > 0 {
		root = p.parallel(root, true)
	}
	return &Plan{Root: root, Cost: p.cost, Simple: easy, MayRefuse: p.fails, Reads: p.reads}, nil
}

// count counts how often columns are named in a query.
func (p *planner) count(q *bind.Query) {
	each(q, func(e fn.Expr) {
		fn.Walk(e, func(x fn.Expr) bool {
			switch x := x.(type) {
			case *fn.Column:
				p.uses[x.ID]++
				p.types[x.ID] = x.T
			case *bind.Subquery:
				p.count(x.Query)
				p.fails = p.fails || x.Kind == bind.Scalar // it may have several rows
				return true
			}
			p.fails = p.fails || fn.MayRefuse(x)
			return true
		})
	}, func(d *bind.Derived) { p.count(d.Query) })
	for _, u := range inner(q) {
		p.count(u)
	}
	if q.Recursion != nil { // all columns of the work table are read
		p.fails = true
	}
}

// inner are the queries that a query is made of.
func inner(q *bind.Query) []*bind.Query {
	if r := q.Recursion; r != nil {
		return append([]*bind.Query{r.Start}, r.Steps...)
	}
	return q.Union
}

// each calls f for the expressions of a query itself, and in for its derived tables.
func each(q *bind.Query, f func(fn.Expr), in func(*bind.Derived)) {
	var from func(s bind.Source)
	from = func(s bind.Source) {
		switch s := s.(type) {
		case *bind.Join:
			from(s.L)
			from(s.R)
		case *bind.Derived:
			in(s)
		}
	}
	from(q.From)
	q.EachExpr(f)
}

func (p *planner) id() int {
	p.last++
	return p.last
}

// query plans a query. The columns of the operator are those of the result. rows is about how many
// there are.
func (p *planner) query(q *bind.Query) (op exec.Op, rows float64, err error) {
	if q.Recursion != nil {
		return p.recursion(q)
	}
	if q.Union != nil {
		return p.union(q)
	}
	if err := few(q); err != nil {
		return nil, 0, err
	}
	most := int64(-1)
	if q.Limit >= 0 && q.Limit < math.MaxInt64-q.Offset {
		most = q.Limit + q.Offset
	}
	order := orderOf(q, most)
	if op, err = p.extremes(q); err != nil {
		return nil, 0, err
	}
	if rows = 1; op == nil {
		p.wanted = order
		if op, rows, err = p.from(q.From, q.Where); err != nil {
			return nil, 0, err
		}
	}
	if q.Grouped {
		if op, rows, err = p.group(q, op, rows); err != nil {
			return nil, 0, err
		}
	}
	if op, err = p.filter(op, rows, q.Having); err != nil {
		return nil, 0, err
	}
	if q.Rollup && len(q.Order) == 0 {
		if op, err = p.totals(q, op); err != nil {
			return nil, 0, err
		}
	}
	early := ordersFirst(q)
	if early {
		if op, err = p.inOrder(q, op, rows); err != nil {
			return nil, 0, err
		}
	}
	if op, err = p.windows(q, op, rows); err != nil {
		return nil, 0, err
	}
	items := make([]fn.Expr, len(q.Items))
	for i := range items {
		if fn.Uneven(q.Items[i].Expr) {
			return nil, 0, fn.Refuse(fn.ByType, "a CASE of DECIMALs of different scales")
		}
		if op, items[i], err = p.values(op, rows, q.Items[i].Expr); err != nil {
			return nil, 0, err
		}
	}
	var keys []fn.Expr
	var desc []bool
	if !early {
		if op, keys, desc, err = p.orderKeys(q, op, rows); err != nil {
			return nil, 0, err
		}
	}
	if varying, _ := apart(keys); len(varying) > 0 && !q.Distinct {
		if op, err = p.computedFirst(op, items, keys); err != nil {
			return nil, 0, err
		}
	}
	if q.Distinct {
		names := make(map[string]int)
		for i := range items {
			names[fn.Key(items[i])] = i
		}
		if op, err = p.project(op, items); err != nil {
			return nil, 0, err
		}
		items = columns(op, items)
		for i := range keys {
			keys[i] = items[names[fn.Key(keys[i])]]
		}
		placed, err := exec.PlaceAll(items, op.IDs(), p.cells)
		if err != nil {
			return nil, 0, err
		}
		op = &exec.Distinct{In: op, Keys: placed}
	}
	if order == nil || !order.met {
		if op, err = p.sort(op, items, keys, desc, most); err != nil {
			return nil, 0, err
		}
	} else if most >= 0 {
		endsEarly(op, most)
	}
	if !q.Distinct {
		if op, err = p.project(op, items); err != nil {
			return nil, 0, err
		}
	}
	return p.limit(q, op, rows)
}

func (p *planner) limit(q *bind.Query, op exec.Op, rows float64) (exec.Op, float64, error) {
	if q.Limit >= 0 {
		rows = min(rows, float64(q.Limit))
		op = &exec.Limit{In: op, Offset: q.Offset, Count: q.Limit}
	}
	return op, rows, nil
}

// computedFirst makes columns of what is selected and of what that is ordered by. Equal expressions
// become one.
func (p *planner) computedFirst(op exec.Op, items, keys []fn.Expr) (exec.Op, error) {
	var all []fn.Expr
	at := make(map[string]int)
	for _, e := range append(slices.Clone(items), keys...) {
		if k := fn.Key(e); at[k] == 0 {
			all = append(all, e)
			at[k] = len(all)
		}
	}
	op, err := p.project(op, all)
	if err != nil {
		return nil, err
	}
	made := columns(op, all)
	for _, list := range [][]fn.Expr{items, keys} {
		for i, e := range list {
			list[i] = fn.Clone(made[at[fn.Key(e)]-1])
		}
	}
	return op, nil
}

// columns are the columns of an operator whose i-th has the type of items[i].
func columns(op exec.Op, items []fn.Expr) []fn.Expr {
	out := make([]fn.Expr, len(items))
	for i, id := range op.IDs() {
		out[i] = &fn.Column{ID: id, At: i, T: items[i].Type()}
	}
	return out
}

// project computes expressions under new IDs.
func (p *planner) project(op exec.Op, items []fn.Expr) (exec.Op, error) {
	placed, err := exec.PlaceAll(items, op.IDs(), p.cells)
	if err != nil {
		return nil, err
	}
	ids := make([]int, len(items))
	for i := range ids {
		ids[i] = p.id()
		p.types[ids[i]] = items[i].Type()
	}
	return &exec.Project{In: op, Exprs: placed, Ids: ids}, nil
}

// sort orders rows of which the items are wanted.
func (p *planner) sort(op exec.Op, items, keys []fn.Expr, desc []bool, most int64) (exec.Op, error) {
	if len(keys) == 0 {
		return op, nil
	}
	need := make(idSet)
	for _, e := range append(append([]fn.Expr(nil), items...), keys...) {
		need.add(columnsOf(e))
	}
	op = only(op, need)
	placed, err := exec.PlaceAll(keys, op.IDs(), p.cells)
	if err != nil {
		return nil, err
	}
	return &exec.Sort{In: op, Keys: placed, Desc: desc, Most: most}, nil
}

// only drops the columns that are not needed.
func only(op exec.Op, need idSet) exec.Op {
	var exprs []fn.Expr
	var ids []int
	all := op.IDs()
	for i, id := range all {
		if need[id] {
			exprs, ids = append(exprs, &fn.Column{ID: id, At: i}), append(ids, id)
		}
	}
	if len(ids) == len(all) || len(ids) == 0 {
		return op
	}
	return &exec.Project{In: op, Exprs: exprs, Ids: ids}
}

// group makes groups.
func (p *planner) group(q *bind.Query, op exec.Op, rows float64) (exec.Op, float64, error) {
	g := &exec.Group{}
	var err error
	place := func(e fn.Expr) (fn.Expr, error) {
		if op, e, err = p.values(op, rows, e); err != nil {
			return nil, err
		}
		return exec.Place(e, op.IDs(), p.cells)
	}
	groups := 1.0
	for i := range q.Groups {
		e, err := place(q.Groups[i].Expr)
		if err != nil {
			return nil, 0, err
		}
		g.Keys, g.Ids = append(g.Keys, e), append(g.Ids, q.Groups[i].ID)
		groups = max(rows/10, 1)
	}
	if g.Rollup = q.Rollup; g.Rollup {
		g.Ids = append(g.Ids, q.Level)
		p.types[q.Level] = types.IntType(2, false)
	}
	for _, a := range q.Aggs {
		agg := exec.Aggregate{Kind: a.Kind, Distinct: a.Distinct, T: a.T, Separator: a.Separator, Most: a.Most}
		p.fails = p.fails || a.Kind >= fn.GroupConcat
		for _, o := range a.Order {
			e, err := place(o.Expr)
			if err != nil {
				return nil, 0, err
			}
			agg.Order, agg.Desc = append(agg.Order, e), append(agg.Desc, o.Desc)
		}
		if a.Arg != nil {
			if agg.Arg, err = place(a.Arg); err != nil {
				return nil, 0, err
			}
		}
		g.Aggs, g.Ids = append(g.Aggs, agg), append(g.Ids, a.ID)
	}
	g.In = op
	p.cost += rows
	return g, groups, nil
}

// totals orders groups of a ROLLUP by their keys, each total behind the groups that it sums up.
func (p *planner) totals(q *bind.Query, op exec.Op) (exec.Op, error) {
	var keys, all []fn.Expr
	for _, id := range op.IDs() {
		all = append(all, &fn.Column{ID: id, T: p.types[id]})
	}
	level := &fn.Column{ID: q.Level, T: p.types[q.Level]}
	for i := range q.Groups {
		rolled, err := fn.Compare("<=", fn.Clone(level), fn.IntConst(int64(i)))
		if err != nil {
			return nil, err
		}
		keys = append(keys, rolled, &fn.Column{ID: q.Groups[i].ID, T: q.Groups[i].Expr.Type()})
	}
	return p.sort(op, all, keys, make([]bool, len(keys)), -1)
}

// simple tells a query of one table that is neither grouped nor sorted but along an index.
func simple(q *bind.Query) bool {
	b, ok := q.From.(*bind.Base)
	if !ok || q.Union != nil || q.Recursion != nil || q.Grouped || q.Distinct || len(q.Windows) > 0 {
		return false
	}
	queries := false
	q.EachExpr(func(e fn.Expr) { queries = queries || hasSubquery(e) })
	if queries {
		return false
	}
	if len(q.Order) == 0 {
		return true
	}
	for _, ix := range b.Table.Def.Indexes {
		if usable(ix) && column(q.Order[0].Expr) == b.First+ix.Parts[0].Column {
			return true
		}
	}
	return false
}
