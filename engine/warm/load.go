package warm

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"emberdb/engine/buffer"
	"emberdb/engine/pagefile"
	"emberdb/internal/base"
)

// ErrLoading says that a load is running already.
var ErrLoading = errors.New("a load of the buffer pool is running")

const (
	// maxErrors is how many reads may fail before the load gives up: a bad spot is passed over, a
	// dead disk is not.
	maxErrors = 16
	// fullWait is how long a load goes on trying without finding a frame, when redo needs none any
	// more: dirty pages become clean, hotter pages stay.
	fullWait    = time.Second
	fullPause   = 10 * time.Millisecond
	reportEvery = 5 * time.Second
	probes      = 4 // single pages read first, one by one: they tell the device's latency at rest, taking those before them in its queue for granted
)

// milestones are the shares of the list whose arrival is told to the timeline.
var milestones = [...]int{50, 90}

// load is a load under way, or one that was aborted.
type load struct {
	m      *Manager
	ctx    context.Context
	cancel context.CancelFunc
	done   chan struct{}
	begun  chan struct{} // closed when the pool knows the places of the pages, or never will
	begin  func()        // closes it
	path   string
	source string // the file the list came from
	bring  bool   // it is one of Bring, of which no timeline tells
	plan   *plan
	pool   *buffer.Load
	pacer  pacer

	mu       sync.Mutex
	p        Progress
	lastGood time.Time // when a frame was found last
	full     bool
	errors   int   // reads that failed as a whole
	broke    error // the one that was too many
	passed   int   // milestones
	reported time.Time

	tiers   sync.Mutex // guards what follows; never taken by queries: the timeline writes a file
	tier    int        // tiers handed out
	endTier func(note string)
}

// LoadNow starts a load of the newest list, or goes on with one that was aborted; it runs in the
// background.
func (m *Manager) LoadNow() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.load != nil {
		return ErrLoading
	}
	if m.closed {
		return base.ErrInterrupted
	}
	if m.bringing != nil {
		m.bringing.cancel() // the load waits for its end
	}
	l := m.aborted
	if m.aborted = nil; l == nil || l.path != m.pathLocked() {
		l = &load{m: m, path: m.pathLocked(), begun: make(chan struct{})}
		l.begin = sync.OnceFunc(func() { close(l.begun) })
	}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	l.done = make(chan struct{})
	l.mu.Lock()
	l.p.Started, l.p.Ended = time.Now(), time.Time{}
	l.p.Earlier = l.p.Done + l.p.Skipped
	l.mu.Unlock()
	m.load = l
	m.loadStatus = "Loading buffer pool(s) from " + l.path
	go l.run(l.cancel, l.done)
	return nil
}

// LoadAbort ends a running load. What was read stays; LoadNow goes on from there.
func (m *Manager) LoadAbort() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.load != nil {
		m.load.cancel()
	}
}

// run does a load and tells its end by done. An aborted load may have been begun again by then,
// with others in their place.
func (l *load) run(cancel context.CancelFunc, done chan struct{}) {
	defer cancel()
	status, complete := l.execute()
	l.begin()
	p := l.progress()
	p.Ended = time.Now()
	m := l.m
	m.logger.Info("buffer pool load", "status", status, "pages", p.Done, "wanted", p.Total, "resident before", p.Present, "skipped", p.Skipped,
		"bytes", p.Bytes, "took", p.Ended.Sub(p.Started).Round(time.Millisecond))
	m.mu.Lock()
	m.load, m.lastLoad, m.loadStatus = nil, p, status
	m.loaded, m.completed = complete && l.plan != nil, m.completed || complete
	if !complete && l.plan != nil && l.failure() == nil {
		m.aborted = l
	}
	m.mu.Unlock()
	if complete && p.Total > 0 {
		m.mark("warm 100 %")
	}
	close(done)
}

