package compare

import (
	"time"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/operand"
)

// Values of which one is a document or a date, and the other may be something else.

// documents compares two values of which one is a document at least.
func (c *comparer) documents(ctx *sql.Context, l, r any) (n int, null bool, err error) {
	a, err := Scalar(ctx, l, c.left)
	if err != nil {
		return 0, false, err
	}
	b, err := Scalar(ctx, r, c.right)
	if err != nil {
		return 0, false, err
	}
	x, okX := a.(operand.Number)
	y, okY := b.(operand.Number)
	switch {
	case okX && okY:
		n, err = x.Compare(y)
		return n, false, err
	case types.IsJSON(c.left):
		n, err = types.CompareJSON(ctx, l, r)
		return n, false, err
	}
	n, err = types.CompareJSON(ctx, r, l)
	return -n, false, err
}

// Scalar is the number or the text that a document is, or that is compared with one; nil for all
// else.
func Scalar(ctx *sql.Context, v any, t sql.Type) (any, error) {
	if j, ok := v.(sql.JSONWrapper); ok {
		inside, err := j.ToInterface(ctx)
		if err != nil {
			return nil, err
		}
		v, t = inside, typeInside(inside)
	}
	switch {
	case t == nil, types.IsJSON(t):
		return nil, nil
	case operand.IsNumber(t):
		if _, truth := v.(bool); truth {
			return nil, nil
		}
		n, null, err := operand.NumberOf(ctx, v, t)
		if err != nil || null {
			return nil, err
		}
		return n, nil
	}
	text, ok, err := operand.TextOf(ctx, v)
	if !ok || err != nil {
		return nil, err
	}
	return text, nil
}

// typeInside is the type of a number or text in a document.
func typeInside(v any) sql.Type {
	switch v.(type) {
	case bool, nil, map[string]any, []any, time.Time:
		return nil
	case string:
		return types.LongText
	}
	return types.ApproximateTypeFromValue(v)
}

// DateOf is a value as a date. A text that is none is before all dates. ok is false for what
// go-mysql-server is to read.
func DateOf(ctx *sql.Context, v any) (at time.Time, ok bool) {
	switch v := v.(type) {
	case time.Time:
		return v, true
	case types.Timespan:
		return operand.OnToday(ctx, v), true
	}
	text, isText, err := operand.TextOf(ctx, v)
	if err != nil || !isText {
		return at, false
	}
	at, _, is := operand.ReadMoment(text, operand.DatesOf(ctx), operand.Zone(ctx))
	switch is {
	case operand.NoMoment, operand.NoSuchDay:
		ctx.Warn(1292, "Incorrect datetime value: '%s'", shown(text))
		return types.ZeroTime, true
	case operand.CutMoment:
		ctx.Warn(1292, "Truncated incorrect date value: '%s'", shown(text))
	}
	return at, true
}

// shown is a text as warnings show it.
func shown(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return operand.ShownBytes(text)
}

// datesOfOthers tells a comparison of dates with texts or times.
func (c *comparer) datesOfOthers() bool {
	return c.how == asDates && !(isMoment(c.left) && isMoment(c.right))
}

// Dated gives of a TIME beside a date the moment, and nil of anything else.
func Dated(ctx *sql.Context, e, beside sql.Expression) sql.Expression {
	if !e.Resolved() || !beside.Resolved() || !types.IsTimespan(e.Type(ctx)) || !isMoment(beside.Type(ctx)) {
		return nil
	}
	return &operand.Dated{One: operand.Over(e)}
}

// DatesAmongTexts tells operands of which some are dates, and all others texts: BETWEEN reads all
// of them as dates.
func DatesAmongTexts(ctx *sql.Context, of ...sql.Expression) bool {
	dates, words := 0, 0
	for _, e := range of {
		t := e.Type(ctx)
		switch {
		case isMoment(t):
			dates++
		case isString(t):
			words++
		}
	}
	return dates > 0 && words > 0 && dates+words == len(of)
}

// NewDates is a comparison of two operands as dates.
func NewDates(ctx *sql.Context, op string, l, r sql.Expression) *Comparison {
	cmp := newComparer(ctx, l, r)
	cmp.how = asDates
	return &Comparison{operand.OverTwo(l, r), op, cmp}
}
