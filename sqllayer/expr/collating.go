package expr

import (
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// Texts that functions make, in the collation of what they are made of: the type that
// go-mysql-server gives them compares bytes, and ORDER BY, GROUP BY, DISTINCT and derived tables go
// by the type.

// Collating gives a text a type with its collation.
type Collating struct {
	like
	typ sql.Type
}

// resultText is the name of the function that Replace puts around expressions that are texts and no
// calls.
const resultText = "text made by "

// inCollation wraps an expression that is a text whose type has another collation than the text.
func inCollation(ctx *sql.Context, e sql.Expression) sql.Expression {
	if !e.Resolved() {
		return e
	}
	t, ok := e.Type(ctx).(sql.StringType)
	if !ok || !isText(t) || ofSubquery(ctx, e) {
		return e
	}
	c, _ := sql.GetCoercibility(ctx, e)
	if m, ok := e.(*Merged); ok {
		if _, ok := m.Child.(*function.Coalesce); ok {
			c = common(ctx, m.candidates()) // its own goes by the type
		}
	}
	if c == t.Collation() || c == sql.Collation_binary || c == sql.Collation_Unspecified {
		return e
	}
	typ, err := types.CreateString(t.Type(), t.MaxCharacterLength(), c)
	if err != nil {
		return e
	}
	return &Collating{likeOf(e), typ}
}

// ofSubquery tells whether a subquery is among the operands: while a statement is being planned,
// some have no plan that could be asked for its collation.
func ofSubquery(ctx *sql.Context, e sql.Expression) (found bool) {
	sql.Inspect(ctx, e, func(_ *sql.Context, e sql.Expression) bool {
		switch e := e.(type) {
		case *plan.Subquery:
			found = true
		case *field: // has no children, and the collation of what it stands for
			found = found || ofSubquery(ctx, e.Child)
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
	return inCollation(ctx, children[0]), nil
}

// Eval implements sql.Expression.
func (c *Collating) Eval(ctx *sql.Context, row sql.Row) (any, error) { return c.Child.Eval(ctx, row) }

// makesText makes inCollation of what a function gives.
func makesText(names ...string) {
	for _, name := range names {
		f, ok := functions[name]
		if !ok {
			f, ok = builtin(name)
		}
		if !ok {
			continue
		}
		register(sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
			e, err := f.NewInstance(ctx, args)
			if err != nil {
				return nil, err
			}
			return inCollation(ctx, e), nil
		}})
	}
}

// MaxAllowedPacket is the session's max_allowed_packet.
func MaxAllowedPacket(ctx *sql.Context) int64 { return most(ctx) }

// most is the length of the longest text that a function makes: max_allowed_packet.
func most(ctx *sql.Context) int64 {
	v, err := ctx.GetSessionVariable(ctx, "max_allowed_packet")
	if n, ok := v.(int64); ok && err == nil {
		return n
	}
	return 64 << 20
}

// tooLarge is NULL in the place of a text that is too long, with a warning.
func tooLarge(ctx *sql.Context, name string) (any, error) {
	ctx.Warn(1301, "Result of %s() was larger than max_allowed_packet (%d) - truncated", name, most(ctx))
	return nil, nil
}

// padded is LPAD and RPAD: go-mysql-server counts bytes. Of binary strings they count bytes in
// MySQL, too.
func padded(name string, left bool) sql.Function {
	return sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) != 3 {
			return nil, sql.ErrInvalidArgumentNumber.New(strings.ToUpper(name), 3, len(args))
		}
		return newSpliced(ctx, name, args, func(ctx *sql.Context, a []any, chars bool) (any, error) {
			text, n, by, null, err := spliceArgs(ctx, a[0], a[1], a[2])
			if null || err != nil || n < 0 {
				return nil, err
			}
			count := length(text, chars)
			if n <= count {
				return cut(text, 0, n, chars), nil
			}
			if by == "" {
				return text, nil
			}
			missing, width := n-count, length(by, chars)
			if over(ctx, sum(int64(len(text)), product(missing/width, int64(len(by))))) {
				return tooLarge(ctx, name)
			}
			fill := strings.Repeat(by, int(missing/width)) + cut(by, 0, missing%width, chars)
			if left {
				return fill + text, nil
			}
			return text + fill, nil
		}), nil
	}}
}

