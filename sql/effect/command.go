package effect

import "emberdb/sql/ast"

// Command names the counter of a statement: "select" for Com_select. A statement that MySQL does
// not count is "other".
func Command(tree ast.Statement) string {
	switch n := tree.(type) {
	case nil:
		return "empty_query"
	case *ast.Query:
		return "select"
	case *ast.Insert:
		return insertCommand(n)
	case *ast.Update:
		if len(n.Tables) == 1 {
			if _, one := n.Tables[0].(*ast.TableSource); one {
				return "update"
			}
		}
		return "update_multi"
	case *ast.Delete:
		if n.Source != nil {
			return "delete_multi"
		}
		return "delete"
	case *ast.Explain:
		if n.Statement == nil {
			return "explain_other"
		}
		return Command(n.Statement)
	}
	for _, f := range [...]func(ast.Statement) string{
		simpleCommand, objectCommand, programCommand, accountCommand, sessionCommand, serverCommand, showCommand,
	} {
		if name := f(tree); name != "" {
			return name
		}
	}
	return "other"
}

func insertCommand(n *ast.Insert) string {
	name := "insert"
	if n.Replace {
		name = "replace"
	}
	if n.Query != nil {
		return name + "_select"
	}
	return name
}

// simpleCommand names statements whose kind is all there is to tell.
func simpleCommand(tree ast.Statement) string {
	switch tree.(type) {
	case *ast.Load:
		return "load"
	case *ast.Call:
		return "call_procedure"
	case *ast.Do:
		return "do"
	case *ast.GetDiagnostics:
		return "get_diagnostics"
	case *ast.Describe:
		return "show_fields"
	case *ast.Help:
		return "help"
	case *ast.Use:
		return "change_db"
	case *ast.Kill:
		return "kill"
	case *ast.Binlog:
		return "binlog"
	case *ast.Clone:
		return "clone"
	case *ast.Flush, *ast.FlushTables:
		return "flush"
	case *ast.Reset, *ast.ResetPersist:
		return "reset"
	case *ast.ImportTable:
		return "import"
	}
	return ""
}

// verb picks the word of a statement that creates, alters or drops.
func verb(alter bool, what string) string {
	if alter {
		return "alter_" + what
	}
	return "create_" + what
}

// objectCommand names statements that define tables and what is like them.
func objectCommand(tree ast.Statement) string {
	switch n := tree.(type) {
	case *ast.CreateTable:
		return "create_table"
	case *ast.AlterTable:
		return "alter_table"
	case *ast.DropTable:
		return "drop_table"
	case *ast.RenameTable:
		return "rename_table"
	case *ast.TruncateTable:
		return "truncate"
	case *ast.CreateIndex:
		return "create_index"
	case *ast.DropIndex:
		return "drop_index"
	case *ast.CreateView:
		return "create_view"
	case *ast.DropView:
		return "drop_view"
	case *ast.CreateDatabase:
		return "create_db"
	case *ast.AlterDatabase:
		return "alter_db"
	case *ast.DropDatabase:
		return "drop_db"
	case *ast.CreateServer:
		return verb(n.Alter, "server")
	case *ast.DropServer:
		return "drop_server"
	case *ast.Tablespace:
		return "alter_tablespace"
	case *ast.CreateReferenceSystem:
		return "create_spatial_reference_system"
	case *ast.DropReferenceSystem:
		return "drop_spatial_reference_system"
	case *ast.ResourceGroup:
		return [...]string{"create_", "alter_", "drop_"}[n.Verb] + "resource_group"
	case *ast.CreateMaskingPolicy:
		return "create_masking_policy"
	case *ast.DropMaskingPolicy:
		return "drop_masking_policy"
	}
	return ""
}

// programCommand names statements that define stored programs and loaded ones.
func programCommand(tree ast.Statement) string {
	routine := func(k ast.RoutineKind) string {
		if k == ast.Procedure {
			return "procedure"
		}
		return "function"
	}
	switch n := tree.(type) {
	case *ast.CreateRoutine:
		return "create_" + routine(n.Kind)
	case *ast.AlterRoutine:
		return "alter_" + routine(n.Kind)
	case *ast.DropProgram:
		return "drop_" + [...]string{"procedure", "function", "trigger", "event", "library"}[n.Kind]
	case *ast.Library:
		return verb(n.Alter, "library")
	case *ast.CreateTrigger:
		return "create_trigger"
	case *ast.CreateEvent:
		return verb(n.Alter, "event")
	case *ast.CreateLoadable:
		return "create_udf"
	case *ast.InstallPlugin:
		if n.Uninstall {
			return "uninstall_plugin"
		}
		return "install_plugin"
	case *ast.InstallComponent:
		if n.Uninstall {
			return "uninstall_component"
		}
		return "install_component"
	}
	return ""
}

func accountCommand(tree ast.Statement) string {
	switch n := tree.(type) {
	case *ast.CreateUser:
		if n.Alter && n.DefaultRole != nil {
			return "alter_user_default_role"
		}
		return verb(n.Alter, "user")
	case *ast.DropUser:
		if n.Role {
			return "drop_role"
		}
		return "drop_user"
	case *ast.CreateRole:
		return "create_role"
	case *ast.RenameUser:
		return "rename_user"
	case *ast.SetPassword:
		return "set_password"
	case *ast.SetRole:
		if n.To != nil {
			return "alter_user_default_role"
		}
		return "set_role"
	case *ast.Grant:
		return grantCommand(n)
	}
	return ""
}

