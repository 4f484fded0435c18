package resolve

import (
	"fmt"
	"slices"
	"strings"

	"emberdb/sql/ast"
)

// table is a table of FROM.
type table struct {
	name    ast.TableName // that its columns are written with; a table with an alias has no schema
	columns []Column
	merged  map[int]bool // columns that a join by names has made one with another table's
}

// star is a column that * stands for.
type star struct {
	t  *table
	at int
}

func (t *table) column(at int) *ast.Column {
	return &ast.Column{Schema: t.name.Schema, Table: t.name.Name, Name: ident(t.columns[at].Name)}
}

// stars are the columns of a table that * stands for.
func (t *table) stars() (out []star) {
	for i, c := range t.columns {
		if !c.Hidden {
			out = append(out, star{t, i})
		}
	}
	return out
}

// expand makes items of what a star stands for.
func (s *scope) expand(all *ast.Star, stars []star, named bool) (out []ast.SelectItem) {
	if all.Table.Given() {
		stars = nil
		for _, t := range s.tables {
			if t.is(all.Schema, all.Table) {
				stars = t.stars()
			}
		}
	}
	for _, at := range stars {
		it := ast.SelectItem{X: at.t.column(at.at)}
		if named {
			it.Alias = ident(at.t.columns[at.at].Name)
		}
		out = append(out, it)
	}
	return out
}

// is tells whether a name with an optional schema is that of a table.
func (t *table) is(schema, name ast.Ident) bool {
	return strings.EqualFold(t.name.Name.Name, name.Name) &&
		(!schema.Given() || !t.name.Schema.Given() || strings.EqualFold(schema.Name, t.name.Schema.Name))
}

// from resolves the tables of a block. It returns what * stands for.
func (r *resolver) from(s *scope, b *ast.Select) (stars []star, err error) {
	var all []ast.TableRef
	for _, ref := range b.From {
		if _, dual := ref.(*ast.Dual); dual {
			continue
		}
		one, more, err := r.tableRef(s, ref)
		if err != nil {
			return nil, err
		}
		stars, all = append(stars, more...), append(all, one)
	}
	b.From = all
	return stars, nil
}

func (r *resolver) tableRef(s *scope, ref ast.TableRef) (ast.TableRef, []star, error) {
	switch n := ref.(type) {
	case *ast.TableSource:
		t := (*table)(nil)
		if c := s.common(n); c != nil {
			t = &table{name: ast.TableName{Name: n.Name.Name}, columns: c.columns}
			if n.Alias.Given() {
				t.name.Name = n.Alias
			}
		} else {
			r.schema(&n.Name)
			t = r.tableOf(n)
		}
		s.tables = append(s.tables, t)
		return n, t.stars(), nil
	case *ast.Derived:
		parent := s.parent
		if n.Lateral {
			parent = s
		}
		columns, err := r.query(&scope{parent: parent, with: s.with}, n.Query, true)
		if err != nil {
			return nil, nil, err
		}
		if len(n.Columns) > 0 {
			columns = nil
			for _, c := range n.Columns {
				columns = append(columns, Column{Name: c.Name})
			}
		}
		t := &table{name: ast.TableName{Name: n.Alias}, columns: columns}
		s.tables = append(s.tables, t)
		return n, t.stars(), nil
	case *ast.JSONTable:
		if err := r.expr(s, n.X, nowhere); err != nil {
			return nil, nil, err
		}
		t := &table{name: ast.TableName{Name: n.Alias}, columns: jsonColumns(nil, n.Columns)}
		s.tables = append(s.tables, t)
		return n, t.stars(), nil
	case *ast.TableList:
		var all ast.TableRef
		var stars []star
		for _, in := range n.Tables {
			one, more, err := r.tableRef(s, in)
			if err != nil {
				return nil, nil, err
			}
			if stars = append(stars, more...); all == nil {
				all = one
				continue
			}
			all = &ast.Join{L: all, R: one}
		}
		return all, stars, nil
	case *ast.Join:
		return r.join(s, n)
	}
	return nil, nil, fmt.Errorf("resolve: a table reference of type %T", ref)
}

func jsonColumns(out []Column, list []ast.JSONColumn) []Column {
	for i := range list {
		if c := &list[i]; c.Kind == ast.JSONNested {
			out = jsonColumns(out, c.Nested)
		} else {
			out = append(out, Column{Name: c.Name.Name})
		}
	}
	return out
}

