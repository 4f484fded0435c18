package table

import (
	"sync"

	"emberdb/engine/catalog"
)

// Learned is what a reader has found out about the rows of a table, for readers after it. It
// describes a definition at a count of changes, and is never changed.
type Learned struct {
	def     *catalog.Table
	Changes uint64 // as Table.Changes told them before it was read
	What    any
}

// mostLearned is how many tables of an engine keep what was learned. One more takes the place of
// the one that came first.
const mostLearned = 128

// learnedTables are the tables that keep something, in a ring.
type learnedTables struct {
	mu   sync.Mutex
	ring []*Counters
	next int
}

// staleChanges are changes that never make something stale, however small the table is.
const staleChanges = 200

// Learned is what was learned of the table, and whether it still holds: it does until a tenth of
// the rows have changed. nil: nothing is known.
func (t *Table) Learned(rows float64) (l *Learned, fresh bool) {
	l = t.learned.Load()
	if l == nil || l.def != t.def {
		return nil, false
	}
	since := t.Changes() - l.Changes // counts that were made zero meanwhile look like many changes
	return l, float64(since) <= max(rows/10, staleChanges)
}

// Learn keeps what was learned when the table had had so many changes.
func (t *Table) Learn(what any, changes uint64) {
	if t.svc.shared == nil {
		return // a Decoder's tables are read once
	}
	before := t.learned.Swap(&Learned{t.def, changes, what})
	if before != nil {
		return
	}
	all := &t.svc.shared.learned
	all.mu.Lock()
	defer all.mu.Unlock()
	if len(all.ring) < mostLearned {
		all.ring = append(all.ring, t.Counters)
		return
	}
	all.ring[all.next].learned.Store(nil)
	all.ring[all.next] = t.Counters
	all.next = (all.next + 1) % mostLearned
}

// Forget drops what was learned.
func (t *Table) Forget() {
	if l := t.learned.Load(); l != nil {
		t.learned.Store(&Learned{}) // it keeps its place in the ring
	}
}
