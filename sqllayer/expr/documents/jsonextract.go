package documents

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/operand"
)

// documentReader gives the value of a document that is an argument of a function.
type documentReader struct {
	doc  sql.Expression
	name string // of the function
	at   int    // of the argument, from 0
}

const erNoDocument = 3146

// value is the document's; null: there is none.
func (d documentReader) value(ctx *sql.Context, row sql.Row) (v any, null bool, err error) {
	if v, err = d.doc.Eval(ctx, row); err != nil || v == nil {
		return nil, true, err
	}
	if doc, ok := v.(sql.JSONWrapper); ok {
		v, err = doc.ToInterface(ctx)
		return v, false, err
	}
	text, ok, err := operand.TextOf(ctx, v)
	if err != nil {
		return nil, false, err
	}
	if !ok {
		return nil, false, mysql.NewSQLError(erNoDocument, "22032", "Invalid data type for JSON data in argument %d to function %s; a JSON string or JSON type is required.", d.at+1, d.name)
	}
	v, err = operand.ParseDocument(ctx, text)
	if f, ok := IsFault(err); ok {
		err = f.InArgument(d.at, d.name)
	}
	return v, false, err
}

// pathOf reads a path that is a function's argument; nil without an error is NULL. one: the path
// must be of one value.
func pathOf(ctx *sql.Context, e sql.Expression, row sql.Row, one bool) (*jsonPath, error) {
	v, err := e.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	text, _, err := operand.TextOf(ctx, v)
	if err != nil {
		return nil, err
	}
	p, err := parsePath(text)
	if err != nil {
		return nil, err
	}
	if one && p.many() {
		return nil, mysql.NewSQLError(erPathWildcard, "42000", "In this situation, path expressions may not contain the * and ** tokens or an array range.")
	}
	return &p, nil
}

// Extract is JSON_EXTRACT: the value at a path that is of one, an array of the values of several,
// NULL if there is none.
type Extract struct {
	operand.Many
	doc documentReader
}

var _ sql.FunctionExpression = (*Extract)(nil)
var _ sql.CollationCoercible = (*Extract)(nil)

func newExtract(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
	if len(args) < 2 {
		return nil, sql.ErrInvalidArgumentNumber.New("JSON_EXTRACT", 2, len(args))
	}
	return &Extract{operand.OverMany(args), documentReader{args[0], "json_extract", 0}}, nil
}

// FunctionName implements sql.FunctionExpression.
func (e *Extract) FunctionName() string { return "json_extract" }

// Description implements sql.FunctionExpression.
func (e *Extract) Description() string { return "values of a document at paths" }

func (e *Extract) String() string {
	args := make([]string, len(e.ChildExpressions))
	for i, a := range e.ChildExpressions {
		args[i] = a.String()
	}
	return "json_extract(" + strings.Join(args, ", ") + ")"
}

// Type implements sql.Expression.
func (e *Extract) Type(*sql.Context) sql.Type { return types.JSON }

// CollationCoercibility implements sql.CollationCoercible.
func (e *Extract) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return ctx.GetCharacterSet().BinaryCollation(), 2
}

// WithChildren implements sql.Expression.
func (e *Extract) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return newExtract(ctx, children...)
}

// Eval implements sql.Expression.
func (e *Extract) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	value, null, err := e.doc.value(ctx, row)
	if err != nil {
		return nil, err
	}
	paths := e.ChildExpressions[1:]
	several := len(paths) > 1
	var out []any
	for _, a := range paths {
		p, err := pathOf(ctx, a, row, false)
		if err != nil {
			return nil, err
		}
		if p == nil {
			null = true
		} else if !null {
			several = several || p.many()
			found, err := p.find(ctx, value)
			if err != nil {
				return nil, err
			}
			for _, f := range found {
				out = append(out, f.value)
			}
		}
	}
	switch {
	case null || out == nil:
		return nil, nil
	case several:
		return operand.MadeOf(out), nil
	}
	return operand.MadeOf(out[0]), nil
}

// atPath is a function of a document that has a path behind it.
func atPath(name string, one bool) {
	f, ok := operand.Builtin(name)
	if !ok {
		return
	}
	operand.Register(sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) != 2 {
			return f.NewInstance(ctx, documented(ctx, name, args, false))
		}
		path := args[1]
		if one {
			path = &onePath{operand.LikeOf(path)}
		}
		at, err := newExtract(ctx, args[0], path)
		if err != nil {
			return nil, err
		}
		return f.NewInstance(ctx, []sql.Expression{at})
	}})
}

