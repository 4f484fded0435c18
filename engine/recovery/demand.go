package recovery

import (
	"errors"
	"fmt"
	"slices"

	"emberdb/engine/buffer"
	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/internal/base"
)

// How one page is redone: from the lists of a pass that has them at hand, else from the log, group
// by group, on demand.

// OnRead applies what the page still needs. It makes Redo a buffer.Source: the pool calls it under
// the page's X latch when the page has come from disk, or, for a resident page, from
// buffer.Recovery.Redo. It returns the LSN from which the page is dirty, 0 if it is not.
func (r *Redo) OnRead(id base.PageID, page []byte) (base.LSN, error) {
	x := r.index.Load()
	if x == nil {
		return 0, nil
	}
	i, ok := x.find(id)
	if !ok || !x.isPending(i) {
		return 0, nil
	}
	if pagefile.LSN(page) > x.last(i) {
		r.skipped.Add(1)
		x.done(i)
		return 0, nil
	}
	a := applier{r: r, id: id, page: page, lsn: pagefile.LSN(page)}
	a.fresh = a.lsn == 0 && pagefile.Type(page) == 0
	var err error
	if p := r.pass.Load(); p != nil && p.has(x, i) {
		err = p.apply(&a, i)
	} else {
		r.demanded.Add(1)
		err = r.demand(x, i, &a)
	}
	if err != nil {
		return 0, err
	}
	if a.oldest != 0 {
		pagefile.SetLSN(page, a.end)
		r.changed.Add(1)
		if a.fresh {
			r.news.Add(1)
		}
	}
	x.done(i)
	return a.oldest, nil
}

// Kept implements buffer.Source. A version behind the end of the log is of a change that the log
// has lost, one that is older than the log's last change of the page is not the page's newest:
// neither is right. A page that the index does not know is on disk as it is in memory.
func (r *Redo) Kept(id base.PageID, lsn base.LSN) (since base.LSN, newest bool) {
	if lsn > r.to || r.gone[id.Space] || !r.hasFile(id.Space) {
		return 0, false
	}
	x := r.index.Load()
	if x == nil {
		return 0, true
	}
	i, ok := x.find(id)
	if !ok || !x.isPending(i) {
		return 0, true
	}
	if lsn <= x.last(i) {
		return 0, false
	}
	x.eachNeeded(i, func(s *spot) { since = max(x.segs[s.seg].Segment.Start, r.from) })
	x.keep(i)
	return since, true
}

// hasFile tells whether a space has a file. It asks the file system once for each: a pool holds
// millions of pages.
func (r *Redo) hasFile(space base.SpaceID) bool {
	if has, known := r.hasFiles.Load(space); known {
		return has.(bool)
	}
	has := r.o.Files.Exists(space)
	r.hasFiles.Store(space, has)
	return has
}

// Pending tells what OnRead would do with a page.
func (r *Redo) Pending(id base.PageID) buffer.Pending {
	x := r.index.Load()
	if x == nil {
		return buffer.NotPending
	}
	i, ok := x.find(id)
	if !ok || !x.isPending(i) {
		return buffer.NotPending
	}
	switch p := r.pass.Load(); {
	case p == nil || !p.has(x, i):
		return buffer.PendingFromLog
	case p.builds(i):
		return buffer.PendingBuilds
	}
	return buffer.PendingAtHand
}

// Rebuild makes a page, in memory of the caller's, what the pool would make of it: its version on
// disk, and its redo. It leaves the page pending.
func (r *Redo) Rebuild(id base.PageID, page []byte) error {
	err := r.o.Files.Read(id, page)
	x := r.index.Load()
	i, pending := uint32(0), false
	if x != nil {
		if i, pending = x.find(id); pending {
			pending = x.isPending(i)
		}
	}
	if !pending {
		return err
	}
	if errors.Is(err, pagefile.ErrNeverWritten) || errors.Is(err, base.ErrCorrupt) {
		clear(page)
	} else if err != nil {
		return err
	}
	a := applier{r: r, id: id, page: page, lsn: pagefile.LSN(page)}
	a.fresh = a.lsn == 0 && pagefile.Type(page) == 0
	if err := r.demand(x, i, &a); err != nil {
		return err
	}
	if a.oldest != 0 {
		pagefile.SetLSN(page, a.end)
	}
	return nil
}

// applier brings one page forward.
type applier struct {
	r     *Redo
	id    base.PageID
	page  []byte
	lsn   base.LSN // of the page as it was read
	fresh bool     // the page was never written, or its bytes are damaged
	skip  bool     // pass over records up to the one that initialises the page

	oldest, end base.LSN // of the first and the last group applied
}

// record applies a record of the page. Calls come in LSN order.
func (a *applier) record(rec redo.Record, start, end base.LSN) error {
	if a.lsn >= end {
		a.r.skipped.Add(1)
		return nil
	}
	if rec.Op == redo.OpInitPage {
		a.skip = false
	} else if a.skip {
		a.r.skipped.Add(1)
		return nil
	} else if a.fresh && a.oldest == 0 {
		return &base.CorruptError{File: a.r.o.Files.Path(a.id.Space), Page: a.id, Offset: int64(a.id.No) * base.PageSize,
			Detail: "the page was never written and its redo does not begin with its creation"}
	}
	if a.oldest == 0 {
		a.oldest = start
	}
	a.r.applied.Add(1)
	rec.Page = a.id
	if err := redo.Apply(rec, a.page); err != nil {
		return fmt.Errorf("redo of page %s at LSN %d: %w", a.id, start, err)
	}
	a.end = end
	return nil
}

