package trees

import (
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/sqlerr"
)

// defaultScopes are the blocks around a place of a statement, the innermost one first.
type defaultScopes [][]Target

// ScopeDefaults adds their tables to the calls of DEFAULT(c): a list for each block, parted by
// empty texts. A bare DEFAULT stands only for a whole value; elsewhere GMS's node for it has no
// type to give.
func ScopeDefaults(n ast.SQLNode, around defaultScopes) error {
	return ast.Walk(func(n ast.SQLNode) (bool, error) {
		within := func(parts []ast.SQLNode, from ast.TableExprs) (bool, error) {
			scopes := append(defaultScopes{TablesOf(from)}, around...)
			for _, p := range parts {
				if err := ScopeDefaults(p, scopes); err != nil {
					return false, err
				}
			}
			return false, nil
		}
		whole := func(e ast.Expr) error {
			if _, ok := e.(*ast.Default); ok {
				return nil
			}
			return ScopeDefaults(e, around)
		}
		switch n := n.(type) {
		case *ast.AliasedValues:
			for _, row := range n.Values {
				for _, e := range row {
					if err := whole(e); err != nil {
						return false, err
					}
				}
			}
			return false, nil
		case *ast.AssignmentExpr:
			return false, whole(n.Expr)
		case *ast.SetVarExpr:
			return false, whole(n.Expr)
		case *ast.Default:
			return false, sqlerr.NewError(mysql.ERParseError, "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near 'default'")
		case *ast.Select:
			return within([]ast.SQLNode{n.SelectExprs, n.From, n.Where, n.GroupBy, n.Having, n.OrderBy, n.Limit}, ast.TableExprs(n.From))
		case *ast.Update:
			return within([]ast.SQLNode{n.TableExprs, n.Exprs, n.Where, n.OrderBy}, n.TableExprs)
		case *ast.Delete:
			return within([]ast.SQLNode{n.TableExprs, n.Where, n.OrderBy}, n.TableExprs)
		case *ast.Insert:
			return within([]ast.SQLNode{n.Rows, n.OnDup}, ast.TableExprs{&ast.AliasedTableExpr{Expr: n.Table}})
		case *ast.FuncExpr:
			if n.Name.Lowered() == expr.DefaultOf && len(n.Exprs) == 1 {
				around.fill(n)
			}
		}
		return true, nil
	}, n)
}

func (s defaultScopes) fill(call *ast.FuncExpr) {
	arg, ok := call.Exprs[0].(*ast.AliasedExpr)
	if !ok {
		return
	}
	c, ok := arg.Expr.(*ast.ColName)
	if !ok {
		return
	}
	call.Exprs = nil
	add := func(texts ...string) {
		for _, t := range texts {
			call.Exprs = append(call.Exprs, &ast.AliasedExpr{Expr: ast.NewStrVal([]byte(t))})
		}
	}
	add(c.Qualifier.DbQualifier.String(), c.Qualifier.Name.String(), c.Name.String())
	for _, block := range s {
		for _, t := range block {
			add(t.Shown, t.Name.DbQualifier.String(), t.Name.Name.String())
		}
		add("", "", "")
	}
}
