package libm

import (
	"math"
	"math/big"
	"sync"
)

var (
	ln2 = pair{0.6931471805599453, 2.3190468138462996e-17}

	halfPi = [3]float64{1.5707963267948966, 6.123233995736766e-17, -1.4973849048591833e-33}
)

// reduced is the largest argument of a sine that is brought near zero with halfPi. The few larger
// ones are brought there with as many digits as it takes.
const reduced = 1 << 24

const piBits = 1200 // more than the exponent of a double and its digits

// wholePi is pi with piBits digits, by Machin's formula.
var wholePi = sync.OnceValue(func() *big.Float {
	arc := func(n int64) *big.Float { // the arc tangent of 1/n
		total, term := new(big.Float).SetPrec(piBits), new(big.Float).SetPrec(piBits).SetInt64(1)
		term.Quo(term, new(big.Float).SetInt64(n))
		for k := int64(1); term.MantExp(nil) > -piBits; k += 2 {
			part := new(big.Float).SetPrec(piBits).Quo(term, new(big.Float).SetInt64(k))
			if k&2 != 0 {
				part.Neg(part)
			}
			total.Add(total, part)
			term.Quo(term, new(big.Float).SetInt64(n*n))
		}
		return total
	}
	a, b := arc(5), arc(239)
	a.Mul(a, big.NewFloat(16))
	return a.Sub(a, b.Mul(b, big.NewFloat(4)))
})

// nearZero takes quarters of the circle off an angle, and tells how many, modulo 4.
func nearZero(x float64) (rest pair, quarters int64) {
	if math.Abs(x) <= reduced {
		n := math.Round(x / halfPi[0])
		r := product(-n, halfPi[0])
		r = sum(x, r.hi).plus(pair{r.lo, 0})
		return r.plus(product(-n, halfPi[1])).plus(pair{-n * halfPi[2], 0}), int64(n) & 3
	}
	quarter := new(big.Float).SetPrec(piBits).Quo(wholePi(), big.NewFloat(2))
	value := new(big.Float).SetPrec(piBits).SetFloat64(x)
	count := new(big.Float).SetPrec(piBits).Quo(value, quarter)
	whole, _ := count.Add(count, big.NewFloat(math.Copysign(0.5, x))).Int(nil)
	value.Sub(value, quarter.Mul(quarter, new(big.Float).SetPrec(piBits).SetInt(whole)))
	rest.hi, _ = value.Float64()
	rest.lo, _ = value.Sub(value, new(big.Float).SetFloat64(rest.hi)).Float64()
	return rest, new(big.Int).And(whole, big.NewInt(3)).Int64()
}

// exponential is e to the power of x, over 2 to the power of k. REQUIRES: |x| < 800.
func exponential(x pair) (_ pair, k int) {
	const halvings = 8
	n := math.Round(x.hi / ln2.hi)
	r := x.minus(ln2.times(pair{n, 0})).scaled(1.0 / (1 << halvings))
	less := inverses[10] // e^r - 1, over r
	for i := 9; i > 0; i-- {
		less = less.times(r).plus(inverses[i])
	}
	less = less.times(r)
	for range halvings { // of twice the argument
		less = less.scaled(2).plus(less.times(less))
	}
	return less.plus(one), int(n)
}

// Exp is e to the power of x.
func Exp(x float64) float64 {
	if !(math.Abs(x) < 745) {
		return math.Exp(x)
	}
	e, k := exponential(pair{x, 0})
	return math.Ldexp(e.value(), k)
}

// logarithm is that of a positive finite number.
func logarithm(x float64) pair {
	f, k := math.Frexp(x) // a subnormal's logarithm has a large guess error
	if f < math.Sqrt2/2 {
		f, k = f*2, k-1
	}
	guess := math.Log(f)
	e, n := exponential(pair{-guess, 0})
	t := e.scaled(math.Ldexp(1, n)).times(pair{f, 0}).minus(one) // x over e^guess, less 1
	return ln2.times(pair{float64(k), 0}).plus(pair{guess, 0}.plus(t.minus(t.times(t).scaled(0.5))))
}

func ordinary(x float64) bool { return x > 0 && !math.IsInf(x, 1) }

// Log is the natural logarithm.
func Log(x float64) float64 {
	if !ordinary(x) || x == 1 {
		return math.Log(x)
	}
	return logarithm(x).value()
}

// Log2 is the logarithm to the base 2.
func Log2(x float64) float64 {
	if !ordinary(x) || x == 1 {
		return math.Log2(x)
	}
	return logarithm(x).over(ln2).value()
}

