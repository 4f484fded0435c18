package recovery

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"slices"
	"sync"
	"time"

	"emberdb/engine/redo"
	"emberdb/internal/base"
)

// Redo in the background goes in rounds. A round is one reading of the log, each lane a stretch of
// it, for as many pages as there are. They are divided into parts (pass.go), each as much as memory
// holds. The records of the first part go to its lists, those of the others are set aside on disk
// (spill.go) until it is their turn. So the log is read once, and a page is, too. Where the volume
// has no room for that, the round has one part and the next round another.
//
// Memory is what the pool has in free frames: after a start that is nearly all of it. A page whose
// initialisation is found is built at once, in the frame that it will have; of others, and of what
// another lane finds of it, there are lists. A part has room as long as its lists, its pages and
// those of the parts before it fit together; the frames of its lists are the pages' of later parts.
// Where that gives less than half of Options.Budget, the lists have that beside the pool.
type round struct {
	x      *pageIndex
	allots []allot // by number of a page
	parts  []*pass
	groups []int64 // by segment: groups to be read
	lanes  int
	mem    *arena
	aside  *spill // nil: the round has one part
}

// allot is what a round has decided about a page.
type allot struct {
	part  uint32 // plus 1; 0: the page is not in the round
	place uint32 // in its part
	since uint32 // the oldest segment the page needs
}

const (
	laneMost = 8
	partMost = 64
	// randomCost is what one read of a group costs, in bytes read in sequence.
	randomCost = 64 << 10
)

// newRound picks the pages. The first part is what is wanted first: the pages that keep the log
// when writers run out of its room, else the hot ones. The others follow by age, so that each part
// lets go of some of the log. nil: no page is pending.
func (r *Redo) newRound(x *pageIndex) *round {
	f := r.newFiller(x)
	if !r.pressed() {
		for len(r.hot) > 0 {
			if i, ok := x.find(r.hot[0]); ok && !f.add(i) {
				break
			}
			r.hot = r.hot[1:]
		}
	}
	for _, i := range x.byAge() {
		if !f.add(i) && (!f.next() || !f.add(i)) {
			break
		}
	}
	rd := f.rd
	f.lend()
	if len(rd.parts[0].pages) == 0 {
		return nil
	}
	for _, p := range rd.parts {
		slices.Sort(p.pages)
		for place, i := range p.pages {
			rd.allots[i].place = uint32(place)
		}
	}
	return rd
}

// filler divides pages into the parts of a round.
type filler struct {
	r        *Redo
	rd       *round
	perGroup []int64 // by segment: memory that a group of a page takes
	lane     []int   // by segment: which lane reads it
	free     int64   // bytes of lent frames, less those of the pages so far
	room     int64   // bytes that may be set aside
}

func (r *Redo) newFiller(x *pageIndex) *filler {
	free := r.pool.Stats().PagesFree
	free -= max(free/16, r.others)
	if int64(free)*base.PageSize < r.o.Budget {
		free = 0 // a small pool needs its frames
	}
	loan := r.pool.Recovery().Lend(free)
	f := &filler{r: r, perGroup: make([]int64, len(x.segs)), free: int64(loan.Pages()) * base.PageSize, room: r.spillRoom(),
		rd: &round{x: x, allots: make([]allot, len(x.pages)), groups: make([]int64, len(x.segs)), lanes: min(laneMost, 2*runtime.GOMAXPROCS(0), len(x.segs)),
			mem: &arena{loan: loan}}}
	for k := range f.rd.lanes {
		for range f.rd.segments(k) {
			f.lane = append(f.lane, k)
		}
	}
	for k, s := range x.segs {
		f.perGroup[k] = entryHeader + entryAlign + int64(s.Segment.End-s.Segment.Start)/max(1, int64(s.Touches))
	}
	f.rd.parts = []*pass{{rd: f.rd, number: 1}}
	return f
}

