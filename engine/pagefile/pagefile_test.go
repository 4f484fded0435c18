package pagefile

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

func mustOpen(t testing.TB, fsys vfs.FS, dir string, o Options) *Files {
	t.Helper()
	f, err := Open(fsys, dir, o)
	require.NoError(t, err)
	return f
}

// newPage returns an aligned page with a body made from version.
func newPage(id base.PageID, version uint64) []byte {
	p := vfs.AlignedBlock(base.PageSize)
	Init(p, id, TypeTree)
	SetLSN(p, base.LSN(version))
	rng := rand.New(rand.NewPCG(version, id.Uint64()))
	for i := HeaderSize; i < base.PageSize; i += 97 {
		p[i] = byte(rng.Uint32())
	}
	return p
}

func requirePage(t *testing.T, f *Files, id base.PageID, version uint64) {
	t.Helper()
	got := vfs.AlignedBlock(base.PageSize)
	require.NoError(t, f.Read(id, got))
	want := newPage(id, version)
	Stamp(want)
	require.Equal(t, want, got, "page %s", id)
}

func TestHeader(t *testing.T) {
	p := make([]byte, base.PageSize)
	p[5000] = 1
	id := base.PageID{Space: 0x01020304, No: 0x05060708}
	Init(p, id, TypeUndo)
	SetLSN(p, 0x1112131415161718)
	SetWriter(p, 0x2122232425262728)
	require.Equal(t, id, ID(p))
	require.Equal(t, TypeUndo, Type(p))
	SetType(p, TypeOverflow)
	require.Equal(t, TypeOverflow, Type(p))
	require.Equal(t, base.LSN(0x1112131415161718), LSN(p))
	require.Equal(t, base.TrxID(0x2122232425262728), Writer(p))
	require.Equal(t, uint8(1), Format(p))
	require.Zero(t, p[5000])
	require.Len(t, Body(p), base.PageSize-HeaderSize)
	// The bytes on disk, fixed for ever.
	require.Equal(t, []byte{0, 0, 0, 0, 4, 3, 2, 1, 8, 7, 6, 5, 6, 1, 0, 0,
		0x18, 0x17, 0x16, 0x15, 0x14, 0x13, 0x12, 0x11, 0x28, 0x27, 0x26, 0x25, 0x24, 0x23, 0x22, 0x21}, p[:HeaderSize])
	Stamp(p)
	require.Equal(t, "page 16909060:84281096  overflow v1  lsn 1230066625199609624  writer 2387509390608836392  checksum dbf6db5f ok", Describe(p))
	p[9000]++
	require.Contains(t, Describe(p), "BAD")
	require.Equal(t, "never written", Describe(make([]byte, base.PageSize)))
	require.Equal(t, "type 200", PageType(200).String())
}

func TestLifeOfASpace(t *testing.T) {
	for _, name := range []string{"os", "mem"} {
		t.Run(name, func(t *testing.T) {
			var fsys vfs.FS = vfs.NewMem(1)
			dir := "/data"
			if name == "os" {
				fsys, dir = vfs.NewOS(nil), t.TempDir()
			}
			f := mustOpen(t, fsys, dir, Options{Direct: true, Doublewrite: true})
			require.False(t, f.Exists(20))
			require.NoError(t, f.Create(20, 8))
			require.ErrorIs(t, f.Create(20, 8), base.ErrExists)
			require.True(t, f.Exists(20))
			n, err := f.Pages(20)
			require.NoError(t, err)
			require.Equal(t, base.PageNo(8), n)

			page := vfs.AlignedBlock(base.PageSize)
			require.ErrorIs(t, f.Read(base.PageID{Space: 20, No: 3}, page), ErrNeverWritten)
			err = f.Read(base.PageID{Space: 20, No: 8}, page)
			var damage *base.CorruptError
			require.ErrorAs(t, err, &damage)
			require.Equal(t, f.Path(20), damage.File)
			require.Equal(t, int64(8*base.PageSize), damage.Offset)

			require.NoError(t, f.Extend(20, 10))
			require.NoError(t, f.Extend(20, 9))
			n, err = f.Pages(20)
			require.NoError(t, err)
			require.Equal(t, base.PageNo(10), n)

			var ids []base.PageID
			var pages [][]byte
			for _, no := range []base.PageNo{9, 2, 3, 4, 0} {
				ids = append(ids, base.PageID{Space: 20, No: no})
				pages = append(pages, newPage(ids[len(ids)-1], 5))
			}
			require.NoError(t, f.WriteBatch(ids, pages))
			for _, id := range ids {
				requirePage(t, f, id, 5)
			}
			require.Equal(t, uint64(3), f.Stats().Writes, "neighbours are merged")
			require.Equal(t, uint64(5), f.Stats().PagesWritten)
			require.Equal(t, uint64(5), f.Stats().DoublewritePages)
			require.Positive(t, f.ReadLatency())

			spaces, err := f.Spaces()
			require.NoError(t, err)
			require.Equal(t, []base.SpaceID{20}, spaces)
			require.NoError(t, f.Drop(20))
			require.NoError(t, f.Drop(20))
			require.ErrorIs(t, f.Read(ids[0], page), ErrNoSpace)
			_, err = f.Pages(20)
			require.ErrorIs(t, err, ErrNoSpace)
			require.NoError(t, f.Close())
		})
	}
}

