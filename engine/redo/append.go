package redo

import (
	"encoding/binary"
	"fmt"

	"emberdb/internal/base"
)

// How a group gets into the log.
//
// The log buffer is a ring of bytes between the appenders and the writer. A ring position counts
// bytes for ever and is congruent to the LSN modulo the block size, so whole blocks go from the
// ring to the file without a copy. LSNs jump at a segment's end, positions only to the next block:
// a run is a stretch where both advance together.
//
//	free                 written          head
//	 |---- last block ----|--- appended ---|            free <= written <= head <= free + len(ring)
//
// The appenders own [head, free+len(ring)), the writer reads [free, head). head moves under mu,
// after the bytes are in place.
const (
	noteEvery = 64 << 10 // LSN bytes between two durability notes

	jumpSize      = groupHeader
	saltSize      = groupHeader + 8
	noteSize      = groupHeader + notePayloadSize
	groupOverhead = groupHeader + jumpSize + saltSize + noteSize + 2*blockSize
)

// run is a stretch of the ring that goes to one segment.
type run struct {
	seg    *segment
	lsn    base.LSN
	pos    uint64 // ring position of lsn
	end    uint64 // when closed: ring position behind the jump
	closed bool
}

// lsnAt is the LSN of a position of the run.
func (r *run) lsnAt(pos uint64) base.LSN { return r.lsn + base.LSN(pos-r.pos) }

// appendState is guarded by Log.mu.
type appendState struct {
	seg      *segment // being filled; nil before the start
	runs     []run    // the last one is being filled
	head     uint64
	free     uint64
	lsn      base.LSN // of head
	salt     uint32
	resalt   bool // the next group is preceded by a change to nextSalt
	nextSalt uint32
	noted    base.LSN // where the last durability note stands
	sum      summer
}

func (s *appendState) start(end base.LSN, seg *segment, salt uint32) {
	first := end / blockSize * blockSize
	s.seg, s.lsn, s.salt, s.noted = seg, end, salt, end
	s.head, s.free = uint64(end-first), 0
	s.runs = append(s.runs[:0], run{seg: seg, lsn: first})
}

// Append adds a group and returns its end. onAppend, if any, is called with its bounds under the
// append mutex: calls come in LSN order, and must be short. The payload is at most MaxGroup long
// and not empty. The group is durable after FlushTo(end).
func (l *Log) Append(payload []byte, onAppend func(start, end base.LSN)) (base.LSN, error) {
	if len(payload) == 0 || len(payload) > l.maxGroup {
		return 0, fmt.Errorf("redo: a group of %d bytes; the limits are 1 and %d", len(payload), l.maxGroup)
	}
	sum := payloadSum(payload)
	l.mu.Lock()
	if err := l.reserveLocked(groupHeader + len(payload)); err != nil {
		l.mu.Unlock()
		return 0, err
	}
	if l.mu.resalt || l.mu.lsn-l.mu.noted >= noteEvery {
		l.putInternalLocked()
	}
	start := l.mu.lsn
	l.putLocked(payload, sum)
	end := l.mu.lsn
	if onAppend != nil {
		onAppend(start, end)
	}
	l.appended.Store(uint64(end)) // after onAppend: who reads Appended without mu finds the group's pages in the flush list
	l.mu.Unlock()
	l.stats.groups.Add(1)
	return end, nil
}

// reserveLocked returns when a group of n bytes, and what goes with it, fits the segment and the
// ring. It gives mu up while it waits.
func (l *Log) reserveLocked(n int) error {
	s := &l.mu.appendState
	n += saltSize + noteSize
	for {
		switch {
		case l.failed() != nil:
			return l.failed()
		case s.seg == nil:
			return errNotStarted
		case s.head-s.free+uint64(n+jumpSize+blockSize) > uint64(len(l.ring)):
			l.waitSpaceLocked()
		case !l.segs.fits(s.seg, s.lsn, n):
			if err := l.nextSegmentLocked(); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

// waitSpaceLocked makes room in the ring by writing it out itself. It gives mu up meanwhile.
func (l *Log) waitSpaceLocked() {
	l.stats.bufferWaits.Add(1)
	l.mu.Unlock()
	_ = l.writeOut() // a failure is seen in the failed state
	l.mu.Lock()
}

// nextSegmentLocked ends the present segment with a jump and goes on in the next. It gives mu up
// while it prepares one, and then lets the caller look again.
func (l *Log) nextSegmentLocked() error {
	s := &l.mu.appendState
	next := l.segs.takeReady()
	if next == nil {
		l.stats.segmentWaits.Add(1)
		l.mu.Unlock()
		err := l.segs.prepareAfter()
		if err != nil {
			err = l.fail(err)
		}
		l.mu.Lock()
		return err
	}
	l.putSaltLocked() // the next segment's header carries it already
	l.putHeaderLocked(jumpLength, s.sum.group(0, jumpLength, s.salt, s.lsn))
	last := &s.runs[len(s.runs)-1]
	last.end, last.closed = s.head, true
	s.seg = next
	s.lsn = next.info.start
	s.head = (s.head + blockSize - 1) / blockSize * blockSize
	s.runs = append(s.runs, run{seg: next, lsn: s.lsn, pos: s.head})
	l.appended.Store(uint64(s.lsn))
	l.wake()
	return nil
}

// putInternalLocked appends the groups the log writes for itself, where they are due.
func (l *Log) putInternalLocked() {
	s := &l.mu.appendState
	l.putSaltLocked()
	if s.lsn-s.noted >= noteEvery {
		s.noted = s.lsn
		var b [notePayloadSize]byte
		p := notePayload(b[:0], l.Durable())
		l.putLocked(p, payloadSum(p))
	}
}

// putSaltLocked changes the salt if that is due. The group that says so still carries the old one.
func (l *Log) putSaltLocked() {
	s := &l.mu.appendState
	if !s.resalt {
		return
	}
	p := saltPayload(s.nextSalt)
	l.putLocked(p, payloadSum(p))
	s.salt, s.resalt = s.nextSalt, false
	l.segs.noteSalt(s.lsn, s.salt)
}

func (l *Log) putLocked(payload []byte, sum uint32) {
	s := &l.mu.appendState
	l.putHeaderLocked(uint32(len(payload)), s.sum.group(sum, uint32(len(payload)), s.salt, s.lsn))
	l.putBytesLocked(payload)
}

func (l *Log) putHeaderLocked(length, sum uint32) {
	var h [groupHeader]byte
	binary.LittleEndian.PutUint32(h[0:], length)
	binary.LittleEndian.PutUint32(h[4:], sum)
	l.putBytesLocked(h[:])
}

func (l *Log) putBytesLocked(p []byte) {
	s := &l.mu.appendState
	at := s.head % uint64(len(l.ring))
	n := copy(l.ring[at:], p)
	copy(l.ring, p[n:])
	s.head += uint64(len(p))
	s.lsn += base.LSN(len(p))
}
