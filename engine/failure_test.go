package engine

import (
	"errors"
	"math/rand/v2"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

// TestFailedWhileCommitting has a disk fail under 16 committers. After a new start the tables hold every
// acknowledged row, and the binary log gives exactly what the tables hold.
func TestFailedWhileCommitting(t *testing.T) {
	seed := testkit.Seed(t)
	rnd := rand.New(rand.NewPCG(seed, 28))
	create := ddlStep("create a", func(e *Engine, tx *txn.Trx) error { return e.CreateTable(ctx, tx, itemsDef("a")) },
		func(m map[string]map[int64]item) { m["a"] = map[int64]item{} })
	for round := range 25 {
		fs := vfs.NewMem(seed + uint64(round))
		e := open(t, binlogOptions(fs))
		require.NoError(t, e.SetGTIDMode(GTIDOn))
		ddlText = create.name
		require.NoError(t, create.run(e))
		fs.Inject(vfs.Fault{Ops: vfs.OpWrite | vfs.OpSync, Match: "spaces/", Nth: rnd.Int64N(60), Stay: true, Err: syscall.EIO})

		const committers = 16
		var wg sync.WaitGroup
		var acknowledged [committers][]item
		for c := range committers {
			wg.Go(func() {
				for n := range int64(3000) {
					r := item{id: n*committers + int64(c), k: n % 7, pad: "0123456789012345678901234567890123456789"}
					if err := insertItems(e, "a", r); err != nil {
						if !errors.Is(err, base.ErrFailed) {
							t.Errorf("round %d: %v", round, err)
						}
						return
					}
					acknowledged[c] = append(acknowledged[c], r)
				}
			})
		}
		wg.Wait()
		_ = e.Close(false)
		fs.ClearFaults()

		e = open(t, binlogOptions(fs))
		got := content(t, e)
		for _, rows := range acknowledged {
			for _, r := range rows {
				require.Equal(t, r, got["a"][r.id], "round %d: an acknowledged row", round)
			}
		}
		logged := replay(t, fs, e, []step{create})
		if !equalContent(got, logged) {
			t.Errorf("round %d: the tables hold %v, the binary log gives %v", round, summary(got), summary(logged))
		}
		require.NoError(t, e.Close(false))
	}
}
