package engine

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/btree"
	"emberdb/engine/dict"
	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// checkedFiles is a disk with a closed directory of three tables, and their definitions' spaces.
type checkedFiles struct {
	t      *testing.T
	fs     *vfs.Mem
	spaces map[string]base.SpaceID
	roots  map[string][]base.PageNo // by table, of its indexes
}

func newChecked(t *testing.T) *checkedFiles {
	c := &checkedFiles{t: t, fs: vfs.NewMem(1), spaces: map[string]base.SpaceID{}, roots: map[string][]base.PageNo{}}
	e := open(t, smallOptions(c.fs))
	for _, name := range []string{"a", "b", "c"} {
		createItems(t, e, name)
		rows := someItems(1, 2000)
		rows[5].pad = strings.Repeat("x", 100_000)
		require.NoError(t, insertItems(e, name, rows...))
		require.NoError(t, e.run(txn.ReadCommitted, func(tx *txn.Trx) error {
			tab, err := e.Table(ctx, tx, "test", name)
			if err == nil {
				c.spaces[name] = tab.Def().Space
				for _, ix := range tab.Def().Indexes {
					c.roots[name] = append(c.roots[name], ix.Root)
				}
			}
			return err
		}))
	}
	var seen []CheckProgress
	r, err := e.Check(ctx, func(p CheckProgress) { seen = append(seen, p) })
	require.NoError(t, err)
	require.Empty(t, r.Faults)
	require.Equal(t, 5, r.Tables)
	last := seen[len(seen)-1]
	require.Equal(t, last.Total, last.Done)
	for i := range seen[1:] {
		require.LessOrEqual(t, seen[i].Done, seen[i+1].Done)
	}
	require.NoError(t, e.Close(false))
	require.NoError(t, c.fs.Remove("/d/doublewrite.edw")) // or the next start repairs what a test breaks
	return c
}

func (c *checkedFiles) path(table string) string { return pagefile.PathIn("/d", c.spaces[table]) }

// edit changes the bytes of a page in the file; with stamp its checksum is made right again.
func (c *checkedFiles) edit(table string, no base.PageNo, stamp bool, change func(page []byte)) {
	f, err := c.fs.Open(c.path(table), vfs.Options{})
	require.NoError(c.t, err)
	defer f.Close()
	page := make([]byte, base.PageSize)
	_, err = f.ReadAt(page, int64(no)*base.PageSize)
	require.NoError(c.t, err)
	change(page)
	if stamp {
		pagefile.Stamp(page)
	}
	_, err = f.WriteAt(page, int64(no)*base.PageSize)
	require.NoError(c.t, err)
	require.NoError(c.t, f.Sync())
}

// leaf is a leaf of a tree, not the first.
func (c *checkedFiles) leaf(table string, index int) (no base.PageNo) {
	c.edit(table, c.roots[table][index], false, func(page []byte) {
		v, err := btree.ViewPage(page)
		require.NoError(c.t, err)
		require.Equal(c.t, 1, v.Level())
		no = v.Children()[1]
	})
	return no
}

// check opens the directory, checks it, and returns the faults.
func (c *checkedFiles) check() (faults []*Fault) {
	e := open(c.t, smallOptions(c.fs))
	r, err := e.Check(ctx, nil)
	require.NoError(c.t, err)
	for _, err := range r.Faults {
		var f *Fault
		require.True(c.t, errors.As(err, &f))
		require.ErrorIs(c.t, err, base.ErrCorrupt)
		faults = append(faults, f)
	}
	require.NoError(c.t, e.Close(false))
	return faults
}

// requireFault finds a fault at a place.
func (c *checkedFiles) requireFault(faults []*Fault, table string, no base.PageNo, detail string) {
	c.t.Helper()
	for _, f := range faults {
		if f.Table == "test."+table && f.File == c.path(table) && f.Page == (base.PageID{Space: c.spaces[table], No: no}) &&
			f.Offset == int64(no)*base.PageSize && strings.Contains(f.Detail, detail) {
			return
		}
	}
	c.t.Fatalf("no fault %q of %s at page %d in %v", detail, table, no, faults)
}

// requireOnly demands that all faults are of one table.
func (c *checkedFiles) requireOnly(faults []*Fault, table string) {
	c.t.Helper()
	for _, f := range faults {
		require.Equal(c.t, "test."+table, f.Table, "%v", f)
	}
}

func TestCheckFlippedByte(t *testing.T) {
	c := newChecked(t)
	no := c.leaf("b", 0)
	c.edit("b", no, false, func(p []byte) { p[9000] ^= 1 })
	faults := c.check()
	c.requireFault(faults, "b", no, "checksum")
	c.requireOnly(faults, "b")
}

// The root of a secondary index: the rows are still all looked at, and nothing is said about the
// number of entries.
func TestCheckDamagedRoot(t *testing.T) {
	c := newChecked(t)
	root := c.roots["b"][1]
	c.edit("b", root, false, func(p []byte) { p[9000] ^= 1 })
	e := open(t, smallOptions(c.fs))
	r, err := e.Check(ctx, nil)
	require.NoError(t, err)
	require.Len(t, r.Faults, 1, "%v", r.Faults)
	require.ErrorContains(t, r.Faults[0], fmt.Sprintf("page %d:%d, offset %d: checksum", c.spaces["b"], root, int(root)*base.PageSize))
	require.GreaterOrEqual(t, r.Rows, int64(6000))
	require.NoError(t, e.Close(false))
}

