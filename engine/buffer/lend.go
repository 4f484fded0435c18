package buffer

import (
	"slices"

	"emberdb/internal/base"
)

// Loan is free frames lent out as plain memory: until the pool has pages for them, they may hold
// something else, also pages to be. A loan belongs to one goroutine, but for Page and Enter. Its
// frames are claimed and in no list, so a Resize to fewer frames than the highest of them waits for
// it.
type Loan struct {
	r    *Reader
	refs []frameRef
}

const lendStep = 512 // frames taken or given back under one hold of the LRU mutex

// Lend lends n frames, or as many as are free: nothing is evicted.
func (r *Recovery) Lend(n int) *Loan {
	l := &Loan{r: r.reader}
	for len(l.refs) < n {
		r.lru.mu.Lock()
		for range min(lendStep, n-len(l.refs)) {
			ref := r.lru.freePopLocked()
			if ref == 0 {
				r.lru.mu.Unlock()
				return l
			}
			l.refs = append(l.refs, ref)
		}
		r.lru.mu.Unlock()
	}
	return l
}

// Pages is how many frames the loan has.
func (l *Loan) Pages() int { return len(l.refs) }

// Page is the memory of one of them. What stands in it at first is not defined.
func (l *Loan) Page(i int) []byte { return l.r.page(l.refs[i]) }

// Enter makes frame i, in which the page stands, that page of the pool, if it is not there. The
// Source sees it first; what it returns 0 for, the pool does not want. The frame leaves the loan,
// unless the page is there already, or its space was dropped.
func (l *Loan) Enter(i int, id base.PageID) error {
	r, ref := l.r, l.refs[i]
	if !r.enterAbsent(id.Uint64(), ref) {
		return nil
	}
	oldest, err := (*r.source.Load()).OnRead(id, r.page(ref))
	l.refs[i] = 0
	if err != nil || oldest == 0 {
		r.readFailed(ref, errReadAgain)
		return err
	}
	list, rank := r.missed(id, true)
	r.admit(ref, oldest, 0, 0)
	r.enterMiss(ref, list, rank)
	r.procs.at(ref).latch.Unlock()
	r.procs.at(ref).unpin()
	return nil
}

// Keep gives all but n back; those that stay have other numbers.
func (l *Loan) Keep(n int) {
	l.refs = slices.DeleteFunc(l.refs, func(ref frameRef) bool { return ref == 0 })
	for k := len(l.refs) - 1; k >= n; k-- { // what was taken last comes to lie deepest again
		l.r.lru.freeFrame(l.refs[k])
	}
	l.refs = l.refs[:min(n, len(l.refs))]
}
