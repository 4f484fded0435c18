package sqllayer

// What MySQL's grammar has and the library's lacks, said otherwise before the text is parsed:
//
//	{d '...'} {t '...'} {ts '...'}     the functions of DATE '...' and its like, see literal.go
//	N'...'                             '...'
//	INTERVAL (n, a, b, ...)            a function of package expr, whose name no client can write
//	INTERVAL '1:30' HOUR_MINUTE        INTERVAL '1:30' `HOUR_MINUTE`; so the other units of several numbers
//	GROUP BY ... WITH ROLLUP           GROUP BY ..., a marker, see package expr; also GROUP BY ROLLUP (...)
//	x MEMBER OF (y)                    x = a function of y, of which package expr makes a function of both
//	SET NAMES x COLLATE y              SET NAMES x, collation_connection = y
//	GENERATED ALWAYS AS (a IS NULL)    AS ((a IS NULL))
//	ALTER TABLE ... ADD (a INT, b INT) ADD a INT, ADD b INT
//	CREATE INDEX ... ALGORITHM = x     CREATE INDEX ..., also without LOCK = x; so DROP INDEX
//	x$y                                `x$y`
//	YEAR(4), BLOB(n), TEXT(n)          YEAR, TINYBLOB, BLOB, ... in definitions of columns
//	DEFAULT(c)                         a function, see defaultof.go
//	JSON_VALUE(d, p RETURNING x ...)   a function whose last argument is the text of what stands behind the path
//	EXISTS (SELECT ...) = x            (EXISTS (SELECT ...)) = x, see exists.go
//	FLUSH, KILL, DO, ... in programs   a CALL of their text, see programtext.go
//	SUBSTRING(x FROM n FOR m)          SUBSTRING(x, n, m)
//	0b101                              b'101'
//	CREATE TRIGGER ... FOR EACH ROW x  BEGIN x; END, where the library takes x in a block only
//	ON SCHEDULE AT an expression       the text of the expression, see eventschedule.go
//	CREATE TRIGGER IF NOT EXISTS       CREATE TRIGGER: Database.CreateTrigger looks at the text; so CREATE PROCEDURE
//	(SELECT ...), ((SELECT ...))       SELECT ..., (SELECT ...), see parenthesised.go
//	x > ALL (SELECT ...), ANY, SOME    x > a function of the subquery, which package expr makes a query of

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr"
)

// escapes are the words of {d '...'} and its like.
var escapes = map[string]string{"d": "DATE", "t": "TIME", "ts": "TIMESTAMP"}

// mayHaveDialect is quick: most statements have nothing of it.
func mayHaveDialect(query string) bool {
	has := func(at int, word string) bool {
		return len(query)-at >= len(word) && strings.EqualFold(query[at:at+len(word)], word) && at > 0 && !isWord(query[at-1])
	}
	set, define := startsWith(query, "set"), startsWith(query, "create") || startsWith(query, "alter")
	index := startsWith(query, "create") || startsWith(query, "drop")
	for i := 1; i < len(query); i++ {
		switch query[i] {
		case '{':
			if strings.HasPrefix(strings.TrimLeft(strings.ToLower(query[i+1:min(len(query), i+16)]), " dts"), "'") {
				return true
			}
		case '\'':
			if query[i-1]|0x20 == 'n' && (i == 1 || !isWord(query[i-2])) {
				return true
			}
		case 'i', 'I':
			if has(i, "interval") || define && has(i, "is") {
				return true
			}
		case 'e', 'E':
			if has(i, "exists") {
				return true
			}
		case 'd', 'D':
			if has(i, "default") && strings.HasPrefix(strings.TrimLeft(query[i+len("default"):], " \t\r\n"), "(") {
				return true
			}
		case '$':
			if isWord(query[i-1]) {
				return true
			}
		case 'j', 'J':
			if has(i, "json_value") {
				return true
			}
		case 'n', 'N':
			if set && has(i, "names") {
				return true
			}
		case 'r', 'R':
			if has(i, "rollup") {
				return true
			}
		case 'm', 'M':
			if has(i, "member") || has(i, "mid") {
				return true
			}
		case 'a', 'A':
			if has(i, "all") || has(i, "any") || define && has(i, "add") || index && has(i, "algorithm") {
				return true
			}
		case 'b', 'B':
			if define && has(i, "blob") || query[i-1] == '0' {
				return true
			}
		case 't', 'T':
			if define && has(i, "text") {
				return true
			}
		case 'y', 'Y':
			if define && has(i, "year") {
				return true
			}
		case 'l', 'L':
			if index && has(i, "lock") {
				return true
			}
		case 's', 'S':
			if has(i, "some") || has(i, "substr") {
				return true
			}
		}
	}
	return false
}

