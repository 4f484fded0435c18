package expr

import (
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"

	"emberdb/sqllayer/expr/documents"
	"emberdb/sqllayer/expr/operand"
)

// Documents and geometries are trees whose parts may be shared: JSON_ARRAY(@a, @a), again and
// again, costs nothing until somebody writes it out or walks it. So each function that makes one
// measures its result: max_allowed_packet bounds its text, MostJSONDepth how deep it nests.

// IsJSONDepth tells the error of documents that nest too deep.
func IsJSONDepth(err error) bool { return errors.Is(err, operand.ErrJSONDepth) }

// flat tells whether the brackets of a text, valid or not, nest at most MostJSONDepth deep.
func flat(text []byte) bool { return operand.FlatFrom(text, 1) }

// flatJSON refuses a text that nests too deep.
type flatJSON struct{ operand.Like }

// WithChildren implements sql.Expression.
func (f *flatJSON) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(f, children)
}

// Eval implements sql.Expression.
func (f *flatJSON) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := f.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if text, ok, err := operand.TextOf(ctx, v); err != nil || ok && !flat([]byte(text)) {
		if err == nil {
			err = operand.ErrJSONDepth
		}
		return nil, err
	}
	return v, nil
}

// measuredFunctions make documents or geometries out of others.
var measuredFunctions = map[string]bool{
	"st_buffer":  true,
	"json_array": true, "json_array_append": true, "json_array_insert": true, "json_extract": true, "json_insert": true, "json_merge": true,
	"json_merge_patch": true, "json_merge_preserve": true, "json_object": true, "json_replace": true, "json_search": true, "json_set": true,
	"json_keys": true, "geomcollection": true, "geometrycollection": true, "multilinestring": true, "multipoint": true, "multipolygon": true,
	"linestring": true, "polygon": true, "st_collect": true,
}

// flatArguments is how many arguments of a function, from the first, are documents that the library
// reads.
var flatArguments = map[string]int{"json_contains": 2, "json_contains_path": 1, "json_depth": 1, "json_keys": 1, "json_length": 1, "json_merge": math.MaxInt,
	"json_merge_patch": math.MaxInt, "json_merge_preserve": math.MaxInt, "json_overlaps": 2, "json_pretty": 1, "json_remove": 1, "json_type": 1,
	"json_value": 1, "st_geomfromgeojson": 1, "json_schema_valid": 2, "json_schema_validation_report": 2}

func init() {
	operand.Surround(operand.OverFlat, func(name string) bool { return flatArguments[name] > 0 }, withFlat)
	operand.Surround(operand.Measuring, func(name string) bool { return measuredFunctions[name] }, measure)
}

// withFlat is a function whose documents do not nest too deep.
func withFlat(name string, f sql.Function) sql.Function {
	n := flatArguments[name]
	return sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		own := slices.Clone(args)
		for i, e := range own {
			if _, done := e.(*flatJSON); i < n && !done && (!e.Resolved() || operand.IsText(e.Type(ctx)) || operand.IsBinary(e.Type(ctx))) {
				own[i] = &flatJSON{operand.LikeOf(e)}
			}
		}
		return f.NewInstance(ctx, own)
	}}
}

func measure(name string, f sql.Function) sql.Function {
	return sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		e, err := f.NewInstance(ctx, args)
		if err != nil || name == "json_extract" && plainPath(ctx, args) {
			return e, err
		}
		return &measured{operand.LikeOf(e), name}, nil
	}}
}

// plainPath tells whether JSON_EXTRACT gives a part of a document, once.
func plainPath(ctx *sql.Context, args []sql.Expression) bool {
	if len(args) != 2 {
		return false
	}
	l, ok := args[1].(*expression.Literal)
	if !ok {
		return false
	}
	text, ok, _ := operand.TextOf(ctx, l.Value())
	return ok && !strings.Contains(text, "*")
}

// measured is what a function makes, which is neither too large nor too deep.
type measured struct {
	operand.Like
	name string
}

// WithChildren implements sql.Expression.
func (m *measured) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(m, children)
}

// Eval implements sql.Expression.
func (m *measured) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := m.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return v, err
	}
	return documents.Fitting(ctx, m.name, v)
}

// sizeOfPretty is the size of JSON_PRETTY.
func sizeOfPretty(ctx *sql.Context, _ *Bounded, args []any) (int64, error) {
	v := args[0]
	switch text := v.(type) {
	case string:
		v, _ = operand.ParseDocument(ctx, text) // the function tells what is wrong with it
	case []byte:
		v, _ = operand.ParseDocument(ctx, string(text))
	}
	m := operand.Meter{Most: math.MaxInt64, Lines: true}
	m.Add(v, 1)
	return m.Size, nil
}
