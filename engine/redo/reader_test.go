package redo

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

// filled returns the disk of a log with n groups, its groups, and the file size of its segments.
func filled(t *testing.T, n int, rng *rand.Rand, finish func(l *Log)) (*vfs.Mem, []Group) {
	t.Helper()
	disk := vfs.NewMem(3)
	l, cp := mustOpen(t, disk, Options{Capacity: 8 << 20})
	for i := range n {
		_, err := l.Append(payload(rng, uint64(i), 100+rng.IntN(900)), nil)
		require.NoError(t, err)
		if i%5 == 0 {
			require.NoError(t, l.FlushTo(l.Appended()))
		}
	}
	require.NoError(t, l.FlushTo(l.Appended()))
	if finish != nil {
		finish(l)
	}
	var groups []Group
	r := l.NewReader(cp.LSN)
	for {
		g, err := r.Next()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		groups = append(groups, Group{LSN: g.LSN, End: g.End})
	}
	require.Len(t, groups, n)
	kill(l)
	return disk, groups
}

// readDamaged opens a log and reads it to its end.
func readDamaged(t *testing.T, disk *vfs.Mem) (int, error) {
	t.Helper()
	l, cp, err := Open(disk, "/data", small(Options{}))
	if err != nil {
		return 0, err
	}
	defer kill(l)
	r := l.NewReader(cp.LSN)
	for n := 0; ; n++ {
		if _, err := r.Next(); err == io.EOF {
			return n, nil
		} else if err != nil {
			return n, err
		}
	}
}

// A log cut at any byte of its last blocks ends at the last group that is whole, without an error:
// this is what a torn tail looks like.
func TestTornTailEndsTheLog(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	disk, groups := filled(t, 20, rng, nil)
	name := "/data/redo/0000000000000001.redo"
	f, err := disk.Open(name, vfs.Options{})
	require.NoError(t, err)
	last := groups[len(groups)-1].End
	tail := make([]byte, 2*blockSize)
	at := segHeader + int64(last-FirstLSN) - int64(len(tail))
	_, err = f.ReadAt(tail, at)
	require.NoError(t, err)
	for cut := range tail {
		torn := slices.Clone(tail)
		clear(torn[cut:])
		_, err = f.WriteAt(torn, at)
		require.NoError(t, err)
		whole := 0
		for _, g := range groups {
			if segHeader+int64(g.End-FirstLSN) <= at+int64(cut) {
				whole++
			}
		}
		n, err := readDamaged(t, disk)
		require.NoError(t, err, "cut at %d", cut)
		// A group may end in zeros, which the cut does not change.
		require.GreaterOrEqual(t, n, whole, "cut at %d", cut)
		require.LessOrEqual(t, n, whole+1, "cut at %d", cut)
	}
}

// A bit that flips anywhere in the part that is known to be durable is reported with its file and
// offset, and never shortens the log silently.
func TestDamageIsNotTheEnd(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 5))
	disk, groups := filled(t, 600, rng, nil)
	last := groups[len(groups)-1].End
	proven := 0
	for range 300 {
		g := groups[rng.IntN(len(groups))]
		l, _ := mustOpen(t, disk, Options{})
		seg := l.segs.find(g.LSN)
		path, off := seg.path, seg.offset(g.LSN)
		kill(l)
		bit := 8*off + rng.Int64N(8*int64(g.End-g.LSN))
		require.NoError(t, disk.FlipBit(path, bit))
		n, err := readDamaged(t, disk)
		require.NoError(t, disk.FlipBit(path, bit))
		require.Equal(t, g.LSN, groups[n].LSN)
		if g.LSN+2*noteEvery < last || seg.info.number < uint64(len(groups)) && seg.info.end() < last {
			var damage *base.CorruptError
			require.ErrorAs(t, err, &damage, "bit %d of %s, LSN %d of %d", bit, path, g.LSN, last)
			require.Equal(t, path, damage.File)
			require.Equal(t, off, damage.Offset)
			proven++
		}
	}
	require.Positive(t, proven)
}

