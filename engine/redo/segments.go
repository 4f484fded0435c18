package redo

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"emberdb/internal/base"
	"emberdb/internal/invariants"
	"emberdb/internal/vfs"
)

const (
	segSuffix   = ".redo"
	readyAhead  = 2       // segments kept ready behind the present one
	sparesKept  = 2       // spare files kept beyond what the capacity needs
	zeroingStep = 1 << 20 // bytes written at once while a new file is filled with zeros
)

// segment is one file of the log.
//
// A file's life: created (prepare) -> ready -> present (being filled) -> closed -> indexed ->
// recycled (spare) -> ready ... -> removed.
type segment struct {
	info segmentInfo
	path string
	file vfs.File

	indexFrom base.LSN // the groups from here on are gathered
	got       gathered // owned by the writer until the segment is closed, then by the indexer
	dataEnd   base.LSN // set when closed: behind the jump
	indexed   bool     // guarded by segs.mu: nobody works on the closed segment any more
}

// offset is where an LSN stands in the file.
func (s *segment) offset(lsn base.LSN) int64 { return segHeader + int64(lsn-s.info.start) }

func (s *segment) corrupt(lsn base.LSN, detail string) error {
	return &base.CorruptError{File: s.path, Offset: s.offset(lsn), Detail: detail}
}

// segmentSet is all segment files of the log.
type segmentSet struct {
	l          *Log
	size       atomic.Int64  // of segments prepared from now on
	readyCount atomic.Int32  // len(ready)
	presentEnd atomic.Uint64 // end of the present segment
	indexShare atomic.Int64  // bytes of index per 1024 bytes of log to keep room for: as the present segment has them so far

	hurry     atomic.Int32 // callers that wait for a segment to be prepared
	preparing sync.Mutex   // one preparation at a time; outside of mu
	syncing   sync.Mutex   // held during the leader's sync and while a file is closed for good; outside of mu

	mu         invariants.Mutex[invariants.RedoSegments]
	live       []*segment        // in use, in order; the last one is present once the log is started
	ready      []*segment        // prepared to follow, in order
	spare      []*segment        // files free for use
	unfit      map[uint64]string // files that are no valid segment: number -> what is wrong
	toIndex    []*segment
	oldTouches []touch // memory for the next segment
	salts      []saltChange
	holds      map[*Hold]struct{}
	scan       scanState
}

// saltChange says that groups from lsn on carry this salt.
type saltChange struct {
	lsn  base.LSN
	salt uint32
}

// scanState remembers where readers met the end of the log before it was started.
type scanState struct {
	lastGroup base.LSN // end of the last group handed out, or where the reader began
	end       base.LSN // behind groups the log wrote for itself
	noted     *notedEnd
}

// notedEnd is the durability note that stands behind an end of the log; 0: none does.
type notedEnd struct{ end, note base.LSN }

func (s *segmentSet) init(l *Log, size int64) {
	s.l = l
	s.size.Store(size)
	s.indexShare.Store(64)
	s.unfit = map[uint64]string{}
	s.holds = map[*Hold]struct{}{}
}

// diskBytes is the size of all segment files.
func (s *segmentSet) diskBytes() (n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, set := range [][]*segment{s.live, s.ready, s.spare} {
		for _, seg := range set {
			n += segHeader + seg.info.size
		}
	}
	return n
}

func (s *segmentSet) path(number uint64) string {
	return filepath.Join(s.l.dir, fmt.Sprintf("%016x%s", number, segSuffix))
}

// segmentNumber reads the number off the name of a segment file.
func segmentNumber(name string) (number uint64, ok bool) {
	hex, ok := strings.CutSuffix(name, segSuffix)
	number, err := strconv.ParseUint(hex, 16, 64)
	return number, ok && err == nil && len(hex) == 16
}

// open opens every segment file and sorts them by what their headers say. cp is nil when the log is
// about to begin.
func (s *segmentSet) open(cp *Checkpoint) error {
	files, err := s.openFiles()
	if err != nil {
		return err
	}
	if cp == nil {
		s.spare = append(s.spare, files...)
		return nil
	}
	old, err := s.below(files, cp.LSN)
	if err != nil {
		return err
	}
	s.spare = append(s.spare, files[:old]...)
	var found []*segment
	for _, seg := range files[old:] {
		detail, err := seg.readHeader()
		switch {
		case err != nil:
			return err
		case detail != "":
			s.unfit[seg.number()] = detail
			s.spare = append(s.spare, seg)
		case seg.info.number != seg.number():
			s.spare = append(s.spare, seg) // prepared for another number, its renaming was lost
		default:
			found = append(found, seg)
		}
	}
	return s.sort(cp, found)
}

// openFiles opens every segment file, in order of their numbers. Their headers are not read.
func (s *segmentSet) openFiles() (files []*segment, err error) {
	names, err := s.l.fs.List(s.l.dir)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if name == scratchName { // a power cut brought the name back
			if err := s.l.fs.Remove(filepath.Join(s.l.dir, name)); err != nil {
				return nil, err
			}
		}
		number, ok := segmentNumber(name)
		if !ok {
			continue
		}
		seg, err := s.openFile(number)
		if err != nil {
			return nil, err
		}
		files = append(files, seg)
	}
	slices.SortFunc(files, func(a, b *segment) int { return strings.Compare(a.path, b.path) })
	return files, nil
}