// common finds the common table that a name without a schema stands for.
func (s *scope) common(n *ast.TableSource) *common {
	if n.Name.Schema.Given() {
		return nil
	}
	for at := s; at != nil; at = at.parent {
		for i := len(at.with) - 1; i >= 0; i-- {
			if strings.EqualFold(at.with[i].name, n.Name.Name.Name) {
				return at.with[i]
			}
		}
	}
	return nil
}

// schema writes the current database into a name without one.
func (r *resolver) schema(n *ast.TableName) {
	if !n.Schema.Given() && r.Schema != "" {
		n.Schema = ident(r.Schema)
	}
}

// tableOf is a table of the catalog, whose name has its schema.
func (r *resolver) tableOf(n *ast.TableSource) *table {
	t := &table{name: n.Name}
	t.columns, _ = r.Catalog.Columns(n.Name.Schema.Name, n.Name.Name.Name)
	if n.Alias.Given() && n.Alias.Name != n.Name.Name.Name {
		t.name = ast.TableName{Name: n.Alias}
	}
	return t
}

// join resolves a join: a right join becomes a left one, names become a condition.
func (r *resolver) join(s *scope, n *ast.Join) (ast.TableRef, []star, error) {
	first := len(s.tables)
	l, left, err := r.tableRef(s, n.L)
	if err != nil {
		return nil, nil, err
	}
	right0 := len(s.tables)
	right1, right, err := r.tableRef(s, n.R)
	if err != nil {
		return nil, nil, err
	}
	if n.Using != nil {
		left, right = naming(left, s.tables[first:right0], n.Using), naming(right, s.tables[right0:], n.Using)
	}
	n.L, n.R = l, right1
	if n.Kind == ast.RightJoin {
		n.Kind, n.L, n.R = ast.LeftJoin, n.R, n.L
		if n.On == nil {
			left, right = right, left
		}
		middle := s.tables[right0:]
		s.tables = append(append(s.tables[:first:first], middle...), s.tables[first:right0]...)
	}
	if n.On != nil {
		// ON sees the tables of the join alone, then those around the block.
		on := &scope{parent: s.parent, tables: s.tables[first:], with: s.with}
		return n, append(left, right...), r.expr(on, n.On, nowhere)
	}
	if !n.Natural && n.Using == nil {
		return n, append(left, right...), nil
	}
	stars := byNames(n, left, right)
	n.Natural, n.Using = false, nil
	return n, stars, nil
}

// naming puts the hidden columns that USING names among those that * stands for, where they stand
// in their tables.
func naming(stars []star, tables []*table, names []ast.Ident) []star {
	out := slices.Clone(stars)
	named := func(name string) bool {
		same := func(n ast.Ident) bool { return strings.EqualFold(n.Name, name) }
		listed := func(at star) bool { return strings.EqualFold(at.t.columns[at.at].Name, name) }
		return slices.ContainsFunc(names, same) && !slices.ContainsFunc(stars, listed)
	}
	for _, t := range tables {
		next := len(out)
		for i := len(t.columns) - 1; i >= 0; i-- {
			if at := slices.Index(out, star{t, i}); at >= 0 {
				next = at
			} else if t.columns[i].Hidden && named(t.columns[i].Name) {
				out = slices.Insert(out, next, star{t, i})
			}
		}
	}
	return out
}

// byNames makes the condition of a join by names, and what * stands for in it: the columns in
// common come first.
func byNames(n *ast.Join, left, right []star) (out []star) {
	find := func(list []star, name string) int {
		for i, at := range list {
			if strings.EqualFold(at.t.columns[at.at].Name, name) {
				return i
			}
		}
		return -1
	}
	var conds []ast.Expr
	gone := make(map[star]bool)
	for _, l := range left {
		name := l.t.columns[l.at].Name
		wanted := n.Natural
		for _, u := range n.Using {
			wanted = wanted || strings.EqualFold(u.Name, name)
		}
		i := find(right, name)
		if !wanted || i < 0 {
			continue
		}
		other := right[i]
		conds = append(conds, &ast.BinaryExpr{Op: ast.Equal, L: l.t.column(l.at), R: other.t.column(other.at)})
		if other.t.merged == nil {
			other.t.merged = make(map[int]bool)
		}
		other.t.merged[other.at] = true
		gone[l], gone[other] = true, true
		out = append(out, l)
	}
	switch len(conds) {
	case 0:
	case 1:
		n.On = conds[0]
	default:
		n.On = &ast.Logical{Items: conds}
	}
	for _, list := range [][]star{left, right} {
		for _, at := range list {
			if !gone[at] {
				out = append(out, at)
			}
		}
	}
	return out
}
