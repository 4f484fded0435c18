package redo

import (
	"errors"
	"sync"
	"time"

	"emberdb/internal/base"
	"emberdb/internal/invariants"
)

var errNotStarted = errors.New("redo: the log was not started")

// writer is the write side: one goroutine at a time takes what the ring holds to the files.
type writer struct {
	mu   sync.Mutex
	pos  uint64 // ring position up to which everything is written
	tail []byte // aligned: the last, partial block on its way to the file
	vec  [][]byte
	runs []run
	wrap []byte // a group that lies around the ring's end, while it is indexed
	seen pageFilter
}

// WriteTo returns when everything up to lsn stands in the files. It survives a kill of the process,
// not a power cut.
func (l *Log) WriteTo(lsn base.LSN) error {
	if l.Written() >= lsn {
		return nil
	}
	return l.writeOut()
}

// flush writes what was appended and makes it durable. REQUIRES: the caller is the leader.
func (l *Log) flush() error {
	if err := l.writeOut(); err != nil {
		return err
	}
	l.segs.syncing.Lock()
	defer l.segs.syncing.Unlock()
	l.writer.mu.Lock()
	seg, upTo := l.writerSegment(), l.Written()
	l.writer.mu.Unlock()
	if l.Durable() >= upTo {
		return nil
	}
	if err := l.sync(seg); err != nil {
		return l.fail(err)
	}
	raise(&l.durable, upTo)
	if invariants.Enabled {
		l.checkPositions()
	}
	return nil
}

// checkPositions asserts invariant (1). Each position only rises, so reading them from the lowest
// up is sound.
func (l *Log) checkPositions() {
	cp, durable, written, appended := l.CheckpointLSN(), l.Durable(), l.Written(), l.Appended()
	invariants.Assert(cp <= durable && durable <= written && written <= appended,
		"checkpoint %d, durable %d, written %d, appended %d", cp, durable, written, appended)
}

// writerSegment is the segment the writer stands in; all earlier ones are synced.
// REQUIRES: writer.mu held.
func (l *Log) writerSegment() *segment {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.mu.runs[0].seg
}

func (l *Log) sync(seg *segment) error {
	start := time.Now()
	err := seg.file.Sync()
	took := time.Since(start)
	l.stats.syncs.Add(1)
	l.stats.syncNanos.Add(uint64(took))
	l.stats.sync.Add(0, took)
	return err
}

// writeOut takes everything appended so far to the files. A segment that is full is synced before
// the first byte of the next one is written, so a valid group in a segment proves all segments
// before it whole.
func (l *Log) writeOut() error {
	w := &l.writer
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := l.failed(); err != nil {
		return err
	}
	if !l.started.Load() {
		return errNotStarted
	}
	l.mu.Lock()
	head := l.mu.head
	w.runs = append(w.runs[:0], l.mu.runs...)
	l.mu.Unlock()

	finished := 0
	for i := range w.runs {
		r := &w.runs[i]
		end := head
		if r.closed {
			end = r.end
		}
		if end > w.pos {
			if err := l.writeRun(r, w.pos, end); err != nil {
				return l.fail(err)
			}
			w.pos = end
		}
		raise(&l.written, r.lsnAt(end))
		if r.closed {
			if err := l.finishRun(r, &w.runs[i+1]); err != nil {
				return l.fail(err)
			}
			finished++
		}
	}
	l.mu.Lock()
	l.mu.free = w.pos / blockSize * blockSize
	l.mu.runs = append(l.mu.runs[:0], l.mu.runs[finished:]...)
	l.mu.Unlock()
	return nil
}

// finishRun closes a segment that is completely written.
func (l *Log) finishRun(r, next *run) error {
	if err := l.sync(r.seg); err != nil {
		return err
	}
	l.writer.pos = next.pos
	l.mirror.jump(next.lsn)
	raise(&l.written, next.lsn)
	raise(&l.durable, next.lsn)
	l.segs.finished(r.seg, r.lsnAt(r.end))
	l.wake()
	return nil
}

// writeRun writes the ring's bytes [from, to) in whole blocks: full blocks straight from the ring,
// the partial last one from a copy, since appenders go on writing behind it. The block that holds
// from is written again with what it held before.
func (l *Log) writeRun(r *run, from, to uint64) error {
	w := &l.writer
	first, full := from/blockSize*blockSize, to/blockSize*blockSize
	w.vec = w.vec[:0]
	size := uint64(len(l.ring))
	for p := first; p < full; {
		at := p % size
		n := min(full-p, size-at)
		w.vec = append(w.vec, l.ring[at:at+n])
		p += n
	}
	if full < to {
		at := full % size
		n := copy(w.tail, l.ring[at:at+to-full])
		clear(w.tail[n:])
		w.vec = append(w.vec, w.tail)
	}
	start := time.Now()
	n, err := r.seg.file.WriteVAt(w.vec, r.seg.offset(r.lsnAt(first)))
	l.stats.write.Add(n, time.Since(start))
	l.stats.writes.Add(1)
	l.stats.bytes.Add(uint64(n))
	if err != nil {
		return err
	}
	l.mirrorRun(from, to)
	l.indexRun(r, from, to)
	return nil
}

// mirrorRun adds the ring's bytes [from, to) to the mirror.
func (l *Log) mirrorRun(from, to uint64) {
	size := uint64(len(l.ring))
	if a, b := from%size, (to-1)%size+1; a < b {
		l.mirror.add(l.ring[a:b])
	} else {
		l.mirror.add(l.ring[a:], l.ring[:b])
	}
}

// raise lifts an atomic position; it never falls.
func raise(p interface {
	Load() uint64
	CompareAndSwap(old, new uint64) bool
}, to base.LSN) {
	for {
		old := p.Load()
		if old >= uint64(to) || p.CompareAndSwap(old, uint64(to)) {
			return
		}
	}
}