// below counts the files below the segment that holds lsn. The log's start begins nearly always
// after many files that it has no use for: it reads the headers of few of them. A header that does
// not fit, which is rare, has it count none.
func (s *segmentSet) below(files []*segment, lsn base.LSN) (int, error) {
	lo, hi := 0, len(files)-1
	for lo <= hi {
		mid := (lo + hi) / 2
		seg := files[mid]
		detail, err := seg.readHeader()
		switch {
		case err != nil:
			return 0, err
		case detail != "" || seg.info.number != seg.number():
			return 0, nil
		case lsn < seg.info.start:
			hi = mid - 1
		case lsn >= seg.info.end():
			lo = mid + 1
		default:
			return mid, nil
		}
	}
	return 0, nil
}

// sort keeps the segment of the checkpoint and those behind it.
func (s *segmentSet) sort(cp *Checkpoint, found []*segment) error {
	at := slices.IndexFunc(found, func(seg *segment) bool {
		return seg.info.start <= cp.LSN && cp.LSN < seg.info.end()
	})
	if at < 0 {
		for number, detail := range s.unfit {
			return &base.CorruptError{File: s.path(number), Detail: fmt.Sprintf("%s; no other segment holds the checkpoint LSN %d", detail, cp.LSN)}
		}
		return &base.CorruptError{File: s.l.dir, Detail: fmt.Sprintf("no segment holds the checkpoint LSN %d", cp.LSN)}
	}
	if found[at].info.uuid != s.l.uuid {
		return fmt.Errorf("%s: %w: it belongs to server %x, this is %x", found[at].path, base.ErrForeign, found[at].info.uuid, s.l.uuid)
	}
	for i, seg := range found {
		if i >= at && seg.info.uuid == s.l.uuid {
			s.live = append(s.live, seg)
		} else {
			s.spare = append(s.spare, seg)
		}
	}
	s.noteSalt(cp.LSN, cp.salt)
	return nil
}

// openFile opens the file of a number. Of the header it knows what the file's size tells.
func (s *segmentSet) openFile(number uint64) (*segment, error) {
	seg := &segment{path: s.path(number), indexed: true}
	var err error
	if seg.file, err = s.l.fs.Open(seg.path, vfs.Options{Direct: s.l.o.Direct, ReadOnly: s.l.o.readOnly}); err != nil {
		return nil, err
	}
	size, err := seg.file.Size()
	if err != nil {
		return nil, errors.Join(err, seg.file.Close())
	}
	seg.info.size = max(0, size-segHeader)
	return seg, nil
}

// number is the one in the file's name.
func (s *segment) number() uint64 {
	n, _ := segmentNumber(filepath.Base(s.path))
	return n
}

// readHeader reads the header, unless that was done. detail tells why the file is no valid segment,
// or is empty.
func (s *segment) readHeader() (detail string, err error) {
	if s.info.uuid != ([16]byte{}) {
		return "", nil
	}
	block := vfs.AlignedBlock(segHeader)
	if _, err := s.file.ReadAt(block, 0); err != nil && err != io.EOF {
		return "", err
	}
	info, detail := decodeSegment(block)
	if have := s.info.size; detail == "" && have < info.size {
		return fmt.Sprintf("the file has %d bytes, its header says %d", segHeader+have, segHeader+info.size), nil
	}
	if detail == "" {
		s.info = info
	}
	return detail, nil
}

func (s *segmentSet) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, list := range [][]*segment{s.live, s.ready, s.spare} {
		for _, seg := range list {
			errs = append(errs, seg.file.Close())
		}
	}
	s.live, s.ready, s.spare = nil, nil, nil
	return errors.Join(errs...)
}

// fits tells whether n more bytes behind lsn leave room for the jump and the index. A segment's
// first group always fits, and costs the segment its index when it must.
func (s *segmentSet) fits(seg *segment, lsn base.LSN, n int) bool {
	used := int64(lsn-seg.info.start) + int64(n) + jumpSize
	reserve := blockSize + blockSize // the block of the trailer; the index begins in a block of its own
	if lsn > seg.info.start {
		reserve += int(used * s.indexShare.Load() / 1024)
	}
	return used+int64(reserve) <= seg.info.size
}

// find returns the live segment that holds lsn.
func (s *segmentSet) find(lsn base.LSN) *segment {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, seg := range s.live {
		if seg.info.start <= lsn && lsn < seg.info.end() {
			return seg
		}
	}
	return nil
}

// numbered returns the live segment of that number.
func (s *segmentSet) numbered(number uint64) *segment {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, seg := range s.live {
		if seg.info.number == number {
			return seg
		}
	}
	return nil
}

// after returns the live segment that continues seg, or nil and what is known of its absence.
func (s *segmentSet) after(seg *segment) (*segment, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, next := range s.live {
		if next.info.number == seg.info.number+1 && next.info.start == seg.info.end() {
			return next, ""
		}
	}
	if detail := s.unfit[seg.info.number+1]; detail != "" {
		return nil, detail
	}
	return nil, "the segment is missing"
}

