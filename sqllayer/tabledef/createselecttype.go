package tabledef

import (
	"fmt"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"
	"github.com/dolthub/vitess/go/vt/proto/query"

	"emberdb/sql/ast"
	"emberdb/sql/bind"
	"emberdb/sql/fn"
	sqltype "emberdb/sql/types"
	"emberdb/sqllayer/store"
)

// longestVarchar is the greatest number of characters of an expression that MySQL stores as a
// VARCHAR; longer ones become TEXT.
const longestVarchar = 512

// ItemTypes are the types of a query's columns; nil if package bind does not know it. Listed: as
// the listing of a view's columns has them, not a table that is made of the query.
func ItemTypes(q *ast.Query, o bind.Options, listed bool) (out []*sqltype.Type) {
	bound, err := bind.Bind(q, o)
	if err != nil {
		return nil
	}
	_, one := q.Body.(*ast.Select)
	for i := range bound.Items {
		t := bound.Items[i].Expr.Type()
		_, constant := bound.Items[i].Expr.(*fn.Const)
		d, described := bound.Items[i].Expr.(*fn.Described)
		whole := described && d.Whole
		if one && !whole { // a UNION's are as wide as the widest
			asWide(&t, constant)
		}
		if listed && one && !whole && t.Wire == sqltype.WireLong && t.Length >= 10 {
			t.Wire = sqltype.WireLongLong
		}
		out = append(out, &t)
	}
	return out
}

// asWide gives the column of an expression the type that its values need.
func asWide(t *sqltype.Type, constant bool) {
	switch {
	case t.Wire == sqltype.WireYear:
	case t.Kind.Integer():
		if t.Wire = sqltype.WireLong; t.Length > 11 || constant && t.Length > 10 {
			t.Wire = sqltype.WireLongLong
		}
	case t.Kind == sqltype.String && t.Wire == sqltype.WireString:
		t.Wire = sqltype.WireVarString
	}
}

// ColumnOfType is the column that MySQL makes of an expression of a type; nil if the type is none
// that package bind knows whole.
func ColumnOfType(t sqltype.Type) *sql.Column {
	typ, attribute, err := typeOfColumn(&t)
	if err != nil || typ == nil {
		return nil
	}
	c := newSelected(typ, t.Nullable)
	if attribute != "" {
		c.Extra = store.AttributeMark + attribute
	}
	return c
}

// typeOfColumn is the type of a column, and its text if that says more; nil if there is none.
func typeOfColumn(t *sqltype.Type) (typ sql.Type, attribute string, err error) {
	switch t.Kind {
	case sqltype.Int:
		return integers[t.Wire], "", nil
	case sqltype.Uint:
		switch t.Wire {
		case sqltype.WireYear:
			return types.Year, "", nil
		case sqltype.WireBit:
			typ, err = types.CreateBitType(uint8(t.Length))
			return typ, "", err
		}
		return naturals[t.Wire], "", nil
	case sqltype.Float:
		if t.Wire == sqltype.WireFloat {
			return types.Float32, "", nil
		}
		if t.Scale != sqltype.NotFixed {
			attribute = fmt.Sprintf("double(%d,%d)", t.Length, t.Scale)
		}
		return types.Float64, attribute, nil
	case sqltype.Decimal:
		typ, err = types.CreateDecimalType(max(t.Precision, 1), t.Scale)
	case sqltype.String:
		typ, err = textOfColumn(t)
	case sqltype.Enum:
		switch {
		case t.Words == nil:
		case t.Words.Set:
			typ, err = types.CreateSetType(t.Words.Names, sql.CollationID(t.Collation))
		default:
			typ, err = types.CreateEnumType(t.Words.Names, sql.CollationID(t.Collation))
		}
	case sqltype.Null:
		typ, err = types.CreateBinary(sqltypes.VarBinary, 0)
		t.Nullable = true
	case sqltype.Date:
		typ = types.Date
	case sqltype.DateTime:
		base := sqltypes.Datetime
		if t.Wire == sqltype.WireTimestamp {
			base = sqltypes.Timestamp
		}
		typ, err = types.CreateDatetimeType(base, int(t.Scale))
	case sqltype.Time:
		if t.Scale > 0 {
			attribute = fmt.Sprintf("time(%d)", t.Scale)
		}
		typ = types.Time
	}
	return typ, attribute, err
}

// textOfColumn is the type of a column for texts.
func textOfColumn(t *sqltype.Type) (sql.Type, error) {
	collation, length := sql.CollationID(t.Collation), int64(t.Length)
	kind := sqltypes.Text
	if collation == sql.Collation_binary {
		kind = sqltypes.Blob
	}
	switch t.Wire {
	case sqltype.WireJSON:
		return types.JSON, nil
	case sqltype.WireGeometry:
		return types.GeometryType{}, nil
	case sqltype.WireLongBlob:
		return types.CreateString(kind, types.LongTextBlobMax, collation)
	case sqltype.WireBlob: // its characters are reckoned by the bytes it holds
		return types.CreateString(kind, textCapacity(length/collation.CharacterSet().MaxLength()), collation)
	case sqltype.WireString:
		kind = sqltypes.Char
		if collation == sql.Collation_binary {
			kind = sqltypes.Binary
		}
		return types.CreateString(kind, length, collation)
	}
	return stringColumn(length, collation)
}

