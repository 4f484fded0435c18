package server

import (
	"context"
	"database/sql"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/go-mysql-org/go-mysql/replication"
	"github.com/stretchr/testify/require"

	"emberdb/binlog"
	"emberdb/internal/testkit"
	"emberdb/server/commands"
	"emberdb/server/wire"
)

// replicaOf is a replica that only listens.
func replicaOf(t *testing.T, ts *testServer, id uint32, semi bool) *replication.BinlogSyncer {
	host, port, err := net.SplitHostPort(ts.addr())
	require.NoError(t, err)
	n, err := strconv.ParseUint(port, 10, 16)
	require.NoError(t, err)
	s := replication.NewBinlogSyncer(replication.BinlogSyncerConfig{ServerID: id, Flavor: "mysql", Host: host, Port: uint16(n), User: "repl", Password: "p",
		HeartbeatPeriod: 200 * time.Millisecond, VerifyChecksum: true, SemiSyncEnabled: semi, DisableRetrySync: true})
	t.Cleanup(s.Close)
	return s
}

// nothing is the set of a replica that has nothing.
func nothing(t *testing.T) mysql.GTIDSet {
	set, err := mysql.ParseMysqlGTIDSet("")
	require.NoError(t, err)
	return set
}

// told reads events until one of the type has come that fits, and returns in short what came
// before.
func told(t *testing.T, st *replication.BinlogStreamer, last string) (all []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), testkit.WaitLimit)
	defer cancel()
	for {
		e, err := st.GetEvent(ctx)
		require.NoError(t, err, "%v", all)
		text := ""
		switch x := e.Event.(type) {
		case *replication.QueryEvent:
			text = string(x.Query)
		case *replication.RowsEvent:
			text = fmt.Sprintf("%s %s %v", e.Header.EventType, x.Table.Table, x.Rows)
		case *replication.XIDEvent:
			text = "xid"
		default:
			continue
		}
		if all = append(all, text); text == last {
			return all
		}
	}
}

func binlogServer(t *testing.T, dir string, args ...string) (*testServer, func(), *sql.Conn) {
	ts, stop := startReal(t, dir, append([]string{"--log-bin", "--server-id=5", "--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--bind-address=127.0.0.1"}, args...)...)
	c, err := ts.openDB("root", "", "", "multiStatements=true").Conn(context.Background())
	require.NoError(t, err)
	return ts, stop, c
}