// add puts a page into the last part, unless that is full: then it returns false.
func (f *filler) add(i uint32) bool {
	x := f.rd.x
	a := &f.rd.allots[i]
	if !x.isPending(i) || x.isKept(i) || a.part != 0 || f.r.lost[i] {
		return true
	}
	cost, built := f.cost(i)
	p := f.rd.parts[len(f.rd.parts)-1]
	if len(p.pages) > 0 && (p.memory+cost.list > max(f.r.o.Budget/2, f.free-base.PageSize) || p.number > 1 && cost.all > f.room) {
		return false
	}
	f.free -= base.PageSize
	p.memory += cost.list
	p.lent = max(0, min(p.memory, f.free)/chunkSize)
	if built {
		p.built++
	}
	if p.number > 1 {
		f.room -= cost.all
	}
	p.pages = append(p.pages, i)
	a.part = p.number
	x.eachNeeded(i, func(s *spot) {
		f.rd.groups[s.seg] += int64(s.groups / 2)
		a.since = s.seg
		if s.groups%2 == 1 {
			f.r.built.Add(1)
		}
	})
	return true
}

// cost is what the records of a page take: all of them where they are set aside, and those in
// lists; built: the lane that has the page's initialisation builds it in a frame.
func (f *filler) cost(i uint32) (cost struct{ list, all int64 }, built bool) {
	x := f.rd.x
	var since *spot
	x.eachNeeded(i, func(s *spot) { since = s })
	built = since.groups%2 == 1 && f.free >= 2*base.PageSize
	cost.list = 8 * laneMost
	x.eachNeeded(i, func(s *spot) {
		n := int64(s.groups/2) * f.perGroup[s.seg]
		cost.all += n
		if !built || f.lane[s.seg] != f.lane[since.seg] {
			cost.list += n
		}
	})
	return cost, built
}

// lend keeps of the loan what the first part and, with what is left of that, the others will need.
func (f *filler) lend() {
	later := int64(0)
	for _, p := range slices.Backward(f.rd.parts) {
		p.lent = max(p.lent, later) + p.built
		later = p.lent
	}
	f.rd.mem.again(later)
}

// next begins another part; false when there may be no more.
func (f *filler) next() bool {
	n := len(f.rd.parts)
	if n == partMost || f.room < f.r.o.Budget {
		return false
	}
	f.rd.parts = append(f.rd.parts, &pass{rd: f.rd, number: uint32(n) + 1})
	return true
}

// pressed tells whether writers have used up half of the log's room that was left when the server
// opened.
func (r *Redo) pressed() bool {
	return r.o.Log.Limit()-int64(r.o.Log.Appended()-r.o.Log.CheckpointLSN()) < r.room/2
}

// segments are those a lane reads.
func (rd *round) segments(lane int) iter.Seq[int] {
	n := len(rd.x.segs)
	return func(yield func(int) bool) {
		for seg := lane * n / rd.lanes; seg < (lane+1)*n/rd.lanes && yield(seg); seg++ {
		}
	}
}

