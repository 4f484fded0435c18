package equality

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-mysql-org/go-mysql/client"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// What a text means depends on more than its words: on the SQL mode, the character sets, the
// database, the tables as they are now, what the account may do. Texts that look alike are run
// again and again while all of that changes.

// here stands for the side's database, which is its account too.
const here = "\x01"

// dialect makes texts that look alike.
type dialect struct{ generator }

var dialectForms = []string{
	"SELECT {c}, {c} FROM {t} WHERE {c} = {l}", "SELECT * FROM {t} WHERE id = {l}", "SELECT id, {l} FROM t WHERE id = {i}", "SELECT id, {l} AS x FROM t WHERE id < {i}",
	"SELECT a AS {c} FROM t ORDER BY {c}, id", "SELECT id, b FROM t ORDER BY {i}, id", "SELECT a, COUNT(*) FROM t GROUP BY {i}", "SELECT b, COUNT(*), SUM(a) FROM t GROUP BY {c}",
	"SELECT id FROM t WHERE b LIKE {s}", "SELECT id FROM t WHERE b LIKE {s} ESCAPE {s}", "SELECT id FROM {t} WHERE a IN ({i}, {i}, {i})", "SELECT id FROM t WHERE {c} BETWEEN {l} AND {l}",
	"SELECT id FROM t WHERE NOT a = {i}", "SELECT id FROM t WHERE ! a = {i}", "SELECT id FROM t WHERE a = -{i}", "SELECT id FROM t WHERE a - {i} = -{i}", "SELECT id, b || {s} FROM t WHERE id = {i}",
	"SELECT id FROM t WHERE b = {s} || {s}", "SELECT id, CONCAT({c}, {s}) FROM t WHERE id = {i}", "SELECT id, a + {l} FROM t WHERE id = {i}", "SELECT COUNT({l}) FROM {t}", "SELECT MAX({c}), COUNT(*) FROM {t}",
	"SELECT IF(a > {i}, {s}, b) FROM t WHERE id < {i}", "SELECT ROUND(m, {i}) FROM t WHERE id = {i}", "SELECT id FROM t WHERE m = {l} AND b = {s}", "SELECT DISTINCT {c} FROM {t}",
	"SELECT id FROM t ORDER BY id LIMIT {i}", "SELECT id FROM t ORDER BY id LIMIT {i}, {i}", "SELECT t.id, u.b FROM t JOIN u ON u.id = t.a WHERE t.id = {l}", "SELECT id FROM t WHERE d = {l}", "SELECT count (*) FROM t",
	"SELECT id FROM {t} WHERE id = {i} FOR UPDATE", "SELECT {l}", "SELECT @v, {i}", "SELECT id FROM t WHERE b = {c}", "SELECT * FROM v WHERE id = {i}", "SELECT id FROM t WHERE id = {i} AND b <=> {l}",
	"UPDATE {t} SET a = {i} WHERE id = {i}", "UPDATE t SET b = {l} WHERE id = {l}", "UPDATE t SET a = a + {l} WHERE id = {i}", "UPDATE t SET {c} = {c} WHERE id = {i}", "UPDATE t SET a = {i} WHERE b = {s}",
	"INSERT INTO {t} (id, a) VALUES ({i}, {l})", "INSERT INTO t (id, b) VALUES ({i}, {s}), ({i}, {s})", "REPLACE INTO t (id, a, b) VALUES ({i}, {i}, {s})", "INSERT IGNORE INTO t (id, b) VALUES ({i}, {l})",
	"INSERT INTO t (id, a) VALUES ({i}, {i}) ON DUPLICATE KEY UPDATE a = a + {i}", "INSERT INTO t VALUES ({i}, {i}, {s}, {i}, NULL)", "DELETE FROM {t} WHERE id = {l}", "DELETE FROM t WHERE a = {i} AND b = {s}",
}

func (g dialect) among(of ...string) string { return of[g.pick(len(of))] }