func TestReplicaIsTold(t *testing.T) {
	dir := t.TempDir()
	ts, stop, c := binlogServer(t, dir)
	exec(t, c, "SET sql_log_bin = 0; CREATE USER repl IDENTIFIED WITH mysql_native_password BY 'p'; GRANT REPLICATION SLAVE ON *.* TO repl; SET sql_log_bin = 1")
	exec(t, c, "CREATE DATABASE d; USE d; CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(20)); CREATE TABLE l (a INT); CREATE TRIGGER tr AFTER INSERT ON t FOR EACH ROW INSERT INTO l VALUES (NEW.a)")
	exec(t, c, "INSERT INTO t VALUES (1,'x'),(2,'y'); UPDATE t SET b = 'z' WHERE a = 1; DELETE FROM t WHERE a = 2")
	exec(t, c, "BEGIN; INSERT INTO t VALUES (3,'x'); SAVEPOINT s; INSERT INTO t VALUES (4,'x'); ROLLBACK TO s; COMMIT")
	exec(t, c, "BEGIN; INSERT INTO t VALUES (5,'x'); ROLLBACK")
	exec(t, c, "INSERT IGNORE INTO t VALUES (6,'x'),(1,'x'),(7,'x')")
	exec(t, c, "CREATE TEMPORARY TABLE tt (a INT); INSERT INTO tt VALUES (1); DROP TEMPORARY TABLE tt")
	exec(t, c, "SET sql_log_bin = 0; INSERT INTO t VALUES (8,'x'); SET sql_log_bin = 1; CREATE TABLE c SELECT a FROM t WHERE a = 1; CREATE TABLE n SELECT a FROM t WHERE a < 0; CREATE USER u IDENTIFIED BY 'secret'; DROP USER u")
	exec(t, c, "FLUSH BINARY LOGS; CREATE PROCEDURE p() CREATE TABLE made (a INT); CALL p(); DROP TABLE made")

	st, err := replicaOf(t, ts, 100, false).StartSyncGTID(nothing(t))
	require.NoError(t, err)
	all := told(t, st, "DROP TABLE made")
	for i, text := range all {
		if text, ok := strings.CutPrefix(text, "CREATE USER 'u'@'%' IDENTIFIED WITH 'caching_sha2_password' AS '$A$"); ok {
			require.NotContains(t, text, "secret")
			all[i] = "user"
		}
		if strings.HasPrefix(text, "create table made ") { // printed from a tree, which keeps no case of types
			all[i] = strings.ToLower(text)
		}
	}
	require.Equal(t, []string{
		"CREATE DATABASE d", "CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(20))", "CREATE TABLE l (a INT)",
		"CREATE DEFINER=`root`@`localhost` TRIGGER tr AFTER INSERT ON t FOR EACH ROW INSERT INTO l VALUES (NEW.a)",
		"BEGIN", "WriteRowsEventV2 t [[1 x]]", "WriteRowsEventV2 l [[1]]", "WriteRowsEventV2 t [[2 y]]", "WriteRowsEventV2 l [[2]]", "xid",
		"BEGIN", "UpdateRowsEventV2 t [[1 x] [1 z]]", "xid", "BEGIN", "DeleteRowsEventV2 t [[2 y]]", "xid",
		"BEGIN", "WriteRowsEventV2 t [[3 x]]", "WriteRowsEventV2 l [[3]]", "xid",
		"BEGIN", "WriteRowsEventV2 t [[6 x]]", "WriteRowsEventV2 l [[6]]", "WriteRowsEventV2 t [[7 x]]", "WriteRowsEventV2 l [[7]]", "xid",
		"BEGIN", "CREATE TABLE `c` (\n  `a` int NOT NULL\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci START TRANSACTION",
		"WriteRowsEventV2 c [[1]]", "xid",
		"BEGIN", "CREATE TABLE `n` (\n  `a` int NOT NULL\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci START TRANSACTION", "xid",
		"user", "DROP USER u",
		"CREATE DEFINER=`root`@`localhost` PROCEDURE p() CREATE TABLE made (a INT)", "CREATE TABLE made (a INT)", "DROP TABLE made",
	}, all)
	require.Len(t, rows(t, c, "SHOW REPLICAS"), 1)

	// By position, from the second file on; the first one cannot go while a reader is in it, the
	// second one can be read after the first is gone.
	st, err = replicaOf(t, ts, 101, false).StartSync(mysql.Position{Name: "binlog.000002", Pos: 4})
	require.NoError(t, err)
	require.Len(t, told(t, st, "DROP TABLE made"), 3)
	exec(t, c, "PURGE BINARY LOGS TO 'binlog.000002'")
	require.Len(t, rows(t, c, "SHOW BINARY LOGS"), 1)
	executed := rows(t, c, "SELECT @@gtid_executed, @@gtid_purged")[0]
	require.NotEqual(t, executed[0], executed[1])
	require.NotEmpty(t, executed[1])
	require.Equal(t, "1", rows(t, c, "SELECT GTID_SUBSET(@@gtid_purged, @@gtid_executed)")[0][0])
	require.Equal(t, "0", rows(t, c, "SELECT WAIT_FOR_EXECUTED_GTID_SET(@@gtid_executed, 10)")[0][0])

	// Who lacks what is purged is told so.
	st, err = replicaOf(t, ts, 102, false).StartSyncGTID(nothing(t))
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), testkit.WaitLimit)
	defer cancel()
	for err == nil {
		_, err = st.GetEvent(ctx)
	}
	require.ErrorContains(t, err, "purged required binary logs")

	stop()
	_, _, c = binlogServer(t, dir)
	require.Equal(t, executed, rows(t, c, "SELECT @@gtid_executed, @@gtid_purged")[0])
	exec(t, c, "RESET BINARY LOGS AND GTIDS")
	require.Equal(t, [][]string{{"binlog.000001", "158", "", "", ""}}, rows(t, c, "SHOW BINARY LOG STATUS"))
}

