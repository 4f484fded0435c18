package run

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
)

// REPLACE of rows that others refer to. A row that is in the way is deleted: rows that refer to it
// are asked, go with it or become NULL, as their keys say. They are let alone if the new row has
// what they refer to, as in MySQL from 9.6 on.

// keepReferring has a REPLACE ask nobody who may stay.
func keepReferring(n *plan.InsertInto) {
	if !n.IsReplace {
		return
	}
	switch to := n.Destination.(type) {
	case *plan.ForeignKeyHandler:
		n.Destination = &keepingTable{to}
	case *plan.InsertDestination:
		if h, ok := to.Child.(*plan.ForeignKeyHandler); ok {
			below := *to
			below.Child = &keepingTable{h}
			n.Destination = &below
		}
	}
}

// keepingTable is a table with foreign keys that rows are replaced in.
type keepingTable struct{ *plan.ForeignKeyHandler }

// Replacer implements sql.ReplaceableTable.
func (t *keepingTable) Replacer(*sql.Context) sql.RowReplacer {
	return &keepingReplacer{ForeignKeyHandler: t.ForeignKeyHandler}
}

// keepingReplacer replaces rows: a row that it could not insert is the one that deletions make place for.
type keepingReplacer struct {
	*plan.ForeignKeyHandler
	row sql.Row
}

// Insert implements sql.RowInserter.
func (r *keepingReplacer) Insert(ctx *sql.Context, row sql.Row) error {
	r.row = row
	return r.ForeignKeyHandler.Insert(ctx, row)
}

// Delete implements sql.RowDeleter.
func (r *keepingReplacer) Delete(ctx *sql.Context, row sql.Row) error {
	editor := *r.Editor
	editor.RefActions = nil
	for _, ref := range r.Editor.RefActions {
		if stays, err := r.stays(ctx, ref.ForeignKey.ParentColumns, row); err != nil {
			return err
		} else if !stays {
			editor.RefActions = append(editor.RefActions, ref)
		}
	}
	return editor.Delete(ctx, row, 1)
}

// stays tells whether the new row has the values that a row has in some columns.
func (r *keepingReplacer) stays(ctx *sql.Context, columns []string, row sql.Row) (bool, error) {
	schema := r.Schema(ctx)
	for _, name := range columns {
		at := slices.IndexFunc(schema, func(c *sql.Column) bool { return strings.EqualFold(c.Name, name) })
		if at < 0 {
			return false, nil
		}
		if old, text := row[at].(string); text { // the same to the last byte
			if old != r.row[at] {
				return false, nil
			}
		} else if n, err := schema[at].Type.Compare(ctx, row[at], r.row[at]); err != nil || n != 0 {
			return false, err
		}
	}
	return true, nil
}