func TestReadRun(t *testing.T) {
	disk := vfs.NewMem(1)
	f := mustOpen(t, disk, "/data", Options{Direct: true, Doublewrite: true})
	require.NoError(t, f.Create(20, 6))
	id := func(no base.PageNo) base.PageID { return base.PageID{Space: 20, No: no} }
	for _, no := range []base.PageNo{1, 2, 4, 5} {
		require.NoError(t, f.WriteBatch([]base.PageID{id(no)}, [][]byte{newPage(id(no), 1)}))
	}
	require.NoError(t, disk.FlipBit(f.Path(20), 8*(2*base.PageSize+777)))
	pages := make([][]byte, 8)
	for i := range pages {
		if i != 3 { // page 4 is read through
			pages[i] = vfs.AlignedBlock(base.PageSize)
		}
	}
	errs := make([]error, len(pages))
	require.NoError(t, f.ReadRun(id(1), pages, errs))
	require.NoError(t, errs[0])
	require.ErrorIs(t, errs[1], base.ErrCorrupt)
	require.ErrorIs(t, errs[2], ErrNeverWritten)
	require.NoError(t, errs[3])
	require.NoError(t, errs[4])
	for _, err := range errs[5:] {
		require.ErrorContains(t, err, "ends after 6 pages")
	}
	require.Equal(t, id(5), ID(pages[4]))
	require.ErrorIs(t, f.ReadRun(base.PageID{Space: 77}, pages, errs), ErrNoSpace)
}

// Every kind of damage is told with file, page and offset.
func TestDamage(t *testing.T) {
	disk := vfs.NewMem(1)
	f := mustOpen(t, disk, "/data", Options{Doublewrite: true})
	require.NoError(t, f.Create(20, 4))
	a, b := base.PageID{Space: 20, No: 1}, base.PageID{Space: 20, No: 2}
	require.NoError(t, f.WriteBatch([]base.PageID{a, b}, [][]byte{newPage(a, 1), newPage(b, 1)}))
	page := vfs.AlignedBlock(base.PageSize)
	check := func(id base.PageID, detail string) {
		t.Helper()
		err := f.Read(id, page)
		var damage *base.CorruptError
		require.ErrorAs(t, err, &damage)
		require.Equal(t, base.CorruptError{File: f.Path(20), Page: id, Offset: int64(id.No) * base.PageSize, Detail: damage.Detail}, *damage)
		require.Contains(t, damage.Detail, detail)
	}
	for _, bit := range []int64{0, 33, 8*base.PageSize - 1} {
		require.NoError(t, disk.FlipBit(f.Path(20), 8*base.PageSize+bit))
		check(a, "checksum")
		require.NoError(t, disk.FlipBit(f.Path(20), 8*base.PageSize+bit))
	}
	// A page written to the wrong place has a right checksum and a wrong address.
	raw, err := disk.Open(f.Path(20), vfs.Options{})
	require.NoError(t, err)
	_, err = raw.ReadAt(page, 2*base.PageSize)
	require.NoError(t, err)
	_, err = raw.WriteAt(page, base.PageSize)
	require.NoError(t, err)
	check(a, "says it is page 20:2")
	require.NoError(t, raw.Truncate(2*base.PageSize+100))
	check(b, "ends after 2 pages")
}

