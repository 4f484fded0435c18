package buffer

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
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

// The model: accounts. Page i holds a balance (word 0) and, for each worker, the number of the
// worker's last transfer that touched it (word 1+worker). A transfer takes an amount from one page
// and gives it to another in one mini-transaction. So at any moment, and after any crash,
//
//	(1) the balances sum up to zero: transfers are atomic
//	(2) a worker's number on the page of its last transfer is at least the number of the last
//	    transfer made durable: nothing acknowledged is lost
type bank struct {
	e       *env
	pages   int
	workers int
	seed    uint64
	acked   []atomic.Uint64 // by worker: transfer number << 16 | page
}

func newBank(e *env, pages, workers int, seed uint64) *bank {
	return &bank{e: e, pages: pages, workers: workers, seed: seed, acked: make([]atomic.Uint64, workers)}
}

// work runs one worker until stop or an error; the error is that of a failed pool or log.
func (b *bank) work(w int, stop func(n uint64) bool) error {
	rng := rand.New(rand.NewPCG(b.seed, uint64(w)))
	for n := uint64(1); !stop(n); n++ {
		from, to := rng.IntN(b.pages), rng.IntN(b.pages)
		end, err := b.transfer(w, n, from, to, uint64(rng.IntN(1000)))
		if err != nil {
			return err
		}
		if n%8 == 0 {
			if err := b.e.log.FlushTo(end); err != nil {
				return err
			}
			b.acked[w].Store(n<<16 | uint64(from))
		}
	}
	return nil
}

func (b *bank) transfer(w int, n uint64, from, to int, amount uint64) (base.LSN, error) {
	m := b.e.pool.Begin()
	defer func() {
		if m != nil {
			m.Commit()
		}
	}()
	first, second := min(from, to), max(from, to) // latch order
	p1, err := m.Pin(pageID(first), Exclusive)
	if err != nil {
		return 0, err
	}
	p2, err := m.Pin(pageID(second), Exclusive)
	if err != nil {
		return 0, err
	}
	if from != first {
		p1, p2 = p2, p1
	}
	setWord(m, p1, 0, word(p1, 0)-amount)
	setWord(m, p2, 0, word(p2, 0)+amount)
	setWord(m, p1, 1+w, n)
	setWord(m, p2, 1+w, n)
	end, err := m.Commit()
	m = nil
	return end, err
}

// verify checks (1) and (2).
func (b *bank) verify(t *testing.T, pool *Pool) {
	t.Helper()
	var sum uint64
	m := pool.BeginRead()
	defer m.Commit()
	for i := range b.pages {
		pg, err := m.Pin(pageID(i), Shared)
		require.NoError(t, err)
		sum += word(pg, 0)
		m.Release(pg)
	}
	require.Zero(t, sum, "seed %d: a transfer is half there", b.seed)
	for w := range b.workers {
		a := b.acked[w].Load()
		if a == 0 {
			continue
		}
		pg, err := m.Pin(pageID(int(a&0xFFFF)), Shared)
		require.NoError(t, err)
		require.GreaterOrEqual(t, word(pg, 1+w), a>>16, "seed %d: worker %d lost an acknowledged transfer", b.seed, w)
		m.Release(pg)
	}
}

func (b *bank) open(t *testing.T) {
	t.Helper()
	for i := range b.pages {
		m := b.e.pool.Begin()
		_, err := newPage(m, pageID(i), pagefile.TypeTree)
		require.NoError(t, err)
		m.Commit()
	}
}

