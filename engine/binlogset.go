package engine

// Settings of the binary log that may change at any time.

import (
	"emberdb/engine/txn"
)

// GTIDMode is gtid_mode.
type GTIDMode int32

// The modes, in the order in which they may follow each other.
const (
	GTIDOff GTIDMode = iota
	GTIDOffPermissive
	GTIDOnPermissive
	GTIDOn
)

// SetGTIDMode changes gtid_mode. Transactions that take the log's order from now on are named by
// it. binlog.ErrOwned: sessions hold names that the mode does not know.
func (e *Engine) SetGTIDMode(m GTIDMode) error {
	if l := e.Binlog(); l != nil {
		if err := l.SetNaming(m >= GTIDOnPermissive, m == GTIDOn, m == GTIDOff); err != nil {
			return err
		}
	}
	e.binlog.gtidMode.Store(int32(m))
	return nil
}

// GTIDMode is gtid_mode.
func (e *Engine) GTIDMode() GTIDMode { return GTIDMode(e.binlog.gtidMode.Load()) }

// SetSyncBinlog changes sync_binlog.
func (e *Engine) SetSyncBinlog(n int64) { e.binlog.journals.SetSyncEvery(n) }

// SetRowMetadata changes binlog_row_metadata.
func (e *Engine) SetRowMetadata(full bool) { e.binlog.journals.SetRowMetadata(full) }

// SetAcks makes commits wait for replicas; nil: they do not.
func (e *Engine) SetAcks(fn txn.Acks) { e.binlog.journals.SetAcks(fn) }
