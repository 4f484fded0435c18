package txn

import (
	"errors"
	"fmt"

	"emberdb/engine/buffer"
	"emberdb/engine/pagefile"
	"emberdb/internal/base"
)

// maxFragment is how much of a body one fragment carries.
const maxFragment = maxEntry - entryEnds - 9

// LogUndo writes the undo record of a change that t is about to make, in a mini-transaction of its
// own, and returns the roll pointer for the row. It fills rec.No, rec.Trx and rec.Ptr. The row's
// leaf may be latched; no page of the undo space, and no space header, may be.
func (t *Trx) LogUndo(rec *UndoRecord) (base.RollPtr, error) {
	if err := t.beginLog(); err != nil {
		return 0, err
	}
	rec.No, rec.Trx = uint64(t.next), t.ID()
	st := t.stream
	st.buf = appendRecord(st.buf[:0], rec, false, 0)
	if len(st.buf)+entryEnds > maxEntry {
		if err := t.fragment(rec); err != nil {
			return 0, err
		}
	}
	ptr, err := t.appendEntry(st.buf)
	if err != nil {
		return 0, err
	}
	ptr = ptr.WithSalt(uint16(rec.No))
	rec.Ptr = ptr
	t.logged(1)
	t.work = t.work || (!rec.NoPurge && rec.Type != UndoInsert)
	return ptr, nil
}

// beginLog gives t what it needs to write undo records: an id and a stream.
func (t *Trx) beginLog() error {
	if _, err := t.EnsureID(); err != nil {
		return err
	}
	if err := t.whole(); err != nil {
		return err
	}
	if t.stream != nil {
		return nil
	}
	st, err := t.sys.streams.take(t.sys.pool)
	t.stream = st
	return err
}

// logged counts records that have been written.
func (t *Trx) logged(n int) {
	t.next += Mark(n)
	t.records = t.next
	t.AddWeight(int64(n))
	t.sys.stats.records.Add(int64(n))
}

// LogInserts is LogRun of rows of a table that t is about to insert, with these clustered keys.
func (t *Trx) LogInserts(table base.TableID, keys [][]byte, ptrs []base.RollPtr) ([]base.RollPtr, error) {
	return t.LogRun(len(keys), func(rec *UndoRecord) {
		*rec = UndoRecord{Type: UndoInsert, NoPurge: true, Table: table, Key: keys[0]}
		keys = keys[1:]
	}, ptrs)
}

// LogRun is LogUndo of n changes that t is about to make, none of which needs more than a page for
// its record: next gives one after the other. It appends the roll pointers to ptrs. After an error
// some of the records may have been written: t rolls back to a savepoint before them.
func (t *Trx) LogRun(n int, next func(rec *UndoRecord), ptrs []base.RollPtr) ([]base.RollPtr, error) {
	if n == 0 {
		return ptrs, nil
	}
	if err := t.beginLog(); err != nil {
		return ptrs, err
	}
	run := undoRun{next: next, left: n, no: uint64(t.next)}
	run.take(t)
	for run.left > 0 {
		before := len(ptrs)
		var err error
		if ptrs, err = t.appendRun(&run, ptrs); err != nil {
			return ptrs, err
		}
		t.logged(len(ptrs) - before)
	}
	return ptrs, nil
}

// undoRun are the records of LogRun that are not written yet. The first of them is rec, no its
// successor's number.
type undoRun struct {
	next func(rec *UndoRecord)
	left int
	no   uint64
	rec  UndoRecord
}

// take makes the next record the first one.
func (r *undoRun) take(t *Trx) {
	r.next(&r.rec)
	r.rec.No, r.rec.Trx = r.no, t.ID()
	r.no++
	t.work = t.work || (!r.rec.NoPurge && r.rec.Type != UndoInsert)
}

// appendRun writes as many of the records as the page takes, at least one.
func (t *Trx) appendRun(run *undoRun, ptrs []base.RollPtr) ([]base.RollPtr, error) {
	st := t.stream
	st.buf = appendRecord(st.buf[:0], &run.rec, false, 0)
	m := t.sys.pool.BeginNested()
	defer m.Commit()
	pg, err := t.pageForEntry(m, len(st.buf)+entryEnds)
	if err != nil {
		return ptrs, err
	}
	st.buf = st.buf[:0]
	top := undoPage(pg.Data()).top()
	for run.left > 0 {
		at := len(st.buf)
		st.buf = appendRecord(append(st.buf, 0, 0), &run.rec, false, 0)
		n := len(st.buf) - at - 2
		if top+n+entryEnds > base.PageSize {
			st.buf = st.buf[:at]
			break
		}
		le.PutUint16(st.buf[at:], uint16(n))
		ptrs = append(ptrs, base.MakeRollPtr(pg.ID().No, uint16(top)).WithSalt(uint16(run.rec.No)))
		top += n + entryEnds
		if run.left--; run.left > 0 {
			run.take(t)
		}
	}
	m.Apply(pg, opAppendRun, st.buf)
	return ptrs, nil
}

