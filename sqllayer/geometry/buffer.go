package geometry

import (
	"encoding/binary"
	"math"
	"strings"

	"github.com/peterstace/simplefeatures/geom"

	"emberdb/internal/libm"
)

// A buffer is the area within a distance of a geometry. Its curves are polygons' sides, as the
// strategies say. Those around points have MySQL's vertices; others have as many, not always in the
// same places, nor beginning with the same one.

// StrategyKind is what a Strategy decides. On disk and on the wire; MySQL's numbers.
type StrategyKind uint32

// Kinds of strategies.
const (
	EndRound StrategyKind = 1 + iota
	EndFlat
	JoinRound
	JoinMitre
	PointCircle
	PointSquare
)

var strategyNames = map[string]StrategyKind{"end_round": EndRound, "end_flat": EndFlat, "join_round": JoinRound, "join_miter": JoinMitre,
	"point_circle": PointCircle, "point_square": PointSquare}

// StrategyOf finds a kind by its name, in any case.
func StrategyOf(name string) (StrategyKind, bool) {
	k, ok := strategyNames[strings.ToLower(name)]
	return k, ok
}

// Measured tells whether a strategy has a number: the points of a circle, or the limit of a mitre.
func (k StrategyKind) Measured() bool { return k != EndFlat && k != PointSquare }

// Strategy is one of those of a buffer.
type Strategy struct {
	Kind    StrategyKind
	Measure float64
}

const strategySize = 12

// Encode writes a strategy as ST_Buffer_Strategy does: the kind and the number, little-endian.
func (s Strategy) Encode() []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(s.Kind))
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(s.Measure))
}

// DecodeStrategy reads what Encode writes.
func DecodeStrategy(b []byte) (s Strategy, ok bool) {
	if len(b) != strategySize {
		return s, false
	}
	s = Strategy{StrategyKind(binary.LittleEndian.Uint32(b)), math.Float64frombits(binary.LittleEndian.Uint64(b[4:]))}
	known := s.Kind >= EndRound && s.Kind <= PointSquare
	return s, known && (!s.Kind.Measured() || s.Measure > 0 && (s.Kind == JoinMitre || s.Measure <= MostPerCircle))
}

// MostPerCircle is how many points a circle may have: MySQL's default of max_points_in_geometry.
const MostPerCircle = 1 << 16

// Buffering is the set of strategies of a buffer, at most one for ends, joins and points each.
type Buffering struct{ end, join, point Strategy }

// NewBuffering sorts strategies. ok is false if two are for the same, or one is of no use for the
// geometry.
func NewBuffering(p Plane, all []Strategy) (b Buffering, ok bool) {
	for _, s := range all {
		of := &b.end
		switch s.Kind {
		case JoinRound, JoinMitre:
			of = &b.join
		case PointCircle, PointSquare:
			of = &b.point
		}
		if of.Kind != 0 || !s.Kind.serves(p) {
			return b, false
		}
		*of = s
	}
	const round = 32
	for of, kind := range map[*Strategy]StrategyKind{&b.end: EndRound, &b.join: JoinRound, &b.point: PointCircle} {
		if of.Kind == 0 {
			*of = Strategy{kind, round}
		}
	}
	return b, true
}

// serves tells whether a strategy may be given for a geometry.
func (k StrategyKind) serves(p Plane) bool {
	switch p.Type() {
	case geom.TypePoint, geom.TypeMultiPoint:
		return k == PointCircle || k == PointSquare
	case geom.TypeLineString, geom.TypeMultiLineString:
		return k <= JoinMitre
	case geom.TypePolygon, geom.TypeMultiPolygon:
		return k == JoinRound || k == JoinMitre
	}
	return true
}

// mostBuffered is how many points a buffer may have before its parts are united.
const mostBuffered = 2 * MostEdges

// Buffer is the area within a distance of p: less than p is, where the distance is negative.
func (p Plane) Buffer(distance float64, b Buffering) (Plane, error) {
	if err := compared(p); err != nil {
		return Plane{}, err
	}
	each := max(b.round(b.end), b.round(b.join), b.round(b.point))
	if p.DumpCoordinates().Length() > mostBuffered/each {
		return Plane{}, ErrComplex
	}
	var parts []geom.Geometry
	for _, g := range p.Dump() {
		part, err := b.part(g, distance)
		if err != nil {
			return Plane{}, err
		}
		if !part.IsEmpty() {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return Plane{geom.GeometryCollection{}.AsGeometry()}, nil
	}
	if len(parts) == 1 {
		return Plane{parts[0]}, nil
	}
	all, err := geom.UnionMany(parts)
	return Plane{all.ForceCCW()}, err
}

// round is how many points a strategy's circle has.
func (b *Buffering) round(s Strategy) int {
	if s.Kind.Measured() && s.Kind != JoinMitre {
		return max(int(s.Measure), 4)
	}
	return 4
}

// part is the buffer of a geometry that is no collection.
func (b *Buffering) part(g geom.Geometry, distance float64) (geom.Geometry, error) {
	if g.IsEmpty() || distance < 0 && g.Dimension() < 2 {
		return geom.Geometry{}, nil
	}
	if g.IsPoint() {
		xy, _ := g.MustAsPoint().XY()
		return b.aroundPoint(xy, distance).AsGeometry(), nil
	}
	most := max(b.round(b.end), b.round(b.join))
	if g.Dimension() == 2 {
		most = b.round(b.join)
	}
	options := []geom.BufferOption{geom.BufferQuadSegments(max(most/4, 1)), geom.BufferSimplifyFactor(0)}
	if b.end.Kind == EndFlat {
		options = append(options, geom.BufferEndCapFlat())
	}
	if b.join.Kind == JoinMitre {
		options = append(options, geom.BufferJoinStyleMitre(b.join.Measure))
	}
	out, err := geom.Buffer(g, distance, options...)
	return out.ForceCCW(), err
}

// aroundPoint is a circle or a square with MySQL's vertices.
func (b *Buffering) aroundPoint(at geom.XY, distance float64) geom.Polygon {
	ring := []float64{at.X - distance, at.Y - distance, at.X + distance, at.Y - distance, at.X + distance, at.Y + distance, at.X - distance, at.Y + distance}
	if b.point.Kind == PointCircle {
		n := max(int(b.point.Measure), 3)
		step, angle := 2*math.Pi/float64(n), 0.0
		ring = make([]float64, 2*n)
		for i := range n { // clockwise, and written from the first on the other way round
			k := (n - i) % n
			ring[2*k], ring[2*k+1] = at.X+distance*libm.Cos(angle), at.Y+distance*libm.Sin(angle)
			angle -= step
		}
	}
	ring = append(ring, ring[0], ring[1])
	return geom.NewPolygon([]geom.LineString{geom.NewLineString(geom.NewSequence(ring, geom.DimXY))})
}
