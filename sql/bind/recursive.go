package bind

import (
	"errors"

	"emberdb/sql/ast"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// self is a recursive common table expression while it is bound.
type self struct {
	binding bool   // its name means itself
	items   []Item // of what it begins with; nil while that is bound
	columns []ast.Ident
	work    *WorkTable
	named   int // how often its name was met
}

// WorkTable is the rows that the last round of a recursion has added.
type WorkTable struct{}

// Work reads a WorkTable in FROM.
type Work struct {
	Table *WorkTable
	First int
	Width int
}

func (*Work) source() {}

// Recursion is a query whose rows are those of its start, and what each round makes of the rows of
// the one before.
type Recursion struct {
	Table *WorkTable
	Start *Query
	Steps []*Query
	All   bool
}

// errItself is met where a recursive expression names itself in the part that it begins with.
var errItself = errors.New("a recursive table names itself")

// recursive binds a recursive common table expression. One that does not name itself is an ordinary
// one.
func (b *binder) recursive(c *common) (*Query, error) {
	op, isSet := c.query.Body.(*ast.SetOp)
	if !isSet || op.Op != ast.Union || c.query.With != nil || len(c.query.OrderBy) > 0 || c.query.Limit != nil {
		c.self.binding, c.self.items = true, nil
		bound, err := b.query(c.scope, c.query)
		c.self.binding = false
		return bound, refuseItself(err)
	}
	all := op.Quant == ast.SetAll
	var parts []ast.QueryBody
	parts = branches(parts, op, op.Op, all)
	*c.self = self{binding: true, columns: c.columns, work: &WorkTable{}}
	defer func() { c.self.binding = false }()
	start, steps := []*Query(nil), []*Query(nil)
	for i, part := range parts {
		bound, err := b.branch(c.scope, part)
		if errors.Is(err, errItself) && i > 0 && len(steps) == 0 {
			if err := b.begin(c.self, start); err != nil {
				return nil, err
			}
			bound, err = b.branch(c.scope, part)
		}
		switch {
		case err != nil:
			return nil, refuseItself(err)
		case c.self.items == nil:
			start = append(start, bound)
		default:
			if err := c.self.step(bound); err != nil {
				return nil, err
			}
			steps = append(steps, bound)
		}
	}
	if len(steps) == 0 {
		out := &Query{Limit: -1, Union: start, UnionAll: all}
		return out, b.unify(out)
	}
	out := &Query{Limit: -1, Recursion: &Recursion{c.self.work, b.startOf(start, all), steps, all}}
	out.First = b.ids(len(c.self.items))
	for i, it := range c.self.items {
		out.Items = append(out.Items, Item{Expr: &fn.Column{ID: out.First + i, Name: it.Name, T: it.Expr.Type()}, Name: it.Name, Origin: Origin{OrgName: it.Name, Kept: true}})
	}
	return out, nil
}

func refuseItself(err error) error {
	if errors.Is(err, errItself) {
		return fn.Refuse(fn.ByTable, "a recursive table that names itself where it may not")
	}
	return err
}

// begin types the columns by what the recursion begins with.
func (b *binder) begin(s *self, start []*Query) error {
	q := &Query{Limit: -1, Union: start, UnionAll: true}
	if err := b.unify(q); err != nil {
		return err
	}
	for _, it := range q.Items {
		t := it.Expr.Type()
		it.Expr = &fn.Column{T: t.Nullify(true)}
		s.items = append(s.items, it)
	}
	return nil
}

// startOf is what the recursion begins with as one query.
func (b *binder) startOf(start []*Query, all bool) *Query {
	if len(start) == 1 {
		return start[0]
	}
	q := &Query{Limit: -1, Union: start, UnionAll: all}
	_ = b.unify(q) // begin has done so before
	return q
}

// step checks and converts what a round adds.
func (s *self) step(q *Query) error {
	if len(q.Outer) > 0 || q.From == nil || !selective(q) || workIn(q.From) != s.named || s.named != 1 {
		return fn.Refuse(fn.ByTable, "a recursion with groups, an order, or its table elsewhere than in one join")
	}
	s.named = 0
	if len(q.Items) != len(s.items) {
		return fn.Refuse(fn.ByTable, "a recursion of another width")
	}
	for i := range q.Items {
		e, err := fn.Store(q.Items[i].Expr, s.items[i].Expr.Type(), s.name(i))
		if err != nil {
			return err
		}
		q.Items[i].Expr = e
	}
	return nil
}

// name is the name of a column.
func (s *self) name(i int) string {
	if len(s.columns) == len(s.items) {
		return s.columns[i].Name
	}
	return s.items[i].Name
}

// selective tells a query that is nothing but a selection of columns and rows.
func selective(q *Query) bool {
	return q.Union == nil && q.Recursion == nil && !q.Grouped && !q.Distinct && q.Limit < 0 && len(q.Having) == 0 && len(q.Windows) == 0 && len(q.Order) == 0
}

// workIn counts work tables whose rows are never missing.
func workIn(src Source) int {
	switch s := src.(type) {
	case *Work:
		return 1
	case *Join:
		if s.Kind == Inner {
			return workIn(s.L) + workIn(s.R)
		}
		return workIn(s.L)
	}
	return 0
}

// work binds the name of a recursive table within its own definition.
func (b *binder) work(s *scope, of *self, alias string) (Source, error) {
	if of.items == nil {
		return nil, errItself
	}
	of.named++
	w := &Work{Table: of.work, First: b.ids(len(of.items)), Width: len(of.items)}
	v := &visible{alias: alias, first: w.First}
	for i, it := range of.items {
		name := of.name(i)
		t := it.Expr.Type()
		if t.Kind == types.String {
			t.Coerce = types.Implicit
		}
		v.columns = append(v.columns, visibleColumn{name: name, t: t, origin: Origin{Table: alias, OrgName: name, Kept: true}})
	}
	s.tables = append(s.tables, v)
	return w, nil
}
