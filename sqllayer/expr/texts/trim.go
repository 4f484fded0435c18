package texts

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr/operand"
)

// TRIM of a given text, and REPLACE, also of bytes: go-mysql-server makes texts of them.

// TrimCall is the call of the function that stands for a TRIM.
func TrimCall(e *sqlparser.TrimExpr) *sqlparser.FuncExpr {
	name := operand.TrimBoth
	switch e.Dir {
	case sqlparser.Leading:
		name = operand.TrimLeading
	case sqlparser.Trailing:
		name = operand.TrimTrailing
	}
	return operand.CallOf(name, e.Str, e.Pattern)
}

func init() {
	operand.Register(trimmed(operand.TrimBoth, true, true), trimmed(operand.TrimLeading, true, false), trimmed(operand.TrimTrailing, false, true), replaced())
}

// trimmed takes a text away from the ends of another as often as it stands there.
func trimmed(name string, leading, trailing bool) sql.Function {
	return sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) != 2 {
			return nil, sql.ErrInvalidArgumentNumber.New("TRIM", 2, len(args))
		}
		return newSpliced(ctx, "trim", args, func(ctx *sql.Context, a []any, _ bool) (any, error) {
			text, err := operand.ShownText(ctx, a[0])
			if err != nil {
				return nil, err
			}
			away, err := operand.ShownText(ctx, a[1])
			if err != nil || away == "" {
				return text, err
			}
			for leading && strings.HasPrefix(text, away) {
				text = text[len(away):]
			}
			for trailing && strings.HasSuffix(text, away) {
				text = text[:len(text)-len(away)]
			}
			return text, nil
		}), nil
	}}
}

func replaced() sql.Function {
	return sql.FunctionN{Name: "replace", Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) != 3 {
			return nil, sql.ErrInvalidArgumentNumber.New("REPLACE", 3, len(args))
		}
		return newSpliced(ctx, "replace", args, func(ctx *sql.Context, a []any, _ bool) (any, error) {
			var given [3]string
			for i := range given {
				text, err := operand.ShownText(ctx, a[i])
				if err != nil {
					return nil, err
				}
				given[i] = text
			}
			if given[1] == "" {
				return given[0], nil
			}
			return strings.ReplaceAll(given[0], given[1], given[2]), nil
		}), nil
	}}
}
