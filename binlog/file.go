package binlog

// One binlog file, read only: for SHOW BINLOG EVENTS, heads, and under each Reader. Reads go
// through a window, so an event costs no call of its own.

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

const readWindow = 64 << 10

// File reads the events of one file.
type File struct {
	f        vfs.File
	name     string
	window   []byte
	at       int64 // position of the window in the file
	off      int64 // of the next event
	checksum bool
	version  string
	time     uint32 // of the format description
}

// fileHead is what a file begins with.
type fileHead struct {
	time     uint32 // when it was begun
	previous *Set   // nil: the file has no Previous_gtids event
}

// OpenFile opens a file, checks magic and format description, and stands behind the magic.
func OpenFile(fs vfs.FS, name string) (*File, error) {
	f, err := fs.Open(name, vfs.Options{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	r := &File{f: f, name: name}
	if err := r.start(); err != nil {
		f.Close()
		return nil, err
	}
	return r, nil
}

func (r *File) corrupt(off int64, format string, args ...any) error {
	return &base.CorruptError{File: r.name, Offset: off, Detail: fmt.Sprintf(format, args...)}
}

func (r *File) start() error {
	size, err := r.f.Size()
	if err != nil {
		return err
	}
	b, err := r.bytes(0, len(magic), size)
	switch {
	case errors.Is(err, io.EOF):
		return r.corrupt(0, "not a binary log: the file ends after %d bytes", size)
	case err != nil:
		return err
	case string(b) == "\xfdbin":
		return r.corrupt(0, "the binary log is encrypted, which this server does not support")
	case string(b) != magic:
		return r.corrupt(0, "not a binary log: it begins with %x", b)
	}
	r.off = int64(len(magic))
	e, err := r.Next(size)
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = r.corrupt(r.off, "the file has no format description event")
		}
		return err
	}
	if e.Type != EventFormatDescription {
		return r.corrupt(e.Pos, "the first event is %s, not a format description", e.Type)
	}
	r.off = int64(len(magic))
	return nil
}

// Close closes the file.
func (r *File) Close() error { return r.f.Close() }

// Size is the length of the file.
func (r *File) Size() (int64, error) { return r.f.Size() }

// Pos is where the next event begins.
func (r *File) Pos() int64 { return r.off }

// bytes gives n bytes at off, io.EOF if they do not all stand before limit. They are valid until
// the next call.
func (r *File) bytes(off int64, n int, limit int64) ([]byte, error) {
	if off+int64(n) > limit {
		return nil, io.EOF
	}
	if off >= r.at && off+int64(n) <= r.at+int64(len(r.window)) {
		return r.window[off-r.at:][:n], nil
	}
	size := int(min(max(int64(n), readWindow), limit-off))
	r.window = slices.Grow(r.window[:0], size)[:size]
	r.at = off
	if _, err := r.f.ReadAt(r.window, off); err != nil {
		r.window = r.window[:0]
		if errors.Is(err, io.EOF) {
			return nil, r.corrupt(off, "the file ends before offset %d", off+int64(size))
		}
		return nil, err
	}
	return r.window[:n], nil
}

// Next gives the event at the position and moves behind it: io.EOF if less than an event's header
// stands before limit.
func (r *File) Next(limit int64) (Event, error) {
	e, err := r.peek(limit)
	if err != nil {
		return e, err
	}
	if e.Type == EventFormatDescription {
		if err := r.readFormat(&e); err != nil {
			return e, err
		}
	}
	r.off = e.End()
	return e, nil
}

// peek reads and checks the event at the position.
func (r *File) peek(limit int64) (Event, error) {
	b, err := r.bytes(r.off, headerSize, limit)
	if err != nil {
		return Event{}, err
	}
	h, err := ParseHeader(b)
	if err != nil {
		return Event{}, r.corrupt(r.off, "%v", err)
	}
	raw, err := r.bytes(r.off, int(h.Length), limit)
	if errors.Is(err, io.EOF) {
		return Event{}, r.corrupt(r.off, "%s event of %d bytes is cut off: the log ends at %d", h.Type, h.Length, limit)
	}
	if err != nil {
		return Event{}, err
	}
	e := Event{Header: h, Pos: r.off, File: r.name, Raw: raw, checksum: r.checksum}
	if r.checksum && h.Type != EventFormatDescription {
		if err := verify(raw); err != nil {
			return e, r.corrupt(r.off, "%s: %v", h.Type, err)
		}
	}
	return e, nil
}

