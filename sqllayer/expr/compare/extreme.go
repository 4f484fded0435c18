package compare

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/expr/temporal"
)

// Extreme is LEAST and GREATEST of texts or of numbers; of dates and times see moment.go.
// go-mysql-server compares texts by their bytes and numbers as doubles.
type Extreme struct {
	operand.Many
	name string
	text operand.Collated
	coll sql.CollationID // unspecified: numbers
}

var _ sql.FunctionExpression = (*Extreme)(nil)

var _ sql.CollationCoercible = (*Extreme)(nil)

// newExtreme returns nil for arguments of which some are not known yet, or that have no type at
// all.
func newExtreme(ctx *sql.Context, name string, args []sql.Expression) sql.Expression {
	kinds := map[operand.Argument]bool{}
	for _, e := range args {
		if !e.Resolved() {
			return nil
		}
		kinds[operand.ArgumentOf(e.Type(ctx))] = true
	}
	if delete(kinds, operand.NullArgument); len(args) < 2 || len(kinds) == 0 || kinds[operand.OtherArgument] {
		return nil
	}
	x := &Extreme{Many: operand.OverMany(slices.Clone(args)), name: name}
	switch {
	case kinds[operand.MomentArgument] || kinds[operand.ClockArgument] && len(kinds) == 1:
		return temporal.NewLatest(ctx, name, args)
	case !kinds[operand.NumberArgument] || len(kinds) > 1:
		for i, e := range args {
			x.ChildExpressions[i] = operand.Written(ctx, e)
		}
		x.coll = operand.CommonCollation(ctx, x.ChildExpressions)
		x.text = operand.Collate(x.coll)
	}
	return x
}

// FunctionName implements sql.FunctionExpression.
func (x *Extreme) FunctionName() string { return x.name }

// Operator tells the calls of one type apart, see operand.Operated.
func (x *Extreme) Operator() string { return x.name }

// Description implements sql.FunctionExpression.
func (x *Extreme) Description() string { return "the " + x.name + " of values" }

func (x *Extreme) String() string { return x.name + expression.Tuple(x.ChildExpressions).String() }

// CollationCoercibility implements sql.CollationCoercible.
func (x *Extreme) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	if x.coll == sql.Collation_Unspecified {
		return sql.Collation_binary, 5
	}
	return x.coll, 2
}

// WithChildren implements sql.Expression.
func (x *Extreme) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(x, children)
}

func (x *Extreme) shape(ctx *sql.Context) (out operand.Shape) {
	first := true
	for _, e := range x.ChildExpressions {
		s := operand.ShapeOf(ctx, e)
		if e.Type(ctx) == types.Null {
			continue
		}
		if first {
			out, first = s, false
			continue
		}
		if out.Kind == operand.Integer && s.Kind == operand.Integer && out.Unsigned != s.Unsigned {
			out.Kind = operand.Decimal // neither type has all values
		}
		out.Kind, out.Unsigned = max(out.Kind, s.Kind), out.Unsigned && s.Unsigned
		out.Scale, out.Digits = max(out.Scale, s.Scale), max(out.Digits, s.Digits)
	}
	return out
}

// Type implements sql.Expression.
func (x *Extreme) Type(ctx *sql.Context) sql.Type {
	if x.coll != sql.Collation_Unspecified {
		return types.CreateLongText(x.coll)
	}
	return x.shape(ctx).Typ()
}

// Eval implements sql.Expression.
func (x *Extreme) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	var bestText string
	var bestNumber operand.Number
	for i, e := range x.ChildExpressions {
		v, err := e.Eval(ctx, row)
		if err != nil || v == nil {
			return nil, err
		}
		var n int
		var num operand.Number
		var text string
		if x.coll != sql.Collation_Unspecified {
			if text, _, err = operand.TextOf(ctx, v); err != nil {
				return nil, err
			}
			n = x.text.Compare(text, bestText)
		} else {
			if num, _, err = operand.NumberOf(ctx, v, e.Type(ctx)); err != nil {
				return nil, err
			}
			if n, err = num.Compare(bestNumber); err != nil {
				return nil, err
			}
		}
		if i == 0 || x.name == "least" && n < 0 || x.name == "greatest" && n >= 0 {
			bestText, bestNumber = text, num
		}
	}
	switch x.coll {
	case sql.Collation_Unspecified:
	case sql.Collation_binary:
		return []byte(bestText), nil
	default:
		return bestText, nil
	}
	return bestNumber.As(x.shape(ctx))
}
