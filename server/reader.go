package server

import (
	"bufio"
	"io"
	"sync"
)

// reader buffers what a client sends. A client that is quiet holds the small buffer; a command that does not fit borrows a large one, which rest gives back.
//
// Invariants:
//
//	(1) buf[at:end] is what was read and not yet taken.
//	(2) buf is small, or large's array.
type reader struct {
	src     io.Reader
	buf     []byte
	at, end int
	err     error // comes behind what is buffered
	large   *[largeBuffer]byte
	small   [smallBuffer]byte
}

const (
	smallBuffer = 1 << 10 // statements of the usual size in one system call
	largeBuffer = 16 << 10

	maxEmptyReads = 100
)

var largeBuffers = sync.Pool{New: func() any { return new([largeBuffer]byte) }}

func newReader(src io.Reader) *reader {
	r := &reader{src: src}
	r.buf = r.small[:]
	return r
}

// rest gives the large buffer back. What Peek returned is gone then.
func (r *reader) rest() {
	if r.at != r.end {
		return
	}
	r.at, r.end = 0, 0
	if r.large != nil {
		r.buf = r.small[:]
		largeBuffers.Put(r.large)
		r.large = nil
	}
}

// Peek returns the next n bytes, at most largeBuffer, without taking them. They are valid until the next call.
func (r *reader) Peek(n int) ([]byte, error) {
	for r.end-r.at < n {
		switch {
		case n > largeBuffer:
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
func (r *reader) makeRoom(n int) {
	held := r.buf[r.at:r.end]
	if n > len(r.buf) {
		r.large = largeBuffers.Get().(*[largeBuffer]byte)
		r.buf = r.large[:]
	} else if r.at+n <= len(r.buf) {
		return
	}
	r.at, r.end = 0, copy(r.buf, held)
}

// fill reads once more. REQUIRES: room behind end.
func (r *reader) fill() {
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

func (r *reader) takeErr() error {
	err := r.err
	r.err = nil
	return err
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
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
func (r *reader) Discard(n int) (done int, err error) {
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
