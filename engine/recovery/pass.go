package recovery

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// pass is one part of a round: pages whose records are in memory at the same time. When their lists
// are complete, the pages are redone by their place in the files, in large reads. Until then, and
// for all other pages, a page somebody asks for is redone on demand. The memory of the lists is the
// next part's when no read is under way that began while the pass was there to be looked at; who
// only asks what is pending does not look into it.
type pass struct {
	rd     *round
	number uint32   // in the round, from 1
	pages  []uint32 // numbers of the pages, sorted
	memory int64    // that its lists will take, about
	built  int64    // pages that stand in lent frames before they are the pool's
	lent   int64    // frames for both, and for what later parts need beyond them
	lanes  []*chains
}

const (
	runMost  = 64  // pages of one read
	gapMost  = 4   // pages read through: cheaper than another request
	tellMost = 100 // pages that cannot be redone

	// Readers is how many reads are under way at once while the pages of a pass are redone. Devices
	// are fast with many; the processors have little to do for each.
	Readers = 16
)

// has tells whether the pass holds all that a page of the index needs.
func (p *pass) has(x *pageIndex, i uint32) bool {
	return p.rd.x == x && p.rd.allots[i].part == p.number
}

// builds tells whether the lists build the page from nothing.
func (p *pass) builds(i uint32) bool {
	return slices.ContainsFunc(p.lanes, func(c *chains) bool { return c.startsWithInit(p.rd.allots[i].place) })
}

// first is the lane from which on the page's records count.
func (p *pass) first(i uint32) (lane int) {
	for k, c := range p.lanes {
		if c.startsWithInit(p.rd.allots[i].place) {
			lane = k
		}
	}
	return lane
}

// enter has those pages that were built already enter the pool in the frames they stand in.
func (p *pass) enter(pages []uint32) error {
	for _, i := range pages {
		if im := p.lanes[p.first(i)].image(p.rd.allots[i].place); im != nil {
			if err := p.rd.mem.loan.Enter(im.frame, base.PageIDFrom(p.rd.x.pages[i])); err != nil {
				return err
			}
		}
	}
	return nil
}

// apply brings the page forward.
func (p *pass) apply(a *applier, i uint32) error {
	place, first := p.rd.allots[i].place, p.first(i)
	var last base.LSN
	for _, c := range p.lanes[first:] {
		if im := c.image(place); im != nil {
			last = im.last
			a.image(im, p.rd.mem.loan.Page(im.frame))
			continue
		}
		err := c.each(place, func(rec redo.Record, start, end base.LSN) error {
			last = start
			return a.record(rec, start, end)
		})
		if err != nil {
			return err
		}
	}
	x := p.rd.x
	if want := x.last(i); last != want {
		s := &x.spots[x.newest[i]-1]
		return &base.CorruptError{File: x.segs[s.seg].Segment.Path, Page: a.id,
			Detail: fmt.Sprintf("the last group of the page stands at LSN %d, its index says %d", last, want)}
	}
	return nil
}

func (p *pass) newLanes() {
	for range p.rd.lanes {
		p.lanes = append(p.lanes, newChains(p.rd.mem, len(p.pages)))
	}
}

// run redoes the pages of a pass. Pages of a later part whose records cannot be taken back from
// where they were set aside stay pending, for another round.
func (r *Redo) run(p *pass) error {
	if p.number > 1 {
		began := time.Now()
		p.rd.mem.again(p.lent)
		p.newLanes()
		if err := p.rd.aside.take(r.ctx, int(p.number)-1, p.lanes); r.ctx.Err() != nil {
			return r.ctx.Err()
		} else if err != nil {
			r.noSpill = true
			r.o.Logger.Warn("records that redo had set aside are lost; they are read from the log again", "err", err)
			return nil
		}
		r.parseTook.Add(int64(time.Since(began)))
	}
	began := time.Now()
	r.pass.Store(p)
	defer func() {
		r.pass.Store(nil)
		r.pool.Recovery().WaitReads() // who reads a page just now may still look at the pass
		r.applyTook.Add(int64(time.Since(began)))
	}()
	return r.applyAll(p)
}

// applyAll redoes the pages of the pass on all cores, neighbours together.
func (r *Redo) applyAll(p *pass) error {
	x := p.rd.x
	var mu sync.Mutex
	at := 0
	next := func() (first base.PageID, n int, pages []uint32) {
		mu.Lock()
		defer mu.Unlock()
		if at == len(p.pages) {
			return first, 0, nil
		}
		from, begin := at, x.pages[p.pages[at]]
		last := begin
		for at++; at < len(p.pages); at++ {
			page := x.pages[p.pages[at]]
			if page-last > gapMost+1 || page-begin >= runMost || base.PageIDFrom(page).Space != base.PageIDFrom(begin).Space {
				break
			}
			last = page
		}
		r.read.Add(int64(at - from))
		return base.PageIDFrom(begin), int(last-begin) + 1, p.pages[from:at]
	}
	errs := make([]error, Readers)
	var wg sync.WaitGroup
	for k := range Readers {
		wg.Go(func() {
			for first, n, pages := next(); n > 0 && errs[k] == nil; first, n, pages = next() {
				if errs[k] = r.ctx.Err(); errs[k] != nil {
					break
				}
				if errs[k] = p.enter(pages); errs[k] == nil {
					errs[k] = r.unlessDropped(x, first, n, r.pool.Recovery().RedoRun(first, n))
				}
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// unlessDropped is the error of the redo of n pages from first on, but for that of pages whose
// space was dropped meanwhile.
func (r *Redo) unlessDropped(x *pageIndex, first base.PageID, n int, err error) error {
	if err == nil || !errors.Is(err, base.ErrNotFound) && !errors.Is(err, pagefile.ErrNoSpace) && r.o.Files.Exists(first.Space) {
		return err
	}
	for k := range n {
		if i, ok := x.find(base.PageID{Space: first.Space, No: first.No + base.PageNo(k)}); ok {
			x.done(i)
		}
	}
	return nil
}

// singly redoes the pages of a pass that met damage, each from its own groups.
func (r *Redo) singly(p *pass) error {
	x := p.rd.x
	for _, i := range p.pages {
		if !x.isPending(i) {
			continue
		}
		if err := r.ctx.Err(); err != nil {
			return err
		}
		id := base.PageIDFrom(x.pages[i])
		err := r.unlessDropped(x, id, 1, r.pool.Recovery().Redo(id))
		if errors.Is(err, base.ErrCorrupt) {
			err = r.giveUp(x, i, id, err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// giveUp decides about a page that cannot be redone. One whose bytes on disk are damaged is never
// taken for a page, with its redo in the log or without: the damage is the page's alone. Another
// must be kept from being read as it is on disk, in later lives too: its redo stays.
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
