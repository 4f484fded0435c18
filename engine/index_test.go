package engine

import (
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// The builder of an index adds nothing while a rollback or purge, which hold no metadata lock,
// works with the definition without the index: it would leave the entries as they are.
func TestAddIndexWaitsForUndo(t *testing.T) {
	e := counters(t, 10, 1)
	defer e.Close(false)
	const rows = 5
	with(t, e, 0, func(tx *txn.Trx, tbl *table.Table) {
		for i := range rows {
			require.NoError(t, tbl.Insert(ctx, tx, []row.Value{row.UintValue(uint64(i + 1)), row.IntValue(int64(i))}))
		}
	})
	entries := func() (n int) {
		def := e.dict.Cached("test", "t0").Def()
		_, err := e.rows.Tree(def.Space, def.Indexes[1].Root, def.Indexes[1].ID).Check(func(_, _ []byte) error { n++; return nil })
		if err != nil {
			t.Error(err)
		}
		return n
	}
	read := func() error {
		tx := e.Begin(txn.RepeatableRead, false)
		defer func() {
			if err := e.Commit(ctx, tx); err != nil {
				t.Error(err)
			}
		}()
		tbl := e.dict.Cached("test", "t0")
		s := tbl.NewScan(tx, table.ScanOptions{Index: tbl.Def().Indexes[1]})
		defer s.Close()
		_, err := s.Next(ctx)
		return err
	}
	begun, done := make(chan struct{}), make(chan int, 1)
	go func() {
		err := e.dict.UseByID(e.dict.Cached("test", "t0").Def().ID, func(*table.Table) error {
			close(begun)
			for len(e.dict.Cached("test", "t0").Def().Indexes) == 1 {
				runtime.Gosched()
			}
			time.Sleep(50 * time.Millisecond) // a builder that does not wait is done
			if err := read(); !e.dict.Cached("test", "t0").Def().Indexes[1].Building || !errors.Is(err, base.ErrTableGone) {
				t.Errorf("an index that is being built is read: %v", err)
			}
			done <- entries()
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}()
	<-begun
	tx := e.BeginDDL()
	require.NoError(t, e.AddIndex(ctx, tx, "test", "t0", &catalog.Index{Name: "v", Parts: []row.KeyPart{{Column: 1}}}))
	require.NoError(t, e.Commit(ctx, tx))
	require.Zero(t, <-done)
	require.Equal(t, rows, entries())
	require.False(t, e.dict.Cached("test", "t0").Def().Indexes[1].Building)
	require.NoError(t, read())
}
