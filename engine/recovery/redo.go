package recovery

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
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
	// Budget bounds the memory of the page index, as a half of it that of the lists of a pass as
	// far as they are not in free frames of the pool, and, as a quarter of it each, of log blocks
	// kept and of blocks to be set aside, in bytes.
	Budget int64
	// OnRecord is called for the records without a page from MessagesFrom on, in LSN order.
	OnRecord     func(rec redo.Record, lsn base.LSN) error
	MessagesFrom base.LSN
	// Fuzzy: the pages were copied while the log was written, so that a page may be older than the
	// log's notes of written pages say.
	Fuzzy  bool
	Logger *slog.Logger
}

// Stats tells what a recovery did, in the manner of XtraDB's recovery statistics. All counters grow
// while it runs.
type Stats struct {
	From, To                          base.LSN
	Segments, Parsed                  int   // segments from From on; of them parsed at the start, because they have no index
	IndexBytes                        int64 // memory of the page index
	Groups, Bytes                     int64 // parsed; in several passes, several times
	Applied, Skipped                  int64 // records, by page LSN
	PagesRead, PagesChanged, PagesNew int64
	PagesTotal, PagesPending          int64
	PagesBuilt                        int64 // of the total, those whose records build them; known when the log is read
	PagesDemanded                     int64 // redone because somebody asked for them
	Passes                            int64 // readings of the log
	Spilled                           int64 // bytes of records set aside
	ScanTook, ParseTook, ApplyTook    time.Duration
	RedoTook                          time.Duration
}

// Redo is a recovery in progress. Create it before the pool, whose Source it is.
type Redo struct {
	o        Options
	ctx      context.Context // of Finish
	pool     *buffer.Pool
	fetcher  *redo.Fetcher
	index    atomic.Pointer[pageIndex] // nil: nothing needs redo
	pass     atomic.Pointer[pass]      // the one whose lists are complete
	gone     map[base.SpaceID]bool
	hasFiles sync.Map // space: bool. By Kept
	hot      []base.PageID
	others   int   // hot pages that need no redo: somebody else brings them into the pool
	room     int64 // bytes the log could take when the server opened

	hurry atomic.Bool // a shutdown waits

	lost    map[uint32]bool // pages of the index that Finish cannot redo
	lostErr error           // why, of the first
	told    int             // pages the logger was told of
	noSpill bool            // setting records aside has failed

	rebuilding sync.Mutex
	rebuilt    map[uint64]error // segments whose index was made again, or could not be for damage

	from, to                                       base.LSN
	segments, parsed                               int
	indexBytes, total                              atomic.Int64
	groups, bytes, passes, spilled                 atomic.Int64
	applied, skipped, read, changed, news          atomic.Int64
	demanded, scanTook, parseTook, applyTook, took atomic.Int64
	built                                          atomic.Int64
}

// New prepares a recovery from the given checkpoint.
func New(o Options, from base.LSN) *Redo {
	return &Redo{o: o, ctx: context.Background(), from: from, to: from, fetcher: o.Log.NewFetcher(o.Budget / 4),
		gone:    make(map[base.SpaceID]bool),
		rebuilt: make(map[uint64]error), lost: make(map[uint32]bool)}
}

// Scan finds the end of the log and which pages need redo. Pages that enter the pool are redone
// from then on, and Finish does the rest. The log is positioned for writing when Scan returns.
func (r *Redo) Scan(pool *buffer.Pool) error {
	r.pool = pool
	began := time.Now()
	pool.Recovery().SetFloor(r.from)
	segs, err := r.indexes()
	if err != nil {
		return err
	}
	if err := r.o.Log.StartAt(r.to); err != nil {
		return err
	}
	if err := r.messages(segs); err != nil {
		return err
	}
	need := newNeed(segs, r.from, r.gone, r.o.Fuzzy)
	for len(segs) > 0 {
		x := newPageIndex(segs, need, r.o.Budget)
		for _, s := range x.segs {
			s.DropHead() // the index has what it says
		}
		x.keepLists(r.o.Budget / 8)
		if err := r.install(x); err != nil {
			return err
		}
		if segs = segs[len(x.segs):]; len(segs) > 0 {
			if r.pool.Left() {
				r.pool.Forget() // redo needs the frames
			}
			if err := r.ahead(x); err != nil {
				return err
			}
		}
	}
	r.room = r.o.Log.Limit() - int64(r.o.Log.Appended()-r.o.Log.CheckpointLSN())
	r.scanTook.Store(int64(time.Since(began)))
	return nil
}

