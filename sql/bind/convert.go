package bind

import (
	"strconv"
	"strings"

	"emberdb/engine/row"
	"emberdb/sql/ast"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// cast binds CAST and CONVERT.
func (b *binder) cast(x *exprs, e *ast.Cast) (fn.Expr, error) {
	if e.Array || e.Zone != nil || e.Local || e.Type.Charset.Given() || e.Type.Shorthand != ast.NoCharsetWord || e.Type.National || e.Type.Binary {
		return nil, fn.Refuse(fn.ByFunction, "a form of CAST")
	}
	if name := libraryCasts[e.Type.Kind]; name != "" && e.Type.Length == "" {
		return b.function(x, "cast as "+name, []ast.Expr{e.X})
	}
	arg, err := b.expr(x, e.X)
	if err != nil {
		return nil, err
	}
	if arg.Type().Kind == types.Null {
		return nil, fn.Refuse(fn.ByType, "a cast of NULL")
	}
	length, scale := typeDigits(e.Type.Length, -1), typeDigits(e.Type.Scale, 0)
	switch e.Type.Kind {
	case ast.TypeChar:
		return b.set.CastText(arg, length)
	case ast.TypeBinary:
		return b.set.CastBytes(arg, length)
	case ast.TypeSigned, ast.TypeUnsigned:
		return fn.CastInteger(arg, e.Type.Kind == ast.TypeUnsigned)
	case ast.TypeDecimal:
		if length <= 0 {
			length = 10
		}
		return fn.CastDecimal(arg, length, scale)
	case ast.TypeDouble, ast.TypeReal:
		return fn.CastFloat(arg)
	case ast.TypeDate:
		return b.set.CastMoment(arg, false)
	case ast.TypeTime:
		if length <= 6 {
			return b.set.CastClock(arg, max(length, 0))
		}
	case ast.TypeDatetime:
		if length <= 0 {
			return b.set.CastMoment(arg, true)
		}
		if t := arg.Type(); length <= 6 && (t.Kind == types.Date || t.Kind == types.DateTime && int(t.Scale) <= length) {
			return fn.LongerMoment(arg, length, b.set.Dates), nil
		}
	}
	return nil, fn.Refuse(fn.ByFunction, "CAST to another type")
}

// libraryCasts are the types to which the library casts.
var libraryCasts = map[ast.TypeKind]string{ast.TypeJSON: "json", ast.TypeFloat: "float", ast.TypePoint: "point", ast.TypeLineString: "linestring",
	ast.TypePolygon: "polygon", ast.TypeMultiPoint: "multipoint", ast.TypeMultiLineString: "multilinestring", ast.TypeMultiPolygon: "multipolygon",
	ast.TypeGeometryCollection: "geometrycollection"}

func typeDigits(text string, otherwise int) int {
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	return otherwise
}

// using binds CONVERT(x USING charset) between character sets whose texts are UTF-8 here.
func (b *binder) using(x *exprs, e *ast.ConvertUsing) (fn.Expr, error) {
	arg, err := b.expr(x, e.X)
	if err != nil {
		return nil, err
	}
	known := row.LookupCollation(b.set.Collation)
	if !strings.EqualFold(e.Charset.Name, "utf8mb4") || known == nil || !strings.HasPrefix(known.Name, "utf8mb4") {
		return nil, fn.Refuse(fn.ByFunction, "CONVERT to another character set")
	}
	return b.set.CastText(arg, -1)
}

// collate binds COLLATE.
func (b *binder) collate(x *exprs, e *ast.Collate) (fn.Expr, error) {
	arg, err := b.expr(x, e.X)
	if err != nil {
		return nil, err
	}
	id, ok := uint16(0), false
	if b.collationID != nil {
		id, ok = b.collationID(e.Name.Name)
	}
	if !ok {
		return nil, fn.Refuse(fn.ByName, "a collation")
	}
	return fn.InCollation(arg, id)
}

// regexp binds REGEXP.
func (b *binder) regexp(x *exprs, e *ast.Regexp) (fn.Expr, error) {
	out, err := b.function(x, "regexp_like", []ast.Expr{e.X, e.Pattern})
	if err != nil || !e.Not {
		return out, err
	}
	return fn.Not(out)
}
