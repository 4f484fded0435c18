package sqllayer

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// target is a table that a statement changes.
type target struct {
	name  ast.TableName
	shown string // its name or alias in the statement
}

// checkSelfRead refuses what MySQL does: a subquery that reads a table the statement changes, 1093.
// GMS runs it, and the rows it reads depend on how far the statement has come. A derived table is
// made before, so what it reads does not count.
func (r *rewriterAST) checkSelfRead(node ast.SQLNode) error {
	if r.plain {
		return nil
	}
	var targets []target
	var parts []ast.SQLNode
	switch n := node.(type) {
	case *ast.Update:
		targets = r.updated(n)
		parts = append(parts, n.Exprs, n.Where, n.OrderBy)
	case *ast.Delete:
		targets = deleted(n)
		parts = append(parts, n.Where, n.OrderBy)
	case *ast.Insert:
		targets = []target{{n.Table, n.Table.Name.String()}}
		if _, values := n.Rows.(*ast.AliasedValues); values {
			parts = append(parts, n.Rows)
		}
		parts = append(parts, ast.AssignmentExprs(n.OnDup))
	}
	for _, p := range parts {
		err := ast.Walk(func(node ast.SQLNode) (bool, error) {
			switch n := node.(type) {
			case *ast.AliasedTableExpr:
				name, ok := n.Expr.(ast.TableName)
				if !ok {
					return false, nil
				}
				for _, t := range targets {
					if r.sameTable(t.name, name) {
						return false, NewError(1093, "You can't specify target table '%s' for update in FROM clause", t.shown)
					}
				}
			case *ast.With:
				return false, nil
			}
			return true, nil
		}, p)
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *rewriterAST) sameTable(a, b ast.TableName) bool {
	return strings.EqualFold(a.Name.String(), b.Name.String()) && strings.EqualFold(r.database(a), r.database(b)) &&
		(!b.DbQualifier.IsEmpty() || !r.ctes[strings.ToLower(b.Name.String())])
}

func (r *rewriterAST) database(t ast.TableName) string {
	if db := t.DbQualifier.String(); db != "" {
		return db
	}
	if c, ok := r.ctx.(*sql.Context); ok && c.Session != nil {
		return c.GetCurrentDatabase()
	}
	return ""
}

// updated finds the tables an UPDATE changes. Of several tables only those count whose names stand
// before the columns.
func (r *rewriterAST) updated(n *ast.Update) []target {
	all := tablesOf(n.TableExprs)
	if len(all) == 1 {
		return all
	}
	var out []target
	for _, t := range all {
		for _, e := range n.Exprs {
			if strings.EqualFold(e.Name.Qualifier.Name.String(), t.shown) {
				out = append(out, t)
				break
			}
		}
	}
	return out
}

// knownTargets refuses names before the FROM of a DELETE that are none of its tables'.
func (r *rewriterAST) knownTargets(n *ast.Delete) error {
	if r.plain {
		return nil
	}
	derived := make(map[string]bool)
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		switch t := n.(type) {
		case *ast.AliasedTableExpr:
			if _, table := t.Expr.(ast.TableName); !table {
				derived[t.As.String()] = true
			}
			return false, nil
		case *ast.JSONTableExpr:
			derived[t.Alias.String()] = true
			return false, nil
		}
		return true, nil
	}, n.TableExprs)
	all := tablesOf(n.TableExprs)
	for i, name := range n.Targets {
		if slices.ContainsFunc(n.Targets[:i], func(before ast.TableName) bool {
			return strings.EqualFold(before.Name.String(), name.Name.String()) && strings.EqualFold(r.database(before), r.database(name))
		}) {
			return NewError(1066, "Not unique table/alias: '%s'", name.Name.String())
		}
		if !slices.ContainsFunc(all, func(t target) bool { return r.names(name, t) }) {
			if derived[name.Name.String()] {
				return NewError(1288, "The target table %s of the DELETE is not updatable", name.Name.String())
			}
			return NewError(1109, "Unknown table '%s' in MULTI DELETE", name.Name.String())
		}
	}
	return nil
}

// names tells whether a table of a FROM is meant by a name: an alias has no schema.
func (r *rewriterAST) names(name ast.TableName, t target) bool {
	if !strings.EqualFold(name.Name.String(), t.shown) {
		return false
	}
	if t.aliased() {
		return name.DbQualifier.IsEmpty()
	}
	return strings.EqualFold(r.database(name), r.database(t.name))
}

func deleted(n *ast.Delete) []target {
	all := tablesOf(n.TableExprs)
	if len(n.Targets) == 0 {
		return all
	}
	var out []target
	for _, t := range all {
		for _, name := range n.Targets {
			if strings.EqualFold(name.Name.String(), t.shown) {
				out = append(out, t)
				break
			}
		}
	}
	return out
}

// tablesOf gives the tables of a FROM clause, without derived ones.
func tablesOf(exprs ast.TableExprs) (out []target) {
	for _, e := range exprs {
		switch t := e.(type) {
		case *ast.ParenTableExpr:
			out = append(out, tablesOf(t.Exprs)...)
		case *ast.JoinTableExpr:
			out = append(out, tablesOf(ast.TableExprs{t.LeftExpr, t.RightExpr})...)
		case *ast.AliasedTableExpr:
			if name, ok := t.Expr.(ast.TableName); ok {
				shown := t.As.String()
				if shown == "" {
					shown = name.Name.String()
				}
				out = append(out, target{name, shown})
			}
		}
	}
	return out
}
