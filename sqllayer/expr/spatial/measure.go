package spatial

import (
	"math"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/geometry"
	"emberdb/sqllayer/srs"
)

// Lengths and distances. On the globe they are in metres, and those between lines are not computed.

const (
	erNoLengthUnit = 3882
	erUnknownUnit  = 3902
)

// lengthOf is ST_Length.
func lengthOf(ctx *sql.Context, args []any) (any, error) {
	const name = "st_length"
	g, p, err := onePlane(ctx, name, args[0])
	if err == nil {
		err = placedIn(ctx, name, []types.GeometryValue{g}, p)
	}
	if err != nil {
		return nil, err
	}
	length := 0.0
	switch globe := globeOf(ctx, g.GetSRID()); x := g.(type) {
	case types.LineString:
		length = lineLength(globe, p, x)
	case types.MultiLineString:
		if globe == nil {
			length = p.Length()
			break
		}
		for _, line := range x.Lines {
			length += lineLength(globe, p, line)
		}
	default:
		return nil, nil
	}
	return inUnit(ctx, name, "Length", g.GetSRID(), length, args[1:])
}

// lineLength is the length of a line on the globe or, if that is nil, in its plane.
func lineLength(globe *srs.Definition, p geometry.Plane, line types.LineString) (length float64) {
	if globe == nil {
		return p.Length()
	}
	for i, to := range line.Points[1:] {
		from := line.Points[i]
		length += globe.Distance(from.X, from.Y, to.X, to.Y)
	}
	return length
}

// distanceBetween is ST_Distance.
func distanceBetween(ctx *sql.Context, args []any) (any, error) {
	const name = "st_distance"
	values, a, b, err := twoPlanes(ctx, name, args)
	if err == nil {
		err = placedIn(ctx, name, values, a, b)
	}
	if err != nil {
		return nil, err
	}
	if a.IsEmpty() || b.IsEmpty() {
		return nil, nil
	}
	srid := values[0].GetSRID()
	globe := globeOf(ctx, srid)
	if globe == nil {
		d, ok := geometry.Distance(a, b)
		if !ok {
			return nil, invalidGIS(name)
		}
		return inUnit(ctx, name, "Distance", srid, d, args[2:])
	}
	from, isFrom := allPoints(values[0])
	to, isTo := allPoints(values[1])
	if !isFrom || !isTo {
		return nil, onPlane(ctx, name, values)
	}
	nearest := math.Inf(1)
	for _, p := range from {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, q := range to {
			nearest = min(nearest, globe.Distance(p.X, p.Y, q.X, q.Y))
		}
	}
	return inUnit(ctx, name, "Distance", srid, nearest, args[2:])
}

// allPoints are the points of a geometry that has nothing else.
func allPoints(g types.GeometryValue) ([]types.Point, bool) {
	collection, ok := g.(types.GeomColl)
	if !ok {
		return pointsOf(g)
	}
	var out []types.Point
	for _, part := range collection.Geoms {
		points, ok := allPoints(part)
		if !ok {
			return nil, false
		}
		out = append(out, points...)
	}
	return out, true
}

// inUnit is a length in the unit that the call names, or as it is. what names it in errors.
func inUnit(ctx *sql.Context, name, what string, srid uint32, length float64, unit []any) (any, error) {
	if len(unit) > 0 {
		text, err := operand.ShownText(ctx, unit[0])
		if err != nil {
			return nil, err
		}
		if srid == 0 {
			return nil, mysql.NewSQLError(erNoLengthUnit, "SU001",
				"The geometry passed to function %s is in SRID 0, which doesn't specify a length unit. Can't convert to '%s'.", name, text)
		}
		u, known := srs.FindLengthUnit(text)
		if !known {
			return nil, mysql.NewSQLError(erUnknownUnit, "SU001", "There's no unit of measure named '%s'.", text)
		}
		length *= metresOf(ctx, srid) / u.Metres
	}
	if math.IsInf(length, 0) || math.IsNaN(length) {
		return nil, mysql.NewSQLError(mysql.ERDataOutOfRange, "22003", "%s value is out of range in '%s'", what, name)
	}
	return length, nil
}

// metresOf is how many metres the unit of lengths of a system has.
func metresOf(ctx *sql.Context, srid uint32) float64 {
	if s, known := systemOf(ctx, srid); known {
		if d := s.Definition(); d != nil && d.Projection != nil {
			return d.Projection.Length
		}
	}
	return 1
}
