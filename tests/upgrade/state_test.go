package upgrade

import (
	"database/sql"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

// ours names the databases that load.sql makes.
const ours = "table_schema IN ('all_types', 'shop')"

// state describes everything in a server: definitions, rows, accounts, variables, binary log.
func state(t *testing.T, s *emberd.Server) string {
	t.Helper()
	db := s.Open("")
	defer db.Close()
	db.SetMaxOpenConns(1) // the variable is a session's
	var out strings.Builder
	show := func(query string) {
		fmt.Fprintf(&out, "== %s\n", query)
		for _, row := range rows(t, db, query) {
			fmt.Fprintln(&out, strings.Join(row, " | "))
		}
	}
	each := func(list, query string) {
		for _, row := range rows(t, db, list) {
			args := make([]any, len(row))
			for i, v := range row {
				args[i] = v
			}
			show(fmt.Sprintf(query, args...))
		}
	}
	_, err := db.Exec("SET print_identified_with_as_hex = ON")
	require.NoError(t, err)
	each("SELECT schema_name FROM information_schema.schemata WHERE schema_name IN ('all_types', 'shop') ORDER BY 1", "SHOW CREATE DATABASE %s")
	each("SELECT table_schema, table_name FROM information_schema.tables WHERE "+ours+" ORDER BY 1, 2", "SHOW CREATE TABLE %s.%s")
	each(`SELECT GROUP_CONCAT(column_name ORDER BY ordinal_position), table_schema, table_name FROM information_schema.columns WHERE `+ours+`
		GROUP BY table_schema, table_name ORDER BY 2, 3`, "SELECT %s FROM %s.%s ORDER BY 1")
	each("SELECT trigger_schema, trigger_name FROM information_schema.triggers WHERE trigger_schema = 'shop' ORDER BY 1, 2", "SHOW CREATE TRIGGER %s.%s")
	each("SELECT routine_type, routine_schema, routine_name FROM information_schema.routines WHERE routine_schema = 'shop' ORDER BY 1, 2, 3", "SHOW CREATE %s %s.%s")
	each("SELECT event_schema, event_name FROM information_schema.events ORDER BY 1, 2", "SHOW CREATE EVENT %s.%s")
	each("SELECT user, host FROM mysql.user ORDER BY 1, 2", "SHOW CREATE USER '%s'@'%s'")
	each("SELECT user, host FROM mysql.user WHERE user NOT LIKE 'mysql.%' ORDER BY 1, 2", "SHOW GRANTS FOR '%s'@'%s'")
	for _, query := range []string{"SELECT * FROM mysql.role_edges ORDER BY 1, 2, 3, 4", "SELECT * FROM mysql.default_roles ORDER BY 1, 2, 3, 4",
		"SELECT * FROM information_schema.st_spatial_reference_systems WHERE srs_id > 900000 ORDER BY srs_name",
		"SELECT schema_name, table_name, column_name, JSON_REMOVE(histogram, '$.\"last-updated\"') FROM information_schema.column_statistics ORDER BY 1, 2, 3",
		"SELECT * FROM performance_schema.persisted_variables ORDER BY 1", "SELECT @@max_connections, @@long_query_time",
		"SELECT channel_name, host, port, user, auto_position FROM performance_schema.replication_connection_configuration ORDER BY 1",
		"XA RECOVER", "SELECT @@server_uuid, @@gtid_executed"} {
		show(query)
	}
	for _, file := range []string{"binlog.000001", "binlog.000002"} {
		fmt.Fprintf(&out, "== %s\n", file)
		for _, row := range rows(t, db, "SHOW BINLOG EVENTS IN '"+file+"'") {
			if row[2] != "Stop" && row[2] != "Rotate" { // how a file ends is told by the next start
				fmt.Fprintln(&out, strings.Join(row, " | "))
			}
		}
	}
	return out.String()
}

// Larger texts and results are described by their checksums.
const (
	maxText = 400
	maxRows = 30
)

// rows are the values of a result as text.
func rows(t *testing.T, db *sql.DB, query string) (all [][]string) {
	t.Helper()
	r, err := db.Query(query)
	require.NoError(t, err, query)
	all = values(t, r)
	sum := crc32.NewIEEE()
	for _, row := range all {
		fmt.Fprintln(sum, row)
	}
	if len(all) > maxRows && strings.HasPrefix(query, "SELECT ") && strings.HasSuffix(query, "ORDER BY 1") {
		return [][]string{{fmt.Sprintf("%d rows, checksum %08x", len(all), sum.Sum32())}}
	}
	return all
}

func values(t *testing.T, r *sql.Rows) (all [][]string) {
	t.Helper()
	defer r.Close()
	columns, err := r.Columns()
	require.NoError(t, err)
	for r.Next() {
		row, to := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range row {
			to[i] = &row[i]
		}
		require.NoError(t, r.Scan(to...))
		texts := make([]string, len(columns))
		for i, v := range row {
			texts[i] = text(v)
		}
		all = append(all, texts)
	}
	require.NoError(t, r.Err())
	return all
}

func text(v sql.NullString) string {
	switch {
	case !v.Valid:
		return "NULL"
	case len(v.String) > maxText && !strings.HasPrefix(v.String, "CREATE"):
		return fmt.Sprintf("%d bytes, checksum %08x", len(v.String), crc32.ChecksumIEEE([]byte(v.String)))
	case strings.Contains(v.String, "\n") && strings.HasPrefix(v.String, "CREATE"):
		return v.String
	}
	quoted := strconv.Quote(v.String)
	return quoted[1 : len(quoted)-1]
}

// column is the first column of a result.
func column(t *testing.T, db *sql.DB, query string) (all []string) {
	t.Helper()
	for _, row := range rows(t, db, query) {
		all = append(all, row[0])
	}
	return slices.Clip(all)
}
