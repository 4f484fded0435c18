package buffer

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/internal/base"
	"emberdb/internal/invariants"
)

// The flush list: dirty pages, newest first, in the order of the LSN since which they are dirty.
// Pages enter it inside redo's append, so the order is exact and the tail bounds the checkpoint.
// Pages that redo made dirty on their way in have older LSNs in no order; they stand in a list of
// their own, and the recovery floor bounds the checkpoint for them.

// Flusher is the layer above the LRU list: which pages are dirty since when, and the cleaner that
// writes them. It hands out frames, since that may need a write.
type Flusher struct {
	frames
	lru   *LRU
	files *pagefile.Files
	log   *redo.Log
	trace dirtyTrace

	_ cacheLine

	mu     invariants.Mutex[invariants.BufferFlush] // guards hdr.flush, hdr.recovered and the links and oldest LSNs of the frames in them
	done   sync.Cond                                // broadcast after each batch and on failure
	batch  flight                                   // the batch being written
	parked []*parked                                // see park.go
	built  int                                      // frames with flagBuilt
	floor  base.LSN                                 // OldestDirty does not pass it; 0 = none

	cleaner cleaner
}

func (f *Flusher) init(fs frames, lru *LRU, o Options) error {
	f.frames, f.lru, f.files, f.log = fs, lru, o.Files, o.Log
	f.done.L = &f.mu
	f.failure.OnEnter(func() { // nothing is written any more, and nobody may wait for that
		f.mu.Lock()
		f.done.Broadcast()
		f.mu.Unlock()
	})
	f.batch = noFlight
	f.trace.init()
	return f.cleaner.init(f, o)
}

// enterFlushList is the mini-transaction's onAppend: called under the log's append mutex, in LSN
// order.
func (m *Mtr) enterFlushList(start, _ base.LSN) { m.pool.flush.enter(m.memo, start) }

// enter makes the changed pages of a mini-transaction dirty since start.
func (f *Flusher) enter(memo []memoEntry, start base.LSN) {
	locked := false
	for i := range memo {
		e := &memo[i]
		if !e.changed || e.ref == 0 {
			continue
		}
		st := &f.states[e.ref]
		if id := atomic.LoadUint64(&st.id); f.trace.samples(id) {
			f.trace.touch(id, start)
		}
		flags := atomic.LoadUint32(&st.flags)
		if flags&flagDirty != 0 && (!e.created || flags&flagBuilt != 0) {
			continue // the flags are stable: they change under the page's latch
		}
		if !locked {
			f.mu.Lock()
			locked = true
		}
		if flags&flagDirty == 0 {
			f.pushLocked(&f.hdr.flush, e.ref, start)
			atomic.OrUint32(&st.flags, flagDirty)
		}
		if e.created {
			atomic.OrUint32(&st.flags, flagBuilt)
			f.built++
		}
	}
	if locked {
		f.mu.Unlock()
	}
}

// keepRefused makes the pages of a group the log refused dirty for ever: they differ from disk and
// must not be written nor evicted.
func (f *Flusher) keepRefused(m *Mtr) { f.enter(m.memo, f.log.Appended()) }

// enterRecovered notes that redo changed a page. REQUIRES: X latch.
func (f *Flusher) enterRecovered(ref frameRef, oldest base.LSN) {
	f.mu.Lock()
	defer f.mu.Unlock()
	st := &f.states[ref]
	flags := atomic.LoadUint32(&st.flags)
	if flags&flagDirty != 0 {
		oldest = min(oldest, base.LSN(st.oldest))
		f.removeLocked(ref)
	}
	f.pushLocked(&f.hdr.recovered, ref, oldest)
	atomic.OrUint32(&st.flags, flagDirty|flagRecovered)
}

// pushLocked puts a frame at the head of a list. REQUIRES: f.mu.
func (f *Flusher) pushLocked(h *listHeader, ref frameRef, oldest base.LSN) {
	st := &f.states[ref]
	st.oldest = uint64(oldest)
	st.flushPrev, st.flushNext = 0, h.head
	if h.head == 0 {
		h.tail = ref
	} else {
		f.states[h.head].flushPrev = ref
	}
	h.head = ref
	h.n++
}

// headerLocked is the list in which a dirty frame stands. REQUIRES: f.mu.
func (f *Flusher) headerLocked(ref frameRef) *listHeader {
	if atomic.LoadUint32(&f.states[ref].flags)&flagRecovered != 0 {
		return &f.hdr.recovered
	}
	return &f.hdr.flush
}