// Within one segment the notes prove it.
func TestNotesProveDamage(t *testing.T) {
	disk := vfs.NewMem(3)
	o := Options{Capacity: 64 << 20, SegmentSize: 4 << 20}
	l, cp := mustOpen(t, disk, o)
	rng := rand.New(rand.NewPCG(6, 6))
	var groups []base.LSN
	for i := range 1000 {
		end, err := l.Append(payload(rng, uint64(i), 1000), func(s, _ base.LSN) { groups = append(groups, s) })
		require.NoError(t, err)
		if i%20 == 0 {
			require.NoError(t, l.FlushTo(end))
		}
	}
	require.NoError(t, l.Close())
	require.Equal(t, FirstLSN, cp.LSN)
	for _, at := range []int{0, 1, 100, 500, 800} {
		bit := 8*(segHeader+int64(groups[at]-FirstLSN)) + 3
		require.NoError(t, disk.FlipBit("/data/redo/0000000000000001.redo", bit))
		n, err := readDamaged(t, disk)
		require.NoError(t, disk.FlipBit("/data/redo/0000000000000001.redo", bit))
		require.Equal(t, at, n)
		require.ErrorIs(t, err, base.ErrCorrupt)
		require.ErrorContains(t, err, "a note behind it")
	}
}

// What a checkpoint says was durable must be there.
func TestCheckpointProvesDamage(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	disk, groups := filled(t, 10, rng, func(l *Log) { require.NoError(t, l.SetCheckpoint(FirstLSN, nil)) })
	require.NoError(t, disk.FlipBit("/data/redo/0000000000000001.redo", 8*(segHeader+int64(groups[9].LSN-FirstLSN))))
	n, err := readDamaged(t, disk)
	require.Equal(t, 9, n)
	require.ErrorContains(t, err, "durable up to")
	require.ErrorIs(t, err, base.ErrCorrupt)
}

// A checkpoint file that is damaged is told, with what follows; the other one serves.
func TestDamagedCheckpointIsTold(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	disk, _ := filled(t, 20, rng, nil)
	require.NoError(t, disk.FlipBit("/data/redo/checkpoint.1", 350))
	var out bytes.Buffer
	l, _, err := Open(disk, "/data", Options{Logger: slog.New(slog.NewTextHandler(&out, nil))})
	require.NoError(t, err)
	require.NoError(t, l.Close())
	for _, text := range []string{"WARN", "a checkpoint file is damaged", "file /data/redo/checkpoint.1", "used=/data/redo/checkpoint.0", "lsn="} {
		require.Contains(t, out.String(), text)
	}
}

// Damaged and missing files are named.
func TestDamagedFiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	build := func() *vfs.Mem {
		disk, _ := filled(t, 200, rng, nil)
		return disk
	}
	name := func(n uint64) string { return (&segmentSet{l: &Log{dir: "/data/redo"}}).path(n) }
	cases := []struct {
		name   string
		damage func(disk *vfs.Mem) error
		file   string
	}{
		{"header of the checkpoint's segment", func(d *vfs.Mem) error { return d.FlipBit(name(1), 300) }, name(1)},
		{"header of a later segment", func(d *vfs.Mem) error { return d.FlipBit(name(2), 300) }, name(2)},
		{"checkpoint's segment gone", func(d *vfs.Mem) error { return d.Remove(name(1)) }, "/data/redo"},
		{"later segment gone", func(d *vfs.Mem) error { return d.Remove(name(3)) }, name(3)},
		{"truncated segment", func(d *vfs.Mem) error { return truncate(d, name(2), 9000) }, name(2)},
		{"both checkpoints", func(d *vfs.Mem) error {
			_ = d.FlipBit("/data/redo/checkpoint.0", 350)
			return d.FlipBit("/data/redo/checkpoint.1", 350)
		}, "/data/redo/checkpoint.1"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			disk := build()
			require.NoError(t, c.damage(disk))
			_, err := readDamaged(t, disk)
			var damage *base.CorruptError
			require.ErrorAs(t, err, &damage)
			require.Equal(t, c.file, damage.File)
		})
	}
	t.Run("one checkpoint", func(t *testing.T) {
		disk := build()
		require.NoError(t, disk.FlipBit("/data/redo/checkpoint.1", 350))
		n, err := readDamaged(t, disk)
		require.NoError(t, err)
		require.Equal(t, 200, n)
	})
}

func truncate(d *vfs.Mem, name string, size int64) error {
	f, err := d.Open(name, vfs.Options{})
	if err != nil {
		return err
	}
	return f.Truncate(size)
}

