package sqllayer

import (
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// nameColumn gives a column of a select list that has no alias the name MySQL gives it: of a text or a number that of the thing itself, without parentheses and
// signs before it, of several texts beside each other the first one, of everything else what is written.
func nameColumn(n *ast.AliasedExpr) {
	if n.InputExpression == "" || !n.As.IsEmpty() {
		return
	}
	bare, introduced := bareOperand(n.Expr)
	switch e := bare.(type) {
	case *ast.NullVal:
		n.InputExpression = "NULL"
	case *ast.SQLVal:
		switch {
		case e.Type == ast.StrVal:
			n.InputExpression = strings.TrimLeft(firstText(n.InputExpression, string(e.Val), introduced), " \t\r\n")
		case (e.Type == ast.IntVal || e.Type == ast.FloatVal) && !strings.HasPrefix(string(e.Val), "-"):
			n.InputExpression = string(e.Val)
		}
	}
}

// bareOperand is an expression without the parentheses and plus signs around it; introduced: it has the name of a character set before it.
func bareOperand(e ast.Expr) (bare ast.Expr, introduced bool) {
	for {
		switch u := e.(type) {
		case *ast.ParenExpr:
			e = u.Expr
			continue
		case *ast.UnaryExpr:
			named := strings.HasPrefix(u.Operator, "_")
			if named || u.Operator == ast.UPlusStr {
				e, introduced = u.Expr, introduced || named
				continue
			}
		}
		return e, introduced
	}
}

// firstText is the first of the literals that make a text of a value. What is written lacks the quotes where it was one literal and nothing else.
func firstText(written, value string, introduced bool) string {
	if written == value {
		return value
	}
	literal := strings.TrimLeft(written, "(+ \t\r\n")
	if introduced {
		literal = literal[max(0, strings.IndexAny(literal, `'"`)):]
	}
	if literal == "" || literal[0] != '\'' && literal[0] != '"' {
		return value
	}
	words := lexer{text: literal}
	word, _ := words.next()
	if e, err := parseExpr(word); err == nil {
		if v, ok := e.(*ast.SQLVal); ok && v.Type == ast.StrVal {
			return string(v.Val)
		}
	}
	return value
}
