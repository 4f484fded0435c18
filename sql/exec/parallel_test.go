package exec

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine"
	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/quota"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

const dividedRows = 30_000 // several parts

// divided is a table of several parts, and a transaction that reads it: of whose rows some are its
// own changes, and some were changed by others since its view.
type divided struct {
	eng *engine.Engine
	t   *table.Table
	tx  *txn.Trx
}

func newDivided(t *testing.T, r *rand.Rand) *divided {
	bg := context.Background()
	eng, err := engine.Open(engine.Options{FS: vfs.NewMem(1), DataDir: "/d", PoolBytes: 1024 * base.PageSize, RedoCapacity: 64 << 20, RedoSegment: 4 << 20,
		FlushLogAtCommit: 1, TableCache: 10, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	t.Cleanup(func() { eng.Close(false) })
	number := row.Column{Type: row.TInt64}
	maybe := row.Column{Type: row.TInt64, Nullable: true}
	def := &catalog.Table{Schema: "test", Name: "t", AutoInc: -1, Columns: []catalog.Column{{Name: "id", Column: number}, {Name: "g", Column: maybe},
		{Name: "n", Column: maybe}, {Name: "s", Column: row.Column{Type: row.TVarbinary, Length: 40, Collation: types.Binary}}, {Name: "f", Column: row.Column{Type: row.TFloat64}}},
		Indexes: []*catalog.Index{{Name: "PRIMARY", Unique: true, Clustered: true, Parts: []row.KeyPart{{Column: 0}}}}}
	ddl := eng.BeginDDL()
	require.NoError(t, eng.CreateTable(bg, ddl, def))
	require.NoError(t, eng.Commit(bg, ddl))
	d := &divided{eng: eng}
	load := eng.Begin(txn.RepeatableRead, false)
	d.t, err = eng.Table(bg, load, "test", "t")
	require.NoError(t, err)
	for i := range dividedRows {
		require.NoError(t, d.t.Insert(bg, load, dividedRow(r, i)))
	}
	require.NoError(t, eng.Commit(bg, load))
	d.tx = eng.Begin(txn.RepeatableRead, false)
	t.Cleanup(func() { _ = eng.Rollback(d.tx) })
	d.tx.View()
	change := func(tx *txn.Trx, rest int) {
		for i := rest; i < dividedRows; i += 601 {
			old, ok, err := d.t.Get(bg, tx, nil, row.AppendKeyPart(nil, number, row.KeyPart{}, row.IntValue(int64(i))), table.None, table.Wait)
			require.NoError(t, err)
			require.True(t, ok)
			if i%2 == 0 {
				require.NoError(t, d.t.Delete(bg, tx, old))
				continue
			}
			require.NoError(t, d.t.Update(bg, tx, old, dividedRow(r, i)))
		}
	}
	other := eng.Begin(txn.RepeatableRead, false)
	change(other, 5)
	require.NoError(t, eng.Commit(bg, other))
	change(d.tx, 11)
	return d
}

func dividedRow(r *rand.Rand, i int) []row.Value {
	maybe := func(n int) row.Value {
		if r.IntN(9) == 0 {
			return row.NullValue
		}
		return row.IntValue(int64(r.IntN(n) - n/2))
	}
	text := []byte("0123456789abcdefghijklmnopqrstuvwxyz")[:r.IntN(36)]
	return []row.Value{row.IntValue(int64(i)), maybe(50), maybe(1 << 40), row.BytesValue(text), row.FloatValue(r.Float64() * 1e9)}
}

var dividedTypes = []types.Type{types.IntType(20, false), types.IntType(20, true), types.IntType(20, true), {Kind: types.String, Collation: types.Binary}, types.FloatType(false)}

func dividedColumn(i int) fn.Expr { return &fn.Column{ID: 100 + i, At: i, T: dividedTypes[i]} }

// scan reads the rows whose column g is above a number.
func (d *divided) scan(t *testing.T, above int64) *Scan {
	cond, err := fn.Compare(">", dividedColumn(1), fn.IntConst(above))
	require.NoError(t, err)
	return &Scan{Table: d.t, Cols: []int{0, 1, 2, 3, 4}, Ids: []int{100, 101, 102, 103, 104}, Conds: []fn.Expr{cond}}
}

// ctx is a statement over d, whose operators may hold most bytes each.
func (d *divided) ctx(t *testing.T, most, helpers int) (*Ctx, *quota.Account) {
	c, _, account := spillCtx(t, most)
	c.Tx, c.Threads, c.Helpers = d.tx, NewThreads(3), helpers
	return c, account
}

// TestParallelMakesTheSameRows compares what goroutines make with what one makes: the same rows in
// the same order, whatever order their parts come in.
func TestParallelMakesTheSameRows(t *testing.T) {
	seed := testkit.Seed(t)
	r := rand.New(rand.NewPCG(seed, 1))
	d := newDivided(t, r)
	keyed := func(k Op, kind JoinKind) Op {
		right := &made{rows: makeRows(r, 40, 60), r: rand.New(rand.NewPCG(seed, 2)), ids: []int{200, 201, 202, 203}}
		ids := append(append([]int(nil), k.IDs()...), right.ids...)
		if kind > Left {
			ids = k.IDs()
		}
		return &HashJoin{Kind: kind, L: k, R: right, LKeys: []fn.Expr{dividedColumn(1)}, RKeys: []fn.Expr{right.column(0)}, Keyers: []types.Keyer{types.KeyerOf(madeTypes[0])},
			Ids: ids, RightTypes: madeTypes}
	}
	sum, err := fn.Arith("+", dividedColumn(1), dividedColumn(2))
	require.NoError(t, err)
	aggs := []Aggregate{{Kind: fn.CountRows, T: types.IntType(21, false)}, {Kind: fn.Count, Arg: dividedColumn(2), T: types.IntType(21, false)}, {Kind: fn.Sum, Arg: sum},
		{Kind: fn.Avg, Arg: dividedColumn(2)}, {Kind: fn.Min, Arg: dividedColumn(2)}, {Kind: fn.Max, Arg: dividedColumn(0)}}
	group := func(in Op, keys ...fn.Expr) *Group {
		return &Group{In: in, Keys: keys, Aggs: aggs, Ids: []int{1, 2, 3, 4, 5, 6, 7, 8}[:len(keys)+len(aggs)]}
	}
	rolled := group(d.scan(t, -10), dividedColumn(1), dividedColumn(3))
	rolled.Rollup, rolled.Ids = true, append(rolled.Ids, 9)
	inexact := group(&Parallel{In: d.scan(t, -10)}, dividedColumn(1))
	inexact.Aggs = append(inexact.Aggs[:1:1], Aggregate{Kind: fn.Sum, Arg: dividedColumn(4)}, Aggregate{Kind: fn.Min, Arg: dividedColumn(3)})
	inexact.Ids = inexact.Ids[:4]
	plans := map[string]Op{
		"scan":      &Parallel{In: d.scan(t, -100)},
		"few":       &Parallel{In: d.scan(t, 24)},
		"none":      &Parallel{In: d.scan(t, 1000)},
		"join":      &Parallel{In: keyed(d.scan(t, 0), Inner)},
		"left":      &Parallel{In: keyed(d.scan(t, 0), Left)},
		"anti":      &Parallel{In: keyed(d.scan(t, 0), Anti)},
		"project":   &Parallel{In: &Project{In: &Filter{In: d.scan(t, 0), Conds: []fn.Expr{dividedColumn(2)}}, Exprs: []fn.Expr{sum, dividedColumn(3)}, Ids: []int{1, 2}}},
		"inexact":   inexact,
		"groups":    group(d.scan(t, -10), dividedColumn(1)),
		"all":       group(d.scan(t, -10)),
		"no rows":   group(d.scan(t, 1000)),
		"many":      group(d.scan(t, -100), dividedColumn(0)),
		"two keys":  group(keyed(d.scan(t, -100), Inner), dividedColumn(3), dividedColumn(1)),
		"rollup":    rolled,
		"two joins": group(keyed(keyed(d.scan(t, 0), Semi), Left), dividedColumn(1)),
	}
	for name, plan := range plans {
		for _, most := range []int{8 << 20, 200_000} {
			if g, ok := plan.(*Group); ok && name != "inexact" {
				two, _ := Split(g, 1000)
				require.NotNil(t, two)
				plan = two
			}
			c, _ := d.ctx(t, most, 0)
			want, err := run(c, plan)
			require.NoError(t, err, name)
			for _, helpers := range []int{1, 3} {
				c, account := d.ctx(t, most, helpers)
				got, err := run(c, plan)
				require.NoError(t, err, name)
				if most < 1<<20 || name == "rollup" { // groups that were in the scratch file come in no order
					slices.Sort(want)
					slices.Sort(got)
				}
				require.Equal(t, want, got, "%s with %d helpers and %d bytes", name, helpers, most)
				require.Zero(t, account.Used(), name)
				require.Zero(t, c.Threads.used.Load(), name)
			}
		}
	}
	c, _ := d.ctx(t, 8<<20, 3)
	p := plans["scan"].(*Parallel)
	require.NoError(t, p.Open(c))
	require.Len(t, p.workers, 4, "the table has parts for all")
	p.Close(c)
}

// failing ends with an error or a panic at a row.
type failing struct {
	at    int64
	err   error
	panic bool
}

func (f *failing) Type() types.Type         { return types.BoolType(false) }
func (f *failing) Parts() []fn.Expr         { return nil }
func (f *failing) With(p []fn.Expr) fn.Expr { return &failing{f.at, f.err, f.panic} }
func (f *failing) Eval(_ *fn.Context, b *types.Batch) (*types.Vec, error) {
	out := types.NewVec(types.Int, b.N)
	for i, id := range b.Cols[0].I[:b.N] {
		if out.I[i] = 1; id == f.at && f.panic {
			panic(f.err)
		} else if id == f.at {
			return nil, f.err
		}
	}
	return out, nil
}

// TestParallelEnds ends plans early: by an error or a panic of one goroutine, by a statement that
// is killed, by a reader that wants no more. Nothing of them goes on or is held.
func TestParallelEnds(t *testing.T) {
	d := newDivided(t, rand.New(rand.NewPCG(testkit.Seed(t), 1)))
	broken := errors.New("broken")
	for _, at := range []int64{0, dividedRows / 2, dividedRows - 1} {
		for _, panics := range []bool{false, true} {
			for _, grouped := range []bool{false, true} {
				in := Op(&Filter{In: &Scan{Table: d.t, Cols: []int{0}, Ids: []int{100}}, Conds: []fn.Expr{&failing{at, broken, panics}}})
				plan := Op(&Parallel{In: in})
				if grouped {
					plan, _ = Split(&Group{In: in, Keys: []fn.Expr{dividedColumn(0)}, Ids: []int{1}}, 1000)
				}
				c, account := d.ctx(t, 8<<20, 3)
				if panics {
					require.PanicsWithValue(t, broken, func() { _, _ = run(c, plan) })
				} else {
					_, err := run(c, plan)
					require.ErrorIs(t, err, broken)
				}
				require.Zero(t, account.Used())
				require.Zero(t, c.Threads.used.Load())
			}
		}
	}
	for _, killed := range []bool{true, false} {
		c, account := d.ctx(t, 8<<20, 3)
		ctx, kill := context.WithCancel(context.Background())
		c.Context = ctx
		p := &Parallel{In: d.scan(t, -100)}
		require.NoError(t, p.Open(c))
		_, err := p.Next(c)
		require.NoError(t, err)
		if killed {
			kill()
			for b := new(types.Batch); b != nil && err == nil; {
				b, err = p.Next(c)
			}
		}
		p.Close(c)
		kill()
		require.Zero(t, account.Used())
		require.Zero(t, c.Threads.used.Load())
	}
}
