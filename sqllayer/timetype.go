package sqllayer

// TIME(n). GMS has one TIME, of microseconds, and refuses TIME(0) to TIME(5). A definition carries the digits in a type of its own (timeType), the catalog in
// the column's precision; everybody else sees GMS's type, as GMS compares values of that type only. Values are rounded when they are stored.

import (
	"strconv"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/row"
)

// timeType is TIME(digits) in a definition.
type timeType struct {
	types.TimespanType_
	digits uint8
}

// String implements sql.Type.
func (t timeType) String() string { return timeText(t.digits) }

// Equals implements sql.Type.
func (t timeType) Equals(other sql.Type) bool { return t == other }

// defaultText writes a literal default: GMS writes those of its own types only.
func (t timeType) defaultText(ctx *sql.Context, e sql.Expression) (string, error) {
	v, err := e.Eval(ctx, nil)
	if err != nil {
		return "", err
	}
	if v == nil {
		return "NULL", nil
	}
	span, err := t.ConvertToTimespan(v)
	if err != nil {
		return "", err
	}
	out, err := types.Time.SQL(ctx, nil, types.Timespan(roundTime(int64(span), t.digits)))
	if err != nil {
		return "", err
	}
	text := out.ToString() // six digits
	if text = text[:len(text)-6+int(t.digits)]; t.digits == 0 {
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

// resolveTime settles the type of a column of TIME(n).
func resolveTime(c *ast.ColumnDefinition) error {
	if c.Type.Type != "time" && c.Type.Type != "TIME" || c.Type.Length == nil {
		return nil
	}
	n, err := strconv.Atoi(string(c.Type.Length.Val))
	if err != nil || n > 6 {
		return NewError(1426, "Too-big precision %s specified for '%s'. Maximum is 6.", c.Type.Length.Val, c.Name.String())
	}
	c.Type.ResolvedType = timeType{digits: uint8(n)}
	return nil
}

func resolveTimes(spec *ast.TableSpec) error {
	if spec == nil {
		return nil
	}
	for _, c := range spec.Columns {
		if err := resolveTime(c); err != nil {
			return err
		}
	}
	return nil
}

// shownType is the type of a table's column as MySQL shows it.
func (d *tableDef) shownType(i int) string {
	if d.cols[i].Type == row.TTime {
		return timeText(d.cols[i].Precision)
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