func startsWith(query, word string) bool {
	query = strings.TrimLeft(query, " \t\r\n")
	if query != "" && strings.Contains("/-#", query[:1]) { // a comment
		l := lexer{text: query}
		_, at := l.next()
		query = query[at:]
	}
	return len(query) > len(word) && strings.EqualFold(query[:len(word)], word)
}

// token is a word of the lexer and its place.
type token struct {
	text string
	at   int
}

func (t token) end() int { return t.at + len(t.text) }

func (t token) is(words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(t.text, w) })
}

// dialect writes a statement in the library's grammar.
func dialect(query string) string {
	nested := mayHaveParenthesised(query)
	if !nested && !mayHaveDialect(query) && !mayHaveTexts(query) {
		return query
	}
	d := &dialectWriter{query: query, tokens: tokensOf(query), edits: map[int]string{}}
	if d.depth() > mostParentheses {
		return query // the grammar takes fewer
	}
	d.stored, d.body = d.at(0).is("create", "alter"), d.programBody()
	if d.body >= 0 {
		d.behind = d.bodyEnd(d.body)
	}
	if nested {
		d.parenthesised()
	}
	single := d.singleBody()
	for i := 0; i < len(d.tokens); i++ {
		if single && i == d.body {
			d.copyTo(d.tokens[i].at)
			d.out.WriteString("BEGIN ")
		}
		if i = d.token(i); single && i == d.behind-1 {
			d.copyTo(d.tokens[i].end())
			d.out.WriteString("; END")
		}
	}
	if d.done == 0 && d.out.Len() == 0 {
		return query
	}
	d.copyTo(len(query))
	return d.out.String()
}

// mostParentheses is how deep they are looked into: what stands in each is gone through anew.
const mostParentheses = 1000

type dialectWriter struct {
	query  string
	tokens []token
	out    strings.Builder
	done   int            // the text up to here is in out
	stored bool           // the text is kept, and shown as it was written
	ends   map[int]int    // parentheses and those that end them, once somebody has asked
	edits  map[int]string // what stands for these tokens, known before they are looked at
	skipTo int            // tokens before this one are dealt with
	body   int            // the token that the body of a program begins with, see programBody
	behind int            // the token behind the body
}

const rollupMark = ", `" + expr.Rollup + "`()"

func (d *dialectWriter) copyTo(at int) {
	d.out.WriteString(d.query[d.done:at])
	d.done = at
}

// replace puts text in the place of the tokens from one to another.
func (d *dialectWriter) replace(from, to int, text string) {
	d.copyTo(d.tokens[from].at)
	d.out.WriteString(text)
	d.done = d.tokens[to].end()
}

// close wants a parenthesis more behind one.
func (d *dialectWriter) close(i int) {
	if d.edits[i] == "" {
		d.edits[i] = d.tokens[i].text
	}
	d.edits[i] += ")"
}

// depth is how deep parentheses stand in each other.
func (d *dialectWriter) depth() (most int) {
	n := 0
	for _, t := range d.tokens {
		switch t.text {
		case "(":
			n++
		case ")":
			n--
		}
		most = max(most, n)
	}
	return most
}

func (d *dialectWriter) at(i int) token {
	if i < 0 || i >= len(d.tokens) {
		return token{}
	}
	return d.tokens[i]
}