// A page that does not know its address is never written, and a failed write or sync stops all
// later ones.
func TestFailedState(t *testing.T) {
	id := base.PageID{Space: 20, No: 1}
	t.Run("wrong page", func(t *testing.T) {
		f := mustOpen(t, vfs.NewMem(1), "/data", Options{Doublewrite: true})
		require.NoError(t, f.Create(20, 4))
		other := base.PageID{Space: 20, No: 2}
		err := f.WriteBatch([]base.PageID{id}, [][]byte{newPage(other, 1)})
		require.ErrorIs(t, err, base.ErrFailed)
		require.ErrorIs(t, err, base.ErrCorrupt)
		require.ErrorIs(t, f.Read(id, vfs.AlignedBlock(base.PageSize)), ErrNeverWritten)
	})
	boom := errors.New("boom")
	for _, match := range []string{"doublewrite", ".ebs"} {
		for _, op := range []vfs.Op{vfs.OpWrite, vfs.OpSync} {
			t.Run(fmt.Sprintf("%s %s", match, op), func(t *testing.T) {
				disk := vfs.NewMem(1)
				f := mustOpen(t, disk, "/data", Options{Doublewrite: true})
				require.NoError(t, f.Create(20, 4))
				require.NoError(t, f.WriteBatch([]base.PageID{id}, [][]byte{newPage(id, 1)}))
				disk.Inject(vfs.Fault{Ops: op, Match: match, Err: boom})
				err := f.WriteBatch([]base.PageID{id}, [][]byte{newPage(id, 2)})
				require.ErrorIs(t, err, base.ErrFailed)
				require.ErrorIs(t, err, boom)
				for _, err := range []error{f.WriteBatch([]base.PageID{id}, [][]byte{newPage(id, 2)}), f.Create(21, 1), f.Extend(20, 9), f.Drop(20)} {
					require.ErrorIs(t, err, base.ErrFailed)
				}
			})
		}
	}
	t.Run("full disk", func(t *testing.T) {
		disk := vfs.NewMem(1)
		f := mustOpen(t, disk, "/data", Options{})
		require.NoError(t, f.Create(20, 4))
		disk.SetCapacity(5 * base.PageSize)
		require.ErrorIs(t, f.Extend(20, 6), base.ErrDiskFull)
		require.ErrorIs(t, f.Create(21, 2), base.ErrDiskFull)
		require.False(t, f.Exists(21))
		require.NoError(t, f.WriteBatch([]base.PageID{id}, [][]byte{newPage(id, 1)}), "no space is no failure")
		require.NoError(t, f.Extend(20, 5))
	})
	t.Run("missing file", func(t *testing.T) {
		f := mustOpen(t, vfs.NewMem(1), "/data", Options{Doublewrite: true})
		require.NoError(t, f.Create(22, 4))
		gone, there := base.PageID{Space: 21, No: 1}, base.PageID{Space: 22, No: 1}
		err := f.WriteBatch([]base.PageID{gone, there}, [][]byte{newPage(gone, 1), newPage(there, 1)})
		require.ErrorIs(t, err, ErrNoSpace)
		require.NotErrorIs(t, err, base.ErrFailed)
		requirePage(t, f, there, 1)
	})
}

// The power is cut at change k for k = 0, 1, 2, ...: after RepairTorn every page is whole, either
// as before or as after its last batch, and never older than an acknowledged one.
func TestPowerCutAtEveryChange(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	repaired := 0
	for k := int64(0); ; k++ {
		disk := vfs.NewMem(seed)
		acked, tried := map[base.PageID]uint64{}, map[base.PageID]uint64{}
		disk.CrashAt(k)
		done := writeScript(disk, rand.New(rand.NewPCG(seed, 1)), acked, tried)
		disk = disk.Reboot(seed + uint64(k))
		repaired += checkAfterCut(t, disk, k, acked, tried)
		// The next batch reuses the doublewrite area, and the power is cut again: what was repaired
		// must be in its place by then.
		f := mustOpen(t, disk, "/data", Options{Direct: true, Doublewrite: true})
		require.NoError(t, f.Create(99, 1))
		id := base.PageID{Space: 99}
		require.NoError(t, f.WriteBatch([]base.PageID{id}, [][]byte{newPage(id, 1)}))
		checkAfterCut(t, disk.Reboot(seed-uint64(k)), k, acked, tried)
		if done {
			require.Positive(t, repaired)
			t.Logf("%d changes, %d pages repaired", k, repaired)
			return
		}
	}
}

