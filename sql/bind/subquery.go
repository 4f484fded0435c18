package bind

import (
	"emberdb/sql/ast"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// inner binds a query inside an expression. What it depends on the query around it depends on too,
// if it is not its own.
func (b *binder) inner(x *exprs, q *ast.Query) (*Query, error) {
	return b.query(x.scope, q)
}

// scalar binds a query as a value.
func (b *binder) scalar(x *exprs, e *ast.Subquery) (fn.Expr, error) {
	q, err := b.inner(x, e.Query)
	if err != nil {
		return nil, err
	}
	if len(q.Items) != 1 {
		return nil, fn.Refuse(fn.BySubquery, "a row as a value")
	}
	t := q.Items[0].Expr.Type().Nullify(true)
	if t.Kind == types.Null {
		return nil, fn.Refuse(fn.ByType, "a subquery that is NULL")
	}
	if t.Kind == types.String {
		t.Coerce = types.Implicit
	}
	return &Subquery{Kind: Scalar, Query: q, T: t}, nil
}

func (b *binder) exists(x *exprs, e *ast.Exists) (fn.Expr, error) {
	q, err := b.inner(x, e.Query)
	if err != nil {
		return nil, err
	}
	return &Subquery{Kind: Exists, Query: q, T: types.BoolType(false)}, nil
}

func (b *binder) inQuery(x *exprs, left fn.Expr, e *ast.In) (fn.Expr, error) {
	q, err := b.inner(x, e.Query)
	if err != nil {
		return nil, err
	}
	if len(q.Items) != 1 || q.Limit >= 0 {
		return nil, fn.Refuse(fn.BySubquery, "IN with rows or LIMIT")
	}
	if item := &q.Items[0]; item.Expr.Type().Kind == types.Null {
		item.Expr = fn.NullOf(left.Type())
	}
	if _, _, _, err := fn.Keys(left, q.Items[0].Expr); err != nil {
		return nil, err
	}
	null := left.Type().Nullable || q.Items[0].Expr.Type().Nullable
	return &Subquery{Kind: InQuery, Query: q, Not: e.Not, X: left, T: types.BoolType(null)}, nil
}
