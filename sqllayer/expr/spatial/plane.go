package spatial

import (
	"errors"
	"math"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/internal/libm"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/geometry"
	"emberdb/sqllayer/srs"
)

// Functions over geometries of the plane. Those on the globe are refused, but for what needs no
// more than the boxes or the points themselves: a straight line there is another one.

const (
	erDifferentSRIDs   = 3033
	erTooManyPoints    = 3134
	erNotOnGlobe       = 3618
	erNotOnPlane       = 3704
	erNotProjected     = 3705
	erInvalidRadius    = 3706
	erOverflow         = 3049
	erLongitudeOutside = 3731
	erLatitudeOutside  = 3732
	defaultEarthRadius = 6370986.0
)

func init() {
	for name, holds := range geometry.Relations {
		operand.Register(operand.NewScalar(name, 2, 2, types.Int32, func(ctx *sql.Context, args []any) (any, error) {
			values, a, b, err := twoPlanes(ctx, name, args)
			if err == nil {
				err = placedIn(ctx, name, values, a, b)
			}
			if err != nil {
				return nil, err
			}
			if name[:3] != "mbr" && !pointsOnGlobe(ctx, values) {
				if err := onPlane(ctx, name, values); err != nil {
					return nil, err
				}
			}
			yes, known, err := holds(a, b)
			switch {
			case err != nil:
				return nil, planeError(name, err)
			case !known:
				return nil, nil
			case yes:
				return int32(1), nil
			}
			return int32(0), nil
		}))
	}
	for name, combine := range geometry.Combinations {
		operand.Register(operand.NewScalar(name, 2, 2, types.GeometryType{}, func(ctx *sql.Context, args []any) (any, error) {
			values, a, b, err := twoPlanes(ctx, name, args)
			if err == nil {
				err = placedIn(ctx, name, values, a, b)
			}
			if err == nil && !pointsOnGlobe(ctx, values) {
				err = onPlane(ctx, name, values)
			}
			if err != nil {
				return nil, err
			}
			out, err := combine(a, b)
			return planeValue(name, out, values[0].GetSRID(), err)
		}))
	}
	truth := func(yes bool) (any, error) {
		if yes {
			return int64(1), nil
		}
		return int64(0), nil
	}
	operand.Register(
		ofPlane("st_isvalid", types.Int64, func(_ types.GeometryValue, p geometry.Plane) (any, error) { return truth(p.IsValid()) }),
		ofPlane("st_issimple", types.Int64, func(_ types.GeometryValue, p geometry.Plane) (any, error) {
			simple, err := p.IsSimple()
			if err != nil {
				return nil, planeError("st_issimple", err)
			}
			return truth(simple)
		}),
		ofPlane("st_area", types.Float64, func(g types.GeometryValue, p geometry.Plane) (any, error) {
			switch g.(type) {
			case types.Polygon, types.MultiPolygon:
				return p.Area(), nil
			}
			kind := kindName(g)
			if kind == "GEOMETRYCOLLECTION" {
				kind = "GEOMCOLLECTION"
			}
			return nil, mysql.NewSQLError(erGeometryKind, "22S01", "POLYGON/MULTIPOLYGON value is a geometry of unexpected type %s in st_area.", kind)
		}),
		ofPlane("st_centroid", types.GeometryType{}, func(g types.GeometryValue, p geometry.Plane) (any, error) {
			if p.IsEmpty() {
				return nil, nil
			}
			return planeValue("st_centroid", geometry.Plane{Geometry: p.Centroid().AsGeometry()}, g.GetSRID(), nil)
		}),
		ofPlane("st_convexhull", types.GeometryType{}, func(g types.GeometryValue, p geometry.Plane) (any, error) {
			if p.IsEmpty() {
				return nil, nil
			}
			return planeValue("st_convexhull", geometry.Plane{Geometry: p.ConvexHull()}, g.GetSRID(), nil)
		}),
		ofPlane("st_validate", types.GeometryType{}, func(g types.GeometryValue, p geometry.Plane) (any, error) {
			if !p.IsValid() {
				return nil, nil
			}
			return g, nil
		}),
		operand.NewScalar("st_length", 1, 2, types.Float64, lengthOf),
		operand.NewScalar("st_distance", 2, 3, types.Float64, distanceBetween),
		operand.NewScalar("st_makeenvelope", 2, 2, types.GeometryType{}, makeEnvelope),
		operand.NewScalar("st_distance_sphere", 2, 3, types.Float64, distanceSphere),
	)
}

