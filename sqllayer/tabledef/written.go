package tabledef

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// written is an expression with a text of its own. What go-mysql-server prints of some cannot be read
// again, or means something else.
type written struct {
	sql.Expression
	text string
}

func (w written) String() string { return w.text }

// ownText gives such expressions their text. Their operands have theirs.
func ownText(e sql.Expression) (sql.Expression, transform.TreeIdentity) {
	switch e := e.(type) {
	case *expression.Not:
		return negated(e)
	case *expression.Literal:
		if b, ok := e.Value().([]byte); ok && len(b) == 0 { // its own text is 0x, which is a name
			return written{e, "x''"}, transform.NewTree
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
