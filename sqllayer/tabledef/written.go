package tabledef

import (
	"fmt"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/store"
)

// written is an expression with a text of its own. What go-mysql-server prints of some cannot be read
// again, or means something else.
type written struct {
	sql.Expression
	text string
}

// Written is the expression of a definition that is there, which is copied as it stands.
func Written(text string) sql.Expression {
	return written{expression.NewLiteral(nil, types.Null), text}
}

func (w written) String() string { return w.text }

// Children implements sql.Expression: whoever changes operands would lose the text.
func (w written) Children() []sql.Expression { return nil }

// WithChildren implements sql.Expression.
func (w written) WithChildren(*sql.Context, ...sql.Expression) (sql.Expression, error) { return w, nil }

// ownText gives such expressions their text. Their operands have theirs.
func ownText(e sql.Expression) (sql.Expression, transform.TreeIdentity) {
	switch e := e.(type) {
	case *expression.Not:
		return negated(e)
	case *expression.Literal:
		if text := literalText(e); text != "" {
			return written{e, text}, transform.NewTree
		}
	}
	f, ok := e.(sql.FunctionExpression)
	if !ok {
		return e, transform.SameTree
	}
	name, c := strings.ToLower(f.FunctionName()), e.Children()
	switch {
	case (name == "timestampdiff" || name == "get_format") && len(c) > 1:
		return written{e, fmt.Sprintf("%s(%s, %s)", name, keyword(c[0]), list(c[1:]))}, transform.NewTree
	case name == "extract" && len(c) == 2:
		return written{e, fmt.Sprintf("extract(%s from %s)", keyword(c[0]), c[1])}, transform.NewTree
	case (name == "yearweek" || name == "find_in_set" || name == "atan") && len(c) == 2:
		return written{e, fmt.Sprintf("%s(%s)", name, list(c))}, transform.NewTree
	}
	return e, transform.SameTree
}

// literalText is the text of a literal whose own one is no literal of the same type; "" if it is.
func literalText(l *expression.Literal) string {
	switch v := l.Value().(type) {
	case []byte:
		if len(v) == 0 { // which would be 0x, a name
			return "x''"
		}
	case types.Timespan:
		text := v.String()
		if strings.Contains(text, ".") {
			text = strings.TrimRight(text, "0")
		}
		return "TIME'" + text + "'"
	case time.Time:
		if types.IsDateType(l.Typ) {
			return "DATE'" + store.MomentText(l.Typ, v) + "'"
		}
		return "TIMESTAMP'" + store.MomentText(l.Typ, v) + "'"
	}
	return ""
}

// negated writes NOT as a part of the condition behind it, where a condition has such a form.
func negated(n *expression.Not) (sql.Expression, transform.TreeIdentity) {
	switch c := n.Child.(type) {
	case *expression.InTuple:
		return written{n, fmt.Sprintf("(%s NOT IN %s)", c.Left(), c.Right())}, transform.NewTree
	case *expression.HashInTuple:
		return written{n, fmt.Sprintf("(%s NOT IN %s)", c.Left(), c.Right())}, transform.NewTree
	case *expression.Between:
		return written{n, fmt.Sprintf("(%s NOT BETWEEN %s AND %s)", c.Val, c.Lower, c.Upper)}, transform.NewTree
	case *expression.Equals:
		return written{n, fmt.Sprintf("(%s <> %s)", c.Left(), c.Right())}, transform.NewTree
	}
	return n, transform.SameTree
}

// keyword is a word of the grammar that go-mysql-server holds as a text: a unit, a kind of date.
func keyword(e sql.Expression) string { return strings.ToLower(strings.Trim(e.String(), "'")) }

func list(es []sql.Expression) string {
	texts := make([]string, len(es))
	for i, e := range es {
		texts[i] = e.String()
	}
	return strings.Join(texts, ", ")
}
