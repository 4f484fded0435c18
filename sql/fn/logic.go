package fn

import (
	"emberdb/sql/types"
)

// truth tells whether a value that is not NULL counts as true.
func truth(v *types.Vec, i int) bool {
	switch v.Kind {
	case types.Float:
		return v.F[i] != 0
	case types.Decimal:
		return !v.Wide(i).IsZero()
	}
	return v.I[i] != 0
}

// Condition refuses what is no truth value.
func Condition(e Expr) error {
	if k := e.Type().Kind; k != types.Null && !k.Number() && !k.Temporal() {
		return Refuse(ByType, "a condition that is no number")
	}
	return nil
}

// Passes appends the rows for which a condition holds.
func Passes(rows []int32, v *types.Vec, n int) []int32 {
	if v.Kind == types.Null {
		return rows
	}
	if v.Kind == types.Int && v.Null == nil {
		for i, x := range v.I[:n] {
			if x != 0 {
				rows = append(rows, int32(i))
			}
		}
		return rows
	}
	for i := range n {
		if !v.IsNull(i) && truth(v, i) {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

// And is a AND b AND ...
func And(args ...Expr) Expr { return chain("and", false, args) }

// Or is a OR b OR ...
func Or(args ...Expr) Expr { return chain("or", true, args) }

// chain makes AND or OR; decides is the value that one operand settles the chain with.
func chain(name string, decides bool, args []Expr) Expr {
	var parts []Expr
	null := false
	for _, a := range args {
		if c, ok := a.(*Const); ok && !c.IsNull() {
			if truth(c.V, 0) == decides {
				return boolConst(decides)
			}
			continue
		}
		null = null || a.Type().Nullable
		parts = append(parts, a)
	}
	switch len(parts) {
	case 0:
		return boolConst(!decides)
	case 1:
		if parts[0].Type() == types.BoolType(null) {
			return parts[0]
		}
	}
	e := &Call{Name: name, Args: parts, T: types.BoolType(null), narrow: &narrowing{decides: decides}}
	e.f = func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		for i := range n {
			value, unknown := !decides, false
			for _, a := range args {
				if a.IsNull(i) {
					unknown = true
				} else if truth(a, i) == decides {
					value = decides
					break
				}
			}
			if out.I[i] = bit(value); value != decides && unknown {
				out.SetNull(i)
			}
		}
		return nil
	}
	return fold(e)
}

func boolConst(b bool) Expr {
	c := IntConst(bit(b))
	c.T.Length = 1
	return c
}

// Xor is a XOR b.
func Xor(a, b Expr) Expr {
	return call("xor", func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		for i := range n {
			if !out.IsNull(i) {
				out.I[i] = bit(truth(args[0], i) != truth(args[1], i))
			}
		}
		return nil
	}, types.BoolType(a.Type().Nullable || b.Type().Nullable), a, b)
}

// contrary are the operators whose negation is another one.
var contrary = map[string]string{"=": "<>", "<>": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}

// Not is NOT a. Comparisons are turned around and chains taken apart, so that what is below stays
// visible to the planner.
func Not(a Expr) (Expr, error) {
	c, ok := a.(*Call)
	switch {
	case !ok:
	case c.Name == "isnull":
		return IsNotNull(c.Args[0]), nil
	case c.Name == "isnotnull":
		return IsNull(c.Args[0]), nil
	case contrary[c.Name] != "":
		return Compare(contrary[c.Name], c.Args[0], c.Args[1])
	case c.Name == "and", c.Name == "or":
		parts := make([]Expr, len(c.Args))
		for i, p := range c.Args {
			var err error
			if parts[i], err = Not(p); err != nil {
				return nil, err
			}
		}
		if c.Name == "and" {
			return Or(parts...), nil
		}
		return And(parts...), nil
	}
	return call("not", func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		nulls(n, args, out)
		for i := range n {
			if !out.IsNull(i) {
				out.I[i] = bit(!truth(args[0], i))
			}
		}
		return nil
	}, types.BoolType(a.Type().Nullable), a), nil
}

// IsNull is a IS NULL.
func IsNull(a Expr) Expr {
	return call("isnull", func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		for i := range n {
			out.I[i] = bit(args[0].IsNull(i))
		}
		return nil
	}, types.BoolType(false), a)
}

// IsNotNull is a IS NOT NULL.
func IsNotNull(a Expr) Expr {
	return call("isnotnull", func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		for i := range n {
			out.I[i] = bit(!args[0].IsNull(i))
		}
		return nil
	}, types.BoolType(false), a)
}

// Is is a IS TRUE, or a IS FALSE.
func Is(a Expr, what bool) Expr {
	name := "isfalse"
	if what {
		name = "istrue"
	}
	return call(name, func(_ *Context, n int, args []*types.Vec, _ *types.Type, out *types.Vec) error {
		for i := range n {
			out.I[i] = bit(!args[0].IsNull(i) && truth(args[0], i) == what)
		}
		return nil
	}, types.BoolType(false), a)
}