// A damaged file is told as MySQL tells it, with the position; the error log names the file.
func TestDamagedBinlogIsTold(t *testing.T) {
	dir := t.TempDir()
	_, _, c := binlogServer(t, dir)
	exec(t, c, "CREATE DATABASE d; CREATE TABLE d.t (a INT PRIMARY KEY); INSERT INTO d.t VALUES (1); FLUSH BINARY LOGS")
	events := rows(t, c, "SHOW BINLOG EVENTS IN 'binlog.000001'")
	at := events[len(events)-2][1]
	path := filepath.Join(dir, "binlog.000001")
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	pos, err := strconv.Atoi(at)
	require.NoError(t, err)
	b[pos+20] ^= 1
	require.NoError(t, os.WriteFile(path, b, 0o600))
	_, err = c.ExecContext(context.Background(), "SHOW BINLOG EVENTS IN 'binlog.000001'")
	require.EqualError(t, err, "Error 1220 (HY000): Error when executing command SHOW BINLOG EVENTS: Error reading Log_event at position "+at+
		": Failed decoding event: corrupted data in log event")
}

func TestBinlogStatements(t *testing.T) {
	ts, _, c := binlogServer(t, t.TempDir())
	fails := func(query string, code int) {
		t.Helper()
		_, err := c.ExecContext(context.Background(), query)
		require.ErrorContains(t, err, fmt.Sprintf("Error %d", code), query)
	}
	fails("PURGE BINARY LOGS TO 'binlog.000099'", 1373)
	fails("SHOW BINLOG EVENTS IN 'binlog.000099'", 1220)
	fails("SET gtid_next = 'x'", 1774)
	fails("SET GLOBAL gtid_mode = OFF", 1788)
	fails("SET GLOBAL gtid_purged = 'x'", 1231)
	fails("SET gtid_next = 'AUTOMATIC:'", 1774)
	fails("SET gtid_next = 'AUTOMATIC:9'", 1774)
	fails("SET gtid_next = 'ANONYMOUS:x'", 1774)
	exec(t, c, "CREATE USER u; GRANT SYSTEM_VARIABLES_ADMIN ON *.* TO u")
	u := ts.openDB("u", "", "", "")
	_, err := u.Exec("SET gtid_next = 'AUTOMATIC:x'")
	require.ErrorContains(t, err, "Error 6038")
	exec(t, c, "GRANT TRANSACTION_GTID_TAG ON *.* TO u")
	_, err = u.Exec("SET gtid_next = 'AUTOMATIC:x'")
	require.NoError(t, err)
	exec(t, c, "RESET BINARY LOGS AND GTIDS")
	fails("SELECT GTID_SUBSET('x', '')", 1772)
	exec(t, c, "CREATE DATABASE d; CREATE TABLE d.t (a INT PRIMARY KEY); SET binlog_rows_query_log_events = ON; INSERT INTO d.t VALUES (1)")
	exec(t, c, "SET gtid_next = '3E11FA47-71CA-11E1-9E33-C80AA9429562:23'; INSERT INTO d.t VALUES (2); SET gtid_next = 'AUTOMATIC'")
	require.Contains(t, rows(t, c, "SELECT @@gtid_executed")[0][0], "3e11fa47-71ca-11e1-9e33-c80aa9429562:23")
	exec(t, c, "BEGIN; INSERT INTO d.t VALUES (3)")
	fails("SET sql_log_bin = 0", 1694)
	fails("SET gtid_next = 'ANONYMOUS'", 1766)
	exec(t, c, "ROLLBACK")
	var infos []string
	for _, r := range rows(t, c, "SHOW BINLOG EVENTS LIMIT 2, 9") {
		infos = append(infos, r[2])
	}
	require.Equal(t, []string{"Gtid", "Query", "Gtid", "Query", "Gtid", "Query", "Rows_query", "Table_map", "Write_rows"}, infos)
	exec(t, c, "SET GLOBAL gtid_purged = '+00000000-0000-0000-0000-000000000001:1-5'")
	require.Contains(t, rows(t, c, "SELECT @@gtid_executed")[0][0], "00000000-0000-0000-0000-000000000001:1-5")
}

