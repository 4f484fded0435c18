package buffer

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	"emberdb/engine/redo"
	"emberdb/internal/base"
)

// The pool's memory. Everything here is meaningful outside the process that wrote it: links are
// frame numbers, times are relative to the header's epoch, and there is no Go pointer.
//
//	header    one poolHeader: what the memory is, sizes, list heads
//	states    one 64-byte frameState per frame, number 0 unused (0 is the nil link)
//	log       the end of the redo log, see redo.Mirror; nothing if the memory is private
//	frames    the pages, frame 1 first, aligned to a huge page
//
// The page table's buckets are beside it, in memory of the process: a process that takes the memory
// over makes them anew (attach.go).
//
// The memory is private to the process, or a file in memory that outlives it (shared.go). Address
// space for Options.MaxFrames is reserved at once; frames beyond the current size are inaccessible
// and cost nothing.
//
// A frame's whole state is one cache line rather than a slot in each of ten arrays: a page table
// hit touches id, flags and access time, and pays one miss for them.

// frameRef numbers a frame, from 1. 0 is no frame.
type frameRef = uint32

const (
	layoutMagic   = 0x324C4F4F50424D45 // "EMBPOOL2"
	layoutVersion = 3                  // of what the fields mean; their places are in layoutHash
	headerSize    = 4096
	hugePage      = 2 << 20
	noID          = ^uint64(0) // no page has this id: its page number is base.NilPage
)

// poolHeader is guarded as told at each field. Times in frameState count milliseconds since
// epochMS.
type poolHeader struct {
	magic     uint64
	layout    uint64 // layoutHash of the build
	pageSize  uint32
	maxFrames uint32
	limit     uint32 // frames in use: numbers 1..limit. lru.mu
	opening   uint32 // 1 from the moment a process takes the memory until its server is open
	epochMS   uint64 // wall clock of the memory's creation, Unix milliseconds

	owner Owner
	life  redo.Life // of the process that has used the memory last

	lru       lruHeader  // lru.mu; clock and young are also read without it
	free      listHeader // lru.mu; linked by lruPrev, lruNext
	flush     listHeader // flush.mu; head = newest
	recovered listHeader // flush.mu; pages made dirty by redo, in no order
}

type listHeader struct{ head, tail, n, _ uint32 }

// lruHeader: head is the hottest. oldHead is the first frame of the old part, 0 when that is empty.
type lruHeader struct {
	head, tail, oldHead uint32
	n, nOld             uint32
	young               uint32 // n - nOld
	clock               uint32 // frames that entered at the head so far
	_                   uint32
}

// frameState is the part of a frame's state that can outlive the process.
type frameState struct {
	id                   uint64 // base.PageID.Uint64, or noID. Written under the page table shard, read without it
	oldest               uint64 // LSN since which the page is dirty. flush.mu
	version              uint64 // LSN of the page's bytes; 0 from before their first change until they carry the new LSN. Atomic
	hashNext             uint32 // page table shard; read without it
	lruPrev, lruNext     uint32 // lru.mu: LRU or free list
	flushPrev, flushNext uint32 // flush.mu: flush list or recovered list
	flags                uint32 // atomic
	accessed             uint32 // first access since it was read, ms since the epoch; 0 = not yet. Atomic
	stamp                uint32 // lru.clock when it entered the young part. Atomic
	rank                 uint32 // place in the list being loaded, plus 1; 0 = none. lru.mu
	sum                  uint32 // checksum of the page's bytes, if they are as they were read or written; 0 = not known. Atomic
}

// Flags of a frame.
const (
	flagResident  = 1 << iota // holds a page and stands in the LRU list
	flagReading               // holds a page that is being read; X-latched by the reader
	flagFailed                // the read failed; the page table no longer knows it
	flagDirty                 // in the flush list or the recovered list
	flagInFlight              // a copy is being written
	flagOld                   // in the old part of the LRU list
	flagReadAhead             // came by read-ahead and was not asked for yet
	flagRecovered             // dirty since redo was applied: in the recovered list
	flagFree                  // in the free list
	flagRetired               // beyond the pool's limit
	flagBuilt                 // dirty since it was created, or created while dirty: its redo builds it
	flagKept                  // holds a page that an earlier process has left, not examined yet; stands in the LRU list
)

const (
	_ = uint(64 - unsafe.Sizeof(frameState{})) // both assert the size at compile time
	_ = uint(unsafe.Sizeof(frameState{}) - 64)
	_ = uint(headerSize - unsafe.Sizeof(poolHeader{}))
)

// changing marks the page as being changed: what is in the frame is of no version.
func (st *frameState) changing() { atomic.StoreUint64(&st.version, 0) }

// changed ends that: the bytes are the page's version lsn, and sum their checksum, or 0.
func (st *frameState) changed(lsn base.LSN, sum uint32) {
	atomic.StoreUint32(&st.sum, sum)
	atomic.StoreUint64(&st.version, uint64(lsn))
}

// written notes the checksum of a copy of version lsn. If the page is just being changed, the sum
// may stay with the next version, and then fits nothing: such a page is not kept.
func (st *frameState) written(lsn base.LSN, sum uint32) {
	if atomic.LoadUint64(&st.version) == uint64(lsn) {
		atomic.StoreUint32(&st.sum, sum)
	}
}

// memory is the mapping behind a pool.
type memory struct {
	hdr     *poolHeader
	states  []frameState
	buckets []uint32
	base    unsafe.Pointer // frame 1

	maps   [][]byte // the mappings
	head   []byte   // of the last one: header and states
	frames []byte   // of the last one: from frame 1 on
	huge   bool
	shared *SharedMemory // nil: the memory is private
}

