package sqllayer

import (
	"slices"
	"strconv"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// groupKeys refuses a GROUP BY whose key is a column of the list with an aggregate or a window
// function: 1056. A name is that of a column of the tables first, as far as their columns are
// known.
func (r *rewriterAST) groupKeys(n *ast.Select) error {
	for _, key := range n.GroupBy {
		var item *ast.AliasedExpr
		switch k := key.(type) {
		case *ast.SQLVal:
			if i, err := strconv.Atoi(string(k.Val)); err == nil && k.Type == ast.IntVal && i > 0 && i <= len(n.SelectExprs) && !hasStar(n.SelectExprs[:i]) {
				item, _ = n.SelectExprs[i-1].(*ast.AliasedExpr)
			}
		case *ast.ColName:
			if k.Qualifier.IsEmpty() && r.lacks(n.From, k.Name) {
				item = itemNamed(n.SelectExprs, k.Name)
			}
		}
		if item == nil || !computedOverRows(item.Expr) {
			continue
		}
		shown := item.As.String()
		if shown == "" {
			shown = item.InputExpression
		}
		return NewError(1056, "Can't group on '%s'", shown)
	}
	return nil
}

func itemNamed(list ast.SelectExprs, name ast.ColIdent) *ast.AliasedExpr {
	for _, e := range list {
		if a, ok := e.(*ast.AliasedExpr); ok && a.As.Equal(name) {
			return a
		}
	}
	return nil
}

// computedOverRows tells whether an expression calls an aggregate or a window function.
func computedOverRows(e ast.Expr) (found bool) {
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.Subquery:
			return false, nil
		case *ast.FuncExpr:
			found = found || n.Over != nil || n.IsAggregate()
		case *ast.GroupConcatExpr:
			found = true
		}
		return !found, nil
	}, e)
	return found
}

// lacks tells whether the tables of a FROM are known to have no column of that name.
func (r *rewriterAST) lacks(from ast.TableExprs, name ast.ColIdent) bool {
	return !slices.ContainsFunc(from, func(e ast.TableExpr) bool {
		switch e := e.(type) {
		case *ast.ParenTableExpr:
			return !r.lacks(e.Exprs, name)
		case *ast.JoinTableExpr:
			return !r.lacks(ast.TableExprs{e.LeftExpr, e.RightExpr}, name)
		case *ast.AliasedTableExpr:
			switch t := e.Expr.(type) {
			case ast.TableName:
				if t.DbQualifier.IsEmpty() && (r.ctes[strings.ToLower(t.Name.String())] || strings.EqualFold(t.Name.String(), "dual")) {
					return !strings.EqualFold(t.Name.String(), "dual")
				}
				columns := r.columnsOf(t)
				return len(columns) == 0 || columns.FindColumn(name) >= 0
			case *ast.Subquery:
				if len(t.Columns) > 0 {
					return t.Columns.FindColumn(name) >= 0
				}
				if q, ok := t.Select.(*ast.Select); ok {
					return hasStar(q.SelectExprs) || namesColumn(q.SelectExprs, name)
				}
			}
		}
		return true
	})
}
