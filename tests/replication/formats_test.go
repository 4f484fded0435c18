package replication

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	mysqldriver "github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

const (
	formatsScript = "testdata/formats/script.sql"
	formatsGolden = "testdata/formats/mysql-9.7.events"
	// formatsDiffer has the statements whose events are known to differ, with Ember's events.
	formatsDiffer = "testdata/formats/ember.events"
)

var differs = flag.Bool("differ", false, "write the events of this build that differ from those of MySQL")

// TestFormats runs a script under each binlog_format, and holds what SHOW BINLOG EVENTS tells of
// each statement against what MySQL 9.7 told.
//
//	go test ./tests/replication -run TestFormats -record 'root@unix(SOCKET)/'   MySQL's events
//	go test ./tests/replication -run TestFormats -differ                        Ember's that differ
func TestFormats(t *testing.T) {
	if *record != "" {
		cfg, err := mysqldriver.ParseDSN(*record)
		require.NoError(t, err)
		c, err := mysqldriver.NewConnector(cfg)
		require.NoError(t, err)
		db := sql.OpenDB(c)
		defer db.Close()
		require.NoError(t, os.WriteFile(formatsGolden, []byte(strings.Join(shownFormats(t, db), "")), 0o644))
	}
	s := emberd.Start(t, "--log-bin=binlog", "--server-id=5", "--gtid-mode=ON", "--enforce-gtid-consistency=ON")
	db := s.Open("")
	defer db.Close()
	want, known := sections(t, formatsGolden), sections(t, formatsDiffer)
	var differ strings.Builder
	for i, got := range shownFormats(t, db) {
		require.Less(t, i, len(want), "%s is not in %s: record it again", got, formatsGolden)
		require.Equal(t, heading(got), heading(want[i]), "%s: record it again", formatsGolden)
		other := ""
		if len(known) > 0 && heading(known[0]) == heading(got) {
			other, known = known[0], known[1:]
		}
		switch {
		case *differs:
			if got != want[i] {
				differ.WriteString(got)
			}
		case other != "":
			assert.NotEqual(t, want[i], got, "no more differs: %s", formatsDiffer)
			assert.Equal(t, other, got)
		default:
			assert.Equal(t, want[i], got)
		}
	}
	if *differs {
		require.NoError(t, os.WriteFile(formatsDiffer, []byte(differ.String()), 0o644))
		return
	}
	require.Empty(t, known, formatsDiffer)
}

// sections are the statements of a golden, each with its events.
func sections(t *testing.T, path string) (all []string) {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, indent) {
			all[len(all)-1] += line
		} else {
			all = append(all, line)
		}
	}
	return all
}

// heading is a section's statement.
func heading(section string) string {
	line, _, _ := strings.Cut(section, "\n")
	return line
}

// shownFormats runs the script under each format. Each statement has its number and its events.
func shownFormats(t *testing.T, db *sql.DB) (all []string) {
	t.Helper()
	ctx := context.Background()
	script, err := os.ReadFile(formatsScript)
	require.NoError(t, err)
	for _, format := range []string{"ROW", "MIXED", "STATEMENT"} {
		c, err := db.Conn(ctx)
		require.NoError(t, err)
		_, err = c.ExecContext(ctx, "SET binlog_format = "+format)
		require.NoError(t, err)
		for i, line := range strings.Split(string(script), "\n") {
			if line == "" || strings.HasPrefix(line, "--") {
				continue
			}
			file, at := logEnd(t, c)
			section := fmt.Sprintf("%s %d: %s\n", format, i+1, line)
			if err := exhaust(ctx, c, strings.TrimSuffix(line, ";")); err != nil {
				var e *mysqldriver.MySQLError
				require.ErrorAs(t, err, &e, line)
				section += fmt.Sprintf(indent+"error %d\n", e.Number)
			}
			all = append(all, section+shownEvents(t, c, file, at))
		}
		require.NoError(t, c.Close())
	}
	return all
}

// exhaust runs a statement and reads all that it answers.
func exhaust(ctx context.Context, c *sql.Conn, query string) error {
	rows, err := c.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for more := true; more; more = rows.NextResultSet() {
		for rows.Next() {
		}
	}
	return rows.Err()
}

// own are the parts of a described event that each server has of its own.
var own = []struct {
	what *regexp.Regexp
	name string
}{
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}:\d+`), "GTID"},
	{regexp.MustCompile(` /\* xid=\d+ \*/$`), ""}, // MySQL numbers definitions, too
	{regexp.MustCompile(`table_id: \d+`), "table_id: N"},
	{regexp.MustCompile(`rand_seed[12]=\d+`), "rand_seed=N"},
	{regexp.MustCompile(`AS '(?s:.*)'`), "AS 'HASH'"},
	{regexp.MustCompile(`AS 0x[0-9A-F]+`), "AS 'HASH'"},
}

// shownEvents are the events behind a place of the log, one a line.
func shownEvents(t *testing.T, c *sql.Conn, file string, at uint32) string {
	t.Helper()
	rows, err := c.QueryContext(context.Background(), fmt.Sprintf("SHOW BINLOG EVENTS IN '%s' FROM %d", file, at))
	require.NoError(t, err)
	defer rows.Close()
	var out strings.Builder
	for rows.Next() {
		var skip any
		var kind, info string
		require.NoError(t, rows.Scan(&skip, &skip, &kind, &skip, &skip, &info))
		for _, o := range own {
			info = o.what.ReplaceAllString(info, o.name)
		}
		fmt.Fprintf(&out, indent+"%s %s\n", kind, strings.ReplaceAll(info, "\n", `\n`))
	}
	require.NoError(t, rows.Err())
	return out.String()
}
