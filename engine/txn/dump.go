package txn

import (
	"fmt"
	"io"

	"emberdb/engine/pagefile"
	"emberdb/internal/base"
)

// Dump writes a picture of a page of the undo space that was read beside the pool: a directory page
// or an undo page. entries: with every entry.
func Dump(w io.Writer, page []byte, entries bool) error {
	if pagefile.Type(page) == pagefile.TypeUndoHeader {
		return dumpDirectory(w, page)
	}
	p := undoPage(page)
	_, err := fmt.Fprintf(w, "stream %d prev %s next %s top %d logs %d..%d begins with log %s\n",
		p.stream(), pageName(p.prev()), pageName(p.next()), p.top(), p.firstLog(), p.lastLog(), ptrName(p.owner()))
	if p.top() < pageStart || p.top() > base.PageSize {
		_, err = fmt.Fprintf(w, "damaged: top %d is outside of the page\n", p.top())
		return err
	}
	for off := pageStart; off < p.top() && entries && err == nil; {
		e, ok := p.entry(off)
		if !ok {
			_, err = fmt.Fprintf(w, "%5d damaged entry\n", off)
			return err
		}
		_, err = fmt.Fprintf(w, "%5d %s\n", off, describeEntry(p, off, e))
		off += len(e)
	}
	return err
}

func dumpDirectory(w io.Writer, page []byte) error {
	first := le.Uint32(page[dirFirst:])
	_, err := fmt.Fprintf(w, "undo directory, streams from %d, next directory page %s\n", first, pageName(base.PageNo(le.Uint32(page[dirNext:]))))
	for i := range dirEntries {
		e := page[dirStart+i*dirEntry:]
		head, tail := base.PageNo(le.Uint32(e)), base.PageNo(le.Uint32(e[4:]))
		if head != base.NilPage && err == nil {
			_, err = fmt.Fprintf(w, "  stream %d: pages %d .. %d\n", first+uint32(i), head, tail)
		}
	}
	return err
}

var stateNames = [...]string{"active", "committed", "aborted", "prepared", "done"}

func describeEntry(p undoPage, off int, e []byte) string {
	switch {
	case e[2] == kindLog:
		h, ok := p.log(off)
		if !ok || int(h.state) >= len(stateNames) {
			return "damaged log header"
		}
		return fmt.Sprintf("log %d of transaction %d, %s, commit number %d, flags %d", h.seq, h.trx, stateNames[h.state], h.number, h.flags)
	case e[2] == kindBranch:
		var b Branch
		if !b.parse(e) {
			return "damaged description of a prepared transaction"
		}
		return fmt.Sprintf("prepared %s, holds %q", b.XID, b.Holds)
	case e[2] == kindFragment:
		prev, part, ok := decodeFragment(e)
		if !ok {
			return "damaged fragment"
		}
		return fmt.Sprintf("fragment of %d bytes, before it %s", len(part), ptrName(prev))
	}
	var rec UndoRecord
	fragments, ok := decodeRecord(e, &rec)
	if !ok {
		return "damaged record"
	}
	tail := fmt.Sprintf("body %d bytes", len(rec.Body))
	if fragments {
		tail = "body in fragments"
	}
	if rec.NoPurge {
		tail += ", not for purge"
	}
	return fmt.Sprintf("%s %d of transaction %d, table %d key %x, before: transaction %d %s, %s",
		rec.Type, rec.No, rec.Trx, rec.Table, rec.Key, rec.PrevTrx, ptrName(rec.PrevPtr), tail)
}

func pageName(no base.PageNo) string {
	if no == base.NilPage {
		return "none"
	}
	return fmt.Sprint(no)
}

func ptrName(p base.RollPtr) string {
	if p == 0 {
		return "none"
	}
	return fmt.Sprintf("%d+%d", p.Page(), p.Offset())
}
