package account

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
)

// Privileges is a set of static privileges; bit n is the sql.PrivilegeType n.
type Privileges uint64

// The static privileges.
const (
	Select              Privileges = 1 << sql.PrivilegeType_Select
	Insert              Privileges = 1 << sql.PrivilegeType_Insert
	Update              Privileges = 1 << sql.PrivilegeType_Update
	Delete              Privileges = 1 << sql.PrivilegeType_Delete
	Create              Privileges = 1 << sql.PrivilegeType_Create
	Drop                Privileges = 1 << sql.PrivilegeType_Drop
	Reload              Privileges = 1 << sql.PrivilegeType_Reload
	Shutdown            Privileges = 1 << sql.PrivilegeType_Shutdown
	Process             Privileges = 1 << sql.PrivilegeType_Process
	File                Privileges = 1 << sql.PrivilegeType_File
	GrantOption         Privileges = 1 << sql.PrivilegeType_GrantOption
	References          Privileges = 1 << sql.PrivilegeType_References
	Index               Privileges = 1 << sql.PrivilegeType_Index
	Alter               Privileges = 1 << sql.PrivilegeType_Alter
	ShowDatabases       Privileges = 1 << sql.PrivilegeType_ShowDB
	Super               Privileges = 1 << sql.PrivilegeType_Super
	CreateTemporary     Privileges = 1 << sql.PrivilegeType_CreateTempTable
	LockTables          Privileges = 1 << sql.PrivilegeType_LockTables
	Execute             Privileges = 1 << sql.PrivilegeType_Execute
	ReplicationSlave    Privileges = 1 << sql.PrivilegeType_ReplicationSlave
	ReplicationClient   Privileges = 1 << sql.PrivilegeType_ReplicationClient
	CreateView          Privileges = 1 << sql.PrivilegeType_CreateView
	ShowView            Privileges = 1 << sql.PrivilegeType_ShowView
	CreateRoutine       Privileges = 1 << sql.PrivilegeType_CreateRoutine
	AlterRoutine        Privileges = 1 << sql.PrivilegeType_AlterRoutine
	CreateUserPrivilege Privileges = 1 << sql.PrivilegeType_CreateUser
	Event               Privileges = 1 << sql.PrivilegeType_Event
	Trigger             Privileges = 1 << sql.PrivilegeType_Trigger
	CreateTablespace    Privileges = 1 << sql.PrivilegeType_CreateTablespace
	CreateRolePrivilege Privileges = 1 << sql.PrivilegeType_CreateRole
	DropRolePrivilege   Privileges = 1 << sql.PrivilegeType_DropRole
)

// What may be granted at each level, without GRANT OPTION.
const (
	GlobalLevel   = 1<<(sql.PrivilegeType_DropRole+1) - 1&^GrantOption
	DatabaseLevel = TableLevel | CreateTemporary | LockTables | Execute | CreateRoutine | AlterRoutine | Event
	TableLevel    = ColumnLevel | Delete | Create | Drop | Index | Alter | CreateView | ShowView | Trigger
	ColumnLevel   = Select | Insert | Update | References
	RoutineLevel  = Execute | AlterRoutine
)

// Static describes a static privilege: its name in GRANT, its column in mysql.user and mysql.db,
// and its member of the SETs in mysql.tables_priv, columns_priv and procs_priv.
type Static struct {
	Is           Privileges
	Name, Column string
	Member       string
}

