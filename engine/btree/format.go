package btree

// A node is one page of a tree. On disk; fixed. Integers little-endian.
//
//	offset size
//	0      32   page header of pagefile
//	32     8    tree id
//	40     4    previous leaf, NilPage at the left end and on inner pages
//	44     4    next leaf, NilPage at the right end and on inner pages
//	48     4    leftmost child (inner pages)
//	52     2    slot count
//	54     2    heap top: first byte behind the record heap
//	56     2    garbage: bytes of the heap that belong to no record
//	58     2    prefix: the first so many bytes are equal in all keys of the page
//	60     1    level, 0 = leaf
//	61     1    insert direction: 0 none, 1 ascending, 2 descending
//	62     2    slot of the last insert
//	64     2    run: inserts in that direction without a break
//	66     2    zero
//	68     ..   record heap, growing up
//	..     ..   slot directory, growing down from the page end: slot i at 16384 - 6*(i+1)
//
// A record is    key length u16 | value length u16 | key | value
// A slot is      record offset u16 | head u32
//
// The head holds the four key bytes behind the common prefix as a number (big-endian, padded with
// zeros), so a binary search reads the directory alone and touches one record to confirm: measured
// a quarter to a third faster than offsets alone once the pool exceeds the CPU's cache, for 4 bytes
// a record.
//
// On inner pages the value is a child page number u32 and the key is a separator <= every key of
// that child and > every key of the child before it; the leftmost child has no separator. A
// separator is the shortest such key.
//
// Invariants of a node (checked by node.check):
//
//	(1) Keys ascend strictly along the directory; slot.head == head(key, prefix); all keys share
//	    prefix bytes.
//	(2) Live records are disjoint and lie in [heapStart, heapTop); garbage = heapTop - heapStart -
//	    their sizes.
//	(3) heapTop <= start of the directory.
//	(4) What bytes a change leaves behind depends on the page and the change alone (redo repeats
//	    it bit by bit where it matters).

import (
	"bytes"
	"encoding/binary"

	"emberdb/internal/base"
)

const (
	offTree     = 32
	offPrev     = 40
	offNext     = 44
	offLeftmost = 48
	offCount    = 52
	offHeapTop  = 54
	offGarbage  = 56
	offPrefix   = 58
	offLevel    = 60
	offDir      = 61
	offLast     = 62
	offRun      = 64
	heapStart   = 68

	slotSize = 6
	recHdr   = 4
	// SlotSize and RecordHeader are what a record takes of a page besides key and value.
	SlotSize, RecordHeader = slotSize, recHdr

	recCost = recHdr + slotSize // what a record takes besides key and value

	nodeCap = base.PageSize - heapStart // bytes for records and slots

	// MaxRecord is the most a key and its value may take together: two records always fit a page.
	MaxRecord = nodeCap/2 - recCost
	// MaxKey is the longest key: as a separator it carries a child number.
	MaxKey = MaxRecord - childSize

	childSize = 4
	maxLevel  = 64 // deeper is corruption

	dirNone, dirAsc, dirDesc = 0, 1, 2
)

var le = binary.LittleEndian

// node is the bytes of a whole page, seen as a tree node.
type node []byte

func (n node) tree() base.IndexID       { return base.IndexID(le.Uint64(n[offTree:])) }
func (n node) prev() base.PageNo        { return base.PageNo(le.Uint32(n[offPrev:])) }
func (n node) next() base.PageNo        { return base.PageNo(le.Uint32(n[offNext:])) }
func (n node) leftmost() base.PageNo    { return base.PageNo(le.Uint32(n[offLeftmost:])) }
func (n node) count() int               { return int(le.Uint16(n[offCount:])) }
func (n node) heapTop() int             { return int(le.Uint16(n[offHeapTop:])) }
func (n node) garbage() int             { return int(le.Uint16(n[offGarbage:])) }
func (n node) prefix() int              { return int(le.Uint16(n[offPrefix:])) }
func (n node) level() int               { return int(n[offLevel]) }
func (n node) put16(off, v int)         { le.PutUint16(n[off:], uint16(v)) }
func (n node) setPrev(p base.PageNo)    { le.PutUint32(n[offPrev:], uint32(p)) }
func (n node) setNext(p base.PageNo)    { le.PutUint32(n[offNext:], uint32(p)) }
func (n node) dirStart() int            { return base.PageSize - slotSize*n.count() }
func (n node) contiguous() int          { return n.dirStart() - n.heapTop() }
func (n node) free() int                { return n.contiguous() + n.garbage() }
func (n node) used() int                { return nodeCap - n.free() }
func (n node) offset(slot int) int      { return int(le.Uint16(n[base.PageSize-slotSize*(slot+1):])) }
func (n node) slotHead(slot int) uint32 { return le.Uint32(n[base.PageSize-slotSize*(slot+1)+2:]) }

