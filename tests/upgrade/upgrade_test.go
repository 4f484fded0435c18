package upgrade

import (
	"context"
	"database/sql"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

var (
	record  = flag.String("record", "", "name of the format whose directories this build writes")
	rewrite = flag.Bool("rewrite", false, "write anew what servers show")
)

func TestMain(m *testing.M) {
	if _, ok := os.LookupEnv(keptState); ok {
		keepState()
	}
	flag.Parse()
	code := m.Run()
	emberd.Cleanup()
	os.Exit(code)
}

// prepare returns a server with the settings of all directories.
func prepare(t *testing.T, more ...string) *emberd.Server {
	t.Helper()
	return emberd.Prepare(t, append([]string{"--log-bin=binlog", "--server-id=1", "--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--innodb-buffer-pool-size=64M", "--skip-replica-start",
		"--log-error-verbosity=3"}, more...)...)
}

// TestRecord writes the directories of a format.
func TestRecord(t *testing.T) {
	if *record == "" {
		t.Skip("-record names no format")
	}
	t.Setenv(keptState, filepath.Join("testdata", *record+"-handover.json"))
	for _, end := range []string{"clean", "killed"} {
		s := prepare(t)
		require.NoError(t, s.Launch())
		db := s.Open("")
		run(t, db, "load.sql")
		path := filepath.Join("testdata", *record+"-"+end)
		if end == "killed" {
			begin(t, db)
		}
		write(t, path+".txt", state(t, s))
		if end == "killed" {
			s.Kill()
		}
		db.Close()
		if end == "clean" {
			recordHandOver(t, s, filepath.Join("testdata", *record+"-handover"))
			require.NoError(t, s.Stop())
		}
		pack(t, s.Dir, path+".tar.zst")
		require.NoError(t, s.Launch())
		write(t, path+".written.txt", written(t, s))
	}
}

// begin leaves a transaction open that has changed rows of several tables.
func begin(t *testing.T, db *sql.DB) {
	t.Helper()
	c, err := db.Conn(context.Background())
	require.NoError(t, err)
	for _, q := range []string{"BEGIN", "DELETE FROM shop.many WHERE id MOD 2 = 0", "UPDATE shop.customer SET name = 'nobody may see this'",
		"INSERT INTO shop.by_range VALUES (9, '2024-01-01', 'lost')", "UPDATE all_types.texts SET lt = REPEAT('lost', 5000)"} {
		_, err := c.ExecContext(context.Background(), q)
		require.NoError(t, err, q)
	}
	other, err := db.Conn(context.Background()) // its commit makes the log durable up to here
	require.NoError(t, err)
	_, err = other.ExecContext(context.Background(), "INSERT INTO shop.audit (what) VALUES ('beside a transaction that does not end')")
	require.NoError(t, err)
}

// A directory of an earlier build shows what it showed then, takes writes, and shows the same after
// a kill.
func TestDirectories(t *testing.T) {
	all, err := filepath.Glob("testdata/*.tar.zst")
	require.NoError(t, err)
	require.NotEmpty(t, all)
	for _, packed := range all {
		path := strings.TrimSuffix(packed, ".tar.zst")
		t.Run(filepath.Base(path), func(t *testing.T) {
			s := prepare(t, "--upgrade=NONE")
			unpack(t, packed, s.Dir)
			require.NoError(t, s.Launch())
			compare(t, path+".txt", state(t, s))
			require.NotEmpty(t, examine(t, s))
			now := written(t, s)
			compare(t, path+".written.txt", now)
			s.Kill()
			require.NoError(t, s.Launch())
			require.Equal(t, now, state(t, s))
			require.NoError(t, s.Stop())
		})
	}
}

// The server makes the keys of its tables anew after a start, unless two values collide.
func TestKeysAreRenewed(t *testing.T) {
	s := prepare(t, "--upgrade=NONE")
	unpack(t, "testdata/0.2.0-clean.tar.zst", s.Dir)
	require.NoError(t, s.Launch())
	execute(t, s, "ALTER TABLE all_types.texts ADD UNIQUE KEY once (t(15))",
		"INSERT INTO all_types.texts (id, t) VALUES (21, 'soft'), (22, 'so\u00adft')")
	was := state(t, s)
	require.Equal(t, []string{"`all_types`.`texts`"}, examine(t, s))
	require.NoError(t, s.Stop())

	s.Args = append(s.Args, "--upgrade=AUTO", "--super-read-only")
	require.NoError(t, s.Launch())
	logs(t, s, "a table keeps keys of an earlier release: ")
	require.Equal(t, []string{"`all_types`.`texts`"}, examine(t, s))
	require.Equal(t, was, state(t, s))
	execute(t, s, "SET GLOBAL super_read_only = OFF", "DELETE FROM all_types.texts WHERE id = 22")
	was = state(t, s)
	require.NoError(t, s.Stop())

	require.NoError(t, s.Launch())
	logs(t, s, "a table got keys in today's order table=`all_types`.`texts`")
	require.Empty(t, examine(t, s))
	require.Equal(t, was, state(t, s))
	require.NoError(t, s.Stop())

	for range 2 { // nothing is left to do, which the directory then remembers
		require.NoError(t, s.Launch())
		require.Empty(t, examine(t, s))
		require.Equal(t, was, state(t, s))
		require.NoError(t, s.Stop())
	}
}

// logs waits for words in the error log.
func logs(t *testing.T, s *emberd.Server, words string) {
	t.Helper()
	testkit.Eventually(t, func() bool { return strings.Contains(s.Log(), words) }, words)
}

// written runs write.sql, and returns what the server shows then.
func written(t *testing.T, s *emberd.Server) string {
	t.Helper()
	db := s.Open("")
	defer db.Close()
	run(t, db, "write.sql")
	examine(t, s)
	return state(t, s)
}

// examine expects that each table is whole, and returns those whose keys are in an order of before.
func examine(t *testing.T, s *emberd.Server) (outdated []string) {
	t.Helper()
	db := s.Open("")
	defer db.Close()
	for _, table := range column(t, db, "SELECT CONCAT('`', table_schema, '`.`', table_name, '`') FROM information_schema.tables WHERE table_type = 'BASE TABLE' AND "+ours+" ORDER BY 1") {
		var name, op, kind, text string
		require.NoError(t, db.QueryRow("CHECK TABLE "+table+" EXTENDED").Scan(&name, &op, &kind, &text))
		if strings.HasPrefix(text, "Table rebuild required. ") {
			outdated = append(outdated, table)
			continue
		}
		require.Equal(t, "status OK", kind+" "+text, table)
	}
	return outdated
}

func execute(t *testing.T, s *emberd.Server, queries ...string) {
	t.Helper()
	db := s.Open("")
	defer db.Close()
	for _, q := range queries {
		_, err := db.Exec(q)
		require.NoError(t, err, q)
	}
}

// run runs the statements of a script. An empty line is between two of them.
func run(t *testing.T, db *sql.DB, script string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", script))
	require.NoError(t, err)
	c, err := db.Conn(context.Background())
	require.NoError(t, err)
	defer c.Close()
	for q := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
		_, err := c.ExecContext(context.Background(), q)
		require.NoError(t, err, q)
	}
}

func compare(t *testing.T, path, have string) {
	t.Helper()
	if *rewrite {
		write(t, path, have)
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, strings.Split(string(want), "\n"), strings.Split(have, "\n"))
}

func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}
