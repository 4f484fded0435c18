package binlog

// Write sets: which of the transactions before it one depends on, as the logical clock tells
// replicas (binlog_transaction_dependency_tracking=WRITESET, MySQL's only way since 8.4).
//
// The write set of a transaction is a hash for each unique key of each row that it changed: the
// primary key always, the other unique keys where their columns change. Two transactions that
// have no hash in common can be run in any order, or at once. The history keeps the newest writer
// of each hash, in slots chosen by the hash alone: two hashes that share a slot make a dependency
// too many, never one too few.
//
// A transaction without keys to go by is ordered by commits alone (last_committed is the newest
// one that was durable when it took the order): one that changes a table without a primary key.
// One whose rows do not tell what it touches is a barrier as well, on which all later ones
// depend: a statement, the end of a distributed transaction, a table with foreign keys, more keys
// than binlog_transaction_dependency_history_size.
//
// No transaction depends on more than those that were durable when it took the order: the others
// still held their locks, and cannot conflict.

import (
	"encoding/binary"
	"hash/maphash"
	"sync/atomic"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
)

// historySlots is how many slots the history has, a power of two. A transaction of half as many keys
// would take most of them: it is a barrier, whatever binlog_transaction_dependency_history_size
// allows.
const (
	historySlots = 1 << 16
	mostKeys     = historySlots / 2
)

// writeSet is what a transaction has written. It belongs to its Cache.
type writeSet struct {
	keys    []uint64
	ordered bool // it may depend on any transaction before it
	barrier bool // any transaction behind it may depend on it
	buf     []byte
}

// reset empties it.
func (w *writeSet) reset() {
	w.keys, w.ordered, w.barrier = w.keys[:0], false, false
}

// block makes the transaction a barrier.
func (w *writeSet) block() { w.keys, w.ordered, w.barrier = w.keys[:0], true, true }

// rowKeys are the unique keys of a table.
type rowKeys struct {
	id    uint64
	cols  []row.Column
	keys  []rowKey
	keyed bool // the first of them is the primary key
	child bool // it has foreign keys, or rows with several keys of one index
}

type rowKey struct {
	number int
	parts  []row.KeyPart
}

func newRowKeys(def *catalog.Table) rowKeys {
	r := rowKeys{id: uint64(def.ID), child: len(def.ForeignKeys) > 0, cols: make([]row.Column, len(def.Columns))}
	for i := range def.Columns {
		r.cols[i] = def.Columns[i].Column
	}
	for i, idx := range def.Indexes {
		if idx.Name == "PRIMARY" {
			r.keyed = true
		}
		if idx.Unique && idx.Name != "" {
			r.keys = append(r.keys, rowKey{i, idx.Parts})
			r.child = r.child || idx.Kind == catalog.MultiValued
		}
	}
	return r
}

// row notes a row: before and after are nil where there is none.
func (w *writeSet) row(h *history, r *rowKeys, before, after []row.Value) {
	if w.barrier {
		return
	}
	if r.child || int64(len(w.keys)) >= h.size.Load() {
		w.block()
		return
	}
	w.ordered = w.ordered || !r.keyed
	for i := range r.keys {
		k := &r.keys[i]
		moved := before == nil || after == nil || k.moves(before, after)
		if before != nil && (moved || i == 0) {
			w.key(h, r, k, before)
		}
		if after != nil && moved {
			w.key(h, r, k, after)
		}
	}
}

// moves tells whether the key changes.
func (k *rowKey) moves(before, after []row.Value) bool {
	for _, p := range k.parts {
		if !before[p.Column].Same(after[p.Column]) {
			return true
		}
	}
	return false
}

// key notes a key, unless a part of it is NULL: no other row conflicts with it then.
func (w *writeSet) key(h *history, r *rowKeys, k *rowKey, vals []row.Value) {
	for _, p := range k.parts {
		if vals[p.Column].IsNull() {
			return
		}
	}
	w.buf = binary.AppendUvarint(binary.AppendUvarint(w.buf[:0], r.id), uint64(k.number))
	w.buf = row.AppendKey(w.buf, r.cols, k.parts, vals)
	hash := maphash.Bytes(h.seed, w.buf)
	if n := len(w.keys); n == 0 || w.keys[n-1] != hash {
		w.keys = append(w.keys, hash)
	}
}

// history is who wrote what. Guarded by the log's orderMu, but for size and seed.
type history struct {
	seed  maphash.Seed
	size  atomic.Int64
	slots [historySlots]int64 // by the low bits of a hash: sequence number of the newest transaction that wrote it
	floor int64               // sequence number of the newest barrier
}

// resize makes it one for so many keys. sequence is that of the newest transaction.
func (h *history) resize(size, sequence int64) {
	h.size.Store(min(size, mostKeys))
	h.floor = sequence
}

// place enters a transaction and returns the newest one that it depends on. committed is the newest
// one that is durable.
func (h *history) place(w *writeSet, sequence, committed int64) int64 {
	parent := committed
	if !w.ordered {
		newest := h.floor
		for _, k := range w.keys {
			newest = max(newest, h.slots[k%historySlots])
		}
		parent = min(parent, newest)
	}
	for _, k := range w.keys {
		h.slots[k%historySlots] = sequence
	}
	if w.barrier {
		h.floor = sequence
	}
	return parent
}

// SetDependencyHistory changes binlog_transaction_dependency_history_size. What was known is
// forgotten.
func (l *Log) SetDependencyHistory(n int64) {
	l.orderMu.Lock()
	defer l.orderMu.Unlock()
	l.history.resize(n, l.sequence)
}
