package bind

import (
	"strings"

	"emberdb/sql/ast"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// Options say how a statement is bound.
type Options struct {
	Catalog   Catalog
	Text      string // that the tree was read from
	Params    []fn.Expr
	Collation uint16 // of literals
	Longest   int    // bytes of what GROUP_CONCAT gives: group_concat_max_len
}

// Bind binds a query that stands as a statement.
func Bind(q *ast.Query, o Options) (*Query, error) {
	b := &binder{cat: o.Catalog, text: o.Text, params: o.Params, collation: o.Collation, longest: o.Longest}
	return b.query(nil, q)
}

// query binds a query whose names are looked for from parent on, if not in its own tables.
func (b *binder) query(parent *scope, q *ast.Query) (*Query, error) {
	if b.depth++; b.depth > mostDepth {
		return nil, fn.Refuse(fn.BySubquery, "deep queries")
	}
	defer func() { b.depth-- }()
	if q.Into != nil || len(q.Locks) > 0 {
		return nil, fn.Refuse(fn.ByStatement, "INTO or a locking clause")
	}
	out := &Query{Limit: -1}
	s := &scope{parent: parent, outer: &out.Outer}
	if q.With != nil {
		if q.With.Recursive {
			return nil, fn.Refuse(fn.ByStatement, "WITH RECURSIVE")
		}
		for i := range q.With.Tables {
			t := &q.With.Tables[i]
			in := &scope{parent: parent, outer: new([]int), with: s.with[:len(s.with):len(s.with)]}
			s.with = append(s.with, &common{t.Name.Name, t.Columns, t.Query, in})
		}
	}
	switch body := q.Body.(type) {
	case *ast.Select:
		if err := b.block(s, out, body, q); err != nil {
			return nil, err
		}
	case *ast.SetOp:
		if err := b.union(s, out, body, q); err != nil {
			return nil, err
		}
	case *ast.Query:
		if q.With != nil || len(q.OrderBy) > 0 || q.Limit != nil {
			return nil, fn.Refuse(fn.ByStatement, "clauses behind parentheses")
		}
		return b.query(parent, body)
	default:
		return nil, fn.Refuse(fn.ByStatement, "VALUES or TABLE")
	}
	return out, b.limit(out, q.Limit)
}

// block binds a query block and the ORDER BY behind it.
func (b *binder) block(s *scope, out *Query, sel *ast.Select, q *ast.Query) (err error) {
	switch {
	case sel.Hints != nil, sel.Options&^(ast.SelectAll|ast.SelectDistinct) != 0:
		return fn.Refuse(fn.ByStatement, "hints or options of SELECT")
	case sel.Qualify != nil:
		return fn.Refuse(fn.ByWindow, "QUALIFY")
	case len(sel.From) == 0:
		return fn.Refuse(fn.ByStatement, "no FROM")
	}
	if out.From, err = b.from(s, sel.From); err != nil {
		return err
	}
	x := &exprs{scope: s}
	if sel.Where != nil {
		where, err := b.condition(x, sel.Where)
		if err != nil {
			return err
		}
		out.Where = fn.Conjuncts(nil, where)
	}
	x.aggs, x.windows = &out.Aggs, &windows{named: sel.Windows}
	for i := range sel.Items {
		if err := b.item(x, out, &sel.Items[i]); err != nil {
			return err
		}
	}
	x.items = out.Items[:len(out.Items):len(out.Items)]
	if err := b.groupBy(x, out, sel.GroupBy); err != nil {
		return err
	}
	if sel.Having != nil {
		having, err := b.condition(&exprs{scope: s, aggs: x.aggs, items: x.items}, sel.Having)
		if err != nil {
			return err
		}
		if usesWindow(having, x.windows.list) {
			return fn.Refuse(fn.ByWindow, "HAVING over a window function")
		}
		out.Having = fn.Conjuncts(nil, having)
	}
	out.Distinct = sel.Options&ast.SelectDistinct != 0
	if err := b.orderBy(x, out, q.OrderBy); err != nil {
		return err
	}
	out.Windows = x.windows.list
	return b.regroup(s, out)
}

// item binds a column of the select list, or what * stands for.
func (b *binder) item(x *exprs, out *Query, it *ast.SelectItem) error {
	if star, ok := it.X.(*ast.Star); ok {
		return b.star(x.scope, out, star)
	}
	e, err := b.expr(x, it.X)
	if err != nil {
		return err
	}
	item := Item{Expr: e, Name: it.Alias.Name}
	switch n := it.X.(type) {
	case *ast.Column:
		_, item.Origin, err = x.scope.find(n)
		if err != nil {
			return err
		}
		if !it.Alias.Given() {
			item.Name = item.Origin.OrgName
		}
	case *ast.Literal:
		if n.Kind == ast.StringLiteral && !it.Alias.Given() {
			return fn.Refuse(fn.ByStatement, "a text without a name")
		}
	}
	if item.Name == "" && !it.Alias.Given() {
		item.Name = b.text[it.X.Pos():it.X.End()]
		if strings.ContainsAny(item.Name, "\n\t?") || strings.Contains(item.Name, "/*") || strings.Contains(item.Name, "--") || len(item.Name) > 250 {
			return fn.Refuse(fn.ByStatement, "a long or broken column name")
		}
	}
	if e.Type().Kind == types.Null {
		return fn.Refuse(fn.ByType, "a column that is NULL")
	}
	out.Items = append(out.Items, item)
	return nil
}

// star adds the columns that * or t.* stands for.
func (b *binder) star(s *scope, out *Query, star *ast.Star) error {
	if star.Schema.Given() {
		return fn.Refuse(fn.ByName, "a star with a schema")
	}
	found := false
	for _, t := range s.tables {
		if star.Table.Given() && !strings.EqualFold(star.Table.Name, t.alias) {
			continue
		}
		found = true
		for i := range t.columns {
			if t.columns[i].hidden {
				continue
			}
			e, err := t.column(i)
			if err != nil {
				return err
			}
			o := t.columns[i].origin
			o.Outer = o.Outer || t.outer
			out.Items = append(out.Items, Item{Expr: e, Name: t.columns[i].name, Origin: o})
		}
	}
	if !found {
		return fn.Refuse(fn.ByName, "a star without a table")
	}
	return nil
}

// union binds UNION of queries.
func (b *binder) union(s *scope, out *Query, op *ast.SetOp, q *ast.Query) error {
	all := op.Quant == ast.SetAll
	parts, err := branches(nil, op, all)
	if err != nil {
		return err
	}
	for _, p := range parts {
		var bound *Query
		if inner, ok := p.(*ast.Query); ok {
			bound, err = b.query(s, inner)
		} else {
			bound, err = b.query(s, &ast.Query{Body: p})
		}
		if err != nil {
			return err
		}
		for _, id := range bound.Outer {
			note(&out.Outer, id)
		}
		out.Union = append(out.Union, bound)
	}
	out.UnionAll = all
	if err := unifyBranches(out); err != nil {
		return err
	}
	out.First = b.ids(len(out.Items))
	for i := range out.Items {
		it := &out.Items[i]
		it.Expr = &fn.Column{ID: out.First + i, Name: it.Name, T: it.Expr.Type()}
		it.Origin = Origin{OrgName: it.Name, Kept: true}
	}
	return b.orderUnion(out, q.OrderBy)
}

// branches lists the bodies of a chain of one kind of UNION.
func branches(dst []ast.QueryBody, body ast.QueryBody, all bool) ([]ast.QueryBody, error) {
	op, ok := body.(*ast.SetOp)
	if !ok {
		return append(dst, body), nil
	}
	if op.Op != ast.Union || (op.Quant == ast.SetAll) != all {
		return nil, fn.Refuse(fn.ByStatement, "set operations of several kinds")
	}
	dst, err := branches(dst, op.L, all)
	if err != nil {
		return nil, err
	}
	return branches(dst, op.R, all)
}

// unifyBranches finds the types of a union's columns and brings the columns of its queries to them.
func unifyBranches(out *Query) error {
	first := out.Union[0]
	for i := range first.Items {
		var all []fn.Expr
		for _, u := range out.Union {
			if len(u.Items) != len(first.Items) {
				return fn.Refuse(fn.ByStatement, "a union of different widths")
			}
			all = append(all, u.Items[i].Expr)
		}
		t, err := fn.Unify(all)
		if err != nil {
			return err
		}
		if t.Kind == types.Uint && t.Wire == types.WireYear {
			return fn.Refuse(fn.ByType, "a union of years")
		}
		for _, u := range out.Union {
			u.Items[i].Expr = fn.Convert(u.Items[i].Expr, t)
		}
		out.Items = append(out.Items, Item{Expr: &fn.Column{T: t}, Name: first.Items[i].Name})
	}
	return nil
}
