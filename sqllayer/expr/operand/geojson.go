package operand

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql/types"
)

// geoDocument is a geometry as a part of a document: GeoJSON with the name of its reference system.
func geoDocument(g types.GeometryValue) any {
	out := geoObject(g)
	authority := "EPSG"
	if g.GetSRID() == types.CartesianSRID {
		authority = "MySQL"
	}
	out["crs"] = map[string]any{"type": "name", "properties": map[string]any{"name": fmt.Sprintf("urn:ogc:def:crs:%s::%d", authority, g.GetSRID())}}
	return out
}

func geoObject(g types.GeometryValue) map[string]any {
	switch g := g.(type) {
	case types.Point:
		return geoCoordinates("Point", geoPoint(g))
	case types.LineString:
		return geoCoordinates("LineString", geoLine(g))
	case types.Polygon:
		return geoCoordinates("Polygon", geoPolygon(g))
	case types.MultiPoint:
		return geoCoordinates("MultiPoint", geoList(g.Points, geoPoint))
	case types.MultiLineString:
		return geoCoordinates("MultiLineString", geoList(g.Lines, geoLine))
	case types.MultiPolygon:
		return geoCoordinates("MultiPolygon", geoList(g.Polygons, geoPolygon))
	case types.GeomColl:
		return map[string]any{"type": "GeometryCollection", "geometries": geoList(g.Geoms, func(g types.GeometryValue) any { return geoObject(g) })}
	}
	return map[string]any{}
}

func geoCoordinates(kind string, at any) map[string]any {
	return map[string]any{"type": kind, "coordinates": at}
}

func geoPoint(p types.Point) any { return []any{DocumentPart(p.X), DocumentPart(p.Y)} }

func geoLine(l types.LineString) any { return geoList(l.Points, geoPoint) }

func geoPolygon(p types.Polygon) any { return geoList(p.Lines, geoLine) }

func geoList[T any](of []T, one func(T) any) any {
	out := make([]any, len(of))
	for i, e := range of {
		out[i] = one(e)
	}
	return out
}
