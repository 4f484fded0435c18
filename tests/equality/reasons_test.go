package equality

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

// TestReasonsAreCounted: what is not compiled is counted by its reason, and listed.
func TestReasonsAreCounted(t *testing.T) {
	srv := emberd.Start(t)
	s := connect(t, srv, "reasons", true)
	for _, q := range []string{"CREATE TABLE t (id INT PRIMARY KEY, a INT, g INT AS (a + 1) VIRTUAL)", "CREATE TABLE u (id INT PRIMARY KEY, a INT, KEY a (a))",
		"CREATE TABLE w (id INT PRIMARY KEY)", "CREATE TRIGGER tr BEFORE INSERT ON w FOR EACH ROW SET NEW.id = NEW.id + 1"} {
		_, err := s.Execute(q)
		require.NoError(t, err, q)
	}
	for text, reason := range map[string]string{
		"SHOW TABLES": "kind", "SELECT @x := 1 FROM u": "text", "SELECT id FROM u UNION SELECT 2": "clause", "SELECT id FROM (SELECT id FROM u) x": "subquery",
		"SELECT * FROM u x JOIN u y USING (a)": "join", "SELECT RAND() FROM u": "expression", "SELECT a, COUNT(*) FROM u GROUP BY 1": "group",
		"SELECT id FROM u ORDER BY 1": "order", "SELECT g FROM t": "generated", "UPDATE w SET id = 1 WHERE id = 9": "constraint", "SELECT * FROM information_schema.engines": "table",
		"SELECT id FROM u WHERE id BETWEEN 1 AND 2 OR id > 5 AND a = 7": "expression",
	} {
		_, _ = s.Execute(text)
		before := counters(t, s)["Ember_compiled_fallbacks_"+reason]
		_, _ = s.Execute(text)
		require.Equal(t, before+1, counters(t, s)["Ember_compiled_fallbacks_"+reason]-shown(reason), "%s: %s", reason, text)
	}
	res, err := s.Execute("SELECT COUNT(*) FROM information_schema.EMBER_COMPILED_REFUSED WHERE REASON = 'subquery' AND EXECUTIONS = 1 AND DATABASE_NAME = 'reasons'")
	require.NoError(t, err)
	n, err := res.GetInt(0, 0)
	require.NoError(t, err)
	require.EqualValues(t, 1, n)
}

// shown is what looking at the counters counts.
func shown(reason string) int {
	if reason == "kind" {
		return 1
	}
	return 0
}
