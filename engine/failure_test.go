package engine

import (
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/space"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

// TestFailedWhileCommitting has a disk fail under 16 committers. After a new start the tables hold
// every acknowledged row, and the binary log gives exactly what the tables hold.
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
		requireClean(t, e)
		require.NoError(t, e.Close(false))
	}
}

// TestSpaceIDsEnd has the counter of ids come back to the id of a live table, which is as long as a
// file name can tell: no table gets it, and the live table keeps its file.
func TestSpaceIDsEnd(t *testing.T) {
	fs := vfs.NewMem(1)
	e := open(t, smallOptions(fs))
	createItems(t, e, "a")
	require.NoError(t, insertItems(e, "a", someItems(1, 100)...))
	tbl, err := e.dict.Table(ctx, nil, "test", "a")
	require.NoError(t, err)
	m := e.pool.Begin()
	require.NoError(t, space.SetAutoInc(m, base.SystemSpace, 1<<32+uint64(tbl.Def().Space)-1))
	_, err = m.Commit()
	require.NoError(t, err)
	require.NoError(t, e.Close(false))

	e = open(t, smallOptions(fs))
	create := func() error {
		return e.ddl(func(tx *txn.Trx) error { return e.CreateTable(ctx, tx, itemsDef("b")) })
	}
	require.ErrorContains(t, create(), "used up")
	require.Len(t, items(t, e, "a", 0), 100)
	requireClean(t, e)
	requireFiles(t, e)
	require.NoError(t, e.Close(false))
	e = open(t, smallOptions(fs))
	require.Len(t, items(t, e, "a", 0), 100)
	require.NoError(t, e.Close(false))
}

// TestForeignSpaceFile puts a file where the next table would have its own: CREATE TABLE fails,
// neither its rollback nor the next start removes the file, and the table after it is made.
func TestForeignSpaceFile(t *testing.T) {
	fs := vfs.NewMem(1)
	e := open(t, smallOptions(fs))
	createItems(t, e, "a")
	id, err := e.dict.NewID()
	require.NoError(t, err)
	foreign := e.files.Path(base.SpaceID(id + 2)) // the table gets the id before
	require.NoError(t, vfs.WriteFile(fs, foreign, []byte("somebody's")))
	create := func() error {
		return e.ddl(func(tx *txn.Trx) error { return e.CreateTable(ctx, tx, itemsDef("b")) })
	}
	require.ErrorContains(t, create(), foreign)
	require.NoError(t, create())
	require.NoError(t, e.Close(true))
	e = open(t, smallOptions(fs))
	e.background.Wait()
	b, err := vfs.ReadFile(fs, foreign)
	require.NoError(t, err)
	require.Equal(t, "somebody's", string(b))
	require.NoError(t, e.Close(false))
}

// TestCommitKeepsItsWord has the binlog cache's file resist being emptied, and being removed, after
// a commit: the transaction is committed, and the client is told so.
func TestCommitKeepsItsWord(t *testing.T) {
	fs := vfs.NewMem(1)
	e := open(t, binlogOptions(fs))
	require.NoError(t, e.SetGTIDMode(GTIDOn))
	createItems(t, e, "a")
	fs.Inject(vfs.Fault{Ops: vfs.OpTruncate | vfs.OpRemove, Match: "#binlog_cache", Stay: true, Err: syscall.EIO})
	rows := someItems(1, 3)
	for i := range rows {
		rows[i].pad = strings.Repeat("spills", 2000)
		require.NoError(t, insertItems(e, "a", rows[i]))
	}
	fs.ClearFaults()
	require.NoError(t, e.failure.Err())
	require.Equal(t, rows, items(t, e, "a", 0))
	require.NoError(t, e.Close(false))
	e = open(t, binlogOptions(fs))
	require.Equal(t, rows, items(t, e, "a", 0))
	require.NoError(t, e.Close(false))
}

// TestStartOnFullDisk: a start that has no room for its first binary log is refused, and the next
// one works.
func TestStartOnFullDisk(t *testing.T) {
	for _, match := range []string{"binlog.index", "#binlog_cache"} {
		fs := vfs.NewMem(1)
		e := open(t, binlogOptions(fs))
		createItems(t, e, "a")
		require.NoError(t, e.Close(false))
		fs.Inject(vfs.Fault{Ops: vfs.OpCreate | vfs.OpWrite | vfs.OpAllocate, Match: match, Stay: true, Err: base.ErrDiskFull})
		_, err := Open(binlogOptions(fs))
		require.ErrorIs(t, err, base.ErrDiskFull)
		fs.ClearFaults()
		e = open(t, binlogOptions(fs))
		require.NoError(t, insertItems(e, "a", someItems(1, 3)...))
		require.NoError(t, e.Close(false))
	}
}
