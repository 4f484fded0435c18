package pagefile

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"emberdb/internal/base"
)

// PageType tells which room owns the body of a page. On disk; fixed.
type PageType uint8

// The page types. On disk; fixed.
const (
	TypeFree        PageType = 0 // allocated to the file, in no structure
	TypeSpaceHeader PageType = 1
	TypeSpaceBitmap PageType = 2
	TypeTree        PageType = 3 // leaf and inner pages
	TypeUndoHeader  PageType = 4
	TypeUndo        PageType = 5
	TypeOverflow    PageType = 6
)

var typeNames = [...]string{"free", "space header", "space bitmap", "tree", "undo header", "undo", "overflow"}

func (t PageType) String() string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	return fmt.Sprintf("type %d", uint8(t))
}

// Offsets of the header's fields; see the box in doc.go. On disk; fixed.
const (
	offCRC    = 0
	offSpace  = 4
	offNo     = 8
	offType   = 12
	offFormat = 13
	offLSN    = 16
	offWriter = 24

	// HeaderSize is the length of the page header; the body starts there.
	HeaderSize = 32
	// FormatVersion is the format version Init gives to every page.
	FormatVersion = 1
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Init makes page an empty page: zeros behind a fresh header.
func Init(page []byte, id base.PageID, t PageType) {
	clear(page)
	binary.LittleEndian.PutUint32(page[offSpace:], uint32(id.Space))
	binary.LittleEndian.PutUint32(page[offNo:], uint32(id.No))
	page[offType] = byte(t)
	page[offFormat] = FormatVersion
}

// ID is the address the page carries.
func ID(page []byte) base.PageID {
	return base.PageID{
		Space: base.SpaceID(binary.LittleEndian.Uint32(page[offSpace:])),
		No:    base.PageNo(binary.LittleEndian.Uint32(page[offNo:])),
	}
}

// Type is the page's type.
func Type(page []byte) PageType { return PageType(page[offType]) }

// SetType changes the page's type.
func SetType(page []byte, t PageType) { page[offType] = byte(t) }

// Format is the format version of the page's type.
func Format(page []byte) uint8 { return page[offFormat] }

// LSN is the end of the mini-transaction that changed the page last.
func LSN(page []byte) base.LSN { return base.LSN(binary.LittleEndian.Uint64(page[offLSN:])) }

// SetLSN stamps the page with the end of a mini-transaction.
func SetLSN(page []byte, lsn base.LSN) { binary.LittleEndian.PutUint64(page[offLSN:], uint64(lsn)) }

// Writer is the highest transaction id that changed a secondary leaf.
func Writer(page []byte) base.TrxID { return base.TrxID(binary.LittleEndian.Uint64(page[offWriter:])) }

// SetWriter notes the highest transaction id that changed a secondary leaf.
func SetWriter(page []byte, id base.TrxID) {
	binary.LittleEndian.PutUint64(page[offWriter:], uint64(id))
}

// Body is the part of the page its type's room owns.
func Body(page []byte) []byte { return page[HeaderSize:] }

// Checksum computes the checksum of the page as it is.
func Checksum(page []byte) uint32 { return crc32.Checksum(page[offSpace:base.PageSize], castagnoli) }

// Stamp stores the checksum; the page must not change afterwards until it is written.
func Stamp(page []byte) { binary.LittleEndian.PutUint32(page[offCRC:], Checksum(page)) }

// StoredChecksum is the checksum that the page carries: that of the page as it was read or written
// last.
func StoredChecksum(page []byte) uint32 { return binary.LittleEndian.Uint32(page[offCRC:]) }

// Verify checks a page that was read, beside Files, from the place of id in the file path:
// ErrNeverWritten, *base.CorruptError.
func Verify(page []byte, id base.PageID, path string) error { return verify(page, id, path) }

// verify checks a page read from the place of id in the file path (invariant 1).
func verify(page []byte, id base.PageID, path string) error {
	stored, sum := StoredChecksum(page), Checksum(page)
	if stored == sum && ID(page) == id {
		return nil
	}
	if isZero(page) {
		return fmt.Errorf("file %s, page %s: %w", path, id, ErrNeverWritten)
	}
	detail := fmt.Sprintf("checksum %08x, stored %08x", sum, stored)
	if stored == sum {
		detail = fmt.Sprintf("the page there says it is page %s", ID(page))
	}
	return corrupt(path, id, detail)
}

func corrupt(path string, id base.PageID, detail string) error {
	return &base.CorruptError{File: path, Page: id, Offset: int64(id.No) * base.PageSize, Detail: detail}
}

func isZero(p []byte) bool {
	for ; len(p) >= 8; p = p[8:] {
		if binary.LittleEndian.Uint64(p) != 0 {
			return false
		}
	}
	for _, b := range p {
		if b != 0 {
			return false
		}
	}
	return true
}

// Describe renders a page's header as text, for inspectors and goldens.
func Describe(page []byte) string {
	if isZero(page) {
		return "never written"
	}
	sum := "ok"
	if s := Checksum(page); s != StoredChecksum(page) {
		sum = fmt.Sprintf("BAD (computed %08x)", s)
	}
	return fmt.Sprintf("page %s  %s v%d  lsn %d  writer %d  checksum %08x %s",
		ID(page), Type(page), Format(page), LSN(page), Writer(page), StoredChecksum(page), sum)
}
