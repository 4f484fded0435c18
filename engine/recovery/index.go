package recovery

import (
	"cmp"
	"math/bits"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"emberdb/engine/redo"
	"emberdb/internal/base"
)

// pageIndex is the index of all pages that need redo: which they are, and in which segments their
// groups are listed. It is made from the heads of the segments' indexes and stays as it is, but for
// the bits.
//
// Memory: a page costs 8 bytes for its id, 4 for its first spot, 8 to 16 in the hash table and 2
// bits; each segment that changes it 24 bytes.
type pageIndex struct {
	segs    []*redo.SegmentIndex
	pages   []uint64 // base.PageID.Uint64, sorted
	newest  []uint32 // by page: its spot in the newest segment, plus 1
	spots   []spot
	table   []uint32 // hash table: page plus 1; 0 is empty
	pending []uint64 // a bit for each page; atomic
	kept    []uint64 // the same; set: an earlier process left the page in memory, not examined yet
	left    atomic.Int64
}

// spot tells where a segment lists the groups of a page.
type spot struct {
	at, bytes, last uint32 // redo.Place; last relative to the segment's start
	groups          uint32 // twice the number, plus 1 if one of them initialises the page
	older           uint32 // the page's spot in the next older segment, plus 1; 0: none
	seg             uint32
}

const (
	pageCost = 32 // bytes of memory
	spotCost = 24
)

func (s *spot) place(x *redo.SegmentIndex) redo.Place {
	return redo.Place{At: s.at, Bytes: s.bytes, Groups: s.groups / 2, Init: s.groups%2 != 0, Last: x.Segment.Start + base.LSN(s.last)}
}

// need decides which entries of the segments' indexes count.
type need struct {
	from    base.LSN
	gone    map[base.SpaceID]bool // dropped later
	written []redo.PageLSN        // sorted by page, the newest version of each
}

// newNeed collects what the log says about pages on disk, unless the pages are fuzzy.
func newNeed(segs []*redo.SegmentIndex, from base.LSN, gone map[base.SpaceID]bool, fuzzy bool) *need {
	n := &need{from: from, gone: gone}
	if fuzzy {
		return n
	}
	for _, x := range segs {
		for w := range x.Written() {
			if w.LSN > from {
				n.written = append(n.written, w)
			}
		}
	}
	slices.SortFunc(n.written, func(a, b redo.PageLSN) int {
		return cmp.Or(cmp.Compare(a.Page.Uint64(), b.Page.Uint64()), cmp.Compare(b.LSN, a.LSN))
	})
	n.written = slices.CompactFunc(n.written, func(a, b redo.PageLSN) bool { return a.Page == b.Page })
	return n
}

// each calls fn for the pages of a segment that may need its groups, in order.
func (n *need) each(x *redo.SegmentIndex, fn func(page uint64, p redo.Place)) {
	w := n.written
	space, gone := base.SpaceID(0), n.gone[0]
	for id, p := range x.All() {
		if id.Space != space {
			space, gone = id.Space, n.gone[id.Space]
		}
		if gone || p.Last < n.from {
			continue
		}
		page := id.Uint64()
		for len(w) > 0 && w[0].Page.Uint64() < page {
			w = w[1:]
		}
		if len(w) > 0 && w[0].Page == id && p.Last < w[0].LSN {
			continue // that version holds the last group
		}
		fn(page, p)
	}
}

// newPageIndex makes the index of as many segments, oldest first, as fit the budget, at least one.
func newPageIndex(segs []*redo.SegmentIndex, n *need, budget int64) *pageIndex {
	lists := make([][]uint64, len(segs))
	inParallel(len(segs), func(i int) {
		n.each(segs[i], func(page uint64, _ redo.Place) { lists[i] = append(lists[i], page) })
	})
	take, spots := 0, 0
	for take < len(segs) && (take == 0 || int64(spots+len(lists[take]))*spotCost <= budget) {
		spots += len(lists[take])
		take++
	}
	x := &pageIndex{segs: segs[:take], pages: union(lists[:take])}
	x.newest = make([]uint32, len(x.pages))
	x.spots = make([]spot, 0, spots)
	x.pending, x.kept = make([]uint64, len(x.pages)/64+1), make([]uint64, len(x.pages)/64+1)
	for i, s := range x.segs {
		x.enter(uint32(i), s, n)
	}
	x.hash()
	for i := range x.pages {
		x.pending[i/64] |= 1 << (i % 64)
	}
	x.left.Store(int64(len(x.pages)))
	return x
}

// keepLists has the segments keep their lists, which demands ask for, if they fit the budget. They
// are about half a percent of the log.
func (x *pageIndex) keepLists(budget int64) {
	for _, s := range x.segs {
		budget -= s.ListBytes()
	}
	for _, s := range x.segs {
		if budget >= 0 {
			s.KeepLists()
		}
	}
}

// enter adds the spots of a segment newer than all before.
func (x *pageIndex) enter(seg uint32, s *redo.SegmentIndex, n *need) {
	at := 0
	n.each(s, func(page uint64, p redo.Place) {
		for x.pages[at] < page {
			at++
		}
		groups := p.Groups * 2
		if p.Init {
			groups++
		}
		x.spots = append(x.spots, spot{at: p.At, bytes: p.Bytes, last: uint32(p.Last - s.Segment.Start), groups: groups, older: x.newest[at], seg: seg})
		x.newest[at] = uint32(len(x.spots))
	})
}

