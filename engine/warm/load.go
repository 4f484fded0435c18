package warm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"emberdb/engine/buffer"
	"emberdb/engine/pagefile"
	"emberdb/internal/base"
)

// ErrLoading says that a load is running already.
var ErrLoading = errors.New("a load of the buffer pool is running")

const (
	runPages = 64 // pages of one read: 1 MiB
	// gapPages is the longest gap read through: transferring it costs less than another request, on any device known.
	gapPages = 8
	// maxErrors is how many reads may fail before the load gives up: a bad spot is passed over, a dead disk is not.
	maxErrors = 16
)

// tiers are the shares of the list, hottest first, as parts of 16; what is left is the last tier.
var tiers = [...]int{1, 4}

// wanted is a listed page.
type wanted struct {
	id   uint64
	rank int32 // place in the list; -1 once it was part of a read
}

// plan hands out the reads of a load, tier by tier.
type plan struct {
	mu     sync.Mutex
	pages  []wanted // by id
	bounds []int32  // ranks at which the tiers end
	tier   int
	at     int // pages before it have been looked at in this tier
}

// newPlan prepares the load of ids, hot to cold. exists tells how many pages a tablespace has; ids beyond are left out.
func newPlan(ids []uint64, exists func(base.SpaceID) base.PageNo) *plan {
	p := &plan{pages: make([]wanted, 0, len(ids))}
	for rank, id := range ids {
		p.pages = append(p.pages, wanted{id, int32(rank)})
	}
	slices.SortFunc(p.pages, func(a, b wanted) int {
		switch {
		case a.id < b.id:
			return -1
		case a.id > b.id:
			return 1
		}
		return int(a.rank - b.rank)
	})
	p.pages = slices.CompactFunc(p.pages, func(a, b wanted) bool { return a.id == b.id })
	space, have, first := base.SpaceID(0), base.PageNo(0), true
	p.pages = slices.DeleteFunc(p.pages, func(w wanted) bool {
		id := base.PageIDFrom(w.id)
		if first || id.Space != space {
			space, have, first = id.Space, exists(id.Space), false
		}
		return id.No >= have
	})
	for _, sixteenths := range tiers {
		p.bounds = append(p.bounds, int32(len(ids)*sixteenths/16))
	}
	p.bounds = append(p.bounds, int32(len(ids)))
	return p
}

// next returns the next read: its first page and the rank of each page, -1 for those read through. ok is false at the end. ranks is reused.
func (p *plan) next(ranks []int32) (first base.PageID, _ []int32, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for ; p.tier < len(p.bounds); p.tier, p.at = p.tier+1, 0 {
		bound := p.bounds[p.tier]
		for ; p.at < len(p.pages); p.at++ {
			if r := p.pages[p.at].rank; r >= 0 && r < bound {
				first, ranks = p.runLocked(ranks[:0], bound)
				return first, ranks, true
			}
		}
	}
	return base.PageID{}, nil, false
}

// runLocked takes the run that begins at p.at: it reaches to the last page of the tier that is near enough.
func (p *plan) runLocked(ranks []int32, bound int32) (base.PageID, []int32) {
	start := p.pages[p.at].id
	last := p.at // index of the last page of the tier in the run
	for i := p.at + 1; i < len(p.pages); i++ {
		id := p.pages[i].id
		if id-start >= runPages || id-p.pages[last].id > gapPages+1 || id>>32 != start>>32 {
			break
		}
		if r := p.pages[i].rank; r >= 0 && r < bound {
			last = i
		}
	}
	for i := p.at; i <= last; i++ {
		for uint64(len(ranks)) < p.pages[i].id-start {
			ranks = append(ranks, -1)
		}
		ranks = append(ranks, p.pages[i].rank) // of a later tier too: its bytes come along anyway
		p.pages[i].rank = -1
	}
	p.at = last + 1
	return base.PageIDFrom(start), ranks
}

// load is a load under way.
type load struct {
	m      *Manager
	ctx    context.Context
	cancel context.CancelFunc
	done   chan struct{}
	plan   *plan
	pool   *buffer.Load
	pacer  pacer

	mu     sync.Mutex
	p      Progress
	full   bool
	errors int   // reads that failed as a whole
	broke  error // the one that was too many
}

