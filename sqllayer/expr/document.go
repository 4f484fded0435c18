package expr

import (
	"context"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
)

// JSON documents whose numbers are what they are written as. The library reads them all as doubles,
// which have no integers above 2^53, and writes 1e3 as 1000.

// exactDoubles are the integers up to which doubles, which the library's functions expect, are
// exact.
const exactDoubles = 1 << 53

func numberIn(text string) any {
	if !strings.ContainsAny(text, ".eE") {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			if -exactDoubles <= n && n <= exactDoubles {
				return float64(n)
			}
			if n > 0 {
				return uint64(n)
			}
			return n
		}
		if n, err := strconv.ParseUint(text, 10, 64); err == nil {
			return n
		}
	}
	f, _ := strconv.ParseFloat(text, 64)
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return apdOf(f)
	}
	return f
}

// apdOf is a whole double with its digit behind the point.
func apdOf(f float64) *apd.Decimal {
	d, _, _ := apd.NewFromString(strconv.FormatFloat(f, 'f', 1, 64))
	return d
}

// NewDocument is a stored document: read when somebody looks into it.
func NewDocument(text []byte) sql.JSONWrapper { return &document{text: text} }

type document struct {
	text []byte
	mu   sync.Mutex
	read bool
	val  any
}

var _ types.JSONBytes = (*document)(nil)

// Clone implements sql.JSONWrapper.
func (d *document) Clone(context.Context) sql.JSONWrapper { return NewDocument(d.text) }

// ToInterface implements sql.JSONWrapper. A statement that ends meanwhile leaves the document unread.
func (d *document) ToInterface(ctx context.Context) (any, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.read {
		v, err := ParseDocument(ctx, string(d.text))
		if err != nil {
			return nil, err
		}
		d.val, d.read = v, true
	}
	return d.val, nil
}

// GetBytes implements types.JSONBytes.
func (d *document) GetBytes(context.Context) ([]byte, error) { return d.text, nil }

func (d *document) String() string { return string(d.text) }

// Document is a text as the document it holds. A text that holds none is an error of the function
// whose argument it is; where the function is not named, it stays one.
type Document struct {
	One
	name string
	at   int // of the argument, from 0
}

var _ sql.CollationCoercible = (*Document)(nil)

// Type implements sql.Expression.
func (*Document) Type(*sql.Context) sql.Type { return types.JSON }

// CollationCoercibility implements sql.CollationCoercible.
func (*Document) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_utf8mb4_bin, 2
}

// WithChildren implements sql.Expression.
func (d *Document) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return WithChildren(d, children)
}

// Eval implements sql.Expression.
func (d *Document) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := d.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	text, ok, err := textOf(ctx, v)
	if err != nil || !ok {
		return v, err
	}
	parsed, err := ParseDocument(ctx, text)
	switch f, fault := IsFault(err); {
	case fault && d.name == "":
		return v, nil
	case fault:
		return nil, f.inArgument(d.at, d.name)
	case err != nil:
		return nil, err
	}
	return types.JSONDocument{Val: parsed}, nil
}

// documented wraps the documents among the arguments of a function.
func documented(ctx *sql.Context, name string, args []sql.Expression, all bool) []sql.Expression {
	out := append([]sql.Expression(nil), args...)
	for i, e := range out {
		if (i == 0 || all) && e.Resolved() && isText(e.Type(ctx)) {
			out[i] = &Document{Over(e), name, i}
		}
	}
	return out
}

// Plain is a document as the library's own functions know it: all its numbers are doubles.
type Plain struct{ Document }

// WithChildren implements sql.Expression.
func (p *Plain) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return WithChildren(p, children)
}

// Eval implements sql.Expression.
func (p *Plain) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := p.Child.Eval(ctx, row)
	w, ok := v.(sql.JSONWrapper)
	if err != nil || !ok || w == nil {
		return v, err
	}
	text, err := types.JsonToMySqlBytes(ctx, w)
	if err != nil {
		return nil, err
	}
	return types.NewLazyJSONDocument(text), nil
}

