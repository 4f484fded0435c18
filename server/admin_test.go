package server

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/server/certs"
	"emberdb/server/commands"
	"emberdb/server/options"
	"emberdb/sql/effect"
	"emberdb/sql/parse"
	"emberdb/sql/statement"
	"emberdb/sqllayer/sqlerr"
)

func TestClassify(t *testing.T) {
	for _, c := range []struct {
		query         string
		com           string
		writes, reads bool
	}{
		{"SELECT 1", "select", false, true},
		{"  /* x */ select 1", "select", false, true},
		{"-- c\nselect 1", "select", false, true},
		{"(SELECT 1) UNION (SELECT 2)", "select", false, true},
		{"WITH a AS (SELECT 1) SELECT * FROM a", "select", false, true},
		{"WITH a AS (SELECT ')' ) DELETE FROM t", "delete", true, false},
		{"insert into t values (1)", "insert", true, false},
		{"REPLACE INTO t VALUES (1)", "replace", true, false},
		{"create table t (a int)", "create_table", true, false},
		{"CREATE TEMPORARY TABLE t (a INT)", "create_table", false, false},
		{"CREATE UNIQUE INDEX i ON t (a)", "create_index", true, false},
		{"CREATE OR REPLACE VIEW v AS SELECT 1", "create_view", true, false},
		{"ALTER TABLE t ADD b INT", "alter_table", true, false},
		{"drop database d", "drop_db", true, false},
		{"SHOW FULL PROCESSLIST", "show_processlist", false, false},
		{"show global status", "show_status", false, false},
		{"ROLLBACK TO SAVEPOINT a", "rollback_to_savepoint", false, false},
		{"rollback", "rollback", false, false},
		{"/*!40101 SET NAMES utf8 */", "set_option", false, false},
		{"", "empty_query", false, false},
		{"insert into t select 1", "insert_select", true, false},
		{"INSERT INTO t (value, `select`) VALUES ((SELECT 1), 2)", "insert", true, false},
		{"insert into t (a) (select 1)", "insert_select", true, false},
		{"REPLACE t TABLE u", "replace_select", true, false},
		{"INSERT INTO t SET a = (SELECT 1)", "insert", true, false},
		{"INSERT INTO t (value) VALUE (1)", "insert", true, false},
		{"UPDATE t, u SET t.a = 1", "update_multi", true, false},
		{"UPDATE t JOIN u USING (a) SET t.a = 1", "update_multi", true, false},
		{"UPDATE t USE INDEX (i, j) SET a = (SELECT MAX(a) FROM u JOIN v), b = 1", "update", true, false},
		{"DELETE t FROM t JOIN u", "delete_multi", true, false},
		{"DELETE FROM t USING t, u", "delete_multi", true, false},
		{"DELETE FROM t WHERE a IN (SELECT a FROM u JOIN v)", "delete", true, false},
		{"DELETE QUICK FROM t ORDER BY a, b LIMIT 1", "delete", true, false},
		{"DELETE FROM a, b USING a JOIN b", "delete_multi", true, false},
		{"EXPLAIN SELECT 1", "select", false, true},
		{"EXPLAIN FORMAT=TREE INSERT INTO t SELECT 1", "insert_select", true, true},
		{"desc t", "show_fields", false, false},
		{"EXPLAIN FOR CONNECTION 7", "explain_other", false, true},
		{"CREATE DEFINER=`event`@`%` SQL SECURITY INVOKER VIEW v AS SELECT 1", "create_view", true, false},
		{"CREATE DEFINER = CURRENT_USER TRIGGER t BEFORE INSERT ON u FOR EACH ROW SET @event = 1", "create_trigger", true, false},
		{"CREATE SPATIAL INDEX i ON t (g)", "create_index", true, false},
		{"DROP TEMPORARY TABLE t", "drop_table", false, false},
		{"ALTER VIEW v AS SELECT 1", "create_view", true, false},
		{"ALTER USER u DEFAULT ROLE r", "alter_user_default_role", true, false},
		{"GRANT r TO u", "grant_roles", true, false},
		{"GRANT SELECT ON *.* TO u", "grant", true, false},
		{"REVOKE ALL PRIVILEGES, GRANT OPTION FROM u", "revoke_all", true, false},
		{"REVOKE r FROM u", "revoke_roles", true, false},
		{"SET PASSWORD = 'x'", "set_password", true, false},
		{"SET DEFAULT ROLE ALL TO u", "alter_user_default_role", true, false},
		{"SET ROLE NONE", "set_role", false, false},
		{"SHOW CREATE SCHEMA d", "show_create_db", false, false},
		{"SHOW EXTENDED FULL COLUMNS FROM t", "show_fields", false, false},
		{"SHOW STORAGE ENGINES", "show_storage_engines", false, false},
		{"SHOW BINARY LOGS", "show_binlogs", false, false},
		{"SHOW BINARY LOG STATUS", "show_binary_log_status", false, false},
		{"SHOW ENGINE INNODB MUTEX", "show_engine_mutex", false, false},
		{"SHOW COUNT(*) WARNINGS", "select", false, false},
		{"START REPLICA", "replica_start", false, false},
		{"START TRANSACTION READ ONLY", "begin", false, false},
		{"PURGE BINARY LOGS BEFORE NOW()", "purge_before_date", false, false},
		{"XA BEGIN 'a'", "xa_start", false, false},
		{"RENAME USER a TO b", "rename_user", true, false},
	} {
		st := readText(t, c.query)
		require.Equal(t, c.com, st.Command, c.query)
		require.Equal(t, c.writes, st.Has(effect.Changes), c.query)
		require.Equal(t, c.reads, st.Has(effect.Rows), c.query)
		require.True(t, c.com == "other" || commands.Com(c.com) > 0, c.query)
	}
}

