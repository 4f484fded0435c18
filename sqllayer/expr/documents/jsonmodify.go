package documents

import (
	"context"
	"maps"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/operand"
)

// Functions that give a changed document. Documents are shared: what is changed is copied.

// at gives a document with the value at a path changed; without one, it is as it was.
func (p jsonPath) at(v any, change func(any) any) any {
	if len(p) == 0 {
		return change(v)
	}
	l, rest := p[0], p[1:]
	if l.kind == memberLeg {
		object, _ := v.(map[string]any)
		member, ok := object[l.name]
		if !ok {
			return v
		}
		object = maps.Clone(object)
		object[l.name] = rest.at(member, change)
		return object
	}
	array, ok := v.([]any)
	if !ok {
		if l.from.of(1) == 0 {
			return rest.at(v, change)
		}
		return v
	}
	i := l.from.of(len(array))
	if i < 0 || i >= len(array) {
		return v
	}
	array = slices.Clone(array)
	array[i] = rest.at(array[i], change)
	return array
}

// parent parts a path from its last leg.
func (p jsonPath) parent() (jsonPath, leg) { return p[:len(p)-1], p[len(p)-1] }

// Put gives a document with a value at a path: in the place of another one, or behind the others.
func (p jsonPath) Put(doc, value any, replace, insert bool) any {
	if found, _ := p.find(context.Background(), doc); len(found) > 0 { // of one value at most: nothing to interrupt
		if !replace {
			return doc
		}
		return p.at(doc, func(any) any { return value })
	}
	if !insert || len(p) == 0 {
		return doc
	}
	above, last := p.parent()
	return above.at(doc, func(v any) any {
		if last.kind == memberLeg {
			object, ok := v.(map[string]any)
			if !ok {
				return v
			}
			object = maps.Clone(object)
			object[last.name] = value
			return object
		}
		array, ok := v.([]any)
		if !ok {
			array = []any{v}
		}
		if last.from.last {
			return slices.Concat([]any{value}, array)
		}
		return slices.Concat(array, []any{value})
	})
}

func (p jsonPath) remove(doc any) any {
	above, last := p.parent()
	return above.at(doc, func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			if last.kind == memberLeg {
				v = maps.Clone(v)
				delete(v, last.name)
				return v
			}
		case []any:
			if i := last.from.of(len(v)); last.kind == elementLeg && i >= 0 && i < len(v) {
				return slices.Concat(v[:i], v[i+1:])
			}
		}
		return v
	})
}

func (p jsonPath) appendTo(doc, value any) any {
	return p.at(doc, func(v any) any {
		array, ok := v.([]any)
		if !ok {
			array = []any{v}
		}
		return slices.Concat(array, []any{value})
	})
}

func (p jsonPath) insertInto(doc, value any) any {
	above, last := p.parent()
	return above.at(doc, func(v any) any {
		array, ok := v.([]any)
		if !ok {
			return v
		}
		i := min(max(last.from.of(len(array)), 0), len(array))
		return slices.Concat(array[:i], []any{value}, array[i:])
	})
}

const (
	erWholeDocument = 3153
	erNoArrayCell   = 3165
)

func init() {
	changing := func(name string, change func(p jsonPath, doc, value any) (any, error)) {
		documentFunction(name, 3, types.JSON, func(ctx *sql.Context, doc documentReader, args []sql.Expression, row sql.Row) (any, error) {
			if len(args)%2 == 0 {
				return nil, sql.ErrInvalidArgumentNumber.New(name, "an odd number of", len(args))
			}
			return changed(ctx, doc, args, row, 2, func(p jsonPath, doc any, value sql.Expression) (any, error) {
				v, err := jsonValueOf(ctx, value, row)
				if err != nil {
					return nil, err
				}
				return change(p, doc, v)
			})
		})
	}
	changing("json_set", func(p jsonPath, doc, v any) (any, error) { return p.Put(doc, v, true, true), nil })
	changing("json_insert", func(p jsonPath, doc, v any) (any, error) { return p.Put(doc, v, false, true), nil })
	changing("json_replace", func(p jsonPath, doc, v any) (any, error) { return p.Put(doc, v, true, false), nil })
	changing("json_array_append", func(p jsonPath, doc, v any) (any, error) { return p.appendTo(doc, v), nil })
	changing("json_array_insert", func(p jsonPath, doc, v any) (any, error) {
		if len(p) == 0 || p[len(p)-1].kind != elementLeg {
			return nil, mysql.NewSQLError(erNoArrayCell, "42000", "A path expression is not a path to a cell in an array.")
		}
		return p.insertInto(doc, v), nil
	})
	documentFunction("json_remove", 2, types.JSON, func(ctx *sql.Context, doc documentReader, args []sql.Expression, row sql.Row) (any, error) {
		return changed(ctx, doc, args, row, 1, func(p jsonPath, doc any, _ sql.Expression) (any, error) {
			if len(p) == 0 {
				return nil, mysql.NewSQLError(erWholeDocument, "42000", "The path expression '$' is not allowed in this context.")
			}
			return p.remove(doc), nil
		})
	})
}

// changed runs the steps of a function: each has a path, and a value behind it where width is 2.
func changed(ctx *sql.Context, reader documentReader, args []sql.Expression, row sql.Row, width int,
	step func(p jsonPath, doc any, value sql.Expression) (any, error)) (any, error) {
	doc, null, err := reader.value(ctx, row)
	if err != nil {
		return nil, err
	}
	for i := 1; i < len(args); i += width {
		if err := ctx.Err(); err != nil { // each step copies what it changes
			return nil, err
		}
		p, err := pathOf(ctx, args[i], row, true)
		if err != nil {
			return nil, err
		}
		if p == nil {
			null = true
		}
		if null {
			continue
		}
		if doc, err = step(*p, doc, args[i+width-1]); err != nil {
			return nil, err
		}
	}
	if null {
		return nil, nil
	}
	return operand.MadeOf(doc), nil
}

// jsonValueOf is the value that an argument becomes in a document, as JSON_ARRAY makes it.
func jsonValueOf(ctx *sql.Context, e sql.Expression, row sql.Row) (any, error) {
	f, ok := operand.Lookup("json_array")
	if !ok {
		f, _ = operand.Builtin("json_array")
	}
	array, err := f.NewInstance(ctx, []sql.Expression{e})
	if err != nil {
		return nil, err
	}
	v, err := array.Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	doc, err := v.(sql.JSONWrapper).ToInterface(ctx)
	if err != nil {
		return nil, err
	}
	return doc.([]any)[0], nil
}
