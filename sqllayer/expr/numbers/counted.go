package numbers

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/operand"
)

// counted is the argument of a function that takes a whole number: of a text it is the digits that
// the text begins with, with a warning for the rest.
type counted struct {
	operand.Like
}

// countArguments are the functions that count, with the positions of those arguments.
var countArguments = map[string][]int{
	"left": {1}, "right": {1}, "substring": {1, 2}, "substr": {1, 2}, "mid": {1, 2}, "repeat": {1}, "space": {0}, "lpad": {1}, "rpad": {1},
	"substring_index": {2}, "locate": {2}, "elt": {0}, "from_days": {0}, "round": {1}, "truncate": {1}, "conv": {1, 2}, "format": {1},
}

func init() {
	operand.Surround(operand.OverCounts, func(name string) bool { return countArguments[name] != nil }, withCounts)
}

// withCounts is f with arguments that are read as MySQL reads whole numbers.
func withCounts(name string, f sql.Function) sql.Function {
	positions := countArguments[name]
	return sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		for _, at := range positions {
			if at < len(args) && (!args[at].Resolved() || types.IsText(args[at].Type(ctx))) {
				args[at] = &counted{operand.LikeOf(args[at])}
			}
		}
		return f.NewInstance(ctx, args)
	}}
}

// Type implements sql.Expression.
func (c *counted) Type(ctx *sql.Context) sql.Type {
	if t := c.Child.Type(ctx); !types.IsText(t) {
		return t
	}
	return types.Int64
}

// WithChildren implements sql.Expression.
func (c *counted) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(c, children)
}

// Eval implements sql.Expression.
func (c *counted) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := c.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	text, ok, err := operand.TextOf(ctx, v)
	if err != nil {
		return nil, err
	}
	if !ok {
		return v, nil
	}
	return operand.CountOf(ctx, text), nil
}
