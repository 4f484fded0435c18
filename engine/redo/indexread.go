package redo

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"sync"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// SegmentIndex tells which groups of a segment change which pages. It is read from a closed segment
// (Log.Index) or made by parsing one (Log.Parse).
type SegmentIndex struct {
	Segment  SegmentInfo
	From     base.LSN // groups before it do not count: where parsing began
	DataEnd  base.LSN // behind the last group, if the segment was parsed
	Pages    int
	Touches  int
	Messages []Message // in order

	l       *Log
	seg     *segment
	written uvarints
	pages   uvarints
	listsAt base.LSN // where the lists stand in the file

	mu    sync.Mutex
	keep  bool   // read all lists when the first one is asked for
	lists []byte // all lists, if the segment was parsed, or they are kept
}

// Place is where the list of a page stands.
type Place struct {
	At, Bytes uint32
	Groups    uint32
	Init      bool     // one of the groups initialises the page
	Last      base.LSN // of the last group
}

// Written walks the notes of pages that are on disk, in order of the pages.
func (x *SegmentIndex) Written() iter.Seq[PageLSN] {
	return func(yield func(PageLSN) bool) {
		b := x.written
		var ids idCoder
		for range b.next() {
			id := ids.read(&b)
			if !yield(PageLSN{id, x.Segment.End - base.LSN(b.next())}) {
				return
			}
		}
	}
}

// All walks the pages in order.
func (x *SegmentIndex) All() iter.Seq2[base.PageID, Place] {
	return func(yield func(base.PageID, Place) bool) {
		b := x.pages
		var ids idCoder
		at := uint32(0)
		for range x.Pages {
			id := ids.read(&b)
			n := b.next()
			p := Place{At: at, Groups: uint32(n / 2), Init: n%2 != 0, Last: x.Segment.Start + base.LSN(b.next())}
			p.Bytes = uint32(b.next())
			at += p.Bytes
			if !yield(id, p) {
				return
			}
		}
	}
}

// DropHead lets go of the head, up to half a percent of the log. Groups and Rebuild need it no
// more.
// REQUIRES: nobody walks All, Written or Messages from then on.
func (x *SegmentIndex) DropHead() { x.pages, x.written, x.Messages = nil, nil, nil }

// Groups appends the LSNs of a page's groups to dst, in order, from the last one that initialises
// the page on if there is one (init), else all. The error is *base.CorruptError when the list is
// damaged.
func (x *SegmentIndex) Groups(dst []base.LSN, p Place) (lsns []base.LSN, init bool, err error) {
	raw, err := x.list(p)
	if err != nil {
		return dst, false, err
	}
	b := uvarints(raw)
	skip := uint64(0)
	if p.Init {
		skip = b.next()
	}
	lsn, n := x.Segment.Start, len(dst)
	for i := range uint64(p.Groups) {
		d := base.LSN(b.next())
		if d == 0 && i > 0 {
			return dst[:n], false, x.badList()
		}
		lsn += d
		if i >= skip {
			dst = append(dst, lsn)
		}
	}
	if len(b) != 0 || lsn != p.Last || len(dst) == n {
		return dst[:n], false, x.badList()
	}
	return dst, p.Init, nil
}

func (x *SegmentIndex) badList() error { return x.seg.corrupt(x.listsAt, "a list of the page index") }

// ListBytes is about how much memory KeepLists costs.
func (x *SegmentIndex) ListBytes() int64 {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.lists != nil || x.listsAt == 0 { // parsed
		return 0
	}
	return int64(x.Segment.End - x.listsAt)
}

// KeepLists has the first Groups read all lists in one piece and keep them: the lists of many pages
// would be as many reads.
func (x *SegmentIndex) KeepLists() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.keep = true
}

// kept returns all lists; nil if they are not kept.
func (x *SegmentIndex) kept() ([]byte, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.lists == nil && x.keep {
		lists, err := x.readLists(x.listsAt, x.Segment.End)
		if err != nil {
			return nil, err
		}
		x.lists = lists
	}
	return x.lists, nil
}

