package redo

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// View is the log of a directory as an inspector sees it: nothing is created, written or recycled,
// and damage is something to show. The directory may belong to a running server; the view then ends
// about where the log ended when it was read.
//
// Unlike a log that a start opens, a view holds the segments below the checkpoint too, as long as
// their files are there.
type View struct {
	Checkpoints [2]CheckpointFile
	Problems    []error // segment files that cannot be read

	l *Log
}

// CheckpointFile is one of the two checkpoint files.
type CheckpointFile struct {
	Path       string
	Checkpoint Checkpoint
	Seq        uint64
	Err        error // why it cannot be used
}

// OpenView opens the log of datadir. The error is about the folder; what is wrong with its files is
// in the view.
func OpenView(fsys vfs.FS, datadir string) (*View, error) {
	l, err := newLog(fsys, datadir, Options{BufferSize: minBufferSize})
	if err != nil {
		return nil, err
	}
	v := &View{l: l}
	l.o.readOnly = true
	for i := range v.Checkpoints {
		f := &v.Checkpoints[i]
		f.Path = checkpointName(l.dir, uint64(i))
		c, err := readCheckpointFile(fsys, f.Path)
		if f.Err = err; err != nil {
			continue
		}
		f.Checkpoint, f.Seq = *c, c.seq
		if c.seq >= l.cp.last.seq {
			l.cp.last = *c
		}
	}
	l.checkpoint.Store(uint64(l.cp.last.LSN))
	l.segs.noteSalt(l.cp.last.LSN, l.cp.last.salt)
	if err := l.segs.openAll(v); err != nil {
		return nil, errors.Join(err, l.closeFiles())
	}
	return v, nil
}

// openAll opens every segment file of the log the checkpoint belongs to.
func (s *segmentSet) openAll(v *View) error {
	names, err := s.l.fs.List(s.l.dir)
	if err != nil {
		return err
	}
	uuid := s.l.cp.last.UUID
	for _, name := range names {
		number, ok := segmentNumber(name)
		if !ok {
			continue
		}
		path := filepath.Join(s.l.dir, name)
		seg, detail, err := s.openWhole(number)
		switch {
		case errors.Is(err, fs.ErrNotExist): // renamed meanwhile
			continue
		case err != nil:
			v.Problems = append(v.Problems, err)
			continue
		case detail == "" && seg.info.number != number:
			detail = fmt.Sprintf("the header says segment %d: a spare file", seg.info.number)
		case detail == "" && uuid != ([16]byte{}) && seg.info.uuid != uuid:
			detail = fmt.Sprintf("the segment belongs to server %x", seg.info.uuid)
		}
		if detail != "" {
			v.Problems = append(v.Problems, &base.CorruptError{File: path, Detail: detail})
			if err := seg.file.Close(); err != nil {
				return err
			}
			s.unfit[number] = detail
			continue
		}
		s.live = append(s.live, seg)
	}
	return nil
}

// openWhole opens the file of a number and reads its header. detail tells why it is no valid segment,
// or is empty.
func (s *segmentSet) openWhole(number uint64) (seg *segment, detail string, err error) {
	if seg, err = s.openFile(number); err != nil {
		return nil, "", err
	}
	if detail, err = seg.readHeader(); err != nil {
		return nil, "", errors.Join(err, seg.file.Close())
	}
	return seg, detail, nil
}

// Close closes the files.
func (v *View) Close() error { return v.l.closeFiles() }

// Checkpoint returns the checkpoint a start would use; ok is false when neither file can be used.
func (v *View) Checkpoint() (c Checkpoint, ok bool) {
	for _, f := range v.Checkpoints {
		ok = ok || f.Err == nil
	}
	return v.l.cp.last, ok
}

// Segments lists the readable segments in order.
func (v *View) Segments() []SegmentInfo { return v.l.Segments() }

// Groups walks the groups that end behind from, in order. Damage is yielded as an error with an
// empty group; the walk then goes on with the next segment that begins well.
func (v *View) Groups(from base.LSN) iter.Seq2[Group, error] {
	return func(yield func(Group, error) bool) {
		live := v.l.segs.live
		at := 0
		for at < len(live) && live[at].info.end() <= from {
			at++
		}
		for at < len(live) {
			r := v.l.NewReader(live[at].info.start)
			err := v.walk(r, from, yield)
			r.Close()
			if err == nil || err == io.EOF || r.err != nil && v.followed(r.seg) {
				return
			}
			if now, ok := v.overtaken(r.pos); ok {
				yield(Group{}, fmt.Errorf("the server has recycled the log at LSN %d meanwhile: its checkpoint stands at %d now", r.pos, now))
				return
			}
			if !yield(Group{}, err) {
				return
			}
			if at, err = v.nextGood(r.seg); err != nil {
				yield(Group{}, err)
				return
			}
		}
	}
}

// overtaken tells whether a running server has moved its checkpoint past lsn since the view was
// opened, so that what stands there is no damage.
func (v *View) overtaken(lsn base.LSN) (now base.LSN, ok bool) {
	for _, f := range v.Checkpoints {
		if c, err := readCheckpointFile(v.l.fs, f.Path); err == nil {
			now = max(now, c.LSN)
		}
	}
	return now, now > lsn && now > v.l.cp.last.LSN
}

// followed tells whether the segment behind seg is there by now: a running server has gone on into
// it since the view was opened.
func (v *View) followed(seg *segment) bool {
	next, detail, err := v.l.segs.openWhole(seg.info.number + 1)
	if err != nil {
		return false
	}
	_ = next.file.Close() // nothing was written
	return detail == "" && next.info.number == seg.info.number+1 && next.info.start == seg.info.end() && !slices.ContainsFunc(v.l.segs.live, func(s *segment) bool {
		return s.info.number == next.info.number
	})
}

// walk yields groups until the log's end (io.EOF), damage, or until the caller has enough (nil).
func (v *View) walk(r *Reader, from base.LSN, yield func(Group, error) bool) error {
	for {
		g, err := r.Next()
		if errors.Is(err, base.ErrCorrupt) && r.err == nil {
			// On a running server the proof may be younger than what was read. What is proven is on
			// disk: look again.
			r.bufStart, r.bufEnd = 0, 0
			g, err = r.Next()
		}
		if err != nil {
			return err
		}
		if g.End > from && !yield(g, nil) {
			return nil
		}
	}
}

// nextGood returns the index of the first segment behind seg that begins with a valid group.
func (v *View) nextGood(seg *segment) (int, error) {
	live := v.l.segs.live
	for i, next := range live {
		if next.info.number <= seg.info.number {
			continue
		}
		ok, err := v.l.beginsValid(next)
		if err != nil || ok {
			return i, err
		}
	}
	return len(live), nil
}
