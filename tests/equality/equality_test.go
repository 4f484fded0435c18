package equality

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/go-mysql-org/go-mysql/client"
	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	emberd.Cleanup()
	os.Exit(code)
}

// side is one way of running statements.
type side struct {
	*client.Conn
	db    string
	stmts map[string]*client.Stmt
}

// executorBeside is ember_executor of both sides: compiled programs are held against go-mysql-server,
// whose descriptions of columns they take over, or against MySQL.
func executorBeside() string {
	if *dsn == "" {
		return "OFF"
	}
	return "ON"
}

func connect(t testing.TB, srv *emberd.Server, db string, compiled bool) *side {
	c, err := client.Connect(fmt.Sprintf("127.0.0.1:%d", srv.Port), "root", "", "")
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	for _, q := range []string{"SET NAMES utf8mb4", "CREATE DATABASE IF NOT EXISTS " + db, "USE " + db, "SET timestamp = 1700000000", fmt.Sprintf("SET ember_compiled_statements = %t", compiled),
		"SET ember_executor = " + executorBeside()} {
		_, err := c.Execute(q)
		require.NoError(t, err, q)
	}
	return &side{Conn: c, db: db, stmts: map[string]*client.Stmt{}}
}

// answer is what a client sees of a statement.
func (s *side) answer(res *mysql.Result, err error, ordered bool) string {
	if err != nil {
		return strings.ReplaceAll("error: "+err.Error(), s.db, "DB")
	}
	var b strings.Builder
	if res.Resultset != nil {
		res.Warnings = 0 // go-mysql-server never tells with the rows of a prepared statement; SHOW WARNINGS is compared
	}
	fmt.Fprintf(&b, "status %d warnings %d affected %d id %d\n", res.Status, res.Warnings, res.AffectedRows, res.InsertId)
	if res.Resultset == nil {
		return b.String()
	}
	for _, f := range res.Fields {
		fmt.Fprintf(&b, "column %s.%s.%s %s.%s charset %d length %d type %d flags %d decimals %d\n", strings.ReplaceAll(string(f.Schema), s.db, "DB"), f.Table, f.Name,
			f.OrgTable, f.OrgName, f.Charset, f.ColumnLength, f.Type, f.Flag, f.Decimal)
	}
	rows := make([]string, len(res.RowDatas))
	for i, r := range res.RowDatas {
		rows[i] = strings.ReplaceAll(fmt.Sprintf("%q", []byte(r)), s.db, "DB")
	}
	if !ordered {
		sort.Strings(rows)
	}
	b.WriteString(strings.Join(rows, "\n"))
	return b.String()
}

// run executes a statement: text with its parameters written into it, or prepared.
func (s *side) run(q statement, prepared bool) string {
	res, err := s.execute(q, prepared)
	return s.answer(res, err, q.ordered)
}

func (s *side) execute(q statement, prepared bool) (*mysql.Result, error) {
	if !prepared {
		return s.Execute(q.literal())
	}
	st := s.stmts[q.text]
	if st == nil {
		var err error
		if st, err = s.Prepare(q.text); err != nil {
			return nil, err
		}
		s.stmts[q.text] = st
	}
	args := slices.Clone(q.args)
	for i, a := range args {
		if d, ok := a.(decimal); ok { // drivers send such numbers as DOUBLE
			args[i], _ = strconv.ParseFloat(string(d), 64)
		}
	}
	return st.Execute(args...)
}

// statement has a question mark for each parameter.
type statement struct {
	text    string
	args    []any
	ordered bool
	style   int // how strings are written
}

// decimal is a number that is written without quotes in text.
type decimal string

