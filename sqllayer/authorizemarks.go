package sqllayer

// What the parser tells the planner's questions about rights: the objects that the library's
// grammar does not note itself, and what is done to a table where its own words are too coarse.

import (
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	tree "emberdb/sql/ast"
)

// tellTargets gives the statements whose objects the grammar does not note themselves as what is
// known to their authorization.
func (r *rewriterAST) tellTargets(node ast.SQLNode) {
	switch n := node.(type) {
	case *ast.DDL:
		if n.Auth.Extra == nil {
			n.Auth.Extra = n
		}
		if n.ViewSpec != nil {
			markTables(n.ViewSpec.ViewExpr, viewed{})
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
				d.Auth.AuthType = authAlterIndex
			}
		}
		if len(n.Statements) == 0 || len(n.PartitionSpecs) > 0 {
			n.Auth.Extra = n
		}
	case *ast.Explain:
		markTables(n.Statement, explained{})
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
			n.Auth.AuthType, n.Auth.Extra = authReferenceSystem, n
		}
	case *ast.Select:
		r.tellStars(n)
	case *ast.Insert:
		tellInsert(n)
	case *ast.Update:
		if several(n.TableExprs) {
			retell(n.TableExprs, ast.AuthType_UPDATE, authUpdateSeveral)
		}
	case *ast.Delete:
		if len(n.Targets) > 0 {
			retell(n.TableExprs, ast.AuthType_DELETE, authDeleteSeveral)
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
		return authAlterIndex
	case !alters && indexes:
		return ast.AuthType_INDEX
	}
	return authProgramIndex
}

// tellStars marks the tables whose columns a query lists by a star.
func (r *rewriterAST) tellStars(n *ast.Select) {
	for _, e := range n.SelectExprs {
		star, ok := e.(*ast.StarExpr)
		if !ok {
			continue
		}
		_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
			if t, ok := n.(*ast.AliasedTableExpr); ok && t.Auth.AuthType == ast.AuthType_SELECT && starred(star, t) {
				t.Auth.AuthType = authSelectAll
			}
			_, sub := n.(*ast.Subquery)
			return !sub, nil
		}, n.From)
	}
}

// starred tells whether a star stands for the columns of a table.
func starred(star *ast.StarExpr, t *ast.AliasedTableExpr) bool {
	name, isName := t.Expr.(ast.TableName)
	if !isName || star.TableName.IsEmpty() {
		return isName
	}
	called := name.Name.String()
	if !t.As.IsEmpty() {
		called = t.As.String()
	}
	return strings.EqualFold(star.TableName.Name.String(), called)
}

// tellInsert marks INSERT that also updates, and one without a list of columns.
func tellInsert(n *ast.Insert) {
	if n.Auth.AuthType != ast.AuthType_INSERT {
		return
	}
	switch all := len(n.Columns) == 0; {
	case all && len(n.OnDup) > 0:
		n.Auth.AuthType = authUpsertAll
	case all:
		n.Auth.AuthType = authInsertAll
	case len(n.OnDup) > 0:
		n.Auth.AuthType = authUpsert
	}
}

// explained marks the tables of a statement that EXPLAIN looks at, viewed those of a view that is
// created.
type (
	explained struct{}
	viewed    struct{}
)

// markTables gives all tables that a statement names, also in subqueries, to their authorization
// with a mark.
func markTables(stmt ast.SQLNode, mark any) {
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		if t, ok := n.(*ast.AliasedTableExpr); ok && t.Auth.Extra == nil {
			t.Auth.Extra = mark
		}
		return true, nil
	}, stmt)
}

// several tells whether FROM has more than one table.
func several(from ast.TableExprs) bool {
	if len(from) != 1 {
		return true
	}
	switch t := from[0].(type) {
	case *ast.ParenTableExpr:
		return several(t.Exprs)
	case *ast.AliasedTableExpr:
		return false
	}
	return true
}

// retell changes what is asked for of the tables of a FROM.
func retell(from ast.TableExprs, before, after string) {
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		if t, ok := n.(*ast.AliasedTableExpr); ok && t.Auth.AuthType == before {
			t.Auth.AuthType = after
		}
		_, sub := n.(*ast.Subquery)
		return !sub, nil
	}, from)
}
