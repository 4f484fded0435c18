package srs

import (
	"math"
	"slices"
	"strings"

	"emberdb/sqllayer/sqlerr"
)

// Define reads the definition of a system that a statement makes, and refuses what MySQL refuses.
func Define(id uint32, text string) (*Definition, error) {
	d, err := Parse(text)
	if err != nil {
		return nil, sqlerr.NewError(3517, "Can't parse the spatial reference system definition of SRID %d.", id)
	}
	if err := d.checkEarth(id); err != nil {
		return nil, err
	}
	if d.Projection != nil {
		return d, d.checkProjection(id)
	}
	return d, nil
}

// checkEarth looks at the geographic part.
func (d *Definition) checkEarth(id uint32) error {
	northSouth := func(axis string) bool { return axis == "NORTH" || axis == "SOUTH" }
	eastWest := func(axis string) bool { return axis == "EAST" || axis == "WEST" }
	meridian := d.Meridian * d.Angle
	switch a, b := d.Axes[0], d.Axes[1]; {
	case !(d.SemiMajor > 0):
		return sqlerr.NewError(3737, "The length of the semi-major axis must be a positive number.")
	case d.InverseFlattening != 0 && !(d.InverseFlattening > 1):
		return sqlerr.NewError(3738, "The inverse flattening must be larger than 1.0, or 0.0 if the ellipsoid is a sphere.")
	case !(d.Angle > 0):
		return sqlerr.NewError(3739, "The angular unit conversion factor must be a positive number.")
	case !(meridian > -math.Pi && meridian <= math.Pi):
		return sqlerr.NewError(3740, "The prime meridian must be within (-180, 180] degrees, specified in the SRS angular unit.")
	case !(northSouth(a) && eastWest(b) || eastWest(a) && northSouth(b)):
		return sqlerr.NewError(3736, "The spatial reference system definition for SRID %d specifies invalid geographic axes '%s' and '%s'. "+
			"One axis must be NORTH or SOUTH and the other must be EAST or WEST.", id, a, b)
	}
	return nil
}

// checkProjection looks at the parameters of a method that is known.
func (d *Definition) checkProjection(id uint32) error {
	needed, known := methods[d.Projection.Method]
	if !known {
		return nil
	}
	for _, p := range d.Projection.Parameters {
		if !slices.ContainsFunc(needed, p.is) {
			return sqlerr.NewError(4107, "The spatial reference system definition for SRID %d contains unused projection parameter \"%s\".", id, p.Name)
		}
	}
	for _, code := range needed {
		value, given := d.Projection.Value(code)
		if !given {
			return sqlerr.NewError(3518, "The spatial reference system definition for SRID %d does not specify the mandatory %s (EPSG %d) projection parameter.",
				id, parameters[code].name, code)
		}
		if err := d.checkParameter(parameters[code].of, value); err != nil {
			return err
		}
	}
	return nil
}

// is tells whether a parameter is the one of EPSG's number: by its number or, without one, by name.
func (p Parameter) is(code int) bool {
	return p.Code == code || p.Code == 0 && strings.EqualFold(p.Name, parameters[code].name)
}

// Value is a parameter by EPSG's number.
func (j *Projection) Value(code int) (value float64, given bool) {
	for _, p := range j.Parameters {
		if p.is(code) {
			return p.Value, true
		}
	}
	return 0, false
}

func (d *Definition) checkParameter(of quantity, value float64) error {
	angle := value * d.Angle
	switch {
	case of == latitude && d.Projection.Method == polarA && math.Abs(angle) < math.Pi/2-1e-12:
		return sqlerr.NewError(4127, "Latitude of origin must be +-90 degrees, specified in the SRS angular unit, "+
			"in Polar Stereographic (variant A) projection method (EPSG:9810).")
	case of == latitude && !(math.Abs(angle) <= math.Pi/2):
		return sqlerr.NewError(4105, "Latitude of origin must be within [-90, 90] degrees, specified in the SRS angular unit.")
	case of == longitude && !(angle > -math.Pi && angle <= math.Pi):
		return sqlerr.NewError(4106, "Longitude of origin must be within (-180, 180] degrees, specified in the SRS angular unit.")
	case of == scale && value < 0:
		return sqlerr.NewError(4125, "Scaling parameter must be non negative.")
	case of == height && value < 0:
		return sqlerr.NewError(4124, "Height parameter must be non negative.")
	case of == zoneWidth && !(value >= 1 && value <= 60 && value == math.Trunc(value)):
		return sqlerr.NewError(4126, "Zone width parameter must be an integer between 1-60.")
	}
	return nil
}