// fill makes a text of a form. For a prepared statement, literals are parameters.
func (g dialect) fill(form string, prepared bool) (q statement) {
	var b strings.Builder
	for rest := form; rest != ""; {
		at := strings.IndexAny(rest, "{ ")
		if at < 0 {
			b.WriteString(rest)
			break
		}
		b.WriteString(rest[:at])
		if rest[at] == ' ' {
			b.WriteString(g.gap())
			rest = rest[at+1:]
			continue
		}
		kind := rest[at+1]
		rest = rest[at+3:]
		if prepared && strings.IndexByte("lis", kind) >= 0 && !strings.Contains(b.String(), "LIMIT") && g.pick(3) > 0 { // the library takes no NULL for a limit
			b.WriteByte('?')
			q.args = append(q.args, []any{int64(g.pick(4)), int64(-1), uint64(1 << 63), "1", "b", nil, 1.5, "B"}[g.pick(8)])
			continue
		}
		switch kind {
		case 'c':
			b.WriteString(g.among("a", "b", "a", "b", "id", "`a`", "`b`", "A", `"a"`, `"b"`, "t.a", "'a'", "m", "d"))
		case 't':
			b.WriteString(g.among("t", "t", "t", "`t`", "u", here+".t", "`"+here+"`.t", `"t"`, here+"2.t"))
		case 'i':
			b.WriteString(g.among("1", "2", "3", "0", "1", "2", "3", "01", "1.0", "'1'", "1e0"))
		case 's':
			b.WriteString(g.among("'a'", "'b'", "'A'", `"a"`, `"b"`, "''", `'a\'b'`, `'a''b'`, `'\\'`, `'a%'`, `'a\%'`, "'a' 'b'", "_latin1'a'", "N'a'", "x'61'", "'ä'", `'b '`, "_utf8mb4'b' COLLATE utf8mb4_bin"))
		case 'l':
			b.WriteString(g.among("1", "'1'", "1.0", "1e0", "01", "0x31", "x'31'", "b'1'", "'a'", `"a"`, `"b"`, "'b'", "`a`", "NULL", "-1", "+1", "- 1", "TRUE", "18446744073709551615", "9223372036854775808", "1.",
				".5", "0.5", "'1' '2'", "DATE'2024-01-01'", "'2024-01-01'", "@v", "@@sql_select_limit", "1 + 1", "2", "(1)", "'1abc'", "00", "1/*!+1*/", "1/*!99999+1*/", "a", "'1e0'"))
		}
	}
	q.text = b.String()
	return q
}

// gap is what stands between words.
func (g dialect) gap() string {
	if g.pick(25) > 0 {
		return " "
	}
	return g.among("  ", "\n", "\t", " /* c */ ", " /**/ ", " /*! */ ", " /*+ NO_ICP(t) */ ", " -- x\n", " # x\n", " /*!99999 nonsense */ ", " /*!50000 */ ", "\r\n", " /* ' */ ", " /* ? */ ", " /*M! */ ") // the library mistakes the name of a column right behind a comment
}

// changes are of the session.
func (g dialect) change() string {
	return g.among(
		"SET sql_mode = ''", "SET sql_mode = 'STRICT_TRANS_TABLES'", "SET sql_mode = 'ANSI_QUOTES'", "SET sql_mode = 'PIPES_AS_CONCAT'", "SET sql_mode = 'NO_BACKSLASH_ESCAPES'",
		"SET sql_mode = 'HIGH_NOT_PRECEDENCE'", "SET sql_mode = 'IGNORE_SPACE'", "SET sql_mode = 'ANSI'", "SET sql_mode = 'ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES'", "SET sql_mode = DEFAULT",
		"SET NAMES utf8mb4", "SET NAMES latin1", "SET NAMES utf8mb4 COLLATE utf8mb4_bin", "SET character_set_results = latin1", "SET collation_connection = utf8mb4_general_ci",
		"SET sql_select_limit = 2", "SET sql_select_limit = DEFAULT", "SET @v = 1", "SET @v = 'a'", "USE "+here+"2", "USE "+here, "USE "+here, "BEGIN", "COMMIT", "ROLLBACK",
		"CREATE TEMPORARY TABLE t (id INT PRIMARY KEY, a VARCHAR(9), b INT, m INT, d INT)", "INSERT INTO t (id, a, b) VALUES (1, 'x', 1)", "DROP TEMPORARY TABLE IF EXISTS t", "DROP TEMPORARY TABLE IF EXISTS t",
		"LOCK TABLES t WRITE", "UNLOCK TABLES", "UNLOCK TABLES", "TRUNCATE TABLE t", "SET time_zone = '+03:00'", "SET max_execution_time = 100000", "SET autocommit = 1", "SET SESSION TRANSACTION READ ONLY", "SET SESSION TRANSACTION READ WRITE",
	)
}

const dialectTable = " (id INT PRIMARY KEY, a INT, b VARCHAR(20), m DECIMAL(8,2), d DATE, KEY a (a))"