// integers and naturals are the types of columns by those of the protocol.
var (
	integers = map[uint8]sql.Type{sqltype.WireTiny: types.Int8, sqltype.WireShort: types.Int16, sqltype.WireInt24: types.Int24, sqltype.WireLong: types.Int32,
		sqltype.WireLongLong: types.Int64}
	naturals = map[uint8]sql.Type{sqltype.WireTiny: types.Uint8, sqltype.WireShort: types.Uint16, sqltype.WireInt24: types.Uint24, sqltype.WireLong: types.Uint32,
		sqltype.WireLongLong: types.Uint64}
)

// stringColumn is the type of a column for texts of so many characters.
func stringColumn(length int64, collation sql.CollationID) (sql.Type, error) {
	if length <= longestVarchar {
		kind := sqltypes.VarChar
		if collation == sql.Collation_binary {
			kind = sqltypes.VarBinary
		}
		return types.CreateString(kind, length, collation)
	}
	kind := sqltypes.Text
	if collation == sql.Collation_binary {
		kind = sqltypes.Blob
	}
	if length *= collation.CharacterSet().MaxLength(); length > types.TextBlobMax {
		return types.CreateString(kind, types.LongTextBlobMax, collation)
	}
	return types.CreateString(kind, types.TextBlobMax, collation)
}

// textCapacity is how much the least TEXT or BLOB holds that has place for so many bytes.
func textCapacity(bytes int64) int64 {
	for _, most := range []int64{types.TinyTextBlobMax, types.TextBlobMax, types.MediumTextBlobMax} {
		if bytes <= most {
			return most
		}
	}
	return types.LongTextBlobMax
}

// ColumnOfExpression is the column of an expression by its type in GMS; e may be nil.
func ColumnOfExpression(ctx *sql.Context, c *sql.Column, e sql.Expression) *sql.Column {
	t := c.Type
	if own, ok := t.(sql.SystemVariableType); ok {
		t = own.UnderlyingType()
	}
	if a, ok := e.(*expression.Alias); ok {
		e = a.Child
	}
	switch {
	case t == types.Null:
		t, _ = types.CreateBinary(sqltypes.VarBinary, 0)
		return newSelected(t, true)
	case isLiteralText(e, t):
		text := fmt.Sprintf("%s", e.(*expression.Literal).Value())
		collation, _ := sql.GetCoercibility(ctx, e)
		if types.IsBinaryType(t) {
			collation = sql.Collation_binary
		}
		length := int64(utf8.RuneCountInString(text))
		if collation == sql.Collation_binary {
			length = int64(len(text))
		}
		if made, err := stringColumn(length, collation); err == nil {
			t = made
		}
	case types.IsBit(t), types.IsYear(t):
	case types.IsUnsigned(t):
		t = types.Uint64
	case types.IsInteger(t) || types.IsBoolean(t):
		t = integerOf(t.Type(), e)
	}
	return newSelected(t, c.Nullable)
}

// isLiteralText tells constants that are texts or bytes.
func isLiteralText(e sql.Expression, t sql.Type) bool {
	l, ok := e.(*expression.Literal)
	return ok && l.Value() != nil && (types.IsTextOnly(t) || types.IsBinaryType(t))
}

// integerOf is INT for constants and conditions, BIGINT for what is computed.
func integerOf(t query.Type, e sql.Expression) sql.Type {
	if _, constant := e.(*expression.Literal); t == sqltypes.Int64 || !constant && t != sqltypes.Int8 && t != sqltypes.Int32 {
		return types.Int64
	}
	return types.Int32
}

// ZeroDefault is the default that MySQL gives a computed column that cannot be NULL; nil for types
// that have none.
func ZeroDefault(t sql.Type) *sql.ColumnDefaultValue {
	var zero any
	switch {
	case types.IsNumber(t) && !types.IsBit(t):
		zero = t.Zero()
	case types.IsTimespan(t):
		zero = types.Timespan(0)
	case (types.IsTextOnly(t) || types.IsBinaryType(t)) && !types.IsTextBlob(t) && !types.IsJSON(t):
		zero, t = "", types.LongText
	default:
		return nil
	}
	d, err := sql.NewColumnDefaultValue(expression.NewLiteral(zero, t), t, true, false, false)
	if err != nil {
		return nil
	}
	return d
}

// NoBits is the default of a column of bits that is made of another one with a default.
func NoBits(t sql.Type) *sql.ColumnDefaultValue {
	d, err := sql.NewColumnDefaultValue(expression.NewLiteral(uint64(0), t), t, true, false, false)
	if err != nil {
		return nil
	}
	return d
}

// newSelected is a computed column.
func newSelected(t sql.Type, nullable bool) *sql.Column {
	c := &sql.Column{Type: t, Nullable: nullable || types.IsJSON(t)}
	if !c.Nullable {
		c.Default = ZeroDefault(t)
	}
	return c
}
