package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/server/virtual"
)

// TestStatementEvents compares what performance_schema tells of statements with what MySQL 9.7 told
// of the same. testdata/statement_events.txt has a statement and, below it, the columns that
// eventQuery reads; - stands where the servers read their tables in different ways.
func TestStatementEvents(t *testing.T) {
	data, err := os.ReadFile("testdata/statement_events.txt")
	require.NoError(t, err)
	ts, _ := startReal(t, t.TempDir())
	db := ts.login("root", "", "")
	db.SetMaxOpenConns(1)
	exec(t, db, "CREATE DATABASE ev")
	exec(t, db, "USE ev")
	const eventQuery = "SELECT event_name, IFNULL(digest_text,'NULL'), mysql_errno, IFNULL(returned_sqlstate,'NULL'), errors, warnings, rows_sent, rows_affected, rows_examined, " +
		"select_scan, select_range, select_full_join, no_index_used, sort_rows, sort_scan FROM performance_schema.events_statements_history " +
		"WHERE thread_id = CONNECTION_ID() AND sql_text = '%' ORDER BY event_id DESC LIMIT 1"
	n := 0
	for entry := range strings.SplitSeq(strings.TrimSpace(string(data)), "\n\n") {
		text, want, _ := strings.Cut(entry, "\n")
		if r, err := db.Query(text); err == nil {
			for r.Next() {
			}
			require.NoError(t, r.Close())
		}
		got := rows(t, db, strings.Replace(eventQuery, "%", strings.ReplaceAll(text, "'", "''"), 1))
		require.Len(t, got, 1, text)
		for i, w := range strings.Split(want, "\t") {
			if w != "-" && got[0][i] != w {
				t.Errorf("%s: column %d is %s, MySQL's %s", text, i, got[0][i], w)
			}
		}
		n++
	}
	require.Greater(t, n, 25)
}

// TestDigestsLast: digests outlive the server, whatever ends it, and TRUNCATE forgets them.
func TestDigestsLast(t *testing.T) {
	dir := t.TempDir()
	ts, end := startReal(t, dir)
	db := ts.login("root", "", "")
	for range 3 {
		exec(t, db, "DO 1 + 2")
	}
	const query = "SELECT COUNT_STAR, SUM_ERRORS, QUERY_SAMPLE_TEXT FROM performance_schema.events_statements_summary_by_digest WHERE DIGEST_TEXT = 'DO ? + ?'"
	require.Equal(t, [][]string{{"3", "0", "DO 1 + 2"}}, rows(t, db, query))
	ts.saveDigests(false)
	exec(t, db, "DO 3 + 4") // behind the file that a kill would leave
	saved, err := os.ReadFile(filepath.Join(dir, "performance_schema.digests"))
	require.NoError(t, err)
	end()
	ts, end = startReal(t, dir)
	db = ts.login("root", "", "")
	require.Equal(t, "4", rows(t, db, query)[0][0])
	end()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "performance_schema.digests"), saved, 0o640))
	ts, end = startReal(t, dir)
	db = ts.login("root", "", "")
	require.Equal(t, "3", rows(t, db, query)[0][0])
	exec(t, db, "TRUNCATE performance_schema.events_statements_summary_by_digest")
	require.Empty(t, rows(t, db, query))
	end()
	saved[len(saved)/2] ^= 1
	require.NoError(t, os.WriteFile(filepath.Join(dir, "performance_schema.digests"), saved, 0o640))
	ts, _ = startReal(t, dir)
	require.Empty(t, rows(t, ts.login("root", "", ""), query))
}

// TestSetup: consumers are turned off and on; what cannot be emptied is refused as MySQL does.
func TestSetup(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	db := ts.login("root", "", "")
	const seen = "SELECT COUNT(*) FROM performance_schema.events_statements_summary_by_digest WHERE DIGEST_TEXT LIKE 'DO ? * ?%'"
	set := func(on string) {
		exec(t, db, "UPDATE performance_schema.setup_consumers SET ENABLED = '"+on+"' WHERE NAME = 'statements_digest'")
	}
	set("NO")
	exec(t, db, "DO 1 * 1")
	require.Equal(t, "0", rows(t, db, seen)[0][0])
	set("YES")
	exec(t, db, "DO 1 * 1")
	require.Equal(t, "1", rows(t, db, seen)[0][0])
	_, err := db.Exec("TRUNCATE performance_schema.threads")
	require.ErrorContains(t, err, "1142")
	exec(t, db, "CREATE USER u")
	exec(t, db, "GRANT SELECT ON performance_schema.* TO u")
	_, err = ts.login("u", "", "").Exec("TRUNCATE performance_schema.events_statements_summary_by_digest")
	require.ErrorContains(t, err, "1142")
}

// TestPerformanceColumns: the tables of performance_schema and sys have the columns and types of
// MySQL 9.7, as the files that list them say and as clients see them.
func TestPerformanceColumns(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	db := ts.login("root", "", "")
	for _, schema := range []string{"performance_schema", "sys"} {
		have := map[string][]string{}
		for _, r := range rows(t, db, "SELECT TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = '"+schema+"' ORDER BY TABLE_NAME, ORDINAL_POSITION") {
			have[r[0]] = append(have[r[0]], r[1]+" "+r[2]+map[string]string{"YES": " null"}[r[3]])
		}
		for line := range strings.Lines(virtual.SchemaFile(schema)) {
			table, columns, _ := strings.Cut(strings.TrimSpace(line), ": ")
			var want []string
			for c := range strings.SplitSeq(columns, "; ") {
				if before, after, found := strings.Cut(c, " collate "); found {
					c = before
					if strings.HasSuffix(after, " null") {
						c += " null"
					}
				}
				want = append(want, c)
			}
			require.Equal(t, want, have[table], table)
		}
	}
}