func (n node) setSlot(slot, off int, head uint32) {
	s := n[base.PageSize-slotSize*(slot+1):]
	le.PutUint16(s, uint16(off))
	le.PutUint32(s[2:], head)
}

// key and value alias the page.
func (n node) key(slot int) []byte {
	off := n.offset(slot)
	k := int(le.Uint16(n[off:]))
	return n[off+recHdr : off+recHdr+k : off+recHdr+k]
}

func (n node) value(slot int) []byte {
	off := n.offset(slot)
	k, v := int(le.Uint16(n[off:])), int(le.Uint16(n[off+2:]))
	return n[off+recHdr+k : off+recHdr+k+v : off+recHdr+k+v]
}

// record returns the whole record, header included.
func (n node) record(slot int) []byte {
	off := n.offset(slot)
	return n[off : off+recSize(n, off)]
}

func recSize(n node, off int) int {
	return recHdr + int(le.Uint16(n[off:])) + int(le.Uint16(n[off+2:]))
}

// cost is what the record of slot takes of nodeCap.
func (n node) cost(slot int) int { return recSize(n, n.offset(slot)) + slotSize }

// child returns the child behind separator slot; slot -1 is the leftmost.
func (n node) child(slot int) base.PageNo {
	if slot < 0 {
		return n.leftmost()
	}
	off := n.offset(slot)
	return base.PageNo(le.Uint32(n[off+recHdr+int(le.Uint16(n[off:])):]))
}

// head is the number the directory keeps of a key.
func head(key []byte, prefix int) uint32 {
	if len(key) >= prefix+4 {
		return binary.BigEndian.Uint32(key[prefix:])
	}
	var h uint32
	for i := prefix; i < prefix+4; i++ {
		h <<= 8
		if i < len(key) {
			h |= uint32(key[i])
		}
	}
	return h
}

func commonPrefix(a, b []byte) int {
	i, m := 0, min(len(a), len(b))
	for i+8 <= m && le.Uint64(a[i:]) == le.Uint64(b[i:]) {
		i += 8
	}
	for i < m && a[i] == b[i] {
		i++
	}
	return i
}

// lowerHead returns the first slot in [lo, hi) whose head is >= h, else hi.
func (n node) lowerHead(h uint32, lo, hi int) int {
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		if n.slotHead(m) < h {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo
}

// search returns the first slot whose key is >= key, and whether it is equal.
func (n node) search(key []byte) (slot int, exact bool) {
	count, pl := n.count(), n.prefix()
	if count == 0 {
		return 0, false
	}
	var h uint32
	if len(key) >= pl {
		h = head(key, pl)
	}
	lo := n.lowerHead(h, 0, count)
	// Any record shows whether the key lies in the page's prefix at all; the likely hit is read
	// anyway.
	probe := n.key(min(lo, count-1))
	if pl > 0 {
		if len(key) < pl || !bytes.Equal(key[:pl], probe[:pl]) {
			if bytes.Compare(key, probe[:pl]) < 0 {
				return 0, false
			}
			return count, false
		}
	}
	if lo == count || n.slotHead(lo) != h {
		return lo, false
	}
	return n.searchEqualHeads(key, h, lo, count)
}

// searchEqualHeads looks for key among the slots from lo on whose head is h.
func (n node) searchEqualHeads(key []byte, h uint32, lo, hi int) (int, bool) {
	if c := bytes.Compare(n.key(lo), key); c >= 0 {
		return lo, c == 0
	}
	lo++
	if h != ^uint32(0) {
		hi = n.lowerHead(h+1, lo, hi)
	}
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		if c := bytes.Compare(n.key(m), key); c < 0 {
			lo = m + 1
		} else if c == 0 {
			return m, true
		} else {
			hi = m
		}
	}
	return lo, false
}

