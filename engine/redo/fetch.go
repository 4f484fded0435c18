package redo

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// Fetcher reads groups by their LSNs. It keeps the blocks it read last: the groups of one page
// stand near those of its neighbours and of the pages that are changed with it. Many goroutines may
// use one.
type Fetcher struct {
	l     *Log
	reads chan struct{}

	mu    sync.Mutex
	most  int // blocks kept; 0: none any more
	kept  map[base.LSN][]byte
	order []base.LSN // of kept, oldest first
}

const (
	fetchBlock  = 4 << 10        // hardly a group is longer, and the rest of a larger block is seldom wanted
	fetchGap    = 8 * fetchBlock // read through: cheaper than another request
	fetchRun    = 1 << 20        // longest read
	fetchWindow = 512            // groups whose blocks are held at the same time
	fetchDepth  = 4              // reads in flight, of all who want pages: more would hold up the reading of the log that does all pages
)

// NewFetcher makes a fetcher that keeps about so many bytes.
func (l *Log) NewFetcher(bytes int64) *Fetcher {
	return &Fetcher{l: l, most: max(4, int(bytes/fetchBlock)), reads: make(chan struct{}, fetchDepth), kept: make(map[base.LSN][]byte)}
}

// Groups calls fn with the groups at lsns, which are in order. The payload is valid during the
// call. *base.CorruptError: there is no valid group at an LSN.
func (f *Fetcher) Groups(lsns []base.LSN, fn func(Group) error) error {
	for len(lsns) > 0 {
		n := min(len(lsns), fetchWindow)
		w := window{f: f, blocks: make(map[base.LSN][]byte)}
		if err := w.load(lsns[:n]); err != nil {
			return err
		}
		for _, lsn := range lsns[:n] {
			g, err := w.group(lsn)
			if errors.Is(err, base.ErrCorrupt) && !w.files && f.l.mirror != nil { // only the files say what is wrong
				w.files, w.blocks = true, make(map[base.LSN][]byte)
				g, err = w.group(lsn)
			}
			if err != nil {
				return err
			}
			if err := fn(g); err != nil {
				return err
			}
		}
		lsns = lsns[n:]
	}
	return nil
}

// window is one step of a fetch with the blocks it needs.
type window struct {
	f      *Fetcher
	mu     sync.Mutex
	blocks map[base.LSN][]byte
	seg    *segment // of the last group
	files  bool     // read the files, not the mirror, nor what the fetcher keeps
	buf    []byte   // a group that does not lie in one block
}

// blockOf is the block an LSN lies in: the LSN of its first byte.
func blockOf(seg *segment, lsn base.LSN) base.LSN {
	return seg.info.start + (lsn-seg.info.start)/fetchBlock*fetchBlock
}

// segment finds the segment of an LSN, quickly when it is the one of the call before.
func (w *window) segment(lsn base.LSN) (*segment, error) {
	if w.seg == nil || lsn < w.seg.info.start || lsn >= w.seg.info.end() {
		if w.seg = w.f.l.segs.find(lsn); w.seg == nil {
			return nil, &base.CorruptError{File: w.f.l.dir, Detail: fmt.Sprintf("no segment holds LSN %d", lsn)}
		}
	}
	return w.seg, nil
}

