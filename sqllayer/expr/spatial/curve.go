package spatial

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/geometry"
)

// Functions of lines as ways through their points, in the plane.

func init() {
	operand.Register(
		operand.NewScalar("st_simplify", 2, 2, types.GeometryType{}, simplify),
		operand.NewScalar("st_frechetdistance", 2, 3, types.Float64, frechet),
		operand.NewScalar("st_hausdorffdistance", 2, 3, types.Float64, hausdorff),
		alongLine("st_lineinterpolatepoint", true, false),
		alongLine("st_lineinterpolatepoints", true, true),
		alongLine("st_pointatdistance", false, false),
	)
}

func simplify(ctx *sql.Context, args []any) (any, error) {
	const name = "st_simplify"
	g, _, err := onePlane(ctx, name, args[0])
	if err != nil {
		return nil, err
	}
	n, null, err := operand.NumberOf(ctx, args[1], types.Float64)
	if err != nil || null {
		return nil, err
	}
	if !(n.AsFloat() > 0) {
		return nil, operand.WrongArguments(name)
	}
	if isGeographic(ctx, g.GetSRID()) {
		return nil, mysql.NewSQLError(erNotOnGlobe, "22S00", "%s(%s, ...) has not been implemented for geographic spatial reference systems.", name, kindName(g))
	}
	out, ok, known, err := geometry.Simplified(ctx, g, n.AsFloat())
	switch {
	case err != nil:
		return nil, err
	case !known:
		return nil, mysql.NewSQLError(erNotOnPlane, "22S00", "%s(%s, ...) has not been implemented for Cartesian spatial reference systems.", name, kindName(g))
	case !ok:
		return nil, nil
	}
	return out, nil
}

// alongLine describes a function of points of a line: at a part of its length or a distance from
// its start, and perhaps at all multiples of that.
func alongLine(name string, part, several bool) sql.Function {
	return operand.NewScalar(name, 2, 2, types.GeometryType{}, func(ctx *sql.Context, args []any) (any, error) {
		g, _, err := onePlane(ctx, name, args[0])
		if err != nil {
			return nil, err
		}
		line, ok := g.(types.LineString)
		if !ok {
			return nil, mysql.NewSQLError(erGeometryKind, "22S01", "LINESTRING value is a geometry of unexpected type %s in %s.", shownKind(g), name)
		}
		n, null, err := operand.NumberOf(ctx, args[1], types.Float64)
		if err != nil || null {
			return nil, err
		}
		if err := onPlane(ctx, name, []types.GeometryValue{g}); err != nil {
			return nil, err
		}
		long, at := geometry.Length(line), n.AsFloat()
		if !(at >= 0) || part && at > 1 || !part && at > long {
			return nil, mysql.NewSQLError(mysql.ERDataOutOfRange, "22003", "Distance value is out of range in '%s'", name)
		}
		most := 1
		if several {
			most = int(operand.Most(ctx)/pointSize) + 1
		}
		if part {
			at *= long
		}
		points, err := geometry.Along(ctx, line, at, most)
		switch {
		case err != nil:
			return nil, err
		case several && len(points) == most:
			return operand.TooLarge(ctx, name)
		case several:
			return types.MultiPoint{SRID: line.SRID, Points: points}, nil
		}
		return points[0], nil
	})
}

// pointSize is how many bytes a point among others takes.
const pointSize = 21

// shownKind is the name of a kind in errors about wrong ones.
func shownKind(g types.GeometryValue) string {
	if kind := kindName(g); kind != "GEOMETRYCOLLECTION" {
		return kind
	}
	return "GEOMCOLLECTION"
}

func frechet(ctx *sql.Context, args []any) (any, error) {
	return between(ctx, "st_frechetdistance", args, func(a, b types.GeometryValue) (float64, bool, error) {
		one, isLine := a.(types.LineString)
		other, ofLine := b.(types.LineString)
		if !isLine || !ofLine {
			return 0, false, nil
		}
		d, err := geometry.Frechet(ctx, one, other)
		return d, true, err
	})
}

func hausdorff(ctx *sql.Context, args []any) (any, error) {
	return between(ctx, "st_hausdorffdistance", args, func(a, b types.GeometryValue) (float64, bool, error) {
		return geometry.Hausdorff(ctx, a, b)
	})
}

// between is a distance of two geometries. It is not known of all kinds.
func between(ctx *sql.Context, name string, args []any, distance func(a, b types.GeometryValue) (float64, bool, error)) (any, error) {
	values, a, b, err := twoPlanes(ctx, name, args)
	if err == nil {
		err = onPlane(ctx, name, values)
	}
	if err != nil || a.IsEmpty() || b.IsEmpty() {
		return nil, err
	}
	d, known, err := distance(values[0], values[1])
	if err == nil && !known {
		err = mysql.NewSQLError(erNotOnPlane, "22S00", "%s(%s, %s) has not been implemented for Cartesian spatial reference systems.", name, shownKind(values[0]), shownKind(values[1]))
	}
	if err != nil {
		return nil, err
	}
	return inUnit(ctx, name, "Distance", values[0].GetSRID(), d, args[2:])
}
