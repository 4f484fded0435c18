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

// Tables that ask something of their rows: foreign keys of all actions, to others and to the table
// itself, CHECKs, generated columns, keys over expressions. No AUTO_INCREMENT: a number that was
// given out before a row was refused leaves a gap.
var guarded = []tableSpec{
	{"parent", []columnSpec{
		{name: "id", def: "INT NOT NULL", value: upTo(12)},
		{name: "code", def: "VARCHAR(10) NOT NULL", value: guardedCode},
		{name: "n", def: "INT", value: nullable(small)},
	}, "PRIMARY KEY (id), UNIQUE KEY code (code)"},
	{"child", []columnSpec{
		{name: "id", def: "INT NOT NULL", value: upTo(40)},
		{name: "pid", def: "INT", value: nullable(upTo(14))},
		{name: "code", def: "VARCHAR(10)", value: nullable(guardedCode)},
		{name: "v", def: "INT NOT NULL DEFAULT 3", value: oneOf(int64(-1), int64(0), int64(1), int64(5), int64(60), int64(99))},
		{name: "w", def: "VARCHAR(10)", value: nullable(oneOf("a", "B", "C", "c", "d"))},
		{name: "d", def: "DATE", value: nullable(date)},
	}, `total INT GENERATED ALWAYS AS (v * 2) STORED NOT NULL, label VARCHAR(40) GENERATED ALWAYS AS (CONCAT(w, '-', v)) VIRTUAL, PRIMARY KEY (id), KEY total (total),
		CONSTRAINT v_range CHECK (v >= 0 AND v < 90), CONSTRAINT w_list CHECK (w IN ('a', 'b', 'C')), CONSTRAINT d_late CHECK (d > '2024-01-11'), CONSTRAINT off CHECK (v <> 5) NOT ENFORCED,
		FOREIGN KEY (pid) REFERENCES parent (id) ON DELETE CASCADE ON UPDATE CASCADE, FOREIGN KEY (code) REFERENCES parent (code)`},
	{"grand", []columnSpec{
		{name: "id", def: "INT NOT NULL", value: upTo(30)},
		{name: "cid", def: "INT", value: nullable(upTo(42))},
		{name: "up", def: "INT", value: nullable(upTo(30))},
		{name: "x", def: "INT", value: nullable(small)},
	}, "PRIMARY KEY (id), FOREIGN KEY (cid) REFERENCES child (id) ON DELETE SET NULL, FOREIGN KEY (up) REFERENCES grand (id) ON DELETE CASCADE"},
	{"made", []columnSpec{
		{name: "a", def: "INT NOT NULL", value: small},
		{name: "b", def: "DECIMAL(8,2)", value: nullable(num)},
		{name: "t", def: "VARCHAR(20)", value: nullable(word)},
	}, `up VARCHAR(30) GENERATED ALWAYS AS (UPPER(t)) STORED, added DECIMAL(10,2) GENERATED ALWAYS AS (a + b) STORED, halved TINYINT GENERATED ALWAYS AS (a / 2) STORED,
		missing INT GENERATED ALWAYS AS (ISNULL(b)) STORED, PRIMARY KEY (a), UNIQUE KEY up (up), CHECK (LENGTH(t) <> 3 OR a > 5)`},
}

func guardedCode(r *rand.Rand) any {
	return []string{"a", "A", "b", "ccc", "d", "none"}[r.IntN(6)]
}

// change is a statement on a guarded table.
func (g generator) change(t *tableSpec) func() statement {
	where, args := g.where(t)
	if g.pick(2) == 0 {
		where, args = " WHERE "+t.cols[0].name+" = ?", func() []any { return []any{t.cols[0].value(g.Rand)} }
	}
	switch n := g.pick(12); {
	case n < 5:
		return g.insert(t)
	case n < 9:
		return g.update(t, where, args)
	case n == 9:
		list := []string{"*", t.cols[0].name, "COUNT(*)"}[g.pick(3)]
		return func() statement { return statement{text: "SELECT " + list + " FROM " + t.name + where, args: args()} }
	}
	if where == "" {
		where, args = " WHERE "+t.cols[0].name+" = ?", func() []any { return []any{t.cols[0].value(g.Rand)} }
	}
	return func() statement { return statement{text: "DELETE FROM " + t.name + where, args: args()} }
}

