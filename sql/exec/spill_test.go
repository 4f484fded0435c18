package exec

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
	"emberdb/internal/quota"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// made gives rows in batches of random sizes: a key, a decimal, a text, each NULL at times, and the
// number of the row.
type made struct {
	rows [][4]any
	r    *rand.Rand
	at   int
	vecs [4]*types.Vec
	ids  []int
}

var madeTypes = []types.Type{types.IntType(11, true), {Kind: types.Decimal, Precision: 20, Scale: 2, Nullable: true, Collation: types.Binary},
	{Kind: types.String, Collation: types.Binary, Nullable: true}, types.IntType(11, false)}

func makeRows(r *rand.Rand, n, keys int) (out [][4]any) {
	null := func(v any) any {
		if r.IntN(12) == 0 {
			return nil
		}
		return v
	}
	for i := range n {
		k := r.IntN(keys)
		if r.IntN(3) == 0 {
			k = 7 % keys // many rows of one key
		}
		out = append(out, [4]any{null(int64(k)), null(int64(r.IntN(500) - 100)), null(strings.Repeat("x", r.IntN(40)) + fmt.Sprint(r.IntN(30))), int64(i)})
	}
	return out
}

func (m *made) IDs() []int      { return m.ids }
func (m *made) Open(*Ctx) error { m.at = 0; return nil }
func (m *made) Close(*Ctx)      {}
func (m *made) column(i int) fn.Expr {
	return &fn.Column{ID: m.ids[i], At: i, T: madeTypes[i]}
}

func (m *made) Next(*Ctx) (*types.Batch, error) {
	n := min(1+m.r.IntN(types.BatchRows), len(m.rows)-m.at)
	if n == 0 {
		return nil, nil
	}
	b := &types.Batch{N: n}
	for k := range m.vecs {
		v := types.NewVec(madeTypes[k].Kind, n)
		v.Scale = int(madeTypes[k].Scale)
		for i := range n {
			switch x := m.rows[m.at+i][k].(type) {
			case nil:
				v.SetNull(i)
			case string:
				v.S[i] = []byte(x)
			case int64:
				v.I[i] = x
			}
		}
		b.Cols = append(b.Cols, v)
	}
	m.at += n
	return b, nil
}

// spillCtx is a statement whose operators may hold most bytes each, on a disk in memory.
func spillCtx(t testing.TB, most int) (*Ctx, *vfs.Mem, *quota.Account) {
	disk := vfs.NewMem(1)
	account := quota.NewAccount(nil)
	c := &Ctx{Context: context.Background(), Take: account.Take, Limits: Limits{most, most, most}, Scratch: &Scratch{FS: disk, Dir: "/"},
		Fn: fn.Context{DivIncrement: 4}, Rounds: 1 << 20}
	t.Cleanup(c.Scratch.Close)
	return c, disk, account
}

// run gives the rows of an operator as texts.
func run(c *Ctx, op Op) (out []string, err error) {
	defer op.Close(c)
	if err := op.Open(c); err != nil {
		return nil, err
	}
	for {
		b, err := op.Next(c)
		if b == nil || err != nil {
			return out, err
		}
		if b.N < 1 || b.N > types.BatchRows {
			return nil, fmt.Errorf("a batch of %d rows", b.N)
		}
		for i := range b.N {
			var row []string
			for _, v := range b.Cols {
				row = append(row, shown(v, i))
			}
			out = append(out, strings.Join(row, "|"))
		}
	}
}

func shown(v *types.Vec, i int) string {
	switch {
	case v.Kind == types.Null || v.IsNull(i):
		return "NULL"
	case v.Kind == types.String:
		return string(v.S[i])
	case v.Kind == types.Float:
		return fmt.Sprint(v.F[i])
	case v.Kind == types.Decimal:
		return string(types.AppendDecimal(nil, v.Wide(i), v.Scale))
	}
	return fmt.Sprint(v.I[i])
}

