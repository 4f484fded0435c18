package numbers

import (
	"fmt"
	"math"
	"strings"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/internal/libm"
	"emberdb/sqllayer/expr/operand"
)

// Whole is FLOOR and CEILING: whole numbers of exact ones, DOUBLE of doubles. go-mysql-server makes
// BIGINT of all.
type Whole struct {
	operand.One
	name  string
	exact apd.Rounder
	float func(float64) float64
}

var _ sql.FunctionExpression = (*Whole)(nil)
var _ sql.CollationCoercible = (*Whole)(nil)

func init() {
	whole := func(name string, exact apd.Rounder, float func(float64) float64) sql.Function {
		return sql.Function1{Name: name, Fn: func(_ *sql.Context, e sql.Expression) sql.Expression {
			return &Whole{operand.Over(e), name, exact, float}
		}}
	}
	power := func(a []float64) float64 { return libm.Pow(a[0], a[1]) }
	operand.Register(
		whole("floor", apd.RoundFloor, math.Floor), whole("ceil", apd.RoundCeiling, math.Ceil), whole("ceiling", apd.RoundCeiling, math.Ceil),
		ranged("exp", 1, func(a []float64) float64 { return libm.Exp(a[0]) }), ranged("pow", 2, power), ranged("power", 2, power),
		ranged("cot", 1, func(a []float64) float64 { return 1 / libm.Tan(a[0]) }),
		logarithm("log", libm.Log), logarithm("ln", libm.Log), logarithm("log2", libm.Log2), logarithm("log10", libm.Log10),
		angular("sin", libm.Sin), angular("cos", libm.Cos), angular("tan", libm.Tan), angular("asin", libm.Asin), angular("acos", libm.Acos),
		arcTangent("atan", 1), arcTangent("atan2", 2),
	)
}

// FunctionName implements sql.FunctionExpression.
func (w *Whole) FunctionName() string { return w.name }

// Operator tells the calls of one type apart, see operand.Operated.
func (w *Whole) Operator() string { return w.name }

// Description implements sql.FunctionExpression.
func (w *Whole) Description() string { return "brings a number to a whole one" }

func (w *Whole) String() string { return w.name + "(" + w.Child.String() + ")" }

// WithChildren implements sql.Expression.
func (w *Whole) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(w, children)
}

// bigintDigits is the number of digits that every BIGINT has room for.
const bigintDigits = 18

func (w *Whole) shape(ctx *sql.Context) operand.Shape {
	s := operand.ShapeOf(ctx, w.Child)
	if s.Kind == operand.Decimal {
		s.Scale = 0
		if s.Digits < bigintDigits {
			s.Kind = operand.Integer
		}
	}
	return s
}

// Type implements sql.Expression.
func (w *Whole) Type(ctx *sql.Context) sql.Type { return w.shape(ctx).Typ() }

// Eval implements sql.Expression.
func (w *Whole) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	n, null, err := operand.NumberAt(ctx, w.Child, row)
	if err != nil || null {
		return nil, err
	}
	s := w.shape(ctx)
	if s.Kind == operand.Double {
		return w.float(n.AsFloat()), nil
	}
	if n.Kind == operand.Decimal {
		c := apd.BaseContext.WithPrecision(200)
		c.Rounding = w.exact
		out := new(apd.Decimal)
		if _, err := c.Quantize(out, n.Dec, 0); err != nil {
			return nil, err
		}
		n.Dec = out
	}
	if s.Kind == operand.Integer && n.Kind != operand.Integer {
		i, large, _ := n.AsInteger()
		n = operand.Number{Whole: i, Large: large}
	}
	return n.As(s)
}

// ranged is a function of doubles that refuses to give what is none.
func ranged(name string, arity int, of func([]float64) float64) sql.Function {
	return doubles(name, arity, arity, func(_ *sql.Context, args []float64, shown []string) (any, error) {
		out := of(args)
		if math.IsInf(out, 0) || math.IsNaN(out) {
			return nil, mysql.NewSQLError(1690, "22003", "DOUBLE value is out of range in '%s(%s)'", name, strings.Join(shown, ","))
		}
		return out, nil
	})
}

// angular is a function of angles, or gives one. What has none is NULL.
func angular(name string, of func(float64) float64) sql.Function {
	return doubles(name, 1, 1, func(_ *sql.Context, args []float64, _ []string) (any, error) {
		if out := of(args[0]); !math.IsNaN(out) {
			return out, nil
		}
		return nil, nil
	})
}

// arcTangent is the angle of a slope, or of a point: its y comes first.
func arcTangent(name string, low int) sql.Function {
	return doubles(name, low, 2, func(_ *sql.Context, args []float64, _ []string) (any, error) {
		if len(args) == 2 {
			return libm.Atan2(args[0], args[1]), nil
		}
		return libm.Atan(args[0]), nil
	})
}

// logarithm is a function that has no value of what is not positive: NULL and a warning.
func logarithm(name string, of func(float64) float64) sql.Function {
	high := 1
	if name == "log" {
		high = 2 // the base comes first
	}
	return doubles(name, 1, high, func(ctx *sql.Context, args []float64, _ []string) (any, error) {
		of, last := of, args[len(args)-1]
		base := math.E
		if len(args) == 2 {
			base = args[0]
			of = func(x float64) float64 { return libm.Log(x) / libm.Log(base) }
		}
		if last <= 0 || base <= 0 || base == 1 {
			ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: 3020, Message: "Invalid argument for logarithm"})
			return nil, nil
		}
		return of(last), nil
	})
}

// doubles is a function of doubles, which is also told how they were written.
func doubles(name string, low, high int, of func(ctx *sql.Context, args []float64, shown []string) (any, error)) sql.Function {
	return operand.NewScalar(name, low, high, types.Float64, func(ctx *sql.Context, args []any) (any, error) {
		floats := make([]float64, len(args))
		shown := make([]string, len(args))
		for i, a := range args {
			n, null, err := operand.NumberOf(ctx, a, types.Text)
			if err != nil || null {
				return nil, err
			}
			floats[i], shown[i] = n.AsFloat(), fmt.Sprint(a)
			if text, ok := a.(string); ok {
				shown[i] = "'" + text + "'"
			}
		}
		return of(ctx, floats, shown)
	})
}

// CaseResult is the name of the function that Replace puts around CASE.
const CaseResult = "case "

// RoundedDouble brings a double to a number of digits behind the point; it stays as it is where
// that is out of range.
func RoundedDouble(f float64, digits int, whole func(float64) float64) float64 {
	factor := math.Pow10(digits)
	if out := whole(f*factor) / factor; !math.IsInf(out, 0) && !math.IsNaN(out) {
		return out
	}
	return f
}
