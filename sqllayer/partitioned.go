package sqllayer

// Partitioned tables. GMS knows nothing of them: it makes, plans and changes a table as any other,
// and the engine spreads the rows (see package sql/partition and engine/table). What statements say
// of partitions is read from their trees:
//
//	CREATE TABLE             GMS makes the table, which is then rebuilt, empty, with its partitions
//	ALTER TABLE              the lowered statement has ENABLE KEYS in the place of its last part, which is about partitions: see lower
//	... PARTITION (p0) ...   see partitionclause.go

import (
	"cmp"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/engine/catalog"
	"emberdb/engine/lock"
	"emberdb/engine/table"
	sqlast "emberdb/sql/ast"
	"emberdb/sql/partition"
	"emberdb/sqllayer/lower"
)

// partitionError is the client's form of an error about partitions; nil for others.
func partitionError(err error) *mysql.SQLError {
	var known *partition.Error
	if errors.As(err, &known) {
		return NewError(known.Code, "%s", known.Text)
	}
	var none *table.NoPartError
	if errors.As(err, &none) {
		return NewError(1526, "Table has no partition for value %s", none.Value)
	}
	return nil
}

// checkParts refuses a change of a definition that its partitioning does not allow.
func checkParts(old, def *catalog.Table) error {
	p := def.Partitioning
	if p == nil {
		return nil
	}
	if special, err := specialIndexes(def); err != nil || len(special) > 0 {
		if err == nil && special[0].Kind == fullTextKind {
			err = errPartitionedText()
		} else if err == nil {
			err = NewError(1178, "The storage engine for the table doesn't support GEOMETRY")
		}
		return err
	}
	if old.Partitioning != nil {
		f, err := partition.New(old)
		if err != nil {
			return err
		}
		for _, c := range f.Columns() {
			name := old.Columns[c].Name
			if !slices.ContainsFunc(def.Columns, func(c catalog.Column) bool { return strings.EqualFold(c.Name, name) }) {
				return NewError(3855, "Column '%s' has a partitioning function dependency and cannot be dropped or renamed.", name)
			}
		}
	}
	if err := partition.CheckKeys(def, p); err != nil {
		return err
	}
	_, err := partition.New(def)
	return err
}

func errPartitionedText() error {
	return NewError(1214, "The used table type doesn't support FULLTEXT indexes")
}

// createParts builds a CREATE TABLE of a partitioned table; nil for others.
func (b *builder) createParts(ctx *sql.Context, s *Session, n *plan.CreateTable, r sql.Row) (sql.RowIter, error) {
	tree, ok := s.runningTree(ctx).(*sqlast.CreateTable)
	if !ok || s.stmt.dividing || tree.Partition == nil && tree.Like == nil || !strings.EqualFold(tree.Name.Name.Name, n.Name()) {
		return nil, nil
	}
	define, err := b.definesParts(ctx, n, tree)
	if define == nil || err != nil {
		return nil, err
	}
	if n.Temporary() {
		return nil, NewError(1562, "Cannot create temporary table with partitions")
	}
	for i := range tree.Options {
		o := &tree.Options[i]
		if name := o.Name.Name; o.Kind == sqlast.OptionEngine && name != "" && !strings.EqualFold(name, "InnoDB") {
			return nil, NewError(1178, "The storage engine for the table doesn't support native partitioning")
		}
	}
	s.stmt.dividing = true
	iter, err := b.base.Build(ctx, n, r)
	if err != nil {
		return nil, err
	}
	found, ok, err := n.Db.GetTableInsensitive(ctx, n.Name())
	if err != nil || !ok {
		return iter, err
	}
	t, ok := sql.GetUnderlyingTable(found).(*Table)
	if !ok {
		return iter, nil
	}
	if err := t.catchUp(ctx); err != nil {
		return nil, err
	}
	p, err := define(t.def.def)
	if err != nil {
		return nil, err
	}
	return iter, t.divide(ctx, p)
}

// definesParts returns what makes the partitioning of a table that is created; nil: it has none.
func (b *builder) definesParts(ctx *sql.Context, n *plan.CreateTable, tree *sqlast.CreateTable) (func(*catalog.Table) (*catalog.Partitioning, error), error) {
	if tree.Like == nil {
		return func(def *catalog.Table) (*catalog.Partitioning, error) {
			return partition.Define(def, tree.Partition, zoneOf(ctx))
		}, nil
	}
	db := tree.Like.Schema.Name
	if db == "" {
		db = ctx.GetCurrentDatabase()
	}
	found, _, err := b.layer.Engine.Analyzer.Catalog.Table(ctx, db, tree.Like.Name.Name)
	if err != nil {
		return nil, err
	}
	t, ok := sql.GetUnderlyingTable(found).(*Table)
	if !ok || t.def.def.Partitioning == nil {
		return nil, nil
	}
	like := t.def.def.Partitioning.Clone()
	return func(*catalog.Table) (*catalog.Partitioning, error) { return like, nil }, nil
}

// divide gives t other partitions, or none, and copies its rows.
func (t *Table) divide(ctx *sql.Context, p *catalog.Partitioning) error {
	return t.rebuild(ctx, func(def *catalog.Table) error {
		def.Partitioning = p
		return nil
	}, nil)
}

// repartitions tells whether a change is PARTITION BY or REMOVE PARTITIONING, whose rows MySQL counts.
func repartitions(old, new *catalog.Partitioning) bool {
	if old == nil || new == nil {
		return old != new
	}
	return !reflect.DeepEqual(old.By, new.By)
}

