package recovery

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"time"

	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// Redo in the background goes in passes. A pass takes as many pages as its memory holds, reads the log once for all of them, each lane a stretch of it, and
// then redoes the pages by their place in the files, in large reads. Until the lists are complete, and for all other pages, a page somebody asks for
// is redone on demand.

// pass is one round of redo for some pages.
type pass struct {
	x      *pageIndex
	pages  []uint32 // numbers of the pages, sorted
	places []uint32 // by number of a page: its place in pages plus 1; 0: it is not in the pass
	since  []uint32 // by place in pages: the oldest segment the page needs
	groups []int64  // by segment: groups to be read
	lanes  []*chains
}

const (
	laneMost = 8
	// randomCost is what one read of a group costs, in bytes read in sequence.
	randomCost = 64 << 10
	runMost    = 64  // pages of one read
	tellMost   = 100 // pages that cannot be redone
)

// has tells whether the pass holds all that a page of the index needs.
func (p *pass) has(x *pageIndex, i uint32) bool { return p.x == x && p.places[i] != 0 }

// builds tells whether the lists build the page from nothing.
func (p *pass) builds(i uint32) bool {
	return slices.ContainsFunc(p.lanes, func(c *chains) bool { return c.startsWithInit(p.places[i] - 1) })
}

// apply brings the page forward.
func (p *pass) apply(a *applier, i uint32) error {
	place, first := p.places[i]-1, 0
	for k, c := range p.lanes {
		if c.startsWithInit(place) {
			first = k
		}
	}
	var last base.LSN
	for _, c := range p.lanes[first:] {
		err := c.each(place, func(rec redo.Record, start, end base.LSN) error {
			last = start
			return a.record(rec, start, end)
		})
		if err != nil {
			return err
		}
	}
	s := &p.x.spots[p.x.newest[i]-1]
	if want := p.x.segs[s.seg].Segment.Start + base.LSN(s.last); last != want {
		return &base.CorruptError{File: p.x.segs[s.seg].Segment.Path, Page: a.id,
			Detail: fmt.Sprintf("the last group of the page stands at LSN %d, its index says %d", last, want)}
	}
	return nil
}

// newPass picks the pages: as the log's room asks for if it runs short, then the hot ones, then by position. nil: none is pending.
func (r *Redo) newPass(x *pageIndex) *pass {
	p := &pass{x: x, places: make([]uint32, len(x.pages)), groups: make([]int64, len(x.segs))}
	perGroup := make([]int64, len(x.segs))
	for k, s := range x.segs {
		perGroup[k] = entryHeader + entryAlign + int64(s.Segment.End-s.Segment.Start)/max(1, int64(s.Touches))
	}
	left := r.o.Budget
	add := func(i uint32) bool {
		if !x.isPending(i) || p.places[i] != 0 || r.lost[i] {
			return true
		}
		cost := int64(8 * laneMost)
		x.eachSpot(i, func(s *spot) bool {
			cost += int64(s.groups/2) * perGroup[s.seg]
			return s.groups%2 == 0
		})
		if left -= cost; left < 0 && len(p.pages) > 0 {
			return false
		}
		p.places[i] = 1
		p.pages = append(p.pages, i)
		x.eachSpot(i, func(s *spot) bool {
			p.groups[s.seg] += int64(s.groups / 2)
			return s.groups%2 == 0
		})
		return true
	}
	if r.pressed() {
		r.eachOfOldest(x, add)
	}
	if len(p.pages) == 0 && r.eachHot(x, add) {
		for i := range uint32(len(x.pages)) {
			if !add(i) {
				break
			}
		}
	}
	slices.Sort(p.pages)
	p.since = make([]uint32, len(p.pages))
	for k, i := range p.pages {
		p.places[i] = uint32(k) + 1
		x.eachSpot(i, func(s *spot) bool {
			p.since[k] = s.seg
			return s.groups%2 == 0
		})
	}
	if len(p.pages) == 0 {
		return nil
	}
	return p
}

// pressed tells whether writers have used up half of the log's room that was left when the server opened.
func (r *Redo) pressed() bool {
	return r.o.Log.Limit()-int64(r.o.Log.Appended()-r.o.Log.CheckpointLSN()) < r.room/2
}