// token looks at a token and gives the last one that is dealt with.
func (d *dialectWriter) token(i int) int {
	t := d.tokens[i]
	if i < d.skipTo {
		return i
	}
	if text := d.edits[i]; text != "" {
		d.replace(i, i, text)
		return i
	}
	if d.isTextual(i) {
		return d.byText(i)
	}
	switch {
	case t.is("with") && d.at(i+1).is("rollup") && i > 0 && !d.at(i+2).is("as", "("):
		d.copyTo(d.tokens[i-1].end())
		d.replace(i, i+1, rollupMark)
		return i + 1
	case t.is("rollup") && d.at(i-1).is("by") && d.at(i-2).is("group") && d.at(i+1).text == "(":
		if end := d.closing(i + 1); end > 0 {
			d.edits[end] = rollupMark
			d.replace(i, i+1, "")
			return i + 1
		}

	case t.is("if") && d.at(i-1).is("trigger", "procedure") && d.at(0).is("create") && d.at(i+1).is("not") && d.at(i+2).is("exists"):
		d.replace(i, i+2, "")
		return i + 2
	case t.is("schedule") && d.at(i-1).is("on") && d.isEvent() && (d.body < 0 || i < d.body):
		return d.schedule(i)
	case t.is("replica") && d.at(i-1).is("on") && d.at(i-2).is("disable") && d.at(0).is("create", "alter"):
		d.replace(i, i, "SLAVE")
	case t.is("collate") && d.at(0).is("set") && d.at(i-2).is("names"):
		d.replace(i, i, ", collation_connection =")
	case t.is("as") && d.stored && d.at(i+1).text == "(" && d.at(1).is("table") && !d.at(i+2).is("select", "with", "("):
		if end := d.closing(i + 1); slices.ContainsFunc(d.tokens[i+1:max(end, i+1)], func(t token) bool { return t.is("is") }) {
			d.replace(i+1, i+1, "((")
			d.close(end)
			return i + 1
		}
	case t.is("member") && d.at(i-1).text != ".":
		if d.at(i+1).is("of") && d.at(i+2).text == "(" {
			d.replace(i, i+1, "= `"+expr.InArray+"`")
			return i + 1
		}
	case t.text == "{":
		word, known := escapes[strings.ToLower(d.at(i+1).text)]
		if text := d.at(i + 2).text; known && strings.HasPrefix(text, "'") && d.at(i+3).text == "}" {
			word += " " + text
			if !d.stored {
				word = "`" + expr.TypedLiteral + d.query[t.at:d.tokens[i+2].at] + "`(" + text + ")"
			}
			d.replace(i, i+3, word)
			return i + 3
		}
	case strings.Contains(t.text, "$") && isWord(t.text[0]) && d.at(i-1).text != "@" && (!d.stored || d.at(1).is("table")):
		d.replace(i, i, quoteName(t.text))
	case t.is("year", "blob", "text") && d.at(i+1).text == "(" && d.at(i+3).text == ")" && d.at(0).is("create", "alter") && d.at(1).is("table") && !slices.Contains([]string{"(", ",", "."}, d.at(i-1).text):
		if kind := sizedType(t.text, d.at(i+2).text); kind != "" {
			d.replace(i, i+3, kind)
			return i + 3
		}
	case t.is("add") && d.at(0).is("alter") && d.at(1).is("table"):
		return d.addColumns(i)
	case t.is("algorithm", "lock") && d.at(0).is("create", "drop") && (d.at(1).is("index") || d.at(2).is("index")) && d.isOuter(i):
		end := i + 1
		if d.at(end).text == "=" {
			end++
		}
		if i > 3 && d.at(end).is("default", "inplace", "copy", "instant", "none", "shared", "exclusive") {
			d.replace(i, end, "")
			return end
		}
	case t.is("n") && strings.HasPrefix(d.at(i+1).text, "'") && d.at(i+1).at == t.end() && d.at(i-1).text != ".":
		d.replace(i, i, "")
	case t.is("interval") && d.at(i-1).text != ".":
		return d.interval(i)
	case d.isCompound(i):
		d.replace(i, i, unitMark+quoteName(t.text))
	case t.is("exists") && d.at(i+1).text == "(" && d.at(i-1).text != ".":
		d.exists(i)
	case t.is("default"):
		return d.defaultOf(i)
	case t.is("substring", "substr", "mid") && d.at(i+1).text == "(":
		d.substring(i + 1)
	case strings.HasPrefix(t.text, "0b") && strings.Trim(t.text[2:], "01") == "" && len(t.text) > 2:
		d.replace(i, i, "b'"+t.text[2:]+"'"+bitsMark)
	case t.is("json_value") && d.at(i+1).text == "(":
		d.jsonValue(i)
	case t.is("all", "any", "some") && d.at(i+1).text == "(" && slices.Contains([]string{"=", "<", ">"}, d.at(i-1).text) && d.at(i+2).is("select", "with", "values", "table", "("):
		if end := d.closing(i + 1); end > 0 {
			name := expr.AnyOf
			if t.is("all") {
				name = expr.AllOf
			}
			d.replace(i, i, "`"+name+"`(")
			d.close(end)
		}
	}
	return i
}

// sizedType is the type that stands for YEAR(4), and for a BLOB or TEXT of a length.
func sizedType(kind, length string) string {
	n, err := strconv.ParseUint(length, 10, 32)
	if err != nil {
		return ""
	}
	if strings.EqualFold(kind, "year") {
		if n == 4 {
			return kind
		}
		return ""
	}
	if strings.EqualFold(kind, "text") {
		n *= 4 // characters of utf8mb4
	}
	switch {
	case n > 0 && n < 1<<8:
		return "TINY" + kind
	case n < 1<<16:
		return kind
	case n < 1<<24:
		return "MEDIUM" + kind
	}
	return "LONG" + kind
}

