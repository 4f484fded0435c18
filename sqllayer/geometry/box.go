package geometry

// box is the smallest rectangle around a geometry; it may have no width or no height.
type box struct{ minX, minY, maxX, maxY float64 }

// boxes makes a relation of one between the boxes of geometries.
func boxes(f func(a, b box) bool) Relation {
	return func(a, b Plane) (bool, bool, error) {
		if a.IsEmpty() || b.IsEmpty() {
			return false, false, nil
		}
		return f(a.box(), b.box()), true, nil
	}
}

func (p Plane) box() box {
	low, high, _ := p.Envelope().MinMaxXYs()
	return box{low.X, low.Y, high.X, high.Y}
}

func (a box) meets(b box) bool {
	return a.minX <= b.maxX && b.minX <= a.maxX && a.minY <= b.maxY && b.minY <= a.maxY
}

func (a box) coveredBy(b box) bool {
	return a.minX >= b.minX && a.maxX <= b.maxX && a.minY >= b.minY && a.maxY <= b.maxY
}

// within is coveredBy, if not only the border of b covers a.
func (a box) within(b box) bool { return a.coveredBy(b) && a.interior(b) }

// interior reports whether the boxes have points in common that are on the border of neither.
func (a box) interior(b box) bool {
	return common(a.minX, a.maxX, b.minX, b.maxX) && common(a.minY, a.maxY, b.minY, b.maxY)
}

// common reports whether two intervals have inner points in common. One of no length is its own
// inner point.
func common(a, b, c, d float64) bool {
	switch {
	case a == b && c == d:
		return a == c
	case a == b:
		return c < a && a < d
	case c == d:
		return a < c && c < b
	}
	return max(a, c) < min(b, d)
}

// overlaps reports whether each box has inner points in the other, and others outside.
func (a box) overlaps(b box) bool { return a.interior(b) && !a.coveredBy(b) && !b.coveredBy(a) }