// definition is a change that somebody else makes.
func (g dialect) definition() []string {
	t := here + "." + g.among("t", "t", "t", "u")
	rows := "INSERT INTO " + t + " (id, a, b) VALUES (1, 1, 'a'), (2, 2, 'b'), (3, NULL, '1')"
	switch g.pick(18) {
	case 0:
		return []string{"ALTER TABLE " + t + " ADD COLUMN n INT DEFAULT 5 AFTER id"}
	case 1:
		return []string{"ALTER TABLE " + t + " DROP COLUMN n"}
	case 2, 3:
		return []string{"ALTER TABLE " + t + " MODIFY a " + g.among("VARCHAR(20)", "INT", "BIGINT UNSIGNED", "DECIMAL(10,2)", "DOUBLE", "CHAR(5) COLLATE utf8mb4_bin")}
	case 4:
		return []string{"ALTER TABLE " + t + " RENAME COLUMN a TO c", "ALTER TABLE " + t + " RENAME COLUMN b TO a", "ALTER TABLE " + t + " RENAME COLUMN c TO b"}
	case 5:
		return []string{"ALTER TABLE " + t + " DROP INDEX a"}
	case 6:
		return []string{"ALTER TABLE " + t + " ADD INDEX a (a)"}
	case 7, 8:
		return []string{"DROP TABLE IF EXISTS " + t, "CREATE TABLE " + t + dialectTable, rows}
	case 9:
		return []string{"DROP TABLE IF EXISTS " + t, "CREATE TABLE " + t + " (id VARCHAR(20) PRIMARY KEY, b INT, a VARCHAR(20) COLLATE utf8mb4_bin, d INT, m DOUBLE)", "INSERT INTO " + t + " (id, b, a) VALUES ('1', 1, 'a'), ('01', 2, 'b')"}
	case 10:
		return []string{"RENAME TABLE " + here + ".t TO " + here + ".w, " + here + ".u TO " + here + ".t, " + here + ".w TO " + here + ".u"}
	case 11:
		return []string{"ALTER TABLE " + t + " ADD CONSTRAINT ck CHECK (id < 3)", "ALTER TABLE " + t + " DROP CONSTRAINT ck"}
	case 12:
		return []string{"DROP TRIGGER IF EXISTS " + here + ".tr", "CREATE TRIGGER " + here + ".tr BEFORE INSERT ON " + here + ".t FOR EACH ROW SET NEW.b = 'trig'"}
	case 13:
		return []string{"DROP TRIGGER IF EXISTS " + here + ".tr"}
	case 14:
		return []string{"REVOKE " + g.among("SELECT", "UPDATE", "INSERT", "DELETE", "SELECT, UPDATE") + " ON " + here + ".* FROM " + here}
	case 15:
		return []string{"GRANT ALL ON " + here + ".* TO " + here}
	case 16:
		return []string{"CREATE OR REPLACE VIEW " + here + ".v AS SELECT " + g.among("*", "id", "a AS id, b", "id, a + 1 AS a") + " FROM " + here + ".t"}
	}
	return []string{"DROP TABLE IF EXISTS " + t, "CREATE VIEW " + t + " AS SELECT * FROM " + here + "2.t", "DROP VIEW IF EXISTS " + t, "CREATE TABLE " + t + dialectTable, rows}
}

// account makes a side that is an account of its own.
func account(t testing.TB, srv *emberd.Server, admin *client.Conn, name string, compiled bool) *side {
	for _, q := range []string{
		"CREATE DATABASE " + name, "CREATE DATABASE " + name + "2", "CREATE USER " + name + " IDENTIFIED BY ''", "GRANT ALL ON " + name + ".* TO " + name, "GRANT ALL ON " + name + "2.* TO " + name,
		"CREATE TABLE " + name + ".t" + dialectTable, "CREATE TABLE " + name + ".u" + dialectTable, "CREATE TABLE " + name + "2.t (a VARCHAR(10), b INT, id INT, m INT, d INT)",
		"INSERT INTO " + name + ".t VALUES (1, 1, 'a', 1.5, '2024-01-01'), (2, 2, 'b', 1, NULL), (3, -1, 'a%', NULL, NULL), (4, 1, '1', 0.5, '2024-01-01')",
		"INSERT INTO " + name + ".u VALUES (1, 7, 'one', 1.5, NULL), (2, 8, 'b', 1, NULL)", "INSERT INTO " + name + "2.t VALUES ('1', 5, 1, 2, 3), ('b', 6, 2, 4, 5)",
		"CREATE VIEW " + name + ".v AS SELECT * FROM " + name + ".t",
	} {
		_, err := admin.Execute(q)
		require.NoError(t, err, q)
	}
	c, err := client.Connect(fmt.Sprintf("127.0.0.1:%d", srv.Port), name, "", name)
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	for _, q := range []string{"SET NAMES utf8mb4", "SET timestamp = 1700000000", fmt.Sprintf("SET ember_compiled_statements = %t", compiled),
		"SET ember_executor = OFF"} {
		_, err := c.Execute(q)
		require.NoError(t, err, q)
	}
	return &side{Conn: c, db: name, stmts: map[string]*client.Stmt{}}
}

