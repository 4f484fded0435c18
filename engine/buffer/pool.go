package buffer

import (
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/internal/base"
)

// Options of a pool. Zero fields take the default in brackets.
type Options struct {
	Frames    int // pages the pool holds
	MaxFrames int // how far Resize may go; costs address space only [what fits the machine's memory, at least Frames]
	Files     *pagefile.Files
	Log       *redo.Log
	Source    Source        // what pages from disk may still lack; nil: nothing
	Shared    *SharedMemory // memory that outlives the process; nil: the pool has its own

	// Examine looks for damage in a page whose checksum is not known; nil: none is found.
	Examine func(page []byte) error

	OldPct             int           // innodb_old_blocks_pct [37]
	OldTime            time.Duration // innodb_old_blocks_time; negative for none [1 s]
	IOCapacity         int           // innodb_io_capacity: pages a second the cleaner writes at leisure [10000]
	IOCapacityMax      int           // innodb_io_capacity_max: pages a second under pressure [twice IOCapacity]
	MaxDirtyPct        int           // innodb_max_dirty_pages_pct [90]
	LRUScanDepth       int           // innodb_lru_scan_depth: free frames held ready [1024, at most 1/8 of Frames]
	ReadAheadThreshold int           // innodb_read_ahead_threshold, pages of an extent read in sequence; negative for never [56]
	ReadSlots          int           // reads in flight that background reads respect [16]
	HugePages          bool          // ask for huge pages
	Logger             *slog.Logger
}

