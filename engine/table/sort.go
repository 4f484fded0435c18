package table

import (
	"bytes"
	"cmp"
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"emberdb/internal/vfs"
)

// sorter sorts keys of any number: chunks are sorted in memory and spilled to run files, which are
// merged. Equal keys come out once. One chunk is sorted and written while the next one is filled, and
// runs are merged while the caller takes what came before.
//
// A run file is a sequence of length u16 | key . It is never synced, and has no name as soon as it
// is open, so that it is gone with the sorter, or with the process.
type sorter struct {
	fs     vfs.FS
	prefix string // path and beginning of the names of run files
	memory int    // bytes of keys, in both chunks together
	ahead  []byte // goes ahead of each key that is added
	chunk         // at work
	spare  chunk  // empty
	runs   []*run
	writes chan written // of the chunk that is being spilled; nil: none is
}

// chunk are keys as they came.
type chunk struct {
	keys  []byte
	spans []span
}

// written is what came of a spill.
type written struct {
	chunk chunk
	run   *run // nil: no file
	err   error
}

// span is a key: its place in keys, and the bytes that tell it from most others.
type span struct {
	off, len uint32
	head     uint64 // the first bytes behind those that all keys of the chunk begin with
}

func headOf(key []byte) uint64 {
	if len(key) >= 8 {
		return binary.BigEndian.Uint64(key)
	}
	var b [8]byte
	copy(b[:], key)
	return binary.BigEndian.Uint64(b[:])
}

const (
	sortMemory = 32 << 20
	sortFirst  = 1 << 20 // so many bytes of keys take no more memory than they need
	runBuffer  = 128 << 10
	batchKeys  = 256 << 10 // bytes of keys merged ahead
)

func newSorter(fs vfs.FS, dir, name string) *sorter {
	return &sorter{fs: fs, prefix: filepath.Join(dir, name), memory: sortMemory}
}

func (c *chunk) key(sp span) []byte { return c.keys[sp.off : sp.off+sp.len] }

// add copies the key.
func (s *sorter) add(key []byte) error {
	most, n := s.memory/2, len(s.ahead)+len(key)
	if len(s.keys)+n > most && len(s.spans) > 0 {
		if err := s.spill(); err != nil {
			return err
		}
	}
	if len(s.keys) > sortFirst && n > cap(s.keys)-len(s.keys) {
		s.keys = slices.Grow(s.keys, max(most-len(s.keys), 0)+n) // at once: growing step by step copies it all
	}
	s.spans = append(s.spans, span{off: uint32(len(s.keys)), len: uint32(n)})
	s.keys = append(append(s.keys, s.ahead...), key...)
	return nil
}

func (c *chunk) sort() {
	common := c.common()
	for i := range c.spans {
		c.spans[i].head = headOf(c.key(c.spans[i])[common:])
	}
	slices.SortFunc(c.spans, func(a, b span) int {
		if a.head != b.head {
			return cmp.Compare(a.head, b.head)
		}
		return bytes.Compare(c.key(a)[common:], c.key(b)[common:])
	})
}

// common returns how many bytes all keys begin with.
func (c *chunk) common() int {
	if len(c.spans) == 0 {
		return 0
	}
	first := c.key(c.spans[0])
	n := len(first)
	for _, sp := range c.spans[1:] {
		k := c.key(sp)
		if n = min(n, len(k)); bytes.Equal(first[:n], k[:n]) {
			continue
		}
		for i := range n {
			if first[i] != k[i] {
				n = i
				break
			}
		}
	}
	return n
}

// ErrTemporary says that a temporary file could not be written.
var ErrTemporary = errors.New("temporary file write failure")

// spill begins to write the keys in memory as a run, once the one before is written.
func (s *sorter) spill() error {
	if err := s.settle(); err != nil {
		return err
	}
	full, n := s.chunk, len(s.runs)
	s.chunk, s.spare = s.spare, chunk{}
	done := make(chan written, 1)
	s.writes = done
	go func() {
		r, err := s.writeRun(&full, n)
		if err != nil {
			err = fmt.Errorf("%w: %w", ErrTemporary, err)
		}
		done <- written{full, r, err}
	}()
	return nil
}

// settle waits for the spill under way.
func (s *sorter) settle() error {
	if s.writes == nil {
		return nil
	}
	w := <-s.writes
	s.writes, s.spare = nil, chunk{w.chunk.keys[:0], w.chunk.spans[:0]}
	if w.run != nil {
		s.runs = append(s.runs, w.run)
	}
	return w.err
}

// writeRun sorts a chunk and writes it as the n-th run. It works beside add.
func (s *sorter) writeRun(c *chunk, n int) (*run, error) {
	if n == 0 {
		if err := s.fs.MkdirAll(filepath.Dir(s.prefix)); err != nil {
			return nil, err
		}
	}
	c.sort()
	name := fmt.Sprintf("%s.%d.run", s.prefix, n)
	f, err := s.fs.Open(name, vfs.Options{Create: true, Truncate: true})
	if err != nil {
		return nil, err
	}
	r := &run{f: f}
	if err := s.fs.Remove(name); err != nil {
		return r, err
	}
	buf := make([]byte, 0, runBuffer)
	for i, sp := range c.spans {
		k := c.key(sp)
		buf = append(le.AppendUint16(buf, uint16(len(k))), k...)
		if len(buf) >= runBuffer/2 || i == len(c.spans)-1 {
			if _, err := f.WriteAt(buf, r.size); err != nil {
				return r, err
			}
			r.size += int64(len(buf))
			buf = buf[:0]
		}
	}
	return r, nil
}

