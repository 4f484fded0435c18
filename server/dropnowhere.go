package server

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sql/ast"
	"emberdb/sqllayer"
	"emberdb/sqllayer/sqlerr"
)

// dropNowhere returns what runs a DROP of a stored program in a database that is not there; nil: the
// database is there. The program is missing, as if the database were empty.
func (x *execution) dropNowhere(ctx *sql.Context) adminFunc {
	n, ok := x.stmt.Tree.(*ast.DropProgram)
	if !ok || n.Kind == ast.DropLibrary || !x.nowhere(ctx, n.Name) || !sqllayer.MayOn(ctx, n.Name.Schema.Name, "", dropRight(n.Kind)) {
		return nil
	}
	return func(x *execution, ctx *sql.Context) error {
		if !n.IfExists {
			return missingProgram(n)
		}
		e := missingProgram(n)
		sqllayer.SessionOf(ctx).AddNote(e.Num, e.Message)
		return nil
	}
}

// nowhere tells whether a name gives a database that is not there.
func (x *execution) nowhere(ctx *sql.Context, name ast.TableName) bool {
	return name.Schema.Given() && !x.h.s.sql.Analyzer.Catalog.HasDatabase(ctx, name.Schema.Name)
}

// missingProgram is the error of a DROP of a stored program.
func missingProgram(n *ast.DropProgram) *mysql.SQLError {
	schema, name := n.Name.Schema.Name, n.Name.Name.Name
	switch {
	case n.Kind == ast.DropProcedure:
		return sqlerr.NewError(1305, "PROCEDURE %s.%s does not exist", schema, name)
	case n.Kind == ast.DropFunction:
		return sqlerr.NewError(1305, "FUNCTION %s.%s does not exist", schema, name)
	case n.Kind == ast.DropEvent && n.IfExists:
		return sqlerr.NewError(1305, "Event %s does not exist", name)
	case n.Kind == ast.DropEvent:
		return sqlerr.NewError(1539, "Unknown event '%s'", name)
	}
	return sqlerr.NewError(1049, "Unknown database '%s'", schema)
}

// dropRight is the right that DROP of a stored program needs.
func dropRight(kind ast.ProgramKind) sql.PrivilegeType {
	switch kind {
	case ast.DropTrigger:
		return sql.PrivilegeType_Trigger
	case ast.DropEvent:
		return sql.PrivilegeType_Event
	}
	return sql.PrivilegeType_AlterRoutine
}
