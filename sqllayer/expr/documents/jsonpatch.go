package documents

import (
	"maps"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/operand"
)

// JSON_MERGE_PATCH. That of the library makes null of the numbers that are no doubles.

func init() {
	f := operand.NewNullScalar("json_merge_patch", 2, many, types.JSON, mergePatch)
	operand.Register(sql.FunctionN{Name: "json_merge_patch", Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		return f.NewInstance(ctx, documented(ctx, "json_merge_patch", args, true))
	}})
}

// mergePatch patches the first document by the others. NULL makes the result NULL up to the next
// document that is no object.
func mergePatch(ctx *sql.Context, args []any) (any, error) {
	var doc any
	known := true
	for i, v := range args {
		if v == nil {
			known = false
			continue
		}
		w, ok := v.(sql.JSONWrapper)
		if !ok {
			return nil, sql.ErrInvalidJSONArgument.New(i+1, "json_merge_patch")
		}
		patch, err := w.ToInterface(ctx)
		if err != nil {
			return nil, err
		}
		_, object := patch.(map[string]any)
		switch {
		case i == 0 || !object:
			doc, known = patch, true
		case known:
			doc = patchedBy(doc, patch)
		}
	}
	if !known {
		return nil, nil
	}
	return operand.MadeOf(doc), nil
}

// patchedBy is a document with the members of another: a member that is null is removed.
// Source: RFC 7396.
func patchedBy(doc, patch any) any {
	members, object := patch.(map[string]any)
	if !object {
		return patch
	}
	out := map[string]any{}
	if before, ok := doc.(map[string]any); ok {
		out = maps.Clone(before)
	}
	for name, v := range members {
		if v == nil {
			delete(out, name)
		} else {
			out[name] = patchedBy(out[name], v)
		}
	}
	return out
}
