package sqllayer

// Foreign keys are declared in the child's definition. Two key-value rows for each answer who
// references a table, and whether a name is taken:
//
//	namespace "foreign_keys"        key: parent schema \0 parent table \0 child schema \0 child table \0 constraint   (names in lower case but the child's)
//	namespace "foreign_key_names"   key: child schema \0 constraint in lower case \0 child table;  value: the other row's key
//
// syncReferences keeps the rows in step with definitions, in the same transaction. The checks are
// GMS's; they read and write through editors.

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

const (
	foreignKeySpace     = "foreign_keys"
	foreignKeyNameSpace = "foreign_key_names"
)

// reference is a foreign key seen from its parent.
type reference struct {
	child tableName
	name  string
}

func referenceKey(child *catalog.Table, fk *catalog.ForeignKey) string {
	return strings.Join([]string{strings.ToLower(fk.ParentSchema), strings.ToLower(fk.ParentTable), child.Schema, child.Name, fk.Name}, "\x00")
}

func referenceNameKey(child *catalog.Table, fk *catalog.ForeignKey) string {
	return strings.Join([]string{child.Schema, strings.ToLower(fk.Name), child.Name}, "\x00")
}

// references returns who references a table.
func (l *Layer) references(ctx context.Context, tx *txn.Trx, parent *catalog.Table) ([]reference, error) {
	at := tableName{strings.ToLower(parent.Schema), strings.ToLower(parent.Name)}
	return cached(l, tx,
		func(c *dictCache) ([]reference, bool) { v, ok := c.references[at]; return v, ok },
		func() (list []reference, err error) {
			err = l.eng.ListKV(ctx, tx, foreignKeySpace, at.schema+"\x00"+at.name+"\x00", func(k string, _ []byte) error {
				p := strings.Split(k, "\x00")
				if len(p) != 5 {
					return fmt.Errorf("foreign key index: malformed key %q", k)
				}
				list = append(list, reference{tableName{p[2], p[3]}, p[4]})
				return nil
			})
			return list, err
		},
		func(c *dictCache, v []reference) {
			makeRoom(c.references)
			c.references[at] = v
		})
}

// syncReferences makes the rows of a table's foreign keys fit its new definition; nil stands for
// none.
func (d *definer) syncReferences(ctx context.Context, old, new *catalog.Table) error {
	keys := func(def *catalog.Table) map[string]string {
		m := make(map[string]string)
		if def != nil {
			for i := range def.ForeignKeys {
				m[referenceKey(def, &def.ForeignKeys[i])] = referenceNameKey(def, &def.ForeignKeys[i])
			}
		}
		return m
	}
	before, after := keys(old), keys(new)
	for k, name := range before {
		if _, stays := after[k]; !stays {
			if err := d.deleteReference(ctx, k, name); err != nil {
				return err
			}
		}
	}
	for k, name := range after {
		if _, was := before[k]; was {
			continue
		}
		if old != nil {
			if err := d.refusePartitioned(ctx, k); err != nil {
				return err
			}
		}
		if err := d.eng.PutKV(ctx, d.tx, foreignKeySpace, k, nil); err != nil {
			return err
		}
		if err := d.eng.PutKV(ctx, d.tx, foreignKeyNameSpace, name, []byte(k)); err != nil {
			return err
		}
	}
	return nil
}

// refusePartitioned refuses a new foreign key, by its key, whose parent is partitioned.
func (d *definer) refusePartitioned(ctx context.Context, key string) error {
	p := strings.Split(key, "\x00")
	spelled, ok, err := d.eng.Spelling(ctx, d.tx, p[0], p[1])
	if err != nil || !ok {
		return err
	}
	parent, err := d.current(ctx, p[0], spelled)
	if err == nil && parent.Partitioning != nil {
		err = errPartitionedKey()
	}
	return err
}

func errPartitionedKey() error {
	return NewError(1506, "Foreign keys are not yet supported in conjunction with partitioning")
}

func (d *definer) deleteReference(ctx context.Context, key, name string) error {
	if err := d.eng.DeleteKV(ctx, d.tx, foreignKeySpace, key); err != nil {
		return err
	}
	return d.eng.DeleteKV(ctx, d.tx, foreignKeyNameSpace, name)
}

// dropSchemaReferences removes the rows of all foreign keys declared in a schema.
func (d *definer) dropSchemaReferences(ctx context.Context, schema string) error {
	keys := make(map[string]string)
	err := d.eng.ListKV(ctx, d.tx, foreignKeyNameSpace, schema+"\x00", func(name string, key []byte) error {
		keys[name] = string(key)
		return nil
	})
	for name, key := range keys {
		if err == nil {
			err = d.deleteReference(ctx, key, name)
		}
	}
	return err
}

