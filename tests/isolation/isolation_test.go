package isolation

import (
	"context"
	"database/sql"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

var (
	dsn     = flag.String("dsn", "", "server to run against; empty: a fresh emberd")
	rewrite = flag.Bool("rewrite", false, "record the outcomes as golden")
)

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	emberd.Cleanup()
	os.Exit(code)
}

// openServer returns a handle that never reuses a connection: session state must not leak between permutations.
func openServer(t *testing.T) *sql.DB {
	t.Helper()
	var cfg *mysql.Config
	if *dsn == "" {
		cfg = emberd.Start(t).Config("")
	} else {
		var err error
		cfg, err = mysql.ParseDSN(*dsn)
		require.NoError(t, err)
		cfg.Logger = &mysql.NopLogger{}
	}
	c, err := mysql.NewConnector(cfg)
	require.NoError(t, err)
	db := sql.OpenDB(c)
	db.SetMaxIdleConns(0)
	t.Cleanup(func() { db.Close() })
	return db
}

func TestScripts(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	db := openServer(t)
	t.Run("script", func(t *testing.T) {
		for _, path := range paths {
			name := strings.TrimSuffix(filepath.Base(path), ".txt")
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				sc, err := parseFile(path)
				require.NoError(t, err)
				goldenPath := strings.TrimSuffix(path, ".txt") + ".golden"
				database := "iso_" + strings.ReplaceAll(name, "-", "_")
				if *rewrite {
					record(t, sc, db, database, goldenPath)
				} else {
					compare(t, sc, db, database, goldenPath)
				}
			})
		}
	})
}

// compare runs every permutation of the golden file.
func compare(t *testing.T, sc *script, db *sql.DB, database, goldenPath string) {
	g, err := readGolden(goldenPath)
	require.NoError(t, err)
	require.Equal(t, g.script, sc.hash, "%s was recorded from another version of the script; record it again", goldenPath)
	for i := range g.permutations {
		want := &g.permutations[i]
		got, err := run(context.Background(), sc, db, database, want.order, want)
		require.NoError(t, err, "%s", want)
		if !want.allows(got) {
			t.Errorf("want:\n%s\ngot:\n%s", want, got)
		}
	}
}

// record runs every permutation of the script and keeps those that differ in what was executed: steps that are put
// off make some permutations equal. Where sessions race, each permutation is run many times.
func record(t *testing.T, sc *script, db *sql.DB, database, goldenPath string) {
	g := golden{script: sc.hash}
	require.NoError(t, db.QueryRow("SELECT VERSION()").Scan(&g.server))
	seen := map[string]bool{}
	for _, order := range sc.orders() {
		p := permutation{order: order}
		for range sc.races {
			got, err := run(context.Background(), sc, db, database, order, nil)
			require.NoError(t, err)
			if !p.allows(got) {
				p.outcomes = append(p.outcomes, got)
			}
		}
		slices.SortFunc(p.outcomes, func(a, b outcome) int { return strings.Compare(a.String(), b.String()) })
		first := p.outcomes[0].String()
		if !seen[first] {
			seen[first] = true
			g.permutations = append(g.permutations, p)
		}
	}
	require.NoError(t, g.write(goldenPath))
	t.Logf("%d permutations", len(g.permutations))
}

// TestGoldens keeps the recorded files whole: each script has one, each was recorded from the script as it stands.
func TestGoldens(t *testing.T) {
	if *rewrite {
		return
	}
	paths, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	count := 0
	for _, path := range paths {
		sc, err := parseFile(path)
		require.NoError(t, err)
		g, err := readGolden(strings.TrimSuffix(path, ".txt") + ".golden")
		require.NoError(t, err)
		require.Equal(t, sc.hash, g.script, path)
		require.NotEmpty(t, g.permutations, path)
		count += len(g.permutations)
	}
	t.Logf("%d scripts, %d permutations", len(paths), count)
}

func TestParse(t *testing.T) {
	sc, err := parse("# rule\nsetup\n  create table t (a int)\nsession a\n  init: set x\n  a1: begin\n  a2: one; two\n" +
		"session b\n  b1: three\npermutation a1 b1 wait:b1 a2\nall 10\nfinally\n  select 1\n")
	require.NoError(t, err)
	require.Equal(t, []string{"one", "two"}, sc.steps["a2"].statements)
	require.Equal(t, [][]string{{"a1", "b1", "wait:b1", "a2"}, {"a1", "a2", "b1"}, {"a1", "b1", "a2"}, {"b1", "a1", "a2"}}, sc.orders())
	for text, want := range map[string]string{
		"setup\n":                             "does not begin with a comment",
		"# r\n":                               "no permutation",
		"# r\n  x\n":                          "outside of a section",
		"# r\nbogus\n":                        "line 2: not understood",
		"# r\nsession a\n  a1 begin\nall 1\n": "looks like",
		"# r\nsession a\n  a1: x\n  a1: y\n":  "twice",
		"# r\nsession a\n  a1: x\npermutation z\n": "unknown step",
	} {
		_, err := parse(text)
		require.ErrorContains(t, err, want, text)
	}
}
