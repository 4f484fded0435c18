package txn

import (
	"errors"
	"fmt"

	"emberdb/engine/buffer"
	"emberdb/engine/pagefile"
	"emberdb/engine/space"
	"emberdb/internal/base"
)

// ErrMetTwice says that a page is linked in two places. It is damage if no page was taken or freed
// meanwhile: else the page may have left the one place after Check came by.
var ErrMetTwice = errors.New("undo page met twice")

// Check verifies the undo space: the links of every stream, the entries of every page read both
// ways, and the order of logs and records. It adds every page it reaches, directory included, to
// pages, for space.Check. It may run beside other work; then pages added or freed meanwhile may be
// missing or too many in the set.
//
// Pages are latched hand over hand from head to tail, the direction in which everybody latches
// them.
func (s *System) Check(pages *space.PageSet) error {
	s.streams.mu.Lock()
	directory := append([]base.PageNo(nil), s.streams.pages...)
	s.streams.mu.Unlock()
	for _, no := range directory {
		if !pages.Add(no) {
			return metTwice(no)
		}
		for i := range dirEntries {
			if err := s.checkStream(no, i, pages); err != nil {
				return err
			}
		}
	}
	return nil
}

func metTwice(no base.PageNo) error {
	return fmt.Errorf("%w: %w", ErrMetTwice, corrupt(no, 0, "undo page met twice"))
}

// checker walks one stream.
type checker struct {
	stream uint32
	log    base.RollPtr // header of the log at hand; 0 before the first
	known  bool         // the header of the log at hand has been seen: pages before the head are gone
	h      logHeader
	no     uint64 // least undo number the next record of the log may have
}

// checkStream verifies entry i of a directory page and its stream.
func (s *System) checkStream(dir base.PageNo, i int, pages *space.PageSet) error {
	m := s.pool.BeginRead()
	defer m.Commit()
	dp, err := m.Pin(undoID(dir), buffer.Shared)
	if err != nil {
		return err
	}
	d := dp.Data()
	if pagefile.Type(d) != pagefile.TypeUndoHeader {
		return corrupt(dir, 0, "not a page of the undo directory")
	}
	e := d[dirStart+i*dirEntry:]
	no := base.PageNo(le.Uint32(e))
	if no == base.NilPage {
		return nil
	}
	c := checker{stream: le.Uint32(d[dirFirst:]) + uint32(i)}
	held, before := dp, base.NilPage
	for no != base.NilPage {
		if !pages.Add(no) {
			return metTwice(no)
		}
		pg, err := m.Pin(undoID(no), buffer.Shared)
		if err != nil {
			return err
		}
		m.Release(held)
		held = pg
		if err := c.page(no, before, undoPage(pg.Data())); err != nil {
			return fmt.Errorf("undo stream %d: %w", c.stream, err)
		}
		before, no = no, undoPage(pg.Data()).next()
	}
	return nil
}

// page verifies one page.
func (c *checker) page(no, before base.PageNo, p undoPage) error {
	if err := checkUndo(no, p, c.stream); err != nil {
		return err
	}
	if p.prev() != before {
		return corrupt(no, pagePrev, "linked back to page %d instead of %d", p.prev(), before)
	}
	if before != base.NilPage && p.owner() != 0 && p.owner() != c.log {
		return corrupt(no, pageOwner, "begins with log %#x, but log %#x went before", uint64(p.owner()), uint64(c.log))
	}
	if before == base.NilPage {
		c.log = p.owner()
	}
	first, last, back := 0, 0, pageStart
	for off := pageStart; off < p.top(); {
		e, ok := p.entry(off)
		if !ok {
			return corrupt(no, off, "damaged undo entry")
		}
		if e[2] == kindLog {
			if first == 0 {
				first = off
			}
			last = off
		} else if off == pageStart && p.owner() == 0 {
			return corrupt(no, off, "the page begins neither with a log header nor within a log")
		}
		if err := c.entry(no, off, p, e); err != nil {
			return err
		}
		back = off
		off += len(e)
	}
	if b, ok := p.before(p.top()); p.top() > pageStart && (!ok || b != back) {
		return corrupt(no, p.top(), "entries read backward differ")
	}
	if first != p.firstLog() || last != p.lastLog() {
		return corrupt(no, pageFirstLog, "log headers at %d and %d are noted as %d and %d", first, last, p.firstLog(), p.lastLog())
	}
	return nil
}

// entry verifies one whole entry.
func (c *checker) entry(no base.PageNo, off int, p undoPage, e []byte) error {
	switch {
	case e[2] == kindLog:
		h, ok := p.log(off)
		if !ok || h.state > stateDone {
			return corrupt(no, off, "damaged undo log header")
		}
		if c.known && (!c.h.finished() || h.seq != c.h.seq+1) {
			return corrupt(no, off, "undo log %d follows log %d in state %d", h.seq, c.h.seq, c.h.state)
		}
		if h.state == stateCommitted && h.number <= h.trx {
			return corrupt(no, off, "commit number %d of transaction %d", h.number, h.trx)
		}
		c.log, c.known, c.h, c.no = base.MakeRollPtr(no, uint16(off)), true, h, 0
	case e[2] == kindBranch:
		if !new(Branch).parse(e) {
			return corrupt(no, off, "damaged description of a prepared transaction")
		}
	case e[2] == kindFragment:
		if _, _, ok := decodeFragment(e); !ok {
			return corrupt(no, off, "damaged part of an undo record")
		}
	default:
		var rec UndoRecord
		if _, ok := decodeRecord(e, &rec); !ok {
			return corrupt(no, off, "damaged undo record")
		}
		if c.known && (rec.Trx != c.h.trx || rec.No < c.no) {
			return corrupt(no, off, "record %d of transaction %d where %d of %d or a later one is expected", rec.No, rec.Trx, c.no, c.h.trx)
		}
		c.no = rec.No + 1
	}
	return nil
}