// indexes reads the indexes of the segments, and parses those that have none, of which the last is
// always one. It finds the end of the log.
func (r *Redo) indexes() ([]*redo.SegmentIndex, error) {
	log := r.o.Log
	tail, err := log.Tail(r.from)
	if err != nil {
		return nil, err
	}
	var infos []redo.SegmentInfo
	for _, s := range log.Segments() {
		if s.Number <= tail && s.End > r.from {
			infos = append(infos, s)
		}
	}
	r.segments = len(infos)
	out, errs := make([]*redo.SegmentIndex, len(infos)), make([]error, len(infos))
	var parsed atomic.Int64
	inParallel(len(infos), func(i int) {
		number := infos[i].Number
		if number != tail {
			var damage string
			if out[i], damage, errs[i] = log.Index(number); out[i] != nil || errs[i] != nil {
				return
			}
			if damage != "" {
				r.o.Logger.Warn("the page index of a redo segment cannot be used; the segment is parsed", "file", infos[i].Path, "damage", damage)
			}
		}
		parsed.Add(1)
		out[i], errs[i] = log.Parse(number, r.from, r.fetcher)
	})
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	r.parsed = int(parsed.Load())
	r.to = out[len(out)-1].DataEnd
	return out, r.checkEnd()
}

// checkEnd asks the log whether it may end where the last segment that begins well ends.
func (r *Redo) checkEnd() error {
	reader := r.o.Log.NewReader(r.to)
	defer reader.Close()
	g, err := reader.Next()
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return err
	}
	return fmt.Errorf("redo: a group at LSN %d behind the end of the log at %d: %w", g.LSN, r.to, base.ErrCorrupt)
}

