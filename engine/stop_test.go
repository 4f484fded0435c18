package engine

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

// gatedFS makes the reads of some files wait.
type gatedFS struct {
	vfs.FS
	waits func(name string) bool
	gate  chan struct{}
}

type gatedFile struct {
	vfs.File
	fs *gatedFS
}

func (g *gatedFS) Open(name string, o vfs.Options) (vfs.File, error) {
	f, err := g.FS.Open(name, o)
	if err != nil || !g.waits(name) {
		return f, err
	}
	return gatedFile{f, g}, nil
}

func (f gatedFile) ReadVAt(bufs [][]byte, off int64) (int, error) {
	<-f.fs.gate
	return f.File.ReadVAt(bufs, off)
}

func (f gatedFile) ReadAt(b []byte, off int64) (int, error) {
	<-f.fs.gate
	return f.File.ReadAt(b, off)
}

// A shutdown during recovery ends at once: it waits neither for the redo of all pages nor until
// they are written. The next start redoes the rest.
func TestCloseStopsRecovery(t *testing.T) {
	const tables = 60 // more than recovery reads at a time
	fs := vfs.NewMem(1)
	o := smallOptions(fs)
	o.PoolBytes, o.RedoCapacity, o.Doublewrite = 16<<20, 32<<20, false
	e := open(t, o)
	rows, files := someItems(1, 5), map[string]bool{}
	for i := range tables {
		name := fmt.Sprint("t", i)
		createItems(t, e, name)
		files[e.files.Path(e.dict.Cached("test", name).Def().Space)] = true
	}
	require.NoError(t, e.pool.Flusher().All())
	require.NoError(t, e.Checkpoint())
	for i := range tables {
		require.NoError(t, insertItems(e, fmt.Sprint("t", i), rows...))
	}
	abandonEngine(e)
	fs.Crash()

	gated := &gatedFS{FS: fs.Reboot(1), waits: func(name string) bool { return files[name] }, gate: make(chan struct{})}
	o.FS = gated
	e = open(t, o)
	told, stop := make(chan struct{}), e.stopRecovery
	e.stopRecovery = sync.OnceFunc(func() { stop(); close(told) })
	done := make(chan error)
	go func() { done <- e.Close(false) }()
	testkit.Receive(t, told)
	close(gated.gate)
	require.NoError(t, <-done)
	require.Positive(t, e.redo.Left(), "recovery went on to its end")

	e = open(t, o)
	for i := range tables {
		require.Equal(t, rows, items(t, e, fmt.Sprint("t", i), 0))
		require.Len(t, items(t, e, fmt.Sprint("t", i), 1), len(rows))
	}
	e.background.Wait()
	testkit.Eventually(t, func() bool { // purge is at work
		r, err := e.Check(ctx, nil)
		require.NoError(t, err)
		return len(r.Faults) == 0
	})
	require.NoError(t, e.Close(false))
}
