package bind

import (
	"slices"
	"strings"

	"emberdb/engine/table"
	"emberdb/sql/ast"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// common is a common table expression.
type common struct {
	name    string
	columns []ast.Ident
	query   *ast.Query
	scope   *scope // it is bound in
	self    *self  // not nil: WITH RECURSIVE
}

// star is a column that * stands for.
type star struct {
	t  *visible
	at int
}

// from binds FROM.
func (b *binder) from(s *scope, refs []ast.TableRef) (src Source, err error) {
	for _, r := range refs {
		if _, dual := r.(*ast.Dual); dual {
			continue
		}
		next, stars, err := b.tableRef(s, r)
		if err != nil {
			return nil, err
		}
		s.stars = append(s.stars, stars...)
		if src == nil {
			src = next
			continue
		}
		src = &Join{Kind: Inner, L: src, R: next}
	}
	for i, t := range s.tables {
		for _, u := range s.tables[:i] {
			if strings.EqualFold(t.alias, u.alias) && !(b.sameNames && t.apart(u)) {
				return nil, fn.Refuse(fn.ByName, "two tables of one name")
			}
		}
	}
	return src, nil
}

// apart reports whether the schemas of two tables tell them apart: neither has an alias.
func (t *visible) apart(u *visible) bool {
	return t.base && u.base && !t.renamed && !u.renamed && t.schema != u.schema
}

func (b *binder) tableRef(s *scope, r ast.TableRef) (src Source, stars []star, err error) {
	switch r := r.(type) {
	case *ast.TableSource:
		src, err = b.named(s, r)
	case *ast.Derived:
		if !r.Alias.Given() {
			return nil, nil, fn.Refuse(fn.ByTable, "a derived table without a name")
		}
		parent := s.parent
		if r.Lateral {
			parent = s
		}
		src, err = b.derived(s, parent, r.Query, r.Alias.Name, r.Columns)
	case *ast.TableList:
		for i, t := range r.Tables {
			next, more, err := b.tableRef(s, t)
			if err != nil {
				return nil, nil, err
			}
			if stars = append(stars, more...); i > 0 {
				next = &Join{Kind: Inner, L: src, R: next}
			}
			src = next
		}
		return src, stars, nil
	case *ast.Join:
		return b.join(s, r)
	default:
		return nil, nil, fn.Refuse(fn.ByTable, "a table function")
	}
	if err != nil {
		return nil, nil, err
	}
	return src, s.tables[len(s.tables)-1].stars(), nil
}

func (b *binder) join(s *scope, r *ast.Join) (Source, []star, error) {
	from := len(s.tables)
	left, leftStars, err := b.tableRef(s, r.L)
	if err != nil {
		return nil, nil, err
	}
	middle := len(s.tables)
	right, rightStars, err := b.tableRef(s, r.R)
	if err != nil {
		return nil, nil, err
	}
	if len(r.Using) > 0 {
		leftStars, rightStars = naming(leftStars, s.tables[from:middle], r.Using), naming(rightStars, s.tables[middle:], r.Using)
	}
	j := &Join{L: left, R: right}
	switch r.Kind {
	case ast.LeftJoin:
		j.Kind = Left
	case ast.RightJoin:
		j.Kind, j.L, j.R = Left, right, left
	}
	if r.On != nil {
		// ON sees the tables of the join alone.
		on := &scope{parent: s.parent, tables: s.tables[from:], outer: s.outer, with: s.with}
		if j.On, err = b.condition(&exprs{scope: on}, r.On); err != nil {
			return nil, nil, err
		}
	}
	stars := slices.Concat(leftStars, rightStars)
	if j.ByNames = r.Natural || len(r.Using) > 0; j.ByNames {
		if r.Kind == ast.RightJoin {
			leftStars, rightStars = rightStars, leftStars
		}
		if stars, err = using(j, r, leftStars, rightStars); err != nil {
			return nil, nil, err
		}
	}
	switch r.Kind {
	case ast.LeftJoin:
		missing(s.tables[middle:])
	case ast.RightJoin:
		missing(s.tables[from:middle])
	}
	if j.Kind == Left && j.On == nil {
		return nil, nil, fn.Refuse(fn.ByTable, "an outer join without a condition")
	}
	return j, stars, nil
}

// naming puts the hidden columns that USING names among those that * stands for, where they stand
// in their tables.
func naming(stars []star, tables []*visible, names []ast.Ident) []star {
	out := slices.Clone(stars)
	named := func(name string) bool {
		same := func(n ast.Ident) bool { return strings.EqualFold(n.Name, name) }
		listed := func(at star) bool { return strings.EqualFold(at.t.columns[at.at].name, name) }
		return slices.ContainsFunc(names, same) && !slices.ContainsFunc(stars, listed)
	}
	for _, t := range tables {
		next := len(out)
		for i := len(t.columns) - 1; i >= 0; i-- {
			if at := slices.Index(out, star{t, i}); at >= 0 {
				next = at
			} else if t.columns[i].hidden && named(t.columns[i].name) {
				out = slices.Insert(out, next, star{t, i})
			}
		}
	}
	return out
}

// using makes the condition of a join by names, and the columns of the result: those in common
// first. The ones of the right side are found by the name of their table alone.
func using(j *Join, r *ast.Join, left, right []star) (stars []star, err error) {
	named := func(list []star, name string) (found *star, err error) {
		for i := range list {
			if strings.EqualFold(list[i].t.columns[list[i].at].name, name) {
				if found != nil {
					return nil, fn.Refuse(fn.ByName, "an ambiguous column of a join by names")
				}
				found = &list[i]
			}
		}
		return found, nil
	}
	var names []string
	for _, l := range left {
		name := l.t.columns[l.at].name
		wanted := r.Natural
		for _, u := range r.Using {
			wanted = wanted || strings.EqualFold(u.Name, name)
		}
		if other, err := named(right, name); err != nil && wanted {
			return nil, err
		} else if other != nil && wanted {
			names = append(names, name)
		}
	}
	if len(names) < len(r.Using) {
		return nil, fn.Refuse(fn.ByName, "a join by a name that is not on both sides")
	}
	both := make(map[star]bool)
	var on []fn.Expr
	for _, name := range names {
		l, err := named(left, name)
		if err != nil {
			return nil, err
		}
		m, err := named(right, name)
		if err != nil {
			return nil, err
		}
		x, err := l.t.column(l.at)
		if err != nil {
			return nil, err
		}
		y, err := m.t.column(m.at)
		if err != nil {
			return nil, err
		}
		eq, err := fn.Compare("=", x, y)
		if err != nil {
			return nil, err
		}
		on, stars = append(on, eq), append(stars, *l)
		both[*l], both[*m] = true, true
		m.t.columns[m.at].merged = true
	}
	if len(on) > 0 {
		j.On = fn.And(on...)
	}
	for _, list := range [][]star{left, right} {
		for _, at := range list {
			if !both[at] {
				stars = append(stars, at)
			}
		}
	}
	return stars, nil
}

func missing(tables []*visible) {
	for _, t := range tables {
		t.outer = true
	}
}

// named binds a table by its name: a common table expression or a base table.
func (b *binder) named(s *scope, r *ast.TableSource) (Source, error) {
	if len(r.Partitions) > 0 || r.Sample != nil {
		return nil, fn.Refuse(fn.ByTable, "partitions or samples")
	}
	name, schema := r.Name.Name.Name, ""
	alias := name
	if r.Alias.Given() {
		alias = r.Alias.Name
	}
	if r.Name.Schema.Given() {
		schema = r.Name.Schema.Name
	} else if c := s.common(name); c != nil {
		if c.self != nil && c.self.binding {
			return b.work(s, c.self, alias)
		}
		return b.commonTable(s, c, alias)
	}
	if b.tables++; b.tables > mostTables {
		return nil, fn.Refuse(fn.ByTable, "many tables")
	}
	lock := s.locking(alias)
	t, err := b.cat.Open(schema, name, lock.Lock)
	if err != nil {
		return nil, err
	}
	if t.View != nil {
		if lock.Lock != table.None || len(r.Indexes) > 0 {
			return nil, fn.Refuse(fn.ByTable, "a view whose rows are locked, or with index hints")
		}
		return b.view(s, t.View, alias)
	}
	hints, err := hintsOf(t.Def, r.Indexes)
	if err != nil {
		return nil, err
	}
	src := &Base{Table: t, Alias: alias, First: b.ids(len(t.Names) + 1), Locking: lock, Hints: hints} // one more for the keys of rows
	schema, name = t.Def.Schema, t.Def.Name
	if t.Name != "" {
		schema, name = t.Schema, t.Name
	}
	v := &visible{schema: schema, alias: alias, first: src.First, base: true, renamed: r.Alias.Given()}
	for i, n := range t.Names {
		c := &t.Def.Columns[i]
		v.columns = append(v.columns, visibleColumn{name: n, t: t.Types[i], hidden: !c.Listed(),
			origin: Origin{Schema: schema, Table: alias, OrgTable: name, OrgName: n, Column: c, Def: t.Def, Base: true}})
	}
	s.tables = append(s.tables, v)
	return src, nil
}

// commonTable binds a common table expression as a table of s.
func (b *binder) commonTable(s *scope, c *common, alias string) (Source, error) {
	if c.self == nil {
		return b.derived(s, c.scope, c.query, alias, c.columns)
	}
	bound, err := b.recursive(c)
	if err != nil {
		return nil, err
	}
	return b.derivedOf(s, bound, alias, c.columns)
}

// common finds a common table expression.
func (s *scope) common(name string) *common {
	for at := s; at != nil; at = at.parent {
		for i := len(at.with) - 1; i >= 0; i-- {
			if strings.EqualFold(at.with[i].name, name) {
				return at.with[i]
			}
		}
	}
	return nil
}

// derived binds a query as a table of s. Its names are looked for from parent on.
func (b *binder) derived(s, parent *scope, q *ast.Query, alias string, columns []ast.Ident) (Source, error) {
	sel, block := q.Body.(*ast.Select)
	was := b.alone
	b.alone = block && len(sel.From) == 0 && b.depth == 1
	bound, err := b.query(parent, q)
	b.alone = was
	if err != nil {
		return nil, err
	}
	return b.derivedOf(s, bound, alias, columns)
}

// derivedOf makes a bound query a table of s.
func (b *binder) derivedOf(s *scope, bound *Query, alias string, columns []ast.Ident) (Source, error) {
	lateral := false
	for _, id := range bound.Outer {
		if s.owns(id) {
			lateral = true
		} else {
			note(s.outer, id)
		}
	}
	if len(columns) > 0 && len(columns) != len(bound.Items) {
		return nil, fn.Refuse(fn.ByName, "a list of columns of another length")
	}
	merges := bound.merges()
	d := &Derived{Query: bound, Alias: alias, First: b.ids(len(bound.Items)), Lateral: lateral}
	v := &visible{alias: alias, first: d.First}
	for i := range bound.Items {
		it := &bound.Items[i]
		name := it.Name
		if len(columns) > 0 {
			name = columns[i].Name
		}
		t := it.Described()
		if !merges && bound.Union == nil && bound.Recursion == nil && it.Origin.OrgName == "" && (bound.From == nil || bound.stores(it.Expr)) {
			t = t.Stored()
		}
		if t.Kind == types.String {
			t.Coerce = types.Implicit
		}
		o := it.Origin
		o.Table, o.OrgName, o.Kept, o.Base = alias, name, o.Kept || !merges, false
		if !merges && o.Column == nil && t.Kind.Integer() {
			o.Width, t.Length = t.Length, types.IntegerWidth(t)
		}
		v.columns = append(v.columns, visibleColumn{name: name, t: t, origin: o})
	}
	for i := range v.columns {
		for j := range i {
			if strings.EqualFold(v.columns[i].name, v.columns[j].name) {
				return nil, fn.Refuse(fn.ByName, "two columns of one name")
			}
		}
	}
	s.tables = append(s.tables, v)
	return d, nil
}
