package bind

import (
	"strconv"

	"emberdb/sql/ast"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

var setKinds = map[ast.SetOperator]SetKind{ast.Union: Union, ast.Intersect: Intersect, ast.Except: Except}

// union binds UNION, INTERSECT and EXCEPT.
func (b *binder) union(s *scope, out *Query, op *ast.SetOp, q *ast.Query) error {
	out.Set = setKinds[op.Op]
	parts := []ast.QueryBody{op.L, op.R}
	if out.UnionAll = op.Quant == ast.SetAll; op.Op == ast.Union {
		parts = branches(nil, op, op.Op, out.UnionAll)
	}
	return b.combine(s, out, parts, q)
}

// combine binds the queries of a set operation, and the ORDER BY behind them.
func (b *binder) combine(s *scope, out *Query, parts []ast.QueryBody, q *ast.Query) error {
	for _, p := range parts {
		bound, err := b.branch(s, p)
		if err != nil {
			return err
		}
		for _, id := range bound.Outer {
			note(&out.Outer, id)
		}
		out.Union = append(out.Union, bound)
	}
	_, out.values = q.Body.(*ast.Values)
	out.UnionAll = out.UnionAll || out.values || len(parts) == 1
	if err := b.unify(out); err != nil {
		return err
	}
	return b.orderUnion(out, q.OrderBy)
}

// rowsOf makes each row of VALUES a SELECT.
func rowsOf(v *ast.Values) (out []ast.QueryBody) {
	for _, r := range v.Rows {
		sel := &ast.Select{Span: r.Span}
		for i, e := range r.Items {
			sel.Items = append(sel.Items, ast.SelectItem{Span: r.Span, X: e, Alias: ast.Ident{Span: r.Span, Name: "column_" + strconv.Itoa(i)}})
		}
		out = append(out, sel)
	}
	return out
}

// branch binds one query of a set operation.
func (b *binder) branch(s *scope, p ast.QueryBody) (*Query, error) {
	if inner, ok := p.(*ast.Query); ok {
		return b.query(s, inner)
	}
	return b.query(s, &ast.Query{Body: p})
}

// branches lists the bodies of a chain of one kind of set operation. What is of another kind is a
// body.
func branches(dst []ast.QueryBody, body ast.QueryBody, kind ast.SetOperator, all bool) []ast.QueryBody {
	op, ok := body.(*ast.SetOp)
	if !ok || op.Op != kind || (op.Quant == ast.SetAll) != all {
		return append(dst, body)
	}
	return branches(branches(dst, op.L, kind, all), op.R, kind, all)
}

// unify finds the types of the columns and brings the columns of the queries to them.
func (b *binder) unify(out *Query) error {
	first := out.Union[0]
	for i := range first.Items {
		var all []fn.Expr
		for _, u := range out.Union {
			if len(u.Items) != len(first.Items) {
				return fn.Refuse(fn.ByStatement, "a union of different widths")
			}
			all = append(all, u.Items[i].Expr)
		}
		join := fn.Unify
		if b.set.Describes {
			join = b.set.Rows
		}
		t, err := join(all)
		if err != nil {
			return err
		}
		if t.Kind == types.Uint && t.Wire == types.WireYear && !b.set.Describes {
			return fn.Refuse(fn.ByType, "a union of years")
		}
		for n, u := range out.Union {
			switch null := all[n].Type().Nullable; {
			case out.Set == Except && n == 0:
				t.Nullable = null
			case out.Set == Intersect:
				t.Nullable = t.Nullable && null
			}
			if !b.set.Describes {
				u.Items[i].Expr = fn.Convert(u.Items[i].Expr, t)
			}
		}
		if t.Kind == types.String && !b.set.Describes {
			t = t.Stored()
		}
		out.Items = append(out.Items, Item{Expr: &fn.Column{T: t}, Name: first.Items[i].Name})
	}
	out.First = b.ids(len(out.Items))
	for i := range out.Items {
		it := &out.Items[i]
		it.Expr = &fn.Column{ID: out.First + i, Name: it.Name, T: it.Expr.Type()}
		if it.Origin.Kept = true; !out.values {
			it.Origin.OrgName = it.Name
		}
	}
	return nil
}
