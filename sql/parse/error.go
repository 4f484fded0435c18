package parse

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Error is an error with MySQL's code, SQLSTATE and text.
type Error struct {
	Code  uint16
	State string
	Text  string
}

func (e *Error) Error() string { return e.Text }

// bailout carries an error out of the parser's recursion.
type bailout struct{ err *Error }

func (p *parser) recoverError(err *error) {
	switch x := recover().(type) {
	case nil:
	case bailout:
		*err = x.err
	default:
		panic(x)
	}
}

// raise ends the parse with an error of the server.
func (p *parser) raise(code uint16, state, format string, args ...any) {
	panic(bailout{&Error{code, state, fmt.Sprintf(format, args...)}})
}

// fail ends the parse with the syntax error at the current token.
func (p *parser) fail() { p.failAt(p.tok.Pos()) }

const syntaxText = "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version" +
	" for the right syntax to use"

// failAt ends the parse with the syntax error at an offset.
func (p *parser) failAt(pos int) { p.failNear(pos, syntaxText) }

// failNear ends the parse with a syntax error that says more than that the text does not fit.
func (p *parser) failNear(pos int, what string) {
	text := p.lex.Text()
	line := 1 + strings.Count(text[:pos], "\n")
	p.raise(1064, "42000", "%s near '%s' at line %d", what, near(text[pos:]), line)
}

// nearLength is the number of characters that an error shows of the text.
const nearLength = 80

// near cuts the text of an error: at a zero byte, and at nearLength characters.
func near(text string) string {
	if len(text) > nearLength*utf8.UTFMax {
		text = text[:nearLength*utf8.UTFMax]
	}
	if i := strings.IndexByte(text, 0); i >= 0 {
		text = text[:i]
	}
	for i, n := 0, 0; i < len(text); n++ {
		if n == nearLength {
			return text[:i]
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		i += size
	}
	return text
}

// wrongUsage ends the parse: two parts of a statement exclude each other.
func (p *parser) wrongUsage(a, b string) {
	p.raise(1221, "HY000", "Incorrect usage of %s and %s", a, b)
}

// tokenMemory is what a token is taken to cost in nodes when parser_max_mem_size is set.
const tokenMemory = 64

func (p *parser) failMemory() {
	p.raise(3170, "HY000", "Memory capacity of %d bytes for 'parser_max_mem_size' exceeded. Parser bailed out for this query.",
		p.opts.MaxMemory)
}

// limits counts what nests, so that neither the parser nor who walks its tree runs out of stack.
type limits struct {
	height  int // nodes above the current one
	parens  int // open parentheses around the current expression
	queries int // queries around the current one
	links   int // links of chains of set operations
}

const (
	maxHeight  = 3000
	maxParens  = 20000
	maxQueries = 63
	maxLinks   = 100000
)

// deeper counts n more levels of nodes.
func (p *parser) deeper(n int) {
	if p.limits.height += n; p.limits.height > maxHeight {
		p.tooDeep()
	}
}

func (p *parser) tooDeep() {
	p.raise(1436, "HY000", "Thread stack overrun:  %d bytes used of a %d byte stack, and %d bytes needed."+
		"  Use 'mysqld --thread_stack=#' to specify a bigger stack.", 1008912, 1048576, 40000)
}

// openParen and closeParen count parentheses that are no nodes.
func (p *parser) openParen() {
	if p.limits.parens++; p.limits.parens > maxParens {
		p.raise(3950, "HY000", "Out of memory")
	}
}

func (p *parser) closeParen() { p.limits.parens-- }

// openQuery and closeQuery count queries inside queries.
func (p *parser) openQuery() {
	if p.limits.queries++; p.limits.queries > maxQueries {
		p.raise(1473, "HY000", "Too high level of nesting for select")
	}
}

func (p *parser) closeQuery() { p.limits.queries-- }

// failIf ends the parse with the syntax error at the current token when bad is true.
func (p *parser) failIf(bad bool) {
	if bad {
		p.fail()
	}
}
