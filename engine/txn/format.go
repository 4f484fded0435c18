package txn

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"emberdb/engine/pagefile"
	"emberdb/internal/base"
)

// Everything in this file is on disk; fixed. The undo space holds directory pages and undo pages.
//
// Directory page (pagefile.TypeUndoHeader); the first one is the root that the space header lists
// under directoryRoot:
//
//	32  4  next directory page, NilPage at the end
//	36  4  number of the first stream of this page
//	40  .. dirEntries entries of 16 bytes:  0 4 head page   4 4 tail page   8 8 zero        NilPage: the stream was never used
//
// Undo page (pagefile.TypeUndo), a link of the list of one stream, oldest first:
//
//	32  4  previous page, NilPage at the head         36  4  next page, NilPage at the tail
//	40  4  stream number                              44  2  top: offset behind the last entry
//	46  2  offset of the first log header, 0: none    48  2  offset of the last log header, 0: none
//	50  6  zero
//	56  8  roll pointer of the header of the log whose entries the page begins with; 0: it begins with a log header
//	64  .. entries
//
// Entry: length u16 | kind u8 | ... | length u16. The length counts the whole entry and stands at
// both ends, so that a log is read forward by purge and backward by rollback.
//
//	log header, 40 bytes:
//	   0 2 length  2 1 kind 0  3 1 state  4 1 flags  5 3 zero  8 8 trx id  16 8 commit number  24 8 number of the log in its stream, from 1
//	  32 6 zero   38 2 length
//
//	branch, what a prepared transaction is and holds; several if the names do not fit into one:
//	   kind 14 | flags u8 (1: its events are in the binary log) | format u64 | gtrid length u8 |
//	   bqual length u8 | gtrid | bqual
//	   names of metadata locks, each: length u16 | name
//
//	fragment, a part of a body too large for one page:
//	   kind 15 | roll pointer of the fragment before, 0: none, u64 | bytes
//
//	record:
//	   kind 1..4 (UndoType) | flags u8 | undo number uvarint | trx id uvarint | table id uvarint
//	   previous trx id uvarint | previous roll pointer, its salt rotated to the low end, uvarint |
//	   key length uvarint | key | body
//	   With flag recFragments the body is:  length u32 | roll pointer of the last fragment u64
const (
	directoryRoot base.IndexID = 1

	dirNext    = 32
	dirFirst   = 36
	dirStart   = 40
	dirEntry   = 16
	dirEntries = (base.PageSize - dirStart) / dirEntry

	pagePrev     = 32
	pageNext     = 36
	pageStream   = 40
	pageTop      = 44
	pageFirstLog = 46
	pageLastLog  = 48
	pageOwner    = 56
	pageStart    = 64

	logState   = 3
	logFlags   = 4
	logTrx     = 8
	logNumber  = 16
	logSeq     = 24
	logSize    = 40
	entryEnds  = 4 // both lengths
	maxEntry   = base.PageSize - pageStart - logSize
	maxStreams = 1 << 16

	kindLog      = 0
	kindBranch   = 14
	kindFragment = 15

	saltBits = 16 // of a roll pointer, at its high end

	recNoPurge   = 1
	recFragments = 2

	branchLogged = 1

	logWork = 1 // log flag: purge must look at its records
)

// UndoType tells what change a record undoes. On disk; fixed.
type UndoType uint8

const (
	UndoInsert     UndoType = 1 + iota // the row did not exist
	UndoUpdate                         // the row had other bytes
	UndoDeleteMark                     // the row was not marked
	UndoRevive                         // the row was delete-marked
)

func (t UndoType) String() string {
	switch t {
	case UndoInsert:
		return "insert"
	case UndoUpdate:
		return "update"
	case UndoDeleteMark:
		return "delete-mark"
	case UndoRevive:
		return "revive"
	}
	return fmt.Sprintf("type %d", uint8(t))
}

// UndoRecord tells how to take one change of a clustered row back.
type UndoRecord struct {
	Type    UndoType
	NoPurge bool         // PurgeRow need not see it: nothing becomes garbage when the version before is needed no more
	No      uint64       // ascending within the transaction; with gaps where a rollback to a savepoint took records back
	Trx     base.TrxID   // who made the change
	Ptr     base.RollPtr // where the record stands
	Table   base.TableID
	PrevTrx base.TrxID   // writer of the version before
	PrevPtr base.RollPtr // its undo record
	Key     []byte       // clustered key
	Body    []byte       // of the table room
}

var le = binary.LittleEndian

// logState values. On disk; fixed.
const (
	stateActive    = 0
	stateCommitted = 1
	stateAborted   = 2
	statePrepared  = 3 // XA
	stateDone      = 4 // rolled back completely
)

// undoPage gives access to the fields of an undo page.
type undoPage []byte

func (p undoPage) prev() base.PageNo   { return base.PageNo(le.Uint32(p[pagePrev:])) }
func (p undoPage) next() base.PageNo   { return base.PageNo(le.Uint32(p[pageNext:])) }
func (p undoPage) stream() uint32      { return le.Uint32(p[pageStream:]) }
func (p undoPage) top() int            { return int(le.Uint16(p[pageTop:])) }
func (p undoPage) firstLog() int       { return int(le.Uint16(p[pageFirstLog:])) }
func (p undoPage) lastLog() int        { return int(le.Uint16(p[pageLastLog:])) }
func (p undoPage) owner() base.RollPtr { return base.RollPtr(le.Uint64(p[pageOwner:])) }

