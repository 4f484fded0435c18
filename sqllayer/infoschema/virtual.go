package infoschema

import (
	"fmt"
	"io"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"emberdb/sqllayer"
	"emberdb/sqllayer/memory"
	"emberdb/sqllayer/tabledef"
)

// VirtualTable is a table whose rows are made when they are read.
type VirtualTable struct {
	name   string
	schema sql.Schema
	rows   func(ctx *sql.Context) ([]sql.Row, error)

	CreateText string // what SHOW CREATE TABLE shows; empty: what the columns tell
}

// NewVirtualTable makes the table.
func NewVirtualTable(name string, schema sql.Schema, rows func(ctx *sql.Context) ([]sql.Row, error)) *VirtualTable {
	return &VirtualTable{name: name, schema: schema, rows: rows}
}

var _ sql.Table = (*VirtualTable)(nil)

// Name implements sql.Table.
func (t *VirtualTable) Name() string { return t.name }

// String implements sql.Table.
func (t *VirtualTable) String() string { return t.name }

// Schema implements sql.Table.
func (t *VirtualTable) Schema(*sql.Context) sql.Schema { return t.schema }

// Collation implements sql.Table.
func (t *VirtualTable) Collation() sql.CollationID { return sql.Collation_Information_Schema_Default }

// IsTemporary implements sql.TemporaryTable.
func (t *VirtualTable) IsTemporary() bool { return false }

// Partitions implements sql.Table.
func (t *VirtualTable) Partitions(*sql.Context) (sql.PartitionIter, error) {
	return sql.PartitionsToPartitionIter(wholeTable{}), nil
}

// PartitionRows implements sql.Table.
func (t *VirtualTable) PartitionRows(*sql.Context, sql.Partition) (sql.RowIter, error) {
	return &virtualRows{t: t}, nil
}

// UpdatableVirtual is a VirtualTable whose rows UPDATE changes.
type UpdatableVirtual struct {
	*VirtualTable
	change RowChange
}

// RowChange changes a row of a virtual table: old is nil for a new row, changed for one that is
// deleted. What it did is the transaction's to take back.
type RowChange func(ctx *sql.Context, old, changed sql.Row) error

// Updatable makes a table of which UPDATE changes rows through change.
func (t *VirtualTable) Updatable(change RowChange) *UpdatableVirtual {
	return &UpdatableVirtual{t, change}
}

var _ sql.UpdatableTable = (*UpdatableVirtual)(nil)

// Updater implements sql.UpdatableTable.
func (t *UpdatableVirtual) Updater(*sql.Context) sql.RowUpdater { return virtualEditor{t.change} }

// EditableVirtual is a VirtualTable whose rows all statements change.
type EditableVirtual struct{ *UpdatableVirtual }

// Editable makes a table whose rows statements change through change.
func (t *VirtualTable) Editable(change RowChange) EditableVirtual {
	return EditableVirtual{t.Updatable(change)}
}

var (
	_ sql.InsertableTable  = EditableVirtual{}
	_ sql.ReplaceableTable = EditableVirtual{}
	_ sql.DeletableTable   = EditableVirtual{}
	_ sql.PrimaryKeyTable  = EditableVirtual{}
)

// Inserter implements sql.InsertableTable.
func (t EditableVirtual) Inserter(*sql.Context) sql.RowInserter { return t.edit() }

// Replacer implements sql.ReplaceableTable.
func (t EditableVirtual) Replacer(*sql.Context) sql.RowReplacer { return t.edit() }

// Deleter implements sql.DeletableTable.
func (t EditableVirtual) Deleter(*sql.Context) sql.RowDeleter { return t.edit() }

// Updater implements sql.UpdatableTable.
func (t EditableVirtual) Updater(*sql.Context) sql.RowUpdater { return t.edit() }

func (t EditableVirtual) edit() *systemEditor {
	return &systemEditor{virtualEditor: virtualEditor{t.change}}
}

