package libm

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
)

const digits = 400 // bits of the reference

func number(x float64) *big.Float { return new(big.Float).SetPrec(digits).SetFloat64(x) }

// series adds up terms: each is the last one times x over what next says.
func series(first, x *big.Float, next func(n int) float64) *big.Float {
	total, term := number(0), new(big.Float).Set(first)
	for n := 1; term.Sign() != 0 && (total.Sign() == 0 || term.MantExp(nil) > total.MantExp(nil)-digits); n++ {
		total.Add(total, term)
		term.Mul(term, x)
		term.Quo(term, number(next(n)))
	}
	return total
}

func bigExp(x *big.Float) *big.Float {
	if x.Sign() < 0 { // the terms would cancel each other
		return new(big.Float).Quo(number(1), bigExp(new(big.Float).Neg(x)))
	}
	return series(number(1), x, func(n int) float64 { return float64(n) })
}

func bigSin(x *big.Float) *big.Float {
	square := new(big.Float).Mul(x, x)
	return series(x, square.Neg(square), func(n int) float64 { return float64(2*n) * float64(2*n+1) })
}

func bigCos(x *big.Float) *big.Float {
	square := new(big.Float).Mul(x, x)
	return series(number(1), square.Neg(square), func(n int) float64 { return float64(2*n-1) * float64(2*n) })
}

// solved finds x with f(x) = y by Newton's way; f grows by about slope.
func solved(guess float64, y *big.Float, f, slope func(*big.Float) *big.Float) *big.Float {
	x := number(guess)
	for range 5 {
		miss := new(big.Float).Sub(y, f(x))
		x.Add(x, miss.Quo(miss, slope(x)))
	}
	return x
}

func bigLog(x *big.Float) *big.Float {
	v, _ := x.Float64()
	return solved(math.Log(v), x, bigExp, bigExp)
}

func nearest(x *big.Float) float64 {
	v, _ := x.Float64()
	return v
}

// Results are the nearest doubles to the true values.
func TestNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(testkit.Seed(t), 0))
	check := func(name string, got float64, want *big.Float, args ...float64) {
		require.Equal(t, nearest(want), got, "%s(%v)", name, args)
	}
	for range 400 {
		x := (r.Float64() - 0.5) * math.Exp(r.Float64()*8-4)
		check("exp", Exp(x), bigExp(number(x)), x)
		check("sin", Sin(x), bigSin(number(x)), x)
		check("cos", Cos(x), bigCos(number(x)), x)
		check("tan", Tan(x), new(big.Float).Quo(bigSin(number(x)), bigCos(number(x))), x)
		u := r.Float64()*2 - 1
		check("asin", Asin(u), solved(math.Asin(u), number(u), bigSin, bigCos), u)
		check("acos", Acos(u), solved(math.Acos(u), number(u), bigCos, func(x *big.Float) *big.Float { return new(big.Float).Neg(bigSin(x)) }), u)
		tangent := func(x *big.Float) *big.Float { return new(big.Float).Quo(bigSin(x), bigCos(x)) }
		steep := func(x *big.Float) *big.Float { s := tangent(x); return s.Add(number(1), s.Mul(s, s)) }
		check("atan", Atan(x), solved(math.Atan(x), number(x), tangent, steep), x)
		p := math.Abs(x) + 1e-3
		ln := bigLog(number(p))
		check("log", Log(p), ln, p)
		check("log2", Log2(p), new(big.Float).Quo(ln, bigLog(number(2))), p)
		require.InEpsilon(t, nearest(new(big.Float).Quo(ln, bigLog(number(10)))), Log10(p), 5e-16)
		y := (r.Float64() - 0.5) * 20
		for _, y := range []float64{y, math.Round(y * 10)} {
			check("pow", Pow(p, y), bigExp(new(big.Float).Mul(ln, number(y))), p, y)
		}
	}
}

// Special values are those of the standard library.
func TestSpecialValues(t *testing.T) {
	special := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, -math.MaxFloat64, 1e300, 1e-300, 2, 0.5, 710, -746}
	same := func(name string, want, got float64, args ...float64) {
		if math.IsNaN(want) {
			require.True(t, math.IsNaN(got), "%s(%v) is %v", name, args, got)
			return
		}
		require.Equal(t, math.IsInf(want, 0), math.IsInf(got, 0), "%s(%v)", name, args)
		require.Equal(t, math.Signbit(want), math.Signbit(got), "%s(%v)", name, args)
		if math.IsInf(want, 0) {
			return
		}
		require.InEpsilon(t, 1+math.Abs(want), 1+math.Abs(got), 1e-13, "%s(%v)", name, args)
	}
	for _, x := range special {
		same("exp", math.Exp(x), Exp(x), x)
		same("log", math.Log(x), Log(x), x)
		same("log2", math.Log2(x), Log2(x), x)
		same("log10", math.Log10(x), Log10(x), x)
		same("sin", math.Sin(x), Sin(x), x)
		same("cos", math.Cos(x), Cos(x), x)
		same("tan", math.Tan(x), Tan(x), x)
		same("asin", math.Asin(x), Asin(x), x)
		same("acos", math.Acos(x), Acos(x), x)
		same("atan", math.Atan(x), Atan(x), x)
		for _, y := range special {
			same("pow", math.Pow(x, y), Pow(x, y), x, y)
			same("atan2", math.Atan2(x, y), Atan2(x, y), x, y)
		}
	}
	for n := range 300 {
		require.Equal(t, float64(n), Log10(math.Pow10(n)))
		require.Equal(t, float64(n), Log2(math.Ldexp(1, n)))
	}
	require.Equal(t, -744.4400719213812, Log(math.SmallestNonzeroFloat64))
	require.Equal(t, -0.8522008497671888, Sin(1e22)) // a value that is known for that
	require.Equal(t, 1024.0, Pow(2, 10))
	require.Equal(t, -8.0, Pow(-2, 3))
	require.Equal(t, 3.0, Pow(9, 0.5))
}

func BenchmarkPow(b *testing.B) {
	for b.Loop() {
		Pow(1.1, 2.2)
	}
}

func BenchmarkSin(b *testing.B) {
	for b.Loop() {
		Sin(1.1)
	}
}
