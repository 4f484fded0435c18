package exec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// A filter lets all keys pass and few other integers, however the keys lie.
func TestKeyFilter(t *testing.T) {
	r := rand.New(rand.NewPCG(testkit.Seed(t), 1))
	require.Empty(t, newKeyFilter(nil).pass(nil, types.NewVec(types.Int, 3), 3))
	for name, of := range map[string]func(i int) int64{
		"close":   func(i int) int64 { return int64(1000 + 3*i) },
		"far":     func(int) int64 { return r.Int64() - r.Int64() },
		"strides": func(i int) int64 { return int64(i) << 33 },
		"edges":   func(i int) int64 { return []int64{math.MinInt64, math.MaxInt64}[i%2] },
		"one":     func(int) int64 { return -7 },
	} {
		const n = 3000
		keys, others := types.NewVec(types.Int, n), types.NewVec(types.Int, n)
		is := make(map[int64]bool)
		for i := range n {
			keys.I[i] = of(i)
			is[keys.I[i]] = true
		}
		f := newKeyFilter(keys.I)
		require.Len(t, f.pass(nil, keys, n), n, name)
		for i := range n {
			others.I[i] = keys.I[r.IntN(n)] + r.Int64N(1<<40) - 1<<39
		}
		wrong := 0
		for _, i := range f.pass(nil, others, n) {
			if !is[others.I[i]] {
				wrong++
			}
		}
		require.Less(t, wrong, n/10, name)
		keys.SetNull(1)
		require.NotContains(t, f.pass(nil, keys, n), int32(1), name)
	}
}

// hidden is an operator through which no hash join sees the scan below.
type hidden struct{ Op }

// The rows of a join do not depend on whether its scan knows the keys, and where it knows them it
// gives no more rows than have a partner.
func TestNarrowedScans(t *testing.T) {
	seed := testkit.Seed(t)
	d := newDivided(t, rand.New(rand.NewPCG(seed, 1)))
	over := func(in Op, at, keys int, kind JoinKind) *HashJoin {
		rows := makeRows(rand.New(rand.NewPCG(seed, 2)), keys/4, keys)
		if kind == NotIn { // or nothing passes
			rows = slices.DeleteFunc(rows, func(x [4]any) bool { return x[0] == nil })
		}
		right := &made{rows: rows, r: rand.New(rand.NewPCG(seed, 3)), ids: []int{200, 201, 202, 203}}
		if at == 0 {
			right.ids = []int{300, 301, 302, 303}
		}
		ids := append(append([]int(nil), in.IDs()...), right.ids...)
		if kind > Left {
			ids = in.IDs()
		}
		return &HashJoin{Kind: kind, L: in, R: right, LKeys: []fn.Expr{dividedColumn(at)}, RKeys: []fn.Expr{right.column(0)},
			Keyers: []types.Keyer{types.KeyerOf(madeTypes[0])}, Ids: ids, RightTypes: madeTypes}
	}
	for kind := Inner; kind <= NotIn; kind++ {
		for _, most := range []int{8 << 20, 2000} {
			name := fmt.Sprint("kind ", kind, " of ", most, " bytes")
			var outs [2][]string
			var given [2]int
			for i := range outs {
				scan := d.scan(t, -10)
				seen := Measure(scan)
				in := Op(seen)
				if i == 0 {
					in = hidden{in}
				}
				c, account := d.ctx(t, most, 0)
				plan := over(over(in, 0, 600, kind), 1, 40, Semi)
				for range 2 { // it may be opened again
					var err error
					outs[i], err = run(c, plan)
					require.NoError(t, err, name)
				}
				given[i] = seen.Rows
				require.Zero(t, account.Used(), name)
			}
			if most < 1<<20 {
				require.ElementsMatch(t, outs[0], outs[1], name)
				continue
			}
			require.Equal(t, outs[0], outs[1], name)
			require.NotEmpty(t, outs[1], name)
			require.Less(t, given[1], given[0]*9/10, "%s: the keys of the join above drop rows", name)
		}
	}
}

// Batches that are put together are the same rows, fewer times.
func TestFiller(t *testing.T) {
	seed := testkit.Seed(t)
	r := rand.New(rand.NewPCG(seed, 1))
	m := &made{rows: makeRows(r, 6000, 100), r: rand.New(rand.NewPCG(seed, 2)), ids: []int{1, 2, 3, 4}}
	few, err := fn.Compare("<", m.column(0), fn.IntConst(7))
	require.NoError(t, err)
	in := Measure(&Filter{In: m, Conds: []fn.Expr{few}})
	for _, most := range []int{1 << 20, 500} {
		c, _, account := spillCtx(t, most)
		want, err := run(c, in)
		require.NoError(t, err)
		out := Measure(&filled{Op: in})
		got, err := run(c, out)
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.Zero(t, account.Used())
	}
	c, _, _ := spillCtx(t, 1<<20)
	f := &filled{Op: in}
	require.NoError(t, f.Open(c))
	defer f.Close(c)
	sizes := []int{}
	for b := new(types.Batch); ; sizes = append(sizes, b.N) {
		if b, err = f.Next(c); b == nil {
			break
		}
	}
	require.NoError(t, err)
	for i, n := range sizes[:len(sizes)-1] {
		require.GreaterOrEqual(t, n, min(1<<(2*i), types.BatchRows/2), "batch %d", i)
	}
}

// filled gives the rows of an operator as a filler does.
type filled struct {
	Op
	fill filler
}

func (f *filled) Open(c *Ctx) error {
	f.fill.begin()
	return f.Op.Open(c)
}

func (f *filled) Next(c *Ctx) (*types.Batch, error) { return f.fill.next(c, f.Op) }

func (f *filled) Close(c *Ctx) {
	f.fill.end(c)
	f.Op.Close(c)
}