// constraint gives GMS's form of a foreign key. It counts as resolved, also when it was made before
// its parent or with foreign_key_checks off: GMS would resolve it in the first statement that meets
// it, by reading the whole child, which MySQL never does, and by a change of the definition, which
// would commit the statement's transaction.
func constraint(child *catalog.Table, fk *catalog.ForeignKey) sql.ForeignKeyConstraint {
	return sql.ForeignKeyConstraint{
		Name: fk.Name, Database: child.Schema, Table: child.Name, ParentDatabase: fk.ParentSchema, ParentTable: fk.ParentTable,
		OnUpdate: sql.ForeignKeyReferentialAction(fk.OnUpdate), OnDelete: sql.ForeignKeyReferentialAction(fk.OnDelete),
		Columns: slices.Clone(fk.Columns), ParentColumns: slices.Clone(fk.ParentColumns), IsResolved: true,
	}
}

// cascades tells whether a change of a parent may change rows of the table. Where all its keys only
// forbid, rows are looked for under shared locks.
func (d *tableDef) cascades() bool {
	return slices.ContainsFunc(d.def.ForeignKeys, func(fk catalog.ForeignKey) bool {
		return !sql.ForeignKeyReferentialAction(fk.OnDelete).IsEquivalentToRestrict() || !sql.ForeignKeyReferentialAction(fk.OnUpdate).IsEquivalentToRestrict()
	})
}

// declared gives the catalog's form.
func declared(fk *sql.ForeignKeyConstraint) catalog.ForeignKey {
	return catalog.ForeignKey{
		Name: fk.Name, Columns: fk.Columns, ParentSchema: fk.ParentDatabase, ParentTable: fk.ParentTable, ParentColumns: fk.ParentColumns,
		OnUpdate: string(fk.OnUpdate), OnDelete: string(fk.OnDelete),
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
	list, err := t.db.layer.references(ctx, s.reader(), t.def.def)
	if err != nil || len(list) == 0 {
		return nil, s.note(err)
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

// AddForeignKey implements sql.ForeignKeyTable. The parent is locked, too: statements that run on
// it have planned without the constraint.
func (t *Table) AddForeignKey(ctx *sql.Context, fk sql.ForeignKeyConstraint) error {
	if fk.OnUpdate == sql.ForeignKeyReferentialAction_SetDefault || fk.OnDelete == sql.ForeignKeyReferentialAction_SetDefault {
		return sql.ErrForeignKeySetDefault.New()
	}
	return t.alter(ctx, func(d *definer, def *catalog.Table) error {
		if err := d.checkConstraintName(ctx, def.Schema, fk.Name); err != nil {
			return err
		}
		if parent, ok, err := d.eng.Spelling(ctx, d.tx, fk.ParentDatabase, fk.ParentTable); err != nil {
			return err
		} else if ok {
			if err := d.eng.LockMeta(d.s.Patient(ctx), d.tx, fk.ParentDatabase, parent, lock.MetaExclusive); err != nil {
				return err
			}
		}
		def.ForeignKeys = append(def.ForeignKeys, declared(&fk))
		return nil
	})
}

// checkConstraintName: names of foreign keys are unique in a schema.
func (d *definer) checkConstraintName(ctx context.Context, schema, name string) error {
	return d.eng.ListKV(ctx, d.tx, foreignKeyNameSpace, schema+"\x00"+strings.ToLower(name)+"\x00", func(string, []byte) error {
		return sql.ErrForeignKeyDuplicateName.New(name)
	})
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

// UpdateForeignKey implements sql.ForeignKeyTable. In a rename GMS tells the new table name before
// the table has it; the name is the definition's.
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

// unreferenced refuses to drop a column that children reference.
func (t *Table) unreferenced(ctx *sql.Context, column string) error {
	keys, err := t.GetReferencedForeignKeys(ctx)
	for _, fk := range keys {
		if slices.ContainsFunc(fk.ParentColumns, func(c string) bool { return strings.EqualFold(c, column) }) {
			return NewError(1829, "Cannot drop column '%s': needed in a foreign key constraint '%s' of table '%s'", column, fk.Name, fk.Table)
		}
	}
	return err
}

// primaryUnreferenced refuses to drop a primary key that children reference, unless another key
// begins with the same column.
func (t *Table) primaryUnreferenced(ctx *sql.Context) error {
	keys, err := t.GetReferencedForeignKeys(ctx)
	def := t.def.def
	first := def.Indexes[0].Parts[0].Column
	another := slices.ContainsFunc(def.Indexes[1:], func(x *catalog.Index) bool { return len(x.Parts) > 0 && x.Parts[0].Column == first })
	for _, fk := range keys {
		if !another && len(fk.ParentColumns) > 0 && strings.EqualFold(fk.ParentColumns[0], def.Columns[first].Name) {
			return NewError(erFKDropIndex, "Cannot drop index 'PRIMARY': needed in a foreign key constraint")
		}
	}
	return err
}
