package plan

import (
	"emberdb/sql/bind"
	"emberdb/sql/exec"
	"emberdb/sql/fn"
)

// ordersFirst tells that the rows of a query are put into its order before its windows look at them.
// MySQL does so where no window has an order or a partition of its own, and the rows are those of one
// table: ROW_NUMBER() OVER () then numbers the rows of the result.
func ordersFirst(q *bind.Query) bool {
	if _, join := q.From.(*bind.Join); join || q.From == nil || q.Grouped || q.Distinct || len(q.Windows) == 0 || len(q.Order) == 0 {
		return false
	}
	results := make(idSet)
	for _, w := range q.Windows {
		if len(w.Partition)+len(w.Order) > 0 {
			return false
		}
		for _, f := range w.Funcs {
			results[f.ID] = true
		}
	}
	for i := range q.Order {
		for id := range columnsOf(q.Order[i].Expr) {
			if results[id] {
				return false
			}
		}
	}
	return true
}

// inOrder puts rows into the order of a query before its windows.
func (p *planner) inOrder(q *bind.Query, op exec.Op, rows float64) (exec.Op, error) {
	op, keys, desc, err := p.orderKeys(q, op, rows)
	if err != nil {
		return nil, err
	}
	var need []fn.Expr
	each(q, func(e fn.Expr) { need = append(need, e) }, func(*bind.Derived) {})
	return p.sort(op, need, keys, desc, -1)
}

// windows computes the window functions of a query, window by window: rows are sorted by partition
// and order, and what the functions look at is made columns before.
func (p *planner) windows(q *bind.Query, op exec.Op, rows float64) (exec.Op, error) {
	for _, w := range q.Windows {
		var inputs []fn.Expr
		w.EachExpr(func(e fn.Expr) fn.Expr {
			inputs = append(inputs, e)
			return e
		})
		var err error
		for i := range inputs {
			if op, inputs[i], err = p.values(op, rows, inputs[i]); err != nil {
				return nil, err
			}
		}
		if op, inputs, err = p.computed(op, inputs); err != nil {
			return nil, err
		}
		if op, err = p.window(q, w, op, inputs); err != nil {
			return nil, err
		}
		p.cost += rows
	}
	return op, nil
}

// computed makes expressions columns of the operator, in addition to those it has.
func (p *planner) computed(op exec.Op, list []fn.Expr) (exec.Op, []fn.Expr, error) {
	all := &exec.Project{In: op}
	for i, id := range op.IDs() {
		all.Exprs, all.Ids = append(all.Exprs, &fn.Column{ID: id, At: i, T: p.types[id]}), append(all.Ids, id)
	}
	have := setOf(op.IDs())
	out := make([]fn.Expr, len(list))
	for i, e := range list {
		if have[column(e)] {
			out[i] = e
			continue
		}
		placed, err := exec.Place(e, op.IDs(), p.cells)
		if err != nil {
			return nil, nil, err
		}
		id := p.id()
		p.types[id] = e.Type()
		all.Exprs, all.Ids = append(all.Exprs, placed), append(all.Ids, id)
		out[i] = &fn.Column{ID: id, T: e.Type()}
	}
	if len(all.Ids) == len(op.IDs()) {
		return op, out, nil
	}
	return all, out, nil
}

// window sorts the rows and computes the functions of one window. inputs are its expressions as
// columns, in the order of EachExpr.
func (p *planner) window(q *bind.Query, w *bind.Window, op exec.Op, inputs []fn.Expr) (exec.Op, error) {
	need := append([]fn.Expr(nil), inputs...)
	each(q, func(e fn.Expr) { need = append(need, e) }, func(*bind.Derived) {})
	keys := inputs[:len(w.Partition)+len(w.Order)]
	desc := make([]bool, len(keys))
	for i, o := range w.Order {
		desc[len(w.Partition)+i] = o.Desc
	}
	op, err := p.sort(op, need, keys, desc, -1)
	if err != nil {
		return nil, err
	}
	placed, err := exec.PlaceAll(inputs, op.IDs(), p.cells)
	if err != nil {
		return nil, err
	}
	next := func(n int) []fn.Expr {
		out := placed[:n:n]
		placed = placed[n:]
		return out
	}
	out := &exec.Window{In: op, Partition: next(len(w.Partition)), Order: next(len(w.Order)), Desc: desc[len(w.Partition):], Ids: append([]int(nil), op.IDs()...)}
	for _, f := range w.Funcs {
		fun := exec.WindowFunc{Kind: f.Kind, Agg: f.Agg, N: f.N, Frame: f.Frame, T: f.T}
		for _, e := range next(len(f.Args)) {
			fun.Args = append(fun.Args, e.(*fn.Column).At)
		}
		for _, b := range []*fn.Bound{&fun.Frame.From, &fun.Frame.To} {
			if b.Value != nil {
				b.Value = next(1)[0]
			}
		}
		out.Funcs, out.Ids = append(out.Funcs, fun), append(out.Ids, f.ID)
		p.types[f.ID] = f.T
	}
	return out, nil
}
