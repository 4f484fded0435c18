package numbers

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
	"sync/atomic"

	apd "github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/operand"
)

// UsualScale is the default of div_precision_increment.
const UsualScale = 4

// DivisionScale is what a division adds to the digits behind the point: div_precision_increment.
func DivisionScale(ctx *sql.Context) int32 {
	if ctx != nil && ctx.Session != nil {
		if v, err := ctx.GetSessionVariable(ctx, "div_precision_increment"); err == nil {
			if n, ok := v.(int64); ok {
				return int32(n)
			}
		}
	}
	return UsualScale
}

// Arithmetic is an operation on two numbers: + - * / % div.
type Arithmetic struct {
	operand.Two
	Op    string
	shape *knownShape
}

var _ sql.Expression = (*Arithmetic)(nil)

var _ sql.CollationCoercible = (*Arithmetic)(nil)

// NewArithmetic makes the expression.
func NewArithmetic(op string, left, right sql.Expression) *Arithmetic {
	return &Arithmetic{Two: operand.OverTwo(left, right), Op: op, shape: &knownShape{}}
}

func (a *Arithmetic) String() string {
	return fmt.Sprintf("(%s %s %s)", a.LeftChild, a.Op, a.RightChild)
}

// Operator tells the planner's comparison of expressions what kind of arithmetic it is.
func (a *Arithmetic) Operator() string { return a.Op }

// DebugString implements sql.DebugStringer.
func (a *Arithmetic) DebugString(ctx *sql.Context) string {
	return fmt.Sprintf("(%s %s %s)", sql.DebugString(ctx, a.LeftChild), a.Op, sql.DebugString(ctx, a.RightChild))
}

// IsNullable implements sql.Expression.
func (a *Arithmetic) IsNullable(ctx *sql.Context) bool {
	return a.Op == "/" || a.Op == "%" || a.Op == "div" || a.Two.IsNullable(ctx)
}

// WithChildren implements sql.Expression.
func (a *Arithmetic) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	e, err := operand.WithChildren(a, children)
	if changed, ok := e.(*Arithmetic); ok {
		changed.shape = &knownShape{}
	}
	return e, err
}

// knownShape is the shape of an operation that has the same one whoever asks. Operations nest by
// the thousand, and each is asked for the shape of all below it.
type knownShape struct{ atomic.Pointer[operand.Shape] }

// result is the shape of what the operation gives.
func (a *Arithmetic) result(ctx *sql.Context) operand.Shape {
	known := a.shape.Load()
	if known == nil {
		s := a.shapeOf(ctx)
		if known = &s; a.Op != "/" && settled(a.LeftChild) && settled(a.RightChild) {
			a.shape.Store(known)
		}
	}
	out := *known
	if a.Op == "-" && out.Unsigned && ctx != nil && ctx.Session != nil && operand.Mode(ctx).ModeEnabled("NO_UNSIGNED_SUBTRACTION") {
		out.Unsigned = false
	}
	return out
}

// settled tells that the shape of an operand depends on nothing but the operand.
func settled(e sql.Expression) bool {
	switch e := e.(type) {
	case *Arithmetic:
		known := e.shape.Load()
		return known != nil && (e.Op != "-" || !known.Unsigned) // else sql_mode has a word in it
	case *expression.Literal, *expression.GetField:
		return true
	}
	return false
}

// shapeOf computes the shape of what the operation gives, whatever sql_mode says.
func (a *Arithmetic) shapeOf(ctx *sql.Context) operand.Shape {
	l, r := operand.ShapeOf(ctx, a.LeftChild), operand.ShapeOf(ctx, a.RightChild)
	out := operand.Shape{Kind: max(l.Kind, r.Kind), Unsigned: l.Unsigned || r.Unsigned}
	switch a.Op {
	case "div":
		out.Kind = operand.Integer
	case "/":
		if out.Kind == operand.Integer {
			out.Kind = operand.Decimal
		}
		out.Scale = min(l.Scale+DivisionScale(ctx), operand.MaxScale)
		out.Digits = l.Digits + r.Scale
	case "%":
		out.Unsigned = l.Unsigned
		out.Scale, out.Digits = max(l.Scale, r.Scale), max(l.Digits, r.Digits)
	case "*":
		out.Scale, out.Digits = min(l.Scale+r.Scale, operand.MaxScale), l.Digits+r.Digits
	default:
		out.Scale, out.Digits = max(l.Scale, r.Scale), max(l.Digits, r.Digits)+1
	}
	return out
}

// Type implements sql.Expression.
func (a *Arithmetic) Type(ctx *sql.Context) sql.Type {
	switch s := a.result(ctx); s.Kind {
	case operand.Integer:
		if s.Unsigned {
			return types.Uint64
		}
		return types.Int64
	case operand.Decimal:
		return operand.DecimalType(s.Digits, s.Scale)
	}
	return types.Float64
}

// Eval implements sql.Expression.
func (a *Arithmetic) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	l, null, err := operand.NumberAt(ctx, a.LeftChild, row)
	if null || err != nil {
		return nil, err
	}
	r, null, err := operand.NumberAt(ctx, a.RightChild, row)
	if null || err != nil {
		return nil, err
	}
	s := a.result(ctx)
	switch {
	case a.Op == "div":
		return a.divInteger(ctx, l, r, s.Unsigned)
	case s.Kind == operand.Double:
		return a.double(ctx, l.AsFloat(), r.AsFloat())
	case s.Kind == operand.Integer && l.Kind == operand.Integer && r.Kind == operand.Integer:
		return a.integer(ctx, l, r, s.Unsigned)
	}
	return a.decimal(ctx, l, r, s)
}