// Statics are the static privileges in the order in which MySQL prints them.
var Statics = []Static{
	{Select, "SELECT", "Select_priv", "Select"},
	{Insert, "INSERT", "Insert_priv", "Insert"},
	{Update, "UPDATE", "Update_priv", "Update"},
	{Delete, "DELETE", "Delete_priv", "Delete"},
	{Create, "CREATE", "Create_priv", "Create"},
	{Drop, "DROP", "Drop_priv", "Drop"},
	{Reload, "RELOAD", "Reload_priv", ""},
	{Shutdown, "SHUTDOWN", "Shutdown_priv", ""},
	{Process, "PROCESS", "Process_priv", ""},
	{File, "FILE", "File_priv", ""},
	{GrantOption, "GRANT OPTION", "Grant_priv", "Grant"},
	{References, "REFERENCES", "References_priv", "References"},
	{Index, "INDEX", "Index_priv", "Index"},
	{Alter, "ALTER", "Alter_priv", "Alter"},
	{ShowDatabases, "SHOW DATABASES", "Show_db_priv", ""},
	{Super, "SUPER", "Super_priv", ""},
	{CreateTemporary, "CREATE TEMPORARY TABLES", "Create_tmp_table_priv", ""},
	{LockTables, "LOCK TABLES", "Lock_tables_priv", ""},
	{Execute, "EXECUTE", "Execute_priv", "Execute"},
	{ReplicationSlave, "REPLICATION SLAVE", "Repl_slave_priv", ""},
	{ReplicationClient, "REPLICATION CLIENT", "Repl_client_priv", ""},
	{CreateView, "CREATE VIEW", "Create_view_priv", "Create View"},
	{ShowView, "SHOW VIEW", "Show_view_priv", "Show view"},
	{CreateRoutine, "CREATE ROUTINE", "Create_routine_priv", ""},
	{AlterRoutine, "ALTER ROUTINE", "Alter_routine_priv", "Alter Routine"},
	{CreateUserPrivilege, "CREATE USER", "Create_user_priv", ""},
	{Event, "EVENT", "Event_priv", ""},
	{Trigger, "TRIGGER", "Trigger_priv", "Trigger"},
	{CreateTablespace, "CREATE TABLESPACE", "Create_tablespace_priv", ""},
	{CreateRolePrivilege, "CREATE ROLE", "Create_role_priv", ""},
	{DropRolePrivilege, "DROP ROLE", "Drop_role_priv", ""},
}

// Dynamics are the dynamic privileges of MySQL 9.7.
var Dynamics = strings.Fields(`ALLOW_NONEXISTENT_DEFINER APPLICATION_PASSWORD_ADMIN AUDIT_ABORT_EXEMPT AUDIT_ADMIN
	AUTHENTICATION_POLICY_ADMIN BACKUP_ADMIN BINLOG_ADMIN BINLOG_ENCRYPTION_ADMIN CLONE_ADMIN CONNECTION_ADMIN
	CREATE_SPATIAL_REFERENCE_SYSTEM ENCRYPTION_KEY_ADMIN FIREWALL_EXEMPT FLUSH_OPTIMIZER_COSTS FLUSH_PRIVILEGES FLUSH_STATUS
	FLUSH_TABLES FLUSH_USER_RESOURCES GROUP_REPLICATION_ADMIN GROUP_REPLICATION_STREAM INNODB_REDO_LOG_ARCHIVE
	INNODB_REDO_LOG_ENABLE MANAGE_DATA_MASKING_POLICY OPTIMIZE_LOCAL_TABLE PASSWORDLESS_USER_ADMIN PERSIST_RO_VARIABLES_ADMIN
	REPLICATION_APPLIER REPLICATION_SLAVE_ADMIN RESOURCE_GROUP_ADMIN RESOURCE_GROUP_USER ROLE_ADMIN SENSITIVE_VARIABLES_OBSERVER
	SERVICE_CONNECTION_ADMIN SESSION_VARIABLES_ADMIN SET_ANY_DEFINER SHOW_ROUTINE SYSTEM_USER SYSTEM_VARIABLES_ADMIN
	TABLE_ENCRYPTION_ADMIN TELEMETRY_LOG_ADMIN TRANSACTION_GTID_TAG XA_RECOVER_ADMIN`)

// IsDynamic tells whether a name is that of a dynamic privilege. SET_USER_ID, which MySQL 8 had,
// still means something in old accounts.
func IsDynamic(name string) bool {
	name = strings.ToUpper(name)
	for _, d := range Dynamics {
		if d == name {
			return true
		}
	}
	return name == "SET_USER_ID"
}

// Of makes a set of single privileges.
func Of(types []sql.PrivilegeType) (p Privileges) {
	for _, t := range types {
		p |= 1 << t
	}
	return p
}

// Types lists the single privileges of a set.
func (p Privileges) Types() (types []sql.PrivilegeType) {
	for t := sql.PrivilegeType_Select; p>>t != 0; t++ {
		if p>>t&1 != 0 {
			types = append(types, t)
		}
	}
	return types
}

// Has tells whether all of these are in the set.
func (p Privileges) Has(all Privileges) bool { return p&all == all }

// Names lists the privileges as GRANT writes them.
func (p Privileges) Names() (names []string) {
	for _, s := range Statics {
		if p&s.Is != 0 {
			names = append(names, s.Name)
		}
	}
	return names
}

// Members lists the privileges as a SET column of the grant tables shows them.
func (p Privileges) Members() string {
	var names []string
	for _, s := range Statics {
		if p&s.Is != 0 && s.Member != "" {
			names = append(names, s.Member)
		}
	}
	return strings.Join(names, ",")
}
