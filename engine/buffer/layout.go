package buffer

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"

	"emberdb/internal/base"
)

// The pool's memory. Everything here is meaningful outside the process that wrote it: links are frame numbers, times are
// relative to the header's epoch, and there is no Go pointer.
//
//	header    one poolHeader: sizes and list heads
//	states    one 64-byte frameState per frame, number 0 unused (0 is the nil link)
//	buckets   the page table: tableShards runs of bucket heads, each as long as its shard may ever grow
//	frames    the pages, frame 1 first, aligned to a huge page
//
// Address space for Options.MaxFrames is reserved at once; frames beyond the current size are inaccessible and cost nothing.
//
// A frame's whole state is one cache line rather than a slot in each of ten arrays: a page table hit touches id, flags and
// access time, and pays one miss for them.

// frameRef numbers a frame, from 1. 0 is no frame.
type frameRef = uint32

const (
	layoutMagic   = 0x314C4F4F50424D45 // "EMBPOOL1"
	layoutVersion = 1
	hugePage      = 2 << 20
	noID          = ^uint64(0) // no page has this id: its page number is base.NilPage
)

// poolHeader is guarded as told at each field. Times in frameState count milliseconds since epochMS.
type poolHeader struct {
	magic     uint64
	version   uint32
	pageSize  uint32
	maxFrames uint32
	limit     uint32 // frames in use: numbers 1..limit. lru.mu
	epochMS   uint64 // wall clock of the pool's creation, Unix milliseconds

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
	hashNext             uint32 // page table shard; read without it
	lruPrev, lruNext     uint32 // lru.mu: LRU or free list
	flushPrev, flushNext uint32 // flush.mu: flush list or recovered list
	flags                uint32 // atomic
	accessed             uint32 // first access since it was read, ms since the epoch; 0 = not yet. Atomic
	stamp                uint32 // lru.clock when it entered the young part. Atomic
	rank                 uint32 // place in the list being loaded, plus 1; 0 = none. lru.mu
	_                    [3]uint32
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
)

const (
	_ = uint(64 - unsafe.Sizeof(frameState{})) // both assert the size at compile time
	_ = uint(unsafe.Sizeof(frameState{}) - 64)
)

// memory is the mapping behind a pool.
type memory struct {
	hdr     *poolHeader
	states  []frameState
	buckets []uint32
	base    unsafe.Pointer // frame 1

	meta, frames []byte // the mappings
	skip         int    // bytes before frame 1 in frames
	huge         bool
}

// reserve maps the header, the states and the buckets, and reserves address space for maxFrames frames.
func reserve(maxFrames, buckets int, huge bool) (*memory, error) {
	const headerSize = 4096
	statesSize := (maxFrames + 1) * int(unsafe.Sizeof(frameState{}))
	meta, err := unix.Mmap(-1, 0, headerSize+statesSize+4*buckets, unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return nil, fmt.Errorf("buffer pool: map frame states: %w", err)
	}
	frames, err := unix.Mmap(-1, 0, maxFrames*base.PageSize+hugePage, unix.PROT_NONE,
		unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		_ = unix.Munmap(meta)
		return nil, fmt.Errorf("buffer pool: reserve %d frames: %w", maxFrames, err)
	}
	start := uintptr(unsafe.Pointer(&frames[0]))
	m := &memory{meta: meta, frames: frames, huge: huge, skip: int((hugePage - start%hugePage) % hugePage)}
	m.hdr = (*poolHeader)(unsafe.Pointer(&meta[0]))
	m.states = unsafe.Slice((*frameState)(unsafe.Pointer(&meta[headerSize])), maxFrames+1)
	m.buckets = unsafe.Slice((*uint32)(unsafe.Pointer(&meta[headerSize+statesSize])), buckets)
	m.base = unsafe.Pointer(&frames[m.skip])
	*m.hdr = poolHeader{magic: layoutMagic, version: layoutVersion, pageSize: base.PageSize, maxFrames: uint32(maxFrames)}
	return m, nil
}

// activate makes frames from+1..to usable. Their bytes are zero.
func (m *memory) activate(from, to int) error {
	b := m.frames[m.skip+from*base.PageSize : m.skip+to*base.PageSize]
	if err := unix.Mprotect(b, unix.PROT_READ|unix.PROT_WRITE); err != nil {
		return fmt.Errorf("buffer pool: %d frames: %w", to, err)
	}
	if m.huge && len(b) >= hugePage {
		_ = unix.Madvise(b, unix.MADV_HUGEPAGE) // a wish: the pool works without
	}
	return nil
}

// deactivate gives the memory of frames from+1..to back to the system.
func (m *memory) deactivate(from, to int) error {
	b := m.frames[m.skip+from*base.PageSize : m.skip+to*base.PageSize]
	if err := unix.Madvise(b, unix.MADV_DONTNEED); err != nil {
		return fmt.Errorf("buffer pool: release frames: %w", err)
	}
	if err := unix.Mprotect(b, unix.PROT_NONE); err != nil {
		return fmt.Errorf("buffer pool: release frames: %w", err)
	}
	return nil
}

func (m *memory) unmap() {
	_ = unix.Munmap(m.frames)
	_ = unix.Munmap(m.meta)
}
