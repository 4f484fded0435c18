package equality

import (
	"flag"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-mysql-org/go-mysql/client"
	driver "github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/tests/differential"
	"emberdb/tests/emberd"
)

// dsn names a MySQL server. The generated statements are then compared with its answers instead of
// those of go-mysql-server.
var dsn = flag.String("dsn", "", "MySQL server to compare with; empty: go-mysql-server")

// sides are the two ways to run statements, each with a database of its own.
func sides(t testing.TB, srv *emberd.Server, name string) (fast, other *side) {
	if *dsn == "" {
		return connect(t, srv, name+"fast", true), connect(t, srv, name+"slow", false)
	}
	db := fmt.Sprint(differential.DatabasePrefix, name, os.Getpid()) // several runs may go on beside one server
	return connect(t, srv, db, true), connectMySQL(t, db)
}

// readSides are sides that only read: on one server they share the database.
func readSides(t testing.TB, srv *emberd.Server) (fast, other *side) {
	if *dsn == "" {
		return connect(t, srv, "eqread", true), connect(t, srv, "eqread", false)
	}
	return sides(t, srv, "read")
}

func connectMySQL(t testing.TB, db string) *side {
	cfg, err := driver.ParseDSN(*dsn)
	require.NoError(t, err)
	c, err := client.Connect(cfg.Addr, cfg.User, cfg.Passwd, "")
	require.NoError(t, err)
	t.Cleanup(func() {
		_, _ = c.Execute("DROP DATABASE " + db)
		c.Close()
	})
	for _, q := range []string{"SET NAMES utf8mb4", "DROP DATABASE IF EXISTS " + db, "CREATE DATABASE " + db, "USE " + db, "SET timestamp = 1700000000"} {
		_, err := c.Execute(q)
		require.NoError(t, err, q)
	}
	return &side{Conn: c, db: db, stmts: map[string]*client.Stmt{}}
}

// answers runs a statement on both sides.
func answers(fast, other *side, q statement, prepared bool) (a, b string) {
	if *dsn == "" {
		return fast.run(q, prepared), other.run(q, prepared)
	}
	return besideMySQL(fast, other, q, prepared)
}

// told is what a client learns of a statement, in the lines of a golden, and its warnings.
type told struct {
	lines, warnings []string
}

func (s *side) tell(q statement, prepared bool) told {
	res, err := s.execute(q, prepared)
	return told{lines: differential.Describe(q.text, res, err, prepared, q.ordered)}
}

var warningCount = regexp.MustCompile("^warnings [0-9]+$")

// besideMySQL compares what both sides tell, after what docs/differences.md names was taken out.
func besideMySQL(fast, other *side, q statement, prepared bool) (a, b string) {
	x, y := fast.tell(q, prepared), other.tell(q, prepared)
	counts := func(line string) bool { return warningCount.MatchString(line) }
	if slices.ContainsFunc(x.lines, counts) || slices.ContainsFunc(y.lines, counts) {
		for side, of := range map[*side]*told{fast: &x, other: &y} {
			w := side.tell(statement{text: "SHOW WARNINGS", ordered: true}, false).lines
			if slices.ContainsFunc(of.lines, counts) {
				of.lines, of.warnings = slices.DeleteFunc(of.lines, counts), w[1:]
			}
			slices.Sort(of.warnings) // of several columns, which one is looked at first differs
		}
	}
	for _, d := range differences {
		if before := y.String(); x.String() != before {
			if d.is(q, &x, &y); y.String() != before {
				differenceCount[d.what]++
			}
		}
	}
	compared++
	return x.String(), y.String()
}

func (o told) String() string {
	return strings.Join(o.lines, "\n") + fmt.Sprintf("\nwarnings %q", o.warnings)
}

var (
	compared        int
	differenceCount = map[string]int{}
)

