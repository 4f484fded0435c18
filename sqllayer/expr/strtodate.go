package expr

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// strToDate is STR_TO_DATE, whose argument may be NULL, or no text.
type strToDate struct{ like }

func init() {
	f, ok := builtin("str_to_date")
	register(sql.FunctionN{Name: "str_to_date", Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if !ok || len(args) != 2 {
			return nil, sql.ErrInvalidArgumentNumber.New("STR_TO_DATE", 2, len(args))
		}
		args = []sql.Expression{asWritten(ctx, args[0]), asWritten(ctx, args[1])}
		e, err := f.NewInstance(ctx, args)
		return &strToDate{likeOf(e)}, err
	}})
}

// asWritten makes a text of what is none, once its type is known.
func asWritten(ctx *sql.Context, e sql.Expression) sql.Expression {
	if !e.Resolved() || types.IsText(e.Type(ctx)) {
		return e
	}
	return written(ctx, e)
}

// IsNullable implements sql.Expression.
func (*strToDate) IsNullable(*sql.Context) bool { return true }

// WithChildren implements sql.Expression.
func (s *strToDate) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return WithChildren(s, children)
}

// Eval implements sql.Expression.
func (s *strToDate) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	for _, e := range s.Child.Children() {
		if v, err := e.Eval(ctx, row); v == nil || err != nil {
			return nil, err
		}
	}
	return s.Child.Eval(ctx, row)
}
