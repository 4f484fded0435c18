package server

import "time"

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
