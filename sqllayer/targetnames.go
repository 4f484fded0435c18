package sqllayer

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/rules"
)

// GMS finds the tables that an UPDATE or DELETE of several tables changes by their bare names: of
// d1.t and d2.t it takes either, and for an alias it may take the table whose own name that is.
// distinctTargets gives such tables aliases that no other table of the statement has.
//
// Two tables clash if one is shown by a name that the other has, or is shown by.

// rename is the new name of a table in the references to it.
type rename struct {
	target
	alias string
}

// distinctTargets renames the tables of tables whose names clash, in the parts of the statement
// too.
func (r *rewriterAST) distinctTargets(tables ast.TableExprs, targets ast.TableNames, parts ...ast.SQLNode) error {
	all := tablesOf(tables)
	var renames []rename
	for i, t := range all {
		if slices.ContainsFunc(all[:i], func(u target) bool { return r.shownAlike(t, u) }) {
			return NewError(mysql.ERNonUniqTable, "Not unique table/alias: '%s'", t.shown)
		}
		if slices.ContainsFunc(all, func(u target) bool { return u != t && clash(t, u) }) {
			alias := t.shown + " " // no name ends with a space
			if t.aliased() || slices.ContainsFunc(all[:i], func(u target) bool { return strings.EqualFold(u.shown, t.shown) }) {
				alias = r.database(t.name) + "." + alias
			}
			renames = append(renames, rename{t, alias})
		}
	}
	if len(renames) == 0 {
		return nil
	}
	for i, name := range targets {
		if at := slices.IndexFunc(renames, func(n rename) bool { return r.names(name, n.target) }); at >= 0 {
			targets[i] = ast.TableName{Name: ast.NewTableIdent(renames[at].alias)}
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
func (r *rewriterAST) shownAlike(a, b target) bool {
	return strings.EqualFold(a.shown, b.shown) && (a.aliased() || b.aliased() || r.sameTable(a.name, b.name))
}

// aliased reports whether the table is shown by another name than its own.
func (t target) aliased() bool { return t.shown != t.name.Name.String() }

func clash(a, b target) bool {
	return strings.EqualFold(a.shown, b.shown) || strings.EqualFold(a.shown, b.name.Name.String()) || strings.EqualFold(a.name.Name.String(), b.shown)
}

// renameTables gives the tables their aliases.
func (r *rewriterAST) renameTables(tables ast.TableExprs, renames []rename) {
	for _, e := range tables {
		switch t := e.(type) {
		case *ast.ParenTableExpr:
			r.renameTables(t.Exprs, renames)
		case *ast.JoinTableExpr:
			r.renameTables(ast.TableExprs{t.LeftExpr, t.RightExpr}, renames)
		case *ast.AliasedTableExpr:
			for _, here := range tablesOf(ast.TableExprs{t}) {
				if at := slices.IndexFunc(renames, func(n rename) bool { return n.target == here }); at >= 0 {
					t.As = ast.NewTableIdent(renames[at].alias)
				}
			}
		}
	}
}

// renameReferences renames the tables of columns. A query inside has names of its own: those that
// hide a table's are not renamed.
func (r *rewriterAST) renameReferences(part ast.SQLNode, renames []rename) error {
	return ast.Walk(func(node ast.SQLNode) (bool, error) {
		switch n := node.(type) {
		case *ast.ColName:
			q := n.Qualifier
			if at := slices.IndexFunc(renames, func(t rename) bool { return !q.Name.IsEmpty() && r.refers(q, t.target) }); at >= 0 {
				n.Qualifier = ast.TableName{Name: ast.NewTableIdent(renames[at].alias)}
			}
		case *ast.Select:
			inner := tablesOf(n.From)
			seen := slices.DeleteFunc(slices.Clone(renames), func(t rename) bool {
				return slices.ContainsFunc(inner, func(u target) bool { return r.shownAlike(u, t.target) })
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
func (r *rewriterAST) refers(q ast.TableName, t target) bool {
	return r.names(q, t) || q.DbQualifier.IsEmpty() && strings.EqualFold(q.Name.String(), t.shown)
}

// mendDeletes lets a DELETE change tables of several schemas. What else GMS refuses about the
// targets of a DELETE is told before, in MySQL's words.
func mendDeletes(a *analyzer.Analyzer) error {
	return rules.Wrap(a, "validateDeleteFrom", func(rule analyzer.RuleFunc) analyzer.RuleFunc {
		return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope,
			sel analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
			if s := sessionOf(ctx); s != nil && !s.Layer().opts.Plain {
				return n, transform.SameTree, nil
			}
			return rule(ctx, a, n, scope, sel, flags)
		}
	})
}