// operators are one of each kind, over random rows.
func operators(seed uint64) map[string]func() Op {
	r := rand.New(rand.NewPCG(seed, 3))
	left, right := makeRows(r, 2500, 300), makeRows(r, 1500, 300)
	of := func(rows [][4]any, first int) *made {
		return &made{rows: rows, r: rand.New(rand.NewPCG(seed, 4)), ids: []int{first, first + 1, first + 2, first + 3}}
	}
	out := make(map[string]func() Op)
	all := func(m *made, of ...int) (list []fn.Expr) {
		for _, i := range of {
			list = append(list, m.column(i))
		}
		return list
	}
	for most := range map[int64]bool{-1: true, 0: true, 3: true, 1200: true} {
		out[fmt.Sprint("ordered sort ", most)] = func() Op {
			m := of(left, 1)
			return &Sort{In: m, Keys: all(m, 2, 0), Desc: []bool{false, true}, Most: most}
		}
	}
	out["distinct"] = func() Op {
		m := of(left, 1)
		cut := &Project{In: m, Exprs: all(m, 0, 1), Ids: []int{1, 2}}
		return &Distinct{In: cut, Keys: all(m, 0, 1)}
	}
	for _, rollup := range []bool{false, true} {
		out[fmt.Sprint("group ", rollup)] = func() Op {
			m := of(left, 1)
			g := &Group{In: m, Keys: all(m, 0, 1), Rollup: rollup, Ids: []int{10, 11, 12, 13, 14, 15, 16, 17}}
			for _, k := range []fn.AggregateKind{fn.CountRows, fn.Sum, fn.Min, fn.Avg} {
				g.Aggs = append(g.Aggs, Aggregate{Kind: k, Arg: m.column(1), T: madeTypes[1]})
			}
			g.Aggs[0].Arg = nil
			g.Aggs = append(g.Aggs, Aggregate{Kind: fn.Count, Distinct: true, Arg: m.column(2), T: madeTypes[0]},
				Aggregate{Kind: fn.GroupConcat, Arg: m.column(2), T: madeTypes[2], Order: all(m, 3), Desc: []bool{true}, Separator: []byte(","), Most: 1 << 20})
			return g
		}
	}
	out["all distinct"] = func() Op {
		m := of(left, 1)
		return &Group{In: m, Ids: []int{10, 11}, Aggs: []Aggregate{{Kind: fn.Count, Distinct: true, Arg: m.column(3), T: madeTypes[0]},
			{Kind: fn.Sum, Distinct: true, Arg: m.column(1), T: madeTypes[1]}}}
	}
	for kind := Inner; kind <= NotIn; kind++ {
		for _, on := range []bool{false, true} {
			out[fmt.Sprint("join ", kind, " ", on)] = func() Op {
				l, r := of(left, 1), of(right, 5)
				if kind == NotIn { // no NULLs on the right, or nothing passes
					rows := slices.DeleteFunc(slices.Clone(right), func(x [4]any) bool { return x[0] == nil })
					r = of(rows, 5)
				}
				j := &HashJoin{Kind: kind, L: l, R: r, LKeys: all(l, 0), RKeys: all(r, 0), Keyers: keyersOf(all(r, 0)), RightTypes: madeTypes, Ids: []int{1, 2, 3, 4}}
				if kind <= Left {
					j.Ids = []int{1, 2, 3, 4, 5, 6, 7, 8}
				}
				if on {
					cond, err := fn.Compare("=", &fn.Column{ID: 2, At: 1, T: madeTypes[1]}, &fn.Column{ID: 6, At: 5, T: madeTypes[1]})
					if err != nil {
						panic(err)
					}
					j.On = []fn.Expr{cond}
				} else if kind <= Left { // the pairs of the most frequent key are too many
					j.LKeys, j.RKeys = all(l, 0, 2), all(r, 0, 2)
					j.Keyers = keyersOf(j.RKeys)
				}
				return j
			}
		}
	}
	for _, except := range []bool{false, true} {
		for _, every := range []bool{false, true} {
			out[fmt.Sprint("set ", except, " ", every)] = func() Op {
				l, r := of(left, 1), of(right, 5)
				cut := func(m *made) Op { return &Project{In: m, Exprs: all(m, 0, 1), Ids: []int{1, 2}} }
				return &SetOp{L: cut(l), R: cut(r), Keys: all(l, 0, 1), Except: except, All: every, Ids: []int{1, 2}}
			}
		}
	}
	for i, frame := range []fn.Frame{{From: fn.Bound{Kind: fn.FromStart}, To: fn.Bound{Kind: fn.AtRow}, Range: true}, {From: fn.Bound{Kind: fn.Before, Rows: 40}, To: fn.Bound{Kind: fn.After, Rows: 3}},
		{From: fn.Bound{Kind: fn.FromStart}, To: fn.Bound{Kind: fn.ToTheEnd}}, {From: fn.Bound{Kind: fn.AtRow}, To: fn.Bound{Kind: fn.ToTheEnd}}} {
		for _, partition := range []int{0, 1} {
			out[fmt.Sprint("ordered window ", i, partition)] = func() Op {
				m := of(left, 1)
				keys := append(all(m, 0)[:partition:partition], all(m, 1, 3)...)
				in := &Sort{In: m, Keys: keys, Desc: make([]bool, len(keys)), Most: -1}
				w := &Window{In: in, Partition: all(m, 0)[:partition], Order: all(m, 1), Desc: []bool{false}, Ids: []int{1, 2, 3, 4}}
				for k := fn.Aggregated; k <= fn.NthValue; k++ {
					f := WindowFunc{Kind: k, N: 5, Frame: frame, T: madeTypes[3], Args: []int{2}}
					switch k {
					case fn.PercentRank, fn.CumeDist:
						f.T = types.FloatType(false)
					case fn.Lag, fn.Lead, fn.FirstValue, fn.LastValue, fn.NthValue:
						f.T = madeTypes[2]
					case fn.Aggregated:
						for agg, at := range map[fn.AggregateKind]int{fn.CountRows: 1, fn.Sum: 1, fn.Min: 2, fn.Max: 1, fn.Avg: 1} {
							f := f
							f.Agg, f.Args, f.T = agg, []int{at}, madeTypes[at]
							w.Funcs = append(w.Funcs, f)
						}
						slices.SortFunc(w.Funcs, func(a, b WindowFunc) int { return cmp.Compare(int(a.Kind)*100+int(a.Agg), int(b.Kind)*100+int(b.Agg)) })
						continue
					}
					w.Funcs = append(w.Funcs, f)
				}
				for i := range w.Funcs {
					w.Ids = append(w.Ids, 20+i)
				}
				return w
			}
		}
	}
	for _, every := range []bool{false, true} {
		out[fmt.Sprint("recursion ", every)] = func() Op {
			m := of(left[:500], 1)
			work := &WorkTable{}
			scan := &WorkScan{Table: work, Ids: []int{30, 31}}
			n := &fn.Column{ID: 30, At: 0, T: madeTypes[3]}
			next, err := fn.Arith("+", n, fn.IntConst(1))
			if err != nil {
				panic(err)
			}
			few, err := fn.Compare("<", n, fn.IntConst(540))
			if err != nil {
				panic(err)
			}
			step := &Project{In: &Filter{In: scan, Conds: []fn.Expr{few}}, Exprs: []fn.Expr{next, &fn.Column{ID: 31, At: 1, T: madeTypes[2]}}, Ids: []int{30, 31}}
			start := &Project{In: m, Exprs: all(m, 3, 2), Ids: []int{30, 31}}
			if every {
				start.In = &Limit{In: m, Count: 100}
			}
			return &Recursion{Table: work, Start: start, Steps: []Op{step}, All: every, Ids: []int{30, 31},
				Keys: []fn.Expr{n, &fn.Column{ID: 31, At: 1, T: madeTypes[2]}}}
		}
	}
	return out
}

