package sqllayer

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
	"emberdb/engine/lock"
	"emberdb/engine/row"
	"emberdb/engine/table"
	sqlast "emberdb/sql/ast"
	"emberdb/sql/partition"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/store"
	"emberdb/sqllayer/tabledef"
)

// Partitioned tables. GMS knows nothing of them: it makes, plans and changes a table as any other,
// and the engine spreads the rows (see package sql/partition and engine/table). What statements say
// of partitions is read from their trees:
//
//	CREATE TABLE             GMS makes the table, which is then rebuilt, empty, with its partitions
//	ALTER TABLE              the lowered statement has ENABLE KEYS in the place of its last part, which is about partitions: see lower
//	... PARTITION (p0) ...   see partitionclause.go

// Divide gives t other partitions, or none, and copies its rows.
func (t *Table) Divide(ctx *sql.Context, p *catalog.Partitioning) error {
	return t.rebuild(ctx, func(def *catalog.Table) error {
		def.Partitioning = p
		return nil
	}, nil)
}

// AlterPartsBy makes the change.
func (t *Table) AlterPartsBy(ctx *sql.Context, tree *sqlast.AlterTable) error {
	def := t.Def.Def
	if tree.Partition != nil {
		if t.Temporary {
			return sqlerr.NewError(1562, "Cannot create temporary table with partitions")
		}
		p, err := partition.Define(def, tree.Partition, store.ZoneOf(ctx))
		if err != nil {
			return err
		}
		if children, err := t.Db.Layer.references(ctx, nil, def); err != nil || len(children) > 0 {
			return cmp.Or(err, tabledef.ErrPartitionedKey())
		}
		return t.Divide(ctx, p)
	}
	if def.Partitioning == nil {
		return tabledef.ErrNotPartitioned()
	}
	action := tree.Tail
	if tree.Remove {
		action = &sqlast.PartitionAction{Kind: sqlast.RemovePartitioning}
	}
	switch action.Kind {
	case sqlast.ExchangePartition:
		return t.exchangePart(ctx, action)
	case sqlast.DiscardPartition, sqlast.ImportPartition:
		return sqlerr.NewError(mysql.ERNotSupportedYet, "This version of Ember doesn't yet support '%s'", "tablespaces of partitions")
	}
	change, err := partition.Alter(def, action, store.ZoneOf(ctx))
	if err != nil {
		return err
	}
	if change.Copies {
		return t.Divide(ctx, change.To)
	}
	return t.define(ctx, func(d *definer) error {
		var err error
		if change.Empty != nil {
			err = d.eng.TruncateParts(d.s.Patient(ctx), d.tx, def.Schema, def.Name, change.Empty)
		} else {
			err = d.eng.AlterParts(d.s.Patient(ctx), d.tx, def.Schema, def.Name, change.To)
		}
		if err != nil {
			return err
		}
		return t.refresh(ctx, d)
	})
}

// exchangePart swaps the rows of a partition with those of a table.
func (t *Table) exchangePart(ctx *sql.Context, a *sqlast.PartitionAction) error {
	other, err := t.exchangeable(ctx, a)
	if err != nil {
		return err
	}
	name := a.Names[0].Name
	parts := partition.Find(t.Def.Def.Partitioning, name)
	switch {
	case len(parts) == 0:
		return partition.Unknown(t.Def.Def, name)
	case len(parts) > 1:
		return sqlerr.NewError(1734, "Subpartitioned table, use subpartition instead of partition")
	}
	def, with := t.Def.Def, other.Def.Def
	leaf := def.Partitioning.Leaves()[parts[0]].Name
	if err := other.codeLike(ctx, def); err != nil {
		return err
	}
	return t.define(ctx, func(d *definer) error {
		if err := d.s.checkWritable(tabledef.TableName{Schema: with.Schema, Name: with.Name}); err != nil {
			return err
		}
		for _, at := range []tabledef.TableName{{Schema: def.Schema, Name: def.Name}, {Schema: with.Schema, Name: with.Name}} {
			if err := d.eng.LockMeta(d.s.Patient(ctx), d.tx, at.Schema, at.Name, lock.MetaExclusive); err != nil {
				return err
			}
		}
		if a.Validation == nil || a.Validation.Kind != sqlast.WithoutValidation {
			if err := d.belong(ctx, tabledef.TableName{Schema: def.Schema, Name: def.Name}, tabledef.TableName{Schema: with.Schema, Name: with.Name}, parts[0]); err != nil {
				return err
			}
		}
		err := d.eng.ExchangePart(d.s.Patient(ctx), d.tx, def.Schema, def.Name, leaf, with.Schema, with.Name)
		if err != nil {
			return err
		}
		return t.refresh(ctx, d)
	})
}

