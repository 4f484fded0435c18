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

// grouped is a SELECT of groups with HAVING, some of whose functions are not in the list.
func (g generator) grouped() func() statement {
	t := &tables[[]int{0, 2, 6}[g.pick(3)]] // of numbers
	by := t.cols[1].name
	functions := []string{"COUNT(*)", "COUNT(" + t.cols[2].name + ")", "SUM(" + t.cols[2].name + ")", "MIN(" + t.cols[0].name + ")", "MAX(" + t.cols[1].name + ")", "COUNT(DISTINCT " + t.cols[0].name + ")"}
	if t.name == "heap" {
		by, functions = "c", []string{"COUNT(*)", "COUNT(b)", "SUM(a)", "MIN(a)", "MAX(c)", "COUNT(DISTINCT a)"}
	}
	if t.name == "numbers" {
		by, functions[2], functions[4] = "q", "SUM(m)", "MAX(m)"
	}
	var conds []string
	for range 1 + g.pick(2) {
		f := append(functions, "n", by)[g.pick(len(functions)+2)]
		o := []string{"=", "<", "<=", ">", ">=", "<>"}[g.pick(6)]
		if g.pick(5) == 0 {
			conds = append(conds, "? "+o+" "+f)
			continue
		}
		conds = append(conds, f+" "+o+" ?")
	}
	order := ""
	switch g.pick(3) {
	case 0:
		order = " ORDER BY " + functions[g.pick(len(functions))] + " DESC"
	case 1:
		order = " ORDER BY n, " + by
	}
	text := fmt.Sprintf("SELECT %s, %s AS n FROM %s WHERE %s >= ? GROUP BY %s HAVING %s%s", by, functions[g.pick(len(functions))], t.name, by, by, strings.Join(conds, " AND "), order)
	return func() statement {
		q := statement{text: text, args: []any{int64(g.pick(3))}, ordered: strings.Contains(order, "n, ")}
		for range conds {
			q.args = append(q.args, []any{int64(g.pick(6)), int64(g.pick(100)), decimal("1.5"), decimal("2.50"), int64(-3)}[g.pick(5)])
		}
		return q
	}
}

// turned is a join with RIGHT JOIN.
func (g generator) turned() func() statement {
	list := []string{"*", "i.a, n.id, n.m", "COUNT(*), COUNT(i.id)", "n.*, i.b"}[g.pick(4)]
	on := []string{"i.id = n.q", "n.q = i.id AND i.a > ?", "i.id = n.q AND n.id < ?"}[g.pick(3)]
	tail := []string{"", " WHERE i.a IS NULL", " WHERE n.id > ?", " WHERE i.b = ? AND n.q > 2"}[g.pick(4)]
	from := "ints i RIGHT JOIN numbers n ON " + on
	switch g.pick(4) {
	case 0:
		from += " LEFT JOIN times t ON t.id = i.id"
	case 1:
		from = "ints i RIGHT OUTER JOIN (numbers n JOIN times t ON t.id = n.q) ON " + on
	}
	text := "SELECT " + list + " FROM " + from + tail
	return func() statement {
		q := statement{text: text}
		for range strings.Count(text, "?") {
			q.args = append(q.args, int64(g.pick(30)))
		}
		return q
	}
}

// nested is a SELECT with subqueries in WHERE.
func (g generator) nested() func() statement {
	subqueries := []string{
		"i.id IN (SELECT n.q FROM numbers n WHERE n.id > ?)", "i.a IN (SELECT id FROM numbers)", "a IN (SELECT id FROM numbers WHERE m >= ? AND q + 1 > 3)",
		"EXISTS (SELECT 1 FROM numbers n WHERE n.q = i.id)", "NOT EXISTS (SELECT * FROM numbers n WHERE n.q = i.a AND n.id < ?)",
		"EXISTS (SELECT id FROM numbers WHERE q = i.a AND id > i.b LIMIT ?)", "i.id NOT IN (SELECT q FROM numbers WHERE id < ?)", "i.a NOT IN (SELECT q FROM numbers WHERE id < ?)",
		"i.id IN (SELECT DISTINCT t.n FROM times t WHERE t.d = '2024-01-12')", "? IN (SELECT q FROM numbers WHERE id = i.b)", "NOT (EXISTS (SELECT 1 FROM ints o WHERE o.id = i.a AND o.c IS NULL))",
		"i.a IN (SELECT o.id FROM ints o WHERE o.a IS NOT NULL OR o.id > ?)", "EXISTS (SELECT 1 FROM times WHERE n = i.a AND i.b > ?)", "i.id IN (SELECT id FROM ints WHERE a = ?)",
	}
	conds := []string{subqueries[g.pick(len(subqueries))]}
	for range g.pick(3) {
		conds = append(conds, []string{"i.id < ?", "i.b BETWEEN 3 AND ?", "i.a > ?", "i.c IS NULL", "i.id + 1 > ?", "i.id = ?"}[g.pick(6)])
	}
	if g.pick(4) == 0 {
		conds = append(conds, subqueries[g.pick(len(subqueries))])
	}
	g.Shuffle(len(conds), func(i, j int) { conds[i], conds[j] = conds[j], conds[i] })
	list := []string{"*", "i.id, b + 1", "COUNT(*), MIN(i.id)", "i.*", "DISTINCT i.b"}[g.pick(5)]
	from, tail := "ints i", ""
	switch g.pick(5) {
	case 0:
		from = "ints i LEFT JOIN words w ON w.k = 'a' AND w.n = i.id"
	case 1, 2:
		list, tail = "i.id, i.a", " ORDER BY i.id"+[]string{"", " DESC"}[g.pick(2)]
	}
	text := "SELECT " + list + " FROM " + from + " WHERE " + strings.Join(conds, " AND ") + tail
	return func() statement {
		q := statement{text: text} // go-mysql-server may lose the order when it merges indexes for these
		for range strings.Count(text, "?") {
			q.args = append(q.args, int64(g.pick(30)))
		}
		return q
	}
}

