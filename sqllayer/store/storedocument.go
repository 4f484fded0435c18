package store

import (
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

// ofDocument is a document as a column that keeps none takes it: a text, or the number that it is.
func ofDocument(ctx *sql.Context, t sql.Type, v any) (any, error) {
	j, ok := v.(sql.JSONWrapper)
	if !ok {
		return v, nil
	}
	if types.IsTextOnly(t) {
		return operand.ShownText(ctx, j)
	}
	if n, ok := operand.DocumentNumber(ctx, j); ok {
		return n, nil
	}
	return v, nil
}
