package redo

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// readAhead is how much a Reader reads from a file at once.
const readAhead = 1 << 20

// Group is what one mini-transaction logged.
type Group struct {
	LSN, End base.LSN
	Payload  []byte // valid until the next call of Next
}

// Reader walks the groups of the log in order. Several may run at once; one belongs to one
// goroutine.
//
// The end of the log is where a group does not verify. That is the truth after a power cut, and a
// lie after damage: the groups behind damage were acknowledged. So before it reports io.EOF at L a
// Reader looks for proof that the log was durable beyond L:
//
//	the checkpoint file says so;
//	a later segment begins with a valid group: a segment is synced whole before the first byte of
//	the next is written;
//	a durability note behind L in the same segment says so. One is written every 64 KiB.
//
// With proof it returns *base.CorruptError. What is not proven durable was never acknowledged,
// except within the last 64 KiB before the end, where damage looks like a torn tail.
type Reader struct {
	l     *Log
	seg   *segment // holds pos
	pos   base.LSN
	salt  uint32
	limit base.LSN // stop here; 0: nowhere
	keep  *Fetcher // gets what was read; nil: nobody does
	files bool     // read the files, not the mirror
	ahead int      // bytes that are read at once

	sum      summer
	buf      []byte // aligned
	bufStart base.LSN
	bufEnd   base.LSN
	err      error // found while positioning
}

// NewReader returns a reader whose first group is the one at from.
// REQUIRES: from is the start or end of a group, not below the checkpoint unless a Hold covers it,
// or the start of a segment.
func (l *Log) NewReader(from base.LSN) *Reader {
	r := &Reader{l: l, pos: from, ahead: readAhead}
	r.seg = l.segs.find(from)
	switch {
	case r.seg == nil:
		r.err = &base.CorruptError{File: l.dir, Detail: fmt.Sprintf("no segment holds LSN %d", from)}
	case from == r.seg.info.start:
		r.salt = r.seg.info.salt
	default:
		r.salt = l.segs.saltAt(from)
	}
	l.segs.met(from, from)
	return r
}

// SetLimit makes the reader stop with io.EOF at lsn, the start of a segment: so readers in parallel
// share the log.
func (r *Reader) SetLimit(lsn base.LSN) { r.limit = lsn }

// Close gives the reader's memory back. A reader holds nothing else.
func (r *Reader) Close() { r.buf, r.bufEnd = nil, 0 }

// Pos is where the next group is looked for.
func (r *Reader) Pos() base.LSN { return r.pos }

// Next returns the next group; io.EOF at the end of the log, where a later call finds what was
// written since; *base.CorruptError for damage.
func (r *Reader) Next() (Group, error) {
	for {
		if r.err != nil {
			return Group{}, r.err
		}
		if r.limit != 0 && r.pos >= r.limit || r.atWritten() {
			return Group{}, io.EOF
		}
		head, payload, err := r.group()
		if errors.Is(err, errNoGroup) && !r.files { // only the files say what is wrong
			r.files, r.bufEnd = true, 0
			continue
		}
		if errors.Is(err, errNoGroup) {
			err = r.end()
		}
		if err != nil {
			return Group{}, err
		}
		start := r.pos
		if head == jumpLength {
			if err := r.jump(); err != nil {
				return Group{}, err
			}
			continue
		}
		r.pos += base.LSN(groupHeader + len(payload))
		internal, err := r.internal(payload)
		if err != nil {
			return Group{}, err
		}
		if internal {
			r.l.segs.met(0, r.pos)
			continue
		}
		r.l.segs.met(r.pos, r.pos)
		return Group{LSN: start, End: r.pos, Payload: payload}, nil
	}
}

// atWritten tells whether the reader has caught up with the writer of a running log.
func (r *Reader) atWritten() bool {
	return r.l.started.Load() && r.pos >= r.l.Written()
}

// errNoGroup says that there is no valid group at a Reader's position.
var errNoGroup = errors.New("redo: no group")

