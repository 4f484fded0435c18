package spatial

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/geometry"
	"emberdb/sqllayer/srs"
)

// Functions of the place of a point and of the spatial reference of a geometry. With one argument
// they tell it, with another they change it.

// Error numbers of places.
const (
	erLongitudeGiven = 3616
	erLatitudeGiven  = 3617
	erOnlyGeographic = 3726
	warnNoSuchSRID   = 3519
)

// place is a coordinate of a point: its number of the two, and whether only the globe has it.
type place struct {
	name  string
	first bool // X, or the latitude: the first that is written
	globe bool
}

func init() {
	for _, p := range []place{{"st_x", true, false}, {"st_y", false, false}, {"st_latitude", true, true}, {"st_longitude", false, true}} {
		operand.Register(tellOrChange(p.name, types.Float64, func(ctx *sql.Context, args []any) (any, error) { return p.eval(ctx, args) }))
	}
	operand.Register(tellOrChange("st_srid", types.Int64, spatialReference))
}

// tellOrChange is a function of type t of one argument, and of geometries with another.
func tellOrChange(name string, t sql.Type, eval func(*sql.Context, []any) (any, error)) sql.Function {
	tells, changes := operand.NewScalar(name, 1, 1, t, eval), operand.NewScalar(name, 2, 2, types.GeometryType{}, eval)
	return sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) == 2 {
			return changes.NewInstance(ctx, args)
		}
		return tells.NewInstance(ctx, args)
	}}
}

func (p place) eval(ctx *sql.Context, args []any) (any, error) {
	g, err := knownGeometry(ctx, p.name, args[0])
	if err != nil {
		return nil, err
	}
	at, ok := g.(types.Point)
	if !ok {
		return nil, mysql.NewSQLError(erGeometryKind, "22S01", "POINT value is a geometry of unexpected type %s in %s.", shownKind(g), p.name)
	}
	system, _ := systemOf(ctx, at.SRID)
	if p.globe && !system.IsGeographic() {
		return nil, mysql.NewSQLError(erOnlyGeographic, "22S00", "Function %s is only defined for geographic spatial reference systems, but one of its arguments is in SRID %d, which is not geographic.", p.name, at.SRID)
	}
	if err := onGlobe(ctx, p.name, g); err != nil {
		return nil, err
	}
	which := &at.Y
	latitude := p.first
	if !p.globe && system.IsGeographic() {
		latitude = p.first == system.LatitudeFirst()
	}
	if latitude != system.IsGeographic() { // the longitude is kept as X
		which = &at.X
	}
	if len(args) == 1 {
		return *which, nil
	}
	n, null, err := operand.NumberOf(ctx, args[1], types.Float64)
	if err != nil || null {
		return nil, err
	}
	*which = n.AsFloat()
	return at, inRanges(p.name, at, globeOf(ctx, at.SRID), true)
}

// inRanges refuses a point that is given by numbers of angles which no place has. A single longitude
// may be the western end of the range: MySQL takes the meridian that belongs to the east.
func inRanges(name string, at types.Point, globe *srs.Definition, west bool) error {
	if globe == nil {
		return nil
	}
	latitude, longitude := globe.Ranges()
	switch {
	case !(at.X > -longitude && at.X <= longitude) && !(west && at.X == -longitude):
		return mysql.NewSQLError(erLongitudeGiven, "22S02", "Longitude %f is out of range in function %s. It must be within (%f, %f].",
			at.X, name, -longitude, longitude)
	case !(at.Y >= -latitude && at.Y <= latitude):
		return mysql.NewSQLError(erLatitudeGiven, "22S03", "Latitude %f is out of range in function %s. It must be within [%f, %f].",
			at.Y, name, -latitude, latitude)
	}
	return nil
}

// allInRanges is inRanges of all points of a geometry.
func allInRanges(ctx *sql.Context, name string, g types.GeometryValue) error {
	globe := globeOf(ctx, g.GetSRID())
	if globe == nil {
		return nil
	}
	plane, err := geometry.PlaneOf(g)
	if err != nil {
		return invalidGIS(name)
	}
	points := plane.DumpCoordinates()
	for i := range points.Length() {
		at := points.GetXY(i)
		if err := inRanges(name, types.Point{X: at.X, Y: at.Y}, globe, false); err != nil {
			return err
		}
	}
	return nil
}

// onGlobe refuses a geometry beside the globe.
func onGlobe(ctx *sql.Context, name string, g types.GeometryValue) error {
	if !isGeographic(ctx, g.GetSRID()) {
		return nil
	}
	plane, err := geometry.PlaneOf(g)
	if err != nil {
		return invalidGIS(name)
	}
	return placedIn(ctx, name, []types.GeometryValue{g}, plane)
}

// spatialReference is ST_SRID.
func spatialReference(ctx *sql.Context, args []any) (any, error) {
	const name = "st_srid"
	g, err := anyGeometry(ctx, name, args[0])
	if err != nil {
		return nil, err
	}
	if len(args) == 1 {
		if srid := g.GetSRID(); !knownSRID(ctx, srid) {
			ctx.Warn(warnNoSuchSRID, "There's no spatial reference system with SRID %d.", srid)
		}
		return int64(g.GetSRID()), nil
	}
	srid, _, err := placed(ctx, name, args[1:])
	if err != nil {
		return nil, err
	}
	g = g.SetSRID(srid)
	return g, onGlobe(ctx, name, g)
}
