package numbers

import (
	"math"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/operand"
)

// thousands is FORMAT of a number and its digits, in the locale en_US. go-mysql-server makes
// doubles of all numbers, and nothing of those beyond BIGINT; it still has the other locales.
type thousands struct{ operand.Two }

func init() {
	f, _ := operand.Builtin("format")
	operand.Register(sql.FunctionN{Name: "format", Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) != 2 {
			return f.NewInstance(ctx, args)
		}
		return &thousands{operand.OverTwo(args[0], args[1])}, nil
	}})
}

func (g *thousands) String() string {
	return "format(" + g.LeftChild.String() + "," + g.RightChild.String() + ")"
}

// Type implements sql.Expression.
func (*thousands) Type(*sql.Context) sql.Type { return types.LongText }

// CollationCoercibility implements sql.CollationCoercible.
func (*thousands) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return ctx.GetCollation(), 4
}

// WithChildren implements sql.Expression.
func (g *thousands) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(g, children)
}

// Eval implements sql.Expression.
func (g *thousands) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := g.LeftChild.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	digits, err := g.RightChild.Eval(ctx, row)
	if err != nil || digits == nil {
		return nil, err
	}
	count, ok, err := operand.WholeOf(ctx, digits, g.RightChild.Type(ctx))
	if err != nil || !ok {
		return nil, err
	}
	n, null, err := operand.NumberOf(ctx, v, g.LeftChild.Type(ctx))
	if err != nil || null {
		return nil, err
	}
	scale := int(max(0, min(count, operand.MaxScale)))
	if n.Kind == operand.Double {
		return groupDigits(doubleDigits(n.Float, scale)), nil
	}
	d, err := n.AsDecimal()
	if err != nil {
		return nil, err
	}
	if d, err = operand.Rounded(d, int32(scale)); err != nil {
		return nil, err
	}
	return groupDigits(d.Text('f')), nil
}

// doubleDigits writes a double with so many digits behind the point; those that it does not have
// are zeros.
func doubleDigits(f float64, scale int) string {
	f = RoundedDouble(f, scale, math.RoundToEven)
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(f, 'f', -1, 64), ".")
	if scale == 0 {
		return whole
	}
	return whole + "." + (fraction + strings.Repeat("0", scale))[:scale]
}

// groupDigits puts commas between the thousands.
func groupDigits(number string) string {
	digits, negative := strings.CutPrefix(number, "-")
	whole, fraction, has := strings.Cut(digits, ".")
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	if has {
		whole += "." + fraction
	}
	if negative {
		return "-" + whole
	}
	return whole
}
