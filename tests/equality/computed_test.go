package equality

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// exact and any are expressions of table p of readTables: numbers that are exact, and whatever can
// be computed.
func (g reader) exact() string {
	return []string{"a * b", "a + 1", "m * b", "COALESCE(a, 0)", "IF(a > 3, 1, 0)", "CASE WHEN w = 'a' THEN b ELSE 0 END", "ABS(m)", "id % 5", "m - a"}[g.pick(9)]
}

func (g reader) any() string {
	if g.pick(2) == 0 {
		return g.exact()
	}
	return []string{"UPPER(w)", "DATE(s)", "YEAR(s)", "DATE_FORMAT(s, '%Y-%m')", "w IS NULL", "CONCAT(w, 'x')", "IFNULL(w, 'none')", "LENGTH(w)", "a > 5", "ROUND(m)"}[g.pick(10)]
}

// called is a function over rows, or what is computed of some.
func (g reader) called() string {
	f := []string{"SUM(%s)", "AVG(%s)", "MIN(%s)", "MAX(%s)", "COUNT(%s)", "COUNT(DISTINCT %s)", "SUM(DISTINCT %s)", "BIT_OR(%s)"}[g.pick(8)]
	f = fmt.Sprintf(f, g.exact())
	switch g.pick(6) {
	case 0:
		return "COALESCE(" + f + ", 0)"
	case 1:
		return f + " + 1"
	case 2:
		return "SUM(a) / COUNT(*)"
	case 3:
		return "IFNULL(ROUND(SUM(m) * 2, 1), -1)"
	}
	return f
}

// computed is a SELECT with computed columns in all of its clauses.
func (g reader) computed() func() statement {
	t := &readTables[0]
	where, args := g.filter(t, "p.")
	if where != "" {
		where = " WHERE " + where
	}
	from := []string{"p", "p", "p JOIN r ON r.k = p.b"}[g.pick(3)]
	text, ordered := "", false
	switch g.pick(4) {
	case 0: // rows
		dir := []string{"", " DESC"}[g.pick(2)]
		e := g.any()
		text, ordered = "SELECT p.id, "+e+" AS x FROM "+from+where+" ORDER BY "+[]string{"x", e, g.any()}[g.pick(3)]+dir+", p.id"+[]string{"", " LIMIT 7", " LIMIT 4 OFFSET 3"}[g.pick(3)], true
	case 1:
		e := g.any()
		text = "SELECT DISTINCT " + e + " AS x, " + g.exact() + " AS y FROM " + from + where
		if g.pick(2) == 0 {
			text, ordered = text+" ORDER BY x, y DESC", true
		}
	case 2: // one group
		text = "SELECT " + g.called() + " AS x, " + g.called() + " AS y, COUNT(*) FROM " + from + where
	default:
		e := g.any()
		by := []string{"x", e}[g.pick(2)]
		if g.pick(3) == 0 {
			e, by = "p.id", "p.id"
		}
		text = "SELECT " + e + " AS x, " + g.called() + " AS y, COUNT(*) AS n FROM " + from + where + " GROUP BY " + by
		switch g.pick(4) {
		case 0:
			text += " HAVING y > 3"
		case 1:
			text += " HAVING n BETWEEN 2 AND 9 OR SUM(b) IS NULL"
		}
		switch g.pick(3) {
		case 0:
			text, ordered = text+" ORDER BY x", true
		case 1:
			text, ordered = text+" ORDER BY SUM(b * 2) DESC, x LIMIT 5", true
		}
	}
	return func() statement { return statement{text: text, args: made(args), ordered: ordered} }
}

