package engine

// What the log of all sessions keeps beside its files: settings that may change at any time, and the tables prepared for it.

import (
	"sync/atomic"

	"emberdb/binlog"
	"emberdb/engine/catalog"
	"emberdb/engine/dict"
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

// binlogSettings are settings of the log that may change at any time.
type binlogSettings struct {
	syncEvery atomic.Int64 // sync_binlog
	commits   atomic.Int64 // counted while syncEvery is above 1
	gtidMode  atomic.Int32
	metadata  atomic.Bool // binlog_row_metadata=FULL
	rowEvent  atomic.Int64
	acks      atomic.Pointer[Acks]
}

// Acks waits for replicas to have a transaction: semi-synchronous replication. It is called when the transaction is durable here, before anybody sees it.
type Acks func(end binlog.Position)

// SetSyncBinlog changes sync_binlog.
func (e *Engine) SetSyncBinlog(n int64) { e.binlog.syncs.syncEvery.Store(n) }

// SetGTIDMode changes gtid_mode. Transactions that take the log's order from now on are named by it. binlog.ErrOwned: sessions hold names that the mode
// does not know.
func (e *Engine) SetGTIDMode(m GTIDMode) error {
	if l := e.Binlog(); l != nil {
		if err := l.SetNaming(m >= GTIDOnPermissive, m == GTIDOn, m == GTIDOff); err != nil {
			return err
		}
	}
	e.binlog.syncs.gtidMode.Store(int32(m))
	return nil
}

// GTIDMode is gtid_mode.
func (e *Engine) GTIDMode() GTIDMode { return GTIDMode(e.binlog.syncs.gtidMode.Load()) }

// SetRowMetadata changes binlog_row_metadata.
func (e *Engine) SetRowMetadata(full bool) { e.binlog.syncs.metadata.Store(full) }

// SetAcks makes commits wait; nil: they do not.
func (e *Engine) SetAcks(fn Acks) {
	if fn == nil {
		e.binlog.syncs.acks.Store(nil)
		return
	}
	e.binlog.syncs.acks.Store(&fn)
}

// preparedTable is what catalog.Table.Logged holds.
type preparedTable struct {
	def    *catalog.Table // a copy of the definition brings this along, and is another one
	full   bool
	wanted bool // its changes are logged
	table  *binlog.Table
	err    error // why there is none
}

// table returns the prepared form of a definition.
func (b *binlogs) table(def *catalog.Table, who Journaled) *preparedTable {
	full := b.syncs.metadata.Load()
	if p, ok := def.Logged.Load().(*preparedTable); ok && p.def == def && p.full == full {
		return p
	}
	p := &preparedTable{def: def, full: full}
	if p.wanted = !def.Temporary && def.Schema != dict.SystemSchema && !who.Unlogged(def); p.wanted {
		const first = 100
		p.table, p.err = binlog.NewTable(def, first+b.tables.Add(1), full)
	}
	def.Logged.Store(p)
	return p
}