// differences are those of docs/differences.md that generated statements meet. Each makes the
// answers alike where it, and nothing else, sets them apart.
var differences = []struct {
	what string
	is   func(q statement, ember, mysql *told)
}{
	{"deprecations and the order of JSON documents are no warnings", func(q statement, _, mysql *told) {
		tells := func(line string) bool { return needless.MatchString(line) }
		mysql.warnings = slices.DeleteFunc(mysql.warnings, tells)
		if q.text == "SHOW WARNINGS" {
			mysql.lines = slices.DeleteFunc(mysql.lines, tells)
		}
	}},
	{"columns of a key stay such in sorted, joined and grouped results", func(q statement, ember, mysql *told) {
		if a := keyless.ReplaceAllString(ember.lines[0], ""); combined.MatchString(q.text) && a == keyless.ReplaceAllString(mysql.lines[0], "") {
			mysql.lines[0] = ember.lines[0]
		}
	}},
	{"one of several faults of a statement is told", func(q statement, ember, mysql *told) {
		a, b := fault.FindStringSubmatch(ember.lines[0]), fault.FindStringSubmatch(mysql.lines[0])
		if a != nil && b != nil && a[1]+a[2] != b[1]+b[2] && changes(q.text, a[1]) && changes(q.text, b[1]) {
			*mysql = *ember
		}
	}},
	{"characters of four bytes are told in errors and warnings", func(q statement, ember, mysql *told) {
		if len(ember.warnings) == len(mysql.warnings) {
			narrow(ember.warnings, mysql.warnings)
			slices.Sort(ember.warnings)
		}
		if (strings.HasPrefix(ember.lines[0], "error ") || q.text == "SHOW WARNINGS") && len(ember.lines) == len(mysql.lines) {
			narrow(ember.lines, mysql.lines)
		}
	}},
	{"a parameter is shown by its value in the text of an error", func(_ statement, ember, mysql *told) {
		for n, line := range mysql.lines[:min(len(mysql.lines), len(ember.lines))] {
			if parts := strings.Split(line, "?"); overflown.MatchString(line) && len(parts) > 1 {
				for i := range parts {
					parts[i] = regexp.QuoteMeta(parts[i])
				}
				if regexp.MustCompile("^" + strings.Join(parts, "('[^']*'|[-0-9.e]+|-[(][0-9.e]+[)]|NULL)") + "$").MatchString(ember.lines[n]) {
					mysql.lines[n] = ember.lines[n]
				}
			}
		}
	}},
	{"the order in which rows are read that have no key", func(q statement, ember, mysql *told) {
		if q.text == "SHOW WARNINGS" {
			slices.Sort(ember.lines[1:])
			slices.Sort(mysql.lines[1:])
		}
	}},
	{"a DOUBLE beyond an INT UNSIGNED is told of once", func(q statement, _, mysql *told) { // and beyond other integers in MySQL too
		again := func(a, b string) bool { return a == b && beyondID.MatchString(a) }
		if strings.HasPrefix(q.text, "UPDATE times SET id") {
			mysql.warnings = slices.CompactFunc(mysql.warnings, again)
		}
		if q.text == "SHOW WARNINGS" {
			mysql.lines = slices.CompactFunc(mysql.lines, again)
		}
	}},
	{"which row of an UPDATE a warning names, where MySQL counts the rows it finds before those it changes, or finds again", func(q statement, ember, mysql *told) {
		if !strings.HasPrefix(q.text, "UPDATE") && !strings.Contains(q.text, " ON DUPLICATE KEY UPDATE ") && q.text != "SHOW WARNINGS" {
			return
		}
		for _, lines := range [][]string{ember.lines, ember.warnings, mysql.lines, mysql.warnings} {
			for i := range lines {
				if strings.HasPrefix(lines[i], "row: ") {
					lines[i] = atRow.ReplaceAllString(lines[i], "")
				}
			}
		}
	}},
	{"a prepared UPDATE of a DECIMAL computes exactly with a DOUBLE, which leaves nothing to be cut", func(q statement, ember, mysql *told) {
		for _, side := range []*told{ember, mysql} {
			if q.text == "SHOW WARNINGS" {
				side.lines = slices.DeleteFunc(side.lines, cutDecimal.MatchString)
			}
			if exactly.MatchString(q.text) {
				side.warnings = slices.DeleteFunc(side.warnings, cutDecimal.MatchString)
			}
		}
	}},
	{"sums of doubles go by the order of the rows", func(q statement, ember, mysql *told) {
		if !strings.Contains(q.text, "SUM(") || !strings.Contains(mysql.lines[0], " DOUBLE") || len(ember.lines) != 2 || len(mysql.lines) != 2 {
			return
		}
		a, _ := strconv.ParseFloat(strings.TrimPrefix(ember.lines[1], "row: "), 64)
		if b, err := strconv.ParseFloat(strings.TrimPrefix(mysql.lines[1], "row: "), 64); err == nil && math.Abs(a-b) <= math.Abs(b)*1e-14 {
			mysql.lines[1] = ember.lines[1]
		}
	}},
	{"the year 0 is shown as 0", func(q statement, ember, mysql *told) {
		if !strings.Contains(mysql.lines[0], " YEAR") {
			return
		}
		for i, row := range mysql.lines {
			if mysql.lines[i] = yearZero.ReplaceAllString(row, " 0$1"); i >= len(ember.lines) || ember.lines[i] != mysql.lines[i] {
				mysql.lines[i] = row
			}
		}
	}},
	{"YEAR() is an integer", func(q statement, _, mysql *told) {
		if strings.Contains(q.text, "YEAR(") {
			mysql.lines[0] = strings.ReplaceAll(mysql.lines[0], ") YEAR unsigned", ") LONGLONG")
		}
	}},
	{"dates of zero in DISTINCT, GROUP BY, and in MIN and MAX of groups that have only NULLs, leave a warning", func(q statement, ember, mysql *told) {
		of := map[bool]*regexp.Regexp{true: zeroDate, false: noZero}[strings.Contains(q.text, "DISTINCT") || strings.Contains(q.text, "GROUP BY") || q.text == "SHOW WARNINGS"]
		switch {
		case q.text == "SHOW WARNINGS":
			mysql.lines = slices.DeleteFunc(mysql.lines, func(line string) bool { return of.MatchString(line) && !slices.Contains(ember.lines, line) })
		case strings.HasPrefix(q.text, "SELECT"):
			mysql.warnings = slices.DeleteFunc(mysql.warnings, of.MatchString)
		}
	}},
	{"which of equal texts stands for them", func(q statement, ember, mysql *told) {
		if !strings.Contains(q.text, "MIN(") && !strings.Contains(strings.ToUpper(q.text), "MAX(") && !strings.Contains(q.text, "DISTINCT") || len(ember.lines) != len(mysql.lines) {
			return
		}
		columns := strings.Split(mysql.lines[0], " | ")
		if !q.ordered { // by what is alike
			byFold := func(a, b string) int { return strings.Compare(fold.Replace(a), fold.Replace(b)) }
			slices.SortFunc(ember.lines[1:], byFold)
			slices.SortFunc(mysql.lines[1:], byFold)
		}
		for i := 1; i < len(mysql.lines); i++ {
			a, b := strings.Split(ember.lines[i], " | "), strings.Split(mysql.lines[i], " | ")
			if len(a) != len(b) || len(a) != len(columns) {
				continue
			}
			for n := range a {
				if folded.MatchString(columns[n]) && fold.Replace(a[n]) == fold.Replace(b[n]) {
					b[n] = a[n]
				}
			}
			mysql.lines[i] = strings.Join(b, " | ")
		}
	}},
}