// Many writers, a pool that holds a fraction of the pages, a small log, checkpoints all the time,
// resizes up and down, walks of the LRU list.
func TestModelConcurrent(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	e := newEnv(t, envOptions{frames: 24, pages: 256, capacity: 1 << 20})
	b := newBank(e, 200, 12, seed)
	b.open(t)
	var workers, others sync.WaitGroup
	for w := range b.workers {
		workers.Go(func() { require.NoError(t, b.work(w, func(n uint64) bool { return n > 1500 })) })
	}
	stop := make(chan struct{})
	repeat := func(pause time.Duration, fn func()) {
		others.Go(func() {
			for {
				select {
				case <-stop:
					return
				case <-time.After(pause):
					fn()
				}
			}
		})
	}
	repeat(time.Millisecond, e.checkpoint)
	sizes := rand.New(rand.NewPCG(seed, 99))
	repeat(5*time.Millisecond, func() { require.NoError(t, e.pool.Resize(20+sizes.IntN(70))) })
	repeat(3*time.Millisecond, func() { e.lruOrder() })
	repeat(7*time.Millisecond, func() { require.NoError(t, e.pool.Flusher().UpTo(e.log.Appended())) })
	space := testSpace
	repeat(4*time.Millisecond, func() { space++; e.comeAndGo(t, space) })
	places := rand.New(rand.NewPCG(seed, 98))
	repeat(2*time.Millisecond, func() { e.pool.reader.prefetch(pageID(places.IntN(200)), 16) })
	workers.Wait()
	close(stop)
	others.Wait()
	require.NoError(t, e.pool.Flusher().All())
	e.check(t)
	b.verify(t, e.pool)
	e.cold(t)
	b.verify(t, e.pool)
}

// comeAndGo makes a tablespace with some dirty pages and drops it.
func (e *env) comeAndGo(t *testing.T, space base.SpaceID) {
	require.NoError(t, e.files.Create(space, 16))
	for i := range 8 {
		m := e.pool.Begin()
		_, err := newPage(m, base.PageID{Space: space, No: base.PageNo(i)}, pagefile.TypeUndo)
		require.NoError(t, err)
		m.Commit()
	}
	e.pool.DropSpace(space)
	for ref := range e.pool.states {
		id := base.PageIDFrom(atomic.LoadUint64(&e.pool.states[ref].id))
		require.NotEqual(t, space, id.Space, "a page of a dropped tablespace is left in frame %d", ref)
	}
	require.NoError(t, e.files.Drop(space))
}

// The power is cut at a random change of the disk under load; redo from the last checkpoint brings
// everything back.
func TestModelPowerCut(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for round := range 12 {
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			s := rng.Uint64()
			fs := vfs.NewMem(s)
			e := newEnv(t, envOptions{fs: fs, frames: 16 + rng.IntN(48), pages: 128, capacity: 1 << 20})
			b := newBank(e, 100, 6, s)
			b.open(t)
			require.NoError(t, e.log.FlushTo(e.log.Appended()))
			fs.CrashAt(int64(rng.IntN(1500)))
			var wg sync.WaitGroup
			for w := range b.workers {
				wg.Go(func() { require.Error(t, b.work(w, func(uint64) bool { return false })) })
			}
			done := make(chan struct{})
			go func() {
				for size := 16; !fs.Crashed(); size = 16 + (size*7)%48 {
					e.checkpoint()
					_ = e.pool.Resize(size) // fails when the power goes
					e.checkpoint()
				}
				close(done)
			}()
			wg.Wait()
			<-done
			b.recoverAndVerify(t, fs.Reboot(s+1))
		})
	}
}

// change is one record of a page, for the little recovery below.
type change struct {
	rec        redo.Record
	start, end base.LSN
}

func (b *bank) recoverAndVerify(t *testing.T, fs *vfs.Mem) {
	t.Helper()
	files, err := pagefile.Open(fs, testDir, pagefile.Options{Doublewrite: true})
	require.NoError(t, err)
	_, err = files.RepairTorn()
	require.NoError(t, err)
	log, cp, err := redo.Open(fs, testDir, redo.Options{Capacity: 1 << 20, SegmentSize: 1 << 17})
	require.NoError(t, err)
	chains := map[base.PageID][]change{}
	end := readLog(t, log, cp.LSN, chains)
	require.NoError(t, log.StartAt(end))
	var mu sync.Mutex
	var pool *Pool
	onRead := sourceFunc(func(id base.PageID, page []byte) (oldest base.LSN, err error) {
		mu.Lock()
		chain := chains[id]
		delete(chains, id)
		mu.Unlock()
		require.LessOrEqual(t, pagefile.LSN(page), end, "seed %d: page %s was written ahead of its redo", b.seed, id)
		for _, c := range chain {
			if pagefile.LSN(page) >= c.end {
				continue
			}
			if oldest == 0 {
				oldest = c.start
			}
			if err := redo.Apply(c.rec, page); err != nil {
				return 0, err
			}
		}
		if oldest != 0 {
			pagefile.SetLSN(page, chain[len(chain)-1].end)
		}
		return oldest, nil
	})
	pool, err = New(Options{Frames: 32, MaxFrames: 32, Files: files, Log: log, Source: onRead})
	require.NoError(t, err)
	defer pool.Close()
	pool.Recovery().SetFloor(cp.LSN)
	b.verify(t, pool)
	require.NoError(t, pool.Recovery().Flush(t.Context()))
	pool.Recovery().SetFloor(0)
	require.Equal(t, log.Appended(), pool.Flusher().OldestDirty())
	b.verify(t, pool)
}

