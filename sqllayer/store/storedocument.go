package store

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/documents"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/sqlerr"
)

// document reads a text with the numbers that stand in it. Numbers themselves are no documents, and
// neither are bytes of no character set.
func (s *Storer) document(ctx *sql.Context, c *sql.Column, v any) (any, error) {
	var text string
	switch v := v.(type) {
	case string:
		text = v
	case []byte:
		if s.from != nil && types.IsBinaryType(s.from) {
			return nil, sqlerr.NewError(mysql.ERInvalidJSONCharset, binaryDocument)
		}
		text = string(v)
	case types.GeometryValue:
		return nil, sqlerr.NewError(mysql.ERInvalidJSONCharset, binaryDocument)
	case bool, int8, int16, int32, int64, int, uint8, uint16, uint32, uint64, uint, float32, float64, *apd.Decimal, time.Time, types.Timespan:
		return nil, noDocument(c, "not a JSON text, may need CAST", 0)
	default:
		return v, nil
	}
	parsed, err := operand.ParseDocument(ctx, text)
	if f, ok := documents.IsFault(err); ok {
		return nil, noDocument(c, f.What, f.At)
	}
	if err != nil {
		return nil, err
	}
	return operand.MadeOf(parsed), nil
}

const binaryDocument = "Cannot create a JSON value from a string with CHARACTER SET 'binary'."

func noDocument(c *sql.Column, fault string, at int) error {
	return sqlerr.NewError(mysql.ERInvalidJSONText, "Invalid JSON text: \"%s\" at position %d in value for column '%s.%s'.", fault, at, c.Source, c.Name)
}

const (
	erInvalidCast    = 3156
	erOutOfRangeCast = 3155
)

// ofDocument is a document as a column that keeps none takes it: a text, or the number, date or time
// that it is.
func (s *Storer) ofDocument(ctx *sql.Context, c *sql.Column, v any) (any, error) {
	j, ok := v.(sql.JSONWrapper)
	if !ok {
		return v, nil
	}
	t := c.Type
	n, isNumber := operand.DocumentNumber(ctx, j)
	switch whole := isInteger(n); {
	case types.IsTextOnly(t), (types.IsEnum(t) || types.IsSet(t)) && !whole:
		return operand.ShownText(ctx, j)
	case types.IsBit(t):
		text, err := operand.ShownText(ctx, j)
		return []byte(text), err
	case isNumber && (types.IsNumber(t) || types.IsYear(t) || whole && (types.IsEnum(t) || types.IsSet(t))):
		if f, ok := n.(float64); ok && types.IsInteger(t) && math.Abs(f) >= 1<<64 {
			return int64(0), s.Complain(ctx, erOutOfRangeCast, "Out of range JSON value for CAST to INTEGER from column %s at row %d", s.Origin, s.Row)
		}
		return n, nil
	}
	value, err := j.ToInterface(ctx)
	if err != nil {
		return nil, err
	}
	switch {
	case types.IsNumber(t), types.IsYear(t):
		return s.documentNumber(ctx, c, value)
	case types.IsTimespan(t):
		if text, ok := value.(string); ok {
			if micros, c, ok := operand.ReadClock(text); ok && !c.Cut && (c.Dated || strings.Contains(text, ":")) {
				return types.Timespan(micros), nil
			}
		}
		return types.Timespan(0), s.notCast(ctx, "TIME")
	case types.IsTime(t):
		return s.documentMoment(ctx, c, value)
	}
	return v, nil
}

func isInteger(n any) bool {
	switch n.(type) {
	case int64, uint64:
		return true
	}
	return false
}

// notCast tells of a document that is no value of a type.
func (s *Storer) notCast(ctx *sql.Context, kind string) error {
	return s.Complain(ctx, erInvalidCast, "Invalid JSON value for CAST to %s from column %s at row %d", kind, s.Origin, s.Row)
}

// documentNumber is the number of a document that is none itself: a truth value, or a text.
func (s *Storer) documentNumber(ctx *sql.Context, c *sql.Column, value any) (any, error) {
	if b, ok := value.(bool); ok {
		if b {
			return int64(1), nil
		}
		return int64(0), nil
	}
	text, isText := value.(string)
	text = strings.TrimLeft(text, " \t\n\r")
	switch {
	case types.IsFloat(c.Type):
		if f, err := strconv.ParseFloat(text, 64); err == nil || isText && text == "" {
			return f, nil
		}
		return int64(0), s.notCast(ctx, "DOUBLE")
	case types.IsDecimal(c.Type):
		if d, err := operand.ParseDecimal(text); err == nil && isText {
			return d, nil
		}
		return int64(0), s.notCast(ctx, "DECIMAL")
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, nil
	}
	return int64(0), s.notCast(ctx, "INTEGER")
}

// documentMoment is the date of a document, which is its text.
func (s *Storer) documentMoment(ctx *sql.Context, c *sql.Column, value any) (any, error) {
	kind := "DATETIME/TIMESTAMP"
	if types.IsDateType(c.Type) {
		kind = "DATE"
	}
	text, ok := value.(string)
	if !ok {
		return types.ZeroTime, s.notCast(ctx, kind)
	}
	operand.WarnOfDelimiter(ctx, text, s.Row)
	at, _, is := operand.ReadMoment(text, s.dates, operand.Zone(ctx))
	switch {
	case is != operand.AMoment:
		return types.ZeroTime, s.notCast(ctx, kind)
	case kind == "DATE":
		return at.Truncate(24 * time.Hour), nil
	}
	return at, nil
}