// fold makes equal words alike, and folded tells the columns of which equal words may look
// different: texts with a collation that is not binary.
var (
	fold   = strings.NewReplacer("Ä", "a", "ä", "a", "x'c4'", "a", "x'e4'", "a", "A", "a", "B", "b", "C", "c")
	folded = regexp.MustCompile("^(columns: )?(MIN|MAX|max|min)?[(]?([a-z]+[.])?([kcltgbw]|u3|other|col_[kcltgbw])[)]? (TEXT|VAR_STRING|STRING|BLOB|VARCHAR)( |$)")
)

// leftOut tells statements that are not compared with MySQL, as docs/differences.md names what sets
// them and the tables afterwards apart: the date of zeros that IS NULL finds, and a prepared UPDATE
// that computes with large integers and a DOUBLE. A prepared SELECT of rows whose unique key <=>
// NULL is MySQL's own fault: it gives one row of several.
func leftOut(q statement, prepared bool) bool {
	if *dsn == "" {
		return false
	}
	if strings.Contains(q.text, "made IS NULL") {
		return true
	}
	if before, _, found := strings.Cut(q.text, " f <=> ?"); found && prepared && strings.Contains(before, " FROM times ") && q.args[strings.Count(before, "?")] == nil {
		return true
	}
	double := slices.ContainsFunc(q.args, func(a any) bool {
		switch a.(type) {
		case decimal, float64:
			return true
		}
		return false
	})
	return prepared && double && ownLarge.MatchString(q.text)
}