// execute does the load and tells how it ended, and whether every listed page was tried.
func (l *load) execute() (status string, complete bool) {
	if l.plan == nil {
		if status, ok := l.prepare(); !ok {
			return status, true
		}
	}
	l.pacer.init(l.m.pool, l.m.o.ReadsInFlight)
	l.pool.Begin()
	defer l.pool.End()
	l.begin()
	l.tiers.Lock()
	l.beginTierLocked()
	l.tiers.Unlock()
	l.readAll()
	l.endTier(fmt.Sprintf("%d pages in the pool", l.progress().Done))
	from := ""
	if l.source != l.path {
		from = fmt.Sprintf(" from '%s', the newest list being damaged", l.source)
	}
	broke := l.failure()
	switch p := l.progress(); {
	case broke != nil:
		return fmt.Sprintf("Buffer pool(s) load stopped at %s by an error: %v", stamp(time.Now()), broke), false
	case l.ctx.Err() != nil:
		return fmt.Sprintf("Buffer pool(s) load aborted at %s, %d/%d pages", stamp(time.Now()), p.Done, p.Total), false
	}
	return "Buffer pool(s) load completed at " + stamp(time.Now()) + from, true
}

// prepare reads the list and makes the plan. ok is false when there is nothing to load; then status
// says why.
func (l *load) prepare() (status string, ok bool) {
	m := l.m
	end := m.phase("list read")
	list, source, err := m.newest(l.path)
	if list == nil {
		end("no list")
		if err != nil {
			return fmt.Sprintf("Cannot load '%s': %v", l.path, err), false
		}
		return fmt.Sprintf("Cannot open '%s' for reading: No such file or directory", l.path), false
	}
	if list.UUID != m.o.UUID {
		if list, err = m.adopt(list); err != nil {
			m.logger.Warn("LRU list refused", "file", source, "reason", err)
			end("refused: " + err.Error())
			return fmt.Sprintf("Cannot load '%s': %v", source, err), false
		}
	}
	l.source = source
	ids := list.IDs[:min(len(list.IDs), m.pool.Frames())]
	l.plan = newPlan(ids)
	l.mu.Lock()
	l.p.Total = len(l.plan.pages)
	l.mu.Unlock()
	l.pool = m.pool.Reader().NewLoad(len(ids), list.Young, l)
	end(fmt.Sprintf("%d pages listed", len(ids)))
	return "", true
}

// Wants is asked by queries that miss a page.
func (l *load) Wants(id base.PageID) bool { return l.plan.wants(id) }

// Missed is called by queries that read a page themselves.
func (l *load) Missed(id base.PageID) int {
	rank := l.plan.missed(id)
	if rank == buffer.RankNone {
		return rank
	}
	l.mu.Lock()
	l.p.Done++
	l.p.Missed++
	l.mu.Unlock()
	return rank
}

// readAll runs the readers until the plan is done, the pool is full, or the load is aborted.
func (l *load) readAll() {
	l.mu.Lock() // queries read pages of the list already
	l.lastGood, l.reported = time.Now(), time.Now()
	l.mu.Unlock()
	base.Await(l.ctx, l.m.o.Hold)
	if !l.probe() {
		return
	}
	var readers sync.WaitGroup
	for i := range int(l.pacer.governor.most) {
		readers.Go(func() { l.reader(i) })
	}
	stop := make(chan struct{})
	var pacing sync.WaitGroup
	pacing.Go(func() { l.pacer.run(stop) })
	readers.Wait()
	close(stop)
	pacing.Wait()
}

// probe reads some single pages. false: the load is over.
func (l *load) probe() bool {
	best := time.Duration(0)
	for range probes {
		start, queue := time.Now(), time.Duration(1+l.m.pool.Reader().ForegroundReads())
		r, ok := l.readNext(nil, 1)
		if !ok {
			return false
		}
		if took := time.Since(start) / queue; r.Loaded > 0 && (best == 0 || took < best) {
			best = took
		}
	}
	l.pacer.governor.quiet = best
	return true
}

// reader number i reads while the pacer allows more than i reads in flight.
func (l *load) reader(i int) {
	runtime.LockOSThread() // its processor time is told by thread
	defer runtime.UnlockOSThread()
	used := threadTime()
	ranks := make([]int32, 0, runPages)
	for {
		most, ok := l.pacer.wait(l.ctx, i)
		if !ok {
			return
		}
		if _, ok := l.readNext(ranks, most); !ok {
			l.pacer.finish()
			return
		}
		now := threadTime()
		l.pacer.load.Add(int64(now - used))
		used = now
	}
}

