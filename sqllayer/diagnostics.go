package sqllayer

// GET DIAGNOSTICS, which the grammar lacks: a SET whose values are calls of package expr's functions. What it tells of is what SHOW WARNINGS lists, and in a stored
// program what its last statement has ended with.

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sqllayer/expr"
)

func init() { expr.Diagnostics = diagnosed }

// begins tells whether a token is the first of a statement, in a program's body too.
func (d *dialectWriter) begins(i int) bool {
	before := d.at(i - 1)
	return i == 0 || before.text == ";" || d.at(i-2).is("for", "sqlstate", "value") && !d.at(0).is("select") || before.is("begin", "then", "else", "do", "loop", "repeat", "found", "sqlexception", "sqlwarning")
}

// diagnostics writes GET [CURRENT | STACKED] DIAGNOSTICS [CONDITION n] target = item, ... as SET; it gives the last token that is dealt with.
func (d *dialectWriter) diagnostics(i int) int {
	at, stacked := i+2, d.at(i+1).is("stacked")
	if !d.at(i + 1).is("diagnostics") {
		at++
	}
	condition := ""
	if d.at(at).is("condition") {
		from := at + 1
		for at = from + 1; at < len(d.tokens) && d.at(at-1).text == "@"; at++ {
		}
		condition = d.query[d.at(from).at:d.at(at-1).end()]
	}
	first := at
	for ; at < len(d.tokens) && d.at(at).text != "="; at++ {
	}
	if at >= len(d.tokens) || at == first || at > first+2 {
		return i
	}
	d.replace(i, first-1, "SET ")
	for {
		item := strings.ToUpper(d.at(at + 1).text)
		call := expr.DiagnosticCall(item, condition, stacked)
		if d.at(at).text != "=" {
			return at // what follows is the syntax error that it is
		}
		d.replace(at+1, at+1, call)
		at += 2
		if d.at(at).text != "," {
			return at - 1
		}
		for at++; at < len(d.tokens) && d.at(at).text != "=" && d.at(at).text != ";"; at++ {
		}
	}
}

// diagnosed gives an item of a diagnostics area; number is that of a condition, 0 for the statement's items.
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
