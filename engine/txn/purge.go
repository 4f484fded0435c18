package txn

import (
	"errors"
	"sync/atomic"
	"time"

	"emberdb/engine/buffer"
	"emberdb/internal/base"
	"emberdb/internal/invariants"
)

// Purge takes finished logs in the order of their commit numbers over all streams, lets the table
// room remove what their changes left behind, and frees the pages at the heads of the streams.
//
//	head page                                  tail page
//	| (purged) | log 7 | log 8 ... | ──> ... ──> | ... log 8 | log 9 | free |
//	            ↑ cursor: the next log to purge
//
// A stream is queued while it has finished logs that are not purged; it stands in the heap under
// the commit number of the log at its cursor. Logs that leave nothing behind (inserts, updates in
// place: the log's flag tells) are passed by without reading their records.
//
// What is done is remembered by the pages that are gone: the pages of a large log are freed one by
// one behind the cursor, its header's page last. After a crash purge begins with the first log
// header of each stream's head page, so some records come to PurgeRow again.
//
// Invariants:
//
//	(1) The tail page is never freed by purge, and a page is freed only when no unpurged entry is
//	    on it.
//	(2) While a stream is queued, its head and cursor belong to the purge worker, or to loading;
//	    otherwise to the stream's taker.
type purge struct {
	kick chan struct{}

	mu   invariants.Mutex[invariants.PurgeQueue]
	heap []*stream // by purge.number
	all  []*stream // with pages

	loaded atomic.Bool // the history that an earlier life left is known
}

// streamPurge is what purge knows of a stream; guarded by purge.mu, but for the cursor: see
// invariant (2).
type streamPurge struct {
	queued   bool
	finished uint64     // number of the newest finished log
	done     uint64     // number of the newest purged log
	number   base.TrxID // commit number of the log at the cursor
	page     base.PageNo
	off      int
}

func (p *purge) init() { p.kick = make(chan struct{}, 1) }

// begin makes a stream with its first page known.
func (p *purge) begin(st *stream, page base.PageNo) {
	p.mu.Lock()
	defer p.mu.Unlock()
	st.head = page
	st.purge.page, st.purge.off = page, pageStart
	p.all = append(p.all, st)
}

// startAnew tells whether all logs of st are purged and stand on one page, so that its taker may
// reset the page; the cursor follows.
func (p *purge) startAnew(st *stream) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if st.purge.queued || st.head != st.tail {
		return false
	}
	st.purge.page, st.purge.off = st.tail, pageStart
	return true
}

// finished hands the newest log of st to purge. number 0: it was rolled back and holds nothing.
func (p *purge) finished(st *stream, number base.TrxID) {
	p.mu.Lock()
	st.purge.finished = st.seq
	if !st.purge.queued {
		st.purge.queued, st.purge.number = true, number
		p.pushLocked(st)
	}
	p.mu.Unlock()
	select {
	case p.kick <- struct{}{}:
	default:
	}
}

// HistoryLength is the number of finished transactions whose logs are not purged.
func (s *System) HistoryLength() (n int64) {
	s.purge.mu.Lock()
	defer s.purge.mu.Unlock()
	for _, st := range s.purge.all {
		n += int64(st.purge.finished - st.purge.done)
	}
	return n
}

// CaughtUp tells that all finished transactions, those of earlier lives too, are purged.
func (s *System) CaughtUp() bool { return s.purge.loaded.Load() && s.HistoryLength() == 0 }

// pushLocked puts st into the heap.
func (p *purge) pushLocked(st *stream) {
	p.heap = append(p.heap, st)
	for i := len(p.heap) - 1; i > 0; {
		up := (i - 1) / 2
		if p.heap[up].purge.number <= p.heap[i].purge.number {
			return
		}
		p.heap[up], p.heap[i] = p.heap[i], p.heap[up]
		i = up
	}
}

