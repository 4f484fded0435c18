package txn

import (
	"fmt"

	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/internal/base"
)

// Redo operations of the undo space. Bodies, on disk; fixed:
//
//	OpTrxIDReserve   bound u64                                     every id below may have been handed out
//	opDirInit        first stream u32
//	opDirNext        page u32
//	opDirEntry       index u16 | head u32 | tail u32
//	opPageInit       previous page u32 | stream u32 | owner u64    an initialised page becomes an empty undo page
//	opPageReset                                                    the page's logs are all purged: it begins anew
//	opPagePrev       page u32
//	opPageNext       page u32
//	opLog            trx id u64 | sequence number u64              appends a log header
//	opAppend         entry without its lengths                     appends an entry
//	opAppendRun      of each entry: length u16, the entry without its lengths
//	opTruncate       top u16                                       the entries from there on are undone
//	opLogState       offset u16 | state u8 | flags u8 | commit number u64
const (
	opDirInit   = redo.OpUndoFirst + 0
	opDirNext   = redo.OpUndoFirst + 1
	opDirEntry  = redo.OpUndoFirst + 2
	opPageInit  = redo.OpUndoFirst + 3
	opPageReset = redo.OpUndoFirst + 4
	opPagePrev  = redo.OpUndoFirst + 5
	opPageNext  = redo.OpUndoFirst + 6
	opLog       = redo.OpUndoFirst + 7
	opAppend    = redo.OpUndoFirst + 8
	opTruncate  = redo.OpUndoFirst + 9
	opLogState  = redo.OpUndoFirst + 10
	opAppendRun = redo.OpUndoFirst + 11
)

func init() {
	redo.RegisterOp(redo.OpTrxIDReserve, "trx-id-reserve", nil, describeReserve)
	redo.RegisterOp(opDirInit, "undo-dir-init", sized(4, applyDirInit), nil)
	redo.RegisterOp(opDirNext, "undo-dir-next", sized(4, func(p, b []byte) error { copy(p[dirNext:], b); return nil }), describePage)
	redo.RegisterOp(opDirEntry, "undo-dir-entry", sized(10, applyDirEntry), describeDirEntry)
	redo.RegisterOp(opPageInit, "undo-page-init", sized(16, applyPageInit), describePageInit)
	redo.RegisterOp(opPageReset, "undo-page-reset", sized(0, applyPageReset), nil)
	redo.RegisterOp(opPagePrev, "undo-page-prev", sized(4, func(p, b []byte) error { copy(p[pagePrev:], b); return nil }), describePage)
	redo.RegisterOp(opPageNext, "undo-page-next", sized(4, func(p, b []byte) error { copy(p[pageNext:], b); return nil }), describePage)
	redo.RegisterOp(opLog, "undo-log", sized(16, applyLog), describeLog)
	redo.RegisterOp(opAppend, "undo-append", applyAppend, describeAppend)
	redo.RegisterOp(opAppendRun, "undo-append-run", applyAppendRun, describeAppendRun)
	redo.RegisterOp(opTruncate, "undo-truncate", sized(2, applyTruncate), describeTruncate)
	redo.RegisterOp(opLogState, "undo-log-state", sized(12, applyLogState), describeLogState)
}

// sized guards an apply function by the length its bodies have.
func sized(n int, apply func(page, body []byte) error) func(page, body []byte) error {
	return func(page, body []byte) error {
		if len(body) != n {
			return damaged("a body of %d bytes instead of %d", len(body), n)
		}
		return apply(page, body)
	}
}

func damaged(format string, args ...any) error {
	return fmt.Errorf("undo redo record: %s: %w", fmt.Sprintf(format, args...), base.ErrCorrupt)
}

// EncodeReserve is the body of OpTrxIDReserve.
func EncodeReserve(bound base.TrxID) []byte { return le.AppendUint64(nil, uint64(bound)) }

