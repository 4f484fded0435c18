package relay

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path"
	"strings"
	"sync"

	"emberdb/binlog"
	"emberdb/internal/vfs"
)

// Place is a position in the source's log.
type Place struct {
	File     string
	Position uint32
}

// Position is a position in the relay log. The zero value is before all.
type Position struct {
	Relay  uint32
	Offset int64
}

// Compare orders positions.
func (p Position) Compare(q Position) int {
	return cmp.Or(cmp.Compare(p.Relay, q.Relay), cmp.Compare(p.Offset, q.Offset))
}

// Options say where the log is and what it writes of this server.
type Options struct {
	FS            vfs.FS
	Dir           string
	Base          string // file names are Base.NNNNNN
	Index         string // name of the index file
	ServerID      uint32
	ServerVersion string
	MaxSize       int64 // of a file
	Log           *slog.Logger
}

// headStart is where the first event of a file stands.
const headStart = 4

// flushAt is how much of a transaction is gathered before it is written.
const flushAt = 256 << 10

// Log is a relay log.
type Log struct {
	o Options

	// Of the receiver.
	group    Group
	file     vfs.File // the newest; nil: the next event begins one
	buf      []byte   // events that are not written
	at       int64    // where they will stand in the newest file
	format   []byte   // the source's format description
	unsynced bool
	broken   error // a sync has failed: the next start reads what there is

	mu          sync.Mutex
	first, last uint32 // files; 0, 0: none
	least       uint32 // the next file's number is above
	end         int64  // of the whole groups in the newest file
	read        Place  // behind them
	received    *binlog.Set
	older       int64 // bytes in the other files
	full        bool  // the next event begins a file
	wake        chan struct{}
}

func (l *Log) name(n uint32) string { return fmt.Sprintf("%s.%06d", l.o.Base, n) }

func (l *Log) path(n uint32) string { return path.Join(l.o.Dir, l.name(n)) }

// Begin prepares for a new connection to the source: what is there of a transaction that did not
// end is forgotten. The receiver calls it, and asks the source for what follows the place that it
// returns.
func (l *Log) Begin() (Place, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.buf = l.buf[:0]
	l.group.cut(l.read)
	if l.file != nil && l.at > l.end {
		if err := l.file.Truncate(l.end); err != nil {
			return l.read, err
		}
	}
	l.at = l.end
	return l.read, nil
}

// Append takes an event as the source sent it. summed: it has a checksum. ends: a group is complete
// and readers see it.
func (l *Log) Append(raw []byte, summed bool) (ends bool, err error) {
	if l.file == nil || l.isFull() && !l.group.Inside() {
		if err := l.create(); err != nil {
			return false, err
		}
	}
	start := len(l.buf)
	if l.buf, err = binlog.AppendSummed(l.buf, raw, summed); err != nil {
		return false, &EventError{err}
	}
	e, err := binlog.SummedEvent(l.buf[start:])
	if err != nil {
		return false, &EventError{err}
	}
	if e.Type == binlog.EventFormatDescription {
		l.format = e.StartsAnew(l.format[:0])
	}
	if ends = l.group.Add(&e); !ends && len(l.buf) < flushAt {
		return false, nil
	}
	if _, err := l.file.WriteAt(l.buf, l.at); err != nil {
		return false, err
	}
	l.at += int64(len(l.buf))
	if l.buf = l.buf[:0]; cap(l.buf) > 16*flushAt {
		l.buf = nil
	}
	if ends {
		l.complete()
	}
	return ends, nil
}

// EventError says that an event of the source is damaged.
type EventError struct{ error }

// Unwrap gives the reason.
func (e *EventError) Unwrap() error { return e.error }

// complete shows the groups that were written to readers.
func (l *Log) complete() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.end, l.read, l.unsynced = l.at, l.group.Place, true
	if g := l.group.GTID; g != (binlog.GTID{}) {
		l.received.Add(g)
	}
	l.full = l.full || l.end >= l.o.MaxSize
	l.wakeLocked()
}

func (l *Log) wakeLocked() {
	close(l.wake)
	l.wake = make(chan struct{})
}

