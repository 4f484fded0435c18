package exec

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// texts gives one column: n rows of a text.
type texts struct {
	n    int
	text []byte
	done bool
}

func (t *texts) IDs() []int      { return []int{1} }
func (t *texts) Open(*Ctx) error { t.done = false; return nil }
func (t *texts) Close(*Ctx)      {}
func (t *texts) Next(*Ctx) (*types.Batch, error) {
	if t.done {
		return nil, nil
	}
	t.done = true
	v := types.NewVec(types.String, t.n)
	for i := range t.n {
		v.S[i] = t.text
	}
	return &types.Batch{N: t.n, Cols: []*types.Vec{v}}, nil
}

// A join repeats the texts of its sides: its batches get fewer rows where these are long, and lose
// none.
func TestJoinsOfLongTextsGiveFewRows(t *testing.T) {
	typ := types.StringType(10, types.Binary, types.Implicit, false)
	for _, size := range []int{10, 1 << 20, 2 * batchBytes} {
		c, _, _ := spillCtx(t, 1<<30)
		left, right := &texts{n: 300, text: bytes.Repeat([]byte("x"), size)}, &texts{n: 7, text: []byte("y")}
		j := &HashJoin{Kind: Inner, L: left, R: right, Ids: []int{1, 2}, RightTypes: []types.Type{typ}, On: []fn.Expr{fn.IntConst(1)},
			LKeys: []fn.Expr{fn.IntConst(1)}, RKeys: []fn.Expr{fn.IntConst(1)}, Keyers: []types.Keyer{{}}}
		require.NoError(t, j.Open(c))
		rows, most := 0, 0
		for {
			b, err := j.Next(c)
			require.NoError(t, err)
			if b == nil {
				break
			}
			rows, most = rows+b.N, max(most, b.N)
		}
		j.Close(c)
		require.Equal(t, 300*7, rows, "texts of %d bytes", size)
		require.LessOrEqual(t, most, max(batchBytes/size, leastRows), "texts of %d bytes", size)
	}
}

// asked counts how often a statement asks whether it ends.
type asked struct {
	context.Context
	times int
}

func (a *asked) Err() error {
	a.times++
	return nil
}

// givenTexts gives one batch of texts.
type givenTexts struct {
	rows [][]byte
	done bool
}

func (t *givenTexts) IDs() []int      { return []int{1} }
func (t *givenTexts) Open(*Ctx) error { t.done = false; return nil }
func (t *givenTexts) Close(*Ctx)      {}
func (t *givenTexts) Next(*Ctx) (*types.Batch, error) {
	if t.done {
		return nil, nil
	}
	t.done = true
	v := types.NewVec(types.String, len(t.rows))
	copy(v.S, t.rows)
	return &types.Batch{N: len(t.rows), Cols: []*types.Vec{v}}, nil
}

// Work over many long texts of one batch ends with its statement, not with the batch.
func TestLongTextsOfABatchEnd(t *testing.T) {
	typ := types.StringType(10, types.Binary, types.Implicit, false)
	column, number := &fn.Column{ID: 1, T: typ}, types.IntType(21, false)
	sums := func(in Op, kind fn.AggregateKind, distinct bool) Op {
		of := typ
		if kind == fn.Count {
			of = number
		}
		return &Group{In: in, Ids: []int{1}, Aggs: []Aggregate{{Kind: kind, Distinct: distinct, Arg: column, T: of, Most: 1 << 30}}}
	}
	ordered := func(in Op) Op {
		return &Group{In: in, Ids: []int{1}, Aggs: []Aggregate{{Kind: fn.GroupConcat, Arg: column, T: typ, Most: 1 << 30, Order: []fn.Expr{column}, Desc: []bool{true}}}}
	}
	compared := []string{"ORDER BY", "ordered"} // their keys are long too, and compared
	for name, over := range map[string]func(in Op) Op{
		"groups":         func(in Op) Op { return &Group{In: in, Keys: []fn.Expr{column}, Ids: []int{1}} },
		"MIN":            func(in Op) Op { return sums(in, fn.Min, false) },
		"COUNT DISTINCT": func(in Op) Op { return sums(in, fn.Count, true) },
		"GROUP_CONCAT":   func(in Op) Op { return sums(in, fn.GroupConcat, false) },
		"DISTINCT":       func(in Op) Op { return &Distinct{In: in, Keys: []fn.Expr{column}} },
		"ordered":        ordered,
		"ORDER BY":       func(in Op) Op { return &Sort{In: in, Keys: []fn.Expr{column}, Desc: []bool{false}, Most: -1} },
	} {
		in := &givenTexts{}
		for i := range 50 {
			in.rows = append(in.rows, []byte(fmt.Sprint(strings.Repeat("x", longBytes), i)))
		}
		c, _, _ := spillCtx(t, 1<<30)
		a := &asked{Context: context.Background()}
		c.Context = a
		_, err := run(c, over(in))
		require.NoError(t, err, name)
		asks := len(in.rows)
		if slices.Contains(compared, name) { // when it is read, when it is given, and when it is compared
			asks = 3*len(in.rows) - 1
		}
		require.GreaterOrEqual(t, a.times, asks, name)
	}
}

// Long texts have MIN and MAX without keys: the same ones as among short texts.
func TestExtremesOfLongTexts(t *testing.T) {
	typ := types.StringType(10, types.Binary, types.Implicit, false)
	long := strings.Repeat("m", longBytes)
	for _, texts := range [][]string{{"b", long, "a", long + "z", "z", "n"}, {long, "m", "mm", long + "a"}, {"z", "a", long}, {long + "b", long + "a", long + "c"}, {"", long}} {
		want := []string{texts[0], texts[0]}
		in := &givenTexts{}
		for _, s := range texts {
			want[0], want[1] = min(want[0], s), max(want[1], s)
			in.rows = append(in.rows, []byte(s))
		}
		column := &fn.Column{ID: 1, T: typ}
		g := &Group{In: in, Ids: []int{1, 2}, Aggs: []Aggregate{{Kind: fn.Min, Arg: column, T: typ}, {Kind: fn.Max, Arg: column, T: typ}}}
		c, _, account := spillCtx(t, 1<<30)
		got, err := run(c, g)
		require.NoError(t, err)
		require.True(t, got[0] == want[0]+"|"+want[1], "of %.5q and the others", texts)
		require.Zero(t, account.Used())
	}
}
