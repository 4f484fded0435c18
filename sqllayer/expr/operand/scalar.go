package operand

import (
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// Operated is an expression whose Go type stands for several functions. go-mysql-server takes two
// expressions of one type with the same operands for the same, as a condition and what a key is
// over, unless their operators differ.
type Operated interface{ Operator() string }

var _ Operated = (*Scalar)(nil)

// Scalar is a function of values: NULL if an argument is NULL, unless it takes Nulls.
type Scalar struct {
	Many
	Name  string
	Typ   sql.Type
	Fn    func(ctx *sql.Context, args []any) (any, error)
	Nulls bool
}

var _ sql.FunctionExpression = (*Scalar)(nil)
var _ sql.CollationCoercible = (*Scalar)(nil)

// NewScalar describes a function of at least low and at most high arguments. A nil type is text.
func NewScalar(name string, low, high int, typ sql.Type, eval func(*sql.Context, []any) (any, error)) sql.Function {
	return scalarOf(low, high, Scalar{Name: name, Typ: typ, Fn: eval})
}

// NewNullScalar describes a function like NewScalar's that is called with NULLs too.
func NewNullScalar(name string, low, high int, typ sql.Type, eval func(*sql.Context, []any) (any, error)) sql.Function {
	return scalarOf(low, high, Scalar{Name: name, Typ: typ, Fn: eval, Nulls: true})
}

func scalarOf(low, high int, of Scalar) sql.Function {
	if of.Typ == nil {
		of.Typ = types.LongText
	}
	return sql.FunctionN{Name: of.Name, Fn: func(_ *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if len(args) < low || len(args) > high {
			return nil, sql.ErrInvalidArgumentNumber.New(strings.ToUpper(of.Name), low, len(args))
		}
		call := of
		call.Many = OverMany(args)
		return &call, nil
	}}
}

// FunctionName implements sql.FunctionExpression.
func (s *Scalar) FunctionName() string { return s.Name }

// Operator tells the calls of one type apart, see operand.Operated.
func (s *Scalar) Operator() string { return s.Name }

// Description implements sql.FunctionExpression.
func (s *Scalar) Description() string { return "MySQL's " + s.Name }

// Type implements sql.Expression.
func (s *Scalar) Type(ctx *sql.Context) sql.Type {
	if s.Typ == types.LongText {
		return types.CreateLongText(ctx.GetCollation())
	}
	return s.Typ
}

// IsNullable implements sql.Expression.
func (s *Scalar) IsNullable(*sql.Context) bool { return true }

// CollationCoercibility implements sql.CollationCoercible.
func (s *Scalar) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	if types.IsText(s.Typ) {
		return ctx.GetCollation(), 4
	}
	return sql.Collation_binary, 5
}

func (s *Scalar) String() string {
	args := make([]string, len(s.ChildExpressions))
	for i, e := range s.ChildExpressions {
		args[i] = e.String()
	}
	return s.Name + "(" + strings.Join(args, ",") + ")"
}

// WithChildren implements sql.Expression.
func (s *Scalar) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return WithChildren(s, children)
}

// Eval implements sql.Expression.
func (s *Scalar) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	args := make([]any, len(s.ChildExpressions))
	for i, e := range s.ChildExpressions {
		v, err := e.Eval(ctx, row)
		if err != nil || v == nil && !s.Nulls {
			return nil, err
		}
		if args[i], err = sql.UnwrapAny(ctx, v); err != nil {
			return nil, err
		}
	}
	return s.Fn(ctx, args)
}

func init() {
	Register(
		Alias("sha", "sha1"), Alias("lcase", "lower"), Alias("ucase", "upper"),
		NewScalar("ascii", 1, 1, types.Int64, func(ctx *sql.Context, a []any) (any, error) {
			text, err := ShownText(ctx, a[0])
			if text == "" {
				return int64(0), err
			}
			return int64(text[0]), nil
		}),
		sql.FunctionN{Name: "elt", Fn: newElt},
		NewScalar("crc32", 1, 1, types.Uint64, func(ctx *sql.Context, a []any) (any, error) {
			text, err := ShownText(ctx, a[0])
			return uint64(crc32.ChecksumIEEE([]byte(text))), err
		}),
		NewScalar("space", 1, 1, nil, func(ctx *sql.Context, a []any) (any, error) {
			n, null, err := NumberOf(ctx, a[0], types.Int64)
			if null || err != nil {
				return nil, err
			}
			count := n.Nearest()
			if count > Most(ctx) {
				return TooLarge(ctx, "space")
			}
			return strings.Repeat(" ", int(max(count, 0))), nil
		}),
	)
	if f, ok := Builtin("hex"); ok {
		Register(sql.Function1{Name: "hex", Fn: func(ctx *sql.Context, e sql.Expression) sql.Expression {
			inner, err := f.NewInstance(ctx, []sql.Expression{e})
			if err != nil {
				return nil
			}
			return &hexText{Over(e), inner}
		}})
	}
}

// hexText is HEX: of texts that are kept as they are sent, without taking them apart, for they may
// be no valid text, and of floats and decimals the nearest BIGINT's.
type hexText struct {
	One
	inner sql.Expression
}

func (h *hexText) String() string { return "hex(" + h.Child.String() + ")" }

// FunctionName implements sql.FunctionExpression.
func (h *hexText) FunctionName() string { return "hex" }

// Description implements sql.FunctionExpression.
func (h *hexText) Description() string { return "hexadecimal text of a value" }

// Type implements sql.Expression.
func (h *hexText) Type(*sql.Context) sql.Type { return types.LongText }

// CollationCoercibility implements sql.CollationCoercible.
func (h *hexText) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return ctx.GetCollation(), 4
}

// WithChildren implements sql.Expression.
func (h *hexText) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	inner, err := h.inner.WithChildren(ctx, children...)
	if err != nil {
		return nil, err
	}
	return &hexText{Over(children[0]), inner}, nil
}

// Eval implements sql.Expression.
func (h *hexText) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	if t, ok := h.Child.Type(ctx).(sql.StringType); ok {
		v, err := h.Child.Eval(ctx, row)
		if err != nil || v == nil {
			return nil, err
		}
		if v, err = sql.UnwrapAny(ctx, v); err != nil {
			return nil, err
		}
		switch v := v.(type) {
		case string:
			return strings.ToUpper(hex.EncodeToString([]byte(ownBytes(t.CharacterSet(), v)))), nil
		case []byte:
			return strings.ToUpper(hex.EncodeToString(v)), nil
		}
	}
	if t := h.Child.Type(ctx); types.IsFloat(t) || types.IsDecimal(t) {
		n, null, err := NumberAt(ctx, h.Child, row)
		if err != nil || null {
			return nil, err
		}
		return fmt.Sprintf("%X", uint64(n.Nearest())), nil
	}
	return h.inner.Eval(ctx, row)
}
