package documents

import (
	"slices"

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

func init() {
	operand.Surround(operand.OverMembers, func(name string) bool { return name == "json_quote" || name == "json_unquote" || name == "json_object" }, withMembers)
}

// withMembers is JSON_QUOTE or JSON_UNQUOTE of a text, or JSON_OBJECT whose members have names.
func withMembers(name string, f sql.Function) sql.Function {
	return sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		own := slices.Clone(args)
		for i, e := range own {
			switch e.(type) {
			case *textOnly, *memberName:
				continue
			}
			if name != "json_object" {
				own[i] = &textOnly{operand.LikeOf(e), name}
			} else if i%2 == 0 {
				own[i] = &memberName{operand.LikeOf(e)}
			}
		}
		return f.NewInstance(ctx, own)
	}}
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
		return nil, mysql.NewSQLError(erBinaryText, "22032", "Cannot create a JSON value from a string with CHARACTER SET 'binary'.")
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
	if v == nil && err == nil {
		err = mysql.NewSQLError(erNullName, "22032", "JSON documents may not contain NULL member names.")
	}
	return v, err
}