// popBelow takes the stream with the smallest commit number out of the heap, if that is below
// limit.
func (p *purge) popBelow(limit base.TrxID) *stream {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.heap)
	if n == 0 || p.heap[0].purge.number >= limit {
		return nil
	}
	st := p.heap[0]
	n--
	p.heap[0], p.heap[n] = p.heap[n], nil
	p.heap = p.heap[:n]
	for i := 0; ; {
		least := i
		for c := 2*i + 1; c <= 2*i+2 && c < n; c++ {
			if p.heap[c].purge.number < p.heap[least].purge.number {
				least = c
			}
		}
		if least == i {
			return st
		}
		p.heap[least], p.heap[i] = p.heap[i], p.heap[least]
		i = least
	}
}

const (
	purgeGather = 2 * time.Millisecond   // after a commit woke the idle worker, so that it finds more than one log
	purgePoll   = 100 * time.Millisecond // when views hold it back: their end wakes nobody
)

func (s *System) purgeWorker() {
	defer s.workers.Done()
	r := new(reader)
	for s.stop.Err() == nil {
		err := s.loadHistory(r)
		if err == nil {
			s.purge.loaded.Store(true)
		}
		for err == nil {
			if err = s.purgeBatch(r); err == nil {
				err = s.giveBack()
			}
			if err == nil {
				s.purgeWait()
			}
		}
		if errors.Is(err, errStopped) || s.stop.Err() != nil {
			return
		}
		s.logger.Error("purge", "error", err)
		if errors.Is(err, base.ErrFailed) {
			return
		}
		s.rest(retryAfter)
	}
}

func (s *System) purgeWait() {
	timer := time.NewTimer(purgePoll)
	defer timer.Stop()
	select {
	case <-s.purge.kick:
		s.rest(purgeGather)
	case <-timer.C:
	case <-s.stop.Done():
	}
}

// purgeBatch purges all logs that no view needs.
func (s *System) purgeBatch(r *reader) error {
	for limit := s.advancePurgeLimit(); ; {
		if s.stop.Err() != nil {
			return errStopped
		}
		st := s.purge.popBelow(limit)
		if st == nil {
			return nil
		}
		err := s.purgeLog(st, r)
		if err != nil {
			s.purge.mu.Lock()
			s.purge.pushLocked(st)
			s.purge.mu.Unlock()
			return err
		}
		if err := s.requeue(st, r); err != nil {
			return err
		}
	}
}

// requeue counts the log at the cursor's old place as purged and enters the stream in the heap
// again if it has another finished one.
func (s *System) requeue(st *stream, r *reader) error {
	p := &s.purge
	p.mu.Lock()
	st.purge.done++
	if st.purge.done == st.purge.finished {
		st.purge.queued = false
		p.mu.Unlock()
		return nil
	}
	p.mu.Unlock()
	h, err := s.seekLog(st, r)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil {
		st.purge.number = h.number
	}
	p.pushLocked(st) // after an error it is met again
	return err
}

// seekLog loads the page of the next log to purge, which is finished, into r and sets the cursor on
// its header.
func (s *System) seekLog(st *stream, r *reader) (h logHeader, err error) {
	c := &st.purge
	for {
		fresh := r.st != st || r.no != c.page || c.off >= r.view().top()
		if fresh {
			if err := r.load(s, st, c.page); err != nil {
				return h, err
			}
		}
		p := r.view()
		if c.off < p.top() {
			h, ok := p.log(c.off)
			if ok && h.finished() && h.seq == c.done+1 {
				return h, nil
			}
			if !fresh { // the copy may be from before the log ended, or before the page was reset
				r.st = nil
				continue
			}
			return h, corrupt(c.page, c.off, "finished undo log %d of stream %d expected", c.done+1, st.no)
		}
		if p.next() == base.NilPage {
			return h, corrupt(c.page, c.off, "undo stream %d ends before its last log", st.no)
		}
		c.page, c.off = p.next(), pageStart
		if err := s.freeHeads(st); err != nil {
			return h, err
		}
	}
}

