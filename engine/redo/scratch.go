package redo

import (
	"errors"
	"path/filepath"

	"emberdb/internal/vfs"
)

const scratchName = "scratch"

// Scratch opens an empty file beside the segments that goes with the process: it has no name any
// more. It is opened as the segments are.
func (l *Log) Scratch() (vfs.File, error) {
	path := filepath.Join(l.dir, scratchName)
	f, err := l.fs.Open(path, vfs.Options{Create: true, Truncate: true, Direct: l.o.Direct})
	if err != nil {
		return nil, err
	}
	if err := l.fs.Remove(path); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// FreeBytes tells how much the log's volume can still take; 0 when that is not known.
func (l *Log) FreeBytes() int64 {
	n, err := l.fs.FreeBytes(l.dir)
	if err != nil {
		return 0
	}
	return n
}
