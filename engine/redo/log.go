package redo

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"

	"emberdb/internal/base"
	"emberdb/internal/invariants"
	"emberdb/internal/vfs"
)

const (
	minSegment        = 16 << 10
	maxSegment        = 1 << 30
	smallestDefault   = 4 << 20  // segment sizes the log chooses by itself
	largestDefault    = 64 << 20 // a start parses one at most, and reads the indexes of the others
	segmentsPerLog    = 128
	defaultCapacity   = 1 << 30
	defaultBufferSize = 16 << 20
	minBufferSize     = 64 << 10
)

// Options configures a Log.
type Options struct {
	Capacity    int64 // LSN bytes between checkpoint and end; 0: 1 GiB
	SegmentSize int64 // 0: Capacity/128, between 4 MiB and 64 MiB
	BufferSize  int   // bytes appended and not yet written; 0: 16 MiB
	Create      bool  // begin a new log when there is none
	UUID        [16]byte
	NeedRoom    func() // called while WaitRoom blocks: a checkpoint is wanted; must not block
	Direct      bool   // bypass the page cache
	// Hot is told, in the background, which pages a closed segment changed very often: writing them
	// keeps their redo short. It must not block.
	Hot     func(pages []base.PageID)
	Logger  *slog.Logger
	Failure *base.Failure // the engine's; nil: one of its own

	readOnly bool // a View
}

// Log is the write-ahead log of a data directory.
//
// Latches, outermost first: writer.mu, mu, segs.mu. group.mu and room.mu are leaves. mu is never
// held across I/O, so appenders wait for the disk only when the buffer is full or a segment is
// missing.
type Log struct {
	fs     vfs.FS
	dir    string
	o      Options
	logger *slog.Logger
	uuid   [16]byte

	mu struct { // append side, see append.go
		invariants.Mutex[invariants.RedoAppend]
		appendState
	}
	ring   []byte  // aligned; position p of the stream of bytes stands at p % len
	mirror *Mirror // nil: there is none
	writer writer  // write side, see flush.go
	group  groupCommit
	segs   segmentSet

	// (1) checkpoint <= durable <= written <= appended.
	appended, written, durable, checkpoint atomic.Uint64

	started  atomic.Bool // positions hold; before, only readers work
	life     Life        // of this process; set by start
	ended    Life        // what the log ended in when it was opened
	capacity atomic.Int64
	maxGroup int
	// fixedSize: the segment size was given, and Resize keeps it.
	fixedSize bool
	room      struct {
		sync.Mutex
		changed chan struct{} // closed and replaced when room may have appeared
		none    error         // why no checkpoint can make room for now
	}
	cp struct {
		sync.Mutex
		last Checkpoint
	}
	failure *base.Failure
	stats   counters

	stop    chan struct{}
	kick    chan struct{}
	stopped sync.WaitGroup
	closed  bool
}

// Open opens the log of datadir and reads its newest checkpoint. It reads no groups: the caller
// reads from the checkpoint with a Reader and then calls StartAt. A log begun by this call is
// started already.
func Open(fsys vfs.FS, datadir string, o Options) (*Log, Checkpoint, error) {
	l, err := newLog(fsys, datadir, o)
	if err != nil {
		return nil, Checkpoint{}, err
	}
	if err := l.open(); err != nil {
		return nil, Checkpoint{}, errors.Join(err, l.closeFiles())
	}
	return l, l.cp.last, nil
}