// TestShownBinlogEvents: a position need not be that of an event, and LIMIT 0 limits nothing, as in
// MySQL 9.7.
func TestShownBinlogEvents(t *testing.T) {
	_, _, c := binlogServer(t, t.TempDir())
	exec(t, c, "CREATE DATABASE d; CREATE TABLE d.t (a INT PRIMARY KEY); INSERT INTO d.t VALUES (1)")
	all := rows(t, c, "SHOW BINLOG EVENTS")
	require.Greater(t, len(all), 6)
	for rest, want := range map[string][][]string{
		"LIMIT 0": all, "LIMIT 0, 0": all, "LIMIT 1, 0": nil, "LIMIT 1": all[:1], "LIMIT 1, 2": all[1:3], "LIMIT 2 OFFSET 1": all[1:3], "LIMIT 100, 1": nil,
		"FROM 0": all, "FROM 3": all, "FROM 4": all, "FROM 5": all[1:], "FROM " + all[3][1]: all[3:], "FROM " + all[3][1] + "1": nil,
		"IN 'binlog.000001' FROM 5 LIMIT 1, 1": all[2:3], "IN \"/x/binlog.000001\" LIMIT 1": all[:1], "FROM 4294967296": nil,
	} {
		require.Equal(t, want, rows(t, c, "SHOW BINLOG EVENTS "+rest), rest)
	}
	for rest, want := range map[string]string{
		"IN ''": "Error 1220 (HY000): Error when executing command SHOW BINLOG EVENTS: Could not find target log", "IN 'binlog.1'": "Could not find target log",
		"FROM 18446744073709551615": "Error reading Log_event at position 18446744073709551615: Failed decoding event: I/O error reading log event",
		"LIMIT -1":                  "near '-1' at line 1", "IN nix": "near 'nix' at line 1", "FROM": "near '' at line 1", "LIMIT 1,": "near '' at line 1",
		"LIMIT 1 FROM 4": "near 'FROM 4' at line 1", "nix": "near 'nix' at line 1", "LIMIT 18446744073709551616": "near '18446744073709551616' at line 1",
	} {
		_, err := c.ExecContext(context.Background(), "SHOW BINLOG EVENTS "+rest)
		require.ErrorContains(t, err, want, rest)
	}
}

// TestPurgeTells: what a purge left is told as MySQL 9.7 tells it.
func TestPurgeTells(t *testing.T) {
	s, _, c := binlogServer(t, t.TempDir())
	exec(t, c, "FLUSH BINARY LOGS; FLUSH BINARY LOGS; FLUSH BINARY LOGS")
	r, err := s.Server.binlog().NewReader(binlog.Position{File: 2})
	require.NoError(t, err)
	told := func(query string, want ...[]string) {
		t.Helper()
		exec(t, c, query)
		require.Equal(t, append([][]string(nil), want...), rows(t, c, "SHOW WARNINGS"), query)
	}
	warning := func(code, text string) []string { return []string{"Warning", code, text} }
	told("PURGE BINARY LOGS TO 'binlog.000004'", warning("1867", "file ./binlog.000002 was not purged because it was being read by 1 thread(s), purged only 1 out of 3 files."))
	told("PURGE BINARY LOGS BEFORE '2037-01-01'", warning("1867", "file ./binlog.000002 was not purged because it was being read by 1 thread(s), purged only 0 out of 3 files."))
	require.NoError(t, r.Close())
	told("PURGE BINARY LOGS BEFORE NULL")
	told("PURGE BINARY LOGS BEFORE '2000-01-01'")
	told("PURGE BINARY LOGS TO './binlog.000003'")
	told("PURGE BINARY LOGS BEFORE DATE_ADD(NOW(), INTERVAL 1 DAY)", warning("1868", "file ./binlog.000004 was not purged because it is the active log file."))
	told("PURGE BINARY LOGS TO 'binlog.000004'")
	require.Len(t, rows(t, c, "SHOW BINARY LOGS"), 1)
	for rest, want := range map[string]string{
		"TO 'binlog.000003'": "Error 1373 (HY000): Target log not found in binlog index", "TO ''": "Error 1373", "TO 'binlog.000004 '": "Error 1373",
		"TO 5": "near '5' at line 1", "TO CONCAT('a')": "near 'CONCAT('a')' at line 1", "BEFORE (SELECT 1)": "near '(SELECT 1)' at line 1", "BEFORE": "near '' at line 1",
		"TO 'binlog.000004' nix": "near 'nix' at line 1", "BEFORE nix": "Error 1054",
	} {
		_, err := c.ExecContext(context.Background(), "PURGE BINARY LOGS "+rest)
		require.ErrorContains(t, err, want, rest)
	}
}

