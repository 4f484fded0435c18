package bind

import (
	"emberdb/sql/ast"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// Grouping is GROUPING(keys): which of them a total of a ROLLUP leaves out. It stands until the
// keys are known.
type Grouping struct{ Args []fn.Expr }

// Type implements fn.Expr.
func (e *Grouping) Type() types.Type { return types.IntType(21, true) }

// Eval implements fn.Expr.
func (e *Grouping) Eval(*fn.Context, *types.Batch) (*types.Vec, error) {
	return nil, fn.Refuse(fn.ByGroup, "GROUPING without ROLLUP")
}

// Parts implements fn.Expr.
func (e *Grouping) Parts() []fn.Expr { return e.Args }

// With implements fn.Expr.
func (e *Grouping) With(parts []fn.Expr) fn.Expr { return &Grouping{parts} }

// KeyName names the node in keys.
func (e *Grouping) KeyName() string { return "grouping" }

// grouping binds GROUPING.
func (b *binder) grouping(x *exprs, e *ast.Func) (fn.Expr, error) {
	if x.aggs == nil || len(e.Args) == 0 || len(e.Args) > 60 {
		return nil, fn.Refuse(fn.ByGroup, "GROUPING where it may not stand")
	}
	args, err := b.list(&exprs{scope: x.scope, items: x.items}, e.Args)
	return &Grouping{args}, err
}

// of is the value of GROUPING: a bit for each key, set where the group has fewer keys.
func (e *Grouping) of(q *Query, keys map[string]int) (out fn.Expr, err error) {
	if !q.Rollup {
		return nil, fn.Refuse(fn.ByGroup, "GROUPING without ROLLUP")
	}
	for _, a := range e.Args {
		i, ok := keys[fn.Key(a)]
		if !ok {
			return nil, fn.Refuse(fn.ByGroup, "GROUPING of what is no key")
		}
		bit, err := fn.Compare("<=", &fn.Column{ID: q.Level, T: types.IntType(2, false)}, fn.IntConst(int64(i)))
		if err != nil {
			return nil, err
		}
		if out == nil {
			out = bit
			continue
		}
		if out, err = fn.Arith("*", out, fn.IntConst(2)); err != nil {
			return nil, err
		}
		if out, err = fn.Arith("+", out, bit); err != nil {
			return nil, err
		}
	}
	if c, ok := out.(*fn.Call); ok {
		c.T = e.Type()
	}
	return out, nil
}