func readLog(t *testing.T, log *redo.Log, from base.LSN, chains map[base.PageID][]change) (end base.LSN) {
	t.Helper()
	r := log.NewReader(from)
	defer r.Close()
	end = from
	for {
		g, err := r.Next()
		if errors.Is(err, io.EOF) {
			return end
		}
		require.NoError(t, err)
		for rec, err := range redo.Records(append([]byte(nil), g.Payload...)) {
			require.NoError(t, err)
			chains[rec.Page] = append(chains[rec.Page], change{rec, g.LSN, g.End})
		}
		end = g.End
	}
}

func TestResize(t *testing.T) {
	e := newEnv(t, envOptions{frames: 64, pages: 400, pool: func(o *Options) { o.ReadAheadThreshold = -1; o.LRUScanDepth = 1 }})
	e.create(t, 60)
	require.NoError(t, e.pool.Resize(200))
	require.Equal(t, 200, e.pool.Stats().PagesTotal)
	for i := 60; i < 190; i++ {
		m := e.pool.Begin()
		_, err := newPage(m, pageID(i), pagefile.TypeTree)
		require.NoError(t, err)
		m.Commit()
	}
	require.NoError(t, e.pool.Flusher().All())
	e.check(t)
	young, old := e.lruOrder()
	require.Len(t, append(young, old...), 190)
	hot := append([]int(nil), young[:20]...)
	require.NoError(t, e.pool.Resize(32))
	e.check(t)
	s := e.pool.Stats()
	require.Equal(t, 32, s.PagesTotal)
	young, _ = e.lruOrder()
	require.Equal(t, hot[:15], young[:15], "shrinking keeps the hottest pages, in order")
	for i := range 60 {
		require.EqualValues(t, i, e.readWord(t, i, 0))
	}
	require.NoError(t, e.pool.Resize(128))
	require.NoError(t, e.pool.Resize(16))
	require.Error(t, e.pool.Resize(2))
	require.Error(t, e.pool.Resize(1000))
	for i := range 60 {
		require.EqualValues(t, i, e.readWord(t, i, 0))
	}
	e.check(t)
}

func TestRankSet(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for _, n := range []int{1, 63, 64, 65, 5000, 70000} {
		s, model := newRankSet(n), map[int]bool{}
		for range 300 {
			i := rng.IntN(n)
			if rng.IntN(3) == 0 {
				s.remove(i)
				delete(model, i)
			} else {
				s.add(i)
				model[i] = true
			}
			at, below, above := rng.IntN(n), -1, -1
			for k := range model {
				if k < at {
					below = max(below, k)
				}
				if k > at && (above < 0 || k < above) {
					above = k
				}
			}
			require.Equal(t, below, s.before(at), "n %d at %d", n, at)
			require.Equal(t, above, s.after(at), "n %d at %d", n, at)
		}
	}
}

