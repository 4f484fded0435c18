package buffer

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/internal/base"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

func TestCreateCommitFlushRead(t *testing.T) {
	e := newEnv(t, envOptions{frames: 32, pages: 64})
	e.create(t, 20)
	require.NotZero(t, e.pool.Stats().PagesDirty)
	e.cold(t)
	for i := range 20 {
		require.EqualValues(t, i, e.readWord(t, i, 0))
	}
	s := e.pool.Stats()
	require.EqualValues(t, 20, s.Reads)
	require.Zero(t, s.PagesDirty)
	require.Equal(t, e.log.Appended(), e.pool.Flusher().OldestDirty())
	e.check(t)
}

func TestOptionsAreChecked(t *testing.T) {
	e := newEnv(t, envOptions{frames: 32})
	for _, o := range []Options{
		{Frames: 3, Files: e.files, Log: e.log},
		{Frames: 100, MaxFrames: 50, Files: e.files, Log: e.log},
		{Frames: 100, OldPct: 99, Files: e.files, Log: e.log},
		{Frames: 100},
	} {
		_, err := New(o)
		require.Error(t, err)
	}
}

func TestMtrRules(t *testing.T) {
	e := newEnv(t, envOptions{frames: 32, pages: 64})
	e.create(t, 4)

	m := e.pool.Begin()
	a, err := m.Pin(pageID(1), Exclusive)
	require.NoError(t, err)
	again, err := m.Pin(pageID(1), Shared)
	require.NoError(t, err)
	require.Equal(t, a, again, "a page held is returned again")
	require.Equal(t, Exclusive, again.Mode())
	m.Release(again)
	require.EqualValues(t, 1, word(a, 0), "one of two pins released")

	s, err := m.Pin(pageID(2), Shared)
	require.NoError(t, err)
	require.Panics(t, func() { _, _ = m.Pin(pageID(2), Exclusive) })
	require.Panics(t, func() { setWord(m, s, 0, 1) }, "change under a shared latch")
	m.Release(s)
	require.Panics(t, func() { m.Release(s) }, "released twice")

	require.False(t, m.Changed())
	setWord(m, a, 1, 7)
	require.True(t, m.Changed())
	require.Panics(t, func() { m.Release(a) }, "early release of a changed page")
	require.Panics(t, func() { m.WriteBytes(a, 0, []byte{1}) }, "the page header is out of reach")

	before := e.log.Appended()
	end, err := m.Commit()
	require.NoError(t, err)
	require.Greater(t, end, before)
	require.Panics(t, func() { m.Commit() })
	require.Panics(t, func() { _, _ = m.Pin(pageID(1), Shared) })

	r := e.pool.BeginRead()
	pg, err := r.Pin(pageID(1), Exclusive)
	require.NoError(t, err)
	require.Equal(t, end, pg.LSN())
	require.EqualValues(t, 7, word(pg, 1))
	require.Panics(t, func() { setWord(r, pg, 1, 8) }, "a reader changes nothing")
	end, err = r.Commit()
	require.NoError(t, err)
	require.Zero(t, end)
}

func TestTryPin(t *testing.T) {
	e := newEnv(t, envOptions{frames: 32, pages: 64})
	e.create(t, 2)
	m := e.pool.Begin()
	_, err := m.Pin(pageID(1), Exclusive)
	require.NoError(t, err)
	other := e.pool.BeginRead()
	_, ok, err := other.TryPin(pageID(1), Shared)
	require.NoError(t, err)
	require.False(t, ok)
	m.Commit()
	pg, ok, err := other.TryPin(pageID(1), Shared)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, pageID(1), pg.ID())
	other.Commit()
}