func (q statement) quote(text string) string {
	text = strings.ReplaceAll(text, `\`, `\\`)
	switch q.style {
	case 1:
		return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	case 2:
		return "'" + strings.ReplaceAll(text, "'", `\'`) + "' /* so */"
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}

func (q statement) literal() string {
	var b strings.Builder
	rest := q.text
	for _, a := range q.args {
		head, tail, _ := strings.Cut(rest, "?")
		b.WriteString(head)
		switch a := a.(type) {
		case nil:
			b.WriteString("NULL")
		case string:
			b.WriteString(q.quote(a))
		case decimal:
			b.WriteString(string(a))
		default:
			fmt.Fprint(&b, a)
		}
		rest = tail
	}
	return b.String() + rest
}

type columnSpec struct {
	name, def string
	value     func(r *rand.Rand) any
	auto      bool
}

type tableSpec struct {
	name string
	cols []columnSpec
	keys string
}

func oneOf(vs ...any) func(r *rand.Rand) any {
	return func(r *rand.Rand) any { return vs[r.IntN(len(vs))] }
}

func small(r *rand.Rand) any { return int64(r.IntN(40)) }

func word(r *rand.Rand) any {
	return []string{"", "a", "A", "abc", "ABC", "b ", "zz", "ä", "Ä", "日本", "it's", "long long value", "\U0001F600x"}[r.IntN(13)]
}

func num(r *rand.Rand) any {
	return []any{int64(0), int64(5), decimal("1.5"), decimal("-2.25"), decimal("12.5"), int64(-7), decimal("999.99")}[r.IntN(7)]
}

func date(r *rand.Rand) any { return fmt.Sprintf("2024-0%d-1%d", 1+r.IntN(3), r.IntN(5)) }

func moment(r *rand.Rand) any {
	return fmt.Sprintf("2024-01-1%d 1%d:00:0%d", r.IntN(3), r.IntN(3), r.IntN(5))
}

func nullable(f func(r *rand.Rand) any) func(r *rand.Rand) any {
	return func(r *rand.Rand) any {
		if r.IntN(6) == 0 {
			return nil
		}
		return f(r)
	}
}

var tables = []tableSpec{
	{"ints", []columnSpec{
		{name: "id", def: "INT NOT NULL", value: small},
		{name: "a", def: "INT", value: nullable(small)},
		{name: "b", def: "SMALLINT UNSIGNED NOT NULL DEFAULT 7", value: small},
		{name: "c", def: "TINYINT", value: nullable(oneOf(int64(-128), int64(127), int64(0), int64(3)))},
		{name: "d", def: "BIGINT", value: nullable(oneOf(int64(-9223372036854775807), int64(9223372036854775807), int64(1), int64(2)))},
		{name: "e", def: "BIGINT UNSIGNED", value: nullable(oneOf(int64(0), int64(1), int64(4000000000)))},
		{name: "f", def: "MEDIUMINT", value: nullable(small)},
	}, "PRIMARY KEY (id), KEY a (a), KEY bc (b, c), KEY d (d DESC)"},
	{"words", []columnSpec{
		{name: "k", def: "VARCHAR(20) NOT NULL", value: word},
		{name: "n", def: "INT NOT NULL", value: small},
		{name: "c", def: "CHAR(10) NOT NULL DEFAULT 'x'", value: word},
		{name: "u", def: "VARCHAR(12) COLLATE utf8mb4_bin", value: nullable(word)},
		{name: "l", def: "VARCHAR(30) CHARACTER SET latin1", value: nullable(oneOf("a", "B", "", "long enough"))},
		{name: "t", def: "TEXT", value: nullable(word)},
		{name: "g", def: "VARCHAR(20) COLLATE utf8mb4_general_ci", value: nullable(word)},
	}, "PRIMARY KEY (k, n), KEY c (c), UNIQUE KEY u (u, n), KEY g (g)"},
	{"numbers", []columnSpec{
		{name: "id", def: "BIGINT NOT NULL AUTO_INCREMENT", value: func(r *rand.Rand) any {
			if r.IntN(3) > 0 {
				return nil
			}
			return int64(r.IntN(60))
		}, auto: true},
		{name: "m", def: "DECIMAL(12,2) NOT NULL DEFAULT '1.50'", value: num},
		{name: "w", def: "DECIMAL(30,10)", value: nullable(num)},
		{name: "x", def: "DOUBLE", value: nullable(oneOf(int64(3), int64(-4), decimal("2.5"), int64(1000000)))},
		{name: "y", def: "FLOAT", value: nullable(oneOf(int64(3), int64(-4), decimal("0.25")))},
		{name: "q", def: "INT NOT NULL DEFAULT 3", value: small},
	}, "PRIMARY KEY (id), KEY m (m), KEY q (q)"},
	{"times", []columnSpec{
		{name: "id", def: "INT UNSIGNED NOT NULL", value: small},
		{name: "d", def: "DATE", value: nullable(date)},
		{name: "t", def: "DATETIME", value: nullable(moment)},
		{name: "f", def: "DATETIME(3)", value: nullable(moment)},
		{name: "v", def: "VARBINARY(16)", value: nullable(word)},
		{name: "n", def: "INT", value: nullable(small)},
	}, "PRIMARY KEY (id), KEY d (d, n), KEY t (t), UNIQUE KEY f (f)"},
	{"kinds", []columnSpec{
		{name: "id", def: "INT NOT NULL AUTO_INCREMENT", value: func(r *rand.Rand) any {
			if r.IntN(2) == 0 {
				return nil
			}
			return int64(r.IntN(50))
		}, auto: true},
		{name: "e", def: "ENUM('a','B','ccc')", value: nullable(oneOf("a", "b", "ccc", "CCC", int64(2)))},
		{name: "s", def: "SET('x','y','z')", value: nullable(oneOf("x", "x,z", "z,x", "", int64(3)))},
		{name: "y", def: "YEAR", value: nullable(oneOf(int64(2024), "1999", int64(70), int64(0)))},
		{name: "b", def: "BIT(8)", value: nullable(oneOf(int64(0), int64(255), int64(7)))},
		{name: "h", def: "TIME", value: nullable(oneOf("10:11:12", "-01:00:00", "100:00:00", int64(101112)))},
		{name: "p", def: "TIMESTAMP NULL", value: nullable(moment)},
		{name: "j", def: "JSON", value: nullable(oneOf("{\"a\": 1}", "[1, 2, 3]", "7", "null", "{\"b\":[true,null], \"a\":\"x\"}"))},
		{name: "f", def: "FLOAT", value: nullable(oneOf(int64(3), decimal("0.25"), decimal("-1.1")))},
		{name: "o", def: "BINARY(4)", value: nullable(oneOf("abcd", "ab", ""))},
		{name: "g", def: "TINYTEXT", value: nullable(word)},
		{name: "u", def: "TINYINT UNSIGNED DEFAULT '9'", value: nullable(small)},
	}, "PRIMARY KEY (id), KEY u (u), UNIQUE KEY h (h, u)"},
	{"stamps", []columnSpec{
		{name: "id", def: "INT NOT NULL", value: small},
		{name: "v", def: "INT NOT NULL DEFAULT 1", value: small},
		{name: "made", def: "DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP", value: moment},
		{name: "changed", def: "DATETIME NULL DEFAULT NULL ON UPDATE CURRENT_TIMESTAMP", value: nullable(moment)},
		{name: "fine", def: "TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6)", value: moment},
		{name: "kind", def: "ENUM('one','two') NOT NULL DEFAULT 'two'", value: oneOf("one", "two")},
		{name: "w", def: "VARCHAR(8) NOT NULL DEFAULT 'wow'", value: oneOf("x", "y", "")},
	}, "PRIMARY KEY (id), KEY v (v, id)"},
	{"heap", []columnSpec{
		{name: "a", def: "INT", value: nullable(small)},
		{name: "b", def: "VARCHAR(20)", value: nullable(word)},
		{name: "c", def: "INT", value: nullable(small)},
	}, "KEY a (a)"},
}

func (s *tableSpec) create() string {
	var defs []string
	for _, c := range s.cols {
		defs = append(defs, c.name+" "+c.def)
	}
	return "CREATE TABLE " + s.name + " (" + strings.Join(defs, ", ") + ", " + s.keys + ")"
}

// generator makes statements.
type generator struct{ *rand.Rand }

func (g generator) pick(n int) int { return g.IntN(n) }

// asked is a value that a column is compared with or computed from. One that does not suit the
// column is an error or a warning, or neither, in MySQL as it depends on the plan.
func (g generator) asked(c *columnSpec) any {
	if *dsn != "" {
		return c.value(g.Rand)
	}
	return g.odd(c)
}

// suitable is a value that a column of a table of all kinds is compared with. Whether one that is
// none of the type is an error depends on which condition is looked at first. A year of two digits
// is one of docs/differences.md; MySQL takes a number beside texts, and a parameter that ever was
// one, for a comparison of numbers.
func (g generator) suitable(c *columnSpec) any {
	for *dsn != "" {
		v := c.value(g.Rand)
		_, text := v.(string)
		switch kind := c.def[:3]; {
		case v == nil, kind != "YEA" && kind != "ENU" && kind != "SET", kind == "YEA" && v == int64(2024), kind != "YEA" && text:
			return v
		}
	}
	return c.value(g.Rand)
}

// suits is set while statements are prepared for MySQL, which gives parameters the types of their
// columns first: then odd values are not odd in the same way.
var suits bool

// odd sometimes gives a value that does not suit the column.
func (g generator) odd(c *columnSpec) any {
	if g.pick(12) > 0 || *dsn != "" && suits {
		return c.value(g.Rand)
	}
	v := []any{nil, uint64(18446744073709551615), "-3", int64(-1), int64(300), int64(70000), int64(99999999999), decimal("3.7"), "17", "nonsense", "2024-02-30", strings.Repeat("w", 40), int64(0)}[g.pick(13)]
	if *dsn != "" && (v == int64(300) || v == int64(70000)) && dated.MatchString(c.def) {
		return int64(20240230) // dates with a month or day of zero cannot be stored
	}
	return v
}

var dated = regexp.MustCompile("^(DATE|TIMESTAMP)")

func (g generator) where(t *tableSpec) (text string, args func() []any) {
	var parts []string
	var makers []func() any
	for range g.pick(4) {
		c := &t.cols[g.pick(len(t.cols))]
		value := func() any {
			if t.name == "kinds" {
				return g.suitable(c)
			}
			return g.asked(c)
		}
		if g.pick(4) == 0 {
			c = &t.cols[0]
		}
		switch g.pick(8) {
		case 0, 1, 2:
			parts, makers = append(parts, c.name+" = ?"), append(makers, value)
		case 3:
			o := []string{"<", "<=", ">", ">=", "<>", "<=>"}[g.pick(6)]
			parts, makers = append(parts, c.name+" "+o+" ?"), append(makers, value)
		case 4:
			if *dsn != "" && c.def == "JSON" {
				continue // MySQL compares such ranges as texts
			}
			parts, makers = append(parts, c.name+" BETWEEN ? AND ?"), append(makers, value, value)
		case 5:
			if strings.Contains(c.def, "CHAR") && !strings.Contains(c.def, "_bin") || c.def == "TEXT" {
				continue // go-mysql-server compares lists byte by byte
			}
			parts, makers = append(parts, c.name+" IN (?, ?, ?)"), append(makers, value, value, value)
		case 6:
			parts = append(parts, c.name+[]string{" IS NULL", " IS NOT NULL"}[g.pick(2)])
		case 7:
			parts, makers = append(parts, "? > "+c.name), append(makers, value)
		}
	}
	args = func() []any {
		var out []any
		for _, m := range makers {
			out = append(out, m())
		}
		return out
	}
	if len(parts) == 0 {
		return "", args
	}
	return " WHERE " + strings.Join(parts, " AND "), args
}

// template returns a maker of statements of one text.
func (g generator) template() func() statement {
	t := &tables[g.pick(len(tables))]
	where, args := g.where(t)
	switch n := g.pick(20); {
	case n < 11:
		return g.selects(t, where, args)
	case n < 15:
		return g.insert(t)
	case n < 18:
		return g.update(t, where, args)
	default:
		if where == "" {
			where = " WHERE " + t.cols[0].name + " = ?"
			args = func() []any { return []any{t.cols[0].value(g.Rand)} }
		}
		tail := g.some(t)
		return func() statement { return statement{text: "DELETE FROM " + t.name + where + tail, args: args()} }
	}
}

func (g generator) selects(t *tableSpec, where string, args func() []any) func() statement {
	list, order, tail := "*", "", ""
	distinct := g.pick(8) == 0
	switch g.pick(5) {
	case 0:
		c := t.cols[g.pick(len(t.cols))].name
		list = fmt.Sprintf("COUNT(*), COUNT(%s), MIN(%s), max(%s)", c, c, t.cols[0].name)
		if g.pick(2) == 0 {
			list = "SUM(" + t.cols[1].name + ")"
		}
		distinct = false
		return func() statement { return statement{text: "SELECT " + list + " FROM " + t.name + where, args: args()} }
	case 1, 2:
		var cols []string
		for range 1 + g.pick(3) {
			c := t.cols[g.pick(len(t.cols))].name
			cols = append(cols, []string{c, t.name + "." + c, "`" + c + "`", c + " AS col_" + c}[g.pick(4)])
			distinct = distinct && (*dsn == "" || t.name+c != "wordst") // MySQL takes equal texts beside a TEXT for different ones
		}
		list = strings.Join(cols, ", ")
	}
	ordered := false
	if !distinct && g.pick(2) == 0 {
		// An order that leaves nothing open: all columns.
		var cols []string
		for _, i := range g.Perm(len(t.cols)) {
			cols = append(cols, t.cols[i].name+[]string{"", " DESC"}[g.pick(2)])
		}
		if t.name != "words" && t.name != "kinds" && (*dsn == "" || t.name != "heap") { // a TEXT column; and equal words may look different
			order, ordered = " ORDER BY "+strings.Join(cols, ", "), true
			if g.pick(2) == 0 {
				tail = fmt.Sprintf(" LIMIT %d", g.pick(6))
			}
		}
	}
	if g.pick(5) == 0 {
		tail += []string{" FOR UPDATE", " FOR SHARE", " FOR UPDATE NOWAIT", " LOCK IN SHARE MODE", " FOR UPDATE SKIP LOCKED"}[g.pick(5)]
	}
	if distinct {
		list = "DISTINCT " + list
	}
	text := "SELECT " + list + " FROM " + t.name + where + order + tail
	return func() statement { return statement{text: text, args: args(), ordered: ordered} }
}

func (g generator) insert(t *tableSpec) func() statement {
	cols := make([]*columnSpec, 0, len(t.cols))
	var names []string
	for i := range t.cols {
		if g.pick(5) > 0 {
			cols, names = append(cols, &t.cols[i]), append(names, t.cols[i].name)
		}
	}
	if len(cols) == 0 {
		cols, names = append(cols, &t.cols[0]), append(names, t.cols[0].name)
	}
	rows := 1 + g.pick(3)
	sources := make([]string, len(cols))
	for i, c := range cols {
		switch n := g.pick(30); {
		case n == 0 && !strings.Contains(c.def, "NOT NULL"), n == 1 && strings.Contains(c.def, "DEFAULT"):
			sources[i] = "DEFAULT"
		case n == 2 && strings.Contains(c.def, "TIME"):
			sources[i] = []string{"NOW()", "CURRENT_TIMESTAMP", "now(3)"}[g.pick(3)]
		case n == 3 && strings.Contains(c.def, "INT") && (*dsn == "" || !t.cols[0].auto && c.def != "BIGINT"): // an error leaves a gap between numbers; 1690 is told first
			sources[i] = []string{"? + 1", "2 * ?", "? - 3.5"}[g.pick(3)]
		default:
			sources[i] = "?"
		}
	}
	marks := "(" + strings.Join(sources, ", ") + ")"
	verb, tail := "INSERT INTO ", ""
	switch g.pick(8) {
	case 0:
		verb = "REPLACE INTO "
	case 1:
		verb = "INSERT IGNORE INTO "
	case 2, 3:
		// A number that was given out before the statement turned out to be the other's leaves a
		// gap.
		if !slices.ContainsFunc(t.cols, func(c columnSpec) bool { return c.auto }) {
			tail = g.onDuplicate(t, cols)
		}
	}
	text := verb + t.name + " (" + strings.Join(names, ", ") + ") VALUES " + marks + strings.Repeat(", "+marks, rows-1) + tail
	return func() statement {
		q := statement{text: text}
		for range rows {
			for i, c := range cols {
				switch sources[i] {
				case "?":
					if *dsn != "" && t.cols[0].auto { // an error leaves a gap between numbers
						q.args = append(q.args, c.value(g.Rand))
						continue
					}
					q.args = append(q.args, g.odd(c))
				case "? + 1", "2 * ?", "? - 3.5":
					q.args = append(q.args, g.asked(c))
				}
			}
		}
		return q
	}
}

// computed are types of numbers that are computed exactly enough.
var computed = regexp.MustCompile("INT|DECIMAL|DOUBLE")

// onDuplicate makes ON DUPLICATE KEY UPDATE without parameters, for an INSERT of some columns.
func (g generator) onDuplicate(t *tableSpec, inserted []*columnSpec) string {
	alias := ""
	var sets []string
	for range 1 + g.pick(2) {
		column := t.cols[1+g.pick(len(t.cols)-1)]
		c, d, from, how := column.name, t.cols[g.pick(len(t.cols))].name, inserted[g.pick(len(inserted))].name, g.pick(5)
		if *dsn != "" { // conversions between types are not compared
			if how == 1 && !slices.ContainsFunc(inserted, func(i *columnSpec) bool { return i.name == c }) || how >= 2 && !computed.MatchString(column.def) {
				how = 0
			}
			d, from = c, c
		}
		switch how {
		case 0:
			sets = append(sets, fmt.Sprintf("%s = VALUES(%s)", c, c))
		case 1:
			alias = " AS neu" // which has the columns of the list, no others
			sets = append(sets, fmt.Sprintf("%s = neu.%s", c, from))
		case 2:
			sets = append(sets, fmt.Sprintf("%s = %s.%s + %d", c, t.name, c, g.pick(4)))
		case 3:
			sets = append(sets, fmt.Sprintf("%s = %s.%s + VALUES(%s)", c, t.name, c, d))
		case 4:
			sets = append(sets, fmt.Sprintf("%s = '%d'", c, g.pick(9)))
		}
	}
	return alias + " ON DUPLICATE KEY UPDATE " + strings.Join(sets, ", ")
}

// some makes ORDER BY and LIMIT of UPDATE and DELETE: an order that leaves nothing open.
func (g generator) some(t *tableSpec) string {
	if g.pick(3) > 0 || t.name == "heap" || t.name == "words" {
		return ""
	}
	desc := []string{"", " DESC"}[g.pick(2)]
	return " ORDER BY " + t.cols[0].name + desc + fmt.Sprintf(" LIMIT %d", g.pick(4))
}

func (g generator) update(t *tableSpec, where string, args func() []any) func() statement {
	c := &t.cols[g.pick(len(t.cols))]
	where += g.some(t)
	if g.pick(3) == 0 && (*dsn == "" || computed.MatchString(c.def)) {
		right := c.name
		if d := &t.cols[g.pick(len(t.cols))]; g.pick(4) == 0 && (*dsn == "" || computed.MatchString(d.def)) {
			right = d.name
		}
		by := []func() any{func() any { return int64(g.pick(100)) }, func() any { return g.asked(c) }, func() any { return num(g.Rand) }, func() any { return float64(g.pick(1000)) / 4 }}[g.pick(4)]
		if *dsn != "" { // in MySQL a parameter that ever was a decimal stays one
			by = []func() any{func() any { return int64(g.pick(100)) }, func() any { return float64(g.pick(1000))/4 + 0.25 }}[g.pick(2)]
		}
		text := fmt.Sprintf("UPDATE %s SET %s = %s %s ?%s", t.name, c.name, right, []string{"+", "-", "*", "/", "%"}[g.pick(5)], where)
		return func() statement { return statement{text: text, args: append([]any{by()}, args()...)} }
	}
	d := &t.cols[g.pick(len(t.cols))]
	set := c.name + " = ?"
	if d != c {
		set += ", " + d.name + " = ?"
	}
	return func() statement {
		q := statement{text: "UPDATE " + t.name + " SET " + set + where, args: []any{g.odd(c)}}
		if d != c {
			q.args = append(q.args, g.odd(d))
		}
		q.args = append(q.args, args()...)
		return q
	}
}

// control are statements without tables.
var control = []string{
	"SAVEPOINT a", "SAVEPOINT `b c`", "SAVEPOINT s1", "savepoint x_2", "ROLLBACK TO a", "ROLLBACK TO SAVEPOINT s1", "RELEASE SAVEPOINT a", "RELEASE SAVEPOINT none",
	"ROLLBACK TO SAVEPOINT nothing", "START TRANSACTION READ ONLY", "START TRANSACTION READ WRITE", "START TRANSACTION WITH CONSISTENT SNAPSHOT", "SAVEPOINT select",
	"SET autocommit = 0", "SET autocommit=1", "SET @@session.autocommit = ON", "SET SESSION autocommit = 1", "SET NAMES utf8mb4", "SET NAMES utf8mb4 COLLATE utf8mb4_bin",
	"SET sql_mode = 'STRICT_TRANS_TABLES'", "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ", "SET SESSION TRANSACTION READ WRITE",
	"SET @x = 1", "SET @x = 'text', @y = NULL", "SET @z = @x", "SET max_execution_time = 0, wait_timeout = 1000", "SET no_such_variable = 1", "SET sql_mode = 'NONSENSE'",
	"SET character_set_results = NULL", "SET character_set_results = utf8mb4", "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
	"SET TRANSACTION ISOLATION LEVEL SERIALIZABLE", "SELECT 1", "select 1, 'two', NULL", "SELECT 'it''s'", "SELECT -1", "SELECT 1.5", "SELECT @@autocommit", "SELECT @@session.sql_mode",
	"SELECT @@max_allowed_packet AS m", "SELECT @@transaction_isolation", "SELECT @x", "SELECT DATABASE()", "SELECT LAST_INSERT_ID()", "SELECT 1 LIMIT 1",
	"SELECT NOW()", "SELECT @@no_such_variable", "SELECT 'ä'", "SELECT @@sql_mode, @@time_zone, @@character_set_client, @@collation_connection", "SELECT @@long_query_time",
	"SELECT \"x\"", "SELECT 1 /* comment */", "SELECT @@warning_count", "BEGIN", "START TRANSACTION", "COMMIT", "ROLLBACK",
}

// ownVariables are asked for here with answers that docs/differences.md names.
var ownVariables = regexp.MustCompile("SELECT (@x|1 /[*]|.*@@(version_comment|max_allowed|warning_count|sql_mode|session.sql_mode|long_query))|SET .*max_execution_time|(RELEASE SAVEPOINT none|SAVEPOINT select)")

func number(t *testing.T, name string, otherwise uint64) uint64 {
	if v := os.Getenv(name); v != "" {
		n, err := strconv.ParseUint(v, 10, 64)
		require.NoError(t, err)
		return n
	}
	return otherwise
}

func TestBothWaysAreEqual(t *testing.T) {
	seed := testkit.Seed(t)
	rounds := int(number(t, "EQUALITY_ROUNDS", 400))
	g := generator{rand.New(rand.NewPCG(seed, 1))}
	srv := emberd.Start(t)
	fast, slow := sides(t, srv, "eq")
	var last []string // statements before
	wrong, apart := 0, false
	both := func(q statement, prepared bool) {
		if *dsn != "" {
			q.text = strings.Replace(q.text, ", FOUND_ROWS()", "", 1) // which the manual defines after SELECT only
		}
		if q.style = g.pick(4); leftOut(q, prepared) {
			return
		}
		a, b := answers(fast, slow, q, prepared)
		// Which of several duplicates an UPDATE meets first depends on the order it reads rows in.
		if strings.HasPrefix(q.text, "UPDATE") && duplicate.MatchString(a) && duplicate.MatchString(b) {
			answers(fast, slow, statement{text: "DO 0"}, false) // or SHOW WARNINGS would tell of it
			return
		}
		if a != b {
			t.Errorf("prepared %v: %s %q\nafter %s\ncompiled: %s\nthe other: %s", prepared, q.text, q.args, strings.Join(last, "\n\t"), a, b)
			wrong++
			apart = apart || !sameTables(fast, slow)
		}
		if last = append(last, q.text); len(last) > 6 {
			last = last[1:]
		}
	}
	for i := range tables {
		both(statement{text: tables[i].create()}, false)
		for range 60 {
			both(generator{g.Rand}.insert(&tables[i])(), false)
		}
	}
	level := []string{"READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"}
	var pool []func() statement
	for i := 0; i < rounds && wrong < 10 && !apart; i++ {
		if len(pool) < 30 || g.pick(5) == 0 {
			pool = append(pool, g.template())
		}
		makeOne := pool[g.pick(len(pool))]
		prepared := g.pick(2) == 0
		suits = prepared
		for range 3 {
			both(makeOne(), prepared)
		}
		switch g.pick(40) {
		case 0:
			both(statement{text: "SET SESSION TRANSACTION ISOLATION LEVEL " + level[g.pick(3)]}, false)
		case 1, 2, 3:
			both(statement{text: []string{"BEGIN", "START TRANSACTION", "begin"}[g.pick(3)]}, prepared && *dsn == "")
		case 4, 5, 6:
			both(statement{text: []string{"COMMIT", "ROLLBACK"}[g.pick(2)]}, prepared)
		case 7:
			both(statement{text: fmt.Sprintf("SET autocommit = %d", g.pick(2))}, false)
		case 11:
			both(statement{text: fmt.Sprintf("SET sql_mode = '%s'", []string{"", "STRICT_TRANS_TABLES", "STRICT_TRANS_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO"}[g.pick(3)])}, false)
		case 12:
			both(statement{text: fmt.Sprintf("SET timestamp = %d", 1700000000+g.pick(1000000))}, false)
		case 13:
			both(statement{text: fmt.Sprintf("SET time_zone = '%s'", []string{"+00:00", "+05:30", "-08:00"}[g.pick(3)])}, false)
		case 14, 15, 16, 17:
			q := control[g.pick(len(control))]
			if *dsn != "" && ownVariables.MatchString(q) {
				continue
			}
			both(statement{text: q}, prepared && *dsn == "") // MySQL prepares few of these
			both(statement{text: q}, g.pick(2) == 0 && *dsn == "")
			both(statement{text: "SELECT ROW_COUNT(), FOUND_ROWS(), LAST_INSERT_ID()"}, false)
		case 8:
			both(statement{text: "SELECT ROW_COUNT(), FOUND_ROWS(), LAST_INSERT_ID()"}, false)
		case 9:
			both(statement{text: "SHOW WARNINGS"}, false)
		case 10:
			s := tables[g.pick(len(tables))]
			both(statement{text: []string{
				fmt.Sprintf("ALTER TABLE %s ADD COLUMN extra%d INT DEFAULT 4", s.name, i), fmt.Sprintf("ALTER TABLE %s ADD INDEX more%d (%s)", s.name, i, s.cols[2].name),
				fmt.Sprintf("ALTER TABLE %s COMMENT 'c%d'", s.name, i),
			}[g.pick(3)]}, false)
		}
	}
	for i := range tables {
		both(statement{text: "SELECT * FROM " + tables[i].name}, false)
	}
	tellDifferences(t)
	require.False(t, t.Failed())
	shares(t, fast, rounds)
}

// sameTables tells whether the tables are still alike after answers that were not.
func sameTables(fast, other *side) bool {
	for i := range tables {
		q := statement{text: "SELECT * FROM " + tables[i].name}
		if a, b := answers(fast, other, q, false); a != b {
			return false
		}
	}
	return true
}

// shares checks that the compiled way was taken, and tells how often.
func shares(t *testing.T, s *side, rounds int) {
	counts := counters(t, s)
	t.Logf("%d statements each way, %v", rounds*3, counts)
	require.Greater(t, counts["Ember_compiled_executions"], rounds/4)
}

// counters are the server's counters of compiled statements.
func counters(t *testing.T, s *side) map[string]int {
	res, err := s.Execute("SHOW GLOBAL STATUS LIKE 'Ember_compiled%'")
	require.NoError(t, err)
	counts := map[string]int{}
	for i := range res.RowNumber() {
		name, _ := res.GetString(i, 0)
		value, _ := res.GetString(i, 1)
		counts[name], _ = strconv.Atoi(value)
	}
	return counts
}