// onePath is a path that has to be of one value.
type onePath struct{ operand.Like }

// WithChildren implements sql.Expression.
func (o *onePath) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(o, children)
}

// Eval implements sql.Expression.
func (o *onePath) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	if _, err := pathOf(ctx, o.Child, row, true); err != nil {
		return nil, err
	}
	return o.Child.Eval(ctx, row)
}

// containsPath is JSON_CONTAINS_PATH.
func containsPath(ctx *sql.Context, doc documentReader, args []sql.Expression, row sql.Row) (any, error) {
	value, null, err := doc.value(ctx, row)
	if err != nil || null {
		return nil, err
	}
	which, err := oneOrAll(ctx, args[1], row, "json_contains_path")
	if err != nil || which == "" {
		return nil, err
	}
	for _, a := range args[2:] {
		p, err := pathOf(ctx, a, row, false)
		if err != nil || p == nil {
			return nil, err
		}
		all, err := p.find(ctx, value)
		if err != nil {
			return nil, err
		}
		if found := len(all) > 0; found == (which == "one") {
			return found, nil
		}
	}
	return which == "all", nil
}

const erOneOrAll = 3154

// oneOrAll reads the argument that says whether one match is enough; empty: NULL.
func oneOrAll(ctx *sql.Context, e sql.Expression, row sql.Row, name string) (string, error) {
	v, err := e.Eval(ctx, row)
	if err != nil || v == nil {
		return "", err
	}
	text, _, err := operand.TextOf(ctx, v)
	if err != nil {
		return "", err
	}
	if text = strings.ToLower(text); text != "one" && text != "all" {
		return "", mysql.NewSQLError(erOneOrAll, "42000", "The oneOrAll argument to %s may take these values: 'one' or 'all'.", name)
	}
	return text, nil
}

// documentCall is a function of a document whose other arguments it reads itself.
type documentCall struct {
	operand.Many
	name string
	low  int
	typ  sql.Type
	doc  documentReader
	eval func(ctx *sql.Context, doc documentReader, args []sql.Expression, row sql.Row) (any, error)
}

var _ sql.FunctionExpression = (*documentCall)(nil)
var _ sql.CollationCoercible = (*documentCall)(nil)

func documentFunction(name string, low int, typ sql.Type, eval func(*sql.Context, documentReader, []sql.Expression, sql.Row) (any, error)) {
	operand.Register(sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		return (&documentCall{name: name, low: low, typ: typ, eval: eval}).WithChildren(ctx, args...)
	}})
}

// FunctionName implements sql.FunctionExpression.
func (c *documentCall) FunctionName() string { return c.name }

// Operator tells the calls of one type apart, see operand.Operated.
func (c *documentCall) Operator() string { return c.name }

// Description implements sql.FunctionExpression.
func (c *documentCall) Description() string { return "MySQL's " + c.name }

func (c *documentCall) String() string {
	args := make([]string, len(c.ChildExpressions))
	for i, a := range c.ChildExpressions {
		args[i] = a.String()
	}
	return c.name + "(" + strings.Join(args, ",") + ")"
}

// Type implements sql.Expression.
func (c *documentCall) Type(*sql.Context) sql.Type { return c.typ }

// CollationCoercibility implements sql.CollationCoercible.
func (c *documentCall) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return ctx.GetCharacterSet().BinaryCollation(), 2
}

// WithChildren implements sql.Expression.
func (c *documentCall) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) < c.low {
		return nil, sql.ErrInvalidArgumentNumber.New(strings.ToUpper(c.name), c.low, len(children))
	}
	changed := *c
	changed.ChildExpressions = children
	changed.doc = documentReader{children[0], c.name, 0}
	return &changed, nil
}

// Eval implements sql.Expression.
func (c *documentCall) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	return c.eval(ctx, c.doc, c.ChildExpressions, row)
}

func init() {
	operand.Register(sql.FunctionN{Name: "json_extract", Fn: newExtract})
	atPath("json_length", false) // several values: how many
	atPath("json_keys", true)
	documentFunction("json_search", 3, types.JSON, searchDocument)
	documentFunction("json_contains", 2, types.Boolean, containsDocument)
	documentFunction("json_storage_size", 1, types.Int64, storageSize)
	documentFunction("json_storage_free", 1, types.Int64, storageFree)
	documentFunction("json_contains_path", 3, types.Boolean, containsPath)
}

// IsNullable implements sql.Expression.
func (e *Extract) IsNullable(*sql.Context) bool { return true }

// IsNullable implements sql.Expression.
func (c *documentCall) IsNullable(*sql.Context) bool { return true }
