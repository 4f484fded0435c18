package sqllayer

// Foreign keys are declared in the child's definition. A key-value row for each, by the name of its parent, answers who references a table:
//
//	namespace "foreign_keys"   key: parent schema \0 parent table \0 child schema \0 child table \0 constraint   (names in lower case but the child's)
//
// syncReferences keeps the rows in step with definitions, in the same transaction. The checks are GMS's; they read and write through editors.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/engine/lock"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

const foreignKeySpace = "foreign_keys"

// reference is a foreign key seen from its parent.
type reference struct {
	child tableName
	name  string
}

func referenceKey(child *catalog.Table, fk *catalog.ForeignKey) string {
	return strings.Join([]string{strings.ToLower(fk.ParentSchema), strings.ToLower(fk.ParentTable), child.Schema, child.Name, fk.Name}, "\x00")
}

// references returns who references each table; names of parents are in lower case.
func (l *Layer) references(ctx context.Context, tx *txn.Trx) (map[tableName][]reference, error) {
	return cached(l, tx,
		func(c *dictCache) (map[tableName][]reference, bool) { return c.references, c.references != nil },
		func() (map[tableName][]reference, error) {
			all := make(map[tableName][]reference)
			err := l.eng.ListKV(ctx, tx, foreignKeySpace, func(k string, _ []byte) error {
				p := strings.Split(k, "\x00")
				if len(p) != 5 {
					return fmt.Errorf("foreign key index: malformed key %q", k)
				}
				parent := tableName{p[0], p[1]}
				all[parent] = append(all[parent], reference{tableName{p[2], p[3]}, p[4]})
				return nil
			})
			return all, err
		},
		func(c *dictCache, v map[tableName][]reference) { c.references = v })
}

