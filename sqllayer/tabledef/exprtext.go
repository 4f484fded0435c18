package tabledef

// Stored expressions as SHOW CREATE TABLE and information_schema show them.

import (
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	sqlast "emberdb/sql/ast"
	"emberdb/sql/parse"
)

// Unwrapped is an expression without the parentheses around it.
func Unwrapped(e ast.Expr) ast.Expr {
	for {
		p, ok := e.(*ast.ParenExpr)
		if !ok {
			return e
		}
		e = p.Expr
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
		case *sqlast.Cast:
			if t := n.Type; t.Kind == sqlast.TypeChar && !t.Charset.Given() && !t.National && t.Shorthand == sqlast.NoCharsetWord {
				t.Charset = sqlast.Ident{Name: "utf8mb4"}
			}
		}
		return true
	})
	return sqlast.Print(x, sqlast.Options{Canonical: true})
}
