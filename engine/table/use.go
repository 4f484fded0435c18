package table

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"emberdb/engine/catalog"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// UseKind is a kind of what sessions do with rows.
type UseKind int

// The kinds, in the order of performance_schema's columns.
const (
	Fetch UseKind = iota
	InsertRow
	UpdateRow
	DeleteRow

	useKinds
)

// UseSums are the rows of each kind, and the nanoseconds they took. Times are estimates: of
// accesses to single rows one in sampleEvery is timed, and stands for all. Batches are timed
// themselves.
type UseSums [useKinds]struct{ Rows, Nanos uint64 }

// Use is what sessions did with the rows of a table by way of one index. Without an index: rows of
// whole scans of the table, and inserted rows.
type Use struct {
	Space         base.SpaceID
	ID            base.IndexID // 0: without an index
	Schema, Table string
	Index         string
	Sums          UseSums
}

// sampleEvery is a power of two.
const sampleEvery = 64

// useCounts count the rows of one index. Accesses count; rows of the dictionary and of internal
// transactions do not.
type useCounts [useKinds]struct{ rows, nanos atomic.Uint64 }

func (u *useCounts) add(kind UseKind, rows int) { u[kind].rows.Add(uint64(rows)) }

// sampled adds the time of an access that stands for sampleEvery.
func (u *useCounts) sampled(kind UseKind, took time.Duration) {
	u[kind].nanos.Add(sampleEvery * uint64(max(took, 0)))
}

func (u *useCounts) sums() (s UseSums) {
	for k := range u {
		s[k].Rows, s[k].Nanos = u[k].rows.Load(), u[k].nanos.Load()
	}
	return s
}

// took adds the time of a batch, which is timed itself.
func (u *useCounts) took(kind UseKind, start time.Time) {
	u[kind].nanos.Add(uint64(max(time.Since(start), 0)))
}

// clock starts timing an access if it is one of those that are timed: by the session's count of
// accesses of its kind.
func clock(c *txn.RowCounts, kind txn.RowCount) (start time.Time, timed bool) {
	if c == nil || c.Get(kind)%sampleEvery != 0 {
		return start, false
	}
	return time.Now(), true
}

// count adds n rows of a kind that tx has inserted, changed or deleted.
func (t *Table) count(tx *txn.Trx, kind UseKind, n int) {
	c := tx.Counts
	if c == nil {
		return
	}
	use, rows := t.clustered().use, txn.RowsUpdated
	switch kind {
	case InsertRow:
		use, rows = t.use, txn.RowsInserted
	case DeleteRow:
		rows = txn.RowsDeleted
	}
	use.add(kind, n)
	c.Add(rows, n)
}

// uses are the counts of the tables of an engine: of those that were bound since the start, or
// named by SeedUses.
type uses struct {
	mu sync.Mutex
	of map[base.SpaceID]*tableUse
}

// tableUse is guarded by uses.mu; the counts themselves are not.
type tableUse struct {
	schema, table string
	whole         *useCounts
	indexes       []*indexUse
}

type indexUse struct {
	id     base.IndexID
	name   string
	counts *useCounts
}

// bind gives a table its counts: those of the table with the same storage, by the names that it has
// now.
func (u *uses) bind(t *Table) {
	def := t.def
	u.mu.Lock()
	defer u.mu.Unlock()
	whole, _ := catalog.SplitPart(def.Name)
	of := &tableUse{schema: def.Schema, table: whole, whole: new(useCounts)}
	before := u.of[def.Space]
	if before != nil {
		of.whole = before.whole
	}
	for _, ix := range t.indexes {
		iu := &indexUse{ix.def.ID, ix.def.Name, nil}
		if before != nil {
			if i := slices.IndexFunc(before.indexes, func(b *indexUse) bool { return b.id == iu.id }); i >= 0 {
				iu.counts = before.indexes[i].counts
			}
		}
		if iu.counts == nil {
			iu.counts = new(useCounts)
		}
		ix.use = iu.counts
		of.indexes = append(of.indexes, iu)
	}
	t.use = of.whole
	if def.Temporary || def.Space == base.SystemSpace {
		return // nobody else sees it, or it is the dictionary's
	}
	if u.of == nil {
		u.of = map[base.SpaceID]*tableUse{}
	}
	u.of[def.Space] = of
}

// bindUses gives t its counts. A Decoder's tables share theirs with nobody.
func (s *Services) bindUses(t *Table) {
	if s.shared == nil {
		new(uses).bind(t)
		return
	}
	s.uses.bind(t)
}

// ForgetUses drops the counts of tables whose storage is gone.
func (s *Services) ForgetUses(spaces ...base.SpaceID) {
	s.uses.mu.Lock()
	defer s.uses.mu.Unlock()
	for _, space := range spaces {
		delete(s.uses.of, space)
	}
}

// Uses returns the counts of all tables, in no order.
func (s *Services) Uses() (all []Use) {
	s.uses.mu.Lock()
	defer s.uses.mu.Unlock()
	for space, t := range s.uses.of {
		all = append(all, Use{Space: space, Schema: t.schema, Table: t.table, Sums: t.whole.sums()})
		for _, ix := range t.indexes {
			all = append(all, Use{space, ix.id, t.schema, t.table, ix.name, ix.counts.sums()})
		}
	}
	return all
}

// SeedUses adds what an earlier process has counted. Tables that are not bound yet have the names
// that they had then.
func (s *Services) SeedUses(all []Use) {
	s.uses.mu.Lock()
	defer s.uses.mu.Unlock()
	if s.uses.of == nil {
		s.uses.of = map[base.SpaceID]*tableUse{}
	}
	for _, use := range all {
		t := s.uses.of[use.Space]
		if t == nil {
			t = &tableUse{schema: use.Schema, table: use.Table, whole: new(useCounts)}
			s.uses.of[use.Space] = t
		}
		counts := t.whole
		if use.ID != 0 {
			i := slices.IndexFunc(t.indexes, func(b *indexUse) bool { return b.id == use.ID })
			if i < 0 {
				i = len(t.indexes)
				t.indexes = append(t.indexes, &indexUse{use.ID, use.Index, new(useCounts)})
			}
			counts = t.indexes[i].counts
		}
		for k, n := range use.Sums {
			counts[k].rows.Add(n.Rows)
			counts[k].nanos.Add(n.Nanos)
		}
	}
}

// ResetUses makes all counts zero.
func (s *Services) ResetUses() {
	s.uses.mu.Lock()
	defer s.uses.mu.Unlock()
	reset := func(u *useCounts) {
		for k := range u {
			u[k].rows.Store(0)
			u[k].nanos.Store(0)
		}
	}
	for _, t := range s.uses.of {
		reset(t.whole)
		for _, ix := range t.indexes {
			reset(ix.counts)
		}
	}
}

// Changes counts the rows that sessions have inserted, changed and deleted. Only the difference
// between two answers means something.
func (t *Table) Changes() (n uint64) {
	if t.parts != nil {
		for _, p := range t.parts {
			n += p.Changes()
		}
		return n
	}
	return t.use[InsertRow].rows.Load() + t.clustered().use[UpdateRow].rows.Load() + t.clustered().use[DeleteRow].rows.Load()
}

// usedFor tells the counts of a scan's rows.
func (s *Scan) usedFor() *useCounts {
	if s.ix.pos == 0 && (s.o.Part || s.o.Lower == nil && s.o.Upper == nil) {
		return s.t.use
	}
	return s.ix.use
}