// readLists reads what stands from lo to hi.
func (x *SegmentIndex) readLists(lo, hi base.LSN) ([]byte, error) {
	first := lo / blockSize * blockSize
	block := vfs.AlignedBlock(int(hi-first+blockSize-1) / blockSize * blockSize)
	if _, err := x.seg.file.ReadAt(block, x.seg.offset(first)); err != nil {
		return nil, err
	}
	return block[lo-first:][:hi-lo], nil
}

func (x *SegmentIndex) list(p Place) ([]byte, error) {
	lists, err := x.kept()
	if err != nil {
		return nil, err
	}
	if lists != nil {
		if int(p.At)+int(p.Bytes) > len(lists) {
			return nil, x.badList()
		}
		return lists[p.At : p.At+p.Bytes], nil
	}
	lo := x.listsAt + base.LSN(p.At)
	if lo+base.LSN(p.Bytes) > x.Segment.End {
		return nil, x.badList()
	}
	return x.readLists(lo, lo+base.LSN(p.Bytes))
}

// Rebuild parses the segment because its lists turned out to be damaged. Places stay what they are.
func (x *SegmentIndex) Rebuild() error {
	fresh, err := x.l.parse(x.seg, x.Segment.Start, x.Segment.End, nil)
	if err != nil {
		return err
	}
	if fresh.Pages != x.Pages || fresh.Touches != x.Touches {
		return x.seg.corrupt(x.listsAt, fmt.Sprintf("the page index knows %d changes of %d pages, the segment has %d of %d",
			x.Touches, x.Pages, fresh.Touches, fresh.Pages))
	}
	x.mu.Lock()
	x.lists = fresh.lists
	x.mu.Unlock()
	return nil
}

// Index reads the page index of a closed segment. It is nil when the segment has none; damage says
// why one that is there cannot be used. In both cases the segment has to be parsed.
func (l *Log) Index(number uint64) (x *SegmentIndex, damage string, err error) {
	seg := l.segs.numbered(number)
	if seg == nil {
		return nil, "", fmt.Errorf("redo: segment %d is not in use", number)
	}
	next, _ := l.segs.after(seg)
	if next == nil {
		return nil, "", nil // not closed
	}
	salt := next.info.salt // in force when the segment was closed
	end, err := seg.readEnd()
	if err != nil {
		return nil, "", err
	}
	t := end[len(end)-trailerSize:]
	start := base.LSN(binary.LittleEndian.Uint64(t))
	switch m := binary.LittleEndian.Uint32(t[12:]); {
	case m == trailerMagic1 || m == 0:
		return nil, "", nil
	case m == trailerMagic && start < seg.info.start:
		return nil, "", nil // of an earlier use of the file: the process ended before it wrote the index
	case m != trailerMagic || binary.LittleEndian.Uint32(t[8:]) != trailerSum(start, salt) || start >= seg.info.end() || start%blockSize != 0:
		return nil, "its trailer does not verify", nil
	}
	payload, err := seg.indexHead(start, salt, end)
	if err != nil || payload == nil {
		return nil, "its head does not verify", err
	}
	rec, _, parsed := readRecord(payload)
	if !parsed || rec.Op != OpSegmentIndex {
		return nil, "its head does not parse", nil
	}
	x = &SegmentIndex{l: l, seg: seg, Segment: seg.describe(), From: seg.info.start, listsAt: start + groupHeader + base.LSN(len(payload))}
	x.decode(rec.Body)
	return x, "", nil
}

// endGuess is how much of a segment's end is read at once, as a share of the segment: the index is
// seldom longer. A slow volume minds the number of reads.
const endGuess = 64

// readEnd reads the end of a segment.
func (s *segment) readEnd() ([]byte, error) {
	b := vfs.AlignedBlock(int(max(s.info.size/endGuess/blockSize, 1)) * blockSize)
	_, err := s.file.ReadAt(b, s.offset(s.info.end())-int64(len(b)))
	return b, err
}

