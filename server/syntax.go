package server

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/vt/sqlparser"
	tidb "github.com/pingcap/tidb/pkg/parser"
	"github.com/pingcap/tidb/pkg/parser/ast"
	_ "github.com/pingcap/tidb/pkg/parser/test_driver" // the parser needs a literal type

	"emberdb/sql/parse"
	"emberdb/sqllayer"
)

// The second look. go-mysql-server's grammar covers less than MySQL's. What it refuses is parsed again with a full MySQL grammar, to tell
// a mistake (1064, with MySQL's "near" text) from a statement that is right and not supported (1235), and to count parameters.

// mostLooked is the length of a statement that is worth a second look: what is parsed is walked by functions that call themselves, see sqllayer's depth.go.
const mostLooked = 1 << 20

// parseFully parses with the full grammar. Parsers are not shared: they keep state and are cheap to make only now and then.
func parseFully(query string) ([]ast.StmtNode, error) {
	if len(query) > mostLooked {
		return nil, sqllayer.NewError(1064, "%s", syntaxErrorText(query, 0))
	}
	nodes, _, err := tidb.New().Parse(query, "", "")
	return nodes, err
}

// secondLook is called for a statement to prepare that the library refused, in its words: it returns its number of parameters.
func secondLook(query, refusal string) (params int, e *mysql.SQLError) {
	if adminStatement(query) != nil {
		return 0, nil
	}
	if e := unnamedTable(refusal); e != nil {
		if n, ok := sqllayer.CountParameters(query); ok {
			return n, nil // FROM ((SELECT ...)) has one
		}
		return 0, e
	}
	nodes, err := parseFully(query)
	if err != nil {
		if n, ok := sqllayer.CountParameters(query); ok {
			return n, nil
		}
		if r, bad := parse.Parse(query, parse.Options{}); bad == nil {
			return r.Params, nil // what is not run is refused when it is executed
		}
		return 0, syntaxError(query, err)
	}
	if refused := windowError(nodes); refused != nil {
		return 0, refused
	}
	if len(nodes) != 1 {
		return 0, sqllayer.NewError(1064, "%s", syntaxErrorText(query, 0))
	}
	return countParams(nodes[0]), nil
}

type paramCounter struct{ n int }

func (c *paramCounter) Enter(n ast.Node) (ast.Node, bool) {
	if _, ok := n.(ast.ParamMarkerExpr); ok {
		c.n++
	}
	return n, false
}

func (c *paramCounter) Leave(n ast.Node) (ast.Node, bool) { return n, true }

func countParams(n ast.Node) int {
	c := &paramCounter{}
	n.Accept(c)
	return c.n
}

var (
	fullNear   = regexp.MustCompile(`^line (\d+) column (\d+) near "(.?)`)
	vitessNear = regexp.MustCompile(`at position (\d+)(?: near '([^']*)')?`)
	endLabel   = regexp.MustCompile(`End-label \S+ without match`)
)

// isSyntaxError tells whether go-mysql-server could not parse the statement.
func isSyntaxError(err error) bool {
	return sql.ErrSyntaxError.Is(err) || err != nil && strings.HasPrefix(err.Error(), "syntax error")
}

// explainSyntax turns go-mysql-server's syntax error into MySQL's, or into "not supported" when the full grammar knows the statement.
func explainSyntax(query string, cause error) *mysql.SQLError {
	if m := endLabel.FindString(cause.Error()); m != "" {
		return sqllayer.NewError(1310, "%s", m)
	}
	if e := unnamedTable(cause.Error()); e != nil {
		return e
	}
	nodes, err := parseFully(query)
	if err != nil {
		return syntaxError(query, err)
	}
	if refused := windowError(nodes); refused != nil {
		return refused
	}
	if m := vitessNear.FindStringSubmatch(cause.Error()); m != nil && len(nodes) > 0 {
		if what := describe(query); what != "" {
			return sqllayer.NewError(1235, "This version of Ember doesn't yet support '%s'", what)
		}
	}
	return sqllayer.NewError(1064, "%s", syntaxErrorText(query, vitessPosition(cause)))
}

