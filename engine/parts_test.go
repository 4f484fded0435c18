package engine

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// byRemainder places rows by their id, and has no part for negative ones.
type byRemainder struct {
	def *catalog.Table
	n   int
}

func (p byRemainder) Columns() []int { return []int{0} }

func (p byRemainder) Place(vals []row.Value) (int, error) {
	if id := vals[0].Int(); id >= 0 {
		return int(id % int64(p.n)), nil
	}
	return 0, &table.NoPartError{Table: p.def, Value: fmt.Sprint(vals[0].Int())}
}

func (p byRemainder) Select(bounds map[int]table.Bound) (out []int) {
	b, known := bounds[0]
	for i := range p.n {
		if !known || b.Low.IsNull() || !b.Low.Same(b.High) || int(b.Low.Int()%int64(p.n)) == i {
			out = append(out, i)
		}
	}
	return out
}

func openParts(t testing.TB, o Options) *Engine {
	e := open(t, o)
	e.SetPlacer(func(def *catalog.Table) (table.Placer, error) {
		return byRemainder{def, len(def.Partitioning.Leaves())}, nil
	})
	return e
}

func partitioned(n int) *catalog.Partitioning {
	p := &catalog.Partitioning{By: catalog.PartitionKey{Method: catalog.ByHash, Expr: "id"}}
	for i := range n {
		p.Parts = append(p.Parts, catalog.Partition{Name: fmt.Sprintf("p%d", i)})
	}
	return p
}

// crashParts loses the power and starts again.
func crashParts(t testing.TB, e *Engine, fs *vfs.Mem) (*Engine, *vfs.Mem) {
	fs.Crash()
	_ = e.Close(true) // it cannot write any more
	fs = fs.Reboot(2)
	return openParts(t, smallOptions(fs)), fs
}

// withoutUnique is a table of items all of whose unique keys hold the id.
func withoutUnique(name string) *catalog.Table {
	def := itemsDef(name)
	def.Indexes = def.Indexes[:2]
	return def
}

// createPartitioned makes a table of items with n parts.
func createPartitioned(t testing.TB, e *Engine, name string, n int) {
	def := withoutUnique(name)
	def.Partitioning = partitioned(n)
	require.NoError(t, e.ddl(func(tx *txn.Trx) error { return e.CreateTable(ctx, tx, def) }))
}

// TestPartsAreOneTable changes a partitioned table and a plain one alike, through crashes, and finds
// the same rows in both, along every index and in both directions.
func TestPartsAreOneTable(t *testing.T) {
	seed := rand.Int63()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewSource(seed))
	fs := vfs.NewMem(1)
	e := openParts(t, smallOptions(fs))
	require.NoError(t, e.ddl(func(tx *txn.Trx) error { return e.CreateTable(ctx, tx, withoutUnique("plain")) }))
	createPartitioned(t, e, "parts", 3)
	same := func() {
		for index := range withoutUnique("x").Indexes {
			want := items(t, e, "plain", index)
			require.Equal(t, want, items(t, e, "parts", index), "index %d", index)
		}
	}
	for round := range 6 {
		for range 40 {
			id := rnd.Int63n(60)
			rows := someItems(id, 1+rnd.Int63n(5))
			kind := rnd.Intn(3)
			var results []error
			for _, name := range []string{"plain", "parts"} {
				results = append(results, e.changeItems(name, kind, rows, id+7))
			}
			require.Equal(t, results[0] == nil, results[1] == nil, "%v", results)
		}
		same()
		if round%2 == 1 {
			e, fs = crashParts(t, e, fs)
			same()
		}
	}
	requireClean(t, e)
	require.NoError(t, e.Close(false))
}

