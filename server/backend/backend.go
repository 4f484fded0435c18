package backend

import (
	"context"
	"time"

	"emberdb/engine"
	"emberdb/engine/recovery"
)

// TrxInfo is a row of information_schema.INNODB_TRX.
type TrxInfo struct {
	ID           uint64
	State        string // RUNNING, LOCK WAIT, ROLLING BACK
	Started      time.Time
	WaitStarted  time.Time
	ThreadID     uint32
	Query        string
	Isolation    string
	ReadOnly     bool
	RowsModified uint64
	RowsLocked   uint64
	Weight       uint64
}

// LockInfo is a row of performance_schema.data_locks.
type LockInfo struct {
	LockID   string
	TrxID    uint64
	ThreadID uint32
	Schema   string
	Table    string
	Index    string // "" for a table lock
	Type     string // TABLE, RECORD or METADATA
	Mode     string
	Status   string // GRANTED or WAITING
	Data     string
	Since    time.Time // of a waiting one
}

// LockWaitInfo is a row of performance_schema.data_lock_waits.
type LockWaitInfo struct {
	RequestingLockID, BlockingLockID     string
	RequestingTrxID, BlockingTrxID       uint64
	RequestingThreadID, BlockingThreadID uint32
}

// Backend is what the server needs of the storage engine beside SQL.
type Backend interface {
	// Apply changes an engine setting while the server runs; v is bool, int64, float64 or string.
	// Settings it does not know are ignored.
	Apply(name string, v any) error
	// Status reports the engine's numbers under their SHOW STATUS names.
	Status(put func(name string, v any))
	// Engine is the storage engine, for what belongs to its binary log; nil in tests of the
	// protocol alone.
	Engine() *engine.Engine
	// UUID is the identity of the data directory, @@server_uuid.
	UUID() string
	// Monitor is the text of SHOW ENGINE INNODB STATUS.
	Monitor() string
	// Transactions, Locks and LockWaits fill information_schema.INNODB_TRX and
	// performance_schema.data_locks and data_lock_waits.
	Transactions() []TrxInfo
	Locks() []LockInfo
	LockWaits() []LockWaitInfo
	// LoadAccounts and SaveAccounts keep accounts and grants durably; nil means none were ever
	// saved.
	LoadAccounts() ([]byte, error)
	SaveAccounts(ctx context.Context, data []byte) error
	// Warm runs a command of the warm room: "dump", "load" or "abort". A load goes on in the
	// background.
	Warm(command string) error
	// Restore loads the LRU list and returns when that is done. WarmEnough: so many percent of it
	// are loaded, or no load runs.
	Restore(ctx context.Context) error
	WarmEnough(pct int) bool
	// Warmth tells per table what is listed and what is in the pool; Starts, what this start and
	// earlier ones spent their time on.
	Warmth() ([]engine.TableWarmth, error)
	// LRU is the buffer pool's LRU list, hot to cold.
	LRU() ([]engine.LRUPage, error)
	Starts() []recovery.Start
	// FirstQuery is called when the first statement is done.
	FirstQuery()
	// Wait returns when nothing Apply began is still running.
	Wait()
}
