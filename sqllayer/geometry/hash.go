package geometry

import (
	"math"
	"strings"
)

// Geohashes: each character halves the rectangle that a place lies in five times, east and west,
// north and south in turn.

// MostHash is the most characters of a geohash.
const MostHash = 100

const hashDigits = "0123456789bcdefghjkmnpqrstuvwxyz"

// span is the part of longitudes or latitudes that a place lies in.
type span struct{ low, high float64 }

func (s *span) middle() float64 { return (s.low + s.high) / 2 }

func (s *span) halve(upper bool) {
	if m := s.middle(); upper {
		s.low = m
	} else {
		s.high = m
	}
}

// Hash is the geohash of a place, of at most so many characters. It ends where the middle of the
// rectangle is the place.
func Hash(long, lat float64, most int) string {
	spans, places := [2]span{{-180, 180}, {-90, 90}}, [2]float64{long, lat}
	var out strings.Builder
	for bit := 0; out.Len() < most; {
		digit := 0
		for range 5 {
			at := bit % 2
			upper := places[at] >= spans[at].middle()
			spans[at].halve(upper)
			digit *= 2
			if upper {
				digit++
			}
			bit++
		}
		out.WriteByte(hashDigits[digit])
		if spans[0].middle() == long && spans[1].middle() == lat {
			break
		}
	}
	return out.String()
}

// FromHash is a place in the rectangle of a geohash: its middle, with as few digits as there are
// places of that many digits in the rectangle. ok is false of what is no geohash.
func FromHash(hash string) (long, lat float64, ok bool) {
	spans := [2]span{{-180, 180}, {-90, 90}}
	bit := 0
	for _, c := range strings.ToLower(hash) {
		digit := strings.IndexRune(hashDigits, c)
		if digit < 0 {
			return 0, 0, false
		}
		for mask := 16; mask > 0; mask /= 2 {
			spans[bit%2].halve(digit&mask != 0)
			bit++
		}
	}
	return spans[0].shortest(), spans[1].shortest(), hash != ""
}

// shortest is the middle with the fewest digits behind the point that are enough to stay in s.
func (s *span) shortest() float64 {
	m := s.middle()
	for digits, power := 0, 1.0; digits < 17; digits, power = digits+1, power*10 {
		if v := math.RoundToEven(m*power) / power; s.low <= v && v <= s.high {
			return v + 0 // no negative zero
		}
	}
	return m
}
