package tabledef

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"

	"emberdb/engine/row"
)

// ViewColumn is a column of a view.
type ViewColumn struct {
	*sql.Column
	Text  string // of its type
	Value any    // its default, nil if it has none
}

// Extra is the rest of what is listed of it.
func (c ViewColumn) Extra() string {
	text, ok := c.Value.(string)
	generated := ok && c.Default != nil && (IsCurrentTime(text) || strings.HasPrefix(c.Default.Expr.String(), "("))
	switch {
	case !generated:
		return ""
	case c.OnUpdate != nil:
		return "DEFAULT_GENERATED on update " + CurrentTime(c.OnUpdate.String())
	}
	return "DEFAULT_GENERATED"
}

// IsColumn tells expressions that are columns.
func IsColumn(e sql.Expression) bool {
	if a, ok := e.(*expression.Alias); ok {
		e = a.Child
	}
	_, ok := e.(*expression.GetField)
	return ok
}

// ViewDefault is the default of a column as text; base tells that a table's column has it.
func ViewDefault(ctx *sql.Context, c *sql.Column, base bool, stored *row.Column) any {
	if l, ok := c.Default.Expr.(*expression.Literal); ok && !base {
		if text, isText := l.Value().(string); isText {
			return text
		}
		if out, err := c.Type.SQL(ctx, nil, l.Value()); err == nil {
			return out.ToString()
		}
	}
	text := c.Default.String()
	if now := CurrentTime(text); IsCurrentTime(now) {
		return now
	}
	if v, ok := literalValue(ctx, text, c.Type, stored); ok {
		return shownLiteral(v, c.Type)
	}
	return nil
}

// ZeroMoment is the zero of a date or time of a type.
func ZeroMoment(typ string) string {
	if typ == "date" {
		return "0000-00-00"
	}
	zero := "0000-00-00 00:00:00"
	if _, digits, ok := strings.Cut(strings.TrimSuffix(typ, ")"), "("); ok {
		var n int
		if _, err := fmt.Sscan(digits, &n); err == nil && n > 0 {
			zero += "." + strings.Repeat("0", n)
		}
	}
	return zero
}