// readFormat learns the file's form from its format description.
func (r *File) readFormat(e *Event) error {
	body := e.Raw[headerSize:]
	const fixed = 2 + serverVersionSize + 4 + 1
	if len(body) < fixed+int(EventFormatDescription)+1+checksumSize {
		return r.corrupt(e.Pos, "format description of %d bytes is too short", len(e.Raw))
	}
	if v := binary.LittleEndian.Uint16(body); v != 4 {
		return r.corrupt(e.Pos, "binary log of version %d; version 4 is supported", v)
	}
	if n := body[fixed-1]; n != headerSize {
		return r.corrupt(e.Pos, "event headers of %d bytes are not supported", n)
	}
	alg := body[len(body)-checksumSize-1]
	if alg > checksumCRC32 {
		return r.corrupt(e.Pos, "unknown checksum algorithm %d", alg)
	}
	if err := verify(e.Raw); err != nil && alg == checksumCRC32 {
		// The in-use flag is not part of the checksum.
		raw := slices.Clone(e.Raw)
		raw[17] &^= byte(FlagInUse)
		if verify(raw) != nil {
			return r.corrupt(e.Pos, "%s: %v", e.Type, err)
		}
	}
	r.checksum, r.time = alg == checksumCRC32, e.Time
	e.checksum = true
	r.version = string(body[2 : 2+serverVersionSize])
	return nil
}

// SeekTo moves to pos, which must be the start of an event or the end of the file.
func (r *File) SeekTo(pos, limit int64) error {
	if pos < int64(len(magic)) || pos > limit {
		return fmt.Errorf("position %d is not in %s, which holds events from %d to %d", pos, r.name, len(magic), limit)
	}
	r.off = pos
	if pos == limit {
		return nil
	}
	e, err := r.peek(limit)
	if err == nil && e.Type != EventFormatDescription && e.LogPos != uint32(e.End()) {
		err = r.corrupt(pos, "the event says it ends at %d", e.LogPos)
	}
	if err != nil {
		return fmt.Errorf("no event begins at position %d: %w", pos, err)
	}
	return nil
}

// MoveTo moves to pos, where the caller knows that an event begins or the file ends. What was read
// ahead is read again: a file that grows may have been cut meanwhile.
func (r *File) MoveTo(pos int64) { r.off, r.window = pos, r.window[:0] }

// FindGTID moves to the Gtid event of g and tells whether there is one.
func (r *File) FindGTID(g GTID, limit int64) (bool, error) {
	for {
		e, err := r.Next(limit)
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if !e.Type.namesTransaction() {
			continue
		}
		if found, ok := parseGTID(e.Type, e.Body()); ok && found == g {
			r.off = e.Pos
			return true, nil
		}
	}
}

// readHead reads what stands before the first transaction.
func (r *File) readHead() (fileHead, error) {
	size, err := r.Size()
	if err != nil {
		return fileHead{}, err
	}
	r.off = int64(len(magic))
	for {
		e, err := r.Next(size)
		if errors.Is(err, io.EOF) {
			return fileHead{time: r.time}, nil
		}
		if err != nil {
			return fileHead{}, err
		}
		switch e.Type {
		case EventFormatDescription, EventIgnorable:
		case EventPreviousGTIDs:
			set, err := ParseBinary(e.Body())
			if err != nil {
				return fileHead{}, r.corrupt(e.Pos, "%v", err)
			}
			return fileHead{time: r.time, previous: set}, nil
		default:
			return fileHead{time: r.time}, nil
		}
	}
}
