package texts

import (
	"errors"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/dlclark/regexp2"
	"github.com/dlclark/regexp2/syntax"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr/operand"
)

// Regular expressions with look-around and back references. go-mysql-server's without cgo have
// neither, and count bytes.

// A pattern may try exponentially many ways, and the matcher knows no statement that ends. A match
// is tried for quickTime where it is asked for. One that takes longer begins anew aside, and goes on
// for patientTime at most.
const (
	quickTime   = 20 * time.Millisecond
	patientTime = time.Second
)

// Error numbers of regular expressions.
const (
	erRegexpBuffer   = 3684
	erRegexpInternal = 3687
	erRegexpArgument = 3685
	erRegexpBounds   = 3686
	erRegexpSyntax   = 3688
	erRegexpTimeout  = 3699
)

var regexpFaults = map[syntax.ErrorCode]struct {
	code int
	text string
}{
	syntax.ErrMissingParen:        {3691, "Mismatched parenthesis in regular expression."},
	syntax.ErrUnexpectedParen:     {3691, "Mismatched parenthesis in regular expression."},
	syntax.ErrInvalidRepeatSize:   {3693, "The maximum is less than the minumum in a {min,max} interval."},
	syntax.ErrReversedCharRange:   {3697, "The regular expression contains an [x-y] character range where x comes after y."},
	syntax.ErrUndefinedBackRef:    {3694, "Invalid back-reference in regular expression."},
	syntax.ErrUndefinedReference:  {3694, "Invalid back-reference in regular expression."},
	syntax.ErrUnterminatedBracket: {3696, "The regular expression contains an unclosed bracket expression."},
	syntax.ErrIllegalEndEscape:    {3689, "Unrecognized escape sequence in regular expression."},
	syntax.ErrUnrecognizedEscape:  {3689, "Unrecognized escape sequence in regular expression."},
}

func regexpError(err error) error {
	var fault *syntax.Error
	if errors.As(err, &fault) {
		if known, ok := regexpFaults[fault.Code]; ok {
			return mysql.NewSQLError(known.code, "HY000", "%s", known.text)
		}
	}
	return mysql.NewSQLError(erRegexpSyntax, "HY000", "Syntax error in regular expression on line 1, character 1.")
}

// pattern is what compiled expressions are known by.
type regexpKey struct {
	pattern string
	options regexp2.RegexOptions
	time    time.Duration
}

// compiledRegexps are those met last; a pattern is mostly the same in all rows.
var compiledRegexps struct {
	sync.Mutex
	known map[regexpKey]*regexp2.Regexp
}

const mostRegexps = 256

func compileRegexp(key regexpKey) (*regexp2.Regexp, error) {
	c := &compiledRegexps
	c.Lock()
	re := c.known[key]
	c.Unlock()
	if re != nil {
		return re, nil
	}
	if key.pattern == "" {
		return nil, mysql.NewSQLError(erRegexpArgument, "HY000", "Illegal argument to a regular expression.")
	}
	if nested(key.pattern) {
		return nil, mysql.NewSQLError(erRegexpInternal, "HY000", "Internal error in the regular expression library.")
	}
	pattern := posixClasses.Replace(unquoted(key.pattern))
	if begin := strings.Index(pattern, "[:"); begin >= 0 && strings.Contains(pattern[begin:], ":]") {
		return nil, mysql.NewSQLError(erRegexpArgument, "HY000", "Illegal argument to a regular expression.")
	}
	re, err := regexp2.Compile(pattern, key.options)
	if err != nil {
		return nil, regexpError(err)
	}
	re.MatchTimeout = key.time
	if len(key.pattern) > longestKept {
		return re, nil
	}
	c.Lock()
	defer c.Unlock()
	if len(c.known) >= mostRegexps || c.known == nil {
		c.known = make(map[regexpKey]*regexp2.Regexp)
	}
	c.known[key] = re
	return re, nil
}

// longestKept is the length of the longest pattern that is kept compiled.
const longestKept = 4096

// mostGroups is how deep groups may nest: the library calls itself for each.
const mostGroups = 999

// nested tells whether the parentheses of a pattern nest deeper than that. Escaped ones count, too.
func nested(pattern string) bool {
	depth := 0
	for i := range len(pattern) {
		switch pattern[i] {
		case '(':
			if depth++; depth > mostGroups {
				return true
			}
		case ')':
			depth--
		}
	}
	return false
}

