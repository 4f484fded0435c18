package operand

import (
	"strconv"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// ValuePrefix stands between TypedLiteral and the word of a value that no text of a statement has:
// that of a parameter.
const ValuePrefix = "\x00"

// Words of values.
const (
	AsUnsigned  = "unsigned"
	AsDouble    = "double"
	AsDecimal   = "decimal"
	AsBytes     = "bytes"
	AsDate      = "date"
	AsTime      = "time"
	AsTimestamp = "timestamp"
)

// Value is the call that becomes a literal of the type that word tells. The builder makes it
// without an error, whatever the text.
func Value(word string, text []byte) ast.Expr {
	return &ast.FuncExpr{Name: ast.NewColIdent(TypedLiteral + ValuePrefix + word), Exprs: ast.SelectExprs{&ast.AliasedExpr{Expr: ast.NewStrVal(text)}}}
}

// ValueOf makes the literal. A date that is none stays a text: what takes it tells the error.
func ValueOf(ctx *sql.Context, word, text string) sql.Expression {
	plain := expression.NewLiteral(text, types.LongText)
	switch word {
	case AsBytes:
		return expression.NewLiteral([]byte(text), types.LongBlob)
	case AsUnsigned:
		if n, err := strconv.ParseUint(text, 10, 64); err == nil {
			return expression.NewLiteral(n, types.Uint64)
		}
		return plain
	case AsDouble:
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return expression.NewLiteral(f, types.Float64)
		}
		return plain
	case AsDecimal:
		digits, scale := expression.GetDecimalPrecisionAndScale(text)
		typ := types.CreateLiteralDecimalType(digits, scale)
		if v, _, err := typ.Convert(ctx, text); err == nil {
			return expression.NewLiteral(v, typ)
		}
		return plain
	}
	if word == AsTime {
		if micros, c, ok := ReadClock(text); ok && !c.Cut {
			return expression.NewLiteral(ClampTime(micros), types.Time)
		}
		return plain
	}
	if at, _, is := ReadMoment(text, DatesOf(ctx), time.UTC); is == AMoment {
		if l, err := MomentLiteral(ctx, word == AsDate, text, at); err == nil {
			return l
		}
	}
	return plain
}
