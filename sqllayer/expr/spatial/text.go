package spatial

import (
	"encoding/binary"
	"strconv"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/geometry"
)

func init() {
	for _, name := range []string{"st_astext", "st_aswkt"} {
		operand.Register(operand.NewScalar(name, 1, 2, types.LongText, func(ctx *sql.Context, args []any) (any, error) {
			g, swap, err := shownGeometry(ctx, name, args)
			if err != nil {
				return nil, err
			}
			return string(geometry.AppendText(nil, g, swap)), nil
		}))
	}
	for _, name := range []string{asWKB, "st_asbinary"} {
		operand.Register(operand.NewScalar(name, 1, 2, types.LongBlob, func(ctx *sql.Context, args []any) (any, error) {
			g, swap, err := shownGeometry(ctx, asWKB, args)
			if err != nil {
				return nil, err
			}
			if swap {
				g = g.Swap()
			}
			return g.Serialize()[types.SRIDSize:], nil
		}))
	}
	operand.Register(operand.NewScalar("st_envelope", 1, 1, types.GeometryType{}, envelope))
}

const asWKB = "st_aswkb"

// shownGeometry is a geometry, and the order of its axes by the option behind it.
func shownGeometry(ctx *sql.Context, name string, args []any) (g types.GeometryValue, swap bool, err error) {
	if g, err = oneGeometry(ctx, name, args[0]); err != nil {
		return nil, false, err
	}
	options := append([]any{strconv.FormatUint(uint64(g.GetSRID()), 10)}, args[1:]...)
	_, swap, err = placed(ctx, name, options)
	return g, swap, err
}

// oneGeometry is a value as a geometry. Bytes in the other order are refused.
func oneGeometry(ctx *sql.Context, name string, v any) (types.GeometryValue, error) {
	if given := storedBytes(v); len(given) > types.SRIDSize+types.WKBHeaderSize+types.CountSize-1 && given[types.SRIDSize] != 1 {
		return nil, mysql.NewSQLError(erByteOrder, "HY000", "Geometry byte string must be little endian.")
	}
	return anyGeometry(ctx, name, v)
}

// knownGeometry is a value as a geometry whose spatial reference there is.
func knownGeometry(ctx *sql.Context, name string, v any) (types.GeometryValue, error) {
	if given := storedBytes(v); len(given) >= types.SRIDSize {
		if srid := binary.LittleEndian.Uint32(given); !knownSRID(ctx, srid) {
			return nil, noSuchSRID(srid)
		}
	}
	g, err := anyGeometry(ctx, name, v)
	if err == nil && !knownSRID(ctx, g.GetSRID()) {
		err = noSuchSRID(g.GetSRID())
	}
	return g, err
}

// storedBytes are the bytes of a value that is no geometry yet.
func storedBytes(v any) []byte {
	switch x := v.(type) {
	case []byte:
		return x
	case string:
		return []byte(x)
	case operand.Bytes:
		return []byte(x)
	}
	return nil
}

func anyGeometry(ctx *sql.Context, name string, v any) (types.GeometryValue, error) {
	v, err := Geometry(ctx, types.GeometryType{}, v)
	g, ok := v.(types.GeometryValue)
	if err != nil || !ok {
		return nil, invalidGIS(name)
	}
	return g, nil
}

// envelope is the smallest rectangle around a geometry: a point, a line or a polygon.
func envelope(ctx *sql.Context, args []any) (any, error) {
	const name = "st_envelope"
	g, err := oneGeometry(ctx, name, args[0])
	if err != nil {
		return nil, err
	}
	srid := g.GetSRID()
	if !knownSRID(ctx, srid) {
		return nil, noSuchSRID(srid)
	}
	if err := onPlane(ctx, name, []types.GeometryValue{g}); err != nil {
		return nil, err
	}
	if p, ok := g.(types.Point); ok {
		return p, nil
	}
	if isEmpty(g) {
		return types.GeomColl{SRID: srid}, nil
	}
	minX, minY, maxX, maxY := g.BBox()
	corners := [][2]float64{{minX, minY}, {maxX, minY}, {maxX, maxY}, {minX, maxY}, {minX, minY}}
	points := make([]types.Point, len(corners))
	for i, c := range corners {
		points[i] = types.Point{SRID: srid, X: c[0] + 0, Y: c[1] + 0} // + 0: no zero is negative
	}
	switch {
	case minX == maxX && minY == maxY: // of several points
		return points[0], nil
	case minX == maxX || minY == maxY:
		return types.LineString{SRID: srid, Points: []types.Point{points[0], points[2]}}, nil
	}
	return types.Polygon{SRID: srid, Lines: []types.LineString{{SRID: srid, Points: points}}}, nil
}

// isEmpty tells whether a geometry has no point.
func isEmpty(g types.GeometryValue) bool {
	c, ok := g.(types.GeomColl)
	if !ok {
		return false
	}
	for _, part := range c.Geoms {
		if !isEmpty(part) {
			return false
		}
	}
	return true
}
