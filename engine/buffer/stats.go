package buffer

import (
	"sync/atomic"

	"emberdb/internal/base"
)

// Stats is a snapshot of the pool: the Innodb_buffer_pool_* numbers and what the cleaner is about.
type Stats struct {
	PagesTotal, PagesData, PagesDirty, PagesFree, PagesMisc int
	PagesBuilt                                              int // dirty pages that redo would build without reading them
	PagesOld, PagesYoung                                    int
	PagesInFlight                                           int
	BytesData, BytesDirty                                   int64

	ReadRequests, WriteRequests   uint64
	Reads                         uint64 // pages a caller waited for
	ReadAhead, ReadAheadEvicted   uint64
	Loaded                        uint64 // pages that came by Load
	Created                       uint64
	WaitFree                      uint64
	PagesFlushed                  uint64
	PagesParked                   uint64 // flushed around a latch that was never free
	PagesMadeYoung, PagesNotYoung uint64
	PagesKept                     uint64 // taken over from an earlier process
	PagesKeptUsed                 uint64 // of them examined and found right
	PagesKeptRefused              uint64 // of them found damaged, and read again

	FlushRate   int64 // pages a second the cleaner allows itself
	OldestDirty base.LSN
	Failed      bool
}

const stripes = 16

// counters: what every access counts is striped, and added up once per mini-transaction.
type counters struct {
	striped [stripes]struct {
		reads, writes atomic.Uint64
		_             [112]byte
	}
	stripe                                     atomic.Uint32
	reads, readAhead, readAheadEvicted, loaded atomic.Uint64
	parked, created, waitFree, pagesFlushed    atomic.Uint64
	madeYoung, notYoung                        atomic.Uint64
	kept, keptUsed, keptRefused                atomic.Uint64
}

func (c *counters) nextStripe() uint32 { return c.stripe.Add(1) % stripes }

func (c *counters) count(stripe uint32, reads, writes uint64) {
	s := &c.striped[stripe]
	if reads > 0 {
		s.reads.Add(reads)
	}
	if writes > 0 {
		s.writes.Add(writes)
	}
}

// Stats returns the pool's numbers.
func (p *Pool) Stats() Stats {
	c := p.stats
	s := Stats{
		Reads: c.reads.Load(), ReadAhead: c.readAhead.Load(), ReadAheadEvicted: c.readAheadEvicted.Load(), Loaded: c.loaded.Load(),
		Created: c.created.Load(), WaitFree: c.waitFree.Load(), PagesFlushed: c.pagesFlushed.Load(), PagesParked: c.parked.Load(),
		PagesMadeYoung: c.madeYoung.Load(), PagesNotYoung: c.notYoung.Load(),
		PagesKept: c.kept.Load(), PagesKeptUsed: c.keptUsed.Load(), PagesKeptRefused: c.keptRefused.Load(),
		FlushRate: p.flush.cleaner.pace.rate.Load(), OldestDirty: p.flush.OldestDirty(), Failed: p.failure.Err() != nil,
	}
	for i := range c.striped {
		s.ReadRequests += c.striped[i].reads.Load()
		s.WriteRequests += c.striped[i].writes.Load()
	}
	p.lru.mu.Lock()
	h := p.hdr
	s.PagesTotal, s.PagesData, s.PagesFree = int(h.limit), int(h.lru.n), int(h.free.n)
	s.PagesOld, s.PagesYoung = int(h.lru.nOld), int(h.lru.n-h.lru.nOld)
	p.lru.mu.Unlock()
	p.flush.mu.Lock()
	s.PagesDirty = int(h.flush.n + h.recovered.n)
	s.PagesInFlight = p.flush.batch.pages
	s.PagesBuilt = p.flush.built
	p.flush.mu.Unlock()
	s.PagesMisc = max(0, s.PagesTotal-s.PagesData-s.PagesFree)
	s.BytesData, s.BytesDirty = int64(s.PagesData)*base.PageSize, int64(s.PagesDirty)*base.PageSize
	return s
}
