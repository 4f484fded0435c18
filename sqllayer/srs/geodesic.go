package srs

import (
	"math"

	"emberdb/internal/libm"
)

// Distance is the way between two places of the ellipsoid in metres, as Andoyer and Lambert
// approximate it to the first order of the flattening: the angle between them on a ball, and what the
// flattening adds. Along a meridian it is Helmert's series of the same order. Longitudes and latitudes
// are in the system's unit of angles.
func (d *Definition) Distance(lon1, lat1, lon2, lat2 float64) float64 {
	lon1, lat1, lon2, lat2 = lon1*d.Angle, lat1*d.Angle, lon2*d.Angle, lat2*d.Angle
	if lon1 == lon2 {
		return math.Abs(d.meridianArc(lat2) - d.meridianArc(lat1))
	}
	sin1, sin2 := libm.Sin(lat1), libm.Sin(lat2)
	cosine := sin1*sin2 + libm.Cos(lat1)*libm.Cos(lat2)*libm.Cos(lon2-lon1)
	cosine = min(max(cosine, -1), 1)
	angle := libm.Acos(cosine)
	sines := 3 * libm.Sin(angle)
	near, far := 0.0, 0.0 // of places that are one, and of antipodes
	if rest := 1 - cosine; rest > epsilon {
		near = (angle + sines) / rest
	}
	if rest := 1 + cosine; rest > epsilon {
		far = (angle - sines) / rest
	}
	difference, sum := (sin1-sin2)*(sin1-sin2), (sin1+sin2)*(sin1+sin2)
	return d.SemiMajor * (angle - d.flattening()/4*(near*difference+far*sum))
}

// epsilon is the distance from 1 to the next number.
const epsilon = 0x1p-52

// meridianArc is how far a latitude in radians is from the equator.
func (d *Definition) meridianArc(latitude float64) float64 {
	n := d.flattening() / (2 - d.flattening())
	return d.SemiMajor / (1 + n) * (latitude - 1.5*n*libm.Sin(2*latitude))
}

// SemiMinor is the shorter half axis of the ellipsoid.
func (d *Definition) SemiMinor() float64 {
	if d.InverseFlattening == 0 {
		return d.SemiMajor
	}
	return d.SemiMajor - d.SemiMajor/d.InverseFlattening
}

func (d *Definition) flattening() float64 { return (d.SemiMajor - d.SemiMinor()) / d.SemiMajor }
