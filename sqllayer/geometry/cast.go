package geometry

import (
	"errors"
	"slices"

	"github.com/dolthub/go-mysql-server/sql/types"
)

// CastError is a geometry that has no value of another kind.
type CastError struct {
	Part  types.GeometryValue // what was to be cast: the geometry, or a line of it
	Turns bool                // a ring of it goes the wrong way round
}

func (e *CastError) Error() string { return "geometry: no value of that kind" }

// Casts make values of other kinds, by the name of the kind. The outer ring of a polygon comes out
// counterclockwise, and its inner rings clockwise.
var Casts = map[string]func(types.GeometryValue) (types.GeometryValue, error){
	"point": asPoint, "linestring": asLine, "polygon": asPolygon, "multipoint": asPoints,
	"multilinestring": asLines, "multipolygon": asPolygons, "geometrycollection": asCollection,
}

func asPoint(g types.GeometryValue) (types.GeometryValue, error) {
	switch x := g.(type) {
	case types.Point:
		return x, nil
	case types.MultiPoint:
		if len(x.Points) == 1 {
			return x.Points[0], nil
		}
	case types.GeomColl:
		if parts, ok := partsOf[types.Point](x); ok && len(parts) == 1 {
			return parts[0], nil
		}
	}
	return nil, &CastError{Part: g}
}

func asLine(g types.GeometryValue) (types.GeometryValue, error) {
	switch x := g.(type) {
	case types.LineString:
		return x, nil
	case types.Polygon:
		if len(x.Lines) == 1 {
			return turned(x).Lines[0], nil
		}
	case types.MultiPoint:
		if len(x.Points) > 1 {
			return types.LineString(x), nil
		}
	case types.MultiLineString:
		if len(x.Lines) == 1 {
			return x.Lines[0], nil
		}
	case types.GeomColl:
		if parts, ok := partsOf[types.LineString](x); ok && len(parts) == 1 {
			return parts[0], nil
		}
	}
	return nil, &CastError{Part: g}
}

func asPolygon(g types.GeometryValue) (types.GeometryValue, error) {
	switch x := g.(type) {
	case types.LineString:
		return polygonOf(x)
	case types.Polygon:
		return turned(x), nil
	case types.MultiLineString:
		return polygonOf(x.Lines...)
	case types.MultiPolygon:
		if len(x.Polygons) == 1 {
			return turned(x.Polygons[0]), nil
		}
	case types.GeomColl:
		if parts, ok := partsOf[types.Polygon](x); ok && len(parts) == 1 {
			return turned(parts[0]), nil
		}
	}
	return nil, &CastError{Part: g}
}

func asPoints(g types.GeometryValue) (types.GeometryValue, error) {
	out := types.MultiPoint{SRID: g.GetSRID()}
	switch x := g.(type) {
	case types.Point:
		out.Points = []types.Point{x}
	case types.LineString:
		out.Points = x.Points
	case types.MultiPoint:
		return x, nil
	case types.GeomColl:
		out.Points, _ = partsOf[types.Point](x)
	}
	if len(out.Points) == 0 {
		return nil, &CastError{Part: g}
	}
	return out, nil
}

func asLines(g types.GeometryValue) (types.GeometryValue, error) {
	out := types.MultiLineString{SRID: g.GetSRID()}
	switch x := g.(type) {
	case types.LineString:
		out.Lines = []types.LineString{x}
	case types.Polygon:
		out.Lines = turned(x).Lines
	case types.MultiLineString:
		return x, nil
	case types.MultiPolygon:
		for _, p := range x.Polygons {
			if len(p.Lines) != 1 {
				return nil, &CastError{Part: g}
			}
			out.Lines = append(out.Lines, turned(p).Lines...)
		}
	case types.GeomColl:
		out.Lines, _ = partsOf[types.LineString](x)
	}
	if len(out.Lines) == 0 {
		return nil, &CastError{Part: g}
	}
	return out, nil
}