func newLog(fsys vfs.FS, datadir string, o Options) (*Log, error) {
	if o.Capacity <= 0 {
		o.Capacity = defaultCapacity
	}
	if o.BufferSize <= 0 {
		o.BufferSize = defaultBufferSize
	}
	o.BufferSize = max(o.BufferSize, minBufferSize) / blockSize * blockSize
	fixed := o.SegmentSize != 0
	if !fixed {
		o.SegmentSize = segmentSizeFor(o.Capacity)
	}
	o.SegmentSize = o.SegmentSize / blockSize * blockSize
	if o.SegmentSize < minSegment || o.SegmentSize > maxSegment {
		return nil, fmt.Errorf("redo: segment size %d is not between %d and %d", o.SegmentSize, minSegment, maxSegment)
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Failure == nil {
		o.Failure = base.NewFailure()
	}
	l := &Log{failure: o.Failure, fs: fsys, dir: filepath.Join(datadir, "redo"), o: o, logger: o.Logger, uuid: o.UUID, fixedSize: fixed,
		ring: vfs.AlignedBlock(o.BufferSize), stop: make(chan struct{}), kick: make(chan struct{}, 1)}
	l.maxGroup = int(min(o.SegmentSize, smallestDefault, int64(o.BufferSize/2))) - groupOverhead
	l.capacity.Store(o.Capacity)
	l.room.changed = make(chan struct{})
	l.writer.tail = vfs.AlignedBlock(blockSize)
	l.segs.init(l, o.SegmentSize)
	l.failure.Guard(&l.mu)
	l.failure.OnEnter(l.roomChanged)
	return l, nil
}

func segmentSizeFor(capacity int64) int64 {
	return min(max(capacity/segmentsPerLog, smallestDefault), largestDefault) / blockSize * blockSize
}

func (l *Log) open() error {
	if err := l.fs.MkdirAll(l.dir); err != nil {
		return err
	}
	cp, damage, err := readCheckpoint(l.fs, l.dir)
	if l.o.Create && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, errUnborn)) {
		return l.begin()
	}
	if err != nil {
		return err
	}
	if l.uuid == ([16]byte{}) {
		l.uuid = cp.UUID
	}
	if cp.UUID != l.uuid {
		return fmt.Errorf("%s: %w: it belongs to server %x, this is %x", checkpointName(l.dir, cp.seq), base.ErrForeign, cp.UUID, l.uuid)
	}
	if damage != nil {
		l.logger.Warn("a checkpoint file is damaged and passed over; the log is read from the other checkpoint on, and the next checkpoint writes the file anew",
			"err", damage, "used", checkpointName(l.dir, cp.seq), "lsn", cp.LSN)
	}
	l.cp.last = *cp
	l.checkpoint.Store(uint64(cp.LSN))
	return l.segs.open(cp)
}

// begin writes a new, empty log. The checkpoint file comes last: until it exists there is no log.
func (l *Log) begin() error {
	if err := l.segs.open(nil); err != nil {
		return err
	}
	salt := newSalt()
	seg, err := l.segs.prepare(segmentInfo{uuid: l.uuid, number: 1, start: FirstLSN, size: l.segs.size.Load(), salt: salt}, true)
	if err != nil {
		return err
	}
	l.segs.live = append(l.segs.live, seg)
	l.cp.last = Checkpoint{LSN: FirstLSN, Durable: FirstLSN, UUID: l.uuid, salt: salt}
	for range 2 { // both files, so that later ones change no folder
		if err := writeCheckpoint(l.fs, l.dir, &l.cp.last); err != nil {
			return err
		}
		l.cp.last.seq++
	}
	l.cp.last.seq--
	l.checkpoint.Store(uint64(FirstLSN))
	l.segs.noteSalt(FirstLSN, salt)
	return l.start(FirstLSN, seg, salt, false)
}

func newSalt() uint32 {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails
	return binary.LittleEndian.Uint32(b[:])
}

