package oltp

import (
	"fmt"
	"math/rand/v2"
)

// Distributions of row numbers.
const (
	// Uniform: every row equally often.
	Uniform = "uniform"
	// Special: three quarters of the choices fall on a hot hundredth in the middle of the table,
	// the others around it in the shape of a bell (the mean of twelve uniform choices). sysbench's
	// default.
	Special = "special"
)

const (
	specialHotShare  = 75  // percent of the choices
	specialHotRows   = 100 // one row of so many is hot
	specialBellParts = 12
)

type gen struct {
	*rand.Rand
	rows    int64
	special bool
}

func newGen(seed, stream uint64, rows int64, distribution string) *gen {
	return &gen{rand.New(rand.NewPCG(seed, stream)), rows, distribution == Special}
}

// row chooses a row number, 1..rows.
func (g *gen) row() int64 {
	if !g.special {
		return 1 + g.Int64N(g.rows)
	}
	if g.IntN(100) < specialHotShare {
		hot := max(g.rows/specialHotRows, 1)
		return 1 + (g.rows-hot)/2 + g.Int64N(hot)
	}
	sum := int64(0)
	for range specialBellParts {
		sum += g.Int64N(g.rows)
	}
	return 1 + sum/specialBellParts
}

// appendGroups appends n groups of eleven digits with dashes between them.
func (g *gen) appendGroups(b []byte, n int) []byte {
	for i := range n {
		if i > 0 {
			b = append(b, '-')
		}
		at := len(b)
		b = append(b, "00000000000"...)
		for v, j := g.Uint64N(1e11), at+10; v > 0; v, j = v/10, j-1 {
			b[j] = byte('0' + v%10)
		}
	}
	return b
}

// Lengths of the columns' values, in groups of eleven digits.
const (
	groupsC   = 10
	groupsPad = 5
)

func checkDistribution(name string) error {
	if name != Uniform && name != Special {
		return fmt.Errorf("--distribution %q: want %s or %s", name, Uniform, Special)
	}
	return nil
}