// Many callers of one absent page share one read, also when it fails.
func TestReadsJoin(t *testing.T) {
	e := newEnv(t, envOptions{frames: 32, pages: 64})
	e.create(t, 10)
	e.cold(t)
	var reads atomic.Int64
	gate := make(chan struct{})
	e.pool.Recovery().SetSource(sourceFunc(func(base.PageID, []byte) (base.LSN, error) {
		reads.Add(1)
		<-gate // all others arrive meanwhile
		return 0, nil
	}))
	const callers = 16
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() { require.EqualValues(t, 3, e.readWord(t, 3, 0)) })
	}
	awaitPins(t, e, 3, callers)
	close(gate)
	wg.Wait()
	require.EqualValues(t, 1, reads.Load())
	require.EqualValues(t, 1, e.pool.Stats().Reads)

	require.NoError(t, e.fs.FlipBit(e.files.Path(testSpace), 5*8*base.PageSize+8*100))
	gate = make(chan struct{})
	reads.Store(0)
	hook := errors.New("hook has nothing for it")
	e.pool.Recovery().SetSource(sourceFunc(func(base.PageID, []byte) (base.LSN, error) {
		reads.Add(1)
		<-gate
		return 0, hook
	}))
	var corrupt atomic.Int64
	for range callers {
		wg.Go(func() {
			m := e.pool.BeginRead()
			defer m.Commit()
			_, err := m.Pin(pageID(5), Shared)
			var ce *base.CorruptError
			if errors.As(err, &ce) && ce.Page == pageID(5) {
				corrupt.Add(1)
			}
		})
	}
	awaitPins(t, e, 5, callers)
	close(gate)
	wg.Wait()
	require.EqualValues(t, callers, corrupt.Load(), "every waiter gets the error")
	require.EqualValues(t, 1, reads.Load())
	e.check(t)
}

// awaitPins waits until n callers have pinned a page that is being read.
func awaitPins(t *testing.T, e *env, no, n int) {
	testkit.Eventually(t, func() bool {
		ref := e.pool.table.find(pageID(no).Uint64())
		return ref != 0 && int(e.pool.procs.at(ref).pin.Load()) == n
	})
}

func TestReadErrors(t *testing.T) {
	e := newEnv(t, envOptions{frames: 32, pages: 64})
	e.create(t, 3)
	m := e.pool.BeginRead()
	defer m.Commit()
	_, err := m.Pin(pageID(40), Shared)
	require.ErrorIs(t, err, pagefile.ErrNeverWritten)
	_, err = m.Pin(pageID(4000), Shared)
	require.ErrorIs(t, err, base.ErrCorrupt)
	_, err = m.Pin(base.PageID{Space: 999, No: 1}, Shared)
	require.ErrorIs(t, err, pagefile.ErrNoSpace)

	w := e.pool.Begin() // a failed page can be created
	pg, err := newPage(w, pageID(40), pagefile.TypeUndo)
	require.NoError(t, err)
	require.Equal(t, pagefile.TypeUndo, pagefile.Type(pg.Data()))
	w.Commit()
	e.check(t)
}

// Pages enter the old part, are made young by a second access after OldTime, and go in LRU order.
func TestMidpoint(t *testing.T) {
	e := newEnv(t, envOptions{frames: 40, pages: 200, pool: func(o *Options) { o.ReadAheadThreshold = -1; o.OldTime = time.Hour; o.LRUScanDepth = 1 }})
	e.create(t, 120)
	e.cold(t)
	for i := range 20 {
		e.readWord(t, i, 0)
	}
	e.pool.LRU().SetOldBlocks(37, 0) // now a second access makes young
	_, hot := e.lruOrder()
	hot = hot[:3]
	for _, no := range hot {
		e.readWord(t, no, 0)
		e.readWord(t, no, 0)
	}
	e.pool.LRU().SetOldBlocks(37, time.Hour)
	young, old := e.lruOrder()
	require.Equal(t, len(old), (len(young)+len(old))*37/100)
	for _, no := range hot {
		require.Contains(t, young, no)
	}
	for i := 30; i < 120; i++ { // a scan three times the pool
		e.readWord(t, i, 0)
	}
	young, old = e.lruOrder()
	for _, no := range hot {
		require.Contains(t, young, no, "a scan must not wash out the young part")
	}
	require.Contains(t, []int{young[len(young)-1], old[0]}, 119, "the newest page stands at the midpoint")
	require.Positive(t, e.pool.Stats().PagesMadeYoung)
	e.readWord(t, old[0], 0)
	require.Positive(t, e.pool.Stats().PagesNotYoung)
	e.check(t)
}

func TestReadAheadReadsTheNextExtent(t *testing.T) {
	e := newEnv(t, envOptions{frames: 512, pages: 256})
	e.create(t, 256)
	e.cold(t)
	for i := range extentPages {
		e.readWord(t, i, 0)
	}
	testkit.Eventually(t, func() bool { return e.pool.Stats().ReadAhead == extentPages })
	before := e.pool.Stats().Reads
	for i := extentPages; i < 2*extentPages; i++ {
		require.EqualValues(t, i, e.readWord(t, i, 0))
	}
	require.Equal(t, before, e.pool.Stats().Reads, "all were there")
	e.check(t)
}

