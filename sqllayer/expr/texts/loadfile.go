package texts

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/operand"
)

// ReadFile reads a file of the server's of at most limit bytes, if the session may; nil if not.
// Package sqllayer knows.
var ReadFile func(ctx *sql.Context, path string, limit int64) []byte

func init() {
	operand.Register(operand.NewScalar("load_file", 1, 1, types.LongBlob, func(ctx *sql.Context, args []any) (any, error) {
		if args[0] == nil {
			return nil, nil
		}
		path, ok := args[0].(string)
		if !ok {
			path = fmt.Sprint(args[0])
		}
		v, err := ctx.GetSessionVariable(ctx, "max_allowed_packet")
		limit, ok := v.(int64)
		if err != nil || !ok {
			return nil, err
		}
		if data := ReadFile(ctx, path, limit); data != nil {
			return data, nil
		}
		return nil, nil
	}))
}