// TestResetTo: the number a reset may begin with, and what is reset together.
func TestResetTo(t *testing.T) {
	_, _, c := binlogServer(t, t.TempDir())
	for n, want := range map[string]string{
		"0":          "Error 3567 (HY000): The requested value '0' for the next binary log index is out of range. Please use a value between '1' and '2000000000'.",
		"2000000001": "Error 3567", "18446744073709551615": "The requested value '18446744073709551615'", "18446744073709551616": "Error 1064", "-1": "near '-1'",
		"'5'": "near ''5''", "x": "near 'x'", "": "near ''", "5 6": "near '6'", "5, nix": "near 'nix'",
	} {
		_, err := c.ExecContext(context.Background(), "RESET BINARY LOGS AND GTIDS TO "+n)
		require.ErrorContains(t, err, want, n)
	}
	for _, x := range [][]string{
		{"RESET BINARY LOGS AND GTIDS TO 2000000000; FLUSH BINARY LOGS", "binlog.2000000000", "binlog.2000000001"}, {"RESET BINARY LOGS AND GTIDS TO 0x10", "binlog.000016"},
		{"RESET BINARY LOGS AND GTIDS TO 999999; FLUSH BINARY LOGS", "binlog.999999", "binlog.1000000"}, {"PURGE BINARY LOGS TO 'binlog.1000000'", "binlog.1000000"},
		{"RESET REPLICA ALL, BINARY LOGS AND GTIDS TO 4", "binlog.000004"}, {"RESET BINARY LOGS AND GTIDS, BINARY LOGS AND GTIDS TO 6, REPLICA", "binlog.000006"},
	} {
		exec(t, c, x[0])
		var names []string
		for _, r := range rows(t, c, "SHOW BINARY LOGS") {
			names = append(names, r[0])
		}
		require.Equal(t, x[1:], names, x[0])
	}
}

// TestResetUsesUpGTID: a FLUSH or RESET under a named GTID is its transaction, and is refused
// within another.
func TestResetUsesUpGTID(t *testing.T) {
	_, _, c := binlogServer(t, t.TempDir())
	const id = "aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa:"
	exec(t, c, "CREATE DATABASE d; CREATE TABLE d.t (a INT PRIMARY KEY)")
	for i, query := range []string{"RESET BINARY LOGS AND GTIDS", "FLUSH BINARY LOGS", "FLUSH STATUS", "RESET REPLICA"} {
		exec(t, c, fmt.Sprintf("SET gtid_next = '%s%d'; %s", id, i+1, query))
		_, err := c.ExecContext(context.Background(), "INSERT INTO d.t VALUES (1)")
		require.ErrorContains(t, err, "Error 1837")
		exec(t, c, "SET gtid_next = 'AUTOMATIC'")
	}
	require.Equal(t, id+"1-4", rows(t, c, "SELECT @@gtid_executed")[0][0])
	exec(t, c, fmt.Sprintf("SET gtid_next = '%s5'; BEGIN; INSERT INTO d.t VALUES (1)", id))
	_, err := c.ExecContext(context.Background(), "FLUSH STATUS")
	require.ErrorContains(t, err, "Error 1778")
	exec(t, c, "ROLLBACK")
}

