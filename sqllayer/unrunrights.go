package sqllayer

// The rights of statements that MySQL has and this server does not run. Who lacks them is refused
// as MySQL refuses, before anything is said about the statement.

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sql/ast"
	"emberdb/sqllayer/sqlerr"
)

// UnrunRights refuses a statement that the server does not run, or that does nothing here, to those
// who could not run it in MySQL.
func UnrunRights(ctx *sql.Context, statement ast.Statement) error {
	s := SessionOf(ctx)
	if s == nil {
		return nil
	}
	d := Demand{Ctx: ctx, S: s, P: PrivilegesOf(ctx)}
	switch n := statement.(type) {
	case *ast.AlterTable:
		return d.unrunAlter(n)
	case *ast.CreateTable:
		if n.Temporary {
			return d.onDatabase(n.Name.Schema.Name, sql.PrivilegeType_CreateTempTable)
		}
		return d.named(n.Name, sql.PrivilegeType_Create)
	case *ast.CreateView:
		return d.named(n.Name, sql.PrivilegeType_CreateView)
	case *ast.Handler:
		if n.Action != ast.HandlerOpen {
			return nil
		}
		return d.named(n.Table, sql.PrivilegeType_Select)
	case *ast.MaintainTables:
		return d.maintain(n)
	case *ast.CacheIndex:
		return d.cacheIndex(n)
	case *ast.Library:
		return d.onDatabase(n.Name.Schema.Name, sql.PrivilegeType_CreateRoutine)
	}
	return d.unrunServer(statement)
}

// unrunServer is UnrunRights of statements about the whole server.
func (d *Demand) unrunServer(statement ast.Statement) error {
	switch n := statement.(type) {
	case *ast.Clone:
		if n.From == nil {
			return d.dynamic("BACKUP_ADMIN")
		}
		return d.dynamic("CLONE_ADMIN")
	case *ast.AlterInstance:
		return d.alterInstance(n.Kind)
	case *ast.CreateReferenceSystem:
		return d.referenceSystem(map[bool]string{false: "CREATE ", true: "CREATE OR REPLACE "}[n.OrReplace])
	case *ast.DropReferenceSystem:
		return d.referenceSystem("DROP ")
	case *ast.Tablespace:
		return d.server(sql.PrivilegeType_CreateTablespace, "CREATE TABLESPACE")
	case *ast.CreateServer, *ast.DropServer:
		return d.server(sql.PrivilegeType_Super, "SUPER")
	case *ast.ResourceGroup:
		return d.dynamic("RESOURCE_GROUP_ADMIN")
	case *ast.SetResourceGroup:
		if d.P.hasDynamic("RESOURCE_GROUP_USER") || d.P.hasDynamic("RESOURCE_GROUP_ADMIN") {
			return nil
		}
		return OperationDenied("RESOURCE_GROUP_ADMIN OR RESOURCE_GROUP_USER")
	case *ast.ChangeFilter:
		return d.superOr("REPLICATION_SLAVE_ADMIN")
	case *ast.GroupReplication:
		return d.superOr("GROUP_REPLICATION_ADMIN")
	case *ast.Shutdown:
		return d.server(sql.PrivilegeType_Shutdown, "SHUTDOWN")
	case *ast.InstallPlugin:
		return d.Table("mysql", "plugin", installs(n.Uninstall))
	case *ast.InstallComponent:
		return d.Table("mysql", "component", installs(n.Uninstall))
	case *ast.CreateLoadable:
		return d.onDatabase("mysql", sql.PrivilegeType_Insert)
	case *ast.ImportTable:
		if d.Ctx.GetCurrentDatabase() == "" {
			return sqlerr.NewError(1046, "No database selected")
		}
		return d.file()
	case *ast.Show:
		if n.Kind == ast.ShowRelaylogEvents {
			return d.server(sql.PrivilegeType_ReplicationSlave, "REPLICATION SLAVE")
		}
	}
	return nil
}

// installs is the right on the table that lists what is installed.
func installs(removes bool) sql.PrivilegeType {
	if removes {
		return sql.PrivilegeType_Delete
	}
	return sql.PrivilegeType_Insert
}