// eachHot offers the pages of the LRU list, hottest first; false when add refused one.
func (r *Redo) eachHot(x *pageIndex, add func(uint32) bool) bool {
	for len(r.hot) > 0 {
		if i, ok := x.find(r.hot[0]); ok && !add(i) {
			return false
		}
		r.hot = r.hot[1:]
	}
	return true
}

// eachOfOldest offers the pages that keep the oldest segment.
func (r *Redo) eachOfOldest(x *pageIndex, add func(uint32) bool) {
	oldest, _ := x.oldest()
	for i := range uint32(len(x.pages)) {
		needs := false
		if x.isPending(i) {
			x.eachSpot(i, func(s *spot) bool {
				needs = s.seg == oldest
				return !needs
			})
		}
		if needs && !add(i) {
			return
		}
	}
}

// run does the pass: the lists, then the pages.
func (r *Redo) run(p *pass) error {
	r.passes.Add(1)
	began := time.Now()
	if err := r.collect(p); err != nil {
		return err
	}
	r.pass.Store(p)
	r.parseTook.Add(int64(time.Since(began)))
	defer r.pass.Store(nil)
	began = time.Now()
	defer func() { r.applyTook.Add(int64(time.Since(began))) }()
	return r.applyAll(p)
}

// collect fills the lanes: each a stretch of the log, so that the lists of a page are in LSN order, lane by lane.
func (r *Redo) collect(p *pass) error {
	n := min(laneMost, 2*runtime.GOMAXPROCS(0), len(p.x.segs))
	p.lanes = make([]*chains, n)
	errs := make([]error, n)
	var wg sync.WaitGroup
	for k := range n {
		p.lanes[k] = newChains(len(p.pages))
		wg.Go(func() {
			for seg := k * len(p.x.segs) / n; seg < (k+1)*len(p.x.segs)/n && errs[k] == nil; seg++ {
				errs[k] = r.collectSegment(p, p.lanes[k], seg)
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// collectSegment takes the records of the pass's pages from a segment: read from end to end, or group by group if there are few.
func (r *Redo) collectSegment(p *pass, c *chains, seg int) error {
	x := p.x.segs[seg]
	switch n := p.groups[seg]; {
	case n == 0:
		return nil
	case n*randomCost < int64(x.Segment.End-x.Segment.Start):
		return r.collectGroups(p, c, seg)
	}
	reader := r.o.Log.NewReader(max(x.Segment.Start, x.From, r.from))
	reader.SetLimit(x.Segment.End)
	defer reader.Close()
	var groups, bytes int64
	defer func() { r.groups.Add(groups); r.bytes.Add(bytes) }()
	for {
		g, err := reader.Next()
		if errors.Is(err, io.EOF) || err == nil && g.LSN >= r.to {
			return nil
		}
		if err != nil {
			return err
		}
		groups++
		bytes += int64(len(g.Payload))
		if err := p.file(c, seg, g); err != nil {
			return err
		}
	}
}

// collectGroups is collectSegment by the lists of the index.
func (r *Redo) collectGroups(p *pass, c *chains, seg int) error {
	var lsns []base.LSN
	x := p.x.segs[seg]
	for _, i := range p.pages {
		var err error
		p.x.eachSpot(i, func(s *spot) bool {
			if int(s.seg) == seg {
				lsns, _, err = x.Groups(lsns, s.place(x))
			}
			return int(s.seg) > seg && s.groups%2 == 0
		})
		if errors.Is(err, base.ErrCorrupt) {
			if err := r.rebuildSegment(x, err); err != nil {
				return err
			}
			return r.collectGroups(p, c, seg)
		}
		if err != nil {
			return err
		}
	}
	slices.Sort(lsns)
	lsns = slices.Compact(lsns)
	cut, _ := slices.BinarySearch(lsns, r.from)
	err := r.fetcher.Groups(lsns[cut:], func(g redo.Group) error {
		r.groups.Add(1)
		r.bytes.Add(int64(len(g.Payload)))
		return p.file(c, seg, g)
	})
	if errors.Is(err, base.ErrCorrupt) { // the group, or the list that led to it
		return errors.Join(err, r.rebuildSegment(x, err))
	}
	return err
}

// file takes the records of the pass's pages from a group. What is older than what a page needs is left: of that not all segments are read.
func (p *pass) file(c *chains, seg int, g redo.Group) error {
	for rec, err := range redo.Records(g.Payload) {
		if err != nil {
			return fmt.Errorf("redo group at LSN %d: %w", g.LSN, err)
		}
		if rec.Op < redo.OpFirstPage {
			continue
		}
		if i, ok := p.x.find(rec.Page); ok && p.places[i] != 0 && uint32(seg) >= p.since[p.places[i]-1] {
			c.add(p.places[i]-1, rec, g)
		}
	}
	return nil
}

// applyAll redoes the pages of the pass on all cores, neighbours together.
func (r *Redo) applyAll(p *pass) error {
	var mu sync.Mutex
	at := 0
	next := func() (first base.PageID, n int) {
		mu.Lock()
		defer mu.Unlock()
		if at == len(p.pages) {
			return first, 0
		}
		begin := at
		id := p.x.pages[p.pages[begin]]
		for at++; at < len(p.pages) && at-begin < runMost && p.x.pages[p.pages[at]] == id+uint64(at-begin); at++ {
		}
		return base.PageIDFrom(id), at - begin
	}
	workers := 2 * runtime.GOMAXPROCS(0) // they wait for reads, too
	errs := make([]error, workers)
	var wg sync.WaitGroup
	for k := range workers {
		wg.Go(func() {
			for first, n := next(); n > 0 && errs[k] == nil; first, n = next() {
				errs[k] = r.applyRun(p.x, first, n)
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

func (r *Redo) applyRun(x *pageIndex, first base.PageID, n int) error {
	r.read.Add(int64(n))
	err := r.pool.RedoRun(first, n)
	if errors.Is(err, base.ErrNotFound) || errors.Is(err, pagefile.ErrNoSpace) || err != nil && !r.o.Files.Exists(first.Space) {
		for k := range n { // dropped meanwhile
			if i, ok := x.find(base.PageID{Space: first.Space, No: first.No + base.PageNo(k)}); ok {
				x.done(i)
			}
		}
		return nil
	}
	return err
}

// singly redoes the pages of a pass that met damage, each from its own groups.
func (r *Redo) singly(p *pass) error {
	for _, i := range p.pages {
		if !p.x.isPending(i) {
			continue
		}
		id := base.PageIDFrom(p.x.pages[i])
		err := r.applyRun(p.x, id, 1)
		if errors.Is(err, base.ErrCorrupt) {
			err = r.giveUp(p.x, i, id, err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// giveUp decides about a page that cannot be redone. One whose bytes on disk are damaged is never taken for a page, with its redo in the log or without: the damage is
// the page's alone. Another must be kept from being read as it is on disk, in later lives too: its redo stays.
func (r *Redo) giveUp(x *pageIndex, i uint32, id base.PageID, cause error) error {
	if r.told++; r.told <= tellMost {
		r.o.Logger.Error("a page cannot be redone", "file", r.o.Files.Path(id.Space), "page", id.No, "err", cause)
	}
	err := r.o.Files.Read(id, vfs.AlignedBlock(base.PageSize))
	switch {
	case errors.Is(err, base.ErrCorrupt) && !errors.Is(err, pagefile.ErrBeyondEnd):
		x.done(i)
	case err == nil, errors.Is(err, base.ErrCorrupt), errors.Is(err, pagefile.ErrNeverWritten):
		r.lost[i] = true
		if r.lostErr == nil {
			r.lostErr = cause
		}
	default:
		return err
	}
	return nil
}

// spacesOf lists the spaces of the pages with the first page of each.
func (x *pageIndex) spacesOf() (first []base.PageID) {
	for at := 0; at < len(x.pages); {
		id := base.PageIDFrom(x.pages[at])
		first = append(first, id)
		next := base.PageID{Space: id.Space + 1}.Uint64()
		n, _ := slices.BinarySearchFunc(x.pages[at:], next, cmp.Compare[uint64])
		at += n
	}
	return first
}