// TestBinlogDefaultRoles: what changes accounts is logged as itself, not as the statement before
// it, commits, and is not for a server that is read only.
func TestBinlogDefaultRoles(t *testing.T) {
	_, _, c := binlogServer(t, t.TempDir())
	exec(t, c, "CREATE DATABASE d; CREATE TABLE d.t (a INT PRIMARY KEY); CREATE ROLE r; CREATE USER u; GRANT r TO u")
	newest := func() string {
		all := rows(t, c, "SHOW BINLOG EVENTS")
		return all[len(all)-1][5]
	}
	for query, logged := range map[string]string{"SET DEFAULT ROLE r TO u": "SET DEFAULT ROLE r TO u", "ALTER USER u DEFAULT ROLE ALL": "ALTER USER 'u'@'%' DEFAULT ROLE ALL"} {
		exec(t, c, "INSERT INTO d.t SELECT COUNT(*) FROM d.t; "+query)
		require.Equal(t, logged, newest())
		exec(t, c, "BEGIN; INSERT INTO d.t SELECT COUNT(*) FROM d.t; "+query+"; ROLLBACK")
		require.Equal(t, logged, newest())
	}
	require.Equal(t, "4", rows(t, c, "SELECT COUNT(*) FROM d.t")[0][0])
	exec(t, c, "SET GLOBAL super_read_only = 1")
	for _, query := range []string{"SET DEFAULT ROLE r TO u", "SET PASSWORD FOR u = 'x'"} {
		_, err := c.ExecContext(context.Background(), query)
		require.ErrorContains(t, err, "Error 1290", query)
	}
}

func TestSemiSync(t *testing.T) {
	ts, _, c := binlogServer(t, t.TempDir(), "--rpl-semi-sync-source-enabled", "--rpl-semi-sync-source-timeout=0")
	exec(t, c, "SET sql_log_bin = 0; CREATE USER repl IDENTIFIED WITH mysql_native_password BY 'p'; GRANT REPLICATION SLAVE ON *.* TO repl; SET sql_log_bin = 1")
	exec(t, c, "CREATE DATABASE d; CREATE TABLE d.t (a INT PRIMARY KEY)") // nobody answers: not waited for
	status := func() string { return rows(t, c, "SHOW STATUS LIKE 'Rpl_semi_sync_source_status'")[0][1] }
	require.Equal(t, "OFF", status())
	st, err := replicaOf(t, ts, 100, true).StartSyncGTID(nothing(t))
	require.NoError(t, err)
	told(t, st, "CREATE TABLE d.t (a INT PRIMARY KEY)")
	exec(t, c, "SET GLOBAL rpl_semi_sync_source_timeout = 3600000")
	for i := 0; status() != "ON"; i++ { // when it has answered
		exec(t, c, fmt.Sprintf("INSERT INTO d.t VALUES (%d)", i))
	}
	exec(t, c, "CREATE TABLE d.last (a INT)")
	require.Equal(t, "ON", status())
	told(t, st, "CREATE TABLE d.last (a INT)")
}

