package sqllayer

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// Table is a table as one statement sees it. Copies with a projection or a look-up share the
// definition.
type Table struct {
	db        *Database
	s         *Session
	def       *tableDef
	fullSch   sql.Schema // all columns
	sch       sql.Schema // what rows hold: the projected columns
	proj      []int      // nil = all
	projNames []string
	temporary bool
	looked    bool // for its definition, see listing.go

	lock table.LockMode // of a lock clause
	wait table.WaitPolicy
	ids  bool   // rows have their hidden ids behind the last column, see keyless.go
	fk   fkRead // the table is read for a foreign key

	parts []int // of a partitioned table that PARTITION names; nil = all

	through *writableView         // that it is changed through; nil if it is not
	checks  []sql.CheckDefinition // of that view

	handle *table.Table // belongs to trx
	trx    *txn.Trx

	nextAuto uint64 // values given out while the table gets its AUTO_INCREMENT column
	built    bool   // an index is complete already: nothing to read for it

	cursor *handlerCursor // of HANDLER ... READ; nil: all rows are there

	asGeometry *geometryColumn // rows are read to change the type of a column
}

var (
	_ sql.Table                    = (*Table)(nil)
	_ sql.TemporaryTable           = (*Table)(nil)
	_ sql.Databaseable             = (*Table)(nil)
	_ sql.CommentedTable           = (*Table)(nil)
	_ sql.ProjectedTable           = (*Table)(nil)
	_ sql.IndexAddressableTable    = (*Table)(nil)
	_ sql.IndexedTable             = (*Table)(nil)
	_ sql.IndexAlterableTable      = (*Table)(nil)
	_ sql.IndexBuildingTable       = (*Table)(nil)
	_ sql.ForeignKeyTable          = (*Table)(nil)
	_ sql.CheckAlterableTable      = (*Table)(nil)
	_ sql.CheckTable               = (*Table)(nil)
	_ sql.CollationAlterableTable  = (*Table)(nil)
	_ sql.CommentAlterableTable    = (*Table)(nil)
	_ sql.PrimaryKeyTable          = (*Table)(nil)
	_ sql.PrimaryKeyAlterableTable = (*Table)(nil)
	_ sql.InsertableTable          = (*Table)(nil)
	_ sql.UpdatableTable           = (*Table)(nil)
	_ sql.DeletableTable           = (*Table)(nil)
	_ sql.ReplaceableTable         = (*Table)(nil)
	_ sql.TruncateableTable        = (*Table)(nil)
	_ sql.AutoIncrementTable       = (*Table)(nil)
	_ sql.RewritableTable          = (*Table)(nil)
	_ sql.StatisticsTable          = (*Table)(nil)
	_ sql.ReferenceChecker         = (*Table)(nil)
)

func newTable(d *Database, s *Session, def *tableDef, handle *table.Table, trx *txn.Trx) *Table {
	sch := def.schema()
	return &Table{db: d, s: s, def: def, fullSch: sch, sch: sch, handle: handle, trx: trx}
}

// Name implements sql.Table.
func (t *Table) Name() string { return t.def.name }

// String implements sql.Table.
func (t *Table) String() string { return t.def.name }

// Database implements sql.Databaseable.
func (t *Table) Database() string { return t.def.database }

// Schema implements sql.Table.
func (t *Table) Schema(*sql.Context) sql.Schema { return t.sch }

// Collation implements sql.Table.
func (t *Table) Collation() sql.CollationID { return sql.CollationID(t.def.def.Collation) }

// Comment implements sql.CommentedTable.
func (t *Table) Comment() string { return t.def.def.Comment }

// IsTemporary implements sql.TemporaryTable.
func (t *Table) IsTemporary() bool { return t.temporary }

// PrimaryKeySchema implements sql.PrimaryKeyTable.
func (t *Table) PrimaryKeySchema(*sql.Context) sql.PrimaryKeySchema {
	return sql.NewPrimaryKeySchema(t.fullSch, t.def.primary...)
}

// WithProjections implements sql.ProjectedTable.
func (t *Table) WithProjections(_ *sql.Context, names []string) (sql.Table, error) {
	c := *t
	c.proj, c.projNames = make([]int, 0, len(names)), names
	c.sch = make(sql.Schema, 0, len(names))
	for _, n := range names {
		i := t.def.find(n)
		if i < 0 {
			return nil, sql.ErrTableColumnNotFound.New(t.Name(), n)
		}
		c.proj = append(c.proj, i)
		c.sch = append(c.sch, t.fullSch[i])
	}
	return &c, nil
}

// Projections implements sql.ProjectedTable.
func (t *Table) Projections() []string { return t.projNames }

// PreciseMatch implements sql.IndexAddressable: a look-up returns exactly the rows of its ranges.
// GMS's ranges of <> and a fraction are not exact.
func (t *Table) PreciseMatch() bool { return !t.def.fractions }

