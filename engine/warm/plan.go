package warm

import (
	"cmp"
	"slices"
	"sync"

	"emberdb/engine/buffer"
	"emberdb/internal/base"
)

const (
	runPages = 64 // most pages of one read: 1 MiB
	// urgentMost is how many missed neighbourhoods wait at most; more misses than the device has
	// reads to offer say nothing.
	urgentMost = 64
	// debtMost bounds how much of one a volume's past reads let the next have of the other, in
	// pages: it does not save up what was not asked for.
	debtMost = 4 * runPages
	// lookAhead is how many pages of a tier one search for a read passes at most.
	lookAhead = 4096
)

// tiers are the shares of the list, hottest first, as parts of 16; what is left is the last tier.
var tiers = [...]int{1, 4}

const taken = buffer.RankGap // rank of a page that was part of a read

// wanted is a page to be read.
type wanted struct {
	id   uint64
	rank int32 // place in the list; taken
}

// plan hands out the reads of a load: what queries miss first, then tier by tier.
type plan struct {
	mu     sync.Mutex
	pages  []wanted // by id
	tierOf []uint8  // parallel to pages
	order  []int32  // indexes of pages by tier, then by id
	ends   []int    // places in order at which the tiers end
	at     int      // place in order: all before it are taken
	urgent []int32  // indexes of pages whose neighbourhoods go first, oldest first
	debt   int      // pages that the last reads had less than reach each; below 0: more
	short  int      // place in order: where to look for the tier's next read of up to reach pages
	long   int      // and for one of more
}

// newPlan prepares the load of ids, hot to cold.
func newPlan(ids []uint64) *plan {
	pages := make([]wanted, 0, len(ids))
	for rank, id := range ids {
		pages = append(pages, wanted{id, int32(rank)})
	}
	return planOf(pages, len(ids))
}

// planOf prepares the load of some pages of a list.
func planOf(pages []wanted, listed int) *plan {
	p := &plan{pages: pages}
	slices.SortFunc(p.pages, func(a, b wanted) int { return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.rank, b.rank)) })
	p.setTiers(listed)
	return p
}

// setTiers leaves one entry of each page and orders them.
func (p *plan) setTiers(listed int) {
	bounds := make([]int32, 0, len(tiers))
	for _, sixteenths := range tiers {
		bounds = append(bounds, int32(listed*sixteenths/16))
	}
	counts := make([]int, len(tiers)+1)
	kept := p.pages[:0]
	for _, w := range p.pages {
		if n := len(kept); n > 0 && kept[n-1].id == w.id {
			continue
		}
		tier, _ := slices.BinarySearch(bounds, w.rank+1)
		kept = append(kept, w)
		p.tierOf = append(p.tierOf, uint8(tier))
		counts[tier]++
	}
	p.pages = kept
	starts, sum := make([]int, len(counts)), 0
	for t, n := range counts {
		starts[t] = sum
		sum += n
		p.ends = append(p.ends, sum)
	}
	p.order = make([]int32, len(p.pages))
	for i, t := range p.tierOf {
		p.order[starts[t]] = int32(i)
		starts[t]++
	}
}

// next returns the next read, of up to most pages: its first page, the rank of each page, and how
// many tiers are done. ok is false at the end. ranks is reused. reach is how many pages cost the
// device no more than another request: gaps of half as many are read through, and a shorter read
// takes listed pages of later tiers along. Within a tier longer and shorter reads take turns, so
// that neither bytes nor requests of the device lie idle while the other is short.
func (p *plan) next(ranks []int32, most, reach int) (first base.PageID, _ []int32, done int, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.urgent) > 0 {
		if i := p.neighbourLocked(int(p.urgent[0]), reach); i >= 0 {
			first, ranks = p.runLocked(i, len(tiers), ranks[:0], most, reach)
			return first, ranks, p.doneLocked(), true
		}
		p.urgent = p.urgent[1:]
	}
	for ; p.at < len(p.order); p.at++ {
		if i := int(p.order[p.at]); p.pages[i].rank != taken {
			first, ranks = p.runLocked(p.balanceLocked(i, most, reach), int(p.tierOf[i]), ranks[:0], most, reach)
			return first, ranks, p.doneLocked(), true
		}
	}
	return base.PageID{}, nil, len(p.ends), false
}

// balanceLocked is the first page of the tier's next read that pays for the last ones: longer than
// reach if they were shorter. It is page i, the tier's first not taken, if no such read is near.
func (p *plan) balanceLocked(i, most, reach int) int {
	long, tier := p.debt > 0, int(p.tierOf[i])
	at := &p.short
	if long {
		at = &p.long
	}
	*at = max(*at, p.at)
	for end := min(*at+lookAhead, p.ends[tier]); *at < end; *at++ {
		start := int(p.order[*at])
		if p.pages[start].rank == taken {
			continue
		}
		last := p.lastLocked(start, tier, most, reach)
		if p.pages[last].id-p.pages[start].id >= uint64(reach) == long {
			return start
		}
		for *at+1 < end && int(p.order[*at+1]) <= last {
			*at++
		}
	}
	return i
}

