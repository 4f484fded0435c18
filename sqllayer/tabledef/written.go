package tabledef

import (
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/store"
)

// written is an expression with a text of its own.
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
