package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"emberdb/engine/btree"
	"emberdb/engine/catalog"
	"emberdb/engine/dict"
	"emberdb/engine/lock"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// AddIndex builds a secondary index while others go on reading and writing the table:
//
//  1. exclusive lock, which waits for every transaction that has used the table: none has
//     unfinished changes in it now; the definition with the new index is published, so from here on
//     every writer maintains it, and so do rollback and purge, which hold no metadata lock, once
//     those who still work with the old one have left
//  2. upgradable lock: others work; the rows that were there before are added in key order
//     (table.BuildIndex)
//  3. exclusive lock; keys of a unique index that two rows may have had are decided; the definition
//     is written. Commit makes it last; a crash or rollback frees the tree through the DDL log.
//
// *table.DuplicateError when the index is unique and two rows are equal. A partitioned table gets
// its indexes by a Rebuild.
func (e *Engine) AddIndex(ctx context.Context, tx *txn.Trx, schema, name string, idx *catalog.Index) (err error) {
	if err := e.LockMeta(ctx, tx, schema, name, lock.MetaUpgradable); err != nil {
		return err
	}
	exclusive := func(ctx context.Context) error {
		return e.locks.LockMeta(ctx, &tx.Owner, lock.MetaName(schema, name), lock.MetaExclusive, lock.Statement, metaWait(ctx))
	}
	if err := exclusive(ctx); err != nil {
		return err
	}
	old, err := e.dict.Table(ctx, tx, schema, name)
	if err != nil {
		return err
	}
	defer func() { err = table.Full(old.Def(), err) }()
	if old.Parts() != nil {
		return fmt.Errorf("index %s of the partitioned table %s.%s: %w", idx.Name, schema, name, base.ErrExists)
	}
	if err := e.createTree(ctx, tx, old.Def().Space, idx); err != nil {
		return err
	}
	def := copyDef(old.Def())
	def.Indexes = append(def.Indexes, idx)
	building, restore := e.dict.Bind(def), func() {}
	if !e.dict.Pending(tx, schema, name) { // else nobody else may see the table before tx has committed
		shown := copyDef(def)
		shown.Indexes[len(shown.Indexes)-1].Building = true
		building, restore = e.dict.Publish(shown)
		e.locks.UnlockMeta(&tx.Owner, lock.MetaName(schema, name), lock.Statement)
		e.dict.Barrier()
	}

	err = building.BuildIndex(ctx, tx, idx, e.o.FS, filepath.Join(e.o.DataDir, tmpDir))
	if err == nil {
		err = exclusive(ctx)
	}
	if err == nil {
		e.dict.Barrier() // a background rollback that the build has crossed puts its entries right before the index can outlive a crash
		err = building.CheckDoubtful(tx, idx)
	}
	if err == nil {
		_, err = e.dict.PutTable(ctx, tx, old.Def(), def)
	}
	if err != nil {
		if lockErr := exclusive(context.WithoutCancel(ctx)); lockErr != nil {
			return errors.Join(err, lockErr)
		}
		restore()
	}
	return err
}

// tmpDir holds the sort runs of index builds.
const tmpDir = "tmp"

// createTree makes an empty tree for idx in a space that exists and has it removed unless tx
// commits.
func (e *Engine) createTree(ctx context.Context, tx *txn.Trx, s base.SpaceID, idx *catalog.Index) error {
	id, err := e.dict.NewID()
	if err != nil {
		return err
	}
	idx.ID = base.IndexID(id)
	if !e.dict.Makes(tx, s) { // else the tree goes with its space
		if err := e.dict.Announce(ctx, tx, dict.Remains{Space: s, Index: idx.ID}); err != nil {
			return err
		}
	}
	roots, err := btree.Create(e.pool, s, idx.ID)
	if err == nil {
		idx.Root = roots[0]
	}
	return err
}

// DropIndex removes a secondary index; its pages are freed when tx has committed. base.ErrNotFound.
func (e *Engine) DropIndex(ctx context.Context, tx *txn.Trx, schema, name, index string) error {
	if err := e.LockMeta(ctx, tx, schema, name, lock.MetaExclusive); err != nil {
		return err
	}
	t, err := e.dict.Table(ctx, tx, schema, name)
	if err != nil {
		return err
	}
	def := copyDef(t.Def())
	def.Indexes = nil
	for at, idx := range t.Def().Indexes {
		if idx.Name != index || idx.Clustered {
			def.Indexes = append(def.Indexes, idx)
			continue
		}
		if err := e.retireTree(ctx, tx, t.Def(), at); err != nil {
			return err
		}
	}
	if len(def.Indexes) == len(t.Def().Indexes) {
		return fmt.Errorf("index %s of %s.%s: %w", index, schema, name, base.ErrNotFound)
	}
	if err := e.adaptParts(ctx, tx, t.Def(), def); err != nil {
		return err
	}
	_, err = e.dict.PutTable(ctx, tx, t.Def(), def)
	return err
}
