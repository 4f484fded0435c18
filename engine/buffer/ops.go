package buffer

import (
	"encoding/binary"
	"fmt"

	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/internal/base"
)

// The two redo operations every room may use. Bodies, on disk; fixed:
//
//	OpInitPage    space u32 | page u32 | type u8        the page becomes zeros with a fresh header
//	OpWriteBytes  offset u16 | bytes                    overwrites bytes; the header's checksum, id and LSN are out of reach
const (
	initBodySize = 9
	firstFree    = 24 // lowest offset OpWriteBytes may write: the newest writer of the page header
)

func init() {
	redo.RegisterOp(redo.OpInitPage, "init-page", applyInitPage, describeInitPage)
	redo.RegisterOp(redo.OpWriteBytes, "write-bytes", applyWriteBytes, describeWriteBytes)
}

func encodeInitPage(id base.PageID, t pagefile.PageType) (b [initBodySize]byte) {
	binary.LittleEndian.PutUint32(b[0:], uint32(id.Space))
	binary.LittleEndian.PutUint32(b[4:], uint32(id.No))
	b[8] = byte(t)
	return b
}

func decodeInitPage(body []byte) (base.PageID, pagefile.PageType) {
	return base.PageID{Space: base.SpaceID(binary.LittleEndian.Uint32(body)), No: base.PageNo(binary.LittleEndian.Uint32(body[4:]))},
		pagefile.PageType(body[8])
}

func applyInitPage(page, body []byte) error {
	if len(body) != initBodySize {
		return fmt.Errorf("init-page: body of %d bytes: %w", len(body), base.ErrCorrupt)
	}
	id, t := decodeInitPage(body)
	clear(page)
	pagefile.Init(page, id, t)
	return nil
}

func describeInitPage(body []byte) string {
	if len(body) != initBodySize {
		return "damaged"
	}
	id, t := decodeInitPage(body)
	return fmt.Sprintf("%s type %d", id, t)
}

func applyWriteBytes(page, body []byte) error {
	if len(body) < 2 {
		return fmt.Errorf("write-bytes: body of %d bytes: %w", len(body), base.ErrCorrupt)
	}
	off, b := int(binary.LittleEndian.Uint16(body)), body[2:]
	if off < firstFree || off+len(b) > len(page) {
		return fmt.Errorf("write-bytes: [%d, %d) is outside of a page: %w", off, off+len(b), base.ErrCorrupt)
	}
	copy(page[off:], b)
	return nil
}

func describeWriteBytes(body []byte) string {
	if len(body) < 2 {
		return "damaged"
	}
	return fmt.Sprintf("offset %d, %d bytes", binary.LittleEndian.Uint16(body), len(body)-2)
}

// WriteBytes overwrites bytes of a page the mini-transaction holds exclusively, and logs it.
func (m *Mtr) WriteBytes(pg Page, off int, b []byte) {
	head := binary.LittleEndian.AppendUint16(m.scratch[:0], uint16(off))
	m.Apply(pg, redo.OpWriteBytes, head, b)
}