func TestCheckSwappedPages(t *testing.T) {
	c := newChecked(t)
	x, y := c.leaf("a", 0), c.leaf("a", 1)
	var px []byte
	c.edit("a", x, false, func(p []byte) { px = append(px, p...) })
	c.edit("a", y, false, func(p []byte) {
		c.edit("a", x, false, func(q []byte) { copy(q, p) })
		copy(p, px)
	})
	faults := c.check()
	c.requireFault(faults, "a", x, fmt.Sprintf("the page there says it is page %d:%d", c.spaces["a"], y))
	c.requireFault(faults, "a", y, fmt.Sprintf("the page there says it is page %d:%d", c.spaces["a"], x))
	c.requireOnly(faults, "a")
}

// A secondary entry that is gone from a page whose checksum is right: only the comparison with the
// rows finds it.
func TestCheckLostEntry(t *testing.T) {
	c := newChecked(t)
	c.edit("c", c.leaf("c", 1), true, func(p []byte) {
		body := binary.AppendUvarint(binary.AppendUvarint(nil, 3), 0) // slot, writer
		require.NoError(t, redo.Apply(redo.Record{Op: redo.OpBtreeDelete, Body: body}, p))
	})
	faults := c.check()
	c.requireFault(faults, "c", c.roots["c"][0], "has no entry in index by_k")
	c.requireFault(faults, "c", c.roots["c"][0], "index by_k has 1999 entries, its rows have 2000")
	c.requireOnly(faults, "c")
}

// A row that is gone leaves entries behind.
func TestCheckLostRow(t *testing.T) {
	c := newChecked(t)
	c.edit("c", c.leaf("c", 0), true, func(p []byte) {
		body := binary.AppendUvarint(binary.AppendUvarint(nil, 3), 0)
		require.NoError(t, redo.Apply(redo.Record{Op: redo.OpBtreeDelete, Body: body}, p))
	})
	c.requireFault(c.check(), "c", c.roots["c"][0], "has no row")
}

func TestCheckMissingFile(t *testing.T) {
	c := newChecked(t)
	require.NoError(t, c.fs.Remove(c.path("b")))
	faults := c.check()
	require.Len(t, faults, 1)
	c.requireFault(faults, "b", 0, "the tablespace file is missing")
}

func TestCheckOrphan(t *testing.T) {
	c := newChecked(t)
	data, err := vfs.ReadFile(c.fs, c.path("a"))
	require.NoError(t, err)
	orphan := pagefile.PathIn("/d", 99_999)
	require.NoError(t, vfs.WriteFile(c.fs, orphan, data))
	require.NoError(t, c.fs.SyncDir("/d/spaces"))
	faults := c.check()
	require.Len(t, faults, 1)
	require.Equal(t, orphan, faults[0].File)
	require.Equal(t, "the file belongs to no table", faults[0].Detail)
}

// A file that was cut: the pages behind its end are named.
func TestCheckCutFile(t *testing.T) {
	c := newChecked(t)
	f, err := c.fs.Open(c.path("b"), vfs.Options{})
	require.NoError(t, err)
	require.NoError(t, f.Truncate(10*base.PageSize))
	require.NoError(t, f.Close())
	faults := c.check()
	c.requireFault(faults, "b", 10, "the file ends after 10 pages")
	c.requireOnly(faults, "b")
}

// A map that forgets a page in use, and one that keeps a free page.
func TestCheckMap(t *testing.T) {
	c := newChecked(t)
	no := c.leaf("a", 0)
	c.edit("a", 1, true, func(p []byte) {
		var body [5]byte
		binary.LittleEndian.PutUint16(body[:], uint16(no)) // one page, free
		require.NoError(t, redo.Apply(redo.Record{Op: redo.OpSpaceBits, Body: body[:]}, p))
	})
	faults := c.check()
	c.requireFault(faults, "a", no, "page is reached and marked free")
	c.requireOnly(faults, "a")
}

// A page in use whose place on disk is damaged is no fault while the pool has a newer version:
// writing that is the repair.
func TestCheckWritesNewerPages(t *testing.T) {
	c := &checkedFiles{t: t, fs: vfs.NewMem(1), spaces: map[string]base.SpaceID{}}
	e := open(t, smallOptions(c.fs))
	createItems(t, e, "a")
	require.NoError(t, insertItems(e, "a", someItems(1, 20)...))
	require.NoError(t, e.pool.Flusher().All())
	var root base.PageNo
	require.NoError(t, e.run(txn.ReadCommitted, func(tx *txn.Trx) error {
		tab, err := e.Table(ctx, tx, "test", "a")
		c.spaces["a"], root = tab.Def().Space, tab.Def().Indexes[0].Root
		return err
	}))
	c.edit("a", root, false, func(p []byte) { p[9000] ^= 1 })
	var r Report
	require.NoError(t, e.CheckTable(ctx, "test", "a", &r))
	require.Len(t, r.Faults, 1, "the pool's copy is whole and clean, the disk's is not")
	require.NoError(t, insertItems(e, "a", item{id: 100, k: 1, u: 500}))
	requireClean(t, e)
	require.NoError(t, e.Close(false))
}

// What belongs to no table is checked by name.
func TestCheckNames(t *testing.T) {
	e := open(t, smallOptions(vfs.NewMem(1)))
	createItems(t, e, "a")
	var r Report
	for _, name := range []string{CheckSystem, CheckUndo, CheckFiles} {
		require.NoError(t, e.CheckTable(ctx, dict.SystemSchema, name, &r))
	}
	require.Empty(t, r.Faults)
	require.Equal(t, 2, r.Tables)
	require.ErrorIs(t, e.CheckTable(ctx, dict.SystemSchema, "nothing", &r), base.ErrNotFound)
	require.ErrorIs(t, e.CheckTable(ctx, "test", "nothing", &r), base.ErrNotFound)
	require.NoError(t, e.Close(false))
}