// syncReferences makes the rows of a table's foreign keys fit its new definition; nil stands for none.
func (d *definer) syncReferences(ctx context.Context, old, new *catalog.Table) error {
	keys := func(def *catalog.Table) map[string]bool {
		m := make(map[string]bool)
		if def != nil {
			for i := range def.ForeignKeys {
				m[referenceKey(def, &def.ForeignKeys[i])] = true
			}
		}
		return m
	}
	before, after := keys(old), keys(new)
	for k := range before {
		if !after[k] {
			if err := d.eng.DeleteKV(ctx, d.tx, foreignKeySpace, k); err != nil {
				return err
			}
		}
	}
	for k := range after {
		if !before[k] {
			if err := d.eng.PutKV(ctx, d.tx, foreignKeySpace, k, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// dropSchemaReferences removes the rows of all foreign keys declared in a schema.
func (d *definer) dropSchemaReferences(ctx context.Context, schema string) error {
	all, err := d.l.references(ctx, d.tx)
	if err != nil {
		return err
	}
	for parent, list := range all {
		for _, r := range list {
			if r.child.schema != schema {
				continue
			}
			key := strings.Join([]string{parent.schema, parent.name, r.child.schema, r.child.name, r.name}, "\x00")
			if err := d.eng.DeleteKV(ctx, d.tx, foreignKeySpace, key); err != nil {
				return err
			}
		}
	}
	return nil
}

// constraint gives GMS's form of a foreign key.
func constraint(child *catalog.Table, fk *catalog.ForeignKey) sql.ForeignKeyConstraint {
	return sql.ForeignKeyConstraint{
		Name: fk.Name, Database: child.Schema, Table: child.Name, ParentDatabase: fk.ParentSchema, ParentTable: fk.ParentTable,
		OnUpdate: sql.ForeignKeyReferentialAction(fk.OnUpdate), OnDelete: sql.ForeignKeyReferentialAction(fk.OnDelete),
		Columns: slices.Clone(fk.Columns), ParentColumns: slices.Clone(fk.ParentColumns), IsResolved: fk.Resolved,
	}
}

// declared gives the catalog's form.
func declared(fk *sql.ForeignKeyConstraint) catalog.ForeignKey {
	return catalog.ForeignKey{
		Name: fk.Name, Columns: fk.Columns, ParentSchema: fk.ParentDatabase, ParentTable: fk.ParentTable, ParentColumns: fk.ParentColumns,
		OnUpdate: string(fk.OnUpdate), OnDelete: string(fk.OnDelete), Resolved: fk.IsResolved,
	}
}

// GetDeclaredForeignKeys implements sql.ForeignKeyTable.
func (t *Table) GetDeclaredForeignKeys(*sql.Context) ([]sql.ForeignKeyConstraint, error) {
	out := make([]sql.ForeignKeyConstraint, len(t.def.def.ForeignKeys))
	for i := range out {
		out[i] = constraint(t.def.def, &t.def.def.ForeignKeys[i])
	}
	slices.SortFunc(out, func(a, b sql.ForeignKeyConstraint) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// GetReferencedForeignKeys implements sql.ForeignKeyTable.
func (t *Table) GetReferencedForeignKeys(ctx *sql.Context) ([]sql.ForeignKeyConstraint, error) {
	if t.temporary {
		return nil, nil
	}
	s := t.s
	s.mu.Lock()
	defer s.mu.Unlock()
	all, err := t.db.layer.references(ctx, s.reader())
	if err != nil {
		return nil, s.note(err)
	}
	list := all[tableName{strings.ToLower(t.def.def.Schema), strings.ToLower(t.def.def.Name)}]
	if len(list) == 0 {
		return nil, nil
	}
	trx, err := s.active(ctx)
	if err != nil {
		return nil, err
	}
	var out []sql.ForeignKeyConstraint
	for _, r := range list {
		h, err := t.db.layer.eng.Table(ctx, trx, r.child.schema, r.child.name)
		if errors.Is(err, base.ErrNotFound) {
			continue // dropped since the list was read
		}
		if err != nil {
			return nil, s.note(err)
		}
		for i := range h.Def().ForeignKeys {
			if fk := &h.Def().ForeignKeys[i]; fk.Name == r.name {
				out = append(out, constraint(h.Def(), fk))
			}
		}
	}
	return out, nil
}

// AddForeignKey implements sql.ForeignKeyTable. The parent is locked, too: statements that run on it have planned without the constraint.
func (t *Table) AddForeignKey(ctx *sql.Context, fk sql.ForeignKeyConstraint) error {
	if fk.OnUpdate == sql.ForeignKeyReferentialAction_SetDefault || fk.OnDelete == sql.ForeignKeyReferentialAction_SetDefault {
		return sql.ErrForeignKeySetDefault.New()
	}
	return t.alter(ctx, func(d *definer, def *catalog.Table) error {
		if err := d.checkConstraintName(ctx, def.Schema, fk.Name); err != nil {
			return err
		}
		if parent, ok, err := d.l.spelling(ctx, d.tx, fk.ParentDatabase, fk.ParentTable); err != nil {
			return err
		} else if ok {
			if err := d.eng.LockMeta(d.s.patient(ctx), d.tx, fk.ParentDatabase, parent, lock.MetaExclusive); err != nil {
				return err
			}
		}
		def.ForeignKeys = append(def.ForeignKeys, declared(&fk))
		return nil
	})
}

// checkConstraintName: names of foreign keys are unique in a schema.
func (d *definer) checkConstraintName(ctx context.Context, schema, name string) error {
	all, err := d.l.references(ctx, d.tx)
	if err != nil {
		return err
	}
	for _, list := range all {
		for _, r := range list {
			if r.child.schema == schema && strings.EqualFold(r.name, name) {
				return sql.ErrForeignKeyDuplicateName.New(name)
			}
		}
	}
	return nil
}

// DropForeignKey implements sql.ForeignKeyTable.
func (t *Table) DropForeignKey(ctx *sql.Context, name, _, _ string) error {
	return t.alter(ctx, func(_ *definer, def *catalog.Table) error {
		n := len(def.ForeignKeys)
		def.ForeignKeys = slices.DeleteFunc(def.ForeignKeys, func(fk catalog.ForeignKey) bool { return strings.EqualFold(fk.Name, name) })
		if len(def.ForeignKeys) == n {
			return sql.ErrForeignKeyNotFound.New(name, t.Name())
		}
		return nil
	})
}

// UpdateForeignKey implements sql.ForeignKeyTable. In a rename GMS tells the new table name before the table has it; the name is the definition's.
func (t *Table) UpdateForeignKey(ctx *sql.Context, name string, fk sql.ForeignKeyConstraint) error {
	if to, ok := decodeRename(fk.ParentTable); ok {
		fk.ParentDatabase, fk.ParentTable = to.schema, to.name
	}
	return t.alter(ctx, func(d *definer, def *catalog.Table) error {
		if !strings.EqualFold(name, fk.Name) {
			if err := d.checkConstraintName(ctx, def.Schema, fk.Name); err != nil {
				return err
			}
		}
		for i := range def.ForeignKeys {
			if strings.EqualFold(def.ForeignKeys[i].Name, name) {
				def.ForeignKeys[i] = declared(&fk)
				return nil
			}
		}
		return sql.ErrForeignKeyNotFound.New(name, t.Name())
	})
}

// CreateIndexForForeignKey implements sql.ForeignKeyTable.
func (t *Table) CreateIndexForForeignKey(ctx *sql.Context, idx sql.IndexDef) error {
	return t.CreateIndex(ctx, idx)
}