// Log10 is the logarithm to the base 10. The C libraries' is less exact than their others: they add
// up those of a power of two, in two parts, and of what is left, as here.
func Log10(x float64) float64 {
	if !ordinary(x) {
		return math.Log10(x)
	}
	const (
		perLn    = 0.4342944819032518
		perTwo   = 0.30102999566361177
		perTwoLo = 3.694239077158931e-13
	)
	f, k := math.Frexp(x)
	if k--; k >= 0 {
		f *= 2
	} else {
		k++
	}
	n := float64(k)
	low := n*perTwoLo + float64(perLn*Log(f))
	return low + float64(n*perTwo)
}

// Pow is x to the power of y.
func Pow(x, y float64) float64 {
	special := math.Pow(x, y)
	if special == 0 || math.IsInf(special, 0) || math.IsNaN(special) || x == 1 || x == -1 || y == 0 || y == 1 {
		return special
	}
	if n := math.Abs(y); n == math.Trunc(n) && n <= mostFactors {
		if p, ok := powers(x, int(n)); ok {
			if y < 0 {
				p = one.over(p)
			}
			return p.value()
		}
	}
	exponent := logarithm(math.Abs(x)).times(pair{y, 0})
	if !(math.Abs(exponent.hi) < 745) {
		return special
	}
	e, k := exponential(exponent)
	return math.Copysign(math.Ldexp(e.value(), k), special)
}

// mostFactors is up to which exponent a power is multiplied out.
const mostFactors = 1 << 10

// powers multiplies n times. ok is false where pairs lose digits, near the ends of the doubles.
func powers(x float64, n int) (p pair, ok bool) {
	p = one
	for square := (pair{x, 0}); ; square = square.times(square) {
		if n&1 != 0 {
			p = p.times(square)
		}
		if size := math.Abs(square.hi); size < 1e-130 || size > 1e130 {
			return p, false
		}
		if n >>= 1; n == 0 {
			size := math.Abs(p.hi)
			return p, size > 1e-130 && size < 1e130
		}
	}
}

// sineCosine are the sine and the cosine of a finite x.
func sineCosine(x float64) (sine, cosine pair) {
	r, quarters := nearZero(x)
	square := r.times(r)
	sine, cosine = inverses[27], inverses[28]
	for i := 26; i >= 0; i -= 2 {
		cosine = inverses[i].minus(cosine.times(square))
		if i > 0 {
			sine = inverses[i-1].minus(sine.times(square))
		}
	}
	sine = sine.times(r)
	minus := func(a pair) pair { return pair{-a.hi, -a.lo} }
	switch quarters {
	case 1:
		return cosine, minus(sine)
	case 2:
		return minus(sine), minus(cosine)
	case 3:
		return minus(cosine), sine
	}
	return sine, cosine
}

func finite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }

// Sin is the sine of x radians.
func Sin(x float64) float64 {
	if !finite(x) || x == 0 {
		return math.Sin(x)
	}
	s, _ := sineCosine(x)
	return s.value()
}

// Cos is the cosine of x radians.
func Cos(x float64) float64 {
	if !finite(x) {
		return math.Cos(x)
	}
	_, c := sineCosine(x)
	return c.value()
}

// Tan is the tangent of x radians.
func Tan(x float64) float64 {
	if !finite(x) || x == 0 {
		return math.Tan(x)
	}
	s, c := sineCosine(x)
	return s.over(c).value()
}

// angle brings a guess of the angle of (x, y) nearer.
func angle(y, x pair, guess float64) float64 {
	s, c := sineCosine(guess)
	beside := y.times(c).minus(x.times(s))
	along := x.times(c).plus(y.times(s))
	return pair{guess, 0}.plus(beside.over(along)).value()
}

// Atan is the arc tangent.
func Atan(x float64) float64 {
	if guess := math.Atan(x); x != 0 && !math.IsInf(x, 0) && !math.IsNaN(x) {
		return angle(pair{x, 0}, one, guess)
	}
	return math.Atan(x)
}

// Atan2 is the angle of the point (x, y).
func Atan2(y, x float64) float64 {
	guess := math.Atan2(y, x)
	if small, large := min(math.Abs(x), math.Abs(y)), max(math.Abs(x), math.Abs(y)); small < 1e-150 || large > 1e150 || math.IsNaN(guess) {
		return guess // exact, or of no use for pairs
	}
	return angle(pair{y, 0}, pair{x, 0}, guess)
}

// besideUnit is the square root of 1 - x^2. REQUIRES: |x| <= 1.
func besideUnit(x float64) pair { return one.minus(product(x, x)).root() }

// Asin is the arc sine.
func Asin(x float64) float64 {
	guess := math.Asin(x)
	if !(math.Abs(x) <= 1) || x == 0 || math.Abs(x) < 1e-150 {
		return guess
	}
	return angle(pair{x, 0}, besideUnit(x), guess)
}

// Acos is the arc cosine.
func Acos(x float64) float64 {
	guess := math.Acos(x)
	if !(math.Abs(x) <= 1) || x == 1 {
		return guess
	}
	return angle(besideUnit(x), pair{x, 0}, guess)
}
