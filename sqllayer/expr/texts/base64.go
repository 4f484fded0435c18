package texts

import (
	"encoding/base64"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/operand"
)

func init() {
	operand.Register(operand.NewScalar("from_base64", 1, 1, types.LongBlob, fromBase64))
}

// fromBase64 is FROM_BASE64. White space may stand everywhere; what is no such text is NULL.
func fromBase64(ctx *sql.Context, a []any) (any, error) {
	text, err := operand.ShownText(ctx, a[0])
	if err != nil {
		return nil, err
	}
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n\v\f\r", r) }), "")
	out, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, nil // no text of that kind
	}
	return out, nil
}
