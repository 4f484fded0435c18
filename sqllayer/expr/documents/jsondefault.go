package documents

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	own "emberdb/sql/types"
	"emberdb/sqllayer/expr/operand"
)

// What JSON_VALUE gives instead of a value: DEFAULT constant ON EMPTY, DEFAULT constant ON ERROR.
// The constant has to be a value of the type as it is: nothing is cut or rounded.

// RaisesError is the text that stands for ERROR in place of a constant.
const RaisesError = "\x00error"

// instead reads what stands for ON EMPTY or ON ERROR: NULL, RaisesError or a constant.
func (v *jsonValue) instead(ctx *sql.Context, e sql.Expression) (otherwise, error) {
	value, err := e.Eval(ctx, nil)
	switch {
	case err != nil:
		return otherwise{}, err
	case value == nil:
		return otherwise{what: giveNull}, nil
	case value == RaisesError:
		return otherwise{what: giveError}, nil
	}
	if b, ok := value.(bool); ok {
		value = int64(0)
		if b {
			value = int64(1)
		}
	}
	shown, err := operand.NewText(ctx, e, operand.Anything).Eval(ctx, nil)
	if err != nil {
		return otherwise{}, err
	}
	constant, err := v.constant(ctx, value, shown, e.Type(ctx))
	return otherwise{giveDefault, constant}, err
}

// constant is a constant, and as it is shown, as a value of the type.
func (v *jsonValue) constant(ctx *sql.Context, value, shown any, t sql.Type) (any, error) {
	text, err := operand.ShownText(ctx, shown)
	if err != nil {
		return nil, err
	}
	switch {
	case types.IsJSON(v.typ):
		return v.constantDocument(ctx, text, t)
	case v.kind == textKind:
		if !v.holds(text) {
			return nil, v.defaultOutOfRange("CHAR")
		}
		return text, nil
	case types.IsInteger(v.typ), types.IsYear(v.typ):
		return v.constantInteger(text)
	case types.IsTime(v.typ), types.IsTimespan(v.typ):
		return v.constantMoment(ctx, value, text)
	}
	return v.constantNumber(ctx, value, text, t)
}

func (v *jsonValue) defaultOutOfRange(kind string) error {
	return mysql.NewSQLError(mysql.ERDataOutOfRange, "22003", "%s DEFAULT value is out of range in 'json_value'", kind)
}

func truncated(kind, text string) error {
	return mysql.NewSQLError(mysql.ERTruncatedWrongValue, "22007", "Truncated incorrect %s value: '%s'", kind, text)
}

func (v *jsonValue) constantDocument(ctx *sql.Context, text string, t sql.Type) (any, error) {
	if operand.IsBinary(t) || types.IsFloat(t) {
		return nil, errBytes()
	}
	doc, err := operand.ParseDocument(ctx, text)
	if f, ok := IsFault(err); ok {
		return nil, f.InArgument(0, "json_value")
	}
	return operand.MadeOf(doc), err
}

// constantInteger reads the digits of a constant, whatever it is.
func (v *jsonValue) constantInteger(text string) (any, error) {
	kind := v.kind
	if !types.IsYear(v.typ) {
		kind = "INTEGER " + kind
	}
	digits := strings.TrimPrefix(strings.TrimPrefix(text, "-"), "+")
	switch {
	case strings.Trim(digits, "0123456789") != "" || digits == "" && text != "":
		return nil, truncated(kind, text)
	case types.IsYear(v.typ):
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || !isYear(n) {
			return nil, v.outOfRange()
		}
		return int16(n), nil
	case v.kind == "UNSIGNED":
		if n, err := strconv.ParseUint(text, 10, 64); err == nil {
			return n, nil
		}
	default:
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n, nil
		}
	}
	return nil, v.defaultOutOfRange(v.kind)
}

func isYear(n int64) bool { return n == 0 || n >= 1901 && n <= 2155 }

