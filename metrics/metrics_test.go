package metrics

import (
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// scrape returns the samples that a snapshot gives.
func scrape(t *testing.T, s Snapshot) map[string]string {
	t.Helper()
	w := httptest.NewRecorder()
	Handler(func() Snapshot { return s }).ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	body, err := io.ReadAll(w.Body)
	require.NoError(t, err)
	require.Equal(t, 200, w.Code, string(body))
	samples := map[string]string{}
	for line := range strings.Lines(string(body)) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "} "); ok && !strings.HasPrefix(line, "#") {
			samples[name+"}"] = value
		} else if name, value, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name != "#" {
			samples[name] = value
		}
	}
	return samples
}

// Names and labels are those of mysqld_exporter.
func TestNames(t *testing.T) {
	began := time.Unix(1700000000, 0)
	got := scrape(t, Snapshot{
		Version: "9.7.0", Comment: "Ember", Ready: true, WarmPercent: 50,
		Status: map[string]any{"Com_select": uint64(7), "Handler_read_key": uint64(3), "Threads_running": uint64(2), "Connection_errors_accept": uint64(1),
			"Innodb_buffer_pool_pages_data": uint64(5), "Innodb_buffer_pool_pages_dirty": uint64(4), "Innodb_buffer_pool_pages_flushed": uint64(9),
			"Innodb_buffer_pool_pages_total": uint64(8), "Innodb_rows_read": uint64(6), "Performance_schema_digest_lost": uint64(0),
			"Ssl_version": "", "Rpl_semi_sync_source_status": "ON", "Ember_recovery_seconds": "0.250000"},
		Variables: map[string]any{"max_connections": int64(151), "read_only": int8(0), "transaction_isolation": "REPEATABLE-READ", "datadir": "/d"},
		InnoDB:    []Counter{{"dml", "dml_reads", 6, false}, {"buffer", "buffer_pool_pages_data", 5, true}},
		Threads:   []Thread{{"root", "localhost", "Binlog Dump", "Sending", 2 * time.Second}, {"root", "h", "Binlog Dump", "Sending", time.Second}},
		Replica:   []Field{{"Source_Host", "db1"}, {"Source_UUID", "u"}, {"Channel_Name", ""}, {"Replica_SQL_Running", "Yes"}, {"Seconds_Behind_Source", nil}},
		Binlog:    &Binlog{Files: 2, Bytes: 300, Number: 12},
		Starts: []Start{{Began: began.Add(-time.Hour)}, {Began: began, Phases: []Phase{{Name: "redo scan", Took: 250 * time.Millisecond},
			{Name: "redo scan", Took: 250 * time.Millisecond}}}},
	})
	for name, want := range map[string]string{
		"mysql_up": "1",
		`mysql_version_info{innodb_version="9.7.0",version="9.7.0",version_comment="Ember"}`:                           "1",
		`mysql_global_status_commands_total{command="select"}`:                                                         "7",
		`mysql_global_status_handlers_total{handler="read_key"}`:                                                       "3",
		`mysql_global_status_connection_errors_total{error="accept"}`:                                                  "1",
		"mysql_global_status_threads_running":                                                                          "2",
		`mysql_global_status_buffer_pool_pages{state="data"}`:                                                          "5",
		"mysql_global_status_buffer_pool_dirty_pages":                                                                  "4",
		`mysql_global_status_buffer_pool_page_changes_total{operation="flushed"}`:                                      "9",
		`mysql_global_status_innodb_row_ops_total{operation="read"}`:                                                   "6",
		`mysql_global_status_performance_schema_lost_total{instrumentation="digest_lost"}`:                             "0",
		"mysql_global_status_rpl_semi_sync_source_status":                                                              "1",
		"mysql_global_variables_max_connections":                                                                       "151",
		"mysql_global_variables_read_only":                                                                             "0",
		`mysql_transaction_isolation{level="REPEATABLE-READ"}`:                                                         "1",
		"mysql_info_schema_innodb_metrics_dml_dml_reads_total":                                                         "6",
		"mysql_info_schema_innodb_metrics_buffer_buffer_pool_pages_data":                                               "5",
		`mysql_info_schema_processlist_threads{command="binlog_dump",state="sending"}`:                                 "2",
		`mysql_info_schema_processlist_seconds{command="binlog_dump",state="sending"}`:                                 "3",
		`mysql_info_schema_processlist_processes_by_user{mysql_user="root"}`:                                           "2",
		`mysql_slave_status_replica_sql_running{channel_name="",connection_name="",master_host="db1",master_uuid="u"}`: "1",
		`mysql_slave_status_slave_sql_running{channel_name="",connection_name="",master_host="db1",master_uuid="u"}`:   "1",
		"mysql_binlog_size_bytes":                                                                                      "300",
		"mysql_binlog_files":                                                                                           "2",
		"mysql_binlog_file_number":                                                                                     "12",
		"ember_ready":                                                                                                  "1",
		"ember_warm_ratio":                                                                                             "0.5",
		"ember_recovery_seconds":                                                                                       "0.25",
		`ember_start_time_seconds{start="this"}`:                                                                       "1.7e+09",
		`ember_start_time_seconds{start="previous"}`:                                                                   "1.6999964e+09",
		`ember_start_phase_seconds{phase="redo scan",start="this"}`:                                                    "0.5",
	} {
		require.Equal(t, want, got[name], name)
	}
	for name := range got {
		for _, none := range []string{"pages_total", "mysql_global_status_ssl_version", "datadir", "seconds_behind"} {
			require.NotContains(t, name, none)
		}
	}
}

// Whatever users call themselves, a scrape is answered.
func TestBadText(t *testing.T) {
	got := scrape(t, Snapshot{Threads: []Thread{{User: "\xff\"\n", Command: "Query"}}, Status: map[string]any{"a-b": uint64(1)}})
	require.Equal(t, "1", got["mysql_global_status_a_b"])
	require.Equal(t, "1", got[`mysql_info_schema_processlist_processes_by_user{mysql_user="?\"\n"}`])
}

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		v    any
		want float64
		ok   bool
	}{{"ON", 1, true}, {"No", 0, true}, {"1.5", 1.5, true}, {true, 1, true}, {nil, 0, false}, {"NaN", 0, false}, {"x", 0, false}, {"", 0, false}, {int64(-1), -1, true}} {
		n, ok := number(c.v)
		require.Equal(t, c.ok, ok, "%v", c.v)
		require.Equal(t, c.want, n, "%v", c.v)
	}
}
