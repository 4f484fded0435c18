package library

import (
	"github.com/dolthub/go-mysql-server/sql"
	gms "github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sql/fn"
	"emberdb/sql/types"
	"emberdb/sqllayer/expr/operand"
)

// toldType is the type of an expression of the library.
func toldType(ctx *sql.Context, e sql.Expression) (types.Type, error) {
	t := e.Type(ctx)
	switch {
	case gms.IsJSON(t):
		return types.DocumentType(true), nil
	case operand.IsSpatial(t):
		return types.GeometryType(true), nil
	case t == gms.Boolean:
		return types.BoolType(true), nil
	case gms.IsUnsigned(t):
		return types.UintType(21, true), nil
	case gms.IsInteger(t):
		return types.IntType(21, true), nil
	case gms.IsFloat(t):
		out := types.FloatType(true)
		if t == gms.Float32 {
			out.Wire, out.Length = types.WireFloat, 12
		}
		return out, nil
	case gms.IsDecimal(t):
		if d, ok := t.(sql.DecimalType); ok {
			return types.DecimalType(int(d.Precision()), int(d.Scale()), true), nil
		}
	case gms.IsDateType(t):
		return types.DateType(true), nil
	case gms.IsText(t):
		return toldText(ctx, e, t)
	}
	return types.Type{}, fn.Refuse(fn.ByType, "a function of another type")
}

// shortText is how many characters a text has at most that is no LONGTEXT.
const shortText = 1 << 16

func toldText(ctx *sql.Context, e sql.Expression, t sql.Type) (types.Type, error) {
	text, ok := t.(sql.StringType)
	if !ok {
		return types.Type{}, fn.Refuse(fn.ByType, "a text of another type")
	}
	collation, coercibility := sql.GetCoercibility(ctx, e)
	out := types.StringType(uint32(min(text.MaxCharacterLength(), longestText)), uint16(collation), types.Coercibility(coercibility), true)
	switch {
	case gms.IsBinaryType(t):
		out.Collation, out.Coerce = types.Binary, types.Literal
	case out.Collation == types.Binary: // the library does not say whose it is
		out.Collation, out.Coerce = uint16(ctx.GetCollation()), types.Literal
	}
	if out.Length > shortText {
		out.Wire = types.WireLongBlob
	}
	if !types.UTF8(out.Collation) || types.CollatorOf(out.Collation) == nil {
		return out, fn.Refuse(fn.ByType, "a text of another character set")
	}
	return out, nil
}

// longestText is the most characters of a text of a function.
const longestText = 1 << 28