// unquoted writes \Q...\E in another way.
func unquoted(pattern string) string {
	if !strings.Contains(pattern, `\Q`) {
		return pattern
	}
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(pattern, `\Q`)
		out.WriteString(before)
		if !ok {
			return out.String()
		}
		var quoted string
		quoted, pattern, _ = strings.Cut(rest, `\E`)
		out.WriteString(regexp2.Escape(quoted))
	}
}

// regexpCall is one of the functions.
type regexpCall struct {
	operand.Many
	name string
	typ  sql.Type
	kind int // where the arguments behind the pattern are
	run  func(m *regexpMatch) (any, error)
}

var _ sql.FunctionExpression = (*regexpCall)(nil)
var _ sql.CollationCoercible = (*regexpCall)(nil)

// regexpMatch is one call with its arguments.
type regexpMatch struct {
	ctx        *sql.Context
	key        regexpKey
	re         *regexp2.Regexp
	text       []rune
	by         string // of REGEXP_REPLACE
	most       int64  // the largest result of it
	from       int    // counted from 0
	occurrence int
	end        bool // REGEXP_INSTR tells where the match ends
}

// Kinds of argument lists.
const (
	likeArgs    = iota // type
	substrArgs         // position, occurrence, type
	instrArgs          // position, occurrence, return option, type
	replaceArgs        // replacement, position, occurrence, type
)

var mostRegexpArgs = [...]int{likeArgs: 3, substrArgs: 5, instrArgs: 6, replaceArgs: 6}

func regexpFunction(name string, typ sql.Type, kind int, run func(m *regexpMatch) (any, error)) {
	operand.Register(sql.FunctionN{Name: name, Fn: func(_ *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		least := 2
		if kind == replaceArgs {
			least = 3
		}
		if len(args) < least || len(args) > mostRegexpArgs[kind] {
			return nil, sql.ErrInvalidArgumentNumber.New(name, least, len(args))
		}
		return &regexpCall{operand.OverMany(args), name, typ, kind, run}, nil
	}})
}

// FunctionName implements sql.FunctionExpression.
func (c *regexpCall) FunctionName() string { return c.name }

// Operator tells the calls of one type apart, see operand.Operated.
func (c *regexpCall) Operator() string { return c.name }

// Description implements sql.FunctionExpression.
func (c *regexpCall) Description() string { return "MySQL's " + c.name }

func (c *regexpCall) String() string {
	args := make([]string, len(c.ChildExpressions))
	for i, a := range c.ChildExpressions {
		args[i] = a.String()
	}
	return c.name + "(" + strings.Join(args, ",") + ")"
}

// Type implements sql.Expression.
func (c *regexpCall) Type(*sql.Context) sql.Type { return c.typ }

// IsNullable implements sql.Expression.
func (c *regexpCall) IsNullable(ctx *sql.Context) bool {
	return c.kind == substrArgs || c.Many.IsNullable(ctx)
}

// CollationCoercibility implements sql.CollationCoercible.
func (c *regexpCall) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	if !types.IsText(c.typ) {
		return sql.Collation_binary, 5
	}
	return sql.GetCoercibility(ctx, c.ChildExpressions[0])
}

// WithChildren implements sql.Expression.
func (c *regexpCall) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(c, children)
}

// Eval implements sql.Expression.
func (c *regexpCall) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	args := make([]any, len(c.ChildExpressions))
	for i, e := range c.ChildExpressions {
		v, err := e.Eval(ctx, row)
		if err != nil || v == nil {
			return nil, err
		}
		args[i] = v
	}
	m, pattern, flags, err := c.arguments(ctx, args)
	if err != nil {
		return nil, err
	}
	options, err := c.options(ctx, flags)
	if err != nil {
		return nil, err
	}
	m.ctx, m.key = ctx, regexpKey{pattern, options, quickTime}
	if m.re, err = compileRegexp(m.key); err != nil {
		return nil, err
	}
	return c.run(m)
}

