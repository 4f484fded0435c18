package engine

import (
	"context"

	"emberdb/engine/catalog"
	"emberdb/engine/txn"
)

// Stored objects and key-value rows, for the layers above. A nil tx reads the newest committed
// state; so does a tx that is no DDL transaction.

// GetObject returns the data of a stored object; base.ErrNotFound.
func (e *Engine) GetObject(ctx context.Context, tx *txn.Trx, kind catalog.Kind, schema, name string) ([]byte, error) {
	return e.dict.GetObject(ctx, tx, kind, schema, name)
}

// PutObject writes a stored object, new or changed.
func (e *Engine) PutObject(ctx context.Context, tx *txn.Trx, o catalog.Object) error {
	return e.dict.PutObject(ctx, tx, o)
}

// DeleteObject removes a stored object; base.ErrNotFound.
func (e *Engine) DeleteObject(ctx context.Context, tx *txn.Trx, kind catalog.Kind, schema, name string) error {
	return e.dict.DeleteObject(ctx, tx, kind, schema, name)
}

// ListObjects returns the objects of a kind in a schema, or in all with an empty one, by name.
func (e *Engine) ListObjects(ctx context.Context, tx *txn.Trx, kind catalog.Kind, schema string) ([]catalog.Object, error) {
	return e.dict.ListObjects(ctx, tx, kind, schema)
}

// GetKV returns the value of a key; base.ErrNotFound.
func (e *Engine) GetKV(ctx context.Context, tx *txn.Trx, namespace, k string) ([]byte, error) {
	return e.dict.GetKV(ctx, tx, namespace, k)
}

// LockKV is GetKV of the newest value, locked for a change until tx ends; found is false without an
// error if there is none.
func (e *Engine) LockKV(ctx context.Context, tx *txn.Trx, namespace, k string) (v []byte, found bool, err error) {
	return e.dict.LockKV(ctx, tx, namespace, k)
}

// Do runs fn in a transaction of its own, which the binary log does not see, and commits it durably.
func (e *Engine) Do(fn func(tx *txn.Trx) error) error { return e.dict.Do(fn) }

// PutKV sets the value of a key. A nil tx is a durable transaction of its own.
func (e *Engine) PutKV(ctx context.Context, tx *txn.Trx, namespace, k string, v []byte) error {
	if tx == nil {
		return e.dict.Do(func(own *txn.Trx) error { return e.dict.PutKV(ctx, own, namespace, k, v) })
	}
	return e.dict.PutKV(ctx, tx, namespace, k, v)
}

// DeleteKV removes a key; a missing one is no error. A nil tx is a durable transaction of its own.
func (e *Engine) DeleteKV(ctx context.Context, tx *txn.Trx, namespace, k string) error {
	if tx == nil {
		return e.dict.Do(func(own *txn.Trx) error { return e.dict.DeleteKV(ctx, own, namespace, k) })
	}
	return e.dict.DeleteKV(ctx, tx, namespace, k)
}

// ListKV calls fn for every key of a namespace that begins with prefix, in order. The value is
// valid during the call.
func (e *Engine) ListKV(ctx context.Context, tx *txn.Trx, namespace, prefix string, fn func(k string, v []byte) error) error {
	return e.dict.ListKV(ctx, tx, namespace, prefix, fn)
}

// ScanKV is ListKV of what tx sees, as its statements see rows.
func (e *Engine) ScanKV(ctx context.Context, tx *txn.Trx, namespace, prefix string, fn func(k string, v []byte) error) error {
	return e.dict.ScanKV(ctx, tx, namespace, prefix, fn)
}