// purgeLog purges the log at the cursor and sets the cursor behind it.
func (s *System) purgeLog(st *stream, r *reader) error {
	h, err := s.seekLog(st, r)
	if err != nil {
		return err
	}
	c := &st.purge
	log, off := base.MakeRollPtr(c.page, uint16(c.off)), c.off+logSize
	work := h.state == stateCommitted && h.flags&logWork != 0
	var held []base.PageNo // passed, with parts of a record that is still to come
	for {
		if off, err = s.purgePage(r, off, work); err != nil {
			return err
		}
		next := r.view().next()
		if off < r.view().top() || next == base.NilPage {
			break
		}
		before, parts := r.no, r.endsInParts()
		if err := r.load(s, st, next); err != nil {
			return err
		}
		if r.view().owner() != log {
			r.st = nil // the cursor stays at the end of the page before
			c.page, c.off = before, off
			return s.freeHeads(st)
		}
		if before != log.Page() {
			held = append(held, before)
		}
		if !parts && len(held) > 0 {
			if err := s.freeMiddle(st, held, log.Page(), next); err != nil {
				return err
			}
			held = held[:0]
		}
		off = pageStart
	}
	c.page, c.off = r.no, off
	return s.freeHeads(st)
}

// purgePage has the records of r's page purged, from off to the end of their log on this page, and
// returns that end.
func (s *System) purgePage(r *reader, off int, work bool) (int, error) {
	p := r.view()
	for off < p.top() {
		e, ok := p.entry(off)
		if !ok {
			return off, corrupt(r.no, off, "damaged undo entry")
		}
		if e[2] == kindLog {
			return off, nil
		}
		if work && isRecord(e) && e[3]&recNoPurge == 0 && UndoType(e[2]) != UndoInsert {
			if s.stop.Err() != nil {
				return off, errStopped
			}
			if _, err := r.record(s, off, &r.rec); err != nil {
				return off, err
			}
			if err := s.undoer.PurgeRow(&r.rec); err != nil {
				return off, err
			}
			s.stats.purged.Add(1)
		}
		off += len(e)
	}
	return off, nil
}

// freeHeads frees the pages of st before the cursor's.
func (s *System) freeHeads(st *stream) error {
	for st.head != st.purge.page {
		if err := s.freeHead(st); err != nil {
			return err
		}
	}
	return nil
}

// freeHead frees the head page of st, which is not its tail.
func (s *System) freeHead(st *stream) error {
	m := s.pool.Begin()
	defer m.Commit()
	dir, err := s.streams.pinDirectory(m, st)
	if err != nil {
		return err
	}
	head, err := pinUndo(m, st, st.head, buffer.Exclusive)
	if err != nil {
		return err
	}
	next := undoPage(head.Data()).next()
	if next == base.NilPage {
		return corrupt(st.head, pageNext, "undo stream %d ends before its cursor", st.no)
	}
	pg, err := pinUndo(m, st, next, buffer.Exclusive)
	if err != nil {
		return err
	}
	gone, err := reserveFree(m, st, st.head)
	if err != nil {
		return err
	}
	gone.free(m)
	m.Apply(pg, opPagePrev, le.AppendUint32(nil, uint32(base.NilPage)))
	setEntry(m, dir, st, next, base.NilPage)
	s.purge.mu.Lock()
	st.head = next
	s.purge.mu.Unlock()
	return nil
}

// freeMiddle frees pages of a large log, which stand between the log's header page and next: all at
// once, since a record comes to PurgeRow again after a crash as long as its page is there, and needs
// its parts on the pages before.
func (s *System) freeMiddle(st *stream, nos []base.PageNo, header, next base.PageNo) error {
	m := s.pool.Begin()
	defer m.Commit()
	first, err := pinUndo(m, st, header, buffer.Exclusive) // from head to tail
	if err != nil {
		return err
	}
	for _, no := range nos {
		if _, err := pinUndo(m, st, no, buffer.Exclusive); err != nil {
			return err
		}
	}
	last, err := pinUndo(m, st, next, buffer.Exclusive)
	if err != nil {
		return err
	}
	gone := make([]gonePage, len(nos))
	for i, no := range nos {
		if gone[i], err = reserveFree(m, st, no); err != nil {
			return err
		}
	}
	for _, g := range gone {
		g.free(m)
	}
	m.Apply(first, opPageNext, le.AppendUint32(nil, uint32(next)))
	m.Apply(last, opPagePrev, le.AppendUint32(nil, uint32(header)))
	return nil
}
