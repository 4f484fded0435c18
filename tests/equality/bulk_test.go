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

// bulkRow writes a row of literals as programs that dump tables do.
func (g generator) bulkRow(cols []*columnSpec, odd bool) string {
	var b strings.Builder
	space := func() { b.WriteString([]string{"", "", "", " ", "\n", "\t "}[g.pick(6)]) }
	for i, c := range cols {
		b.WriteString([]string{"(", ","}[min(i, 1)])
		space()
		v := c.value(g.Rand)
		if odd {
			v = g.odd(c)
		}
		text, isText := v.(string)
		switch {
		case v == nil:
			b.WriteString([]string{"NULL", "null", "Null"}[g.pick(3)])
		case odd && g.pick(40) == 0, g.pick(60) == 0 && (strings.Contains(c.def, "DEFAULT") || c.auto):
			b.WriteString("DEFAULT")
		case isText && text != "" && strings.Contains(c.def, "BINARY") && g.pick(3) == 0:
			fmt.Fprintf(&b, "0x%X", text)
		case isText && strings.Contains(c.def, "BINARY") && g.pick(3) == 0:
			b.WriteString("_binary '" + strings.ReplaceAll(text, "'", `\'`) + "'")
		case isText:
			b.WriteString(statement{style: g.pick(2)}.quote(text))
		default:
			fmt.Fprint(&b, v)
		}
		space()
	}
	return b.String() + ")"
}

// bulk makes an INSERT or REPLACE of many rows.
func (g generator) bulk(t *tableSpec) string {
	cols := make([]*columnSpec, 0, len(t.cols))
	names := []string{}
	for i := range t.cols {
		if g.pick(6) > 0 {
			cols, names = append(cols, &t.cols[i]), append(names, t.cols[i].name)
		}
	}
	list := " (" + strings.Join(names, ",") + ")"
	if len(cols) == 0 || g.pick(3) == 0 {
		cols, list = cols[:0], ""
		for i := range t.cols {
			cols = append(cols, &t.cols[i])
		}
	}
	verb, tail := "INSERT INTO ", ""
	switch n := g.pick(10); {
	case n == 0 && t.name != "kinds": // a row in the way of several is go-mysql-server's, and numbers are gone by then
		verb = "REPLACE INTO "
	case n < 6:
		verb = "INSERT IGNORE INTO "
	case n < 8 && t.name != "numbers" && t.name != "kinds": // likewise
		tail = g.onDuplicate(t, cols)
	}
	odd := g.pick(4) == 0
	rows := make([]string, []int{2, 3, 4, 30, 700}[g.pick(5)])
	for i := range rows {
		rows[i] = g.bulkRow(cols, odd && g.pick(3) == 0)
	}
	between := []string{",", ", ", " ,\n"}[g.pick(3)]
	return verb + t.name + list + []string{" VALUES ", " values", "\nVALUES\n"}[g.pick(3)] + strings.Join(rows, between) + tail
}

// Rows that are read from the text leave what go-mysql-server leaves: rows, numbers, counts,
// errors, warnings.
func TestBulkInserts(t *testing.T) {
	seed := testkit.Seed(t)
	rounds := int(number(t, "EQUALITY_ROUNDS", 250))
	g := generator{rand.New(rand.NewPCG(seed, 2))}
	srv := emberd.Start(t)
	fast, slow := sides(t, srv, "b")
	both := func(text string) {
		a, b := answers(fast, slow, statement{text: text}, false)
		if a != b {
			if len(text) > 4000 {
				text = text[:2000] + " ... " + text[len(text)-2000:]
			}
			t.Errorf("%s\ncompiled: %s\nthe other: %s", text, a, b)
		}
	}
	// The numbers of AUTO_INCREMENT columns begin apart from those that rows bring.
	for i := range tables {
		both(tables[i].create())
	}
	for i := 0; i < rounds && !t.Failed(); i++ {
		s := &tables[g.pick(len(tables))]
		switch g.pick(14) {
		case 0:
			both(fmt.Sprintf("SET sql_mode = '%s'", []string{"", "NO_AUTO_VALUE_ON_ZERO", "STRICT_TRANS_TABLES,NO_AUTO_VALUE_ON_ZERO", "STRICT_TRANS_TABLES"}[g.pick(4)]))
		case 1:
			both("BEGIN")
		case 2:
			both([]string{"COMMIT", "ROLLBACK"}[g.pick(2)])
		case 3:
			both("DELETE FROM " + s.name)
		case 4:
			how := []string{" WRITE", " WRITE", " READ"}[g.pick(3)]
			if s.cols[0].auto {
				how = " WRITE" // go-mysql-server takes a number before it finds that it may not write
			}
			both("LOCK TABLES " + s.name + how)
			both(g.bulk(s))
			both(g.bulk(&tables[g.pick(len(tables))]))
			both([]string{"UNLOCK TABLES", "COMMIT"}[g.pick(2)])
			both(g.bulk(s))
			both("UNLOCK TABLES")
		}
		both(g.bulk(s))
		both("SHOW WARNINGS")
		both("SELECT ROW_COUNT(), LAST_INSERT_ID()")
		if g.pick(5) == 0 {
			both("SELECT * FROM " + s.name)
		}
	}
	both("COMMIT")
	for i := range tables {
		both("SELECT * FROM " + tables[i].name)
	}
	require.False(t, t.Failed())
	shares(t, fast, rounds)
}

