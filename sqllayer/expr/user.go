package expr

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/operand"
)

// CurrentUser names the account whose rights count, User the client as it has logged in; package
// sqllayer knows them.
var CurrentUser, User func(ctx *sql.Context) string

func init() {
	operand.Register(userFunction("current_user", &CurrentUser), userFunction("user", &User), userFunction("session_user", &User), userFunction("system_user", &User))
	operand.Register(sql.FunctionN{Name: KnownUser, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) != 1 {
			return nil, sql.ErrInvalidArgumentNumber.New(KnownUser, 1, len(args))
		}
		v, err := args[0].Eval(ctx, nil)
		known, _ := v.(string)
		return newUserName("current_user", func(*sql.Context) string { return known }), err
	}})
}

// KnownUser is CURRENT_USER() where it is known: its argument is the account.
const KnownUser = "ember account"

// userName is a function that names an account.
type userName struct {
	function.User
	of func(ctx *sql.Context) string
}

func newUserName(name string, of func(ctx *sql.Context) string) sql.Expression {
	return &userName{function.User{NoArgFunc: function.NoArgFunc{Name: name, SQLType: types.LongText}}, of}
}

func userFunction(name string, of *func(ctx *sql.Context) string) sql.Function {
	return sql.Function0{Name: name, Fn: func(*sql.Context) sql.Expression {
		return newUserName(name, func(ctx *sql.Context) string { return (*of)(ctx) })
	}}
}

// Eval implements sql.Expression.
func (u *userName) Eval(ctx *sql.Context, _ sql.Row) (any, error) { return u.of(ctx), nil }

// WithChildren implements sql.Expression.
func (u *userName) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 0 {
		return nil, sql.ErrInvalidChildrenNumber.New(u, len(children), 0)
	}
	return u, nil
}
