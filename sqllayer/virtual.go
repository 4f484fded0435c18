package sqllayer

import (
	"fmt"
	"io"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
)

// VirtualTable is a read-only table whose rows are made when they are read.
type VirtualTable struct {
	name   string
	schema sql.Schema
	rows   func(ctx *sql.Context) ([]sql.Row, error)
}

// NewVirtualTable makes the table.
func NewVirtualTable(name string, schema sql.Schema, rows func(ctx *sql.Context) ([]sql.Row, error)) *VirtualTable {
	return &VirtualTable{name, schema, rows}
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
	update func(ctx *sql.Context, old, changed sql.Row) error
}

// Updatable makes a table of which UPDATE changes rows through update.
func (t *VirtualTable) Updatable(update func(ctx *sql.Context, old, changed sql.Row) error) *UpdatableVirtual {
	return &UpdatableVirtual{t, update}
}

var _ sql.UpdatableTable = (*UpdatableVirtual)(nil)

// Updater implements sql.UpdatableTable.
func (t *UpdatableVirtual) Updater(*sql.Context) sql.RowUpdater { return virtualUpdater{t} }

// virtualUpdater changes row by row: there is nothing to take back.
type virtualUpdater struct{ t *UpdatableVirtual }

func (virtualUpdater) StatementBegin(*sql.Context)              {}
func (virtualUpdater) DiscardChanges(*sql.Context, error) error { return nil }
func (virtualUpdater) StatementComplete(*sql.Context) error     { return nil }
func (virtualUpdater) Close(*sql.Context) error                 { return nil }
func (u virtualUpdater) Update(ctx *sql.Context, old, new sql.Row) error {
	return u.t.update(ctx, old, new)
}

type wholeTable struct{}

// Key implements sql.Partition.
func (wholeTable) Key() []byte { return []byte("all") }

// virtualRows makes the rows at its first Next: an iterator may be opened and dropped.
type virtualRows struct {
	t    *VirtualTable
	made bool
	rows []sql.Row
	kept kept
}

// Next implements sql.RowIter.
func (r *virtualRows) Next(ctx *sql.Context) (sql.Row, error) {
	if !r.made {
		rows, err := r.t.rows(ctx)
		if err != nil {
			return nil, err
		}
		r.made, r.rows, r.kept = true, rows, keep(ctx)
		for _, row := range rows {
			if err := r.kept.add(rowSize(row)); err != nil {
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