// gather reads the log. Each lane takes a stretch of it, so that the lists of a page are in LSN
// order, lane by lane.
func (r *Redo) gather(rd *round) (err error) {
	r.passes.Add(1)
	began := time.Now()
	defer func() { r.parseTook.Add(int64(time.Since(began))) }()
	if len(rd.parts) > 1 {
		if rd.aside, err = r.newSpill(rd.lanes, len(rd.parts)); err != nil {
			r.spillFailed(rd, err)
		}
	}
	first := rd.parts[0]
	first.newLanes()
	errs, asideErrs := make([]error, rd.lanes), make([]error, rd.lanes)
	var wg sync.WaitGroup
	for k := range rd.lanes {
		l := &lane{r: r, rd: rd, first: first.lanes[k]}
		if rd.aside != nil {
			l.aside = rd.aside.lanes[k]
		}
		wg.Go(func() {
			for seg := range rd.segments(k) {
				if errs[k] = l.segment(seg); errs[k] != nil {
					break
				}
			}
			if asideErrs[k] = l.asideErr; l.aside != nil && asideErrs[k] == nil {
				asideErrs[k] = l.aside.finish()
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if err := errors.Join(asideErrs...); err != nil {
		r.spillFailed(rd, err)
	} else if rd.aside != nil {
		r.spilled.Add(rd.aside.end.Load())
	}
	return nil
}

// lane gathers from a stretch of the log.
type lane struct {
	r        *Redo
	rd       *round
	first    *chains    // of the first part
	aside    *spillLane // of the others
	asideErr error      // then the others are left to later rounds
}

// segment takes the records of the round's pages from a segment: read from end to end, or group by
// group if there are few.
func (l *lane) segment(seg int) error {
	r, x := l.r, l.rd.x.segs[seg]
	switch n := l.rd.groups[seg]; {
	case n == 0:
		return nil
	case n*randomCost < int64(x.Segment.End-x.Segment.Start):
		return l.singleGroups(seg)
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
		if groups++; groups%256 == 0 && r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		bytes += int64(len(g.Payload))
		if err := l.file(seg, g); err != nil {
			return err
		}
	}
}

// singleGroups is segment by the lists of the index.
func (l *lane) singleGroups(seg int) error {
	r, x := l.r, l.rd.x.segs[seg]
	var lsns []base.LSN
	for _, p := range l.rd.parts {
		for _, i := range p.pages {
			var err error
			l.rd.x.eachNeeded(i, func(s *spot) {
				if int(s.seg) == seg && err == nil {
					lsns, _, err = x.Groups(lsns, s.place(x))
				}
			})
			if errors.Is(err, base.ErrCorrupt) {
				if err := r.rebuildSegment(x, err); err != nil {
					return err
				}
				return l.singleGroups(seg)
			}
			if err != nil {
				return err
			}
		}
	}
	slices.Sort(lsns)
	lsns = slices.Compact(lsns)
	cut, _ := slices.BinarySearch(lsns, r.from)
	err := r.fetcher.Groups(lsns[cut:], func(g redo.Group) error {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		r.groups.Add(1)
		r.bytes.Add(int64(len(g.Payload)))
		return l.file(seg, g)
	})
	if errors.Is(err, base.ErrCorrupt) { // the group, or the list that led to it
		return errors.Join(err, r.rebuildSegment(x, err))
	}
	return err
}

// file takes the records of the round's pages from a group. What is older than what a page needs is
// left: of that not all segments are read.
func (l *lane) file(seg int, g redo.Group) error {
	for rec, err := range redo.Records(g.Payload) {
		if err != nil {
			return fmt.Errorf("redo group at LSN %d: %w", g.LSN, err)
		}
		if rec.Op < redo.OpFirstPage {
			continue
		}
		i, ok := l.rd.x.find(rec.Page)
		if !ok {
			continue
		}
		switch a := &l.rd.allots[i]; {
		case a.part == 0 || uint32(seg) < a.since:
		case a.part == 1:
			if err := l.first.add(a.place, rec, g); err != nil {
				return fmt.Errorf("redo of page %s at LSN %d: %w", rec.Page, g.LSN, err)
			}
		case l.asideErr == nil:
			l.asideErr = l.aside.add(int(a.part)-1, a.place, rec, g)
		}
	}
	return nil
}

// spillFailed makes a round do with its first part.
func (r *Redo) spillFailed(rd *round, cause error) {
	r.noSpill = true
	r.o.Logger.Warn("redo cannot set records aside, and reads the log several times instead", "err", cause)
	for _, p := range rd.parts[1:] {
		for _, i := range p.pages {
			rd.allots[i] = allot{}
		}
	}
	rd.parts = rd.parts[:1]
}

// rounds redoes all pages of an index. part is told of each part that was done, with the error that
// kept some of its pages from it.
func (r *Redo) rounds(x *pageIndex, part func(p *pass, err error) error) error {
	for rd := r.newRound(x); rd != nil; rd = r.newRound(x) {
		if err := r.round(rd, part); err != nil {
			return err
		}
	}
	return nil
}

func (r *Redo) round(rd *round, part func(p *pass, err error) error) error {
	defer rd.mem.release()
	damage := r.gather(rd)
	if rd.aside != nil {
		defer rd.aside.close()
	}
	for k, p := range rd.parts {
		rd.parts[k] = nil // its lists are many, and needed no more when it is done
		err := damage
		if err == nil {
			err = r.run(p)
		}
		if err := part(p, err); err != nil {
			return err
		}
	}
	return nil
}