// group returns the verified group at pos, or errNoGroup.
func (r *Reader) group() (length uint32, payload []byte, err error) {
	h, err := r.view(r.pos, groupHeader)
	if err != nil {
		return 0, nil, err
	}
	if len(h) < groupHeader {
		return 0, nil, errNoGroup
	}
	length, sum := binary.LittleEndian.Uint32(h), binary.LittleEndian.Uint32(h[4:])
	if length == jumpLength {
		if r.sum.group(0, length, r.salt, r.pos) != sum {
			return 0, nil, errNoGroup
		}
		return length, nil, nil
	}
	if length == 0 || int64(length) > int64(r.seg.info.end()-r.pos)-groupHeader {
		return 0, nil, errNoGroup
	}
	p, err := r.view(r.pos, groupHeader+int(length))
	if err != nil {
		return 0, nil, err
	}
	if len(p) < groupHeader+int(length) {
		return 0, nil, errNoGroup
	}
	payload = p[groupHeader:]
	if r.sum.group(payloadSum(payload), length, r.salt, r.pos) != sum {
		return 0, nil, errNoGroup
	}
	return length, payload, nil
}

// internal acts on the groups the log wrote for itself.
func (r *Reader) internal(payload []byte) (bool, error) {
	switch Op(payload[0]) {
	case OpSalt:
		rec, rest, ok := readRecord(payload)
		if !ok || len(rec.Body) != 4 || len(rest) != 0 {
			return false, r.seg.corrupt(r.pos, "a salt group that does not parse")
		}
		r.salt = binary.LittleEndian.Uint32(rec.Body)
		r.l.segs.noteSalt(r.pos, r.salt)
		return true, nil
	case OpDurable:
		return true, nil
	}
	return false, nil
}

// jump goes on at the start of the next segment. It was ready before the jump was written, so its
// absence is damage.
func (r *Reader) jump() error {
	next, detail := r.l.segs.after(r.seg)
	if next == nil {
		r.err = &base.CorruptError{File: r.l.segs.path(r.seg.info.number + 1), Detail: detail}
		return r.err
	}
	if next.info.salt != r.salt {
		r.err = next.corrupt(next.info.start, "the segment belongs to an earlier life of the log")
		return r.err
	}
	r.seg, r.pos = next, next.info.start
	r.l.segs.met(0, r.pos)
	return nil
}

// view returns n bytes at lsn of the present segment, fewer when the file ends or the writer has
// not written them.
func (r *Reader) view(lsn base.LSN, n int) ([]byte, error) {
	if lsn >= r.bufStart && lsn+base.LSN(n) <= r.bufEnd {
		return r.buf[lsn-r.bufStart:][:n:n], nil
	}
	first := lsn / blockSize * blockSize
	want := int(lsn-first) + n
	want = max((want+blockSize-1)/blockSize*blockSize, r.ahead)
	want = int(min(int64(want), int64(r.seg.info.end()-first)))
	if len(r.buf) < want {
		r.buf = vfs.AlignedBlock(want)
	}
	running, written := r.l.started.Load(), r.l.Written() // before the read: what it says is written is in what is read
	got := 0
	if !r.files {
		got = r.l.mirror.read(r.buf[:want], first)
	}
	if lsn+base.LSN(n) > first+base.LSN(got) {
		var err error
		if got, err = r.seg.file.ReadAt(r.buf[:want], r.seg.offset(first)); err != nil && err != io.EOF {
			return nil, err
		}
	}
	r.bufStart, r.bufEnd = first, first+base.LSN(got)
	if r.keep != nil {
		r.keep.take(first, slices.Clone(r.buf[:got/fetchBlock*fetchBlock]))
	}
	if running {
		r.bufEnd = max(first, min(r.bufEnd, written))
	}
	if r.bufEnd <= lsn {
		return nil, nil
	}
	p := r.buf[lsn-r.bufStart : r.bufEnd-r.bufStart]
	return p[:min(n, len(p)):min(n, len(p))], nil
}