// create begins a file. REQUIRES: the receiver, between groups.
func (l *Log) create() error {
	if err := l.finish(); err != nil {
		return err
	}
	l.mu.Lock()
	no, read, received := max(l.last, l.least)+1, l.read, l.received.Clone()
	l.mu.Unlock()
	f, err := l.o.FS.Open(l.path(no), vfs.Options{Create: true, Truncate: true})
	if err != nil {
		return err
	}
	head := l.head(read, received)
	if _, err = f.WriteAt(head, 0); err == nil {
		err = f.SyncAll()
	}
	if err == nil {
		err = l.o.FS.SyncDir(l.o.Dir)
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	first := l.first
	if first == 0 {
		first = no
	}
	if err := writeIndex(&l.o, first, no); err != nil {
		return errors.Join(err, f.Close())
	}
	if l.last != 0 {
		l.older += l.end
	}
	l.first, l.last, l.file, l.end, l.at = first, no, f, int64(len(head)), int64(len(head))
	l.full, l.unsynced = false, false
	l.group.cut(read)
	l.wakeLocked()
	return nil
}

// head is what a file begins with.
func (l *Log) head(at Place, received *binlog.Set) []byte {
	h := binlog.Head{ServerID: l.o.ServerID}
	b := []byte("\xfebin")
	b = binlog.AppendFormatDescription(b, h, l.o.ServerVersion, 0, 1)
	b = binlog.AppendPreviousGTIDs(b, h, received)
	binlog.Place(b[headStart:], headStart)
	b = binlog.AppendArtificialRotate(b, l.o.ServerID, at.File, uint64(at.Position))
	return append(b, l.format...)
}

// finish syncs and closes the newest file.
func (l *Log) finish() error {
	if l.file == nil {
		return nil
	}
	if err := l.Sync(); err != nil {
		return err
	}
	err := l.file.Close()
	l.file = nil
	return err
}

// Sync makes all whole groups durable. The receiver calls it.
func (l *Log) Sync() error {
	if l.file == nil || !l.unsynced {
		return nil
	}
	if l.broken == nil {
		l.broken = l.file.Sync()
	}
	l.unsynced = l.broken != nil
	return l.broken
}

// Close syncs what was received. No receiver runs any more.
func (l *Log) Close() error {
	_, err := l.Begin()
	return errors.Join(err, l.finish())
}

// Rotate makes the next group begin a file: FLUSH RELAY LOGS.
func (l *Log) Rotate() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.full = true
}

func (l *Log) isFull() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.full
}

// Purge removes the files before one, which the applier has left.
func (l *Log) Purge(before uint32) error {
	l.mu.Lock()
	first := l.first
	before = min(before, l.last)
	if first == 0 || before <= first {
		l.mu.Unlock()
		return nil
	}
	err := writeIndex(&l.o, before, l.last)
	if err == nil {
		l.first = before
	}
	l.mu.Unlock()
	if err != nil {
		return err
	}
	for n := first; n < before; n++ {
		info, _ := l.o.FS.Stat(l.path(n))
		if err := l.o.FS.Remove(l.path(n)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		l.mu.Lock()
		l.older -= info.Size
		l.mu.Unlock()
	}
	return nil
}

// Drop removes all files; the next event is one that stands behind a place in the source's log.
// Nobody reads or appends.
func (l *Log) Drop(at Place) error {
	if err := l.finish(); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	first, last := l.first, l.last
	if err := writeIndex(&l.o, 0, 0); err != nil {
		return err
	}
	l.least = max(l.least, last)
	l.first, l.last, l.end, l.at, l.older = 0, 0, 0, 0, 0
	l.read, l.received, l.format, l.buf = at, new(binlog.Set), nil, nil
	l.group.cut(at)
	for n := first; n > 0 && n <= last; n++ {
		if err := l.o.FS.Remove(l.path(n)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// State is what SHOW REPLICA STATUS tells of the log.
type State struct {
	Read     Place // behind the last whole group
	End      Position
	First    uint32
	Received *binlog.Set
	Space    int64
}

// State tells how far the log is.
func (l *Log) State() State {
	l.mu.Lock()
	defer l.mu.Unlock()
	return State{Read: l.read, End: Position{l.last, l.end}, First: l.first, Received: l.received.Clone(), Space: l.older + l.end}
}

// Name is the name of a file.
func (l *Log) Name(n uint32) string { return l.name(n) }

// Wake is closed when the log has changed.
func (l *Log) Wake() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.wake
}

// Extension is the number of a file as its name tells it.
func Extension(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
