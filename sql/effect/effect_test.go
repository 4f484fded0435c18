package effect_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/sql/effect"
	"emberdb/sql/parse"
	"emberdb/sql/statement"
)

// TestKinds compares the effect of each kind of statement with MySQL 9.7's answers. A line of the
// golden holds a statement and, with tabs between, what came of it under super_read_only, in a READ
// ONLY transaction, under FLUSH TABLES WITH READ LOCK of the same session, under LOCK TABLES of
// another table, and in a branch of XA: an error's code or ok; then 1 if it committed what was
// open; then what came of preparing it.
func TestKinds(t *testing.T) {
	text, err := os.ReadFile("testdata/kinds.golden")
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		require.Len(t, f, 8, line)
		st, _, err := statement.Read(f[0], parse.Options{})
		require.NoError(t, err, f[0])
		change, own := effect.Changes|effect.Locks, st.Command == "import" || st.Command == "binlog" // which are refused for other reasons
		if !strings.Contains(f[0], "fw()") && st.Command != "call_procedure" && st.Command != "execute_sql" && !own {
			require.Equal(t, f[1] == "1290", st.Any(change), "under super_read_only: %s", f[0])
			if f[0] != "PREPARE ps FROM 'INSERT INTO t VALUES (60)'" {
				require.Equal(t, f[2] == "1792", st.Any(change|effect.Temporary) && !st.Has(effect.Commits), "in a READ ONLY transaction: %s", f[0])
			}
			require.Equal(t, f[3] == "1223", st.Has(effect.Yields), "under FLUSH TABLES WITH READ LOCK: %s", f[0])
		}
		if !strings.HasPrefix(st.Command, "xa_") {
			require.Equal(t, f[5] == "1399", st.Any(effect.Commits|effect.Ends), "in a branch: %s", f[0])
		}
		require.Equal(t, f[6] == "1", st.Has(effect.Commits) || st.Command == "commit", "commits: %s", f[0])
		require.Equal(t, f[7] == "1295", !effect.Preparable(st.Tree), "prepared: %s", f[0])
	}
}

// TestTargets lists what is changed of a statement's tables.
func TestTargets(t *testing.T) {
	for text, want := range map[string]string{
		"INSERT INTO d.t SELECT * FROM u": "d.t", "REPLACE t VALUES (1)": "t", "DELETE FROM t WHERE a IN (SELECT a FROM u)": "t",
		"DELETE x FROM t AS x JOIN d.u": "t", "DELETE FROM a, d.b USING a JOIN d.b": "a d.b", "UPDATE t, (SELECT 1) q, (u JOIN v) SET a = 1": "t u v",
		"WITH q AS (SELECT 1) UPDATE t SET a = 1": "t", "LOAD DATA INFILE 'x' INTO TABLE t": "t", "EXPLAIN DELETE FROM t": "t",
	} {
		st, _, err := statement.Read(text, parse.Options{})
		require.NoError(t, err, text)
		tables, all := effect.Targets(st.Tree)
		require.True(t, all, text)
		var names []string
		for i := range tables {
			names = append(names, strings.ReplaceAll(st.Print(&tables[i]), "`", ""))
		}
		require.Equal(t, want, strings.Join(names, " "), text)
	}
	for _, text := range []string{"SELECT 1", "DROP TABLE t", "CALL p()"} {
		st, _, err := statement.Read(text, parse.Options{})
		require.NoError(t, err, text)
		_, all := effect.Targets(st.Tree)
		require.False(t, all, text)
	}
}
