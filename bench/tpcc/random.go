package tpcc

import (
	"math/rand/v2"
)

// The run-time constants C of NURand (2.1.6). The C for last names at run time keeps the distance
// the specification asks of it (2.1.6.1: between 65 and 119, neither 96 nor 112) from the one used
// for loading, which is fixed so that any number of load and run commands fit together.
const (
	cLastLoad = 157
	cLastRun  = 223
	cCustomer = 259
	cItem     = 4711
)

var nameSyllables = [10]string{"BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING"}

// gen is a terminal's or loader's source of random values (4.3.2).
type gen struct{ *rand.Rand }

func newGen(seed, stream uint64) gen { return gen{rand.New(rand.NewPCG(seed, stream))} }

// uniform returns a value in [lo, hi].
func (g gen) uniform(lo, hi int) int { return lo + g.IntN(hi-lo+1) }

// nuRand is the non-uniform distribution of 2.1.6 over [lo, hi].
func (g gen) nuRand(a, c, lo, hi int) int {
	return (((g.uniform(0, a) | g.uniform(lo, hi)) + c) % (hi - lo + 1)) + lo
}

func (g gen) customerID(sc *scale) int { return g.nuRand(1023, cCustomer, 1, sc.customersPerDistrict) }
func (g gen) itemID(sc *scale) int     { return g.nuRand(8191, cItem, 1, sc.items) }

// lastNameRun picks a name that exists: names are drawn from the first 1000 customers of a
// district.
func (g gen) lastNameRun(sc *scale) string {
	return lastName(g.nuRand(255, cLastRun, 0, min(999, sc.customersPerDistrict-1)))
}

func lastName(n int) string {
	return nameSyllables[n/100%10] + nameSyllables[n/10%10] + nameSyllables[n%10]
}

const (
	alphanumeric = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	letters      = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits       = "0123456789"
)

// appendFrom appends between lo and hi characters of set.
func (g gen) appendFrom(b []byte, set string, lo, hi int) []byte {
	for n := g.uniform(lo, hi); n > 0; n-- {
		b = append(b, set[g.IntN(len(set))])
	}
	return b
}

// appendData appends I_DATA or S_DATA: 26 to 50 characters, with "ORIGINAL" in 10 % of them
// (4.3.3.1).
func (g gen) appendData(b []byte) []byte {
	start := len(b)
	b = g.appendFrom(b, alphanumeric, 26, 50)
	if g.IntN(10) == 0 {
		copy(b[start+g.IntN(len(b)-start-8+1):], "ORIGINAL")
	}
	return b
}

// appendZip appends four digits and 11111 (4.3.2.7).
func (g gen) appendZip(b []byte) []byte { return append(g.appendFrom(b, digits, 4, 4), "11111"...) }

// permutation of 1..n.
func (g gen) permutation(n int) []int {
	p := g.Perm(n)
	for i := range p {
		p[i]++
	}
	return p
}
