package plandesc

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/sql/explain"
	"emberdb/sqllayer/expr/compare"
)

// comparisonSign is the sign of a comparison; "" if it is none of go-mysql-server's.
func comparisonSign(e expression.Comparer) string {
	switch e.(type) {
	case *expression.Equals:
		return "="
	case *expression.NullSafeEquals:
		return "<=>"
	case *expression.GreaterThan:
		return ">"
	case *expression.GreaterThanOrEqual:
		return ">="
	case *expression.LessThan:
		return "<"
	case *expression.LessThanOrEqual:
		return "<="
	}
	return ""
}

// exprWords writes an expression of a plan as MySQL's EXPLAIN does: operators in parentheses, names
// of functions small.
func exprWords(e sql.Expression) string {
	list := func(all []sql.Expression) string { return strings.Join(words(all), ",") }
	switch n := e.(type) {
	case *expression.Alias:
		return exprWords(n.Child)
	case *expression.GetField:
		if n.Table() == "" {
			return explain.Name(n.Name())
		}
		return explain.Name(n.Table()) + "." + explain.Name(n.Name())
	case *expression.Literal:
		switch v := n.Value().(type) {
		case nil:
			return "NULL"
		case string:
			return "'" + strings.ReplaceAll(v, "'", "\\'") + "'"
		case bool:
			return fmt.Sprint(v)
		}
		return n.String()
	case *expression.And:
		return "(" + exprWords(n.LeftChild) + " and " + exprWords(n.RightChild) + ")"
	case *expression.Or:
		return "(" + exprWords(n.LeftChild) + " or " + exprWords(n.RightChild) + ")"
	case *expression.Not:
		switch in := n.Child.(type) {
		case *expression.Equals:
			return "(" + exprWords(in.Left()) + " <> " + exprWords(in.Right()) + ")"
		case *expression.IsNull:
			return "(" + exprWords(in.Child) + " is not null)"
		case *expression.Between:
			return "(" + exprWords(in.Val) + " not between " + exprWords(in.Lower) + " and " + exprWords(in.Upper) + ")"
		case *expression.InTuple:
			return "(" + exprWords(in.Left()) + " not in " + exprWords(in.Right()) + ")"
		}
		return "(not(" + exprWords(n.Child) + "))"
	case *expression.IsNull:
		return "(" + exprWords(n.Child) + " is null)"
	case *expression.Between:
		return "(" + exprWords(n.Val) + " between " + exprWords(n.Lower) + " and " + exprWords(n.Upper) + ")"
	case *expression.InTuple:
		return "(" + exprWords(n.Left()) + " in " + exprWords(n.Right()) + ")"
	case *expression.Like:
		return "(" + exprWords(n.LeftChild) + " like " + exprWords(n.RightChild) + ")"
	case *compare.Like:
		return "(" + exprWords(n.LeftChild) + " like " + exprWords(n.RightChild) + ")"
	case *expression.Arithmetic:
		return "(" + exprWords(n.LeftChild) + " " + n.Op + " " + exprWords(n.RightChild) + ")"
	case *expression.UnaryMinus:
		return "-(" + exprWords(n.Child) + ")"
	case expression.Tuple:
		return "(" + list(n) + ")"
	case *compare.Not:
		return "(not(" + exprWords(n.Child) + "))"
	case *plan.Subquery:
		return "(select)"
	case *plan.InSubquery:
		return "(" + exprWords(n.LeftChild) + " in " + exprWords(n.RightChild) + ")"
	case expression.Comparer:
		if sign := comparisonSign(n); sign != "" {
			return "(" + exprWords(n.Left()) + " " + sign + " " + exprWords(n.Right()) + ")"
		}
	case sql.FunctionExpression:
		if strings.EqualFold(n.FunctionName(), "count") && len(n.Children()) == 1 {
			if _, all := n.Children()[0].(*expression.Literal); all {
				return "count(0)"
			}
		}
		return strings.ToLower(n.FunctionName()) + "(" + list(n.Children()) + ")"
	}
	return e.String()
}

// referenceWords names what a column of an index is compared with.
func referenceWords(e sql.Expression) string {
	switch n := e.(type) {
	case *expression.Literal:
		return "const"
	case *expression.GetField:
		name := n.Table() + "." + n.Name()
		if n.Database() != "" {
			name = n.Database() + "." + name
		}
		return name
	}
	return "func"
}
