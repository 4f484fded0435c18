package geometry

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/dolthub/go-mysql-server/sql/types"
)

// MaxDepth is how deep collections may nest.
const MaxDepth = 4000

var (
	// ErrInvalid is returned for bytes or text that are no geometry.
	ErrInvalid = errors.New("invalid geometry")
	// ErrDepth is returned for collections that nest deeper than MaxDepth.
	ErrDepth = errors.New("geometry nests too deep")
)

// FromWKB reads well-known binary. The spatial reference is not a part of it.
func FromWKB(b []byte, srid uint32) (types.GeometryValue, error) {
	d := decoder{rest: b, srid: srid}
	g, err := d.geometry(types.WKBUnknown, 1)
	if err == nil && len(d.rest) > 0 {
		err = ErrInvalid
	}
	if err != nil {
		return nil, err
	}
	return g, nil
}

// FromStored reads the bytes of a column: the spatial reference, then well-known binary.
func FromStored(b []byte) (types.GeometryValue, error) {
	if len(b) < types.SRIDSize {
		return nil, ErrInvalid
	}
	return FromWKB(b[types.SRIDSize:], binary.LittleEndian.Uint32(b))
}

// decoder reads from the front of rest. Each geometry has its own byte order.
type decoder struct {
	rest  []byte
	order binary.ByteOrder
	srid  uint32
}

// Smallest sizes, by which counts are checked.
const (
	minPoint = types.PointSize
	minLine  = types.CountSize + 2*minPoint
	minRing  = types.CountSize + 4*minPoint
	minPoly  = types.CountSize + minRing
	minAny   = types.WKBHeaderSize + types.CountSize // a collection of nothing
)

// geometry reads a header and what it announces, which must be of kind want unless that is
// WKBUnknown.
func (d *decoder) geometry(want uint32, depth int) (types.GeometryValue, error) {
	if depth > MaxDepth {
		return nil, ErrDepth
	}
	if len(d.rest) < types.WKBHeaderSize {
		return nil, ErrInvalid
	}
	switch d.rest[0] {
	case 0:
		d.order = binary.BigEndian
	case 1:
		d.order = binary.LittleEndian
	default:
		return nil, ErrInvalid
	}
	kind := d.order.Uint32(d.rest[types.EndianSize:])
	d.rest = d.rest[types.WKBHeaderSize:]
	if want != types.WKBUnknown && kind != want {
		return nil, ErrInvalid
	}
	switch kind {
	case types.WKBPointID:
		return d.point()
	case types.WKBLineID:
		return d.line(2)
	case types.WKBPolyID:
		return d.polygon()
	case types.WKBMultiPointID:
		points, err := members[types.Point](d, types.WKBPointID, types.WKBHeaderSize+minPoint, depth)
		return types.MultiPoint{SRID: d.srid, Points: points}, err
	case types.WKBMultiLineID:
		lines, err := members[types.LineString](d, types.WKBLineID, types.WKBHeaderSize+minLine, depth)
		return types.MultiLineString{SRID: d.srid, Lines: lines}, err
	case types.WKBMultiPolyID:
		polygons, err := members[types.Polygon](d, types.WKBPolyID, types.WKBHeaderSize+minPoly, depth)
		return types.MultiPolygon{SRID: d.srid, Polygons: polygons}, err
	case types.WKBGeomCollID:
		n, err := d.count(0, minAny)
		if err != nil {
			return nil, err
		}
		geoms := make([]types.GeometryValue, n)
		for i := range geoms {
			if geoms[i], err = d.geometry(types.WKBUnknown, depth+1); err != nil {
				return nil, err
			}
		}
		return types.GeomColl{SRID: d.srid, Geoms: geoms}, nil
	}
	return nil, ErrInvalid
}

// members reads the parts of a geometry whose parts are all of one kind, and which has at least
// one.
func members[T types.GeometryValue](d *decoder, kind uint32, size, depth int) ([]T, error) {
	n, err := d.count(1, size)
	if err != nil {
		return nil, err
	}
	out := make([]T, n)
	for i := range out {
		g, err := d.geometry(kind, depth+1)
		if err != nil {
			return nil, err
		}
		out[i] = g.(T)
	}
	return out, nil
}

// count reads how many parts follow: at least low of them, each of at least size bytes.
func (d *decoder) count(low, size int) (int, error) {
	if len(d.rest) < types.CountSize {
		return 0, ErrInvalid
	}
	n := d.order.Uint32(d.rest)
	d.rest = d.rest[types.CountSize:]
	if int64(n) < int64(low) || int64(n) > int64(len(d.rest)/size) {
		return 0, ErrInvalid
	}
	return int(n), nil
}

func (d *decoder) point() (types.Point, error) {
	if len(d.rest) < minPoint {
		return types.Point{}, ErrInvalid
	}
	x, y := math.Float64frombits(d.order.Uint64(d.rest)), math.Float64frombits(d.order.Uint64(d.rest[8:]))
	d.rest = d.rest[minPoint:]
	return types.Point{SRID: d.srid, X: x, Y: y}, nil
}

// line reads at least low points.
func (d *decoder) line(low int) (types.LineString, error) {
	n, err := d.count(low, minPoint)
	if err != nil {
		return types.LineString{}, err
	}
	points := make([]types.Point, n)
	for i := range points {
		if points[i], err = d.point(); err != nil {
			return types.LineString{}, err
		}
	}
	return types.LineString{SRID: d.srid, Points: points}, nil
}

func (d *decoder) polygon() (types.Polygon, error) {
	n, err := d.count(1, minRing)
	if err != nil {
		return types.Polygon{}, err
	}
	lines := make([]types.LineString, n)
	for i := range lines {
		if lines[i], err = d.line(4); err != nil {
			return types.Polygon{}, err
		}
		if !IsRing(lines[i]) {
			return types.Polygon{}, ErrInvalid
		}
	}
	return types.Polygon{SRID: d.srid, Lines: lines}, nil
}

// IsRing tells whether a line has the points of a ring.
func IsRing(l types.LineString) bool { return len(l.Points) >= 4 && closed(l.Points) }

// closed tells whether a ring of at least four points ends where it begins.
func closed(ring []types.Point) bool {
	first, last := ring[0], ring[len(ring)-1]
	return first.X == last.X && first.Y == last.Y
}
