package geometry

import (
	"errors"

	"github.com/peterstace/simplefeatures/geom"
	"github.com/peterstace/simplefeatures/rtree"
)

// ErrComplex is returned for geometries with more edges, or more crossings of them, than are
// compared: both are held in memory at once, and a few edges can cross very often.
var ErrComplex = errors.New("geometry is too complex")

// MostEdges is how many edges geometries have together that are compared.
const MostEdges = 1 << 18

const (
	mostCrossings = 1 << 17 // beside those with neighbours
	neighbours    = 8       // that an edge may have without counting as crossed
)

// compared refuses geometries that are too complex to be compared.
func compared(all ...Plane) error {
	points := 0
	for _, p := range all {
		points += p.DumpCoordinates().Length()
	}
	if points > MostEdges {
		return ErrComplex
	}
	edges := make([]rtree.BulkItem, 0, points)
	for _, p := range all {
		eachLine(p.Geometry, func(s geom.Sequence) {
			for i := 1; i < s.Length(); i++ {
				a, b := s.GetXY(i-1), s.GetXY(i)
				edges = append(edges, rtree.BulkItem{RecordID: len(edges), Box: rtree.Box{
					MinX: min(a.X, b.X), MinY: min(a.Y, b.Y), MaxX: max(a.X, b.X), MaxY: max(a.Y, b.Y),
				}})
			}
		})
	}
	boxes := make([]rtree.Box, len(edges))
	for i, e := range edges {
		boxes[i] = e.Box
	}
	tree, left := rtree.BulkLoad(edges), mostCrossings+neighbours*len(boxes)
	for _, b := range boxes {
		err := tree.RangeSearch(b, func(int) error {
			if left--; left < 0 {
				return ErrComplex
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// eachLine visits the lines and rings that a geometry is made of.
func eachLine(g geom.Geometry, visit func(geom.Sequence)) {
	switch g.Type() {
	case geom.TypeLineString:
		visit(g.MustAsLineString().Coordinates())
	case geom.TypePolygon:
		for _, ring := range g.MustAsPolygon().DumpRings() {
			visit(ring.Coordinates())
		}
	default:
		for _, part := range g.Dump() {
			if t := part.Type(); t == geom.TypeLineString || t == geom.TypePolygon {
				eachLine(part, visit)
			}
		}
	}
}
