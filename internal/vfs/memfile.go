package vfs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"emberdb/internal/base"
)

const (
	// chunkSize is the piece in which a node stores its content; absent chunks are zeros.
	chunkSize = 64 << 10
	// keptVersions limits the versions remembered between the durable content of a sector and the
	// present one.
	keptVersions = 4
)

var zeroSector [SectorSize]byte

// node is a file's content, independent of its names.
type node struct {
	chunks map[int64]*[chunkSize]byte
	size   int64
	sizes  []int64            // sizes a power cut may leave: the durable one first
	dirty  map[int64][][]byte // sector -> contents a power cut may leave besides the present one: the durable one first
}

func newNode() *node {
	return &node{chunks: map[int64]*[chunkSize]byte{}, sizes: []int64{0}, dirty: map[int64][][]byte{}}
}

// sector returns the present content of sector s. It aliases the node, and must not be written when
// the chunk is absent.
func (n *node) sector(s int64) []byte {
	off := s * SectorSize
	c := n.chunks[off/chunkSize]
	if c == nil {
		return zeroSector[:]
	}
	return c[off%chunkSize : off%chunkSize+SectorSize]
}

func (n *node) read(p []byte, off int64) {
	for len(p) > 0 {
		in := off % chunkSize
		k := min(int64(len(p)), chunkSize-in)
		if c := n.chunks[off/chunkSize]; c != nil {
			copy(p[:k], c[in:])
		} else {
			clear(p[:k])
		}
		p, off = p[k:], off+k
	}
}

// write changes content without touching the size, remembering what was there before.
func (n *node) write(p []byte, off int64) {
	for len(p) > 0 {
		s, in := off/SectorSize, off%SectorSize
		k := min(int64(len(p)), SectorSize-in)
		n.writeSector(s, in, p[:k])
		p, off = p[k:], off+k
	}
}

func (n *node) writeSector(s, in int64, p []byte) {
	now := n.sector(s)
	if bytes.Equal(now[in:in+int64(len(p))], p) {
		return
	}
	if versions := n.dirty[s]; len(versions) < keptVersions {
		n.dirty[s] = append(versions, bytes.Clone(now))
	}
	c := s * SectorSize / chunkSize
	if n.chunks[c] == nil {
		n.chunks[c] = new([chunkSize]byte)
		now = n.sector(s)
	}
	copy(now[in:], p)
}

// zero writes zeros over [off, end) wherever there is something else.
func (n *node) zero(off, end int64) {
	for off < end {
		in := off % chunkSize
		k := min(end-off, chunkSize-in)
		if n.chunks[off/chunkSize] != nil {
			n.write(make([]byte, k), off)
		}
		off += k
	}
}

func (n *node) setSize(size int64) {
	if size != n.size {
		n.size = size
		n.sizes = append(n.sizes, size)
	}
}

func (n *node) synced() {
	clear(n.dirty)
	n.sizes = append(n.sizes[:0], n.size)
}

// survivor builds the content a power cut leaves.
func (n *node) survivor(rng *rand.Rand) *node {
	next := newNode()
	for i, c := range n.chunks {
		dup := *c
		next.chunks[i] = &dup
	}
	keep := keepChance(rng)
	for _, s := range sortedSectors(n.dirty) {
		if rng.Float64() < keep {
			continue
		}
		// Mostly the durable content comes back, sometimes one written in between.
		versions := n.dirty[s]
		v := versions[0]
		if rng.IntN(4) == 0 {
			v = versions[rng.IntN(len(versions))]
		}
		copy(next.sector(s), v)
	}
	next.size = n.size
	if rng.Float64() >= keep {
		next.size = n.sizes[rng.IntN(len(n.sizes))]
	}
	next.zero(next.size, n.maxEnd())
	next.dirty = map[int64][][]byte{}
	next.sizes = []int64{next.size}
	return next
}

// maxEnd is an offset behind all content.
func (n *node) maxEnd() int64 {
	end := n.size
	for i := range n.chunks {
		end = max(end, (i+1)*chunkSize)
	}
	return end
}

func sortedSectors(dirty map[int64][][]byte) []int64 {
	out := make([]int64, 0, len(dirty))
	for s := range dirty {
		out = append(out, s)
	}
	slices.Sort(out)
	return out
}

// memFile is an open file of a Mem.
type memFile struct {
	fs       *Mem
	n        *node
	name     string
	direct   bool
	readOnly bool
	closed   bool

	temporary bool
}

func (f *memFile) Name() string { return f.name }

// checkLocked refuses what the real file system would refuse. REQUIRES: f.fs.mu held.
func (f *memFile) checkLocked(op string, write bool, off, n int64) error {
	switch {
	case f.closed:
		return fmt.Errorf("%s %s: file is closed", op, f.name)
	case write && f.readOnly:
		return fmt.Errorf("%s %s: opened read-only", op, f.name)
	case off < 0 || n < 0:
		return fmt.Errorf("%s %s: negative offset or length", op, f.name)
	case f.direct && (off%SectorSize != 0 || n%SectorSize != 0):
		return fmt.Errorf("%s %s: [%d, +%d) is not aligned for direct I/O", op, f.name, off, n)
	}
	return nil
}