// reserve maps the memory of a pool, the states and the buckets, and reserves address space for
// maxFrames frames.
func reserve(o *Options) (*memory, error) {
	m := &memory{huge: o.HugePages, shared: o.Shared}
	err := m.reserve(o.MaxFrames)
	if err != nil {
		m.unmap()
		return nil, err
	}
	return m, nil
}

func (m *memory) reserve(maxFrames int) error {
	buckets, err := m.mapPrivate(4*tableShards*shardBuckets(maxFrames), unix.PROT_READ|unix.PROT_WRITE)
	if err != nil {
		return fmt.Errorf("buffer pool: map page table: %w", err)
	}
	m.buckets = unsafe.Slice((*uint32)(unsafe.Pointer(&buckets[0])), len(buckets)/4)
	head, size := headSize(maxFrames), memorySize(maxFrames)
	all, err := m.mapPrivate(int(size)+hugePage, unix.PROT_NONE)
	if err != nil {
		return fmt.Errorf("buffer pool: reserve %d frames: %w", maxFrames, err)
	}
	skip := int(-uintptr(unsafe.Pointer(&all[0])) % hugePage)
	all = all[skip : skip+int(size)]
	if m.shared != nil {
		if err := m.shared.mapInto(all); err != nil {
			return err
		}
	}
	if err := unix.Mprotect(all[:head], unix.PROT_READ|unix.PROT_WRITE); err != nil {
		return fmt.Errorf("buffer pool: map frame states: %w", err)
	}
	m.wantHuge(all[:head])
	m.hdr = (*poolHeader)(unsafe.Pointer(&all[0]))
	m.states = unsafe.Slice((*frameState)(unsafe.Pointer(&all[headerSize])), maxFrames+1)
	m.head, m.frames = all[:head], all[head:]
	m.base = unsafe.Pointer(&m.frames[0])
	if m.shared != nil && m.shared.Left {
		return m.hdr.check(maxFrames, m.shared.Owner)
	}
	*m.hdr = poolHeader{magic: layoutMagic, layout: layoutHash(), pageSize: base.PageSize, maxFrames: uint32(maxFrames), opening: 1}
	if m.shared != nil {
		m.hdr.owner = m.shared.Owner
	}
	if err := m.prepare(statesEnd(maxFrames), statesEnd(maxFrames)+mirrorSize(maxFrames)); err != nil {
		return err
	}
	return m.prepare(0, headerSize)
}

func (m *memory) mapPrivate(size, prot int) ([]byte, error) {
	b, err := unix.Mmap(-1, 0, size, prot, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err == nil {
		m.maps = append(m.maps, b)
	}
	return b, err
}

// headSize is the length of what comes before the first frame.
func headSize(maxFrames int) int {
	n := statesEnd(maxFrames) + mirrorSize(maxFrames)
	return (n + hugePage - 1) / hugePage * hugePage
}

// statesEnd is where the states end, rounded up to the page size.
func statesEnd(maxFrames int) int {
	n := headerSize + (maxFrames+1)*int(unsafe.Sizeof(frameState{}))
	return (n + base.PageSize - 1) / base.PageSize * base.PageSize
}

// mostMirrored is the most memory for the end of the log: several segments, so that a page that
// changes all the time, and is written once a segment, finds its redo there.
const mostMirrored = 32 << 20

// mirrorSize is the memory for the end of the log: a hundredth of the frames'.
func mirrorSize(maxFrames int) int {
	return min(maxFrames*base.PageSize/100/base.PageSize*base.PageSize, mostMirrored)
}

// LogMirror is the memory for the end of the log, which outlives the process as the pages do; nil
// if they do not.
func (p *Pool) LogMirror() []byte {
	if p.mem.shared == nil {
		return nil
	}
	n := int(p.hdr.maxFrames)
	return p.mem.head[statesEnd(n):][:mirrorSize(n)]
}

// memorySize is the length of the whole memory.
func memorySize(maxFrames int) int64 {
	return int64(headSize(maxFrames)) + int64(maxFrames)*base.PageSize
}

// activate makes frames from+1..to usable. Their bytes are zero, or what an earlier process left.
func (m *memory) activate(from, to int) error {
	b := m.frames[from*base.PageSize : to*base.PageSize]
	if err := unix.Mprotect(b, unix.PROT_READ|unix.PROT_WRITE); err != nil {
		return fmt.Errorf("buffer pool: %d frames: %w", to, err)
	}
	m.wantHuge(b)
	const state = int(unsafe.Sizeof(frameState{}))
	if err := m.prepare(headerSize+from*state, headerSize+(to+1)*state); err != nil {
		return err
	}
	head := headSize(int(m.hdr.maxFrames))
	return m.prepare(head+from*base.PageSize, head+to*base.PageSize)
}

// deactivate gives the memory of frames from+1..to back to the system.
func (m *memory) deactivate(from, to int) error {
	b, advice := m.frames[from*base.PageSize:to*base.PageSize], unix.MADV_DONTNEED
	if m.shared != nil {
		advice = unix.MADV_REMOVE
	}
	if err := unix.Madvise(b, advice); err != nil {
		return fmt.Errorf("buffer pool: release frames: %w", err)
	}
	if err := unix.Mprotect(b, unix.PROT_NONE); err != nil {
		return fmt.Errorf("buffer pool: release frames: %w", err)
	}
	return nil
}

func (m *memory) unmap() {
	for _, b := range m.maps {
		_ = unix.Munmap(b)
	}
	m.maps = nil
}