// byZero is a division by zero: NULL and a warning where sql_mode asks for one.
func byZero(ctx *sql.Context) (any, error) {
	if operand.Mode(ctx).ModeEnabled("ERROR_FOR_DIVISION_BY_ZERO") {
		ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: 1365, Message: "Division by 0"})
	}
	return nil, nil
}

func (a *Arithmetic) double(ctx *sql.Context, l, r float64) (any, error) {
	var out float64
	switch a.Op {
	case "+":
		out = l + r
	case "-":
		out = l - r
	case "*":
		out = l * r
	default:
		if r == 0 {
			return byZero(ctx)
		}
		if a.Op == "%" {
			return math.Mod(l, r), nil
		}
		out = l / r
	}
	if math.IsInf(out, 0) || math.IsNaN(out) {
		return nil, a.outOfRange("DOUBLE")
	}
	return out, nil
}

func (a *Arithmetic) decimal(ctx *sql.Context, l, r operand.Number, s operand.Shape) (any, error) {
	x, err := l.AsDecimal()
	if err != nil {
		return nil, err
	}
	y, err := r.AsDecimal()
	if err != nil {
		return nil, err
	}
	out := new(apd.Decimal)
	switch a.Op {
	case "+":
		_, err = operand.Exact.Add(out, x, y)
	case "-":
		_, err = operand.Exact.Sub(out, x, y)
	case "*":
		_, err = operand.Exact.Mul(out, x, y)
	default:
		if y.IsZero() {
			return byZero(ctx)
		}
		if a.Op == "%" {
			_, err = operand.Exact.Rem(out, x, y)
		} else {
			_, err = operand.Exact.Quo(out, x, y)
		}
	}
	if err != nil {
		return nil, err
	}
	if out, err = operand.Rounded(out, s.Scale); err != nil {
		return nil, err
	}
	if out.NumDigits()+int64(out.Exponent) > operand.MaxPrecision {
		return nil, a.outOfRange("DECIMAL")
	}
	return out, nil
}

// integer computes on sign and magnitude, and refuses what does not fit the result's type.
func (a *Arithmetic) integer(ctx *sql.Context, l, r operand.Number, unsigned bool) (any, error) {
	ln, lm := l.Magnitude()
	rn, rm := r.Magnitude()
	var neg bool
	var hi, lo uint64
	switch a.Op {
	case "*":
		hi, lo = bits.Mul64(lm, rm)
		neg = ln != rn
	case "%":
		if rm == 0 {
			return byZero(ctx)
		}
		neg, lo = ln, lm%rm
	default:
		if a.Op == "-" {
			rn = !rn
		}
		if neg = ln; ln == rn {
			lo, hi = bits.Add64(lm, rm, 0)
		} else if lm >= rm {
			lo = lm - rm
		} else {
			neg, lo = rn, rm-lm
		}
	}
	return a.fit(neg, hi, lo, unsigned)
}

// fit makes an integer of sign and magnitude.
func (a *Arithmetic) fit(neg bool, hi, lo uint64, unsigned bool) (any, error) {
	switch {
	case unsigned && (hi != 0 || neg && lo != 0):
		return nil, a.outOfRange("BIGINT UNSIGNED")
	case unsigned:
		return lo, nil
	case hi != 0 || !neg && lo > math.MaxInt64 || neg && lo > 1<<63:
		return nil, a.outOfRange("BIGINT")
	case neg:
		return -int64(lo), nil
	}
	return int64(lo), nil
}

// divInteger is DIV: the quotient of any numbers, without its fraction.
func (a *Arithmetic) divInteger(ctx *sql.Context, l, r operand.Number, unsigned bool) (any, error) {
	if l.Kind == operand.Integer && r.Kind == operand.Integer {
		ln, lm := l.Magnitude()
		rn, rm := r.Magnitude()
		if rm == 0 {
			return byZero(ctx)
		}
		return a.fit(ln != rn, 0, lm/rm, unsigned)
	}
	x, err := l.AsDecimal()
	if err != nil {
		return nil, err
	}
	y, err := r.AsDecimal()
	if err != nil {
		return nil, err
	}
	if y.IsZero() {
		return byZero(ctx)
	}
	out := new(apd.Decimal)
	if _, err := operand.Exact.QuoInteger(out, x, y); err != nil {
		return nil, a.outOfRange("BIGINT")
	}
	whole, large, ok := operand.Number{Kind: operand.Decimal, Dec: out}.AsInteger()
	if !ok || large && !unsigned {
		return nil, a.outOfRange("BIGINT")
	}
	neg, m := operand.Number{Whole: whole, Large: large}.Magnitude()
	return a.fit(neg, 0, m, unsigned)
}

func (a *Arithmetic) outOfRange(what string) error {
	return mysql.NewSQLError(1690, "22003", "%s value is out of range in '%s'", what, Shown(a))
}

// Shown prints an expression as MySQL's errors do.
func Shown(e sql.Expression) string {
	switch e := e.(type) {
	case *Arithmetic:
		return fmt.Sprintf("(%s %s %s)", Shown(e.LeftChild), e.Op, Shown(e.RightChild))
	case *expression.GetField:
		name := "`" + e.Name() + "`"
		if e.Table() != "" {
			name = "`" + e.Table() + "`." + name
		}
		if e.Database() != "" {
			name = "`" + e.Database() + "`." + name
		}
		return name
	case *expression.Literal:
		if s := e.String(); strings.HasPrefix(s, "-") && operand.IsNumber(e.Type(nil)) {
			return "-(" + s[1:] + ")"
		}
	}
	return strings.ToLower(e.String())
}