// StartAt makes the log ready for appending behind end, the end of the last group a Reader
// returned, or its start when it returned none. What stands behind it is overwritten. Everything
// before it is durable on return: the bytes read after a kill may have been in a cache only.
func (l *Log) StartAt(end base.LSN) error {
	if l.started.Load() {
		if end == l.Appended() {
			return nil
		}
		return fmt.Errorf("redo: started at LSN %d, cannot start at %d", l.Appended(), end)
	}
	end = l.segs.continueAt(end)
	seg := l.segs.find(end)
	if seg == nil {
		return &base.CorruptError{File: l.dir, Detail: fmt.Sprintf("no segment holds LSN %d", end)}
	}
	for _, later := range l.segs.later(seg) {
		if begun, err := l.beginsValid(later); err != nil || begun {
			return errors.Join(err, fmt.Errorf("redo: cannot start at LSN %d, the log goes on in %s", end, later.path))
		}
	}
	if err := l.segs.dropAfter(seg, end); err != nil {
		return err
	}
	return l.start(end, seg, l.segs.saltAt(end), true)
}

// start positions the append and the write side. With resalt the first group will be a new salt, so
// that no group of an earlier life that stands behind end can ever verify again.
func (l *Log) start(end base.LSN, seg *segment, salt uint32, resalt bool) error {
	first := end / blockSize * blockSize
	if first < end {
		n, err := seg.file.ReadAt(l.ring[:blockSize], seg.offset(first))
		if err != nil {
			return fmt.Errorf("reading the last block of the log (%d bytes): %w", n, err)
		}
	}
	seg.indexFrom = end
	l.ended, l.life = Life{end, salt}, Life{end, salt}
	l.mu.Lock()
	l.mu.start(end, seg, salt)
	if resalt {
		l.life.Salt = newSalt()
		l.mu.nextSalt, l.mu.resalt = l.life.Salt, true
	}
	l.mu.Unlock()
	l.writer.pos = uint64(end - first)
	l.mirror.begin(end)
	for _, p := range []*atomic.Uint64{&l.appended, &l.written, &l.durable} {
		p.Store(uint64(end))
	}
	l.started.Store(true)
	l.segs.presentEnd.Store(uint64(seg.info.end()))
	l.stopped.Add(1)
	go l.background()
	l.wake()
	return nil
}

// Life is the stretch of the log that one process writes. Its salt is random and new.
type Life struct {
	Start base.LSN
	Salt  uint32
}

// Life is that of this process. REQUIRES: the log is started.
func (l *Log) Life() Life { return l.life }

// EndedIn tells whether the log, when this process found it, ended in the given life: all the log's
// changes then are of that life, or were there when it began.
// REQUIRES: the log is started.
func (l *Log) EndedIn(life Life) bool {
	return l.ended.Start == life.Start || l.ended.Start > life.Start && l.ended.Salt == life.Salt
}

// Close writes and syncs what was appended, stops the background goroutine and closes all files;
// also after a failure.
// REQUIRES: no other call is running.
func (l *Log) Close() error {
	if l.closed {
		return nil
	}
	l.closed = true
	var err error
	if l.started.Load() {
		if l.failed() == nil {
			err = l.FlushTo(l.Appended())
		}
		close(l.stop)
		l.stopped.Wait()
	}
	return errors.Join(err, l.closeFiles())
}

func (l *Log) closeFiles() error { return l.segs.close() }

// Failure is the failed state of the engine, which the log shares.
func (l *Log) Failure() *base.Failure { return l.failure }

// failed reports the failed state (invariant 5).
func (l *Log) failed() error { return l.failure.Err() }

// fail enters it.
func (l *Log) fail(err error) error { return l.failure.Enter(fmt.Errorf("redo log: %w", err)) }

// Appended, Written, Durable and CheckpointLSN are the log's positions, each at most the one
// before.

// Appended is the end of the last group.
func (l *Log) Appended() base.LSN { return base.LSN(l.appended.Load()) }

// Written is how far the log stands in its files.
func (l *Log) Written() base.LSN { return base.LSN(l.written.Load()) }

// Durable is how far the log survives a power cut.
func (l *Log) Durable() base.LSN { return base.LSN(l.durable.Load()) }

// CheckpointLSN is where the next start would begin to read.
func (l *Log) CheckpointLSN() base.LSN { return base.LSN(l.checkpoint.Load()) }

// Capacity is the limit WaitRoom keeps.
func (l *Log) Capacity() int64 { return l.capacity.Load() }