func (c *regexpCall) arguments(ctx *sql.Context, args []any) (m *regexpMatch, pattern, flags string, err error) {
	text := func(i int) (s string) {
		if err == nil && i < len(args) {
			var ok bool
			if s, ok, err = operand.TextOf(ctx, args[i]); !ok && err == nil {
				var shown any
				if shown, _, err = types.LongText.Convert(ctx, args[i]); err == nil {
					s, _, err = operand.TextOf(ctx, shown)
				}
			}
		}
		return s
	}
	number := func(i, otherwise int) int {
		if err != nil || i >= len(args) {
			return otherwise
		}
		n, null, e := operand.NumberOf(ctx, args[i], c.ChildExpressions[i].Type(ctx))
		if err = e; null || e != nil {
			return otherwise
		}
		whole, _, _ := n.AsInteger()
		return int(whole)
	}
	m = &regexpMatch{text: []rune(text(0)), occurrence: 1}
	pattern = text(1)
	at := 2
	if c.kind == replaceArgs {
		m.by, m.most, m.occurrence, at = text(2), operand.Most(ctx), 0, 3
	}
	if c.kind != likeArgs {
		m.from, m.occurrence = number(at, 1)-1, number(at+1, m.occurrence)
		at += 2
	}
	if c.kind == instrArgs {
		option := number(at, 0)
		if m.end = option == 1; option != 0 && option != 1 && err == nil {
			err = mysql.NewSQLError(mysql.ERWrongArguments, "HY000", "Incorrect arguments to regexp_instr: return_option must be 1 or 0.")
		}
		at++
	}
	if flags = text(at); err == nil && (m.from < 0 || m.from > len(m.text)) {
		err = regexpBounds()
	}
	return m, pattern, flags, err
}

func regexpBounds() error {
	return mysql.NewSQLError(erRegexpBounds, "HY000", "Index out of bounds in regular expression search.")
}

func regexpBuffer() error {
	return mysql.NewSQLError(erRegexpBuffer, "HY000", "The result string is larger than the result buffer.")
}

// options are those of a match type; by default the collation of the texts says whether case
// counts.
func (c *regexpCall) options(ctx *sql.Context, flags string) (regexp2.RegexOptions, error) {
	o := regexp2.RegexOptions(regexp2.Unicode)
	collation := operand.CommonCollation(ctx, c.ChildExpressions[:2])
	if name := collation.Name(); strings.HasSuffix(name, "_ci") {
		o |= regexp2.IgnoreCase
	}
	for _, f := range flags {
		switch f {
		case 'c':
			o &^= regexp2.IgnoreCase
		case 'i':
			o |= regexp2.IgnoreCase
		case 'm':
			o |= regexp2.Multiline
		case 'n':
			o |= regexp2.Singleline
		case 'u': // only \n ends a line, as it is here
		default:
			return 0, mysql.NewSQLError(mysql.ERWrongArguments, "HY000", "Incorrect arguments to %s", c.name)
		}
	}
	return o, nil
}

// find gives the match that is asked for; nil: there is none.
func (m *regexpMatch) find() (*regexp2.Match, error) {
	found, err := m.match(func(re *regexp2.Regexp) (*regexp2.Match, error) { return re.FindRunesMatchStartingAt(m.text, m.from) })
	for n := 1; err == nil && found != nil && n < m.occurrence; n++ {
		found, err = m.next(found)
	}
	return found, err
}

// next gives the match behind another one.
func (m *regexpMatch) next(found *regexp2.Match) (*regexp2.Match, error) {
	return m.match(func(re *regexp2.Regexp) (*regexp2.Match, error) { return re.FindNextMatch(found) })
}

// match finds one match while the statement goes on.
func (m *regexpMatch) match(find func(*regexp2.Regexp) (*regexp2.Match, error)) (*regexp2.Match, error) {
	if err := m.ctx.Err(); err != nil {
		return nil, err
	}
	found, err := find(m.re)
	if err == nil {
		return found, nil
	}
	patient := m.key
	patient.time = patientTime
	re, err := compileRegexp(patient)
	if err != nil {
		return nil, err
	}
	late, err := operand.RunAside(m.ctx, func(*sql.Context) (any, error) {
		found, err := find(re)
		if err != nil {
			err = mysql.NewSQLError(erRegexpTimeout, "HY000", "Timeout exceeded in regular expression match.")
		}
		return found, err
	})
	found, _ = late.(*regexp2.Match)
	return found, err
}

func (m *regexpMatch) like() (any, error) {
	found, err := m.find()
	return found != nil, err
}

