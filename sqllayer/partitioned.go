package sqllayer

// Partitioned tables. GMS knows nothing of them: it makes, plans and changes a table as any other,
// and the engine spreads the rows (see package sql/partition and engine/table). What statements say
// of partitions is read from their trees:
//
//	CREATE TABLE             GMS makes the table, which is then rebuilt, empty, with its partitions
//	ALTER TABLE              the lowered statement has ENABLE KEYS in the place of its last part, which is about partitions: see lower
//	... PARTITION (p0) ...   goes to the table reference as a lock clause does; of INSERT it is looked up when rows come

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
	"emberdb/engine/lock"
	"emberdb/engine/row"
	"emberdb/engine/table"
	sqlast "emberdb/sql/ast"
	"emberdb/sql/partition"
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
			err = NewError(1214, "The used table type doesn't support FULLTEXT indexes")
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

// alterParts runs what ALTER TABLE says of partitions; nil: it is ENABLE or DISABLE KEYS.
func (b *builder) alterParts(ctx *sql.Context, s *Session, n *plan.AlterIndex) (sql.RowIter, error) {
	tree, ok := s.runningTree(ctx).(*sqlast.AlterTable)
	if !ok || !aboutParts(tree) {
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

func aboutParts(n *sqlast.AlterTable) bool {
	return n.Partition != nil || n.Remove || n.Tail != nil && n.Tail.Kind >= sqlast.DiscardPartition && n.Tail.Kind <= sqlast.RemovePartitioning
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
			err = d.eng.TruncateParts(d.s.patient(ctx), d.tx, def.Schema, def.Name, change.Empty)
		} else {
			err = d.eng.AlterParts(d.s.patient(ctx), d.tx, def.Schema, def.Name, change.To)
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
			if err := d.eng.LockMeta(d.s.patient(ctx), d.tx, at.schema, at.name, lock.MetaExclusive); err != nil {
				return err
			}
		}
		if a.Validation == nil || a.Validation.Kind != sqlast.WithoutValidation {
			if err := d.belong(ctx, tableName{def.Schema, def.Name}, tableName{with.Schema, with.Name}, parts[0]); err != nil {
				return err
			}
		}
		err := d.eng.ExchangePart(d.s.patient(ctx), d.tx, def.Schema, def.Name, leaf, with.Schema, with.Name)
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
	whole, err := d.eng.Table(d.s.patient(ctx), d.tx, at.schema, at.name)
	if err != nil {
		return err
	}
	other, err := d.eng.Table(d.s.patient(ctx), d.tx, with.schema, with.name)
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

// KnowsParts is nil if a table has the partitions that a command names.
func KnowsParts(ctx *sql.Context, db, name string, a *sqlast.PartitionAction) error {
	s := sessionOf(ctx)
	if s == nil {
		return errNotPartitioned()
	}
	found, _, err := s.layer.Engine.Analyzer.Catalog.Table(ctx, db, name)
	if err != nil {
		return err
	}
	t, ok := sql.GetUnderlyingTable(found).(*Table)
	if !ok || t.def.def.Partitioning == nil {
		return errNotPartitioned()
	}
	if _, err := partition.Named(t.def.def, a); err != nil {
		return NewError(1507, "Error in list of partitions to %s.%s", db, name)
	}
	return nil
}

// selectParts puts the names behind PARTITION where the table is looked up.
func selectParts(n *ast.AliasedTableExpr) {
	if len(n.Partitions) == 0 {
		return
	}
	clause := lockClause{alone: true}
	if n.AsOf != nil {
		value, ok := n.AsOf.Time.(*ast.SQLVal)
		if !ok {
			return
		}
		if clause, ok = lockClauseOf(string(value.Val)); !ok {
			return
		}
	}
	for _, p := range n.Partitions {
		clause.parts = append(clause.parts, p.String())
	}
	n.AsOf, n.Partitions = &ast.AsOf{Time: ast.NewStrVal([]byte(clause.text()))}, nil
}

// selectParts makes the table read only the parts of these names; none: all.
func (t *Table) selectParts(names []string) (err error) {
	if len(names) > 0 {
		t.parts, err = partsNamed(t.def.def, names)
	}
	return err
}

// partsNamed returns the numbers of parts.
func partsNamed(def *catalog.Table, names []string) ([]int, error) {
	if def.Partitioning == nil {
		return nil, NewError(1747, "PARTITION () clause on non partitioned table")
	}
	parts := []int{}
	for _, name := range names {
		found := partition.Find(def.Partitioning, name)
		if found == nil {
			return nil, partition.Unknown(def, name)
		}
		parts = append(parts, found...)
	}
	slices.Sort(parts)
	return slices.Compact(parts), nil
}

// insertsInto are the parts that the running INSERT, REPLACE or LOAD DATA names; nil: any.
func (s *Session) insertsInto(ctx *sql.Context, t *Table) ([]int, error) {
	var names []sqlast.Ident
	var into sqlast.TableName
	switch n := s.runningTree(ctx).(type) {
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
	return partsNamed(t.def.def, texts)
}

// inParts refuses a row that does not stand in the parts that the statement names.
func (e *editor) inParts(h *table.Table, vals []row.Value) error {
	if e.t.parts == nil || h.Parts() == nil {
		return nil
	}
	n, err := h.PartOf(vals)
	if err != nil {
		return err
	}
	if !slices.Contains(e.t.parts, n) {
		return NewError(1748, "Found a row not matching the given partition set")
	}
	return nil
}

// eachPart calls add with what information_schema.PARTITIONS says of each part.
func (t *Table) eachPart(ctx *sql.Context, add func(map[string]any)) error {
	p := t.def.def.Partitioning
	return t.estimate(ctx, func(h *table.Table) error {
		for i, leaf := range p.Leaves() {
			part := &p.Parts[leaf.Part]
			row := map[string]any{"partition_name": part.Name, "partition_ordinal_position": uint32(leaf.Part + 1), "partition_method": partition.Method(&p.By),
				"partition_comment": part.Comment, "nodegroup": "default"}
			if x := partition.Expression(&p.By); x != "" {
				row["partition_expression"] = x
			}
			if d := partition.Description(p, part); d != "" {
				row["partition_description"] = d
			}
			if p.Sub != nil {
				sub := &part.Subs[leaf.SubPart]
				row["subpartition_name"], row["subpartition_ordinal_position"] = sub.Name, uint32(leaf.SubPart+1)
				row["subpartition_method"], row["partition_comment"] = partition.Method(p.Sub), sub.Comment
				if x := partition.Expression(p.Sub); x != "" {
					row["subpartition_expression"] = x
				}
			}
			if i < len(h.Parts()) {
				st, err := h.Parts()[i].Stats()
				if err != nil {
					return err
				}
				rows := uint64(st.Rows)
				row["table_rows"], row["data_length"], row["avg_row_length"] = rows, uint64(st.DataBytes), uint64(st.DataBytes)/max(rows, 1)
			}
			add(row)
		}
		return nil
	})
}

// readParts are the names of the parts that a plan may read, as EXPLAIN tells them; nil for other
// tables. Bounds of keys leave out more of them when the plan runs.
func (t *Table) readParts() any {
	p := t.def.def.Partitioning
	if p == nil {
		return nil
	}
	parts := t.parts
	if parts == nil {
		for i := range p.Leaves() {
			parts = append(parts, i)
		}
	}
	return partition.Names(p, parts)
}
