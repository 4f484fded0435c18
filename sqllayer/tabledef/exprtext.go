package tabledef

// Stored expressions as SHOW CREATE TABLE and information_schema show them.

import (
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
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
	e, err := parseExpr(text)
	if err != nil {
		return text
	}
	buf := ast.NewTrackedBuffer(formatExpr)
	buf.Myprintf("%v", e)
	return buf.String()
}

// shiftSigns are the operators that MySQL shows for the functions of dates and intervals.
var shiftSigns = map[string]string{"date_add": "+", "date_sub": "-"}

func formatExpr(buf *ast.TrackedBuffer, node ast.SQLNode) {
	switch n := node.(type) {
	case *ast.ParenExpr:
		buf.Myprintf("%v", n.Expr)
	case *ast.ColName:
		buf.Myprintf("%s", QuoteName(n.Name.String()))
	case *ast.BinaryExpr:
		switch n.Operator {
		case ast.JSONExtractOp:
			buf.Myprintf("json_extract(%v,%v)", n.Left, n.Right)
		case ast.JSONUnquoteExtractOp:
			buf.Myprintf("json_unquote(json_extract(%v,%v))", n.Left, n.Right)
		default:
			buf.Myprintf("(%v %s %v)", n.Left, n.Operator, n.Right)
		}
	case *ast.ComparisonExpr:
		op := n.Operator
		if op == "!=" {
			op = "<>"
		}
		buf.Myprintf("(%v %s %v)", n.Left, op, n.Right)
	case *ast.AndExpr:
		buf.Myprintf("(%v and %v)", n.Left, n.Right)
	case *ast.OrExpr:
		buf.Myprintf("(%v or %v)", n.Left, n.Right)
	case *ast.NotExpr:
		if c, ok := Unwrapped(n.Expr).(*ast.ComparisonExpr); ok && c.Operator == ast.EqualStr { // go-mysql-server's way to keep <>
			buf.Myprintf("(%v <> %v)", c.Left, c.Right)
			return
		}
		buf.Myprintf("(not(%v))", n.Expr)
	case *ast.IsExpr:
		buf.Myprintf("(%v %s)", n.Expr, n.Operator)
	case *ast.RangeCond:
		buf.Myprintf("(%v %s %v and %v)", n.Left, n.Operator, n.From, n.To)
	case *ast.ConvertType:
		t := *n
		t.Type = strings.ToLower(t.Type)
		if n.Scale == nil {
			t.Format(buf)
			return
		}
		buf.Myprintf("%s(%v,%v)", t.Type, n.Length, n.Scale)
	case *ast.IntervalExpr:
		buf.Myprintf("interval %v %s", n.Expr, strings.ToLower(n.Unit))
	case *ast.FuncExpr:
		if sign := shiftSigns[n.Name.Lowered()]; sign != "" && len(n.Exprs) == 2 {
			buf.Myprintf("(%v %s %v)", n.Exprs[0], sign, n.Exprs[1])
			return
		}
		buf.Myprintf("%s(", n.Name.Lowered())
		for i, a := range n.Exprs {
			if i > 0 {
				buf.Myprintf(",")
			}
			buf.Myprintf("%v", a)
		}
		buf.Myprintf(")")
	case *ast.SQLVal:
		if n.Type == ast.StrVal {
			buf.Myprintf("_utf8mb4'%s'", QuoteEscaped.Replace(string(n.Val)))
			return
		}
		n.Format(buf)
	default:
		node.Format(buf)
	}
}
