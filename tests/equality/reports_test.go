package equality

// Reports: joins, outer joins, aggregates, subqueries, derived tables and unions over small tables
// with NULLs, run by the executor (ember_executor = ALL) and compared with MySQL's answers.
//
// The answers to the statements of seed 1 are kept in testdata/reports.golden. With -dsn statements
// of a fresh seed are compared with the server's answers, and -rewrite-reports writes the golden.

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

var rewriteReports = flag.Bool("rewrite-reports", false, "write the goldens of reports from the answers of -dsn")

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
		case mysql.MYSQL_TYPE_LONG_BLOB, mysql.MYSQL_TYPE_BLOB:
			typ, decimals = mysql.MYSQL_TYPE_BLOB, 0
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
	compareReports(t, "reports", filepath.Join("testdata", "reports.golden"), goldenReports, reports)
}

// compareReports runs the statements that make returns for a seed. The golden holds the answers of
// MySQL to n statements of seed 1.
func compareReports(t *testing.T, db, golden string, n int, make func(seed uint64, n int) (texts []string, ordered []bool)) {
	srv := emberd.Start(t)
	s := executorSide(t, srv, db)
	prepareReports(t, s)
	seed := uint64(1)
	var want []string
	if *dsn == "" {
		want = readReports(t, golden)
		require.Len(t, want, n)
	} else {
		other := connectMySQL(t, db+strconv.Itoa(os.Getpid()))
		prepareReports(t, other)
		if !*rewriteReports {
			seed, n = testkit.Seed(t), int(number(t, "EQUALITY_ROUNDS", 3000))
		}
		texts, ordered := make(seed, n)
		for i, q := range texts {
			res, err := other.Execute(q)
			want = append(want, shownReport(res, err, ordered[i]))
		}
		if *rewriteReports {
			writeReports(t, golden, want)
		}
	}
	texts, ordered := make(seed, n)
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

func writeReports(t testing.TB, golden string, lines []string) {
	require.NoError(t, os.MkdirAll("testdata", 0o755))
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(strconv.Quote(l) + "\n")
	}
	require.NoError(t, os.WriteFile(golden, []byte(b.String()), 0o644))
}

func readReports(t testing.TB, golden string) (lines []string) {
	f, err := os.Open(golden)
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
