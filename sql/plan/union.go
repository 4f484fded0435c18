package plan

import (
	"math"

	"emberdb/sql/bind"
	"emberdb/sql/exec"
	"emberdb/sql/fn"
)

// union plans a set operation.
func (p *planner) union(q *bind.Query) (exec.Op, float64, error) {
	ids, items := columnsFrom(q), columnsOfSet(q)
	var ins []exec.Op
	rows := 0.0
	for _, part := range q.Union {
		op, n, err := p.query(part)
		if err != nil {
			return nil, 0, err
		}
		ins, rows = append(ins, op), rows+n
	}
	placed, err := exec.PlaceAll(items, ids, p.cells)
	if err != nil {
		return nil, 0, err
	}
	var op exec.Op
	switch {
	case q.Set != bind.Union:
		op = &exec.SetOp{L: ins[0], R: ins[1], Keys: placed, Except: q.Set == bind.Except, All: q.UnionAll, Ids: ids}
	case q.UnionAll:
		op = &exec.Concat{Ins: ins, Ids: ids}
	default:
		op = &exec.Distinct{In: &exec.Concat{Ins: ins, Ids: ids}, Keys: placed}
	}
	keys, desc := make([]fn.Expr, len(q.Order)), make([]bool, len(q.Order))
	for i := range keys {
		keys[i], desc[i] = q.Order[i].Expr, q.Order[i].Desc
	}
	most := int64(-1)
	if q.Limit >= 0 && q.Limit < math.MaxInt64-q.Offset {
		most = q.Limit + q.Offset
	}
	if op, err = p.sort(op, items, keys, desc, most); err != nil {
		return nil, 0, err
	}
	if op, rows, err = p.limit(q, op, rows); err != nil {
		return nil, 0, err
	}
	op, err = p.converted(q, op)
	return op, rows, err
}

// converted brings the columns of a set operation to the types that the query around it has for
// them.
func (p *planner) converted(q *bind.Query, op exec.Op) (exec.Op, error) {
	for i := range q.Items {
		if column(q.Items[i].Expr) == 0 {
			items := make([]fn.Expr, len(q.Items))
			for k := range items {
				items[k] = q.Items[k].Expr
			}
			return p.project(op, items)
		}
	}
	return op, nil
}

// columnsFrom are the columns of a set operation or recursion.
func columnsFrom(q *bind.Query) (ids []int) {
	for i := range q.Items {
		ids = append(ids, q.First+i)
	}
	return ids
}

// columnsOfSet are the columns with the types that they have before the query around it converts
// them.
func columnsOfSet(q *bind.Query) (out []fn.Expr) {
	for i := range q.Items {
		e := q.Items[i].Expr
		for column(e) == 0 {
			e = e.Parts()[0]
		}
		out = append(out, e)
	}
	return out
}

// recursionRows is how many rows a recursion is thought to have.
const recursionRows = 1000

// recursion plans a recursive common table expression.
func (p *planner) recursion(q *bind.Query) (exec.Op, float64, error) {
	r := q.Recursion
	work := &exec.WorkTable{}
	p.works[r.Table] = work
	ids, items := columnsFrom(q), columnsOfSet(q)
	out := &exec.Recursion{Table: work, All: r.All, Ids: ids}
	for i, id := range ids {
		p.types[id] = items[i].Type()
	}
	var err error
	if out.Keys, err = exec.PlaceAll(items, ids, p.cells); err != nil {
		return nil, 0, err
	}
	if out.Start, _, err = p.query(r.Start); err != nil {
		return nil, 0, err
	}
	for _, s := range r.Steps {
		op, _, err := p.query(s)
		if err != nil {
			return nil, 0, err
		}
		out.Steps = append(out.Steps, op)
	}
	p.cost += recursionRows
	op, err := p.converted(q, out)
	return op, recursionRows, err
}

// work is the relation of a work table.
func (p *planner) work(s *bind.Work) *relation {
	scan := &exec.WorkScan{Table: p.works[s.Table]}
	for i := range s.Width {
		scan.Ids = append(scan.Ids, s.First+i)
	}
	return &relation{op: scan, ids: scan.Ids, set: setOf(scan.Ids), rows: recursionRows, total: recursionRows, cost: recursionRows}
}

// isLateral tells a join whose right side depends on the left one.
func isLateral(j *bind.Join) bool {
	d, ok := j.R.(*bind.Derived)
	return ok && d.Lateral
}

// lateral plans a join whose right side depends on the left one as a relation. Conditions on the
// left side alone go into it.
func (p *planner) lateral(j *bind.Join, conds *[]fn.Expr) (*relation, error) {
	left, d := sourceColumns(make(idSet), j.L), j.R.(*bind.Derived)
	var before, rest []fn.Expr
	for _, c := range *conds {
		if cols := columnsOf(c); len(cols) > 0 && cols.in(left) && !hasSubquery(c) {
			before = append(before, c)
		} else {
			rest = append(rest, c)
		}
	}
	*conds = rest
	l, rows, err := p.from(j.L, before)
	if err != nil {
		return nil, err
	}
	out := &exec.Lateral{Left: j.Kind == bind.Left, L: l}
	if out.Outer, err = p.outer(l, d.Query.Outer); err != nil {
		return nil, err
	}
	was := p.cost
	r, err := p.derived(d)
	if err != nil {
		return nil, err
	}
	p.cost += (p.cost - was) * min(rows, 1e6)
	out.Inner, out.Ids = r.op, append(append([]int(nil), l.IDs()...), r.op.IDs()...)
	for _, id := range r.op.IDs() {
		out.Right = append(out.Right, p.types[id])
	}
	on := fn.Conjuncts(nil, j.On)
	for _, c := range on {
		if hasSubquery(c) {
			return nil, fn.Refuse(fn.BySubquery, "a subquery in the condition of a lateral join")
		}
	}
	if out.On, err = exec.PlaceAll(on, out.Ids, p.cells); err != nil {
		return nil, err
	}
	set := left
	set.add(r.set)
	rows *= max(r.rows, 1)
	return &relation{op: out, ids: out.Ids, set: set, rows: rows, total: rows, cost: rows}, nil
}
