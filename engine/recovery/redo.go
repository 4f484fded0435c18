package recovery

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"emberdb/engine/buffer"
	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/internal/base"
)

// Options of a recovery.
type Options struct {
	Log   *redo.Log
	Files *pagefile.Files
	// Budget bounds the memory of the chains, in bytes.
	Budget int64
	// OnRecord is called for every record without a page, in LSN order.
	OnRecord func(rec redo.Record, lsn base.LSN) error
	Logger   *slog.Logger
}

// Stats tells what a recovery did, in the manner of XtraDB's recovery statistics. All counters grow while it runs.
type Stats struct {
	From, To                          base.LSN
	Groups, Records, Bytes            int64 // parsed
	Applied, Skipped                  int64 // records, by page LSN
	PagesRead, PagesChanged, PagesNew int64
	PagesPending                      int64
	Batches                           int64
	ScanTook, RedoTook                time.Duration
}

// Redo is a recovery in progress. Create it before the pool, whose OnRead it provides.
type Redo struct {
	o      Options
	pool   *buffer.Pool
	chains *chains
	done   atomic.Bool // no chain is pending and none will come
	gone   map[base.SpaceID]bool

	missedMu sync.Mutex
	missed   map[base.SpaceID]base.PageID // spaces without a file, with a page that wanted them

	from, to                              base.LSN
	groups, records, bytes, batches       int64
	applied, skipped, read, changed, news atomic.Int64
	scanTook, redoTook                    time.Duration
}

// New prepares a recovery from the given checkpoint.
func New(o Options, from base.LSN) *Redo {
	return &Redo{o: o, chains: newChains(), from: from, to: from,
		gone: make(map[base.SpaceID]bool), missed: make(map[base.SpaceID]base.PageID)}
}

