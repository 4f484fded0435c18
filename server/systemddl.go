package server

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/server/grants"
	"emberdb/server/virtual"
	"emberdb/sql/ast"
	"emberdb/sqllayer"
	"emberdb/sqllayer/infoschema"
	"emberdb/sqllayer/sqlerr"
)

// Definition statements about tables of the mysql schema, as dumps of all databases hold them. A
// table is always there: DROP TABLE empties it, and CREATE TABLE makes sure that it has the columns
// that the statement wants. The rows of tables that the server makes itself are not stored.

// discardRow is the change of a row that the server makes itself.
func discardRow(table string) infoschema.RowChange {
	return func(ctx *sql.Context, _, _ sql.Row) error {
		notStored(ctx, table)
		return nil
	}
}

// notStored warns once a statement.
func notStored(ctx *sql.Context, table string) {
	text := "The server makes the rows of mysql." + table + " itself: they are not stored"
	for _, w := range ctx.Session.Warnings() {
		if w.Message == text {
			return
		}
	}
	grants.Warn(ctx, 1105, "%s", text)
}

// systemDefinition returns what runs a definition statement about tables of the mysql schema; nil:
// the statement is about others.
func (x *execution) systemDefinition(ctx *sql.Context) adminFunc {
	switch n := x.stmt.Tree.(type) {
	case *ast.TruncateTable:
		if names := x.systemNames(ctx, n.Table); names != nil {
			return func(x *execution, ctx *sql.Context) error { return x.emptySystem(ctx, names) }
		}
	case *ast.DropTable:
		if names := x.systemNames(ctx, n.Tables...); names != nil && !n.Temporary {
			return func(x *execution, ctx *sql.Context) error { return x.emptySystem(ctx, names) }
		}
	case *ast.CreateTable:
		t, err := x.nameOf(ctx, &n.Name)
		if name := strings.ToLower(t.name); err == nil && strings.EqualFold(t.db, "mysql") && isSystemTable(name) && !n.Temporary {
			return func(x *execution, ctx *sql.Context) error { return x.createSystem(ctx, n, name) }
		}
	case *ast.AlterTable:
		if names := x.systemNames(ctx, n.Table); names != nil && switchesKeys(n) {
			return func(x *execution, ctx *sql.Context) error {
				return sqllayer.MayOnTable(ctx, "mysql", names[0], sql.PrivilegeType_Alter)
			}
		}
	}
	return nil
}

// systemNames are the names of the tables in lower case, if all are tables of the mysql schema that
// may be written to.
func (x *execution) systemNames(ctx *sql.Context, tables ...ast.TableName) (names []string) {
	for i := range tables {
		t, err := x.nameOf(ctx, &tables[i])
		name := strings.ToLower(t.name)
		if err != nil || !strings.EqualFold(t.db, "mysql") || !sqllayer.SystemTables[name] {
			return nil
		}
		names = append(names, name)
	}
	return names
}

func isSystemTable(name string) bool { _, is := sqllayer.SystemTables[name]; return is }

// switchesKeys tells whether ALTER TABLE does nothing but DISABLE KEYS and ENABLE KEYS.
func switchesKeys(n *ast.AlterTable) bool {
	for _, a := range n.Actions {
		if f, ok := a.(*ast.AlterFlag); !ok || f.Kind != ast.EnableKeys && f.Kind != ast.DisableKeys {
			return false
		}
	}
	return len(n.Actions) > 0 && n.Tail == nil && n.Partition == nil && !n.Remove
}

// GrantTable finds a table of the accounts.
func (s *Server) grantTable(name string) *grants.GrantTable {
	for _, t := range s.grantTables {
		if t.Name() == name {
			return t
		}
	}
	return nil
}

// emptySystem is TRUNCATE and DROP TABLE.
func (x *execution) emptySystem(ctx *sql.Context, names []string) error {
	for _, name := range names {
		if err := sqllayer.MayOnTable(ctx, "mysql", name, sql.PrivilegeType_Drop); err != nil {
			return err
		}
	}
	var own []*grants.GrantTable
	for _, name := range names {
		if t := x.h.s.grantTable(name); t != nil {
			own = append(own, t)
		} else {
			notStored(ctx, name)
		}
	}
	session, ok := ctx.Session.(*sqllayer.Session)
	if len(own) == 0 || !ok {
		return nil
	}
	return x.h.s.changeDraft(ctx, session.DefineSystemRows, func(kv sqllayer.SystemRows) error {
		for _, t := range own {
			if err := t.Empty(kv); err != nil {
				return err
			}
		}
		return nil
	})
}

// createSystem is CREATE TABLE.
func (x *execution) createSystem(ctx *sql.Context, n *ast.CreateTable, name string) error {
	if err := sqllayer.MayOnTable(ctx, "mysql", name, sql.PrivilegeType_Create); err != nil {
		return err
	}
	full := !sqllayer.SystemTables[name]
	if t := x.h.s.grantTable(name); t != nil {
		rows, err := x.h.s.grantRows(ctx, t)
		if err != nil {
			return err
		}
		full = len(rows) > 0
	}
	switch {
	case n.IfNotExists:
		grants.Note(ctx, 1050, "Table '%s' already exists", name)
		return nil
	case full:
		return sqlerr.NewError(1050, "Table '%s' already exists", name)
	case !x.h.s.hasColumns(name, n):
		return sqlerr.NewError(3554, "Access to system table 'mysql.%s' is rejected.", name)
	}
	return nil
}

// hasColumns tells whether the statement lists the columns that the table has.
func (s *Server) hasColumns(name string, n *ast.CreateTable) bool {
	p, ok := s.sql.Analyzer.Catalog.DbProvider.(*virtual.Provider)
	if !ok || n.Like != nil || n.Query != nil {
		return false
	}
	t, found, err := p.System.GetTableInsensitive(sql.NewEmptyContext(), name)
	if err != nil || !found {
		return false
	}
	want := t.Schema(nil)
	i := 0
	for _, e := range n.Elements {
		c, ok := e.(*ast.ColumnDef)
		if !ok {
			continue
		}
		if i == len(want) || !strings.EqualFold(want[i].Name, c.Name.Name) {
			return false
		}
		i++
	}
	return i == len(want)
}
