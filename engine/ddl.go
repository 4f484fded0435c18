package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"emberdb/engine/btree"
	"emberdb/engine/catalog"
	"emberdb/engine/dict"
	"emberdb/engine/lock"
	"emberdb/engine/space"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// BeginDDL starts a transaction for definition changes. It ends with Commit or Rollback like any
// other; a crash in between undoes all of it.
func (e *Engine) BeginDDL() *txn.Trx {
	tx := e.txns.Begin(txn.ReadCommitted, false)
	e.dict.Enter(tx)
	return tx
}

// LockMeta takes the metadata lock of a table, or with an empty table that of the schema, to the
// end of tx.
func (e *Engine) LockMeta(ctx context.Context, tx *txn.Trx, schema, table string, mode lock.MetaMode) error {
	return e.locks.LockMeta(ctx, &tx.Owner, lock.MetaName(schema, table), mode, lock.Transaction, metaWait(ctx))
}

type metaWaitKey struct{}

// WithMetaWait returns a context whose metadata lock waits end after d (lock_wait_timeout).
func WithMetaWait(ctx context.Context, d time.Duration) context.Context {
	return context.WithValue(ctx, metaWaitKey{}, d)
}

// metaWait is the wait of WithMetaWait, or MySQL's default, a year.
func metaWait(ctx context.Context) time.Duration {
	if d, ok := ctx.Value(metaWaitKey{}).(time.Duration); ok {
		return d
	}
	return 365 * 24 * time.Hour
}

// Schemas lists the schemas by name.
func (e *Engine) Schemas(ctx context.Context, tx *txn.Trx) ([]string, error) {
	objs, err := e.dict.ListObjects(ctx, tx, catalog.KindSchema, "")
	names := make([]string, len(objs))
	for i, o := range objs {
		names[i] = o.Schema
	}
	return names, err
}

// TableNames lists the tables of a schema by name.
func (e *Engine) TableNames(ctx context.Context, tx *txn.Trx, schema string) ([]string, error) {
	names, err := e.dict.ListNames(ctx, tx, catalog.KindTable, schema)
	return slices.DeleteFunc(names, catalog.IsPart), err
}

// Spelling returns how the name of a table is written, given it in any case; ok is false if there
// is none.
func (e *Engine) Spelling(ctx context.Context, tx *txn.Trx, schema, name string) (spelled string, ok bool, err error) {
	return e.dict.Spelling(ctx, tx, schema, name)
}

// CreateSchema makes a schema; data is the SQL layer's. base.ErrExists.
func (e *Engine) CreateSchema(ctx context.Context, tx *txn.Trx, schema string, data []byte) error {
	if err := e.LockMeta(ctx, tx, schema, "", lock.MetaExclusive); err != nil {
		return err
	}
	names, err := e.Schemas(ctx, nil)
	if err != nil {
		return err
	}
	for _, n := range names {
		if strings.EqualFold(n, schema) {
			return fmt.Errorf("schema %s: %w", n, base.ErrExists)
		}
	}
	return e.dict.PutObject(ctx, tx, catalog.Object{Kind: catalog.KindSchema, Schema: schema, Data: data})
}

