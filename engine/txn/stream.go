package txn

import (
	"errors"
	"fmt"

	"emberdb/engine/buffer"
	"emberdb/engine/pagefile"
	"emberdb/engine/space"
	"emberdb/internal/base"
	"emberdb/internal/invariants"
)

// stream is a list of undo pages with the logs of one transaction after another.
//
// Who owns what: the transaction that has taken the stream owns tail and the entries it appends;
// purge owns head and cursor while the stream is queued for it (purge.mu says who); when it is not
// queued, every log before the taker's own has been purged, and the taker may start the page anew.
//
// Latches: directory page > pages of a stream from head to tail > space header and bitmaps.
type stream struct {
	no   uint32
	head base.PageNo // NilPage: no page yet
	tail base.PageNo
	seq  uint64 // number of the newest log; of the taker
	buf  []byte // where the taker encodes its records

	purge streamPurge
}

// streams is the directory.
type streams struct {
	mu    invariants.Mutex[invariants.UndoStreams] // comes before the latches of undo pages
	pages []base.PageNo
	all   []*stream // by number; those that were ever taken. Some may have no page yet, in any place: streams are taken in order, but used when it comes
	free  []*stream // not taken, the one used last on top, so that few are in use
}

// Create formats the first directory page of the undo space, which exists and is formatted.
func Create(pool *buffer.Pool) error {
	m := pool.Begin()
	err := create(m)
	_, refused := m.Commit()
	return errors.Join(err, refused)
}

func create(m *buffer.Mtr) error {
	fresh, err := space.ReserveAlloc(m, base.UndoSpace, 0)
	if err != nil {
		return err
	}
	list, err := space.ReserveRoots(m, base.UndoSpace, 1)
	if err != nil {
		return err
	}
	space.SetRoot(m, list, directoryRoot, createDirectory(m, &fresh, 0))
	return nil
}

// createDirectory makes a directory page whose first stream is first.
func createDirectory(m *buffer.Mtr, fresh *space.AllocToken, first uint32) base.PageNo {
	pg := space.Alloc(m, fresh, pagefile.TypeUndoHeader)
	m.Apply(pg, opDirInit, le.AppendUint32(nil, first))
	return pg.ID().No
}

// open reads the directory.
func (ss *streams) open(pool *buffer.Pool) error {
	m := pool.BeginRead()
	defer m.Commit()
	no, err := space.Root(m, base.UndoSpace, directoryRoot)
	if err != nil {
		return err
	}
	for no != base.NilPage {
		if len(ss.pages) >= maxStreams/dirEntries+1 {
			return corrupt(no, dirNext, "the undo directory has no end")
		}
		pg, err := m.Pin(undoID(no), buffer.Shared)
		if err != nil {
			return err
		}
		d := pg.Data()
		if pagefile.Type(d) != pagefile.TypeUndoHeader || int(le.Uint32(d[dirFirst:])) != len(ss.pages)*dirEntries {
			return corrupt(no, dirFirst, "not page %d of the undo directory", len(ss.pages))
		}
		ss.pages = append(ss.pages, no)
		for i := range dirEntries {
			e := d[dirStart+i*dirEntry:]
			st := &stream{no: uint32((len(ss.pages)-1)*dirEntries + i), head: base.PageNo(le.Uint32(e)), tail: base.PageNo(le.Uint32(e[4:]))}
			ss.all = append(ss.all, st)
		}
		no = base.PageNo(le.Uint32(d[dirNext:]))
		m.Release(pg)
	}
	for n := len(ss.all); n > 0 && ss.all[n-1].tail == base.NilPage; n-- {
		ss.all = ss.all[:n-1] // never used, like all behind it
	}
	return nil
}

func (ss *streams) count() int {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	return len(ss.all)
}

// take hands out a stream that nobody has.
func (ss *streams) take(pool *buffer.Pool) (*stream, error) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	if n := len(ss.free); n > 0 {
		st := ss.free[n-1]
		ss.free = ss.free[:n-1]
		return st, nil
	}
	if len(ss.all) == len(ss.pages)*dirEntries {
		if err := ss.growLocked(pool); err != nil {
			return nil, err
		}
	}
	st := &stream{no: uint32(len(ss.all)), head: base.NilPage, tail: base.NilPage}
	ss.all = append(ss.all, st)
	return st, nil
}

// growLocked adds a page to the directory.
func (ss *streams) growLocked(pool *buffer.Pool) error {
	if len(ss.all) >= maxStreams-dirEntries {
		return errors.New("too many active concurrent transactions")
	}
	m := pool.BeginNested()
	defer m.Commit()
	last, err := m.Pin(undoID(ss.pages[len(ss.pages)-1]), buffer.Exclusive)
	if err != nil {
		return err
	}
	fresh, err := space.ReserveAlloc(m, base.UndoSpace, 0)
	if err != nil {
		return err
	}
	no := createDirectory(m, &fresh, uint32(len(ss.all)))
	m.Apply(last, opDirNext, le.AppendUint32(nil, uint32(no)))
	ss.pages = append(ss.pages, no)
	return nil
}

func (ss *streams) put(st *stream) {
	ss.mu.Lock()
	ss.free = append(ss.free, st)
	ss.mu.Unlock()
}

