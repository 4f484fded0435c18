package relay

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"emberdb/binlog"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// The index lists the files, oldest first: "./base.000001\n". It is replaced whole.

func writeIndex(o *Options, first, last uint32) error {
	var text []byte
	for n := first; n > 0 && n <= last; n++ {
		text = fmt.Appendf(text, "./%s.%06d\n", o.Base, n)
	}
	name := path.Join(o.Dir, o.Index)
	if err := vfs.WriteFile(o.FS, name+".new", text); err != nil {
		return err
	}
	if err := o.FS.Rename(name+".new", name); err != nil {
		return err
	}
	return o.FS.SyncDir(o.Dir)
}

// readIndex reads the run of numbers; 0, 0: there are no files, or the index does not list a run of
// them.
func readIndex(o *Options) (first, last uint32, err error) {
	text, err := vfs.ReadFile(o.FS, path.Join(o.Dir, o.Index))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, 0, nil
	}
	for line := range bytes.Lines(text) {
		digits, ok := strings.CutPrefix(strings.TrimSuffix(string(line), "\n"), "./"+o.Base+".")
		n, bad := strconv.ParseUint(digits, 10, 32)
		if !ok || bad != nil || first != 0 && uint32(n) != last+1 {
			o.Log.Warn("the index of the relay log cannot be read; the source is asked again", "line", string(line))
			return 0, 0, nil
		}
		if last = uint32(n); first == 0 {
			first = last
		}
	}
	return first, last, err
}

// Open opens the log as an earlier process left it. applied is where its applier stands, at the
// place at in the source's log. What is left of the log is kept if it leads on from there.
func Open(o Options, applied Position, at Place) (*Log, error) {
	l := &Log{o: o, received: new(binlog.Set), wake: make(chan struct{}), read: at, least: applied.Relay}
	l.group.cut(at)
	first, last, err := readIndex(&o)
	if err != nil {
		return nil, err
	}
	l.least = max(l.least, last)
	l.first, l.last = first, last
	for l.last != 0 {
		err := l.scanNewest()
		if err == nil {
			break
		}
		var damage *base.CorruptError
		if !errors.As(err, &damage) && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		o.Log.Warn("a relay log is left out; the source is asked again", "file", l.name(l.last), "error", err)
		if l.last--; l.last < l.first {
			l.first, l.last = 0, 0
		}
	}
	leads := l.last != 0 && applied.Relay <= l.last && (applied.Relay == 0 || applied.Relay >= l.first) && applied.Compare(Position{l.last, l.end}) <= 0
	if !leads {
		l.first, l.last = first, last // all of them go
		return l, l.Drop(at)
	}
	for n := l.first; n < l.last; n++ {
		info, err := o.FS.Stat(l.path(n))
		if err != nil { // damage in the middle
			l.first, l.last = first, last
			return l, l.Drop(at)
		}
		l.older += info.Size
	}
	if l.last != last {
		return l, writeIndex(&l.o, l.first, l.last)
	}
	return l, nil
}

// scanNewest reads the newest file up to its last whole group, and cuts off the rest.
func (l *Log) scanNewest() error {
	f, err := binlog.OpenFile(l.o.FS, l.path(l.last))
	if err != nil {
		return err
	}
	defer f.Close()
	size, err := f.Size()
	if err != nil {
		return err
	}
	var g Group
	var end int64
	received := new(binlog.Set)
	for {
		e, err := f.Next(size)
		var damage *base.CorruptError
		if errors.Is(err, io.EOF) || errors.As(err, &damage) {
			break
		}
		if err != nil {
			return err
		}
		if !g.Add(&e) {
			continue
		}
		if e.Type == binlog.EventPreviousGTIDs && g.Place.File == "" { // this file's own, not one of the source's
			if received, err = binlog.ParseBinary(e.Body()); err != nil {
				return &base.CorruptError{File: l.name(l.last), Offset: e.Pos, Detail: err.Error()}
			}
		}
		if g.GTID != (binlog.GTID{}) {
			received.Add(g.GTID)
		}
		if end = e.End(); g.Place.File != "" {
			l.read = g.Place
		}
	}
	if g.Place.File == "" {
		return &base.CorruptError{File: l.name(l.last), Offset: end, Detail: "its head is cut off"}
	}
	l.end, l.received = end, received
	if end == size {
		return nil
	}
	w, err := l.o.FS.Open(l.path(l.last), vfs.Options{})
	if err != nil {
		return err
	}
	if err = w.Truncate(end); err == nil {
		err = w.SyncAll()
	}
	return errors.Join(err, w.Close())
}
