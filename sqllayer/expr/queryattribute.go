package expr

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/operand"
)

// queryAttribute is MYSQL_QUERY_ATTRIBUTE_STRING(name): what the client says of the statement.
type queryAttribute struct{ operand.One }

var (
	_ sql.CollationCoercible         = (*queryAttribute)(nil)
	_ sql.NonDeterministicExpression = (*queryAttribute)(nil)
)

// attributed is a session whose client may say something of a statement.
type attributed interface {
	QueryAttribute(name string) (value string, ok bool)
}

const (
	queryAttributeName = "mysql_query_attribute_string"
	erCantInitialize   = 1123
)

func init() {
	refuse := func(what string) error {
		return mysql.NewSQLError(erCantInitialize, "HY000", "Can't initialize function '%s'; %s() expects %s", queryAttributeName, queryAttributeName, what)
	}
	operand.Register(sql.FunctionN{Name: queryAttributeName, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) != 1 {
			return nil, refuse("1 argument")
		}
		if e := args[0]; e.Resolved() && !types.IsNullType(e.Type(ctx)) && !operand.IsText(e.Type(ctx)) && !operand.IsBinary(e.Type(ctx)) {
			return nil, refuse("a string argument")
		}
		return &queryAttribute{operand.Over(args[0])}, nil
	}})
}

func (a *queryAttribute) String() string { return queryAttributeName + "(" + a.Child.String() + ")" }

// Type implements sql.Expression.
func (*queryAttribute) Type(*sql.Context) sql.Type {
	return types.CreateText(sql.Collation_utf8mb4_0900_ai_ci)
}

// IsNullable implements sql.Expression.
func (*queryAttribute) IsNullable(*sql.Context) bool { return true }

// IsNonDeterministic implements sql.NonDeterministicExpression: it is run for each statement.
func (*queryAttribute) IsNonDeterministic() bool { return true }

// CollationCoercibility implements sql.CollationCoercible.
func (*queryAttribute) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_utf8mb4_0900_ai_ci, 4
}

// WithChildren implements sql.Expression.
func (a *queryAttribute) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(a, children)
}

// Eval implements sql.Expression.
func (a *queryAttribute) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := a.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	name, err := operand.ShownText(ctx, v)
	if err != nil {
		return nil, err
	}
	if s, ok := operand.Able[attributed](ctx.Session); ok {
		if value, ok := s.QueryAttribute(name); ok {
			return value, nil
		}
	}
	return nil, nil
}
