package fn

import (
	"emberdb/sql/types"
)

// Context is what evaluation depends on beside the rows.
type Context struct {
	DivIncrement int // div_precision_increment
	// Tells says that the one row is computed as often as MySQL does: clients are told the errors
	// and warnings of the library's functions. Otherwise such a row is refused.
	Tells bool
}

// quiet is the context in which nothing is told.
func (c *Context) quiet() *Context {
	if !c.Tells {
		return c
	}
	out := *c
	out.Tells = false
	return &out
}

// Expr is a typed expression.
type Expr interface {
	Type() types.Type
	// Eval computes the expression for the rows of a batch.
	Eval(c *Context, b *types.Batch) (*types.Vec, error)
	// Parts are the operands. With is a copy of the node with other ones.
	Parts() []Expr
	With(parts []Expr) Expr
}

// Column is a column of the rows below: ID names it in the whole statement, At is its place in the
// batch.
type Column struct {
	ID   int
	At   int
	Name string
	T    types.Type
}

// Type implements Expr.
func (e *Column) Type() types.Type { return e.T }

// Eval implements Expr.
func (e *Column) Eval(_ *Context, b *types.Batch) (*types.Vec, error) { return b.Cols[e.At], nil }

// Parts implements Expr.
func (e *Column) Parts() []Expr { return nil }

// With implements Expr.
func (e *Column) With([]Expr) Expr {
	c := *e
	return &c
}

// Const is a value.
type Const struct {
	V *types.Vec // one value
	T types.Type
	// Digits is 16 or 2 for bytes that were written as hexadecimal or binary digits: where a number
	// is wanted, they are one.
	Digits int

	all *types.Vec // repeated for a whole batch
}

// NewConst makes a constant of the one value of v.
func NewConst(v *types.Vec, t types.Type) *Const { return &Const{V: v, T: t} }

// IntConst is an integer.
func IntConst(n int64) *Const {
	v := types.NewVec(types.Int, 1)
	v.I[0] = n
	width := uint32(2)
	for m := n; m <= -10 || m >= 10; m /= 10 {
		width++
	}
	return NewConst(v, types.IntType(width, false))
}

// NullConst is NULL.
func NullConst() *Const { return NewConst(types.NewVec(types.Null, 1), types.NullType()) }

// Type implements Expr.
func (e *Const) Type() types.Type { return e.T }

// Eval implements Expr.
func (e *Const) Eval(*Context, *types.Batch) (*types.Vec, error) {
	if e.all == nil {
		e.all = e.V.Repeat(types.BatchRows)
	}
	return e.all, nil
}

// Parts implements Expr.
func (e *Const) Parts() []Expr { return nil }

// With implements Expr.
func (e *Const) With([]Expr) Expr {
	c := *e
	return &c
}

// IsNull tells the constant NULL.
func (e *Const) IsNull() bool { return e.V.IsNull(0) }

// Kernel computes a function for n rows: out has been reset to the kind of t and n values.
type Kernel func(c *Context, n int, args []*types.Vec, t *types.Type, out *types.Vec) error

// Call is a function of its operands, row by row.
type Call struct {
	Name string
	Args []Expr
	T    types.Type
	f    Kernel

	foreign bool       // a function of the library
	varies  int        // not 0: the number of a call that gives another value for each row
	narrow  *narrowing // of AND and OR
	list    [][]Expr   // of IN: rows of constants for Args; of LIKE: its pattern
	vals    []*types.Vec
	out     types.Vec
}

// Type implements Expr.
func (e *Call) Type() types.Type { return e.T }

// Eval implements Expr.
func (e *Call) Eval(c *Context, b *types.Batch) (*types.Vec, error) {
	if e.narrow != nil && b.N > 1 {
		return e.narrow.eval(c, e, b)
	}
	e.vals = e.vals[:0]
	at := c
	if !e.foreign { // MySQL may leave operands out
		at = c.quiet()
	}
	for _, a := range e.Args {
		v, err := a.Eval(at, b)
		if err != nil {
			return nil, err
		}
		if at.Tells && (v.Kind == types.Null || v.IsNull(0)) { // it leaves those behind out
			at = at.quiet()
		}
		e.vals = append(e.vals, v)
	}
	e.out.Reset(e.T.Kind, b.N)
	e.out.Scale = int(e.T.Scale)
	return &e.out, e.f(c, b.N, e.vals, &e.T, &e.out)
}

