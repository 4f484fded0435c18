package sqllayer

// Statements that tell of definitions, information_schema and SHOW CREATE TABLE among them, look at
// tables as they were committed last. They wait for no metadata lock and leave none behind: a
// transaction that has listed tables keeps nobody from changing them.

import (
	"context"
	"errors"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/table"
	"emberdb/internal/base"
)

type listingKey struct{}

// listing is the context of what lists tables: no temporary ones, and whatever LOCK TABLES says.
func listing(ctx *sql.Context) *sql.Context {
	return ctx.WithContext(context.WithValue(ctx.Context, listingKey{}, true))
}

func isListing(ctx *sql.Context) bool { return ctx.Value(listingKey{}) != nil }

// look returns a table object for its definition. Rows that are read of it after all are read under
// a metadata lock, see Table.open.
// REQUIRES: s.mu.
func (d *Database) look(ctx *sql.Context, s *Session, at tableName) (t *Table, err error) {
	err = d.layer.eng.Look(ctx, s.reader(), at.schema, at.name, func(h *table.Table) error {
		def, err := d.layer.tableDef(h.Def(), d.name)
		if err == nil {
			t = newTable(d, s, def, nil, nil)
			t.looked = true
		}
		return err
	})
	return t, err
}

// estimate calls fn with the engine's table; one that was only looked at may be gone by now, and
// has no estimates.
func (t *Table) estimate(ctx *sql.Context, fn func(h *table.Table) error) error {
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	if !t.looked {
		h, _, err := t.open(ctx)
		if err == nil {
			err = fn(h)
		}
		return t.s.note(err)
	}
	err := t.db.layer.eng.Look(ctx, t.s.reader(), t.def.def.Schema, t.def.def.Name, fn)
	if errors.Is(err, base.ErrNotFound) {
		return nil
	}
	return t.s.note(err)
}
