package texts

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/operand"
)

// Texts that functions make, in the collation of what they are made of: the type that
// go-mysql-server gives them compares bytes, and ORDER BY, GROUP BY, DISTINCT and derived tables go
// by the type.

// MaxAllowedPacket is the session's max_allowed_packet.
func MaxAllowedPacket(ctx *sql.Context) int64 { return operand.Most(ctx) }

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
			count := operand.Length(text, chars)
			if n <= count {
				return operand.Cut(text, 0, n, chars), nil
			}
			if by == "" {
				return text, nil
			}
			missing, width := n-count, operand.Length(by, chars)
			if operand.TooLong(ctx, operand.Sum(int64(len(text)), operand.Product(missing/width, int64(len(by))))) {
				return operand.TooLarge(ctx, name)
			}
			fill := strings.Repeat(by, int(missing/width)) + operand.Cut(by, 0, missing%width, chars)
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
			case operand.TooLong(ctx, operand.Product(max(n, 0), int64(len(text)))):
				return operand.TooLarge(ctx, "repeat")
			}
			return strings.Repeat(text, int(max(n, 0))), nil
		}), nil
	}}
}

// substring is SUBSTRING: go-mysql-server refuses bytes that are no characters.
func substring(name string) sql.Function {
	return sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) != 2 && len(args) != 3 {
			return nil, sql.ErrInvalidArgumentNumber.New(strings.ToUpper(name), "2 or 3", len(args))
		}
		return newSpliced(ctx, name, args, func(ctx *sql.Context, a []any, chars bool) (any, error) {
			text, at, _, null, err := spliceArgs(ctx, a[0], a[1], a[0])
			if null || err != nil {
				return nil, err
			}
			count := operand.Length(text, chars)
			if at < 0 {
				at += count + 1
			}
			if at < 1 || at > count {
				return "", nil
			}
			n := count - at + 1
			if len(a) == 3 {
				most, null, err := operand.NumberOf(ctx, a[2], types.Text)
				if null || err != nil {
					return nil, err
				}
				n = min(n, max(most.Nearest(), 0))
			}
			return operand.Cut(text, at-1, at-1+n, chars), nil
		}), nil
	}}
}

func init() {
	operand.Register(repeated(), substring("substring"), substring("substr"), substring("mid"), substringIndex(), padded("lpad", true), padded("rpad", false), sql.FunctionN{Name: "insert", Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) != 4 {
			return nil, sql.ErrInvalidArgumentNumber.New("INSERT", 4, len(args))
		}
		return newSpliced(ctx, "insert", args, func(ctx *sql.Context, a []any, chars bool) (any, error) {
			text, at, by, null, err := spliceArgs(ctx, a[0], a[1], a[3])
			if null || err != nil {
				return nil, err
			}
			n, null, err := operand.NumberOf(ctx, a[2], types.Text)
			if null || err != nil {
				return nil, err
			}
			span, count := n.Nearest(), operand.Length(text, chars)
			if at < 1 || at > count {
				return text, nil
			}
			if span < 0 || span > count-at+1 {
				span = count - at + 1
			}
			before, behind := operand.Cut(text, 0, at-1, chars), operand.Cut(text, at-1+span, count, chars)
			if operand.TooLong(ctx, int64(len(before)+len(by)+len(behind))) {
				return operand.TooLarge(ctx, "insert")
			}
			return before + by + behind, nil
		}), nil
	}})
}

// Spliced is a function that counts the characters of a text.
type Spliced struct {
	operand.Scalar
	splice func(ctx *sql.Context, args []any, chars bool) (any, error)
}

func newSpliced(ctx *sql.Context, name string, args []sql.Expression, splice func(*sql.Context, []any, bool) (any, error)) sql.Expression {
	s := &Spliced{splice: splice}
	s.Many, s.Name, s.Typ = operand.OverMany(args), name, types.LongText
	if args[0].Resolved() {
		if operand.IsBinary(args[0].Type(ctx)) {
			s.Typ = types.LongBlob
		}
	}
	chars := operand.IsText(s.Typ)
	s.Fn = func(ctx *sql.Context, a []any) (any, error) { return splice(ctx, a, chars) }
	return s
}

// CollationCoercibility implements sql.CollationCoercible.
func (s *Spliced) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	c, n := sql.GetCoercibility(ctx, s.ChildExpressions[0])
	switch s.Name {
	case "repeat", "substring", "substr", "mid", "substring_index", "trim", "replace":
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
	return newSpliced(ctx, s.Name, children, s.splice), nil
}

// spliceArgs are a text, a number and another text.
func spliceArgs(ctx *sql.Context, text, number, other any) (a string, n int64, b string, null bool, err error) {
	whole, null, err := operand.NumberOf(ctx, number, types.Text)
	if null || err != nil {
		return "", 0, "", true, err
	}
	n = whole.Nearest()
	if a, err = operand.ShownText(ctx, text); err == nil {
		b, err = operand.ShownText(ctx, other)
	}
	return a, n, b, false, err
}