// repeated is REPEAT: go-mysql-server makes texts of bytes.
func repeated() sql.Function {
	return sql.FunctionN{Name: "repeat", Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) != 2 {
			return nil, sql.ErrInvalidArgumentNumber.New("REPEAT", 2, len(args))
		}
		return newSpliced(ctx, "repeat", args, func(ctx *sql.Context, a []any, _ bool) (any, error) {
			text, n, _, null, err := spliceArgs(ctx, a[0], a[1], a[0])
			switch {
			case null || err != nil:
				return nil, err
			case over(ctx, product(max(n, 0), int64(len(text)))):
				return tooLarge(ctx, "repeat")
			}
			return strings.Repeat(text, int(max(n, 0))), nil
		}), nil
	}}
}

func init() {
	register(repeated(), padded("lpad", true), padded("rpad", false), sql.FunctionN{Name: "insert", Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) != 4 {
			return nil, sql.ErrInvalidArgumentNumber.New("INSERT", 4, len(args))
		}
		return newSpliced(ctx, "insert", args, func(ctx *sql.Context, a []any, chars bool) (any, error) {
			text, at, by, null, err := spliceArgs(ctx, a[0], a[1], a[3])
			if null || err != nil {
				return nil, err
			}
			n, null, err := numberOf(ctx, a[2], types.Text)
			if null || err != nil {
				return nil, err
			}
			span, _, _ := n.asInteger()
			count := length(text, chars)
			if at < 1 || at > count {
				return text, nil
			}
			if span < 0 || span > count-at+1 {
				span = count - at + 1
			}
			before, behind := cut(text, 0, at-1, chars), cut(text, at-1+span, count, chars)
			if over(ctx, int64(len(before)+len(by)+len(behind))) {
				return tooLarge(ctx, "insert")
			}
			return before + by + behind, nil
		}), nil
	}})
}

// Spliced is a function that counts the characters of a text.
type Spliced struct {
	Scalar
	splice func(ctx *sql.Context, args []any, chars bool) (any, error)
}

func newSpliced(ctx *sql.Context, name string, args []sql.Expression, splice func(*sql.Context, []any, bool) (any, error)) sql.Expression {
	s := &Spliced{splice: splice}
	s.many, s.name, s.typ = overMany(args), name, types.LongText
	if args[0].Resolved() {
		if isBinary(args[0].Type(ctx)) {
			s.typ = types.LongBlob
		}
	}
	chars := isText(s.typ)
	s.eval = func(ctx *sql.Context, a []any) (any, error) { return splice(ctx, a, chars) }
	return s
}

// CollationCoercibility implements sql.CollationCoercible.
func (s *Spliced) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	c, n := sql.GetCoercibility(ctx, s.ChildExpressions[0])
	if s.name == "repeat" {
		return c, n
	}
	other, m := sql.GetCoercibility(ctx, s.ChildExpressions[len(s.ChildExpressions)-1])
	return sql.ResolveCoercibility(c, n, other, m)
}

// WithChildren implements sql.Expression.
func (s *Spliced) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != len(s.ChildExpressions) {
		return nil, sql.ErrInvalidChildrenNumber.New(s, len(children), len(s.ChildExpressions))
	}
	return newSpliced(ctx, s.name, children, s.splice), nil
}

// spliceArgs are a text, a number and another text.
func spliceArgs(ctx *sql.Context, text, number, other any) (a string, n int64, b string, null bool, err error) {
	whole, null, err := numberOf(ctx, number, types.Text)
	if null || err != nil {
		return "", 0, "", true, err
	}
	n, _, _ = whole.asInteger()
	if a, err = shownText(ctx, text); err == nil {
		b, err = shownText(ctx, other)
	}
	return a, n, b, false, err
}

func shownText(ctx *sql.Context, v any) (string, error) {
	if text, ok, err := textOf(ctx, v); ok || err != nil {
		return text, err
	}
	out, _, err := types.LongText.Convert(ctx, v)
	if err != nil {
		return "", err
	}
	text, _ := out.(string)
	return text, nil
}

func length(text string, chars bool) int64 {
	if chars {
		return int64(utf8.RuneCountInString(text))
	}
	return int64(len(text))
}

// cut is a part of a text, from one character or byte up to another.
func cut(text string, from, to int64, chars bool) string {
	if !chars || len(text) == utf8.RuneCountInString(text) {
		return text[from:min(to, int64(len(text)))]
	}
	runes := []rune(text)
	return string(runes[from:min(to, int64(len(runes)))])
}
