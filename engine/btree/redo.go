package btree

// The tree's redo: for every change one op, its encoding, its apply function and its description.
// The apply function changes the page at run time and in recovery alike. Bodies (numbers are
// uvarints unless said otherwise):
//
//	init       tree, level, prev+1, next+1, leftmost+1 (NilPage wraps to 0)
//	insert     slot, writer, key length, key, value
//	insert-run slot, writer, records in page form    (each behind the one before it)
//	delete     slot, writer
//	set-value  slot, writer, value
//	patch      slot, writer, offset in the value, bytes
//	patches    writer, then of each patch: slot, offset in the value, length, bytes
//	append     writer, records in page form            (the receiving side of split, merge and bulk load)
//	truncate   slot                                    (the giving side of a split)
//	links      flags u8 (1 prev, 2 next), prev u32 if flagged, next u32 if flagged
//	leftmost   child                                   (inner page: the leftmost child is replaced and separator 0 removed)
//	retire     nothing                                 (the page leaves the tree and is about to be freed)
//
// A writer of 0 leaves the page's newest writer as it is; otherwise the larger of the two stays.

import (
	"encoding/binary"
	"errors"
	"fmt"

	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/internal/base"
)

func init() {
	redo.RegisterOp(redo.OpBtreeInit, "btree-init", applyInit, describeInit)
	redo.RegisterOp(redo.OpBtreeInsert, "btree-insert", applyInsert, describeInsert)
	redo.RegisterOp(redo.OpBtreeRun, "btree-insert-run", applyInsertRun, describeInsertRun)
	redo.RegisterOp(redo.OpBtreeDelete, "btree-delete", applyDelete, describeDelete)
	redo.RegisterOp(redo.OpBtreeSetValue, "btree-set-value", applySetValue, describeSetValue)
	redo.RegisterOp(redo.OpBtreePatch, "btree-patch", applyPatch, describePatch)
	redo.RegisterOp(redo.OpBtreePatches, "btree-patches", applyPatches, describePatches)
	redo.RegisterOp(redo.OpBtreeAppend, "btree-append", applyAppend, describeAppend)
	redo.RegisterOp(redo.OpBtreeTruncate, "btree-truncate", applyTruncate, describeTruncate)
	redo.RegisterOp(redo.OpBtreeLinks, "btree-links", applyLinks, describeLinks)
	redo.RegisterOp(redo.OpBtreeLeftmost, "btree-leftmost", applyLeftmost, describeLeftmost)
	redo.RegisterOp(redo.OpBtreeRetire, "btree-retire", applyRetire, describeRetire)
}

var (
	errBody = errors.New("malformed body")
	errSlot = errors.New("slot out of range")
	errRoom = errors.New("record does not fit")
)

const (
	linkPrev = 1
	linkNext = 2
)

// fields reads the uvarints at the head of a body; bad stays set once one is missing.
type fields struct {
	b   []byte
	bad bool
}

func (f *fields) uint() uint64 {
	v, w := binary.Uvarint(f.b)
	if w <= 0 {
		f.bad = true
		return 0
	}
	f.b = f.b[w:]
	return v
}

func (f *fields) int() int {
	v := f.uint()
	if v > base.PageSize {
		f.bad = true
		return 0
	}
	return int(v)
}

func (f *fields) take(k int) []byte {
	if k > len(f.b) {
		f.bad = true
		return nil
	}
	b := f.b[:k]
	f.b = f.b[k:]
	return b
}

func (f *fields) page() base.PageNo { return base.PageNo(uint32(f.uint()) - 1) }

func appendPage(b []byte, p base.PageNo) []byte { return binary.AppendUvarint(b, uint64(uint32(p)+1)) }

func raiseWriter(page []byte, w uint64) {
	if w > uint64(pagefile.Writer(page)) {
		pagefile.SetWriter(page, base.TrxID(w))
	}
}

// existing reads slot and writer at the head of a body and checks the slot.
func (f *fields) existing(n node) (slot int, writer uint64, err error) {
	slot, writer = f.int(), f.uint()
	switch {
	case f.bad:
		return 0, 0, errBody
	case slot >= n.count():
		return 0, 0, errSlot
	}
	return slot, writer, nil
}

