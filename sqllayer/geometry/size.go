package geometry

import "github.com/dolthub/go-mysql-server/sql/types"

// Measure is the size of a geometry as a column stores it, and how deep collections nest in it.
// It looks at no more parts than a value of most bytes has: size is over most for a larger one,
// whose parts may be the same value many times over.
func Measure(g types.GeometryValue, most int64) (size int64, depth int) {
	m := meter{most: most, size: types.SRIDSize}
	depth = m.add(g, 1)
	return m.size, depth
}

type meter struct{ size, most int64 }

func (m *meter) add(g types.GeometryValue, depth int) int {
	m.size += types.WKBHeaderSize
	switch g := g.(type) {
	case types.Point:
		m.size += minPoint
	case types.LineString:
		m.line(g)
	case types.Polygon:
		m.polygon(g)
	case types.MultiPoint:
		m.size += types.CountSize + int64(len(g.Points))*(types.WKBHeaderSize+minPoint)
	case types.MultiLineString:
		m.size += types.CountSize
		for _, l := range g.Lines {
			m.size += types.WKBHeaderSize
			m.line(l)
		}
	case types.MultiPolygon:
		m.size += types.CountSize
		for _, p := range g.Polygons {
			m.size += types.WKBHeaderSize
			m.polygon(p)
		}
	case types.GeomColl:
		m.size += types.CountSize
		deepest := depth
		for _, part := range g.Geoms {
			if m.size > m.most || deepest > MaxDepth {
				break
			}
			deepest = max(deepest, m.add(part, depth+1))
		}
		return deepest
	}
	return depth
}

func (m *meter) line(l types.LineString) { m.size += types.CountSize + int64(len(l.Points))*minPoint }

func (m *meter) polygon(p types.Polygon) {
	m.size += types.CountSize
	for _, l := range p.Lines {
		m.line(l)
	}
}