// TestManyRowsAreTold: what changes many rows leaf by leaf logs them in the order and with the
// images that go-mysql-server's way has.
func TestManyRowsAreTold(t *testing.T) {
	ts, _, c := binlogServer(t, t.TempDir())
	exec(t, c, "SET sql_log_bin = 0; CREATE USER repl IDENTIFIED WITH mysql_native_password BY 'p'; GRANT REPLICATION SLAVE ON *.* TO repl; SET sql_log_bin = 1")
	var ways [][]string
	for _, compiled := range []int{1, 0} {
		exec(t, c, fmt.Sprintf("SET ember_compiled_statements = %d; SET ember_executor = OFF; CREATE DATABASE d%d; USE d%d", compiled, compiled, compiled))
		before := rows(t, c, "SHOW GLOBAL STATUS LIKE 'Ember_compiled_executions'")[0][1]
		exec(t, c, "CREATE TABLE t (id INT PRIMARY KEY, v INT NOT NULL, s VARCHAR(60), k INT, u INT, KEY k (k), UNIQUE KEY u (u)); CREATE TABLE h (a INT, s VARCHAR(20))")
		for _, image := range []string{"FULL", "MINIMAL", "NOBLOB"} {
			exec(t, c, "SET binlog_row_image = "+image)
			exec(t, c, "INSERT INTO t WITH RECURSIVE r AS (SELECT 1 n UNION ALL SELECT n + 1 FROM r WHERE n < 400) SELECT n, n, 'some', n % 10, n * 2 FROM r")
			exec(t, c, "INSERT INTO h SELECT id, s FROM t")
			for _, query := range []string{
				"UPDATE t SET v = v + 1", "UPDATE t SET v = v + 2, k = IF(id % 7 = 0, k + 1, k)", "UPDATE t SET v = v + 3 ORDER BY id DESC", "UPDATE t SET v = v + 4 WHERE k > 3 ORDER BY k LIMIT 90",
				"UPDATE t SET s = REPEAT('l', id % 50), u = IF(id = 200, 1, u)", "UPDATE t SET v = v + (id % 2)", "UPDATE h SET s = CONCAT(s, a) WHERE a > 5",
				"BEGIN", "UPDATE t SET v = v + 5", "SAVEPOINT s", "UPDATE t SET v = v + 6", "DELETE FROM t WHERE id > 300", "ROLLBACK TO s", "DELETE FROM t WHERE id > 350", "COMMIT",
				"BEGIN", "DELETE FROM t WHERE id > 9", "ROLLBACK", "DELETE FROM t WHERE k > 5", "DELETE FROM h", "DELETE FROM t ORDER BY id DESC LIMIT 50", "DELETE FROM t",
			} {
				exec(t, c, query)
			}
			_, err := c.ExecContext(context.Background(), "INSERT INTO t SELECT 1, 1, 1, 1, 1 UNION ALL SELECT 2, 2, 2, 2, 2 UNION ALL SELECT 3, 3, 3, 3, 3 UNION ALL SELECT 4, 4, 4, 4, 4 "+
				"UNION ALL SELECT 5, 5, 5, 5, 5 UNION ALL SELECT 6, 6, 6, 6, 6 UNION ALL SELECT 7, 7, 7, 7, 7")
			require.NoError(t, err)
			_, err = c.ExecContext(context.Background(), "UPDATE t SET v = v + 1, u = IF(id = 7, 6, u)")
			require.ErrorContains(t, err, "1062")
			exec(t, c, "DELETE FROM t WHERE id < 8")
		}
		if after := rows(t, c, "SHOW GLOBAL STATUS LIKE 'Ember_compiled_executions'")[0][1]; compiled == 1 {
			require.NotEqual(t, before, after)
		}
		exec(t, c, fmt.Sprintf("DROP DATABASE d%d", compiled))
		st, err := replicaOf(t, ts, uint32(200+compiled), false).StartSyncGTID(nothing(t))
		require.NoError(t, err)
		all := told(t, st, fmt.Sprintf("DROP DATABASE d%d", compiled))
		for i, text := range all {
			if text == fmt.Sprintf("CREATE DATABASE d%d", compiled) {
				all = all[i+1 : len(all)-1]
				break
			}
		}
		ways = append(ways, all)
	}
	require.Equal(t, ways[1], ways[0])
}

