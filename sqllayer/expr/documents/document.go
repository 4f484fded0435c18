package documents

import (
	"errors"
	"math"
	"slices"

	apd "github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/operand"
)

// JSON documents whose numbers are what they are written as. The library reads them all as doubles,
// which have no integers above 2^53, and writes 1e3 as 1000.

// Document is a text as the document it holds. A text that holds none is an error of the function
// whose argument it is; where the function is not named, it stays one.
type Document struct {
	operand.One
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
	return operand.WithChildren(d, children)
}

// Eval implements sql.Expression.
func (d *Document) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := d.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	text, ok, err := operand.TextOf(ctx, v)
	if err != nil || !ok {
		return v, err
	}
	parsed, err := operand.ParseDocument(ctx, text)
	switch f, fault := IsFault(err); {
	case fault && d.name == "":
		return v, nil
	case fault:
		return nil, f.InArgument(d.at, d.name)
	case err != nil:
		return nil, err
	}
	return operand.MadeOf(parsed), nil
}

// documented wraps the documents among the arguments of a function.
func documented(ctx *sql.Context, name string, args []sql.Expression, all bool) []sql.Expression {
	out := append([]sql.Expression(nil), args...)
	for i, e := range out {
		if (i == 0 || all) && e.Resolved() && operand.IsText(e.Type(ctx)) {
			out[i] = &Document{operand.Over(e), name, i}
		}
	}
	return out
}

// Plain is a document as the library's own functions know it: all its numbers are doubles.
type Plain struct{ Document }

// WithChildren implements sql.Expression.
func (p *Plain) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(p, children)
}

// Eval implements sql.Expression.
func (p *Plain) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := p.Child.Eval(ctx, row)
	w, ok := v.(sql.JSONWrapper)
	if err != nil || !ok || w == nil {
		return v, err
	}
	text, err := operand.AppendDocument(ctx, nil, w)
	if err != nil {
		return nil, err
	}
	return types.NewLazyJSONDocument(text), nil
}

// jsonType is JSON_TYPE, of doubles too.
type jsonType struct {
	operand.One
	inner sql.Expression
}

var _ sql.CollationCoercible = (*jsonType)(nil)

func newJSONType(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
	f, ok := operand.Builtin("json_type")
	if !ok {
		return nil, sql.ErrFunctionNotFound.New("json_type")
	}
	args = documented(ctx, "json_type", args, false)
	inner, err := f.NewInstance(ctx, args)
	if err != nil {
		return nil, err
	}
	return &jsonType{operand.Over(args[0]), inner}, nil
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
	if err != nil || v == nil {
		return nil, err
	}
	if name := scalarCast(ctx, t.Child); name != "" {
		return name, nil
	}
	if w, ok := v.(sql.JSONWrapper); ok && w != nil {
		value, err := w.ToInterface(ctx)
		if err != nil {
			return nil, err
		}
		switch n := value.(type) {
		case *apd.Decimal:
			if _, ok := operand.WholeDouble(n); ok {
				return "DOUBLE", nil
			}
		case float64:
			if n != math.Trunc(n) || math.Abs(n) > operand.ExactDoubles {
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
	if len(args) != 1 || operand.OfSubquery(ctx, args[0]) {
		return nil, mysql.NewSQLError(mysql.ERWrongArguments, "HY000", "Incorrect arguments to JSON_TABLE")
	}
	return &Document{One: operand.Over(args[0])}, nil
}

func init() {
	operand.Register(sql.FunctionN{Name: "json_type", Fn: newJSONType}, sql.FunctionN{Name: TableDocument, Fn: newTableDocument},
		sql.Function1{Name: StoredDocument, Fn: func(_ *sql.Context, e sql.Expression) sql.Expression { return &Document{One: operand.Over(e)} }},
		operand.NewScalar("json_valid", 1, 1, types.Int64, func(ctx *sql.Context, args []any) (any, error) {
			if _, ok := args[0].(sql.JSONWrapper); ok {
				return int64(1), nil
			}
			text, ok, err := operand.TextOf(ctx, args[0])
			if err != nil || !ok {
				return int64(0), err
			}
			_, err = operand.ParseDocument(ctx, text)
			if _, fault := IsFault(err); fault {
				return int64(0), nil
			}
			return int64(1), err
		}))
	operand.Register(sql.FunctionN{Name: "json_overlaps", Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		f, ok := operand.Builtin("json_overlaps")
		if !ok {
			return nil, sql.ErrFunctionNotFound.New("json_overlaps")
		}
		plain := slices.Clone(args)
		for i, e := range args {
			if e.Resolved() && types.IsJSON(e.Type(ctx)) {
				plain[i] = &Plain{Document{One: operand.Over(e)}}
			}
		}
		return f.NewInstance(ctx, plain)
	}})
}

// IsFault tells whether an error says that a text is no document, and what is wrong with it.
func IsFault(err error) (f *operand.Fault, ok bool) { return f, errors.As(err, &f) }
