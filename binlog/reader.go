package binlog

// A Reader follows the log from a position on, for a dump thread: file after file, then at the end
// as far as readers may read.

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// Errors of readers.
var (
	ErrReset  = errors.New("the binary logs were reset")
	ErrPurged = errors.New("cannot replicate because the source purged required binary logs") // 1236
)

// Reader reads events. It belongs to one goroutine.
type Reader struct {
	l        *Log
	file     *File
	no       uint32
	resets   uint64
	limit    int64 // how far the file may be read, as it was last asked
	exclude  *Set
	skipping bool
}

// NewReader begins at pos; offset 0 is the file's first event. The file and all after it stay until
// the reader has passed them.
func (l *Log) NewReader(pos Position) (*Reader, error) {
	l.mu.Lock()
	resets := l.mu.resets
	l.mu.Unlock()
	if err := l.claim(pos.File); err != nil {
		return nil, err
	}
	r := &Reader{l: l, no: pos.File, resets: resets}
	err := r.open()
	if err == nil && pos.Offset > int64(len(magic)) {
		if err = r.look(); err == nil {
			err = r.file.SeekTo(pos.Offset, r.limit)
		}
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// claim keeps a file from being purged.
func (l *Log) claim(no uint32) error {
	l.fileMu.Lock()
	defer l.fileMu.Unlock()
	if l.first == 0 || no < l.first || no > l.last {
		return fmt.Errorf("%w: %s", ErrUnknownFile, l.Name(no))
	}
	l.readers[no]++
	l.follow()
	return nil
}

func (l *Log) release(no uint32) {
	l.fileMu.Lock()
	defer l.fileMu.Unlock()
	l.unfollow()
	if l.readers[no]--; l.readers[no] <= 0 {
		delete(l.readers, no)
	}
}

func (r *Reader) open() error {
	f, err := OpenFile(r.l.fs, r.l.path(r.no))
	if err != nil {
		return err
	}
	r.file = f
	f.name = r.l.Name(r.no)
	return nil
}

// Close ends the reader.
func (r *Reader) Close() error {
	if r.l == nil {
		return nil
	}
	r.l.release(r.no)
	r.l = nil
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}

// Exclude makes the reader leave out the transactions of set: those a replica has.
func (r *Reader) Exclude(set *Set) { r.exclude = set.Clone() }

// Position is where the next event stands or will stand.
func (r *Reader) Position() Position { return Position{r.no, r.file.off} }

// look asks how far the reader's file may be read now.
func (r *Reader) look() (err error) {
	r.l.mu.Lock()
	written := r.l.mu.written
	resets := r.l.mu.resets
	r.l.mu.Unlock()
	if resets != r.resets {
		return ErrReset
	}
	switch {
	case r.no < written.File:
		r.limit, err = r.file.Size()
	case r.no == written.File:
		r.limit = written.Offset
	default:
		r.limit = r.file.off
	}
	return err
}

// Next gives the next event, waiting for it until ctx is done. Between files it goes on by itself:
// Event.File tells.
func (r *Reader) Next(ctx context.Context) (Event, error) {
	for {
		r.l.mu.Lock()
		wake, written, err := r.l.mu.wake, r.l.mu.written, r.l.Err()
		closing := r.l.mu.closing
		r.l.mu.Unlock()
		e, ok, readErr := r.TryNext()
		switch {
		case readErr != nil || ok:
			return e, readErr
		case err != nil:
			return e, err
		case written.File > r.no:
			continue // the file was completed in between
		case closing:
			return e, io.EOF
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return e, ctx.Err()
		}
	}
}

// TryNext is Next that does not wait: false at the end of the log.
func (r *Reader) TryNext() (Event, bool, error) {
	for {
		if r.file.off >= r.limit {
			if err := r.look(); err != nil {
				return Event{}, false, err
			}
		}
		e, err := r.file.Next(r.limit)
		if errors.Is(err, io.EOF) {
			moved, err := r.nextFile()
			if err != nil || !moved {
				return Event{}, false, err
			}
			continue
		}
		if err != nil {
			return Event{}, false, err
		}
		if r.excluded(&e) {
			continue
		}
		return e, true, nil
	}
}

// excluded tells whether the event belongs to a transaction that is left out.
func (r *Reader) excluded(e *Event) bool {
	if r.exclude == nil {
		return false
	}
	switch e.Type {
	case EventGTID, EventGTIDTagged:
		g, ok := parseGTID(e.Type, e.Body())
		r.skipping = ok && r.exclude.Contains(g)
	case EventAnonymousGTID, EventFormatDescription, EventPreviousGTIDs, EventRotate, EventStop, EventIgnorable:
		r.skipping = false
	}
	return r.skipping
}

// nextFile moves to the next file if the reader's one is complete and read.
func (r *Reader) nextFile() (bool, error) {
	written := r.l.Written()
	if r.no >= written.File {
		return false, nil
	}
	if size, err := r.file.Size(); err != nil || r.file.off < size {
		return err == nil, err
	}
	if err := r.l.claim(r.no + 1); err != nil {
		return false, err
	}
	r.l.release(r.no)
	r.no++
	r.limit, r.skipping = 0, false
	old := r.file
	if err := r.open(); err != nil {
		return false, err
	}
	return true, old.Close()
}

// FindStart gives the place from which a replica that has executed set must read: the start of the
// newest file before which nothing happened that it lacks. ErrPurged: some of what it lacks is
// gone.
func (l *Log) FindStart(set *Set) (Position, error) {
	if !set.ContainsSet(l.Purged()) {
		return Position{}, ErrPurged
	}
	first, last := l.Range()
	for n := last; n >= first && n > 0; n-- {
		h, err := l.headOf(n)
		if err != nil {
			return Position{}, err
		}
		if h.previous != nil && set.ContainsSet(h.previous) {
			return Position{n, int64(len(magic))}, nil
		}
	}
	return Position{first, int64(len(magic))}, nil
}