// messages acts on the records without a page: drops of tablespaces, and what is not in the
// checkpoint already.
func (r *Redo) messages(segs []*redo.SegmentIndex) error {
	var lsns []base.LSN
	for _, x := range segs {
		for _, m := range x.Messages {
			if m.LSN >= r.from && (m.Op == redo.OpSpaceDrop || m.LSN >= r.o.MessagesFrom) && (len(lsns) == 0 || lsns[len(lsns)-1] != m.LSN) {
				lsns = append(lsns, m.LSN)
			}
		}
	}
	return r.fetcher.Groups(lsns, func(g redo.Group) error {
		for rec, err := range redo.Records(g.Payload) {
			switch {
			case err != nil:
				return fmt.Errorf("redo group at LSN %d: %w", g.LSN, err)
			case rec.Op == redo.OpSpaceDrop:
				r.gone[rec.Page.Space] = true
			case rec.Op < redo.OpFirstPage && g.LSN >= r.o.MessagesFrom && r.o.OnRecord != nil:
				if err := r.o.OnRecord(rec, g.LSN); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// install makes an index the one that counts. Pages that are in the pool are redone at once: they
// have passed the read hook already.
func (r *Redo) install(x *pageIndex) error {
	for _, id := range x.spacesOf() {
		if _, err := r.o.Files.Pages(id.Space); err != nil && !errors.Is(err, pagefile.ErrNoSpace) {
			return err
		} else if err != nil {
			return &base.CorruptError{File: r.o.Files.Path(id.Space), Page: id, Offset: int64(id.No) * base.PageSize,
				Detail: "the file is missing, redo has changes for it, and it was not dropped"}
		}
	}
	first := r.index.Swap(x) == nil
	r.total.Add(int64(len(x.pages)))
	r.indexBytes.Store(int64(len(x.pages))*pageCost + int64(len(x.spots))*spotCost)
	if first {
		return nil // the pool is empty
	}
	for _, page := range x.pages {
		if err := r.pool.Recovery().RedoResident(base.PageIDFrom(page)); err != nil {
			return err
		}
	}
	return nil
}

// ahead redoes all pages of an index that does not hold the whole log, before the next one takes
// its place. Their changes in later segments follow then.
func (r *Redo) ahead(x *pageIndex) error {
	r.o.Logger.Info("the index of the pages to be redone does not fit its memory; the older part of the log is redone before the server opens",
		"budget", r.o.Budget, "segments", len(x.segs), "pages", len(x.pages))
	if err := r.rounds(x, func(_ *pass, err error) error { return err }); err != nil {
		return err
	}
	if st := r.pool.Stats(); st.PagesDirty > st.PagesTotal/2 { // else the pool holds the next part, too, whose pages are often the same
		return r.pool.Flusher().All()
	}
	return nil
}

// Finish redoes what is still pending, writes the redone pages and lifts the checkpoint floor, step
// by step. It may run beside queries. hot, unless nil, lists the pages to begin with; it is asked if
// any page waits. redone, unless nil, is called when no page waits for its redo any more; what is
// written then is like other dirty pages. Damage of one page keeps no other from its redo. On error
// the floor stays: see invariant (6) of the package. Once ctx is done Finish ends soon with its
// error, and the rest is the next start's.
func (r *Redo) Finish(ctx context.Context, hot func() []base.PageID, redone func()) error {
	began := time.Now()
	r.ctx = ctx
	tell := func() {
		r.took.Store(int64(time.Since(began)))
		if redone != nil && len(r.lost) == 0 {
			redone()
		}
	}
	x := r.index.Load()
	if x != nil {
		if hot != nil && x.waits() > 0 {
			r.hot = hot()
		}
		for _, id := range r.hot {
			if _, ok := x.find(id); !ok {
				r.others++
			}
		}
		if err := r.finish(x, tell); err != nil {
			return err
		}
	} else {
		tell()
	}
	if len(r.lost) > 0 {
		return fmt.Errorf("%d pages, of them one because of: %w", len(r.lost), r.lostErr)
	}
	r.pool.Recovery().SetFloor(0)
	r.index.Store(nil)
	r.fetcher.Forget()
	return nil
}

// finish redoes the pages that wait. Those an earlier process left in memory have their redo, so
// nothing waits for their examination: it comes last, and takes a small share of the processor.
func (r *Redo) finish(x *pageIndex, redone func()) error {
	if err := r.redoWaiting(x); err != nil {
		return err
	}
	redone()
	if r.takeKept(x); r.ctx.Err() == nil { // those that fail are redone like any others
		if err := r.redoWaiting(x); err != nil {
			return err
		}
	}
	return r.settle(x)
}

// redoWaiting redoes the pages that wait. Redone pages are written beside the next parts, which do
// not wait for that unless writers need the room in the log: the log notes which pages are on disk.
func (r *Redo) redoWaiting(x *pageIndex) error {
	if x.waits() == 0 {
		return nil
	}
	var flushing sync.WaitGroup
	var busy atomic.Bool
	var flushErr error // while not busy
	err := r.rounds(x, func(p *pass, err error) error {
		if errors.Is(err, base.ErrCorrupt) {
			err = r.singly(p)
		}
		if err != nil || busy.Load() && r.pressed() {
			flushing.Wait()
		}
		if !busy.Load() {
			err = errors.Join(err, flushErr)
		}
		if err != nil {
			return err
		}
		r.o.Logger.Info("redo", "pages", r.total.Load(), "left", x.left.Load(), "records applied", r.applied.Load(), "readings of the log", r.passes.Load())
		if x.left.Load() > 0 && !busy.Swap(true) {
			flushing.Go(func() {
				flushErr = r.settle(x)
				busy.Store(false)
			})
		}
		return nil
	})
	flushing.Wait()
	return errors.Join(err, flushErr)
}

const (
	keptStep  = 64 // pages examined at a time, in a few tenths of a millisecond
	keptShare = 10 // pauses are so many times as long, unless there is a hurry
)

// takeKept has the pending pages that an earlier process left in memory examined. Until then the
// cleaner does not write those that are dirty, and the log that they need stays.
func (r *Redo) takeKept(x *pageIndex) {
	for first := 0; first < len(x.pages) && r.ctx.Err() == nil; first += keptStep {
		began, n := time.Now(), 0
		for i := uint32(first); i < uint32(min(first+keptStep, len(x.pages))); i++ {
			if x.isKept(i) && x.isPending(i) {
				_ = r.pool.Recovery().RedoResident(base.PageIDFrom(x.pages[i])) // an error is told by the round that meets the page
				n++
			}
			x.examined(i)
		}
		if n > 0 && !r.hurried() {
			r.pause(keptShare * time.Since(began))
		}
	}
}

// Hurry has Finish end as soon as it can.
func (r *Redo) Hurry() { r.hurry.Store(true) }

// hurried tells whether somebody may need what takeKept lets go of.
func (r *Redo) hurried() bool {
	s := r.pool.Stats()
	return r.hurry.Load() || r.pressed() || s.PagesDirty > s.PagesTotal/2
}

// pause waits, not longer than the recovery goes on.
func (r *Redo) pause(d time.Duration) {
	select {
	case <-time.After(d):
	case <-r.ctx.Done():
	}
}

// settle writes the pages redone so far and lets go of the log that no page needs any more.
func (r *Redo) settle(x *pageIndex) error {
	_, floor := x.oldest()
	r.pool.Recovery().WaitReads() // somebody else's read may have done a page that is not in the pool's list of redone pages yet
	if err := r.pool.Recovery().Flush(r.ctx); err != nil {
		return err
	}
	if floor != 0 {
		r.pool.Recovery().SetFloor(max(floor, r.from))
	}
	return nil
}

// Left is the number of pages that still wait for their redo.
func (r *Redo) Left() int64 {
	if x := r.index.Load(); x != nil {
		return int64(x.waits())
	}
	return 0
}

// End is the end of the log that was found.
func (r *Redo) End() base.LSN { return r.to }

// Empty tells that there was nothing to redo.
func (r *Redo) Empty() bool { return r.to == r.from || r.total.Load() == 0 }

// Stats returns the numbers so far.
func (r *Redo) Stats() Stats {
	return Stats{From: r.from, To: r.to, Segments: r.segments, Parsed: r.parsed, IndexBytes: r.indexBytes.Load(),
		Groups: r.groups.Load(), Bytes: r.bytes.Load(), Applied: r.applied.Load(), Skipped: r.skipped.Load(),
		PagesRead: r.read.Load(), PagesChanged: r.changed.Load(), PagesNew: r.news.Load(), PagesTotal: r.total.Load(), PagesPending: r.Left(), PagesBuilt: r.built.Load(),
		PagesDemanded: r.demanded.Load(), Passes: r.passes.Load(), Spilled: r.spilled.Load(), ScanTook: time.Duration(r.scanTook.Load()),
		ParseTook: time.Duration(r.parseTook.Load()), ApplyTook: time.Duration(r.applyTook.Load()), RedoTook: time.Duration(r.took.Load())}
}
