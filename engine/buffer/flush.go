package buffer

import (
	"context"
	"sync/atomic"

	"emberdb/internal/base"
)

// The flush list: dirty pages, newest first, in the order of the LSN since which they are dirty. Pages enter it inside redo's append,
// so the order is exact and the tail bounds the checkpoint. Pages that redo made dirty on their way in have older LSNs in no
// order; they stand in a list of their own, and the recovery floor bounds the checkpoint for them.

// enterFlushList is the mini-transaction's onAppend: called under the log's append mutex, in LSN order.
func (m *Mtr) enterFlushList(start, _ base.LSN) {
	p := m.pool
	locked := false
	for i := range m.memo {
		e := &m.memo[i]
		if !e.changed || e.ref == 0 {
			continue
		}
		st := &p.states[e.ref]
		if id := atomic.LoadUint64(&st.id); p.trace.samples(id) {
			p.trace.touch(id, start)
		}
		flags := atomic.LoadUint32(&st.flags)
		if flags&flagDirty != 0 && (!e.created || flags&flagBuilt != 0) {
			continue // the flags are stable: they change under the page's latch
		}
		if !locked {
			p.flush.mu.Lock()
			locked = true
		}
		if flags&flagDirty == 0 {
			p.flushPushLocked(&p.hdr.flush, e.ref, start)
			atomic.OrUint32(&st.flags, flagDirty)
		}
		if e.created {
			atomic.OrUint32(&st.flags, flagBuilt)
			p.flush.built++
		}
	}
	if locked {
		p.flush.mu.Unlock()
	}
}

// keepRefused makes the pages of a group the log refused dirty for ever: they differ from disk and must not be written nor evicted.
func (p *Pool) keepRefused(m *Mtr) { m.enterFlushList(p.log.Appended(), 0) }

// enterRecovered notes that redo changed a page. REQUIRES: X latch.
func (p *Pool) enterRecovered(ref frameRef, oldest base.LSN) {
	p.flush.mu.Lock()
	defer p.flush.mu.Unlock()
	st := &p.states[ref]
	flags := atomic.LoadUint32(&st.flags)
	if flags&flagDirty != 0 {
		oldest = min(oldest, base.LSN(st.oldest))
		p.flushRemoveLocked(ref)
	}
	p.flushPushLocked(&p.hdr.recovered, ref, oldest)
	atomic.OrUint32(&st.flags, flagDirty|flagRecovered)
}

// flushPushLocked puts a frame at the head of a list. REQUIRES: p.flush.mu.
func (p *Pool) flushPushLocked(h *listHeader, ref frameRef, oldest base.LSN) {
	st := &p.states[ref]
	st.oldest = uint64(oldest)
	st.flushPrev, st.flushNext = 0, h.head
	if h.head == 0 {
		h.tail = ref
	} else {
		p.states[h.head].flushPrev = ref
	}
	h.head = ref
	h.n++
}

// flushHeaderLocked is the list in which a dirty frame stands. REQUIRES: p.flush.mu.
func (p *Pool) flushHeaderLocked(ref frameRef) *listHeader {
	if atomic.LoadUint32(&p.states[ref].flags)&flagRecovered != 0 {
		return &p.hdr.recovered
	}
	return &p.hdr.flush
}

// flushRemoveLocked takes a dirty frame off its list and makes it clean. REQUIRES: p.flush.mu.
func (p *Pool) flushRemoveLocked(ref frameRef) {
	h, st := p.flushHeaderLocked(ref), &p.states[ref]
	p.flushRelinkLocked(h, st, st.flushNext, st.flushPrev)
	h.n--
	st.flushPrev, st.flushNext, st.oldest = 0, 0, 0
	if atomic.LoadUint32(&st.flags)&flagBuilt != 0 {
		p.flush.built--
	}
	atomic.AndUint32(&st.flags, ^uint32(flagDirty|flagRecovered|flagBuilt))
}

