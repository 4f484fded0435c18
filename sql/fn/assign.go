package fn

import "emberdb/sql/types"

// Variables are the user variables of a statement that assigns some.
type Variables interface {
	// Get is a variable's value now, as a constant. Set makes the value of a row that of a variable.
	Get(name string) (Expr, error)
	Set(name string, t types.Type, v *types.Vec, i int) error
}

// Assignment is @name := X, and gives its value.
type Assignment struct {
	Name string
	X    Expr
	To   Variables
	call int
}

// Type implements Expr.
func (e *Assignment) Type() types.Type {
	t := e.X.Type()
	if t.Kind.Integer() {
		t.Wire = types.WireLongLong
	}
	return t
}

// Eval implements Expr.
func (e *Assignment) Eval(c *Context, b *types.Batch) (*types.Vec, error) {
	v, err := e.X.Eval(c, b)
	for i := 0; i < b.N && err == nil; i++ {
		err = e.To.Set(e.Name, e.X.Type(), v, i)
	}
	return v, err
}

// Parts implements Expr.
func (e *Assignment) Parts() []Expr { return []Expr{e.X} }

// With implements Expr.
func (e *Assignment) With(parts []Expr) Expr {
	n := *e
	n.X = parts[0]
	return &n
}

// KeyName names the node in keys.
func (e *Assignment) KeyName() string { return "assignment " + itoa(e.call) }

// Assign makes an Assignment. A variable holds no dates, but their texts.
func (s *Setting) Assign(name string, x Expr, to Variables) (Expr, error) {
	t := x.Type()
	switch {
	case t.Opaque(), t.Kind == types.Null, t.Kind == types.String && !types.UTF8(t.Collation):
		return nil, Refuse(ByVariable, "an assignment of what is no number and no text")
	case t.Kind.Temporal(), t.Kind == types.Enum:
		text, err := ToText(x, s.Collation)
		if err != nil {
			return nil, err
		}
		x = text
	}
	s.calls++
	return &Assignment{name, x, to, s.calls}, nil
}

// Variable is @name in a statement that assigns it: what it holds when the row is computed, as a
// value of the type that it had before.
type Variable struct {
	Name string
	T    types.Type
	Of   Variables
	call int
}

// Type implements Expr.
func (e *Variable) Type() types.Type { return e.T }

// Eval implements Expr.
func (e *Variable) Eval(c *Context, b *types.Batch) (*types.Vec, error) {
	now, err := e.Of.Get(e.Name)
	if err != nil {
		return nil, err
	}
	switch {
	case e.T.Kind == types.String:
		now, err = ToText(now, e.T.Collation)
	case e.T.Kind == types.Float && now.Type().Kind.Number():
		now = ToFloat(now)
	}
	if err != nil {
		return nil, err
	}
	v, err := now.Eval(c, b)
	if err == nil && v.Kind != e.T.Kind && !v.IsNull(0) {
		return nil, Refuse(ByRow, "a variable of another kind than before")
	}
	return v, err
}

// Parts implements Expr.
func (e *Variable) Parts() []Expr { return nil }

// With implements Expr.
func (e *Variable) With([]Expr) Expr {
	n := *e
	return &n
}

// KeyName names the node in keys.
func (e *Variable) KeyName() string { return "variable " + itoa(e.call) }

// Assigned is a variable that the statement assigns.
func (s *Setting) Assigned(name string, of Variables) (Expr, error) {
	before, err := of.Get(name)
	if err != nil {
		return nil, err
	}
	if before.Type().Kind == types.Decimal {
		return nil, Refuse(ByVariable, "a DECIMAL that is assigned")
	}
	s.calls++
	return &Variable{Name: name, T: before.Type().Nullify(true), Of: of, call: s.calls}, nil
}

// ByRows tells an expression that is computed of one row after the other.
func ByRows(e Expr) (yes bool) {
	Walk(e, func(x Expr) bool {
		switch x.(type) {
		case *Assignment, *Variable:
			yes = true
		}
		return !yes
	})
	return yes
}
