package spatial

import (
	"fmt"
	"math"
	"strconv"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/operand"
)

// ST_AsGeoJSON, and what it shares with ST_GeomFromGeoJSON: the types and ranges of the arguments.

const (
	asGeoJSONName   = "st_asgeojson"
	fromGeoJSONName = "st_geomfromgeojson"
)

// Error numbers of GeoJSON.
const (
	erWrongValue     = 1411
	erMissingMember  = 3070
	erMemberType     = 3071
	erInvalidGeoJSON = 3072
	erDimensions     = 3073
	erNestedCRS      = 3672
)

// What ST_AsGeoJSON adds to a geometry.
const (
	addBoxes = 1 << iota
	addShortName
	addLongName
	allAdded = addBoxes | addShortName | addLongName
)

func init() {
	to := []argumentKind{{"geometry", func(t sql.Type) bool { return operand.IsSpatial(t) || operand.IsBinary(t) }},
		{"max decimal digits", isWhole}, {"options", isWhole}}
	from := []argumentKind{{"geojson", func(t sql.Type) bool { return types.IsJSON(t) || isCharacters(t) }},
		{"options", isWhole}, sridArgument}
	operand.Register(
		checked(operand.NewScalar(asGeoJSONName, 1, 3, types.JSON, asGeoJSON), asGeoJSONName, to[:1], to[:2], to),
		checked(operand.NewNullScalar(fromGeoJSONName, 1, 3, types.GeometryType{}, fromGeoJSON), fromGeoJSONName, from[:1], from[:2], from),
	)
}

// wholeWithin is an argument that is a whole number from low to high; other numbers are an error of
// what the argument is called.
func wholeWithin(ctx *sql.Context, function, what string, v any, low, high int64) (int64, error) {
	n, err := wholeNumber(ctx, v)
	if err == nil && (n.Large || n.Whole < low || n.Whole > high) {
		shown := strconv.FormatInt(n.Whole, 10)
		if n.Large {
			shown = strconv.FormatUint(uint64(n.Whole), 10)
		}
		err = mysql.NewSQLError(erWrongValue, "HY000", "Incorrect %s value: '%s' for function %s", what, shown, function)
	}
	return n.Whole, err
}

func wholeNumber(ctx *sql.Context, v any) (operand.Number, error) {
	if text, ok, err := operand.TextOf(ctx, v); ok || err != nil {
		return operand.Number{Whole: operand.CountOf(ctx, text)}, err
	}
	n, _, err := operand.NumberOf(ctx, v, types.Int64)
	return n, err
}

func asGeoJSON(ctx *sql.Context, args []any) (any, error) {
	const name = asGeoJSONName
	g, err := anyGeometry(ctx, name, args[0])
	if err != nil {
		return nil, err
	}
	out := operand.GeoJSON{Digits: math.MaxInt32}
	if len(args) > 1 {
		if out.Digits, err = wholeWithin(ctx, name, "max decimal digits", args[1], 0, math.MaxInt32); err != nil {
			return nil, err
		}
	}
	var added int64
	if len(args) > 2 {
		if added, err = wholeWithin(ctx, name, "options", args[2], 0, allAdded); err != nil {
			return nil, err
		}
	}
	out.Boxes = added&addBoxes != 0
	object := out.Object(g)
	switch {
	case added&addLongName != 0:
		object["crs"] = operand.GeoReference("urn:ogc:def:crs:%s::%d", g.GetSRID())
	case added&addShortName != 0:
		object["crs"] = operand.GeoReference("%s:%d", g.GetSRID())
	}
	return operand.MadeOf(object), nil
}

// geoJSONError is an error of a document; detail goes behind a colon.
func geoJSONError(code int, detail string, args ...any) error {
	text := "Invalid GeoJSON data provided to function " + fromGeoJSONName
	if detail != "" {
		text += ": " + fmt.Sprintf(detail, args...)
	}
	return mysql.NewSQLError(code, "HY000", "%s", text)
}