// closing is the parenthesis that ends what one begins; 0 if there is none.
func (d *dialectWriter) closing(open int) int {
	if d.ends == nil {
		d.ends = make(map[int]int)
		var begun []int
		for i, t := range d.tokens {
			switch {
			case t.text == "(":
				begun = append(begun, i)
			case t.text == ")" && len(begun) > 0:
				d.ends[begun[len(begun)-1]] = i
				begun = begun[:len(begun)-1]
			}
		}
	}
	return d.ends[open]
}

// outer walks the tokens of [from, to) that stand in no parentheses which begin there.
func (d *dialectWriter) outer(from, to int) iter.Seq[int] {
	return func(yield func(int) bool) {
		depth := 0
		for i := from; i < to; i++ {
			switch d.tokens[i].text {
			case "(":
				depth++
			case ")":
				depth--
			default:
				if depth == 0 && !yield(i) {
					return
				}
			}
		}
	}
}

// isOuter tells whether a token stands in no parentheses.
func (d *dialectWriter) isOuter(i int) bool {
	for j := range d.outer(0, i+1) {
		if j == i {
			return true
		}
	}
	return false
}

// addColumns makes ADD (a INT, b INT) one ADD for each; it gives the last token before the first column's.
func (d *dialectWriter) addColumns(i int) int {
	open := i + 1
	if d.at(open).is("column") {
		open++
	}
	end := d.closing(open)
	if d.at(open).text != "(" || end == 0 {
		return i
	}
	d.replace(open, open, "")
	for j := range d.outer(open+1, end) {
		if d.tokens[j].text == "," {
			d.replace(j, j, ", ADD")
		}
	}
	d.replace(end, end, "")
	return end
}

// interval tells the function, which has several arguments and no unit behind them, from an interval.
func (d *dialectWriter) interval(i int) int {
	end := d.closing(i + 1)
	if is, _ := expr.IsIntervalUnit(d.at(end + 1).text); is || d.at(i+1).text != "(" || end == 0 {
		return i
	}
	for j := range d.outer(i+2, end) {
		if d.tokens[j].text == "," {
			d.replace(i, i, "`\x00"+d.tokens[i].text+"`")
			break
		}
	}
	return i
}

// isCompound tells a unit of several numbers behind an interval, where the grammar wants a name. EXTRACT(unit FROM x) and the frames of windows have it.
func (d *dialectWriter) isCompound(i int) bool {
	_, several := expr.IsIntervalUnit(d.tokens[i].text)
	return several && d.at(i-1).text != "(" && d.at(i-1).text != "." && !d.at(i+1).is("preceding", "following")
}

// substring puts commas between the arguments of SUBSTRING(x FROM n FOR m). The words stay beside them in comments, which dialectAsWritten finds.
func (d *dialectWriter) substring(open int) {
	for i := range d.outer(open+1, d.closing(open)) {
		if d.tokens[i].is("from", "for") {
			d.edits[i] = substringComma + d.tokens[i].text + "*/"
		}
	}
}

// Marks of what stood there: substringComma begins such a comma, bitsMark stands behind what was 0b101, unitMark before a unit.
const (
	unitMark       = "/*\x00unit*/"
	substringComma = ",/*\x00"
	bitsMark       = "/*\x000b*/"
)

// jsonValue makes a text of the words behind the path of JSON_VALUE.
func (d *dialectWriter) jsonValue(i int) {
	end := d.closing(i + 1)
	for j := range d.outer(i+2, end) {
		behaves := d.at(j).is("null", "error") && d.at(j+1).is("on") || d.at(j).is("default")
		if d.at(j-1).text == "," || !behaves && !d.at(j).is("returning") {
			continue
		}
		tail := strings.TrimRight(d.query[d.at(j).at:d.at(end).at], " \t\r\n")
		d.replace(i, i, "`\x00"+d.tokens[i].text+"`")
		d.copyTo(d.at(j - 1).end())
		d.out.WriteString(valueTail + strings.ReplaceAll(strings.ReplaceAll(tail, `\`, `\\`), "'", "''") + "'")
		d.done = d.at(end).at
		d.skipTo = end
		return
	}
}

// valueTail begins that text.
const valueTail = ", '\x00"

// CountParameters counts the parameters of a statement that the grammar takes in other words only; ok is false where it does not.
func CountParameters(query string) (n int, ok bool) {
	stmt, err := ast.Parse(prepareText(query))
	if err != nil {
		return 0, false
	}
	_ = ast.Walk(func(node ast.SQLNode) (bool, error) {
		if v, is := node.(*ast.SQLVal); is && v.Type == ast.ValArg {
			n++
		}
		return true, nil
	}, stmt)
	return n, true
}