// fragment writes rec's body ahead, in parts, and leaves the record without it in the stream's
// buffer.
func (t *Trx) fragment(rec *UndoRecord) error {
	st, last := t.stream, base.RollPtr(0)
	for body := rec.Body; len(body) > 0; {
		n := min(len(body), maxFragment)
		st.buf = appendFragment(st.buf[:0], last, body[:n])
		ptr, err := t.appendEntry(st.buf)
		if err != nil {
			return err
		}
		last, body = ptr, body[n:]
	}
	st.buf = appendRecord(st.buf[:0], rec, true, last)
	if len(st.buf)+entryEnds > maxEntry {
		return fmt.Errorf("undo record with a key of %d bytes: %w", len(rec.Key), base.ErrKeyTooLong)
	}
	return nil
}

// appendEntry appends an entry to t's log.
func (t *Trx) appendEntry(inner []byte) (base.RollPtr, error) {
	m := t.sys.pool.BeginNested()
	defer m.Commit()
	pg, err := t.pageForEntry(m, len(inner)+entryEnds)
	if err != nil {
		return 0, err
	}
	ptr := base.MakeRollPtr(pg.ID().No, uint16(undoPage(pg.Data()).top()))
	m.Apply(pg, opAppend, inner)
	return ptr, nil
}

// pageForEntry latches the page that takes the next entry of t's log, of n bytes. Before the first
// one it writes the log's header.
func (t *Trx) pageForEntry(m *buffer.Mtr, n int) (buffer.Page, error) {
	s, st, fresh := t.sys, t.stream, t.log == 0
	if fresh {
		n += logSize
	}
	pg, err := s.pageFor(m, st, n, t.log, fresh)
	if err != nil || !fresh {
		return pg, err
	}
	t.log = base.MakeRollPtr(pg.ID().No, uint16(undoPage(pg.Data()).top()))
	st.seq++
	body := encodeLog(t.ID(), st.seq)
	m.Apply(pg, opLog, body[:])
	return pg, nil
}

// ReadUndo reads the record at p, written by transaction writer, into rec; Key and Body are copied
// into rec's own buffers. base.ErrNotFound: the record is gone, so the row it was read from has
// changed, or no view may ask for it.
//
// A reader whose view does not see writer keeps the record from purge. From rollback only the row's
// latch keeps it: the record goes after the row has been restored. So either hold the leaf, or look
// at the row again after ErrNotFound.
func (s *System) ReadUndo(p base.RollPtr, writer base.TrxID, rec *UndoRecord) error {
	m := s.pool.BeginRead()
	defer m.Commit()
	key, body := rec.Key[:0], rec.Body[:0]
	pg, fragments, err := readRecord(m, p, rec)
	if err == nil && rec.Trx != writer {
		err = fmt.Errorf("undo record %#x of transaction %d: %w", uint64(p), writer, base.ErrNotFound)
	}
	if err != nil {
		rec.Key, rec.Body = key, body // not the page's, which the next use of rec would write over
		return err
	}
	rec.Key = append(key, rec.Key...)
	if !fragments {
		rec.Body = append(body, rec.Body...)
		return nil
	}
	total, last := le.Uint32(rec.Body), base.RollPtr(le.Uint64(rec.Body[4:]))
	m.Release(pg)
	rec.Body, err = readFragments(m, body, int(total), last)
	return err
}

// Purged tells whether the purge limit has passed the record at p, of transaction writer: no view
// needs what was before its change, and purge looks at the row from now on or has done so.
// base.ErrNotFound: the record is gone, by purge, or by rollback if the row has changed.
func (s *System) Purged(p base.RollPtr, writer base.TrxID) (bool, error) {
	m := s.pool.BeginRead()
	defer m.Commit()
	var rec UndoRecord
	pg, _, err := readRecord(m, p, &rec)
	if err == nil && rec.Trx != writer {
		err = fmt.Errorf("undo record %#x of transaction %d: %w", uint64(p), writer, base.ErrNotFound)
	}
	if err != nil {
		return false, err
	}
	page, off := undoPage(pg.Data()), int(p.Offset())
	for off > pageStart {
		var ok bool
		if off, ok = page.before(off); !ok {
			return false, corrupt(p.Page(), off, "damaged end of an undo entry")
		}
		if h, ok := page.log(off); ok {
			return s.passed(h), nil
		}
	}
	owner := page.owner()
	m.Release(pg)
	if pg, err = pinOld(m, owner.Page()); err != nil {
		return false, err
	}
	h, ok := undoPage(pg.Data()).log(int(owner.Offset()))
	if !ok || h.trx != writer {
		return false, fmt.Errorf("undo log of transaction %d: %w", writer, base.ErrNotFound)
	}
	return s.passed(h), nil
}

