package buffer

// Loan is free frames lent out as plain memory: until the pool has pages for them, they may hold something else. A loan belongs to one goroutine, but for Page.
// Its frames are claimed and in no list, so a Resize to fewer frames than the highest of them waits for it.
type Loan struct {
	p    *Pool
	refs []frameRef
}

const lendStep = 512 // frames taken or given back under one hold of the LRU mutex

// Lend lends n frames, or as many as are free: nothing is evicted.
func (p *Pool) Lend(n int) *Loan {
	l := &Loan{p: p}
	for len(l.refs) < n {
		p.lru.mu.Lock()
		for range min(lendStep, n-len(l.refs)) {
			ref := p.freePopLocked()
			if ref == 0 {
				p.lru.mu.Unlock()
				return l
			}
			l.refs = append(l.refs, ref)
		}
		p.lru.mu.Unlock()
	}
	return l
}

// Pages is how many frames the loan has.
func (l *Loan) Pages() int { return len(l.refs) }

// Page is the memory of one of them. What stands in it at first is not defined.
func (l *Loan) Page(i int) []byte { return l.p.page(l.refs[i]) }

// Keep gives all but the first n back.
func (l *Loan) Keep(n int) {
	for k := len(l.refs) - 1; k >= n; k-- { // what was taken last comes to lie deepest again
		l.p.freeFrame(l.refs[k])
	}
	l.refs = l.refs[:min(n, len(l.refs))]
}
