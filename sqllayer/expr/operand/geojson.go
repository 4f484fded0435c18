package operand

import (
	"fmt"
	"math"

	"github.com/dolthub/go-mysql-server/sql/types"
)

// GeoJSON is how geometries are written as documents.
type GeoJSON struct {
	Digits int64 // behind the point of a coordinate
	Boxes  bool  // whether the box around each geometry is written as well
}

// geoDocument is a geometry as a part of a document: GeoJSON with the name of its reference system.
func geoDocument(g types.GeometryValue) any {
	out := GeoJSON{Digits: math.MaxInt32}.Object(g)
	out["crs"] = GeoReference("urn:ogc:def:crs:%s::%d", g.GetSRID())
	return out
}

// GeoReference is the description of a reference system whose name has a format.
func GeoReference(format string, srid uint32) map[string]any {
	authority := "EPSG"
	if srid == types.CartesianSRID {
		authority = "MySQL"
	}
	return map[string]any{"type": "name", "properties": map[string]any{"name": fmt.Sprintf(format, authority, srid)}}
}

// Object is a geometry without its reference system.
func (w GeoJSON) Object(g types.GeometryValue) map[string]any {
	out := w.parts(g)
	if c, ok := g.(types.GeomColl); w.Boxes && !(ok && len(c.Geoms) == 0) {
		minX, minY, maxX, maxY := g.BBox()
		out["bbox"] = []any{w.number(minX), w.number(minY), w.number(maxX), w.number(maxY)}
	}
	return out
}

func (w GeoJSON) parts(g types.GeometryValue) map[string]any {
	switch g := g.(type) {
	case types.Point:
		return geoCoordinates("Point", w.point(g))
	case types.LineString:
		return geoCoordinates("LineString", w.line(g))
	case types.Polygon:
		return geoCoordinates("Polygon", w.polygon(g))
	case types.MultiPoint:
		return geoCoordinates("MultiPoint", geoList(g.Points, w.point))
	case types.MultiLineString:
		return geoCoordinates("MultiLineString", geoList(g.Lines, w.line))
	case types.MultiPolygon:
		return geoCoordinates("MultiPolygon", geoList(g.Polygons, w.polygon))
	case types.GeomColl:
		return map[string]any{"type": "GeometryCollection", "geometries": geoList(g.Geoms, func(g types.GeometryValue) any { return w.Object(g) })}
	}
	return map[string]any{}
}

func geoCoordinates(kind string, at any) map[string]any {
	return map[string]any{"type": kind, "coordinates": at}
}

func (w GeoJSON) point(p types.Point) any { return []any{w.number(p.X), w.number(p.Y)} }

func (w GeoJSON) line(l types.LineString) any { return geoList(l.Points, w.point) }

func (w GeoJSON) polygon(p types.Polygon) any { return geoList(p.Lines, w.line) }

// number is a coordinate, halves rounded to the even neighbour. A power of ten that no double holds
// rounds nothing.
func (w GeoJSON) number(f float64) any {
	power := math.Pow(10, float64(w.Digits))
	if shifted := f * power; !math.IsInf(shifted, 0) && !math.IsNaN(shifted) {
		f = math.RoundToEven(shifted) / power
	}
	return DocumentPart(f)
}

func geoList[T any](of []T, one func(T) any) any {
	out := make([]any, len(of))
	for i, e := range of {
		out[i] = one(e)
	}
	return out
}
