package server

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/server/logs"
)

// TestSlowExtra: an entry has MySQL 9.7's fields in its order. The counts of a scan are MySQL's, by
// a program and by the library.
func TestSlowExtra(t *testing.T) {
	const fields = "Query_time Lock_time Rows_sent Rows_examined Thread_id Errno Killed Bytes_received Bytes_sent Read_first Read_last Read_key Read_next Read_prev Read_rnd " +
		"Read_rnd_next Sort_merge_passes Sort_range_count Sort_rows Sort_scan_count Created_tmp_disk_tables Created_tmp_tables Count_hit_tmp_table_size Start End"
	ts, _ := startReal(t, t.TempDir())
	db := ts.login("root", "", "")
	db.SetMaxOpenConns(1)
	log := filepath.Join(t.TempDir(), "slow.log")
	for _, q := range []string{"CREATE DATABASE u", "CREATE TABLE u.t (a INT PRIMARY KEY, b INT)", "INSERT INTO u.t VALUES (1, 1), (2, 2)",
		"SET GLOBAL slow_query_log_file = '" + log + "'", "SET GLOBAL log_slow_extra = 1", "SET GLOBAL slow_query_log = 1", "SET long_query_time = 0"} {
		exec(t, db, q)
	}
	rows(t, db, "SELECT a FROM u.t WHERE a = 1")
	rows(t, db, "SELECT b, COUNT(*) FROM u.t GROUP BY b ORDER BY b DESC")
	_, err := db.Exec("SELECT nope FROM u.t")
	require.Error(t, err)
	exec(t, db, "SET GLOBAL slow_query_log = 0")
	data, err := os.ReadFile(log)
	require.NoError(t, err)
	entry := func(statement string) (line string) {
		before, _, found := strings.Cut(string(data), "\n"+statement+";\n")
		require.True(t, found, statement)
		return before[strings.LastIndex(before, "# Query_time"):]
	}
	value := func(line, name string) string {
		_, rest, found := strings.Cut(line, " "+name+": ")
		require.True(t, found, name)
		return strings.Fields(rest)[0]
	}
	point := entry("SELECT a FROM u.t WHERE a = 1")
	at := 0
	for name := range strings.FieldsSeq(fields) {
		i := strings.Index(point, name+": ")
		require.GreaterOrEqual(t, i, at, name)
		at = i
	}
	require.Equal(t, []string{"1", "1", "1", "0"}, []string{value(point, "Rows_sent"), value(point, "Rows_examined"), value(point, "Read_key"), value(point, "Errno")})
	group := entry("SELECT b, COUNT(*) FROM u.t GROUP BY b ORDER BY b DESC")
	require.Equal(t, []string{"2", "2"}, []string{value(group, "Rows_sent"), value(group, "Rows_examined")})
	require.Equal(t, "1054", value(entry("SELECT nope FROM u.t"), "Errno"))
}

// TestGeneralLog: it tells of connections and commands, with what MySQL calls them.
func TestGeneralLog(t *testing.T) {
	ts, end := startReal(t, t.TempDir())
	root := ts.login("root", "", "")
	log := filepath.Join(t.TempDir(), "general.log")
	exec(t, root, "CREATE DATABASE u")
	exec(t, root, "SET GLOBAL general_log_file = '"+log+"'")
	exec(t, root, "SET GLOBAL general_log = 1")
	db := ts.login("root", "", "")
	rows(t, db, "SELECT 41")
	p, err := db.Prepare("SELECT ? + 1")
	require.NoError(t, err)
	require.NoError(t, p.Close())
	require.NoError(t, db.Close())
	end() // all connections have ended
	data, err := os.ReadFile(log)
	require.NoError(t, err)
	for _, want := range []string{" Connect\troot@localhost on  using TCP/IP\n", " Query\tSELECT 41\n", " Prepare\tSELECT ? + 1\n", " Quit\t\n"} {
		require.Contains(t, string(data), want)
	}
}

// TestErrorLog: records are kept for performance_schema.error_log, a bounded number of them, and
// written as lines of text or of JSON.
func TestErrorLog(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	db := ts.login("root", "", "")
	ts.log.Warn("a pipe | and \"quotes\"", "key", "value of it")
	require.Equal(t, [][]string{{"Warning", "Server", `a pipe | and "quotes" key="value of it"`}},
		rows(t, db, "SELECT PRIO, SUBSYSTEM, DATA FROM performance_schema.error_log WHERE DATA LIKE 'a pipe%'"))
	var out bytes.Buffer
	h := logs.NewLineHandler(&out, slog.LevelInfo, logs.LogFormat{JSON: true})
	l := slog.New(h)
	for range logs.KeptRecords + 5 {
		l.Error("two\nlines", "n", 1)
	}
	l.Info("last")
	kept := h.Records()
	require.Len(t, kept, logs.KeptRecords)
	require.Equal(t, "last", kept[logs.KeptRecords-1].Text)
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Len(t, lines, logs.KeptRecords+6)
	var rec map[string]any
	require.NoError(t, json.Unmarshal([]byte(lines[0]), &rec))
	require.Equal(t, []any{1.0, "Error", `two\nlines n=1`}, []any{rec["prio"], rec["label"], rec["msg"]})
}
