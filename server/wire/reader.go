package wire

import (
	"bufio"
	"io"
	"math/bits"
	"sync"
)

// Reader buffers what a client sends. A client that is quiet holds the small buffer; a command that
// does not fit borrows a larger one, which rest gives back.
//
// Invariants:
//
//	(1) buf[at:end] is what was read and not yet taken.
//	(2) buf is small, or large's array, or huge.
type Reader struct {
	src     io.Reader
	buf     []byte
	at, end int
	err     error // comes behind what is buffered
	large   *[largeBuffer]byte
	huge    *[]byte
	small   [smallBuffer]byte
}

const (
	smallBuffer = 1 << 10 // statements of the usual size in one system call
	largeBuffer = 16 << 10
	hugeBuffer  = HeaderSize + MaxFrame

	maxEmptyReads = 100
)

var (
	largeBuffers = sync.Pool{New: func() any { return new([largeBuffer]byte) }}
	hugeBuffers  = sync.Pool{New: func() any { return new([]byte) }}
)

func NewReader(src io.Reader) *Reader {
	r := &Reader{src: src}
	r.buf = r.small[:]
	return r
}

// Rest gives the larger buffer back. What Peek returned is gone then.
func (r *Reader) Rest() {
	if r.at != r.end {
		return
	}
	r.at, r.end = 0, 0
	r.giveBack()
	r.buf = r.small[:]
}

// giveBack returns what buf was borrowed from.
func (r *Reader) giveBack() {
	if r.large != nil {
		largeBuffers.Put(r.large)
		r.large = nil
	}
	if r.huge != nil {
		hugeBuffers.Put(r.huge)
		r.huge = nil
	}
}

// Preload puts bytes in front of what is read.
func (r *Reader) Preload(p []byte) error {
	if len(p) > hugeBuffer {
		return bufio.ErrBufferFull
	}
	r.makeRoom(len(p))
	r.end += copy(r.buf[r.end:], p)
	return nil
}

// Buffered is what was read and not yet taken, for another reader's Preload.
func (r *Reader) Buffered() []byte { return append([]byte(nil), r.buf[r.at:r.end]...) }

// Peek returns the next n bytes, at most hugeBuffer, without taking them. They are valid until the
// next call.
func (r *Reader) Peek(n int) ([]byte, error) {
	for r.end-r.at < n {
		switch {
		case n > hugeBuffer:
			return nil, bufio.ErrBufferFull
		case r.err != nil:
			return nil, r.takeErr()
		}
		r.makeRoom(n)
		r.fill()
	}
	return r.buf[r.at : r.at+n], nil
}

// makeRoom lets n bytes stand in the buffer.
func (r *Reader) makeRoom(n int) {
	held := r.buf[r.at:r.end]
	switch {
	case n <= len(r.buf):
		if r.at+n > len(r.buf) {
			r.at, r.end = 0, copy(r.buf, held)
		}
		return
	case n <= largeBuffer:
		large := largeBuffers.Get().(*[largeBuffer]byte)
		r.at, r.end = 0, copy(large[:], held)
		r.giveBack()
		r.large, r.buf = large, large[:]
	default:
		huge := hugeBuffers.Get().(*[]byte)
		if len(*huge) < n {
			*huge = make([]byte, 1<<bits.Len(uint(n-1)))
		}
		r.at, r.end = 0, copy(*huge, held)
		r.giveBack()
		r.huge, r.buf = huge, *huge
	}
}

// fill reads once more. REQUIRES: room behind end.
func (r *Reader) fill() {
	for range maxEmptyReads {
		n, err := r.src.Read(r.buf[r.end:])
		r.end += n
		r.err = err
		if n > 0 || err != nil {
			return
		}
	}
	r.err = io.ErrNoProgress
}

func (r *Reader) takeErr() error {
	err := r.err
	r.err = nil
	return err
}

// CutFrame takes n bytes out of the frame that is next, which stand at bytes behind its start.
// REQUIRES: Peek has returned them.
func (r *Reader) CutFrame(at, n int) {
	frame := r.buf[r.at:]
	length, seq := FrameLen(frame)-n, frame[HeaderSize-1]
	copy(frame[n:n+at], frame[:at])
	r.at += n
	putHeader(r.buf[r.at:], length, seq)
}

// Read implements io.Reader.
func (r *Reader) Read(p []byte) (int, error) {
	if r.at == r.end {
		if r.err != nil {
			return 0, r.takeErr()
		}
		if len(p) >= len(r.buf) {
			return r.src.Read(p)
		}
		r.at, r.end = 0, 0
		r.fill()
		if r.at == r.end {
			return 0, r.takeErr()
		}
	}
	n := copy(p, r.buf[r.at:r.end])
	r.at += n
	return n, nil
}

// Discard takes n bytes and forgets them.
func (r *Reader) Discard(n int) (done int, err error) {
	for {
		k := min(n-done, r.end-r.at)
		r.at += k
		if done += k; done == n {
			return done, nil
		}
		if r.err != nil {
			return done, r.takeErr()
		}
		r.at, r.end = 0, 0
		r.fill()
	}
}
