package server

import "github.com/dolthub/go-mysql-server/sql"

// deprecatedVariables are the system variables whose SET warns that they will go.
var deprecatedVariables = map[string]struct {
	code int
	text string
}{
	"binlog_format":                       {1287, "'@@binlog_format' is deprecated and will be removed in a future release."},
	"binlog_max_flush_queue_time":         {1287, "'@@binlog_max_flush_queue_time' is deprecated and will be removed in a future release."},
	"character_set_database":              {1681, "Updating 'character_set_database' is deprecated. It will be made read-only in a future release."},
	"collation_database":                  {1681, "Updating 'collation_database' is deprecated. It will be made read-only in a future release."},
	"default_collation_for_utf8mb4":       {1681, "Updating 'default_collation_for_utf8mb4' is deprecated. It will be made read-only in a future release."},
	"delayed_insert_limit":                {1287, "'@@delayed_insert_limit' is deprecated and will be removed in a future release."},
	"delayed_insert_timeout":              {1287, "'@@delayed_insert_timeout' is deprecated and will be removed in a future release."},
	"delayed_queue_size":                  {1287, "'@@delayed_queue_size' is deprecated and will be removed in a future release."},
	"init_slave":                          {1287, "'@@init_slave' is deprecated and will be removed in a future release. Please use init_replica instead."},
	"log_bin_trust_function_creators":     {1287, "'@@log_bin_trust_function_creators' is deprecated and will be removed in a future release."},
	"log_slow_slave_statements":           {1287, "'@@log_slow_slave_statements' is deprecated and will be removed in a future release. Please use log_slow_replica_statements instead."},
	"log_statements_unsafe_for_binlog":    {1287, "'@@log_statements_unsafe_for_binlog' is deprecated and will be removed in a future release."},
	"master_verify_checksum":              {1287, "'@@master_verify_checksum' is deprecated and will be removed in a future release. Please use source_verify_checksum instead."},
	"max_delayed_threads":                 {1287, "'@@max_delayed_threads' is deprecated and will be removed in a future release."},
	"max_insert_delayed_threads":          {1287, "'@@max_insert_delayed_threads' is deprecated and will be removed in a future release."},
	"max_length_for_sort_data":            {1287, "'@@max_length_for_sort_data' is deprecated and will be removed in a future release."},
	"performance_schema_show_processlist": {4166, "'@@performance_schema_show_processlist' is deprecated and will be removed in a future release. When it is removed, SHOW PROCESSLIST will always use the performance schema implementation."},
	"profiling":                           {1287, "'@@profiling' is deprecated and will be removed in a future release."},
	"profiling_history_size":              {1287, "'@@profiling_history_size' is deprecated and will be removed in a future release."},
	"query_prealloc_size":                 {1287, "'@@query_prealloc_size' is deprecated and will be removed in a future release."},
	"restrict_fk_on_non_standard_key":     {1681, "'restrict_fk_on_non_standard_key' is deprecated and will be removed in a future release."},
	"rpl_stop_slave_timeout":              {1287, "'@@rpl_stop_slave_timeout' is deprecated and will be removed in a future release. Please use rpl_stop_replica_timeout instead."},
	"terminology_use_previous":            {1287, "'@@terminology_use_previous' is deprecated and will be removed in a future release."},
	"transaction_prealloc_size":           {1287, "'@@transaction_prealloc_size' is deprecated and will be removed in a future release."},
}

// warnDeprecated warns of SET of a variable that will go. off: it is a switch that is turned off.
func warnDeprecated(ctx *sql.Context, name string, off bool) {
	d, ok := deprecatedVariables[name]
	if !ok {
		return
	}
	if name == "restrict_fk_on_non_standard_key" && off {
		d.code, d.text = 4166, "'restrict_fk_on_non_standard_key' is deprecated and will be removed in a future release. Foreign key referring to non-unique or partial keys is unsafe and may break replication."
	}
	ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: d.code, Message: d.text})
}