// childSlot returns the slot of the child that holds key: the last separator <= key, -1 for the
// leftmost child. before: the child that holds the greatest keys < key.
func (n node) childSlot(key []byte, before bool) int {
	slot, exact := n.search(key)
	if exact && !before {
		return slot
	}
	return slot - 1
}

// init makes the page an empty node. The page header stays.
func (n node) init(tree base.IndexID, level int, prev, next, leftmost base.PageNo) {
	clear(n[offTree:heapStart])
	le.PutUint64(n[offTree:], uint64(tree))
	n.setPrev(prev)
	n.setNext(next)
	le.PutUint32(n[offLeftmost:], uint32(leftmost))
	n.put16(offHeapTop, heapStart)
	n[offLevel] = byte(level)
}

// insert puts a record before slot. False: no room or a bad slot, page unchanged.
func (n node) insert(slot int, key, val []byte) bool {
	size := recHdr + len(key) + len(val)
	count := n.count()
	if slot < 0 || slot > count || size+slotSize > n.free() {
		return false
	}
	if size+slotSize > n.contiguous() {
		n.compact()
	}
	n.noteInsert(slot)
	n.openSlot(slot, key, n.appendRecord(key, val))
	return true
}

// appendRecord copies a record to the heap top. REQUIRES: contiguous room.
func (n node) appendRecord(key, val []byte) (off int) {
	off = n.heapTop()
	le.PutUint16(n[off:], uint16(len(key)))
	le.PutUint16(n[off+2:], uint16(len(val)))
	copy(n[off+recHdr:], key)
	copy(n[off+recHdr+len(key):], val)
	n.put16(offHeapTop, off+recHdr+len(key)+len(val))
	return off
}

// openSlot makes room in the directory and enters the record at off.
// Only a new first or last key can shorten the common prefix: every other one lies between two that
// share it.
func (n node) openSlot(slot int, key []byte, off int) {
	count := n.count()
	start := base.PageSize - slotSize*count
	copy(n[start-slotSize:], n[start:base.PageSize-slotSize*slot])
	n.put16(offCount, count+1)
	pl := n.prefix()
	switch {
	case count == 0:
		pl = len(key)
		n.put16(offPrefix, pl)
	case slot == 0 || slot == count:
		other := 0
		if slot == 0 {
			other = count // the last one, now
		}
		if c := commonPrefix(key, n.key(other)); c < pl {
			n.setSlot(slot, off, 0)
			n.rehead(c)
			return
		}
	}
	n.setSlot(slot, off, head(key, pl))
}

// rehead sets the prefix length and writes all heads anew.
func (n node) rehead(prefix int) {
	n.put16(offPrefix, prefix)
	for i := range n.count() {
		off := n.offset(i)
		n.setSlot(i, off, head(n.key(i), prefix))
	}
}

// bestPrefix recomputes the common prefix from the first and the last key.
func (n node) bestPrefix() {
	count, p := n.count(), 0
	if count > 0 {
		p = commonPrefix(n.key(0), n.key(count-1))
	}
	if p != n.prefix() {
		n.rehead(p)
	}
}

// noteInsert keeps the direction hint that splitPoint reads.
func (n node) noteInsert(slot int) {
	last, run, dir := int(le.Uint16(n[offLast:])), int(le.Uint16(n[offRun:])), byte(dirNone)
	switch {
	case n.count() == 0:
	case slot == last+1:
		dir = dirAsc
	case slot == last:
		dir = dirDesc
	}
	if dir == dirNone || dir != n[offDir] {
		run = 0
	}
	if dir != dirNone {
		run = min(run+1, base.PageSize)
	}
	n[offDir] = dir
	n.put16(offLast, slot)
	n.put16(offRun, run)
}

// runOf returns the length of the current run in direction dir.
func (n node) runOf(dir byte) int {
	if n[offDir] != dir {
		return 0
	}
	return int(le.Uint16(n[offRun:]))
}

// lastInsert returns the slot of the last insert.
func (n node) lastInsert() int { return int(le.Uint16(n[offLast:])) }

