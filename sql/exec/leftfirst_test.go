package exec

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// A join whose left side is read first gives the rows that it gives otherwise, and reads fewer rows
// of the right one.
func TestLeftFirst(t *testing.T) {
	seed := testkit.Seed(t)
	d := newDivided(t, rand.New(rand.NewPCG(seed, 1)))
	for _, kind := range []JoinKind{Left, Semi, Anti} {
		for _, most := range []int{8 << 20, 2000} {
			name := fmt.Sprint("kind ", kind, " of ", most, " bytes")
			var outs [2][]string
			var given [2]int
			for i := range outs {
				left := &made{rows: makeRows(rand.New(rand.NewPCG(seed, 2)), 50, 200), r: rand.New(rand.NewPCG(seed, 3)), ids: []int{200, 201, 202, 203}}
				seen := Measure(d.scan(t, -10))
				j := &HashJoin{Kind: kind, L: left, R: seen, LKeys: []fn.Expr{left.column(0)}, RKeys: []fn.Expr{dividedColumn(0)},
					Keyers: []types.Keyer{types.KeyerOf(madeTypes[0])}, Ids: left.ids, RightTypes: dividedTypes, LeftFirst: i == 1}
				if kind == Left {
					j.Ids = append(append([]int(nil), left.ids...), seen.IDs()...)
				}
				c, account := d.ctx(t, most, 0)
				for range 2 { // it may be opened again
					var err error
					outs[i], err = run(c, j)
					require.NoError(t, err, name)
				}
				given[i] = seen.Rows
				require.Zero(t, account.Used(), name)
			}
			require.ElementsMatch(t, outs[0], outs[1], name)
			if most > 1<<20 {
				require.NotEmpty(t, outs[1], name)
				require.Less(t, given[1], given[0]*9/10, "%s: the keys of the left side drop rows", name)
			}
		}
	}
}
