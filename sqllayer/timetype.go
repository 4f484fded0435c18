package sqllayer

// TIME(n). GMS has one TIME, of microseconds, and refuses TIME(0) to TIME(5). The digits are an
// attribute of the column (attributes.go), in the catalog its precision; values are rounded when
// they are stored.

import (
	"strconv"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// timeDefault writes a literal default of TIME(digits): GMS writes those of its own TIME only.
func timeDefault(ctx *sql.Context, e sql.Expression, digits uint8) (string, error) {
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
	out, err := types.Time.SQL(ctx, nil, types.Timespan(roundTime(int64(span), digits)))
	if err != nil {
		return "", err
	}
	text := out.ToString() // six digits
	if text = text[:len(text)-6+int(digits)]; digits == 0 {
		text = text[:len(text)-1]
	}
	return "'" + text + "'", nil
}

func timeText(digits uint8) string {
	if digits == 0 {
		return "time"
	}
	return "time(" + strconv.Itoa(int(digits)) + ")"
}

// shownType is the type of a table's column as MySQL shows it.
func (d *tableDef) shownType(i int) string {
	if a := attributesIn(d.def.Columns[i].SQLType); a != (attributes{}) {
		return a.text(d.columns[i].Type.String())
	}
	return ShownType(d.columns[i].Type)
}

var microsOfDigit = [7]int64{1e6, 1e5, 1e4, 1e3, 100, 10, 1}

// roundTime rounds a TIME of microseconds to a number of digits, halves away from zero.
func roundTime(micros int64, digits uint8) int64 {
	if micros < 0 {
		return -roundTime(-micros, digits)
	}
	unit := microsOfDigit[min(digits, 6)]
	return (micros + unit/2) / unit * unit
}
