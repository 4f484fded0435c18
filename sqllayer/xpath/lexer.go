package xpath

import "strings"

// What the lexer tells apart. Punctuation is its own byte.
const (
	eof      = 0
	bad      = -1 - iota
	digits   // 12
	literal  // 'text'
	name     // a name that is not followed by ( or ::
	function // a name of a function, and (
	nodeType // text, comment, ... and (
	axis     // a name of an axis, and ::
	and
	or
	div
	mod
)

// operators are the names that stand for operators where one is expected.
var operators = map[string]int{"and": and, "or": or, "div": div, "mod": mod}

// nodeTypes are the tests for kinds of nodes.
var nodeTypes = map[string]bool{"text": true, "comment": true, "node": true, "processing-instruction": true}

// token is a token of an expression.
type token struct {
	kind     int
	from, to int
}

// lexer reads the tokens of an expression. The next one is always read already.
type lexer struct {
	text  string
	ahead token
	last  token // the one before
}

// advance reads the token after the next one.
func (l *lexer) advance() {
	l.last = l.ahead
	at := l.ahead.to
	for at < len(l.text) && l.text[at] == ' ' {
		at++
	}
	l.ahead = token{from: at, to: at + 1}
	if at == len(l.text) {
		l.ahead = token{kind: eof, from: at, to: at}
		return
	}
	rest := l.text[at:]
	switch c := rest[0]; {
	case strings.IndexByte("<>()[]*+-=|$@/:.,!", c) >= 0:
		l.ahead.kind = int(c)
	case c >= '0' && c <= '9':
		l.ahead.kind, l.ahead.to = digits, at+len(rest)-len(strings.TrimLeft(rest, "0123456789"))
	case c == '"' || c == '\'':
		l.ahead.kind = bad
		if n := strings.IndexByte(rest[1:], c); n >= 0 {
			l.ahead.kind, l.ahead.to = literal, at+n+2
		}
	case startsName(c):
		l.ahead.to = at + wordLength(rest)
		l.ahead.kind = wordKind(l.text[at:l.ahead.to], l.text[l.ahead.to:])
	default:
		l.ahead.kind = bad
	}
}

// wordLength is the length of the name at the beginning of a text, without what a colon divides.
func wordLength(text string) int {
	n := nameLength(text)
	if i := strings.IndexByte(text[:n], ':'); i >= 0 {
		n = i
	}
	return n
}

// wordKind tells what a word is by what follows.
func wordKind(word, rest string) int {
	word = strings.ToLower(word)
	switch {
	case strings.HasPrefix(rest, "("):
		if _, ok := functions[word]; ok {
			return function
		}
		if nodeTypes[word] {
			return nodeType
		}
	case strings.HasPrefix(rest, "::"):
		if _, ok := axes[word]; ok {
			return axis
		}
	}
	if k, ok := operators[word]; ok {
		return k
	}
	return name
}

// shownLength is how much of an expression an error shows.
const shownLength = 32

// shown is what an error shows of an expression.
func shown(text string) string {
	if len(text) > shownLength {
		return strings.ToValidUTF8(text[:shownLength], "")
	}
	return text
}