// Parts implements Expr.
func (e *Call) Parts() []Expr { return e.Args }

// With implements Expr.
func (e *Call) With(parts []Expr) Expr {
	n := &Call{Name: e.Name, Args: parts, T: e.T, f: e.f, list: e.list, foreign: e.foreign, varies: e.varies}
	if e.narrow != nil {
		n.narrow = &narrowing{decides: e.narrow.decides}
	}
	return n
}

// oneRow is a batch for constants.
var oneRow = types.Batch{N: 1}

// call makes a Call, or its value if all operands are constants.
func call(name string, f Kernel, t types.Type, args ...Expr) Expr {
	e := &Call{Name: name, Args: args, T: t, f: f}
	return fold(e)
}

// List is what stands in an IN list, a row of constants for each, or the pattern of a LIKE.
func (e *Call) List() [][]Expr { return e.list }

// listed is a call that keeps the constants of its list.
func listed(e Expr, list [][]Expr) Expr {
	if c, ok := e.(*Call); ok {
		c.list = list
	}
	return e
}

// fold evaluates an expression of constants. One that cannot be evaluated stays, and fails when it
// is.
func fold(e Expr) Expr {
	for _, a := range e.Parts() {
		if _, ok := a.(*Const); !ok {
			return e
		}
	}
	v, err := e.Eval(&Context{DivIncrement: defaultIncrement}, &oneRow)
	if err != nil {
		return e
	}
	return NewConst(v.One(0), e.Type())
}

// defaultIncrement is the div_precision_increment that expressions are typed and folded with; a
// session with another one is not served.
const defaultIncrement = 4

// Clone copies a tree.
func Clone(e Expr) Expr { return Rewrite(e, func(e Expr) Expr { return nil }) }

// Rewrite copies a tree. Where f returns an expression it takes the place of the one it was called
// with; nil goes on below.
func Rewrite(e Expr, f func(Expr) Expr) Expr {
	if n := f(e); n != nil {
		return n
	}
	old := e.Parts()
	parts := make([]Expr, len(old))
	for i, p := range old {
		parts[i] = Rewrite(p, f)
	}
	return e.With(parts)
}

// Walk calls f for e and, while f returns true, for what is below it.
func Walk(e Expr, f func(Expr) bool) {
	if e == nil || !f(e) {
		return
	}
	for _, p := range e.Parts() {
		Walk(p, f)
	}
}

// Conjuncts takes ANDs apart.
func Conjuncts(dst []Expr, e Expr) []Expr {
	if c, ok := e.(*Call); ok && c.Name == "and" {
		for _, a := range c.Args {
			dst = Conjuncts(dst, a)
		}
		return dst
	}
	if e == nil {
		return dst
	}
	return append(dst, e)
}

// IsTrue tells the constant that lets every row pass; IsFalse one that lets none.
func IsTrue(e Expr) bool {
	c, ok := e.(*Const)
	return ok && !c.IsNull() && truth(c.V, 0)
}

// IsFalse tells a constant that lets no row pass.
func IsFalse(e Expr) bool {
	c, ok := e.(*Const)
	return ok && (c.IsNull() || !truth(c.V, 0))
}

// Key is a text that is equal for equal expressions.
func Key(e Expr) string {
	switch e := e.(type) {
	case *Column:
		return "#" + itoa(e.ID)
	case *Const:
		return constKey(e)
	}
	name := "?"
	switch n := e.(type) {
	case *Call:
		name = n.Name
	case interface{ KeyName() string }:
		name = n.KeyName()
	}
	for _, p := range e.Parts() {
		name += "(" + Key(p) + ")"
	}
	return name
}
