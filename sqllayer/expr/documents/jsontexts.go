package documents

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/operand"
)

const (
	erWrongType  = 3064
	erBinaryText = 3144
	erNullName   = 3158
)

// What an argument of a function of JSON is.
const (
	aText     = 't' // characters
	aDocument = 'd' // a document, or characters that are one
	aPath     = 'p'
	aName     = 'n' // of a member
	aValue    = 'v' // what becomes a part of a document
	aChecked  = 'c' // characters that may be a document
	aKept     = '-' // read by the function as it is
)

// arguments are the letters of a function's arguments. Those behind a star come again and again.
var arguments = map[string]string{
	"json_quote": "t", "json_unquote": "t", "json_object": "*nv", "json_array": "*v", "json_valid": "c",
	"json_arrayagg": "v", "json_objectagg": "nv", InArray: "vd", "json_overlaps": "dd",
	"json_length": "dp", "json_depth": "d", "json_type": "d", "json_keys": "dp", "json_pretty": "d", "json_storage_size": "d",
	"json_storage_free": "d", "json_extract": "d*p", "json_remove": "d*p", "json_value": "dp", ValueOf: "dp", TableDocument: "d",
	"json_contains": "ddp", "json_contains_path": "d-*p", "json_search": "d---*p",
	"json_set": "d*pv", "json_insert": "d*pv", "json_replace": "d*pv", "json_array_append": "d*pv", "json_array_insert": "d*pv",
	"json_merge": "*d", "json_merge_patch": "*d", "json_merge_preserve": "*d",
}

// argument is the letter of the i-th argument, from 0.
func argument(letters string, i int) byte {
	first, again, _ := strings.Cut(letters, "*")
	switch {
	case i < len(first):
		return first[i]
	case again == "":
		return aKept
	}
	return again[(i-len(first))%len(again)]
}

func init() {
	operand.Surround(operand.OverMembers, func(name string) bool { return arguments[name] != "" }, withMembers)
}

// withMembers is a function of JSON that refuses bytes where it reads characters, and whose members
// have names.
func withMembers(name string, f sql.Function) sql.Function {
	letters := arguments[name]
	return sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		own := slices.Clone(args)
		for i, e := range own {
			own[i] = member(ctx, name, argument(letters, i), e)
		}
		return f.NewInstance(ctx, own)
	}}
}

// member is an argument as its function reads it.
func member(ctx *sql.Context, name string, letter byte, e sql.Expression) sql.Expression {
	switch e.(type) {
	case *textOnly, *memberName, *noBytes, *jsonCast:
		return e
	}
	switch letter {
	case aText:
		if e.Resolved() && operand.IsNamed(e.Type(ctx)) {
			e = &operand.Member{One: operand.Over(e)}
		}
		return &textOnly{operand.LikeOf(e), name}
	case aName:
		return &memberName{operand.LikeOf(operand.NewText(ctx, e, operand.Anything))}
	}
	if !e.Resolved() {
		return e
	}
	switch t := e.Type(ctx); {
	case letter == aValue && (operand.IsBinary(t) || operand.IsNamed(t) || types.IsBit(t) || types.IsTime(t) || types.IsTimespan(t)):
		return &jsonCast{operand.Over(e)}
	case letter == aChecked && operand.IsBinary(t):
		return &noBytes{operand.LikeOf(e), false}
	case (letter == aDocument || letter == aPath) && operand.IsBinary(t):
		return &noBytes{operand.LikeOf(e), true}
	}
	return e
}

// noBytes is an argument of bytes where a function reads characters: an error, or what is no text.
type noBytes struct {
	operand.Like
	refused bool
}

// WithChildren implements sql.Expression.
func (e *noBytes) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(e, children)
}

// Eval implements sql.Expression.
func (e *noBytes) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := e.Child.Eval(ctx, row)
	switch {
	case v == nil || err != nil:
		return nil, err
	case e.refused:
		return nil, errBytes()
	}
	return int64(0), nil
}

func errBytes() error {
	return mysql.NewSQLError(erBinaryText, "22032", "Cannot create a JSON value from a string with CHARACTER SET 'binary'.")
}

// textOnly is an argument that is a text of characters.
type textOnly struct {
	operand.Like
	function string
}

// WithChildren implements sql.Expression.
func (e *textOnly) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(e, children)
}

// Type implements sql.Expression: the function asks for it before it asks for a value.
func (e *textOnly) Type(ctx *sql.Context) sql.Type {
	if t := e.Child.Type(ctx); e.takes(t) {
		return t
	}
	return types.LongText
}

func (e *textOnly) takes(t sql.Type) bool {
	return operand.IsText(t) || types.IsJSON(t) && e.function == "json_unquote"
}

// Eval implements sql.Expression.
func (e *textOnly) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := e.Child.Eval(ctx, row)
	if v == nil || err != nil {
		return nil, err
	}
	switch t := e.Child.Type(ctx); {
	case operand.IsBinary(t):
		return nil, errBytes()
	case e.takes(t):
		return operand.ShownText(ctx, v)
	}
	return nil, mysql.NewSQLError(erWrongType, "HY000", "Incorrect type for argument 1 in function %s.", e.function)
}

// memberName is the name of a member, which is not NULL.
type memberName struct{ operand.Like }

// WithChildren implements sql.Expression.
func (e *memberName) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(e, children)
}

// Eval implements sql.Expression.
func (e *memberName) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := e.Child.Eval(ctx, row)
	switch {
	case err != nil:
		return nil, err
	case v == nil:
		return nil, mysql.NewSQLError(erNullName, "22032", "JSON documents may not contain NULL member names.")
	case operand.IsBinary(e.Child.Type(ctx)), types.IsGeometry(e.Child.Type(ctx)):
		return nil, errBytes()
	}
	return v, nil
}
