package expr

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	own "emberdb/sql/types"
	"emberdb/sqllayer/expr/numbers"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/expr/spatial"
)

// cast is CAST to a number. go-mysql-server makes zero of what is out of range, and reads dates by
// their seconds.
type cast struct {
	operand.One
	to               string
	precision, scale int32 // of DECIMAL
}

var castTypes = map[string]sql.Type{"signed": types.Int64, "unsigned": types.Uint64, "double": types.Float64, "float": types.Float32, "real": types.Float64,
	"year": types.Year, "decimal": nil}

func init() {
	for to := range castTypes {
		operand.Register(sql.FunctionN{Name: operand.CastAs + to, Fn: func(_ *sql.Context, args ...sql.Expression) (sql.Expression, error) {
			c := &cast{One: operand.Over(args[0]), to: to}
			for i, digits := range []*int32{&c.precision, &c.scale} {
				if i+1 < len(args) {
					n, err := strconv.ParseInt(args[i+1].String(), 10, 32)
					if err != nil {
						return nil, err
					}
					*digits = int32(n)
				}
			}
			return c, nil
		}})
	}
}

// castCall is the call for a CAST; nil for one that is to texts, dates or times.
func castCall(e *ast.ConvertExpr) *ast.FuncExpr {
	if element, index, array := strings.Cut(e.Type.Type, operand.ArrayWord); array {
		return operand.CallOf(operand.ArrayOf, e.Expr, ast.NewStrVal([]byte(element)), ast.NewStrVal([]byte(index)))
	}
	to := strings.ToLower(e.Type.Type)
	if to == "json" {
		if v, ok := e.Expr.(*ast.SQLVal); ok && numbers.IsBits(v) {
			return operand.CallOf(operand.CastAs+to, operand.TextOperand(v))
		}
		return operand.CallOf(operand.CastAs+to, e.Expr)
	}
	if spatial.CastsTo(to) {
		return operand.CallOf(operand.CastAs+to, e.Expr)
	}
	if _, number := castTypes[to]; !number {
		return nil
	}
	args := []ast.Expr{numbers.NumberLiteral(e.Expr)}
	if to == "decimal" {
		precision, scale := e.Type.Length, e.Type.Scale
		if precision == nil || string(precision.Val) == "0" {
			precision = ast.NewIntVal([]byte("10"))
		}
		if scale == nil {
			scale = ast.NewIntVal([]byte("0"))
		}
		args = append(args, precision, scale)
	}
	return operand.CallOf(operand.CastAs+to, args...)
}

// Type implements sql.Expression.
func (c *cast) Type(ctx *sql.Context) sql.Type {
	if c.to == "decimal" {
		return operand.DecimalType(c.precision-c.scale, c.scale)
	}
	return castTypes[c.to]
}

func (c *cast) String() string {
	of, to := c.Child.String(), c.to
	if l, ok := c.Child.(*expression.Literal); ok && types.IsFloat(l.Type(nil)) {
		if f, ok := l.Value().(float64); ok {
			of = string(operand.AppendFloat(nil, f, 64))
		}
	}
	switch {
	case c.scale > 0:
		to = fmt.Sprintf("decimal(%d,%d)", c.precision, c.scale)
	case c.precision > 0:
		to = fmt.Sprintf("decimal(%d)", c.precision)
	}
	return "cast(" + of + " as " + to + ")"
}

// IsNullable implements sql.Expression.
func (c *cast) IsNullable(ctx *sql.Context) bool { return c.to == "year" || c.Child.IsNullable(ctx) }

// WithChildren implements sql.Expression.
func (c *cast) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(c, children)
}

// Eval implements sql.Expression.
func (c *cast) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := c.Child.Eval(ctx, row)
	t := c.Child.Type(ctx)
	if err != nil || v == nil {
		return nil, err
	}
	if _, isText := v.(string); isText && types.IsTime(t) {
		v, _, err = t.Convert(ctx, v) // go-mysql-server's functions give some dates as texts
	} else if operand.IsNamed(t) {
		v, _, err = types.Float64.Convert(ctx, v) // the number of a member
	} else if number, ok := operand.DocumentNumber(ctx, v); ok {
		v = number
	} else if w, ok := v.(sql.JSONWrapper); ok {
		return c.document(ctx, w)
	}
	if err != nil {
		return nil, err
	}
	text, isText, err := operand.TextOf(ctx, v)
	if err != nil {
		return nil, err
	}
	isText = isText && types.IsText(t)
	if at, ok := v.(time.Time); ok && (c.to == "signed" || c.to == "unsigned") {
		v = at.Round(time.Second) // 23:59:59.6 is the next day
	}
	var n operand.Number
	switch {
	case isText && types.IsFloat(c.Type(ctx)): // NumberOf reads it
	case isText && c.to == "year":
		return yearText(ctx, text), nil
	case isText && c.to == "decimal":
		n, err = operand.DecimalNumber(ctx, text)
		return c.decimal(ctx, n, err)
	case isText:
		return c.integerText(ctx, text), nil
	}
	n, null, err := operand.NumberOf(ctx, v, t)
	if err != nil || null {
		return nil, err
	}
	switch c.to {
	case "decimal":
		return c.decimal(ctx, n, nil)
	case "signed", "unsigned":
		return c.integer(n), nil
	case "float":
		return float32(n.AsFloat()), nil
	case "year":
		if at, ok := v.(time.Time); ok {
			return int16(operand.MomentOf(at).Year), nil
		}
		if _, ok := v.(types.Timespan); ok {
			return int16(ctx.QueryTime().Year()), nil
		}
		whole, _, _ := n.AsInteger()
		return yearOf(ctx, whole, fmt.Sprint(whole)), nil
	}
	return n.AsFloat(), nil
}

