package buffer

import (
	"encoding/binary"
	"log/slog"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

const (
	testDir   = "/data"
	testSpace = base.FirstSpace
)

// env is a pool with its files and log on the memory file system.
type env struct {
	fs    *vfs.Mem
	files *pagefile.Files
	log   *redo.Log
	pool  *Pool
}

type envOptions struct {
	fs       *vfs.Mem
	frames   int
	pages    base.PageNo // of testSpace, created and never written
	capacity int64
	pool     func(*Options)
}

func newEnv(t testing.TB, o envOptions) *env {
	t.Helper()
	e := &env{fs: o.fs}
	if e.fs == nil {
		e.fs = vfs.NewMem(1)
	}
	if o.capacity == 0 {
		o.capacity = 8 << 20
	}
	require.NoError(t, e.fs.MkdirAll(testDir))
	var err error
	e.files, err = pagefile.Open(e.fs, testDir, pagefile.Options{Doublewrite: true})
	require.NoError(t, err)
	e.log, _, err = redo.Open(e.fs, testDir, redo.Options{Create: true, Capacity: o.capacity, SegmentSize: o.capacity / 8,
		NeedRoom: func() {
			e.pool.Flusher().Wake()
			go e.makeRoom()
		}})
	require.NoError(t, err)
	if o.pages > 0 {
		require.NoError(t, e.files.Create(testSpace, o.pages))
	}
	po := Options{Frames: o.frames, MaxFrames: 4 * o.frames, Files: e.files, Log: e.log, Logger: slog.New(slog.DiscardHandler)}
	if o.pool != nil {
		o.pool(&po)
	}
	e.pool, err = New(po)
	require.NoError(t, err)
	t.Cleanup(func() { _ = e.pool.Close() })
	return e
}

var checkpointMu sync.Mutex

// checkpoint advances the log's checkpoint as the engine would. Errors show elsewhere.
func (e *env) checkpoint() {
	checkpointMu.Lock()
	defer checkpointMu.Unlock()
	if lsn := e.pool.Flusher().OldestDirty(); lsn > e.log.CheckpointLSN() && e.log.FlushTo(lsn) == nil {
		_ = e.log.SetCheckpoint(lsn, nil)
	}
}

// makeRoom is what the log asks for when it is full.
func (e *env) makeRoom() {
	if e.pool.Flusher().UpTo((e.log.CheckpointLSN()+e.log.Appended())/2) == nil {
		e.checkpoint()
	}
}

func pageID(no int) base.PageID { return base.PageID{Space: testSpace, No: base.PageNo(no)} }

func newPage(m *Mtr, id base.PageID, t pagefile.PageType) (Page, error) {
	fresh, err := m.ReserveNew(id)
	if err != nil {
		return Page{}, err
	}
	return m.Create(fresh, t), nil
}

// create makes pages [0, n) in mini-transactions of their own; each page's first body word is its
// number.
func (e *env) create(t testing.TB, n int) {
	t.Helper()
	for i := range n {
		m := e.pool.Begin()
		pg, err := newPage(m, pageID(i), pagefile.TypeTree)
		require.NoError(t, err)
		setWord(m, pg, 0, uint64(i))
		m.Commit()
	}
}

const bodyAt = pagefile.HeaderSize

func word(pg Page, i int) uint64 { return binary.LittleEndian.Uint64(pg.Data()[bodyAt+8*i:]) }

func setWord(m *Mtr, pg Page, i int, v uint64) {
	m.WriteBytes(pg, bodyAt+8*i, binary.LittleEndian.AppendUint64(nil, v))
}

// cold flushes everything and evicts all clean pages, so that the next Pin reads.
func (e *env) cold(t testing.TB) {
	t.Helper()
	require.NoError(t, e.pool.Flusher().All())
	for {
		ref := e.pool.lru.evict(len(e.pool.states), spared{})
		if ref == 0 {
			break
		}
		e.pool.lru.freeFrame(ref)
	}
	require.Zero(t, e.pool.Stats().PagesData)
}

// readWord pins a page shared and returns a word of its body.
func (e *env) readWord(t testing.TB, no, i int) uint64 {
	t.Helper()
	m := e.pool.BeginRead()
	defer m.Commit()
	pg, err := m.Pin(pageID(no), Shared)
	require.NoError(t, err)
	return word(pg, i)
}

// check verifies the pool's lists and table against each other.
// REQUIRES: nothing else runs but the cleaner.
func (e *env) check(t testing.TB) {
	t.Helper()
	p := e.pool
	p.flush.mu.Lock()
	defer p.flush.mu.Unlock()
	p.lru.mu.Lock()
	defer p.lru.mu.Unlock()
	inLRU := map[frameRef]bool{}
	var old, prev uint32
	for ref := p.hdr.lru.head; ref != 0; ref = p.states[ref].lruNext {
		st := &p.states[ref]
		require.False(t, inLRU[ref], "LRU list has a loop")
		require.Equal(t, prev, st.lruPrev)
		require.NotZero(t, st.flags&flagResident)
		require.Equal(t, ref, p.table.find(st.id), "page table and LRU list disagree")
		inLRU[ref] = true
		if st.flags&flagOld != 0 {
			if old == 0 {
				require.Equal(t, ref, p.hdr.lru.oldHead)
			}
			old++
		} else {
			require.Zero(t, old, "young page below the midpoint")
		}
		prev = ref
	}
	require.Equal(t, prev, p.hdr.lru.tail)
	require.Equal(t, len(inLRU), int(p.hdr.lru.n))
	require.Equal(t, old, p.hdr.lru.nOld)
	dirty, built := 0, 0
	last := maxLSN
	for ref := p.hdr.flush.head; ref != 0; ref = p.states[ref].flushNext {
		st := &p.states[ref]
		require.True(t, inLRU[ref])
		require.NotZero(t, st.flags&flagDirty)
		require.LessOrEqual(t, base.LSN(st.oldest), last, "flush list is not in LSN order")
		last = base.LSN(st.oldest)
		dirty++
		if st.flags&flagBuilt != 0 {
			built++
		}
	}
	require.Equal(t, dirty, int(p.hdr.flush.n))
	require.Equal(t, built, p.flush.built)
	free := 0
	for ref := p.hdr.free.head; ref != 0; ref = p.states[ref].lruNext {
		require.False(t, inLRU[ref])
		require.Equal(t, noID, p.states[ref].id)
		require.Equal(t, int32(claimed), p.procs.at(ref).pin.Load())
		free++
	}
	require.Equal(t, free, int(p.hdr.free.n))
}

// lruOrder is the page numbers from hot to cold.
func (e *env) lruOrder() (young, old []int) {
	e.pool.LRU().Walk(func(ids []base.PageID, isOld, _ bool) bool {
		for _, id := range ids {
			if isOld {
				old = append(old, int(id.No))
			} else {
				young = append(young, int(id.No))
			}
		}
		return true
	})
	return young, old
}

// sourceFunc is a Source with redo at no time known before.
type sourceFunc func(id base.PageID, page []byte) (base.LSN, error)

func (sourceFunc) Pending(base.PageID) Pending { return NotPending }

func (f sourceFunc) OnRead(id base.PageID, page []byte) (base.LSN, error) { return f(id, page) }

func (f sourceFunc) Kept(base.PageID, base.LSN) (base.LSN, bool) { return 0, true }
