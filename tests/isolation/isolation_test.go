package isolation

import (
	"context"
	"database/sql"
	"flag"
	"io/fs"
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

// openServer returns a handle that never reuses a connection: session state must not leak between
// permutations.
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
	var version string
	require.NoError(t, db.QueryRow("SELECT VERSION()").Scan(&version))
	t.Run("script", func(t *testing.T) {
		for _, path := range paths {
			name := strings.TrimSuffix(filepath.Base(path), ".txt")
			t.Run(name, func(t *testing.T) {
				sc, err := parseFile(path)
				require.NoError(t, err)
				if !sc.alone { // parallel subtests begin when all others have ended
					t.Parallel()
				}
				c := &scriptCase{sc: sc, db: db, database: "iso_" + strings.ReplaceAll(name, "-", "_"), version: version,
					mysql: goldenOf(path, ".golden"), ember: goldenOf(path, ".ember.golden")}
				switch ember := strings.Contains(strings.ToLower(version), "ember"); {
				case *rewrite && !ember:
					c.record(t, c.mysql, sc.orders())
				case *rewrite && sc.differs != "":
					c.record(t, c.ember, c.recorded(t))
				case ember && sc.differs != "":
					c.compare(t, c.ember)
				default:
					c.compare(t, c.mysql)
				}
			})
		}
	})
}

func goldenOf(path, suffix string) string { return strings.TrimSuffix(path, ".txt") + suffix }

// scriptCase is a script, a server, and the paths of its goldens.
type scriptCase struct {
	sc                *script
	db                *sql.DB
	database, version string
	mysql, ember      string
}

// recorded returns the permutations of MySQL's golden.
func (c *scriptCase) recorded(t *testing.T) (orders [][]string) {
	g, err := readGolden(c.mysql)
	require.NoError(t, err)
	for _, p := range g.permutations {
		orders = append(orders, p.order)
	}
	return orders
}

// compare runs every permutation of the golden file.
func (c *scriptCase) compare(t *testing.T, goldenPath string) {
	g, err := readGolden(goldenPath)
	require.NoError(t, err)
	require.Equal(t, g.script, c.sc.hash, "%s was recorded from another version of the script; record it again", goldenPath)
	for i := range g.permutations {
		want := &g.permutations[i]
		got, err := run(context.Background(), c.sc, c.db, c.database, want.order, want)
		require.NoError(t, err, "%s", want)
		if !want.allows(got) {
			t.Errorf("want:\n%s\ngot:\n%s", want, got)
		}
	}
}

// record runs the permutations and keeps those that differ in what was executed: steps that are put
// off make some permutations equal. Where sessions race, each permutation is run many times.
func (c *scriptCase) record(t *testing.T, goldenPath string, orders [][]string) {
	g := golden{script: c.sc.hash, server: c.version}
	seen := map[string]bool{}
	for _, order := range orders {
		p := permutation{order: order}
		for range c.sc.races {
			got, err := run(context.Background(), c.sc, c.db, c.database, order, nil)
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

// TestGoldens keeps the recorded files whole: each script has one, recorded from the script as it
// stands, and a second one exactly where Ember differs.
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
		g, err := readGolden(goldenOf(path, ".golden"))
		require.NoError(t, err)
		require.Equal(t, sc.hash, g.script, path)
		require.NotEmpty(t, g.permutations, path)
		count += len(g.permutations)
		e, err := readGolden(goldenOf(path, ".ember.golden"))
		if sc.differs == "" {
			require.ErrorIs(t, err, fs.ErrNotExist, "%s does not differ", path)
			continue
		}
		require.NoError(t, err)
		t.Logf("%s differs: %s", path, sc.differs)
		require.False(t, slices.EqualFunc(g.permutations, e.permutations, func(a, b permutation) bool { return a.String() == b.String() }),
			"%s differs no more", path)
	}
	t.Logf("%d scripts, %d permutations", len(paths), count)
}

func TestParse(t *testing.T) {
	sc, err := parse("# rule\nsetup\n  create table t (a int)\nsession a\n  init: set x\n  a1: begin\n  a2: one; two\n" +
		"session b\n  b1: three\ndiffers: for a reason\npermutation a1 b1 wait:b1 a2\nall 10\nfinally\n  select 1\n")
	require.NoError(t, err)
	require.Equal(t, []string{"one", "two"}, sc.steps["a2"].statements)
	require.Equal(t, "for a reason", sc.differs)
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