// readText reads a statement.
func readText(t *testing.T, text string) *statement.Statement {
	t.Helper()
	st, _, err := statement.Read(text, parse.Options{})
	require.NoError(t, err, text)
	return st
}

func TestAdminStatementsAreRecognized(t *testing.T) {
	for _, q := range []string{
		"SHOW ENGINE INNODB STATUS", "show open tables", "SHOW ERRORS", "SHOW COUNT(*) WARNINGS", "SHOW COUNT(*) ERRORS", "SHOW PROFILES", "SHOW PROFILE",
		"SHOW CREATE USER u", "SHOW PROCESSLIST", "SHOW FULL PROCESSLIST", "SHOW REPLICAS", "SHOW BINLOG EVENTS", "FLUSH LOGS", "FLUSH TABLES WITH READ LOCK",
		"KILL 1", "KILL QUERY 1", "DO 1", "CHECK TABLE t", "ANALYZE TABLE t", "ANALYZE TABLE t UPDATE HISTOGRAM ON a", "ALTER PROCEDURE p COMMENT 'a'", "OPTIMIZE LOCAL TABLE t", "REPAIR TABLE t", "CHECKSUM TABLE t", "SHUTDOWN", "RESTART",
		"RESET PERSIST", "SET PERSIST a = 1", "SET @@PERSIST.a = 1", "SET @a = 1, PERSIST b = 2", "SET PASSWORD = 'a'", "SET ROLE ALL", "SET DEFAULT ROLE ALL TO u",
		"CREATE USER u", "CREATE ROLE r", "DROP ROLE r", "ALTER USER u ACCOUNT LOCK", "ALTER INSTANCE RELOAD TLS", "HELP 'x'", "XA START 'a'", "HANDLER t OPEN", "UNLOCK TABLES",
		"LOCK INSTANCE FOR BACKUP", "RESET REPLICA", "EXPLAIN FOR CONNECTION 1", "INSTALL PLUGIN a SONAME 'b'", "CLONE LOCAL DATA DIRECTORY = '/x'",
	} {
		require.NotNil(t, adminStatement(readText(t, q).Tree), q)
	}
	for _, q := range []string{
		"SELECT 1", "SHOW TABLES", "SHOW CREATE TABLE t", "SET a = 1", "SET @persist = 1", "CREATE TABLE user (a INT)", "ALTER TABLE t ADD a INT", "LOCK TABLES t READ",
		"EXPLAIN SELECT 1", "SET GLOBAL a = 'PERSIST'", "DESC t",
	} {
		require.Nil(t, adminStatement(readText(t, q).Tree), q)
	}
}