// Pages loaded in any order stand in the order of the list.
func TestLoadRestoresOrder(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	e := newEnv(t, envOptions{frames: 600, pages: 512, pool: func(o *Options) { o.ReadAheadThreshold = -1; o.LRUScanDepth = 1 }})
	e.create(t, 400)
	e.cold(t)
	list := rng.Perm(400)
	rank := make([]int32, 400)
	for r, no := range list {
		rank[no] = int32(r)
	}
	l := e.pool.Reader().NewLoad(len(list), len(list), nil)
	l.Begin()
	for _, at := range rng.Perm(40) {
		ranks := append([]int32(nil), rank[at*10:at*10+10]...)
		ranks[4] = -1 // a gap, to be read on its own
		r, err := l.Read(pageID(at*10), ranks)
		require.NoError(t, err)
		require.Equal(t, LoadResult{Loaded: 9, Bytes: 10 * base.PageSize}, r)
		r, err = l.Read(pageID(at*10+4), rank[at*10+4:at*10+5])
		require.NoError(t, err)
		require.Equal(t, 1, r.Loaded)
	}
	r, err := l.Read(pageID(398), []int32{rank[398], rank[399]})
	require.NoError(t, err)
	require.Equal(t, 2, r.Present)
	r, err = l.Read(pageID(500), []int32{3, 4, 5})
	require.NoError(t, err)
	require.Zero(t, r.Loaded, "never written")
	l.End()
	young, old := e.lruOrder()
	require.Equal(t, list, append(young, old...))
	require.EqualValues(t, 400, e.pool.Stats().Loaded)
	e.check(t)
}

// Pages that somebody else brought without a place get theirs when the load comes to them, unless
// somebody uses them.
func TestLoadSettlesWhatIsThere(t *testing.T) {
	e := newEnv(t, envOptions{frames: 64, pages: 64, pool: func(o *Options) { o.ReadAheadThreshold = -1; o.LRUScanDepth = 1 }})
	e.create(t, 20)
	e.cold(t)
	list := rand.New(rand.NewPCG(testkit.Seed(t), 0)).Perm(20)
	ranks, none := make([]int32, 20), make([]int32, 20)
	for r, no := range list {
		ranks[no], none[no] = int32(r), RankNone
	}
	l := e.pool.Reader().NewLoad(len(list), len(list), nil)
	l.Begin()
	r, err := l.Read(pageID(4), none[4:10])
	require.NoError(t, err)
	require.Equal(t, 6, r.Loaded)
	r, err = l.Read(pageID(0), ranks)
	require.NoError(t, err)
	require.Equal(t, 14, r.Loaded)
	require.Equal(t, 6, r.Present)
	young, old := e.lruOrder()
	require.Equal(t, list, append(young, old...))
	m := e.pool.BeginNested() // as a query that pulls: it holds latches
	_, err = m.Pin(pageID(4), Exclusive)
	require.NoError(t, err)
	r, err = l.Read(pageID(0), ranks)
	require.NoError(t, err)
	require.Equal(t, 20, r.Present)
	m.Commit()
	l.End()
	e.check(t)
}

// A page whose latch is always taken is waited for in line, while the cleaner goes on with the
// others.
func TestBusyPageIsParked(t *testing.T) {
	// Once the latch is free the cleaner may come before the one who waits for it: then the page is
	// written, but not around its latch.
	for range 1000 {
		if flushBusyPage(t) == 1 {
			return
		}
	}
	t.Fatal("never parked")
}

// flushBusyPage holds a dirty page's latch until somebody waits for it in line, and returns how
// many pages were flushed around latches.
func flushBusyPage(t *testing.T) (parked uint64) {
	e := newEnv(t, envOptions{frames: 32, pages: 64})
	e.create(t, 4)
	m := e.pool.BeginNested()
	pg, err := m.Pin(pageID(2), Exclusive)
	require.NoError(t, err)
	setWord(m, pg, 1, 5)
	target := e.log.Appended()
	done := make(chan error)
	go func() { done <- e.pool.Flusher().UpTo(target) }()
	testkit.Eventually(t, func() bool {
		e.pool.flush.mu.Lock()
		defer e.pool.flush.mu.Unlock()
		return len(e.pool.flush.parked) == 1
	})
	testkit.Eventually(t, func() bool { return e.pool.Stats().PagesDirty == 1 }, "the others are written")
	require.Less(t, e.pool.Flusher().OldestDirty(), target)
	m.Commit()
	require.NoError(t, <-done)
	testkit.Eventually(t, func() bool {
		e.pool.flush.mu.Lock()
		defer e.pool.flush.mu.Unlock()
		return len(e.pool.flush.parked) == 0
	})
	parked = e.pool.Stats().PagesParked
	e.cold(t)
	require.EqualValues(t, 5, e.readWord(t, 2, 1))
	return parked
}