// DropSchema removes a schema with everything in it; base.ErrNotFound.
func (e *Engine) DropSchema(ctx context.Context, tx *txn.Trx, schema string) error {
	if err := e.LockMeta(ctx, tx, schema, "", lock.MetaExclusive); err != nil {
		return err
	}
	if err := e.dict.DeleteObject(ctx, tx, catalog.KindSchema, schema, ""); err != nil {
		return err
	}
	names, err := e.TableNames(ctx, tx, schema)
	if err != nil {
		return err
	}
	for _, n := range names {
		if err := e.DropTable(ctx, tx, schema, n); err != nil {
			return err
		}
	}
	for _, kind := range []catalog.Kind{catalog.KindView, catalog.KindTrigger, catalog.KindProcedure, catalog.KindFunction, catalog.KindEvent, catalog.KindLibrary} {
		names, err := e.dict.ListNames(ctx, tx, kind, schema)
		if err != nil {
			return err
		}
		for _, n := range names {
			if err := e.dict.DeleteObject(ctx, tx, kind, schema, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// CreateTable makes an empty table. It fills in def's ids, space and roots; base.ErrExists.
func (e *Engine) CreateTable(ctx context.Context, tx *txn.Trx, def *catalog.Table) error {
	if err := e.LockMeta(ctx, tx, def.Schema, "", lock.MetaShared); err != nil {
		return err
	}
	if err := e.LockMeta(ctx, tx, def.Schema, def.Name, lock.MetaExclusive); err != nil {
		return err
	}
	spelled, ok, err := e.dict.Spelling(ctx, tx, def.Schema, def.Name)
	if err != nil {
		return err
	}
	if ok {
		return fmt.Errorf("table %s.%s: %w", def.Schema, spelled, base.ErrExists)
	}
	def.CreatedUnix = time.Now().Unix()
	if err := e.createStorage(ctx, tx, def); err != nil {
		return err
	}
	parts, err := e.createParts(ctx, tx, def)
	if err == nil {
		err = e.putParts(ctx, tx, parts)
	}
	if err != nil {
		return err
	}
	_, err = e.dict.PutTable(ctx, tx, nil, def)
	return err
}

// createStorage gives def a new identity: ids, a tablespace file, empty trees. The DDL log has the
// file removed unless tx commits.
func (e *Engine) createStorage(ctx context.Context, tx *txn.Trx, def *catalog.Table) (err error) {
	defer func() { err = table.Full(def, err) }()
	ids := make([]uint64, 2+len(def.Indexes))
	for i := range ids {
		id, err := e.dict.NewID()
		if err != nil {
			return err
		}
		ids[i] = id
	}
	def.ID, def.Space = base.TableID(ids[0]), base.SpaceID(ids[1])
	for i := range def.Columns { // its rows will have all columns
		def.Columns[i].Missing = nil
	}
	exists, err := e.files.Find(def.Space)
	if err != nil {
		return err
	}
	if exists { // it must not be announced: the DDL log would have it removed
		return fmt.Errorf("the file of a new table, %s, is there already and no table of this server has it", e.files.Path(def.Space))
	}
	if err := e.dict.Announce(ctx, tx, dict.Remains{Space: def.Space}); err != nil {
		return err
	}
	if err := e.createFile(def.Space); err != nil {
		return err
	}
	if err := space.Create(e.pool, def.Space, def.ID); err != nil {
		return err
	}
	trees := make([]base.IndexID, len(def.Indexes))
	for i := range trees {
		trees[i] = base.IndexID(ids[2+i])
	}
	roots, err := btree.Create(e.pool, def.Space, trees...)
	if err != nil {
		return err
	}
	for i, idx := range def.Indexes {
		idx.ID, idx.Root = trees[i], roots[i]
	}
	return nil
}

// DropTable removes a table; its file goes when tx has committed. base.ErrNotFound.
func (e *Engine) DropTable(ctx context.Context, tx *txn.Trx, schema, name string) error {
	if err := e.LockMeta(ctx, tx, schema, name, lock.MetaExclusive); err != nil {
		return err
	}
	t, err := e.dict.Table(ctx, tx, schema, name)
	if err != nil {
		return err
	}
	for _, p := range t.Parts() {
		if err := e.dict.DeleteTable(ctx, tx, p.Def()); err != nil {
			return err
		}
	}
	return e.dict.DeleteTable(ctx, tx, t.Def())
}

// RenameTable gives a table another name, perhaps in another schema; base.ErrNotFound,
// base.ErrExists.
func (e *Engine) RenameTable(ctx context.Context, tx *txn.Trx, schema, name, newSchema, newName string) error {
	for _, n := range [][2]string{{schema, name}, {newSchema, newName}} {
		if err := e.LockMeta(ctx, tx, n[0], n[1], lock.MetaExclusive); err != nil {
			return err
		}
	}
	t, err := e.dict.Table(ctx, tx, schema, name)
	if err != nil {
		return err
	}
	spelled, ok, err := e.dict.Spelling(ctx, tx, newSchema, newName)
	if err != nil {
		return err
	}
	if ok && (newSchema != schema || spelled != name || newName == name) { // a name may change its case
		return fmt.Errorf("table %s.%s: %w", newSchema, spelled, base.ErrExists)
	}
	def := copyDef(t.Def())
	def.Schema, def.Name = newSchema, newName
	if err := e.adaptParts(ctx, tx, t.Def(), def); err != nil {
		return err
	}
	_, err = e.dict.PutTable(ctx, tx, t.Def(), def)
	return err
}

// TruncateTable empties a table by giving it new storage; the old file goes when tx has committed.
func (e *Engine) TruncateTable(ctx context.Context, tx *txn.Trx, schema, name string) error {
	if err := e.LockMeta(ctx, tx, schema, name, lock.MetaExclusive); err != nil {
		return err
	}
	t, err := e.dict.Table(ctx, tx, schema, name)
	if err != nil {
		return err
	}
	for _, p := range t.Parts() {
		if err := e.renew(ctx, tx, p.Def()); err != nil {
			return err
		}
	}
	return e.renew(ctx, tx, t.Def())
}

// AlterTable changes what needs no change of rows or trees: names of columns, defaults, comments,
// foreign keys, checks, index names, and columns that are added behind the others. Columns keep their
// storage types and order, indexes their ids and parts.
func (e *Engine) AlterTable(ctx context.Context, tx *txn.Trx, old, new *catalog.Table) error {
	if err := e.LockMeta(ctx, tx, old.Schema, old.Name, lock.MetaExclusive); err != nil {
		return err
	}
	if len(new.Columns) > len(old.Columns) { // a view from before is not to see the column
		var err error
		if new.Rewritten, err = tx.EnsureID(); err != nil {
			return err
		}
	}
	if err := e.adaptParts(ctx, tx, old, new); err != nil {
		return err
	}
	_, err := e.dict.PutTable(ctx, tx, old, new)
	return err
}

// copyDef returns a definition whose indexes may be changed without touching def's.
func copyDef(def *catalog.Table) *catalog.Table {
	c := *def
	c.Columns = slices.Clone(def.Columns)
	c.ForeignKeys = slices.Clone(def.ForeignKeys)
	c.Checks = slices.Clone(def.Checks)
	c.Indexes = make([]*catalog.Index, len(def.Indexes))
	for i, idx := range def.Indexes {
		cp := *idx
		c.Indexes[i] = &cp
	}
	return &c
}
