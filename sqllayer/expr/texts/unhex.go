package texts

import (
	"encoding/hex"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/operand"
)

func init() { operand.Register(operand.NewScalar("unhex", 1, 1, types.LongBlob, unhex)) }

// unhex reads the digits of bytes.
func unhex(ctx *sql.Context, a []any) (any, error) {
	digits, ok := addressText(a[0])
	if !ok {
		var err error
		if digits, ok, err = operand.TextOf(ctx, a[0]); err != nil {
			return nil, err
		}
	}
	if len(digits)%2 != 0 {
		digits = "0" + digits
	}
	if b, err := hex.DecodeString(digits); ok && err == nil {
		return b, nil
	}
	return noAddress(ctx, a[0], "unhex")
}
