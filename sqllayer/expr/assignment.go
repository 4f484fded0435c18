package expr

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/operand"
)

// Assignment is @name := x: it gives a user variable the value of x, and is that value. It runs
// once for every row that reaches the place where it stands, from left to right, as in MySQL.
type Assignment struct {
	operand.One
	name string
}

var _ sql.CollationCoercible = (*Assignment)(nil)
var _ sql.NonDeterministicExpression = (*Assignment)(nil)

// Assign is the name of the function that @name := x is lowered to: the name, and the value.
const Assign = "assign\x00"

func init() {
	operand.Register(sql.FunctionN{Name: Assign, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		name, _ := args[0].(*expression.Literal).Value().(string)
		return &Assignment{operand.Over(operand.NewText(ctx, args[1], operand.Clocks|operand.MemberTexts|operand.Documents)), name}, nil
	}})
}

func (a *Assignment) String() string { return "@" + a.name + ":=" + a.Child.String() }

// Type implements sql.Expression: variables hold numbers, bytes, geometries and texts.
func (a *Assignment) Type(ctx *sql.Context) sql.Type {
	t := a.Child.Type(ctx)
	if types.IsNumber(t) || operand.IsBinary(t) || types.IsGeometry(t) || t == types.Null {
		return t
	}
	collation, _ := a.CollationCoercibility(ctx)
	return types.CreateLongText(collation)
}

// IsNullable implements sql.Expression.
func (a *Assignment) IsNullable(ctx *sql.Context) bool { return a.Child.IsNullable(ctx) }

// IsNonDeterministic implements sql.NonDeterministicExpression: it is run where it stands.
func (a *Assignment) IsNonDeterministic() bool { return true }

// CollationCoercibility implements sql.CollationCoercible.
func (a *Assignment) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	collation, _ := sql.GetCoercibility(ctx, a.Child)
	return collation, 2
}

// WithChildren implements sql.Expression.
func (a *Assignment) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(a, children)
}

// Eval implements sql.Expression.
func (a *Assignment) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := a.Child.Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return nil, err
	}
	return v, ctx.SetUserVariable(ctx, a.name, v, a.Type(ctx))
}

// Variable is @name in a statement that assigns variables: it reads what stands there when it is
// evaluated. Its type is the widest of the kind of value it has before the statement, a text if there
// was none; later values are made of that type, but for decimals and floating-point numbers.
//
// Its operand is never evaluated. GMS makes a literal of what it believes to be constant, which an
// operand that it cannot evaluate yet prevents.
type Variable struct {
	operand.One
	name string
	typ  sql.Type
}

var _ sql.CollationCoercible = (*Variable)(nil)
var _ sql.NonDeterministicExpression = (*Variable)(nil)

// ReadVariable is the name of the function that @name is lowered to in such a statement.
const ReadVariable = "variable\x00"

func init() {
	operand.Register(sql.FunctionN{Name: ReadVariable, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		name, _ := args[0].(*expression.Literal).Value().(string)
		t, v, err := ctx.GetUserVariable(ctx, name)
		if t == nil || v == nil {
			t = types.LongText
		}
		t = widest(t)
		return &Variable{operand.Over(expression.NewProcedureParam(name, t)), name, t}, err
	}})
}

// widest is the type of a variable that may get other numbers than the one it has. That of integers
// is wide already.
func widest(t sql.Type) sql.Type {
	switch d, decimal := t.(sql.DecimalType); {
	case decimal:
		return types.MustCreateDecimalType(types.DecimalTypeMaxPrecision, d.Scale())
	case types.IsFloat(t):
		return types.Float64
	}
	return t
}

func (v *Variable) String() string { return "@" + v.name }

// Type implements sql.Expression.
func (v *Variable) Type(*sql.Context) sql.Type { return v.typ }

// IsNullable implements sql.Expression.
func (v *Variable) IsNullable(*sql.Context) bool { return true }

// IsNonDeterministic implements sql.NonDeterministicExpression.
func (v *Variable) IsNonDeterministic() bool { return true }

// CollationCoercibility implements sql.CollationCoercible.
func (v *Variable) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	collation, _ := v.typ.CollationCoercibility(ctx)
	return collation, 2
}

// WithChildren implements sql.Expression.
func (v *Variable) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(v, children)
}

// Eval implements sql.Expression.
func (v *Variable) Eval(ctx *sql.Context, _ sql.Row) (any, error) {
	t, value, err := ctx.GetUserVariable(ctx, v.name)
	if err != nil || value == nil || t == v.typ {
		return value, err
	}
	if types.IsText(v.typ) {
		return operand.ShownText(ctx, value)
	}
	if !types.IsNumber(v.typ) {
		return value, nil
	}
	if types.IsDecimal(t) || types.IsFloat(t) {
		return value, nil // those who read it have a way of their own with such numbers
	}
	n, null, err := operand.NumberOf(ctx, value, t)
	if err != nil || null {
		return nil, err
	}
	converted, _, err := v.typ.Convert(ctx, n.AsFloat())
	if whole, large, ok := n.AsInteger(); ok && types.IsInteger(v.typ) {
		if converted, _, err = v.typ.Convert(ctx, whole); large {
			converted, _, err = v.typ.Convert(ctx, uint64(whole))
		}
	}
	return converted, err
}
