package redo

import (
	"bytes"
	"io"
	"sync"
	"unsafe"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// Mirror holds the end of the log, as far as it was written, in memory that outlives the process. A
// start reads it in the place of the files: on a slow volume these few megabytes are most of what it
// waits for.
//
// It is used only if the files hold the block in which it ends: the log's writer fills them in order,
// so they hold what comes before, too. Groups verify by their checksums wherever they come from, and
// where one does not the files are asked: only they say where the log ends.
type Mirror struct {
	mu   sync.RWMutex // held for writing by the log's writer alone
	head *mirrorHead
	ring []byte // LSN l stands at l % len; nil: the memory is gone
}

// mirrorHead is the part of a mirror that outlives the process. The bytes of the LSNs [from, to) are
// in the ring; those that the log left out between two segments are anything.
type mirrorHead struct{ from, to base.LSN }

const mirrorHeader = blockSize

// NewMirror makes a mirror in memory that is all zeros or an earlier mirror of the same size; nil if
// there is too little.
func NewMirror(memory []byte) *Mirror {
	if len(memory) < mirrorHeader+minBufferSize {
		return nil
	}
	m := &Mirror{head: (*mirrorHead)(unsafe.Pointer(&memory[0])), ring: memory[mirrorHeader:]}
	if h := m.head; h.from > h.to || h.to-h.from > base.LSN(len(m.ring)) {
		*h = mirrorHead{}
	}
	return m
}

// SetMirror gives the log a mirror. What it holds goes if the files do not bear it out.
// REQUIRES: the log was neither read nor started.
func (l *Log) SetMirror(m *Mirror) {
	l.mirror = m
	if m != nil && m.head.to != 0 && !l.bears(m) {
		*m.head = mirrorHead{}
	}
}

// bears tells whether the files hold the block in which the mirror ends.
func (l *Log) bears(m *Mirror) bool {
	seg := l.segs.find(m.head.to - 1)
	if seg == nil {
		return false
	}
	first := max((m.head.to-1)/blockSize*blockSize, seg.info.start)
	mine, file := make([]byte, m.head.to-first), vfs.AlignedBlock(blockSize)
	if m.read(mine, first) != len(mine) {
		return false
	}
	n, err := seg.file.ReadAt(file, seg.offset(first))
	return (err == nil || err == io.EOF) && n >= len(mine) && bytes.Equal(mine, file[:len(mine)])
}

// Close lets go of the memory, which may go then.
func (m *Mirror) Close() {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ring, m.head = nil, nil
}

// begin has the mirror go on at the end that the files have.
func (m *Mirror) begin(end base.LSN) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ring != nil && m.head.to != end {
		m.head.from, m.head.to = end, end
	}
}

// jump goes on at the start of another segment.
func (m *Mirror) jump(to base.LSN) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ring == nil {
		return
	}
	m.reach(to)
	m.head.to = to
}

// add takes what was written behind the end: the pieces of one stretch of the log.
func (m *Mirror) add(pieces ...[]byte) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range pieces {
		for len(p) > 0 && m.ring != nil {
			at := m.head.to % base.LSN(len(m.ring))
			n := min(len(p), len(m.ring)-int(at))
			m.reach(m.head.to + base.LSN(n))
			copy(m.ring[at:], p[:n])
			m.head.to += base.LSN(n)
			p = p[n:]
		}
	}
}

// reach gives up what the ring will not hold any more when it ends at to.
func (m *Mirror) reach(to base.LSN) {
	if size := base.LSN(len(m.ring)); to > size && m.head.from < to-size {
		m.head.from = min(to-size, m.head.to)
	}
}

// read fills p from lsn on, and returns how much of it the mirror has.
func (m *Mirror) read(p []byte, lsn base.LSN) int {
	if m == nil {
		return 0
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.ring == nil || lsn < m.head.from || lsn >= m.head.to {
		return 0
	}
	p = p[:min(len(p), int(m.head.to-lsn))]
	at := int(lsn % base.LSN(len(m.ring)))
	n := copy(p, m.ring[at:])
	copy(p[n:], m.ring)
	return len(p)
}

// ends tells whether the mirror ends at lsn: the log was written up to there, and no further by the
// process that had it.
func (m *Mirror) ends(lsn base.LSN) bool {
	if m == nil {
		return false
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.ring != nil && m.head.to == lsn
}
