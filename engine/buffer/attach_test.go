package buffer

import (
	"errors"
	"math/rand/v2"
	"os"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/internal/base"
	"emberdb/internal/testkit"
)

var testOwner = Owner{UUID: [16]byte{1, 2, 3}, Directory: 7}

// memoryFile is a file for a pool of so many frames, of at most four times as many.
func memoryFile(t *testing.T, frames int) *os.File {
	t.Helper()
	fd, err := unix.MemfdCreate("test", unix.MFD_CLOEXEC)
	require.NoError(t, err)
	f := os.NewFile(uintptr(fd), "memfd")
	t.Cleanup(func() { f.Close() })
	require.NoError(t, f.Truncate(Options{Frames: frames, MaxFrames: 4 * frames}.MemorySize()))
	return f
}

// keptSource knows which versions are the newest.
type keptSource map[base.PageID]struct {
	lsn, since base.LSN
}

func (k keptSource) Pending(id base.PageID) Pending {
	if k[id].since != 0 {
		return PendingFromLog
	}
	return NotPending
}

func (k keptSource) OnRead(base.PageID, []byte) (base.LSN, error) { return 0, nil }

func (k keptSource) Kept(id base.PageID, lsn base.LSN) (since base.LSN, newest bool) {
	v, ok := k[id]
	return v.since, ok && v.lsn == lsn
}

const keptFrames = 64

// keptEnv is a pool in a memory of its own with pages 0..n-1, all changed since they were created,
// and what a source knows of them.
func keptEnv(t *testing.T, n int) (*env, *os.File, keptSource) {
	f := memoryFile(t, keptFrames)
	e := newEnv(t, envOptions{frames: keptFrames, pages: 256, pool: func(o *Options) {
		o.Shared = &SharedMemory{File: f, Owner: testOwner}
	}})
	e.create(t, n)
	e.pool.Owned(redo.Life{Start: 1, Salt: 2})
	e.pool.Opened()
	source := keptSource{}
	for i := range n {
		m := e.pool.BeginRead()
		pg, err := m.Pin(pageID(i), Shared)
		require.NoError(t, err)
		v := source[pageID(i)]
		v.lsn = pg.LSN()
		source[pageID(i)] = v
		m.Commit()
	}
	return e, f, source
}

// again ends the pool where it stands, and gives its memory to another one.
func (e *env) again(t *testing.T, f *os.File, source Source, examine func([]byte) error) *env {
	t.Helper()
	require.NoError(t, e.pool.Close())
	pool, err := e.take(f, source, examine)
	require.NoError(t, err)
	t.Cleanup(func() { _ = pool.Close() })
	return &env{fs: e.fs, files: e.files, log: e.log, pool: pool}
}

func (e *env) take(f *os.File, source Source, examine func([]byte) error) (*Pool, error) {
	return New(Options{Frames: keptFrames, MaxFrames: 4 * keptFrames, Files: e.files, Log: e.log, Source: source, Examine: examine,
		Shared: &SharedMemory{File: f, Left: true, Owner: testOwner}})
}

func (e *env) walk() (order []int) {
	young, old := e.lruOrder()
	return append(young, old...)
}

// Pages come back without being read, in their order, dirty if the source says so, the oldest at
// the flush list's tail.
func TestAttach(t *testing.T) {
	e, f, source := keptEnv(t, 20)
	require.NoError(t, e.pool.Flusher().All())
	e.readWord(t, 3, 0)
	want := e.walk()
	for i, since := range map[int]base.LSN{4: 300, 5: 100, 6: 200} {
		v := source[pageID(i)]
		v.since = since
		source[pageID(i)] = v
	}
	b := e.again(t, f, source, nil)
	require.True(t, b.pool.Left())
	require.Equal(t, redo.Life{Start: 1, Salt: 2}, b.pool.Life())
	require.Zero(t, b.pool.Stats().PagesFree)
	kept, dirty := b.pool.Attach()
	require.Equal(t, 20, kept)
	require.Equal(t, 3, dirty)
	require.False(t, b.pool.Left())
	require.Equal(t, want, b.walk())
	require.EqualValues(t, 100, b.pool.Flusher().OldestDirty())
	for i := range 20 {
		require.EqualValues(t, i, b.readWord(t, i, 0))
	}
	s := b.pool.Stats()
	require.Zero(t, s.Reads)
	require.EqualValues(t, 20, s.PagesKeptUsed)
	require.Equal(t, 3, s.PagesDirty)
	require.Equal(t, keptFrames-20, s.PagesFree)
	b.check(t)
	require.NoError(t, b.pool.Flusher().All(), "and they are written")
	b.check(t)
}

