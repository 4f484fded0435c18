package txn

import (
	"sync"
	"time"

	"emberdb/engine/buffer"
	"emberdb/engine/pagefile"
	"emberdb/engine/space"
	"emberdb/internal/base"
)

// The undo space gives disk back (innodb_undo_log_truncate) when it is larger than
// innodb_max_undo_log_size and most of it is free: after a large transaction was purged. Every step
// is whole by itself, and a crash between two of them leaves nothing that the next round does not
// take up:
//
//  1. A stream keeps one page for ever, and the last page of a large log lies at the space's end.
//     Streams that nobody has taken and that hold nothing unpurged move: one mini-transaction takes
//     a page at the space's beginning, puts it in the stream's place and frees the old one.
//  2. space.Shrink: the space ends behind its last page in use.
//  3. When the checkpoint has passed that, space.Cut: the file is cut to the space's size.
//
// Roll pointers to pages that are gone lead to base.ErrNotFound like those to pages that were
// emptied (see pinEntry).

// shrinker is the state of the rounds; it belongs to the purge worker.
type shrinker struct {
	next time.Time // of the next look
	cut  base.LSN  // the file is cut when the checkpoint has come here; 0: nothing to cut
}

const (
	shrinkEvery = 50 * time.Millisecond
	shrinkLeast = base.PageNo(space.ExtentPages) // the space stays that large
)

// SetMaxUndo makes the undo space give disk back when it is larger than n bytes; 0: never.
func (s *System) SetMaxUndo(n int64) { s.maxUndo.Store(n) }

// HoldCuts keeps the file of the undo space from being cut until the returned function is called: a
// backup copies its pages with redo from before.
func (s *System) HoldCuts() (release func()) {
	s.cutHolds.Add(1)
	return sync.OnceFunc(func() { s.cutHolds.Add(-1) })
}

// giveBack is one round. It is called by the purge worker when that has nothing to purge.
func (s *System) giveBack() error {
	limit, c := s.maxUndo.Load(), &s.shrinker
	if limit <= 0 || time.Now().Before(c.next) {
		return nil
	}
	c.next = time.Now().Add(shrinkEvery)
	if c.cut != 0 {
		if s.cutHolds.Load() > 0 || s.log.CheckpointLSN() < c.cut {
			return nil
		}
		c.cut = 0
		return space.Cut(s.pool, base.UndoSpace)
	}
	m := s.pool.BeginRead()
	use, err := space.Usage(m, base.UndoSpace)
	m.Commit()
	if err != nil || int64(use.Size)*base.PageSize <= limit || use.Used > use.Size/2 {
		return err
	}
	if err := s.moveStreams(use.Size / 2); err != nil {
		return err
	}
	m = s.pool.Begin()
	before, after, err := space.Shrink(m, base.UndoSpace, shrinkLeast)
	m.Commit()
	if err != nil || after == before {
		return err
	}
	c.cut = s.log.Appended()
	s.logger.Info("the undo space gives disk back", "pages", before, "now", after)
	return nil
}

// moveStreams moves idle streams whose page is no less than from.
func (s *System) moveStreams(from base.PageNo) error {
	idle := s.streams.takeBeyond(from)
	var err error
	for _, st := range idle {
		s.purge.mu.Lock()
		empty := !st.purge.queued && st.head == st.tail
		s.purge.mu.Unlock()
		if empty && err == nil {
			err = s.moveStream(st)
		}
	}
	s.streams.putBack(idle)
	return err
}

// moveStream gives st, which holds nothing that is not purged, another page. REQUIRES: st is taken.
func (s *System) moveStream(st *stream) error {
	m := s.pool.Begin()
	defer m.Commit()
	dir, err := s.streams.pinDirectory(m, st)
	if err != nil {
		return err
	}
	if _, err := pinUndo(m, st, st.tail, buffer.Exclusive); err != nil {
		return err
	}
	fresh, err := space.ReserveAlloc(m, base.UndoSpace, 0)
	if err != nil {
		return err
	}
	gone, err := reserveFree(m, st, st.tail)
	if err != nil {
		return err
	}
	pg := space.Alloc(m, &fresh, pagefile.TypeUndo)
	no := pg.ID().No
	init := encodePageInit(base.NilPage, st.no, 0)
	m.Apply(pg, opPageInit, init[:])
	setEntry(m, dir, st, no, no)
	s.purge.mu.Lock()
	st.head, st.tail = no, no
	st.purge.page, st.purge.off = no, pageStart
	s.purge.mu.Unlock()
	gone.free(m)
	return nil
}

// takeBeyond takes the free streams whose tail is no less than from.
func (ss *streams) takeBeyond(from base.PageNo) (taken []*stream) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	kept := ss.free[:0]
	for _, st := range ss.free {
		if st.tail != base.NilPage && st.tail >= from {
			taken = append(taken, st)
		} else {
			kept = append(kept, st)
		}
	}
	clear(ss.free[len(kept):])
	ss.free = kept
	return taken
}

// putBack gives streams back that were not used: they come last.
func (ss *streams) putBack(taken []*stream) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	ss.free = append(taken, ss.free...)
}

// growWorker makes the file of the undo space longer ahead of need, so that no transaction waits
// for it under its latches.
func (s *System) growWorker() {
	defer s.workers.Done()
	for {
		select {
		case <-s.stop.Done():
			return
		case no := <-s.grown:
			space.Prepare(s.pool, undoID(no))
		}
	}
}