// LoadNow starts a load of the newest list; it runs in the background.
func (m *Manager) LoadNow() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.load != nil {
		return ErrLoading
	}
	if m.closed {
		return base.ErrInterrupted
	}
	ctx, cancel := context.WithCancel(context.Background())
	l := &load{m: m, ctx: ctx, cancel: cancel, done: make(chan struct{})}
	l.p.Started = time.Now()
	m.load = l
	m.loadStatus = "Loading buffer pool(s) from " + m.path()
	go l.run()
	return nil
}

// LoadAbort ends a running load. What was read stays.
func (m *Manager) LoadAbort() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.load != nil {
		m.load.cancel()
	}
}

func (l *load) run() {
	defer l.cancel()
	status, complete := l.execute()
	l.mu.Lock()
	p := l.p
	l.mu.Unlock()
	p.Ended = time.Now()
	l.m.logger.Info("buffer pool load", "status", status, "pages", p.Done, "listed", p.Total, "resident before", p.Present,
		"bytes", p.Bytes, "took", p.Ended.Sub(p.Started))
	l.m.mu.Lock()
	l.m.load, l.m.lastLoad, l.m.loadStatus = nil, p, status
	l.m.completed = l.m.completed || complete
	l.m.mu.Unlock()
	close(l.done)
}

// execute does the load and tells how it ended, and whether every listed page was tried.
func (l *load) execute() (status string, complete bool) {
	list := readNewest(l.m.fs, l.m.path(), l.m.noteDamage)
	if list == nil {
		return fmt.Sprintf("Cannot open '%s' for reading: no list", l.m.path()), true
	}
	if list.UUID != l.m.o.UUID {
		l.m.logger.Info("the LRU list was written by another server", "file", l.m.path(), "written", list.Created)
	}
	ids := list.IDs[:min(len(list.IDs), l.m.pool.Frames())]
	l.plan = newPlan(ids, l.pagesOf)
	l.mu.Lock()
	l.p.Total, l.p.Skipped = len(ids), len(ids)-len(l.plan.pages)
	l.mu.Unlock()
	l.pool = l.m.pool.StartLoad(len(ids))
	defer l.pool.End()
	l.pacer.init(l.m.pool, l.m.o.ReadsInFlight)
	l.readAll()
	switch {
	case l.ctx.Err() != nil:
		return fmt.Sprintf("Buffer pool(s) load aborted at %s, %d/%d pages", stamp(time.Now()), l.p.Done, l.p.Total), false
	case l.broke != nil:
		return fmt.Sprintf("Buffer pool(s) load stopped at %s by an error: %v", stamp(time.Now()), l.broke), false
	}
	return "Buffer pool(s) load completed at " + stamp(time.Now()), true
}

// pagesOf is the number of pages of a tablespace, 0 when it is gone.
func (l *load) pagesOf(space base.SpaceID) base.PageNo {
	n, err := l.m.files.Pages(space)
	if err != nil {
		return 0
	}
	return n
}

// readAll runs the readers until the plan is done, the pool is full, or the load is aborted.
func (l *load) readAll() {
	var readers sync.WaitGroup
	for i := range l.pacer.most {
		readers.Go(func() { l.reader(i) })
	}
	stop := make(chan struct{})
	var pacing sync.WaitGroup
	pacing.Go(func() { l.pacer.run(stop) })
	readers.Wait()
	close(stop)
	pacing.Wait()
}

// reader number i reads while the pacer allows more than i reads in flight.
func (l *load) reader(i int) {
	ranks := make([]int32, 0, runPages)
	for {
		if !l.pacer.wait(l.ctx, i) || l.over() {
			return
		}
		first, run, ok := l.plan.next(ranks)
		if !ok {
			l.pacer.finish()
			return
		}
		ranks = run
		r, err := l.pool.Read(first, run)
		l.pacer.read(r.Bytes)
		l.note(run, r, err)
	}
}

func (l *load) over() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.full || l.broke != nil
}

func (l *load) note(run []int32, r buffer.LoadResult, err error) {
	pages := 0
	for _, rank := range run {
		if rank >= 0 {
			pages++
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.p.Done += r.Loaded + r.Present
	l.p.Loaded += r.Loaded
	l.p.Present += r.Present
	l.p.Skipped += pages - r.Loaded - r.Present
	l.p.Bytes += int64(r.Bytes)
	l.full = l.full || r.Full
	if l.full {
		l.pacer.finish()
	}
	if err != nil && !errors.Is(err, pagefile.ErrNoSpace) {
		if l.errors++; l.errors == maxErrors {
			l.broke = err
		}
	}
}