// A page that was being changed, one whose version is not the newest, and one that was being read
// are not kept.
func TestAttachDropsUnfinishedPages(t *testing.T) {
	e, f, source := keptEnv(t, 20)
	require.NoError(t, e.pool.Flusher().All())
	m := e.pool.Begin()
	pg, err := m.Pin(pageID(1), Exclusive)
	require.NoError(t, err)
	setWord(m, pg, 0, 99) // and the process ends here
	v := source[pageID(2)]
	v.lsn++
	source[pageID(2)] = v
	reading := e.pool.table.find(pageID(3).Uint64())
	e.pool.states[reading].flags = flagReading
	delete(source, pageID(4))

	b := e.again(t, f, source, nil)
	kept, _ := b.pool.Attach()
	require.Equal(t, 16, kept)
	for i := range 20 {
		require.EqualValues(t, i, b.readWord(t, i, 0), "page %d", i)
	}
	require.EqualValues(t, 4, b.pool.Stats().Reads)
	b.check(t)
}

// Create marks the page as changing before it is resident.
func TestAttachDropsPageBeingMade(t *testing.T) {
	e, f, source := keptEnv(t, 4)
	m := e.pool.Begin()
	fresh, err := m.ReserveNew(pageID(10))
	require.NoError(t, err)
	m.Create(fresh, pagefile.TypeTree)
	ref := e.pool.table.find(pageID(10).Uint64())
	require.Zero(t, e.pool.states[ref].version)
	require.NotZero(t, e.pool.states[ref].flags&flagResident)
	kept, _ := e.again(t, f, source, nil).pool.Attach()
	require.Equal(t, 4, kept)
}

// Damage of pages is found when they are asked for: by checksum where it is known, else by what
// examines them. They are read again.
func TestAttachFindsDamage(t *testing.T) {
	e, f, source := keptEnv(t, 20)
	require.NoError(t, e.pool.Flusher().All())
	for i := range 20 { // written, and so with a checksum
		require.NotZero(t, e.pool.states[e.pool.table.find(pageID(i).Uint64())].sum)
	}
	e.pool.page(e.pool.table.find(pageID(1).Uint64()))[9000]++
	ref := e.pool.table.find(pageID(2).Uint64())
	e.pool.states[ref].sum = 0
	e.pool.page(ref)[9000] = 1 // found by examine alone
	pagefile.SetLSN(e.pool.page(e.pool.table.find(pageID(3).Uint64())), 5)
	copy(e.pool.page(e.pool.table.find(pageID(4).Uint64())), e.pool.page(e.pool.table.find(pageID(5).Uint64())))
	b := e.again(t, f, source, func(page []byte) error {
		if page[9000] == 1 {
			return errors.New("damaged")
		}
		return nil
	})
	kept, _ := b.pool.Attach()
	require.Equal(t, 20, kept)
	for i := range 20 {
		require.EqualValues(t, i, b.readWord(t, i, 0), "page %d", i)
	}
	s := b.pool.Stats()
	require.EqualValues(t, 4, s.Reads)
	require.EqualValues(t, 4, s.PagesKeptRefused)
	b.check(t)
}

// The cleaner writes no page that was not examined.
func TestUnexaminedPagesAreNotWritten(t *testing.T) {
	e, f, source := keptEnv(t, 8)
	require.NoError(t, e.pool.Flusher().All())
	v := source[pageID(1)]
	v.since = 100
	source[pageID(1)] = v
	b := e.again(t, f, source, nil)
	_, dirty := b.pool.Attach()
	require.Equal(t, 1, dirty)
	ref := b.pool.table.find(pageID(1).Uint64())
	page := make([]byte, base.PageSize)
	into := noFlight
	require.False(t, b.pool.flush.takeDirty(flushItem{pageID(1), ref}, page, &into))
	b.readWord(t, 1, 0)
	require.True(t, b.pool.flush.takeDirty(flushItem{pageID(1), ref}, page, &into))
}

// Pages of a memory of another size move when the pool shrinks, examined or not.
func TestAttachAndShrink(t *testing.T) {
	e, f, source := keptEnv(t, 50)
	require.NoError(t, e.pool.Flusher().All())
	b := e.again(t, f, source, nil)
	kept, _ := b.pool.Attach()
	require.Equal(t, 50, kept)
	b.readWord(t, 7, 0)
	require.NoError(t, b.pool.Resize(32))
	for i := range 50 {
		require.EqualValues(t, i, b.readWord(t, i, 0))
	}
	require.Zero(t, b.pool.Stats().PagesKeptRefused)
	b.check(t)
}

