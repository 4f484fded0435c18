package commands

import (
	"strings"
)

// ComNames are their names without "Com_"; the index is execution.counter. The first one is no
// variable: statements MySQL does not count either.
var ComNames = strings.Fields("other " + `
admin_commands alter_db alter_event alter_function alter_instance alter_library alter_procedure alter_resource_group alter_server alter_table
alter_tablespace alter_user alter_user_default_role analyze assign_to_keycache begin binlog call_procedure change_db change_repl_filter
change_replication_source check checksum clone commit create_db create_event create_function create_index create_library create_masking_policy
create_procedure create_resource_group create_role create_server create_spatial_reference_system create_table create_trigger create_udf create_user
create_view dealloc_sql delete delete_multi do drop_db drop_event drop_function drop_index drop_library drop_masking_policy drop_procedure
drop_resource_group drop_role drop_server drop_spatial_reference_system drop_table drop_trigger drop_user drop_view empty_query execute_sql
explain_other flush get_diagnostics grant grant_roles group_replication_start group_replication_stop ha_close ha_open ha_read help import insert
insert_select install_component install_plugin kill load lock_instance lock_tables optimize preload_keys prepare_sql purge purge_before_date
release_savepoint rename_table rename_user repair replace replace_select replica_start replica_stop reset resignal restart revoke revoke_all
revoke_roles rollback rollback_to_savepoint savepoint select set_option set_password set_resource_group set_role show_binary_log_status
show_binlog_events show_binlogs show_charsets show_collations show_create_db show_create_event show_create_func show_create_library
show_create_masking_policy show_create_proc show_create_table show_create_trigger show_create_user show_databases show_engine_logs show_engine_mutex
show_engine_status show_errors show_events show_fields show_function_code show_function_status show_grants show_keys show_library_status
show_open_tables show_parse_tree show_plugins show_privileges show_procedure_code show_procedure_status show_processlist show_profile show_profiles
show_relaylog_events show_replica_status show_replicas show_status show_storage_engines show_table_status show_tables show_triggers show_variables
show_warnings shutdown signal stmt_close stmt_execute stmt_fetch stmt_prepare stmt_reprepare stmt_reset stmt_send_long_data truncate
uninstall_component uninstall_plugin unlock_instance unlock_tables update update_multi xa_commit xa_end xa_prepare xa_recover xa_rollback xa_start`)

// NumCommands is at least the number of names.
const NumCommands = 184

var comIndex = func() map[string]int {
	m := map[string]int{}
	for i, n := range ComNames {
		m[n] = i
	}
	if len(m) > NumCommands {
		panic("server: numCommands is too small")
	}
	return m
}()

func Com(name string) int { return comIndex[name] }