// TestSpill: each operator gives the same rows however little memory it may hold, also when it is
// opened again, holds nothing when it is closed, and gives the space of its file back.
func TestSpill(t *testing.T) {
	seed := testkit.Seed(t)
	for name, make := range operators(seed) {
		t.Run(name, func(t *testing.T) {
			roomy, _, _ := spillCtx(t, 1<<30)
			want, err := run(roomy, make())
			require.NoError(t, err)
			require.Nil(t, roomy.Scratch.file, "nothing is spilled")
			ordered := strings.HasPrefix(name, "ordered")
			if !ordered {
				sort.Strings(want)
			}
			for _, most := range []int{30_000, 2_000} {
				c, _, account := spillCtx(t, most)
				op := make()
				for range 2 {
					got, err := run(c, op)
					require.NoError(t, err, "seed %d", seed)
					if !ordered {
						sort.Strings(got)
					}
					require.True(t, slices.Equal(want, got), "seed %d: %d rows are not these %d", seed, len(got), len(want))
					require.Zero(t, account.Used(), "memory is given back")
				}
				free := 0
				for _, list := range c.Scratch.free {
					free += len(list)
				}
				require.Equal(t, c.Scratch.given, free, "space is given back")
				if most < 3_000 && name != "ordered sort 0" && name != "ordered sort 3" {
					require.NotNil(t, c.Scratch.file, "it has spilled")
				}
			}
		})
	}
}

// TestSpillMeetsLimits: an operator that is refused memory before it has what its limit allows goes
// on in its file, and what it holds stays near the limit of the statement.
func TestSpillMeetsLimits(t *testing.T) {
	seed := testkit.Seed(t)
	const limit = 150_000
	for name, make := range operators(seed) {
		roomy, _, _ := spillCtx(t, 1<<30)
		want, err := run(roomy, make())
		require.NoError(t, err)
		c, _, account := spillCtx(t, 1<<30)
		account.SetLimits(limit, quota.Unlimited)
		most := int64(0)
		take := c.Take
		c.Take = func(n int64) error {
			err := take(n)
			most = max(most, account.Used())
			return err
		}
		got, err := run(c, make())
		if strings.HasPrefix(name, "recursion false") { // the keys of all rows are kept
			require.ErrorAs(t, err, new(*quota.Exceeded), name)
			continue
		}
		require.NoError(t, err, "%s, seed %d", name, seed)
		require.Len(t, got, len(want), "%s, seed %d", name, seed)
		require.LessOrEqual(t, most, int64(limit))
		require.Zero(t, account.Used(), name)
	}
}

