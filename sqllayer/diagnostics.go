package sqllayer

// GET DIAGNOSTICS, which the grammar lacks: a SET whose values are calls of package expr's
// functions. What it tells of is what SHOW WARNINGS lists, and in a stored program what its last
// statement has ended with.

import (
	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sqllayer/expr"
)

func init() { expr.Diagnostics = diagnosed }

// diagnosed gives an item of a diagnostics area; number is that of a condition, 0 for the
// statement's items.
func diagnosed(ctx *sql.Context, item string, number int64, stacked bool) (any, error) {
	s := sessionOf(ctx)
	if s == nil {
		return nil, nil
	}
	conditions, err := s.conditions(stacked)
	if err != nil {
		return nil, err
	}
	switch item {
	case "NUMBER":
		return uint64(len(conditions)), nil
	case "ROW_COUNT":
		return s.GetLastQueryInfo().RowCount.Load(), nil
	}
	if number < 1 || number > int64(len(conditions)) {
		ctx.Session.Warn(&sql.Warning{Level: "Error", Code: 1758, Message: "Invalid condition number"})
		return nil, nil
	}
	c := conditions[number-1]
	if said, ok := c.items[item]; ok {
		return said, nil
	}
	switch item {
	case "MYSQL_ERRNO":
		return uint64(c.Num), nil
	case "RETURNED_SQLSTATE":
		return c.State, nil
	case "MESSAGE_TEXT":
		return c.Message, nil
	case "CLASS_ORIGIN", "SUBCLASS_ORIGIN":
		return "ISO 9075", nil
	}
	return "", nil
}

// conditions are what the last statement ended with; stacked: that whose handler runs.
func (s *Session) conditions(stacked bool) ([]condition, error) {
	s.mu.Lock()
	runs, d := s.program != nil, s.diagnostics
	s.mu.Unlock()
	switch {
	case stacked && len(d.stacked) == 0:
		return nil, NewError(3004, "GET STACKED DIAGNOSTICS when handler not active")
	case stacked:
		return d.stacked[len(d.stacked)-1], nil
	case runs:
		return d.current, nil
	}
	return warningsOf(s), nil
}
