package space

import (
	"emberdb/engine/buffer/buffertest"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/buffer"
	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/internal/base"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

const testSpace = base.FirstSpace

type env struct {
	fsys  *vfs.Mem
	files *pagefile.Files
	log   *redo.Log
	pool  *buffer.Pool
}

// newEnv opens a directory in memory with one space of the given number of pages.
func newEnv(t testing.TB, pages base.PageNo) *env {
	fsys := vfs.NewMem(1)
	e := &env{fsys: fsys}
	var err error
	e.files, err = pagefile.Open(fsys, "data", pagefile.Options{OpenFiles: 4})
	require.NoError(t, err)
	log, cp, err := redo.Open(fsys, "data", redo.Options{Capacity: 64 << 20, Create: true})
	require.NoError(t, err)
	require.NoError(t, log.StartAt(cp.LSN))
	e.log = log
	e.pool, err = buffer.New(buffer.Options{Frames: 64, MaxFrames: 64, Files: e.files, Log: log})
	require.NoError(t, err)
	t.Cleanup(func() {
		_ = e.pool.Close()
		_ = e.log.Close()
		_ = e.files.Close()
	})
	require.NoError(t, e.files.Create(testSpace, pages))
	require.NoError(t, Create(e.pool, testSpace, 42))
	return e
}

func (e *env) alloc(t testing.TB, hint base.PageNo) base.PageNo {
	no, err := e.tryAlloc(hint)
	require.NoError(t, err)
	return no
}

func (e *env) tryAlloc(hint base.PageNo) (base.PageNo, error) {
	m := e.pool.Begin()
	defer m.Commit()
	fresh, err := ReserveAlloc(m, testSpace, hint)
	if err != nil {
		return 0, err
	}
	return Alloc(m, &fresh, pagefile.TypeOverflow).ID().No, nil
}

func (e *env) free(no base.PageNo) error {
	m := e.pool.Begin()
	defer m.Commit()
	token, err := ReserveFree(m, base.PageID{Space: testSpace, No: no})
	if err == nil {
		Free(m, token)
	}
	return err
}

func (e *env) usage(t testing.TB) Stats {
	m := e.pool.BeginRead()
	defer m.Commit()
	st, err := Usage(m, testSpace)
	require.NoError(t, err)
	return st
}

func TestHeader(t *testing.T) {
	e := newEnv(t, MinPages)
	m := e.pool.Begin()
	_, err := Root(m, testSpace, 7)
	require.ErrorIs(t, err, base.ErrNotFound)
	list, err := ReserveRoots(m, testSpace, 5)
	require.NoError(t, err)
	for i := base.IndexID(1); i <= 5; i++ {
		SetRoot(m, list, i, base.PageNo(100+i))
	}
	SetRoot(m, list, 2, 202)
	DropRoot(m, list, 1)
	DropRoot(m, list, 99)
	roots, err := Roots(m, testSpace)
	require.NoError(t, err)
	require.Equal(t, map[base.IndexID]base.PageNo{2: 202, 3: 103, 4: 104, 5: 105}, roots)
	no, err := Root(m, testSpace, 5)
	require.NoError(t, err)
	require.EqualValues(t, 105, no)
	for i := base.IndexID(1000); i < 1000+maxRoots-4; i++ {
		SetRoot(m, list, i, 9)
	}
	_, err = ReserveRoots(m, testSpace, 1)
	require.Error(t, err)
	list, err = ReserveRoots(m, testSpace, 0)
	require.NoError(t, err)
	SetRoot(m, list, 5, 9) // an existing one can change in a full directory

	require.NoError(t, SetAutoInc(m, testSpace, 10))
	require.NoError(t, SetAutoInc(m, testSpace, 3))
	v, err := AutoInc(m, testSpace)
	require.NoError(t, err)
	require.EqualValues(t, 10, v)
	table, err := Table(m, testSpace)
	require.NoError(t, err)
	require.EqualValues(t, 42, table)
	m.Commit()
}

// TestAllocFree allocates and frees at random and compares with a set.
func TestAllocFree(t *testing.T) {
	seed := testkit.Seed(t)
	rng := rand.New(rand.NewPCG(seed, 0))
	for _, pages := range []base.PageNo{MinPages, 7, 64, 1000} {
		e := newEnv(t, pages)
		var used []base.PageNo
		for i := range 7500 { // ends in a phase of growth
			if grow := i/1500%2 == 0; len(used) > 0 && (rng.IntN(10) < 2) == grow {
				at := rng.IntN(len(used))
				require.NoError(t, e.free(used[at]))
				used[at] = used[len(used)-1]
				used = used[:len(used)-1]
				continue
			}
			var hint base.PageNo
			if len(used) > 0 {
				hint = used[rng.IntN(len(used))]
			}
			used = append(used, e.alloc(t, hint))
		}
		var set PageSet
		for _, no := range used {
			require.True(t, set.Add(no), "page %d was given twice", no)
		}
		require.Equal(t, len(used), set.Len())
		require.NoError(t, Check(e.pool, testSpace, &set))
		st := e.usage(t)
		require.EqualValues(t, len(used)+int(MinPages), st.Used, st)

		// The checker sees a leak and a page in use twice.
		set.Add(st.Size - 1)
		lost := used[0]
		if used[0] == st.Size-1 {
			lost = used[1]
		}
		require.ErrorIs(t, Check(e.pool, testSpace, &set), base.ErrCorrupt)
		require.NoError(t, e.free(lost))
		require.ErrorIs(t, Check(e.pool, testSpace, &set), base.ErrCorrupt)
		require.ErrorIs(t, e.free(lost), base.ErrCorrupt, "second free")
		require.ErrorIs(t, e.free(0), base.ErrCorrupt)
		require.ErrorIs(t, e.free(1), base.ErrCorrupt)
		require.ErrorIs(t, e.free(st.Size), base.ErrCorrupt)
	}
}

// TestExtents pins that two trees growing at once do not share extents once the space is larger
// than one.
func TestExtents(t *testing.T) {
	e := newEnv(t, MinPages)
	var last [2]base.PageNo
	owner := map[base.PageNo]int{}
	shared, steps := 0, 0
	for i := range 2000 {
		tree := i % 2
		no := e.alloc(t, last[tree])
		if no == last[tree]+1 {
			steps++
		}
		last[tree] = no
		if was, ok := owner[no/ExtentPages]; ok && was != tree {
			shared++
		}
		owner[no/ExtentPages] = tree
	}
	require.Less(t, shared, ExtentPages)
	require.Greater(t, steps, 1800, "neighbours in the tree are neighbours on disk")
	st := e.usage(t)
	require.Less(t, int(st.Size), 2300)
}

// TestPrepare pins that the file grows ahead of the size.
func TestPrepare(t *testing.T) {
	e := newEnv(t, MinPages)
	last := base.PageNo(0)
	var ahead int
	for range 600 {
		last = e.alloc(t, last)
		Prepare(e.pool, base.PageID{Space: testSpace, No: last})
		have, err := e.files.Pages(testSpace)
		require.NoError(t, err)
		size := e.usage(t).Size
		require.GreaterOrEqual(t, have, size)
		require.LessOrEqual(t, have, nextSize(size))
		if have > size {
			ahead++
		}
	}
	require.Greater(t, ahead, 200)
}

// TestGrowth pins the sizes a file takes, across the first bitmap's end.
func TestGrowth(t *testing.T) {
	e := newEnv(t, MinPages)
	var sizes []base.PageNo
	last := base.PageNo(0)
	for len(sizes) < 9 {
		last = e.alloc(t, last)
		if st := e.usage(t); len(sizes) == 0 || sizes[len(sizes)-1] != st.Size {
			sizes = append(sizes, st.Size)
		}
	}
	require.Equal(t, []base.PageNo{4, 8, 16, 32, 64, 128, 192, 256, 320}, sizes)
}

// fullEnv is a space of one bitmap whose pages are all in use.
func fullEnv(t *testing.T) *env {
	e := newEnv(t, PagesPerBitmap)
	m := e.pool.Begin()
	bm, _, err := pinBitmap(m, testSpace, 0, buffer.Exclusive)
	require.NoError(t, err)
	markBits(m, bm, 2, PagesPerBitmap-2, true)
	m.Commit()
	return e
}

// TestManyBitmaps allocates across the end of the first bitmap. The file in memory costs nothing
// where it was never written.
func TestManyBitmaps(t *testing.T) {
	e := fullEnv(t)
	no := e.alloc(t, 100)
	require.Greater(t, no, bitmapPage(1))
	require.NoError(t, e.free(3*ExtentPages))
	require.EqualValues(t, 3*ExtentPages, e.alloc(t, 3*ExtentPages+5))
	for i := range base.PageNo(ExtentPages) {
		require.NoError(t, e.free(4*ExtentPages+i))
	}
	m := e.pool.BeginRead()
	_, h, err := pinHeader(m, testSpace, buffer.Shared)
	require.NoError(t, err)
	require.Zero(t, h.search(), "a wholly free extent in the first bitmap is found again")
	m.Commit()
	var set PageSet
	for no := base.PageNo(2); no < PagesPerBitmap; no++ {
		if no/ExtentPages != 4 {
			set.Add(no)
		}
	}
	set.Add(no)
	require.NoError(t, Check(e.pool, testSpace, &set))
}

// TestWaste: splits of pages in a full bitmap do not take an extent each.
func TestWaste(t *testing.T) {
	e := fullEnv(t)
	const pages = 4000
	for i := range base.PageNo(pages) {
		e.alloc(t, 100+i)
	}
	m := e.pool.BeginRead()
	_, h, err := pinHeader(m, testSpace, buffer.Shared)
	require.NoError(t, err)
	require.Less(t, int(h.size()), PagesPerBitmap+pages+pages/wasteShare+wasteFloor+maxGrowth)
	m.Commit()
}

// TestAllocSeveral takes, and frees, several pages in one mini-transaction.
func TestAllocSeveral(t *testing.T) {
	e := newEnv(t, MinPages)
	fresh := make([]AllocToken, 30) // more than one step of growth gives
	m := e.pool.Begin()
	require.NoError(t, ReserveAllocs(m, testSpace, fresh, func(i int) base.PageNo { return base.PageNo(i) }))
	m.Commit() // given up
	require.EqualValues(t, MinPages, e.usage(t).Used)

	m = e.pool.Begin()
	require.NoError(t, ReserveAllocs(m, testSpace, fresh, func(i int) base.PageNo { return base.PageNo(i) }))
	ids := map[base.PageID]bool{}
	for i := range fresh {
		pg := Alloc(m, &fresh[i], pagefile.TypeOverflow)
		require.Equal(t, pagefile.TypeOverflow, pagefile.Type(pg.Data()))
		ids[pg.ID()] = true
	}
	m.Commit()
	require.Len(t, ids, len(fresh))
	require.EqualValues(t, len(fresh)+int(MinPages), e.usage(t).Used)

	m = e.pool.Begin()
	var gone []FreeToken
	for id := range ids {
		if len(gone) < 20 {
			token, err := ReserveFree(m, id)
			require.NoError(t, err)
			gone = append(gone, token)
		}
	}
	for _, token := range gone {
		Free(m, token)
	}
	m.Commit()
	require.EqualValues(t, 10+MinPages, e.usage(t).Used)
}

// TestForeignPage pins that a space whose header is something else is refused, not misread.
func TestForeignPage(t *testing.T) {
	e := newEnv(t, MinPages)
	m := e.pool.Begin()
	_, err := buffertest.NewPage(m, base.PageID{Space: testSpace, No: 0}, pagefile.TypeUndo)
	require.NoError(t, err)
	m.Commit()
	m = e.pool.Begin()
	_, err = ReserveAlloc(m, testSpace, 0)
	m.Commit()
	var ce *base.CorruptError
	require.True(t, errors.As(err, &ce), "%v", err)
	require.Equal(t, base.PageID{Space: testSpace}, ce.Page)
}

// FuzzApply feeds bodies of any bytes to the apply and describe functions: an error is right, a
// panic is not.
func FuzzApply(f *testing.F) {
	bits := encodeBits(5, 3, true)
	f.Add(byte(0), make([]byte, 12))
	f.Add(byte(4), []byte{1, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0})
	f.Add(byte(6), bits[:])
	apply := []func(page, body []byte) error{applyHeader, applySize, applySearch, applyAutoInc, applyRoot, applyBitmap, applyBits}
	describe := []func([]byte) string{describeHeader, describeNumber, describeNumber, describeNumber, describeRoot, describeNumber, describeBits}
	f.Fuzz(func(t *testing.T, which byte, body []byte) {
		page := make([]byte, base.PageSize)
		i := int(which) % len(apply)
		_ = describe[i](body)
		_ = apply[i](page, body)
	})
}

// TestDiskFull takes scattered pages once the file cannot grow, then tells, and goes on when there
// is room again.
func TestDiskFull(t *testing.T) {
	e := newEnv(t, MinPages)
	last := base.PageNo(0)
	for range 400 {
		last = e.alloc(t, last)
	}
	for no := base.PageNo(100); no < 140; no += 2 {
		require.NoError(t, e.free(no))
	}
	e.fsys.Inject(vfs.Fault{Ops: vfs.OpAllocate, Stay: true, Err: base.ErrDiskFull})
	var err error
	given := 0
	for ; err == nil; given++ {
		var no base.PageNo
		if no, err = e.tryAlloc(last); err == nil {
			last = no
		}
	}
	require.ErrorIs(t, err, base.ErrDiskFull)
	st := e.usage(t)
	require.Equal(t, st.Size, st.Used, "every page was given before")
	require.Greater(t, given, 20)
	e.fsys.ClearFaults()
	e.alloc(t, last)
}
