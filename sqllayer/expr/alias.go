package expr

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
)

// builtin finds a function of go-mysql-server.
func builtin(name string) (sql.Function, bool) {
	for _, f := range function.BuiltIns {
		if f.FunctionName() == name {
			return f, true
		}
	}
	return nil, false
}

// alias is a second name of one of go-mysql-server's functions.
func alias(name, of string) sql.Function {
	return sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		f, ok := builtin(of)
		if !ok {
			return nil, sql.ErrFunctionNotFound.New(name)
		}
		return f.NewInstance(ctx, args)
	}}
}
