package geometry

import (
	"errors"
	"math"

	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/peterstace/simplefeatures/geom"
)

// Plane is a geometry as a set of points of the plane.
type Plane struct{ geom.Geometry }

// ErrTopology is returned for geometries that have points nowhere.
var ErrTopology = errors.New("geometry has a coordinate that is no number")

// PlaneOf reads a value. The rings of polygons may cross: whether they do is asked by ST_IsValid
// alone.
func PlaneOf(g types.GeometryValue) (Plane, error) {
	p, err := geom.UnmarshalWKB(g.Serialize()[types.SRIDSize:], geom.NoValidate{})
	if err != nil {
		return Plane{}, err
	}
	points := p.DumpCoordinates()
	for i := range points.Length() {
		if at := points.GetXY(i); math.IsNaN(at.X-at.X) || math.IsNaN(at.Y-at.Y) {
			return Plane{}, ErrTopology // no number, or an infinite one
		}
	}
	return Plane{p}, nil
}

// Value is the geometry as a value.
func (p Plane) Value(srid uint32) (types.GeometryValue, error) { return FromWKB(p.AsBinary(), srid) }

// Relation is what two sets of points are to each other.
type Relation func(a, b Plane) (holds, known bool, err error)

// always makes a relation of one that any two geometries may have, but empty ones.
func always(f func(a, b geom.Geometry) (bool, error)) Relation {
	return func(a, b Plane) (bool, bool, error) {
		if a.IsEmpty() || b.IsEmpty() {
			return false, false, nil
		}
		if err := compared(a, b); err != nil {
			return false, false, err
		}
		holds, err := f(a.Geometry, b.Geometry)
		return holds, true, err
	}
}

// ofEmpty makes a relation hold between empty geometries, and not between an empty one and another.
func ofEmpty(f Relation) Relation {
	return func(a, b Plane) (bool, bool, error) {
		if a.IsEmpty() || b.IsEmpty() {
			return a.IsEmpty() && b.IsEmpty(), true, nil
		}
		return f(a, b)
	}
}

// Relations are those of MySQL by the names of its functions. One of an empty geometry is unknown.
var Relations = map[string]Relation{
	"st_contains":   always(contains),
	"st_within":     always(func(a, b geom.Geometry) (bool, error) { return contains(b, a) }),
	"st_equals":     ofEmpty(always(geom.Equals)),
	"st_disjoint":   always(geom.Disjoint),
	"st_intersects": always(func(a, b geom.Geometry) (bool, error) { return geom.Intersects(a, b), nil }),
	"st_touches": func(a, b Plane) (bool, bool, error) {
		if a.Dimension() == 0 && b.Dimension() == 0 || a.mixed() && b.Dimension() == 0 || b.mixed() && a.Dimension() == 0 {
			return false, false, nil
		}
		return always(geom.Touches)(a, b)
	},
	"st_crosses": func(a, b Plane) (bool, bool, error) {
		if a.Dimension() == 2 || b.Dimension() == 0 {
			return false, false, nil
		}
		return always(geom.Crosses)(a, b)
	},
	"st_overlaps": func(a, b Plane) (bool, bool, error) {
		if a.Dimension() != b.Dimension() {
			return false, false, nil
		}
		return always(overlaps)(a, b)
	},
	"mbrcontains":   boxes(func(a, b box) bool { return b.within(a) }),
	"mbrwithin":     boxes(func(a, b box) bool { return a.within(b) }),
	"mbrcovers":     boxes(func(a, b box) bool { return b.coveredBy(a) }),
	"mbrcoveredby":  boxes(func(a, b box) bool { return a.coveredBy(b) }),
	"mbrdisjoint":   boxes(func(a, b box) bool { return !a.meets(b) }),
	"mbrintersects": boxes(func(a, b box) bool { return a.meets(b) }),
	"mbrequals":     ofEmpty(boxes(func(a, b box) bool { return a == b })),
	"mbroverlaps":   boxes(func(a, b box) bool { return a.overlaps(b) }),
	"mbrtouches":    boxes(func(a, b box) bool { return a.meets(b) && !a.interior(b) }),
}

