package options

// warmTable: what a restart keeps warm, under MySQL's and XtraDB's names, what it may cost, and
// where it tells how far it has come.
var warmTable = []Def{
	{Name: "innodb_buffer_pool_dump_at_shutdown", Kind: Bool, Default: true, Dynamic: true, Help: "Write the LRU list at shutdown."},
	{Name: "innodb_buffer_pool_load_at_startup", Kind: Bool, Default: true, Help: "Load the pages of the LRU list at start, while serving."},
	{Name: "innodb_buffer_pool_dump_now", Kind: Bool, Default: false, Dynamic: true, Help: "Set ON to write the LRU list now; reads OFF."},
	{Name: "innodb_buffer_pool_load_now", Kind: Bool, Default: false, Dynamic: true, Help: "Set ON to load the LRU list now; reads OFF."},
	{Name: "innodb_buffer_pool_load_abort", Kind: Bool, Default: false, Dynamic: true, Help: "Set ON to stop a running load; reads OFF."},
	{Name: "innodb_buffer_pool_dump_pct", Kind: Int, Default: int64(100), Min: 1, Max: 100, Dynamic: true, Help: "Share of the LRU list to write, hottest first."},
	{Name: "innodb_buffer_pool_filename", Kind: String, Default: "ib_buffer_pool", Dynamic: true, Help: "Name of the LRU list file in the data directory."},
	{Name: "ember_ready_when_warm_pct", Kind: Int, Default: int64(0), Min: 0, Max: 100, Dynamic: true, Help: "After a start, statements wait until so many percent of the LRU list are loaded; accounts with CONNECTION_ADMIN do not. 0 = serve at once."},
	{Name: "ember_hot_set_interval", Kind: Int, Default: int64(60), Min: 0, Max: 86400, Dynamic: true, Help: "Seconds after which Ember replicas hear again which pages are hot here; 0 = they do not."},
	{Name: "ember_hot_set_load", Kind: Bool, Default: true, Dynamic: true, Help: "A replica brings the pages that are hot on its source into its pool, as far as it has room."},
	{Name: "ember_pool_memory", Kind: Enum, Default: "off", Values: []string{"off", "tmpfs", "hold", "systemd"}, Help: "What keeps the buffer pool's memory when the server ends: nothing, a file on tmpfs, a process of its own, or systemd. The last two keep the listening sockets, too. The next server takes the pages over."},
	{Name: "ember_pool_memory_dir", Kind: String, Default: "/dev/shm", Help: "The directory on tmpfs for ember_pool_memory=tmpfs."},
	{Name: "ember_pool_memory_verify", Kind: Bool, Default: false, Help: "Compare each page that was taken over with what its file and the redo log give, before clients are served. For tests: it reads all of them."},
	{Name: "ember_recovery_target_seconds", Kind: Int, Default: int64(0), Min: 0, Max: 86400, Dynamic: true, Help: "Seconds a recovery after a crash may take: pages are written as early as that needs. 0 = as much as the redo log holds."},
	{Name: "ember_health_address", Kind: String, Default: "", Help: "HOST:PORT that answers over HTTP: /health and /live for load balancers, /metrics for Prometheus, / for people. A port alone is on 127.0.0.1. Empty = none."},
	{Name: "ember_health_password_file", Kind: String, Default: "", Help: "File of one line USER:PASSWORD that GET /metrics asks for. Empty = the loopback interface is let in, others are not."},
	{Name: "ember_health_tls", Kind: Bool, Default: false, Help: "Serve ember_health_address over TLS with the certificate of ssl_cert."},
	{Name: "innodb_auto_lru_dump", Aliases: []string{"innodb_buffer_pool_restore_at_startup"}, Kind: Int, Default: int64(60), Min: 0, Max: maxInt32, Dynamic: true, Help: "Seconds between writes of the LRU list while running; 0 = only at shutdown."},
}