func (v *jsonValue) constantNumber(ctx *sql.Context, value any, text string, t sql.Type) (any, error) {
	kind := "DECIMAL"
	if types.IsFloat(v.typ) {
		kind = "DOUBLE"
	}
	if _, isText, _ := operand.TextOf(ctx, value); isText {
		digits := strings.TrimSpace(text)
		f, err := strconv.ParseFloat(digits, 64)
		if kind == "DOUBLE" {
			value, t = f, types.Float64
		} else {
			value, err = operand.ParseDecimal(digits)
		}
		if err != nil && (digits != "" || kind != "DOUBLE") {
			return nil, truncated(kind, text)
		}
	}
	n, _, err := operand.NumberOf(ctx, value, t)
	if err != nil {
		return nil, err
	}
	if kind == "DOUBLE" {
		f := n.AsFloat()
		if v.kind == "FLOAT" {
			if math.Abs(f) > math.MaxFloat32 {
				return nil, v.defaultOutOfRange(v.kind)
			}
			return float32(f), nil
		}
		return f, nil
	}
	d, err := n.AsDecimal()
	if err != nil {
		return nil, err
	}
	if out, ok := v.decimal(ctx, d); ok && out.Cmp(d) == 0 {
		return out, nil
	}
	return nil, v.defaultOutOfRange(v.kind)
}

// decimal is a number with the digits of the type; ok is false if it has too many.
func (v *jsonValue) decimal(ctx *sql.Context, d *apd.Decimal) (out *apd.Decimal, ok bool) {
	t := v.typ.(sql.DecimalType)
	out, err := operand.Rounded(d, int32(t.Scale()))
	if err != nil {
		return nil, false
	}
	_, in, err := v.typ.Convert(ctx, out)
	return out, err == nil && in == sql.InRange
}

// constantMoment makes a date or time of a constant. Fewer digits than its own are an error.
func (v *jsonValue) constantMoment(ctx *sql.Context, value any, text string) (any, error) {
	_, isText, _ := operand.TextOf(ctx, value)
	wrong := func() error {
		switch {
		case v.kind == "DATETIME", v.kind == "DATE" && !isText && strings.Trim(text, "-0123456789") == "":
			return mysql.NewSQLError(mysql.ERTruncatedWrongValue, "22007", "Incorrect datetime value: '%s'", text)
		}
		return truncated(strings.ToLower(v.kind), text)
	}
	unit := time.Second.Microseconds() / own.Pow10(min(v.length, 6))
	if types.IsTimespan(v.typ) {
		micros, ok := constantClock(value, text)
		switch {
		case !ok:
			return nil, wrong()
		case micros%unit != 0:
			return nil, v.defaultOutOfRange("TIME")
		}
		return types.Timespan(micros), nil
	}
	at, isMoment := value.(time.Time)
	if span, ok := value.(types.Timespan); ok {
		at, isMoment = operand.OnToday(ctx, span), true
	}
	if !isMoment {
		read, clock, is := operand.ReadMoment(text, own.Dates{NoZero: true, NoZeroIn: true}, operand.Zone(ctx))
		if is != operand.AMoment || read.Equal(types.ZeroTime) || v.kind == "DATETIME" && isText && !clock {
			return nil, wrong()
		}
		at = read
	}
	switch {
	case v.kind == "DATE":
		return at.Truncate(24 * time.Hour), nil
	case at.UnixMicro()%unit != 0:
		return nil, v.defaultOutOfRange("TIME")
	}
	return at, nil
}

func constantClock(value any, text string) (micros int64, ok bool) {
	switch value := value.(type) {
	case types.Timespan:
		return int64(value), true
	case time.Time:
		return value.Sub(value.Truncate(24 * time.Hour)).Microseconds(), true
	}
	micros, c, ok := operand.ReadClock(text)
	return micros, ok && !c.Cut && max(micros, -micros) <= operand.MaxTime
}

// constantOf tells the text of a literal.
func constantOf(e sql.Expression) (string, bool) {
	l, ok := e.(*expression.Literal)
	if !ok {
		return "", false
	}
	text, ok := l.Value().(string)
	return text, ok
}