// The states of a memory may hold anything: the lists are whole afterwards, and every page is the
// right one.
func TestAttachRandomStates(t *testing.T) {
	r := rand.New(rand.NewPCG(testkit.Seed(t), 0))
	e, f, source := keptEnv(t, 40)
	require.NoError(t, e.pool.Flusher().All())
	require.NoError(t, e.pool.Close())
	for range 50 {
		whole := make([]byte, headSize(4*keptFrames))
		_, err := f.ReadAt(whole, 0)
		require.NoError(t, err)
		at := int(unsafe.Offsetof(poolHeader{}.lru))
		for range 1 + r.IntN(300) {
			var b [4]byte
			for i := range b {
				b[i] = byte(r.Uint32() >> (r.IntN(4) * 8))
			}
			to := at + r.IntN(int(unsafe.Sizeof(poolHeader{}))-at)
			if r.IntN(4) > 0 {
				to = headerSize + r.IntN((keptFrames+1)*64)
			}
			_, err := f.WriteAt(b[:1+r.IntN(4)], int64(to))
			require.NoError(t, err)
		}
		pool, err := e.take(f, source, nil)
		require.NoError(t, err)
		b := &env{fs: e.fs, files: e.files, log: e.log, pool: pool}
		pool.Attach()
		for i := range 40 {
			require.EqualValues(t, i, b.readWord(t, i, 0))
		}
		require.NoError(t, pool.Close())
		_, err = f.WriteAt(whole, 0)
		require.NoError(t, err)
	}
}

// A memory is taken over by its owner alone, once, and with the same layout.
func TestMemoryIsChecked(t *testing.T) {
	e, f, source := keptEnv(t, 4)
	head := make([]byte, headerSize)
	_, err := f.ReadAt(head, 0)
	require.NoError(t, err)
	h := (*poolHeader)(unsafe.Pointer(&head[0]))
	for name, change := range map[string]func(){
		"no buffer pool":         func() { h.magic++ },
		"another build":          func() { h.layout++ },
		"another server":         func() { h.owner.UUID[3]++ },
		"another data directory": func() { h.owner.Directory++ },
		"frames of at most":      func() { h.limit = h.maxFrames + 1 },
		"did not come to":        func() { h.opening = 1 },
	} {
		was := *h
		change()
		_, err := f.WriteAt(head, 0)
		require.NoError(t, err)
		_, err = e.take(f, source, nil)
		require.ErrorIs(t, err, ErrNotTaken)
		require.ErrorContains(t, err, name)
		*h = was
	}
	_, err = f.WriteAt(head, 0)
	require.NoError(t, err)
	e.again(t, f, source, nil).pool.Forget()
	_, err = e.take(f, source, nil)
	require.ErrorContains(t, err, "did not come to", "the second process has not opened")

	require.NoError(t, f.Truncate(100))
	_, err = e.take(f, source, nil)
	require.ErrorIs(t, err, ErrNotTaken)
}

// BenchmarkAttach takes over a pool of 16 GiB, full, a quarter of it dirty, whose LRU list lies all
// over the memory. It looks at no page.
func BenchmarkAttach(b *testing.B) {
	const frames = 16 << 30 / base.PageSize
	e := newEnv(b, envOptions{frames: 32, pages: 64})
	fd, err := unix.MemfdCreate("bench", unix.MFD_CLOEXEC)
	require.NoError(b, err)
	f := os.NewFile(uintptr(fd), "memfd")
	defer f.Close()
	o := Options{Frames: frames, MaxFrames: frames, Files: e.files, Log: e.log, Shared: &SharedMemory{File: f, Owner: testOwner}, HugePages: true}
	require.NoError(b, f.Truncate(o.MemorySize()))
	p, err := New(o)
	require.NoError(b, err)
	order := rand.New(rand.NewPCG(1, 2)).Perm(frames)
	for i, n := range order {
		st := &p.states[n+1]
		*st = frameState{id: uint64(i), version: 1, flags: flagResident}
		if i > 0 {
			st.lruPrev = frameRef(order[i-1] + 1)
		}
		if i+1 < frames {
			st.lruNext = frameRef(order[i+1] + 1)
		}
	}
	p.hdr.lru = lruHeader{head: frameRef(order[0] + 1), tail: frameRef(order[frames-1] + 1), n: frames}
	p.hdr.free = listHeader{}
	p.Opened()
	require.NoError(b, p.Close())
	o.Shared = &SharedMemory{File: f, Left: true, Owner: testOwner}
	o.Source = quarterDirty{}
	for b.Loop() {
		p, err := New(o)
		require.NoError(b, err)
		kept, _ := p.Attach()
		b.StopTimer()
		require.Greater(b, kept, frames*9/10, "the cleaner frees some")
		p.Opened() // kept frames that nobody has asked for are kept once more
		require.NoError(b, p.Close())
		b.StartTimer()
	}
}

// quarterDirty knows all pages, a quarter of them dirty.
type quarterDirty struct{ keptSource }

func (quarterDirty) Kept(id base.PageID, _ base.LSN) (since base.LSN, newest bool) {
	if id.No%4 == 0 {
		return base.LSN(id.No)%32 + 1, true
	}
	return 0, true
}