// document is the number of a document that is none itself: 0 or 1 of a truth value, and what a text
// begins with.
func (c *cast) document(ctx *sql.Context, w sql.JSONWrapper) (any, error) {
	v, err := w.ToInterface(ctx)
	if err != nil {
		return nil, err
	}
	kind := "INTEGER"
	switch c.to {
	case "decimal":
		kind = "DECIMAL"
	case "float", "double", "real":
		kind = "DOUBLE"
	}
	text := "0"
	switch v := v.(type) {
	case bool:
		if v {
			text = "1"
		}
	case string:
		text = operand.NumberPart(ctx, v, kind)
	default:
		operand.NoNumber(ctx, kind)
	}
	if at := strings.IndexAny(text, ".eE"); at >= 0 && kind == "INTEGER" {
		operand.NoNumber(ctx, kind)
		text = cmp.Or(text[:at], "0")
	}
	if kind == "DOUBLE" {
		f, _ := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if c.to == "float" {
			return float32(f), nil
		}
		return f, nil
	}
	n, err := operand.DecimalNumber(ctx, text)
	switch {
	case err != nil || kind == "DECIMAL":
		return c.decimal(ctx, n, err)
	case c.to == "year":
		whole, _, _ := n.AsInteger()
		return yearOf(ctx, whole, fmt.Sprint(whole)), nil
	}
	return c.integer(n), nil
}

// integer is a number as a whole one: integers keep their bits, other numbers the bounds of the
// type, which for negative ones are those of BIGINT.
func (c *cast) integer(n operand.Number) any {
	whole, large, ok := n.AsInteger()
	if f := n.AsFloat(); !ok {
		switch {
		case f < 0:
			whole = math.MinInt64
		case c.to == "signed":
			whole = math.MaxInt64
		case n.Kind == operand.Double && f < math.MaxUint64:
			whole = int64(uint64(f))
		default:
			whole = -1
		}
	} else if large && n.Kind != operand.Integer && c.to == "signed" {
		whole = math.MaxInt64
	}
	if c.to == "unsigned" {
		return uint64(whole)
	}
	return whole
}

// integerText reads the integer that a text begins with.
func (c *cast) integerText(ctx *sql.Context, text string) any {
	trimmed := strings.TrimSpace(text)
	end := 0
	for end < len(trimmed) && (trimmed[end] >= '0' && trimmed[end] <= '9' || end == 0 && strings.ContainsAny(trimmed[:1], "+-")) {
		end++
	}
	digits, negative := strings.CutPrefix(trimmed[:end], "-")
	n, err := strconv.ParseUint(strings.TrimPrefix(digits, "+"), 10, 64) // the nearest number of too many digits, and zero of none
	if negative {
		if n > 1<<63 {
			n, err = 1<<63, strconv.ErrRange
		}
		n = -n
	}
	if end < len(trimmed) || err != nil {
		ctx.Warn(1292, "Truncated incorrect INTEGER value: '%s'", text)
	}
	if c.to == "unsigned" {
		if negative && n != 0 && err == nil {
			ctx.Warn(1105, "Cast to unsigned converted negative integer to its positive complement")
		}
		return n
	}
	if !negative && n > math.MaxInt64 && err == nil {
		ctx.Warn(1105, "Cast to signed converted positive out-of-range integer to its negative complement")
	}
	return int64(n)
}

// decimal is a number with the digits of the type, or the nearest that has them.
func (c *cast) decimal(ctx *sql.Context, n operand.Number, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	d, err := n.AsDecimal()
	if err != nil {
		return nil, err
	}
	if d, err = operand.Rounded(d, c.scale); err != nil {
		return nil, err
	}
	if d.NumDigits() > int64(c.precision) {
		negative := d.Negative
		most, _, err := apd.NewFromString(strings.Repeat("9", int(c.precision)))
		if err != nil {
			return nil, err
		}
		d = most
		d.Exponent, d.Negative = -c.scale, negative
		ctx.Warn(1264, "Out of range value for column '%s' at row 1", c)
	}
	return d, nil
}

// yearText reads the year that a text begins with; zero is 2000.
func yearText(ctx *sql.Context, text string) any {
	trimmed := strings.TrimSpace(text)
	end := strings.IndexFunc(trimmed, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(trimmed)
	}
	if end == 0 {
		ctx.Warn(1525, "Incorrect YEAR value: '%s'", text)
		return nil
	}
	n, _ := strconv.ParseInt(trimmed[:end], 10, 64) // the largest of too many digits
	if n == 0 {
		n = 2000
	}
	year := yearOf(ctx, n, text)
	if year != nil && end < len(trimmed) {
		ctx.Warn(1292, "Truncated incorrect YEAR value: '%s'", text)
	}
	return year
}

// yearOf is the year of a number, nil for one that is none.
func yearOf(ctx *sql.Context, n int64, written string) any {
	if n > 0 && n < 100 {
		n = int64(own.FullYear(int(n)))
	}
	if n != 0 && (n < 1901 || n > 2155) {
		ctx.Warn(1292, "Truncated incorrect YEAR value: '%s'", written)
		return nil
	}
	return int16(n)
}
