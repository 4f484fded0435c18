package sqllayer

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
	tree "emberdb/sql/ast"
	"emberdb/sqllayer/trees"
)

// What the parser tells the planner's questions about rights: the objects that the library's
// grammar does not note itself, and what is done to a table where its own words are too coarse.

// tellTargets gives the statements whose objects the grammar does not note themselves as what is
// known to their authorization.
func (r *rewriterAST) tellTargets(node ast.SQLNode) {
	switch n := node.(type) {
	case *ast.DDL:
		if n.Auth.Extra == nil {
			n.Auth.Extra = n
		}
		if n.ViewSpec != nil {
			trees.MarkTables(n.ViewSpec.ViewExpr, trees.Viewed{})
		}
	case *ast.DBDDL:
		n.Auth.Extra = n
	case *ast.Show:
		if n.Auth.AuthType == ast.AuthType_SHOW || n.Auth.AuthType == ast.AuthType_SHOW_CREATE_PROCEDURE {
			n.Auth.Extra = n
		}
	case *ast.AlterTable:
		for _, d := range n.Statements {
			d.Auth.Extra = d
			switch {
			case d.Auth.AuthType != ast.AuthType_INDEX || r.plain: // GMS's own checks know its own types only
			case node != r.root:
				d.Auth.AuthType = r.programIndex()
			case r.alters():
				d.Auth.AuthType = trees.AuthAlterIndex
			}
		}
		if len(n.Statements) == 0 || len(n.PartitionSpecs) > 0 {
			n.Auth.Extra = n
		}
	case *ast.Explain:
		trees.MarkTables(n.Statement, trees.Explained{})
	case *ast.AliasedTableExpr:
		if t, ok := n.Expr.(ast.TableName); ok && t.DbQualifier.IsEmpty() && r.ctes[strings.ToLower(t.Name.String())] {
			n.Auth.AuthType = ast.AuthType_IGNORE // the plan tells what it reads
		}
	case *ast.Load:
		if n.Local && n.Auth.Extra == nil {
			n.Auth.AuthType = ast.AuthType_IGNORE // the client's file
		}
	case *ast.CreateSpatialRefSys:
		if !r.plain {
			n.Auth.AuthType, n.Auth.Extra = trees.AuthReferenceSystem, n
		}
	case *ast.Select:
		r.tellStars(n)
	case *ast.Insert:
		trees.TellInsert(n)
	case *ast.Update:
		if trees.Several(n.TableExprs) {
			trees.Retell(n.TableExprs, ast.AuthType_UPDATE, trees.AuthUpdateSeveral)
		}
	case *ast.Delete:
		if len(n.Targets) > 0 {
			trees.Retell(n.TableExprs, ast.AuthType_DELETE, trees.AuthDeleteSeveral)
		}
	}
}

// alters tells ALTER TABLE from CREATE INDEX and DROP INDEX.
func (r *rewriterAST) alters() bool {
	_, is := r.tree.(*tree.AlterTable)
	return is
}

// programIndex is the type of a change of an index in a program: ALTER TABLE, or CREATE and DROP
// INDEX, or not known where the program has both.
func (r *rewriterAST) programIndex() string {
	alters, indexes := false, false
	tree.Inspect(r.tree, func(n tree.Node) bool {
		switch n.(type) {
		case *tree.AlterTable:
			alters = true
		case *tree.CreateIndex, *tree.DropIndex:
			indexes = true
		}
		return true
	})
	switch {
	case !indexes && alters:
		return trees.AuthAlterIndex
	case !alters && indexes:
		return ast.AuthType_INDEX
	}
	return trees.AuthProgramIndex
}

// tellStars marks the tables whose columns a query lists by a star.
func (r *rewriterAST) tellStars(n *ast.Select) {
	for _, e := range n.SelectExprs {
		star, ok := e.(*ast.StarExpr)
		if !ok {
			continue
		}
		_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
			if t, ok := n.(*ast.AliasedTableExpr); ok && t.Auth.AuthType == ast.AuthType_SELECT && trees.Starred(star, t) {
				t.Auth.AuthType = trees.AuthSelectAll
			}
			_, sub := n.(*ast.Subquery)
			return !sub, nil
		}, n.From)
	}
}

// The rights that a bound plan needs. GMS's planner asks for tables as it meets their names
// (authorize.go); which columns a statement reads and writes only the plan tells. So the first rule
// of the analyzer walks the plan of each statement, lists what it does to each table and view, and
// asks for the rights once, on columns where the account has no more. The walk trusts no name:
// every table of the plan is asked for again, whatever the planner was told about it.
//
// The columns of a view are the reader's; what stands in the view is its definer's or, under SQL
// SECURITY INVOKER, the reader's.

// ViewBody marks what stands in a view in the plan of a statement that reads it.
const ViewBody = "\x00body of view "

// RightsIn tells whose rights count in a view.
func (s *Session) RightsIn(ctx *sql.Context, schema, name string) (account trees.Role, invoker bool, err error) {
	found, err := s.layer.Provider.Database(ctx, schema)
	d, ok := OwnDatabase(found)
	if err != nil || !ok {
		return account, false, err
	}
	stored, ok, err := Find[StoredView](ctx, d, catalog.KindView, name)
	if err != nil || !ok {
		return account, false, err // nobody's: it is being dropped
	}
	text, _ := ParseView(stored.CreateViewStatement)
	return RoleOf(stored.Completed(d, text.Definer).Definer), text.invoker, nil
}