// removeLocked takes a dirty frame off its list and makes it clean. REQUIRES: f.mu.
func (f *Flusher) removeLocked(ref frameRef) {
	h, st := f.headerLocked(ref), &f.states[ref]
	f.relinkLocked(h, st, st.flushNext, st.flushPrev)
	h.n--
	st.flushPrev, st.flushNext, st.oldest = 0, 0, 0
	if atomic.LoadUint32(&st.flags)&flagBuilt != 0 {
		f.built--
	}
	atomic.AndUint32(&st.flags, ^uint32(flagDirty|flagRecovered|flagBuilt))
}

// relinkLocked makes the neighbours of st point to prevsNext and nextsPrev instead of st.
// REQUIRES: f.mu.
func (f *Flusher) relinkLocked(h *listHeader, st *frameState, prevsNext, nextsPrev frameRef) {
	if st.flushPrev == 0 {
		h.head = prevsNext
	} else {
		f.states[st.flushPrev].flushNext = prevsNext
	}
	if st.flushNext == 0 {
		h.tail = nextsPrev
	} else {
		f.states[st.flushNext].flushPrev = nextsPrev
	}
}

// oldestLocked is the LSN below which no change waits to be written, leaving recovered pages aside;
// maxLSN when nothing is dirty.
// REQUIRES: f.mu.
func (f *Flusher) oldestLocked() base.LSN {
	oldest := f.batch.oldest
	for _, k := range f.parked {
		oldest = min(oldest, k.oldest)
	}
	if t := f.hdr.flush.tail; t != 0 {
		oldest = min(oldest, base.LSN(f.states[t].oldest))
	}
	return oldest
}

// OldestDirty is a valid checkpoint: every change below it is on disk. With nothing dirty it is the
// end of the log.
func (f *Flusher) OldestDirty() base.LSN {
	end := f.log.Appended() // before the look at the list: what is appended later may enter it later
	f.mu.Lock()
	defer f.mu.Unlock()
	oldest := min(end, f.oldestLocked())
	if f.floor != 0 {
		oldest = min(oldest, f.floor)
	}
	for ref := f.hdr.recovered.head; ref != 0 && f.floor == 0; ref = f.states[ref].flushNext {
		oldest = min(oldest, base.LSN(f.states[ref].oldest))
	}
	return oldest
}

// UpTo returns when every change below lsn is on disk. REQUIRES: the caller holds no page latch.
func (f *Flusher) UpTo(lsn base.LSN) error {
	return f.await(lsn, func() bool { return f.oldestLocked() >= lsn && f.recoveredLocked() == 0 })
}

// Toward has changes below lsn written for a time, and returns before it is over if all are on disk.
// REQUIRES: the caller holds no page latch.
func (f *Flusher) Toward(lsn base.LSN, limit time.Duration) error {
	until := time.Now().Add(limit)
	return f.await(lsn, func() bool { return f.oldestLocked() >= lsn || time.Now().After(until) })
}

// All writes every page that is dirty when it is called. REQUIRES: the caller holds no page latch.
func (f *Flusher) All() error { return f.UpTo(f.log.Appended()) }

// AllUnless is All for somebody who may go away meanwhile.
// REQUIRES: the caller holds no page latch.
func (f *Flusher) AllUnless(ctx context.Context) error {
	lsn := f.log.Appended()
	err := f.await(lsn, func() bool { return ctx.Err() != nil || f.oldestLocked() >= lsn && f.recoveredLocked() == 0 })
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// recoveredLocked is the number of recovered pages not yet on disk. REQUIRES: f.mu.
func (f *Flusher) recoveredLocked() int {
	n := int(f.hdr.recovered.n) + f.batch.redone
	for _, k := range f.parked {
		n += k.redone
	}
	return n
}

// await has the cleaner write recovered pages and all pages dirty since before lsn until done,
// which is called under p.flush.mu.
func (f *Flusher) await(lsn base.LSN, done func() bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cleaner.addTarget(lsn)
	defer f.cleaner.removeTarget(lsn)
	for f.failure.Err() == nil {
		if done() {
			return nil
		}
		f.cleaner.wake()
		f.done.Wait()
	}
	return f.failure.Err()
}