func TestComputedColumns(t *testing.T) {
	seed := testkit.Seed(t)
	rounds := int(number(t, "EQUALITY_ROUNDS", 200))
	g := reader{generator{rand.New(rand.NewPCG(seed, 9))}}
	srv := emberd.Start(t)
	fast, slow := readSides(t, srv)
	fillTables(t, g, slow)
	done, statements := counted(t, fast)["Ember_compiled_executions"], 0
	for i := range rounds {
		makeOne, prepared := g.computed(), g.pick(2) == 0
		for range 4 {
			q := makeOne()
			if a, b := answers(fast, slow, q, prepared); differ(a, b) {
				t.Fatalf("round %d, prepared %v: %s %q\ncompiled: %s\nGMS:      %s", i, prepared, q.text, q.args, a, b)
			}
			statements++
		}
	}
	done = counted(t, fast)["Ember_compiled_executions"] - done
	t.Logf("%d statements each way, %d of them (%d %%) compiled", statements, done, 100*done/statements)
	require.Greater(t, done, statements/3)
	for _, text := range []string{
		"SELECT COALESCE(SUM(m), 0) AS total FROM p WHERE id > 3", "SELECT SUM(a * b), COUNT(*) FROM p", "SELECT COUNT(*) + COUNT(a) FROM p",
		"SELECT DATE_FORMAT(s, '%Y-%m') AS x, COUNT(*) FROM p GROUP BY x ORDER BY x", "SELECT MIN(IF(a > 3, 1, 0)) AS x FROM p",
		"SELECT DATE(s), COUNT(*) FROM p GROUP BY DATE(s) ORDER BY DATE(s)", "SELECT MONTH(s) AS y, SUM(m) FROM p GROUP BY y ORDER BY y DESC",
		"SELECT a % 3 AS x, AVG(b) FROM p GROUP BY a % 3 HAVING AVG(b) > 1", "SELECT SUM(CASE WHEN w = 'a' THEN 1 ELSE 0 END) AS n FROM p",
		"SELECT id FROM p ORDER BY a + b, id", "SELECT id, CHAR_LENGTH(w) AS n FROM p ORDER BY n DESC, id LIMIT 3", "SELECT DISTINCT MONTH(s) FROM p",
		"SELECT p.a, COUNT(*) AS n FROM p JOIN q ON q.pid = p.id GROUP BY p.a HAVING SUM(q.v * q.n) > 1.5 ORDER BY MAX(q.v) + 1, p.a",
		"UPDATE r SET t = CONCAT(t, '!') WHERE k = 3", "UPDATE r SET t = CASE WHEN k = 1 THEN 'one' WHEN k = 2 THEN 'two' ELSE t END WHERE k IN (1, 2)",
	} {
		for _, prepared := range []bool{false, true} {
			mustCompile(t, fast, slow, statement{text: text}, prepared)
		}
	}
}

// TestComputedAssignments updates by what is computed of the row.
func TestComputedAssignments(t *testing.T) {
	seed := testkit.Seed(t)
	g := generator{rand.New(rand.NewPCG(seed, 10))}
	srv := emberd.Start(t)
	fast, slow := connect(t, srv, "asfast", true), connect(t, srv, "asslow", false)
	both := func(q statement, prepared bool) {
		if a, b := fast.run(q, prepared), slow.run(q, prepared); a != b {
			t.Fatalf("prepared %v: %s %q\ncompiled: %s\nGMS:      %s", prepared, q.text, q.args, a, b)
		}
	}
	both(statement{text: "CREATE TABLE u (id INT PRIMARY KEY, a TINYINT, b INT UNSIGNED NOT NULL, m DECIMAL(6,2), w VARCHAR(6), d DATE, s DATETIME, KEY a (a))"}, false)
	for i := range 30 {
		both(statement{text: "INSERT INTO u VALUES (?, ?, ?, ?, ?, ?, ?)", args: []any{int64(i), int64(i % 7), int64(i % 11), decimal(fmt.Sprintf("%d.25", i)), strings.Repeat("a", i%5), "2024-01-02", "2024-01-02 03:04:05"}}, false)
	}
	for range 120 {
		var sets []string
		for range 1 + g.pick(2) {
			sets = append(sets, []string{
				"a = GREATEST(a - ?, 0)", "a = IFNULL(a, ?)", "a = IF(b > ?, NULL, a)", "b = ABS(a - ?)", "b = COALESCE(a, ?)", "m = ROUND(m * ?, 1)", "w = CONCAT(w, ?)", "w = UPPER(w)",
				"w = LEFT(w, ?)", "w = CASE WHEN id = ? THEN 'x' WHEN a = 2 THEN w ELSE NULL END", "d = DATE(s)", "a = LENGTH(w) + ?", "w = IF(a > ?, a, m)", "a = b > ?", "m = a / b", "b = b - ? - a", "w = NULLIF(w, ?)",
			}[g.pick(17)])
		}
		text := "UPDATE u SET " + strings.Join(sets, ", ") + " WHERE " + []string{"id = ?", "id IN (?, ?)", "a = ?", "b > ? AND id < ?"}[g.pick(4)]
		prepared := g.pick(2) == 0
		for range 3 {
			q := statement{text: text}
			for range strings.Count(text, "?") {
				q.args = append(q.args, int64(g.pick(12)))
			}
			both(q, prepared)
		}
		both(statement{text: "SELECT * FROM u ORDER BY id", ordered: true}, false)
	}
}
