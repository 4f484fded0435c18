package geometry

import (
	"math"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/wkt"
)

// FromText reads well-known text.
func FromText(text string, srid uint32) (types.GeometryValue, error) {
	p := parser{Reader: wkt.Reader{Rest: text}, srid: srid}
	g, err := p.geometry(1)
	if err != nil {
		return nil, err
	}
	if p.Skip(); p.Rest != "" {
		return nil, ErrInvalid
	}
	return g, nil
}

// parser reads from the front of Rest.
type parser struct {
	wkt.Reader
	srid uint32
}

// word reads a name, in lower case.
func (p *parser) word() string {
	p.Skip()
	end := 0
	for end < len(p.Rest) && end < len("geometrycollection") && (p.Rest[end]|0x20 >= 'a' && p.Rest[end]|0x20 <= 'z') {
		end++
	}
	word := strings.ToLower(p.Rest[:end])
	p.Rest = p.Rest[end:]
	return word
}

// isEmpty reads EMPTY, or parentheses around nothing.
func (p *parser) isEmpty() bool {
	before := p.Rest
	if p.word() == "empty" {
		return true
	}
	if p.Rest = before; p.Take('(') && p.Take(')') {
		return true
	}
	p.Rest = before
	return false
}

func (p *parser) geometry(depth int) (g types.GeometryValue, err error) {
	if depth > MaxDepth {
		return nil, ErrDepth
	}
	switch p.word() {
	case "point":
		return p.inParentheses()
	case "linestring":
		return p.line(2)
	case "polygon":
		return p.polygon()
	case "multipoint":
		points, err := p.points()
		return types.MultiPoint{SRID: p.srid, Points: points}, err
	case "multilinestring":
		lines, err := list(p, func() (types.LineString, error) { return p.line(2) })
		return types.MultiLineString{SRID: p.srid, Lines: lines}, err
	case "multipolygon":
		polygons, err := list(p, p.polygon)
		return types.MultiPolygon{SRID: p.srid, Polygons: polygons}, err
	case "geometrycollection":
		geoms := []types.GeometryValue{}
		if !p.isEmpty() {
			geoms, err = list(p, func() (types.GeometryValue, error) { return p.geometry(depth + 1) })
		}
		return types.GeomColl{SRID: p.srid, Geoms: geoms}, err
	}
	return nil, ErrInvalid
}

// list reads (part, part, ...).
func list[T any](p *parser, part func() (T, error)) ([]T, error) {
	if !p.Take('(') {
		return nil, ErrInvalid
	}
	var out []T
	for {
		one, err := part()
		if err != nil {
			return nil, err
		}
		out = append(out, one)
		if p.Take(')') {
			return out, nil
		}
		if !p.Take(',') {
			return nil, ErrInvalid
		}
	}
}

// points reads those of MULTIPOINT: all of them in parentheses, or none.
func (p *parser) points() ([]types.Point, error) {
	inner := strings.TrimLeft(p.Rest, " \t\r\n\f\v")
	if inner = strings.TrimLeft(strings.TrimPrefix(inner, "("), " \t\r\n\f\v"); strings.HasPrefix(inner, "(") {
		return list(p, p.inParentheses)
	}
	return list(p, p.point)
}

func (p *parser) inParentheses() (types.Point, error) {
	if !p.Take('(') {
		return types.Point{}, ErrInvalid
	}
	point, err := p.point()
	if err == nil && !p.Take(')') {
		err = ErrInvalid
	}
	return point, err
}

func (p *parser) line(low int) (types.LineString, error) {
	points, err := list(p, p.point)
	if err == nil && len(points) < low {
		err = ErrInvalid
	}
	return types.LineString{SRID: p.srid, Points: points}, err
}

func (p *parser) polygon() (types.Polygon, error) {
	lines, err := list(p, func() (types.LineString, error) {
		ring, err := p.line(4)
		if err == nil && !closed(ring.Points) {
			err = ErrInvalid
		}
		return ring, err
	})
	return types.Polygon{SRID: p.srid, Lines: lines}, err
}

func (p *parser) point() (types.Point, error) {
	x, err := p.number()
	if err != nil {
		return types.Point{}, err
	}
	y, err := p.number()
	return types.Point{SRID: p.srid, X: x, Y: y}, err
}

func (p *parser) number() (float64, error) {
	p.Skip()
	end := 0
	for end < len(p.Rest) && strings.IndexByte("0123456789+-.eE", p.Rest[end]) >= 0 {
		end++
	}
	f, err := strconv.ParseFloat(p.Rest[:end], 64)
	if err != nil || math.IsInf(f, 0) {
		return 0, ErrInvalid
	}
	p.Rest = p.Rest[end:]
	return f, nil
}
