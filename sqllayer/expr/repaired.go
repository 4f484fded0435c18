package expr

// Functions of go-mysql-server with other results than MySQL's for some arguments.

import (
	"strings"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/operand"
)

// sameBits is what CAST(x AS SIGNED) takes: an unsigned integer beyond the signed ones keeps its
// bits. A decimal number or a double becomes the largest.
type sameBits struct{ operand.One }

// Type implements sql.Expression.
func (*sameBits) Type(*sql.Context) sql.Type { return types.Int64 }

// WithChildren implements sql.Expression.
func (s *sameBits) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(s, children)
}

// Eval implements sql.Expression.
func (s *sameBits) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := s.Child.Eval(ctx, row)
	if n, ok := v.(uint64); ok {
		return int64(n), err
	}
	return v, err
}

// signOf is what SIGN takes: a fraction is not cut before.
type signOf struct{ operand.Like }

// WithChildren implements sql.Expression.
func (s *signOf) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(s, children)
}

// Eval implements sql.Expression.
func (s *signOf) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := s.Child.Eval(ctx, row)
	switch n := v.(type) {
	case *apd.Decimal:
		if n == nil {
			return nil, err
		}
		return int64(n.Sign()), err
	case float32:
		return directionOf(float64(n)), err
	case float64:
		return directionOf(n), err
	}
	return v, err
}

func directionOf(f float64) int64 {
	switch {
	case f > 0:
		return 1
	case f < 0:
		return -1
	}
	return 0
}

// week is WEEK(date, mode): in modes whose weeks begin with 1 the first days of January may belong
// to week 52 or 53, the last of December to week 1. Without a mode it is default_week_format.
type week struct {
	operand.Many
	mode          sql.Expression
	plain, ofYear sql.Expression
}

func newWeek(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
	moded := args
	if len(args) == 1 {
		mode, err := defaultWeekFormat.NewInstance(ctx, nil)
		if err != nil {
			return nil, err
		}
		moded = []sql.Expression{args[0], mode}
	}
	plain, err := function.NewWeek(ctx, moded...)
	if err != nil {
		return nil, err
	}
	ofYear, err := function.NewYearWeek(ctx, moded...)
	return &week{operand.OverMany(args), moded[1], plain, ofYear}, err
}

// defaultWeekFormat is a function that gives the session's variable of that name.
var defaultWeekFormat = operand.NewScalar("default_week_format", 0, 0, types.Int64, func(ctx *sql.Context, _ []any) (any, error) {
	return ctx.GetSessionVariable(ctx, "default_week_format")
})

// Type implements sql.Expression.
func (w *week) Type(ctx *sql.Context) sql.Type { return w.plain.Type(ctx) }

func (w *week) String() string {
	args := make([]string, len(w.ChildExpressions))
	for i, e := range w.ChildExpressions {
		args[i] = e.String()
	}
	return "week(" + strings.Join(args, ",") + ")"
}

// WithChildren implements sql.Expression.
func (w *week) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return newWeek(ctx, children...)
}

// Eval implements sql.Expression.
func (w *week) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	mode, err := w.mode.Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	n, _, err := types.Int64.Convert(ctx, mode)
	if m, ok := n.(int64); err != nil || !ok || m&2 == 0 {
		return w.plain.Eval(ctx, row)
	}
	v, err := w.ofYear.Eval(ctx, row)
	if v == nil || err != nil {
		return nil, err
	}
	if v, _, err = types.Int32.Convert(ctx, v); err != nil {
		return nil, err
	}
	return v.(int32) % 100, nil
}

func init() {
	sign, _ := operand.Builtin("sign")
	operand.Register(sql.FunctionN{Name: "week", Fn: newWeek},
		sql.Function1{Name: "sign", Fn: func(ctx *sql.Context, e sql.Expression) sql.Expression {
			f, err := sign.NewInstance(ctx, []sql.Expression{&signOf{operand.LikeOf(e)}})
			if err != nil {
				return e
			}
			return f
		}})
}