// readNext does the next read of the plan. false: the load is over.
func (l *load) readNext(ranks []int32, most int) (r buffer.LoadResult, ok bool) {
	if l.ctx.Err() != nil || l.over() {
		return r, false
	}
	first, run, done, ok := l.plan.next(ranks, most, int(l.pacer.reach.Load()))
	l.passTiers(done)
	if !ok {
		return r, false
	}
	r, err := l.read(first, run)
	l.pacer.read(r.Bytes, most*base.PageSize)
	l.count(run, r, err)
	l.note()
	if r.Short > 0 {
		time.Sleep(fullPause)
	}
	return r, true
}

// read does one read, and gives the plan back what found no frame.
func (l *load) read(first base.PageID, run []int32) (r buffer.LoadResult, err error) {
	n := len(run)
	have, err := l.m.files.Pages(first.Space)
	if n = min(n, max(0, int(have)-int(first.No))); err == nil && n > 0 { // else the table was dropped, or the file is shorter now
		r, err = l.pool.Read(first, run[:n])
	}
	if r.Short > 0 {
		l.plan.giveBack(base.PageID{Space: first.Space, No: first.No + base.PageNo(n-r.Short)}, run[n-r.Short:n])
	}
	return r, err
}

// Pull reads a page that a query waits for with some of its neighbours: see governor. It does not
// wait for the pacer.
func (l *load) Pull(id base.PageID) bool {
	var ranks [runPages]int32
	first, run, ok := l.plan.around(id, ranks[:0], int(pulled(l.pacer.reach.Load())))
	if !ok {
		return false
	}
	r, err := l.read(first, run)
	l.pacer.read(r.Bytes, 0)
	l.pacer.pulls.Add(1)
	l.count(run, r, err)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.p.Missed += r.Loaded
	return r.Loaded > 0
}

func wantedOf(run []int32) (n int) {
	for _, rank := range run {
		if rank != buffer.RankGap {
			n++
		}
	}
	return n
}

func (l *load) over() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.full || l.broke != nil
}

// failure is the error that ended the load, nil if none did.
func (l *load) failure() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.broke
}

// count counts a read.
func (l *load) count(run []int32, r buffer.LoadResult, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.p.Done += r.Loaded + r.Present
	l.p.Loaded += r.Loaded
	l.p.Present += r.Present
	l.p.Skipped += max(0, wantedOf(run)-wantedOf(run[len(run)-r.Short:])-r.Loaded-r.Present)
	l.p.Bytes += int64(r.Bytes)
	now := time.Now()
	if r.Short == 0 || r.Loaded > 0 || l.m.pool.Recovery().Active() {
		l.lastGood = now
	} else if now.Sub(l.lastGood) > fullWait {
		l.full = true
		l.p.Skipped = l.p.Total - l.p.Done
	}
	if err != nil && !errors.Is(err, pagefile.ErrNoSpace) {
		if l.errors++; l.errors == maxErrors {
			l.broke = err
		}
	}
}

// note tells how far the load is.
func (l *load) note() {
	l.mu.Lock()
	now := time.Now()
	p, report := l.p, now.Sub(l.reported) >= reportEvery
	if report {
		l.reported = now
	}
	was := l.passed
	for l.passed < len(milestones) && p.percent() >= float64(milestones[l.passed]) {
		l.passed++
	}
	passed := l.passed
	l.mu.Unlock()
	if l.bring {
		return
	}
	for ; was < passed; was++ {
		l.m.mark(fmt.Sprintf("warm %d %%", milestones[was]))
	}
	if report {
		rate, eta := p.speed()
		l.m.logger.Info(fmt.Sprintf("buffer pool %.0f %% warm, %s left", p.percent(), eta.Round(100*time.Millisecond)), "pages", p.Done, "wanted", p.Total,
			"MB/s", int(rate/1e6), "reads in flight", l.pacer.depth.Load())
	}
}

// passTiers tells the timeline of tiers whose last read was handed out.
func (l *load) passTiers(done int) {
	l.tiers.Lock()
	defer l.tiers.Unlock()
	if done = min(done, len(tiers)); done > l.tier {
		l.endTier(fmt.Sprintf("%d pages in the pool", l.progress().Done))
		l.tier = done
		l.pacer.tier.Store(true)
		l.beginTierLocked()
	}
}

func (l *load) beginTierLocked() {
	if l.bring {
		l.endTier = func(string) {}
		return
	}
	l.endTier = l.m.phase(fmt.Sprintf("tier %d", l.tier+1))
}
