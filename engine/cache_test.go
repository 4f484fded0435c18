package engine

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/vfs"
)

// counterDef is a table with an AUTO_INCREMENT key.
func counterDef(name string) *catalog.Table {
	return &catalog.Table{Schema: "test", Name: name, AutoInc: 0,
		Columns: []catalog.Column{{Name: "id", Column: row.Column{Type: row.TUint64}}, {Name: "v", Column: row.Column{Type: row.TInt64}}},
		Indexes: []*catalog.Index{{Name: "PRIMARY", Unique: true, Clustered: true, Parts: []row.KeyPart{{Column: 0}}}}}
}

// counters opens an engine that keeps limit tables, with n counter tables.
func counters(t *testing.T, limit, n int) *Engine {
	o := smallOptions(vfs.NewMem(1))
	o.TableCache = limit
	e := open(t, o)
	for i := range n {
		tx := e.BeginDDL()
		require.NoError(t, e.CreateTable(ctx, tx, counterDef(fmt.Sprintf("t%d", i))))
		require.NoError(t, e.Commit(ctx, tx))
	}
	return e
}

// with runs fn on a table in a transaction.
func with(t *testing.T, e *Engine, i int, fn func(tx *txn.Trx, tbl *table.Table)) {
	tx := e.Begin(txn.RepeatableRead, false)
	tbl, err := e.Table(ctx, tx, "test", fmt.Sprintf("t%d", i))
	if err == nil {
		fn(tx, tbl)
		err = e.Commit(ctx, tx)
	}
	if err != nil {
		t.Error(err)
	}
}

func reserve(t *testing.T, tbl *table.Table, tx *txn.Trx, n int) uint64 {
	v, err := tbl.NextAutoInc(ctx, tx, n)
	if err != nil {
		t.Error(err)
	}
	return v
}

// The cache stays at its limit, a table in use stays in it, and a table that comes back goes on
// counting where it was, values that were reserved and never inserted included.
func TestTableCache(t *testing.T) {
	const tables = 30
	e := counters(t, 4, tables)
	defer e.Close(false)
	for round := range 3 {
		for i := range tables {
			with(t, e, i, func(tx *txn.Trx, tbl *table.Table) {
				require.EqualValues(t, 1+10*round, reserve(t, tbl, tx, 10))
			})
		}
		st := e.Status().Tables
		require.LessOrEqual(t, st.Tables, 5)
		require.GreaterOrEqual(t, st.Opened, int64(round*tables))
	}
	tx := e.Begin(txn.RepeatableRead, false)
	held, err := e.Table(ctx, tx, "test", "t0")
	require.NoError(t, err)
	for i := range tables {
		with(t, e, i, func(_ *txn.Trx, tbl *table.Table) {
			if i == 0 {
				require.Same(t, held, tbl)
			}
		})
	}
	with(t, e, 0, func(_ *txn.Trx, tbl *table.Table) { require.Same(t, held, tbl) })
	require.NoError(t, e.Commit(ctx, tx))
	e.SetTableCache(tables)
	for i := range tables {
		with(t, e, i, func(*txn.Trx, *table.Table) {})
	}
	require.Equal(t, tables, e.Status().Tables.Tables)
	e.SetTableCache(2)
	require.LessOrEqual(t, e.Status().Tables.Tables, 2)
}

// However tables come and go under many users, no value is given twice; definition changes go on
// beside them.
func TestTableCacheUnderLoad(t *testing.T) {
	const tables, workers, steps = 12, 4, 400
	e := counters(t, 2, tables)
	defer e.Close(false)
	var mu sync.Mutex
	given := map[[2]uint64]bool{}
	var wg sync.WaitGroup
	for w := range workers {
		rnd := rand.New(rand.NewPCG(1, uint64(w)))
		wg.Go(func() {
			for range steps {
				i := rnd.IntN(tables)
				with(t, e, i, func(tx *txn.Trx, tbl *table.Table) {
					v := reserve(t, tbl, tx, 1)
					mu.Lock()
					if given[[2]uint64{uint64(i), v}] {
						t.Errorf("table %d: value %d given twice", i, v)
					}
					given[[2]uint64{uint64(i), v}] = true
					mu.Unlock()
					if rnd.IntN(3) == 0 {
						if err := tbl.Insert(ctx, tx, []row.Value{{Kind: row.Uint, N: v}, {Kind: row.Int}}); err != nil {
							t.Error(err)
						}
					}
				})
			}
		})
	}
	wg.Go(func() {
		for i := range 40 {
			tx := e.BeginDDL()
			tbl, err := e.Table(ctx, tx, "test", fmt.Sprintf("t%d", i%tables))
			if err == nil {
				def := copyDef(tbl.Def())
				def.Comment = fmt.Sprint(i)
				err = e.AlterTable(ctx, tx, tbl.Def(), def)
			}
			if err == nil && i%2 == 0 {
				err = e.Commit(ctx, tx)
			} else {
				_ = e.Rollback(tx)
			}
			if err != nil {
				t.Error(err)
			}
		}
	})
	wg.Wait()
}