// load brings the blocks in which the groups begin, near ones in one read, several reads at a time.
func (w *window) load(lsns []base.LSN) error {
	type stretch struct {
		seg      *segment
		from, to base.LSN
	}
	var todo []stretch
	for _, lsn := range lsns {
		seg, err := w.segment(lsn)
		if err != nil {
			return err
		}
		b := blockOf(seg, lsn)
		if n := len(todo); n > 0 && todo[n-1].seg == seg && b < todo[n-1].to || w.have(b) {
			continue
		}
		end := min(b+fetchBlock, seg.info.end())
		if n := len(todo); n > 0 && todo[n-1].seg == seg && b-todo[n-1].to <= fetchGap && end-todo[n-1].from <= fetchRun {
			todo[n-1].to = end
			continue
		}
		todo = append(todo, stretch{seg, b, end})
	}
	if len(todo) == 1 {
		return w.read(todo[0].seg, todo[0].from, todo[0].to)
	}
	errs := make([]error, len(todo))
	var wg sync.WaitGroup
	for i, s := range todo {
		w.f.reads <- struct{}{}
		wg.Go(func() {
			defer func() { <-w.f.reads }()
			errs[i] = w.read(s.seg, s.from, s.to)
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// have takes a block over from those the fetcher keeps.
func (w *window) have(b base.LSN) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.blocks[b] != nil {
		return true
	}
	if w.files {
		return false
	}
	w.f.mu.Lock()
	defer w.f.mu.Unlock()
	if block := w.f.kept[b]; block != nil {
		w.blocks[b] = block
		return true
	}
	return false
}

// read reads whole blocks.
func (w *window) read(seg *segment, from, to base.LSN) error {
	buf := vfs.AlignedBlock(int(to - from))
	if w.files || w.f.l.mirror.read(buf, from) < len(buf) {
		if n, err := seg.file.ReadAt(buf, seg.offset(from)); err != nil && err != io.EOF {
			return fmt.Errorf("%s: reading %d bytes at %d, got %d: %w", seg.path, len(buf), seg.offset(from), n, err)
		}
	}
	if len(buf) == fetchBlock {
		buf = slices.Clone(buf) // most reads are of one block, which takes twice its memory while it is aligned
	}
	w.mu.Lock()
	for b := from; b < to; b += fetchBlock {
		w.blocks[b] = buf[b-from : min(b+fetchBlock, to)-from]
	}
	w.mu.Unlock()
	w.f.take(from, buf)
	return nil
}

// take keeps blocks that were read, from the one that begins at from on. They are the fetcher's
// from then on. They leave about together, so they stay in one piece.
func (f *Fetcher) take(from base.LSN, blocks []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.most == 0 {
		return
	}
	for b := from; len(blocks) > 0; b += fetchBlock {
		n := min(fetchBlock, len(blocks))
		if f.kept[b] == nil {
			f.kept[b] = blocks[:n:n]
			f.order = append(f.order, b)
		}
		blocks = blocks[n:]
	}
	for len(f.order) > f.most {
		delete(f.kept, f.order[0])
		f.order = f.order[1:]
	}
}

// Forget lets go of the blocks kept, and keeps none from then on.
func (f *Fetcher) Forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.most, f.kept, f.order = 0, nil, nil
}

// group returns the verified group at lsn.
func (w *window) group(lsn base.LSN) (g Group, err error) {
	seg, err := w.segment(lsn)
	if err != nil {
		return g, err
	}
	bad := func() error { return seg.corrupt(lsn, fmt.Sprintf("there is no valid group at LSN %d", lsn)) }
	if lsn+groupHeader > seg.info.end() {
		return g, bad()
	}
	h, err := w.bytes(seg, lsn, groupHeader)
	if err != nil {
		return g, err
	}
	length, sum := binary.LittleEndian.Uint32(h), binary.LittleEndian.Uint32(h[4:])
	if length == 0 || int64(length) > int64(seg.info.end()-lsn)-groupHeader {
		return g, bad()
	}
	p, err := w.bytes(seg, lsn, groupHeader+int(length))
	if err != nil {
		return g, err
	}
	p = p[groupHeader:]
	if groupSum(payloadSum(p), length, w.f.l.segs.saltAt(lsn), lsn) != sum {
		return g, bad()
	}
	return Group{LSN: lsn, End: lsn + groupHeader + base.LSN(length), Payload: p}, nil
}

// bytes returns n bytes from lsn on, which lie in the segment; valid until the next call.
func (w *window) bytes(seg *segment, lsn base.LSN, n int) ([]byte, error) {
	out := w.buf[:0]
	for at, end := lsn, lsn+base.LSN(n); at < end; {
		b := blockOf(seg, at)
		if !w.have(b) {
			last := blockOf(seg, end-1)
			if err := w.read(seg, b, min(last+fetchBlock, seg.info.end())); err != nil {
				return nil, err
			}
		}
		part := w.blocks[b][at-b:]
		part = part[:min(base.LSN(len(part)), end-at)]
		if len(part) == n {
			return part, nil
		}
		out = append(out, part...)
		at += base.LSN(len(part))
	}
	w.buf = out
	return out, nil
}
