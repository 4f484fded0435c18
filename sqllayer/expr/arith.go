package expr

import (
	"fmt"
	"math"
	"math/bits"
	"strings"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
)

// divisionScale is div_precision_increment: what a division adds to the digits behind the point.
const divisionScale = 4

// Arithmetic is an operation on two numbers: + - * / % div.
type Arithmetic struct {
	two
	Op string
}

var _ sql.Expression = (*Arithmetic)(nil)
var _ sql.CollationCoercible = (*Arithmetic)(nil)

// NewArithmetic makes the expression.
func NewArithmetic(op string, left, right sql.Expression) *Arithmetic {
	return &Arithmetic{two: overTwo(left, right), Op: op}
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
	return a.Op == "/" || a.Op == "%" || a.Op == "div" || a.two.IsNullable(ctx)
}

// WithChildren implements sql.Expression.
func (a *Arithmetic) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return WithChildren(a, children)
}

// result is the shape of what the operation gives.
func (a *Arithmetic) result(ctx *sql.Context) shape {
	l, r := shapeOf(ctx, a.LeftChild), shapeOf(ctx, a.RightChild)
	out := shape{kind: max(l.kind, r.kind), unsigned: l.unsigned || r.unsigned}
	switch a.Op {
	case "div":
		out.kind = integer
	case "/":
		if out.kind == integer {
			out.kind = decimal
		}
		out.scale = min(l.scale+divisionScale, maxScale)
		out.digits = l.digits + r.scale
	case "%":
		out.unsigned = l.unsigned
		out.scale, out.digits = max(l.scale, r.scale), max(l.digits, r.digits)
	case "*":
		out.scale, out.digits = min(l.scale+r.scale, maxScale), l.digits+r.digits
	default:
		out.scale, out.digits = max(l.scale, r.scale), max(l.digits, r.digits)+1
	}
	if a.Op == "-" && out.unsigned && ctx != nil && ctx.Session != nil && Mode(ctx).ModeEnabled("NO_UNSIGNED_SUBTRACTION") {
		out.unsigned = false
	}
	return out
}

// Type implements sql.Expression.
func (a *Arithmetic) Type(ctx *sql.Context) sql.Type {
	switch s := a.result(ctx); s.kind {
	case integer:
		if s.unsigned {
			return types.Uint64
		}
		return types.Int64
	case decimal:
		return decimalType(s.digits, s.scale)
	}
	return types.Float64
}

// Eval implements sql.Expression.
func (a *Arithmetic) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	l, null, err := numberAt(ctx, a.LeftChild, row)
	if null || err != nil {
		return nil, err
	}
	r, null, err := numberAt(ctx, a.RightChild, row)
	if null || err != nil {
		return nil, err
	}
	s := a.result(ctx)
	switch {
	case a.Op == "div":
		return a.divInteger(ctx, l, r, s.unsigned)
	case s.kind == double:
		return a.double(ctx, l.asFloat(), r.asFloat())
	case s.kind == integer && l.kind == integer && r.kind == integer:
		return a.integer(ctx, l, r, s.unsigned)
	}
	return a.decimal(ctx, l, r, s)
}

// numberAt is the value of an expression as a number.
func numberAt(ctx *sql.Context, e sql.Expression, row sql.Row) (n number, null bool, err error) {
	v, err := e.Eval(ctx, row)
	if err != nil || v == nil {
		return number{}, true, err
	}
	return numberOf(ctx, v, e.Type(ctx))
}

// byZero is a division by zero: NULL and a warning where sql_mode asks for one.
func byZero(ctx *sql.Context) (any, error) {
	if Mode(ctx).ModeEnabled("ERROR_FOR_DIVISION_BY_ZERO") {
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

func (a *Arithmetic) decimal(ctx *sql.Context, l, r number, s shape) (any, error) {
	x, err := l.asDecimal()
	if err != nil {
		return nil, err
	}
	y, err := r.asDecimal()
	if err != nil {
		return nil, err
	}
	out := new(apd.Decimal)
	switch a.Op {
	case "+":
		_, err = exact.Add(out, x, y)
	case "-":
		_, err = exact.Sub(out, x, y)
	case "*":
		_, err = exact.Mul(out, x, y)
	default:
		if y.IsZero() {
			return byZero(ctx)
		}
		if a.Op == "%" {
			_, err = exact.Rem(out, x, y)
		} else {
			_, err = exact.Quo(out, x, y)
		}
	}
	if err != nil {
		return nil, err
	}
	if out, err = Rounded(out, s.scale); err != nil {
		return nil, err
	}
	if out.NumDigits()+int64(out.Exponent) > maxPrecision {
		return nil, a.outOfRange("DECIMAL")
	}
	return out, nil
}

// integer computes on sign and magnitude, and refuses what does not fit the result's type.
func (a *Arithmetic) integer(ctx *sql.Context, l, r number, unsigned bool) (any, error) {
	ln, lm := l.magnitude()
	rn, rm := r.magnitude()
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

func (n number) magnitude() (negative bool, m uint64) {
	if n.large || n.whole >= 0 {
		return false, uint64(n.whole)
	}
	return true, -uint64(n.whole)
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
func (a *Arithmetic) divInteger(ctx *sql.Context, l, r number, unsigned bool) (any, error) {
	if l.kind == integer && r.kind == integer {
		ln, lm := l.magnitude()
		rn, rm := r.magnitude()
		if rm == 0 {
			return byZero(ctx)
		}
		return a.fit(ln != rn, 0, lm/rm, unsigned)
	}
	x, err := l.asDecimal()
	if err != nil {
		return nil, err
	}
	y, err := r.asDecimal()
	if err != nil {
		return nil, err
	}
	if y.IsZero() {
		return byZero(ctx)
	}
	out := new(apd.Decimal)
	if _, err := exact.QuoInteger(out, x, y); err != nil {
		return nil, a.outOfRange("BIGINT")
	}
	whole, large, ok := number{kind: decimal, dec: out}.asInteger()
	if !ok || large && !unsigned {
		return nil, a.outOfRange("BIGINT")
	}
	neg, m := number{whole: whole, large: large}.magnitude()
	return a.fit(neg, 0, m, unsigned)
}

func (a *Arithmetic) outOfRange(what string) error {
	return mysql.NewSQLError(1690, "22003", "%s value is out of range in '%s'", what, shown(a))
}

// shown prints an expression as MySQL's errors do.
func shown(e sql.Expression) string {
	switch e := e.(type) {
	case *Arithmetic:
		return fmt.Sprintf("(%s %s %s)", shown(e.LeftChild), e.Op, shown(e.RightChild))
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
		if s := e.String(); strings.HasPrefix(s, "-") && isNumber(e.Type(nil)) {
			return "-(" + s[1:] + ")"
		}
	}
	return strings.ToLower(e.String())
}