// named asks for rights on a table as the statement names it.
func (d *Demand) named(t ast.TableName, kinds ...sql.PrivilegeType) error {
	return d.Table(d.Database(t.Schema.Name), t.Name.Name, kinds...)
}

// unrunAlter asks for what ALTER TABLE needs: that of its command on partitions, and of a new name.
func (d *Demand) unrunAlter(n *ast.AlterTable) error {
	kinds := []sql.PrivilegeType{sql.PrivilegeType_Alter}
	if t := n.Tail; t != nil {
		switch t.Kind {
		case ast.TruncatePartition:
			kinds = []sql.PrivilegeType{sql.PrivilegeType_Drop}
		case ast.CheckPartition:
			kinds = []sql.PrivilegeType{sql.PrivilegeType_Select}
		case ast.AnalyzePartition, ast.OptimizePartition, ast.RepairPartition:
			kinds = []sql.PrivilegeType{sql.PrivilegeType_Select, sql.PrivilegeType_Insert}
		case ast.DropPartition:
			kinds = append(kinds, sql.PrivilegeType_Drop)
		case ast.ExchangePartition:
			kinds = append(kinds, sql.PrivilegeType_Drop, sql.PrivilegeType_Create, sql.PrivilegeType_Insert)
			if err := d.named(*t.Table, kinds...); err != nil {
				return err
			}
		}
	}
	for _, a := range n.Actions {
		if to, ok := a.(*ast.RenameTo); ok {
			kinds = append(kinds, sql.PrivilegeType_Drop)
			if err := d.named(to.Table, sql.PrivilegeType_Create, sql.PrivilegeType_Insert); err != nil {
				return err
			}
		}
	}
	return d.named(n.Table, kinds...)
}

// maintain asks for the rights of ANALYZE, CHECK and the like.
func (d *Demand) maintain(n *ast.MaintainTables) error {
	kinds := []sql.PrivilegeType{sql.PrivilegeType_Select, sql.PrivilegeType_Insert}
	if n.What == ast.CheckTable || n.What == ast.ChecksumTable {
		kinds = kinds[:1]
	}
	for _, t := range n.Tables {
		if err := d.named(t, kinds...); err != nil {
			return err
		}
	}
	return nil
}

// cacheIndex asks for INDEX, or for any right that was granted on the very table.
func (d *Demand) cacheIndex(n *ast.CacheIndex) error {
	for _, t := range n.Tables {
		db, name := d.Database(t.Table.Schema.Name), t.Table.Name.Name
		if d.P.in(db).Table(name).HasPrivileges() {
			continue
		}
		if err := d.Table(db, name, sql.PrivilegeType_Index); err != nil {
			return err
		}
	}
	return nil
}

func (d *Demand) alterInstance(kind ast.AlterInstanceKind) error {
	switch kind {
	case ast.RotateInnodbKey:
		return d.superOr("ENCRYPTION_KEY_ADMIN")
	case ast.RotateBinlogKey:
		return d.superOr("BINLOG_ENCRYPTION_ADMIN")
	case ast.ReloadKeyring:
		return d.dynamic("ENCRYPTION_KEY_ADMIN")
	case ast.EnableRedoLog, ast.DisableRedoLog:
		return d.dynamic("INNODB_REDO_LOG_ENABLE")
	}
	return d.dynamic("CONNECTION_ADMIN")
}

func (d *Demand) referenceSystem(verb string) error {
	if d.P.admin("create_spatial_reference_system") {
		return nil
	}
	return sqlerr.NewError(6427, "You need the SUPER or CREATE_SPATIAL_REFERENCE_SYSTEM privilege for command '%sSPATIAL REFERENCE SYSTEM'", verb)
}

// dynamic asks for a dynamic privilege that SUPER does not stand for.
func (d *Demand) dynamic(name string) error {
	if d.P.hasDynamic(name) {
		return nil
	}
	return OperationDenied(name)
}

// superOr asks for SUPER or a dynamic privilege.
func (d *Demand) superOr(name string) error {
	if d.P.admin(strings.ToLower(name)) {
		return nil
	}
	return OperationDenied("SUPER or " + name)
}