// runHere is run. A comment is a space, also in the name of a column, which has the first text's
// spaces.
func (s *side) runHere(q statement, prepared bool) string {
	q.text = strings.ReplaceAll(q.text, here, s.db)
	lines := strings.Split(s.run(q, prepared), "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, "column ") {
			lines[i] = spaces.ReplaceAllString(l, "")
		}
	}
	return strings.Join(lines, "\n")
}

var spaces = regexp.MustCompile(`(?s)/\*.*?\*/|\s`)

// A program never runs for a text that means something else, or for one that means something else
// by now.
func TestTextsKeepTheirMeaning(t *testing.T) {
	seed := testkit.Seed(t)
	rounds := int(number(t, "EQUALITY_ROUNDS", 600))
	g := dialect{generator{rand.New(rand.NewPCG(seed, 3))}}
	srv := emberd.Start(t)
	admin := connect(t, srv, "meanadmin", true)
	fast, slow := account(t, srv, admin.Conn, "mean_fast", true), account(t, srv, admin.Conn, "mean_slow", false)
	var last []string
	both := func(q statement, prepared bool) {
		if t.Failed() {
			return
		}
		a, b := fast.runHere(q, prepared), slow.runHere(q, prepared)
		if a != b && differ(a, b) {
			t.Errorf("prepared %v: %q %q\nafter %s\ncompiled: %s\nGMS:      %s", prepared, q.text, q.args, strings.Join(last, "\n\t"), a, b)
		}
		require.NotContains(t, a, "io.ReadFull", "the server has ended the connection: %q %q after %s", q.text, q.args, strings.Join(last, "\n\t"))
		if last = append(last, fmt.Sprintf("%v %q %q: %.40s", prepared, q.text, q.args, a)); len(last) > 25 {
			last = last[1:]
		}
	}
	var pool []string
	for i := 0; i < rounds && !t.Failed(); i++ {
		if len(pool) < 8 || g.pick(6) == 0 {
			if pool = append(pool, dialectForms[g.pick(len(dialectForms))]); len(pool) > 8 {
				pool = pool[1:]
			}
		}
		switch g.pick(14) {
		case 0:
			both(statement{text: g.change()}, false)
		case 1: // as it was: programs are made and run
			for _, q := range []string{"UNLOCK TABLES", "ROLLBACK", "DROP TEMPORARY TABLE IF EXISTS t", "USE " + here, "SET sql_mode = DEFAULT", "SET NAMES utf8mb4", "SET sql_select_limit = DEFAULT", "SET SESSION TRANSACTION READ WRITE"} {
				both(statement{text: q}, false)
			}
			for _, s := range []*side{fast, slow} {
				_, err := admin.Execute(strings.ReplaceAll("GRANT ALL ON "+here+".* TO "+here, here, s.db))
				require.NoError(t, err)
			}
		case 2:
			for _, q := range []string{"COMMIT", "UNLOCK TABLES"} { // nobody else could change anything
				both(statement{text: q}, false)
			}
			for _, q := range g.definition() {
				for _, s := range []*side{fast, slow} { // some of them cannot be; then they cannot on either side
					_, _ = admin.Execute(strings.ReplaceAll(q, here, s.db))
				}
				last = append(last, "admin: "+q)
			}
		}
		form, prepared := pool[g.pick(len(pool))], g.pick(3) == 0
		one, other := g.fill(form, prepared), g.fill(form, prepared)
		for _, q := range []statement{one, one, other, one, other} {
			both(q, prepared)
		}
	}
	both(statement{text: "ROLLBACK"}, false)
	for _, s := range []string{".t", ".u", "2.t"} {
		a, err1 := admin.Execute("SELECT * FROM " + fast.db + s)
		b, err2 := admin.Execute("SELECT * FROM " + slow.db + s)
		if err1 == nil && err2 == nil {
			require.Equal(t, slow.answer(b, nil, false), fast.answer(a, nil, false))
		}
	}
	require.False(t, t.Failed())
	counts := counters(t, admin)
	t.Logf("%d statements each way, %v", rounds*5, counts)
	require.Greater(t, counts["Ember_compiled_executions"], rounds/5)
}

