package buffer

import (
	"context"
	"sync/atomic"

	"emberdb/engine/pagefile"
	"emberdb/internal/base"
)

// Recovery is what redo does with pages: it has those redone that no query asks for, and keeps the
// checkpoint back until they are written.
type Recovery struct {
	frames
	lru    *LRU
	flush  *Flusher
	reader *Reader
}

// SetSource replaces Options.Source.
func (r *Recovery) SetSource(s Source) { r.reader.setSource(s) }

// Pending tells what redo a page waits for.
type Pending uint8

// What Source.OnRead would do with a page.
const (
	NotPending     Pending = iota
	PendingAtHand          // apply records that are in memory
	PendingBuilds          // the same, and they build the page from nothing: it need not be read
	PendingFromLog         // look for the records in the log, which takes longer: background reads leave the page alone
)

// RedoRun has the Source look at those of n neighbouring pages whose records are at hand. Those
// that are not in the pool are read in one I/O, or not at all if the Source builds them.
func (r *Recovery) RedoRun(first base.PageID, n int) error {
	b := newRunRead(first, n)
	done := make([]bool, n)
	for i := range b.refs {
		switch r.reader.pending(b.id(i)) {
		case PendingAtHand:
			r.reader.reserveForRead(b, i, spared{})
		case PendingBuilds:
		default:
			done[i] = true
		}
	}
	_, _ = r.reader.readRun(b, func(ref frameRef, oldest base.LSN, i int) {
		list, rank := r.reader.missed(b.id(i), true)
		r.reader.admit(ref, oldest, 0, 0)
		r.reader.enterMiss(ref, list, rank)
		done[i] = true
	}) // an error is told by the page it concerns, when it is read alone
	for i := range done {
		if done[i] {
			continue
		}
		if err := r.Redo(b.id(i)); err != nil { // resident, built, no frame at once, or damaged
			return err
		}
	}
	return nil
}

// RedoResident is Redo for a page that is in the pool or on its way into it, and nothing for
// another.
func (r *Recovery) RedoResident(id base.PageID) error {
	h := hashID(id.Uint64())
	s := r.table.shard(h)
	s.mu.Lock()
	ref := r.table.findLocked(s, h, id.Uint64())
	s.mu.Unlock()
	if ref == 0 {
		return nil
	}
	return r.Redo(id)
}

// Redo has the Source look at a page, whether it is in the pool or not: recovery applies what a
// page still needs.
func (r *Recovery) Redo(id base.PageID) error {
	ref, err := r.reader.pin(id.Uint64(), Exclusive, pinRedo)
	if err != nil {
		return err
	}
	pr := r.procs.at(ref)
	defer pr.unpin()
	defer pr.latch.Unlock()
	source := r.reader.source.Load()
	if source == nil {
		return nil
	}
	st, page := &r.states[ref], r.page(ref)
	lsn, sum := pagefile.LSN(page), atomic.LoadUint32(&st.sum)
	st.changing()
	oldest, err := (*source).OnRead(id, page)
	if err != nil {
		r.failure.Enter(err) // the page in the pool may be half changed
		return err
	}
	if oldest != 0 {
		lsn, sum = pagefile.LSN(page), 0
		r.flush.enterRecovered(ref, oldest)
	}
	st.changed(lsn, sum)
	return nil
}

// SetFloor keeps OldestDirty at or below lsn, where redo may have to start again; 0 lifts it, after
// Flush.
func (r *Recovery) SetFloor(lsn base.LSN) {
	r.flush.mu.Lock()
	defer r.flush.mu.Unlock()
	r.flush.floor = lsn
	if lsn == 0 {
		r.reader.passedOver.Store(nil)
	}
}

// Active tells whether pages wait for redo, or redone ones to be written: they have frames that
// will be free, or clean.
func (r *Recovery) Active() bool {
	r.flush.mu.Lock()
	defer r.flush.mu.Unlock()
	return r.flush.floor != 0 && r.failure.Err() == nil
}

// Flush writes the pages that redo changed on their way in, until ctx is done.
// REQUIRES: the caller holds no page latch.
func (r *Recovery) Flush(ctx context.Context) error {
	defer context.AfterFunc(ctx, func() {
		r.flush.mu.Lock()
		defer r.flush.mu.Unlock()
		r.flush.done.Broadcast()
	})()
	if err := r.flush.await(0, func() bool { return r.flush.recoveredLocked() == 0 || ctx.Err() != nil }); err != nil {
		return err
	}
	return ctx.Err()
}

// WaitReads returns when every read under way at the call has ended: its page, with the redo that
// was applied to it, stands in the pool's lists.
// REQUIRES: no page latch held.
func (r *Recovery) WaitReads() {
	r.lru.mu.Lock()
	top := r.lru.topFrameLocked()
	r.lru.mu.Unlock()
	var reading []frameRef // at the call: a load would start new ones for ever
	for ref := frameRef(1); ref <= top; ref++ {
		if atomic.LoadUint32(&r.states[ref].flags)&flagReading != 0 {
			reading = append(reading, ref)
		}
	}
	for _, ref := range reading {
		if pr := r.procs.at(ref); pr.tryPin() {
			pr.lock(Shared) // its reader holds it exclusively to the end
			pr.unlock(Shared)
			pr.unpin()
		}
	}
}
