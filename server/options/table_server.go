package options

import "math"

const (
	kib = 1 << 10
	mib = 1 << 20
	gib = 1 << 30
	tib = 1 << 40

	maxInt32 = math.MaxInt32
	maxInt   = math.MaxInt64
	year     = 31536000 // seconds
)

// serverTable: process, files, network, security, logging.
var serverTable = []Def{
	{Name: "upgrade", Kind: Enum, Default: "AUTO", Values: []string{"NONE", "MINIMAL", "AUTO", "FORCE"}, Option: true, Help: "AUTO and FORCE: tables whose keys an earlier release ordered otherwise are rebuilt after the start. NONE and MINIMAL: they stay."},
	{Name: "datadir", Kind: String, Default: "", Help: "The data directory. Created when missing; must be empty or Ember's."},
	{Name: "user", Kind: String, Default: "", Option: true, Effect: Inert, Help: "Accepted for scripts written for other servers; start the server as the user it should run as."},
	{Name: "basedir", Kind: String, Default: "/usr/", Effect: Inert, Help: "Installation directory; the server is one file."},
	{Name: "tmpdir", Kind: String, Default: "", Help: "Directory for what statements keep beyond their memory; empty uses the system's."},
	{Name: "pid_file", Kind: String, Default: "", Help: "File that holds the process id while the server runs; empty writes none."},
	{Name: "port", Kind: Int, Default: int64(3306), Min: 0, Max: 65535, Help: "TCP port; 0 lets the system choose."},
	{Name: "bind_address", Kind: String, Default: "127.0.0.1", Help: "Addresses to listen on, comma separated. Anything but loopback needs a root password."},
	{Name: "socket", Kind: String, Default: "", Help: "Path of the unix socket; empty opens none."},
	{Name: "proxy_protocol_networks", Kind: String, Default: "", Dynamic: true, Help: "Proxies that may tell a client's address by the PROXY protocol: addresses, networks, localhost, or *."},
	{Name: "skip_grant_tables", Kind: Bool, Default: false, Option: true, Help: "Let everybody in through the socket, with every right, until FLUSH PRIVILEGES. Implies skip_networking, and no events run."},
	{Name: "skip_networking", Kind: Bool, Default: false, Help: "Listen on the unix socket only."},
	{Name: "skip_name_resolve", Kind: Bool, Default: true, Effect: Inert, Help: "Clients are known by address; names are never resolved. Loopback is localhost."},
	{Name: "back_log", Kind: Int, Default: int64(151), Min: 1, Max: 65535, Effect: Inert, Help: "Length of the kernel's accept queue."},
	{Name: "max_connections", Kind: Int, Default: int64(151), Min: 1, Max: 100000, Dynamic: true, Help: "Client connections allowed at once; one more is kept for an administrator."},
	{Name: "max_user_connections", Kind: Int, Default: int64(0), Min: 0, Max: math.MaxUint32, Dynamic: true, Help: "Connections allowed at once for each account; 0 = no limit."},
	{Name: "max_connect_errors", Kind: Int, Default: int64(100), Min: 1, Max: maxInt, Unsigned: true, Dynamic: true, Effect: Inert, Help: "Kept for compatibility; hosts are not blocked."},
	{Name: "connect_timeout", Kind: Int, Default: int64(10), Min: 2, Max: year, Dynamic: true, Help: "Seconds a client may take to log in."},
	{Name: "wait_timeout", Kind: Int, Default: int64(28800), Min: 1, Max: year, Session: true, Dynamic: true, Help: "Seconds an idle connection is kept."},
	{Name: "interactive_timeout", Kind: Int, Default: int64(28800), Min: 1, Max: year, Session: true, Dynamic: true, Help: "wait_timeout of interactive clients."},
	{Name: "net_read_timeout", Kind: Int, Default: int64(30), Min: 1, Max: year, Session: true, Dynamic: true, Help: "Seconds to wait for the rest of a packet."},
	{Name: "net_write_timeout", Kind: Int, Default: int64(60), Min: 1, Max: year, Session: true, Dynamic: true, Help: "Seconds a client may leave a result unread."},
	{Name: "net_retry_count", Kind: Int, Default: int64(10), Min: 1, Max: maxInt, Unsigned: true, Session: true, Dynamic: true, Effect: Inert, Help: "Kept for compatibility."},
	{Name: "net_buffer_length", Kind: Int, Default: int64(16 * kib), Min: kib, Max: mib, Step: kib, Session: true, Dynamic: true, Effect: Inert, Help: "Size of a connection's buffer."},
	{Name: "max_allowed_packet", Kind: Int, Default: int64(64 * mib), Min: kib, Max: gib, Step: kib, Session: true, Dynamic: true, Help: "Largest statement or value a client may send."},
	{Name: "thread_cache_size", Kind: Int, Default: int64(9), Min: 0, Max: 16384, Dynamic: true, Effect: Inert, Help: "Kept for compatibility; connections need no threads."},
	{Name: "thread_stack", Kind: Int, Default: int64(mib), Min: 131072, Max: maxInt, Step: 1024, Unsigned: true, Effect: Inert, Help: "Kept for compatibility."},
	{Name: "open_files_limit", Kind: Int, Default: int64(0), Min: 0, Max: maxInt32, Effect: Inert, Help: "Kept for compatibility; the process limit is used as it is."},

	{Name: "require_secure_transport", Kind: Bool, Default: false, Dynamic: true, Help: "Refuse clients that use neither TLS nor the unix socket."},
	{Name: "ssl_ca", Kind: String, Default: "", Help: "File of certificate authorities in PEM form; clients' certificates are checked against it."},
	{Name: "ssl_cert", Kind: String, Default: "", Help: "The server's certificate in PEM form. Without it one is generated in the data directory."},
	{Name: "ssl_key", Kind: String, Default: "", Help: "The key of ssl_cert in PEM form."},
	{Name: "ssl_cipher", Kind: String, Default: "", Help: "Ciphers of TLS 1.2 that are offered, under OpenSSL's names with colons between; empty: all with authenticated encryption."},
	{Name: "tls_ciphersuites", Kind: String, Default: "", Help: "Cipher suites of TLS 1.3 that are accepted, with colons between; empty: all."},
	{Name: "auto_generate_certs", Kind: Bool, Default: true, Help: "Generate a certificate on first start. skip_ssl has the same effect as OFF without ssl_cert."},
	{Name: "ssl", Kind: Bool, Default: true, Option: true, Help: "Offer TLS to clients."},
	{Name: "tls_version", Kind: Set, Default: "TLSv1.2,TLSv1.3", Values: []string{"TLSv1.2", "TLSv1.3"}, Help: "TLS versions offered."},
	{Name: "protocol_compression_algorithms", Kind: String, Default: "zlib,zstd,uncompressed", Dynamic: true, Help: "How connections of clients may be compressed, comma separated: zlib, zstd, uncompressed."},
	{Name: "authentication_policy", Kind: String, Default: "*,,", Dynamic: true, Effect: Inert, Help: "Kept for compatibility; new accounts use caching_sha2_password unless another plugin is named."},
	{Name: "mandatory_roles", Kind: String, Default: "", Dynamic: true, Help: "Roles that every account has, comma separated."},
	{Name: "activate_all_roles_on_login", Kind: Bool, Default: false, Dynamic: true, Help: "Sessions begin with all roles of the account, not with its default roles."},
	{Name: "partial_revokes", Kind: Bool, Default: false, Dynamic: true, Help: "Global privileges may be revoked for single databases; names in grants hold no wildcards."},
	{Name: "print_identified_with_as_hex", Kind: Bool, Default: false, Session: true, Dynamic: true, Help: "SHOW CREATE USER writes hashes as hexadecimal literals."},
	{Name: "default_password_lifetime", Kind: Int, Default: int64(0), Min: 0, Max: 65535, Dynamic: true, Help: "Days after which a password expires; 0 = never. Accounts may say otherwise."},
	{Name: "password_history", Kind: Int, Default: int64(0), Min: 0, Max: math.MaxUint32, Dynamic: true, Help: "New passwords that must follow before one may be used again."},
	{Name: "password_reuse_interval", Kind: Int, Default: int64(0), Min: 0, Max: math.MaxUint32, Dynamic: true, Help: "Days that must pass before a password may be used again."},
	{Name: "password_require_current", Kind: Bool, Default: false, Dynamic: true, Help: "Who changes the own password must give the current one."},
	{Name: "generated_random_password_length", Kind: Int, Default: int64(20), Min: 5, Max: 255, Session: true, Dynamic: true, Help: "Characters of a password that IDENTIFIED BY RANDOM PASSWORD makes."},
	{Name: "disconnect_on_expired_password", Kind: Bool, Default: true, Help: "Refuse clients that cannot set a new password when theirs has expired."},
	{Name: "mysql_native_password", Kind: Bool, Default: true, Option: true, Help: "Let accounts log in with the mysql_native_password plugin."},
	{Name: "caching_sha2_password_digest_rounds", Kind: Int, Default: int64(5000), Min: 5000, Max: 0xfff000, Effect: Inert, Help: "Hash rounds of new caching_sha2_password hashes."},
	{Name: "caching_sha2_password_auto_generate_rsa_keys", Kind: Bool, Default: true, Help: "Generate the key pair of the password exchange on first start."},
	{Name: "caching_sha2_password_private_key_path", Kind: String, Default: "private_key.pem", Help: "Private key of the password exchange without TLS."},
	{Name: "caching_sha2_password_public_key_path", Kind: String, Default: "public_key.pem", Help: "Public key of the password exchange without TLS."},
	{Name: "local_infile", Kind: Bool, Default: false, Dynamic: true, Help: "Let clients send files with LOAD DATA LOCAL."},
	{Name: "secure_file_priv", Kind: String, Default: "NULL", Help: "Directory LOAD DATA and SELECT INTO OUTFILE are confined to; NULL forbids both, empty allows all."},
	{Name: "init_file", Kind: String, Default: "", Help: "File of SQL statements to run at start, one per line."},
	{Name: "init_connect", Kind: String, Default: "", Dynamic: true, Help: "SQL run for each client without the CONNECTION_ADMIN privilege."},
	{Name: "skip_show_database", Kind: Bool, Default: false, Effect: Inert, Help: "Kept for compatibility."},
	{Name: "offline_mode", Kind: Bool, Default: false, Dynamic: true, Help: "Only accounts with CONNECTION_ADMIN may log in."},

	{Name: "log_error", Kind: String, Default: "stderr", Help: "File the server's log goes to; stderr by default."},
	{Name: "log_error_verbosity", Kind: Int, Default: int64(2), Min: 1, Max: 3, Dynamic: true, Help: "1 errors, 2 and warnings, 3 and notes."},
	{Name: "log_error_services", Kind: String, Default: "log_filter_internal; log_sink_internal", Help: "With log_sink_json the log is lines of JSON; everything else is taken as lines of text."},
	{Name: "log_timestamps", Kind: Enum, Default: "UTC", Values: []string{"UTC", "SYSTEM"}, Dynamic: true, Help: "Time zone of the logs."},
	{Name: "log_output", Kind: Set, Default: "FILE", Values: []string{"NONE", "FILE", "TABLE"}, Dynamic: true, Help: "Where general and slow log go; TABLE is taken as FILE."},
	{Name: "general_log", Kind: Bool, Default: false, Dynamic: true, Help: "Log every statement."},
	{Name: "general_log_file", Kind: String, Default: "", Dynamic: true, Help: "File of the general log; empty means HOSTNAME.log in the data directory."},
	{Name: "slow_query_log", Kind: Bool, Default: false, Dynamic: true, Help: "Log statements slower than long_query_time."},
	{Name: "slow_query_log_file", Kind: String, Default: "", Dynamic: true, Help: "File of the slow log; empty means HOSTNAME-slow.log in the data directory."},
	{Name: "log_slow_extra", Kind: Bool, Default: false, Dynamic: true, Help: "Entries of the slow log tell what the statement did: error, bytes, rows read and sorted, begin and end."},
	{Name: "long_query_time", Kind: Float, Default: float64(10), Min: 0, Max: year, Session: true, Dynamic: true, Help: "Seconds from which a statement is slow."},
	{Name: "min_examined_row_limit", Kind: Int, Default: int64(0), Min: 0, Max: maxInt, Unsigned: true, Session: true, Dynamic: true, Effect: Inert, Help: "Kept for compatibility."},
	{Name: "log_queries_not_using_indexes", Kind: Bool, Default: false, Dynamic: true, Effect: Inert, Help: "Kept for compatibility."},
	{Name: "log_slow_admin_statements", Kind: Bool, Default: false, Dynamic: true, Effect: Inert, Help: "Kept for compatibility."},
	{Name: "log_raw", Kind: Bool, Default: false, Dynamic: true, Effect: Inert, Help: "Kept for compatibility; passwords are always masked in logs."},

	{Name: "read_only", Kind: Bool, Default: false, Dynamic: true, Help: "Refuse changes by accounts without CONNECTION_ADMIN."},
	{Name: "super_read_only", Kind: Bool, Default: false, Dynamic: true, Help: "Refuse changes by every account; implies read_only."},
	{Name: "performance_schema", Kind: Bool, Default: true, Help: "Count statements and errors for performance_schema."},
	{Name: "performance_schema_digests_size", Kind: Int, Default: int64(10000), Min: 0, Max: 1048576, Help: "Digests of statements that are kept; the others are counted together."},
	{Name: "performance_schema_max_digest_length", Kind: Int, Default: int64(1024), Min: 0, Max: 1048576, Help: "Bytes of a digest's tokens."},
	{Name: "performance_schema_max_sql_text_length", Kind: Int, Default: int64(1024), Min: 0, Max: 1048576, Help: "Bytes of a statement's text that performance_schema keeps."},
	{Name: "performance_schema_max_digest_sample_age", Kind: Int, Default: int64(60), Min: 0, Max: 1048576, Help: "Seconds after which another statement becomes the sample of its digest."},
	{Name: "performance_schema_events_statements_history_size", Kind: Int, Default: int64(10), Min: 0, Max: 1024, Help: "Statements of each connection that are kept."},
	{Name: "performance_schema_events_statements_history_long_size", Kind: Int, Default: int64(10000), Min: 0, Max: 1048576, Help: "Statements of all connections that are kept while their consumer is on."},
	{Name: "performance_schema_accounts_size", Kind: Int, Default: int64(10000), Min: 0, Max: 1048576, Help: "Accounts with hosts that are counted apart."},
	{Name: "ember_restart_wait", Kind: Int, Default: int64(10), Min: 0, Max: 3600, Dynamic: true, Help: "Seconds that ember restart waits for open transactions to end, first while everybody works on, then while nobody begins another one. What is left is told error 1053."},
	{Name: "shutdown_timeout", Kind: Int, Default: int64(2), Min: 0, Max: 3600, Dynamic: true, Aliases: []string{"ember_shutdown_timeout"}, Help: "Seconds a shutdown waits for running statements before it cancels them."},
}
