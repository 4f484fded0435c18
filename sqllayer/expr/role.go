package expr

import (
	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sqllayer/expr/operand"
)

// CurrentRole lists the active roles of a session; package sqllayer knows them.
var CurrentRole func(ctx *sql.Context) string

func init() {
	operand.Register(operand.NewScalar("current_role", 0, 0, nil, func(ctx *sql.Context, _ []any) (any, error) { return CurrentRole(ctx), nil }))
}
