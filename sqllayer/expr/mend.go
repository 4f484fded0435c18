package expr

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/aggregate"
	"emberdb/sqllayer/expr/compare"
	"emberdb/sqllayer/expr/documents"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/expr/spatial"
	"emberdb/sqllayer/expr/temporal"
	"emberdb/sqllayer/expr/window"
)

// Mend replaces a comparison in a planned statement that go-mysql-server makes otherwise than
// MySQL. It is a transform.ExprFunc. Before planning the comparisons have to stay, as the planner
// looks for its own to find indexes.
func Mend(ctx *sql.Context, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	if byText, same, err := operand.Members(ctx, e); err != nil {
		return e, transform.SameTree, err
	} else if !same {
		if mended, err := mend(ctx, byText); err != nil || mended != nil {
			return mended, transform.NewTree, err
		}
		return byText, transform.NewTree, nil
	}
	mended, err := mend(ctx, e)
	if err != nil {
		return e, transform.SameTree, err
	}
	same := transform.SameTree
	if mended != nil {
		e, same = mended, transform.NewTree
	}
	if large, err := operatorAside(ctx, e); large != nil || err != nil {
		return large, transform.NewTree, err
	}
	return e, same, nil
}

// mend returns nil for what may stay.
func mend(ctx *sql.Context, e sql.Expression) (sql.Expression, error) {
	switch e := e.(type) {
	case *expression.Equals:
		return compare.NewComparison(ctx, "=", e.Left(), e.Right()), nil
	case *expression.NullSafeEquals:
		return compare.NewComparison(ctx, "<=>", e.Left(), e.Right()), nil
	case *expression.LessThan:
		return compare.NewComparison(ctx, "<", e.Left(), e.Right()), nil
	case *expression.LessThanOrEqual:
		return compare.NewComparison(ctx, "<=", e.Left(), e.Right()), nil
	case *expression.GreaterThan:
		return compare.NewComparison(ctx, ">", e.Left(), e.Right()), nil
	case *expression.GreaterThanOrEqual:
		return compare.NewComparison(ctx, ">=", e.Left(), e.Right()), nil
	case *expression.Between:
		return mendBetween(ctx, e), nil
	case *expression.InTuple:
		return mendIn(ctx, e.Left(), e.Right())
	case *expression.HashInTuple:
		return mendIn(ctx, e.Left(), e.Right())
	case *expression.Like:
		l, r := operand.NewText(ctx, e.Left(), operand.Anything), operand.NewText(ctx, e.Right(), operand.Anything)
		if _, literal := r.(*expression.Literal); !literal {
			return compare.NewLike(l, r, e.Escape), nil
		}
		if l != e.Left() {
			return expression.NewLike(l, r, e.Escape), nil
		}
	case *expression.Case:
		return mendCase(ctx, e), nil
	case *expression.And, *expression.Or, *expression.Xor:
		return mendTruth(ctx, e, 2, Condition)
	case *expression.Not, *expression.IsTrue:
		return mendTruth(ctx, e, 1, Condition)
	case *function.If:
		return mendTruth(ctx, e, 1, asDouble)
	case *function.NullIf:
		return compare.NewNullIf(ctx, e), nil
	case *plan.InSubquery:
		if q, ok := e.RightChild.(*plan.Subquery); ok {
			return compare.NewInRows(ctx, e.LeftChild, q), nil
		}
	case *expression.Convert:
		if t := e.Child.Type(ctx); e.Type(ctx) == types.Int64 && types.IsInteger(t) {
			if _, done := e.Child.(*sameBits); !done && !types.IsSigned(t) {
				return e.WithChildren(ctx, &sameBits{operand.Over(e.Child)})
			}
		} else if operand.IsText(e.Type(ctx)) && (types.IsTime(t) || types.IsTimespan(t)) {
			return e.WithChildren(ctx, &operand.Text{One: operand.Over(e.Child)})
		} else if types.IsTime(e.Type(ctx)) && types.IsTime(t) {
			return temporal.KeepingUnreal(ctx, e), nil
		} else if types.IsJSON(e.Type(ctx)) && operand.IsText(t) {
			return e.WithChildren(ctx, &documents.Document{One: operand.Over(e.Child)})
		}
	case *aggregation.CountDistinct:
		return mendCountDistinct(ctx, e)
	case *sql.ColumnDefaultValue:
		return spatial.MendDefault(e), nil
	case *expression.SetField:
		if _, variable := e.LeftChild.(*expression.UserVar); variable && types.IsTime(e.RightChild.Type(ctx)) {
			return expression.NewSetField(e.LeftChild, &operand.Text{One: operand.Over(e.RightChild)}), nil
		}
		if t := e.LeftChild.Type(ctx); operand.IsSpatial(t) {
			if !spatial.IsGeometry(e.RightChild) {
				return expression.NewSetField(e.LeftChild, &spatial.AsGeometry{Like: operand.LikeOf(e.RightChild), To: t}), nil
			}
		}
	case sql.WindowAdaptableExpression:
		return window.Framed(ctx, e), nil
	}
	return nil, nil
}