func TestReadOnly(t *testing.T) {
	ts, _ := startReal(t, t.TempDir()) // the layer refuses what a statement's first words do not tell
	bare := ts.bare()
	exec(t, bare, "CREATE DATABASE test")
	require.NoError(t, bare.Close())
	root := ts.conn()
	exec(t, root, "CREATE TABLE t (a INT PRIMARY KEY)")
	exec(t, root, "CREATE USER u")
	exec(t, root, "GRANT ALL ON test.* TO u")
	u, err := ts.open("u", "", "").Conn(context.Background())
	require.NoError(t, err)
	exec(t, root, "SET GLOBAL read_only = ON")
	_, err = u.ExecContext(context.Background(), "INSERT INTO t VALUES (1)")
	requireCode(t, err, 1290, "HY000")
	_, err = u.ExecContext(context.Background(), "INSERT INTO t VALUES (?)", 1)
	requireCode(t, err, 1290, "HY000")
	exec(t, root, "INSERT INTO t VALUES (2)")
	require.Equal(t, [][]string{{"2"}}, rows(t, root, "SELECT * FROM t"))
	exec(t, u, "PREPARE s FROM 'INSERT INTO t VALUES (5)'")
	_, err = u.ExecContext(context.Background(), "EXECUTE s")
	requireCode(t, err, 1290, "HY000")
	exec(t, root, "SET GLOBAL super_read_only = ON")
	_, err = root.ExecContext(context.Background(), "INSERT INTO t VALUES (3)")
	requireCode(t, err, 1290, "HY000")
	require.ErrorContains(t, err, "--super-read-only")
	exec(t, root, "SET GLOBAL read_only = OFF")
	exec(t, u, "INSERT INTO t VALUES (4)")
}

func TestNamesOfOneVariable(t *testing.T) {
	root := startIn(t, t.TempDir(), &memBackend{}).conn()
	both := func(query string, want []string) {
		t.Helper()
		testkit.Eventually(t, func() bool {
			got := rows(t, root, query)
			return len(got) == 1 && slices.Equal(got[0], want)
		}, "%s: not %v", query, want)
	}
	const enabled = "SELECT @@GLOBAL.rpl_semi_sync_source_enabled, @@GLOBAL.rpl_semi_sync_master_enabled"
	exec(t, root, "SET GLOBAL rpl_semi_sync_source_enabled = 1")
	both(enabled, []string{"1", "1"})
	exec(t, root, "SET GLOBAL rpl_semi_sync_master_enabled = 0")
	both(enabled, []string{"0", "0"})
	exec(t, root, "SET GLOBAL rpl_semi_sync_master_timeout = 20, GLOBAL rpl_semi_sync_source_timeout = 30")
	exec(t, root, "SET GLOBAL rpl_semi_sync_master_enabled = 0, GLOBAL rpl_semi_sync_slave_enabled = 1")
	both("SELECT @@GLOBAL.rpl_semi_sync_replica_enabled, @@GLOBAL.rpl_semi_sync_slave_enabled", []string{"1", "1"})
	both("SELECT @@GLOBAL.rpl_semi_sync_source_timeout, @@GLOBAL.rpl_semi_sync_master_timeout", []string{"30", "30"})
}

func TestPersist(t *testing.T) {
	dir, backend := t.TempDir(), &memBackend{}
	ts := startIn(t, dir, backend)
	root := ts.conn()
	exec(t, root, "SET PERSIST max_connections = 10 + 7, @@PERSIST.init_connect = 'SET @a = \"b\"'")
	exec(t, root, "SET PERSIST_ONLY back_log = 99")
	require.Equal(t, [][]string{{"17"}}, rows(t, root, "SELECT @@GLOBAL.max_connections"))
	require.Equal(t, [][]string{{"back_log", "99"}, {"init_connect", `SET @a = "b"`}, {"max_connections", "17"}},
		rows(t, root, "SELECT * FROM performance_schema.persisted_variables"))
	text, err := os.ReadFile(filepath.Join(dir, options.PersistedFile))
	require.NoError(t, err)
	require.Contains(t, string(text), "[mysqld]\nback_log = 99\n")
	for q, code := range map[string]uint16{
		"SET PERSIST nothere = 1": 1193, "SET PERSIST datadir = '/x'": 1238, "SET PERSIST max_connections = 'x'": 1232,
		"SET PERSIST_ONLY max_connections = 0": 1231, "RESET PERSIST wait_timeout": 3615,
	} {
		_, err := root.ExecContext(context.Background(), q)
		require.Error(t, err, q)
		var state string
		switch code {
		case 1193, 3615, 1238:
			state = "HY000"
		default:
			state = "42000"
		}
		requireCode(t, err, code, state)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	ts.Shutdown(ctx)
	ts = startIn(t, dir, backend)
	root = ts.conn()
	require.Equal(t, [][]string{{"17", `SET @a = "b"`, "99"}}, rows(t, root, "SELECT @@GLOBAL.max_connections, @@GLOBAL.init_connect, @@GLOBAL.back_log"))
	require.Contains(t, rows(t, root, "SELECT VARIABLE_SOURCE FROM performance_schema.variables_info WHERE VARIABLE_NAME = 'back_log'")[0][0], "PERSISTED")
	exec(t, root, "RESET PERSIST IF EXISTS wait_timeout")
	exec(t, root, "RESET PERSIST max_connections")
	require.Len(t, rows(t, root, "SELECT * FROM performance_schema.persisted_variables"), 2)
	exec(t, root, "RESET PERSIST")
	require.Empty(t, rows(t, root, "SELECT * FROM performance_schema.persisted_variables"))
}

func TestInitConnectAndInitFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(t.TempDir(), "init.sql")
	writeText(t, file, "-- first\nCREATE TABLE test.i (a INT PRIMARY KEY); INSERT INTO test.i VALUES (1)\n\nINSERT INTO test.i VALUES (2)\n")
	ts := startIn(t, dir, &memBackend{}, "--init-file="+file, "--init-connect=SET @greeting = 'hello'")
	root := ts.conn()
	require.Equal(t, [][]string{{"1"}, {"2"}}, rows(t, root, "SELECT * FROM i ORDER BY a"))
	exec(t, root, "CREATE USER u")
	require.Equal(t, [][]string{{"hello"}}, rows(t, ts.login("u", "", ""), "SELECT @greeting"))
	require.Equal(t, [][]string{{"NULL"}}, rows(t, root, "SELECT @greeting"), "administrators are spared")
}

