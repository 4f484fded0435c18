package engine

import (
	"context"
	"errors"
	"fmt"

	"emberdb/engine/catalog"
	"emberdb/engine/dict"
	"emberdb/engine/lock"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// Definitions of partitioned tables: see catalog.Partitioning. A change of the table's definition
// writes that of every part, in the same transaction and before that of the table, which is then
// bound to the parts as they are.

// SetPlacer gives partitioned tables what tells the parts of their rows. It is called before the
// first statement.
func (e *Engine) SetPlacer(fn func(def *catalog.Table) (table.Placer, error)) { e.rows.SetPlacer(fn) }

// createParts makes the storage of all parts of a new table.
func (e *Engine) createParts(ctx context.Context, tx *txn.Trx, def *catalog.Table) ([]*catalog.Table, error) {
	var parts []*catalog.Table
	for _, leaf := range def.Partitioning.Leaves() {
		part := def.PartOf(leaf.Name, nil)
		if err := e.createStorage(ctx, tx, part); err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return parts, nil
}

// putParts writes the definitions of parts that have none yet, or one of the same name.
func (e *Engine) putParts(ctx context.Context, tx *txn.Trx, parts []*catalog.Table) error {
	for _, part := range parts {
		if _, err := e.dict.PutTable(ctx, tx, nil, part); err != nil {
			return err
		}
	}
	return nil
}

// adaptParts makes the parts of old those of new, with the storage that they have. The indexes of
// new are indexes of old.
func (e *Engine) adaptParts(ctx context.Context, tx *txn.Trx, old, new *catalog.Table) error {
	parts, err := e.dict.Parts(ctx, tx, old)
	if err != nil {
		return err
	}
	leaves := old.Partitioning.Leaves()
	for i, was := range parts {
		storage := *was
		storage.Indexes = nil
		for _, idx := range new.Indexes {
			at := indexAt(old, idx.ID)
			if at < 0 {
				return fmt.Errorf("index %s of %s.%s: %w", idx.Name, old.Schema, old.Name, base.ErrNotFound)
			}
			storage.Indexes = append(storage.Indexes, was.Indexes[at])
		}
		if _, err := e.dict.PutTable(ctx, tx, was, new.PartOf(leaves[i].Name, &storage)); err != nil {
			return err
		}
	}
	return nil
}

func indexAt(def *catalog.Table, id base.IndexID) int {
	for i, idx := range def.Indexes {
		if idx.ID == id {
			return i
		}
	}
	return -1
}

// retireTree notes that the tree of an index goes with tx, in the table and in all parts.
func (e *Engine) retireTree(ctx context.Context, tx *txn.Trx, def *catalog.Table, at int) error {
	parts, err := e.dict.Parts(ctx, tx, def)
	if err != nil {
		return err
	}
	for _, t := range append(parts, def) {
		if err := e.dict.Retire(ctx, tx, dict.Remains{Space: t.Space, Index: t.Indexes[at].ID}); err != nil {
			return err
		}
	}
	return nil
}

// exclusively returns the definition of a partitioned table, its exclusive metadata lock held.
func (e *Engine) exclusively(ctx context.Context, tx *txn.Trx, schema, name string) (*table.Table, error) {
	if err := e.LockMeta(ctx, tx, schema, name, lock.MetaExclusive); err != nil {
		return nil, err
	}
	return e.dict.Table(ctx, tx, schema, name)
}

// AlterParts gives a table another partitioning whose parts of known names stay as they are: others
// come in empty, and those that are not named go with their rows.
func (e *Engine) AlterParts(ctx context.Context, tx *txn.Trx, schema, name string, to *catalog.Partitioning) error {
	t, err := e.exclusively(ctx, tx, schema, name)
	if err != nil {
		return err
	}
	old, parts := t.Def(), map[string]*catalog.Table{}
	for _, p := range t.Parts() {
		parts[p.Def().Name] = p.Def()
	}
	def := copyDef(old)
	def.Partitioning = to
	for _, leaf := range to.Leaves() {
		at := catalog.PartName(name, leaf.Name)
		if was := parts[at]; was != nil {
			delete(parts, at)
			continue
		}
		part := def.PartOf(leaf.Name, nil)
		part.Rewritten = 0
		if err := e.createStorage(ctx, tx, part); err != nil {
			return err
		}
		if err := e.putParts(ctx, tx, []*catalog.Table{part}); err != nil {
			return err
		}
	}
	for _, gone := range parts {
		if err := e.dict.DeleteTable(ctx, tx, gone); err != nil {
			return err
		}
	}
	if len(parts) > 0 { // a view from before does not see the table without them
		if def.Rewritten, err = tx.EnsureID(); err != nil {
			return err
		}
	}
	_, err = e.dict.PutTable(ctx, tx, old, def)
	return err
}

// TruncateParts empties the parts of these names by giving them new storage.
func (e *Engine) TruncateParts(ctx context.Context, tx *txn.Trx, schema, name string, leaves []string) error {
	t, err := e.exclusively(ctx, tx, schema, name)
	if err != nil {
		return err
	}
	for _, leaf := range leaves {
		for _, p := range t.Parts() {
			if p.Def().Name != catalog.PartName(name, leaf) {
				continue
			}
			if err := e.renew(ctx, tx, p.Def()); err != nil {
				return err
			}
		}
	}
	_, err = e.dict.PutTable(ctx, tx, t.Def(), copyDef(t.Def()))
	return err
}

// renew gives the table with that definition new storage, empty, and puts it in the dictionary.
func (e *Engine) renew(ctx context.Context, tx *txn.Trx, old *catalog.Table) (err error) {
	def := copyDef(old)
	if def.Rewritten, err = tx.EnsureID(); err != nil {
		return err
	}
	if err := e.createStorage(ctx, tx, def); err != nil {
		return err
	}
	if err := e.dict.Retire(ctx, tx, dict.Remains{Space: old.Space}); err != nil {
		return err
	}
	_, err = e.dict.PutTable(ctx, tx, old, def)
	return err
}

// ExchangePart swaps the storage of a part with that of a table without partitions. Both have the
// same columns and indexes, in the same order. The AUTO_INCREMENT counters rise to the greater of
// the two.
func (e *Engine) ExchangePart(ctx context.Context, tx *txn.Trx, schema, name, leaf, withSchema, withName string) error {
	t, err := e.exclusively(ctx, tx, schema, name)
	if err != nil {
		return err
	}
	other, err := e.exclusively(ctx, tx, withSchema, withName)
	if err != nil {
		return err
	}
	var part *catalog.Table
	for _, p := range t.Parts() {
		if p.Def().Name == catalog.PartName(name, leaf) {
			part = p.Def()
		}
	}
	if part == nil || other.Parts() != nil || len(part.Indexes) != len(other.Def().Indexes) {
		return fmt.Errorf("partition %s of %s.%s: %w", leaf, schema, name, base.ErrNotFound)
	}
	def, with := t.Def().PartOf(leaf, other.Def()), copyDef(other.Def())
	with.ID, with.Space = part.ID, part.Space
	with.TakeMissing(part)
	for i, idx := range part.Indexes {
		with.Indexes[i].ID, with.Indexes[i].Root = idx.ID, idx.Root
	}
	id, err := tx.EnsureID()
	if err != nil {
		return err
	}
	def.Rewritten, with.Rewritten = id, id
	if err := e.dict.Swap(ctx, tx, [2]*catalog.Table{part, other.Def()}, [2]*catalog.Table{def, with}); err != nil {
		return err
	}
	now, err := e.dict.PutTable(ctx, tx, t.Def(), copyDef(t.Def()))
	if err != nil || t.Def().AutoInc < 0 {
		return err
	}
	return e.shareAutoInc(ctx, tx, now, t, other, withSchema, withName)
}

// shareAutoInc raises the counters of two tables that have exchanged rows.
func (e *Engine) shareAutoInc(ctx context.Context, tx *txn.Trx, now, was, other *table.Table, schema, name string) error {
	a, errA := was.PeekAutoInc()
	b, errB := other.PeekAutoInc()
	if err := errors.Join(errA, errB); err != nil {
		return err
	}
	with, err := e.dict.Table(ctx, tx, schema, name)
	if err != nil {
		return err
	}
	return errors.Join(now.SetAutoInc(max(a, b)), with.SetAutoInc(max(a, b)))
}
