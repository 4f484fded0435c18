package documents

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// containsDocument is JSON_CONTAINS: whether a document, or its value at a path, contains another
// one.
func containsDocument(ctx *sql.Context, doc documentReader, args []sql.Expression, row sql.Row) (any, error) {
	if len(args) > 3 {
		return nil, sql.ErrInvalidArgumentNumber.New("JSON_CONTAINS", "2 or 3", len(args))
	}
	within, null, err := doc.value(ctx, row)
	if err != nil || null {
		return nil, err
	}
	wanted, null, err := documentReader{args[1], doc.name, 1}.value(ctx, row)
	if err != nil || null {
		return nil, err
	}
	if len(args) == 3 {
		p, err := pathOf(ctx, args[2], row, true)
		if err != nil || p == nil {
			return nil, err
		}
		found, err := p.find(ctx, within)
		if err != nil || len(found) == 0 {
			return nil, err
		}
		within = found[0].value
	}
	return contains(ctx, within, wanted)
}

// contains tells whether all of one value is in another.
func contains(ctx *sql.Context, within, wanted any) (bool, error) {
	switch a := within.(type) {
	case []any:
		all, ok := wanted.([]any)
		if !ok {
			return someContains(ctx, a, wanted)
		}
		for _, b := range all {
			if ok, err := someContains(ctx, a, b); !ok || err != nil {
				return false, err
			}
		}
		return true, nil
	case map[string]any:
		all, ok := wanted.(map[string]any)
		for name, b := range all {
			member, has := a[name]
			if !has {
				return false, nil
			}
			if ok, err := contains(ctx, member, b); !ok || err != nil {
				return false, err
			}
		}
		return ok, nil
	}
	n, err := types.CompareJSON(ctx, within, wanted)
	return n == 0, err
}

// someContains tells whether one of several values contains another.
func someContains(ctx *sql.Context, within []any, wanted any) (bool, error) {
	for _, a := range within {
		if ok, err := contains(ctx, a, wanted); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}
