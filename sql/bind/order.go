package bind

import (
	"strconv"
	"strings"

	"emberdb/sql/ast"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// orderBy binds ORDER BY of a block.
func (b *binder) orderBy(x *exprs, out *Query, items []ast.OrderItem) error {
	for i := range items {
		it := &items[i]
		var e fn.Expr
		if n, ok, err := ordinal(it.X, len(out.Items)); err != nil {
			return err
		} else if ok {
			e = fn.Clone(out.Items[n].Expr)
		} else if e, err = b.expr(x, it.X); err != nil {
			return err
		}
		if _, constant := e.(*fn.Const); constant {
			continue
		}
		if out.Distinct && !among(out.Items, e) {
			return fn.Refuse(fn.ByStatement, "an order that DISTINCT hides")
		}
		out.Order = append(out.Order, Order{e, it.Direction == ast.Descending})
	}
	return nil
}

func among(items []Item, e fn.Expr) bool {
	for i := range items {
		if fn.Key(items[i].Expr) == fn.Key(e) {
			return true
		}
	}
	return false
}

// ordinal tells a number that stands for a column of the result.
func ordinal(e ast.Expr, width int) (at int, ok bool, err error) {
	l, is := e.(*ast.Literal)
	if !is || l.Kind != ast.IntLiteral {
		return 0, false, nil
	}
	n, err := strconv.Atoi(l.Text)
	if err != nil || n < 1 || n > width {
		return 0, false, fn.Refuse(fn.ByName, "a position that is none")
	}
	return n - 1, true, nil
}

// orderUnion binds ORDER BY of a union: by positions and names of its columns.
func (b *binder) orderUnion(out *Query, items []ast.OrderItem) error {
	for i := range items {
		it := &items[i]
		n, ok, err := ordinal(it.X, len(out.Items))
		if err != nil {
			return err
		}
		if c, name := it.X.(*ast.Column); !ok && name && !c.Table.Given() {
			if v, err := b.programVariable(c); v != nil || err != nil {
				return fn.Refuse(fn.ByVariable, "a union ordered by a variable")
			}
			for j := range out.Items {
				if strings.EqualFold(out.Items[j].Name, c.Name.Name) {
					if ok {
						return fn.Refuse(fn.ByName, "an ambiguous column")
					}
					n, ok = j, true
				}
			}
		}
		if !ok {
			return fn.Refuse(fn.ByStatement, "a union ordered by an expression")
		}
		out.Order = append(out.Order, Order{fn.Clone(out.Items[n].Expr), it.Direction == ast.Descending})
	}
	return nil
}

// limit binds LIMIT.
func (b *binder) limit(out *Query, l *ast.Limit) (err error) {
	if l == nil {
		return nil
	}
	b.ends = true
	if out.Limit, err = b.rows(l.Count); err == nil && l.Offset != nil {
		out.Offset, err = b.rows(l.Offset)
	}
	return err
}

func (b *binder) rows(e ast.Expr) (int64, error) {
	bound, err := b.expr(&exprs{scope: &scope{outer: new([]int)}}, e)
	if err != nil {
		return 0, err
	}
	c, ok := bound.(*fn.Const)
	if !ok || c.IsNull() || c.T.Kind != types.Int || c.V.I[0] < 0 {
		if ok && c.T.Kind == types.Uint && !c.IsNull() {
			return 1<<63 - 1, nil
		}
		return 0, fn.Refuse(fn.ByVariable, "a number of rows that is none")
	}
	return c.V.I[0], nil
}
