package trees

import (
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// Starred tells whether a star stands for the columns of a table.
func Starred(star *ast.StarExpr, t *ast.AliasedTableExpr) bool {
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

// TellInsert marks INSERT that also updates, and one without a list of columns.
func TellInsert(n *ast.Insert) {
	if n.Auth.AuthType != ast.AuthType_INSERT {
		return
	}
	switch all := len(n.Columns) == 0; {
	case all && len(n.OnDup) > 0:
		n.Auth.AuthType = AuthUpsertAll
	case all:
		n.Auth.AuthType = AuthInsertAll
	case len(n.OnDup) > 0:
		n.Auth.AuthType = AuthUpsert
	}
}

// explained marks the tables of a statement that EXPLAIN looks at, viewed those of a view that is
// created.
type (
	Explained struct{}
	Viewed    struct{}
)

// MarkTables gives all tables that a statement names, also in subqueries, to their authorization
// with a mark.
func MarkTables(stmt ast.SQLNode, mark any) {
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		if t, ok := n.(*ast.AliasedTableExpr); ok && t.Auth.Extra == nil {
			t.Auth.Extra = mark
		}
		return true, nil
	}, stmt)
}

// Several tells whether FROM has more than one table.
func Several(from ast.TableExprs) bool {
	if len(from) != 1 {
		return true
	}
	switch t := from[0].(type) {
	case *ast.ParenTableExpr:
		return Several(t.Exprs)
	case *ast.AliasedTableExpr:
		return false
	}
	return true
}

// Retell changes what is asked for of the tables of a FROM.
func Retell(from ast.TableExprs, before, after string) {
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		if t, ok := n.(*ast.AliasedTableExpr); ok && t.Auth.AuthType == before {
			t.Auth.AuthType = after
		}
		_, sub := n.(*ast.Subquery)
		return !sub, nil
	}, from)
}

// Kinds of authorization that the grammar does not have.
const (
	AuthSelectAll       = "SELECT_ALL"       // a table whose columns are listed by a star
	AuthInsertAll       = "INSERT_ALL"       // INSERT without a list of columns
	AuthUpsert          = "UPSERT"           // INSERT with ON DUPLICATE KEY UPDATE
	AuthUpsertAll       = "UPSERT_ALL"       // that, without a list of columns
	AuthUpdateSeveral   = "UPDATE_SEVERAL"   // a table of UPDATE with several
	AuthDeleteSeveral   = "DELETE_SEVERAL"   // a table that DELETE reads
	AuthAlterIndex      = "ALTER_INDEX"      // ALTER TABLE that changes an index
	AuthReferenceSystem = "REFERENCE_SYSTEM" // CREATE SPATIAL REFERENCE SYSTEM
	AuthProgramIndex    = "PROGRAM_INDEX"    // that, or CREATE and DROP INDEX: in a program they look alike
)
