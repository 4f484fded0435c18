package srs

import (
	"math"
	"reflect"
	"strings"
	"sync"

	"github.com/dolthub/go-mysql-server/sql/types"
)

// System is a spatial reference system.
type System struct {
	ID             uint32  `json:"id"`
	Name           string  `json:"name"`
	Organization   *string `json:"organization,omitempty"`
	OrganizationID uint32  `json:"organization_id,omitempty"`
	Text           string  `json:"definition"` // empty: the plane without units
	Description    *string `json:"description,omitempty"`

	parse func() *Definition
}

// Definition is what the text says; nil for the plane without units.
func (s *System) Definition() *Definition { return s.parse() }

// IsGeographic tells whether coordinates are angles.
func (s *System) IsGeographic() bool {
	return len(s.Text) >= len("GEOGCS") && strings.EqualFold(s.Text[:len("GEOGCS")], "GEOGCS")
}

// LatitudeFirst tells whether the latitude is the first coordinate that texts give. A geometry keeps
// the longitude first.
func (s *System) LatitudeFirst() bool {
	if s == nil || !s.IsGeographic() {
		return false
	}
	d := s.Definition()
	return d.Axes[0] == "NORTH" || d.Axes[0] == "SOUTH"
}

// shortDegree is the degree of EPSG's dataset, for which pi has 15 digits. For coordinates it stands
// for a whole one.
const shortDegree = 0.017453292519943278

// Unit is how many radians the unit of coordinates has.
func (d *Definition) Unit() float64 {
	if d.Angle == shortDegree {
		return math.Pi / 180
	}
	return d.Angle
}

// Ranges are the largest latitude and longitude, in the system's unit of angles.
func (d *Definition) Ranges() (latitude, longitude float64) {
	return math.Pi / 2 / d.Unit(), math.Pi / d.Unit()
}

// MeanRadius is that of the ellipsoid: a third of the sum of its three half axes.
func (d *Definition) MeanRadius() float64 {
	return (2*d.SemiMajor + d.SemiMinor()) / 3
}

// Means tells whether coordinates mean the same under another definition: what has a number needs no
// name.
func (d *Definition) Means(other *Definition) bool {
	return other != nil && reflect.DeepEqual(d.unnamed(), other.unnamed())
}

func (d *Definition) unnamed() Definition {
	out := *d
	out.Name = ""
	if d.Projection == nil {
		return out
	}
	j := *d.Projection
	if needed, known := methods[j.Method]; known {
		j.Name, j.Parameters = "", make([]Parameter, len(needed))
		for i, code := range needed {
			value, _ := d.Projection.Value(code)
			j.Parameters[i] = Parameter{Value: value, Code: code}
		}
	}
	out.Projection = &j
	return out
}

// lazily lets the text be read when it is needed.
func (s *System) lazily() *System {
	s.Text = strings.TrimSpace(s.Text)
	s.parse = sync.OnceValue(func() *Definition {
		d, _ := Parse(s.Text) // a text that was taken before is good
		return d
	})
	return s
}

// Set are the systems that there are. Its methods work on nil: the predefined systems.
type Set struct {
	changed map[uint32]*System // nil: dropped
	read    sync.Map           // predefined systems, by id
}

// NewSet makes a set of the predefined systems and changes to them: systems by id, nil where one was
// dropped.
func NewSet(changed map[uint32]*System) *Set {
	for _, s := range changed {
		if s != nil {
			s.lazily()
		}
	}
	return &Set{changed: changed}
}

// Find returns the system of an id.
func (t *Set) Find(id uint32) (*System, bool) {
	if t == nil {
		return predefined(id)
	}
	if s, changed := t.changed[id]; changed {
		return s, s != nil
	}
	if s, ok := t.read.Load(id); ok {
		return s.(*System), true
	}
	s, ok := predefined(id)
	if ok {
		t.read.Store(id, s)
	}
	return s, ok
}

func predefined(id uint32) (*System, bool) {
	ref, ok := types.SupportedSRIDs[id]
	if !ok {
		return nil, false
	}
	text := strings.Replace(ref.Definition, `uint32([")`, `["`, 1) // the library's text of 2057 is damaged
	s := &System{ID: id, Name: ref.Name, Text: text}
	if name, ok := ref.Organization.(string); ok {
		s.Organization = &name
	}
	s.OrganizationID, _ = ref.OrgCoordsysId.(uint32)
	if text, ok := ref.Description.(string); ok {
		s.Description = &text
	}
	return s.lazily(), true
}

// Each calls f for every system, in no order, until it returns false.
func (t *Set) Each(f func(*System) bool) {
	if t == nil {
		t = &Set{}
	}
	for id := range types.SupportedSRIDs {
		if _, changed := t.changed[id]; changed {
			continue
		}
		if s, _ := t.Find(id); !f(s) {
			return
		}
	}
	for _, s := range t.changed {
		if s != nil && !f(s) {
			return
		}
	}
}
