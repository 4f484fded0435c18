package compare

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
)

// nullIf is NULLIF of values that go-mysql-server compares otherwise than MySQL.
type nullIf struct {
	*function.NullIf
	cmp comparer
}

// NewNullIf returns nil if go-mysql-server compares like MySQL.
func NewNullIf(ctx *sql.Context, e *function.NullIf) sql.Expression {
	cmp := newComparer(ctx, e.LeftChild, e.RightChild)
	if !cmp.own() {
		return nil
	}
	return &nullIf{e, cmp}
}

// WithChildren implements sql.Expression.
func (n *nullIf) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	e, err := n.NullIf.WithChildren(ctx, children...)
	if err != nil {
		return nil, err
	}
	of := e.(*function.NullIf)
	return &nullIf{of, newComparer(ctx, of.LeftChild, of.RightChild)}, nil
}

// Eval implements sql.Expression.
func (n *nullIf) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	l, err := n.LeftChild.Eval(ctx, row)
	if err != nil || l == nil {
		return nil, err
	}
	r, err := n.RightChild.Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	order, null, err := n.cmp.compare(ctx, l, r)
	if err != nil || order == 0 && !null {
		return nil, err
	}
	return l, nil
}