// A replica by position counts the bytes it gets, so an event comes as it stands in its file,
// whether or not the replica wants checksums.
func TestReplicaCountsBytes(t *testing.T) {
	ts, _, c := binlogServer(t, t.TempDir())
	exec(t, c, "SET sql_log_bin = 0; CREATE USER repl IDENTIFIED WITH mysql_native_password BY 'p'; GRANT REPLICATION SLAVE ON *.* TO repl; SET sql_log_bin = 1")
	exec(t, c, "CREATE DATABASE d; CREATE TABLE d.t (a INT PRIMARY KEY); INSERT INTO d.t VALUES (1); SET GLOBAL binlog_checksum = NONE")
	exec(t, c, "INSERT INTO d.t VALUES (2); SET GLOBAL binlog_checksum = CRC32; INSERT INTO d.t VALUES (3); DROP TABLE d.t")
	st, err := replicaOf(t, ts, 100, false).StartSync(mysql.Position{Name: "binlog.000001", Pos: 4})
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), testkit.WaitLimit)
	defer cancel()
	countBytes(ctx, t, st, "DROP TABLE")

	// One by GTIDs is told what was passed over.
	id := rows(t, c, "SELECT @@server_uuid")[0][0]
	set, err := mysql.ParseMysqlGTIDSet(id + ":2-3:5")
	require.NoError(t, err)
	st, err = replicaOf(t, ts, 101, false).StartSyncGTID(set)
	require.NoError(t, err)
	countBytes(ctx, t, st, "DROP TABLE")

	// Who does not say that it knows of checksums would take them for data.
	r := ts.dial()
	r.send(0, append([]byte{commands.ComBinlogDump, 4, 0, 0, 0, 0, 0, 9, 0, 0, 0}, "binlog.000001"...))
	_, p := r.recv() // the file's name
	require.Equal(t, byte(wire.OK), p[0], "%q", p)
	require.Equal(t, 1236, r.recvError())
}

// countBytes expects of each event, up to a statement, that the bytes that came lead to the
// position it tells.
func countBytes(ctx context.Context, t *testing.T, st *replication.BinlogStreamer, last string) {
	t.Helper()
	for at := uint32(0); ; {
		e, err := st.GetEvent(ctx)
		require.NoError(t, err)
		switch x := e.Event.(type) {
		case *replication.RotateEvent:
			if e.Header.LogPos == 0 {
				at = uint32(x.Position)
				continue
			}
		case *replication.QueryEvent:
			if strings.HasPrefix(string(x.Query), last) {
				return
			}
		}
		if e.Header.EventType == replication.HEARTBEAT_EVENT {
			require.GreaterOrEqual(t, e.Header.LogPos, at)
			at = e.Header.LogPos
			continue
		}
		at += e.Header.EventSize
		require.Equal(t, e.Header.LogPos, at, e.Header.EventType)
	}
}

// Statements that were run before, and are compiled, are logged with their text as well.
func TestTextOfEachStatement(t *testing.T) {
	_, _, c := binlogServer(t, t.TempDir())
	exec(t, c, "CREATE DATABASE d; CREATE TABLE d.t (a INT PRIMARY KEY); SET binlog_rows_query_log_events = 1")
	var want, got []string
	for i := range 3 {
		for _, q := range []string{"INSERT INTO d.t VALUES (%d)", "DELETE FROM d.t WHERE a = %d"} {
			q := fmt.Sprintf(q, i)
			exec(t, c, q)
			want = append(want, "# "+q)
		}
	}
	for _, row := range rows(t, c, "SHOW BINLOG EVENTS") {
		if row[2] == "Rows_query" {
			got = append(got, row[5])
		}
	}
	require.Equal(t, want, got)
}

// binlog_expire_logs_auto_purge = OFF keeps old files.
func TestOldLogsAreRemoved(t *testing.T) {
	dir := t.TempDir()
	ts, stop, c := binlogServer(t, dir)
	defer stop()
	exec(t, c, "FLUSH BINARY LOGS")
	first := rows(t, c, "SHOW BINARY LOGS")[0][0]
	later := time.Now().AddDate(1, 0, 0)
	exec(t, c, "SET GLOBAL binlog_expire_logs_auto_purge = OFF")
	ts.removeExpired(later)
	require.Equal(t, first, rows(t, c, "SHOW BINARY LOGS")[0][0])
	exec(t, c, "SET GLOBAL binlog_expire_logs_auto_purge = ON")
	ts.removeExpired(later)
	require.NotEqual(t, first, rows(t, c, "SHOW BINARY LOGS")[0][0])
}
