package sqllayer

// GMS finds the mysql schema by its name, whatever there is beside its grant tables. So further
// tables of that schema lie in another one, to which their names are sent.

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/sqlerr"
)

// SystemSchema is the schema that holds them; no client can write its name.
const SystemSchema = "\x00mysql"

// SystemTables are their names, each with whether statements may change its rows. Whoever adds tables
// does so before the first session.
var SystemTables = map[string]bool{}

// systemTable sends a name there if it is one of theirs.
func (r *rewriterAST) systemTable(name ast.TableName) ast.TableName {
	lower := strings.ToLower(name.Name.String())
	if _, is := SystemTables[lower]; is && r.inMySQL(name.DbQualifier.String()) && !r.ctes[lower] {
		name.DbQualifier = ast.NewTableIdent(SystemSchema)
	}
	return name
}

var errSystemTrigger = sqlerr.NewError(1465, "Triggers can not be created on system tables")

func (r *rewriterAST) inMySQL(db string) bool {
	return strings.EqualFold(db, "mysql") || db == "" && r.current("mysql")
}

// systemTarget sends INSERT and REPLACE to the tables of the mysql schema that take changes of rows,
// and refuses what changes the others: GMS's own tables take rows that know nothing of an account's
// policy, and lose everything with a TRUNCATE.
func (r *rewriterAST) systemTarget(node ast.SQLNode) error {
	var names ast.TableNames
	switch n := node.(type) {
	case *ast.Insert:
		if SystemTables[strings.ToLower(n.Table.Name.String())] {
			n.Table = r.systemTable(n.Table)
		}
		names = ast.TableNames{n.Table}
	case *ast.Load:
		if SystemTables[strings.ToLower(n.Table.Name.String())] {
			n.Table = r.systemTable(n.Table)
		}
		names = ast.TableNames{n.Table}
	case *ast.AlterTable:
		names = ast.TableNames{n.Table}
	case *ast.DDL:
		names = append(append(ast.TableNames{n.Table}, n.FromTables...), n.ToTables...)
	}
	for _, name := range names {
		if table := name.Name.String(); table != "" && r.inMySQL(name.DbQualifier.String()) {
			if err := r.mayTarget(node, table); err != nil {
				return err
			}
			if d, ok := node.(*ast.DDL); ok && d.TriggerSpec != nil {
				return errSystemTrigger
			}
			return sqlerr.NewError(3554, "Access to system table 'mysql.%s' is rejected.", table)
		}
	}
	return nil
}

// mayTarget refuses those who lack the right that the statement needs on the table.
func (r *rewriterAST) mayTarget(node ast.SQLNode, table string) error {
	ctx, ok := r.ctx.(*sql.Context)
	if !ok {
		return nil
	}
	kinds := []sql.PrivilegeType{sql.PrivilegeType_Alter}
	switch n := node.(type) {
	case *ast.Insert:
		if kinds = []sql.PrivilegeType{sql.PrivilegeType_Insert}; n.Action == ast.ReplaceStr {
			kinds = append(kinds, sql.PrivilegeType_Delete)
		}
	case *ast.Load:
		kinds = []sql.PrivilegeType{sql.PrivilegeType_Insert}
	case *ast.DDL:
		switch n.Action {
		case ast.CreateStr:
			kinds = []sql.PrivilegeType{sql.PrivilegeType_Create}
		case ast.DropStr, ast.TruncateStr:
			kinds = []sql.PrivilegeType{sql.PrivilegeType_Drop}
		case ast.RenameStr:
			kinds = append(kinds, sql.PrivilegeType_Drop)
		}
	}
	return MayOnTable(ctx, "mysql", table, kinds...)
}

// systemShow does the same in SHOW; SHOW TABLES and SHOW TABLE STATUS list them with the others.
func (r *rewriterAST) systemShow(n *ast.Show) {
	n.Table = r.systemTable(n.Table)
	if n.ShowTablesOpt != nil && len(SystemTables) > 0 && strings.EqualFold(n.Type, "tables") && r.inMySQL(n.ShowTablesOpt.DbName) {
		n.ShowTablesOpt.DbName = SystemSchema
	}
	if len(SystemTables) > 0 && strings.EqualFold(n.Type, "table status") && r.inMySQL(n.Database) {
		n.Database = SystemSchema
	}
}
