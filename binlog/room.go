package binlog

// A full disk. What the writer has to write is durable in redo, so it waits for room, as MySQL's
// log does, and the log is not failed. Meanwhile nobody else waits: new transactions, checkpoints
// and statements that ask for the files are refused with the error, and files can be purged.

import (
	"errors"
	"fmt"
	"path"
	"time"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

const (
	roomAgain = 100 * time.Millisecond
	roomTold  = time.Minute // how often the log of the server tells of it
)

// untilRoom runs op until the disk has room for it: op must bear to be run again from its start.
// While it waits the writer's mutex is free.
// REQUIRES: writer.mu held.
func (l *Log) untilRoom(op func() error) error {
	err := op()
	if !noRoom(err) {
		return err
	}
	var told time.Time
	for noRoom(err) && l.waitsForRoom(err) {
		if time.Since(told) >= roomTold {
			told = time.Now()
			l.o.Logger.Error("the binary log waits for room on its disk; transactions that it has to hold are refused", "error", err)
		}
		l.w.mu.Unlock()
		time.Sleep(roomAgain)
		l.w.mu.Lock()
		err = op()
	}
	if err == nil {
		l.waitsForRoom(nil)
		l.o.Logger.Info("the binary log has found room on its disk")
	}
	return err
}

// noRoom tells a full disk.
func noRoom(err error) bool { return errors.Is(err, base.ErrDiskFull) }

// waitsForRoom notes why the writer waits, nil: not any more. It is false if the log is being
// closed, or has failed: then it waits for nothing.
func (l *Log) waitsForRoom(err error) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		err = fmt.Errorf("binary log: %w", err)
	}
	l.mu.full = err
	l.haltLocked()
	l.idle.Broadcast()
	return !l.mu.closing && l.Err() == nil
}

// haltLocked brings halts up to date. REQUIRES: l.mu held.
func (l *Log) haltLocked() {
	l.halts.Store(l.Err() != nil || l.mu.full != nil || l.mu.queued > maxQueued)
}

// haltedLocked is why nothing more comes into the files, for now or for good. REQUIRES: l.mu held.
func (l *Log) haltedLocked() error {
	if err := l.Err(); err != nil {
		return err
	}
	return l.mu.full
}

// proveRoom refuses what begins a file while the disk has none for it: what redo has taken cannot
// be refused any more.
func (l *Log) proveRoom() error {
	name := path.Join(l.spillPath(), "room")
	err := vfs.WriteFile(l.fs, name, make([]byte, l.headRoom()))
	if removeErr := l.fs.Remove(name); err == nil {
		err = removeErr
	}
	if err != nil {
		return fmt.Errorf("binary log: %w", err)
	}
	return nil
}
