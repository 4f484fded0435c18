package bind

import (
	"strings"

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
}

// from binds FROM.
func (b *binder) from(s *scope, refs []ast.TableRef) (src Source, err error) {
	for _, r := range refs {
		if _, dual := r.(*ast.Dual); dual {
			continue
		}
		next, err := b.tableRef(s, r)
		if err != nil {
			return nil, err
		}
		if src == nil {
			src = next
			continue
		}
		src = &Join{Kind: Inner, L: src, R: next}
	}
	for i, t := range s.tables {
		for _, u := range s.tables[:i] {
			if strings.EqualFold(t.alias, u.alias) {
				return nil, fn.Refuse(fn.ByName, "two tables of one name")
			}
		}
	}
	return src, nil
}

func (b *binder) tableRef(s *scope, r ast.TableRef) (Source, error) {
	switch r := r.(type) {
	case *ast.TableSource:
		return b.named(s, r)
	case *ast.Derived:
		if r.Lateral || !r.Alias.Given() {
			return nil, fn.Refuse(fn.ByTable, "a lateral table")
		}
		return b.derived(s, s.parent, r.Query, r.Alias.Name, r.Columns)
	case *ast.TableList:
		return b.from(s, r.Tables)
	case *ast.Join:
		return b.join(s, r)
	}
	return nil, fn.Refuse(fn.ByTable, "a table function")
}

func (b *binder) join(s *scope, r *ast.Join) (Source, error) {
	if r.Natural || len(r.Using) > 0 || r.Kind == ast.StraightJoinTable {
		return nil, fn.Refuse(fn.ByTable, "a join by names or in a given order")
	}
	from := len(s.tables)
	left, err := b.tableRef(s, r.L)
	if err != nil {
		return nil, err
	}
	middle := len(s.tables)
	right, err := b.tableRef(s, r.R)
	if err != nil {
		return nil, err
	}
	j := &Join{L: left, R: right}
	if r.On != nil {
		// ON sees the tables of the join alone.
		on := &scope{parent: s.parent, tables: s.tables[from:], outer: s.outer, with: s.with}
		if j.On, err = b.condition(&exprs{scope: on}, r.On); err != nil {
			return nil, err
		}
	}
	switch r.Kind {
	case ast.LeftJoin:
		j.Kind = Left
		missing(s.tables[middle:])
	case ast.RightJoin:
		j.Kind, j.L, j.R = Left, right, left
		missing(s.tables[from:middle])
	}
	if j.Kind == Left && j.On == nil {
		return nil, fn.Refuse(fn.ByTable, "an outer join without a condition")
	}
	return j, nil
}

func missing(tables []*visible) {
	for _, t := range tables {
		t.outer = true
	}
}

// named binds a table by its name: a common table expression or a base table.
func (b *binder) named(s *scope, r *ast.TableSource) (Source, error) {
	if len(r.Partitions) > 0 || r.Sample != nil || len(r.Indexes) > 0 {
		return nil, fn.Refuse(fn.ByTable, "partitions, samples or index hints")
	}
	name, schema := r.Name.Name.Name, ""
	if r.Name.Schema.Given() {
		schema = r.Name.Schema.Name
	} else if c := s.common(name); c != nil {
		alias := c.name
		if r.Alias.Given() {
			alias = r.Alias.Name
		}
		return b.derived(s, c.scope, c.query, alias, c.columns)
	}
	if b.tables++; b.tables > mostTables {
		return nil, fn.Refuse(fn.ByTable, "many tables")
	}
	t, err := b.cat.Open(schema, name)
	if err != nil {
		return nil, err
	}
	alias := name
	if r.Alias.Given() {
		alias = r.Alias.Name
	}
	src := &Base{Table: t, Alias: alias, First: b.ids(len(t.Names))}
	v := &visible{alias: alias, first: src.First}
	for i, n := range t.Names {
		c := &t.Def.Columns[i]
		v.columns = append(v.columns, visibleColumn{name: n, t: t.Types[i], hidden: c.Invisible,
			origin: Origin{Schema: t.Def.Schema, Table: alias, OrgTable: t.Def.Name, OrgName: n, Column: c, Def: t.Def}})
	}
	s.tables = append(s.tables, v)
	return src, nil
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
	bound, err := b.query(parent, q)
	if err != nil {
		return nil, err
	}
	if len(bound.Outer) > 0 {
		return nil, fn.Refuse(fn.BySubquery, "a derived table that depends on outer rows")
	}
	if len(columns) > 0 && len(columns) != len(bound.Items) {
		return nil, fn.Refuse(fn.ByName, "a list of columns of another length")
	}
	d := &Derived{Query: bound, Alias: alias, First: b.ids(len(bound.Items))}
	v := &visible{alias: alias, first: d.First}
	for i := range bound.Items {
		it := &bound.Items[i]
		name := it.Name
		if len(columns) > 0 {
			name = columns[i].Name
		}
		t := it.Expr.Type()
		if t.Kind == types.String {
			t.Coerce = types.Implicit
		}
		o := it.Origin
		o.Table, o.OrgName, o.Kept = alias, name, true
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