func encodeInit(b []byte, tree base.IndexID, level int, prev, next, leftmost base.PageNo) []byte {
	b = binary.AppendUvarint(b, uint64(tree))
	b = binary.AppendUvarint(b, uint64(level))
	return appendPage(appendPage(appendPage(b, prev), next), leftmost)
}

func applyInit(page, body []byte) error {
	f := fields{b: body}
	tree, level := base.IndexID(f.uint()), f.int()
	prev, next, leftmost := f.page(), f.page(), f.page()
	if f.bad || level > maxLevel {
		return errBody
	}
	node(page).init(tree, level, prev, next, leftmost)
	return nil
}

func describeInit(body []byte) string {
	f := fields{b: body}
	return fmt.Sprintf("tree %d level %d prev %d next %d leftmost %d", f.uint(), f.int(), f.page(), f.page(), f.page())
}

// encodeInsert returns the head of the body; key and value follow it.
func encodeInsert(b []byte, slot int, writer base.TrxID, key []byte) []byte {
	b = encodeSlot(b, slot, writer)
	return binary.AppendUvarint(b, uint64(len(key)))
}

func encodeSlot(b []byte, slot int, writer base.TrxID) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(b, uint64(slot)), uint64(writer))
}

func applyInsert(page, body []byte) error {
	f := fields{b: body}
	slot, writer, klen := f.int(), f.uint(), f.int()
	key := f.take(klen)
	if f.bad {
		return errBody
	}
	if !node(page).insert(slot, key, f.b) {
		return errRoom
	}
	raiseWriter(page, writer)
	return nil
}

func describeInsert(body []byte) string {
	f := fields{b: body}
	slot, writer, klen := f.int(), f.uint(), f.int()
	key := f.take(klen)
	return fmt.Sprintf("slot %d writer %d key %x value %d bytes", slot, writer, key, len(f.b))
}

func applyInsertRun(page, body []byte) error {
	f := fields{b: body}
	slot, writer := f.int(), f.uint()
	for ; !f.bad && len(f.b) > 0; slot++ {
		h := f.take(recHdr)
		if f.bad {
			break
		}
		key := f.take(int(le.Uint16(h)))
		val := f.take(int(le.Uint16(h[2:])))
		if !f.bad && !node(page).insert(slot, key, val) {
			return errRoom
		}
	}
	if f.bad {
		return errBody
	}
	raiseWriter(page, writer)
	return nil
}

func describeInsertRun(body []byte) string {
	f := fields{b: body}
	return fmt.Sprintf("slot %d writer %d records %d bytes", f.int(), f.uint(), len(f.b))
}

func applyDelete(page, body []byte) error {
	f := fields{b: body}
	slot, writer, err := f.existing(page)
	if err != nil {
		return err
	}
	node(page).remove(slot)
	raiseWriter(page, writer)
	return nil
}

func describeDelete(body []byte) string {
	f := fields{b: body}
	return fmt.Sprintf("slot %d writer %d", f.int(), f.uint())
}

func applySetValue(page, body []byte) error {
	f := fields{b: body}
	slot, writer, err := f.existing(page)
	if err != nil {
		return err
	}
	if !node(page).setValue(slot, f.b) {
		return errRoom
	}
	raiseWriter(page, writer)
	return nil
}

func describeSetValue(body []byte) string {
	f := fields{b: body}
	return fmt.Sprintf("slot %d writer %d value %d bytes", f.int(), f.uint(), len(f.b))
}

func encodePatch(b []byte, slot int, writer base.TrxID, off int) []byte {
	return binary.AppendUvarint(encodeSlot(b, slot, writer), uint64(off))
}

func applyPatch(page, body []byte) error {
	f := fields{b: body}
	slot, writer, err := f.existing(page)
	if err != nil {
		return err
	}
	off := f.int()
	val := node(page).value(slot)
	if f.bad || off+len(f.b) > len(val) {
		return errBody
	}
	copy(val[off:], f.b)
	raiseWriter(page, writer)
	return nil
}

