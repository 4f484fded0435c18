package libm

import "math"

// pair is the sum of two doubles, the second no more than half a unit in the last place of the
// first.
type pair struct{ hi, lo float64 }

// sum is the exact sum of two doubles.
func sum(a, b float64) pair {
	s := a + b
	t := s - a
	return pair{s, (a - (s - t)) + (b - t)}
}

// product is the exact product of two doubles.
func product(a, b float64) pair {
	p := a * b
	return pair{p, math.FMA(a, b, -p)}
}

func (a pair) plus(b pair) pair {
	s, t := sum(a.hi, b.hi), sum(a.lo, b.lo)
	s = sum(s.hi, s.lo+t.hi)
	return sum(s.hi, s.lo+t.lo)
}

func (a pair) minus(b pair) pair { return a.plus(pair{-b.hi, -b.lo}) }

func (a pair) times(b pair) pair {
	p := product(a.hi, b.hi)
	return sum(p.hi, p.lo+(a.hi*b.lo+a.lo*b.hi))
}

func (a pair) over(b pair) pair {
	q := a.hi / b.hi
	rest := a.minus(b.times(pair{q, 0}))
	r := rest.hi / b.hi
	rest = rest.minus(b.times(pair{r, 0}))
	return sum(q, r).plus(pair{rest.hi / b.hi, 0})
}

// scaled multiplies with a power of two.
func (a pair) scaled(f float64) pair { return pair{a.hi * f, a.lo * f} }

// root is the square root; a is not negative.
func (a pair) root() pair {
	if a.hi == 0 {
		return pair{}
	}
	s := math.Sqrt(a.hi)
	rest := a.minus(product(s, s))
	return sum(s, rest.hi/(2*s))
}

func (a pair) value() float64 { return a.hi + a.lo }

var one = pair{1, 0}

// inverses[n] is 1/n!.
var inverses = func() (all [30]pair) {
	all[0] = one
	for n := 1; n < len(all); n++ {
		all[n] = all[n-1].over(pair{float64(n), 0})
	}
	return all
}()