// unnamedTable is the error of a derived table without a name, which go-mysql-server's grammar alone knows; nil if it refuses something else.
func unnamedTable(refusal string) *mysql.SQLError {
	const words = "Every derived table must have its own alias"
	if strings.Contains(refusal, words) {
		return sqllayer.NewError(1248, words)
	}
	return nil
}

// describe names a statement by its leading words.
func describe(query string) string {
	var words []string
	for _, w := range leadingWords(query, 3) {
		if strings.Trim(w, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") != "" {
			break
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}

// syntaxError makes MySQL's text from the full parser's error.
func syntaxError(query string, err error) *mysql.SQLError {
	if m := fullNear.FindStringSubmatch(err.Error()); m != nil {
		line, _ := strconv.Atoi(m[1])
		column, _ := strconv.Atoi(m[2])
		if m[3] == `"` { // the statement ends too early
			return sqllayer.NewError(1064, "%s", syntaxErrorText(query, len(query)))
		}
		return sqllayer.NewError(1064, "%s", syntaxErrorText(query, fullOffset(query, line, column)))
	}
	var known *mysql.SQLError
	if errors.As(err, &known) {
		return known
	}
	return sqllayer.NewError(1064, "%s", syntaxErrorText(query, 0))
}

// fullOffset finds the start of the token that ends at a line and column (both from 1).
func fullOffset(query string, line, column int) int {
	at := 0
	for ; line > 1; line-- {
		i := strings.IndexByte(query[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
	}
	end := min(at+column, len(query))
	start := end
	for start > at && isWordByte(query[start-1]) {
		start--
	}
	if start == end && start > at {
		start--
	}
	return start
}

func isWordByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// vitessPosition is the offset of the token vitess stumbled over.
func vitessPosition(err error) int {
	m := vitessNear.FindStringSubmatch(err.Error())
	if m == nil {
		return 0
	}
	pos, _ := strconv.Atoi(m[1])
	return max(pos-1-len(m[2]), 0)
}

// maxNear is how much of the statement MySQL quotes.
const maxNear = 80

func syntaxErrorText(query string, at int) string {
	return nearText("You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use", query, at)
}

func nearText(what, query string, at int) string {
	at = min(at, len(query))
	line := 1 + strings.Count(query[:at], "\n")
	near := query[at:]
	if len(near) > maxNear {
		near = near[:maxNear]
	}
	return fmt.Sprintf("%s near '%s' at line %d", what, near, line)
}

// splitFirst cuts the first statement off a text of several.
func splitFirst(text string) (first, rest string) {
	first, rest, err := sqlparser.SplitStatement(text)
	if err != nil {
		return text, ""
	}
	return first, strings.TrimSpace(rest)
}

// leadingWords returns up to n words a statement starts with, in upper case. Comments are skipped; the content of /*! */ comments counts.
// A punctuation character is a word of its own.
func leadingWords(q string, n int) []string {
	var words []string
	for len(words) < n {
		word, rest := cutWord(q)
		if word == "" {
			break
		}
		words = append(words, strings.ToUpper(word))
		q = rest
	}
	return words
}

// cutWord cuts the first word off a text; "" at its end.
func cutWord(q string) (word, rest string) {
	q = skipBlank(q)
	n := 0
	for n < len(q) && isWordByte(q[n]) {
		n++
	}
	if n == 0 && q != "" {
		n = 1
	}
	return q[:n], q[n:]
}

// skipBlank skips white space and comments.
func skipBlank(q string) string {
	for {
		q = strings.TrimLeft(q, " \t\r\n\f\v;")
		switch {
		case strings.HasPrefix(q, "/*!"):
			q = strings.TrimLeft(q[3:], "0123456789")
		case strings.HasPrefix(q, "*/"):
			q = q[2:]
		case strings.HasPrefix(q, "/*") && !strings.HasPrefix(q, "/*+"):
			i := strings.Index(q[2:], "*/")
			if i < 0 {
				return ""
			}
			q = q[i+4:]
		case strings.HasPrefix(q, "#"), strings.HasPrefix(q, "-- "), strings.HasPrefix(q, "--\t"), strings.HasPrefix(q, "--\n"), q == "--":
			i := strings.IndexByte(q, '\n')
			if i < 0 {
				return ""
			}
			q = q[i+1:]
		default:
			return q
		}
	}
}