func mendBetween(ctx *sql.Context, e *expression.Between) sql.Expression {
	low, high := compare.NewComparison(ctx, ">=", e.Val, e.Lower), compare.NewComparison(ctx, "<=", e.Val, e.Upper)
	if low == nil && high == nil {
		return nil
	}
	if low == nil {
		low = expression.NewGreaterThanOrEqual(e.Val, e.Lower)
	}
	if high == nil {
		high = expression.NewLessThanOrEqual(e.Val, e.Upper)
	}
	return expression.NewAnd(low, high)
}

func mendIn(ctx *sql.Context, left, right sql.Expression) (sql.Expression, error) {
	list, ok := right.(expression.Tuple)
	if !ok {
		return nil, nil
	}
	if row, ok := left.(*compare.RowOf); ok {
		left = expression.Tuple(row.ChildExpressions)
	}
	return compare.NewIn(ctx, left, list)
}

// mendCase gives CASE x WHEN y the comparisons x = y. A JSON document is compared with a text as
// the text that it is.
func mendCase(ctx *sql.Context, c *expression.Case) sql.Expression {
	if c.Expr == nil {
		return mendBranches(ctx, c)
	}
	branches := make([]expression.CaseBranch, len(c.Branches))
	own := false
	for i, b := range c.Branches {
		left, right := c.Expr, b.Cond
		if document, other := types.IsJSON(left.Type(ctx)), types.IsJSON(right.Type(ctx)); document != other {
			if document && types.IsText(right.Type(ctx)) {
				left = documentText(left)
			} else if other && types.IsText(left.Type(ctx)) {
				right = documentText(right)
			}
			own = own || left != c.Expr || right != b.Cond
		}
		var cond sql.Expression
		if types.IsTimespan(left.Type(ctx)) == types.IsTimespan(right.Type(ctx)) { // a TIME is no date here
			cond = compare.NewComparison(ctx, "=", left, right)
		}
		if own = own || cond != nil; cond == nil {
			cond = expression.NewEquals(left, right)
		}
		branches[i] = expression.CaseBranch{Cond: cond, Value: b.Value}
	}
	if !own {
		return nil
	}
	return expression.NewCase(nil, branches, c.Else)
}

// mendBranches gives CASE WHEN x conditions that are no documents.
func mendBranches(ctx *sql.Context, c *expression.Case) sql.Expression {
	branches, own := slices.Clone(c.Branches), false
	for i := range branches {
		if cond := asDouble(ctx, branches[i].Cond); cond != nil {
			branches[i].Cond, own = cond, true
		}
	}
	if !own {
		return nil
	}
	return expression.NewCase(nil, branches, c.Else)
}

func documentText(e sql.Expression) sql.Expression {
	return expression.NewCollatedExpression(expression.NewConvert(e, expression.ConvertToChar), sql.Collation_utf8mb4_bin)
}

