package server

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sql/ast"
	"emberdb/sqllayer"
	"emberdb/sqllayer/sqlerr"
)

// dropNowhere returns what runs a DROP of objects in a database that is not there; nil: the
// databases are there. The object is missing, as if the database were empty.
func (x *execution) dropNowhere(ctx *sql.Context) adminFunc {
	switch n := x.stmt.Tree.(type) {
	case *ast.DropProgram:
		if n.Kind != ast.DropLibrary && x.nowhere(ctx, n.Name) && sqllayer.MayOn(ctx, n.Name.Schema.Name, "", dropRight(n.Kind)) {
			return func(x *execution, ctx *sql.Context) error {
				if !n.IfExists {
					return missingProgram(n)
				}
				addNote(ctx, missingProgram(n))
				return nil
			}
		}
	case *ast.DropTable:
		if !n.Temporary {
			return x.dropRelations(ctx, n.Tables, n.IfExists)
		}
	case *ast.DropView:
		return x.dropRelations(ctx, n.Views, n.IfExists)
	}
	return nil
}

// nowhere tells whether a name gives a database that is not there.
func (x *execution) nowhere(ctx *sql.Context, name ast.TableName) bool {
	return name.Schema.Given() && !x.h.s.sql.Analyzer.Catalog.HasDatabase(ctx, name.Schema.Name)
}

// dropRelations is a DROP of tables or views of which none is in a database that is there.
func (x *execution) dropRelations(ctx *sql.Context, list []ast.TableName, lenient bool) adminFunc {
	for _, name := range list {
		if !x.nowhere(ctx, name) {
			return nil
		}
	}
	return func(x *execution, ctx *sql.Context) error {
		var names []string
		for _, name := range list {
			schema, table := name.Schema.Name, name.Name.Name
			if err := sqllayer.MayOnTable(ctx, schema, table, sql.PrivilegeType_Drop); err != nil {
				return err
			}
			names = append(names, schema+"."+table)
		}
		if !lenient {
			return errNoTable(strings.Join(names, ","))
		}
		for _, name := range names {
			addNote(ctx, errNoTable(name))
		}
		return nil
	}
}

func errNoTable(name string) *mysql.SQLError {
	return sqlerr.NewError(1051, "Unknown table '%s'", name)
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

// addNote makes a note of the error of a DROP with IF EXISTS.
func addNote(ctx *sql.Context, err *mysql.SQLError) {
	if s := sqllayer.SessionOf(ctx); s != nil {
		s.AddNote(err.Num, err.Message)
	}
}
