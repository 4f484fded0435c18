package redo

import (
	"fmt"
	"strings"

	"emberdb/internal/base"
)

// Op is the operation of a record. On disk; fixed.
type Op uint8

// The table of all operations. On disk; fixed. Each room registers apply and describe of its own
// with RegisterOp.
const (
	// 1-15: no page. Recovery acts on them while it scans.
	OpSegmentIndex Op = 1 // redo: the page index at the end of a closed segment; stands outside the stream
	OpSalt         Op = 2 // redo: from here on checksums are mixed with a new salt; never leaves the Reader
	OpDurable      Op = 3 // redo: how far the log was durable when this was appended; never leaves the Reader
	OpTrxIDReserve Op = 4 // txn: ids up to a bound may be handed out
	OpSpaceDrop    Op = 5 // engine: a tablespace is gone; changes to it before this need no redo
	OpBinlog       Op = 6 // binlog: bytes of its files, see there
	OpWritten      Op = 7 // redo: these versions of pages are on disk, see NoteWritten

	// OpFirstPage is the first operation that belongs to a page.
	OpFirstPage Op = 16

	// 16-31: any page (buffer).
	OpInitPage   Op = 16 // body: space u32, page u32, page type u8
	OpWriteBytes Op = 17 // body: offset u16, bytes

	// 32-47: space.
	OpSpaceHeader  Op = 32
	OpSpaceSize    Op = 33
	OpSpaceSearch  Op = 34
	OpSpaceAutoInc Op = 35
	OpSpaceRoot    Op = 36
	OpSpaceBitmap  Op = 37
	OpSpaceBits    Op = 38

	// 48-79: btree.
	OpBtreeInit     Op = 48
	OpBtreeInsert   Op = 49
	OpBtreeDelete   Op = 50
	OpBtreeSetValue Op = 51
	OpBtreePatch    Op = 52
	OpBtreeAppend   Op = 53
	OpBtreeTruncate Op = 54
	OpBtreeLinks    Op = 55
	OpBtreeLeftmost Op = 56
	OpBtreeRetire   Op = 57
	OpBtreeRun      Op = 58
	OpBtreePatches  Op = 59

	// 80-95: undo; txn numbers its operations from here.
	OpUndoFirst Op = 80

	// 96-111 are kept for overflow pages.
)

type opInfo struct {
	name     string
	apply    func(page, body []byte) error
	describe func(body []byte) string
}

var ops [256]opInfo

func init() {
	RegisterOp(OpSegmentIndex, "segment-index", nil, func(body []byte) string { return fmt.Sprintf("%d bytes", len(body)) })
	RegisterOp(OpSalt, "salt", nil, nil)
	RegisterOp(OpDurable, "durable", nil, nil)
	RegisterOp(OpWritten, "written", nil, func(body []byte) string {
		n := 0
		for range Written(body) {
			n++
		}
		return fmt.Sprintf("%d pages", n)
	})
	RegisterOp(OpSpaceDrop, "space-drop", nil, func([]byte) string { return "" })
}

// RegisterOp enters an operation in the table; rooms call it from init. apply changes a page and
// must be a pure function of page and body: the same function runs when the change is made and in
// recovery. It is nil for operations without a page. describe may be nil.
func RegisterOp(op Op, name string, apply func(page, body []byte) error, describe func(body []byte) string) {
	if ops[op].name != "" {
		panic(fmt.Sprintf("redo: operation %d registered as %s and %s", op, ops[op].name, name))
	}
	if (apply != nil) != (op >= OpFirstPage) {
		panic(fmt.Sprintf("redo: operation %s: exactly the operations from %d on have an apply function", name, OpFirstPage))
	}
	ops[op] = opInfo{name, apply, describe}
}

func (op Op) String() string {
	if name := ops[op].name; name != "" {
		return name
	}
	return fmt.Sprintf("op-%d", uint8(op))
}

// Apply makes the change a record tells of.
func Apply(rec Record, page []byte) error {
	apply := ops[rec.Op].apply
	if apply == nil {
		return fmt.Errorf("redo record %s for page %s: %w: no room applies it", rec.Op, rec.Page, base.ErrCorrupt)
	}
	return apply(page, rec.Body)
}

// Describe renders a record as text, for inspectors and goldens.
func Describe(rec Record) string {
	s := rec.Op.String()
	if rec.Op >= OpFirstPage || rec.Page != (base.PageID{}) {
		s += " " + rec.Page.String()
	}
	if d := ops[rec.Op].describe; d != nil {
		return strings.TrimRight(s+" "+d(rec.Body), " ")
	}
	return fmt.Sprintf("%s %d bytes", s, len(rec.Body))
}