// checkAfterCut opens the files of a disk that lost power, repairs them, and checks every page; it
// returns the number of repaired ones.
func checkAfterCut(t *testing.T, disk *vfs.Mem, k int64, acked, tried map[base.PageID]uint64) int {
	t.Helper()
	f := mustOpen(t, disk, "/data", Options{Direct: true, Doublewrite: true})
	r, err := f.RepairTorn()
	require.NoError(t, err)
	require.Empty(t, r.Unrepairable)
	page := vfs.AlignedBlock(base.PageSize)
	for id, last := range tried {
		err := f.Read(id, page)
		switch {
		case errors.Is(err, ErrNeverWritten), errors.Is(err, ErrNoSpace):
			require.Zero(t, acked[id], "k %d: page %s", k, id)
		default:
			require.NoError(t, err, "k %d", k)
			v := uint64(LSN(page))
			require.True(t, v == last || v >= acked[id] && v < last, "k %d: page %s version %d, acknowledged %d, tried %d", k, id, v, acked[id], last)
			requirePage(t, f, id, v)
		}
	}
	again, err := f.RepairTorn()
	require.NoError(t, err)
	require.Empty(t, again.Pages)
	require.NoError(t, f.Close())
	return len(r.Pages)
}

// writeScript writes batches until the disk fails; it returns true when it came to its end.
func writeScript(disk *vfs.Mem, rng *rand.Rand, acked, tried map[base.PageID]uint64) bool {
	f, err := Open(disk, "/data", Options{OpenFiles: 2, Direct: true, Doublewrite: true})
	if err != nil {
		return false
	}
	defer f.Close()
	for s := base.SpaceID(16); s < 19; s++ {
		if f.Create(s, 20) != nil {
			return false
		}
	}
	for version := uint64(1); version < 7; version++ {
		var ids []base.PageID
		var pages [][]byte
		for s := base.SpaceID(16); s < 19; s++ {
			for no := base.PageNo(rng.IntN(5)); no < 20; no += base.PageNo(1 + rng.IntN(6)) {
				id := base.PageID{Space: s, No: no}
				ids, pages = append(ids, id), append(pages, newPage(id, version))
				tried[id] = version
			}
		}
		if f.WriteBatch(ids, pages) != nil {
			return false
		}
		for _, id := range ids {
			acked[id] = version
		}
	}
	return true
}

// The order of writes and syncs on which repair depends.
func TestOrderOfWrites(t *testing.T) {
	disk := vfs.NewMem(1)
	f := mustOpen(t, disk, "/data", Options{Doublewrite: true})
	require.NoError(t, f.Create(20, 8))
	require.NoError(t, f.Create(21, 8))
	var ids []base.PageID
	var pages [][]byte
	for _, id := range []base.PageID{{Space: 21, No: 5}, {Space: 20, No: 3}, {Space: 20, No: 7}, {Space: 20, No: 2}} {
		ids, pages = append(ids, id), append(pages, newPage(id, 1))
	}
	var events []string
	disk.Trace(func(e vfs.Event) {
		if e.Op&vfs.Changes != 0 {
			events = append(events, fmt.Sprintf("%s %s %d+%d", e.Op, e.Name, e.Off/base.PageSize, e.Len/base.PageSize))
		}
	})
	require.NoError(t, f.WriteBatch(ids, pages))
	require.Equal(t, []string{
		"write /data/doublewrite.edw 0+4",
		"sync /data/doublewrite.edw 0+0",
		"write /data/spaces/00000014.ebs 2+2",
		"write /data/spaces/00000014.ebs 7+1",
		"write /data/spaces/00000015.ebs 5+1",
		"sync /data/spaces/00000014.ebs 0+0",
		"sync /data/spaces/00000015.ebs 0+0",
	}, events)
}

// A batch larger than the doublewrite area goes through it in parts.
func TestLargeBatch(t *testing.T) {
	f := mustOpen(t, vfs.NewMem(1), "/data", Options{Doublewrite: true})
	require.NoError(t, f.Create(20, 500))
	var ids []base.PageID
	var pages [][]byte
	for no := range base.PageNo(300) {
		id := base.PageID{Space: 20, No: (no * 7) % 500}
		ids, pages = append(ids, id), append(pages, newPage(id, 3))
	}
	require.NoError(t, f.WriteBatch(ids, pages))
	require.Equal(t, uint64(3), f.Stats().DoublewriteBatches)
	for _, id := range ids {
		requirePage(t, f, id, 3)
	}
	require.NoError(t, f.WriteBatch(nil, nil))
}