func describePatch(body []byte) string {
	f := fields{b: body}
	return fmt.Sprintf("slot %d writer %d offset %d: %x", f.int(), f.uint(), f.int(), f.b)
}

func applyPatches(page, body []byte) error {
	f := fields{b: body}
	writer := f.uint()
	for n := node(page); !f.bad && len(f.b) > 0; {
		slot, off, size := f.int(), f.int(), f.int()
		b := f.take(size)
		if f.bad {
			break
		}
		if slot >= n.count() {
			return errSlot
		}
		val := n.value(slot)
		if off+len(b) > len(val) {
			return errBody
		}
		copy(val[off:], b)
	}
	if f.bad {
		return errBody
	}
	raiseWriter(page, writer)
	return nil
}

func describePatches(body []byte) string {
	f := fields{b: body}
	return fmt.Sprintf("writer %d patches %d bytes", f.uint(), len(f.b))
}

func applyAppend(page, body []byte) error {
	f := fields{b: body}
	writer := f.uint()
	if f.bad {
		return errBody
	}
	if !node(page).appendRun(f.b) {
		return errRoom
	}
	raiseWriter(page, writer)
	return nil
}

func describeAppend(body []byte) string {
	f := fields{b: body}
	return fmt.Sprintf("writer %d records %d bytes", f.uint(), len(f.b))
}

func applyTruncate(page, body []byte) error {
	f := fields{b: body}
	slot := f.int()
	if f.bad || slot > node(page).count() {
		return errSlot
	}
	node(page).truncate(slot)
	return nil
}

func describeTruncate(body []byte) string {
	f := fields{b: body}
	return fmt.Sprintf("from slot %d", f.int())
}

func encodeLinks(b []byte, flags byte, prev, next base.PageNo) []byte {
	b = append(b, flags)
	if flags&linkPrev != 0 {
		b = le.AppendUint32(b, uint32(prev))
	}
	if flags&linkNext != 0 {
		b = le.AppendUint32(b, uint32(next))
	}
	return b
}

// decodeLinks returns the flags and the page numbers, NilPage where not flagged.
func decodeLinks(body []byte) (flags byte, prev, next base.PageNo, ok bool) {
	f := fields{b: body}
	prev, next = base.NilPage, base.NilPage
	if b := f.take(1); !f.bad {
		flags = b[0]
	}
	if flags&linkPrev != 0 {
		if b := f.take(4); !f.bad {
			prev = base.PageNo(le.Uint32(b))
		}
	}
	if flags&linkNext != 0 {
		if b := f.take(4); !f.bad {
			next = base.PageNo(le.Uint32(b))
		}
	}
	return flags, prev, next, !f.bad && len(f.b) == 0
}

func applyLinks(page, body []byte) error {
	flags, prev, next, ok := decodeLinks(body)
	if !ok {
		return errBody
	}
	if flags&linkPrev != 0 {
		node(page).setPrev(prev)
	}
	if flags&linkNext != 0 {
		node(page).setNext(next)
	}
	return nil
}

func describeLinks(body []byte) string {
	flags, prev, next, _ := decodeLinks(body)
	return fmt.Sprintf("flags %d prev %d next %d", flags, prev, next)
}

func applyLeftmost(page, body []byte) error {
	n, f := node(page), fields{b: body}
	child := uint32(f.uint())
	if f.bad || n.level() == 0 || n.count() == 0 {
		return errBody
	}
	n.remove(0)
	le.PutUint32(n[offLeftmost:], child)
	return nil
}

func describeLeftmost(body []byte) string {
	f := fields{b: body}
	return fmt.Sprintf("child %d, separator 0 removed", f.uint())
}

func applyRetire(page, _ []byte) error {
	node(page).init(0, 0, base.NilPage, base.NilPage, base.NilPage)
	pagefile.SetType(page, pagefile.TypeFree)
	return nil
}

func describeRetire([]byte) string { return "" }

func encodeUint(v uint64) []byte { return binary.AppendUvarint(nil, v) }
