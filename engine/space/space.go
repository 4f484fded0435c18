package space

import (
	"errors"
	"fmt"

	"emberdb/engine/buffer"
	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/internal/base"
)

func headerID(s base.SpaceID) base.PageID { return base.PageID{Space: s, No: 0} }

func bitmapID(s base.SpaceID, k int) base.PageID { return base.PageID{Space: s, No: bitmapPage(k)} }

func corrupt(id base.PageID, format string, args ...any) error {
	return &base.CorruptError{File: fmt.Sprintf("space %d", id.Space), Page: id,
		Offset: int64(id.No) * base.PageSize, Detail: fmt.Sprintf(format, args...)}
}

// pinHeader pins page 0 of a space.
func pinHeader(m *buffer.Mtr, s base.SpaceID, mode buffer.Mode) (buffer.Page, header, error) {
	pg, err := m.Pin(headerID(s), mode)
	if err != nil {
		return buffer.Page{}, nil, err
	}
	if t := pagefile.Type(pg.Data()); t != pagefile.TypeSpaceHeader {
		m.Release(pg)
		return buffer.Page{}, nil, corrupt(headerID(s), "page type %d where the space header is expected", t)
	}
	return pg, header(pg.Data()), nil
}

// pinBitmap pins bitmap k of a space. REQUIRES: the header is held in the same mode or exclusively.
func pinBitmap(m *buffer.Mtr, s base.SpaceID, k int, mode buffer.Mode) (buffer.Page, bitmap, error) {
	pg, err := m.Pin(bitmapID(s, k), mode)
	if err != nil {
		return buffer.Page{}, nil, err
	}
	b := bitmap(pg.Data())
	if t := pagefile.Type(pg.Data()); t != pagefile.TypeSpaceBitmap || b.first() != base.PageNo(k)*PagesPerBitmap {
		m.Release(pg)
		return buffer.Page{}, nil, corrupt(bitmapID(s, k), "page type %d, first page %d where bitmap %d is expected", t, b.first(), k)
	}
	return pg, b, nil
}

// Create formats the header and the first bitmap of a space whose file exists and has at least
// MinPages pages.
func Create(pool *buffer.Pool, s base.SpaceID, table base.TableID) error {
	size, err := pool.Files().Pages(s)
	if err != nil {
		return err
	}
	if size < MinPages {
		return fmt.Errorf("space %d: a file of %d pages is too small: %w", s, size, base.ErrCorrupt)
	}
	m := pool.Begin()
	err = create(m, s, table, min(size, PagesPerBitmap))
	_, refused := m.Commit()
	return errors.Join(err, refused)
}

func create(m *buffer.Mtr, s base.SpaceID, table base.TableID, size base.PageNo) error {
	first, err := m.ReserveNew(headerID(s))
	if err != nil {
		return err
	}
	second, err := m.ReserveNew(bitmapID(s, 0))
	if err != nil {
		return err
	}
	var body [12]byte
	le.PutUint64(body[:], uint64(table))
	le.PutUint32(body[8:], uint32(size))
	m.Apply(m.Create(first, pagefile.TypeSpaceHeader), redo.OpSpaceHeader, body[:])
	markBits(m, createBitmap(m, second, 0), int(MinPages), int(size-MinPages), false)
	return nil
}

// markBits sets or clears count bits of a bitmap held exclusively.
func markBits(m *buffer.Mtr, bm buffer.Page, bit, count int, used bool) {
	if count > 0 {
		body := encodeBits(bit, count, used)
		m.Apply(bm, redo.OpSpaceBits, body[:])
	}
}

// Root returns the root page of a tree; base.ErrNotFound when the space has no such tree.
func Root(m *buffer.Mtr, s base.SpaceID, index base.IndexID) (base.PageNo, error) {
	pg, h, err := pinHeader(m, s, buffer.Shared)
	if err != nil {
		return 0, err
	}
	defer m.Release(pg)
	i := h.findRoot(index)
	if i < 0 {
		return 0, fmt.Errorf("root of index %d in space %d: %w", index, s, base.ErrNotFound)
	}
	return h.root(i), nil
}

// RootsToken is the list of roots of a space, reserved for changes.
type RootsToken struct{ header buffer.Page }

// ReserveRoots reserves room for n more trees.
func ReserveRoots(m *buffer.Mtr, s base.SpaceID, n int) (RootsToken, error) {
	pg, h, err := pinHeader(m, s, buffer.Exclusive)
	if err != nil {
		return RootsToken{}, err
	}
	if h.roots()+n > maxRoots {
		return RootsToken{}, fmt.Errorf("space %d holds %d trees and takes %d at most", s, h.roots(), maxRoots)
	}
	return RootsToken{pg}, nil
}

// SetRoot enters the root of a tree.
func SetRoot(m *buffer.Mtr, t RootsToken, index base.IndexID, root base.PageNo) {
	var body [rootSize]byte
	le.PutUint64(body[:], uint64(index))
	le.PutUint32(body[8:], uint32(root))
	m.Apply(t.header, redo.OpSpaceRoot, body[:])
}

// DropRoot removes the root of a tree; a missing one is no error.
func DropRoot(m *buffer.Mtr, t RootsToken, index base.IndexID) { SetRoot(m, t, index, base.NilPage) }

// Roots returns the trees of a space and their roots.
func Roots(m *buffer.Mtr, s base.SpaceID) (map[base.IndexID]base.PageNo, error) {
	pg, h, err := pinHeader(m, s, buffer.Shared)
	if err != nil {
		return nil, err
	}
	defer m.Release(pg)
	roots := make(map[base.IndexID]base.PageNo, h.roots())
	for i := range h.roots() {
		roots[base.IndexID(le.Uint64(h[hdrFirst+i*rootSize:]))] = h.root(i)
	}
	return roots, nil
}

// AutoInc returns the auto-increment counter of a space.
func AutoInc(m *buffer.Mtr, s base.SpaceID) (uint64, error) {
	pg, h, err := pinHeader(m, s, buffer.Shared)
	if err != nil {
		return 0, err
	}
	defer m.Release(pg)
	return h.autoInc(), nil
}

// SetAutoInc raises the auto-increment counter to v; it never sinks.
// REQUIRES: m has changed nothing so far.
func SetAutoInc(m *buffer.Mtr, s base.SpaceID, v uint64) error {
	pg, h, err := pinHeader(m, s, buffer.Exclusive)
	if err != nil {
		return err
	}
	if v <= h.autoInc() {
		m.Release(pg)
		return nil
	}
	putAutoInc(m, pg, v)
	return nil
}

// ResetAutoInc makes v the auto-increment counter, also where it sinks.
// REQUIRES: m has changed nothing so far.
func ResetAutoInc(m *buffer.Mtr, s base.SpaceID, v uint64) error {
	pg, _, err := pinHeader(m, s, buffer.Exclusive)
	if err == nil {
		putAutoInc(m, pg, v)
	}
	return err
}

func putAutoInc(m *buffer.Mtr, pg buffer.Page, v uint64) {
	var body [8]byte
	le.PutUint64(body[:], v)
	m.Apply(pg, redo.OpSpaceAutoInc, body[:])
}

// Table returns the table a space belongs to.
func Table(m *buffer.Mtr, s base.SpaceID) (base.TableID, error) {
	pg, h, err := pinHeader(m, s, buffer.Shared)
	if err != nil {
		return 0, err
	}
	defer m.Release(pg)
	return h.table(), nil
}
