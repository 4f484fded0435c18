package engine

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/internal/vfs"
)

// TestTwoEngines has two engines of one process work at the same time, with the same ids of tables
// and keys of rows: neither waits for the other, and each has its own rows, indexes and binary log.
func TestTwoEngines(t *testing.T) {
	const rounds = 300
	errTakenBack := errors.New("taken back")
	engines := make([]*Engine, 2)
	want := make([]map[int64]item, len(engines))
	for n := range engines {
		engines[n], want[n] = open(t, binlogOptions(vfs.NewMem(uint64(n+1)))), map[int64]item{}
		require.NoError(t, engines[n].SetGTIDMode(GTIDOn))
		createItems(t, engines[n], "a")
	}
	held := engines[0].BeginDDL() // a table that one engine has locked is free in the other
	require.NoError(t, engines[0].CreateTable(ctx, held, itemsDef("b")))
	createItems(t, engines[1], "b")
	require.NoError(t, engines[0].Rollback(held))

	var group errgroup.Group
	for n, e := range engines {
		group.Go(func() error {
			for i := range int64(rounds) {
				x := item{id: i, k: i * int64(n+1), pad: fmt.Sprint("engine ", n)}
				err := e.run(txn.RepeatableRead, func(tx *txn.Trx) error {
					if err := insertItem(e, tx, "a", x); err != nil || i%3 != 0 {
						return err
					}
					return errTakenBack
				})
				switch {
				case err == nil:
					want[n][i] = x
				case !errors.Is(err, errTakenBack):
					return err
				}
				if i%50 == 49 {
					name := fmt.Sprint("more", i)
					err := e.ddl(func(tx *txn.Trx) error {
						return e.AddIndex(ctx, tx, "test", "a", &catalog.Index{Name: name, Parts: []row.KeyPart{{Column: 1}, {Column: 3, Prefix: 20}}})
					})
					if err == nil {
						err = e.ddl(func(tx *txn.Trx) error { return e.DropIndex(ctx, tx, "test", "a", name) })
					}
					if err != nil {
						return err
					}
				}
			}
			return nil
		})
	}
	require.NoError(t, group.Wait())
	for n, e := range engines {
		requireItems(t, e, "a", want[n])
		r, err := e.Check(ctx, nil)
		require.NoError(t, err)
		require.Empty(t, r.Faults)
		require.NoError(t, e.Close(false))
	}
}
