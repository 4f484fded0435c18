package btree

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/buffer"
	"emberdb/engine/buffer/buffertest"
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
	e.files, e.log, e.pool, cp, err = buffertest.Open(fsys, frames)
	return e, cp, err
}

// create makes the space and an empty tree and a checkpoint behind it.
func (e *env) create() error {
	if err := e.files.Create(testSpace, space.MinPages); err != nil {
		return err
	}
	if err := space.Create(e.pool, testSpace, 5); err != nil {
		return err
	}
	roots, err := Create(e.pool, testSpace, testIndex)
	if err != nil {
		return err
	}
	e.tree = Open(e.pool, new(Shapes), testSpace, roots[0], testIndex)
	return e.checkpoint()
}

// checkpoint writes all dirty pages and moves the checkpoint there.
func (e *env) checkpoint() error {
	lsn, err := buffertest.Flush(e.log, e.pool)
	if err != nil {
		return err
	}
	return e.log.SetCheckpoint(lsn, nil)
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
	buffertest.Checkpoints(t, func() {
		_ = e.log.FlushTo(e.log.Appended())
		_ = e.log.SetCheckpoint(min(e.pool.Flusher().OldestDirty(), e.log.Durable()), nil)
	})
	return e
}

// reopen brings a directory back after a crash: it reads the log from the checkpoint and applies to
// every page what it lacks. It returns the end of the log it found.
func reopen(t testing.TB, fsys vfs.FS, frames int) (*env, base.LSN) {
	e, cp, err := openEnv(t, fsys, frames)
	require.NoError(t, err)
	end := buffertest.Replay(t, e.files, e.log, cp.LSN, nil)
	m := e.pool.BeginRead()
	root, err := space.Root(m, testSpace, testIndex)
	m.Commit()
	require.NoError(t, err)
	e.tree = Open(e.pool, new(Shapes), testSpace, root, testIndex)
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