// doneLocked is how many tiers have been handed out.
func (p *plan) doneLocked() (done int) {
	for done < len(p.ends) && p.at >= p.ends[done] {
		done++
	}
	return done
}

// near tells whether a read that covers the page before goes on to the page id.
func near(before, id uint64, reach int) bool {
	return id-before <= uint64(reach)/2+1 && id>>32 == before>>32
}

// neighbourLocked is the first page not taken of the neighbourhood of page i: what a read around it
// covers. -1: all are taken.
func (p *plan) neighbourLocked(i, reach int) int {
	start, edge := -1, p.pages[i].id
	for j := i; j >= 0 && near(p.pages[j].id, edge, reach) && p.pages[i].id-p.pages[j].id < runPages/2; j-- {
		if p.pages[j].rank != taken {
			start, edge = j, p.pages[j].id
		}
	}
	for j := i + 1; start < 0 && j < len(p.pages) && near(p.pages[i].id, p.pages[j].id, reach); j++ {
		if p.pages[j].rank != taken {
			start = j
		}
	}
	return start
}

// lastLocked is the last page of the run that begins with page i: the last of the tier, or of a
// hotter one, that is near enough; the run is reach pages long if listed ones go on so far.
func (p *plan) lastLocked(i, tier, most, reach int) (last int) {
	start := p.pages[i].id
	last = i
	for j := i + 1; j < len(p.pages); j++ {
		id := p.pages[j].id
		if id-start >= uint64(most) || !near(p.pages[last].id, id, reach) {
			break
		}
		if p.pages[j].rank != taken && (int(p.tierOf[j]) <= tier || id-start < uint64(reach)) {
			last = j
		}
	}
	return last
}

// runLocked takes the run that begins with page i.
func (p *plan) runLocked(i, tier int, ranks []int32, most, reach int) (base.PageID, []int32) {
	start := p.pages[i].id
	for j, last := i, p.lastLocked(i, tier, most, reach); j <= last; j++ {
		for uint64(len(ranks)) < p.pages[j].id-start {
			ranks = append(ranks, buffer.RankGap)
		}
		ranks = append(ranks, p.pages[j].rank) // of a later tier too: its bytes come along anyway
		p.pages[j].rank = taken
	}
	p.debt = max(-debtMost, min(p.debt+reach-len(ranks), debtMost))
	return base.PageIDFrom(start), ranks
}

// missed notes that a query reads a page itself, and returns its rank; RankNone: the load does not
// want it. Its neighbourhood goes first.
func (p *plan) missed(id base.PageID) (rank int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	i, ok := p.findLocked(id.Uint64())
	if !ok || p.pages[i].rank == taken {
		return buffer.RankNone
	}
	rank = int(p.pages[i].rank)
	p.pages[i].rank = taken
	if len(p.urgent) < urgentMost {
		p.urgent = append(p.urgent, int32(i))
	}
	return rank
}

// wants tells whether a page is listed and not taken.
func (p *plan) wants(id base.PageID) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	i, ok := p.findLocked(id.Uint64())
	return ok && p.pages[i].rank != taken
}

// lists tells whether a page was listed, taken or not.
func (p *plan) lists(id base.PageID) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, ok := p.findLocked(id.Uint64())
	return ok
}

// around takes the run of up to most pages that holds the page id. ok is false when the load does
// not want that page, or has taken it.
func (p *plan) around(id base.PageID, ranks []int32, most int) (first base.PageID, _ []int32, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	i, ok := p.findLocked(id.Uint64())
	if !ok || p.pages[i].rank == taken {
		return first, nil, false
	}
	start := i
	for j := i - 1; j >= 0 && near(p.pages[j].id, p.pages[start].id, most) && p.pages[i].id-p.pages[j].id < uint64(most+1)/2; j-- {
		if p.pages[j].rank != taken {
			start = j
		}
	}
	first, ranks = p.runLocked(start, len(tiers), ranks, most, most)
	return first, ranks, true
}

// giveBack returns the pages of a read that found no frame.
func (p *plan) giveBack(first base.PageID, ranks []int32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for k, rank := range ranks {
		if rank == buffer.RankGap {
			continue
		}
		if i, ok := p.findLocked(first.Uint64() + uint64(k)); ok {
			p.pages[i].rank = rank
			p.urgent = append(p.urgent, int32(i))
		}
	}
}

func (p *plan) findLocked(id uint64) (int, bool) {
	return slices.BinarySearchFunc(p.pages, id, func(w wanted, id uint64) int { return cmp.Compare(w.id, id) })
}