func TestEngineSettings(t *testing.T) {
	ts := start(t)
	root := ts.conn()
	exec(t, root, "SET GLOBAL innodb_buffer_pool_size = 33554432")
	exec(t, root, "SET GLOBAL innodb_deadlock_detect = OFF")
	exec(t, root, "SET GLOBAL innodb_flush_log_at_trx_commit = 2")
	exec(t, root, "SET GLOBAL innodb_max_dirty_pages_pct = 50")
	require.Equal(t, int64(33554432), ts.backend.get("innodb_buffer_pool_size"))
	require.Equal(t, false, ts.backend.get("innodb_deadlock_detect"))
	require.Equal(t, int64(2), ts.backend.get("innodb_flush_log_at_trx_commit"))
	require.Equal(t, float64(50), ts.backend.get("innodb_max_dirty_pages_pct"))
	_, err := root.ExecContext(context.Background(), "SET GLOBAL innodb_flush_log_at_trx_commit = '1'")
	requireCode(t, err, 1232, "42000")
	_, err = root.ExecContext(context.Background(), "SET GLOBAL innodb_page_size = 16384")
	requireCode(t, err, 1238, "HY000")
	exec(t, root, "SET GLOBAL innodb_buffer_pool_dump_now = ON")
	exec(t, root, "SELECT * FROM information_schema.XTRADB_ADMIN_COMMAND /*!XTRA_LRU_RESTORE*/")
	testkit.Eventually(t, func() bool { return len(ts.backend.commands()) == 2 })
	require.ElementsMatch(t, []string{"dump", "restore"}, ts.backend.commands())
	testkit.Eventually(t, func() bool { return rows(t, root, "SELECT @@GLOBAL.innodb_buffer_pool_dump_now")[0][0] == "0" })
}

func TestQueryLogs(t *testing.T) {
	dir := t.TempDir()
	ts := startIn(t, dir, &memBackend{}, "--general-log", "--general-log-file=g.log", "--slow-query-log-file=s.log", "--long-query-time=0")
	root := ts.conn()
	exec(t, root, "SET GLOBAL slow_query_log = ON")
	exec(t, root, "CREATE USER u IDENTIFIED BY 'geheim'")
	require.Len(t, rows(t, root, "SELECT 42"), 1)
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		return string(b)
	}
	require.Contains(t, read("g.log"), "Query\tSELECT 42")
	require.Contains(t, read("g.log"), "IDENTIFIED BY <secret>")
	require.Contains(t, read("s.log"), "# User@Host: root[root] @ localhost")
	require.Contains(t, read("s.log"), "SELECT 42;")
	require.NotContains(t, read("g.log")+read("s.log")+ts.logs.String(), "geheim")
	require.NoError(t, os.Rename(filepath.Join(dir, "g.log"), filepath.Join(dir, "g.log.1")))
	exec(t, root, "FLUSH LOGS")
	require.Len(t, rows(t, root, "SELECT 43"), 1)
	require.Contains(t, read("g.log"), "SELECT 43")
	exec(t, root, "SET GLOBAL general_log = OFF")
	require.Len(t, rows(t, root, "SELECT 44"), 1)
	require.NotContains(t, read("g.log"), "SELECT 44")
	require.NotEqual(t, "0", rows(t, root, "SHOW GLOBAL STATUS LIKE 'Slow_queries'")[0][1])
}