// MaxGroup is the largest payload Append takes. It does not change while the log is open.
func (l *Log) MaxGroup() int { return l.maxGroup }

// SetCheckpoint makes lsn, the start or the end of a group, the place where the next start begins
// to read, with an opaque blob of the engine. Segments wholly below it become free.
// REQUIRES: every change before lsn is in the data files, lsn is durable and not below the last
// checkpoint.
func (l *Log) SetCheckpoint(lsn base.LSN, blob []byte) error {
	l.cp.Lock()
	defer l.cp.Unlock()
	if err := l.failed(); err != nil {
		return err
	}
	if lsn < l.cp.last.LSN || lsn > l.Durable() || len(blob) > maxBlob {
		return fmt.Errorf("redo: checkpoint at LSN %d (blob of %d bytes), the last at %d, durable up to %d", lsn, len(blob), l.cp.last.LSN, l.Durable())
	}
	next := Checkpoint{LSN: lsn, Durable: l.Durable(), UUID: l.uuid, Blob: blob, seq: l.cp.last.seq + 1, salt: l.segs.saltAt(lsn)}
	if err := writeCheckpoint(l.fs, l.dir, &next); err != nil {
		return l.fail(err)
	}
	next.Blob = append([]byte(nil), blob...)
	l.cp.last = next
	l.checkpoint.Store(uint64(lsn))
	l.stats.checkpoints.Add(1)
	l.segs.recycle()
	l.roomChanged()
	l.wake()
	return nil
}

// Resize changes the capacity while the log runs. A larger one holds at once; a smaller one as
// checkpoints let segments go.
func (l *Log) Resize(capacity int64) error {
	if capacity < 4*minSegment {
		return fmt.Errorf("redo: capacity %d is below %d", capacity, 4*minSegment)
	}
	l.capacity.Store(capacity)
	if !l.fixedSize {
		l.segs.size.Store(segmentSizeFor(capacity))
	}
	l.roomChanged()
	l.wake()
	return nil
}

// WaitRoom blocks while the log is full. Every mini-transaction calls it before it begins, holding
// no latch; a margin is kept for those already begun. It fails when no further segment can be made
// and when no checkpoint can make room, which is how a full disk is told before anything is changed.
func (l *Log) WaitRoom(ctx context.Context) error {
	if l.hasRoom() {
		return nil
	}
	l.stats.roomWaits.Add(1)
	for {
		l.room.Lock()
		changed, none := l.room.changed, l.room.none
		l.room.Unlock()
		if err := l.failed(); err != nil {
			return err
		}
		if l.segs.nearEnd() {
			if err := l.segs.prepareAfter(); err != nil {
				return err
			}
		}
		if l.hasRoom() {
			return nil
		}
		if l.o.NeedRoom != nil {
			l.o.NeedRoom()
		}
		if none != nil {
			return none
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		}
	}
}

func (l *Log) hasRoom() bool {
	capacity := l.capacity.Load()
	used := int64(l.appended.Load() - l.checkpoint.Load())
	return used <= capacity-margin(capacity) && !l.segs.nearEnd() && l.failure.Err() == nil
}

// Limit is the distance between checkpoint and end at which WaitRoom begins to block.
func (l *Log) Limit() int64 {
	capacity := l.capacity.Load()
	return capacity - margin(capacity)
}

// margin is the part of the capacity kept for mini-transactions that have begun.
func margin(capacity int64) int64 { return max(capacity/16, min(capacity/4, 16<<20)) }

// NoRoom tells those who wait for room why no checkpoint can make any for now; nil: one can again.
func (l *Log) NoRoom(why error) {
	l.room.Lock()
	l.room.none = why
	l.room.Unlock()
	if why != nil {
		l.roomChanged()
	}
}

func (l *Log) roomChanged() {
	l.room.Lock()
	close(l.room.changed)
	l.room.changed = make(chan struct{})
	l.room.Unlock()
}
