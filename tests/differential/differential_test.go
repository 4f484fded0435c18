package differential

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-mysql-org/go-mysql/client"
	"github.com/go-mysql-org/go-mysql/mysql"
	driver "github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

var (
	dsn     = flag.String("dsn", "", "server to run against; empty: a fresh emberd")
	rewrite = flag.Bool("rewrite", false, "record the answers as golden")
)

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	emberd.Cleanup()
	os.Exit(code)
}

// target is where the scripts run.
func target(t *testing.T) *driver.Config {
	t.Helper()
	if *dsn == "" {
		return emberd.Start(t).Config("")
	}
	cfg, err := driver.ParseDSN(*dsn)
	require.NoError(t, err)
	return cfg
}

// session is a script's connection. A server that breaks it off gets another one.
type session struct {
	*client.Conn
	cfg      *driver.Config
	database string
	others   map[string]*client.Conn // of other accounts, to the end of the script
}

// connect opens a connection in the script's own, empty database.
func connect(t *testing.T, cfg *driver.Config, database string) *session {
	t.Helper()
	s := &session{cfg: cfg, database: database}
	require.NoError(t, s.dial("DROP DATABASE IF EXISTS "+database, "CREATE DATABASE "+database, "USE "+database))
	t.Cleanup(func() { s.Close() })
	return s
}

// severalResults lets procedures answer with more than one result.
func severalResults(c *client.Conn) error {
	c.SetCapability(mysql.CLIENT_MULTI_RESULTS)
	return nil
}

func (s *session) dial(statements ...string) (err error) {
	if s.Conn, err = client.Connect(s.cfg.Addr, s.cfg.User, s.cfg.Passwd, "", severalResults); err != nil {
		return err
	}
	for _, q := range append([]string{"SET NAMES utf8mb4", "SET time_zone = '+00:00'"}, statements...) {
		if _, err := s.Execute(q); err != nil {
			return fmt.Errorf("%s: %w", q, err)
		}
	}
	return nil
}

// answer runs a statement.
func (s *session) answer(t *testing.T, stmt *statement) []string {
	t.Helper()
	if stmt.as != "" {
		return answer(s.other(t, stmt.as), stmt)
	}
	out := answer(s.Conn, stmt)
	unsure := func(line string) bool {
		return strings.Contains(line, "broken: ") || strings.Contains(line, "error 1815")
	}
	if slices.ContainsFunc(out, unsure) && s.Ping() != nil {
		s.Close()
		require.NoError(t, s.dial("USE "+s.database))
	}
	return out
}

// other is a connection of another account, which has no password.
func (s *session) other(t *testing.T, user string) *client.Conn {
	t.Helper()
	if c := s.others[user]; c != nil {
		return c
	}
	c, err := client.Connect(s.cfg.Addr, user, "", "", severalResults)
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	for _, q := range []string{"SET NAMES utf8mb4", "SET time_zone = '+00:00'"} {
		_, err := c.Execute(q)
		require.NoError(t, err)
	}
	if s.others == nil {
		s.others = make(map[string]*client.Conn)
	}
	s.others[user] = c
	return c
}

func TestScripts(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.sql")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	cfg := target(t)
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".sql")
		t.Run(name, func(t *testing.T) {
			stmts, err := parseFile(path)
			require.NoError(t, err)
			database := DatabasePrefix + strings.ReplaceAll(name, "-", "_")
			c := connect(t, cfg, database)
			defer func() { _, _ = c.Execute("DROP DATABASE " + database) }()
			goldenPath := strings.TrimSuffix(path, ".sql") + ".golden"
			if *rewrite {
				record(t, c, stmts, goldenPath)
				return
			}
			compare(t, c, stmts, goldenPath)
		})
	}
}

