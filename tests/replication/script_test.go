package replication

import (
	"context"
	"database/sql"
	"encoding/base64"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-mysql-org/go-mysql/replication"
	mysqldriver "github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

// recordedScript is what mysqlbinlog of MySQL 9.7 makes of a binary log of it.
const recordedScript = "testdata/mysqlbinlog/mysql-9.7.sql"

// statementsOf cuts a script of mysqlbinlog as MySQL's client does: comments are statements of
// their own, \C is the client's.
func statementsOf(t *testing.T) (all []string) {
	b, err := os.ReadFile(recordedScript)
	require.NoError(t, err)
	text := regexp.MustCompile(`(?m)^DELIMITER .*$|/\*!\\C .*? \*/`).ReplaceAllString(string(b), "")
	for s := range strings.SplitSeq(strings.ReplaceAll(text, "/*!*/;", "\x00"), "\x00") {
		s = strings.TrimSpace(s)
		for strings.HasPrefix(s, "#") {
			line, rest, _ := strings.Cut(s, "\n")
			all, s = append(all, line), strings.TrimSpace(rest)
		}
		for s != "" && strings.HasPrefix(s, "/*!50") && strings.Contains(s, ";\n") { // before the first DELIMITER, and behind the last
			line, rest, _ := strings.Cut(s, ";\n")
			all, s = append(all, line), strings.TrimSpace(rest)
		}
		if s != "" {
			all = append(all, s)
		}
	}
	return all
}

// TestScriptOfMysqlbinlog applies MySQL's log the way an operator does who brings a restored backup
// up to date: by the script that mysqlbinlog makes of it.
func TestScriptOfMysqlbinlog(t *testing.T) {
	s := emberd.Start(t, "--log-bin=binlog", "--server-id=5", "--gtid-mode=ON", "--enforce-gtid-consistency=ON")
	db := s.Open("")
	defer db.Close()
	ctx := context.Background()
	c, err := db.Conn(ctx)
	require.NoError(t, err)
	defer c.Close()
	var executed int
	for _, q := range statementsOf(t) {
		_, err := c.ExecContext(ctx, q)
		require.NoError(t, err, q)
		if strings.HasPrefix(q, "BINLOG") {
			executed++
		}
	}
	require.Equal(t, 16, executed)
	for query, want := range map[string]string{
		"SELECT id, e, HEX(b), ST_AsText(g), bt + 0, n, CONVERT_TZ(ts, @@time_zone, '+00:00'), y, s FROM d.c ORDER BY id": "1 b 00FF POINT(1 2) 5 1.25 2020-02-03 01:05:06.123456 2020 x,y\n",
		"SELECT a, b, f, dd, j FROM d.nopk ORDER BY b":                                                                    `1 a 1.5 2.5 {"a": [1, 2.5, "x"]}` + "\n" + `1 zz 1.5 2.5 {"a": [1, 2.5, "x"]}` + "\n",
		"SELECT * FROM d.gen ORDER BY a":                                                                                  "6 12 7\n7 14 8\n",
		"SELECT * FROM d.made":                                                                                            "1 b 1.25\n",
		"SELECT * FROM d.fk":                                                                                              "1 1\n",
		"SELECT * FROM d.tr ORDER BY a":                                                                                   "101\n102\n",
		"SELECT HEX(x) FROM d.lat ORDER BY 1":                                                                             "61\nE9\n",
		"SELECT @@gtid_executed":                                                                                          "c973a638-e909-11f1-92b1-02fc00000001:1-22\n",
		"SELECT COUNT(*) FROM information_schema.triggers WHERE trigger_schema = 'd'":                                     "1\n",
	} {
		require.Equal(t, want, textOf(t, c, query), query)
	}

	// Where the transactions come from is in this server's log as well.
	_, err = c.ExecContext(ctx, "FLUSH BINARY LOGS")
	require.NoError(t, err)
	var first, last *replication.GTIDEvent
	require.NoError(t, replication.NewBinlogParser().ParseFile(filepath.Join(s.Dir, "binlog.000001"), 0, func(e *replication.BinlogEvent) error {
		if g, ok := e.Event.(*replication.GTIDEvent); ok {
			if first == nil {
				first = g
			}
			last = g
		}
		return nil
	}))
	require.EqualValues(t, 90704, first.OriginalServerVersion)
	require.EqualValues(t, 80400, first.ImmediateServerVersion)
	require.Less(t, first.OriginalCommitTimestamp, first.ImmediateCommitTimestamp)
	require.EqualValues(t, 80000, last.OriginalServerVersion)
	require.EqualValues(t, 1600000000000000, last.OriginalCommitTimestamp)
	require.Equal(t, "36028797018963968 999999\n", textOf(t, c, "SELECT @@original_commit_timestamp, @@original_server_version"))
}

// TestBinlogStatements holds BINLOG to what MySQL 9.7 answers.
func TestBinlogStatements(t *testing.T) {
	s := emberd.Start(t, "--log-bin=binlog", "--server-id=5")
	db := s.Open("")
	defer db.Close()
	db.SetMaxOpenConns(1)
	var events []string // the first is the format description
	for _, q := range statementsOf(t) {
		if strings.HasPrefix(q, "BINLOG") {
			events = append(events, q)
		}
	}
	binlog := func(e []byte) string { return "BINLOG '" + base64.StdEncoding.EncodeToString(e) + "'" }
	event := func(kind byte, body string) []byte {
		e := append(make([]byte, 19), body...)
		e[4], e[9] = kind, byte(len(e))
		return e
	}
	code := func(want uint16, q string) {
		t.Helper()
		_, err := db.Exec(q)
		var e *mysqldriver.MySQLError
		require.ErrorAs(t, err, &e, q)
		require.Equal(t, want, e.Number, "%s: %s", q, e.Message)
	}
	code(1609, events[1])
	code(1575, "BINLOG 'abc'")
	code(1575, "BINLOG '***'")
	code(1149, "BINLOG ''")
	code(1064, "BINLOG")
	code(1064, "BINLOG @a")
	code(1730, "BINLOG 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'")
	execAll(t, db, events[0])
	code(1149, binlog(event(19, "")[:12]))
	code(1730, binlog(event(2, "abcdefghijklmnop")))
	code(1610, binlog(event(19, "no table map, and no checksum")))
	code(1610, binlog(event(30, "abcdefghijklmnop")))
	code(1049, events[1])
	execAll(t, db, "CREATE DATABASE d")
	code(1146, events[1])

	// In the client's transaction, and as one without; its variables stay as they are.
	execAll(t, db, "CREATE TABLE d.c (id INT PRIMARY KEY AUTO_INCREMENT, e ENUM('a','b'), b BLOB, g GEOMETRY, bt BIT(5), n DECIMAL(10,2), "+
		"ts TIMESTAMP(6) NULL, y YEAR, s SET('x','y'))", "SET time_zone = '+05:00', sql_mode = '', foreign_key_checks = 0, autocommit = 0")
	execAll(t, db, events[1])
	const settings = "SELECT @@time_zone, @@sql_mode, @@foreign_key_checks, @@unique_checks, @@character_set_client, COUNT(*) FROM d.c"
	require.Equal(t, "+05:00  0 1 utf8mb4 1\n", textOf(t, db, settings))
	code(1062, events[1])
	require.Equal(t, "+05:00  0 1 utf8mb4 1\n", textOf(t, db, settings))
	execAll(t, db, "ROLLBACK", "SET autocommit = 1")
	require.Equal(t, "+05:00  0 1 utf8mb4 0\n", textOf(t, db, settings))
	execAll(t, db, events[1], "ROLLBACK")
	require.Equal(t, "+05:00  0 1 utf8mb4 1\n", textOf(t, db, settings))
	twice := strings.Replace(events[1], "'\n", "'\n"+events[1][strings.IndexByte(events[1], '\n')+1:strings.LastIndexByte(events[1], '\'')], 1)
	execAll(t, db, "TRUNCATE d.c", "BEGIN", "INSERT INTO d.c (id) VALUES (7)")
	code(1062, twice) // nothing of it stays, and what was before does
	require.Equal(t, "+05:00  0 1 utf8mb4 1\n", textOf(t, db, settings))
	execAll(t, db, events[1])
	require.Equal(t, "+05:00  0 1 utf8mb4 2\n", textOf(t, db, settings))
	execAll(t, db, "ROLLBACK", "SET autocommit = 0")
	code(1062, twice)
	require.Equal(t, "+05:00  0 1 utf8mb4 0\n", textOf(t, db, settings))
	execAll(t, db, "ROLLBACK", "SET autocommit = 1")
	code(1032, events[2]) // an update of what is not there

	// Privileges, of BINLOG and of the variables around it.
	execAll(t, db, "CREATE USER u", "CREATE USER a", "GRANT REPLICATION_APPLIER ON *.* TO a", "GRANT ALL ON d.* TO u, a")
	for user, want := range map[string][2]uint16{"u": {1227, 1227}, "a": {0, 1227}} {
		cfg := s.Config("")
		cfg.User = user
		connector, err := mysqldriver.NewConnector(cfg)
		require.NoError(t, err)
		as := sql.OpenDB(connector)
		as.SetMaxOpenConns(1)
		for q, want := range map[string]uint16{"SET original_commit_timestamp = 5": want[0], "SET gtid_next = 'AUTOMATIC'": want[0], "SET pseudo_slave_mode = 1": want[0],
			"SET immediate_server_version = 90704": want[0], "SET sql_log_bin = 0": want[1], "SET pseudo_thread_id = 3": want[1], "SET sql_mode = ''": 0} {
			_, err := as.Exec(q)
			var e mysqldriver.MySQLError
			if is, ok := err.(*mysqldriver.MySQLError); ok {
				e = *is
			}
			require.Equal(t, want, e.Number, "%s: %s: %v", user, q, err)
		}
		if _, err = as.Exec(events[0]); user == "u" {
			require.ErrorContains(t, err, "(at least one of) the SUPER, BINLOG_ADMIN or REPLICATION_APPLIER privilege(s)")
		} else {
			require.NoError(t, err)
			execAll(t, db, "SET GLOBAL read_only = 1")
			_, err = as.Exec(events[1])
			require.ErrorContains(t, err, "--read-only")
			execAll(t, db, "SET GLOBAL read_only = 0")
		}
		require.NoError(t, as.Close())
	}
}

// textOf is the result of a query, a line for each row.
func textOf(t *testing.T, db interface {
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
}, query string) string {
	t.Helper()
	rows, err := db.QueryContext(context.Background(), query)
	require.NoError(t, err, query)
	defer rows.Close()
	columns, err := rows.Columns()
	require.NoError(t, err)
	var out strings.Builder
	for rows.Next() {
		values := make([]sql.NullString, len(columns))
		into := make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		require.NoError(t, rows.Scan(into...))
		for i, v := range values {
			if i > 0 {
				out.WriteByte(' ')
			}
			out.WriteString(v.String)
		}
		out.WriteByte('\n')
	}
	require.NoError(t, rows.Err())
	return out.String()
}
