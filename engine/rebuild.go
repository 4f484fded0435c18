package engine

import (
	"context"
	"errors"
	"path/filepath"

	"emberdb/engine/catalog"
	"emberdb/engine/dict"
	"emberdb/engine/lock"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
)

// Rebuild rewrites a table into new storage: the way of every ALTER TABLE that changes rows. The
// old table stays readable until Finish; writers wait. A crash or rollback before the commit
// removes the new file through the DDL log; the commit removes the old one.
type Rebuild struct {
	e      *Engine
	tx     *txn.Trx
	old    *table.Table
	new    *table.Table
	loader *table.Loader
	parts  []*catalog.Table // of the new table, which the dictionary does not know yet
}

// NewRebuild starts a rewrite of the table with definition old into new, whose id, space, roots and
// index ids are filled in. It keeps writers out; readers go on.
func (e *Engine) NewRebuild(ctx context.Context, tx *txn.Trx, old, new *catalog.Table) (*Rebuild, error) {
	for _, mode := range []lock.MetaMode{lock.MetaUpgradable, lock.MetaReadOnly} {
		if err := e.LockMeta(ctx, tx, old.Schema, old.Name, mode); err != nil {
			return nil, err
		}
	}
	was, err := e.dict.Table(ctx, tx, old.Schema, old.Name)
	if err != nil {
		return nil, err
	}
	if err := was.LockTable(ctx, tx, false); err != nil { // waits for writers that are under way
		return nil, err
	}
	if new.Rewritten, err = tx.EnsureID(); err != nil {
		return nil, err
	}
	if err := e.createStorage(ctx, tx, new); err != nil {
		return nil, err
	}
	parts, err := e.createParts(ctx, tx, new)
	if err != nil {
		return nil, err
	}
	r := &Rebuild{e: e, tx: tx, old: was, new: e.dict.Bind(new, parts...), parts: parts}
	r.loader, err = r.new.NewLoader(tx, e.o.FS, filepath.Join(e.o.DataDir, tmpDir))
	return r, err
}

// Add adds a row of the new table; *table.DuplicateError.
func (r *Rebuild) Add(ctx context.Context, vals []row.Value) error {
	return table.Full(r.new.Def(), r.loader.Add(ctx, vals))
}

// Finish builds the secondary indexes and puts the new table in the old one's place, in the DDL
// transaction; *table.DuplicateError.
func (r *Rebuild) Finish(ctx context.Context) (*table.Table, error) {
	err := errors.Join(r.loader.Finish(ctx), r.loader.Close())
	if err = table.Full(r.new.Def(), err); err != nil {
		return nil, err
	}
	old := r.old.Def()
	if old.AutoInc >= 0 && r.new.Def().AutoInc >= 0 {
		next, err := r.old.PeekAutoInc()
		if err == nil {
			err = r.new.SetAutoInc(next)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := r.e.LockMeta(ctx, r.tx, old.Schema, old.Name, lock.MetaExclusive); err != nil {
		return nil, err
	}
	for _, p := range r.old.Parts() {
		if err := r.e.dict.DeleteTable(ctx, r.tx, p.Def()); err != nil {
			return nil, err
		}
	}
	if err := r.e.putParts(ctx, r.tx, r.parts); err != nil {
		return nil, err
	}
	if err := r.e.dict.Retire(ctx, r.tx, dict.Remains{Space: old.Space}); err != nil {
		return nil, err
	}
	return r.e.dict.PutTable(ctx, r.tx, old, r.new.Def())
}

// Close gives back what the rewrite holds beside its storage.
func (r *Rebuild) Close() error { return r.loader.Close() }

// Abort gives the rewrite up. The new storage goes when the DDL transaction ends without having
// taken it in.
func (r *Rebuild) Abort(ctx context.Context) error {
	for _, p := range r.parts {
		if err := r.e.dict.Retire(ctx, r.tx, dict.Remains{Space: p.Space}); err != nil {
			return err
		}
	}
	return r.e.dict.Retire(ctx, r.tx, dict.Remains{Space: r.new.Def().Space})
}