// changeItems inserts rows, deletes them, or moves the first of them to another id.
func (e *Engine) changeItems(name string, kind int, rows []item, to int64) error {
	return e.run(txn.RepeatableRead, func(tx *txn.Trx) error {
		tbl, err := e.Table(ctx, tx, "test", name)
		if err != nil {
			return err
		}
		for i, r := range rows {
			switch kind {
			case 0:
				err = tbl.Insert(ctx, tx, r.vals())
			case 1:
				err = tbl.Delete(ctx, tx, r.vals())
			default:
				if i > 0 {
					return nil
				}
				moved := r.vals()
				moved[0] = row.IntValue(to)
				err = tbl.Update(ctx, tx, r.vals(), moved)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// TestPartsChange drops, empties, adds and exchanges parts; what is not committed is taken back.
func TestPartsChange(t *testing.T) {
	fs := vfs.NewMem(1)
	e := openParts(t, smallOptions(fs))
	createPartitioned(t, e, "parts", 4)
	require.NoError(t, e.ddl(func(tx *txn.Trx) error { return e.CreateTable(ctx, tx, withoutUnique("plain")) }))
	require.NoError(t, insertItems(e, "parts", someItems(0, 40)...))
	require.NoError(t, insertItems(e, "plain", someItems(100, 3)...))
	ids := func(name string) (out []int64) {
		for _, i := range items(t, e, name, 0) {
			out = append(out, i.id)
		}
		return out
	}
	rest := func(not int64) (out []int64) {
		for id := range int64(40) {
			if id%4 != not {
				out = append(out, id)
			}
		}
		return out
	}
	exchange := func(tx *txn.Trx) error {
		return e.ExchangePart(ctx, tx, "test", "parts", "p1", "test", "plain")
	}
	truncate := func(tx *txn.Trx) error { return e.TruncateParts(ctx, tx, "test", "parts", []string{"p1"}) }

	// Not committed: a crash takes all of it back.
	for _, change := range []func(tx *txn.Trx) error{truncate, exchange} {
		before, plain := ids("parts"), ids("plain")
		require.NoError(t, change(e.BeginDDL()))
		e, fs = crashParts(t, e, fs)
		require.Equal(t, before, ids("parts"))
		require.Equal(t, plain, ids("plain"))
		requireClean(t, e)
	}

	require.NoError(t, e.ddl(truncate))
	require.Equal(t, rest(1), ids("parts"))
	require.NoError(t, e.ddl(exchange))
	require.Empty(t, ids("plain"))
	require.Equal(t, append(rest(1), 100, 101, 102), ids("parts"), "the engine does not look where rows belong")
	require.NoError(t, e.ddl(truncate))
	require.NoError(t, e.ddl(func(tx *txn.Trx) error { return e.RenameTable(ctx, tx, "test", "parts", "test", "other") }))
	require.Equal(t, rest(1), ids("other"))
	names, err := e.TableNames(ctx, nil, "test")
	require.NoError(t, err)
	require.False(t, slices.ContainsFunc(names, catalog.IsPart))
	require.NoError(t, e.ddl(func(tx *txn.Trx) error { return e.DropIndex(ctx, tx, "test", "other", itemsDef("x").Indexes[1].Name) }))
	require.Equal(t, rest(1), ids("other"))
	requireClean(t, e)

	require.NoError(t, e.ddl(func(tx *txn.Trx) error { return e.DropTable(ctx, tx, "test", "other") }))
	_, err = e.dict.Table(ctx, nil, "test", "other")
	require.ErrorIs(t, err, base.ErrNotFound)
	require.NoError(t, e.Close(false))
	e = openParts(t, smallOptions(fs))
	requireClean(t, e)
	require.NoError(t, e.Close(false))
}

// TestNoPart refuses a row that no part takes, and leaves nothing of it.
func TestNoPart(t *testing.T) {
	e := openParts(t, smallOptions(vfs.NewMem(1)))
	createPartitioned(t, e, "parts", 2)
	var none *table.NoPartError
	require.ErrorAs(t, insertItems(e, "parts", item{id: -5}), &none)
	require.Equal(t, "-5", none.Value)
	require.Empty(t, items(t, e, "parts", 0))
	require.NoError(t, e.Close(false))
}