// OnRead applies what the page still needs. It is buffer.Options.OnRead: the pool calls it under the page's X latch when the page
// has come from disk, or, for a resident page, from Pool.Redo. It returns the LSN from which the page is dirty, 0 if it is not.
func (r *Redo) OnRead(id base.PageID, page []byte) (base.LSN, error) {
	if r.done.Load() {
		return 0, nil
	}
	ch, ok := r.chains.take(id)
	if !ok {
		return 0, nil
	}
	var oldest base.LSN
	fresh := pagefile.LSN(page) == 0 && pagefile.Type(page) == 0
	if fresh && !r.chains.startsWithInit(ch) {
		return 0, &base.CorruptError{File: r.o.Files.Path(id.Space), Page: id, Offset: int64(id.No) * base.PageSize,
			Detail: "the page was never written and its redo does not begin with its creation"}
	}
	err := r.chains.each(ch, func(rec redo.Record, start, end base.LSN) error {
		if pagefile.LSN(page) >= end {
			r.skipped.Add(1)
			return nil
		}
		if oldest == 0 {
			oldest = start
		}
		r.applied.Add(1)
		rec.Page = id
		if err := redo.Apply(rec, page); err != nil {
			return fmt.Errorf("redo of page %s at LSN %d: %w", id, start, err)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	if oldest != 0 {
		pagefile.SetLSN(page, r.lastEnd(ch))
		r.changed.Add(1)
		if fresh {
			r.news.Add(1)
		}
	}
	return oldest, nil
}

// lastEnd is the end LSN of the newest group of a chain.
func (r *Redo) lastEnd(ch chain) (end base.LSN) {
	_ = r.chains.each(chain{first: ch.last, last: ch.last}, func(_ redo.Record, _, e base.LSN) error {
		end = e
		return nil
	})
	return end
}

// Scan reads the log to its end. Batches that outgrow the budget are applied and written on the way; what is left is applied by Finish.
// The log is positioned for writing when Scan returns.
func (r *Redo) Scan(pool *buffer.Pool) error {
	r.pool = pool
	began := time.Now()
	pool.SetRecoveryFloor(r.from)
	reader := r.o.Log.NewReader(r.from)
	lastReport := began
	for {
		g, err := reader.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if err := r.group(g); err != nil {
			return err
		}
		if r.chains.used > r.o.Budget {
			if err := r.spill(g.End); err != nil {
				return err
			}
		}
		if time.Since(lastReport) > 5*time.Second {
			lastReport = time.Now()
			r.o.Logger.Info("reading redo", "lsn", uint64(g.End), "records", r.records, "bytes", r.bytes, "pages", r.chains.pending.Load())
		}
	}
	r.scanTook = time.Since(began)
	if err := r.forgetDropped(); err != nil {
		return err
	}
	// Pages that earlier batches left in the pool have passed the read hook already.
	for _, id := range r.chains.ids() {
		if err := pool.RedoResident(id); err != nil {
			return err
		}
	}
	return r.o.Log.StartAt(r.to)
}

// group files the records of one group.
func (r *Redo) group(g redo.Group) error {
	for rec, err := range redo.Records(g.Payload) {
		if err != nil {
			return fmt.Errorf("redo group at LSN %d: %w", g.LSN, err)
		}
		r.records++
		switch {
		case rec.Op >= redo.OpFirstPage:
			r.chains.add(rec, g.LSN, g.End)
		case rec.Op == redo.OpSpaceDrop:
			space := rec.Page.Space
			r.gone[space] = true
			r.chains.dropSpace(space)
		case r.o.OnRecord != nil:
			if err := r.o.OnRecord(rec, g.LSN); err != nil {
				return err
			}
		}
	}
	r.groups++
	r.bytes += int64(len(g.Payload))
	r.to = g.End
	return nil
}

// spill applies the chains gathered so far, and writes their pages when the pool is half dirty. The log is known to be whole up to end, so pages may be written.
func (r *Redo) spill(end base.LSN) error {
	if err := r.o.Log.ReadBack(end); err != nil {
		return err
	}
	if err := r.applyAll(); err != nil {
		return err
	}
	if st := r.pool.Stats(); st.PagesDirty > st.PagesTotal/2 { // else the pool holds the next batch, too, whose pages are often the same
		if err := r.pool.FlushAll(); err != nil {
			return err
		}
	}
	r.chains = newChains()
	return nil
}

// forgetDropped checks, at the end of the scan, that every space without a file was dropped by a later record.
func (r *Redo) forgetDropped() error {
	for _, id := range r.chains.ids() {
		if r.gone[id.Space] || r.o.Files.Exists(id.Space) {
			continue
		}
		r.miss(id)
	}
	for space, id := range r.missed {
		if !r.gone[space] {
			return &base.CorruptError{File: r.o.Files.Path(space), Page: id, Offset: int64(id.No) * base.PageSize,
				Detail: "the file is missing, redo has changes for it, and it was not dropped"}
		}
	}
	for space := range r.gone {
		r.chains.dropSpace(space)
	}
	return nil
}

func (r *Redo) miss(id base.PageID) {
	r.missedMu.Lock()
	defer r.missedMu.Unlock()
	r.missed[id.Space] = id
}

// Finish applies what Scan left pending, writes the redone pages and lifts the checkpoint floor. It may run beside queries.
func (r *Redo) Finish() error {
	began := time.Now()
	if err := r.applyAll(); err != nil {
		return err
	}
	r.pool.WaitReads() // somebody else's read may have taken a chain off whose page is not in the pool's list of redone pages yet
	r.done.Store(true)
	if err := r.pool.FlushRecovered(); err != nil {
		return err
	}
	r.pool.SetRecoveryFloor(0)
	r.redoTook = time.Since(began)
	return nil
}

// applyAll redoes every pending page, by position in the files, on all cores.
func (r *Redo) applyAll() error {
	r.batches++
	ids := r.chains.ids()
	slices.SortFunc(ids, func(a, b base.PageID) int { return cmp.Compare(a.Uint64(), b.Uint64()) })
	const share = 64
	var (
		next  atomic.Int64
		wg    sync.WaitGroup
		mu    sync.Mutex
		first error
	)
	worker := func() {
		defer wg.Done()
		for {
			from := int(next.Add(share)) - share
			if from >= len(ids) {
				return
			}
			if err := r.applyShare(ids[from:min(from+share, len(ids))]); err != nil {
				mu.Lock()
				first = errors.Join(first, err)
				mu.Unlock()
				return
			}
		}
	}
	workers := 2 * runtime.GOMAXPROCS(0) // they mostly wait for reads
	wg.Add(workers)
	for range workers {
		go worker()
	}
	wg.Wait()
	return first
}

func (r *Redo) applyShare(ids []base.PageID) error {
	r.prefetch(ids)
	for _, id := range ids {
		if !r.o.Files.Exists(id.Space) { // dropped, perhaps by a record still to be read
			r.miss(id)
			r.chains.take(id)
			continue
		}
		r.read.Add(1)
		if err := r.pool.Redo(id); err != nil {
			return err
		}
	}
	return nil
}

// prefetch asks for the runs of neighbours among ids, so that they come in large reads.
func (r *Redo) prefetch(ids []base.PageID) {
	for i := 0; i < len(ids); {
		j := i + 1
		for j < len(ids) && ids[j].Space == ids[i].Space && ids[j].No == ids[j-1].No+1 {
			j++
		}
		if j-i > 1 {
			r.pool.Prefetch(ids[i], j-i)
		}
		i = j
	}
}

// Pages are the pages that still wait for their redo, in no order.
func (r *Redo) Pages() []base.PageID { return r.chains.ids() }

// Pending is the number of pages that still wait for their redo.
func (r *Redo) Pending() int64 { return r.chains.pending.Load() }

// End is the end of the log that was found.
func (r *Redo) End() base.LSN { return r.to }

// Stats returns the numbers so far.
func (r *Redo) Stats() Stats {
	return Stats{From: r.from, To: r.to, Groups: r.groups, Records: r.records, Bytes: r.bytes, Batches: r.batches,
		Applied: r.applied.Load(), Skipped: r.skipped.Load(), PagesRead: r.read.Load(), PagesChanged: r.changed.Load(),
		PagesNew: r.news.Load(), PagesPending: r.Pending(), ScanTook: r.scanTook, RedoTook: r.redoTook}
}
