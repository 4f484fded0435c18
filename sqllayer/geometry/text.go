package geometry

import (
	"github.com/dolthub/go-mysql-server/sql/types"

	own "emberdb/sql/types"
)

// AppendText writes a geometry as well-known text, numbers as MySQL shows a DOUBLE. swap writes the
// second coordinate first.
func AppendText(to []byte, g types.GeometryValue, swap bool) []byte {
	w := writer{to: to, swap: swap}
	w.geometry(g)
	return w.to
}

// coordinateText is how many characters a coordinate has.
const coordinateText = 25

type writer struct {
	to   []byte
	swap bool
}

func (w *writer) geometry(g types.GeometryValue) {
	switch g := g.(type) {
	case types.Point:
		w.named("POINT", 1, func(int) { w.point(g) })
	case types.LineString:
		w.to = append(w.to, "LINESTRING"...)
		w.line(g)
	case types.Polygon:
		w.to = append(w.to, "POLYGON"...)
		w.polygon(g)
	case types.MultiPoint:
		w.named("MULTIPOINT", len(g.Points), func(i int) { w.list(1, func(int) { w.point(g.Points[i]) }) })
	case types.MultiLineString:
		w.named("MULTILINESTRING", len(g.Lines), func(i int) { w.line(g.Lines[i]) })
	case types.MultiPolygon:
		w.named("MULTIPOLYGON", len(g.Polygons), func(i int) { w.polygon(g.Polygons[i]) })
	case types.GeomColl:
		if len(g.Geoms) == 0 {
			w.to = append(w.to, "GEOMETRYCOLLECTION EMPTY"...)
			return
		}
		w.named("GEOMETRYCOLLECTION", len(g.Geoms), func(i int) { w.geometry(g.Geoms[i]) })
	}
}

func (w *writer) named(name string, n int, part func(int)) {
	w.to = append(w.to, name...)
	w.list(n, part)
}

func (w *writer) list(n int, part func(int)) {
	w.to = append(w.to, '(')
	for i := range n {
		if i > 0 {
			w.to = append(w.to, ',')
		}
		part(i)
	}
	w.to = append(w.to, ')')
}

func (w *writer) polygon(p types.Polygon) { w.list(len(p.Lines), func(i int) { w.line(p.Lines[i]) }) }

func (w *writer) line(l types.LineString) {
	w.list(len(l.Points), func(i int) { w.point(l.Points[i]) })
}

func (w *writer) point(p types.Point) {
	x, y := p.X, p.Y
	if w.swap {
		x, y = y, x
	}
	w.to = append(own.AppendFloatWithin(w.to, x, 64, coordinateText), ' ')
	w.to = own.AppendFloatWithin(w.to, y, 64, coordinateText)
}
