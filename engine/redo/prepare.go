package redo

import (
	"errors"
	"slices"
	"time"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// How segments come and go. The background goroutine keeps readyAhead segments prepared behind the
// present one, so that the log grows without a file operation on the commit path; it writes the
// index of closed segments; it removes files the capacity does not need.

var errClosing = errors.New("redo: closing")

// wake asks the background goroutine to look around.
func (l *Log) wake() {
	select {
	case l.kick <- struct{}{}:
	default:
	}
}

func (l *Log) background() {
	defer l.stopped.Done()
	for {
		select {
		case <-l.stop:
			if l.failed() == nil {
				l.segs.writeIndexes()
			}
			return
		case <-l.kick:
		}
		l.segs.writeIndexes()
		l.segs.recycle()
		l.segs.prepareAhead()
		l.segs.removeExcess()
	}
}

// prepareAhead keeps readyAhead segments ready. A full disk is told by WaitRoom; this tries again
// at the next wake.
func (s *segmentSet) prepareAhead() {
	for {
		s.preparing.Lock()
		info, want := s.nextInfo(readyAhead)
		if !want || s.l.failed() != nil {
			s.preparing.Unlock()
			return
		}
		err := s.prepareReady(info, false)
		s.preparing.Unlock()
		if errors.Is(err, errClosing) {
			return
		}
		if err != nil {
			s.l.logger.Warn("cannot prepare a redo segment", "error", err)
			return
		}
	}
}

// prepareAfter makes sure that a segment is ready to follow the present one; the caller waits for
// it.
func (s *segmentSet) prepareAfter() error {
	s.hurry.Add(1)
	defer s.hurry.Add(-1)
	s.preparing.Lock()
	defer s.preparing.Unlock()
	info, want := s.nextInfo(1)
	if !want {
		return nil // somebody was faster
	}
	return s.prepareReady(info, true)
}

// nextInfo describes the segment to prepare next, if fewer than n are ready.
func (s *segmentSet) nextInfo(n int) (segmentInfo, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := s.live[len(s.live)-1]
	if len(s.ready) > 0 {
		last = s.ready[len(s.ready)-1]
	}
	return segmentInfo{uuid: s.l.uuid, number: last.info.number + 1, start: last.info.end(), size: s.size.Load()}, len(s.ready) < n
}

func (s *segmentSet) prepareReady(info segmentInfo, urgent bool) error {
	info.salt = s.l.presentSalt()
	seg, err := s.prepare(info, urgent)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ready = append(s.ready, seg)
	s.readyCount.Add(1)
	return nil
}

// nearEnd tells whether the present segment nears its end and no next one is ready. WaitRoom sees
// to it then, so that a mini-transaction that has begun finds room without waiting for a file to be
// made, or failing on a full disk.
func (s *segmentSet) nearEnd() bool {
	if s.readyCount.Load() > 0 {
		return false
	}
	left := int64(s.presentEnd.Load()) - int64(s.l.Appended())
	return left < min(s.size.Load()/2, 32<<20)
}

// presentSalt is the salt the next segment will begin with: it changes only with the first group
// after a start.
func (l *Log) presentSalt() uint32 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.mu.resalt {
		return l.mu.nextSalt
	}
	return l.mu.salt
}

// prepare makes a file the segment info describes: header written, everything and its name durable.
// A spare file is taken when there is one; a new one is filled with zeros unless it is urgent.
func (s *segmentSet) prepare(info segmentInfo, urgent bool) (*segment, error) {
	path := s.path(info.number)
	seg := s.takeSpare(info, path)
	fresh := seg == nil
	if fresh {
		file, err := s.l.fs.Open(path, vfs.Options{Create: true, Direct: s.l.o.Direct})
		if err != nil {
			return nil, err
		}
		seg = &segment{path: path, file: file}
	}
	if err := s.fill(seg, info, fresh && !urgent); err != nil {
		return nil, errors.Join(err, s.putBack(seg, fresh))
	}
	if seg.path != path {
		if err := s.l.fs.Rename(seg.path, path); err != nil {
			return nil, errors.Join(err, s.putBack(seg, fresh))
		}
	}
	if err := s.l.fs.SyncDir(s.l.dir); err != nil {
		return nil, s.l.fail(errors.Join(err, seg.file.Close()))
	}
	s.l.stats.prepared.Add(1)
	if !fresh {
		s.l.stats.recycled.Add(1)
	}
	return &segment{info: info, path: path, file: seg.file}, nil
}