// remove takes the record of slot out.
func (n node) remove(slot int) {
	n.dropHeap(n.offset(slot), recSize(n, n.offset(slot)))
	count := n.count()
	start := base.PageSize - slotSize*count
	copy(n[start+slotSize:], n[start:base.PageSize-slotSize*(slot+1)])
	n.put16(offCount, count-1)
	if count == 1 {
		n.reset()
	}
}

// dropHeap gives size bytes of the heap at off back.
func (n node) dropHeap(off, size int) {
	if top := n.heapTop(); off+size == top {
		n.put16(offHeapTop, off)
	} else {
		n.put16(offGarbage, n.garbage()+size)
	}
}

// reset forgets heap and garbage of a node without records.
func (n node) reset() {
	n.put16(offHeapTop, heapStart)
	n.put16(offGarbage, 0)
	n.put16(offPrefix, 0)
}

// truncate takes all records from slot on out.
func (n node) truncate(slot int) {
	for i := slot; i < n.count(); i++ {
		n.put16(offGarbage, n.garbage()+recSize(n, n.offset(i)))
	}
	n.put16(offCount, slot)
	if slot == 0 {
		n.reset()
		return
	}
	n.bestPrefix()
}

// setValue replaces the value of slot. False: no room, page unchanged.
func (n node) setValue(slot int, val []byte) bool {
	off := n.offset(slot)
	k, v := int(le.Uint16(n[off:])), int(le.Uint16(n[off+2:]))
	end, grow := off+recHdr+k+v, len(val)-v
	if grow > n.free() {
		return false
	}
	switch {
	case grow <= 0:
		n.dropHeap(end+grow, -grow)
	case end == n.heapTop() && grow <= n.contiguous():
		n.put16(offHeapTop, end+grow)
	default:
		n.moveRecord(slot, val)
		return true
	}
	le.PutUint16(n[off+2:], uint16(len(val)))
	copy(n[off+recHdr+k:], val)
	return true
}

// moveRecord writes the record of slot anew at the heap top with another value.
// REQUIRES: the growth fits the free bytes.
func (n node) moveRecord(slot int, val []byte) {
	key := n.key(slot)
	size := recHdr + len(key) + len(val)
	n.dropHeap(n.offset(slot), recSize(n, n.offset(slot)))
	if size > n.contiguous() {
		var kept [MaxRecord]byte
		key = kept[:copy(kept[:], key)]
		n.compactWithout(slot)
	}
	h := n.slotHead(slot)
	n.setSlot(slot, n.appendRecord(key, val), h)
}

// compact closes the gaps of the heap; records keep their order in the heap by slot.
func (n node) compact() { n.compactWithout(-1) }

// compactWithout is compact that leaves out the record of one slot, whose offset is then
// meaningless.
func (n node) compactWithout(skip int) {
	var old [base.PageSize]byte
	top := n.heapTop()
	copy(old[heapStart:top], n[heapStart:top])
	at := heapStart
	for i := range n.count() {
		if i == skip {
			continue
		}
		off := n.offset(i)
		size := recSize(old[:], off)
		copy(n[at:], old[off:off+size])
		le.PutUint16(n[base.PageSize-slotSize*(i+1):], uint16(at))
		at += size
	}
	n.put16(offHeapTop, at)
	n.put16(offGarbage, 0)
}

// appendRun puts records (in record form, one after the other) behind the last one. False:
// malformed or no room, page undefined.
func (n node) appendRun(recs []byte) bool {
	for len(recs) > 0 {
		if len(recs) < recHdr {
			return false
		}
		k, v := int(le.Uint16(recs)), int(le.Uint16(recs[2:]))
		size := recHdr + k + v
		if size > len(recs) || size+slotSize > n.free() {
			return false
		}
		if size+slotSize > n.contiguous() {
			n.compact()
		}
		// Heads are set once at the end.
		off, count := n.heapTop(), n.count()
		copy(n[off:], recs[:size])
		n.put16(offHeapTop, off+size)
		n.put16(offCount, count+1)
		n.setSlot(count, off, 0)
		recs = recs[size:]
	}
	count := n.count()
	if count > 0 {
		n.rehead(commonPrefix(n.key(0), n.key(count-1)))
		n.put16(offLast, count-1)
	}
	n[offDir] = dirNone
	n.put16(offRun, 0)
	return true
}
