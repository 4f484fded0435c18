package expr

import (
	"strconv"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/compare"
	"emberdb/sqllayer/expr/operand"
)

// Keys of hash joins. Values that are equal must have the same key; others may, as the condition is
// asked again of the rows that a key finds.

// JoinKeys gives the keys of a hash join that go-mysql-server compares otherwise than MySQL a form
// in which equal ones have the same bytes.
func JoinKeys(ctx *sql.Context, l, r sql.Expression) (newL, newR sql.Expression, changed bool) {
	ls, okL := l.(expression.Tuple)
	rs, okR := r.(expression.Tuple)
	if okL && okR && len(ls) == len(rs) {
		tupleL, tupleR := make(expression.Tuple, len(ls)), make(expression.Tuple, len(rs))
		for i := range ls {
			var one bool
			tupleL[i], tupleR[i], one = JoinKeys(ctx, ls[i], rs[i])
			changed = changed || one
		}
		return tupleL, tupleR, changed
	}
	switch l.(type) {
	case *Key, *roughKey:
		return l, r, false
	}
	left, right := l.Type(ctx), r.Type(ctx)
	if types.IsJSON(left) || types.IsJSON(right) || isTemporal(left) && isWord(right) || isWord(left) && isTemporal(right) {
		return &roughKey{operand.Over(l), left, right}, &roughKey{operand.Over(r), right, left}, true
	}
	if !isWord(left) || !isWord(right) {
		return l, r, false
	}
	common := []operand.Collated{operand.Collate(Collation(ctx, l, r))}
	l, r = operand.NewText(ctx, l, operand.MemberTexts), operand.NewText(ctx, r, operand.MemberTexts)
	return &Key{operand.OverMany([]sql.Expression{l}), common},
		&Key{operand.OverMany([]sql.Expression{r}), common}, true
}

// isWord tells texts, and the members of ENUM and SET, which are compared as texts with those of
// another column.
func isWord(t sql.Type) bool { return operand.IsText(t) || operand.KindOf(t) == operand.MemberTexts }

func isTemporal(t sql.Type) bool { return types.IsTime(t) || types.IsTimespan(t) }

// roughKey is the key of a document, or of a date that is joined to texts, and of what it is joined
// to. It tells numbers, dates and the texts in documents apart, and nothing else.
type roughKey struct {
	operand.One
	of, with sql.Type
}

var _ sql.CollationCoercible = (*roughKey)(nil)

func (k *roughKey) String() string { return k.Child.String() }

// Type implements sql.Expression.
func (*roughKey) Type(*sql.Context) sql.Type { return types.LongText }

// CollationCoercibility implements sql.CollationCoercible.
func (*roughKey) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_utf8mb4_bin, 4
}

// WithChildren implements sql.Expression.
func (k *roughKey) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(k, children)
}

// Eval implements sql.Expression.
func (k *roughKey) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := k.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	switch {
	case types.IsTime(k.of) && isWord(k.with), isWord(k.of) && types.IsTime(k.with):
		if at, ok := compare.DateOf(ctx, v); ok {
			return at.UTC().Format(time.RFC3339Nano), nil
		}
	case types.IsJSON(k.of), types.IsJSON(k.with):
		return documentKey(ctx, v, k.of)
	}
	return "", nil
}

// documentKey is the key of a document, or of what is compared with documents.
func documentKey(ctx *sql.Context, v any, t sql.Type) (any, error) {
	document, err := compare.Scalar(ctx, v, t)
	if err != nil {
		return nil, err
	}
	if n, ok := document.(operand.Number); ok {
		return "number " + strconv.FormatFloat(n.AsFloat(), 'g', -1, 64), nil
	}
	if text, ok := document.(string); ok {
		return "text " + text, nil
	}
	return "", nil
}
