package temporal

import (
	"fmt"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	own "emberdb/sql/types"
	"emberdb/sqllayer/expr/operand"
)

// timeSum is ADDTIME and SUBTIME: a date and time of one, a time of a time, a text of anything else.
type timeSum struct {
	operand.Two
	sign int64
}

// timeDifference is TIMEDIFF of two times, or of two dates and times.
type timeDifference struct{ operand.Two }

var _ sql.Expression = (*timeSum)(nil)
var _ sql.CollationCoercible = (*timeSum)(nil)
var _ sql.Expression = (*timeDifference)(nil)

func init() {
	of := func(name string, of func(a, b sql.Expression) sql.Expression) sql.Function {
		return sql.Function2{Name: name, Fn: func(_ *sql.Context, a, b sql.Expression) sql.Expression { return of(a, b) }}
	}
	operand.Register(
		of("addtime", func(a, b sql.Expression) sql.Expression { return &timeSum{operand.OverTwo(a, b), 1} }),
		of("subtime", func(a, b sql.Expression) sql.Expression { return &timeSum{operand.OverTwo(a, b), -1} }),
		of("timediff", func(a, b sql.Expression) sql.Expression { return &timeDifference{operand.OverTwo(a, b)} }),
	)
}

func (s *timeSum) String() string {
	name := "addtime("
	if s.sign < 0 {
		name = "subtime("
	}
	return name + s.LeftChild.String() + "," + s.RightChild.String() + ")"
}

// Type implements sql.Expression.
func (s *timeSum) Type(ctx *sql.Context) sql.Type {
	switch t := s.LeftChild.Type(ctx); {
	case types.IsTimespan(t):
		return types.Time
	case types.IsTime(t):
		digits := max(secondDigits(ctx, s.LeftChild, false), secondDigits(ctx, s.RightChild, false))
		return types.MustCreateDatetimeType(types.Datetime.Type(), digits)
	}
	return types.LongText
}

// CollationCoercibility implements sql.CollationCoercible.
func (s *timeSum) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	if types.IsText(s.Type(ctx)) {
		return ctx.GetCollation(), 4
	}
	return sql.Collation_binary, 5
}

// IsNullable implements sql.Expression.
func (*timeSum) IsNullable(*sql.Context) bool { return true }

// WithChildren implements sql.Expression.
func (s *timeSum) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(s, children)
}

// Eval implements sql.Expression.
func (s *timeSum) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, by, err := twoValues(ctx, &s.Two, row)
	if err != nil || v == nil || by == nil {
		return nil, err
	}
	from, ok := clockOrMoment(ctx, v)
	if !ok {
		return nil, nil
	}
	more, ok := clockOf(ctx, by)
	if !ok {
		return nil, nil
	}
	more *= s.sign
	text := types.IsText(s.Type(ctx))
	if !from.dated {
		return s.later(ctx, from.micros+more, text), nil
	}
	at := from.at.Add(time.Duration(more) * time.Microsecond)
	switch {
	case at.Year() > 9999 || at.Year() < 0:
		s.warnOfRange(ctx, "DATETIME")
		return nil, nil
	case !text:
		return at, nil
	case at.Nanosecond() != 0:
		return at.Format("2006-01-02 15:04:05.000000"), nil
	}
	return at.Format(time.DateTime), nil
}

// later is a time as a text or as a TIME. One out of range is NULL, and its text that of the longest.
func (s *timeSum) later(ctx *sql.Context, micros int64, text bool) any {
	sum := operand.ClampTime(micros)
	if int64(sum) != micros {
		s.warnOfRange(ctx, "TIME")
	}
	switch {
	case text:
		return sum.String()
	case int64(sum) != micros:
		return nil
	}
	return sum
}

func (s *timeSum) warnOfRange(ctx *sql.Context, what string) {
	ctx.Warn(6527, "%s value is out of range in '%s'", what, s.String())
}

func (d *timeDifference) String() string {
	return "timediff(" + d.LeftChild.String() + "," + d.RightChild.String() + ")"
}

// Type implements sql.Expression.
func (*timeDifference) Type(*sql.Context) sql.Type { return types.Time }

// IsNullable implements sql.Expression.
func (*timeDifference) IsNullable(*sql.Context) bool { return true }

// WithChildren implements sql.Expression.
func (d *timeDifference) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(d, children)
}

// Eval implements sql.Expression.
func (d *timeDifference) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, w, err := twoValues(ctx, &d.Two, row)
	if err != nil || v == nil || w == nil {
		return nil, err
	}
	a, ok := clockOrMoment(ctx, v)
	b, okB := clockOrMoment(ctx, w)
	if !ok || !okB || a.dated != b.dated {
		return nil, nil
	}
	micros := a.micros - b.micros
	if a.dated {
		micros = a.at.UnixMicro() - b.at.UnixMicro()
	}
	clamped := operand.ClampTime(micros)
	if int64(clamped) != micros {
		ctx.Warn(1292, "Truncated incorrect time value: '%s'", longText(micros))
	}
	return clamped, nil
}

// longText is the text of a time that may be longer than a TIME can be.
func longText(micros int64) string {
	sign := ""
	if micros < 0 {
		sign = "-"
	}
	p := clockParts(micros)
	text := fmt.Sprintf("%s%02d:%02d:%02d", sign, p[0], p[1], p[2])
	if p[3] != 0 {
		text += fmt.Sprintf(".%06d", p[3])
	}
	return text
}

// twoValues are the values of two expressions, both NULL if the first is.
func twoValues(ctx *sql.Context, of *operand.Two, row sql.Row) (a, b any, err error) {
	if a, err = of.LeftChild.Eval(ctx, row); err != nil || a == nil {
		return nil, nil, err
	}
	if b, err = of.RightChild.Eval(ctx, row); err != nil || b == nil {
		return a, nil, err
	}
	if a, err = sql.UnwrapAny(ctx, a); err != nil {
		return nil, nil, err
	}
	b, err = sql.UnwrapAny(ctx, b)
	return a, b, err
}

// clockOrDate is a time, or a date and time.
type clockOrDate struct {
	micros int64
	at     time.Time
	dated  bool
}

// clockOrMoment reads a value that is either: a text or a number with the digits of both is a date
// and time. It warns of what is none.
func clockOrMoment(ctx *sql.Context, v any) (c clockOrDate, ok bool) {
	if at, is := v.(time.Time); is {
		return clockOrDate{at: at, dated: true}, true
	}
	text, isText, err := operand.TextOf(ctx, v)
	if err != nil {
		return c, false
	}
	if whole, number := wholeDigits(v); number && len(whole) > 10 {
		isText, text = true, longDate(whole)+numberText(ctx, v)[len(whole):]
	}
	if isText {
		if read, ok := own.ReadClock(text); !ok || read.Cut || read.Dated {
			at, ok := toTime(ctx, text)
			if !ok {
				ctx.Warn(1292, "Incorrect datetime value: '%s'", text)
			}
			return clockOrDate{at: at, dated: true}, ok
		}
	}
	c.micros, ok = clockOf(ctx, v)
	return c, ok
}