// indexHead verifies the head, which begins at start; nil when it does not. What of it does not lie
// in end, the end of the segment, is read.
func (s *segment) indexHead(start base.LSN, salt uint32, end []byte) ([]byte, error) {
	area := int(s.info.end() - start)
	b := end[max(0, len(end)-area):]
	if missing := area - len(b); missing > 0 {
		b = vfs.AlignedBlock(area)
		if _, err := s.file.ReadAt(b[:missing], s.offset(start)); err != nil {
			return nil, err
		}
		copy(b[missing:], end)
	}
	n := binary.LittleEndian.Uint32(b)
	if int64(n) > int64(area-groupHeader-trailerSize) {
		return nil, nil
	}
	payload := b[groupHeader : groupHeader+n]
	if groupSum(payloadSum(payload), n, salt, start) != binary.LittleEndian.Uint32(b[4:]) {
		return nil, nil
	}
	return payload, nil
}

// decode reads the small parts of a head, which has been verified, and makes the salts it tells of
// known.
func (x *SegmentIndex) decode(body []byte) {
	b := uvarints(body)
	for range b.next() {
		rel := b.next()
		x.l.segs.noteSalt(x.Segment.Start+base.LSN(rel), binary.LittleEndian.Uint32(b))
		b = b[4:]
	}
	lsn := x.Segment.Start
	for range b.next() {
		op := Op(b.byte())
		lsn += base.LSN(b.next())
		x.Messages = append(x.Messages, Message{op, lsn})
	}
	x.written = b
	var ids idCoder
	for range b.next() {
		ids.read(&b)
		b.next()
	}
	x.Pages, x.Touches = int(b.next()), int(b.next())
	x.pages = b
}

// Parse makes the index of a segment by reading its groups from from, the start of the segment or
// of a group, to its end or that of the log. The fetcher, if there is one, keeps what was read: the
// pages that a start needs first were changed last.
func (l *Log) Parse(number uint64, from base.LSN, keep *Fetcher) (*SegmentIndex, error) {
	seg := l.segs.numbered(number)
	if seg == nil {
		return nil, fmt.Errorf("redo: segment %d is not in use", number)
	}
	return l.parse(seg, max(from, seg.info.start), seg.info.end(), keep)
}

func (l *Log) parse(seg *segment, from, to base.LSN, keep *Fetcher) (*SegmentIndex, error) {
	x := &SegmentIndex{l: l, seg: seg, Segment: seg.describe(), From: from, DataEnd: from}
	r := l.NewReader(from)
	r.keep = keep
	r.SetLimit(to)
	defer r.Close()
	var got gathered
	for {
		g, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		got.group(g.Payload, g.LSN, seg.info.start)
		x.DataEnd = g.End
	}
	head, lists, _ := got.encode(seg.info.start, seg.info.end(), nil)
	x.lists = append(lists, 0) // not nil: an empty one counts, too
	x.decode(head)
	return x, nil
}

// Tail is the number of the segment in which the log goes on: the last that begins with a valid
// group. The one that holds from is there in any case; a segment missing in between is damage.
func (l *Log) Tail(from base.LSN) (uint64, error) {
	tail := l.segs.find(from)
	if tail == nil {
		return 0, &base.CorruptError{File: l.dir, Detail: fmt.Sprintf("no segment holds LSN %d", from)}
	}
	first := tail
	for _, seg := range slices.Backward(l.segs.later(first)) { // the last ones have not begun, all before them have
		begun, err := l.beginsValid(seg)
		if err != nil {
			return 0, err
		}
		if begun {
			tail = seg
			break
		}
	}
	for seg := first; seg != tail; {
		next, detail := l.segs.after(seg)
		if next == nil {
			return 0, &base.CorruptError{File: l.segs.path(seg.info.number + 1), Detail: detail}
		}
		seg = next
	}
	return tail.info.number, nil
}
