package store

import (
	"strconv"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	own "emberdb/sql/types"
)

// TimeDefault writes a literal default of TIME(digits): GMS writes those of its own TIME only.
func TimeDefault(ctx *sql.Context, e sql.Expression, digits uint8) (string, error) {
	v, err := e.Eval(ctx, nil)
	if err != nil {
		return "", err
	}
	if v == nil {
		return "NULL", nil
	}
	span, err := types.Time.ConvertToTimespan(v)
	if err != nil {
		return "", err
	}
	out, err := types.Time.SQL(ctx, nil, types.Timespan(own.RoundTime(int64(span), digits)))
	if err != nil {
		return "", err
	}
	text := out.ToString() // six digits
	if text = text[:len(text)-6+int(digits)]; digits == 0 {
		text = text[:len(text)-1]
	}
	return "'" + text + "'", nil
}

func TimeText(digits uint8) string {
	if digits == 0 {
		return "time"
	}
	return "time(" + strconv.Itoa(int(digits)) + ")"
}
