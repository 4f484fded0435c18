package clients

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

var rewrite = flag.Bool("rewrite", false, "record the answers of the server at -socket as MySQL's")

// binaryServer is the socket of the server under test.
func binaryServer(t *testing.T) *binaryConn {
	t.Helper()
	path := *socket
	if path == "" {
		path = emberd.Start(t).Socket
	}
	c, err := dialBinary(path)
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

// must runs a statement that has to succeed.
func (c *binaryConn) must(t *testing.T, text string) *reply {
	t.Helper()
	r, err := c.query(text)
	require.NoError(t, err, text)
	require.Empty(t, r.err, text)
	return r
}

func (c *binaryConn) mustPrepare(t *testing.T, text string) stmt {
	t.Helper()
	s, msg, err := c.prepare(text)
	require.NoError(t, err, text)
	require.Empty(t, msg, text)
	return s
}

func (c *binaryConn) mustExecute(t *testing.T, s stmt, p *param) *reply {
	t.Helper()
	r, err := c.execute(s, p)
	if err != nil { // later cells need the connection
		require.NoError(t, c.redial())
		return &reply{err: "connection closed"}
	}
	return r
}

func (c *binaryConn) closeStmt(t *testing.T, s stmt) {
	t.Helper()
	require.NoError(t, c.send(mysql.COM_STMT_CLOSE, le(4, uint64(s.id))))
}

// cells are the answers of a server by their names, in order.
type cells struct {
	names   []string
	answers map[string]string
	ember   map[string]string // in a golden: Ember's answers to the cells that are marked as different
}

func (c *cells) add(t *testing.T, name, answer string) {
	t.Helper()
	_, twice := c.answers[name]
	require.False(t, twice, name)
	if c.answers == nil {
		c.answers = make(map[string]string)
	}
	c.names = append(c.names, name)
	c.answers[name] = answer
}

// check compares the answers with MySQL's, or records them. Marked cells have the difference on
// record. some: the cells are a part of the golden's.
func (c *cells) check(t *testing.T, golden string, differs []difference, some bool) {
	t.Helper()
	path := "testdata/" + golden + ".golden.gz"
	if *rewrite && *socket != "" {
		require.NoError(t, c.write(path))
		return
	}
	want, err := readCells(path)
	require.NoError(t, err)
	if !some {
		require.Equal(t, want.names, c.names, "recorded from another version of the test; record it again")
	}
	if *rewrite {
		want.mark(c, differs)
		require.NoError(t, want.write(path))
		return
	}
	different, marked := 0, 0
	for _, name := range c.names {
		mysql, ember, got := want.answers[name], want.ember[name], c.answers[name]
		if ember != "" {
			marked++
			require.NotEmpty(t, markOf(differs, name), "%s: a difference without a reason", name)
			mysql = ember
		}
		if got != mysql {
			if different++; different <= 40 || os.Getenv("ALL_CELLS") != "" {
				t.Errorf("%s\nMySQL: %s\nEmber: %s", name, mysql, got)
			}
		}
	}
	t.Logf("%d cells, differences %d, marked %d", len(c.names), different, marked)
}

// mark puts Ember's answers on record where they differ for a known reason.
func (c *cells) mark(ember *cells, differs []difference) {
	c.ember = make(map[string]string)
	for _, name := range c.names {
		if got := ember.answers[name]; got != c.answers[name] && markOf(differs, name) != "" {
			c.ember[name] = got
		}
	}
}

// difference is a reason for which cells differ from MySQL's.
type difference struct {
	cells  *regexp.Regexp
	reason string
}

func markOf(differs []difference, name string) string {
	for _, d := range differs {
		if d.cells.MatchString(name) {
			return d.reason
		}
	}
	return ""
}

func (c *cells) write(path string) error {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	for _, name := range c.names {
		fmt.Fprintf(z, "%s\n\t%s\n", name, c.answers[name])
		if ember := c.ember[name]; ember != "" {
			fmt.Fprintf(z, "\t"+emberMark+"%s\n", ember)
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}

// emberMark stands before Ember's answer.
const emberMark = "= ember "

func readCells(path string) (*cells, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	c := &cells{answers: make(map[string]string), ember: make(map[string]string)}
	name := ""
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		answer, ok := strings.CutPrefix(line, "\t")
		if !ok {
			name = line
			c.names = append(c.names, name)
			continue
		}
		if ember, ok := strings.CutPrefix(answer, emberMark); ok {
			c.ember[name] = ember
		} else {
			c.answers[name] = answer
		}
	}
	return c, lines.Err()
}

// parameterDifferences are the cells in which Ember does not follow MySQL.
var parameterDifferences = []difference{
	{regexp.MustCompile(`(Inf|NaN)$`), "what is no number is stored nowhere: MySQL stores 0, the least number, or refuses it as too long"},
	{regexp.MustCompile(`^(CHAR|VARCHAR|BINARY|VARBINARY|\w*TEXT|\w*BLOB)\b.* <- moment .*\.\d+$`), "a text keeps the fraction of a DATETIME, which MySQL loses"},
	{regexp.MustCompile(`moment .* (month 0|day 0|February 30|time without date)$`), "a date that is none is a text where no date is wanted, not its digits"},
	{regexp.MustCompile(`^BIT\(\d+\) <- (decimal|float|double|text|moment)`), "a BIT takes the bytes of what is no integer"},
	{regexp.MustCompile(`^(DATE|TIMESTAMP).* <- (integer|float|double|decimal)`), "errors show a number, not the date that MySQL makes of a parameter"},
	{regexp.MustCompile(`^(DATE|TIMESTAMP).* <- text .* "03:04:05`), "a text that MySQL reads as a date by its digits in a statement, and not in a parameter"},
	{regexp.MustCompile(`^TIME.* <- (text .* "2026-01-02 |moment .* 0|time |integer type 8 unsigned)`), "the precision at which a TIME is compared, and the note of a lost date"},
	{regexp.MustCompile(`^(ENUM|SET).* <- (decimal|text)`), "members by numbers that are no integers"},
	{regexp.MustCompile(`^(TINYTEXT|TEXT|MEDIUMTEXT|LONGTEXT|TINYBLOB|BLOB|MEDIUMBLOB|LONGBLOB) <- double -1\.79`), "MySQL cuts the digits of a long DOUBLE in a TEXT"},
	{regexp.MustCompile(`^(CHAR|VARCHAR|BINARY|VARBINARY|\w*TEXT|\w*BLOB)\b.* <- (float|double) -0$`), "a text that is made of a parameter loses the sign of a zero"},
	{regexp.MustCompile(`^YEAR <- time -34d|^BIGINT UNSIGNED <- double 1\.2345|^JSON <- text .*x00`), "single values"},
}

// TestBinaryParameters stores every parameter in every type of column and reads it back by both
// protocols. Each cell has statements of its own, since MySQL's parameters keep the types of
// earlier executions, and runs twice, since a server may execute a statement another way once it
// knows it.
func TestBinaryParameters(t *testing.T) {
	c := binaryServer(t)
	c.parameters(t, binaryParams()).check(t, "parameters", parameterDifferences, false)
}

// TestBinaryParametersPlanned is the same without programs of statements, which have a way of their
// own for parameters and results.
func TestBinaryParametersPlanned(t *testing.T) {
	if *rewrite {
		return
	}
	c := binaryServer(t)
	c.must(t, "SET ember_compiled_statements = OFF")
	params := binaryParams()
	c.parameters(t, slices.DeleteFunc(params, func(p param) bool { return p.kind() == "text" })).check(t, "parameters", parameterDifferences, true)
}

// parameters runs the cells of the given parameters.
func (c *binaryConn) parameters(t *testing.T, params []param) *cells {
	t.Helper()
	out := &cells{}
	c.must(t, "DROP DATABASE IF EXISTS binaryvalues")
	c.must(t, "CREATE DATABASE binaryvalues")
	c.must(t, "USE binaryvalues")
	c.must(t, "SET timestamp = 1767323045") // a TIME becomes a time of this day
	for i, typ := range binaryColumns {
		c.must(t, fmt.Sprintf("CREATE TABLE t%d (id INT PRIMARY KEY, v %s)", i, typ))
		get := c.mustPrepare(t, fmt.Sprintf("SELECT v FROM t%d WHERE id = 1", i))
		for j := range params {
			out.add(t, typ+" <- "+params[j].name, c.store(t, i, get, &params[j]))
		}
	}
	for j := range params {
		s := c.mustPrepare(t, "SELECT ?")
		out.add(t, "SELECT "+params[j].name, twice(func() string { return c.mustExecute(t, s, &params[j]).shown() }))
		c.closeStmt(t, s)
	}
	c.must(t, "DROP DATABASE binaryvalues")
	return out
}

// twice runs a cell twice, which must answer the same.
func twice(run func() string) string {
	first := run()
	if again := run(); again != first {
		return first + " again: " + again
	}
	return first
}

// store runs one cell: a parameter into column v of table number i.
func (c *binaryConn) store(t *testing.T, i int, get stmt, p *param) string {
	t.Helper()
	put := c.mustPrepare(t, fmt.Sprintf("REPLACE INTO t%d VALUES (1, ?)", i))
	find := c.mustPrepare(t, fmt.Sprintf("SELECT COUNT(*) FROM t%d WHERE v = ?", i))
	defer c.closeStmt(t, put)
	defer c.closeStmt(t, find)
	return twice(func() string {
		r := c.mustExecute(t, put, p)
		if r.err != "" {
			return r.shown()
		}
		text, got := c.must(t, fmt.Sprintf("SELECT v FROM t%d WHERE id = 1", i)), c.mustExecute(t, get, nil)
		require.Empty(t, got.err)
		found := ""
		if kindOf(binaryColumns[i]) == p.kind() {
			if f := c.mustExecute(t, find, p); f.err != "" {
				found = " found=" + f.err
			} else {
				found = fmt.Sprintf(" found=%d", f.rows[0][2])
			}
		}
		value, null, _, err := mysql.LengthEncodedString(text.rows[0])
		require.NoError(t, err)
		shown := fmt.Sprintf("%q", value)
		if null {
			shown = "NULL"
		}
		return fmt.Sprintf("%s text=%s binary=%x%s", r.shown(), shown, got.rows[0], found)
	})
}
