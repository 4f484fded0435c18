package numbers

import (
	"math"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sql/locale"
	"emberdb/sqllayer/expr/operand"
)

// thousands is FORMAT of a number, its digits, and perhaps a locale. go-mysql-server makes doubles of
// all numbers, and nothing of those beyond BIGINT.
type thousands struct{ operand.Many }

func init() {
	operand.Register(sql.FunctionN{Name: "format", Fn: func(_ *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) != 2 && len(args) != 3 {
			return nil, sql.ErrInvalidArgumentNumber.New("format", "2 or 3", len(args))
		}
		return &thousands{operand.OverMany(args)}, nil
	}})
}

func (g *thousands) String() string {
	names := make([]string, len(g.ChildExpressions))
	for i, e := range g.ChildExpressions {
		names[i] = e.String()
	}
	return "format(" + strings.Join(names, ",") + ")"
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
	number, places := g.ChildExpressions[0], g.ChildExpressions[1]
	v, err := number.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	digits, err := places.Eval(ctx, row)
	if err != nil || digits == nil {
		return nil, err
	}
	count, ok, err := operand.WholeOf(ctx, digits, places.Type(ctx))
	if err != nil || !ok {
		return nil, err
	}
	n, null, err := operand.NumberOf(ctx, v, number.Type(ctx))
	if err != nil || null {
		return nil, err
	}
	form, err := g.locale(ctx, row)
	if err != nil {
		return nil, err
	}
	scale := int(max(0, min(count, operand.MaxScale)))
	if n.Kind == operand.Double {
		return form.FormatNumber(doubleDigits(n.Float, scale)), nil
	}
	d, err := n.AsDecimal()
	if err != nil {
		return nil, err
	}
	if d, err = operand.Rounded(d, int32(scale)); err != nil {
		return nil, err
	}
	return form.FormatNumber(d.Text('f')), nil
}

// locale is the one that is named; English if none is, or an unknown one.
func (g *thousands) locale(ctx *sql.Context, row sql.Row) (*locale.Locale, error) {
	if len(g.ChildExpressions) < 3 {
		return locale.English(), nil
	}
	name := "NULL"
	v, err := g.ChildExpressions[2].Eval(ctx, row)
	if v != nil && err == nil {
		name, err = operand.ShownText(ctx, v)
	}
	if err != nil {
		return nil, err
	}
	if found := locale.Find(name); found != nil && v != nil {
		return found, nil
	}
	ctx.Warn(1649, "Unknown locale: '%s'", name)
	return locale.English(), nil
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