// image takes the page as its records have built it, unless the one on disk is newer.
func (a *applier) image(im *image, built []byte) {
	if a.lsn >= im.end {
		a.r.skipped.Add(im.records)
		return
	}
	if &a.page[0] != &built[0] {
		copy(a.page, built)
	}
	a.r.applied.Add(im.records)
	a.fresh, a.oldest, a.end = true, im.oldest, im.end
}

// demand redoes a page from the log. A list that turns out to be damaged is made again by parsing
// its segment, once.
func (r *Redo) demand(x *pageIndex, i uint32, a *applier) error {
	lsns, init, err := r.groupsOf(x, i, a.lsn)
	if err != nil {
		return err
	}
	groups, err := r.readGroups(a.id, lsns)
	if errors.Is(err, base.ErrCorrupt) {
		if err := r.rebuild(x, i, a.lsn, err); err != nil {
			return err
		}
		if lsns, init, err = r.groupsOf(x, i, a.lsn); err != nil {
			return err
		}
		groups, err = r.readGroups(a.id, lsns)
	}
	if err != nil {
		return err
	}
	a.skip = init && (a.fresh || len(groups) > 0 && a.lsn < groups[0].End)
	for _, g := range groups {
		for rec, err := range redo.Records(g.Payload) {
			if err != nil {
				return fmt.Errorf("redo group at LSN %d: %w", g.LSN, err)
			}
			if err := a.record(rec, g.LSN, g.End); err != nil {
				return err
			}
		}
	}
	return nil
}

// groupsOf returns the LSNs of the groups a page of the given LSN needs, in order; init: the first
// of them initialises it.
func (r *Redo) groupsOf(x *pageIndex, i uint32, have base.LSN) (lsns []base.LSN, init bool, err error) {
	var needed []*spot
	x.eachSpot(i, func(s *spot) bool {
		if x.segs[s.seg].Segment.End <= have {
			return false
		}
		needed = append(needed, s)
		return s.groups%2 == 0 // what stands before an initialisation does not matter
	})
	slices.Reverse(needed)
	parts, inits, errs := make([][]base.LSN, len(needed)), make([]bool, len(needed)), make([]error, len(needed))
	inParallel(len(needed), func(k int) {
		s := needed[k]
		parts[k], inits[k], errs[k] = x.segs[s.seg].Groups(nil, s.place(x.segs[s.seg]))
		if errors.Is(errs[k], base.ErrCorrupt) {
			if errs[k] = r.rebuildSegment(x.segs[s.seg], errs[k]); errs[k] == nil {
				parts[k], inits[k], errs[k] = x.segs[s.seg].Groups(nil, s.place(x.segs[s.seg]))
			}
		}
	})
	if err := errors.Join(errs...); err != nil {
		return nil, false, err
	}
	for _, p := range parts {
		lsns = append(lsns, p...)
	}
	from := max(have, r.from)
	cut, _ := slices.BinarySearch(lsns, from)
	return lsns[cut:], len(inits) > 0 && inits[0] && cut == 0, nil
}

// readGroups returns the groups at lsns, each reduced to the records of the page.
func (r *Redo) readGroups(id base.PageID, lsns []base.LSN) ([]redo.Group, error) {
	out := make([]redo.Group, 0, len(lsns))
	var arena []byte
	err := r.fetcher.Groups(lsns, func(g redo.Group) error {
		first := len(arena)
		for rec, err := range redo.Records(g.Payload) {
			if err != nil {
				return fmt.Errorf("redo group at LSN %d: %w", g.LSN, err)
			}
			if rec.Page == id && rec.Op >= redo.OpFirstPage {
				arena = redo.AppendRecord(arena, rec.Op, id, rec.Body)
			}
		}
		if len(arena) == first {
			return &base.CorruptError{File: r.o.Files.Path(id.Space), Page: id, Detail: fmt.Sprintf("the group at LSN %d does not change the page", g.LSN)}
		}
		r.bytes.Add(int64(len(g.Payload)))
		out = append(out, redo.Group{LSN: g.LSN, End: g.End, Payload: arena[first:len(arena):len(arena)]})
		return nil
	})
	return out, err
}

// rebuild parses the segments that list groups of the page.
func (r *Redo) rebuild(x *pageIndex, i uint32, have base.LSN, cause error) error {
	var errs []error
	x.eachSpot(i, func(s *spot) bool {
		if x.segs[s.seg].Segment.End <= have {
			return false
		}
		errs = append(errs, r.rebuildSegment(x.segs[s.seg], cause))
		return true
	})
	return errors.Join(errs...)
}

// rebuildSegment makes the lists of a segment again, unless that was done before.
func (r *Redo) rebuildSegment(x *redo.SegmentIndex, cause error) error {
	r.rebuilding.Lock()
	defer r.rebuilding.Unlock()
	if err, ok := r.rebuilt[x.Segment.Number]; ok {
		return err
	}
	r.o.Logger.Warn("the page index of a redo segment is damaged; the segment is parsed", "file", x.Segment.Path, "err", cause)
	err := x.Rebuild()
	if err == nil || errors.Is(err, base.ErrCorrupt) {
		r.rebuilt[x.Segment.Number] = err
	}
	return err
}