// end decides between the end of the log and damage.
func (r *Reader) end() error {
	if r.l.started.Load() {
		// The log is running and this lies below what it has written.
		return r.seg.corrupt(r.pos, fmt.Sprintf("the group at LSN %d does not verify; the log was written up to %d", r.pos, r.l.Written()))
	}
	if d := r.l.cp.last.Durable; d > r.pos {
		return r.seg.corrupt(r.pos, fmt.Sprintf("the group at LSN %d does not verify; the log was durable up to %d", r.pos, d))
	}
	for _, seg := range r.l.segs.later(r.seg) {
		ok, err := r.l.beginsValid(seg)
		if err != nil {
			return err
		}
		if ok {
			return r.seg.corrupt(r.pos, fmt.Sprintf("the group at LSN %d does not verify; a later segment %s is in use", r.pos, seg.path))
		}
	}
	note, err := r.l.segs.noteBehind(r.pos, r.findNote)
	if err != nil {
		return err
	}
	if note > r.pos {
		return r.seg.corrupt(r.pos, fmt.Sprintf("the group at LSN %d does not verify; a note behind it says that the log was durable up to %d", r.pos, note))
	}
	return io.EOF
}

// beginsValid tells whether the first group of a segment verifies.
func (l *Log) beginsValid(seg *segment) (bool, error) {
	probe := &Reader{l: l, seg: seg, pos: seg.info.start, salt: seg.info.salt, ahead: blockSize, files: true} // most have not begun
	h, err := probe.view(probe.pos, groupHeader)
	if err != nil || len(h) < groupHeader {
		return false, err
	}
	length, sum := binary.LittleEndian.Uint32(h), binary.LittleEndian.Uint32(h[4:])
	if length == 0 || length == jumpLength || int64(length) > seg.info.size-groupHeader {
		return false, nil
	}
	p, err := probe.view(probe.pos, groupHeader+int(length))
	if err != nil || len(p) < groupHeader+int(length) {
		return false, err
	}
	return groupSum(payloadSum(p[groupHeader:]), length, seg.info.salt, seg.info.start) == sum, nil
}

// findNote searches the next stretch of the segment for a durability note and returns the highest
// LSN one speaks of.
func (r *Reader) findNote() (base.LSN, error) {
	stretch := smallestDefault + 4*noteEvery // the largest group and some
	if r.l.mirror.ends(r.pos) {
		stretch = 4 * noteEvery // nobody has seen the log go on
	}
	var shape [groupHeader + notePayloadSize - 8]byte
	binary.LittleEndian.PutUint32(shape[:], notePayloadSize)
	copy(shape[groupHeader:], notePayload(nil, 0))
	var best base.LSN
	p, err := r.view(r.pos, int(min(int64(stretch), int64(r.seg.info.end()-r.pos))))
	if err != nil {
		return 0, err
	}
	for at := 0; ; at++ {
		n := bytes.Index(p[at:], shape[:4])
		if n < 0 || at+n+noteSize > len(p) {
			return best, nil
		}
		at += n
		g := p[at : at+noteSize]
		body := g[groupHeader:]
		sum := binary.LittleEndian.Uint32(g[4:])
		if bytes.Equal(body[:4], shape[groupHeader:]) && groupSum(payloadSum(body), notePayloadSize, r.salt, r.pos+base.LSN(at)) == sum {
			best = max(best, base.LSN(binary.LittleEndian.Uint64(body[4:])))
		}
	}
}

// noteBehind is what find returns for the end of the log, which is asked for several times before
// the log is started and does not change.
func (s *segmentSet) noteBehind(end base.LSN, find func() (base.LSN, error)) (base.LSN, error) {
	s.mu.Lock()
	known := s.scan.noted
	s.mu.Unlock()
	if known != nil && known.end == end {
		return known.note, nil
	}
	note, err := find()
	if err == nil {
		s.mu.Lock()
		s.scan.noted = &notedEnd{end, note}
		s.mu.Unlock()
	}
	return note, err
}

// met notes how far a reader came before the log is started.
func (s *segmentSet) met(lastGroup, end base.LSN) {
	if s.l.started.Load() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if end < s.scan.end {
		return // a reader of an earlier part
	}
	s.scan.end = end
	if lastGroup != 0 {
		s.scan.lastGroup = lastGroup
	}
}
