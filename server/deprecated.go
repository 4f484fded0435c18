package server

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/server/options"
	"emberdb/sql/parse"
)

// deprecatedVariables are the system variables that will go. SET of them warns; to read them warns, too,
// if the code is 1287. Former names of others are not among them.
var deprecatedVariables = map[string]parse.Warning{
	"binlog_format":                       {Code: 1287, Text: "'@@binlog_format' is deprecated and will be removed in a future release."},
	"enable_cascade_triggers":             {Code: 4166, Text: "'enable_cascade_triggers' is deprecated and will be removed in a future release. Triggers on child table will not fire during foreign key cascade."},
	"have_profiling":                      {Code: 1287, Text: "'@@have_profiling' is deprecated and will be removed in a future release."},
	"have_query_cache":                    {Code: 1287, Text: "'@@have_query_cache' is deprecated and will be removed in a future release."},
	"ssl_fips_mode":                       {Code: 1287, Text: "'@@ssl_fips_mode' is deprecated and will be removed in a future release."},
	"sync_relay_log_info":                 {Code: 1287, Text: "'@@sync_relay_log_info' is deprecated and will be removed in a future release."},
	"pseudo_slave_mode":                   {Code: 1287, Text: "'@@pseudo_slave_mode' is deprecated and will be removed in a future release. Please use pseudo_replica_mode instead."},
	"binlog_max_flush_queue_time":         {Code: 1287, Text: "'@@binlog_max_flush_queue_time' is deprecated and will be removed in a future release."},
	"character_set_database":              {Code: 1681, Text: "Updating 'character_set_database' is deprecated. It will be made read-only in a future release."},
	"collation_database":                  {Code: 1681, Text: "Updating 'collation_database' is deprecated. It will be made read-only in a future release."},
	"default_collation_for_utf8mb4":       {Code: 1681, Text: "Updating 'default_collation_for_utf8mb4' is deprecated. It will be made read-only in a future release."},
	"delayed_insert_limit":                {Code: 1287, Text: "'@@delayed_insert_limit' is deprecated and will be removed in a future release."},
	"delayed_insert_timeout":              {Code: 1287, Text: "'@@delayed_insert_timeout' is deprecated and will be removed in a future release."},
	"delayed_queue_size":                  {Code: 1287, Text: "'@@delayed_queue_size' is deprecated and will be removed in a future release."},
	"log_bin_trust_function_creators":     {Code: 1287, Text: "'@@log_bin_trust_function_creators' is deprecated and will be removed in a future release."},
	"log_statements_unsafe_for_binlog":    {Code: 1287, Text: "'@@log_statements_unsafe_for_binlog' is deprecated and will be removed in a future release."},
	"max_delayed_threads":                 {Code: 1287, Text: "'@@max_delayed_threads' is deprecated and will be removed in a future release."},
	"max_insert_delayed_threads":          {Code: 1287, Text: "'@@max_insert_delayed_threads' is deprecated and will be removed in a future release."},
	"max_length_for_sort_data":            {Code: 1287, Text: "'@@max_length_for_sort_data' is deprecated and will be removed in a future release."},
	"performance_schema_show_processlist": {Code: 4166, Text: "'@@performance_schema_show_processlist' is deprecated and will be removed in a future release. When it is removed, SHOW PROCESSLIST will always use the performance schema implementation."},
	"profiling":                           {Code: 1287, Text: "'@@profiling' is deprecated and will be removed in a future release."},
	"profiling_history_size":              {Code: 1287, Text: "'@@profiling_history_size' is deprecated and will be removed in a future release."},
	"query_prealloc_size":                 {Code: 1287, Text: "'@@query_prealloc_size' is deprecated and will be removed in a future release."},
	"restrict_fk_on_non_standard_key":     {Code: 1681, Text: "'restrict_fk_on_non_standard_key' is deprecated and will be removed in a future release."},
	"terminology_use_previous":            {Code: 1287, Text: "'@@terminology_use_previous' is deprecated and will be removed in a future release."},
	"transaction_prealloc_size":           {Code: 1287, Text: "'@@transaction_prealloc_size' is deprecated and will be removed in a future release."},
}

// deprecation is the warning about a variable that will go.
func deprecation(name string) (parse.Warning, bool) {
	if w, ok := deprecatedVariables[name]; ok {
		return w, true
	}
	d, ok := options.Lookup(name)
	if !ok || d.Name == name || !strings.Contains(name, "slave") && !strings.Contains(name, "master") || strings.HasPrefix(name, "rpl_semi") {
		return parse.Warning{}, false
	}
	return parse.Warning{Code: 1287, Text: "'@@" + name + "' is deprecated and will be removed in a future release. Please use " + d.Name + " instead."}, true
}

// warnDeprecated warns of SET of a variable that will go. off: it is a switch that is turned off.
func warnDeprecated(ctx *sql.Context, name string, off bool) {
	d, ok := deprecation(name)
	if !ok {
		return
	}
	if name == "restrict_fk_on_non_standard_key" && off {
		d.Code, d.Text = 4166, "'restrict_fk_on_non_standard_key' is deprecated and will be removed in a future release. Foreign key referring to non-unique or partial keys is unsafe and may break replication."
	}
	ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: d.Code, Message: d.Text})
}
