package buffer

import (
	"slices"
	"sync/atomic"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// Parking. A page for whose latch writers queue all the time is never free when the cleaner tries.
// After some attempts a goroutine of its own waits for the latch in line, copies the page into
// memory of its own, and parks the copy; the next batch takes it along. The goroutine holds nothing
// but its pin while it waits, so it cannot be part of a deadlock.
const (
	parkAfter = 8 // attempts
	maxParked = 8
)

// flight is a set of pages copied and not yet written. Guarded by Pool.flush.mu.
type flight struct {
	oldest base.LSN // maxLSN: none
	pages  int
	redone int // of them recovered
}

var noFlight = flight{oldest: maxLSN}

// parked is a page on its way around a busy latch.
type parked struct {
	flight
	it    flushItem
	page  []byte
	ready bool
}

// takeDirty copies a dirty page that is not in flight and moves it from its list into a flight.
// REQUIRES: its latch is held.
func (f *Flusher) takeDirty(it flushItem, page []byte, into *flight) bool {
	st := &f.states[it.ref]
	if atomic.LoadUint64(&st.id) != it.id.Uint64() {
		return false
	}
	copy(page, f.page(it.ref))
	f.mu.Lock()
	defer f.mu.Unlock()
	flags := atomic.LoadUint32(&st.flags)
	if flags&(flagDirty|flagInFlight|flagKept) != flagDirty {
		return false
	}
	into.oldest = min(into.oldest, base.LSN(st.oldest))
	into.pages++
	if flags&flagRecovered != 0 {
		into.redone++
	}
	atomic.OrUint32(&st.flags, flagInFlight)
	f.removeLocked(it.ref)
	return true
}

// missed notes that a candidate's latch was taken, and lets go of it or has it parked.
func (c *cleaner) missed(it flushItem) {
	if len(c.taken) > 16*batchPages { // pages that were dropped or evicted meanwhile
		clear(c.taken)
	}
	c.taken[it.ref]++
	if c.taken[it.ref] < parkAfter || !c.park(it) {
		c.f.procs.at(it.ref).unpin()
	}
}

// park starts waiting for a page's latch. It takes over the pin.
func (c *cleaner) park(it flushItem) bool {
	f := c.f
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.parked) >= maxParked || slices.ContainsFunc(f.parked, func(k *parked) bool { return k.it == it }) {
		return false
	}
	delete(c.taken, it.ref)
	k := &parked{flight: noFlight, it: it, page: vfs.AlignedBlock(base.PageSize)}
	f.parked = append(f.parked, k)
	c.parking.Go(func() { c.copyParked(k) })
	return true
}

func (c *cleaner) copyParked(k *parked) {
	f, pr := c.f, c.f.procs.at(k.it.ref)
	pr.latch.RLock()
	ok := f.takeDirty(k.it, k.page, &k.flight)
	pr.latch.RUnlock()
	if !ok { // the cleaner came first, or the page is gone
		pr.unpin()
	}
	f.mu.Lock()
	k.ready = ok
	if ok {
		f.stats.parked.Add(1) // before a batch under way takes the copy along: who waits for the page may look at once
	} else {
		f.parked = slices.DeleteFunc(f.parked, func(o *parked) bool { return o == k })
	}
	f.mu.Unlock()
	c.wake()
}

// anyParked tells whether a parked page is ready.
func (c *cleaner) anyParked() bool {
	c.f.mu.Lock()
	defer c.f.mu.Unlock()
	return slices.ContainsFunc(c.f.parked, func(k *parked) bool { return k.ready })
}

// takeParked makes the parked pages that are ready part of the batch.
func (c *cleaner) takeParked() {
	f := c.f
	f.mu.Lock()
	defer f.mu.Unlock()
	f.parked = slices.DeleteFunc(f.parked, func(k *parked) bool {
		if k.ready {
			b := &f.batch
			b.oldest, b.pages, b.redone = min(b.oldest, k.oldest), b.pages+k.pages, b.redone+k.redone
			c.add(k.it, k.page)
		}
		return k.ready
	})
}
