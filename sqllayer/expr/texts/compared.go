package texts

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/operand"
)

// Functions that compare texts by what they weigh. go-mysql-server compares by the weights of
// characters, without padding.

func init() {
	field, _ := operand.Builtin("field")
	operand.Register(
		sql.FunctionN{Name: "strcmp", Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
			if len(args) != 2 {
				return nil, sql.ErrInvalidArgumentNumber.New("STRCMP", 2, len(args))
			}
			return newCompared(ctx, "strcmp", types.Int8, args, false, func(by operand.Collated, a []known) any {
				return int8(by.Compare(a[0].text, a[1].text))
			}), nil
		}},
		sql.FunctionN{Name: "find_in_set", Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
			if len(args) != 2 {
				return nil, sql.ErrInvalidArgumentNumber.New("FIND_IN_SET", 2, len(args))
			}
			return newCompared(ctx, "find_in_set", types.Int64, args, false, inList), nil
		}},
		sql.FunctionN{Name: "field", Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
			other := func(e sql.Expression) bool { return !e.Resolved() || !types.IsText(e.Type(ctx)) }
			if len(args) < 2 || slices.ContainsFunc(args, other) {
				return field.NewInstance(ctx, args)
			}
			return newCompared(ctx, "field", types.Int64, args, true, func(by operand.Collated, a []known) any {
				return int64(1 + slices.IndexFunc(a[1:], func(b known) bool { return !b.null && by.Compare(a[0].text, b.text) == 0 }))
			}), nil
		}})
}

// inList is FIND_IN_SET: the place of a text in a list, without padding.
func inList(by operand.Collated, a []known) any {
	text, list := a[0].text, a[1].text
	if list == "" || strings.Contains(text, ",") {
		return int64(0)
	}
	return int64(1 + slices.IndexFunc(strings.Split(list, ","), func(s string) bool { return by.Same(text, s) }))
}

// known is a text, or NULL.
type known struct {
	text string
	null bool
}

// compared is a function of texts in their common collation.
type compared struct {
	operand.Scalar
	of func(by operand.Collated, args []known) any
}

// newCompared makes the function. nulls tells that it takes them, but as the first one.
func newCompared(ctx *sql.Context, name string, typ sql.Type, args []sql.Expression, nulls bool, of func(operand.Collated, []known) any) sql.Expression {
	c := &compared{of: of}
	c.Many, c.Name, c.Typ, c.Nulls = operand.OverMany(args), name, typ, nulls
	if slices.ContainsFunc(args, func(e sql.Expression) bool { return !e.Resolved() }) {
		return c
	}
	by := operand.Collate(operand.CommonCollation(ctx, args))
	c.Fn = func(ctx *sql.Context, a []any) (any, error) {
		if a[0] == nil {
			return int64(0), nil
		}
		texts := make([]known, len(a))
		for i, v := range a {
			if texts[i].null = v == nil; v == nil {
				continue
			}
			var err error
			if texts[i].text, err = operand.ShownText(ctx, v); err != nil {
				return nil, err
			}
		}
		return of(by, texts), nil
	}
	return c
}

// WithChildren implements sql.Expression.
func (c *compared) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return newCompared(ctx, c.Name, c.Typ, children, c.Nulls, c.of), nil
}