// later returns the live segments behind seg.
func (s *segmentSet) later(seg *segment) []*segment {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []*segment
	for _, next := range s.live {
		if next.info.number > seg.info.number {
			out = append(out, next)
		}
	}
	return out
}

// dropAfter makes seg the present segment: what stands behind it is spare. Everything up to its end
// becomes durable.
func (s *segmentSet) dropAfter(seg *segment, end base.LSN) error {
	s.mu.Lock()
	at := slices.Index(s.live, seg)
	s.spare = append(s.spare, s.live[at+1:]...)
	s.live = slices.Clone(s.live[:at+1])
	s.salts = slices.DeleteFunc(s.salts, func(c saltChange) bool { return c.lsn > end })
	s.mu.Unlock()
	return s.syncUpTo(end)
}

// syncUpTo syncs the live segments that hold something before end.
func (s *segmentSet) syncUpTo(end base.LSN) error {
	s.mu.Lock()
	live := slices.Clone(s.live)
	s.mu.Unlock()
	for _, seg := range live {
		if seg.info.start >= end {
			break
		}
		if err := s.l.sync(seg); err != nil {
			return s.l.fail(err)
		}
	}
	return nil
}

// takeReady hands out the segment prepared to follow the present one.
func (s *segmentSet) takeReady() *segment {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.ready) == 0 {
		return nil
	}
	next := s.ready[0]
	s.ready = slices.Delete(s.ready, 0, 1)
	s.readyCount.Add(-1)
	s.live = append(s.live, next)
	s.presentEnd.Store(uint64(next.info.end()))
	next.indexed = false
	next.indexFrom = next.info.start
	next.got.touches, s.oldTouches = s.oldTouches, nil
	return next
}

// finished queues a segment that is full and synced for its index.
func (s *segmentSet) finished(seg *segment, dataEnd base.LSN) {
	s.mu.Lock()
	defer s.mu.Unlock()
	seg.dataEnd = dataEnd
	s.toIndex = append(s.toIndex, seg)
}

// recycle makes the segments below the checkpoint and below every hold spare.
func (s *segmentSet) recycle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	floor := s.l.CheckpointLSN()
	for h := range s.holds {
		floor = min(floor, h.lsn)
	}
	for len(s.live) > 1 && s.live[0].info.end() <= floor && s.live[0].indexed {
		s.spare = append(s.spare, s.live[0])
		s.live = slices.Delete(s.live, 0, 1)
	}
	for len(s.salts) > 1 && s.salts[1].lsn <= floor {
		s.salts = slices.Delete(s.salts, 0, 1)
	}
}

// noteSalt remembers a change of salt.
func (s *segmentSet) noteSalt(lsn base.LSN, salt uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, found := slices.BinarySearchFunc(s.salts, lsn, func(c saltChange, lsn base.LSN) int {
		return int(int64(c.lsn) - int64(lsn))
	})
	if !found {
		s.salts = slices.Insert(s.salts, at, saltChange{lsn, salt})
	}
}

// saltAt is the salt of the group that begins at lsn.
// REQUIRES: lsn is not below the checkpoint and every hold.
func (s *segmentSet) saltAt(lsn base.LSN) uint32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	salt := s.salts[0].salt
	for _, c := range s.salts {
		if c.lsn <= lsn {
			salt = c.salt
		}
	}
	return salt
}

// Hold keeps the log from lsn on readable: its segments are not recycled until Release.
type Hold struct {
	s   *segmentSet
	lsn base.LSN
}

// Hold takes a hold. REQUIRES: lsn is not below the checkpoint, or another hold covers it.
func (l *Log) Hold(lsn base.LSN) *Hold {
	h := &Hold{s: &l.segs, lsn: lsn}
	l.segs.mu.Lock()
	l.segs.holds[h] = struct{}{}
	l.segs.mu.Unlock()
	return h
}

// Advance lets the segments below lsn go.
func (h *Hold) Advance(lsn base.LSN) {
	h.s.mu.Lock()
	h.lsn = max(h.lsn, lsn)
	h.s.mu.Unlock()
	h.s.recycle()
}

// Release ends the hold.
func (h *Hold) Release() {
	h.s.mu.Lock()
	delete(h.s.holds, h)
	h.s.mu.Unlock()
	h.s.recycle()
	h.s.l.wake()
}

// SegmentInfo describes a segment in use.
type SegmentInfo struct {
	Number     uint64
	Start, End base.LSN // its LSN range
	Path       string
}

// Segments lists the segments in use, in order. Before StartAt some at the end may be left over
// from an earlier life.
func (l *Log) Segments() []SegmentInfo {
	l.segs.mu.Lock()
	defer l.segs.mu.Unlock()
	out := make([]SegmentInfo, len(l.segs.live))
	for i, seg := range l.segs.live {
		out[i] = seg.describe()
	}
	return out
}

func (s *segment) describe() SegmentInfo {
	return SegmentInfo{Number: s.info.number, Start: s.info.start, End: s.info.end(), Path: s.path}
}
