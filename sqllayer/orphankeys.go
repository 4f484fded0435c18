package sqllayer

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/sqllayer/tabledef"
)

// Foreign keys whose parent is not there, as they are made without foreign_key_checks. GMS runs no
// statement on such a table. So it plans without these keys, and the editor takes no row that would
// need a parent: none of the columns is NULL.

// orphanKey is such a key.
type orphanKey struct {
	*catalog.ForeignKey
	columns []int
}

// ChangesRows notes that the plan is one of a change of rows, for which tables have the keys alone
// whose parents are there, or of definitions.
func (s *Session) ChangesRows(yes bool) {
	s.Mu.Lock()
	s.Stmt.parented = yes
	s.Mu.Unlock()
}

func (s *Session) plansChange() bool {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.Stmt.parented
}

// orphans are the keys of t that rows are checked for.
func (t *Table) orphans(ctx *sql.Context) ([]orphanKey, error) {
	if t.S == nil || t.Temporary || len(t.Def.Def.ForeignKeys) == 0 || !t.S.flag("foreign_key_checks") {
		return nil, nil
	}
	t.S.Mu.Lock()
	defer t.S.Mu.Unlock()
	var out []orphanKey
	for i := range t.Def.Def.ForeignKeys {
		fk := &t.Def.Def.ForeignKeys[i]
		_, there, err := t.Db.Layer.Eng.Spelling(ctx, t.S.reader(), fk.ParentSchema, fk.ParentTable)
		if err != nil {
			return nil, t.S.Note(err)
		}
		if there {
			continue
		}
		if err := t.S.checkLocked(tabledef.TableName{Schema: fk.ParentSchema, Name: fk.ParentTable}); err != nil {
			return nil, err
		}
		k := orphanKey{ForeignKey: fk}
		for _, name := range fk.Columns {
			k.columns = append(k.columns, t.Def.Find(name))
		}
		out = append(out, k)
	}
	return out, nil
}

// withParents leaves out the keys whose parents are not there.
func (t *Table) withParents(ctx *sql.Context, keys []sql.ForeignKeyConstraint) ([]sql.ForeignKeyConstraint, error) {
	orphans, err := t.orphans(ctx)
	return slices.DeleteFunc(keys, func(fk sql.ForeignKeyConstraint) bool {
		return slices.ContainsFunc(orphans, func(o orphanKey) bool { return strings.EqualFold(o.Name, fk.Name) })
	}), err
}

// Orphaned tells whether rows are checked for keys without parents.
func (e *Editor) Orphaned() bool { return len(e.orphans) > 0 }

// needsParent refuses a new row that needs a parent that is not there, also if an UPDATE leaves the
// key as it is.
func (e *Editor) needsParent(new []row.Value) error {
	for _, k := range e.orphans {
		if !slices.ContainsFunc(k.columns, func(i int) bool { return new[i].IsNull() }) {
			return sql.ErrForeignKeyChildViolation.New(k.Name, e.T.Name(), k.ParentTable, "")
		}
	}
	return nil
}
