package sqllayer

import (
	"slices"
	"strings"

	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/trees"
)

// GMS finds the tables that an UPDATE or DELETE of several tables changes by their bare names: of
// d1.t and d2.t it takes either, and for an alias it may take the table whose own name that is.
// distinctTargets gives such tables aliases that no other table of the statement has.
//
// Two tables clash if one is shown by a name that the other has, or is shown by.

// distinctTargets renames the tables of tables whose names clash, in the parts of the statement
// too.
func (r *rewriterAST) distinctTargets(tables ast.TableExprs, targets ast.TableNames, parts ...ast.SQLNode) error {
	all := trees.TablesOf(tables)
	var renames []trees.Rename
	for i, t := range all {
		if slices.ContainsFunc(all[:i], func(u trees.Target) bool { return r.shownAlike(t, u) }) {
			return sqlerr.NewError(mysql.ERNonUniqTable, "Not unique table/alias: '%s'", t.Shown)
		}
		if slices.ContainsFunc(all, func(u trees.Target) bool { return u != t && trees.Clash(t, u) }) {
			alias := t.Shown + " " // no name ends with a space
			if t.Aliased() || slices.ContainsFunc(all[:i], func(u trees.Target) bool { return strings.EqualFold(u.Shown, t.Shown) }) {
				alias = r.database(t.Name) + "." + alias
			}
			renames = append(renames, trees.Rename{Target: t, Alias: alias})
		}
	}
	if len(renames) == 0 || r.lockless { // EXPLAIN shows the names as they were written
		return nil
	}
	for i, name := range targets {
		if at := slices.IndexFunc(renames, func(n trees.Rename) bool { return r.names(name, n.Target) }); at >= 0 {
			targets[i] = ast.TableName{Name: ast.NewTableIdent(renames[at].Alias)}
		}
	}
	r.renameTables(tables, renames)
	for _, p := range append(parts, tables) {
		if err := r.renameReferences(p, renames); err != nil {
			return err
		}
	}
	return nil
}

// shownAlike reports whether two tables cannot be told apart in a statement.
func (r *rewriterAST) shownAlike(a, b trees.Target) bool {
	return strings.EqualFold(a.Shown, b.Shown) && (a.Aliased() || b.Aliased() || r.sameTable(a.Name, b.Name))
}

// renameTables gives the tables their aliases.
func (r *rewriterAST) renameTables(tables ast.TableExprs, renames []trees.Rename) {
	for _, e := range tables {
		switch t := e.(type) {
		case *ast.ParenTableExpr:
			r.renameTables(t.Exprs, renames)
		case *ast.JoinTableExpr:
			r.renameTables(ast.TableExprs{t.LeftExpr, t.RightExpr}, renames)
		case *ast.AliasedTableExpr:
			for _, here := range trees.TablesOf(ast.TableExprs{t}) {
				if at := slices.IndexFunc(renames, func(n trees.Rename) bool { return n.Target == here }); at >= 0 {
					t.As = ast.NewTableIdent(renames[at].Alias)
				}
			}
		}
	}
}

// renameReferences renames the tables of columns. A query inside has names of its own: those that
// hide a table's are not renamed.
func (r *rewriterAST) renameReferences(part ast.SQLNode, renames []trees.Rename) error {
	return ast.Walk(func(node ast.SQLNode) (bool, error) {
		switch n := node.(type) {
		case *ast.ColName:
			q := n.Qualifier
			if at := slices.IndexFunc(renames, func(t trees.Rename) bool { return !q.Name.IsEmpty() && r.refers(q, t.Target) }); at >= 0 {
				n.Qualifier = ast.TableName{Name: ast.NewTableIdent(renames[at].Alias)}
			}
		case *ast.Select:
			inner := trees.TablesOf(n.From)
			seen := slices.DeleteFunc(slices.Clone(renames), func(t trees.Rename) bool {
				return slices.ContainsFunc(inner, func(u trees.Target) bool { return r.shownAlike(u, t.Target) })
			})
			if len(seen) == len(renames) || node == part {
				return true, nil
			}
			return false, r.renameReferences(n, seen)
		}
		return true, nil
	}, part)
}

// refers reports whether a qualifier means a table. Without a schema it means the table that is
// shown by the name, wherever it is.
func (r *rewriterAST) refers(q ast.TableName, t trees.Target) bool {
	return r.names(q, t) || q.DbQualifier.IsEmpty() && strings.EqualFold(q.Name.String(), t.Shown)
}