func asPolygons(g types.GeometryValue) (types.GeometryValue, error) {
	out := types.MultiPolygon{SRID: g.GetSRID()}
	switch x := g.(type) {
	case types.Polygon:
		out.Polygons = []types.Polygon{turned(x)}
	case types.MultiLineString:
		for _, l := range x.Lines {
			p, err := polygonOf(l)
			if err != nil {
				var known *CastError
				return nil, &CastError{Part: g, Turns: errors.As(err, &known) && known.Turns}
			}
			out.Polygons = append(out.Polygons, p.(types.Polygon))
		}
	case types.MultiPolygon:
		return turnedAll(x), nil
	case types.GeomColl:
		parts, _ := partsOf[types.Polygon](x)
		out.Polygons = turnedAll(types.MultiPolygon{Polygons: parts}).Polygons
	}
	if len(out.Polygons) == 0 {
		return nil, &CastError{Part: g}
	}
	return out, nil
}

func asCollection(g types.GeometryValue) (types.GeometryValue, error) {
	out := types.GeomColl{SRID: g.GetSRID()}
	switch x := g.(type) {
	case types.MultiPoint:
		out.Geoms = collected(x.Points)
	case types.MultiLineString:
		out.Geoms = collected(x.Lines)
	case types.MultiPolygon:
		out.Geoms = collected(turnedAll(x).Polygons)
	case types.GeomColl:
		return turnedWithin(x), nil
	default:
		out.Geoms = []types.GeometryValue{turnedWithin(g)}
	}
	return out, nil
}

func collected[T types.GeometryValue](parts []T) []types.GeometryValue {
	out := make([]types.GeometryValue, len(parts))
	for i, p := range parts {
		out[i] = p
	}
	return out
}

// partsOf are the members of a collection; none, and false, if one is of another kind.
func partsOf[T types.GeometryValue](c types.GeomColl) (parts []T, ok bool) {
	for _, g := range c.Geoms {
		part, ok := g.(T)
		if !ok {
			return nil, false
		}
		parts = append(parts, part)
	}
	return parts, true
}

// polygonOf is the polygon of these rings, the first of which is the outer one.
func polygonOf(rings ...types.LineString) (types.GeometryValue, error) {
	for i, r := range rings {
		if !IsRing(r) {
			return nil, &CastError{Part: r}
		}
		if area := signedArea(r.Points); i == 0 && area < 0 || i > 0 && area > 0 {
			return nil, &CastError{Part: r, Turns: true}
		}
	}
	return types.Polygon{SRID: rings[0].SRID, Lines: rings}, nil
}

// turned is the polygon with its rings in MySQL's directions.
func turned(p types.Polygon) types.Polygon {
	out := types.Polygon{SRID: p.SRID, Lines: make([]types.LineString, len(p.Lines))}
	for i, r := range p.Lines {
		if area := signedArea(r.Points); i == 0 && area < 0 || i > 0 && area > 0 {
			r.Points = slices.Clone(r.Points)
			slices.Reverse(r.Points)
		}
		out.Lines[i] = r
	}
	return out
}

func turnedAll(m types.MultiPolygon) types.MultiPolygon {
	out := types.MultiPolygon{SRID: m.SRID, Polygons: make([]types.Polygon, len(m.Polygons))}
	for i, p := range m.Polygons {
		out.Polygons[i] = turned(p)
	}
	return out
}

// turnedWithin turns all polygons of a value, which nests at most MaxDepth deep.
func turnedWithin(g types.GeometryValue) types.GeometryValue {
	switch x := g.(type) {
	case types.Polygon:
		return turned(x)
	case types.MultiPolygon:
		return turnedAll(x)
	case types.GeomColl:
		out := types.GeomColl{SRID: x.SRID, Geoms: make([]types.GeometryValue, len(x.Geoms))}
		for i, part := range x.Geoms {
			out.Geoms[i] = turnedWithin(part)
		}
		return out
	}
	return g
}

// signedArea is twice the area of a closed ring; positive if it runs counterclockwise.
func signedArea(ring []types.Point) (sum float64) {
	for i := 1; i < len(ring); i++ {
		a, b, o := ring[i-1], ring[i], ring[0]
		sum += (a.X-o.X)*(b.Y-o.Y) - (b.X-o.X)*(a.Y-o.Y)
	}
	return sum
}
