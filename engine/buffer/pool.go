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
	// OnRead is called with each page that comes from disk, X-latched, before anybody sees it. A page that was never written, or
	// whose bytes are damaged, is passed as zeros. It returns the LSN from which the page is dirty because redo was applied, or 0.
	OnRead func(id base.PageID, page []byte) (oldest base.LSN, err error)
	// Pending, if given, tells what OnRead would do with a page.
	Pending func(id base.PageID) Pending

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
	// Read by every access; unchanged after New unless atomic.
	base        unsafe.Pointer // frame 1
	states      []frameState
	procs       procs
	hdr         *poolHeader
	epoch       time.Time
	oldTimeMS   atomic.Uint32
	oldPct      atomic.Uint32
	scanDepth   atomic.Uint32
	failure     *base.Failure
	onRead      atomic.Pointer[onReadFunc]
	pendingRedo func(id base.PageID) Pending // may be nil
	files       *pagefile.Files
	log         *redo.Log
	logger      *slog.Logger
	mem         *memory
	table       pageTable

	lru struct { // guards hdr.lru, hdr.free, hdr.limit and the links and ranks of the frames in them
		mu      sync.Mutex
		walkers *walker
		// shrinkingFrom is the size a shrink started from; frames up to it may still hold pages. 0 = no shrink.
		shrinkingFrom uint32
		_             [36]byte
	}
	trace dirtyTrace
	flush struct { // guards hdr.flush, hdr.recovered and the links and oldest LSNs of the frames in them
		mu     sync.Mutex
		done   sync.Cond // broadcast after each batch and on failure
		batch  flight    // the batch being written
		parked []*parked // see park.go
		built  int       // frames with flagBuilt
		floor  base.LSN  // OldestDirty does not pass it; 0 = none
	}
	freeWaiters atomic.Int32
	freeSignal  chan struct{}
	damaged     damaged
	dropped     dropped

	resize     sync.Mutex // one Resize at a time
	loading    sync.Mutex // one Load at a time
	load       atomic.Pointer[Load]
	passedOver atomic.Pointer[Load] // the last load, while recovery may bring pages of it
	cleaner    cleaner
	reader     reader
	mtrs       sync.Pool
	stats      counters
	closed     atomic.Bool
}

type onReadFunc func(id base.PageID, page []byte) (base.LSN, error)

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
	mem, err := reserve(o.MaxFrames, tableShards*shardBuckets(o.MaxFrames), o.HugePages)
	if err != nil {
		return nil, err
	}
	if err := mem.activate(0, o.Frames); err != nil {
		mem.unmap()
		return nil, err
	}
	p := &Pool{mem: mem, base: mem.base, states: mem.states, hdr: mem.hdr, procs: newProcs(o.MaxFrames),
		files: o.Files, log: o.Log, failure: o.Log.Failure(), logger: o.Logger, pendingRedo: o.Pending, epoch: time.Now().Add(-time.Millisecond)}
	p.freeSignal = make(chan struct{}, freeSignals)
	p.flush.done.L = &p.flush.mu
	p.failure.OnEnter(func() { // nothing is written any more, and nobody may wait for that
		p.flush.mu.Lock()
		p.flush.done.Broadcast()
		p.flush.mu.Unlock()
	})
	p.flush.batch = noFlight
	p.hdr.epochMS = uint64(p.epoch.UnixMilli())
	p.SetOldBlocks(o.OldPct, o.OldTime)
	p.scanDepth.Store(uint32(max(1, min(o.LRUScanDepth, o.Frames/8))))
	p.SetOnRead(o.OnRead)
	p.mtrs.New = func() any { return newMtr(p) }
	p.table.init(mem, o.MaxFrames, o.Frames)
	p.addFrames(0, o.Frames)
	p.trace.init()
	if err := p.cleaner.start(p, o); err != nil {
		mem.unmap()
		return nil, err
	}
	p.reader.start(p, o)
	return p, nil
}

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
			p.freePushLocked(frameRef(ref))
		}
		p.lru.mu.Unlock()
	}
}

// SetOnRead replaces Options.OnRead.
func (p *Pool) SetOnRead(fn func(id base.PageID, page []byte) (base.LSN, error)) {
	if fn == nil {
		p.onRead.Store(nil)
		return
	}
	f := onReadFunc(fn)
	p.onRead.Store(&f)
}

// SetOldBlocks changes innodb_old_blocks_pct and innodb_old_blocks_time.
func (p *Pool) SetOldBlocks(pct int, age time.Duration) {
	p.oldTimeMS.Store(uint32(max(age, 0).Milliseconds()))
	p.oldPct.Store(uint32(pct))
	p.lru.mu.Lock()
	p.lruBalanceLocked()
	p.lru.mu.Unlock()
}

// nowMS is the time in milliseconds since the epoch, never 0.
func (p *Pool) nowMS() uint32 { return uint32(time.Since(p.epoch).Milliseconds()) | 1 }

// page returns the bytes of a frame.
func (p *Pool) page(ref frameRef) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(p.base, int(ref-1)*base.PageSize)), base.PageSize)
}

// Files is where the pool's pages stand.
func (p *Pool) Files() *pagefile.Files { return p.files }

// Frames is the current size in pages.
func (p *Pool) Frames() int { return int(atomic.LoadUint32(&p.hdr.limit)) }

// Close stops the background work and gives the memory back. It writes nothing: call FlushAll before.
// REQUIRES: no mini-transaction is open and none will begin.
func (p *Pool) Close() error {
	if p.closed.Swap(true) {
		return nil
	}
	p.reader.stop()
	p.cleaner.stop()
	p.mem.unmap()
	return nil
}
