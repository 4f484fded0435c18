package documents

import (
	"maps"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/operand"
)

// JSON_MERGE_PRESERVE and JSON_PRETTY. Those of the library lose the numbers that are no doubles.

func init() {
	for _, name := range []string{"json_merge_preserve", "json_merge"} {
		if _, known := operand.Builtin(name); known {
			overDocuments(name, 2, many, types.JSON, func(_ *sql.Context, docs []any) (any, error) {
				all := docs[0]
				for _, d := range docs[1:] {
					all = merged(all, d)
				}
				return operand.MadeOf(all), nil
			})
		}
	}
	overDocuments("json_pretty", 1, 1, types.LongText, func(ctx *sql.Context, docs []any) (any, error) {
		text, err := appendPretty(ctx, nil, docs[0], 0)
		return string(text), err
	})
}

// many is more arguments than a function is called with.
const many = 1 << 16

// overDocuments registers a function of documents; it is NULL if one of them is.
func overDocuments(name string, least, most int, t sql.Type, f func(ctx *sql.Context, docs []any) (any, error)) {
	scalar := operand.NewScalar(name, least, most, t, func(ctx *sql.Context, args []any) (any, error) {
		docs := make([]any, len(args))
		for i, v := range args {
			w, ok := v.(sql.JSONWrapper)
			if !ok {
				return nil, sql.ErrInvalidJSONArgument.New(i+1, name)
			}
			var err error
			if docs[i], err = w.ToInterface(ctx); err != nil {
				return nil, err
			}
		}
		return f(ctx, docs)
	})
	operand.Register(sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		return scalar.NewInstance(ctx, documented(ctx, name, args, true))
	}})
}

// merged is one document of two: objects have the members of both, anything else the elements.
func merged(a, b any) any {
	x, isObject := a.(map[string]any)
	y, both := b.(map[string]any)
	if isObject && both {
		x = maps.Clone(x)
		for name, v := range y {
			if before, there := x[name]; there {
				v = merged(before, v)
			}
			x[name] = v
		}
		return x
	}
	return slices.Concat(elements(a), elements(b))
}

// elements are those of an array, or the one value.
func elements(v any) []any {
	if array, ok := v.([]any); ok {
		return array
	}
	return []any{v}
}

// appendPretty writes a document over several lines.
func appendPretty(ctx *sql.Context, dst []byte, v any, depth int) (_ []byte, err error) {
	line := func(depth int) {
		dst = append(dst, '\n')
		for range depth {
			dst = append(dst, "  "...)
		}
	}
	switch v := v.(type) {
	case []any:
		if len(v) == 0 {
			return append(dst, "[]"...), nil
		}
		dst = append(dst, '[')
		for i, e := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			line(depth + 1)
			if dst, err = appendPretty(ctx, dst, e, depth+1); err != nil {
				return dst, err
			}
		}
		line(depth)
		return append(dst, ']'), nil
	case map[string]any:
		if len(v) == 0 {
			return append(dst, "{}"...), nil
		}
		dst = append(dst, '{')
		for i, name := range operand.MemberNames(v) {
			if i > 0 {
				dst = append(dst, ',')
			}
			line(depth + 1)
			if dst, err = operand.AppendDocument(ctx, dst, name); err != nil {
				return dst, err
			}
			if dst, err = appendPretty(ctx, append(dst, ": "...), v[name], depth+1); err != nil {
				return dst, err
			}
		}
		line(depth)
		return append(dst, '}'), nil
	}
	return operand.AppendDocument(ctx, dst, v)
}