// exchangeable is the table that a partition is exchanged with.
func (t *Table) exchangeable(ctx *sql.Context, a *sqlast.PartitionAction) (*Table, error) {
	db := a.Table.Schema.Name
	if db == "" {
		db = ctx.GetCurrentDatabase()
	}
	found, _, err := t.Db.Layer.Engine.Analyzer.Catalog.Table(ctx, db, a.Table.Name.Name)
	if err != nil {
		return nil, err
	}
	other, ok := sql.GetUnderlyingTable(found).(*Table)
	if !ok {
		return nil, sqlerr.NewError(1178, "The storage engine for the table doesn't support native partitioning")
	}
	def, with := t.Def.Def, other.Def.Def
	switch {
	case def.ID == with.ID:
		return nil, sqlerr.NewError(1066, "Not unique table/alias: '%s'", other.Name())
	case with.Partitioning != nil:
		return nil, sqlerr.NewError(1732, "Table to exchange with partition is partitioned: '%s'", other.Name())
	case other.Temporary:
		return nil, sqlerr.NewError(1733, "Table to exchange with partition is temporary: '%s'", other.Name())
	case len(with.ForeignKeys) > 0:
		return nil, sqlerr.NewError(1740, "Table to exchange with partition has foreign key references: '%s'", other.Name())
	case !tabledef.SameStorage(def, with):
		return nil, sqlerr.NewError(1736, "Tables have different definitions")
	}
	return other, nil
}

// codeLike gives a table's keys of text the codes that another one's have.
func (t *Table) codeLike(ctx *sql.Context, other *catalog.Table) error {
	if tabledef.SameKeys(t.Def.Def, other) {
		return nil
	}
	return t.rebuild(ctx, func(def *catalog.Table) error {
		for i := range def.Columns {
			def.Columns[i].Codes = other.Columns[i].Codes
		}
		return nil
	}, nil)
}

// belong refuses rows of a table that stand in other parts than that one.
func (d *definer) belong(ctx *sql.Context, at, with tabledef.TableName, part int) error {
	whole, err := d.eng.Table(d.s.Patient(ctx), d.tx, at.Schema, at.Name)
	if err != nil {
		return err
	}
	other, err := d.eng.Table(d.s.Patient(ctx), d.tx, with.Schema, with.Name)
	if err != nil {
		return err
	}
	scan := other.NewScan(d.tx, table.ScanOptions{})
	defer scan.Close()
	for {
		vals, err := scan.Next(ctx)
		if err == io.EOF { //nolint:errorlint // scans end with io.EOF itself
			return nil
		}
		if err != nil {
			return err
		}
		n, err := whole.PartOf(vals)
		var none *table.NoPartError
		if err != nil && !errors.As(err, &none) {
			return err
		}
		if err != nil || n != part {
			return sqlerr.NewError(1737, "Found a row that does not match the partition")
		}
	}
}

// PARTITION (p0, ...) behind the name of a table. It goes to the table reference as a lock clause
// does. That of INSERT, REPLACE and LOAD DATA is looked up when rows come.

// SelectParts makes the table read only the parts of these names; none: all.
func (t *Table) selectParts(names []string) (err error) {
	if len(names) > 0 {
		t.parts, err = tabledef.PartsNamed(t.Def.Def, names)
	}
	return err
}

// InsertsInto are the parts that the running INSERT, REPLACE or LOAD DATA names; nil: any.
func (s *Session) InsertsInto(ctx *sql.Context, t *Table) ([]int, error) {
	if a := s.Program; a != nil && a.stmt != nil {
		n, ok := a.stmt.(*ast.Insert)
		if !ok || len(n.Partitions) == 0 || !strings.EqualFold(n.Table.Name.String(), t.Name()) {
			return nil, nil
		}
		texts := make([]string, len(n.Partitions))
		for i := range n.Partitions {
			texts[i] = n.Partitions[i].String()
		}
		return tabledef.PartsNamed(t.Def.Def, texts)
	}
	var names []sqlast.Ident
	var into sqlast.TableName
	switch n := s.RunningTree(ctx).(type) {
	case *sqlast.Insert:
		names, into = n.Partitions, n.Table
	case *sqlast.Load:
		names, into = n.Partitions, n.Table
	}
	if len(names) == 0 || !strings.EqualFold(into.Name.Name, t.Name()) {
		return nil, nil
	}
	texts := make([]string, len(names))
	for i := range names {
		texts[i] = names[i].Name
	}
	return tabledef.PartsNamed(t.Def.Def, texts)
}

// inParts refuses a row that does not stand in the parts that the statement names.
func (e *Editor) inParts(h *table.Table, vals []row.Value) error {
	if e.T.parts == nil || h.Parts() == nil {
		return nil
	}
	n, err := h.PartOf(vals)
	if err != nil {
		return err
	}
	if !slices.Contains(e.T.parts, n) {
		return sqlerr.NewError(1748, "Found a row not matching the given partition set")
	}
	return nil
}
