package dict

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// GetObject returns the data of a stored object; base.ErrNotFound. A nil tx reads the newest
// committed state.
func (d *Dict) GetObject(ctx context.Context, tx *txn.Trx, kind catalog.Kind, schema, name string) (data []byte, err error) {
	var ok bool
	err = d.read(tx, func(tx *txn.Trx) error {
		data, ok, err = d.getObject(ctx, tx, kind, schema, name)
		return err
	})
	if err == nil && !ok {
		err = fmt.Errorf("%s %s.%s: %w", kind, schema, name, base.ErrNotFound)
	}
	return data, err
}

func (d *Dict) getObject(ctx context.Context, tx *txn.Trx, kind catalog.Kind, schema, name string) (data []byte, ok bool, err error) {
	vals, ok, err := get(ctx, tx, d.objects, table.None, string(kind), schema, name)
	if ok {
		data = append([]byte(nil), vals[objData].B...)
	}
	return data, ok, err
}

// PutObject writes a stored object, new or changed.
func (d *Dict) PutObject(ctx context.Context, tx *txn.Trx, o catalog.Object) error {
	return put(ctx, tx, d.objects, objectRow(o, 0), string(o.Kind), o.Schema, o.Name)
}

// DeleteObject removes a stored object; base.ErrNotFound.
func (d *Dict) DeleteObject(ctx context.Context, tx *txn.Trx, kind catalog.Kind, schema, name string) error {
	found, err := remove(ctx, tx, d.objects, string(kind), schema, name)
	if err == nil && !found {
		return fmt.Errorf("%s %s.%s: %w", kind, schema, name, base.ErrNotFound)
	}
	return err
}

// ListObjects returns the objects of a kind in a schema, by name. An empty schema lists those of
// every schema.
func (d *Dict) ListObjects(ctx context.Context, tx *txn.Trx, kind catalog.Kind, schema string) (out []catalog.Object, err error) {
	err = d.read(tx, func(tx *txn.Trx) error {
		pk := []string{string(kind)}
		if schema != "" {
			pk = append(pk, schema)
		}
		return list(ctx, tx, d.objects, func(vals []row.Value) error {
			out = append(out, catalog.Object{Kind: kind, Schema: string(vals[objSchema].B), Name: string(vals[objName].B),
				Data: append([]byte(nil), vals[objData].B...)})
			return nil
		}, pk...)
	})
	return out, err
}

// ListNames is ListObjects without the data.
func (d *Dict) ListNames(ctx context.Context, tx *txn.Trx, kind catalog.Kind, schema string) (names []string, err error) {
	err = d.read(tx, func(tx *txn.Trx) error {
		return list(ctx, tx, d.objects, func(vals []row.Value) error {
			names = append(names, string(vals[objName].B))
			return nil
		}, string(kind), schema)
	})
	return names, err
}

func objectRow(o catalog.Object, id uint64) []row.Value {
	vals := []row.Value{bytesValue(string(o.Kind)), bytesValue(o.Schema), bytesValue(o.Name), {}, {Kind: row.Bytes, B: o.Data}}
	if id != 0 {
		vals[objID] = row.Value{Kind: row.Uint, N: id}
	}
	return vals
}

// GetKV returns the value of a key; base.ErrNotFound.
func (d *Dict) GetKV(ctx context.Context, tx *txn.Trx, namespace, k string) (v []byte, err error) {
	err = d.read(tx, func(tx *txn.Trx) error {
		vals, ok, err := get(ctx, tx, d.kv, table.None, namespace, k)
		if err != nil {
			return err
		}
		if !ok {
			return fmt.Errorf("%s/%s: %w", namespace, k, base.ErrNotFound)
		}
		v = append([]byte(nil), vals[kvValue].B...)
		return nil
	})
	return v, err
}

// LockKV is GetKV of the newest value, locked for a change until tx ends; found is false without an
// error if there is none. Nobody else puts the key in the meantime.
func (d *Dict) LockKV(ctx context.Context, tx *txn.Trx, namespace, k string) (v []byte, found bool, err error) {
	vals, found, err := get(ctx, tx, d.kv, table.Exclusive, namespace, k)
	if err != nil || !found {
		return nil, false, err
	}
	return append([]byte(nil), vals[kvValue].B...), true, nil
}

// PutKV sets the value of a key.
func (d *Dict) PutKV(ctx context.Context, tx *txn.Trx, namespace, k string, v []byte) error {
	return put(ctx, tx, d.kv, []row.Value{bytesValue(namespace), bytesValue(k), {Kind: row.Bytes, B: v}}, namespace, k)
}

// DeleteKV removes a key; a missing one is no error.
func (d *Dict) DeleteKV(ctx context.Context, tx *txn.Trx, namespace, k string) error {
	_, err := remove(ctx, tx, d.kv, namespace, k)
	return err
}

// ListKV calls fn for every key of a namespace that begins with prefix, in order. The value is
// valid during the call.
func (d *Dict) ListKV(ctx context.Context, tx *txn.Trx, namespace, prefix string, fn func(k string, v []byte) error) error {
	return d.read(tx, func(tx *txn.Trx) error { return d.ScanKV(ctx, tx, namespace, prefix, fn) })
}

// ScanKV is ListKV of what tx sees.
func (d *Dict) ScanKV(ctx context.Context, tx *txn.Trx, namespace, prefix string, fn func(k string, v []byte) error) error {
	err := scan(ctx, tx, d.kv, key(d.kv, namespace, prefix), key(d.kv, namespace), func(vals []row.Value) error {
		k := string(vals[kvKey].B)
		if !strings.HasPrefix(k, prefix) {
			return io.EOF
		}
		return fn(k, vals[kvValue].B)
	})
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