// alterParts runs what ALTER TABLE says of partitions; nil: it is ENABLE or DISABLE KEYS.
func (b *builder) alterParts(ctx *sql.Context, s *Session, n *plan.AlterIndex) (sql.RowIter, error) {
	tree, ok := s.runningTree(ctx).(*sqlast.AlterTable)
	if !ok || !lower.AboutPartitions(tree) {
		return nil, nil
	}
	own := 0 // ENABLE and DISABLE KEYS that are written stand in front
	for _, a := range tree.Actions {
		if f, ok := a.(*sqlast.AlterFlag); ok && (f.Kind == sqlast.EnableKeys || f.Kind == sqlast.DisableKeys) {
			own++
		}
	}
	if s.stmt.keySteps++; s.stmt.keySteps <= own {
		return nil, nil
	}
	t := ownTable(n.Table)
	if t == nil {
		return nil, errNotPartitioned()
	}
	if err := t.catchUp(ctx); err != nil {
		return nil, err
	}
	if err := t.alterPartsBy(ctx, tree); err != nil {
		return nil, err
	}
	return sql.RowsToRowIter(sql.NewRow(types.NewOkResult(0))), nil
}

func errNotPartitioned() error {
	return NewError(1505, "Partition management on a not partitioned table is not possible")
}

// alterPartsBy makes the change.
func (t *Table) alterPartsBy(ctx *sql.Context, tree *sqlast.AlterTable) error {
	def := t.def.def
	if tree.Partition != nil {
		if t.temporary {
			return NewError(1562, "Cannot create temporary table with partitions")
		}
		p, err := partition.Define(def, tree.Partition, zoneOf(ctx))
		if err != nil {
			return err
		}
		if children, err := t.db.layer.references(ctx, nil, def); err != nil || len(children) > 0 {
			return cmp.Or(err, errPartitionedKey())
		}
		return t.divide(ctx, p)
	}
	if def.Partitioning == nil {
		return errNotPartitioned()
	}
	action := tree.Tail
	if tree.Remove {
		action = &sqlast.PartitionAction{Kind: sqlast.RemovePartitioning}
	}
	switch action.Kind {
	case sqlast.ExchangePartition:
		return t.exchangePart(ctx, action)
	case sqlast.DiscardPartition, sqlast.ImportPartition:
		return NewError(mysql.ERNotSupportedYet, "This version of Ember doesn't yet support '%s'", "tablespaces of partitions")
	}
	change, err := partition.Alter(def, action, zoneOf(ctx))
	if err != nil {
		return err
	}
	if change.Copies {
		return t.divide(ctx, change.To)
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
	parts := partition.Find(t.def.def.Partitioning, name)
	switch {
	case len(parts) == 0:
		return partition.Unknown(t.def.def, name)
	case len(parts) > 1:
		return NewError(1734, "Subpartitioned table, use subpartition instead of partition")
	}
	def, with := t.def.def, other.def.def
	leaf := def.Partitioning.Leaves()[parts[0]].Name
	return t.define(ctx, func(d *definer) error {
		if err := d.s.checkWritable(tableName{with.Schema, with.Name}); err != nil {
			return err
		}
		for _, at := range []tableName{{def.Schema, def.Name}, {with.Schema, with.Name}} {
			if err := d.eng.LockMeta(d.s.Patient(ctx), d.tx, at.schema, at.name, lock.MetaExclusive); err != nil {
				return err
			}
		}
		if a.Validation == nil || a.Validation.Kind != sqlast.WithoutValidation {
			if err := d.belong(ctx, tableName{def.Schema, def.Name}, tableName{with.Schema, with.Name}, parts[0]); err != nil {
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
	found, _, err := t.db.layer.Engine.Analyzer.Catalog.Table(ctx, db, a.Table.Name.Name)
	if err != nil {
		return nil, err
	}
	other, ok := sql.GetUnderlyingTable(found).(*Table)
	if !ok {
		return nil, NewError(1178, "The storage engine for the table doesn't support native partitioning")
	}
	def, with := t.def.def, other.def.def
	switch {
	case def.ID == with.ID:
		return nil, NewError(1066, "Not unique table/alias: '%s'", other.Name())
	case with.Partitioning != nil:
		return nil, NewError(1732, "Table to exchange with partition is partitioned: '%s'", other.Name())
	case other.temporary:
		return nil, NewError(1733, "Table to exchange with partition is temporary: '%s'", other.Name())
	case len(with.ForeignKeys) > 0:
		return nil, NewError(1740, "Table to exchange with partition has foreign key references: '%s'", other.Name())
	case !sameStorage(def, with):
		return nil, NewError(1736, "Tables have different definitions")
	}
	return other, nil
}

// sameStorage tells whether rows and entries of one table are those of the other as they stand.
func sameStorage(a, b *catalog.Table) bool {
	special := a.Options[specialOption] != "" || b.Options[specialOption] != ""
	sameColumn := func(x, y catalog.Column) bool {
		return x.Column == y.Column && x.Name == y.Name && x.SQLType == y.SQLType && x.Generated == y.Generated && x.Virtual == y.Virtual
	}
	sameIndex := func(x, y *catalog.Index) bool {
		return x.Name == y.Name && x.Unique == y.Unique && slices.Equal(x.Parts, y.Parts)
	}
	return !special && slices.EqualFunc(a.Columns, b.Columns, sameColumn) && slices.EqualFunc(a.Indexes, b.Indexes, sameIndex) && a.Collation == b.Collation
}

// belong refuses rows of a table that stand in other parts than that one.
func (d *definer) belong(ctx *sql.Context, at, with tableName, part int) error {
	whole, err := d.eng.Table(d.s.Patient(ctx), d.tx, at.schema, at.name)
	if err != nil {
		return err
	}
	other, err := d.eng.Table(d.s.Patient(ctx), d.tx, with.schema, with.name)
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
			return NewError(1737, "Found a row that does not match the partition")
		}
	}
}
