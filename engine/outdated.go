package engine

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"emberdb/engine/catalog"
	"emberdb/internal/base"
)

// OutdatedTable is a table with keys that an earlier build made, see catalog.Table.Outdated.
type OutdatedTable struct {
	Schema, Name string
	Bytes        int64 // of its files
}

// Where a directory remembers that it has none of these tables. A build that could make one refuses
// codesFormat, from which on this counts.
const (
	keysSpace  = "keys"
	renewedKey = "renewed"
)

// OutdatedTables lists these tables, the smallest first. It reads every definition, unless it has
// found none before.
func (e *Engine) OutdatedTables(ctx context.Context) ([]OutdatedTable, error) {
	marked := e.Format() >= codesFormat
	if marked {
		if _, err := e.GetKV(ctx, nil, keysSpace, renewedKey); !errors.Is(err, base.ErrNotFound) {
			return nil, err
		}
	}
	out, err := e.findOutdated(ctx)
	if err == nil && len(out) == 0 && marked {
		err = e.PutKV(ctx, nil, keysSpace, renewedKey, []byte{1})
	}
	return out, err
}

func (e *Engine) findOutdated(ctx context.Context) ([]OutdatedTable, error) {
	defs, err := e.dict.ListObjects(ctx, nil, catalog.KindTable, "")
	if err != nil {
		return nil, err
	}
	var out []OutdatedTable
	for _, o := range defs {
		def, err := catalog.Decode(o.Data)
		if err != nil {
			return nil, err
		}
		if catalog.IsPart(def.Name) || !def.Outdated() {
			continue
		}
		parts, err := e.dict.Parts(ctx, nil, def)
		if err != nil {
			return nil, err
		}
		t := OutdatedTable{Schema: def.Schema, Name: def.Name, Bytes: e.fileBytes(def.Space)}
		for _, p := range parts {
			t.Bytes += e.fileBytes(p.Space)
		}
		out = append(out, t)
	}
	slices.SortStableFunc(out, func(a, b OutdatedTable) int { return cmp.Compare(a.Bytes, b.Bytes) })
	return out, nil
}

// fileBytes is the size of a space's file; 0: it cannot be told.
func (e *Engine) fileBytes(s base.SpaceID) int64 {
	info, err := e.o.FS.Stat(e.files.Path(s))
	if err != nil {
		return 0
	}
	return info.Size
}
