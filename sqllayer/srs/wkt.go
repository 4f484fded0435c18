package srs

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"emberdb/sqllayer/wkt"
)

// ErrSyntax is the error of a text that is no definition.
var ErrSyntax = errors.New("no definition of a spatial reference system")

// Definition is what a well-known text says of a system.
type Definition struct {
	Name string

	SemiMajor         float64 // in metres
	InverseFlattening float64 // 0: a sphere
	ToWGS84           []float64
	Meridian          float64 // the prime meridian's longitude, in the angular unit
	Angle             float64 // radians of the angular unit
	Axes              [2]string

	Projection *Projection // nil: the system is geographic
}

// Projection is how a projected system comes of its geographic one.
type Projection struct {
	Name       string
	Method     int // EPSG's number, 0 if none is given
	Parameters []Parameter
	Length     float64 // metres of the linear unit
}

// Parameter is a parameter of a projection. Code is EPSG's number, 0 if none is given.
type Parameter struct {
	Name  string
	Value float64
	Code  int
}

// Parse reads a definition.
func Parse(text string) (*Definition, error) {
	p := parser{Reader: wkt.Reader{Rest: text}}
	var d *Definition
	if p.keyword() == "PROJCS" {
		d = p.projected()
	} else {
		d = p.geographic()
	}
	if p.Skip(); p.failed || p.Rest != "" {
		return nil, ErrSyntax
	}
	return d, nil
}

// parser reads from the front of Rest. After a failure it reads nothing more.
type parser struct {
	wkt.Reader
	failed bool
}

func (p *parser) fail() { p.failed, p.Rest = true, "" }

// keyword is the name of the element that follows, in capitals.
func (p *parser) keyword() string {
	p.Skip()
	end := 0
	for end < len(p.Rest) && (isLetter(p.Rest[end]) || p.Rest[end] >= '0' && p.Rest[end] <= '9') {
		end++
	}
	return strings.ToUpper(p.Rest[:end])
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func (p *parser) expect(c byte) {
	if !p.Take(c) {
		p.fail()
	}
}

// open reads the name of an element and its bracket, and returns the bracket that ends it.
func (p *parser) open(name string) (end byte) {
	if p.keyword() != name {
		p.fail()
		return 0
	}
	p.Rest = p.Rest[len(name):]
	if p.Take('(') {
		return ')'
	}
	p.expect('[')
	return ']'
}

// follows reads a comma if the named element is behind it.
func (p *parser) follows(name string) bool {
	before := p.Rest
	if p.Take(',') && p.keyword() == name {
		return true
	}
	p.Rest = before
	return false
}

// text reads a text between quotation marks, which must not be empty.
func (p *parser) text() string {
	p.expect('"')
	end := strings.IndexByte(p.Rest, '"')
	if end <= 0 {
		p.fail()
		return ""
	}
	text := p.Rest[:end]
	p.Rest = p.Rest[end+1:]
	return text
}

// number reads a number behind a comma.
func (p *parser) number() float64 {
	p.expect(',')
	return p.value()
}

func (p *parser) value() float64 {
	p.Skip()
	end := 0
	for end < len(p.Rest) && strings.IndexByte("+-.0123456789eE", p.Rest[end]) >= 0 {
		end++
	}
	n, err := strconv.ParseFloat(p.Rest[:end], 64)
	if err != nil || math.IsInf(n, 0) {
		p.fail()
		return 0
	}
	p.Rest = p.Rest[end:]
	return n
}

// authority reads an authority behind a comma, if there is one, and returns EPSG's number.
func (p *parser) authority() (code int) {
	if !p.follows("AUTHORITY") {
		return 0
	}
	end := p.open("AUTHORITY")
	name := p.text()
	p.expect(',')
	number := p.text()
	p.expect(end)
	if strings.EqualFold(name, "EPSG") {
		code, _ = strconv.Atoi(strings.TrimSpace(number))
	}
	return code
}

// named reads an element of a name, a number and an authority.
func (p *parser) named(element string) (name string, value float64, code int) {
	end := p.open(element)
	name, value = p.text(), p.number()
	code = p.authority()
	p.expect(end)
	return name, value, code
}

// geographic reads GEOGCS.
func (p *parser) geographic() *Definition {
	d := &Definition{}
	end := p.open("GEOGCS")
	d.Name = p.text()
	p.expect(',')
	p.datum(d)
	p.expect(',')
	_, d.Meridian, _ = p.named("PRIMEM")
	p.expect(',')
	_, d.Angle, _ = p.named("UNIT")
	p.expect(',')
	d.Axes = p.axes()
	p.authority()
	p.expect(end)
	return d
}

// datum reads DATUM: an ellipsoid, and how far its middle is from that of WGS 84.
func (p *parser) datum(d *Definition) {
	end := p.open("DATUM")
	p.text()
	p.expect(',')
	ball := p.open("SPHEROID")
	p.text()
	d.SemiMajor, d.InverseFlattening = p.number(), p.number()
	p.authority()
	p.expect(ball)
	if p.follows("TOWGS84") {
		shift := p.open("TOWGS84")
		d.ToWGS84 = []float64{p.value()}
		for range 6 {
			d.ToWGS84 = append(d.ToWGS84, p.number())
		}
		p.expect(shift)
	}
	p.authority()
	p.expect(end)
}

// axes reads two axes and returns where they point.
func (p *parser) axes() (out [2]string) {
	for i := range out {
		if i > 0 {
			p.expect(',')
		}
		end := p.open("AXIS")
		p.text()
		p.expect(',')
		switch out[i] = p.keyword(); out[i] {
		case "NORTH", "SOUTH", "EAST", "WEST", "OTHER":
			p.Rest = p.Rest[len(out[i]):]
		default:
			p.fail()
		}
		p.expect(end)
	}
	return out
}

// projected reads PROJCS.
func (p *parser) projected() *Definition {
	end := p.open("PROJCS")
	name := p.text()
	p.expect(',')
	d := p.geographic()
	d.Name = name
	p.expect(',')
	j := &Projection{}
	how := p.open("PROJECTION")
	j.Name = p.text()
	j.Method = p.authority()
	p.expect(how)
	for p.follows("PARAMETER") {
		var a Parameter
		a.Name, a.Value, a.Code = p.named("PARAMETER")
		j.Parameters = append(j.Parameters, a)
	}
	p.expect(',')
	_, j.Length, _ = p.named("UNIT")
	if p.follows("AXIS") {
		p.axes()
	}
	p.authority()
	p.expect(end)
	d.Projection = j
	return d
}