// jsonType is JSON_TYPE, of doubles too.
type jsonType struct {
	One
	inner sql.Expression
}

var _ sql.CollationCoercible = (*jsonType)(nil)

func newJSONType(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
	f, ok := builtin("json_type")
	if !ok {
		return nil, sql.ErrFunctionNotFound.New("json_type")
	}
	args = documented(ctx, "json_type", args, false)
	inner, err := f.NewInstance(ctx, args)
	if err != nil {
		return nil, err
	}
	return &jsonType{Over(args[0]), inner}, nil
}

func (t *jsonType) String() string { return t.inner.String() }

// Type implements sql.Expression.
func (t *jsonType) Type(ctx *sql.Context) sql.Type { return t.inner.Type(ctx) }

// CollationCoercibility implements sql.CollationCoercible.
func (t *jsonType) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, t.inner)
}

// WithChildren implements sql.Expression.
func (t *jsonType) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return newJSONType(ctx, children...)
}

// Eval implements sql.Expression.
func (t *jsonType) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := t.Child.Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	if name := scalarCast(ctx, t.Child); name != "" && v != nil {
		return name, nil
	}
	if w, ok := v.(sql.JSONWrapper); ok && w != nil {
		value, err := w.ToInterface(ctx)
		if err != nil {
			return nil, err
		}
		switch n := value.(type) {
		case *apd.Decimal:
			if n.Exponent == -1 && strings.HasSuffix(n.Text('f'), ".0") {
				return "DOUBLE", nil
			}
		case float64:
			if n != math.Trunc(n) || math.Abs(n) > exactDoubles {
				return "DOUBLE", nil
			}
		}
	}
	return t.inner.Eval(ctx, row)
}

// StoredDocument is the name of the function that reads a document from its text.
const StoredDocument = "document of "

// TableDocument is the name of the function that reads the document of JSON_TABLE.
const TableDocument = "document of table "

// newTableDocument refuses subqueries, as MySQL does.
func newTableDocument(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
	if len(args) != 1 || ofSubquery(ctx, args[0]) {
		return nil, mysql.NewSQLError(mysql.ERWrongArguments, "HY000", "Incorrect arguments to JSON_TABLE")
	}
	return &Document{One: Over(args[0])}, nil
}

func init() {
	register(sql.FunctionN{Name: "json_type", Fn: newJSONType}, sql.FunctionN{Name: TableDocument, Fn: newTableDocument},
		sql.Function1{Name: StoredDocument, Fn: func(_ *sql.Context, e sql.Expression) sql.Expression { return &Document{One: Over(e)} }},
		scalar("json_valid", 1, 1, types.Int64, func(ctx *sql.Context, args []any) (any, error) {
			if _, ok := args[0].(sql.JSONWrapper); ok {
				return int64(1), nil
			}
			text, ok, err := textOf(ctx, args[0])
			if err != nil || !ok {
				return int64(0), err
			}
			_, err = ParseDocument(ctx, text)
			if _, fault := IsFault(err); fault {
				return int64(0), nil
			}
			return int64(1), err
		}))
	for _, name := range []string{"json_contains", "json_overlaps"} {
		f, ok := builtin(name)
		if !ok {
			continue
		}
		register(sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
			plain := append([]sql.Expression(nil), args...)
			for i, e := range args {
				if e.Resolved() && types.IsJSON(e.Type(ctx)) {
					plain[i] = &Plain{Document{One: Over(e)}}
				}
			}
			return f.NewInstance(ctx, plain)
		}})
	}
	wrap := func(name string, all bool) {
		f, ok := builtin(name)
		if !ok {
			return
		}
		register(sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
			return f.NewInstance(ctx, documented(ctx, name, args, all))
		}})
	}
	wrap("json_pretty", false)
	for _, name := range []string{"json_merge_patch", "json_merge_preserve", "json_merge"} {
		wrap(name, true)
	}
}
