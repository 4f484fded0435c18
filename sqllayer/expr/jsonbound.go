package expr

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/geometry"
)

// Documents and geometries are trees whose parts may be shared: JSON_ARRAY(@a, @a), again and
// again, costs nothing until somebody writes it out or walks it. So each function that makes one
// measures its result: max_allowed_packet bounds its text, mostJSONDepth how deep it nests.

// mostJSONDepth is how deep the arrays and objects of a document may nest.
const mostJSONDepth = 100

const erJSONDepth = 3157

// errJSONDepth is wrapped by no other error: it reaches the client as it is.
var errJSONDepth error = mysql.NewSQLError(erJSONDepth, "22032", "The JSON document exceeds the maximum depth.")

// IsJSONDepth tells the error of documents that nest too deep.
func IsJSONDepth(err error) bool { return errors.Is(err, errJSONDepth) }

// flat tells whether the brackets of a text, valid or not, nest at most mostJSONDepth deep.
func flat(text []byte) bool { return flatFrom(text, 1) }

// flatFrom is flat of a text whose outermost brackets are the depth-th around each other.
func flatFrom(text []byte, depth int) bool {
	depth--
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '[', '{':
			if depth++; depth > mostJSONDepth {
				return false
			}
		case ']', '}':
			depth--
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		}
	}
	return true
}

// flatJSON refuses a text that nests too deep.
type flatJSON struct{ like }

// WithChildren implements sql.Expression.
func (f *flatJSON) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return WithChildren(f, children)
}

// Eval implements sql.Expression.
func (f *flatJSON) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := f.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if text, ok, err := textOf(ctx, v); err != nil || ok && !flat([]byte(text)) {
		if err == nil {
			err = errJSONDepth
		}
		return nil, err
	}
	return v, nil
}

// measuredFunctions make documents or geometries out of others.
var measuredFunctions = map[string]bool{
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
	surround(overFlat, func(name string) bool { return flatArguments[name] > 0 }, withFlat)
	surround(measuring, func(name string) bool { return measuredFunctions[name] }, measure)
}

// withFlat is a function whose documents do not nest too deep.
func withFlat(name string, f sql.Function) sql.Function {
	n := flatArguments[name]
	return sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		own := slices.Clone(args)
		for i, e := range own {
			if _, done := e.(*flatJSON); i < n && !done && (!e.Resolved() || isText(e.Type(ctx)) || isBinary(e.Type(ctx))) {
				own[i] = &flatJSON{likeOf(e)}
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
		return &measured{likeOf(e), name}, nil
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
	text, ok, _ := textOf(ctx, l.Value())
	return ok && !strings.Contains(text, "*")
}

// measured is what a function makes, which is neither too large nor too deep.
type measured struct {
	like
	name string
}

// WithChildren implements sql.Expression.
func (m *measured) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return WithChildren(m, children)
}

// Eval implements sql.Expression.
func (m *measured) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := m.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return v, err
	}
	return fitting(ctx, m.name, v)
}

// fitting is a document or geometry that a function made, NULL if it is too large, an error if it
// nests too deep.
func fitting(ctx *sql.Context, name string, v any) (any, error) {
	limit := most(ctx)
	switch v := v.(type) {
	case types.GeometryValue:
		size, depth := geometry.Measure(v, limit)
		if depth > geometry.MaxDepth {
			return nil, nestsTooDeep()
		}
		if size > limit {
			return tooLarge(ctx, name)
		}
	case sql.JSONWrapper:
		m := meter{most: limit}
		if m.add(v, 1); m.depth > mostJSONDepth {
			return nil, errJSONDepth
		}
		if m.size > limit {
			return tooLarge(ctx, name)
		}
	}
	return v, nil
}

// documentSize is the size of a document as text, of a geometry as bytes.
func documentSize(v any) int64 {
	if g, ok := v.(types.GeometryValue); ok {
		size, _ := geometry.Measure(g, math.MaxInt64)
		return size
	}
	m := meter{most: math.MaxInt64}
	m.add(v, 1)
	return m.size
}

// meter measures the text of a document. It stops behind the value with which size is over most,
// and at mostJSONDepth.
type meter struct {
	size, most int64
	depth      int
	lines      bool // the text is JSON_PRETTY's
}

// add adds a value whose arrays and objects are the depth-th around each other.
func (m *meter) add(v any, depth int) {
	switch v := v.(type) {
	case nil, bool:
		m.size += int64(len("false"))
		if v != false {
			m.size--
		}
	case string:
		m.size += quotedSize(v)
	case []any:
		if m.open(len(v), depth) {
			for _, e := range v {
				m.add(e, depth+1)
				if m.size > m.most {
					return
				}
			}
		}
	case map[string]any:
		if m.open(len(v), depth) {
			for name, e := range v {
				m.size += quotedSize(name) + int64(len(": "))
				m.add(e, depth+1)
				if m.size > m.most {
					return
				}
			}
		}
	case sql.JSONWrapper:
		m.wrapped(v, depth)
	case float64:
		var digits [32]byte
		m.size += int64(len(AppendFloat(digits[:0], v, 64)))
	case int64:
		var digits [32]byte
		m.size += int64(len(strconv.AppendInt(digits[:0], v, 10)))
	case uint64:
		var digits [32]byte
		m.size += int64(len(strconv.AppendUint(digits[:0], v, 10)))
	case *apd.Decimal:
		m.size += v.NumDigits() + int64(len("-.")) // a digit more or less
	default:
		m.size += int64(len(`"2000-01-01 00:00:00.000000"`))
	}
}

// open adds the brackets and what stands between n values; false: the values are not looked at.
func (m *meter) open(n, depth int) bool {
	m.depth = max(m.depth, depth)
	between := product(int64(n-1), int64(len(", ")))
	if m.lines && n > 0 {
		between = product(int64(n), int64(len(",\n")+2*depth)) + int64(2*(depth-1))
	}
	m.size += int64(len("[]")) + between
	return depth <= mostJSONDepth && m.size <= m.most
}

func (m *meter) wrapped(v sql.JSONWrapper, depth int) {
	if d, ok := v.(*document); ok && !m.lines {
		m.size += int64(len(d.text))
		if !flatFrom(d.text, depth) {
			m.depth = mostJSONDepth + 1
		}
		return
	}
	inner, err := v.ToInterface(context.Background())
	if err != nil {
		return // the function that reads it tells
	}
	m.add(inner, depth)
}

// quotedSize is the size of a text between quotation marks.
func quotedSize(v any) int64 {
	text, _, _ := textOf(nil, v)
	n := int64(len(text)) + int64(len(`""`))
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"', c == '\\', c == '\b', c == '\f', c == '\n', c == '\r', c == '\t':
			n++
		case c < ' ':
			n += int64(len(`u0000`))
		}
	}
	return n
}

// sizeOfPretty is the size of JSON_PRETTY.
func sizeOfPretty(ctx *sql.Context, _ *Bounded, args []any) (int64, error) {
	v := args[0]
	switch text := v.(type) {
	case string:
		v, _ = ParseDocument(ctx, text) // the function tells what is wrong with it
	case []byte:
		v, _ = ParseDocument(ctx, string(text))
	}
	m := meter{most: math.MaxInt64, lines: true}
	m.add(v, 1)
	return m.size, nil
}
