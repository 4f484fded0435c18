package engine

// A directory that was written from a backup. Its pages were copied while the source went on
// writing, so any of them may be older than what the log notes of written pages: until the
// checkpoint has passed the backup's end, recovery passes those notes over. ember.restored tells
// where that end is.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"emberdb/binlog"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// RestoredFile is the name of the note.
const RestoredFile = "ember.restored"

type restoredState struct {
	LSN base.LSN `json:"lsn"`
}

func readRestored(fsys vfs.FS, dir string) (base.LSN, error) {
	path := filepath.Join(dir, RestoredFile)
	data, err := vfs.ReadFile(fsys, path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	var s restoredState
	if err == nil {
		if err = json.Unmarshal(data, &s); err != nil {
			err = &base.CorruptError{File: path, Detail: err.Error()}
		}
	}
	return s.LSN, err
}

// passRestored removes the note when a checkpoint at lsn makes it needless.
// REQUIRES: checkpointMu, or the engine is alone.
func (e *Engine) passRestored(lsn base.LSN) error {
	if e.restored == 0 || lsn < e.restored || e.redo.Left() > 0 {
		return nil
	}
	if err := e.o.FS.Remove(filepath.Join(e.o.DataDir, RestoredFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := e.o.FS.SyncDir(e.o.DataDir); err != nil {
		return err
	}
	e.restored = 0
	return nil
}

// LockDir takes a directory that no server may open meanwhile; base.ErrInUse.
func LockDir(fsys vfs.FS, dir string) (io.Closer, error) { return lockDir(fsys, dir) }

// Adopt makes a directory whose files were written from a backup one that Open opens, as the server
// of that uuid. end is where the log of the backup ends. It is the last step: before, Open refuses
// the directory.
func Adopt(fsys vfs.FS, dir, uuid string, end base.LSN) error {
	data, err := json.Marshal(restoredState{LSN: end})
	if err != nil {
		return err
	}
	if err := vfs.WriteFile(fsys, filepath.Join(dir, RestoredFile), data); err != nil {
		return err
	}
	if err := fsys.SyncDir(dir); err != nil {
		return err
	}
	return writeIdentity(fsys, dir, dirIdentity{Format: NewestFormat, UUID: uuid})
}

// NewUUID returns an identity for another server.
func NewUUID() string { return newUUID() }

// RestoredBlob makes the blob of a backup's checkpoint that of a server of its own: its binary log
// lies in dir of the data directory, and edit, given the state of the log, returns what is to stand
// there.
func RestoredBlob(blob []byte, dir string, edit func(state []byte) ([]byte, error)) ([]byte, error) {
	var b checkpointBlob
	if err := json.Unmarshal(blob, &b); err != nil {
		return nil, fmt.Errorf("checkpoint record: %w: %v", base.ErrCorrupt, err)
	}
	if b.Binlog != nil {
		state, err := edit(b.Binlog.State)
		if err != nil {
			return nil, err
		}
		b.Binlog.State, b.Binlog.Dir = state, dir
	}
	return json.Marshal(b)
}

// checkpointState is the state of the binary log that a checkpoint keeps; nil if it keeps none.
func checkpointState(blob []byte) (*binlog.State, error) {
	var b checkpointBlob
	if err := json.Unmarshal(blob, &b); err != nil {
		return nil, fmt.Errorf("checkpoint record: %w: %v", base.ErrCorrupt, err)
	}
	if b.Binlog == nil {
		return nil, nil
	}
	return parseState(b.Binlog)
}
