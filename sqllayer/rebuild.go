package sqllayer

import (
	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/sqllayer/tabledef"
)

// Rebuild writes the rows into a new table of the same definition: what deleted rows have left is gone.
func (t *Table) Rebuild(ctx *sql.Context) error {
	return t.rebuild(ctx, func(*catalog.Table) error { return nil }, nil)
}

// rebuild changes the definition and copies the rows itself; convert turns an old row into a new
// one.
func (t *Table) rebuild(ctx *sql.Context, change func(def *catalog.Table) error, convert func(vals []row.Value) []row.Value) error {
	w := newRewriter(ctx, t)
	return t.define(ctx, func(d *definer) error {
		old, err := d.current(ctx, t.Def.Def.Schema, t.Def.Def.Name)
		if err != nil {
			return err
		}
		def := copyOf(old)
		tabledef.RenewKeys(def)
		if err := change(def); err != nil {
			return err
		}
		place := places(old, def, "", "")
		if err := d.s.changesColumns(old, def, place); err != nil {
			return err
		}
		w.copies = tabledef.Repartitions(old.Partitioning, def.Partitioning)
		if err := w.begin(ctx, d, old, def, place); err != nil {
			return err
		}
		if err := w.copyRows(ctx, d, old, convert); err != nil {
			w.abort()
			return err
		}
		w.done, d.s.Stmt.rebuild = true, nil
		return w.finish(ctx)
	})
}
