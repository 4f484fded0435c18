package equality

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

// TestReasonsAreCounted: what is not compiled is counted by its reason, and listed. The executor
// runs some of the statements ahead, so it is off.
func TestReasonsAreCounted(t *testing.T) {
	srv := emberd.Start(t)
	s := connect(t, srv, "reasons", true)
	for _, q := range []string{"CREATE TABLE t (id INT PRIMARY KEY, a INT, g INT AS (a + 1) VIRTUAL)", "CREATE TABLE u (id INT PRIMARY KEY, a INT, KEY a (a))",
		"CREATE TABLE w (id INT PRIMARY KEY)", "CREATE TABLE of_w (id INT, FOREIGN KEY (id) REFERENCES w (id))", "SET ember_executor = OFF"} {
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

// TestTriggersOfOtherTables: statements are compiled and fire the triggers of their own table, from
// CREATE TRIGGER to DROP TRIGGER.
func TestTriggersOfOtherTables(t *testing.T) {
	srv := emberd.Start(t)
	s := connect(t, srv, "firing", true)
	exec := func(text string) {
		t.Helper()
		_, err := s.Execute(text)
		require.NoError(t, err, text)
	}
	exec("CREATE TABLE p (id INT PRIMARY KEY, a INT)")
	exec("CREATE TABLE c (id INT PRIMARY KEY, a INT, FOREIGN KEY (a) REFERENCES p (id) ON DELETE CASCADE ON UPDATE CASCADE)")
	exec("CREATE TABLE `on` (id INT PRIMARY KEY, a INT)")
	exec("CREATE TABLE seen (n INT AUTO_INCREMENT PRIMARY KEY, id INT)")
	write := func(tables ...string) (compiled int) { // how many statements of the second time are compiled: an INSERT is when it comes again
		t.Helper()
		for range 2 {
			before := counters(t, s)["Ember_compiled_executions"]
			for _, table := range tables {
				exec("INSERT INTO `" + table + "` (id, a) VALUES (7, 1)")
				exec("UPDATE `" + table + "` SET a = 2 WHERE id = 7")
				exec("DELETE FROM `" + table + "` WHERE id = 7 AND a = 2")
			}
			compiled = counters(t, s)["Ember_compiled_executions"] - before
		}
		return compiled
	}
	exec("INSERT INTO p VALUES (1, 1), (2, 2)")
	require.Equal(t, 6, write("c", "on"))
	require.Equal(t, 2, write("p"), "rows that others refer to are deleted by go-mysql-server")
	exec("CREATE TRIGGER t BEFORE INSERT ON firing.`ON` FOR EACH ROW INSERT INTO seen (id) VALUES (NEW.id)")
	require.Equal(t, 3, write("c"))
	require.Equal(t, 3, write("on"))
	exec("CREATE TRIGGER u AFTER DELETE /* on c */ ON c FOR EACH ROW INSERT INTO seen (id) VALUES (OLD.id)")
	require.Equal(t, 6, write("c", "on"))
	require.Equal(t, 2, write("p"))
	exec("RENAME TABLE c TO d")
	require.Equal(t, 3, write("d"))
	exec("DROP TRIGGER u")
	exec("DROP TRIGGER t")
	require.Equal(t, 6, write("d", "on"))
	r, err := s.Execute("SELECT GROUP_CONCAT(id ORDER BY n) FROM seen")
	require.NoError(t, err)
	text, err := r.GetString(0, 0)
	require.NoError(t, err)
	require.Equal(t, "7,7,7,7,7,7,7,7", text)
}

// shown is what looking at the counters counts.
func shown(reason string) int {
	if reason == "kind" {
		return 1
	}
	return 0
}