// repeatable tells texts that mean the same today and tomorrow, and no harm.
func repeatable(text string) bool {
	words := regexp.MustCompile(`[a-z_]+`).FindAllString(strings.ToLower(text), -1)
	if len(words) == 0 || !slices.Contains([]string{"select", "insert", "update", "delete", "replace"}, words[0]) {
		return false
	}
	for _, w := range words {
		switch w {
		case "into":
			if words[0] == "select" {
				return false
			}
		case "sleep", "benchmark", "get_lock", "rand", "uuid", "uuid_short", "uuid_to_bin", "connection_id", "random_bytes", "load_file", "now", "sysdate", "information_schema", "performance_schema", "mysql", "sys", "row_count",
			"current_timestamp", "user", "current_user", "session_user", "found_rows", "last_insert_id", "recursive", "limit", "repeat", "space", "lpad", "rpad", "global", "persist", "wait_for_executed_gtid_set", "source_pos_wait",
			"master_pos_wait", "release_lock", "release_all_locks", "is_used_lock", "is_free_lock", "procedure", "outfile", "dumpfile":
			return false
		}
	}
	return len(text) < 400
}

// FuzzTexts runs two texts one after the other, compiled and not.
func FuzzTexts(f *testing.F) {
	modes := []string{"", "STRICT_TRANS_TABLES", "ANSI_QUOTES", "NO_BACKSLASH_ESCAPES", "PIPES_AS_CONCAT", "HIGH_NOT_PRECEDENCE", "ANSI"}
	for i, pair := range [][2]string{
		{"SELECT a FROM t WHERE id = 1", "SELECT a FROM t WHERE id = '1'"}, {`SELECT id FROM t WHERE b = "a"`, "SELECT id FROM t WHERE b = 'a'"}, {"SELECT id FROM t ORDER BY 1", "SELECT id, b FROM t ORDER BY 2"},
		{"SELECT 1 /*! + 1 */ FROM t", "SELECT 1 /* + 1 */ FROM t"}, {"UPDATE t SET a = 1 WHERE id = 1", "UPDATE t SET a = 1.5 WHERE id = '1'"}, {"SELECT id FROM t WHERE NOT a = 1", "SELECT id FROM t WHERE NOT a = 2"},
		{`SELECT id FROM t WHERE b LIKE 'a\%'`, `SELECT id FROM t WHERE b LIKE 'a%'`}, {"INSERT INTO t (id, b) VALUES (7, 'x'), (8, 'y')", "INSERT INTO t (id, b) VALUES (7, 'x' 'y'), (9, x'41')"}, {"SELECT a AS b FROM t ORDER BY b", "SELECT b FROM t ORDER BY b"},
		{"DELETE FROM t WHERE id = 1 OR b = 'b'", "DELETE FROM t WHERE id = 1 || b = 'b'"}, {"SELECT COUNT(1) FROM t", "SELECT COUNT(NULL) FROM t"}, {"SELECT b FROM t GROUP BY b", "SELECT b FROM t GROUP BY 1"},
	} {
		f.Add(uint8(i), pair[0], pair[1])
	}
	srv := emberd.Start(f)
	admin := connect(f, srv, "fuzzadmin", true)
	sides := []*side{account(f, srv, admin.Conn, "fuzz_fast", true), account(f, srv, admin.Conn, "fuzz_slow", false)}
	f.Fuzz(func(t *testing.T, mode uint8, one, other string) {
		if !repeatable(one) || !repeatable(other) {
			return
		}
		answers := make([][]string, 2)
		for i, s := range sides {
			for _, text := range []string{"SET sql_mode = '" + modes[int(mode)%len(modes)] + "'", "BEGIN", one, one, other, one, other, "SELECT * FROM t", "ROLLBACK"} {
				answers[i] = append(answers[i], s.run(statement{text: text}, false))
			}
		}
		for i := range answers[0] {
			if a, b := answers[0][i], answers[1][i]; a != b && differ(a, b) {
				t.Errorf("statement %d of %q, %q, mode %d\ncompiled: %s\nGMS:      %s", i, one, other, mode, a, b)
			}
		}
	})
}
