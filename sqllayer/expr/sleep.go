package expr

import (
	"context"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/operand"
)

// Sleep is SLEEP, which minds NULL and what is below zero: an error in strict mode, a warning in
// others.
type Sleep struct{ operand.One }

var _ sql.FunctionExpression = (*Sleep)(nil)
var _ sql.CollationCoercible = (*Sleep)(nil)

func init() {
	operand.Register(sql.FunctionN{Name: "sleep", Fn: func(_ *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) != 1 {
			return nil, sql.ErrInvalidArgumentNumber.New("SLEEP", 1, len(args))
		}
		return &Sleep{operand.Over(args[0])}, nil
	}})
}

// FunctionName implements sql.FunctionExpression.
func (s *Sleep) FunctionName() string { return "sleep" }

// Description implements sql.FunctionExpression.
func (s *Sleep) Description() string { return "waits for a number of seconds" }

func (s *Sleep) String() string { return "sleep(" + s.Child.String() + ")" }

// Type implements sql.Expression.
func (s *Sleep) Type(*sql.Context) sql.Type { return types.Int32 }

// IsNullable implements sql.Expression.
func (s *Sleep) IsNullable(*sql.Context) bool { return false }

// CollationCoercibility implements sql.CollationCoercible.
func (s *Sleep) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 5
}

// WithChildren implements sql.Expression.
func (s *Sleep) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(s, children)
}

// Eval implements sql.Expression.
func (s *Sleep) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := s.Child.Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	n, null, err := operand.NumberOf(ctx, v, s.Child.Type(ctx))
	if err != nil {
		return nil, err
	}
	seconds := -1.0
	if !null {
		seconds = n.AsFloat()
	}
	if seconds < 0 {
		const wrong = "Incorrect arguments to sleep."
		if strings.Contains(operand.Mode(ctx).String(), "STRICT_") {
			return nil, mysql.NewSQLError(mysql.ERWrongArguments, mysql.SSUnknownSQLState, "%s", wrong)
		}
		ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: mysql.ERWrongArguments, Message: wrong})
		return int32(0), nil
	}
	defer operand.Stage(ctx, "User sleep")()
	t := time.NewTimer(time.Duration(min(seconds, 1e9) * float64(time.Second)))
	defer t.Stop()
	select {
	case <-ctx.Done():
		return nil, context.Canceled
	case <-t.C:
		return int32(0), nil
	}
}
