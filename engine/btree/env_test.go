package btree

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/engine/buffer"
	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/engine/space"
	"emberdb/internal/base"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

const (
	testSpace = base.FirstSpace
	testIndex = base.IndexID(77)
)

// env is a directory with one space, open.
type env struct {
	t     testing.TB
	fs    vfs.FS
	files *pagefile.Files
	log   *redo.Log
	pool  *buffer.Pool
	tree  *Tree
}

// openEnv opens files, log and pool in fs. Errors are returned: power may be lost at any moment.
func openEnv(t testing.TB, fsys vfs.FS, frames int) (*env, redo.Checkpoint, error) {
	e := &env{t: t, fs: fsys}
	var cp redo.Checkpoint
	var err error
	if e.files, err = pagefile.Open(fsys, "data", pagefile.Options{OpenFiles: 16, Doublewrite: true}); err != nil {
		return nil, cp, err
	}
	wake := func() {
		if e.pool != nil {
			e.pool.WakeCleaner()
		}
	}
	e.log, cp, err = redo.Open(fsys, "data", redo.Options{Capacity: 64 << 20, SegmentSize: 8 << 20, Create: true, NeedRoom: wake})
	if err != nil {
		return nil, cp, errors.Join(err, e.files.Close())
	}
	e.pool, err = buffer.New(buffer.Options{Frames: frames, MaxFrames: frames, Files: e.files, Log: e.log, IOCapacity: 200000, OldTime: -1})
	return e, cp, err
}

// create makes the space and an empty tree and a checkpoint behind it.
func (e *env) create() error {
	if err := e.files.Create(testSpace, space.MinPages); err != nil {
		return err
	}
	m := e.pool.Begin()
	err := space.Create(m, testSpace, 5)
	var root base.PageNo
	if err == nil {
		root, err = Create(m, testSpace, testIndex)
	}
	if err == nil {
		err = space.SetRoot(m, testSpace, testIndex, root)
	}
	m.Commit()
	if err != nil {
		return err
	}
	e.tree = Open(e.pool, testSpace, root, testIndex)
	return e.checkpoint()
}

// checkpoint writes all dirty pages and moves the checkpoint there.
func (e *env) checkpoint() error {
	if err := e.log.FlushTo(e.log.Appended()); err != nil {
		return err
	}
	if err := e.pool.FlushAll(); err != nil {
		return err
	}
	return e.log.SetCheckpoint(min(e.pool.OldestDirty(), e.log.Durable()), nil)
}

func (e *env) close() {
	_ = e.pool.Close()
	_ = e.log.Close()
	_ = e.files.Close()
}

// newEnv is a fresh environment in memory, closed at the end of the test.
func newEnv(t testing.TB, frames int) *env {
	e, cp, err := openEnv(t, vfs.NewMem(1), frames)
	require.NoError(t, err)
	require.NoError(t, e.log.StartAt(cp.LSN))
	t.Cleanup(e.close)
	require.NoError(t, e.create())
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() { // a checkpointer, so that the log never fills
		defer close(done)
		for {
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
				_ = e.log.FlushTo(e.log.Appended())
				_ = e.log.SetCheckpoint(min(e.pool.OldestDirty(), e.log.Durable()), nil)
			}
		}
	}()
	t.Cleanup(func() { close(stop); <-done })
	return e
}

// reopen brings a directory back after a crash: it reads the log from the checkpoint and applies to every page what it lacks. It
// returns the end of the log it found.
func reopen(t testing.TB, fsys vfs.FS, frames int) (*env, base.LSN) {
	e, cp, err := openEnv(t, fsys, frames)
	require.NoError(t, err)
	_, err = e.files.RepairTorn()
	require.NoError(t, err)
	type change struct {
		rec redo.Record
		end base.LSN
	}
	pages := map[base.PageID][]change{}
	end := cp.LSN
	for r := e.log.NewReader(cp.LSN); ; {
		g, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		for rec, err := range redo.Records(bytes.Clone(g.Payload)) {
			require.NoError(t, err)
			if rec.Op >= redo.OpFirstPage {
				pages[rec.Page] = append(pages[rec.Page], change{rec, g.End})
			}
		}
		end = g.End
	}
	for id, list := range pages {
		page := vfs.AlignedBlock(base.PageSize)
		if err := e.files.Read(id, page); err != nil {
			require.Equal(t, redo.OpInitPage, list[0].rec.Op, "page %s: %v", id, err)
			clear(page)
		}
		for _, c := range list {
			if c.end > pagefile.LSN(page) {
				require.NoError(t, redo.Apply(c.rec, page), "page %s: %s", id, redo.Describe(c.rec))
			}
		}
		pagefile.SetLSN(page, list[len(list)-1].end)
		require.NoError(t, e.files.WriteBatch([]base.PageID{id}, [][]byte{page}))
	}
	require.NoError(t, e.log.StartAt(end))
	m := e.pool.BeginRead()
	root, err := space.Root(m, testSpace, testIndex)
	m.Commit()
	require.NoError(t, err)
	e.tree = Open(e.pool, testSpace, root, testIndex)
	return e, end
}

// check runs both checkers and returns all records.
func (e *env) check() (map[string]string, Stats) {
	e.t.Helper()
	got := map[string]string{}
	st, err := e.tree.Check(func(k, v []byte) error {
		got[string(k)] = string(v)
		return nil
	})
	require.NoError(e.t, err)
	require.NoError(e.t, space.Check(e.pool, testSpace, &st.Pages))
	return got, st
}

// put inserts or overwrites a record.
func (e *env) put(key, val []byte) error {
	m, c, err := e.tree.SeekWrite(key, len(key)+len(val))
	if err != nil {
		return err
	}
	defer m.Commit()
	if !c.Exact(key) {
		c.Insert(key, val)
	} else if !c.SetValue(val) {
		return fmt.Errorf("value of %d bytes does not fit", len(val))
	}
	return nil
}

// del removes a record if it is there, and merges.
func (e *env) del(key []byte) (bool, error) {
	m, c, err := e.tree.SeekWrite(key, 0)
	if err != nil {
		return false, err
	}
	found := c.Exact(key)
	if found {
		c.Delete()
	}
	under := c.Underfull()
	m.Commit()
	if under {
		return found, e.tree.Merge(key)
	}
	return found, nil
}

func newRand(t testing.TB) *rand.Rand {
	seed := testkit.Seed(t)
	return rand.New(rand.NewPCG(seed, 0))
}

// randomBytes makes up to most bytes out of few letters, so that prefixes repeat.
func randomBytes(rng *rand.Rand, least, most int) []byte {
	b := make([]byte, least+rng.IntN(most-least+1))
	for i := range b {
		b[i] = "\x00ab\xff"[rng.IntN(4)]
	}
	return b
}
