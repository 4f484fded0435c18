package sqllayer

// Queries in parentheses. The library's grammar has them in UNIONs and as subqueries, once; MySQL's wherever a query may stand, and as often as one likes. What
// means nothing becomes blanks, so that places in the text stay:
//
//	(SELECT ...)                             SELECT ...     as a statement, behind EXPLAIN and WITH, in CREATE VIEW and CREATE TABLE
//	((SELECT ...)), (SELECT ...) UNION ((SELECT ...))   (SELECT ...), (SELECT ...) UNION (SELECT ...)
//	(SELECT ...) LIMIT n                     SELECT ... LIMIT n
//	(SELECT ... LIMIT m) LIMIT n             SELECT * FROM (SELECT ... LIMIT m) AS `query` LIMIT n

import "strings"

// What stands for parentheses in texts that are shown: those that mean nothing in the name of a column, and those of a query with a tail of its own.
const (
	nestedOpen, nestedEnd = "/*\x00(*/", "/*\x00)*/"
	tailedOpen, tailedEnd = "/*\x00query*/SELECT * FROM (", ") AS `query`/*\x00query*/"
)

var nestedAsWritten = strings.NewReplacer(nestedOpen, "(", nestedEnd, ")", tailedOpen, "(", tailedEnd, ")")

// mayHaveParenthesised is quick: nearly all parentheses stand behind a name, or around what is no query.
func mayHaveParenthesised(query string) bool {
	words := lexer{text: query}
	if first, _ := words.next(); first == "(" {
		return true
	}
	whole := startsWith(query, "create") || startsWith(query, "explain") || startsWith(query, "desc")
	for rest := query; ; {
		before, inner, found := strings.Cut(rest, "(")
		if !found {
			return false
		}
		rest = strings.TrimLeft(inner, "( \t\r\n")
		if !beginsQuery(rest) {
			continue
		}
		before = strings.TrimRight(before, " \t\r\n")
		if whole || strings.Contains(inner[:len(inner)-len(rest)], "(") || strings.HasSuffix(before, ")") || endsIn(before, "as", "explain", "describe", "desc", "analyze") {
			return true
		}
	}
}

func beginsQuery(text string) bool {
	if text == "" || strings.IndexByte("swtvSWTV", text[0]) < 0 {
		return false
	}
	words := lexer{text: text}
	word, _ := words.next()
	return token{text: word}.is(queryWords...)
}

var queryWords = []string{"select", "with", "values", "table"}

// endsIn tells whether the last word of text is one of the words.
func endsIn(text string, words ...string) bool {
	n := len(text)
	for n > 0 && isWord(text[n-1]) {
		n--
	}
	return token{text: text[n:]}.is(words...)
}

// parenthesised finds the queries that a statement is or holds.
func (d *dialectWriter) parenthesised() {
	end := len(d.tokens)
	if d.at(end-1).text == ";" {
		end--
	}
	first := d.at(0)
	switch {
	case first.text == "(":
		d.operands(0, end)
	case first.is("with"):
		d.operands(d.commonTables(0), end)
	case first.is("explain", "describe", "desc"):
		i := 1
		for d.at(i).is("analyze", "extended", "partitions", "format") {
			if d.at(i).is("format") {
				i += 2
			}
			i++
		}
		d.operands(i, end)
	case first.is("create", "alter"):
		d.definedBy(end)
	case first.is("insert", "replace"):
		if i := d.source(end); i > 0 {
			d.operands(i+1, d.closing(i)) // one pair the grammar takes
		}
	}
	for i, t := range d.tokens {
		if t.text == "(" && d.body >= 0 && i >= d.body && d.at(i-1).is("begin", ";") && d.leadsToQuery(i) {
			d.operands(i, d.statementEnd(i))
		}
		if t.text == "(" && d.at(i+1).text == "(" && d.at(i-1).is("from", "join", "exists", "lateral", "any", "some", "all") {
			d.operands(i+1, d.closing(i))
			if d.at(i-1).is("exists") && d.edits[i+1] != "" {
				d.edits[i+1], d.edits[d.closing(i+1)] = nestedOpen, nestedEnd // an expression, which may name a column
			}
		}
	}
}

