package redo

// What a backup needs of the log: a checkpoint whose log stays, the bytes of the segments behind
// it, and a way to write both into another directory.

import (
	"fmt"
	"path/filepath"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// HoldCheckpoint returns the newest checkpoint, the bytes of its file, and a hold on the log behind
// it.
func (l *Log) HoldCheckpoint() (Checkpoint, []byte, *Hold) {
	l.cp.Lock()
	defer l.cp.Unlock()
	c := l.cp.last
	return c, c.encode(), l.Hold(c.LSN)
}

// Closed lists the segments that will not change any more, in order: they are full and have their
// index.
func (l *Log) Closed() []SegmentInfo {
	s := &l.segs
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []SegmentInfo
	for i, seg := range s.live {
		if i == len(s.live)-1 || !seg.indexed {
			break
		}
		out = append(out, seg.describe())
	}
	return out
}

// ReadSegment reads from the file of a segment.
// REQUIRES: a Hold covers the segment; offset, length and memory are those of direct I/O.
func (l *Log) ReadSegment(number uint64, p []byte, off int64) (int, error) {
	seg := l.segs.numbered(number)
	if seg == nil {
		return 0, &base.CorruptError{File: l.segs.path(number), Detail: "the segment is missing"}
	}
	return seg.file.ReadAt(p, off)
}

// FileRange is where the bytes of the log up to end stand in the segment's file: all of it, or up
// to end if that lies within.
func (s SegmentInfo) FileRange(end base.LSN) int64 {
	if end >= s.End {
		return segHeader + int64(s.End-s.Start)
	}
	return segHeader + int64(end-s.Start)
}

// FileSize is the size of the segment's file.
func (s SegmentInfo) FileSize() int64 { return segHeader + int64(s.End-s.Start) }

// SegmentName is the path of a segment's file below its data directory.
func SegmentName(number uint64) string {
	return filepath.Join("redo", fmt.Sprintf("%016x%s", number, segSuffix))
}

// Rehead makes the header of a segment that of the same segment in the log of another server. block
// is the start of its file.
func Rehead(block []byte, uuid [16]byte) error {
	if len(block) < segHeader {
		return fmt.Errorf("redo: a segment of %d bytes: %w", len(block), base.ErrCorrupt)
	}
	info, detail := decodeSegment(block[:segHeader])
	if detail != "" {
		return fmt.Errorf("redo segment: %s: %w", detail, base.ErrCorrupt)
	}
	info.uuid = uuid
	info.encode(block)
	return nil
}

// DecodeCheckpoint reads the bytes of a checkpoint's file.
func DecodeCheckpoint(file []byte) (*Checkpoint, error) {
	fsys := vfs.NewMem(1)
	if err := vfs.WriteFile(fsys, "/checkpoint", file); err != nil {
		return nil, err
	}
	return readCheckpointFile(fsys, "/checkpoint")
}

// WriteCheckpoint writes the files of a checkpoint into the log's folder of datadir, durably.
func WriteCheckpoint(fsys vfs.FS, datadir string, c Checkpoint) error {
	for range 2 {
		if err := writeCheckpoint(fsys, filepath.Join(datadir, "redo"), &c); err != nil {
			return err
		}
		c.seq++
	}
	return nil
}
