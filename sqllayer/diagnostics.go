package sqllayer

// GET DIAGNOSTICS, which the grammar lacks: a SET whose values are calls of package expr's functions. What it tells of is what SHOW WARNINGS lists, and in a procedure the
// error that its handler is there for.

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr"
)

func init() { expr.Diagnostics = diagnosed }

// begins tells whether a token is the first of a statement, in a program's body too.
func (d *dialectWriter) begins(i int) bool {
	before := d.at(i - 1)
	return i == 0 || before.text == ";" || before.is("begin", "then", "else", "do", "loop", "repeat", "found", "sqlexception", "sqlwarning")
}

// diagnostics writes GET [CURRENT | STACKED] DIAGNOSTICS [CONDITION n] target = item, ... as SET; it gives the last token that is dealt with.
func (d *dialectWriter) diagnostics(i int) int {
	at := i + 2
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
		call := expr.DiagnosticCall(item, condition)
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

// caught notes the error of a procedure's statement, which a handler may ask for.
func (s *Session) caught(err error) {
	e := Translate(err, s.GetCurrentDatabase())
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handled = e
}

// diagnosed gives an item of the diagnostics area; number is that of a condition, 0 for the statement's items.
func diagnosed(ctx *sql.Context, item string, number int64) (any, error) {
	s := sessionOf(ctx)
	if s == nil {
		return nil, nil
	}
	conditions := s.conditions()
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
	switch c := conditions[number-1]; item {
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

// conditions are what the last statement ended with.
func (s *Session) conditions() (out []*mysql.SQLError) {
	s.mu.Lock()
	handled := s.handled
	s.mu.Unlock()
	if handled != nil {
		return []*mysql.SQLError{handled}
	}
	for _, w := range s.Warnings() {
		e := NewError(w.Code, "%s", w.Message)
		if e.State == mysql.SSUnknownSQLState && w.Level != "Error" {
			e.State = "01000"
		}
		out = append(out, e)
	}
	return out
}
