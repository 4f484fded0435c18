package equality

// Reports: joins, outer joins, aggregates, subqueries, derived tables and unions over small tables with NULLs, run by the executor
// (ember_executor = ALL) and compared with MySQL's answers.
//
// The answers to the statements of seed 1 are kept in testdata/reports.golden. With -dsn statements of a fresh seed are compared with the
// server's answers, and -rewrite-reports writes the golden.

import (
	"bufio"
	"crypto/sha256"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

var rewriteReports = flag.Bool("rewrite-reports", false, "write testdata/reports.golden from the answers of -dsn")

// goldenReports is how many statements the golden has.
const goldenReports = 700

// reportTable is a table of reports: its columns by kind.
type reportTable struct {
	name                       string
	ints, decs, texts, moments []string
}

var reportTables = []reportTable{
	{"ra", []string{"id", "k", "n"}, []string{"d"}, []string{"s"}, []string{"t"}},
	{"rb", []string{"id", "a", "k", "u"}, []string{"d", "e"}, []string{"s", "c"}, []string{"t"}},
	{"rc", []string{"x", "y", "n"}, []string{"d"}, []string{"c"}, []string{"t", "m"}},
}

var reportSchema = []string{
	"CREATE TABLE ra (id INT NOT NULL PRIMARY KEY, k INT, n BIGINT, d DECIMAL(10,2), s VARCHAR(20), t DATE, KEY (k))",
	"CREATE TABLE rb (id INT NOT NULL PRIMARY KEY, a INT, k SMALLINT NOT NULL, u INT UNSIGNED, d DECIMAL(12,3), e DECIMAL(20,4) NOT NULL, s VARCHAR(20) NOT NULL, c CHAR(5), t DATETIME, KEY (a), KEY (s), KEY (k, u))",
	"CREATE TABLE rc (x INT NOT NULL, y INT NOT NULL, n TINYINT, d DECIMAL(30,6), c CHAR(8) NOT NULL, t DATE NOT NULL, m DATETIME, PRIMARY KEY (x, y), KEY (t))",
}

// reportRows are the rows of the tables, the same for every seed.
func reportRows() (out []string) {
	r := rand.New(rand.NewPCG(7, 7))
	null := func(v string) string {
		if r.IntN(6) == 0 {
			return "NULL"
		}
		return v
	}
	num := func(n int) string { return strconv.Itoa(r.IntN(n) - n/5) }
	dec := func(scale int) string { return fmt.Sprintf("%.*f", scale, float64(r.IntN(200000)-40000)/777) }
	text := func() string {
		return "'" + []string{"", "ape", "bee", "Cat", "dog 1", "emu%", "fox_x", "gnu", "Öl", "zebra"}[r.IntN(10)] + "'"
	}
	day := func() string { return fmt.Sprintf("'20%02d-%02d-%02d'", 19+r.IntN(3), 1+r.IntN(12), 1+r.IntN(28)) }
	clock := func() string {
		return fmt.Sprintf("%s %02d:%02d:00'", strings.TrimSuffix(day(), "'"), r.IntN(24), r.IntN(60))
	}
	for i := range 40 {
		out = append(out, fmt.Sprintf("INSERT INTO ra VALUES (%d,%s,%s,%s,%s,%s)", i, null(num(12)), null(num(1000)), null(dec(2)), null(text()), null(day())))
	}
	for i := range 70 {
		out = append(out, fmt.Sprintf("INSERT INTO rb VALUES (%d,%s,%s,%s,%s,%s,%s,%s,%s)", i, null(num(45)), num(12), null(strconv.Itoa(r.IntN(30))), null(dec(3)), dec(4), text(), null("'"+string(rune('a'+r.IntN(5)))+"'"), null(clock())))
	}
	for i := range 60 {
		out = append(out, fmt.Sprintf("INSERT INTO rc VALUES (%d,%d,%s,%s,'%c%d',%s,%s)", i/5, i%5, null(num(20)), null(dec(6)), 'p'+rune(r.IntN(3)), r.IntN(3), day(), null(clock())))
	}
	return out
}

// reporter makes statements.
type reporter struct {
	r     *rand.Rand
	scope []reportRef
	depth int
	alias int
}

// reportRef is a table of FROM under its alias.
type reportRef struct {
	alias string
	reportTable
}

func (g *reporter) pick(list ...string) string { return list[g.r.IntN(len(list))] }
func (g *reporter) one(n int) bool             { return g.r.IntN(n) == 0 }

// column is a column of one kind; "" if there is none.
func (g *reporter) column(kind byte) string {
	for range 20 {
		t := g.scope[g.r.IntN(len(g.scope))]
		list := t.ints
		switch kind {
		case 'd':
			list = t.decs
		case 's':
			list = t.texts
		case 't':
			list = t.moments
		}
		if len(list) > 0 {
			return t.alias + "." + list[g.r.IntN(len(list))]
		}
	}
	return ""
}

func (g *reporter) kind() byte { return "iiddst"[g.r.IntN(6)] }

// expr is an expression of a kind.
func (g *reporter) expr(kind byte, depth int) string {
	col := g.column(kind)
	if col == "" {
		col = map[byte]string{'d': "1.5", 's': "'bee'", 't': "date '2020-06-01'"}[kind]
	}
	if depth <= 0 || g.one(2) {
		if g.one(5) {
			return g.constant(kind)
		}
		return col
	}
	a, b := g.expr(kind, depth-1), g.expr(kind, depth-1)
	switch kind {
	case 'i':
		return g.pick("("+a+" + "+b+")", "("+a+" * 2)", "(- "+col+")", "("+a+" % 7)", "CASE WHEN "+g.cond(0)+" THEN "+a+" ELSE "+b+" END", "IFNULL("+a+", 0)",
			"LENGTH("+g.expr('s', 0)+")", "EXTRACT(YEAR FROM "+g.moment()+")", "MONTH("+g.moment()+")", "("+a+" DIV 3)", "NULLIF("+a+", 1)", "DATEDIFF("+g.moment()+", date '2020-02-29')", "CHAR_LENGTH("+g.expr('s', 0)+")")
	case 'd':
		return g.pick("("+a+" + "+b+")", "("+a+" - "+g.expr('i', 0)+")", "("+col+" * "+g.expr('i', 0)+")", "("+a+" / 3)", "("+col+" / 0.7)", "ROUND("+a+", 1)", "IF("+g.cond(0)+", "+a+", "+b+")",
			"COALESCE("+a+", "+b+")", "ABS("+a+")", "(1 - "+col+")", "(-"+col+")", "("+a+" * 1.25)", "ROUND("+a+")")
	case 's':
		return g.pick("CONCAT("+a+", 'x')", "SUBSTRING("+a+", 2, 2)", "LEFT("+a+", 1)", "UPPER('ab')", "COALESCE("+a+", 'nil')", "CASE WHEN "+g.cond(0)+" THEN "+a+" END", "SUBSTRING("+a+", -2)", "TRIM("+a+")")
	}
	return g.pick("("+col+" + INTERVAL "+strconv.Itoa(g.r.IntN(50))+" DAY)", "("+col+" - INTERVAL "+strconv.Itoa(g.r.IntN(20))+" MONTH)", "DATE("+col+")", col)
}

func (g *reporter) moment() string {
	if c := g.column('t'); c != "" {
		return c
	}
	return "date '2021-01-31'"
}

func (g *reporter) constant(kind byte) string {
	switch kind {
	case 'i':
		return strconv.Itoa(g.r.IntN(25) - 5)
	case 'd':
		return g.pick("0.5", "12.25", "-3.125", "100", ".75")
	case 's':
		return g.pick("'BEE'", "'cat'", "'dog 1'", "''", "'q1'", "'b'", "'öl'")
	}
	return g.pick("'2020-06-15'", "date '2020-01-01'", "timestamp '2020-03-01 12:00:00'", "'2021-02-03 00:00:00'")
}

// cond is a condition.
func (g *reporter) cond(depth int) string {
	if depth > 0 {
		switch g.r.IntN(9) {
		case 0:
			return "(" + g.cond(depth-1) + " OR " + g.cond(depth-1) + ")"
		case 1:
			return "(" + g.cond(depth-1) + " AND " + g.cond(depth-1) + ")"
		case 2:
			return "NOT (" + g.cond(depth-1) + ")"
		case 3, 4:
			if g.depth < 2 {
				return g.queryCond()
			}
		}
	}
	k := g.kind()
	a := g.expr(k, g.r.IntN(2))
	switch g.r.IntN(8) {
	case 0:
		return a + " " + g.pick("IN", "NOT IN") + " (" + g.constant(k) + ", " + g.constant(k) + ", " + g.constant(k) + ", " + g.constant(k) + ", " + g.constant(k) + ")"
	case 1:
		return a + " " + g.pick("BETWEEN ", "NOT BETWEEN ") + g.constant(k) + " AND " + g.constant(k)
	case 2:
		if k != 't' {
			return a + g.pick(" IS NULL", " IS NOT NULL")
		}
	case 3:
		return g.expr('s', 0) + g.pick(" LIKE ", " NOT LIKE ") + g.pick("'%e%'", "'b%'", "'%t'", "'_at'", "'e%\\\\%'", "'%o%_%'", "'CAT'", "'%'")
	}
	b := g.constant(k)
	if g.one(2) {
		b = g.expr(k, 0)
	}
	return a + " " + g.pick("=", "<>", "<", "<=", ">", ">=", "<=>") + " " + b
}

// queryCond is a condition with a subquery.
func (g *reporter) queryCond() string {
	outer := g.scope
	k := "iid"[g.r.IntN(3)]
	left := g.expr(k, 0)
	g.depth++
	defer func() { g.scope, g.depth = outer, g.depth-1 }()
	in := g.from(1 + g.r.IntN(2))
	own := g.scope
	where := ""
	if !g.one(4) {
		where = " WHERE " + g.cond(1)
	}
	if g.one(2) { // depends on a row outside
		g.scope = outer
		a := g.expr('i', 0)
		g.scope = own
		where += map[bool]string{true: " WHERE ", false: " AND "}[where == ""] + g.expr('i', 0) + g.pick(" = ", " = ", " = ", " <> ", " < ") + a
	}
	switch g.r.IntN(4) {
	case 0:
		return g.pick("EXISTS", "NOT EXISTS") + " (SELECT 1 FROM " + in + where + ")"
	case 1, 2:
		return left + g.pick(" IN", " NOT IN") + " (SELECT " + g.expr(k, 0) + " FROM " + in + where + ")"
	}
	return left + " " + g.pick("<", ">", "=", ">=") + " (SELECT " + g.pick("MIN", "MAX", "AVG", "SUM", "COUNT") + "(" + g.expr(k, 0) + ") FROM " + in + where + ")"
}

// from makes FROM of so many tables; they become the scope.
func (g *reporter) from(n int) string {
	var b strings.Builder
	g.scope = nil
	for i := range n {
		t := reportTables[g.r.IntN(len(reportTables))]
		g.alias++
		ref := reportRef{fmt.Sprintf("t%d", g.alias), t}
		text := t.name + " " + ref.alias
		if g.depth < 2 && g.one(8) {
			text, ref = g.derived(ref)
		}
		before := g.scope
		if i == 0 {
			b.WriteString(text)
			g.scope = []reportRef{ref}
			continue
		}
		k := "iiis"[g.r.IntN(4)]
		g.scope = before
		left := g.column(k)
		g.scope = []reportRef{ref}
		right := g.column(k)
		g.scope = append(append([]reportRef(nil), before...), ref)
		on := left + " = " + right
		if left == "" || right == "" {
			on = g.cond(0)
		}
		if g.one(3) {
			on += " AND " + g.cond(0)
		}
		b.WriteString(g.pick(" JOIN ", " LEFT JOIN ", " JOIN ", " RIGHT JOIN ") + text + " ON " + on)
	}
	return b.String()
}

// derived makes a derived table with the columns of a table.
func (g *reporter) derived(ref reportRef) (string, reportRef) {
	outer := g.scope
	g.depth++
	defer func() { g.scope, g.depth = outer, g.depth-1 }()
	g.scope = []reportRef{{"q", ref.reportTable}}
	if g.one(2) {
		k := g.expr('i', 0)
		text := fmt.Sprintf("(SELECT %s AS gi, SUM(%s) AS gd, COUNT(*) AS gn FROM %s q WHERE %s GROUP BY %s) %s", k, g.expr('d', 0), ref.name, g.cond(1), k, ref.alias)
		return text, reportRef{ref.alias, reportTable{ints: []string{"gi", "gn"}, decs: []string{"gd"}}}
	}
	return fmt.Sprintf("(SELECT * FROM %s q WHERE %s) %s", ref.name, g.cond(1), ref.alias), ref
}

// report makes a statement. ordered tells that the order of its rows is known.
func (g *reporter) report() (text string, ordered bool) {
	g.alias, g.depth = 0, 0
	text, width := g.block()
	if g.one(10) {
		return "SELECT 1, 2.5 FROM ra WHERE id < 3 UNION " + g.pick("", "ALL ") + "SELECT " + "k, e FROM rb ORDER BY 1, 2", true
	}
	if g.one(2) {
		order := make([]string, width)
		for i := range order {
			order[i] = strconv.Itoa(i+1) + g.pick("", " DESC")
		}
		text, ordered = text+" ORDER BY "+strings.Join(order, ", "), true
		if g.one(2) {
			text += " LIMIT " + strconv.Itoa(g.r.IntN(12)) + g.pick("", " OFFSET 3")
		}
	}
	return text, ordered
}

// block makes a query block; width is how many columns it has.
func (g *reporter) block() (text string, width int) {
	from := g.from(1 + g.r.IntN(3))
	where := ""
	if !g.one(3) {
		where = " WHERE " + g.cond(2)
		if g.one(2) {
			where += " AND " + g.cond(1)
		}
	}
	var items []string
	if g.one(2) {
		for range 1 + g.r.IntN(3) {
			items = append(items, g.expr(g.kind(), 2))
		}
		return "SELECT " + g.pick("", "", "DISTINCT ") + name(items) + " FROM " + from + where, len(items)
	}
	var groups []string
	for range g.r.IntN(3) {
		if e := g.expr("iist"[g.r.IntN(4)], 1); !strings.Contains(e, "/") && strings.Contains(e, "t") && strings.Contains(e, ".") {
			groups = append(groups, e)
		}
	}
	items = append(items, groups...)
	for range 1 + g.r.IntN(3) {
		items = append(items, g.aggregate())
	}
	text = "SELECT " + name(items) + " FROM " + from + where
	if len(groups) > 0 {
		text += " GROUP BY " + strings.Join(groups, ", ")
		if g.one(3) {
			text += " HAVING " + g.aggregate() + g.pick(" > ", " <= ", " <> ") + g.pick("1", "10", "2.5")
		}
	}
	return text, len(items)
}

func (g *reporter) aggregate() string {
	k := "iidd"[g.r.IntN(4)]
	return g.pick("COUNT(*)", "SUM("+g.expr(k, 1)+")", "AVG("+g.expr(k, 1)+")", "MIN("+g.expr(k, 1)+")", "MAX("+g.expr(k, 1)+")", "COUNT("+g.expr(g.kind(), 0)+")",
		"COUNT(DISTINCT "+g.expr(g.kind(), 0)+")", "SUM(DISTINCT "+g.expr(k, 0)+")", "MIN("+g.moment()+")", "100.0 * SUM("+g.expr('d', 0)+") / COUNT(*)")
}

func name(items []string) string {
	out := make([]string, len(items))
	for i, e := range items {
		out[i] = fmt.Sprintf("%s AS c%d", e, i)
	}
	return strings.Join(out, ", ")
}

// shownReport is what is compared of an answer.
func shownReport(res *mysql.Result, err error, ordered bool) string {
	if err != nil {
		return "error " + strings.SplitN(err.Error(), ":", 2)[0]
	}
	var b strings.Builder
	for _, f := range res.Fields { // the size of an integer, and what a text's decimals are, depends on where MySQL has kept it
		typ, decimals := f.Type, f.Decimal
		switch typ {
		case mysql.MYSQL_TYPE_TINY, mysql.MYSQL_TYPE_SHORT, mysql.MYSQL_TYPE_LONG:
			typ = mysql.MYSQL_TYPE_LONGLONG
		case mysql.MYSQL_TYPE_VAR_STRING, mysql.MYSQL_TYPE_STRING:
			typ, decimals = mysql.MYSQL_TYPE_STRING, 0
		}
		fmt.Fprintf(&b, "%s %d.%d ", f.Name, typ, decimals)
	}
	rows := make([]string, len(res.Values))
	for i, r := range res.Values {
		for _, v := range r {
			if v.Value() == nil {
				rows[i] += "NULL|"
				continue
			}
			rows[i] += string(v.AsString()) + fmt.Sprint(plainNumber(v.Value())) + "|"
		}
	}
	if !ordered {
		sort.Strings(rows)
	}
	text := b.String() + strings.Join(rows, ";")
	if len(text) > 200 && *dsn == "" || *rewriteReports && len(text) > 200 {
		text = fmt.Sprintf("%.120s... %x", text, sha256.Sum256([]byte(text)))
	}
	return text
}

// plainNumber is a value that is no text.
func plainNumber(v any) any {
	if _, text := v.([]byte); text {
		return ""
	}
	return v
}

func prepareReports(t testing.TB, s *side) {
	for _, q := range append(append([]string{}, reportSchema...), reportRows()...) {
		_, err := s.Execute(q)
		require.NoError(t, err, q)
	}
}

// reports makes the statements of a seed.
func reports(seed uint64, n int) (texts []string, ordered []bool) {
	g := &reporter{r: rand.New(rand.NewPCG(seed, 1))}
	for range n {
		text, o := g.report()
		texts, ordered = append(texts, text), append(ordered, o)
	}
	return texts, ordered
}

func executorSide(t testing.TB, srv *emberd.Server, db string) *side {
	s := connect(t, srv, db, false)
	_, err := s.Execute("SET ember_executor = 'ALL'")
	require.NoError(t, err)
	return s
}

// executed is how many statements the executor has run.
func executed(t testing.TB, s *side) int {
	res, err := s.Execute("SHOW GLOBAL STATUS LIKE 'Ember_executor_executions'")
	require.NoError(t, err)
	n, err := res.GetInt(0, 1)
	require.NoError(t, err)
	return int(n)
}

// TestReportsAreMySQLs compares what the executor answers with what MySQL does.
func TestReportsAreMySQLs(t *testing.T) {
	srv := emberd.Start(t)
	s := executorSide(t, srv, "reports")
	prepareReports(t, s)
	seed, n := uint64(1), goldenReports
	var want []string
	if *dsn == "" {
		want = readReports(t)
		require.Len(t, want, n)
	} else {
		other := connectMySQL(t, "reports"+strconv.Itoa(os.Getpid()))
		prepareReports(t, other)
		if !*rewriteReports {
			seed, n = testkit.Seed(t), int(number(t, "EQUALITY_ROUNDS", 3000))
		}
		texts, ordered := reports(seed, n)
		for i, q := range texts {
			res, err := other.Execute(q)
			want = append(want, shownReport(res, err, ordered[i]))
		}
		if *rewriteReports {
			writeReports(t, want)
		}
	}
	texts, ordered := reports(seed, n)
	ran, bad := 0, 0
	last := executed(t, s)
	for i, q := range texts {
		res, err := s.Execute(q)
		now := executed(t, s)
		if now == last {
			continue // another way has run it
		}
		last = now
		ran++
		got := shownReport(res, err, ordered[i])
		if got == want[i] && i%5 == 0 {
			if st, failed := s.Prepare(q); failed == nil { // else the library cannot prepare it
				res, err = st.Execute()
				got = shownReport(res, err, ordered[i])
				require.Equal(t, last+1, executed(t, s), q)
				last++
				require.NoError(t, st.Close())
			}
		}
		if got != want[i] {
			if bad++; bad <= 20 {
				t.Errorf("seed %d\n%s\nhas  %.600s\nwant %.600s", seed, q, got, want[i])
			}
		}
	}
	t.Logf("seed %d: the executor ran %d of %d statements, %d differ", seed, ran, n, bad)
	require.Greater(t, ran*2, n, "the executor runs most of them")
}

var reportsGolden = filepath.Join("testdata", "reports.golden")

func writeReports(t testing.TB, lines []string) {
	require.NoError(t, os.MkdirAll("testdata", 0o755))
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(strconv.Quote(l) + "\n")
	}
	require.NoError(t, os.WriteFile(reportsGolden, []byte(b.String()), 0o644))
}

func readReports(t testing.TB) (lines []string) {
	f, err := os.Open(reportsGolden)
	require.NoError(t, err)
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<24)
	for in.Scan() {
		l, err := strconv.Unquote(in.Text())
		require.NoError(t, err)
		lines = append(lines, l)
	}
	require.NoError(t, in.Err())
	return lines
}
