package options

import (
	"math"
	"strings"
)

// sqlTable: what statements mean and how much they may use.
var sqlTable = []Def{
	{Name: "autocommit", Kind: Bool, Default: true, Session: true, Dynamic: true, Help: "Commit every statement outside BEGIN."},
	{Name: "sql_mode", Kind: String, Default: "ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION", Session: true, Dynamic: true, Help: "SQL modes, comma separated."},
	{Name: "transaction_isolation", Kind: Enum, Default: "REPEATABLE-READ", Values: []string{"READ-UNCOMMITTED", "READ-COMMITTED", "REPEATABLE-READ", "SERIALIZABLE"}, Session: true, Dynamic: true, Help: "Isolation of new transactions."},
	{Name: "transaction_read_only", Kind: Bool, Default: false, Session: true, Dynamic: true, Help: "New transactions are READ ONLY."},
	{Name: "default_time_zone", Aliases: []string{"time_zone"}, Kind: String, Default: "SYSTEM", Option: true, Help: "Initial value of time_zone."},
	{Name: "character_set_server", Kind: String, Default: "utf8mb4", Session: true, Dynamic: true, Help: "Character set of new databases."},
	{Name: "collation_server", Kind: String, Default: "utf8mb4_0900_ai_ci", Session: true, Dynamic: true, Help: "Collation of new databases."},
	{Name: "character_set_client_handshake", Kind: Bool, Default: true, Option: true, Effect: Inert, Help: "Kept for compatibility; the client's character set is honoured."},
	{Name: "lower_case_table_names", Kind: Int, Default: int64(0), Min: 0, Max: 2, Effect: Inert, Help: "Names are compared without case and kept as written."},
	{Name: "block_encryption_mode", Kind: Enum, Default: "aes-128-ecb", Values: strings.Fields(encryptionModes), Session: true, Dynamic: true, Help: "Mode of AES_ENCRYPT and AES_DECRYPT, and the bits of their keys."},
	{Name: "default_tmp_storage_engine", Kind: String, Default: "InnoDB", Values: strings.Fields(engines), Session: true, Dynamic: true, Help: "The one storage engine; tables that are temporary are kept in it, too."},
	{Name: "default_storage_engine", Kind: String, Default: "InnoDB", Values: []string{"InnoDB"}, Session: true, Dynamic: true, Help: "The one storage engine, under its usual name."},
	{Name: "explicit_defaults_for_timestamp", Kind: Bool, Default: true, Session: true, Dynamic: true, Effect: Reserved, Help: "TIMESTAMP columns have no defaults of their own."},
	{Name: "event_scheduler", Kind: Enum, Default: "ON", Values: []string{"OFF", "ON", "DISABLED"}, Dynamic: true, Help: "Run scheduled events."},
	{Name: "restrict_fk_on_non_standard_key", Kind: Bool, Default: true, Session: true, Dynamic: true, Help: "Refuse foreign keys to columns without a unique key of their own."},
	{Name: "foreign_key_checks", Kind: Bool, Default: true, Session: true, Dynamic: true, Help: "Check foreign keys."},
	{Name: "unique_checks", Kind: Bool, Default: true, Session: true, Dynamic: true, Effect: Inert, Help: "Kept for compatibility; unique keys are always checked."},
	{Name: "lock_wait_timeout", Kind: Int, Default: int64(year), Min: 1, Max: year, Session: true, Dynamic: true, Help: "Seconds to wait for a metadata lock."},
	{Name: "max_execution_time", Kind: Int, Default: int64(0), Min: 0, Max: maxInt, Unsigned: true, Session: true, Dynamic: true, Help: "Milliseconds a SELECT may run; 0 = no limit."},
	{Name: "max_prepared_stmt_count", Kind: Int, Default: int64(16382), Min: 0, Max: 4194304, Dynamic: true, Help: "Prepared statements allowed at once in all sessions."},
	{Name: "max_error_count", Kind: Int, Default: int64(1024), Min: 0, Max: 65535, Session: true, Dynamic: true, Help: "Warnings kept for SHOW WARNINGS."},
	{Name: "max_sort_length", Kind: Int, Default: int64(1024), Min: 4, Max: 8 * mib, Session: true, Dynamic: true, Effect: Inert, Help: "Kept for compatibility; values are compared whole."},
	{Name: "group_concat_max_len", Kind: Int, Default: int64(1024), Min: 4, Max: maxInt, Unsigned: true, Session: true, Dynamic: true, Help: "Longest result of GROUP_CONCAT."},
	{Name: "ember_compiled_statements", Kind: Bool, Default: true, Session: true, Dynamic: true, Help: "Run known statements compiled, straight on the storage engine."},
	{Name: "ember_executor", Kind: Enum, Default: "ON", Values: []string{"OFF", "ON", "ALL"}, Session: true, Dynamic: true, Help: "Run SELECT with the server's own planner and executor. ON: what looks at many rows or has no compiled program; ALL: everything that they know."},
	{Name: "ember_parallel_threads", Kind: Int, Default: int64(0), Min: 0, Max: 1024, Session: true, Dynamic: true, Help: "Threads that a SELECT over large tables may use. All such statements share as many as there are processors, less one, beside the one that each has. 0 = as many as are free, 1 = no other."},
	{Name: "ember_statement_memory", Kind: Int, Default: int64(gib), Min: 0, Max: maxInt, Session: true, Dynamic: true, Help: "Memory that one statement may hold: rows it sorts, groups, joins or keeps, long texts, results. Sorts, joins and groups of the executor that need more go on in tmpdir. 0 = no limit."},
	{Name: "ember_heap_memory", Kind: Int, Default: int64(0), Min: 0, Max: maxInt, Help: "Memory beside the buffer pool, for connections and statements; all statements together may hold half of it. 0 = most of what the pool leaves of the machine's or the container's memory."},
	{Name: "connection_memory_limit", Kind: Int, Default: int64(maxInt), Min: 2 * mib, Max: maxInt, Unsigned: true, Session: true, Dynamic: true, Help: "Memory that one connection may hold; beyond, it is closed. Accounts with CONNECTION_ADMIN have no limit."},
	{Name: "global_connection_memory_limit", Kind: Int, Default: int64(maxInt), Min: 16 * mib, Max: maxInt, Unsigned: true, Dynamic: true, Help: "Memory that all connections may hold; one that asks for more is closed if global_connection_memory_tracking is ON for it."},
	{Name: "global_connection_memory_tracking", Kind: Bool, Default: false, Session: true, Dynamic: true, Help: "global_connection_memory_limit holds for the connection."},
	{Name: "connection_memory_chunk_size", Kind: Int, Default: int64(8 * kib), Min: 0, Max: 512 * mib, Session: true, Dynamic: true, Effect: Inert, Help: "Kept for compatibility."},
	{Name: "cte_max_recursion_depth", Kind: Int, Default: int64(1000), Min: 0, Max: math.MaxUint32, Session: true, Dynamic: true, Help: "Deepest recursion of a common table expression."},
	{Name: "explain_format", Kind: Enum, Default: "TREE", Values: []string{"DEFAULT", "TRADITIONAL", "TRADITIONAL_STRICT", "TREE", "JSON"}, Session: true, Dynamic: true, Help: "Form of EXPLAIN without FORMAT."},
	{Name: "explain_json_format_version", Kind: Int, Default: int64(2), Min: 1, Max: 2, Session: true, Dynamic: true, Help: "Document of EXPLAIN FORMAT=JSON: 1 is a query block of tables, 2 a tree of steps."},
	{Name: "auto_increment_increment", Kind: Int, Default: int64(1), Min: 1, Max: 65535, Session: true, Dynamic: true, Help: "Step of AUTO_INCREMENT values."},
	{Name: "auto_increment_offset", Kind: Int, Default: int64(1), Min: 1, Max: 65535, Session: true, Dynamic: true, Help: "First AUTO_INCREMENT value."},
	{Name: "terminology_use_previous", Kind: Enum, Default: "NONE", Values: []string{"NONE", "BEFORE_8_0_26", "BEFORE_8_2_0"}, Session: true, Dynamic: true, Effect: Inert, Help: "Kept for compatibility."},
	{Name: "sql_require_primary_key", Kind: Bool, Default: false, Session: true, Dynamic: true, Help: "Refuse CREATE TABLE without a primary key."},
	{Name: "sql_generate_invisible_primary_key", Kind: Bool, Default: false, Session: true, Dynamic: true, Help: "Tables that are made without a primary key get an invisible one, my_row_id."},
	{Name: "show_gipk_in_create_table_and_information_schema", Kind: Bool, Default: true, Session: true, Dynamic: true, Help: "SHOW and information_schema tell generated invisible primary keys."},
	{Name: "lc_time_names", Kind: String, Default: "en_US", Session: true, Dynamic: true, Help: "Locale of the names of days and months."},
	{Name: "div_precision_increment", Kind: Int, Default: int64(4), Min: 0, Max: 30, Session: true, Dynamic: true, Help: "Digits a division adds to the scale."},

	{Name: "sort_buffer_size", Kind: Int, Default: int64(256 * kib), Min: 32 * kib, Max: maxInt, Unsigned: true, Session: true, Dynamic: true, Help: "Memory that a sort may hold, or an eighth of ember_statement_memory if that is more; then it goes on in tmpdir."},
	{Name: "join_buffer_size", Kind: Int, Default: int64(256 * kib), Min: 128, Max: maxInt, Step: 128, Unsigned: true, Session: true, Dynamic: true, Help: "Memory that a hash join may hold, or an eighth of ember_statement_memory if that is more; then it goes on in tmpdir."},
	{Name: "read_buffer_size", Kind: Int, Default: int64(128 * kib), Min: 8 * kib, Max: 2147479552, Step: 4096, Session: true, Dynamic: true, Effect: Inert, Help: "Kept for compatibility."},
	{Name: "read_rnd_buffer_size", Kind: Int, Default: int64(256 * kib), Min: 1, Max: maxInt32, Session: true, Dynamic: true, Effect: Inert, Help: "Kept for compatibility."},
	{Name: "tmp_table_size", Kind: Int, Default: int64(16 * mib), Min: kib, Max: maxInt, Unsigned: true, Session: true, Dynamic: true, Help: "Memory that groups, distinct rows, a window or a recursion may hold before they go on in tmpdir. An eighth of ember_statement_memory if that is more."},
	{Name: "max_heap_table_size", Kind: Int, Default: int64(16 * mib), Min: 16 * kib, Max: maxInt, Step: 1024, Unsigned: true, Session: true, Dynamic: true, Effect: Inert, Help: "Kept for compatibility."},
	{Name: "bulk_insert_buffer_size", Kind: Int, Default: int64(8 * mib), Min: 0, Max: maxInt, Unsigned: true, Session: true, Dynamic: true, Effect: Inert, Help: "Kept for compatibility."},
	{Name: "key_buffer_size", Kind: Int, Default: int64(8 * mib), Min: 0, Max: maxInt, Step: 4096, Unsigned: true, Dynamic: true, Effect: Inert, Help: "Kept for compatibility; there is one cache, the buffer pool."},
	{Name: "table_open_cache", Kind: Int, Default: int64(4000), Min: 1, Max: 524288, Dynamic: true, Effect: Inert, Help: "Kept for compatibility; table_definition_cache bounds the open tables."},
	{Name: "table_open_cache_instances", Kind: Int, Default: int64(16), Min: 1, Max: 64, Effect: Inert, Help: "Kept for compatibility."},
	{Name: "table_definition_cache", Kind: Int, Default: int64(2000), Min: 400, Max: 524288, Dynamic: true, Help: "Tables kept in memory; more while more are in use."},
	{Name: "query_cache_type", Kind: Enum, Default: "OFF", Values: []string{"OFF", "ON", "DEMAND"}, Effect: Inert, Help: "There is no query cache."},
	{Name: "query_cache_size", Kind: Int, Default: int64(0), Min: 0, Max: maxInt, Effect: Inert, Help: "There is no query cache."},
}

// encryptionModes are the values of block_encryption_mode, in the order of their numbers.
const encryptionModes = `aes-128-ecb aes-192-ecb aes-256-ecb aes-128-cbc aes-192-cbc aes-256-cbc aes-128-cfb1 aes-192-cfb1 aes-256-cfb1
aes-128-cfb8 aes-192-cfb8 aes-256-cfb8 aes-128-cfb128 aes-192-cfb128 aes-256-cfb128 aes-128-ofb aes-192-ofb aes-256-ofb`

// engines are the storage engines whose names a client may give.
const engines = "InnoDB MEMORY MRG_MYISAM CSV FEDERATED PERFORMANCE_SCHEMA MyISAM BLACKHOLE ARCHIVE"