// passed tells whether the purge limit is beyond the log.
func (s *System) passed(h logHeader) bool {
	return h.state == stateCommitted && h.number < s.PurgeLimit()
}

// readRecord decodes the record at p; rec aliases the latched page.
func readRecord(m *buffer.Mtr, p base.RollPtr, rec *UndoRecord) (pg buffer.Page, fragments bool, err error) {
	pg, e, err := pinEntry(m, p)
	if err != nil {
		return pg, false, err
	}
	fragments, ok := decodeRecord(e, rec)
	if !ok || uint16(rec.No) != p.Salt() {
		return pg, false, fmt.Errorf("undo record %#x: %w", uint64(p), base.ErrNotFound)
	}
	rec.Ptr = p
	return pg, fragments, nil
}

// pinEntry latches the page of p and returns the entry there.
func pinEntry(m *buffer.Mtr, p base.RollPtr) (buffer.Page, []byte, error) {
	pg, err := pinOld(m, p.Page())
	if err != nil {
		return pg, nil, err
	}
	e, ok := undoPage(pg.Data()).entry(int(p.Offset()))
	if !ok || pagefile.Type(pg.Data()) != pagefile.TypeUndo {
		return pg, nil, fmt.Errorf("undo entry %#x: %w", uint64(p), base.ErrNotFound)
	}
	return pg, e, nil
}

// pinOld latches a page that may have gone with the end of the space, or come back to it and not
// been used: base.ErrNotFound.
func pinOld(m *buffer.Mtr, no base.PageNo) (buffer.Page, error) {
	pg, err := m.Pin(undoID(no), buffer.Shared)
	if err == nil {
		return pg, nil
	}
	if errors.Is(err, pagefile.ErrNeverWritten) || errors.Is(err, pagefile.ErrBeyondEnd) {
		err = fmt.Errorf("page %d of the undo space: %w", no, base.ErrNotFound)
	}
	return pg, err
}

// readFragments gathers a body of total bytes, whose last part stands at p, into buf.
func readFragments(m *buffer.Mtr, buf []byte, total int, p base.RollPtr) ([]byte, error) {
	if cap(buf) < total {
		buf = make([]byte, total)
	}
	buf = buf[:total]
	for left := total; left > 0; {
		pg, e, err := pinEntry(m, p)
		if err != nil {
			return buf, err
		}
		prev, part, ok := decodeFragment(e)
		if !ok || len(part) > left {
			return buf, corrupt(p.Page(), int(p.Offset()), "not the expected part of an undo record")
		}
		left -= len(part)
		copy(buf[left:], part)
		m.Release(pg)
		p = prev
	}
	return buf, nil
}

// reader walks entries of a copied page: rollback backward, purge forward. The page is copied, so
// that no latch is held while the table room works on a row.
type reader struct {
	st   *stream
	no   base.PageNo
	page [base.PageSize]byte
	rec  UndoRecord // the one at work
	body []byte     // of a record in fragments
}

// load copies page no of st.
func (r *reader) load(s *System, st *stream, no base.PageNo) error {
	m := s.pool.BeginRead()
	defer m.Commit()
	r.st = nil
	pg, err := pinUndo(m, st, no, buffer.Shared)
	if err != nil {
		return err
	}
	r.st, r.no = st, no
	p := undoPage(pg.Data())
	copy(r.page[:pageStart], p)
	copy(r.page[pageStart:p.top()], p[pageStart:])
	return nil
}

func (r *reader) view() undoPage { return r.page[:] }

// endsInParts tells whether the last entry of the page is a part of a record that stands on a later
// page.
func (r *reader) endsInParts() bool {
	p := r.view()
	off, ok := p.before(p.top())
	if !ok {
		return false
	}
	e, ok := p.entry(off)
	return ok && e[2] == kindFragment
}

// record decodes the entry at off. ok is false for other entries. rec is valid until the next call.
func (r *reader) record(s *System, off int, rec *UndoRecord) (ok bool, err error) {
	e, whole := r.view().entry(off)
	if !whole {
		return false, corrupt(r.no, off, "damaged undo entry")
	}
	if !isRecord(e) {
		return false, nil
	}
	fragments, ok := decodeRecord(e, rec)
	if !ok {
		return false, corrupt(r.no, off, "damaged undo record")
	}
	rec.Ptr = base.MakeRollPtr(r.no, uint16(off)).WithSalt(uint16(rec.No))
	if fragments {
		m := s.pool.BeginRead()
		defer m.Commit()
		r.body, err = readFragments(m, r.body[:0], int(le.Uint32(rec.Body)), base.RollPtr(le.Uint64(rec.Body[4:])))
		rec.Body = r.body
		if errors.Is(err, base.ErrNotFound) {
			err = corrupt(r.no, off, "a part of the undo record is missing")
		}
	}
	return true, err
}