func TestStatus(t *testing.T) {
	began := time.Now().Truncate(time.Second)
	ts := start(t)
	root := ts.conn()
	value := func(name string) string {
		r := rows(t, root, "SHOW GLOBAL STATUS LIKE '"+name+"'")
		require.Len(t, r, 1, name)
		return r[0][1]
	}
	require.Equal(t, "42", value("Innodb_buffer_pool_pages_total"))
	require.Equal(t, "1", value("Threads_connected"))
	require.Equal(t, "1", value("Threads_running"))
	require.NotEqual(t, "0", value("Bytes_sent"))
	require.NotEqual(t, "0", value("Questions"))
	before := value("Com_insert")
	exec(t, root, "CREATE TABLE t (a INT PRIMARY KEY)")
	exec(t, root, "INSERT INTO t VALUES (1)")
	require.Equal(t, "0", before)
	require.Equal(t, "1", value("Com_insert"))
	exec(t, root, "FLUSH STATUS")
	require.Equal(t, "1", value("Com_insert"), "the sums of all sessions stay")
	require.Equal(t, [][]string{{"Com_stmt_reprepare", "0"}}, rows(t, root, "SELECT * FROM performance_schema.global_status WHERE VARIABLE_NAME LIKE 'Com\\_%'"))
	require.Equal(t, rows(t, root, "SHOW GLOBAL STATUS LIKE 'Connections'"), rows(t, root, "SELECT * FROM performance_schema.global_status WHERE VARIABLE_NAME = 'Connections'"))
	require.Empty(t, rows(t, root, "SHOW GLOBAL STATUS LIKE 'Ndb%'"), "no counters of engines and plugins there are none of")
	require.Equal(t, "OFF", value("Resource_group_supported"))
	at, err := time.ParseInLocation(time.DateTime, value("Max_used_connections_time"), time.Local)
	require.NoError(t, err)
	require.False(t, at.Before(began) || at.After(time.Now()), "%v is not between %v and now", at, began)
	require.Equal(t, "0", value("Flush_commands"))
	exec(t, root, "FLUSH TABLES")
	require.Equal(t, "1", value("Flush_commands"))
	require.NotEqual(t, "", rows(t, root, "SHOW SESSION STATUS LIKE 'Bytes_received'")[0][1])
	require.Equal(t, [][]string{{"7", "RUNNING"}}, rows(t, root, "SELECT trx_id, trx_state FROM information_schema.INNODB_TRX"))
	require.Equal(t, [][]string{{"t", "IX"}}, rows(t, root, "SELECT OBJECT_NAME, LOCK_MODE FROM performance_schema.data_locks"))
	require.Equal(t, [][]string{{"42"}}, rows(t, root, "SELECT POOL_SIZE FROM information_schema.INNODB_BUFFER_POOL_STATS"))
	require.Equal(t, [][]string{{"42"}}, rows(t, root, "SELECT COUNT FROM information_schema.INNODB_METRICS WHERE NAME = 'buffer_pool_pages_total'"))
}

func TestAddedSchemas(t *testing.T) {
	ts := start(t)
	root := ts.conn()
	for _, db := range []string{"performance_schema", "sys"} {
		for _, r := range rows(t, root, "SHOW TABLES FROM "+db) {
			_, err := tryRows(root, "SELECT * FROM "+db+".`"+r[0]+"`")
			require.NoError(t, err, r[0])
		}
		_, err := root.ExecContext(context.Background(), "DROP DATABASE "+db)
		require.Error(t, err)
	}
	require.NotEmpty(t, rows(t, root, "SELECT * FROM performance_schema.session_variables WHERE VARIABLE_NAME = 'autocommit'"))
	require.Equal(t, [][]string{{"Go-MySQL-Driver"}}, rows(t, root, "SELECT ATTR_VALUE FROM performance_schema.session_connect_attrs WHERE ATTR_NAME = '_client_name'"))
	require.NotEmpty(t, rows(t, root, "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'performance_schema'"))
}

