package redo

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"slices"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// The page index of a closed segment: one group (op OpSegmentIndex) behind the jump, found through the trailer. Its body, all uvarints but the salts:
//
//	number of salt changes, for each: relative LSN, salt u32
//	number of pages, for each, sorted by (space, page):
//	    space - previous space | page - previous page (the page itself in a new space) | number of groups n
//	    relative LSN of the first group, n-1 distances to the group before
//
// Relative LSNs count from the segment's start.
//
// Trailer, the last 16 bytes of the segment: LSN of the index group u64, CRC-32C over that and the salt u32, magic u32.
//
// The touches are collected by the writer from the ring, where the groups are at hand; the index is built and written in the background, after
// the segment was synced, and is not synced itself: a segment whose index does not verify is parsed instead.

// touch says that a group changes a page.
type touch struct {
	page uint64 // base.PageID.Uint64
	rel  uint32 // LSN of the group, relative to the segment's start
}

// indexRun collects the touches of the groups in the ring's bytes [from, to). REQUIRES: writer.mu held.
func (l *Log) indexRun(r *run, from, to uint64) {
	var header [groupHeader]byte
	for pos := from; pos < to; {
		l.copyOut(header[:], pos)
		length := binary.LittleEndian.Uint32(header[:])
		if length == jumpLength {
			return
		}
		pos += groupHeader
		r.seg.touch(l.ringBytes(pos, int(length)), uint32(r.lsnAt(pos)-groupHeader-r.seg.info.start))
		pos += uint64(length)
	}
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

// touch enters the pages of a group.
func (s *segment) touch(payload []byte, rel uint32) {
	first := len(s.touches)
	for p := payload; len(p) > 0; {
		rec, rest, ok := readRecord(p)
		if !ok {
			return // not made of records: nothing to index
		}
		p = rest
		if rec.Op < OpFirstPage {
			continue
		}
		t := touch{rec.Page.Uint64(), rel}
		if !slices.Contains(s.touches[max(first, len(s.touches)-8):], t) {
			s.touches = append(s.touches, t)
		}
	}
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
		seg.touches, s.oldTouches = nil, seg.touches[:0]
		seg.indexed = true
		s.mu.Unlock()
	}
}

