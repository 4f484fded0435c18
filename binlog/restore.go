package binlog

// What a backup asks of the log, and how its files come to stand in another directory.

import (
	"path"
	"path/filepath"

	"emberdb/internal/vfs"
)

// Path is where a file of the log stands.
func (l *Log) Path(file uint32) string { return l.path(file) }

// Resets counts how often the log was reset.
func (l *Log) Resets() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.mu.resets
}

// RestoreIndex writes what stands beside the files first to last that were copied into o.Dir: the
// index and the number of resets.
func RestoreIndex(fsys vfs.FS, o Options, first, last uint32, resets uint64) error {
	if err := o.fill(); err != nil {
		return err
	}
	if err := fsys.MkdirAll(path.Join(o.Dir, spillDir)); err != nil {
		return err
	}
	if err := writeResets(fsys, &o, resets); err != nil {
		return err
	}
	return writeIndex(fsys, &o, first, last)
}

// Rebase makes the state of a log that of a copy whose first file is the given one: what happened
// before it is purged there.
func (s *State) Rebase(fsys vfs.FS, first string) error {
	f, err := OpenFile(fsys, filepath.Clean(first))
	if err != nil {
		return err
	}
	defer f.Close()
	h, err := f.readHead()
	if err == nil && h.previous != nil {
		s.Purged.Union(h.previous)
	}
	return err
}