func TestForeignLog(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	disk, _ := filled(t, 3, rng, nil)
	o := small(Options{})
	o.UUID[0]++
	_, _, err := Open(disk, "/data", o)
	require.ErrorIs(t, err, base.ErrForeign)

	o = small(Options{})
	o.UUID = [16]byte{} // whoever it belongs to
	l, cp, err := Open(disk, "/data", o)
	require.NoError(t, err)
	require.Equal(t, testUUID, cp.UUID)
	require.NoError(t, l.Close())

	o.Create = false
	_, _, err = Open(vfs.NewMem(1), "/data", o)
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// The index of a closed segment tells exactly what parsing it tells, also of groups a former life
// wrote into it.
func TestIndexEqualsParsing(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 10))
	disk := vfs.NewMem(3)
	var ends []base.LSN
	for life := range 5 {
		l, cp := mustOpen(t, disk, Options{Capacity: 8 << 20})
		_, ends = readAll(t, l, cp.LSN)
		require.NoError(t, l.StartAt(lastEnd(cp.LSN, ends)))
		for i := range 150 {
			_, err := l.Append(payload(rng, uint64(life*1000+i), rng.IntN(900)), nil)
			require.NoError(t, err)
			require.NoError(t, l.WriteTo(l.Appended()))
		}
		require.NoError(t, l.Close())
	}
	l, cp := mustOpen(t, disk, Options{Capacity: 8 << 20})
	defer kill(l)
	readAll(t, l, cp.LSN)
	indexed := 0
	for _, s := range l.Segments() {
		x, damage, err := l.Index(s.Number)
		require.NoError(t, err)
		require.Empty(t, damage)
		if x == nil {
			continue
		}
		indexed++
		parsed, err := l.Parse(s.Number, s.Start, nil)
		require.NoError(t, err)
		want := map[base.PageID][]base.LSN{}
		r := l.NewReader(s.Start)
		r.SetLimit(s.End)
		for {
			g, err := r.Next()
			if err == io.EOF {
				break
			}
			require.NoError(t, err)
			for rec, err := range Records(g.Payload) {
				require.NoError(t, err)
				if at := want[rec.Page]; len(at) == 0 || at[len(at)-1] != g.LSN {
					want[rec.Page] = append(at, g.LSN)
				}
			}
		}
		got := map[base.PageID][]base.LSN{}
		last := base.PageID{}
		fetcher := l.NewFetcher(1 << 20)
		for id, place := range x.All() {
			require.Greater(t, id.Uint64(), last.Uint64())
			last = id
			got[id], _, err = x.Groups(nil, place)
			require.NoError(t, err)
			same, _, err := parsed.Groups(nil, place)
			require.NoError(t, err)
			require.Equal(t, got[id], same)
			var fetched []base.LSN
			require.NoError(t, fetcher.Groups(got[id], func(g Group) error {
				fetched = append(fetched, g.LSN)
				for rec := range Records(g.Payload) {
					if rec.Page == id {
						return nil
					}
				}
				return errors.New("no record for the page")
			}))
			require.Equal(t, got[id], fetched)
		}
		require.LessOrEqual(t, int64(len(fetcher.kept)*fetchBlock), int64(1<<20))
		fetcher.Forget()
		for _, lsns := range got { // without the blocks it kept
			require.NoError(t, fetcher.Groups(lsns, func(Group) error { return nil }))
		}
		require.Empty(t, fetcher.kept)
		require.Equal(t, want, got)
		require.Equal(t, len(want), x.Pages)
		require.Equal(t, parsed.Messages, x.Messages)
	}
	require.Greater(t, indexed, 5)
}

// A page index that decayed is not believed.
func TestDamagedIndexIsNotUsed(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 11))
	disk, _ := filled(t, 200, rng, func(l *Log) {
		l.segs.writeIndexes()
		for l.Stats().IndexesWritten < 2 {
			runtime.Gosched() // the background goroutine has taken it
		}
	})
	l, _ := mustOpen(t, disk, Options{})
	defer kill(l)
	lists := func(x *SegmentIndex) (all []base.LSN, damaged bool) {
		for _, place := range x.All() {
			got, _, err := x.Groups(nil, place)
			if err == nil { // else it is told already
				err = l.NewFetcher(0).Groups(got, func(Group) error { return nil })
			}
			if err != nil {
				require.ErrorIs(t, err, base.ErrCorrupt)
				damaged = true
			}
			all = append(all, got...)
		}
		return all, damaged
	}
	x, damage, err := l.Index(1)
	require.NoError(t, err)
	require.Empty(t, damage)
	want, damaged := lists(x)
	require.False(t, damaged)
	seg := l.segs.live[0]
	noticed := 0
	size, middle := segHeader+seg.info.size, seg.offset(x.listsAt)
	for at := middle - 300; at < size; at += 3 {
		if at == middle+300 {
			at = size - trailerSize
		}
		bit := 8 * at
		require.NoError(t, disk.FlipBit(seg.path, bit))
		if x, damage, err = l.Index(1); x != nil {
			got, damaged := lists(x)
			if damaged {
				noticed++
				require.NoError(t, x.Rebuild())
				got, damaged = lists(x)
				require.False(t, damaged)
			}
			require.Equal(t, want, got) // or it was a byte between the index and the trailer
		} else {
			require.NotEmpty(t, damage)
			noticed++
		}
		require.NoError(t, err)
		require.NoError(t, disk.FlipBit(seg.path, bit))
	}
	require.Greater(t, noticed, 50)
}

