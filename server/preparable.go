package server

// Which statements are prepared. COM_STMT_PREPARE and PREPARE refuse the others with 1295, as MySQL does, before anything is said about rights.

import (
	"strings"

	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sql/ast"
	"emberdb/sqllayer"
)

var errUnprepared = sqllayer.NewError(1295, "This command is not supported in the prepared statement protocol yet")

// mayPrepareText refuses a text whose statement MySQL does not prepare; nil for a text with an error, which others tell of.
func (w *wireConn) mayPrepareText(text string) *mysql.SQLError {
	if strings.IndexByte(text, 0) >= 0 {
		return nil // RefuseNUL looks at it
	}
	statement, err := parseStatement(w, text, false)
	if err == nil && !preparable(statement) {
		return errUnprepared
	}
	return nil
}

// preparable tells whether MySQL prepares a statement.
func preparable(statement ast.Statement) bool {
	switch n := statement.(type) {
	case *ast.Prepare, *ast.Execute, *ast.Deallocate, *ast.Use, *ast.Help, *ast.Handler, *ast.Load, *ast.Purge, *ast.Clone, *ast.ImportTable, *ast.Shutdown,
		*ast.LockTables, *ast.LockInstance, *ast.Unlock, *ast.Begin, *ast.Savepoint, *ast.XA, *ast.GetDiagnostics, *ast.Signal,
		*ast.CreateRoutine, *ast.AlterRoutine, *ast.CreateTrigger, *ast.CreateLoadable, *ast.AlterDatabase, *ast.CreateRole, *ast.GroupReplication, *ast.InstallComponent,
		*ast.CreateServer, *ast.DropServer, *ast.ResourceGroup, *ast.Tablespace, *ast.CreateReferenceSystem, *ast.DropReferenceSystem:
		return false
	case *ast.CreateView:
		return !n.Alter
	case *ast.DropProgram:
		return n.Kind == ast.DropEvent || n.Kind == ast.DropLibrary
	case *ast.DropUser:
		return !n.Role
	case *ast.MaintainTables:
		return n.What != ast.CheckTable
	case *ast.Explain:
		return n.Connection == nil
	case *ast.Show:
		switch n.Kind {
		case ast.ShowWarnings, ast.ShowErrors, ast.ShowCountWarnings, ast.ShowCountErrors:
			return false
		}
	}
	return true
}