// union merges sorted lists.
func union(lists [][]uint64) []uint64 {
	if len(lists) == 0 {
		return nil
	}
	for len(lists) > 1 {
		half := make([][]uint64, (len(lists)+1)/2)
		inParallel(len(half), func(i int) {
			if half[i] = lists[2*i]; 2*i+1 < len(lists) {
				half[i] = merge(lists[2*i], lists[2*i+1])
			}
		})
		lists = half
	}
	return lists[0]
}

func merge(a, b []uint64) []uint64 {
	out := make([]uint64, 0, max(len(a), len(b)))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			out, a = append(out, a[0]), a[1:]
		case a[0] > b[0]:
			out, b = append(out, b[0]), b[1:]
		default:
			out, a, b = append(out, a[0]), a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}

func (x *pageIndex) hash() {
	x.table = make([]uint32, 1<<bits.Len(uint(2*len(x.pages))))
	for i, page := range x.pages {
		at := x.bucket(page)
		for x.table[at] != 0 {
			at = (at + 1) & uint64(len(x.table)-1)
		}
		x.table[at] = uint32(i) + 1
	}
}

func (x *pageIndex) bucket(page uint64) uint64 {
	h := page * 0x9E3779B97F4A7C15
	return (h ^ h>>32) & uint64(len(x.table)-1) // a power of two
}

// find returns the number of a page.
func (x *pageIndex) find(id base.PageID) (i uint32, ok bool) {
	page := id.Uint64()
	for at := x.bucket(page); x.table[at] != 0; at = (at + 1) & uint64(len(x.table)-1) {
		if i := x.table[at] - 1; x.pages[i] == page {
			return i, true
		}
	}
	return 0, false
}

func (x *pageIndex) isPending(i uint32) bool {
	return atomic.LoadUint64(&x.pending[i/64])&(1<<(i%64)) != 0
}

// keep notes that a pending page was left in memory, with all its changes.
func (x *pageIndex) keep(i uint32) { atomic.OrUint64(&x.kept[i/64], 1<<(i%64)) }

func (x *pageIndex) isKept(i uint32) bool {
	return atomic.LoadUint64(&x.kept[i/64])&(1<<(i%64)) != 0
}

// examined notes that page i, if it was left in memory, is like any other from now on.
func (x *pageIndex) examined(i uint32) { atomic.AndUint64(&x.kept[i/64], ^(uint64(1) << (i % 64))) }

// waits counts the pending pages that were not left in memory.
func (x *pageIndex) waits() (n int) {
	for k := range x.pending {
		n += bits.OnesCount64(atomic.LoadUint64(&x.pending[k]) &^ atomic.LoadUint64(&x.kept[k]))
	}
	return n
}

// last is where the last group that changes a page begins. The page's LSN is above it if the page
// has that change.
func (x *pageIndex) last(i uint32) base.LSN {
	s := &x.spots[x.newest[i]-1]
	return x.segs[s.seg].Segment.Start + base.LSN(s.last)
}

// done notes that a page needs no redo any more.
func (x *pageIndex) done(i uint32) {
	if bit := uint64(1) << (i % 64); atomic.AndUint64(&x.pending[i/64], ^bit)&bit != 0 {
		x.left.Add(-1)
	}
}

// eachSpot walks the spots of a page from the newest segment to the oldest.
func (x *pageIndex) eachSpot(i uint32, fn func(*spot) bool) {
	for at := x.newest[i]; at != 0; at = x.spots[at-1].older {
		if !fn(&x.spots[at-1]) {
			return
		}
	}
}

// eachNeeded walks the spots that redo of a page needs, from the newest segment on: what stands
// before an initialisation does not matter.
func (x *pageIndex) eachNeeded(i uint32, fn func(*spot)) {
	x.eachSpot(i, func(s *spot) bool {
		fn(s)
		return s.groups%2 == 0
	})
}

// byAge lists the pages that wait for their redo, those first that need the oldest segments, of one
// segment by their places.
func (x *pageIndex) byAge() []uint32 {
	bySeg := make([][]uint32, len(x.segs))
	for i := range uint32(len(x.pages)) {
		if !x.isPending(i) || x.isKept(i) {
			continue
		}
		since := uint32(0)
		x.eachNeeded(i, func(s *spot) { since = s.seg })
		bySeg[since] = append(bySeg[since], i)
	}
	return slices.Concat(bySeg...)
}

// oldest is where the oldest segment begins that a pending page needs; 0 if none is pending.
func (x *pageIndex) oldest() (seg uint32, lsn base.LSN) {
	seg = uint32(len(x.segs))
	for i := range uint32(len(x.pages)) {
		if x.isPending(i) {
			x.eachSpot(i, func(s *spot) bool {
				seg = min(seg, s.seg)
				return s.seg > 0
			})
		}
		if seg == 0 {
			break
		}
	}
	if int(seg) == len(x.segs) {
		return seg, 0
	}
	return seg, max(x.segs[seg].Segment.Start, x.segs[seg].From)
}

// inParallel calls fn for 0..n-1 on all cores.
func inParallel(n int, fn func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(n, 2*runtime.GOMAXPROCS(0)) { // some wait for reads
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				fn(i)
			}
		})
	}
	wg.Wait()
}
