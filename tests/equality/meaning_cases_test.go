package equality

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

// What TestTextsKeepTheirMeaning has found.
func TestMeaningCases(t *testing.T) {
	srv := emberd.Start(t)
	fast, slow := connect(t, srv, "casefast", true), connect(t, srv, "caseslow", false)
	both := func(prepared bool, text string, args ...any) {
		t.Helper()
		q := statement{text: text, args: args}
		for range 3 {
			require.Equal(t, slow.run(q, prepared), fast.run(q, prepared), "%s %q", text, args)
		}
	}
	both(false, "CREATE TABLE IF NOT EXISTS t (id INT PRIMARY KEY, a INT, b INT, w VARCHAR(9), x VARCHAR(9), KEY a (a, b), KEY w (w))")
	both(false, "REPLACE INTO t VALUES (1, 1, 1, 'a', 'a'), (2, 2, 3, 'b', 'a'), (3, NULL, 4, NULL, 'c'), (4, 5, 4, 'd', 'D')")
	for _, where := range []string{"a = a", "a = b", "b = a", "a <= b", "a <=> a", "a > b", "w = w", "w = x", "id = a", "a = id AND b = id", "b = b AND a = 2", "a BETWEEN 1 AND 9 AND id = id", "id <> id"} {
		both(false, "SELECT id FROM t WHERE "+where)
		both(true, "SELECT id FROM t WHERE "+where)
		both(false, "SELECT l.id, r.id FROM t l JOIN t r ON r.id = l.id AND r.a = r.a WHERE l.a = l.b ORDER BY l.id")
		both(false, "UPDATE t SET x = x WHERE "+where)
		both(false, "SELECT ROW_COUNT(), FOUND_ROWS()")
	}
	// Parameters of statements without tables: another value, another type.
	for _, args := range [][]any{{"1"}, {"b"}, {int64(7)}, {nil}, {1.5}, {"B"}, {int64(8)}} {
		both(true, "SELECT ?", args...)
		both(true, "SELECT ?, 1", args...)
		both(true, "SET @v = ?", args...)
		both(true, "SELECT id, ? AS x FROM t WHERE id < 0", args...)
		both(true, "SELECT id, ? AS x FROM t WHERE id < 3", args...)
		both(false, "SELECT @v")
	}
}
