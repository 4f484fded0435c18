package texts

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/operand"
)

// Located is LOCATE and INSTR: the place of a text within another one. Places are counted in
// characters, and in bytes of a binary string. Characters are compared as the other text compares its
// own, whatever collation the one that is looked for has. go-mysql-server counts bytes, and compares
// without a collation.
type Located struct {
	operand.Scalar
}

func init() {
	operand.Register(
		sql.FunctionN{Name: "locate", Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
			if len(args) < 2 || len(args) > 3 {
				return nil, sql.ErrInvalidArgumentNumber.New("LOCATE", "2 or 3", len(args))
			}
			return newLocated(ctx, "locate", args), nil
		}},
		sql.FunctionN{Name: "instr", Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
			if len(args) != 2 {
				return nil, sql.ErrInvalidArgumentNumber.New("INSTR", 2, len(args))
			}
			return newLocated(ctx, "instr", args), nil
		}})
}

func newLocated(ctx *sql.Context, name string, args []sql.Expression) sql.Expression {
	l := &Located{}
	l.Many, l.Name, l.Typ = operand.OverMany(args), name, types.Int64
	if !args[0].Resolved() || !args[1].Resolved() {
		return l
	}
	text := 1
	if name == "instr" {
		text = 0
	}
	collation, _ := sql.GetCoercibility(ctx, args[text])
	by := operand.Collate(collation)
	chars := !operand.IsBinary(args[text].Type(ctx))
	l.Fn = func(ctx *sql.Context, a []any) (any, error) {
		part, err := operand.ShownText(ctx, a[1-text])
		if err != nil {
			return nil, err
		}
		whole, err := operand.ShownText(ctx, a[text])
		if err != nil {
			return nil, err
		}
		from := int64(1)
		if len(a) == 3 {
			n, null, err := operand.NumberOf(ctx, a[2], types.Text)
			if null || err != nil {
				return nil, err
			}
			if from, _, _ = n.AsInteger(); from < 1 || from > int64(len(whole))+1 {
				return int64(0), nil
			}
		}
		return located(ctx, by, part, whole, from, chars)
	}
	return l
}

// located is the place of part within whole, from the character or byte of that number on; 0 if
// there is none.
func located(ctx *sql.Context, by operand.Collated, part, whole string, from int64, chars bool) (any, error) {
	before := operand.Cut(whole, 0, from-1, chars)
	if operand.Length(before, chars) < from-1 {
		return int64(0), nil
	}
	at, err := by.Index(ctx, whole[len(before):], part)
	if at < 0 || err != nil {
		return int64(0), err
	}
	return from + operand.Length(whole[len(before):len(before)+at], chars), nil
}

// WithChildren implements sql.Expression.
func (l *Located) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != len(l.ChildExpressions) {
		return nil, sql.ErrInvalidChildrenNumber.New(l, len(children), len(l.ChildExpressions))
	}
	return newLocated(ctx, l.Name, children), nil
}
