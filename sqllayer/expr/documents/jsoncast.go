package documents

import (
	"encoding/base64"
	"fmt"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"emberdb/sqllayer/expr/operand"
)

// jsonCast is CAST to JSON. A text has to be a document. Bytes become a string that shows them, and
// MySQL's number of their type; go-mysql-server reads both as documents, with errors of its own.
type jsonCast struct{ operand.One }

var _ sql.CollationCoercible = (*jsonCast)(nil)

func init() {
	operand.Register(sql.Function1{Name: operand.CastAs + "json", Fn: func(_ *sql.Context, e sql.Expression) sql.Expression { return &jsonCast{operand.Over(e)} }})
}

func (c *jsonCast) String() string { return "cast(" + c.Child.String() + " as json)" }

// FunctionName implements sql.FunctionExpression.
func (*jsonCast) FunctionName() string { return "cast_as_json" }

// Description implements sql.FunctionExpression.
func (*jsonCast) Description() string { return "a value as a document" }

// Type implements sql.Expression.
func (*jsonCast) Type(*sql.Context) sql.Type { return types.JSON }

// CollationCoercibility implements sql.CollationCoercible.
func (*jsonCast) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_utf8mb4_bin, 2
}

// WithChildren implements sql.Expression.
func (c *jsonCast) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(c, children)
}

// Eval implements sql.Expression.
func (c *jsonCast) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := c.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return nil, err
	}
	t := c.Child.Type(ctx)
	if _, written := v.(string); written && (types.IsTime(t) || types.IsTimespan(t)) {
		if v, _, err = t.Convert(ctx, v); err != nil { // go-mysql-server's functions give some as texts
			return nil, err
		}
	}
	if bits, ok := t.(types.BitType); ok {
		if n, ok := v.(uint64); ok {
			return opaque(16, operand.BitBytes(n, int(bits.NumberOfBits()))), nil
		}
	}
	if shown, ok := shownInDocument(v, t); ok {
		return operand.MadeOf(shown), nil
	}
	text, isString, err := operand.TextOf(ctx, v)
	switch {
	case err != nil:
		return nil, err
	case isString && operand.IsBinary(t):
		return opaque(c.bytesType(ctx), []byte(text)), nil
	case types.IsInteger(t), types.IsYear(t):
		return operand.MadeOf(integerPart(ctx, c.Child, v, t)), nil
	case types.IsFloat(t), types.IsGeometry(t):
		return operand.MadeOf(operand.DocumentPart(v)), nil
	case !isString || !operand.IsText(t):
		return expression.NewConvert(expression.NewLiteral(v, t), expression.ConvertToJSON).Eval(ctx, nil)
	}
	parsed, err := operand.ParseDocument(ctx, text)
	if f, ok := IsFault(err); ok {
		return nil, f.InArgument(0, "cast_as_json")
	}
	return operand.MadeOf(parsed), err
}

// integerPart is an integer as a document. A literal has a sign where BIGINT holds it, a YEAR none.
func integerPart(ctx *sql.Context, e sql.Expression, v any, t sql.Type) any {
	if b, ok := v.(bool); ok {
		return b
	}
	n, _, err := operand.NumberOf(ctx, v, t)
	if err != nil {
		return v
	}
	_, literal := e.(*expression.Literal)
	if whole, large, _ := n.AsInteger(); large || types.IsYear(t) || types.IsUnsigned(t) && !literal {
		return uint64(whole)
	}
	return n.Whole
}

// shownInDocument is a date, a time, or a member of ENUM or SET as the string that stands for it in
// a document.
func shownInDocument(v any, t sql.Type) (string, bool) {
	switch v := v.(type) {
	case time.Time:
		return operand.ShownMoment(v, types.IsDateType(t), 6), true
	case types.Timespan:
		shown := strings.TrimSuffix(v.String(), operand.FractionOf(v.String()))
		return fmt.Sprintf("%s.%06d", shown, max(int64(v), -int64(v))%1e6), true
	case uint16:
		if e, ok := t.(sql.EnumType); ok {
			return e.At(int(v))
		}
	case uint64:
		if s, ok := t.(sql.SetType); ok {
			shown, err := s.BitsToString(v)
			return shown, err == nil
		}
	}
	return "", false
}

// scalarCast is the name of the type of a value that CAST has made a string of a document, which
// the string itself does not tell; "" of what is no such cast.
func scalarCast(ctx *sql.Context, e sql.Expression) string {
	if f, ok := e.(*operand.Field); ok {
		e = f.Child
	}
	c, ok := e.(*jsonCast)
	if !ok {
		return ""
	}
	switch t := c.Child.Type(ctx); {
	case types.IsDateType(t):
		return "DATE"
	case types.IsTime(t):
		return "DATETIME"
	case types.IsTimespan(t):
		return "TIME"
	case types.IsBit(t):
		return "BIT"
	case operand.IsBinary(t):
		return "BLOB"
	}
	return ""
}

// bytesTypes are MySQL's numbers of the types of columns of bytes, by their lengths.
var bytesTypes = map[int64]int{types.TinyTextBlobMax: 249, types.TextBlobMax: 252, types.MediumTextBlobMax: 250, types.LongTextBlobMax: 251}

// BytesType is MySQL's number of the type of the bytes. What is no column is a VARBINARY.
func (c *jsonCast) bytesType(ctx *sql.Context) int {
	t := c.Child.Type(ctx)
	if _, column := c.Child.(*expression.GetField); column {
		if t.Type() == sqltypes.Binary {
			return 254
		}
		if s, ok := t.(sql.StringType); ok && t.Type() == sqltypes.Blob {
			return bytesTypes[s.MaxByteLength()]
		}
	}
	return 15
}

// opaque is a document that shows bytes.
func opaque(typ int, b []byte) sql.JSONWrapper {
	return operand.MadeOf(fmt.Sprintf("base64:type%d:%s", typ, base64.StdEncoding.EncodeToString(b)))
}