// ofPlane describes a function of one geometry.
func ofPlane(name string, t sql.Type, eval func(types.GeometryValue, geometry.Plane) (any, error)) sql.Function {
	return operand.NewScalar(name, 1, 1, t, func(ctx *sql.Context, args []any) (any, error) {
		g, p, err := onePlane(ctx, name, args[0])
		if err != nil {
			return nil, err
		}
		values := []types.GeometryValue{g}
		if inRange[name] {
			err = placedIn(ctx, name, values, p)
		}
		if err == nil && !(ofPoints[name] && pointsOnGlobe(ctx, values)) {
			err = onPlane(ctx, name, values)
		}
		if err != nil {
			return nil, err
		}
		return eval(g, p)
	})
}

func onePlane(ctx *sql.Context, name string, v any) (types.GeometryValue, geometry.Plane, error) {
	g, err := knownGeometry(ctx, name, v)
	if err != nil {
		return nil, geometry.Plane{}, err
	}
	p, err := geometry.PlaneOf(g)
	if err != nil {
		return nil, geometry.Plane{}, invalidGIS(name)
	}
	return g, p, nil
}

// inRange are the functions of one geometry that look at the places of its points first.
var inRange = map[string]bool{"st_isvalid": true, "st_issimple": true, "st_area": true, "st_validate": true}

// ofPoints are the functions of one geometry that points on the globe have, too.
var ofPoints = map[string]bool{"st_isvalid": true, "st_issimple": true, "st_validate": true}

// placedIn refuses points beside the globe.
func placedIn(ctx *sql.Context, name string, values []types.GeometryValue, planes ...geometry.Plane) error {
	globe := globeOf(ctx, values[0].GetSRID())
	if globe == nil {
		return nil
	}
	latitude, longitude := globe.Ranges()
	const outside = "A parameter of function %s contains a geometry with %s %f, which is out of range. It must be within %s-%f, %f]."
	for _, p := range planes {
		points := p.DumpCoordinates()
		for i := range points.Length() {
			at := points.GetXY(i)
			if !(at.X > -longitude && at.X <= longitude) {
				return mysql.NewSQLError(erLongitudeOutside, "22S02", outside, name, "longitude", at.X, "(", longitude, longitude)
			}
			if !(at.Y >= -latitude && at.Y <= latitude) {
				return mysql.NewSQLError(erLatitudeOutside, "22S03", outside, name, "latitude", at.Y, "[", latitude, latitude)
			}
		}
	}
	return nil
}

// pointsOnGlobe tells whether all geometries are points, none of them a pole: sets of points are the
// same on the globe and in the plane.
func pointsOnGlobe(ctx *sql.Context, values []types.GeometryValue) bool {
	for _, g := range values {
		points, ok := pointsOf(g)
		globe := globeOf(ctx, g.GetSRID())
		if !ok || globe == nil {
			return false
		}
		latitude, _ := globe.Ranges()
		for _, p := range points {
			if math.Abs(p.Y) == latitude {
				return false
			}
		}
	}
	return true
}

// twoPlanes reads two geometries of one spatial reference.
func twoPlanes(ctx *sql.Context, name string, args []any) (values []types.GeometryValue, a, b geometry.Plane, err error) {
	values = make([]types.GeometryValue, 2)
	if values[0], a, err = onePlane(ctx, name, args[0]); err != nil {
		return values, a, b, err
	}
	if values[1], b, err = onePlane(ctx, name, args[1]); err != nil {
		return values, a, b, err
	}
	if one, other := values[0].GetSRID(), values[1].GetSRID(); one != other {
		err = mysql.NewSQLError(erDifferentSRIDs, "HY000", "Binary geometry function %s given two geometries of different srids: %d and %d, which should have been identical.", name, one, other)
	}
	return values, a, b, err
}

// onPlane refuses geometries on the globe.
func onPlane(ctx *sql.Context, name string, values []types.GeometryValue) error {
	if !isGeographic(ctx, values[0].GetSRID()) {
		return nil
	}
	kinds := kindName(values[0])
	for _, g := range values[1:] {
		kinds += ", " + kindName(g)
	}
	return mysql.NewSQLError(erNotOnGlobe, "22S00", "%s(%s) has not been implemented for geographic spatial reference systems.", name, kinds)
}

func planeError(name string, err error) error {
	if errors.Is(err, geometry.ErrComplex) {
		return mysql.NewSQLError(erTooManyPoints, "HY000", "Parameter geometry exceeds the maximum number of points in a geometry (%d) in function %s.", geometry.MostEdges, name)
	}
	return invalidGIS(name)
}