func TestConstraintsHoldBothWays(t *testing.T) {
	seed := testkit.Seed(t)
	rounds := int(number(t, "EQUALITY_ROUNDS", 400))
	g := generator{rand.New(rand.NewPCG(seed, 5))}
	srv := emberd.Start(t)
	fast, slow := connect(t, srv, "cofast", true), connect(t, srv, "coslow", false)
	var last []string // statements before
	both := func(q statement, prepared bool) string {
		a, b := fast.run(q, prepared), slow.run(q, prepared)
		if last = append(last, fmt.Sprintf("%v %s %q", prepared, q.text, q.args)); len(last) > 6 {
			last = last[1:]
		}
		// Which of several rows is refused first depends on the order they are read in.
		if refused := "error: ERROR "; strings.HasPrefix(q.text, "UPDATE") && strings.HasPrefix(a, refused) && strings.HasPrefix(b, refused) {
			return a
		}
		if a != b {
			t.Errorf("%s\ncompiled: %s\nGMS:      %s", strings.Join(last, "\n\t"), a, b)
		}
		return a
	}
	for i := range guarded {
		require.NotContains(t, both(statement{text: guarded[i].create()}, false), "error")
		for range 30 {
			both(g.insert(&guarded[i])(), false)
		}
	}
	var pool []func() statement
	for i := 0; i < rounds && !t.Failed(); i++ {
		if len(pool) < 30 || g.pick(5) == 0 {
			pool = append(pool, g.change(&guarded[g.pick(len(guarded))]))
		}
		makeOne, prepared := pool[g.pick(len(pool))], g.pick(2) == 0
		for range 3 {
			both(makeOne(), prepared)
		}
		switch g.pick(20) {
		case 0:
			both(statement{text: fmt.Sprintf("SET foreign_key_checks = %d", g.pick(2))}, false)
		case 1, 2:
			both(statement{text: []string{"BEGIN", "COMMIT", "ROLLBACK"}[g.pick(3)]}, false)
		case 3:
			both(statement{text: "SHOW WARNINGS"}, false)
		case 4:
			both(statement{text: "INSERT IGNORE INTO parent VALUES (?, ?, ?)", args: []any{int64(g.pick(12)), guardedCode(g.Rand), int64(1)}}, false)
		case 5: // who refers to a table changes
			both(statement{text: []string{
				"CREATE TABLE IF NOT EXISTS late (id INT PRIMARY KEY, a INT, FOREIGN KEY (a) REFERENCES made (a))", "DROP TABLE IF EXISTS late",
				"INSERT IGNORE INTO late SELECT a, a FROM made", fmt.Sprintf("ALTER TABLE made COMMENT 'c%d'", i),
			}[g.pick(4)]}, false)
		}
	}
	for i := range guarded {
		both(statement{text: "SELECT * FROM " + guarded[i].name}, false)
	}
	require.False(t, t.Failed())
	shares(t, slow, rounds)
}

// guardedStatements are what mappers of objects write to such tables. They must run compiled.
var guardedStatements = []statement{
	{text: "INSERT INTO child (id, pid, code, v, w) VALUES (?, ?, ?, ?, ?)", args: []any{int64(110), int64(1), "a", int64(7), "a"}},
	{text: "INSERT INTO child (id, pid, v) VALUES (?, ?, ?), (?, NULL, 4)", args: []any{int64(101), int64(1), int64(7), int64(102)}},
	{text: "INSERT INTO child (id, pid, v) VALUES (?, ?, ?) ON DUPLICATE KEY UPDATE v = VALUES(v)", args: []any{int64(100), int64(1), int64(8)}},
	{text: "UPDATE child SET v = v + ?, w = ? WHERE id = ?", args: []any{int64(1), "b", int64(100)}},
	{text: "UPDATE child SET pid = ? WHERE id = ?", args: []any{int64(2), int64(100)}},
	{text: "SELECT id, total FROM child WHERE total = ?", args: []any{int64(18)}},
	{text: "UPDATE parent SET n = ? WHERE id = ?", args: []any{int64(9), int64(1)}},
	{text: "INSERT INTO parent (id, code, n) VALUES (?, ?, ?)", args: []any{int64(50), "fifty", nil}},
	{text: "INSERT INTO grand (id, cid, up, x) VALUES (?, ?, ?, ?)", args: []any{int64(90), int64(100), nil, int64(4)}},
	{text: "INSERT INTO made (a, b, t) VALUES (?, ?, ?)", args: []any{int64(70), "1.5", "text"}},
	{text: "REPLACE INTO made (a, b, t) VALUES (?, ?, ?)", args: []any{int64(71), "1.5", "texts"}},
	{text: "UPDATE made SET b = ?, t = ? WHERE a = ?", args: []any{"2.5", "other", int64(70)}},
	{text: "SELECT * FROM made WHERE a = ?", args: []any{int64(70)}},
	{text: "DELETE FROM made WHERE a = ?", args: []any{int64(70)}},
	{text: "INSERT INTO keyed VALUES (?, ?)", args: []any{int64(70), int64(4)}},
	{text: "UPDATE keyed SET x = ? WHERE id = ?", args: []any{int64(7), int64(70)}},
	{text: "SELECT * FROM keyed WHERE id < ?", args: []any{int64(99)}},
}

func TestGuardedTablesRunCompiled(t *testing.T) {
	srv := emberd.Start(t)
	fast, slow := connect(t, srv, "gufast", true), connect(t, srv, "guslow", false)
	both := func(q statement, prepared bool) string {
		a := fast.run(q, prepared)
		require.Equal(t, slow.run(q, prepared), a, "%s %q", q.text, q.args)
		return a
	}
	for i := range guarded {
		require.NotContains(t, both(statement{text: guarded[i].create()}, false), "error")
	}
	both(statement{text: "INSERT INTO parent VALUES (1, 'a', 1), (2, 'b', 2)"}, false)
	both(statement{text: "CREATE TABLE keyed (id INT PRIMARY KEY, x INT, KEY more ((x + 1)))"}, false)
	for _, prepared := range []bool{false, true} {
		for _, q := range guardedStatements {
			both(statement{text: "BEGIN"}, false)
			both(statement{text: "INSERT IGNORE INTO child (id, pid, code, v, w) VALUES (100, 1, 'a', 7, 'a')"}, false)
			both(statement{text: "SAVEPOINT s1"}, false)
			for range 2 {
				require.NotContains(t, both(q, prepared), "error", q.text)
				both(statement{text: "ROLLBACK TO s1"}, false)
			}
			before := counters(t, slow)["Ember_compiled_executions"]
			both(q, prepared)
			require.Equal(t, before+1, counters(t, slow)["Ember_compiled_executions"], "not compiled: %s, prepared %v", q.text, prepared)
			both(statement{text: "ROLLBACK"}, false)
		}
	}
}
