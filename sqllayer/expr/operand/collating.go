package operand

import (
	"slices"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// Collating gives a text a type with its collation.
type Collating struct {
	Like
	typ sql.Type
}

// ResultText is the name of the function that Replace puts around expressions that are texts and no
// calls.
const ResultText = "text made by "

// InCollation wraps an expression that is a text whose type has another collation than the text.
func InCollation(ctx *sql.Context, e sql.Expression) sql.Expression {
	if !e.Resolved() {
		return e
	}
	t, ok := e.Type(ctx).(sql.StringType)
	if !ok || !IsText(t) || OfSubquery(ctx, e) {
		return e
	}
	c, _ := sql.GetCoercibility(ctx, e)
	if m, ok := e.(*Merged); ok {
		if _, ok := m.Child.(*function.Coalesce); ok {
			c = common(ctx, m.Candidates()) // its own goes by the type
		}
	}
	if c == t.Collation() || c == sql.Collation_binary || c == sql.Collation_Unspecified {
		return e
	}
	typ, err := types.CreateString(t.Type(), t.MaxCharacterLength(), c)
	if err != nil {
		return e
	}
	return &Collating{LikeOf(e), typ}
}

// OfSubquery tells whether a subquery is among the operands: while a statement is being planned,
// some have no plan that could be asked for its collation.
func OfSubquery(ctx *sql.Context, e sql.Expression) (found bool) {
	sql.Inspect(ctx, e, func(_ *sql.Context, e sql.Expression) bool {
		switch e := e.(type) {
		case *plan.Subquery:
			found = true
		case *Field: // has no children, and the collation of what it stands for
			found = found || OfSubquery(ctx, e.Child)
		}
		return !found
	})
	return found
}

// common is the collation of a text that is one of several.
func common(ctx *sql.Context, of []sql.Expression) sql.CollationID {
	c, n := sql.Collation_binary, byte(6)
	for _, e := range of {
		other, m := sql.GetCoercibility(ctx, e)
		c, n = sql.ResolveCoercibility(c, n, other, m)
	}
	return c
}

// Type implements sql.Expression.
func (c *Collating) Type(*sql.Context) sql.Type { return c.typ }

// CollationCoercibility implements sql.CollationCoercible.
func (c *Collating) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	_, n := sql.GetCoercibility(ctx, c.Child)
	return c.typ.(sql.StringType).Collation(), n
}

// WithChildren implements sql.Expression.
func (c *Collating) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(c, len(children), 1)
	}
	return InCollation(ctx, children[0]), nil
}

// Eval implements sql.Expression.
func (c *Collating) Eval(ctx *sql.Context, row sql.Row) (any, error) { return c.Child.Eval(ctx, row) }

// textFunctions make texts, beside those that take some.
var textFunctions = []string{"quote", "coalesce", "convert", "date_format", "dayname", "monthname", "time_format", "ifnull", "if", "nullif", "char", "uuid", "json_unquote", "json_quote", "inet_ntoa", "inet6_ntoa", "st_astext", "st_aswkt"}

func makesText(name string) bool {
	return TextArguments[name] != "" || slices.Contains(textFunctions, name)
}

// collateResult makes InCollation of what a function gives.
func collateResult(name string, f sql.Function) sql.Function {
	return sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		e, err := f.NewInstance(ctx, args)
		if err != nil {
			return nil, err
		}
		if mixing[name] {
			if c, err := mixed(ctx, name, args); err != nil || c != sql.Collation_Unspecified {
				if err != nil {
					return nil, err
				}
				return inMixture(ctx, e, c)
			}
		}
		return InCollation(ctx, e), nil
	}}
}

// Most is the length of the longest text that a function makes: max_allowed_packet.
func Most(ctx *sql.Context) int64 {
	v, err := ctx.GetSessionVariable(ctx, "max_allowed_packet")
	if n, ok := v.(int64); ok && err == nil {
		return n
	}
	return 64 << 20
}

// TooLarge is NULL in the place of a text that is too long, with a warning.
func TooLarge(ctx *sql.Context, name string) (any, error) {
	ctx.Warn(1301, "Result of %s() was larger than max_allowed_packet (%d) - truncated", name, Most(ctx))
	return nil, nil
}

func ShownText(ctx *sql.Context, v any) (string, error) {
	if text, ok, err := TextOf(ctx, v); ok || err != nil {
		return text, err
	}
	if j, ok := v.(sql.JSONWrapper); ok {
		text, err := AppendDocument(ctx, nil, j)
		return string(text), err
	}
	out, _, err := types.LongText.Convert(ctx, v)
	if err != nil {
		return "", err
	}
	text, _ := out.(string)
	return text, nil
}

func Length(text string, chars bool) int64 {
	if chars {
		return int64(utf8.RuneCountInString(text))
	}
	return int64(len(text))
}

// Cut is a part of a text, from one character or byte up to another.
func Cut(text string, from, to int64, chars bool) string {
	if !chars || len(text) == utf8.RuneCountInString(text) {
		return text[from:min(to, int64(len(text)))]
	}
	runes := []rune(text)
	return string(runes[from:min(to, int64(len(runes)))])
}