// A statement of more rows than are read at a time, among them some that are there, and the one row
// of a long value.
func TestLongInserts(t *testing.T) {
	srv := emberd.Start(t)
	fast, slow := connect(t, srv, "lfast", true), connect(t, srv, "lslow", false)
	both := func(text string) {
		t.Helper()
		require.Equal(t, slow.run(statement{text: text}, false), fast.run(statement{text: text}, false), text[:min(200, len(text))])
	}
	both("CREATE TABLE t (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, a INT, s LONGTEXT, m DECIMAL(10,2) DEFAULT 1.5, UNIQUE KEY a (a))")
	insert := func(verb string, from, n, step int, tail string) string {
		rows := make([]string, n)
		for i := range rows {
			rows[i] = fmt.Sprintf(`(NULL,%d,'it''s \'%d\' \\',-%d.25)`, from+i*step, i, i%1000)
		}
		return verb + " INTO t VALUES " + strings.Join(rows, ",") + tail
	}
	many := 20_000
	for _, text := range []string{
		insert("INSERT", 0, many, 1, ""),
		insert("INSERT", -many+1, many, 1, ""), // the last row is there
		insert("INSERT IGNORE", many-100, many, 1, ""),
		insert("INSERT", 5, many, 3, " ON DUPLICATE KEY UPDATE s = 'again', m = m + VALUES(m)"),
		insert("REPLACE", 7, many, 2, ""),
		"INSERT INTO t (s) VALUES ('" + strings.Repeat(`long \n `, 100_000) + "')",
		"INSERT INTO t (s, a) VALUES ('" + strings.Repeat(`x`, 1_000_000) + "', 'no number')",
		"INSERT INTO t VALUES (-5,-5,NULL,DEFAULT),(DEFAULT,-6,'',1)",
	} {
		both(text)
		both("SHOW WARNINGS LIMIT 3")
		both("SELECT ROW_COUNT(), LAST_INSERT_ID()")
		both("SELECT COUNT(*), MIN(id), MAX(id), SUM(id), SUM(a), SUM(m), SUM(LENGTH(s)) FROM t")
	}
	require.Greater(t, counters(t, slow)["Ember_compiled_executions"], 6)
}

// Rows for a table that was made anew, of another definition, are compiled again at once.
func TestRowsForAnotherTable(t *testing.T) {
	srv := emberd.Start(t)
	fast, slow := connect(t, srv, "afast", true), connect(t, srv, "aslow", false)
	both := func(text string) {
		t.Helper()
		require.Equal(t, slow.run(statement{text: text}, false), fast.run(statement{text: text}, false), text)
	}
	for _, def := range []string{"a INT PRIMARY KEY, b INT", "a VARCHAR(10), b DECIMAL(5,2) NOT NULL, KEY (a)", "a BIGINT PRIMARY KEY, b INT CHECK (b < 10)", "a INT PRIMARY KEY"} {
		both("CREATE TABLE t (" + def + ")")
		before := counters(t, slow)["Ember_compiled_executions"]
		both("INSERT INTO t VALUES (1,2),(3,4),(2,11)")
		if !strings.Contains(def, "CHECK") && strings.Contains(def, "b ") {
			require.Equal(t, before+1, counters(t, slow)["Ember_compiled_executions"], def)
		}
		both("SELECT * FROM t ORDER BY a")
		both("DROP TABLE t")
	}
}