// directoryOf is the directory page of a stream, and the entry's place in it.
func (ss *streams) directoryOf(st *stream) (base.PageID, int) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	return undoID(ss.pages[st.no/dirEntries]), int(st.no % dirEntries)
}

// pinDirectory latches the directory page of st. REQUIRES: m holds no undo page.
func (ss *streams) pinDirectory(m *buffer.Mtr, st *stream) (buffer.Page, error) {
	id, _ := ss.directoryOf(st)
	return m.Pin(id, buffer.Exclusive)
}

// setEntry changes the directory's entry of st. A new head comes with head set, a new tail with
// tail; NilPage keeps what is there.
func setEntry(m *buffer.Mtr, dir buffer.Page, st *stream, head, tail base.PageNo) {
	i := int(st.no % dirEntries)
	e := dir.Data()[dirStart+i*dirEntry:]
	if head == base.NilPage {
		head = base.PageNo(le.Uint32(e))
	}
	if tail == base.NilPage {
		tail = base.PageNo(le.Uint32(e[4:]))
	}
	body := encodeDirEntry(i, head, tail)
	m.Apply(dir, opDirEntry, body[:])
}

// pinUndo latches a page of st.
func pinUndo(m *buffer.Mtr, st *stream, no base.PageNo, mode buffer.Mode) (buffer.Page, error) {
	pg, err := m.Pin(undoID(no), mode)
	if err != nil {
		return buffer.Page{}, fmt.Errorf("undo stream %d: %w", st.no, err)
	}
	if err := checkUndo(no, pg.Data(), st.no); err != nil {
		m.Release(pg)
		return buffer.Page{}, err
	}
	return pg, nil
}

// pageFor returns the latched tail page of st with room for an entry of n bytes; it adds a page if
// there is none. owner is what the page header tells of a page that begins with that entry. On
// error nothing has changed and m is still to be committed.
func (s *System) pageFor(m *buffer.Mtr, st *stream, n int, owner base.RollPtr, fresh bool) (buffer.Page, error) {
	if st.tail != base.NilPage {
		pg, err := pinUndo(m, st, st.tail, buffer.Exclusive)
		if err != nil {
			return buffer.Page{}, err
		}
		top := undoPage(pg.Data()).top()
		if fresh && top > pageStart && s.purge.startAnew(st) {
			m.Apply(pg, opPageReset) // an empty page takes any entry
			return pg, nil
		}
		if top+n <= base.PageSize {
			return pg, nil
		}
		m.Release(pg)
	}
	return s.addPage(m, st, owner)
}

// addPage appends a page to st.
func (s *System) addPage(m *buffer.Mtr, st *stream, owner base.RollPtr) (buffer.Page, error) {
	dir, err := s.streams.pinDirectory(m, st)
	if err != nil {
		return buffer.Page{}, err
	}
	var tail buffer.Page
	if st.tail != base.NilPage {
		if tail, err = pinUndo(m, st, st.tail, buffer.Exclusive); err != nil {
			return buffer.Page{}, err
		}
	}
	hint := st.tail
	if hint == base.NilPage {
		hint = 0
	}
	fresh, err := space.ReserveAlloc(m, base.UndoSpace, hint)
	if err != nil {
		return buffer.Page{}, err
	}
	pg := space.Alloc(m, &fresh, pagefile.TypeUndo)
	no := pg.ID().No
	init := encodePageInit(st.tail, st.no, owner)
	m.Apply(pg, opPageInit, init[:])
	if tail.Valid() {
		m.Apply(tail, opPageNext, le.AppendUint32(nil, uint32(no)))
		setEntry(m, dir, st, base.NilPage, no)
	} else {
		setEntry(m, dir, st, no, no)
		s.purge.begin(st, no)
	}
	st.tail = no
	select {
	case s.grown <- no:
	default: // the worker has not come to the last one yet
	}
	return pg, nil
}

// dropTail frees the tail page of st, which holds nothing any more.
func (s *System) dropTail(st *stream, prev base.PageNo) error {
	m := s.pool.Begin()
	defer m.Commit()
	dir, err := s.streams.pinDirectory(m, st)
	if err != nil {
		return err
	}
	before, err := pinUndo(m, st, prev, buffer.Exclusive)
	if err != nil {
		return err
	}
	gone, err := reserveFree(m, st, st.tail)
	if err != nil {
		return err
	}
	gone.free(m)
	m.Apply(before, opPageNext, le.AppendUint32(nil, uint32(base.NilPage)))
	setEntry(m, dir, st, base.NilPage, prev)
	st.tail = prev
	return nil
}

// gonePage is a page of a stream that a mini-transaction is going to free.
type gonePage struct {
	pg    buffer.Page
	token space.FreeToken
}

// reserveFree reserves page no of st, to be freed.
func reserveFree(m *buffer.Mtr, st *stream, no base.PageNo) (g gonePage, err error) {
	if g.pg, err = pinUndo(m, st, no, buffer.Exclusive); err == nil {
		g.token, err = space.ReserveFree(m, undoID(no))
	}
	return g, err
}

// free empties the page and gives it back to the space, so that roll pointers to it lead to
// nothing. The caller's change of the links is in the same mini-transaction.
func (g gonePage) free(m *buffer.Mtr) {
	space.Free(m, g.token)
	m.Apply(g.pg, opPageReset)
}