func (f *memFile) ReadAt(p []byte, off int64) (int, error) { return f.ReadVAt([][]byte{p}, off) }

func (f *memFile) ReadVAt(bufs [][]byte, off int64) (int, error) {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	total := totalLen(bufs)
	if err := f.checkLocked("read", false, off, int64(total)); err != nil {
		return 0, err
	}
	if err := f.fs.beginLocked(OpRead, f.name, off, total); err != nil {
		return 0, err
	}
	done := 0
	for _, b := range bufs {
		k := int(max(0, min(int64(len(b)), f.n.size-off-int64(done))))
		f.n.read(b[:k], off+int64(done))
		done += k
		if k < len(b) {
			return done, io.EOF
		}
	}
	return done, nil
}

func (f *memFile) WriteAt(p []byte, off int64) (int, error) { return f.WriteVAt([][]byte{p}, off) }

func (f *memFile) WriteVAt(bufs [][]byte, off int64) (int, error) {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	total := totalLen(bufs)
	if err := f.checkLocked("write", true, off, int64(total)); err != nil {
		return 0, err
	}
	err := f.fs.beginLocked(OpWrite, f.name, off, total)
	limit := total
	var short *shortError
	switch {
	case errors.As(err, &short):
		limit = total / 2 / SectorSize * SectorSize
		err = short.err
	case err != nil && !errors.Is(err, errCut):
		return 0, err
	}
	if full := f.fs.growLocked(f.n, off+int64(limit)); full != nil {
		return 0, fmt.Errorf("write %s: %w", f.name, full)
	}
	done := 0
	for _, b := range bufs {
		k := min(len(b), limit-done)
		f.n.write(b[:k], off+int64(done))
		done += k
	}
	if done > 0 {
		f.n.setSize(max(f.n.size, off+int64(done)))
	}
	if err != nil {
		return done, cutToLost(err)
	}
	return done, nil
}

func (f *memFile) Sync() error {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	if err := f.checkLocked("sync", false, 0, 0); err != nil {
		return err
	}
	if err := f.fs.beginLocked(OpSync, f.name, 0, 0); err != nil {
		return cutToLost(err)
	}
	f.n.synced()
	return nil
}

func (f *memFile) SyncAll() error { return f.Sync() }

func (f *memFile) Allocate(off, n int64) error {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	if err := f.checkLocked("allocate", true, off, n); err != nil {
		return err
	}
	err := f.fs.beginLocked(OpAllocate, f.name, off, int(n))
	if err != nil && !errors.Is(err, errCut) {
		return err
	}
	if full := f.fs.growLocked(f.n, off+n); full != nil {
		return fmt.Errorf("allocate %s: %w", f.name, full)
	}
	f.n.setSize(max(f.n.size, off+n))
	return cutToLost(err)
}

func (f *memFile) PunchHole(off, n int64) error {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	if err := f.checkLocked("punch hole", true, off, n); err != nil {
		return err
	}
	err := f.fs.beginLocked(OpAllocate, f.name, off, int(n))
	if err != nil && !errors.Is(err, errCut) {
		return err
	}
	f.n.zero(off, min(off+n, f.n.size))
	return cutToLost(err)
}

func (f *memFile) Truncate(size int64) error {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	if err := f.checkLocked("truncate", true, size, 0); err != nil {
		return err
	}
	return f.truncateLocked(size)
}

func (f *memFile) truncateLocked(size int64) error {
	err := f.fs.beginLocked(OpTruncate, f.name, size, 0)
	if err != nil && !errors.Is(err, errCut) {
		return err
	}
	if full := f.fs.growLocked(f.n, size); full != nil {
		return fmt.Errorf("truncate %s: %w", f.name, full)
	}
	if size < f.n.size {
		f.n.zero(size, f.n.size)
		f.fs.used -= f.n.size - size
	}
	f.n.setSize(size)
	return cutToLost(err)
}

func (f *memFile) Size() (int64, error) {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	return f.n.size, f.fs.aliveLocked()
}

func (f *memFile) Close() error {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	if f.closed {
		return fmt.Errorf("close %s: file is closed", f.name)
	}
	f.closed = true
	if f.temporary {
		f.fs.used -= f.n.size
	}
	return nil
}

// growLocked takes the space a file needs to reach end. REQUIRES: m.mu held.
func (m *Mem) growLocked(n *node, end int64) error {
	more := max(0, end-n.size)
	if m.capacity > 0 && m.used+more > m.capacity {
		return base.ErrDiskFull
	}
	m.used += more
	return nil
}
