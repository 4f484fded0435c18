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

// ItemTypes are the types of a query's columns; nil if package bind does not know it.
func ItemTypes(q *ast.Query, o bind.Options) (out []*sqltype.Type) {
	bound, err := bind.Bind(q, o)
	if err != nil {
		return nil
	}
	for i := range bound.Items {
		t := bound.Items[i].Expr.Type()
		if t.Wire == sqltype.WireYear && t.Coerce == sqltype.Implicit {
			out = append(out, nil) // a column of years
			continue
		}
		_, constant := bound.Items[i].Expr.(*fn.Const)
		if _, one := q.Body.(*ast.Select); one && t.Kind.Integer() { // a UNION's are as wide as the widest
			if t.Wire = sqltype.WireLong; t.Length > 11 || constant && t.Length > 10 {
				t.Wire = sqltype.WireLongLong
			}
		}
		out = append(out, &t)
	}
	return out
}

// ColumnOfType is the column that MySQL makes of an expression of a type; nil if the type is none
// that package bind knows whole.
func ColumnOfType(t sqltype.Type) *sql.Column {
	var typ sql.Type
	var err error
	switch t.Kind {
	case sqltype.Int:
		typ = widthOf(t, types.Int32, types.Int64)
	case sqltype.Uint:
		typ = widthOf(t, types.Uint32, types.Uint64)
	case sqltype.Float:
		if typ = types.Float64; t.Scale != sqltype.NotFixed {
			return nil
		}
		if t.Wire == sqltype.WireFloat {
			typ = types.Float32
		}
	case sqltype.Decimal:
		typ, err = types.CreateDecimalType(max(t.Precision, 1), t.Scale)
	case sqltype.String:
		collation, binary := sql.CollationID(t.Collation), t.Collation == sqltype.Binary
		switch {
		case t.Wire == sqltype.WireBlob && !binary: // its characters are reckoned by the bytes it holds
			typ, err = types.CreateString(sqltypes.Text, textCapacity(int64(t.Length)/collation.CharacterSet().MaxLength()), collation)
		case t.Length > types.TextBlobMax/4 && !binary:
			return nil
		default:
			typ, err = stringColumn(int64(t.Length), collation)
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
		c := newSelected(types.Time, t.Nullable)
		if t.Scale > 0 {
			c.Extra = fmt.Sprintf("%stime(%d)", store.AttributeMark, t.Scale)
		}
		return c
	default:
		return nil
	}
	if err != nil {
		return nil
	}
	return newSelected(typ, t.Nullable)
}

func widthOf(t sqltype.Type, short, long sql.Type) sql.Type {
	if t.Wire == sqltype.WireLongLong {
		return long
	}
	return short
}

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
	return types.CreateString(kind, textCapacity(length*collation.CharacterSet().MaxLength()), collation)
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

// newSelected is a computed column.
func newSelected(t sql.Type, nullable bool) *sql.Column {
	c := &sql.Column{Type: t, Nullable: nullable || types.IsJSON(t)}
	if !c.Nullable {
		c.Default = ZeroDefault(t)
	}
	return c
}
