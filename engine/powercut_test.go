package engine

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

// A script of steps, each of which is atomic. After a power cut at write or sync k the directory
// holds what the acknowledged steps made, and the step that was under way wholly or not at all.

type step struct {
	name string
	run  func(e *Engine) error
	// model applies the step to the expected content: table name -> rows by id.
	model func(m map[string]map[int64]item)
}

func insertStep(table string, rows ...item) step {
	return step{"insert into " + table, func(e *Engine) error { return insertItems(e, table, rows...) },
		func(m map[string]map[int64]item) {
			for _, r := range rows {
				m[table][r.id] = r
			}
		}}
}

func changeStep(table string, name string, change func(i item) item, ids ...int64) step {
	return step{name + " " + table, func(e *Engine) error {
		return e.run(txn.RepeatableRead, func(tx *txn.Trx) error {
			t, err := e.Table(ctx, tx, "test", table)
			if err != nil {
				return err
			}
			for _, id := range ids {
				old, ok, err := t.Get(ctx, tx, t.Def().Indexes[0], itemKey(id), tableExclusive, tableWait)
				if err != nil || !ok {
					return errors.Join(err, fmt.Errorf("row %d: found %v", id, ok))
				}
				if change == nil {
					err = t.Delete(ctx, tx, old)
				} else {
					err = t.Update(ctx, tx, old, change(itemOf(old)).vals())
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
	}, func(m map[string]map[int64]item) {
		for _, id := range ids {
			if change == nil {
				delete(m[table], id)
			} else {
				i := change(m[table][id])
				delete(m[table], id)
				m[table][i.id] = i
			}
		}
	}}
}

func ddlStep(name string, run func(e *Engine, tx *txn.Trx) error, model func(m map[string]map[int64]item)) step {
	return step{name, func(e *Engine) error { return e.ddl(func(tx *txn.Trx) error { return run(e, tx) }) }, model}
}

func powerCutScript() []step {
	big := item{id: 500, k: 5, u: 501, pad: string(make([]byte, 100_000))}
	longer := func(i item) item { i.pad += "0123456789012345678901234567890123456789"; i.k++; return i }
	return []step{
		ddlStep("create a", func(e *Engine, tx *txn.Trx) error { return e.CreateTable(ctx, tx, itemsDef("a")) },
			func(m map[string]map[int64]item) { m["a"] = map[int64]item{} }),
		insertStep("a", someItems(1, 60)...),
		insertStep("a", big),
		changeStep("a", "update", longer, 3, 4, 5, 500),
		changeStep("a", "delete", nil, 6, 7, 500),
		changeStep("a", "move", func(i item) item { i.id += 100; i.u += 100; return i }, 8, 9),
		ddlStep("create b", func(e *Engine, tx *txn.Trx) error { return e.CreateTable(ctx, tx, itemsDef("b")) },
			func(m map[string]map[int64]item) { m["b"] = map[int64]item{} }),
		insertStep("b", someItems(1, 10)...),
		ddlStep("rename b to c", func(e *Engine, tx *txn.Trx) error { return e.RenameTable(ctx, tx, "test", "b", "test", "c") },
			func(m map[string]map[int64]item) { m["c"] = m["b"]; delete(m, "b") }),
		ddlStep("truncate c", func(e *Engine, tx *txn.Trx) error { return e.TruncateTable(ctx, tx, "test", "c") },
			func(m map[string]map[int64]item) { m["c"] = map[int64]item{} }),
		insertStep("c", someItems(5, 5)...),
		{"checkpoint", func(e *Engine) error { return errors.Join(e.pool.Flusher().All(), e.Checkpoint()) }, func(map[string]map[int64]item) {}},
		changeStep("a", "update again", longer, 10, 11, 12),
		ddlStep("drop c", func(e *Engine, tx *txn.Trx) error { return e.DropTable(ctx, tx, "test", "c") },
			func(m map[string]map[int64]item) { delete(m, "c") }),
	}
}

// content reads every table by its clustered and by a secondary index, which must agree.
func content(t testing.TB, e *Engine) map[string]map[int64]item {
	t.Helper()
	m := map[string]map[int64]item{}
	names, err := e.TableNames(ctx, nil, "test")
	require.NoError(t, err)
	for _, n := range names {
		rows := map[int64]item{}
		for _, r := range items(t, e, n, 0) {
			rows[r.id] = r
		}
		require.Len(t, items(t, e, n, 1), len(rows))
		m[n] = rows
	}
	return m
}

func TestPowerCut(t *testing.T) { cutScript(t, powerCutScript()) }

// cutScript cuts the power at every few writes and syncs of a script.
func cutScript(t *testing.T, steps []step) {
	stride := int64(3) // every k with EMBER_POWERCUT_STRIDE=1
	if s, err := strconv.ParseInt(os.Getenv("EMBER_POWERCUT_STRIDE"), 10, 64); err == nil {
		stride = s
	}
	seed := testkit.Seed(t)
	for k := int64(0); ; k += stride {
		fs := vfs.NewMem(seed)
		e := open(t, cutOptions(fs))
		fs.CrashAt(k)
		before, after, cut := runSteps(t, e, steps)
		if fs.CrashAt(-1); !cut && !fs.Crashed() {
			require.Equal(t, before, content(t, e))
			require.NoError(t, e.Close(false))
			t.Logf("%d power cuts, the script makes fewer than %d writes and syncs", k/stride, k)
			return
		}
		abandonEngine(e)

		fs = failAgain(t, fs.Reboot(seed+uint64(k)), seed+uint64(k))
		e, err := Open(cutOptions(fs))
		require.NoError(t, err, "power cut at %d", k)
		got := content(t, e)
		if !equalContent(got, before) && !equalContent(got, after) {
			t.Fatalf("power cut at %d:\n got %v\nwant %v\n  or %v", k, summary(got), summary(before), summary(after))
		}
		requireClean(t, e)
		e.background.Wait()
		requireFiles(t, e)
		require.NoError(t, e.Close(false))
	}
}

// cutOptions is smallOptions with a pool so small that pages are written all the time.
func cutOptions(fs vfs.FS) Options {
	o := smallOptions(fs)
	o.PoolBytes = 40 * base.PageSize
	return o
}

// awaitRecovery waits for what recovery does in the background. Without power a read of the rollback
// fails whenever it is tried again. If no write fails meanwhile, nothing else would end it.
func awaitRecovery(e *Engine, fs *vfs.Mem) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		e.background.Wait()
	}()
	for {
		select {
		case <-done:
			return
		case <-time.After(50 * time.Millisecond):
			if fs.Crashed() {
				e.stopRecovery()
			}
		}
	}
}

// failAgain cuts the power, at random, while the directory is opened and recovered, several times
// at most.
func failAgain(t testing.TB, fs *vfs.Mem, seed uint64) *vfs.Mem {
	rng := rand.New(rand.NewPCG(seed, 1))
	for rng.IntN(3) == 0 {
		fs.CrashAt(int64(rng.IntN(30)))
		if e, err := Open(cutOptions(fs)); err == nil {
			awaitRecovery(e, fs)
			abandonEngine(e)
		} else {
			require.True(t, errors.Is(err, vfs.ErrPowerLost) || errors.Is(err, base.ErrFailed), "%v", err)
		}
		fs.Crash()
		fs = fs.Reboot(rng.Uint64())
	}
	return fs
}

// runSteps returns the expected content without and with the step that the power cut met.
func runSteps(t testing.TB, e *Engine, steps []step) (before, after map[string]map[int64]item, cut bool) {
	before, after = map[string]map[int64]item{}, map[string]map[int64]item{}
	for _, s := range steps {
		ddlText = s.name
		s.model(after)
		if err := s.run(e); err != nil {
			require.ErrorIs(t, errors.Join(err, vfs.ErrPowerLost), vfs.ErrPowerLost, s.name)
			require.True(t, errors.Is(err, vfs.ErrPowerLost) || errors.Is(err, base.ErrFailed), "%s: %v", s.name, err)
			return before, after, true
		}
		s.model(before)
	}
	return before, after, false
}

// abandonEngine ends the goroutines of an engine whose disk is gone, as death ends them.
func abandonEngine(e *Engine) {
	e.background.Wait()
	e.closed.Store(true)
	_ = e.warm.Close(false)
	e.logSync.stop()
	e.txns.Close()
	e.checkpoint.stop()
	e.abandon()
}

// requireFiles checks that there is a file for every table and no other.
func requireFiles(t testing.TB, e *Engine) {
	t.Helper()
	want := map[base.SpaceID]bool{base.SystemSpace: true, base.UndoSpace: true}
	names, err := e.TableNames(ctx, nil, "test")
	require.NoError(t, err)
	for _, n := range names {
		require.NoError(t, e.run(txn.ReadCommitted, func(tx *txn.Trx) error {
			tb, err := e.Table(ctx, tx, "test", n)
			if err == nil {
				want[tb.Def().Space] = true
			}
			return err
		}))
	}
	spaces, err := e.files.Spaces()
	require.NoError(t, err)
	got := map[base.SpaceID]bool{}
	for _, s := range spaces {
		got[s] = true
	}
	require.Equal(t, want, got)
}

func equalContent(a, b map[string]map[int64]item) bool {
	if len(a) != len(b) {
		return false
	}
	for n, rows := range a {
		other, ok := b[n]
		if !ok || len(rows) != len(other) {
			return false
		}
		for id, r := range rows {
			if other[id] != r {
				return false
			}
		}
	}
	return true
}

func summary(m map[string]map[int64]item) map[string]int {
	s := map[string]int{}
	for n, rows := range m {
		s[n] = len(rows)
	}
	return s
}

func TestRebuildAndIndexes(t *testing.T) {
	fs := vfs.NewMem(3)
	e := open(t, smallOptions(fs))
	createItems(t, e, "items")
	rows := someItems(1, 300)
	rows[7].pad = string(make([]byte, 50_000))
	require.NoError(t, insertItems(e, "items", rows...))

	// A new index, built while a writer goes on.
	stop, stopped := make(chan struct{}), make(chan error, 1)
	go func() {
		for id := int64(1000); ; id++ {
			select {
			case <-stop:
				stopped <- nil
				return
			default:
			}
			if err := insertItems(e, "items", item{id: id, k: id, pad: "late"}); err != nil {
				stopped <- err
				return
			}
		}
	}()
	require.NoError(t, e.ddl(func(tx *txn.Trx) error {
		return e.AddIndex(ctx, tx, "test", "items", &catalog.Index{Name: "by_pad", Parts: []row.KeyPart{{Column: 3, Prefix: 10}, {Column: 1, Desc: true}}})
	}))
	close(stop)
	require.NoError(t, <-stopped)
	all := items(t, e, "items", 0)
	require.Len(t, items(t, e, "items", 3), len(all))
	requireClean(t, e)

	// A unique index over equal values fails and leaves nothing.
	err := e.ddl(func(tx *txn.Trx) error {
		return e.AddIndex(ctx, tx, "test", "items", &catalog.Index{Name: "uniq_k", Unique: true, Parts: []row.KeyPart{{Column: 1}}})
	})
	var dup *table.DuplicateError
	require.ErrorAs(t, err, &dup)
	requireClean(t, e)
	require.ErrorAs(t, insertItems(e, "items", item{id: 5000, k: 1}, item{id: 1, k: 1}), &dup)
	require.Equal(t, all, items(t, e, "items", 0))

	// Rewrite it with another primary key and without the unique index.
	require.NoError(t, e.ddl(func(tx *txn.Trx) error {
		old, err := e.Table(ctx, tx, "test", "items")
		if err != nil {
			return err
		}
		def := itemsDef("items")
		def.Indexes = []*catalog.Index{{Name: "PRIMARY", Unique: true, Clustered: true, Parts: []row.KeyPart{{Column: 1}, {Column: 0}}},
			{Name: "by_id", Parts: []row.KeyPart{{Column: 0}}}}
		r, err := e.NewRebuild(ctx, tx, old.Def(), def, nil)
		if err != nil {
			return err
		}
		for _, i := range all {
			if err := r.Add(ctx, i.vals()); err != nil {
				return err
			}
		}
		_, err = r.Finish(ctx)
		return err
	}))
	require.ElementsMatch(t, all, items(t, e, "items", 0))
	require.Equal(t, all, items(t, e, "items", 1))
	requireClean(t, e)
	requireFiles(t, e)

	require.NoError(t, e.ddl(func(tx *txn.Trx) error { return e.DropIndex(ctx, tx, "test", "items", "by_id") }))
	requireClean(t, e)
	require.NoError(t, e.Close(false))
}