func planeValue(name string, p geometry.Plane, srid uint32, err error) (any, error) {
	if err != nil {
		return nil, planeError(name, err)
	}
	g, err := p.Value(srid)
	if err != nil {
		return nil, invalidGIS(name)
	}
	return g, nil
}

// makeEnvelope is ST_MakeEnvelope: the rectangle between two points, or the line or point that it
// comes to.
func makeEnvelope(ctx *sql.Context, args []any) (any, error) {
	const name = "st_makeenvelope"
	values, p, _, err := twoPlanes(ctx, name, args)
	if err == nil {
		err = onPlane(ctx, name, values)
	}
	if err != nil {
		return nil, err
	}
	a, aPoint := values[0].(types.Point)
	b, bPoint := values[1].(types.Point)
	if !aPoint || !bPoint || p.IsEmpty() {
		return nil, operand.WrongArguments(name)
	}
	at := func(x, y float64) types.Point { return types.Point{SRID: a.SRID, X: x, Y: y} }
	switch {
	case a == b:
		return a, nil
	case a.X == b.X || a.Y == b.Y:
		return types.LineString{SRID: a.SRID, Points: []types.Point{a, b}}, nil
	}
	low, high := at(min(a.X, b.X), min(a.Y, b.Y)), at(max(a.X, b.X), max(a.Y, b.Y))
	ring := types.LineString{SRID: a.SRID, Points: []types.Point{low, at(high.X, low.Y), high, at(low.X, high.Y), low}}
	return types.Polygon{SRID: a.SRID, Lines: []types.LineString{ring}}, nil
}

// distanceSphere is ST_Distance_Sphere: the shortest way between points on a ball, in metres.
func distanceSphere(ctx *sql.Context, args []any) (any, error) {
	const name = "st_distance_sphere"
	values, a, b, err := twoPlanes(ctx, name, args)
	if err != nil {
		return nil, err
	}
	from, isFrom := pointsOf(values[0])
	to, isTo := pointsOf(values[1])
	srid := values[0].GetSRID()
	globe, radius := globeOf(ctx, srid), defaultEarthRadius
	if !isFrom || !isTo || globe == nil && srid != 0 {
		code, where := erNotOnPlane, "Cartesian"
		switch {
		case globe != nil:
			code, where = erNotOnGlobe, "geographic"
		case srid != 0:
			code, where = erNotProjected, "projected"
		}
		return nil, mysql.NewSQLError(code, "22S00", "%s(%s, %s) has not been implemented for %s spatial reference systems.",
			name, kindName(values[0]), kindName(values[1]), where)
	}
	if globe != nil {
		radius = globe.MeanRadius()
	} else {
		globe = &srs.Definition{Angle: math.Pi / 180}
	}
	radians := func(p types.Point) types.Point {
		if srid == 0 {
			return types.Point{X: p.X * math.Pi / 180, Y: p.Y * math.Pi / 180}
		}
		return types.Point{X: p.X * globe.Angle, Y: p.Y * globe.Angle}
	}
	if len(args) > 2 {
		n, null, err := operand.NumberOf(ctx, args[2], types.Float64)
		if err != nil || null {
			return nil, err
		}
		if radius = n.AsFloat(); !(radius > 0) {
			return nil, mysql.NewSQLError(erInvalidRadius, "22003", "Invalid radius provided to function %s: Radius must be greater than zero.", name)
		}
	}
	if a.IsEmpty() || b.IsEmpty() {
		return nil, nil
	}
	for _, p := range append(append([]types.Point(nil), from...), to...) {
		if err := inRanges(name, p, globe, false); err != nil {
			return nil, err
		}
	}
	nearest := math.Inf(1)
	for _, p := range from {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, q := range to {
			nearest = min(nearest, radius*apart(radians(p), radians(q)))
		}
	}
	if math.IsInf(nearest, 0) {
		return nil, mysql.NewSQLError(erOverflow, "HY000", "Overflow error: INFINITY in function %s.", name)
	}
	return nearest, nil
}

func pointsOf(g types.GeometryValue) ([]types.Point, bool) {
	switch g := g.(type) {
	case types.Point:
		return []types.Point{g}, true
	case types.MultiPoint:
		return g.Points, true
	}
	return nil, false
}

// apart is the angle between two points as seen from the middle of the ball, by haversines. Their
// coordinates are in radians.
func apart(p, q types.Point) float64 {
	hav := func(x float64) float64 { s := libm.Sin(x / 2); return s * s }
	h := hav(p.Y-q.Y) + libm.Cos(p.Y)*libm.Cos(q.Y)*hav(p.X-q.X)
	return 2 * libm.Asin(math.Sqrt(min(h, 1)))
}
