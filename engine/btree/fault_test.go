package btree

import (
	"encoding/binary"
	"errors"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/buffer"
	"emberdb/engine/redo"
	"emberdb/engine/space"
	"emberdb/internal/base"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

// acrossBitmaps builds a tree with leaves on both sides of page 65536, in a space where little else
// is free, and returns the disk it lies on.
func acrossBitmaps(t *testing.T) *vfs.Mem {
	fs := vfs.NewMem(testkit.Seed(t))
	e, cp, err := openEnv(t, fs, 1024)
	require.NoError(t, err)
	require.NoError(t, e.log.StartAt(cp.LSN))
	require.NoError(t, e.files.Create(testSpace, space.PagesPerBitmap))
	require.NoError(t, space.Create(e.pool, testSpace, 5))
	e.newTree(t, testIndex)
	const free = 80
	m := e.pool.Begin()
	bm, err := m.Pin(base.PageID{Space: testSpace, No: 1}, buffer.Exclusive)
	require.NoError(t, err)
	m.Apply(bm, redo.OpSpaceBits, binary.LittleEndian.AppendUint16(nil, free), binary.LittleEndian.AppendUint16(nil, space.PagesPerBitmap-free-1), []byte{1})
	_, err = m.Commit()
	require.NoError(t, err)
	fill(t, e.tree, 2500)
	_, st := e.records(t, e.tree)
	beyond := 0
	for no := range st.Pages.All() {
		if no > space.PagesPerBitmap {
			beyond++
		}
	}
	require.Greater(t, beyond, 20, "pages behind the first bitmap")
	require.NoError(t, e.checkpoint())
	e.close()
	return fs
}

// newTree makes an empty tree and enters its root.
func (e *env) newTree(t *testing.T, id base.IndexID) *Tree {
	roots, err := Create(e.pool, testSpace, id)
	require.NoError(t, err)
	e.tree = Open(e.pool, new(Shapes), testSpace, roots[0], id)
	return e.tree
}

func (e *env) records(t *testing.T, tree *Tree) (n int, st Stats) {
	st, err := tree.Check(func(_, _ []byte) error { n++; return nil })
	require.NoError(t, err)
	return n, st
}

func fill(t *testing.T, tree *Tree, n int) {
	val := make([]byte, 1000)
	for i := range n {
		key := binary.BigEndian.AppendUint32(nil, uint32(i))
		m, c, err := tree.SeekWrite(key, len(key)+len(val))
		require.NoError(t, err)
		c.Insert(key, val)
		m.Commit()
	}
}

// TestDropMeetsReadError has each read of a Drop fail in turn: what it has not freed stays the
// tree's. Another Drop frees the rest, and two new trees have no page in common.
func TestDropMeetsReadError(t *testing.T) {
	disk := acrossBitmaps(t)
	for nth := int64(0); ; nth++ {
		fs := disk.Reboot(uint64(nth))
		e, end := reopen(t, fs, 256)
		require.NoError(t, e.log.StartAt(end))
		old := e.tree
		fs.Inject(vfs.Fault{Ops: vfs.OpRead, Match: "spaces", Nth: nth, Err: syscall.EIO})
		err := old.Drop()
		fs.ClearFaults()
		a := e.newTree(t, 101)
		fill(t, a, 1500)
		require.NoError(t, old.Drop(), "read %d failed: the rest of the tree", nth)
		b := e.newTree(t, 102)
		fill(t, b, 1500)
		na, sa := e.records(t, a)
		nb, sb := e.records(t, b)
		require.Equal(t, []int{1500, 1500}, []int{na, nb}, "read %d failed", nth)
		m := e.pool.BeginRead()
		used, usedErr := space.Used(m, testSpace)
		m.Commit()
		require.NoError(t, usedErr)
		for no := range sa.Pages.All() {
			require.True(t, used.Has(no) && !sb.Pages.Has(no), "read %d failed: page %d is in two trees, or free", nth, no)
		}
		for no := range used.All() {
			filler := no < 2 || no >= 80 && no < space.PagesPerBitmap+2
			require.True(t, filler || sa.Pages.Has(no) || sb.Pages.Has(no), "read %d failed: page %d is in use by nobody", nth, no)
		}
		e.close()
		if err == nil {
			require.Greater(t, nth, int64(2), "reads that failed")
			return
		}
		require.True(t, errors.Is(err, syscall.EIO), "%v", err)
	}
}