// contains is geom.Contains, which takes no collections: of one, every part counts.
func contains(a, b geom.Geometry) (bool, error) {
	if !a.IsGeometryCollection() && !b.IsGeometryCollection() {
		return geom.Contains(a, b)
	}
	beside, err := geom.Difference(b, a)
	if err != nil || !beside.IsEmpty() {
		return false, err
	}
	common, err := commonInside(a, b)
	return common >= 0, err
}

// overlaps is geom.Overlaps, with collections as well.
func overlaps(a, b geom.Geometry) (bool, error) {
	if !a.IsGeometryCollection() && !b.IsGeometryCollection() {
		return geom.Overlaps(a, b)
	}
	for _, pair := range [][2]geom.Geometry{{a, b}, {b, a}} {
		if beside, err := geom.Difference(pair[0], pair[1]); err != nil || beside.IsEmpty() {
			return false, err
		}
	}
	common, err := commonInside(a, b)
	return common == a.Dimension(), err
}

// mostPairs is how many parts of two collections are held against each other.
const mostPairs = 1 << 14

// commonInside is the dimension of what the interiors of two parts have in common; -1: nothing.
func commonInside(a, b geom.Geometry) (dimension int, err error) {
	dimension = -1
	pairs := 0
	for _, p := range a.Dump() {
		for _, q := range b.Dump() {
			if !p.Envelope().Intersects(q.Envelope()) {
				continue
			}
			if pairs++; pairs > mostPairs {
				return dimension, ErrComplex
			}
			code, err := geom.Relate(p, q)
			if err != nil {
				return dimension, err
			}
			if code[0] != 'F' {
				dimension = max(dimension, int(code[0]-'0'))
			}
		}
	}
	return dimension, nil
}

// mixed reports whether points stand beside areas.
func (p Plane) mixed() bool {
	c, ok := p.AsGeometryCollection()
	if !ok || p.Dimension() < 2 {
		return false
	}
	for i := range c.NumGeometries() {
		if c.GeometryN(i).Dimension() == 0 {
			return true
		}
	}
	return false
}

// Combinations make a set of points of two, by the names of MySQL's functions.
var Combinations = map[string]func(a, b Plane) (Plane, error){
	"st_union":         combined(geom.Union),
	"st_intersection":  combined(geom.Intersection),
	"st_difference":    combined(geom.Difference),
	"st_symdifference": combined(geom.SymmetricDifference),
}

func combined(f func(a, b geom.Geometry) (geom.Geometry, error)) func(a, b Plane) (Plane, error) {
	return func(a, b Plane) (Plane, error) {
		if err := compared(a, b); err != nil {
			return Plane{}, err
		}
		out, err := f(a.Geometry, b.Geometry)
		if err == nil && out.IsEmpty() {
			out = geom.GeometryCollection{}.AsGeometry()
		}
		return Plane{out}, err
	}
}

// Distance is the shortest between two geometries; unknown if one is empty.
func Distance(a, b Plane) (float64, bool) { return geom.Distance(a.Geometry, b.Geometry) }

// IsSimple reports whether a geometry crosses and touches itself at the ends of its lines alone, and
// no point stands twice in a row.
func (p Plane) IsSimple() (bool, error) {
	if err := compared(p); err != nil {
		return false, err
	}
	return p.isSimple(), nil
}

func (p Plane) isSimple() bool {
	if c, ok := p.AsGeometryCollection(); ok {
		for i := range c.NumGeometries() {
			if !(Plane{c.GeometryN(i)}).isSimple() {
				return false
			}
			for j := range i {
				if code, err := geom.Relate(c.GeometryN(i), c.GeometryN(j)); err != nil || code[0] != 'F' {
					return false
				}
			}
		}
		return true
	}
	simple, known := p.Geometry.IsSimple()
	return (simple || !known) && !p.repeats()
}

// repeats reports whether two points in a row of a line or ring are the same.
func (p Plane) repeats() (found bool) {
	eachLine(p.Geometry, func(points geom.Sequence) {
		for i := 1; i < points.Length(); i++ {
			found = found || points.GetXY(i) == points.GetXY(i-1)
		}
	})
	return found
}

// IsValid reports whether rings are closed, cross nothing, and lie where they must.
func (p Plane) IsValid() bool { return p.Validate() == nil }
