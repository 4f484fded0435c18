package server

// Who may set a variable: SET GLOBAL, and the session variables that change what others get to see:
// in the binary log, or of the server's memory.

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"

	"emberdb/server/grants"
	"emberdb/sqllayer/sqlerr"
)

// The privileges that restricted variables of a session ask for, in MySQL's words.
const (
	globalAdmins  = "SUPER or SYSTEM_VARIABLES_ADMIN"
	sessionAdmins = "SUPER, SYSTEM_VARIABLES_ADMIN or SESSION_VARIABLES_ADMIN"
	plainAdmins   = "SYSTEM_VARIABLES_ADMIN or SESSION_VARIABLES_ADMIN"
	applierAdmins = "SUPER, SYSTEM_VARIABLES_ADMIN, SESSION_VARIABLES_ADMIN or REPLICATION_APPLIER"
)

// restricted are the session variables that need a privilege, as MySQL 9.7 has them.
var restricted = map[string]string{
	"binlog_direct_non_transactional_updates": sessionAdmins, "binlog_format": sessionAdmins, "binlog_row_image": sessionAdmins, "binlog_row_value_options": sessionAdmins,
	"binlog_rows_query_log_events": sessionAdmins, "binlog_transaction_compression": sessionAdmins, "binlog_transaction_compression_level_zstd": sessionAdmins,
	"bulk_insert_buffer_size": sessionAdmins, "character_set_database": sessionAdmins, "character_set_filesystem": sessionAdmins,
	"connection_memory_chunk_size": sessionAdmins, "connection_memory_limit": sessionAdmins, "global_connection_memory_tracking": sessionAdmins,
	"gtid_next": applierAdmins, "histogram_generation_max_mem_size": sessionAdmins, "immediate_server_version": applierAdmins,
	"innodb_strict_mode": plainAdmins, "internal_tmp_mem_storage_engine": plainAdmins, "low_priority_updates": plainAdmins, "max_delayed_threads": plainAdmins, "max_error_count": plainAdmins,
	"max_insert_delayed_threads": plainAdmins, "min_examined_row_limit": plainAdmins, "original_commit_timestamp": applierAdmins, "original_server_version": applierAdmins,
	"preload_buffer_size": plainAdmins, "pseudo_replica_mode": applierAdmins, "pseudo_slave_mode": applierAdmins, "pseudo_thread_id": sessionAdmins,
	"select_into_buffer_size": plainAdmins, "select_into_disk_sync_delay": plainAdmins, "sql_generate_invisible_primary_key": sessionAdmins, "sql_log_bin": sessionAdmins,
	"sql_log_off": sessionAdmins, "sql_require_primary_key": sessionAdmins, "xa_detach_on_prepare": sessionAdmins,
}

// fixedForSession are the variables that a session has from its beginning to its end.
var fixedForSession = map[string]bool{"max_allowed_packet": true, "net_buffer_length": true}

const erSessionReadOnly = 1621

// maySet refuses a SET to clients without the privilege it asks for. It may run under the
// registry's lock, so it looks only at the privileges the session has at hand; dispatch has put
// them there.
func (s *Server) maySet(ctx *sql.Context, name string, scope sql.SystemVariableScope) error {
	if fixedForSession[name] && !scope.IsGlobalOnly() {
		return sqlerr.NewError(erSessionReadOnly, "SESSION variable '%s' is read-only. Use SET GLOBAL to assign the value", name)
	}
	need := restricted[name]
	if scope.IsGlobalOnly() {
		need = globalAdmins
	}
	if need == "" || assigned(ctx) {
		return nil
	}
	if w := s.connection(ctx.Session.ID()); w == nil || w.inside {
		return nil
	}
	set, _ := ctx.Session.GetPrivilegeSet()
	p, ok := set.(mysql_db.PrivilegeSet)
	switch {
	case ok && (p.Has(sql.PrivilegeType_Super) && need != plainAdmins || p.HasDynamic("system_variables_admin")):
	case ok && need != globalAdmins && p.HasDynamic("session_variables_admin"):
	case ok && need == applierAdmins && p.HasDynamic("replication_applier"):
	default:
		return grants.Missing(need)
	}
	more := alsoNeeded[name]
	if !scope.IsGlobalOnly() || more.dynamic == "" || p.HasDynamic(more.dynamic) || more.super && p.Has(sql.PrivilegeType_Super) {
		return nil
	}
	return grants.Missing(more.words)
}

// alsoNeeded are the global variables that ask for more: a dynamic privilege beside the one for
// variables, or SUPER where that stands for both.
var alsoNeeded = map[string]struct {
	dynamic string
	super   bool
	words   string
}{
	"mandatory_roles":                  {dynamic: "role_admin", words: "SYSTEM_VARIABLES_ADMIN or SUPER privileges, as well as the ROLE_ADMIN"},
	"offline_mode":                     {dynamic: "connection_admin", super: true, words: "SYSTEM_VARIABLES_ADMIN plus CONNECTION_ADMIN or SUPER"},
	"default_table_encryption":         {dynamic: "table_encryption_admin", super: true, words: "SUPER or SYSTEM_VARIABLES_ADMIN and TABLE_ENCRYPTION_ADMIN"},
	"table_encryption_privilege_check": {dynamic: "super", super: true, words: "SUPER"},
}
