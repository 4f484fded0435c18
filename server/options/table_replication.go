package options

import "math"

// replicationTable: identity, the binary log, being a replica.
var replicationTable = []Def{
	{Name: "server_id", Kind: Int, Default: int64(1), Min: 0, Max: math.MaxUint32, Dynamic: true, Help: "Number of this server in a replication topology."},
	{Name: "report_host", Kind: String, Default: "", Effect: Reserved, Help: "Host name a replica reports."},
	{Name: "report_port", Kind: Int, Default: int64(0), Min: 0, Max: 65535, Effect: Reserved, Help: "Port a replica reports."},
	{Name: "log_bin", Kind: String, Default: "", Option: true, Help: "Base name of the binary log."},
	{Name: "log_bin_index", Kind: String, Default: "", Option: true, Help: "Index file of the binary log."},
	{Name: "log_bin_trust_function_creators", Kind: Bool, Default: false, Dynamic: true, Effect: Inert, Help: "Kept for compatibility."},
	{Name: "binlog_format", Kind: Enum, Default: "ROW", Values: []string{"ROW"}, Session: true, Dynamic: true, Planner: true, Help: "Format of the binary log."},
	{Name: "binlog_row_image", Kind: Enum, Default: "FULL", Values: []string{"MINIMAL", "NOBLOB", "FULL"}, Session: true, Dynamic: true, Planner: true, Help: "Columns of a row event."},
	{Name: "binlog_row_metadata", Kind: Enum, Default: "MINIMAL", Values: []string{"MINIMAL", "FULL"}, Dynamic: true, Planner: true, Help: "Metadata of a table map event."},
	{Name: "binlog_checksum", Kind: Enum, Default: "CRC32", Values: []string{"CRC32"}, Dynamic: true, Planner: true, Help: "Checksum of binary log events."},
	{Name: "binlog_expire_logs_seconds", Kind: Int, Default: int64(2592000), Min: 0, Max: math.MaxUint32, Dynamic: true, Planner: true, Help: "Age at which binary logs are removed."},
	{Name: "binlog_cache_size", Kind: Int, Default: int64(32 * kib), Min: 4 * kib, Max: maxInt, Dynamic: true, Help: "Memory for a transaction's events."},
	{Name: "binlog_gtid_simple_recovery", Aliases: []string{"simplified_binlog_gtid_recovery"}, Kind: Bool, Default: true, Planner: true, Help: "Open at most two binary log files at start."},
	{Name: "max_binlog_size", Kind: Int, Default: int64(gib), Min: 4 * kib, Max: gib, Dynamic: true, Planner: true, Help: "Size at which a binary log is rotated."},
	{Name: "sync_binlog", Kind: Int, Default: int64(1), Min: 0, Max: math.MaxUint32, Dynamic: true, Help: "Commits between syncs of the binary log."},
	{Name: "binlog_group_commit_sync_delay", Kind: Int, Default: int64(0), Min: 0, Max: 1000000, Dynamic: true, Help: "Microseconds a group of commits waits for more before its sync."},
	{Name: "binlog_group_commit_sync_no_delay_count", Kind: Int, Default: int64(0), Min: 0, Max: 100000, Dynamic: true, Help: "Commits with which a group waits no longer; 0: it waits to the end."},
	{Name: "gtid_mode", Kind: Enum, Default: "OFF", Values: []string{"OFF", "OFF_PERMISSIVE", "ON_PERMISSIVE", "ON"}, Dynamic: true, Planner: true, Help: "Log transactions with global identifiers."},
	{Name: "enforce_gtid_consistency", Kind: Enum, Default: "OFF", Values: []string{"OFF", "ON", "WARN"}, Dynamic: true, Planner: true, Help: "Refuse statements that cannot be logged with global identifiers."},
	{Name: "gtid_next", Kind: String, Default: "AUTOMATIC", Session: true, Dynamic: true, Help: "Identifier of the session's next transaction."},
	{Name: "sql_log_bin", Kind: Bool, Default: true, Session: true, Dynamic: true, Help: "Log what the session changes."},
	{Name: "binlog_rows_query_log_events", Kind: Bool, Default: false, Session: true, Dynamic: true, Help: "Log the text of statements with their rows."},
	{Name: "max_binlog_cache_size", Kind: Int, Default: int64(maxInt / 4096 * 4096), Min: 4 * kib, Max: maxInt, Step: 4 * kib, Help: "Largest transaction in the binary log."},
	{Name: "log_replica_updates", Aliases: []string{"log_slave_updates"}, Kind: Bool, Default: true, Planner: true, Effect: Reserved, Help: "A replica logs what it applies."},
	{Name: "relay_log", Kind: String, Default: "", Effect: Reserved, Help: "Base name of the relay log."},
	{Name: "skip_replica_start", Aliases: []string{"skip_slave_start"}, Kind: Bool, Default: false, Help: "Do not start replication with the server."},
	{Name: "replica_parallel_workers", Kind: Int, Default: int64(4), Min: 0, Max: 1024, Dynamic: true, Effect: Reserved, Help: "Workers that apply transactions."},
	{Name: "rpl_semi_sync_source_enabled", Aliases: []string{"rpl_semi_sync_master_enabled"}, Kind: Bool, Default: false, Dynamic: true, Help: "Wait for a replica at commit."},
	{Name: "rpl_semi_sync_source_timeout", Aliases: []string{"rpl_semi_sync_master_timeout"}, Kind: Int, Default: int64(10000), Min: 0, Max: math.MaxUint32, Dynamic: true, Help: "Milliseconds a commit waits for replicas."},
	{Name: "rpl_semi_sync_source_wait_for_replica_count", Aliases: []string{"rpl_semi_sync_master_wait_for_slave_count"}, Kind: Int, Default: int64(1), Min: 1, Max: 65535, Dynamic: true, Help: "Replicas a commit waits for."},
	{Name: "rpl_semi_sync_source_wait_point", Aliases: []string{"rpl_semi_sync_master_wait_point"}, Kind: Enum, Default: "AFTER_SYNC", Values: []string{"AFTER_SYNC"}, Dynamic: true, Help: "When a commit waits for replicas: durable here, seen by nobody."},
	{Name: "rpl_semi_sync_replica_enabled", Kind: Bool, Default: false, Dynamic: true, Effect: Reserved, Help: "Acknowledge received transactions."},
}
