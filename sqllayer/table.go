package sqllayer

import (
	"fmt"
	"io"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

// Table is a table as one statement sees it. Copies with a projection or a look-up share the
// definition.
type Table struct {
	Db        *Database
	S         *Session
	Def       *tabledef.TableDef
	fullSch   sql.Schema // all columns
	sch       sql.Schema // what rows hold: the projected columns
	Proj      []int      // nil = all
	projNames []string
	Temporary bool
	looked    bool // for its definition, see listing.go

	lock table.LockMode // of a lock clause
	wait table.WaitPolicy
	Ids  bool   // rows have their hidden ids behind the last column, see keyless.go
	fk   fkRead // the table is read for a foreign key

	parts []int // of a partitioned table that PARTITION names; nil = all

	Through *trees.WritableView   // that it is changed through; nil if it is not
	checks  []sql.CheckDefinition // of that view

	handle *table.Table // belongs to trx
	trx    *txn.Trx

	nextAuto uint64 // values given out while the table gets its AUTO_INCREMENT column
	built    bool   // an index is complete already: nothing to read for it

	cursor *handlerCursor // of HANDLER ... READ; nil: all rows are there

	AsGeometry *geometryColumn // rows are read to change the type of a column
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

func newTable(d *Database, s *Session, def *tabledef.TableDef, handle *table.Table, trx *txn.Trx) *Table {
	sch := def.Schema()
	return &Table{Db: d, S: s, Def: def, fullSch: sch, sch: sch, handle: handle, trx: trx}
}

// Name implements sql.Table.
func (t *Table) Name() string { return t.Def.Name }

// String implements sql.Table.
func (t *Table) String() string { return t.Def.Name }

// Database implements sql.Databaseable.
func (t *Table) Database() string { return t.Def.Database }

// Schema implements sql.Table.
func (t *Table) Schema(*sql.Context) sql.Schema { return t.sch }

// Planned is the table with the expressions of its columns planned.
func (t *Table) Planned(schema sql.Schema) *Table {
	own := *t
	own.fullSch, own.sch = schema, schema
	return &own
}

// Collation implements sql.Table.
func (t *Table) Collation() sql.CollationID { return sql.CollationID(t.Def.Def.Collation) }

// Comment implements sql.CommentedTable.
func (t *Table) Comment() string { return t.Def.Def.Comment }

// IsTemporary implements sql.TemporaryTable.
func (t *Table) IsTemporary() bool { return t.Temporary }

// PrimaryKeySchema implements sql.PrimaryKeyTable.
func (t *Table) PrimaryKeySchema(*sql.Context) sql.PrimaryKeySchema {
	return sql.NewPrimaryKeySchema(t.fullSch, t.Def.Primary...)
}

// WithProjections implements sql.ProjectedTable.
func (t *Table) WithProjections(_ *sql.Context, names []string) (sql.Table, error) {
	c := *t
	c.Proj, c.projNames = make([]int, 0, len(names)), names
	c.sch = make(sql.Schema, 0, len(names))
	for _, n := range names {
		i := t.Def.Find(n)
		if i < 0 {
			return nil, sql.ErrTableColumnNotFound.New(t.Name(), n)
		}
		c.Proj = append(c.Proj, i)
		c.sch = append(c.sch, t.fullSch[i])
	}
	return &c, nil
}

// Projections implements sql.ProjectedTable.
func (t *Table) Projections() []string { return t.projNames }

// PreciseMatch implements sql.IndexAddressable: a look-up returns exactly the rows of its ranges.
// GMS's ranges of <> and a fraction are not exact, nor all beside a key with a prefix.
func (t *Table) PreciseMatch() bool { return !t.Def.Inexact }

// GetIndexes implements sql.IndexAddressable. To statements that change definitions full-text
// indexes are like others, lest GMS look for its own tables of theirs.
func (t *Table) GetIndexes(ctx *sql.Context) ([]sql.Index, error) {
	if t.cursor != nil {
		return nil, nil // the order is given
	}
	out := make([]sql.Index, 0, len(t.Def.Indexes))
	for _, x := range t.Def.Indexes {
		if t.S != nil && t.S.Stmt.Joining && x.Is(tabledef.FullTextKind) {
			continue
		}
		if t.S != nil && t.S.Stmt.defining && x.Is(tabledef.FullTextKind) {
			plain := *x
			plain.Defined = true
			x = &plain
		}
		if x.Hidden() && !t.S.definesIndexes(ctx) {
			switch {
			case t.S.SeesInvisible():
				x = x.AsShown()
			case t.S.Stmt.Choosing || x.Special != nil:
				continue
			}
		}
		if !x.Unmatched || t.Db.Layer.Opts.Plain || t.S.changesIndexes(ctx) {
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

// TableScan is the one partition of a table that GMS knows: a scan that is yet to begin.
type TableScan struct {
	index   *tabledef.Index // nil: the clustered one
	Ranges  []tabledef.KeyRange
	reverse bool
}

// Key implements sql.Partition.
func (*TableScan) Key() []byte { return []byte{0} }

// onePartition hands out a partition, or none.
type onePartition struct{ p *TableScan }

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
	return &onePartition{&TableScan{Ranges: []tabledef.KeyRange{{}}}}, nil
}

// LookupPartitions implements sql.IndexedTable.
func (t *Table) LookupPartitions(ctx *sql.Context, lookup sql.IndexLookup) (sql.PartitionIter, error) {
	x, ok := lookup.Index.(*tabledef.Index)
	if !ok || x.Idx == nil {
		return nil, fmt.Errorf("table %s: look-up in an index of type %T", t.Name(), lookup.Index)
	}
	ranges, err := x.KeyRanges(ctx, lookup)
	if err != nil || len(ranges) == 0 {
		return &onePartition{}, err
	}
	return &onePartition{&TableScan{index: x, Ranges: ranges, reverse: lookup.IsReverse}}, nil
}

// PartitionRows implements sql.Table. Nothing is opened before the first Next: GMS makes iterators
// it never uses.
func (t *Table) PartitionRows(_ *sql.Context, p sql.Partition) (sql.RowIter, error) {
	part, ok := p.(*TableScan)
	if !ok {
		return nil, sql.ErrPartitionNotFound.New(p.Key())
	}
	if g := t.AsGeometry; g != nil {
		return &geometryRows{&Rows{T: t, Part: part}, t.sch.IndexOfColName(g.name), g.typ}, nil
	}
	if t.cursor != nil {
		return &handlerRows{&Rows{T: t, Part: part}, t.cursor}, nil
	}
	return &Rows{T: t, Part: part}, nil
}

// open returns the engine's table in the running transaction. REQUIRES: t.s.mu.
func (t *Table) open(ctx *sql.Context) (*table.Table, *txn.Trx, error) {
	if t.Temporary && t.S.branch.state != noBranch {
		return nil, nil, temporaryInBranch()
	}
	trx, err := t.S.Active(ctx)
	if err != nil {
		return nil, nil, err
	}
	if t.handle != nil && t.trx == trx {
		return t.handle, trx, nil
	}
	h, err := t.Db.Layer.Eng.Table(t.S.Patient(ctx), trx, t.Def.Def.Schema, t.Def.Def.Name)
	if err != nil {
		return nil, nil, err
	}
	if d := h.Def(); d != t.Def.Def && (d.ID != t.Def.Def.ID || d.Version != t.Def.Def.Version) {
		if !t.S.ddl || t.Proj != nil {
			return nil, nil, fmt.Errorf("table %s.%s: %w", t.Def.Def.Schema, t.Def.Def.Name, base.ErrTableGone)
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
	err := t.Estimate(ctx, func(h *table.Table) (err error) {
		st, err = h.Stats()
		return err
	})
	return st, err
}