func TestRecordsThatDoNotParse(t *testing.T) {
	good := AppendRecord(nil, OpWriteBytes, base.PageID{Space: 300, No: 70000}, []byte("abc"), []byte("def"))
	var seen []Record
	for rec, err := range Records(append(slices.Clone(good), good...)) {
		require.NoError(t, err)
		seen = append(seen, rec)
	}
	require.Len(t, seen, 2)
	require.Equal(t, Record{OpWriteBytes, base.PageID{Space: 300, No: 70000}, []byte("abcdef")}, seen[1])
	for n := 1; n < len(good); n++ {
		var last error
		for _, err := range Records(good[:n]) {
			last = err
		}
		require.ErrorIs(t, last, base.ErrCorrupt, "%d bytes", n)
	}
	huge := binary.AppendUvarint([]byte{byte(OpWriteBytes)}, 1<<40)
	for _, err := range Records(huge) {
		require.ErrorIs(t, err, base.ErrCorrupt)
	}
}

// Rubbish in a segment ends the log or is reported; it never makes a reader panic or hand out a
// group.
func TestRubbish(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 12))
	disk, groups := filled(t, 20, rng, nil)
	f, err := disk.Open("/data/redo/0000000000000001.redo", vfs.Options{})
	require.NoError(t, err)
	at := segHeader + int64(groups[9].End-FirstLSN)
	tail := make([]byte, 3*blockSize)
	for range 500 {
		for i := range tail {
			tail[i] = byte(rng.Uint32() >> (8 * rng.IntN(4)))
		}
		if rng.IntN(2) == 0 { // a plausible length
			binary.LittleEndian.PutUint32(tail, uint32(rng.IntN(40000)))
		}
		_, err = f.WriteAt(tail, at)
		require.NoError(t, err)
		n, err := readDamaged(t, disk)
		require.Equal(t, 10, n)
		require.True(t, err == nil || errors.Is(err, base.ErrCorrupt), "%v", err)
	}
}

func FuzzRecords(f *testing.F) {
	f.Add(AppendRecord(nil, OpWriteBytes, base.PageID{Space: 300, No: 70000}, []byte("abc")))
	f.Fuzz(func(t *testing.T, p []byte) {
		var again []byte
		for rec, err := range Records(p) {
			if err != nil {
				return
			}
			again = AppendRecord(again, rec.Op, rec.Page, rec.Body)
		}
		if len(again) > len(p) {
			t.Fatalf("%d bytes parse into records of %d", len(p), len(again))
		}
	})
}

// A segment keeps room for its index also when what is written changes: few pages and many bytes,
// then many pages and few bytes, and back.
func TestIndexFitsWhenTheLoadChanges(t *testing.T) {
	l, cp := mustOpen(t, vfs.NewMem(3), Options{Capacity: 64 << 20})
	defer kill(l)
	readAll(t, l, cp.LSN)
	require.NoError(t, l.StartAt(cp.LSN))
	rng := rand.New(rand.NewPCG(11, 11))
	size := l.Segments()[0].End - l.Segments()[0].Start
	body := make([]byte, 4096)
	for phase := range 6 {
		for from := l.Appended(); l.Appended() < from+2*size; {
			var group []byte
			if phase%2 == 0 {
				group = AppendRecord(nil, OpWriteBytes, base.PageID{Space: 7, No: 1}, body)
			} else {
				for range 8 {
					group = AppendRecord(group, OpWriteBytes, base.PageID{Space: 7, No: base.PageNo(rng.IntN(1 << 20))}, body[:16])
				}
			}
			_, err := l.Append(group, nil)
			require.NoError(t, err)
			require.NoError(t, l.WriteTo(l.Appended()))
		}
	}
	require.NoError(t, l.FlushTo(l.Appended()))
	segments := l.Segments()
	require.Greater(t, len(segments), 8)
	testkit.Eventually(t, func() bool { st := l.Stats(); return int(st.IndexesWritten+st.NotIndexed) == len(segments)-1 })
	require.Zero(t, l.Stats().NotIndexed)
}
