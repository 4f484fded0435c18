package sqllayer

import (
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr"
)

// TimeLiteral is the literal of a parameter that is a DATE, DATETIME or TIME in MySQL's canonical
// form: its text tells which.
func TimeLiteral(text []byte) ast.Expr {
	switch {
	case len(text) < len("2006-01-02") || text[4] != '-' || text[7] != '-':
		return expr.Value(expr.AsTime, text)
	case len(text) == len("2006-01-02"):
		return expr.Value(expr.AsDate, text)
	}
	return expr.Value(expr.AsTimestamp, text)
}
