package redo

import (
	"cmp"
	"encoding/binary"
	"hash/crc32"
	"io"
	"slices"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// The page index of a closed segment, version 2. Behind the jump, from the start of a block to the
// segment's end:
//
//	head     a group of one record, op OpSegmentIndex. Its body, all uvarints but ops (u8) and salts (u32):
//	             number of salt changes, for each: relative LSN, salt
//	             number of messages, for each: op, distance of its group's relative LSN to the one
//	             before
//	             number of written pages, for each: id, segment's end - LSN
//	             number of pages, number of touches; for each page: id | groups * 2 + 1 if one of
//	             them initialises it |
//	                 relative LSN of the last group | bytes of its list
//	lists    for each page: [number in the list of the last group that initialises it, if one does] |
//	         relative LSN of the first group, distances to the group before
//	trailer  the last 16 bytes: LSN of the head u64, CRC-32C over that and the salt u32, magic u32
//
// Pages are sorted; an id is: space - previous space | page - previous page (the page itself in a
// new space). Relative LSNs count from the segment's start. A message is a record without a page. A
// written page is one whose version with that LSN was on disk when its note (op OpWritten) was
// logged.
//
// So a start reads the heads and knows which pages need redo; the lists are read page by page. They
// have no checksum: a list is proven by its length, its last group, and each group, which verifies
// at its LSN and has a record for the page.
//
// What the index needs is collected by the writer from the ring, where the groups are at hand; the
// index is built and written in the background, after the segment was synced, and is not synced
// itself: a segment whose index is missing, does not verify, or has version 1 is parsed instead.

const (
	trailerMagic1 = 0x58444E49
	trailerMagic  = 0x32444E49
)

// A page that was touched hotTouches times in one segment, and was not initialised there, is
// reported to Options.Hot, so that it is written and no page's redo is long.
const (
	hotTouches = 64
	hotMost    = 256 // pages of a segment: 4 MiB
)

// touch says that a group changes a page.
type touch struct {
	page uint64 // base.PageID.Uint64
	rel  uint32 // LSN of the group, relative to the segment's start
	init bool   // it initialises the page
}

// Message tells where a record without a page stands.
type Message struct {
	Op  Op
	LSN base.LSN // of its group
}

// gathered is what the index of a segment is made of.
type gathered struct {
	touches  []touch
	pages    int // about: how many pages the touches are of, or more
	written  []PageLSN
	messages []Message
}

// size is about what the index will take, or more.
func (g *gathered) size() int64 {
	return int64(12*g.pages + 4*len(g.touches) + 8*len(g.written) + 5*len(g.messages))
}

// indexRun gathers from the groups in the ring's bytes [from, to), and tells how much room the
// segment's index needs.
// REQUIRES: writer.mu held.
func (l *Log) indexRun(r *run, from, to uint64) {
	g := &r.seg.got
	known := len(g.touches)
	var header [groupHeader]byte
	pos := from
	for pos < to {
		l.copyOut(header[:], pos)
		length := binary.LittleEndian.Uint32(header[:])
		if length == jumpLength {
			break
		}
		pos += groupHeader
		g.group(l.ringBytes(pos, int(length)), r.lsnAt(pos)-groupHeader, r.seg.info.start)
		pos += uint64(length)
	}
	g.pages += l.writer.seen.count(g.touches[known:], known == 0)
	if done := int64(r.lsnAt(pos) - r.seg.indexFrom); done >= min(shareKnown, r.seg.info.size/16) {
		l.segs.indexShare.Store(min(512, 1+g.size()*1024*5/4/done))
	}
}

// shareKnown is how many bytes of a segment tell what its index will take of each byte. Before them
// the segment before tells.
const shareKnown = 1 << 20

// pageFilter counts pages, some of them several times: it remembers one page of those that share a
// slot.
type pageFilter [1 << 14]uint64

func (f *pageFilter) count(touches []touch, anew bool) (pages int) {
	if anew {
		clear(f[:])
	}
	for _, t := range touches {
		if slot := &f[t.page*0x9E3779B97F4A7C15>>50]; *slot != t.page {
			*slot = t.page
			pages++
		}
	}
	return pages
}

// ringBytes returns bytes of the ring in one piece.
func (l *Log) ringBytes(pos uint64, n int) []byte {
	at := int(pos % uint64(len(l.ring)))
	if at+n <= len(l.ring) {
		return l.ring[at : at+n]
	}
	w := &l.writer
	if cap(w.wrap) < n {
		w.wrap = make([]byte, n)
	}
	l.copyOut(w.wrap[:n], pos)
	return w.wrap[:n]
}

func (l *Log) copyOut(dst []byte, pos uint64) {
	n := copy(dst, l.ring[pos%uint64(len(l.ring)):])
	copy(dst[n:], l.ring)
}

// group enters a group of the segment that begins at start.
func (g *gathered) group(payload []byte, lsn, start base.LSN) {
	first, messages := len(g.touches), len(g.messages)
	for p := payload; len(p) > 0; {
		rec, rest, ok := readRecord(p)
		if !ok {
			return // not made of records: nothing to index
		}
		p = rest
		switch {
		case rec.Op >= OpFirstPage:
			g.touch(touch{rec.Page.Uint64(), uint32(lsn - start), rec.Op == OpInitPage}, first)
		case rec.Op == OpWritten:
			for w := range Written(rec.Body) {
				g.written = append(g.written, w)
			}
		case rec.Op != OpSalt && rec.Op != OpDurable:
			m := Message{rec.Op, lsn}
			if !slices.Contains(g.messages[messages:], m) {
				g.messages = append(g.messages, m)
			}
		}
	}
}

// touch enters a page of the group whose touches begin at first. Those it does not find again are
// dropped when the index is built.
func (g *gathered) touch(t touch, first int) {
	const back = 8
	for i := len(g.touches) - 1; i >= max(first, len(g.touches)-back); i-- {
		if g.touches[i].page == t.page {
			g.touches[i].init = g.touches[i].init || t.init
			return
		}
	}
	g.touches = append(g.touches, t)
}

// writeIndexes writes the indexes of the segments closed since the last call.
func (s *segmentSet) writeIndexes() {
	for {
		s.mu.Lock()
		if len(s.toIndex) == 0 {
			s.mu.Unlock()
			return
		}
		seg := s.toIndex[0]
		s.toIndex = slices.Delete(s.toIndex, 0, 1)
		s.mu.Unlock()

		written, err := s.writeIndex(seg)
		switch {
		case err != nil:
			s.l.logger.Warn("cannot write the index of a redo segment", "file", seg.path, "error", err)
			s.l.stats.notIndexed.Add(1)
		case written:
			s.l.stats.indexed.Add(1)
		default:
			s.l.stats.notIndexed.Add(1)
		}
		s.mu.Lock()
		seg.got, s.oldTouches = gathered{}, seg.got.touches[:0]
		seg.indexed = true
		s.mu.Unlock()
	}
}

// writeIndex builds and writes the index of a closed segment; false when it does not fit.
func (s *segmentSet) writeIndex(seg *segment) (bool, error) {
	if err := s.gatherEarlier(seg); err != nil {
		return false, err
	}
	salt := s.saltAt(seg.dataEnd)
	head, lists, hot := seg.got.encode(seg.info.start, seg.info.end(), s.saltsWithin(seg))
	if s.l.o.Hot != nil && len(hot) > 0 {
		s.l.o.Hot(hot)
	}
	payload := AppendRecord(nil, OpSegmentIndex, base.PageID{}, head)
	need := int64(groupHeader + len(payload) + len(lists) + trailerSize)
	start := (seg.info.end() - base.LSN(need)) / blockSize * blockSize
	if need > seg.info.size || start < (seg.dataEnd+blockSize-1)/blockSize*blockSize {
		return false, nil
	}
	block := vfs.AlignedBlock(int(seg.info.end() - start))
	binary.LittleEndian.PutUint32(block, uint32(len(payload)))
	binary.LittleEndian.PutUint32(block[4:], groupSum(payloadSum(payload), uint32(len(payload)), salt, start))
	n := groupHeader + copy(block[groupHeader:], payload)
	copy(block[n:], lists)
	t := block[len(block)-trailerSize:]
	binary.LittleEndian.PutUint64(t, uint64(start))
	binary.LittleEndian.PutUint32(t[8:], trailerSum(start, salt))
	binary.LittleEndian.PutUint32(t[12:], trailerMagic)
	_, err := seg.file.WriteAt(block, seg.offset(start))
	return err == nil, err
}

func trailerSum(lsn base.LSN, salt uint32) uint32 {
	var b [12]byte
	binary.LittleEndian.PutUint64(b[:], uint64(lsn))
	binary.LittleEndian.PutUint32(b[8:], salt)
	return crc32.Checksum(b[:], castagnoli)
}

// gatherEarlier reads the groups a segment held before this life of the log.
func (s *segmentSet) gatherEarlier(seg *segment) error {
	if seg.indexFrom <= seg.info.start {
		return nil
	}
	r := &Reader{l: s.l, seg: seg, pos: seg.info.start, salt: seg.info.salt, limit: seg.indexFrom, ahead: readAhead}
	for {
		g, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		seg.got.group(g.Payload, g.LSN, seg.info.start)
	}
}

func (s *segmentSet) saltsWithin(seg *segment) []saltChange {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []saltChange
	for _, c := range s.salts {
		if c.lsn > seg.info.start && c.lsn < seg.dataEnd {
			out = append(out, c)
		}
	}
	return out
}

// idCoder writes and reads the ids of sorted pages.
type idCoder struct{ last base.PageID }

func (c *idCoder) append(b []byte, id base.PageID) []byte {
	b = binary.AppendUvarint(b, uint64(id.Space-c.last.Space))
	if id.Space != c.last.Space {
		c.last.No = 0
	}
	b = binary.AppendUvarint(b, uint64(id.No-c.last.No))
	c.last = id
	return b
}

func (c *idCoder) read(b *uvarints) base.PageID {
	if d := b.next(); d != 0 {
		c.last = base.PageID{Space: c.last.Space + base.SpaceID(d)}
	}
	c.last.No += base.PageNo(b.next())
	return c.last
}

// encode sorts what was gathered and returns the parts of the index, and the pages that were
// touched most.
func (g *gathered) encode(start, end base.LSN, salts []saltChange) (head, lists []byte, hot []base.PageID) {
	b := binary.AppendUvarint(nil, uint64(len(salts)))
	for _, c := range salts {
		b = binary.AppendUvarint(b, uint64(c.lsn-start))
		b = binary.LittleEndian.AppendUint32(b, c.salt)
	}
	slices.SortStableFunc(g.messages, func(a, b Message) int { return cmp.Compare(a.LSN, b.LSN) })
	b = binary.AppendUvarint(b, uint64(len(g.messages)))
	last := start
	for _, m := range g.messages {
		b = binary.AppendUvarint(append(b, byte(m.Op)), uint64(m.LSN-last))
		last = m.LSN
	}
	b = g.encodeWritten(b, end)
	return g.encodeTouches(b)
}

func (g *gathered) encodeWritten(b []byte, end base.LSN) []byte {
	slices.SortFunc(g.written, func(a, b PageLSN) int {
		return cmp.Or(cmp.Compare(a.Page.Uint64(), b.Page.Uint64()), cmp.Compare(b.LSN, a.LSN)) // the newest first
	})
	g.written = slices.CompactFunc(g.written, func(a, b PageLSN) bool { return a.Page == b.Page })
	b = binary.AppendUvarint(b, uint64(len(g.written)))
	var ids idCoder
	for _, w := range g.written {
		b = binary.AppendUvarint(ids.append(b, w.Page), uint64(end-w.LSN))
	}
	return b
}

// byPage returns the touches in order of page and LSN. They come nearly in order of LSN, which a
// counting sort by page keeps: a start waits for this.
func byPage(touches []touch) []touch {
	older := func(a, b touch) int { return cmp.Compare(a.rel, b.rel) }
	if !slices.IsSortedFunc(touches, older) { // a former life's come behind this one's
		slices.SortStableFunc(touches, older)
	}
	number := make(map[uint64]int32)
	var pages []uint64
	of := make([]int32, len(touches)) // numbers of the pages
	for i, t := range touches {
		n, ok := number[t.page]
		if !ok {
			n = int32(len(pages))
			number[t.page] = n
			pages = append(pages, t.page)
		}
		of[i] = n
	}
	at := make([]int, len(pages)) // by number: touches, then where the next one goes
	for _, n := range of {
		at[n]++
	}
	slices.Sort(pages)
	sum := 0
	for _, page := range pages {
		n := &at[number[page]]
		sum, *n = sum+*n, sum
	}
	out := make([]touch, len(touches))
	for i, t := range touches {
		out[at[of[i]]] = t
		at[of[i]]++
	}
	return out
}

func (g *gathered) encodeTouches(b []byte) (head, lists []byte, hot []base.PageID) {
	g.touches = byPage(g.touches)
	kept := g.touches[:0]
	pages := 0
	for _, t := range g.touches {
		if n := len(kept); n > 0 && kept[n-1].page == t.page {
			if kept[n-1].rel == t.rel {
				kept[n-1].init = kept[n-1].init || t.init
				continue
			}
		} else {
			pages++
		}
		kept = append(kept, t)
	}
	g.touches = kept
	b = binary.AppendUvarint(b, uint64(pages))
	b = binary.AppendUvarint(b, uint64(len(kept)))
	var ids idCoder
	var hottest []touch // rel: number of touches
	for len(kept) > 0 {
		n, init := 1, -1
		for n < len(kept) && kept[n].page == kept[0].page {
			n++
		}
		for i, t := range kept[:n] {
			if t.init {
				init = i
			}
		}
		before := len(lists)
		flag := 0
		if init >= 0 {
			flag = 1
			lists = binary.AppendUvarint(lists, uint64(init))
		} else if n >= hotTouches {
			hottest = append(hottest, touch{page: kept[0].page, rel: uint32(n)})
		}
		rel := uint32(0)
		for _, t := range kept[:n] {
			lists = binary.AppendUvarint(lists, uint64(t.rel-rel))
			rel = t.rel
		}
		b = ids.append(b, base.PageIDFrom(kept[0].page))
		b = binary.AppendUvarint(b, uint64(2*n+flag))
		b = binary.AppendUvarint(b, uint64(rel))
		b = binary.AppendUvarint(b, uint64(len(lists)-before))
		kept = kept[n:]
	}
	slices.SortFunc(hottest, func(a, b touch) int { return cmp.Compare(b.rel, a.rel) })
	for _, t := range hottest[:min(len(hottest), hotMost)] {
		hot = append(hot, base.PageIDFrom(t.page))
	}
	return b, lists, hot
}
