package expr

import (
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// Text gives a date or time as MySQL writes it: go-mysql-server writes every one as a date with a time.
type Text struct{ One }

var _ sql.CollationCoercible = (*Text)(nil)

// texts wraps the arguments that are dates and times.
func texts(ctx *sql.Context, args []sql.Expression) []sql.Expression {
	out := make([]sql.Expression, len(args))
	for i, e := range args {
		out[i] = e
		if e.Resolved() && types.IsTime(e.Type(ctx)) || e.Resolved() && types.IsTimespan(e.Type(ctx)) {
			out[i] = &Text{Over(e)}
		}
	}
	return out
}

// Type implements sql.Expression.
func (t *Text) Type(*sql.Context) sql.Type { return types.LongText }

// CollationCoercibility implements sql.CollationCoercible.
func (t *Text) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return ctx.GetCollation(), 4
}

// WithChildren implements sql.Expression.
func (t *Text) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return WithChildren(t, children)
}

// Eval implements sql.Expression.
func (t *Text) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := t.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return v, err
	}
	typ := t.Child.Type(ctx)
	switch v := v.(type) {
	case time.Time:
		if v.Equal(types.ZeroTime) {
			break
		}
		layout := "2006-01-02 15:04:05"
		if d, ok := typ.(sql.DatetimeType); types.IsDateType(typ) {
			layout = "2006-01-02"
		} else if ok && d.Precision() > 0 && v.Nanosecond() != 0 {
			layout += ".000000"[:d.Precision()+1]
		}
		return v.Format(layout), nil
	case types.Timespan:
		if int64(v)%1e6 == 0 {
			return v.String()[:len(v.String())-len(fractionOf(v.String()))], nil
		}
	}
	out, err := typ.SQL(ctx, nil, v)
	return out.ToString(), err
}

// fractionOf is the point and what stands behind it.
func fractionOf(text string) string {
	for i := range text {
		if text[i] == '.' {
			return text[i:]
		}
	}
	return ""
}

func init() {
	for _, name := range []string{"concat", "concat_ws", "json_array", "json_object"} {
		f, ok := builtin(name)
		if !ok {
			continue
		}
		register(sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
			return f.NewInstance(ctx, texts(ctx, args))
		}})
	}
}