// narrow writes characters of four bytes as MySQL does in its messages, where that makes lines
// alike.
func narrow(ember, mysql []string) {
	for i, line := range ember {
		for _, marks := range []string{"?", "????"} {
			if told := wide.ReplaceAllString(line, marks); told != line && slices.Contains(mysql, told) {
				ember[i] = told
			}
		}
	}
}

// changes tells whether a statement stores something in a column, or into a key.
func changes(text, column string) bool {
	return strings.Contains(column, ".") || regexp.MustCompile(`\b`+regexp.QuoteMeta(column)+`\b`).MatchString(text)
}

var (
	// ownLarge computes a column of 64 bits from itself.
	ownLarge   = regexp.MustCompile("^UPDATE ints SET (d = d|e = e) ")
	needless   = regexp.MustCompile("^row: Warning [|] (1287|3135|1235) [|] ")
	keyless    = regexp.MustCompile(" primary( auto_increment)?")
	atRow      = regexp.MustCompile(" at row [0-9]+$")
	exactly    = regexp.MustCompile("^UPDATE numbers SET [mw] = [a-z]+ [-+*/%] [?]")
	yearZero   = regexp.MustCompile(" 0000( [|]|$)") // and not the date of zeros
	beyondID   = regexp.MustCompile("^row: Warning [|] 1264 [|] Out of range value for column 'id'")
	cutDecimal = regexp.MustCompile("^row: Note [|] 1265 [|] Data truncated for column '[mw]'")
	overflown  = regexp.MustCompile("^(error|row: Error [|]) 1690 ")
	// zeroDate is a warning of any column, noZero of those in groups.
	zeroDate = regexp.MustCompile("^row: Warning [|] 1292 [|] Incorrect date(time)? value: '0000-00-00( 00:00:00([.]0+)?)?' for column ")
	noZero   = regexp.MustCompile("^row: Warning [|] 1292 [|] Incorrect date(time)? value: '0000-00-00( 00:00:00)?' for column '(MIN|MAX)")
	combined = regexp.MustCompile("ORDER BY|GROUP BY|DISTINCT|JOIN|FROM [a-z]+( AS [a-z]+)?, ")
	wide     = regexp.MustCompile("[\U00010000-\U0010ffff]")
	// fault is an error of one value: the column or key and the row.
	fault = regexp.MustCompile("^error (?:1048|1062|1264|1265|1292|1364|1366|1406) .*(?:column|Column|Field|key) '([^']*)'(.*)")
)

// tellDifferences logs what the comparison with MySQL took out.
func tellDifferences(t *testing.T) {
	if *dsn != "" {
		t.Logf("%d statements compared with MySQL; known differences: %v", compared, differenceCount)
	}
}
