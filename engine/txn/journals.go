package txn

// What the journals of all sessions share: the log, its settings, the tables prepared for it.

import (
	"sync"
	"sync/atomic"

	"emberdb/binlog"
	"emberdb/engine/catalog"
)

// Journals makes journals. The zero value makes none until Start. Settings may change at any time.
type Journals struct {
	log       *binlog.Log
	gatherers sync.Pool
	tables    atomic.Uint64 // prepared for the log since the start

	syncEvery atomic.Int64 // sync_binlog
	commits   atomic.Int64 // counted while syncEvery is above 1
	metadata  atomic.Bool  // binlog_row_metadata=FULL
	acks      atomic.Pointer[Acks]
}

// Acks waits for replicas to have a transaction: semi-synchronous replication. It is called when
// the transaction is durable here, before it is visible.
type Acks func(end binlog.Position)

// Start makes the log that of all journals. REQUIRES: there are no journals.
func (js *Journals) Start(log *binlog.Log) { js.log = log }

// New makes the journal of a session; nil if there is no log.
func (js *Journals) New(who Journaled) *Journal {
	if js.log == nil {
		return nil
	}
	return &Journal{all: js, who: who}
}

// SetSyncEvery changes sync_binlog.
func (js *Journals) SetSyncEvery(n int64) { js.syncEvery.Store(n) }

// SetRowMetadata changes binlog_row_metadata.
func (js *Journals) SetRowMetadata(full bool) { js.metadata.Store(full) }

// SetAcks makes commits wait; nil: they do not.
func (js *Journals) SetAcks(fn Acks) {
	if fn == nil {
		js.acks.Store(nil)
		return
	}
	js.acks.Store(&fn)
}

// syncMode is how durable a logged commit must be: as the redo log's setting says, or the binary
// log's, whichever asks for more.
func (js *Journals) syncMode(mode SyncMode) SyncMode {
	n := js.syncEvery.Load()
	if n == 1 || n > 1 && js.commits.Add(1)%n == 0 {
		return SyncFlush
	}
	return mode
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
func (js *Journals) table(def *catalog.Table, who Journaled) *preparedTable {
	full := js.metadata.Load()
	if p, ok := def.Logged.Load().(*preparedTable); ok && p.def == def && p.full == full {
		return p
	}
	p := &preparedTable{def: def, full: full}
	if p.wanted = !def.Temporary && def.Schema != catalog.SystemSchema && !who.Unlogged(def); p.wanted {
		const first = 100
		p.table, p.err = binlog.NewTable(def, first+js.tables.Add(1), full)
	}
	def.Logged.Store(p)
	return p
}