// A torn page whose copy is damaged too is reported, not invented.
func TestUnrepairable(t *testing.T) {
	disk := vfs.NewMem(1)
	f := mustOpen(t, disk, "/data", Options{Doublewrite: true})
	require.NoError(t, f.Create(20, 4))
	a, b := base.PageID{Space: 20, No: 1}, base.PageID{Space: 20, No: 2}
	require.NoError(t, f.WriteBatch([]base.PageID{a, b}, [][]byte{newPage(a, 1), newPage(b, 1)}))
	require.NoError(t, f.Close())
	require.NoError(t, disk.FlipBit(f.Path(20), 8*(1*base.PageSize+5000)))
	require.NoError(t, disk.FlipBit(f.Path(20), 8*(2*base.PageSize+5000)))
	require.NoError(t, disk.FlipBit("/data/doublewrite.edw", 8*(dwHeaderSize+6000)))
	f = mustOpen(t, disk, "/data", Options{}) // the option is off now; the area is still there
	r, err := f.RepairTorn()
	require.NoError(t, err)
	require.Equal(t, Repaired{Batch: 2, Pages: []base.PageID{b}, Unrepairable: []base.PageID{a}}, r)
	requirePage(t, f, b, 1)
	require.ErrorIs(t, f.Read(a, vfs.AlignedBlock(base.PageSize)), base.ErrCorrupt)
}

// Readers, writers, extends and drops on more files than may be open at a time.
func TestFileTableUnderLoad(t *testing.T) {
	disk := vfs.NewMem(1)
	f := mustOpen(t, disk, "/data", Options{OpenFiles: 3, Doublewrite: true})
	const spaces = 12
	for s := range base.SpaceID(spaces) {
		require.NoError(t, f.Create(100+s, 4))
	}
	var wg sync.WaitGroup
	errs := make(chan error, 1000)
	for w := range 6 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			rng := rand.New(rand.NewPCG(uint64(w), 1))
			page := vfs.AlignedBlock(base.PageSize)
			for i := range 300 {
				id := base.PageID{Space: 100 + base.SpaceID(rng.IntN(spaces)), No: base.PageNo(w % 4)}
				var err error
				switch {
				case w == 5 && i == 150:
					err = f.Drop(100)
				case i%3 == 0 && w < 4:
					err = f.WriteBatch([]base.PageID{id}, [][]byte{newPage(id, uint64(i))})
				case i%50 == 1:
					err = f.Extend(id.Space, base.PageNo(4+i/50))
				default:
					err = f.Read(id, page)
				}
				if err != nil && !errors.Is(err, ErrNeverWritten) && !(id.Space == 100 && errors.Is(err, ErrNoSpace)) && !errors.Is(err, base.ErrCorrupt) {
					errs <- err
				}
			}
		}()
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		require.NoError(t, err)
	}
	f.table.mu.Lock()
	require.LessOrEqual(t, len(f.table.mu.open), 3)
	for _, h := range f.table.mu.open {
		require.Zero(t, h.users)
	}
	f.table.mu.Unlock()
	require.Greater(t, f.Stats().Opens, uint64(spaces))
	require.NoError(t, f.Close())
}

func BenchmarkRead(b *testing.B) {
	f := mustOpen(b, vfs.NewOS(nil), b.TempDir(), Options{Direct: true})
	require.NoError(b, f.Create(20, 64))
	ids, pages := benchBatch(64)
	require.NoError(b, f.WriteBatch(ids, pages))
	page := vfs.AlignedBlock(base.PageSize)
	b.SetBytes(base.PageSize)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if err := f.Read(ids[i%64], page); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWriteBatch(b *testing.B) {
	for _, dw := range []bool{false, true} {
		b.Run(fmt.Sprintf("doublewrite=%v", dw), func(b *testing.B) {
			f := mustOpen(b, vfs.NewOS(nil), b.TempDir(), Options{Direct: true, Doublewrite: dw})
			require.NoError(b, f.Create(20, 64))
			ids, pages := benchBatch(64)
			b.SetBytes(64 * base.PageSize)
			b.ReportAllocs()
			for b.Loop() {
				if err := f.WriteBatch(ids, pages); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkChecksum(b *testing.B) {
	p := newPage(base.PageID{Space: 1}, 1)
	b.SetBytes(base.PageSize)
	for b.Loop() {
		Stamp(p)
	}
}

func benchBatch(n int) (ids []base.PageID, pages [][]byte) {
	for no := range base.PageNo(n) {
		id := base.PageID{Space: 20, No: no}
		ids, pages = append(ids, id), append(pages, newPage(id, 1))
	}
	return ids, pages
}
