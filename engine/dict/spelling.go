package dict

import (
	"context"
	"errors"
	"strings"

	"emberdb/engine/catalog"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// kindSpelling rows say how the name of a table is written that has capitals; their own name is in
// lower case.
const kindSpelling catalog.Kind = "spelling"

// Spelling returns how the name of a table is written, given it in any case, as tx may see it; ok
// is false if there is no such table. It takes a few row lookups, however many tables there are.
// The answer may be out of date at once unless tx holds the metadata lock.
func (d *Dict) Spelling(ctx context.Context, tx *txn.Trx, schema, tableName string) (spelled string, ok bool, err error) {
	lower := strings.ToLower(tableName)
	if o := d.overlayOf(tx); o != nil {
		d.mu.RLock()
		spelled, ok = o.spellings[name{schema, lower}]
		d.mu.RUnlock()
		if ok {
			return spelled, spelled != "", nil
		}
	}
	err = d.read(nil, func(own *txn.Trx) error {
		if _, ok, err = d.getObject(ctx, own, catalog.KindTable, schema, lower); ok || err != nil {
			spelled = lower
			return err
		}
		data, found, err := d.getObject(ctx, own, kindSpelling, schema, lower)
		if spelled, ok = string(data), found; found || err != nil || lower == tableName {
			return err
		}
		// A directory from before these rows: the table is found as it is written.
		_, ok, err = d.getObject(ctx, own, catalog.KindTable, schema, tableName)
		spelled = tableName
		return err
	})
	return spelled, ok, err
}

// putSpelling notes how the name of def is written, if Spelling could not know.
func (d *Dict) putSpelling(ctx context.Context, tx *txn.Trx, def *catalog.Table) error {
	lower := strings.ToLower(def.Name)
	if lower == def.Name {
		return nil
	}
	return d.PutObject(ctx, tx, catalog.Object{Kind: kindSpelling, Schema: def.Schema, Name: lower, Data: []byte(def.Name)})
}

func (d *Dict) deleteSpelling(ctx context.Context, tx *txn.Trx, def *catalog.Table) error {
	lower := strings.ToLower(def.Name)
	if lower == def.Name {
		return nil
	}
	err := d.DeleteObject(ctx, tx, kindSpelling, def.Schema, lower)
	if errors.Is(err, base.ErrNotFound) {
		return nil
	}
	return err
}