// flushRelinkLocked makes the neighbours of st point to prevsNext and nextsPrev instead of st. REQUIRES: p.flush.mu.
func (p *Pool) flushRelinkLocked(h *listHeader, st *frameState, prevsNext, nextsPrev frameRef) {
	if st.flushPrev == 0 {
		h.head = prevsNext
	} else {
		p.states[st.flushPrev].flushNext = prevsNext
	}
	if st.flushNext == 0 {
		h.tail = nextsPrev
	} else {
		p.states[st.flushNext].flushPrev = nextsPrev
	}
}

// oldestLocked is the LSN below which no change waits to be written, leaving recovered pages aside; maxLSN when nothing is dirty.
// REQUIRES: p.flush.mu.
func (p *Pool) oldestLocked() base.LSN {
	oldest := p.flush.batch.oldest
	for _, k := range p.flush.parked {
		oldest = min(oldest, k.oldest)
	}
	if t := p.hdr.flush.tail; t != 0 {
		oldest = min(oldest, base.LSN(p.states[t].oldest))
	}
	return oldest
}

// OldestDirty is a valid checkpoint: every change below it is on disk. With nothing dirty it is the end of the log.
func (p *Pool) OldestDirty() base.LSN {
	end := p.log.Appended() // before the look at the list: what is appended later may enter it later
	p.flush.mu.Lock()
	defer p.flush.mu.Unlock()
	oldest := min(end, p.oldestLocked())
	if p.flush.floor != 0 {
		oldest = min(oldest, p.flush.floor)
	}
	for ref := p.hdr.recovered.head; ref != 0 && p.flush.floor == 0; ref = p.states[ref].flushNext {
		oldest = min(oldest, base.LSN(p.states[ref].oldest))
	}
	return oldest
}

// SetRecoveryFloor keeps OldestDirty at or below lsn, where redo may have to start again; 0 lifts it, after FlushRecovered.
func (p *Pool) SetRecoveryFloor(lsn base.LSN) {
	p.flush.mu.Lock()
	defer p.flush.mu.Unlock()
	p.flush.floor = lsn
	if lsn == 0 {
		p.passedOver.Store(nil)
	}
}

// Recovering tells whether pages wait for redo, or redone ones to be written: they have frames that will be free, or clean.
func (p *Pool) Recovering() bool {
	p.flush.mu.Lock()
	defer p.flush.mu.Unlock()
	return p.flush.floor != 0 && p.failure.Err() == nil
}

// FlushUpTo returns when every change below lsn is on disk. REQUIRES: the caller holds no page latch.
func (p *Pool) FlushUpTo(lsn base.LSN) error {
	return p.awaitFlush(lsn, func() bool { return p.oldestLocked() >= lsn && p.recoveredLocked() == 0 })
}

// FlushAll writes every page that is dirty when it is called. REQUIRES: the caller holds no page latch.
func (p *Pool) FlushAll() error { return p.FlushUpTo(p.log.Appended()) }

// FlushRecovered writes the pages that redo changed on their way in, until ctx is done. REQUIRES: the caller holds no page latch.
func (p *Pool) FlushRecovered(ctx context.Context) error {
	defer context.AfterFunc(ctx, func() {
		p.flush.mu.Lock()
		defer p.flush.mu.Unlock()
		p.flush.done.Broadcast()
	})()
	if err := p.awaitFlush(0, func() bool { return p.recoveredLocked() == 0 || ctx.Err() != nil }); err != nil {
		return err
	}
	return ctx.Err()
}

// recoveredLocked is the number of recovered pages not yet on disk. REQUIRES: p.flush.mu.
func (p *Pool) recoveredLocked() int {
	n := int(p.hdr.recovered.n) + p.flush.batch.redone
	for _, k := range p.flush.parked {
		n += k.redone
	}
	return n
}

// awaitFlush has the cleaner write recovered pages and all pages dirty since before lsn until done, which is called under p.flush.mu.
func (p *Pool) awaitFlush(lsn base.LSN, done func() bool) error {
	p.flush.mu.Lock()
	defer p.flush.mu.Unlock()
	p.cleaner.addTarget(lsn)
	defer p.cleaner.removeTarget(lsn)
	for p.failure.Err() == nil {
		if done() {
			return nil
		}
		p.cleaner.wake()
		p.flush.done.Wait()
	}
	return p.failure.Err()
}
