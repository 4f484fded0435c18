package base

import (
	"errors"
	"fmt"
)

// Sentinels, grouped by the moment they occur. Callers test with errors.Is.
var (
	// Opening.
	ErrInUse   = errors.New("data directory is in use by another server")
	ErrForeign = errors.New("not an Ember data directory")

	// Any read: bytes that fail their checksum or identity. Always wrapped in a *CorruptError.
	ErrCorrupt = errors.New("corruption")

	// Any write, after a write or sync failed: memory and disk are in doubt until the engine is
	// reopened.
	ErrFailed = errors.New("the storage engine refuses writes after an I/O error; restart the server")

	// Statements.
	ErrDeadlock       = errors.New("deadlock found when trying to get lock; try restarting transaction") // 1213
	ErrLockTimeout    = errors.New("lock wait timeout exceeded; try restarting transaction")             // 1205
	ErrNoWait         = errors.New("statement aborted because lock(s) could not be acquired immediately and NOWAIT is set")
	ErrInterrupted    = errors.New("query execution was interrupted") // 1317
	ErrServerReadOnly = errors.New("the server is read-only")
	ErrReadOnly       = errors.New("cannot execute statement in a READ ONLY transaction")
	ErrForced         = errors.New("no changes with this innodb_force_recovery") // 1836
	ErrNotFound       = errors.New("not found")
	ErrExists         = errors.New("already exists")
	ErrOnlineLogFull  = errors.New("the log of changes beside a rewrite is full")            // 1799
	ErrTableGone      = errors.New("table definition has changed, please retry transaction") // 1412
	ErrRowTooBig      = errors.New("row size too large")                                     // 1118
	ErrKeyTooLong     = errors.New("specified key was too long")                             // 1071
	ErrNoNumbers      = errors.New("no auto-increment values left")                          // 1467
	ErrDiskFull       = errors.New("no space left on device")                                // 1021 / 1114
)

// CorruptError tells where corrupt bytes were found. It wraps ErrCorrupt.
type CorruptError struct {
	File   string // path of the file
	Page   PageID // zero for files without pages
	Offset int64  // byte offset in the file
	Detail string
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("corruption: file %s, page %s, offset %d: %s", e.File, e.Page, e.Offset, e.Detail)
}

func (e *CorruptError) Unwrap() error { return ErrCorrupt }
