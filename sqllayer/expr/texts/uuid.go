package texts

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function"

	"emberdb/sqllayer/expr/operand"
)

// go-mysql-server takes only 0 and 1 for the flag of UUID_TO_BIN.
func init() {
	operand.Register(sql.FunctionN{Name: "uuid_to_bin", Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) == 2 {
			args = []sql.Expression{args[0], &operand.Truth{One: operand.Over(args[1])}}
		}
		return function.NewUUIDToBin(ctx, args...)
	}})
}