func grantCommand(n *ast.Grant) string {
	name := "grant"
	if n.Revoke {
		name = "revoke"
	}
	switch {
	case n.Kind == ast.GrantRoles:
		return name + "_roles"
	case n.Revoke && n.Kind == ast.GrantPrivileges && n.On == nil:
		return "revoke_all"
	}
	return name
}

// sessionCommand names statements about the session.
func sessionCommand(tree ast.Statement) string {
	switch n := tree.(type) {
	case *ast.Set, *ast.SetTransaction:
		return "set_option"
	case *ast.SetResourceGroup:
		return "set_resource_group"
	case *ast.Begin:
		return "begin"
	case *ast.EndTransaction:
		if n.Rollback {
			return "rollback"
		}
		return "commit"
	case *ast.Savepoint:
		return [...]string{"savepoint", "rollback_to_savepoint", "release_savepoint"}[n.Action]
	case *ast.XA:
		return "xa_" + [...]string{"start", "end", "prepare", "commit", "rollback", "recover"}[n.Verb]
	case *ast.Prepare:
		return "prepare_sql"
	case *ast.Execute:
		return "execute_sql"
	case *ast.Deallocate:
		return "dealloc_sql"
	case *ast.Signal:
		if n.Resignal {
			return "resignal"
		}
		return "signal"
	case *ast.LockTables:
		return "lock_tables"
	case *ast.LockInstance:
		return "lock_instance"
	case *ast.Unlock:
		if n.Instance {
			return "unlock_instance"
		}
		return "unlock_tables"
	case *ast.Handler:
		switch n.Action {
		case ast.HandlerOpen:
			return "ha_open"
		case ast.HandlerClose:
			return "ha_close"
		}
		return "ha_read"
	}
	return ""
}

// serverCommand names statements about the server.
func serverCommand(tree ast.Statement) string {
	switch n := tree.(type) {
	case *ast.MaintainTables:
		return [...]string{"analyze", "check", "checksum", "optimize", "repair"}[n.What]
	case *ast.CacheIndex:
		if n.Load {
			return "preload_keys"
		}
		return "assign_to_keycache"
	case *ast.Shutdown:
		if n.Restart {
			return "restart"
		}
		return "shutdown"
	case *ast.Purge:
		if n.To == nil {
			return "purge_before_date"
		}
		return "purge"
	case *ast.AlterInstance:
		return "alter_instance"
	case *ast.StartReplica:
		if n.Stop {
			return "replica_stop"
		}
		return "replica_start"
	case *ast.GroupReplication:
		if n.Stop {
			return "group_replication_stop"
		}
		return "group_replication_start"
	case *ast.ChangeSource:
		return "change_replication_source"
	case *ast.ChangeFilter:
		return "change_repl_filter"
	}
	return ""
}

var showNames = [...]string{
	ast.ShowDatabases: "databases", ast.ShowTables: "tables", ast.ShowOpenTables: "open_tables",
	ast.ShowTableStatus: "table_status", ast.ShowTriggers: "triggers", ast.ShowEvents: "events", ast.ShowColumns: "fields",
	ast.ShowIndex: "keys", ast.ShowVariables: "variables", ast.ShowStatus: "status", ast.ShowWarnings: "warnings",
	ast.ShowErrors: "errors", ast.ShowEngines: "storage_engines", ast.ShowPlugins: "plugins",
	ast.ShowPrivileges: "privileges", ast.ShowProfiles: "profiles", ast.ShowProcesslist: "processlist",
	ast.ShowCharset: "charsets", ast.ShowCollation: "collations", ast.ShowFunctionStatus: "function_status",
	ast.ShowProcedureStatus: "procedure_status", ast.ShowLibraryStatus: "library_status",
	ast.ShowFunctionCode: "function_code", ast.ShowProcedureCode: "procedure_code", ast.ShowBinaryLogs: "binlogs",
	ast.ShowBinaryLogStatus: "binary_log_status", ast.ShowBinlogEvents: "binlog_events",
	ast.ShowRelaylogEvents: "relaylog_events", ast.ShowReplicas: "replicas", ast.ShowReplicaStatus: "replica_status",
}

var showCreateNames = [...]string{
	ast.ShowCreateTable: "table", ast.ShowCreateView: "table", ast.ShowCreateDatabase: "db",
	ast.ShowCreateProcedure: "proc", ast.ShowCreateFunction: "func", ast.ShowCreateTrigger: "trigger",
	ast.ShowCreateEvent: "event", ast.ShowCreateLibrary: "library", ast.ShowCreateUser: "user",
	ast.ShowCreateMaskingPolicy: "masking_policy",
}

func showCommand(tree ast.Statement) string {
	switch n := tree.(type) {
	case *ast.Show:
		if n.Kind == ast.ShowCountWarnings || n.Kind == ast.ShowCountErrors {
			return "select"
		}
		return "show_" + showNames[n.Kind]
	case *ast.ShowCreate:
		return "show_create_" + showCreateNames[n.Kind]
	case *ast.ShowEngine:
		return "show_engine_" + [...]string{"status", "mutex", "logs"}[n.What]
	case *ast.ShowProfile:
		return "show_profile"
	case *ast.ShowGrants:
		return "show_grants"
	}
	return ""
}
