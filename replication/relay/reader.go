package relay

import (
	"bufio"
	"context"
	"errors"
	"io"

	"emberdb/binlog"
	"emberdb/internal/vfs"
)

// Reader follows the log from the beginning of a file on.
type Reader struct {
	l  *Log
	f  *binlog.File
	no uint32
}

// NewReader reads from the beginning of a file on; 0: the first there is or will be.
func (l *Log) NewReader(file uint32) *Reader { return &Reader{l: l, no: file} }

// Close ends the reading.
func (r *Reader) Close() error {
	if r.f == nil {
		return nil
	}
	return r.f.Close()
}

// File is the number of the file that is read.
func (r *Reader) File() uint32 { return r.no }

// Pos is where the next event begins.
func (r *Reader) Pos() int64 {
	if r.f == nil {
		return headStart
	}
	return r.f.Pos()
}

// limit tells how far the file may be read, and whether others follow. wake is closed when that
// changes.
func (r *Reader) limit() (end int64, more bool, wake <-chan struct{}) {
	l := r.l
	l.mu.Lock()
	defer l.mu.Unlock()
	if r.no == 0 {
		r.no = l.first
	}
	return l.end, r.no != 0 && r.no < l.last, l.wake
}

// Next returns the next event of whole groups, waiting for it. Its bytes are valid until the next
// call. waits is called before each wait.
func (r *Reader) Next(ctx context.Context, waits func()) (binlog.Event, error) {
	for {
		e, ok, wake, err := r.TryNext()
		if ok || err != nil {
			return e, err
		}
		if waits != nil {
			waits()
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return e, ctx.Err()
		}
	}
}

// TryNext is Next without waiting; not ok: there is no event yet, and wake is closed when it is
// worth asking again.
func (r *Reader) TryNext() (e binlog.Event, ok bool, wake <-chan struct{}, err error) {
	for {
		end, more, wake := r.limit()
		if r.no == 0 {
			return e, false, wake, nil
		}
		if r.f == nil {
			if r.f, err = binlog.OpenFile(r.l.o.FS, r.l.path(r.no)); err != nil {
				return e, false, nil, err
			}
			r.f.MoveTo(headStart) // what was read ahead may not be part of a whole group
		}
		if more {
			if end, err = r.f.Size(); err != nil {
				return e, false, nil, err
			}
		}
		e, err = r.f.Next(end)
		switch {
		case err == nil:
			return e, true, nil, nil
		case !errors.Is(err, io.EOF):
			return e, false, nil, err
		case !more:
			return e, false, wake, nil
		}
		if err := r.f.Close(); err != nil {
			return e, false, nil, err
		}
		r.f, r.no = nil, r.no+1
	}
}

// OpenRange reads the bytes of a file from a position to an offset.
func (l *Log) OpenRange(from Position, to int64) (io.ReadCloser, error) {
	f, err := l.o.FS.Open(l.path(from.Relay), vfs.Options{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	return rangeReader{bufio.NewReaderSize(io.NewSectionReader(f, from.Offset, to-from.Offset), 256<<10), f}, nil
}

type rangeReader struct {
	io.Reader
	io.Closer
}
