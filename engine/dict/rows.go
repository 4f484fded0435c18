package dict

import (
	"context"
	"errors"
	"io"

	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
)

// The rows of the two system tables, read and written like any other rows.

func bytesValue(s string) row.Value { return row.Value{Kind: row.Bytes, B: []byte(s)} }

// key encodes the leading columns of t's primary key.
func key(t *table.Table, vals ...string) []byte {
	def := t.Def()
	full := make([]row.Value, len(def.Columns))
	for i, v := range vals {
		full[def.Indexes[0].Parts[i].Column] = bytesValue(v)
	}
	return row.AppendKey(nil, table.Columns(def), def.Indexes[0].Parts[:len(vals)], full)
}

// get reads one row of t by its whole primary key.
func get(ctx context.Context, tx *txn.Trx, t *table.Table, lock table.LockMode, vals ...string) ([]row.Value, bool, error) {
	return t.Get(ctx, tx, t.Def().Indexes[0], key(t, vals...), lock, table.Wait)
}

// put inserts the row or replaces the one with its primary key.
func put(ctx context.Context, tx *txn.Trx, t *table.Table, new []row.Value, pk ...string) error {
	old, ok, err := get(ctx, tx, t, table.Exclusive, pk...)
	if err != nil {
		return err
	}
	if !ok {
		return t.Insert(ctx, tx, new)
	}
	return t.Update(ctx, tx, clone(old), new)
}

// remove deletes the row with the primary key; found tells whether there was one.
func remove(ctx context.Context, tx *txn.Trx, t *table.Table, pk ...string) (found bool, err error) {
	old, ok, err := get(ctx, tx, t, table.Exclusive, pk...)
	if err != nil || !ok {
		return false, err
	}
	return true, t.Delete(ctx, tx, clone(old))
}

// list calls fn for every row whose primary key begins with vals, in key order. The values are
// valid during the call.
func list(ctx context.Context, tx *txn.Trx, t *table.Table, fn func(vals []row.Value) error, pk ...string) error {
	return scan(ctx, tx, t, key(t, pk...), key(t, pk...), fn)
}

// scan calls fn for every row of t from the key lower to the last one that begins with upper. The
// values are valid during the call.
func scan(ctx context.Context, tx *txn.Trx, t *table.Table, lower, upper []byte, fn func(vals []row.Value) error) error {
	s := t.NewScan(tx, table.ScanOptions{Index: t.Def().Indexes[0], Lower: lower, Upper: upper, UpperIncl: true})
	defer s.Close()
	for {
		vals, err := s.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := fn(vals); err != nil {
			return err
		}
	}
}

// clone copies values that belong to a scan.
func clone(vals []row.Value) []row.Value {
	out := make([]row.Value, len(vals))
	for i, v := range vals {
		v.B = append([]byte(nil), v.B...)
		out[i] = v
	}
	return out
}
