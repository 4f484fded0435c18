package buffer

import (
	"emberdb/internal/base"
)

// What recovery needs of the pool. The OnRead hook applies a page's redo where the page enters; Options.Pending tells beforehand what the hook will do.

// Pending tells what redo a page waits for.
type Pending uint8

// What OnRead would do with a page.
const (
	NotPending     Pending = iota
	PendingAtHand          // apply records that are in memory
	PendingBuilds          // the same, and they build the page from nothing: it need not be read
	PendingFromLog         // look for the records in the log, which takes longer: background reads leave the page alone
)

func (p *Pool) pending(id base.PageID) Pending {
	if p.pendingRedo == nil {
		return NotPending
	}
	return p.pendingRedo(id)
}

// RedoRun has the OnRead hook look at those of n neighbouring pages whose records are at hand. Those that are not in the pool are read in one I/O, or
// not at all if the hook builds them.
func (p *Pool) RedoRun(first base.PageID, n int) error {
	b := newRunRead(first, n)
	done := make([]bool, n)
	for i := range b.refs {
		switch p.pending(b.id(i)) {
		case PendingAtHand:
			p.reserveForRead(b, i, 0)
		case PendingBuilds:
		default:
			done[i] = true
		}
	}
	_, _ = p.readRun(b, func(ref frameRef, oldest base.LSN, i int) {
		list, rank := p.missed(b.id(i), true)
		p.admit(ref, oldest, 0, 0)
		p.lruEnterMiss(ref, list, rank)
		done[i] = true
	}) // an error is told by the page it concerns, when it is read alone
	for i := range done {
		if done[i] {
			continue
		}
		if err := p.Redo(b.id(i)); err != nil { // resident, built, no frame at once, or damaged
			return err
		}
	}
	return nil
}

// RedoResident is Redo for a page that is in the pool or on its way into it, and nothing for another.
func (p *Pool) RedoResident(id base.PageID) error {
	h := hashID(id.Uint64())
	s := p.table.shard(h)
	s.mu.Lock()
	ref := p.table.findLocked(s, h, id.Uint64())
	s.mu.Unlock()
	if ref == 0 {
		return nil
	}
	return p.Redo(id)
}

// Redo has the OnRead hook look at a page, whether it is in the pool or not: recovery applies what a page still needs.
func (p *Pool) Redo(id base.PageID) error {
	ref, err := p.pinLatched(id.Uint64(), Exclusive, pinRedo)
	if err != nil {
		return err
	}
	pr := p.procs.at(ref)
	defer pr.unpin()
	defer pr.latch.Unlock()
	hook := p.onRead.Load()
	if hook == nil {
		return nil
	}
	oldest, err := (*hook)(id, p.page(ref))
	if err != nil {
		p.failure.Enter(err) // the page in the pool may be half changed
		return err
	}
	if oldest != 0 {
		p.enterRecovered(ref, oldest)
	}
	return nil
}