func TestGroupsJoinsAndSubqueries(t *testing.T) {
	seed := testkit.Seed(t)
	rounds := int(number(t, "EQUALITY_ROUNDS", 400))
	g := generator{rand.New(rand.NewPCG(seed, 6))}
	srv := emberd.Start(t)
	fast, slow := connect(t, srv, "grfast", true), connect(t, srv, "grslow", false)
	both := func(q statement, prepared bool) {
		if a, b := fast.run(q, prepared), slow.run(q, prepared); a != b {
			t.Errorf("prepared %v: %s %q\ncompiled: %s\nGMS:      %s", prepared, q.text, q.args, a, b)
		}
	}
	for i := range tables {
		both(statement{text: tables[i].create()}, false)
		for range 40 {
			both(g.insert(&tables[i])(), false)
		}
	}
	for i := 0; i < rounds/3 && !t.Failed(); i++ {
		makeOne, prepared := g.grouped(), g.pick(2) == 0
		switch g.pick(4) {
		case 0:
			makeOne = g.turned()
		case 1, 2:
			makeOne = g.nested()
		}
		for range 3 {
			both(makeOne(), prepared)
		}
	}
	require.False(t, t.Failed())
	shares(t, slow, rounds/3)

	for _, q := range []statement{
		{text: "SELECT a, COUNT(*) AS n FROM ints GROUP BY a HAVING COUNT(*) > ?", args: []any{int64(1)}},
		{text: "SELECT `a` FROM `ints` GROUP BY `a` HAVING COUNT(`ints`.`id`) >= ? ORDER BY COUNT(*) DESC LIMIT 3", args: []any{int64(1)}},
		{text: "SELECT q, SUM(m) AS total FROM numbers GROUP BY q HAVING total > ?", args: []any{decimal("1.5")}},
		{text: "SELECT i.*, n.id FROM ints i RIGHT JOIN numbers n ON i.id = n.q WHERE n.id = ?", args: []any{int64(3)}},
		{text: "SELECT * FROM ints WHERE a IN (SELECT id FROM numbers WHERE q = ?)", args: []any{int64(3)}},
		{text: "SELECT id FROM ints i WHERE a > ? AND EXISTS (SELECT 1 FROM numbers WHERE q = i.id LIMIT 1)", args: []any{int64(3)}},
		{text: "SELECT id FROM ints i WHERE NOT EXISTS (SELECT 1 FROM numbers WHERE q = i.id AND m > ?)", args: []any{int64(3)}},
		{text: "SELECT id FROM ints WHERE id NOT IN (SELECT q FROM numbers WHERE m > ?)", args: []any{int64(3)}},
	} {
		for _, prepared := range []bool{false, true} {
			mustCompile(t, fast, slow, q, prepared)
		}
	}
}

// mustCompile checks that a statement is run compiled the second time.
func mustCompile(t *testing.T, fast, slow *side, q statement, prepared bool) {
	t.Helper()
	fast.run(q, prepared) // learned from
	before := counters(t, slow)
	require.NotContains(t, fast.run(q, prepared), "error")
	after := counters(t, slow)
	require.Equal(t, before["Ember_compiled_executions"]+1, after["Ember_compiled_executions"], "prepared %v: %s: %v", prepared, q.text, after)
}

// TestEndsOfTexts: blanks, comments and a semicolon around a statement do not keep it from its
// program.
func TestEndsOfTexts(t *testing.T) {
	srv := emberd.Start(t)
	fast, slow := connect(t, srv, "texts", true), connect(t, srv, "texts", false)
	for _, q := range []string{"CREATE TABLE t (id INT PRIMARY KEY, a VARCHAR(20))", "INSERT INTO t VALUES (1, 'x'), (2, '*/'), (3, ';')"} {
		_, err := slow.Execute(q)
		require.NoError(t, err)
	}
	for _, text := range []string{"SELECT id, a AS `b` FROM t WHERE id < ?", "UPDATE t SET a = a WHERE id = ?", "SELECT id + 1 AS n FROM t WHERE id < ?"} {
		for _, around := range [][2]string{{"", ";"}, {" \n\t", ""}, {"\r\n", " ;\n "}, {"/* app */ ", ""}, {"/* a */ /* b */", "; "}, {"", " /* controller='x' */"}, {" /*a*/", "/*b*/;"}} {
			for _, prepared := range []bool{false, true} {
				q := statement{text: around[0] + text + around[1], args: []any{int64(2)}}
				mustCompile(t, fast, slow, q, prepared)
				require.Equal(t, slow.run(q, prepared), fast.run(q, prepared), "%q", q.text)
			}
		}
	}
	for _, text := range []string{
		"SELECT id FROM t WHERE a = '*/'", "SELECT id FROM t WHERE a = ';'", "SELECT id FROM t WHERE a = '/* x */'", "SELECT id FROM t;;", "SELECT id FROM t; SELECT 1", "SELECT 1 /* why */", "SELECT 'x' ;",
		"SELECT id FROM t /*! LIMIT 1 */", "/*! SELECT */ id FROM t", "SELECT id FROM t WHERE a = 'x /* y */", "SELECT id FROM t -- x;", "/* a", "/**/", ";", "COMMIT;", "/* x */ BEGIN;", "ROLLBACK /* x */ ;",
	} {
		for range 3 {
			for _, prepared := range []bool{false, true} {
				q := statement{text: text}
				require.Equal(t, slow.run(q, prepared), fast.run(q, prepared), "%q, prepared %v", text, prepared)
			}
		}
	}
}
