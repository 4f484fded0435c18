package warm

import (
	"context"
	"emberdb/engine/buffer/buffertest"
	"emberdb/internal/testkit"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/buffer"
	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

const (
	dir      = "data"
	listPath = dir + "/" + DefaultFilename
	space    = base.FirstSpace
)

var uuid = [16]byte{1, 2, 3}

// node is a pool on a memory file system, as one life of a server has it.
type node struct {
	fs    *vfs.Mem
	files *pagefile.Files
	log   *redo.Log
	pool  *buffer.Pool
	m     *Manager
}

// boot starts a life on fs. The first one, with pages > 0, creates that many pages in two
// tablespaces.
func boot(t testing.TB, fsys *vfs.Mem, frames, pages int, o Options) *node {
	t.Helper()
	return bootOn(t, fsys, fsys, frames, pages, o)
}

// bootOn is boot with a file system around that of the memory.
func bootOn(t testing.TB, mem *vfs.Mem, fsys vfs.FS, frames, pages int, o Options) *node {
	t.Helper()
	n := &node{fs: mem}
	require.NoError(t, fsys.MkdirAll(dir))
	var err error
	n.files, err = pagefile.Open(fsys, dir, pagefile.Options{Direct: true})
	require.NoError(t, err)
	var cp redo.Checkpoint
	n.log, cp, err = redo.Open(fsys, dir, redo.Options{Create: true, Capacity: 64 << 20, SegmentSize: 4 << 20})
	require.NoError(t, err)
	if pages == 0 {
		r := n.log.NewReader(cp.LSN)
		end := cp.LSN
		for {
			g, err := r.Next()
			if err != nil {
				break
			}
			end = g.End
		}
		r.Close()
		require.NoError(t, n.log.StartAt(end))
	}
	n.pool, err = buffer.New(buffer.Options{Frames: frames, Files: n.files, Log: n.log, ReadAheadThreshold: -1, OldTime: -1, LRUScanDepth: 1})
	require.NoError(t, err)
	o.Dir, o.UUID = dir, uuid
	n.m = New(n.pool, n.files, fsys, o, nil)
	t.Cleanup(func() {
		_ = n.m.Close(false)
		_ = n.pool.Close()
	})
	for s := range 2 {
		if pages > 0 {
			require.NoError(t, n.files.Create(space+base.SpaceID(s), base.PageNo(pages)))
		}
	}
	for i := range pages {
		for s := range 2 {
			w := n.pool.Begin()
			_, err := buffertest.NewPage(w, base.PageID{Space: space + base.SpaceID(s), No: base.PageNo(i)}, pagefile.TypeTree)
			require.NoError(t, err)
			w.Commit()
		}
	}
	require.NoError(t, n.pool.Flusher().All())
	return n
}

// touch reads pages at random, some more often than others.
func (n *node) touch(t *testing.T, rng *rand.Rand, pages, times int) {
	t.Helper()
	for range times {
		id := base.PageID{Space: space + base.SpaceID(rng.IntN(2)), No: base.PageNo(rng.IntN(1 + rng.IntN(pages)))}
		n.read(t, id)
	}
}

func (n *node) read(t testing.TB, id base.PageID) {
	t.Helper()
	r := n.pool.BeginRead()
	_, err := r.Pin(id, buffer.Shared)
	require.NoError(t, err)
	r.Commit()
}

// order is the LRU list.
func (n *node) order() (ids []uint64, young int) {
	l := n.m.collect()
	return l.IDs, l.Young
}

// end ends a life in order, without a dump.
func (n *node) end(t testing.TB) {
	t.Helper()
	require.NoError(t, n.m.Close(false))
	require.NoError(t, n.pool.Flusher().All())
	require.NoError(t, n.pool.Close())
	require.NoError(t, n.log.Close())
	require.NoError(t, n.files.Close())
}

func wait(t testing.TB, m *Manager) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), testkit.WaitLimit)
	defer cancel()
	require.NoError(t, m.WaitLoad(ctx))
}

// sourceFunc is a Source with redo at no time known before.
type sourceFunc func(id base.PageID, page []byte) (base.LSN, error)

func (sourceFunc) Pending(base.PageID) buffer.Pending { return buffer.NotPending }

func (f sourceFunc) OnRead(id base.PageID, page []byte) (base.LSN, error) { return f(id, page) }

func (f sourceFunc) Kept(base.PageID, base.LSN) (base.LSN, bool) { return 0, true }