// The tail of the list is what is evicted; dirty and pinned pages are not.
func TestEvictionSparesPinnedAndDirty(t *testing.T) {
	e := newEnv(t, envOptions{frames: 16, pages: 200, pool: func(o *Options) { o.ReadAheadThreshold = -1 }})
	e.create(t, 100)
	require.NoError(t, e.pool.Flusher().All())
	m := e.pool.Begin()
	var held []Page
	for i := range 8 {
		pg, err := m.Pin(pageID(i), Exclusive)
		require.NoError(t, err)
		held = append(held, pg)
	}
	for _, pg := range held {
		setWord(m, pg, 1, 99)
	}
	for i := 10; i < 100; i++ {
		e.readWord(t, i, 0)
	}
	for i, pg := range held {
		require.Equal(t, pageID(i), pg.ID())
		require.EqualValues(t, 99, word(pg, 1))
	}
	m.Commit()
	for i := 10; i < 100; i++ {
		e.readWord(t, i, 0)
	}
	for i := range 8 {
		require.EqualValues(t, 99, e.readWord(t, i, 1))
	}
	e.check(t)
}

func TestDropSpace(t *testing.T) {
	e := newEnv(t, envOptions{frames: 64, pages: 64})
	const other = testSpace + 1
	require.NoError(t, e.files.Create(other, 64))
	e.create(t, 20)
	for i := range 20 {
		m := e.pool.Begin()
		_, err := newPage(m, base.PageID{Space: other, No: base.PageNo(i)}, pagefile.TypeTree)
		require.NoError(t, err)
		m.Commit()
	}
	e.pool.DropSpace(other)
	require.NoError(t, e.files.Drop(other))
	require.NoError(t, e.pool.Flusher().All())
	require.Equal(t, 20, e.pool.Stats().PagesData)
	m := e.pool.BeginRead()
	_, err := m.Pin(base.PageID{Space: other, No: 3}, Shared)
	require.ErrorIs(t, err, base.ErrNotFound)
	m.Commit()
	require.EqualValues(t, 5, e.readWord(t, 5, 0))
	e.check(t)
}

// A failed write or sync leaves the pool failed: nothing more is written, changed pages stay,
// readers go on, and no commit is acknowledged.
func TestFailedWriteFailsThePool(t *testing.T) {
	for name, fault := range map[string]vfs.Fault{
		"page write": {Ops: vfs.OpWrite, Match: "spaces"},
		"page sync":  {Ops: vfs.OpSync, Match: "spaces"},
		"log write":  {Ops: vfs.OpWrite, Match: "redo"},
		"log sync":   {Ops: vfs.OpSync, Match: "redo"},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t, envOptions{frames: 64, pages: 64})
			e.create(t, 10)
			require.NoError(t, e.pool.Flusher().All())
			fault.Err, fault.Stay = errors.New("disk on fire"), true // a single one may strike the next redo segment, which is made in the background
			e.fs.Inject(fault)
			m := e.pool.Begin()
			pg, err := m.Pin(pageID(1), Exclusive)
			require.NoError(t, err)
			setWord(m, pg, 1, 5)
			m.Commit()
			require.ErrorIs(t, e.pool.Flusher().All(), base.ErrFailed)
			require.ErrorIs(t, e.log.Failure().Err(), base.ErrFailed)

			require.EqualValues(t, 5, e.readWord(t, 1, 1), "the change is still in memory")
			require.Less(t, e.pool.Flusher().OldestDirty(), e.log.Appended())
			w := e.pool.Begin()
			_, err = w.Pin(pageID(2), Exclusive)
			require.ErrorIs(t, err, base.ErrFailed)
			_, err = newPage(w, pageID(30), pagefile.TypeTree)
			require.ErrorIs(t, err, base.ErrFailed)
			_, err = w.Pin(pageID(2), Shared)
			require.NoError(t, err)
			w.Commit()
			require.ErrorIs(t, e.pool.Flusher().UpTo(1), base.ErrFailed)
		})
	}
}

