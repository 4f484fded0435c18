package tabledef

// Stored expressions as SHOW CREATE TABLE and information_schema show them.

import (
	"strings"
	"time"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	sqlast "emberdb/sql/ast"
	"emberdb/sql/parse"
	own "emberdb/sql/types"
	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/expr/operand"
)

// Unwrapped is an expression without the parentheses around it, and without its text.
func Unwrapped(e ast.Expr) ast.Expr {
	for {
		switch n := e.(type) {
		case *ast.ParenExpr:
			e = n.Expr
		case *ast.FuncExpr:
			_, x, ok := expr.DefinedText(n)
			if !ok {
				return e
			}
			e = x
		default:
			return e
		}
	}
}

// ExprText writes a stored expression as MySQL shows it: names quoted, operators in parentheses,
// strings with their character set.
func ExprText(text string) string {
	x, err := parse.ParseExpr(text, parse.Options{})
	if err != nil {
		return text
	}
	sqlast.Inspect(x, func(n sqlast.Node) bool {
		switch n := n.(type) {
		case *sqlast.Literal:
			if n.Kind == sqlast.StringLiteral && n.Charset == "" {
				n.Charset = "utf8mb4"
			}
			showTyped(n)
		case *sqlast.Cast:
			if t := n.Type; t.Kind == sqlast.TypeChar && !t.Charset.Given() && !t.National && t.Shorthand == sqlast.NoCharsetWord {
				t.Charset = sqlast.Ident{Name: "utf8mb4"}
			}
		}
		return true
	})
	return sqlast.Print(x, sqlast.Options{Canonical: true})
}

// showTyped gives a literal of a date or time its usual form, with the digits of the second that it
// has.
func showTyped(n *sqlast.Literal) {
	_, fraction, _ := strings.Cut(n.Text, ".")
	switch n.Kind {
	case sqlast.DateLiteral, sqlast.TimestampLiteral:
		if at, _, is := operand.ReadMoment(n.Text, own.Dates{Invalid: true}, time.UTC); is == operand.AMoment {
			n.Text = operand.ShownMoment(at, n.Kind == sqlast.DateLiteral, min(len(fraction), 6))
		}
	case sqlast.TimeLiteral:
		if micros, _, ok := operand.ReadClock(n.Text); ok {
			t, v := own.TimeType(uint8(min(len(fraction), 6)), false), own.NewVec(own.Time, 1)
			v.I[0] = micros
			if text, err := own.AppendText(nil, &t, v, 0); err == nil {
				n.Text = string(text)
			}
		}
	}
}