func TestVariablesTakeTheirSettings(t *testing.T) {
	ts := start(t, "--sql-mode=ANSI_QUOTES", "--transaction-isolation=READ-COMMITTED", "--default-time-zone=+02:00", "--max-allowed-packet=32M",
		"--character-set-server=latin1", "--collation-server=latin1_swedish_ci", "--long-query-time=1.5", "--innodb-lock-wait-timeout=7", "--event-scheduler=OFF")
	root := ts.conn()
	require.Equal(t, [][]string{{"ANSI_QUOTES", "READ-COMMITTED", "+02:00", "33554432", "latin1", "latin1_swedish_ci", "1.5", "7", "OFF"}},
		rows(t, root, `SELECT @@sql_mode, @@transaction_isolation, @@time_zone, @@max_allowed_packet, @@character_set_server, @@collation_server, @@long_query_time, @@innodb_lock_wait_timeout, @@event_scheduler`))
	require.NotContains(t, ts.logs.String(), "setting not applied")
	all := rows(t, root, "SHOW GLOBAL VARIABLES")
	have := map[string]bool{}
	for _, r := range all {
		have[r[0]] = true
	}
	for _, d := range options.All() {
		if !d.Option {
			require.True(t, have[d.Name], d.Name)
		}
	}
}

func TestSetGlobalNeedsPrivilege(t *testing.T) {
	ts := start(t)
	root := ts.conn()
	exec(t, root, "CREATE USER u")
	u, err := ts.login("u", "", "").Conn(context.Background())
	require.NoError(t, err)
	for _, q := range []string{"SET GLOBAL max_connections = 5", "SET @@GLOBAL.wait_timeout = 5", "SET GLOBAL TRANSACTION ISOLATION LEVEL READ COMMITTED",
		"SET GLOBAL sql_mode = ''", "SET GLOBAL max_error_count = 7", "SET @a = 1, GLOBAL autocommit = 0"} {
		_, err := u.ExecContext(context.Background(), q)
		requireCode(t, err, 1227, "42000")
	}
	exec(t, u, "SET SESSION wait_timeout = 50")
	exec(t, root, "GRANT SYSTEM_VARIABLES_ADMIN ON *.* TO u")
	exec(t, u, "SET GLOBAL max_error_count = 7")
	exec(t, root, "GRANT SELECT, CONNECTION_ADMIN ON *.* TO u")
	require.Contains(t, rows(t, root, "SHOW GRANTS FOR u")[0][0], "GRANT SELECT ON *.*")
	exec(t, root, "REVOKE SYSTEM_VARIABLES_ADMIN ON *.* FROM u")
	_, err = u.ExecContext(context.Background(), "SET GLOBAL max_error_count = 8")
	requireCode(t, err, 1227, "42000")
	_, err = root.ExecContext(context.Background(), "GRANT CONNECTION_ADMIN ON test.* TO u")
	requireCode(t, err, 3619, "HY000")
	_, err = root.ExecContext(context.Background(), "GRANT CONNECTION_ADMIN ON *.* TO nobody")
	requireCode(t, err, 1410, "42000")
	require.Equal(t, [][]string{{"7"}}, rows(t, u, "SELECT @@GLOBAL.max_error_count"))
}

// A file of persisted variables that cannot be replaced is told with the file and the system's
// number.
func TestPersistOnABadDisk(t *testing.T) {
	dir := t.TempDir()
	ts := startIn(t, dir, &memBackend{})
	root := ts.root()
	path := filepath.Join(dir, options.PersistedFile)
	require.NoError(t, os.Mkdir(path, 0o700))
	_, err := root.Exec("SET PERSIST max_connections = 77")
	requireCode(t, err, 1024, "HY000")
	require.Contains(t, err.Error(), path)
	written := notPersisted(1026, "writing", path, &os.PathError{Op: "write", Path: path, Err: syscall.EIO})
	require.EqualError(t, written, sqlerr.NewError(1026, "Error writing file '%s' (errno: 5 - input/output error)", path).Error())
	full := notPersisted(1026, "writing", path, &os.PathError{Op: "write", Path: path, Err: syscall.ENOSPC})
	require.ErrorContains(t, full, "errno 1021")
	require.NoError(t, os.Remove(path))

	// What crashes have left of the file under way is written over, and not added to.
	require.NoError(t, os.WriteFile(certs.DraftOf(path), []byte("half a li"), 0o600))
	exec(t, root, "SET PERSIST max_connections = 77")
	left, err := filepath.Glob(filepath.Join(dir, "."+options.PersistedFile+"*"))
	require.NoError(t, err)
	require.Empty(t, left)
}