// statementEnd is the semicolon behind a statement of a program.
func (d *dialectWriter) statementEnd(i int) int {
	for j := range d.outer(i, len(d.tokens)) {
		if d.tokens[j].text == ";" {
			return j
		}
	}
	return len(d.tokens)
}

// definedBy deals with the query of CREATE VIEW, ALTER VIEW or CREATE TABLE.
func (d *dialectWriter) definedBy(end int) {
	view := false
	for i := range d.outer(1, end) {
		view = view || d.at(i).is("view")
		if !view && d.at(i).is("procedure", "function", "trigger", "event") {
			return
		}
	}
	if !view && d.at(0).is("alter") {
		return
	}
	if i := d.source(end); i > 0 {
		d.operands(i, end)
	}
}

// source finds the parenthesis that the query of a CREATE or INSERT begins with; 0: there is none.
func (d *dialectWriter) source(end int) int {
	for i := 1; i < end && !d.at(i).is("select", "with", "values", "value", "set"); i++ {
		if d.at(i).text != "(" {
			continue
		}
		if d.leadsToQuery(i) {
			return i
		}
		i = max(i, d.closing(i))
	}
	return 0
}

// commonTables goes through what stands behind WITH and gives the token behind it.
func (d *dialectWriter) commonTables(with int) int {
	for i := with + 1; i < len(d.tokens); i++ {
		switch {
		case d.at(i).is("as") && d.at(i+1).text == "(":
			end := d.closing(i + 1)
			if end == 0 {
				return len(d.tokens)
			}
			d.operands(i+2, end)
			if d.at(end+1).text != "," {
				return end + 1
			}
			i = end + 1
		case d.at(i).text == "(":
			i = max(i, d.closing(i))
		}
	}
	return len(d.tokens)
}

// mostNested is how many parentheses around a query are taken.
const mostNested = 100

// leadsToQuery tells whether a parenthesis begins a query, behind others or not.
func (d *dialectWriter) leadsToQuery(i int) bool {
	for last := i + mostNested; i < last && d.at(i).text == "("; {
		i++
	}
	return d.at(i).is(queryWords...)
}

func (t token) joinsQueries() bool { return t.is("union", "intersect", "except") }

// operands takes parentheses that mean nothing from the query that is the tokens [from, to), or leaves them all if it is none.
func (d *dialectWriter) operands(from, to int) {
	for i, several := from, false; i < to; {
		if d.at(i).text != "(" {
			for i < to && !d.at(i).joinsQueries() {
				if d.at(i).text == "(" {
					i = max(i, d.closing(i))
				}
				i++
			}
		} else {
			end := d.closing(i)
			if end == 0 || end >= to || !d.leadsToQuery(i) {
				return
			}
			behind := d.at(end + 1)
			switch {
			case end+1 == to && !several:
				d.blank(i, end)
			case end+1 == to || behind.joinsQueries() || several && behind.is(tailWords...):
			case !behind.is(tailWords...):
				return // an operand of something else
			case d.hasTail(i+1, end):
				d.edits[i], d.edits[end] = tailedOpen, tailedEnd
			default:
				d.blank(i, end)
			}
			d.operands(i+1, end)
			i = end + 1
		}
		if !d.at(i).joinsQueries() {
			return
		}
		several = true
		for i++; d.at(i).is("all", "distinct"); i++ {
		}
	}
}

// tailWords begin what stands behind a query as a whole.
var tailWords = []string{"order", "limit", "for", "lock", "into", "with", "on"}

// hasTail tells whether a query in parentheses has its own.
func (d *dialectWriter) hasTail(from, to int) bool {
	for i := range d.outer(from, to) {
		if d.at(i).is("order", "limit") {
			return true
		}
	}
	return false
}

func (d *dialectWriter) blank(open, end int) { d.edits[open], d.edits[end] = " ", " " }