// compare checks every answer against the golden file.
func compare(t *testing.T, c *session, stmts []statement, path string) {
	g, err := readGolden(path)
	require.NoError(t, err)
	require.Len(t, g.entries, len(stmts), "%s was recorded from another version of the script; record it again", path)
	for i := range stmts {
		s, e := &stmts[i], &g.entries[i]
		require.Equal(t, e.text, s.text, "%s was recorded from another version of the script; record it again", path)
		got := c.answer(t, s)
		switch {
		case s.differs == "" && !slices.Equal(got, e.mysql):
			t.Errorf("statement %d: %s\nMySQL:\n  %s\nEmber:\n  %s", i+1, s.text, strings.Join(e.mysql, "\n  "), strings.Join(got, "\n  "))
		case s.differs != "" && slices.Equal(got, e.mysql):
			t.Errorf("%s\nanswers like MySQL now; remove the mark", s.text)
		case s.differs != "" && !slices.Equal(got, e.ember):
			t.Errorf("%s\nnot the difference on record:\n  %s\nEmber:\n  %s", s.text, strings.Join(e.ember, "\n  "), strings.Join(got, "\n  "))
		}
	}
}

// record writes the answers: MySQL's of a given server, or Ember's to the statements that are
// marked.
func record(t *testing.T, c *session, stmts []statement, path string) {
	old, err := readGolden(path)
	if *dsn == "" {
		require.NoError(t, err, "MySQL's answers come first")
		require.Len(t, old.entries, len(stmts), "record MySQL's answers first")
	}
	g := &golden{server: c.GetServerVersion()}
	if *dsn == "" {
		g.server = old.server
	}
	known := map[string][]string{}
	if old != nil {
		for _, e := range old.entries {
			known[e.text] = e.ember
		}
	}
	for i := range stmts {
		s := &stmts[i]
		e := entry{text: s.text, mysql: c.answer(t, s)}
		if s.differs != "" {
			if e.ember = known[s.text]; old != nil && i < len(old.entries) && old.entries[i].text == s.text {
				e.ember = old.entries[i].ember // the text may occur again
			}
		}
		if *dsn == "" {
			if s.differs != "" {
				e.ember = e.mysql
			}
			e.mysql = old.entries[i].mysql
		}
		g.entries = append(g.entries, e)
	}
	require.NoError(t, g.write(path))
}

// TestGoldens keeps the corpus whole: each script has a golden of the same statements, and
// differences are recorded exactly where marked.
func TestGoldens(t *testing.T) {
	if *rewrite {
		return
	}
	paths, err := filepath.Glob("testdata/*.sql")
	require.NoError(t, err)
	count, marked := 0, 0
	for _, path := range paths {
		stmts, err := parseFile(path)
		require.NoError(t, err)
		g, err := readGolden(strings.TrimSuffix(path, ".sql") + ".golden")
		require.NoError(t, err)
		require.Len(t, g.entries, len(stmts), path)
		for i, s := range stmts {
			require.Equal(t, g.entries[i].text, s.text, path)
			require.Equal(t, s.differs != "", g.entries[i].ember != nil, "%s: %s", path, s.text)
			if count++; s.differs != "" {
				marked++
			}
		}
	}
	t.Logf("%d statements, %d of them marked as different", count, marked)
}

func TestParse(t *testing.T) {
	stmts, err := parse("-- a remark\nselect 1;\n\n-- differs: why\n-- params: [1, \"a\", null, {\"bytes\": \"00ff\"}]\nselect\n  ?, ?;\ndelimiter //\n" +
		"create trigger x begin a; b; end//\n")
	require.NoError(t, err)
	require.Len(t, stmts, 3)
	require.Equal(t, statement{text: "select 1;", sql: "select 1"}, stmts[0])
	require.Equal(t, "why", stmts[1].differs)
	require.Equal(t, []any{int64(1), "a", nil, []byte{0, 0xff}}, stmts[1].params)
	require.Equal(t, "select\n  ?, ?", stmts[1].sql)
	require.Equal(t, "create trigger x begin a; b; end", stmts[2].sql)
	for text, want := range map[string]string{
		"select 1\n":                        "no end",
		"-- differs:\nselect 1;\n":          "without a reason",
		"-- params: [{}]\nselect 1;\n":      "not understood",
		"-- params: 1\nselect 1;\n":         "params",
		"select 1;\n;\n":                    "missing",
		"-- params: [{\"bytes\":\"x\"}]\n;": "invalid byte",
	} {
		_, err := parse(text)
		require.ErrorContains(t, err, want, text)
	}
}
