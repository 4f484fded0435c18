package sqllayer

// Foreign keys of statements that run straight on the engine.

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/engine/table"
)

// Alike tells whether two descriptions of one definition say the same.
func (t *DirectTable) Alike(u *DirectTable) bool {
	return t.Watched == u.Watched && t.triggers.equal(u.triggers) && slices.Equal(t.references, u.references) && slices.Equal(t.Referenced, u.Referenced)
}

// refer adds the columns that a foreign key of a child refers to. No metadata lock is taken, so the
// child may not be known.
func (t *DirectTable) refer(child *catalog.Table, name string) {
	if child != nil {
		for i := range child.ForeignKeys {
			if fk := &child.ForeignKeys[i]; fk.Name == name {
				for _, col := range fk.ParentColumns {
					t.Referenced = append(t.Referenced, t.def.find(col))
				}
				return
			}
		}
	}
	for i := range t.Def.Columns {
		t.Referenced = append(t.Referenced, i)
	}
}

// OpenParentDirect opens a table whose rows are looked for because of a foreign key; ok is false
// under LOCK TABLES.
// REQUIRES: after OpenDirect.
func (s *Session) OpenParentDirect(ctx *sql.Context, schema, name string) (h *table.Table, ok bool, err error) {
	if s.locked != nil {
		return nil, false, nil
	}
	h, err = s.layer.eng.Table(ctx, s.trx, schema, name)
	return h, true, err
}

// ForeignKeyChecksDirect is foreign_key_checks.
func (s *Session) ForeignKeyChecksDirect() bool { return s.settings().references }