// DecodeReserve reads the body of OpTrxIDReserve: the first id that was not reserved.
func DecodeReserve(body []byte) (base.TrxID, error) {
	if len(body) != 8 {
		return 0, damaged("a body of %d bytes instead of 8", len(body))
	}
	return base.TrxID(le.Uint64(body)), nil
}

func describeReserve(body []byte) string {
	bound, err := DecodeReserve(body)
	if err != nil {
		return "damaged"
	}
	return fmt.Sprintf("below %d", bound)
}

func describePage(body []byte) string {
	if len(body) != 4 {
		return "damaged"
	}
	return fmt.Sprintf("page %d", le.Uint32(body))
}

func applyDirInit(page, body []byte) error {
	le.PutUint32(page[dirNext:], uint32(base.NilPage))
	copy(page[dirFirst:], body)
	for i := range dirEntries {
		e := page[dirStart+i*dirEntry:]
		le.PutUint32(e, uint32(base.NilPage))
		le.PutUint32(e[4:], uint32(base.NilPage))
	}
	return nil
}

func encodeDirEntry(index int, head, tail base.PageNo) (b [10]byte) {
	le.PutUint16(b[0:], uint16(index))
	le.PutUint32(b[2:], uint32(head))
	le.PutUint32(b[6:], uint32(tail))
	return b
}

func applyDirEntry(page, body []byte) error {
	i := int(le.Uint16(body))
	if i >= dirEntries {
		return damaged("directory entry %d", i)
	}
	copy(page[dirStart+i*dirEntry:], body[2:10])
	return nil
}

func describeDirEntry(body []byte) string {
	if len(body) != 10 {
		return "damaged"
	}
	return fmt.Sprintf("entry %d head %d tail %d", le.Uint16(body), le.Uint32(body[2:]), le.Uint32(body[6:]))
}

func encodePageInit(prev base.PageNo, stream uint32, owner base.RollPtr) (b [16]byte) {
	le.PutUint32(b[0:], uint32(prev))
	le.PutUint32(b[4:], stream)
	le.PutUint64(b[8:], uint64(owner))
	return b
}

func applyPageInit(page, body []byte) error {
	copy(page[pagePrev:], body[0:4])
	le.PutUint32(page[pageNext:], uint32(base.NilPage))
	copy(page[pageStream:], body[4:8])
	copy(page[pageOwner:], body[8:16])
	le.PutUint16(page[pageTop:], pageStart)
	le.PutUint16(page[pageFirstLog:], 0)
	le.PutUint16(page[pageLastLog:], 0)
	return nil
}

func describePageInit(body []byte) string {
	if len(body) != 16 {
		return "damaged"
	}
	return fmt.Sprintf("stream %d previous %d owner %#x", le.Uint32(body[4:]), le.Uint32(body), le.Uint64(body[8:]))
}

func applyPageReset(page, _ []byte) error {
	le.PutUint16(page[pageTop:], pageStart)
	le.PutUint16(page[pageFirstLog:], 0)
	le.PutUint16(page[pageLastLog:], 0)
	le.PutUint64(page[pageOwner:], 0)
	return nil
}

func encodeLog(trx base.TrxID, seq uint64) (b [16]byte) {
	le.PutUint64(b[0:], uint64(trx))
	le.PutUint64(b[8:], seq)
	return b
}

func applyLog(page, body []byte) error {
	top := undoPage(page).top()
	if top < pageStart || top+logSize > len(page) {
		return damaged("no room for a log header at %d", top)
	}
	appendLogHeader(page[:top], base.TrxID(le.Uint64(body)), le.Uint64(body[8:]))
	if undoPage(page).firstLog() == 0 {
		le.PutUint16(page[pageFirstLog:], uint16(top))
	}
	le.PutUint16(page[pageLastLog:], uint16(top))
	le.PutUint16(page[pageTop:], uint16(top+logSize))
	return nil
}