// A mini-transaction that was under way when the engine failed is told that the log refuses it.
func TestCommitOnFailedLog(t *testing.T) {
	e := newEnv(t, envOptions{frames: 64, pages: 64})
	e.create(t, 3)
	m := e.pool.Begin()
	pg, err := m.Pin(pageID(1), Exclusive)
	require.NoError(t, err)
	setWord(m, pg, 1, 5)
	e.fs.Inject(vfs.Fault{Ops: vfs.OpSync, Match: "redo", Err: errors.New("disk on fire"), Stay: true})
	other := e.pool.BeginNested()
	_, err = newPage(other, pageID(2), pagefile.TypeTree)
	require.NoError(t, err)
	other.Commit()
	require.ErrorIs(t, e.log.FlushTo(e.log.Appended()), base.ErrFailed)
	_, err = m.Commit()
	require.ErrorIs(t, err, base.ErrFailed)
	require.Less(t, e.pool.Flusher().OldestDirty(), maxLSN)
}

// Pages that OnRead changed are dirty from the LSN it tells, and hold the checkpoint at the floor
// until they are written.
func TestRecoveredPages(t *testing.T) {
	e := newEnv(t, envOptions{frames: 64, pages: 64})
	e.create(t, 10)
	e.cold(t)
	end := e.log.Appended()
	require.NoError(t, e.fs.FlipBit(e.files.Path(testSpace), 7*8*base.PageSize+8*200))
	e.pool.Recovery().SetFloor(5)
	e.pool.Recovery().SetSource(sourceFunc(func(id base.PageID, page []byte) (base.LSN, error) {
		switch id.No {
		case 3:
			page[bodyAt+8] = 77
			return 6, nil
		case 7, 50: // damaged and never written: built from its redo
			body := encodeInitPage(id, pagefile.TypeTree)
			require.NoError(t, redo.Apply(redo.Record{Op: redo.OpInitPage, Page: id, Body: body[:]}, page))
			return 7, nil
		}
		return 0, nil
	}))
	require.EqualValues(t, 77, e.readWord(t, 3, 1))
	require.EqualValues(t, 0, e.readWord(t, 7, 0))
	require.EqualValues(t, 0, e.readWord(t, 50, 0))
	require.NoError(t, e.pool.Recovery().Redo(pageID(4)))
	require.EqualValues(t, 5, e.pool.Flusher().OldestDirty())
	require.Equal(t, 3, e.pool.Stats().PagesDirty)

	m := e.pool.Begin() // changed again before it is written
	pg, err := m.Pin(pageID(3), Exclusive)
	require.NoError(t, err)
	setWord(m, pg, 2, 78)
	m.Commit()
	require.NoError(t, e.pool.Recovery().Flush(t.Context()))
	require.EqualValues(t, 5, e.pool.Flusher().OldestDirty(), "the floor holds until it is lifted")
	e.pool.Recovery().SetFloor(0)
	require.Greater(t, e.pool.Flusher().OldestDirty(), end)
	e.pool.Recovery().SetSource(nil)
	e.cold(t)
	require.EqualValues(t, 77, e.readWord(t, 3, 1))
	require.EqualValues(t, 78, e.readWord(t, 3, 2))
	require.EqualValues(t, 0, e.readWord(t, 50, 0))
}

// When the hook fails on a good page, nobody may read the file's version instead.
func TestHookErrorSticks(t *testing.T) {
	e := newEnv(t, envOptions{frames: 64, pages: 64})
	e.create(t, 10)
	e.cold(t)
	bad := errors.New("redo does not fit")
	calls := 0
	e.pool.Recovery().SetSource(sourceFunc(func(base.PageID, []byte) (base.LSN, error) {
		if calls++; calls == 1 {
			return 0, bad
		}
		return 0, nil
	}))
	for range 2 {
		m := e.pool.BeginRead()
		_, err := m.Pin(pageID(3), Shared)
		require.ErrorIs(t, err, bad)
		m.Commit()
	}
}

// Pages whose redo builds them: those created since they were written last.
func TestPagesBuilt(t *testing.T) {
	e := newEnv(t, envOptions{frames: 100, pages: 60})
	built := func() int { e.check(t); return e.pool.Stats().PagesBuilt }
	e.create(t, 20)
	require.Equal(t, 20, built())
	require.NoError(t, e.pool.Flusher().All())
	require.Zero(t, built())
	m := e.pool.Begin()
	var held []Page
	for no := range 5 {
		pg, err := m.Pin(pageID(no), Exclusive)
		require.NoError(t, err)
		held = append(held, pg)
	}
	for _, pg := range held {
		setWord(m, pg, 1, 7)
	}
	m.Commit()
	require.Zero(t, built(), "they must be read")
	e.create(t, 3) // again, while dirty
	require.Equal(t, 3, built())
	e.create(t, 3)
	require.Equal(t, 3, built())
	e.pool.DropSpace(testSpace)
	require.Zero(t, built())
}