// entry returns the entry at off, whole. ok is false where none can stand.
func (p undoPage) entry(off int) (e []byte, ok bool) {
	top := p.top()
	if off < pageStart || top > len(p) || off+entryEnds+1 > top {
		return nil, false
	}
	n := int(le.Uint16(p[off:]))
	if n < entryEnds+1 || off+n > top || int(le.Uint16(p[off+n-2:])) != n {
		return nil, false
	}
	return p[off : off+n], true
}

// before returns the offset of the entry that ends at end.
func (p undoPage) before(end int) (off int, ok bool) {
	if end < pageStart+entryEnds+1 || end > p.top() || end > len(p) {
		return 0, false
	}
	off = end - int(le.Uint16(p[end-2:]))
	_, ok = p.entry(off)
	return off, ok
}

// logHeader is a decoded log header.
type logHeader struct {
	state  uint8
	flags  uint8
	trx    base.TrxID
	number base.TrxID // commit number
	seq    uint64
}

func (h *logHeader) finished() bool { return h.state == stateCommitted || h.state == stateDone }

// log decodes the log header at off.
func (p undoPage) log(off int) (h logHeader, ok bool) {
	e, ok := p.entry(off)
	if !ok || len(e) != logSize || e[2] != kindLog {
		return h, false
	}
	return logHeader{state: e[logState], flags: e[logFlags], trx: base.TrxID(le.Uint64(e[logTrx:])),
		number: base.TrxID(le.Uint64(e[logNumber:])), seq: le.Uint64(e[logSeq:])}, true
}

// appendLogHeader encodes the header of a new, active log.
func appendLogHeader(dst []byte, trx base.TrxID, seq uint64) []byte {
	var e [logSize]byte
	le.PutUint16(e[0:], logSize)
	le.PutUint64(e[logTrx:], uint64(trx))
	le.PutUint64(e[logSeq:], seq)
	le.PutUint16(e[logSize-2:], logSize)
	return append(dst, e[:]...)
}

// appendRecord encodes rec as an entry without its lengths. With fragments, the body is left out
// for (length, last).
func appendRecord(dst []byte, rec *UndoRecord, fragments bool, last base.RollPtr) []byte {
	flags := byte(0)
	if rec.NoPurge {
		flags |= recNoPurge
	}
	if fragments {
		flags |= recFragments
	}
	dst = append(dst, byte(rec.Type), flags)
	dst = binary.AppendUvarint(dst, rec.No)
	dst = binary.AppendUvarint(dst, uint64(rec.Trx))
	dst = binary.AppendUvarint(dst, uint64(rec.Table))
	dst = binary.AppendUvarint(dst, uint64(rec.PrevTrx))
	dst = binary.AppendUvarint(dst, bits.RotateLeft64(uint64(rec.PrevPtr), saltBits))
	dst = binary.AppendUvarint(dst, uint64(len(rec.Key)))
	dst = append(dst, rec.Key...)
	if fragments {
		dst = le.AppendUint32(dst, uint32(len(rec.Body)))
		return le.AppendUint64(dst, uint64(last))
	}
	return append(dst, rec.Body...)
}

// isRecord tells whether a whole entry is a record.
func isRecord(e []byte) bool { return e[2] >= byte(UndoInsert) && e[2] <= byte(UndoRevive) }

// decodeRecord decodes a whole entry into rec; Key and Body alias e. With fragments true, Body is
// the reference to them.
func decodeRecord(e []byte, rec *UndoRecord) (fragments, ok bool) {
	if len(e) < entryEnds+2 || !isRecord(e) {
		return false, false
	}
	rec.Type, rec.NoPurge = UndoType(e[2]), e[3]&recNoPurge != 0
	fragments = e[3]&recFragments != 0
	b := e[4 : len(e)-2]
	var v [6]uint64
	for i := range v {
		x, n := binary.Uvarint(b)
		if n <= 0 {
			return false, false
		}
		v[i], b = x, b[n:]
	}
	if v[5] > uint64(len(b)) || (fragments && uint64(len(b))-v[5] != 12) {
		return false, false
	}
	rec.No, rec.Trx, rec.Table = v[0], base.TrxID(v[1]), base.TableID(v[2])
	rec.PrevTrx, rec.PrevPtr = base.TrxID(v[3]), base.RollPtr(bits.RotateLeft64(v[4], -saltBits))
	rec.Key, rec.Body = b[:v[5]:v[5]], b[v[5]:]
	return fragments, true
}

// appendFragment encodes a fragment as an entry without its lengths.
func appendFragment(dst []byte, prev base.RollPtr, part []byte) []byte {
	dst = append(dst, kindFragment)
	dst = le.AppendUint64(dst, uint64(prev))
	return append(dst, part...)
}

// decodeFragment decodes a whole entry.
func decodeFragment(e []byte) (prev base.RollPtr, part []byte, ok bool) {
	if len(e) < entryEnds+9 || e[2] != kindFragment {
		return 0, nil, false
	}
	return base.RollPtr(le.Uint64(e[3:])), e[11 : len(e)-2], true
}

func undoID(no base.PageNo) base.PageID { return base.PageID{Space: base.UndoSpace, No: no} }

func corrupt(no base.PageNo, off int, format string, args ...any) error {
	return &base.CorruptError{File: "undo space", Page: undoID(no), Offset: int64(no)*base.PageSize + int64(off),
		Detail: fmt.Sprintf(format, args...)}
}

// checkUndo verifies that a page is an undo page of the stream.
func checkUndo(no base.PageNo, data []byte, stream uint32) error {
	p := undoPage(data)
	if pagefile.Type(data) != pagefile.TypeUndo || p.stream() != stream || p.top() < pageStart || p.top() > base.PageSize {
		return corrupt(no, 0, "not a page of undo stream %d", stream)
	}
	return nil
}