func describeLog(body []byte) string {
	if len(body) != 16 {
		return "damaged"
	}
	return fmt.Sprintf("trx %d seq %d", le.Uint64(body), le.Uint64(body[8:]))
}

func applyAppend(page, body []byte) error {
	top, n := undoPage(page).top(), len(body)+entryEnds
	if len(body) == 0 || body[0] == kindLog || top < pageStart || top+n > len(page) {
		return damaged("an entry of %d bytes does not fit at %d", n, top)
	}
	le.PutUint16(page[top:], uint16(n))
	copy(page[top+2:], body)
	le.PutUint16(page[top+n-2:], uint16(n))
	le.PutUint16(page[pageTop:], uint16(top+n))
	return nil
}

func applyAppendRun(page, body []byte) error {
	for len(body) > 0 {
		e, rest, ok := nextOfRun(body)
		if !ok {
			return damaged("a run of entries that is cut off")
		}
		if err := applyAppend(page, e); err != nil {
			return err
		}
		body = rest
	}
	return nil
}

// nextOfRun splits the first entry off a run.
func nextOfRun(body []byte) (entry, rest []byte, ok bool) {
	if len(body) < 2 {
		return nil, nil, false
	}
	n := int(le.Uint16(body))
	if body = body[2:]; n > len(body) {
		return nil, nil, false
	}
	return body[:n], body[n:], true
}

func describeAppendRun(body []byte) string {
	n, first := 0, ""
	for ; len(body) > 0; n++ {
		e, rest, ok := nextOfRun(body)
		if !ok {
			return "damaged"
		}
		if n == 0 {
			first = describeAppend(e)
		}
		body = rest
	}
	return fmt.Sprintf("%d entries, first: %s", n, first)
}

func describeAppend(body []byte) string {
	var rec UndoRecord
	e := append(append([]byte{0, 0}, body...), 0, 0)
	if len(body) > 0 && body[0] == kindFragment {
		return fmt.Sprintf("fragment of %d bytes", len(body)-9)
	}
	var b Branch
	if len(body) > 0 && body[0] == kindBranch && b.parse(e) {
		return fmt.Sprintf("prepared %s", b.XID)
	}
	if _, ok := decodeRecord(e, &rec); !ok {
		return "damaged"
	}
	return fmt.Sprintf("%s no %d trx %d table %d key %x previous trx %d body %d bytes", rec.Type, rec.No, rec.Trx, rec.Table, rec.Key, rec.PrevTrx, len(rec.Body))
}

func applyTruncate(page, body []byte) error {
	p, top := undoPage(page), int(le.Uint16(body))
	if top < pageStart || top > p.top() || top < p.lastLog() {
		return damaged("truncation at %d of a page filled to %d", top, p.top())
	}
	le.PutUint16(page[pageTop:], uint16(top))
	return nil
}

func describeTruncate(body []byte) string {
	if len(body) != 2 {
		return "damaged"
	}
	return fmt.Sprintf("top %d", le.Uint16(body))
}

func encodeLogState(off int, state, flags uint8, number base.TrxID) (b [12]byte) {
	le.PutUint16(b[0:], uint16(off))
	b[2], b[3] = state, flags
	le.PutUint64(b[4:], uint64(number))
	return b
}

func applyLogState(page, body []byte) error {
	off := int(le.Uint16(body))
	if _, ok := undoPage(page).log(off); !ok || pagefile.Type(page) != pagefile.TypeUndo {
		return damaged("no log header at %d", off)
	}
	page[off+logState], page[off+logFlags] = body[2], body[3]
	copy(page[off+logNumber:], body[4:12])
	return nil
}

func describeLogState(body []byte) string {
	if len(body) != 12 {
		return "damaged"
	}
	return fmt.Sprintf("log at %d state %d flags %d number %d", le.Uint16(body), body[2], body[3], le.Uint64(body[4:]))
}
