package compare

import (
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/operand"
)

// Like is LIKE with a pattern that is no literal: each row may have another one. go-mysql-server's
// keeps the first pattern unless it finds a column in it.
type Like struct {
	operand.Two
	escape sql.Expression // nil: a backslash
}

// NewLike makes it.
func NewLike(left, pattern, escape sql.Expression) *Like {
	return &Like{operand.OverTwo(left, pattern), escape}
}

func (l *Like) String() string { return l.LeftChild.String() + " LIKE " + l.RightChild.String() }

// Type implements sql.Expression.
func (*Like) Type(*sql.Context) sql.Type { return types.Boolean }

// IsNullable implements sql.Expression.
func (l *Like) IsNullable(ctx *sql.Context) bool {
	return l.LeftChild.IsNullable(ctx) || l.RightChild.IsNullable(ctx)
}

// WithChildren implements sql.Expression.
func (l *Like) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(l, children)
}

// Eval implements sql.Expression.
func (l *Like) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	text, err := likeText(ctx, l.LeftChild, row)
	if err != nil || text == nil {
		return nil, err
	}
	pattern, err := likeText(ctx, l.RightChild, row)
	if err != nil || pattern == nil {
		return nil, err
	}
	escape, err := l.escapeRune(ctx, row)
	if err != nil {
		return nil, err
	}
	a, n := sql.GetCoercibility(ctx, l.LeftChild)
	b, m := sql.GetCoercibility(ctx, l.RightChild)
	collation, _ := sql.ResolveCoercibility(a, n, b, m)
	matcher, err := expression.ConstructLikeMatcher(collation, *pattern, escape)
	if sql.ErrCharSetInvalidString.Is(err) {
		ctx.Warn(mysql.ERInvalidCharacterString, "%s", err.Error())
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return matcher.Match(*text), nil
}

// likeText is an operand as a text; nil: it is NULL.
func likeText(ctx *sql.Context, e sql.Expression, row sql.Row) (*string, error) {
	v, err := e.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return nil, err
	}
	text, ok := v.(string)
	if !ok {
		text, _, err = types.ConvertToCollatedString(ctx, v, e.Type(ctx))
	}
	return &text, err
}

// escapeRune is the character of ESCAPE; 0: there is none.
func (l *Like) escapeRune(ctx *sql.Context, row sql.Row) (rune, error) {
	if l.escape == nil {
		return '\\', nil
	}
	text, err := likeText(ctx, l.escape, row)
	switch {
	case err != nil:
		return 0, err
	case text == nil:
		return '\\', nil
	case *text == "":
		return 0, nil
	case utf8.RuneCountInString(*text) > 1:
		return 0, sql.ErrInvalidArgument.New("ESCAPE")
	}
	return []rune(*text)[0], nil
}