// GetIndexes implements sql.IndexAddressable. To statements that change definitions full-text
// indexes are like others, lest GMS look for its own tables of theirs.
func (t *Table) GetIndexes(*sql.Context) ([]sql.Index, error) {
	if t.cursor != nil {
		return nil, nil // the order is given
	}
	out := make([]sql.Index, 0, len(t.def.indexes))
	for _, x := range t.def.indexes {
		if t.s != nil && t.s.stmt.joining && x.is(fullTextKind) {
			continue
		}
		if t.s != nil && t.s.stmt.defining && x.is(fullTextKind) {
			plain := *x
			plain.defined = true
			x = &plain
		}
		if !x.unmatched || t.db.layer.opts.Plain {
			out = append(out, x)
		}
	}
	return out, nil
}

// IndexedAccess implements sql.IndexAddressable.
func (t *Table) IndexedAccess(*sql.Context, sql.IndexLookup) sql.IndexedTable {
	c := *t
	return &c
}

// tableScan is the one partition of a table that GMS knows: a scan that is yet to begin.
type tableScan struct {
	index   *Index // nil: the clustered one
	ranges  []keyRange
	reverse bool
}

// Key implements sql.Partition.
func (*tableScan) Key() []byte { return []byte{0} }

// onePartition hands out a partition, or none.
type onePartition struct{ p *tableScan }

func (i *onePartition) Next(*sql.Context) (sql.Partition, error) {
	p := i.p
	if i.p = nil; p == nil {
		return nil, io.EOF
	}
	return p, nil
}

func (i *onePartition) Close(*sql.Context) error { return nil }

// Partitions implements sql.Table.
func (t *Table) Partitions(*sql.Context) (sql.PartitionIter, error) {
	if t.built {
		t.built = false
		return &onePartition{}, nil
	}
	if t.cursor != nil {
		return &onePartition{t.cursor.part}, nil
	}
	return &onePartition{&tableScan{ranges: []keyRange{{}}}}, nil
}

// LookupPartitions implements sql.IndexedTable.
func (t *Table) LookupPartitions(ctx *sql.Context, lookup sql.IndexLookup) (sql.PartitionIter, error) {
	x, ok := lookup.Index.(*Index)
	if !ok || x.idx == nil {
		return nil, fmt.Errorf("table %s: look-up in an index of type %T", t.Name(), lookup.Index)
	}
	ranges, err := x.keyRanges(ctx, lookup)
	if err != nil || len(ranges) == 0 {
		return &onePartition{}, err
	}
	return &onePartition{&tableScan{index: x, ranges: ranges, reverse: lookup.IsReverse}}, nil
}

// PartitionRows implements sql.Table. Nothing is opened before the first Next: GMS makes iterators
// it never uses.
func (t *Table) PartitionRows(_ *sql.Context, p sql.Partition) (sql.RowIter, error) {
	part, ok := p.(*tableScan)
	if !ok {
		return nil, sql.ErrPartitionNotFound.New(p.Key())
	}
	if g := t.asGeometry; g != nil {
		return &geometryRows{&rows{t: t, part: part}, t.sch.IndexOfColName(g.name), g.typ}, nil
	}
	if t.cursor != nil {
		return &handlerRows{&rows{t: t, part: part}, t.cursor}, nil
	}
	return &rows{t: t, part: part}, nil
}

// open returns the engine's table in the running transaction. REQUIRES: t.s.mu.
func (t *Table) open(ctx *sql.Context) (*table.Table, *txn.Trx, error) {
	if t.temporary && t.s.branch.state != noBranch {
		return nil, nil, temporaryInBranch()
	}
	trx, err := t.s.active(ctx)
	if err != nil {
		return nil, nil, err
	}
	if t.handle != nil && t.trx == trx {
		return t.handle, trx, nil
	}
	h, err := t.db.layer.eng.Table(t.s.Patient(ctx), trx, t.def.def.Schema, t.def.def.Name)
	if err != nil {
		return nil, nil, err
	}
	if d := h.Def(); d != t.def.def && (d.ID != t.def.def.ID || d.Version != t.def.def.Version) {
		if !t.s.ddl || t.proj != nil {
			return nil, nil, fmt.Errorf("table %s.%s: %w", t.def.def.Schema, t.def.def.Name, base.ErrTableGone)
		}
		// GMS uses one table object for several steps of an ALTER TABLE.
		if err := t.adopt(d); err != nil {
			return nil, nil, err
		}
	}
	t.handle, t.trx = h, trx
	return h, trx, nil
}

// RowCount implements sql.StatisticsTable. It is never exact: transactions see different rows.
func (t *Table) RowCount(ctx *sql.Context) (uint64, bool, error) {
	st, err := t.stats(ctx)
	return uint64(st.Rows), false, err
}

// DataLength implements sql.StatisticsTable.
func (t *Table) DataLength(ctx *sql.Context) (uint64, error) {
	st, err := t.stats(ctx)
	return uint64(st.DataBytes), err
}

func (t *Table) stats(ctx *sql.Context) (table.Stats, error) {
	var st table.Stats
	err := t.estimate(ctx, func(h *table.Table) (err error) {
		st, err = h.Stats()
		return err
	})
	return st, err
}

// findIndex returns the index of a name.
func (d *tableDef) findIndex(name string) *Index {
	if i := slices.IndexFunc(d.indexes, func(x *Index) bool { return strings.EqualFold(x.name, name) }); i >= 0 {
		return d.indexes[i]
	}
	return nil
}
