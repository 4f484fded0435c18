package spatial

import (
	"math"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"

	"emberdb/sqllayer/expr/numbers"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/geometry"
)

// ST_GeoHash, ST_LatFromGeoHash, ST_LongFromGeoHash and ST_PointFromGeoHash. go-mysql-server's have
// errors of their own, and give the middle of a cell with all of its digits.

const (
	erWrongArgumentType = 3064
	erNotHashable       = 3682
)

// argumentKind tells what an argument may be.
type argumentKind struct {
	name   string // in errors
	allows func(t sql.Type) bool
}

var (
	hashArgument   = argumentKind{"geohash", isCharacters}
	pointArgument  = argumentKind{"point", operand.IsSpatial}
	lengthArgument = argumentKind{"geohash max length", isWhole}
	sridArgument   = argumentKind{"SRID", isWhole}
)

func isCharacters(t sql.Type) bool { return types.IsText(t) && !operand.IsBinary(t) }

func isWhole(t sql.Type) bool { return types.IsInteger(t) || types.IsBoolean(t) || isCharacters(t) }

func isDegrees(t sql.Type) bool {
	return types.IsNumber(t) && !types.IsBit(t) && !types.IsYear(t) || isCharacters(t)
}

func degrees(name string) argumentKind { return argumentKind{name, isDegrees} }

// checked is a function whose arguments are of these kinds: of those of the list that is as long.
func checked(f sql.Function, shown string, lists ...[]argumentKind) sql.Function {
	name := f.FunctionName()
	return sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		for _, kinds := range lists {
			if len(kinds) != len(args) {
				continue
			}
			for i, k := range kinds {
				if t := staticType(ctx, args[i]); t != nil && !k.allows(t) {
					return nil, wrongArgumentType(k.name, shown)
				}
			}
		}
		return f.NewInstance(ctx, args)
	}}
}

// staticType is the type of an argument; nil: that is not known yet, or it is NULL.
func staticType(ctx *sql.Context, e sql.Expression) sql.Type {
	if !e.Resolved() {
		return nil
	}
	t := e.Type(ctx)
	if v, ok := e.(*expression.UserVar); ok && ctx != nil && ctx.Session != nil {
		if known, _, err := ctx.GetUserVariable(ctx, v.Name); err == nil && known != nil {
			t = known
		}
	}
	if t == nil || t == types.Null || types.IsDeferredType(t) {
		return nil
	}
	return t
}

func wrongArgumentType(argument, function string) error {
	return mysql.NewSQLError(erWrongArgumentType, "HY000", "Incorrect type for argument %s in function %s.", argument, function)
}

func outOfRange(what, function string) error {
	return mysql.NewSQLError(mysql.ERDataOutOfRange, "22003", "%s value is out of range in '%s'", what, function)
}

func init() {
	const geohash, lat, long, point = "st_geohash", "st_latfromgeohash", "st_longfromgeohash", "st_pointfromgeohash"
	operand.Register(
		checked(operand.NewScalar(geohash, 2, 3, types.MustCreateString(sqltypes.VarChar, geometry.MostHash, sql.Collation_utf8mb4_0900_ai_ci), hashOf), geohash,
			[]argumentKind{pointArgument, lengthArgument}, []argumentKind{degrees("longitude"), degrees("latitude"), lengthArgument}),
		checked(operand.NewScalar(lat, 1, 1, types.Float64, func(_ *sql.Context, a []any) (any, error) {
			_, y, err := hashPlace(a[0], strings.ToUpper(lat))
			return y, err
		}), strings.ToUpper(lat), []argumentKind{hashArgument}),
		checked(operand.NewScalar(long, 1, 1, types.Float64, func(_ *sql.Context, a []any) (any, error) {
			x, _, err := hashPlace(a[0], strings.ToUpper(long))
			return x, err
		}), strings.ToUpper(long), []argumentKind{hashArgument}),
		checked(operand.NewScalar(point, 2, 2, types.PointType{}, func(ctx *sql.Context, a []any) (any, error) {
			x, y, err := hashPlace(a[0], point)
			if err != nil {
				return nil, err
			}
			srid, _, err := placed(ctx, point, a[1:])
			if err != nil {
				return nil, err
			}
			return types.Point{SRID: srid, X: x, Y: y}, nil
		}), point, []argumentKind{hashArgument, sridArgument}),
	)
}

// hashPlace is the longitude and the latitude of a geohash.
func hashPlace(v any, function string) (x, y float64, err error) {
	hash, ok := v.(string)
	if !ok {
		return 0, 0, wrongArgumentType("geohash", function)
	}
	x, y, ok = geometry.FromHash(hash)
	if !ok {
		return 0, 0, mysql.NewSQLError(operand.ErWrongValueForType, "HY000", "Incorrect geohash value: '%s' for function %s", hash, function)
	}
	return x, y, nil
}

// hashOf is ST_GeoHash: of a point or of a longitude and a latitude, with the most characters.
func hashOf(ctx *sql.Context, a []any) (any, error) {
	const name = "st_geohash"
	var x, y float64
	if len(a) == 2 {
		p, ok := a[0].(types.Point)
		switch {
		case !ok:
			return nil, wrongArgumentType("point", name)
		case p.SRID != 0 && p.SRID != types.GeoSpatialSRID:
			return nil, mysql.NewSQLError(erNotHashable, "22S00", "Function %s is only defined for SRID 0 and SRID 4326.", name)
		}
		x, y = p.X, p.Y
	} else {
		for i, to := range []*float64{&x, &y} {
			n, null, err := operand.NumberOf(ctx, a[i], types.Text)
			if err != nil || null {
				return nil, err
			}
			*to = n.AsFloat()
		}
	}
	n, err := numbers.BitsOf(ctx, a[len(a)-1], types.Text)
	switch {
	case err != nil:
		return nil, err
	case math.Abs(x) > 180:
		return nil, outOfRange("longitude", name)
	case math.Abs(y) > 90:
		return nil, outOfRange("latitude", name)
	case n < 1 || n > geometry.MostHash:
		return nil, outOfRange("max geohash length", name)
	}
	return geometry.Hash(x, y, int(n)), nil
}