// each calls fn with every key in order. The sorter is used up.
func (s *sorter) each(fn func(key []byte) error) error {
	if len(s.runs) == 0 && s.writes == nil {
		s.sort()
		var last []byte
		for i, sp := range s.spans {
			k := s.key(sp)
			if i > 0 && bytes.Equal(k, last) {
				continue
			}
			if err := fn(k); err != nil {
				return err
			}
			last = k
		}
		return nil
	}
	if err := s.spill(); err != nil {
		return err
	}
	if err := s.settle(); err != nil {
		return err
	}
	s.chunk, s.spare = chunk{}, chunk{}
	return s.mergeBeside(fn)
}

// mergeBeside merges the runs beside fn, a batch of keys ahead of it.
func (s *sorter) mergeBeside(fn func(key []byte) error) (err error) {
	full, empty, stop := make(chan chunk, 1), make(chan chunk, 2), make(chan struct{})
	merged := make(chan error, 1)
	empty <- chunk{}
	empty <- chunk{}
	go func() {
		defer close(full)
		merged <- s.batches(full, empty, stop)
	}()
	defer func() {
		close(stop)
		err = errors.Join(err, <-merged)
	}()
	for c := range full {
		for _, sp := range c.spans {
			if err := fn(c.key(sp)); err != nil {
				return err
			}
		}
		empty <- c
	}
	return nil
}

// batches merges the runs into batches, until stop is closed.
func (s *sorter) batches(full chan<- chunk, empty <-chan chunk, stop <-chan struct{}) error {
	ended := errors.New("stopped")
	send := func(c chunk) error {
		select {
		case full <- c:
			return nil
		case <-stop:
			return ended
		}
	}
	c := <-empty
	err := s.merge(func(key []byte) error {
		if len(c.keys)+len(key) > batchKeys {
			if err := send(c); err != nil {
				return err
			}
			select {
			case c = <-empty:
				c.keys, c.spans = c.keys[:0], c.spans[:0]
			case <-stop:
				return ended
			}
		}
		c.spans = append(c.spans, span{off: uint32(len(c.keys)), len: uint32(len(key))})
		c.keys = append(c.keys, key...)
		return nil
	})
	if err == nil {
		err = send(c)
	}
	if err == ended {
		return nil
	}
	return err
}

func (s *sorter) merge(fn func(key []byte) error) error {
	var h runHeap
	for _, r := range s.runs {
		ok, err := r.next()
		if err != nil {
			return err
		}
		if ok {
			h = append(h, r)
		}
	}
	heap.Init(&h)
	var last []byte
	for first := true; len(h) > 0; first = false {
		r := h[0]
		if first || !bytes.Equal(r.key, last) {
			if err := fn(r.key); err != nil {
				return err
			}
			last = append(last[:0], r.key...)
		}
		ok, err := r.next()
		if err != nil {
			return err
		}
		if ok {
			heap.Fix(&h, 0)
		} else {
			heap.Pop(&h)
		}
	}
	return nil
}

// close gives the run files back.
func (s *sorter) close() (err error) {
	_ = s.settle() // whoever closes it early has another error
	for _, r := range s.runs {
		err = errors.Join(err, r.f.Close())
	}
	s.runs = nil
	return err
}

// run is a run file that is being read.
type run struct {
	f    vfs.File
	size int64
	off  int64  // of what follows buf in the file
	buf  []byte // read, not consumed
	mem  []byte
	key  []byte // aliases mem
}

// next moves to the next key.
func (r *run) next() (ok bool, err error) {
	if ok, err := r.need(2); !ok {
		return false, err
	}
	n := 2 + int(le.Uint16(r.buf))
	if ok, err := r.need(n); !ok {
		return false, errors.Join(err, io.ErrUnexpectedEOF)
	}
	r.key, r.buf = r.buf[2:n], r.buf[n:]
	return true, nil
}

// need makes n bytes available in buf; false at the end of the file.
func (r *run) need(n int) (bool, error) {
	if len(r.buf) >= n {
		return true, nil
	}
	if r.mem == nil {
		r.mem = make([]byte, runBuffer)
	}
	have := copy(r.mem, r.buf)
	more := int(min(int64(runBuffer-have), r.size-r.off))
	if have+more < n {
		return false, nil
	}
	if _, err := r.f.ReadAt(r.mem[have:have+more], r.off); err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	r.off += int64(more)
	r.buf = r.mem[:have+more]
	return true, nil
}

type runHeap []*run

func (h runHeap) Len() int           { return len(h) }
func (h runHeap) Less(i, j int) bool { return bytes.Compare(h[i].key, h[j].key) < 0 }
func (h runHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *runHeap) Push(x any)        { *h = append(*h, x.(*run)) }
func (h *runHeap) Pop() any {
	old := *h
	r := old[len(old)-1]
	*h = old[:len(old)-1]
	return r
}
