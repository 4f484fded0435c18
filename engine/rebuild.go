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
// old table stays readable until Finish. A crash or rollback before the commit removes the new file
// through the DDL log; the commit removes the old one.
//
// Writers wait, or go on if the rebuild is online. An online rebuild copies what one view of the
// table sees, and its OnlineLog tells the rows that change meanwhile (follow.go).
type Rebuild struct {
	e      *Engine
	tx     *txn.Trx
	old    *table.Table
	new    *table.Table
	loader *table.Loader
	parts  []*catalog.Table // of the new table, which the dictionary does not know yet

	online *Online // nil: writers wait
	log    *table.OnlineLog
	copied *txn.Trx // its view sees the rows that the new table has so far
}

// NewRebuild starts a rewrite of the table with definition old into new, whose id, space, roots and
// index ids are filled in. It keeps writers out; readers go on. online, which may be nil, lets
// writers go on where that is possible. It ends with Close.
func (e *Engine) NewRebuild(ctx context.Context, tx *txn.Trx, old, new *catalog.Table, online *Online) (*Rebuild, error) {
	if err := e.LockMeta(ctx, tx, old.Schema, old.Name, lock.MetaUpgradable); err != nil {
		return nil, err
	}
	was, err := e.dict.Table(ctx, tx, old.Schema, old.Name)
	if err != nil {
		return nil, err
	}
	r := &Rebuild{e: e, tx: tx, old: was}
	if online != nil && r.followable(new) {
		r.online = online
	} else if err := r.keepOut(ctx); err != nil {
		return nil, err
	}
	if new.Rewritten, err = tx.EnsureID(); err != nil {
		return nil, err
	}
	if err := e.createStorage(ctx, tx, new); err != nil {
		return nil, err
	}
	if r.parts, err = e.createParts(ctx, tx, new); err != nil {
		return nil, err
	}
	r.new = e.dict.Bind(new, r.parts...)
	if r.loader, err = r.new.NewLoader(tx, e.o.FS, filepath.Join(e.o.DataDir, tmpDir)); err != nil {
		return nil, err
	}
	if r.online != nil {
		err = r.beginOnline(ctx)
	}
	if err != nil {
		err = errors.Join(err, r.Close())
	}
	return r, err
}

// keepOut waits for the writers of the table, and keeps them out.
func (r *Rebuild) keepOut(ctx context.Context) error {
	def := r.old.Def()
	if err := r.e.LockMeta(ctx, r.tx, def.Schema, def.Name, lock.MetaReadOnly); err != nil {
		return err
	}
	return r.old.LockTable(ctx, r.tx, false)
}

// Source returns the old table, and the transaction that sees the rows to be copied.
func (r *Rebuild) Source() (*table.Table, *txn.Trx) {
	if r.copied != nil {
		return r.old, r.copied
	}
	return r.old, r.tx
}

// Add adds a row of the new table; *table.DuplicateError.
func (r *Rebuild) Add(ctx context.Context, vals []row.Value) error {
	return table.Full(r.new.Def(), r.loader.Add(ctx, vals))
}

// Finish builds the secondary indexes and puts the new table in the old one's place, in the DDL
// transaction; *table.DuplicateError.
func (r *Rebuild) Finish(ctx context.Context) (t *table.Table, err error) {
	defer func() { err = errors.Join(err, r.Close()) }()
	if err := table.Full(r.new.Def(), r.loader.Finish(ctx)); err != nil {
		return nil, err
	}
	if r.online != nil {
		err = table.Full(r.new.Def(), r.follow(ctx))
	} else {
		err = r.exclusive(ctx)
	}
	if err != nil {
		return nil, err
	}
	return r.replace(ctx)
}

// exclusive waits until nobody else uses the table.
func (r *Rebuild) exclusive(ctx context.Context) error {
	def := r.old.Def()
	return r.e.LockMeta(ctx, r.tx, def.Schema, def.Name, lock.MetaExclusive)
}

// replace puts the new table in the old one's place.
func (r *Rebuild) replace(ctx context.Context) (*table.Table, error) {
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

// Close gives back what the rewrite holds beside its storage. It may be called twice.
func (r *Rebuild) Close() error {
	return errors.Join(r.endOnline(), r.loader.Close())
}

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
