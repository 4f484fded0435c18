package plan

import (
	"emberdb/sql/bind"
	"emberdb/sql/exec"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// relation is something that is joined: a table, or rows that are made by an operator.
type relation struct {
	base *bind.Base // nil: op makes its rows
	op   exec.Op
	ids  []int // its columns that are used
	cols []int // of a table, in the order of ids
	set  idSet // all its columns

	conds  []fn.Expr // on its columns alone
	own    []fn.Expr // those of conds that count as uses
	access exec.Access
	total  float64 // rows without conditions
	rows   float64 // about how many of them pass
	cost   float64 // of reading it
}

// from plans the rows of FROM for which conditions hold.
func (p *planner) from(src bind.Source, where []fn.Expr) (exec.Op, float64, error) {
	conds := append([]fn.Expr(nil), where...)
	if src == nil {
		op, err := p.filter(&exec.OneRow{}, 1, conds)
		return op, 1, err
	}
	varying, conds := apart(conds)
	rels, err := p.flatten(nil, src, &conds)
	if err != nil {
		return nil, 0, err
	}
	op, rows, err := p.joined(rels, factor(conds))
	if err != nil {
		return nil, 0, err
	}
	op, err = p.filter(op, rows, varying)
	return op, rows, err
}

// apart takes the conditions away that give another value for each row: they are asked of the rows
// that the others leave.
func apart(conds []fn.Expr) (varying, others []fn.Expr) {
	for _, c := range conds {
		if yes, _ := fn.Varies(c); yes {
			varying = append(varying, c)
		} else {
			others = append(others, c)
		}
	}
	return varying, others
}

// joinUnique joins tables of which IN asks for a value of a unique key: no row has more than one
// partner there. So the order of joins decides from which side the two are read.
func (p *planner) joinUnique(rels []*relation, conds []fn.Expr) ([]*relation, []fn.Expr, error) {
	var out []fn.Expr
	for todo := conds; len(todo) > 0; {
		c := todo[0]
		todo = todo[1:]
		q, ok := c.(*bind.Subquery)
		if !ok || !uniqueIn(q) {
			if ok {
				r, eq, err := p.joinNamed(rels, q)
				if err != nil {
					return nil, nil, err
				}
				if r != nil {
					rels, c = append(rels, r), eq
				}
			}
			out = append(out, c)
			continue
		}
		eq, err := fn.Compare("=", q.X, q.Query.Items[0].Expr)
		if err != nil {
			return nil, nil, err
		}
		rels, out = append(rels, p.base(q.Query.From.(*bind.Base))), append(out, eq)
		todo = append(todo[:len(todo):len(todo)], q.Query.Where...)
	}
	return rels, out, nil
}

// uniqueIn tells IN of a query of one table that gives the values of a unique key.
func uniqueIn(q *bind.Subquery) bool {
	in := q.Query
	if q.Kind != bind.InQuery || q.Not || len(in.Outer) > 0 || !plain(in) || hasSubquery(q.X) {
		return false
	}
	b, ok := in.From.(*bind.Base)
	if !ok || !keyed(in.Items[0].Expr.Type(), q.X.Type()) {
		return false
	}
	for _, ix := range b.Table.Def.Indexes {
		if usable(ix) && ix.Unique && len(ix.Parts) == 1 && ix.Parts[0].Prefix == 0 && column(in.Items[0].Expr) == b.First+ix.Parts[0].Column {
			return true
		}
	}
	return false
}

// flatten lists what is joined inner. Conditions of joins are added to conds; those that went into
// outer joins are taken out.
func (p *planner) flatten(rels []*relation, src bind.Source, conds *[]fn.Expr) ([]*relation, error) {
	switch s := src.(type) {
	case *bind.Base:
		return append(rels, p.base(s)), nil
	case *bind.Work:
		return append(rels, p.work(s)), nil
	case *bind.Derived:
		r, err := p.derived(s)
		return append(rels, r), err
	case *bind.Join:
		if isLateral(s) {
			r, err := p.lateral(s, conds)
			return append(rels, r), err
		}
		if s.Kind == bind.Left && !p.inner(s, *conds) {
			r, err := p.leftJoin(s, conds)
			return append(rels, r), err
		}
		*conds = fn.Conjuncts(*conds, s.On)
		rels, err := p.flatten(rels, s.L, conds)
		if err != nil {
			return nil, err
		}
		return p.flatten(rels, s.R, conds)
	}
	return nil, fn.Refuse(fn.ByTable, "a source")
}

// inner tells whether a condition drops the rows that an outer join adds.
func (p *planner) inner(j *bind.Join, conds []fn.Expr) bool {
	right := sourceColumns(make(idSet), j.R)
	for _, c := range conds {
		if rejects(c, right) {
			return true
		}
	}
	return false
}

// sourceColumns are all columns of a source.
func sourceColumns(set idSet, src bind.Source) idSet {
	switch s := src.(type) {
	case *bind.Base:
		for i := range s.Table.Names {
			set[s.First+i] = true
		}
	case *bind.Work:
		for i := range s.Width {
			set[s.First+i] = true
		}
	case *bind.Derived:
		for i := range s.Query.Items {
			set[s.First+i] = true
		}
	case *bind.Join:
		sourceColumns(set, s.L)
		sourceColumns(set, s.R)
	}
	return set
}

func (p *planner) base(s *bind.Base) *relation {
	r := &relation{base: s, set: sourceColumns(make(idSet), s)}
	for i := range s.Table.Names {
		if id := s.First + i; p.uses[id] > 0 {
			r.ids, r.cols = append(r.ids, id), append(r.cols, i)
			p.valued[id] = valued{s, i}
		}
	}
	if s.KeyID != 0 {
		r.set[s.KeyID] = true
	}
	return r
}

// derived plans a derived table. Its columns get the IDs that the query around it knows.
func (p *planner) derived(s *bind.Derived) (*relation, error) {
	op, rows, err := p.query(s.Query)
	if err != nil {
		return nil, err
	}
	r := &relation{set: sourceColumns(make(idSet), s), rows: rows, total: rows, cost: rows}
	project := &exec.Project{In: op}
	for i := range s.Query.Items {
		id, t := s.First+i, s.Query.Items[i].Expr.Type()
		if last := i == len(s.Query.Items)-1; p.uses[id] > 0 || last && len(project.Ids) == 0 {
			project.Exprs = append(project.Exprs, kept(&fn.Column{ID: op.IDs()[i], At: i, T: t}))
			project.Ids = append(project.Ids, id)
		}
	}
	r.op, r.ids = project, project.Ids
	return r, nil
}

// kept is a value as a table would keep it: a quotient with the digits of its type.
func kept(e fn.Expr) fn.Expr {
	if t := e.Type(); t.Kind == types.Decimal {
		return fn.Keep(e)
	}
	return e
}

// leftJoin plans an outer join as a relation. Conditions on its left side go into it.
func (p *planner) leftJoin(j *bind.Join, conds *[]fn.Expr) (*relation, error) {
	left, right := sourceColumns(make(idSet), j.L), sourceColumns(make(idSet), j.R)
	var before, rest, on, onRight []fn.Expr
	for _, c := range *conds {
		if cols := columnsOf(c); len(cols) > 0 && cols.in(left) && !hasSubquery(c) {
			before = append(before, c)
		} else {
			rest = append(rest, c)
		}
	}
	*conds = rest
	for _, c := range factor(fn.Conjuncts(nil, j.On)) {
		switch cols := columnsOf(c); {
		case hasSubquery(c):
			return nil, fn.Refuse(fn.BySubquery, "a subquery in the condition of an outer join")
		case len(cols) > 0 && cols.in(right):
			onRight = append(onRight, c)
		default:
			on = append(on, c)
		}
	}
	l, rows, err := p.from(j.L, before)
	if err != nil {
		return nil, err
	}
	inner := append([]fn.Expr(nil), onRight...)
	rels, err := p.flatten(nil, j.R, &inner)
	if err != nil {
		return nil, err
	}
	r := &relation{set: left, cost: rows}
	r.set.add(right)
	side, err := p.side(rels, factor(inner))
	if err != nil {
		return nil, err
	}
	if r.op, r.rows, err = p.attach(exec.Left, l, rows, side, on); err != nil {
		return nil, err
	}
	r.ids, r.total = r.op.IDs(), r.rows
	return r, nil
}