func (m *regexpMatch) instr() (any, error) {
	found, err := m.find()
	switch {
	case err != nil:
		return nil, err
	case found == nil:
		return int64(0), nil
	case m.end:
		return int64(found.Index + found.Length + 1), nil
	}
	return int64(found.Index + 1), nil
}

func (m *regexpMatch) substr() (any, error) {
	found, err := m.find()
	if err != nil || found == nil {
		return nil, err
	}
	return found.String(), nil
}

// replace replaces one match, or all.
func (m *regexpMatch) replace() (any, error) {
	found, err := m.find()
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	done := 0
	for found != nil {
		out.WriteString(string(m.text[done:found.Index]))
		if err := m.expand(&out, found); err != nil {
			return nil, err
		}
		if int64(out.Len()) > m.most {
			return nil, regexpBuffer()
		}
		if done = found.Index + found.Length; m.occurrence > 0 {
			break
		}
		if found, err = m.next(found); err != nil {
			return nil, err
		}
	}
	out.WriteString(string(m.text[done:]))
	return out.String(), nil
}

// expand writes the replacement of a match: $1 and ${name} are its groups, a backslash quotes a
// character.
func (m *regexpMatch) expand(out *strings.Builder, found *regexp2.Match) error {
	for i := 0; i < len(m.by); i++ {
		switch {
		case m.by[i] == '\\' && i+1 < len(m.by):
			i++
			out.WriteByte(m.by[i])
		case m.by[i] == '$':
			group, size := m.group(m.by[i+1:], found)
			if group == nil {
				return regexpBounds()
			}
			if int64(out.Len()+group.Length) > m.most { // of one match, they may be as many as the replacement is long
				return regexpBuffer()
			}
			out.WriteString(group.String())
			i += size
		default:
			out.WriteByte(m.by[i])
		}
	}
	return nil
}

// group finds the group that a reference is of, and the reference's length. As many digits count as
// make a group's number.
func (m *regexpMatch) group(ref string, found *regexp2.Match) (*regexp2.Group, int) {
	if name, ok := strings.CutPrefix(ref, "{"); ok {
		name, _, closed := strings.Cut(name, "}")
		if !closed {
			return nil, 0
		}
		return found.GroupByName(name), len(name) + len("{}")
	}
	size := 0
	for size < len(ref) && ref[size] >= '0' && ref[size] <= '9' {
		if n, _ := strconv.Atoi(ref[:size+1]); size > 0 && n >= found.GroupCount() {
			break
		}
		size++
	}
	if size == 0 {
		return nil, 0
	}
	n, _ := strconv.Atoi(ref[:size])
	return found.GroupByNumber(n), size
}

// RegexpOperator makes REGEXP a call; nil for other operators.
func RegexpOperator(e *ast.ComparisonExpr) ast.Expr {
	switch e.Operator {
	case ast.RegexpStr:
		return operand.CallOf("regexp_like", e.Left, e.Right)
	case ast.NotRegexpStr:
		return &ast.NotExpr{Expr: operand.CallOf("regexp_like", e.Left, e.Right)}
	}
	return nil
}

func init() {
	regexpFunction("regexp_like", types.Boolean, likeArgs, (*regexpMatch).like)
	regexpFunction("regexp_instr", types.Int64, instrArgs, (*regexpMatch).instr)
	regexpFunction("regexp_substr", types.LongText, substrArgs, (*regexpMatch).substr)
	regexpFunction("regexp_replace", types.LongText, replaceArgs, (*regexpMatch).replace)
}

// posixClasses writes the classes of [[:alpha:]] in another way.
var posixClasses = strings.NewReplacer("[:alpha:]", `\p{L}`, "[:digit:]", `\d`, "[:alnum:]", `\p{L}\p{Nd}`, "[:space:]", `\s`, "[:upper:]", `\p{Lu}`, "[:lower:]", `\p{Ll}`,
	"[:punct:]", `\p{P}`, "[:xdigit:]", "0-9A-Fa-f", "[:blank:]", ` \t`, "[:cntrl:]", `\p{Cc}`, "[:word:]", `\w`, "[:graph:]", `\p{L}\p{M}\p{N}\p{P}\p{S}`,
	"[:print:]", `\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}`, "[:ascii:]", `\x00-\x7f`)