// takeSpare picks the spare that already has the name, else one of the right size, else any.
func (s *segmentSet) takeSpare(info segmentInfo, path string) *segment {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.unfit, info.number)
	at := slices.IndexFunc(s.spare, func(seg *segment) bool { return seg.path == path })
	if at < 0 {
		at = slices.IndexFunc(s.spare, func(seg *segment) bool { return seg.info.size == info.size })
	}
	if at < 0 && len(s.spare) > 0 {
		at = 0
	}
	if at < 0 {
		return nil
	}
	seg := s.spare[at]
	s.spare = slices.Delete(s.spare, at, at+1)
	return seg
}

func (s *segmentSet) putBack(seg *segment, fresh bool) error {
	if fresh {
		return errors.Join(seg.file.Close(), s.l.fs.Remove(seg.path))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spare = append(s.spare, seg)
	return nil
}

// fill brings the file to its size and writes the header.
func (s *segmentSet) fill(seg *segment, info segmentInfo, zeros bool) error {
	want := segHeader + info.size
	size, err := seg.file.Size()
	if err != nil {
		return err
	}
	if size > want {
		if err := seg.file.Truncate(want); err != nil {
			return err
		}
	}
	if size < want {
		if err := seg.file.Allocate(size, want-size); err != nil {
			return err
		}
	}
	if zeros {
		if err := s.writeZeros(seg, size/blockSize*blockSize, want); err != nil {
			return err
		}
	}
	block := vfs.AlignedBlock(segHeader)
	info.encode(block)
	if _, err := seg.file.WriteAt(block, 0); err != nil {
		return err
	}
	return seg.file.SyncAll()
}

// writeZeros fills a new file, so that later writes find written blocks and their sync has no
// metadata to log. It takes half of the disk's time at most, and stops as soon as somebody waits
// for a segment: allocated space reads as zeros, too.
func (s *segmentSet) writeZeros(seg *segment, from, to int64) error {
	zeros := vfs.AlignedBlock(zeroingStep)
	for off := from; off < to && s.hurry.Load() == 0; off += zeroingStep {
		start := time.Now()
		if _, err := seg.file.WriteAt(zeros[:min(zeroingStep, to-off)], off); err != nil {
			return err
		}
		select {
		case <-s.l.stop:
			return errClosing
		case <-time.After(time.Since(start)):
		}
	}
	return nil
}

// removeExcess removes spare files the capacity does not need.
func (s *segmentSet) removeExcess() {
	for {
		s.mu.Lock()
		keep := int(s.l.capacity.Load()/s.size.Load()) + readyAhead + sparesKept
		excess := len(s.live) + len(s.ready) + len(s.spare) - keep
		if excess <= 0 || len(s.spare) == 0 {
			s.mu.Unlock()
			return
		}
		seg := s.spare[0]
		s.spare = slices.Delete(s.spare, 0, 1)
		s.mu.Unlock()

		s.syncing.Lock()
		err := errors.Join(seg.file.Close(), s.l.fs.Remove(seg.path))
		s.syncing.Unlock()
		if err != nil {
			s.l.logger.Warn("cannot remove a redo segment", "file", seg.path, "error", err)
			return
		}
		s.l.stats.removed.Add(1)
	}
}

// continueAt turns the end the caller saw into the end the readers saw: groups the log wrote for
// itself are not handed out.
func (s *segmentSet) continueAt(end base.LSN) base.LSN {
	s.mu.Lock()
	defer s.mu.Unlock()
	if end == s.scan.lastGroup && s.scan.end > end {
		return s.scan.end
	}
	return end
}