// PrimaryKeySchema implements sql.PrimaryKeyTable.
func (t EditableVirtual) PrimaryKeySchema(*sql.Context) sql.PrimaryKeySchema {
	return sql.NewPrimaryKeySchema(t.schema)
}

// virtualEditor changes row by row.
type virtualEditor struct{ change RowChange }

func (virtualEditor) StatementBegin(*sql.Context)              {}
func (virtualEditor) DiscardChanges(*sql.Context, error) error { return nil }
func (virtualEditor) StatementComplete(*sql.Context) error     { return nil }
func (virtualEditor) Close(*sql.Context) error                 { return nil }

func (e virtualEditor) Update(ctx *sql.Context, old, changed sql.Row) error {
	return e.change(ctx, old, changed)
}

type wholeTable struct{}

// Key implements sql.Partition.
func (wholeTable) Key() []byte { return []byte("all") }

// virtualRows makes the rows at its first Next: an iterator may be opened and dropped.
type virtualRows struct {
	t    *VirtualTable
	made bool
	rows []sql.Row
	kept memory.Kept
}

// Next implements sql.RowIter.
func (r *virtualRows) Next(ctx *sql.Context) (sql.Row, error) {
	if !r.made {
		rows, err := r.t.rows(ctx)
		if err != nil {
			return nil, err
		}
		r.made, r.rows, r.kept = true, rows, memory.Keep(ctx)
		for _, row := range rows {
			if err := r.kept.Add(memory.RowSize(row)); err != nil {
				return nil, err
			}
		}
	}
	if len(r.rows) == 0 {
		return nil, io.EOF
	}
	row := r.rows[0]
	r.rows = r.rows[1:]
	return row, nil
}

// Close implements sql.RowIter.
func (r *virtualRows) Close(*sql.Context) error {
	r.kept.Release()
	return nil
}

// RowByName makes a row of values by column name in lower case; a column not given is NULL, or zero
// if it must not be.
func RowByName(ctx *sql.Context, schema sql.Schema, values map[string]any) (sql.Row, error) {
	r := make(sql.Row, len(schema))
	for i, c := range schema {
		v, given := values[strings.ToLower(c.Name)]
		switch {
		case given && v != nil:
			converted, _, err := c.Type.Convert(ctx, v)
			if err != nil {
				return nil, fmt.Errorf("%s.%s: %w", c.Source, c.Name, err)
			}
			r[i] = converted
		case !c.Nullable:
			r[i] = c.Type.Zero()
		}
	}
	return r, nil
}

// VirtualTableOf is the virtual table of a node, nil if it is none.
func VirtualTableOf(n sql.Node) *VirtualTable {
	r, ok := n.(*plan.ResolvedTable)
	if !ok {
		return nil
	}
	return virtualOf(sql.GetUnderlyingTable(r.UnderlyingTable()))
}

func virtualOf(t sql.Table) *VirtualTable {
	switch t := t.(type) {
	case *VirtualTable:
		return t
	case *UpdatableVirtual:
		return t.VirtualTable
	case EditableVirtual:
		return t.VirtualTable
	}
	return nil
}

// ListedDefault is a column's default in lists of columns: like ShownDefault, the text of an expression escaped.
func ListedDefault(ctx *sql.Context, d *tabledef.TableDef, i int) *string {
	v, literal := tabledef.ShownDefault(ctx, d, i)
	if v != nil && !literal {
		text := tabledef.QuoteEscaped.Replace(*v)
		return &text
	}
	return v
}

// OnlyTable is the table of the engine that stands below a node which reads no other; nil if there
// is none.
func OnlyTable(n sql.Node) (found *sqllayer.Table) {
	tables := 0
	transform.Inspect(n, func(n sql.Node) bool {
		t, ok := n.(sql.TableNode)
		if ok {
			tables++
			found, _ = sql.GetUnderlyingTable(t.UnderlyingTable()).(*sqllayer.Table)
		}
		return !ok
	})
	if tables != 1 {
		return nil
	}
	return found
}
