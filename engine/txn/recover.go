package txn

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"emberdb/engine/buffer"
	"emberdb/internal/base"
)

// What the last log of a stream tells after a crash:
//
//	found                                         decision
//	no page                                       the stream was never used: it is free
//	no header on the tail, which is the head      all purged; the numbering of logs begins anew
//	committed, done                               the stream is free; history is counted later, by purge
//	active, aborted                               an aborted transaction: invisible, without locks, restored in the background
//	prepared                                      an active transaction that waits for its coordinator; it holds what it wrote

// Recover finds the unfinished transactions, in one or two page reads a stream that was ever used,
// and returns how many will be rolled back.
// REQUIRES: redo is applied or applied on reading; no transaction has begun.
func (s *System) Recover() (unfinished int, err error) {
	for _, st := range s.streams.all {
		if st.tail == base.NilPage {
			s.streams.free = append(s.streams.free, st)
			continue
		}
		t, err := s.recoverStream(st)
		if err != nil {
			return 0, fmt.Errorf("undo stream %d: %w", st.no, err)
		}
		if t == nil {
			continue
		}
		if t.ID() >= s.mu.next {
			return 0, corrupt(t.log.Page(), int(t.log.Offset()), "transaction %d was never given out: ids go up to %d", t.ID(), s.mu.next)
		}
		s.mu.active = append(s.mu.active, activeTrx{t.ID(), t})
		s.register(t)
		if t.State() == Aborted {
			s.mu.aborted++
			s.mu.found++
			t.unfinished = true
			s.undone.push(t)
			unfinished++
		}
	}
	slices.SortFunc(s.mu.active, func(a, b activeTrx) int { return cmp.Compare(a.id, b.id) })
	s.boundsLocked()
	slices.Reverse(s.streams.free) // the lowest number on top
	return unfinished, nil
}

// recoverStream decides what to do with a stream; it returns its transaction if that is unfinished.
func (s *System) recoverStream(st *stream) (*Trx, error) {
	log, h, err := s.lastLog(st)
	if err != nil {
		return nil, err
	}
	st.seq = h.seq
	st.purge = streamPurge{queued: true, finished: h.seq, done: h.seq} // queued until its history is loaded
	s.purge.all = append(s.purge.all, st)
	if log == 0 || h.finished() {
		s.streams.free = append(s.streams.free, st)
		return nil, nil
	}
	st.purge.finished, st.purge.done = h.seq-1, h.seq-1
	t := &Trx{sys: s, iso: RepeatableRead, recovered: true, started: time.Now(), stream: st, log: log}
	t.id.Store(uint64(h.trx))
	t.SetID(h.trx)
	if h.state == statePrepared {
		t.work = h.flags&logWork != 0
		t.branch = new(Branch)
	} else {
		t.state.Store(uint32(Aborted))
		t.ended = true
	}
	if t.records, err = s.countRecords(t); err != nil {
		return nil, err
	}
	t.next = t.records
	t.AddWeight(int64(t.records))
	return t, nil
}

// lastLog finds the last log of a stream; 0 if there is none.
func (s *System) lastLog(st *stream) (log base.RollPtr, h logHeader, err error) {
	m := s.pool.BeginRead()
	defer m.Commit()
	pg, err := pinUndo(m, st, st.tail, buffer.Shared)
	if err != nil {
		return 0, h, err
	}
	p := undoPage(pg.Data())
	switch {
	case p.lastLog() != 0:
		log = base.MakeRollPtr(st.tail, uint16(p.lastLog()))
	case st.head == st.tail:
		return 0, h, nil
	default:
		log = p.owner()
	}
	m.Release(pg)
	if pg, err = pinUndo(m, st, log.Page(), buffer.Shared); err != nil {
		return 0, h, err
	}
	h, ok := undoPage(pg.Data()).log(int(log.Offset()))
	if !ok {
		return 0, h, corrupt(log.Page(), int(log.Offset()), "no undo log header")
	}
	return log, h, nil
}

// countRecords tells how many records of t's log are left: its last record knows. Behind that
// stands what a prepared transaction holds.
func (s *System) countRecords(t *Trx) (Mark, error) {
	r := readers.Get().(*reader)
	defer readers.Put(r)
	for no := t.stream.tail; no != base.NilPage; no = r.view().prev() {
		if err := r.load(s, t.stream, no); err != nil {
			return 0, err
		}
		for top := r.view().top(); top > pageStart; {
			off, ok := r.view().before(top)
			if !ok {
				return 0, corrupt(no, top, "damaged end of an undo entry")
			}
			if base.MakeRollPtr(no, uint16(off)) == t.log {
				return 0, nil
			}
			if e, ok := r.view().entry(off); ok && e[2] == kindBranch && t.branch != nil && !t.branch.parse(e) {
				return 0, corrupt(no, off, "damaged description of a prepared transaction")
			}
			if isRec, err := r.record(s, off, &r.rec); err != nil || isRec {
				return Mark(r.rec.No) + 1, err
			}
			top = off
		}
	}
	return 0, corrupt(t.log.Page(), int(t.log.Offset()), "the undo log's header is not in its stream")
}

// loadHistory finds, for each stream that Recover has seen, the first log that is not purged. It
// runs in the background: until a stream is loaded its finished logs only wait.
func (s *System) loadHistory(r *reader) error {
	s.purge.mu.Lock()
	all := slices.Clone(s.purge.all)
	s.purge.mu.Unlock()
	for _, st := range all {
		s.purge.mu.Lock()
		known := st.purge.page != 0 // loaded, or begun since
		s.purge.mu.Unlock()
		if known {
			continue
		}
		if s.stop.Err() != nil {
			return errStopped
		}
		for loaded := false; !loaded; {
			var err error
			if loaded, err = s.loadStream(st, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// loadStream sets the cursor of st on the first log header in the stream. false: a log was finished
// meanwhile, look again.
func (s *System) loadStream(st *stream, r *reader) (bool, error) {
	no, p := st.head, r.view()
	for {
		if err := r.load(s, st, no); err != nil {
			return false, err
		}
		if p.firstLog() != 0 || p.next() == base.NilPage {
			break
		}
		no = p.next()
	}
	s.purge.mu.Lock()
	defer s.purge.mu.Unlock()
	c := &st.purge
	off, h := p.top(), logHeader{seq: c.finished + 1} // no header: the next one will come here
	if p.firstLog() != 0 {
		off = p.firstLog()
		h, _ = p.log(off)
	}
	if h.seq <= c.finished && !h.finished() {
		return false, nil // the copy is from before the end of that log
	}
	if p.firstLog() == 0 && c.finished != c.done {
		return false, nil // a log has begun and ended since
	}
	c.page, c.off, c.done = no, off, h.seq-1
	if c.done == c.finished {
		c.queued = false
		return true, nil
	}
	c.number = h.number
	s.purge.pushLocked(st)
	return true, nil
}
