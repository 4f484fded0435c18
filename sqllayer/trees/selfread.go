package trees

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// Target is a table that a statement changes.
type Target struct {
	Name  ast.TableName
	Shown string // its name or alias in the statement
}

func Deleted(n *ast.Delete) []Target {
	all := TablesOf(n.TableExprs)
	if len(n.Targets) == 0 {
		return all
	}
	var out []Target
	for _, t := range all {
		for _, name := range n.Targets {
			if strings.EqualFold(name.Name.String(), t.Shown) {
				out = append(out, t)
				break
			}
		}
	}
	return out
}

// TablesOf gives the tables of a FROM clause, without derived ones.
func TablesOf(exprs ast.TableExprs) (out []Target) {
	for _, e := range exprs {
		switch t := e.(type) {
		case *ast.ParenTableExpr:
			out = append(out, TablesOf(t.Exprs)...)
		case *ast.JoinTableExpr:
			out = append(out, TablesOf(ast.TableExprs{t.LeftExpr, t.RightExpr})...)
		case *ast.AliasedTableExpr:
			if name, ok := t.Expr.(ast.TableName); ok {
				shown := t.As.String()
				if shown == "" {
					shown = name.Name.String()
				}
				out = append(out, Target{name, shown})
			}
		}
	}
	return out
}

// TargetFilter is the condition on the rows of a target table.
type TargetFilter struct {
	Cond sql.Expression // nil: there are several, for one table under two names
}