func (o *Options) setDefaults() {
	def := func(v *int, d int) {
		if *v == 0 {
			*v = d
		}
	}
	def(&o.MaxFrames, max(o.Frames, physicalPages()))
	def(&o.OldPct, 37)
	def(&o.IOCapacity, 10000)
	def(&o.IOCapacityMax, 2*o.IOCapacity)
	def(&o.MaxDirtyPct, 90)
	def(&o.LRUScanDepth, 1024)
	def(&o.ReadAheadThreshold, 56)
	def(&o.ReadSlots, 16)
	if o.OldTime == 0 {
		o.OldTime = time.Second
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
}

// physicalPages is the machine's memory in pages.
func physicalPages() int {
	var si unix.Sysinfo_t
	if unix.Sysinfo(&si) != nil {
		return 0
	}
	return int(uint64(si.Totalram) * uint64(si.Unit) / base.PageSize)
}

// minFrames is what one mini-transaction may need at the same time, with room to spare.
const minFrames = 16

// Pool is the buffer pool. See the package comment.
type Pool struct {
	frames
	_        cacheLine
	lru      LRU
	_        cacheLine
	flush    Flusher
	_        cacheLine
	reader   Reader
	recovery Recovery
	huge     collapser

	left   *lruHeader      // the list of the frames that an earlier process left, until Attach or Forget
	order  chan []frameRef // gives that list
	mtrs   sync.Pool
	resize sync.Mutex // one Resize at a time
	closed atomic.Bool
}

// frames is the lowest layer: the pages' memory, their state, pins and latches, and the table that
// finds them. It is a set of references that do not change after New, so each layer has a copy.
type frames struct {
	base    unsafe.Pointer // frame 1
	states  []frameState
	procs   procs
	hdr     *poolHeader
	table   *pageTable
	epoch   time.Time
	mem     *memory
	dropped *dropped
	stats   *counters
	failure *base.Failure
	logger  *slog.Logger
}

// cacheLine keeps what is written often away from what is read often.
type cacheLine [64]byte

const maxLSN = ^base.LSN(0)

// New makes an empty pool and starts its cleaner.
func New(o Options) (*Pool, error) {
	o.setDefaults()
	switch {
	case o.Frames < minFrames:
		return nil, fmt.Errorf("buffer pool of %d pages: at least %d are needed", o.Frames, minFrames)
	case o.MaxFrames < o.Frames:
		return nil, fmt.Errorf("buffer pool of %d pages is above its maximum of %d", o.Frames, o.MaxFrames)
	case o.OldPct < 5 || o.OldPct > 95:
		return nil, fmt.Errorf("old part of the buffer pool: %d percent is not within 5..95", o.OldPct)
	case o.Files == nil || o.Log == nil:
		return nil, errors.New("buffer pool: files and log are required")
	}
	mem, err := reserve(&o)
	if err != nil {
		return nil, err
	}
	left := mem.shared != nil && mem.shared.Left
	if left {
		o.Frames = int(mem.hdr.limit)
	}
	if err := mem.activate(0, o.Frames); err != nil {
		mem.unmap()
		return nil, err
	}
	p := &Pool{frames: newFrames(mem, o)}
	if left {
		p.hold(o.Frames)
	}
	p.lru.init(p.frames, o)
	if err := p.flush.init(p.frames, &p.lru, o); err != nil {
		mem.unmap()
		return nil, err
	}
	if left {
		p.findOrder()
	} else {
		p.addFrames(0, o.Frames)
	}
	p.reader.init(p.frames, &p.lru, &p.flush, o)
	p.recovery = Recovery{frames: p.frames, lru: &p.lru, flush: &p.flush, reader: &p.reader}
	p.mtrs.New = func() any { return newMtr(p) }
	p.flush.cleaner.start()
	p.reader.start()
	p.huge.start(p.frames)
	return p, nil
}

func newFrames(mem *memory, o Options) frames {
	fs := frames{mem: mem, base: mem.base, states: mem.states, hdr: mem.hdr, procs: newProcs(o.MaxFrames), table: new(pageTable), dropped: new(dropped),
		stats: new(counters), failure: o.Log.Failure(), logger: o.Logger, epoch: time.Now().Add(-time.Millisecond)}
	if left := fs.hdr.epochMS; left != 0 && int64(left) <= fs.epoch.UnixMilli() { // the times in the frames count from it
		fs.epoch = fs.epoch.Add(time.UnixMilli(int64(left)).Sub(fs.epoch))
	}
	fs.hdr.epochMS = uint64(fs.epoch.UnixMilli())
	fs.table.init(mem, o.MaxFrames, o.Frames)
	return fs
}

// The layers, for those who look after the pool. Whoever reads and changes pages needs Begin only.

// LRU is the list of the pages by heat.
func (p *Pool) LRU() *LRU { return &p.lru }

// Flusher writes dirty pages.
func (p *Pool) Flusher() *Flusher { return &p.flush }

// Reader brings pages that are absent.
func (p *Pool) Reader() *Reader { return &p.reader }

// Recovery is what redo does with pages.
func (p *Pool) Recovery() *Recovery { return &p.recovery }

// addFrames puts frames from+1..to, usable already, into the free list, lowest first.
func (p *Pool) addFrames(from, to int) {
	p.procs.grow(to)
	p.lru.mu.Lock()
	atomic.StoreUint32(&p.hdr.limit, uint32(to))
	p.lru.mu.Unlock()
	const step = 1024
	for hi := to; hi > from; hi -= step {
		p.lru.mu.Lock()
		for ref := hi; ref > max(from, hi-step); ref-- {
			atomic.StoreUint64(&p.states[ref].id, noID)
			p.lru.freePushLocked(frameRef(ref))
		}
		p.lru.mu.Unlock()
	}
}

// nowMS is the time in milliseconds since the epoch, never 0.
func (fs *frames) nowMS() uint32 { return uint32(time.Since(fs.epoch).Milliseconds()) | 1 }

// page returns the bytes of a frame.
func (fs *frames) page(ref frameRef) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(fs.base, int(ref-1)*base.PageSize)), base.PageSize)
}

// Files is where the pool's pages stand.
func (p *Pool) Files() *pagefile.Files { return p.flush.files }

// Frames is the current size in pages.
func (p *Pool) Frames() int { return int(atomic.LoadUint32(&p.hdr.limit)) }

// Close stops the background work and gives the memory back. It writes nothing: call FlushAll
// before.
// REQUIRES: no mini-transaction is open and none will begin.
func (p *Pool) Close() error {
	if p.closed.Swap(true) {
		return nil
	}
	p.reader.stop()
	p.flush.cleaner.stop()
	p.huge.stop()
	if p.left != nil { // its list is being read
		<-p.order
	}
	p.mem.unmap()
	return nil
}
