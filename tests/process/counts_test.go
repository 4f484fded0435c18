package process

import (
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// keptInserts is how many rows the file of kept counts says were inserted into a table.
func keptInserts(path, name string) uint64 {
	const magic, checksum = 9, 4
	data, err := os.ReadFile(path)
	if err != nil || len(data) < magic+checksum {
		return 0
	}
	var kept struct {
		Tables []struct {
			Table, Index string
			Sums         []struct{ Rows uint64 } // rows read, inserted, updated, deleted
		}
	}
	if json.Unmarshal(data[magic:len(data)-checksum], &kept) != nil {
		return 0
	}
	for _, t := range kept.Tables {
		if t.Table == name && t.Index == "" && len(t.Sums) == 4 {
			return t.Sums[1].Rows
		}
	}
	return 0
}

// tableCounts are the counts of table u.t by index.
func tableCounts(t *testing.T, db *sql.DB) (out []string) {
	rows, err := db.Query(`SELECT CONCAT_WS(' ', COALESCE(INDEX_NAME, '-'), COUNT_FETCH, COUNT_INSERT, COUNT_UPDATE, COUNT_DELETE)
		FROM performance_schema.table_io_waits_summary_by_index_usage WHERE OBJECT_SCHEMA = 'u' ORDER BY 1`)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var s string
		require.NoError(t, rows.Scan(&s))
		out = append(out, s)
	}
	require.NoError(t, rows.Err())
	return out
}

// TestCountsAfterKill: what is counted of tables and files outlives kill -9, once it was written. The
// counts go on from there, and are not added twice.
func TestCountsAfterKill(t *testing.T) {
	const logWrites = "SELECT SUM(COUNT_WRITE) FROM performance_schema.file_summary_by_instance WHERE EVENT_NAME = 'wait/io/file/innodb/innodb_log_file'"
	s := emberd.Start(t)
	db := openDB(t, s, "")
	mustExec(t, db, "CREATE DATABASE u")
	mustExec(t, db, "CREATE TABLE u.t (a INT PRIMARY KEY, b INT, KEY (b))")
	mustExec(t, db, "INSERT INTO u.t VALUES (1, 1), (2, 2), (3, 3)")
	mustExec(t, db, "UPDATE u.t SET b = 9 WHERE a = 1")
	mustExec(t, db, "DELETE FROM u.t WHERE b = 2")
	var before, after uint64
	for round := range uint64(2) {
		require.NoError(t, db.QueryRow(logWrites).Scan(&before))
		mustExec(t, db, "INSERT INTO u.t VALUES (?, 1)", 10+round)
		counts := tableCounts(t, db)
		require.NotEmpty(t, counts)
		testkit.Eventually(t, func() bool { // the server writes the file from time to time
			return keptInserts(filepath.Join(s.Dir, "performance_schema.use"), "t") >= 4+round
		})
		s.Kill()
		require.NoError(t, s.Launch())
		db = openDB(t, s, "u")
		testkit.Eventually(t, func() bool { return len(tableCounts(t, db)) == len(counts) })
		require.Equal(t, counts, tableCounts(t, db))
		require.NoError(t, db.QueryRow(logWrites).Scan(&after))
		require.GreaterOrEqual(t, after, before)
	}
}
