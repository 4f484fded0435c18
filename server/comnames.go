package server

import "strings"

// The Com_* status variables: how often each kind of statement was run.

// comNames are their names without "Com_"; the index is verb.counter. The first one is no variable: statements MySQL does not count either.
var comNames = strings.Fields("other " + `
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

// numCommands is at least the number of names.
const numCommands = 184

var comIndex = func() map[string]int {
	m := map[string]int{}
	for i, n := range comNames {
		m[n] = i
	}
	if len(m) > numCommands {
		panic("server: numCommands is too small")
	}
	return m
}()

func com(name string) int { return comIndex[name] }

// tally counts for the server and for the session.
func (w *wireConn) tally(counter int) {
	w.srv.counters.commands[counter].Add(1)
	w.commands[counter].Add(1)
}

// phrases names the counters of statements that their first word does not tell. Of several that fit, the longest counts. Words that change nothing are left out:
// FULL, GLOBAL and the like after SHOW, the definer and what else may stand between CREATE and what is created.
var phrases = phraseTable(`
	show binary log status: show_binary_log_status; show master status: show_binary_log_status; show binary logs: show_binlogs; show master logs: show_binlogs
	show binlog: show_binlog_events; show relaylog: show_relaylog_events; show charset: show_charsets; show character: show_charsets
	show collation: show_collations; show columns: show_fields; show fields: show_fields; show count: select; show create: show_create_table
	show create database: show_create_db; show create schema: show_create_db; show create event: show_create_event; show create function: show_create_func
	show create procedure: show_create_proc; show create trigger: show_create_trigger; show create user: show_create_user
	show databases: show_databases; show schemas: show_databases; show engine: show_engine_status; show engines: show_storage_engines
	show errors: show_errors; show events: show_events; show function: show_function_status; show function code: show_function_code
	show procedure: show_procedure_status; show procedure code: show_procedure_code; show grants: show_grants
	show index: show_keys; show indexes: show_keys; show keys: show_keys; show open: show_open_tables; show plugins: show_plugins
	show privileges: show_privileges; show processlist: show_processlist; show profile: show_profile; show profiles: show_profiles
	show replica: show_replica_status; show slave: show_replica_status; show replicas: show_replicas; show slave hosts: show_replicas
	show status: show_status; show table: show_table_status; show tables: show_tables; show triggers: show_triggers; show variables: show_variables
	show warnings: show_warnings

	create view: create_view; create table: create_table; create index: create_index; create database: create_db; create schema: create_db
	create trigger: create_trigger; create procedure: create_procedure; create function: create_function; create aggregate: create_udf
	create event: create_event; create user: create_user; create role: create_role; create server: create_server
	create tablespace: alter_tablespace; create undo: alter_tablespace; create resource: create_resource_group; create temporary: create_table
	create unique: create_index; create fulltext: create_index; create spatial: create_index; create spatial reference: create_spatial_reference_system
	alter view: create_view; alter table: alter_table; alter database: alter_db; alter schema: alter_db; alter procedure: alter_procedure
	alter function: alter_function; alter event: alter_event; alter user: alter_user; alter server: alter_server; alter instance: alter_instance
	alter tablespace: alter_tablespace; alter undo: alter_tablespace; alter resource: alter_resource_group
	drop view: drop_view; drop table: drop_table; drop tables: drop_table; drop index: drop_index; drop database: drop_db; drop schema: drop_db
	drop trigger: drop_trigger; drop procedure: drop_procedure; drop function: drop_function; drop event: drop_event; drop user: drop_user
	drop role: drop_role; drop server: drop_server; drop tablespace: alter_tablespace; drop undo: alter_tablespace
	drop resource: drop_resource_group; drop temporary: drop_table; drop spatial: drop_spatial_reference_system; drop prepare: dealloc_sql

	set password: set_password; set role: set_role; set default role: alter_user_default_role; set resource group: set_resource_group
	rename user: rename_user; revoke all: revoke_all
	xa start: xa_start; xa begin: xa_start; xa end: xa_end; xa prepare: xa_prepare; xa commit: xa_commit; xa rollback: xa_rollback; xa recover: xa_recover
	start replica: replica_start; start slave: replica_start; stop replica: replica_stop; stop slave: replica_stop
	start group_replication: group_replication_start; stop group_replication: group_replication_stop
	change replication: change_replication_source; change master: change_replication_source; change replication filter: change_repl_filter
	install plugin: install_plugin; install component: install_component; uninstall plugin: uninstall_plugin; uninstall component: uninstall_component
	lock instance: lock_instance; unlock instance: unlock_instance; load index: preload_keys; cache index: assign_to_keycache
	get diagnostics: get_diagnostics; get current: get_diagnostics; get stacked: get_diagnostics
	import table: import`)

func phraseTable(text string) map[string]int {
	m := map[string]int{}
	for entry := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == ';' || c == '\n' }) {
		if phrase, name, ok := strings.Cut(strings.TrimSpace(entry), ": "); ok {
			m[strings.ToUpper(phrase)] = com(name)
		}
	}
	return m
}

// laterWords tell statements apart whose second word is a name, or is left out.
var laterWords = []struct {
	counter int
	word    string
	becomes int
}{
	{com("rollback"), "TO", com("rollback_to_savepoint")},
	{com("purge"), "BEFORE", com("purge_before_date")},
	{com("ha_open"), "READ", com("ha_read")},
	{com("ha_open"), "CLOSE", com("ha_close")},
	{com("show_engine_status"), "MUTEX", com("show_engine_mutex")},
	{com("show_engine_status"), "LOGS", com("show_engine_logs")},
	{com("alter_user"), "ROLE", com("alter_user_default_role")},
}

// longestPhrase is the most words a phrase has.
const longestPhrase = 4

// phraseOf finds the counter that the leading words tell.
func phraseOf(words []string) (counter int, ok bool) {
	for n := min(len(words), longestPhrase); n > 1 && !ok; n-- {
		counter, ok = phrases[strings.Join(words[:n], " ")]
	}
	return counter, ok
}
