package temporal

import (
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/operand"
)

// timestamp is TIMESTAMP(x) and TIMESTAMP(x, a time to add). What is no date is NULL, or the date of
// zeros.
type timestamp struct {
	operand.Many
	zeros bool
}

func init() {
	operand.Register(sql.FunctionN{Name: "timestamp", Fn: func(_ *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) < 1 || len(args) > 2 {
			return nil, sql.ErrInvalidArgumentNumber.New("TIMESTAMP", "1 or 2", len(args))
		}
		return &timestamp{Many: operand.OverMany(args)}, nil
	}})
}

func (t *timestamp) String() string {
	args := make([]string, len(t.ChildExpressions))
	for i, e := range t.ChildExpressions {
		args[i] = e.String()
	}
	return "timestamp(" + strings.Join(args, ",") + ")"
}

// Type implements sql.Expression.
func (t *timestamp) Type(ctx *sql.Context) sql.Type {
	digits := 0
	for _, e := range t.ChildExpressions {
		digits = max(digits, secondDigits(ctx, e, false))
	}
	return types.MustCreateDatetimeType(types.Datetime.Type(), digits)
}

// secondDigits is the number of digits that the seconds of a value have. Texts of numbers have all.
func secondDigits(ctx *sql.Context, e sql.Expression, number bool) int {
	if d, ok := e.(*dated); ok {
		e = d.Child
	}
	if l, ok := e.(*expression.Literal); ok {
		if text, isText := l.Value().(string); isText && !number && types.IsText(l.Type(ctx)) {
			_, fraction, _ := strings.Cut(text, ".")
			return min(len(fraction), 6)
		}
	}
	t := e.Type(ctx)
	if d, ok := t.(sql.DatetimeType); ok {
		return d.Precision()
	}
	if s := operand.ShapeOfType(ctx, t); !types.IsTimespan(t) && s.Kind != operand.Double {
		return min(int(s.Scale), 6)
	}
	return 6
}

// IsNullable implements sql.Expression.
func (*timestamp) IsNullable(*sql.Context) bool { return true }

// WithChildren implements sql.Expression.
func (t *timestamp) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(t, children)
}

// Eval implements sql.Expression.
func (t *timestamp) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := t.ChildExpressions[0].Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	at, ok := momentOf(ctx, v)
	if !ok && t.zeros {
		return types.ZeroTime, nil
	}
	if !ok {
		return nil, nil
	}
	if len(t.ChildExpressions) == 2 {
		micros, ok, err := clockAt(ctx, t.ChildExpressions[1], row)
		if err != nil || !ok {
			return nil, err
		}
		at = at.Add(time.Duration(micros) * time.Microsecond)
	}
	return types.ValidateTime(at), nil
}