// writeIndex builds and writes the index of a closed segment; false when it does not fit.
func (s *segmentSet) writeIndex(seg *segment) (bool, error) {
	if err := s.touchEarlier(seg); err != nil {
		return false, err
	}
	salt := s.saltAt(seg.dataEnd)
	payload := AppendRecord(nil, OpSegmentIndex, base.PageID{}, encodeIndex(seg.touches, s.saltsWithin(seg), seg.info.start))
	need := int64(groupHeader + len(payload) + trailerSize)
	s.indexShare.Store(min(512, 1+need*1024*5/4/max(1, int64(seg.dataEnd-seg.info.start))))

	start := (seg.info.end() - base.LSN(need)) / blockSize * blockSize
	if need > seg.info.size || start < (seg.dataEnd+blockSize-1)/blockSize*blockSize {
		return false, nil
	}
	block := vfs.AlignedBlock(int(seg.info.end() - start))
	binary.LittleEndian.PutUint32(block, uint32(len(payload)))
	binary.LittleEndian.PutUint32(block[4:], groupSum(payloadSum(payload), uint32(len(payload)), salt, start))
	copy(block[groupHeader:], payload)
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

// touchEarlier collects the touches of the groups a segment held before this life of the log.
func (s *segmentSet) touchEarlier(seg *segment) error {
	if seg.indexFrom <= seg.info.start {
		return nil
	}
	r := &Reader{l: s.l, seg: seg, pos: seg.info.start, salt: seg.info.salt, limit: seg.indexFrom}
	for {
		g, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		seg.touch(g.Payload, uint32(g.LSN-seg.info.start))
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

func encodeIndex(touches []touch, salts []saltChange, start base.LSN) []byte {
	slices.SortFunc(touches, func(a, b touch) int {
		if c := cmp.Compare(a.page, b.page); c != 0 {
			return c
		}
		return cmp.Compare(a.rel, b.rel)
	})
	touches = slices.Compact(touches)
	b := binary.AppendUvarint(nil, uint64(len(salts)))
	for _, c := range salts {
		b = binary.AppendUvarint(b, uint64(c.lsn-start))
		b = binary.LittleEndian.AppendUint32(b, c.salt)
	}
	pages := 0
	for i := range touches {
		if i == 0 || touches[i].page != touches[i-1].page {
			pages++
		}
	}
	b = binary.AppendUvarint(b, uint64(pages))
	var last base.PageID
	for len(touches) > 0 {
		n := 1
		for n < len(touches) && touches[n].page == touches[0].page {
			n++
		}
		id := base.PageIDFrom(touches[0].page)
		b = binary.AppendUvarint(b, uint64(id.Space-last.Space))
		if id.Space != last.Space {
			last.No = 0
		}
		b = binary.AppendUvarint(b, uint64(id.No-last.No))
		b = binary.AppendUvarint(b, uint64(n))
		rel := uint32(0)
		for _, t := range touches[:n] {
			b = binary.AppendUvarint(b, uint64(t.rel-rel))
			rel = t.rel
		}
		last, touches = id, touches[n:]
	}
	return b
}

// PageIndex tells which groups of a closed segment change which pages.
type PageIndex struct {
	start base.LSN
	pages uint64
	body  []byte // behind the number of pages
}

// Len is the number of pages.
func (x PageIndex) Len() int { return int(x.pages) }

// All walks the pages in order with the LSNs of their groups. The slice is valid until the next step.
func (x PageIndex) All() iter.Seq2[base.PageID, []base.LSN] {
	return func(yield func(base.PageID, []base.LSN) bool) {
		b, id := x.body, base.PageID{}
		next := func() uint64 {
			v, n := binary.Uvarint(b)
			if n <= 0 {
				b = nil
				return 0
			}
			b = b[n:]
			return v
		}
		var lsns []base.LSN
		for range x.pages {
			if d := next(); d != 0 {
				id = base.PageID{Space: id.Space + base.SpaceID(d)}
			}
			id.No += base.PageNo(next())
			lsns = lsns[:0]
			lsn := x.start
			for range next() {
				lsn += base.LSN(next())
				lsns = append(lsns, lsn)
			}
			if !yield(id, lsns) {
				return
			}
		}
	}
}

// Index reads the page index of a closed segment. ok is false when it has none, or one that does not verify: then the segment has to be parsed.
func (l *Log) Index(number uint64) (x PageIndex, ok bool, err error) {
	var seg *segment
	l.segs.mu.Lock()
	for _, s := range l.segs.live {
		if s.info.number == number {
			seg = s
		}
	}
	l.segs.mu.Unlock()
	if seg == nil {
		return x, false, fmt.Errorf("redo: segment %d is not in use", number)
	}
	next, _ := l.segs.after(seg)
	if next == nil {
		return x, false, nil // not closed
	}
	salt := next.info.salt // in force when the segment was closed
	block := vfs.AlignedBlock(blockSize)
	if _, err := seg.file.ReadAt(block, seg.offset(seg.info.end())-blockSize); err != nil {
		return x, false, err
	}
	t := block[blockSize-trailerSize:]
	start := base.LSN(binary.LittleEndian.Uint64(t))
	if binary.LittleEndian.Uint32(t[12:]) != trailerMagic || binary.LittleEndian.Uint32(t[8:]) != trailerSum(start, salt) ||
		start < seg.info.start || start >= seg.info.end() || start%blockSize != 0 {
		return x, false, nil
	}
	b := vfs.AlignedBlock(int(seg.info.end() - start))
	if _, err := seg.file.ReadAt(b, seg.offset(start)); err != nil {
		return x, false, err
	}
	n := binary.LittleEndian.Uint32(b)
	if int64(n) > int64(len(b)-groupHeader-trailerSize) {
		return x, false, nil
	}
	payload := b[groupHeader : groupHeader+n]
	if groupSum(payloadSum(payload), n, salt, start) != binary.LittleEndian.Uint32(b[4:]) {
		return x, false, nil
	}
	rec, _, parsed := readRecord(payload)
	if !parsed || rec.Op != OpSegmentIndex {
		return x, false, nil
	}
	return l.decodeIndex(seg, rec.Body)
}

// decodeIndex reads the head of an index and makes the salts it tells of known.
func (l *Log) decodeIndex(seg *segment, body []byte) (x PageIndex, ok bool, err error) {
	changes, n := binary.Uvarint(body)
	if n <= 0 {
		return x, false, nil
	}
	body = body[n:]
	for range changes {
		rel, n := binary.Uvarint(body)
		if n <= 0 || len(body) < n+4 {
			return x, false, nil
		}
		l.segs.noteSalt(seg.info.start+base.LSN(rel), binary.LittleEndian.Uint32(body[n:]))
		body = body[n+4:]
	}
	pages, n := binary.Uvarint(body)
	if n <= 0 {
		return x, false, nil
	}
	return PageIndex{start: seg.info.start, pages: pages, body: body[n:]}, true, nil
}