// TestSpillErrors: a full disk, an error of the disk and corrupt bytes end the statement with
// MySQL's error; a killed one ends at its next block. Nothing is held afterwards.
func TestSpillErrors(t *testing.T) {
	seed := testkit.Seed(t)
	for name, make := range operators(seed) {
		if name == "ordered sort 0" || name == "ordered sort 3" {
			continue // they never spill
		}
		for what, prepare := range map[string]func(c *Ctx, disk *vfs.Mem) (context.CancelFunc, func(error) bool){
			"full": func(_ *Ctx, disk *vfs.Mem) (context.CancelFunc, func(error) bool) {
				disk.SetCapacity(20_000)
				return nil, faultIs(3, "(OS errno 28 - No space left on device)")
			},
			"write": func(_ *Ctx, disk *vfs.Mem) (context.CancelFunc, func(error) bool) {
				disk.FailNth(vfs.OpWrite, 2, errors.New("broken"))
				return nil, faultIs(3, "(OS errno 5 - Input/output error)")
			},
			"create": func(_ *Ctx, disk *vfs.Mem) (context.CancelFunc, func(error) bool) {
				disk.FailNth(vfs.OpCreate, 0, base.ErrDiskFull)
				return nil, faultIs(1, "Can't create/write to file")
			},
			"read": func(_ *Ctx, disk *vfs.Mem) (context.CancelFunc, func(error) bool) {
				disk.FailNth(vfs.OpRead, 1, errors.New("broken"))
				return nil, faultIs(2, "(OS errno 5 - Input/output error)")
			},
			"corrupt": func(c *Ctx, disk *vfs.Mem) (context.CancelFunc, func(error) bool) {
				c.Scratch.FS = flipping{disk}
				return nil, faultIs(2, "Error reading file")
			},
			"killed": func(c *Ctx, disk *vfs.Mem) (context.CancelFunc, func(error) bool) {
				ctx, kill := context.WithCancel(context.Background())
				c.Context = ctx
				n := 0
				disk.Trace(func(e vfs.Event) {
					if n++; n == 6 {
						kill()
					}
				})
				return kill, func(err error) bool { return errors.Is(err, context.Canceled) && n <= 8 }
			},
		} {
			c, disk, account := spillCtx(t, 2_000)
			kill, is := prepare(c, disk)
			_, err := run(c, make())
			require.True(t, is(err), "%s %s: %v, seed %d", name, what, err, seed)
			require.Zero(t, account.Used(), "%s %s", name, what)
			if kill != nil {
				kill()
			}
		}
	}
}

func faultIs(code int, text string) func(error) bool {
	return func(err error) bool {
		var f *fn.Fault
		return errors.As(err, &f) && f.Code == code && strings.Contains(f.Text, text)
	}
}

// flipping is a disk whose files give other bytes than were written.
type flipping struct{ *vfs.Mem }

type flippingFile struct{ vfs.File }

func (f flipping) Open(name string, o vfs.Options) (vfs.File, error) {
	file, err := f.Mem.Open(name, o)
	return flippingFile{file}, err
}

func (f flippingFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.File.ReadAt(p, off)
	p[n/2] ^= 4
	return n, err
}

// TestBatchesInTheFile: a batch of every kind comes back as it was.
func TestBatchesInTheFile(t *testing.T) {
	wide := types.NewVec(types.Decimal, 2)
	wide.Scale, wide.W = 3, []types.Int128{{Hi: -1, Lo: 5}, {Hi: 7}}
	wide.SetNull(1)
	texts := types.NewVec(types.String, 2)
	texts.S = [][]byte{{}, bytes.Repeat([]byte{0xFF}, 70_000)}
	floats := types.NewVec(types.Float, 2)
	floats.F = []float64{-0.5, 1e300}
	ints := types.NewVec(types.Uint, 2)
	ints.I = []int64{-1, 3}
	b := &types.Batch{N: 2, Cols: []*types.Vec{wide, texts, floats, ints, types.NewVec(types.Null, 2)}}
	vecs := make([]types.Vec, len(b.Cols))
	require.Equal(t, 2, decodeBatch(appendBatch(nil, b), vecs))
	for k, v := range b.Cols {
		for i := range b.N {
			require.Equal(t, shown(v, i), shown(&vecs[k], i))
		}
		require.Equal(t, v.Kind, vecs[k].Kind)
	}
}