func mendCountDistinct(ctx *sql.Context, e *aggregation.CountDistinct) (sql.Expression, error) {
	args := e.Children()
	if len(args) == 1 {
		switch args[0].(type) {
		case *Key, *expression.Star:
			return nil, nil
		}
		if t := args[0].Type(ctx); !operand.IsText(t) && !types.IsJSON(t) {
			return nil, nil
		}
	}
	return e.WithChildren(ctx, NewKey(ctx, args))
}

// Key is a text that is the same for values that are equal, and NULL if one of them is NULL.
type Key struct {
	operand.Many
	text []operand.Collated
}

var _ sql.CollationCoercible = (*Key)(nil)

// NewKey makes the expression.
func NewKey(ctx *sql.Context, of []sql.Expression) *Key {
	k := &Key{Many: operand.OverMany(of)}
	for _, e := range of {
		c, _ := sql.GetCoercibility(ctx, e)
		k.text = append(k.text, operand.Collate(c))
	}
	return k
}

func (k *Key) String() string { return fmt.Sprint(k.ChildExpressions) }

// Type implements sql.Expression.
func (*Key) Type(*sql.Context) sql.Type { return types.LongText }

// CollationCoercibility implements sql.CollationCoercible.
func (*Key) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_utf8mb4_bin, 4
}

// WithChildren implements sql.Expression.
func (k *Key) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(k, children)
}

// Eval implements sql.Expression.
func (k *Key) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	var key []byte
	for i, e := range k.ChildExpressions {
		v, err := e.Eval(ctx, row)
		if err != nil || v == nil {
			return nil, err
		}
		if key, err = aggregate.AppendKey(ctx, key, v, e.Type(ctx), k.text[i]); err != nil {
			return nil, err
		}
	}
	sum := sha256.Sum256(key)
	return hex.EncodeToString(sum[:]), nil
}

// RowKey makes keys of rows: rows of the schema that are equal have the same key.
type RowKey struct {
	types []sql.Type
	text  []operand.Collated
	buf   []byte
}

// NewRowKey makes a RowKey. Texts compare by the collations given, or by those of their columns.
func NewRowKey(schema sql.Schema, collations []sql.CollationID) *RowKey {
	k := &RowKey{}
	for i, c := range schema {
		t := operand.Collated{}
		if s, ok := c.Type.(sql.StringType); ok {
			t = operand.Collate(s.Collation())
			if i < len(collations) {
				t = operand.Collate(collations[i])
			}
		}
		k.types, k.text = append(k.types, c.Type), append(k.text, t)
	}
	return k
}

// Of makes the key of a row. It is valid until the next call. In a subquery, the columns of the
// queries around it come first.
func (k *RowKey) Of(ctx *sql.Context, row sql.Row) ([]byte, error) {
	k.buf = k.buf[:0]
	for i, v := range row[len(row)-len(k.types):] {
		var err error
		if k.buf, err = aggregate.AppendKey(ctx, k.buf, v, k.types[i], k.text[i]); err != nil {
			return nil, err
		}
	}
	return k.buf, nil
}

// unconverted is the text of which go-mysql-server makes another type of text, which has forgotten
// the collation.
func unconverted(ctx *sql.Context, e sql.Expression) sql.Expression {
	if c, ok := e.(*expression.Convert); ok && operand.IsText(c.Child.Type(ctx)) {
		return unconverted(ctx, c.Child)
	}
	if a, ok := e.(*expression.Alias); ok {
		return unconverted(ctx, a.Child)
	}
	return e
}

// Collation is the collation of the texts that two expressions give to one column of a result.
func Collation(ctx *sql.Context, l, r sql.Expression) sql.CollationID {
	return operand.CollationOf(ctx, unconverted(ctx, l), unconverted(ctx, r))
}

// Digits is the number of digits behind the point that an expression has, converted by
// go-mysql-server or not; below zero: unknown.
func Digits(ctx *sql.Context, e sql.Expression) int32 {
	for {
		switch w := e.(type) {
		case *expression.Convert:
			e = w.Child
			continue
		case *expression.Alias:
			e = w.Child
			continue
		}
		if s := operand.ShapeOf(ctx, e); s.Scale < operand.MaxScale {
			return s.Scale
		}
		return -1 // go-mysql-server's type for any decimal
	}
}
