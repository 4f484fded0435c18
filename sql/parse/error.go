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

// later notes an error that MySQL finds in the tree: it counts only if the rest of the text is well
// formed, and only the first one.
func (p *parser) later(code uint16, state, format string, args ...any) {
	if p.noted == nil {
		p.noted = &Error{code, state, fmt.Sprintf(format, args...)}
	}
}

// laterNear is later with the text at an offset.
func (p *parser) laterNear(pos int, what string) {
	if p.noted != nil {
		return
	}
	text := p.lex.Text()
	p.later(1064, "42000", "%s near '%s' at line %d", what, p.near(text[pos:]), 1+strings.Count(text[:pos], "\n"))
}

// fail ends the parse with the syntax error at the current token.
func (p *parser) fail() { p.failAt(p.tok.Pos()) }

// failNumber ends the parse: the current token is a number that is no integer.
func (p *parser) failNumber() { p.failNear(p.tok.Pos(), "Only integers allowed as number here") }

const syntaxText = "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version" +
	" for the right syntax to use"

// failAt ends the parse with the syntax error at an offset.
func (p *parser) failAt(pos int) { p.failNear(pos, syntaxText) }

// failNear ends the parse with a syntax error that says more than that the text does not fit.
func (p *parser) failNear(pos int, what string) {
	text := p.lex.Text()
	line := 1 + strings.Count(text[:pos], "\n")
	p.raise(1064, "42000", "%s near '%s' at line %d", what, p.near(text[pos:]), line)
}

// nearLength is the number of bytes that an error shows of the text.
const nearLength = 80

// near cuts the text of an error as MySQL does, which has it in UTF-8 of up to three bytes a
// character: it ends at a zero byte, a byte that belongs to no such character becomes a question
// mark, and of what is longer than nearLength the bytes of a cut character stay as characters of
// their own. Text in other character sets is only cut.
func (p *parser) near(text string) string {
	text = text[:min(len(text), 4*nearLength)]
	if i := strings.IndexByte(text, 0); i >= 0 {
		text = text[:i]
	}
	if cs := p.opts.Charset; cs != nil && cs.Name() != "utf8mb4" && cs.Name() != "utf8mb3" {
		return text[:min(len(text), nearLength)]
	}
	var out []byte
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		left := nearLength - len(out)
		switch {
		case left <= 0:
			return string(out)
		case r == utf8.RuneError && size == 1:
			if len(text)-i < sequence(text[i]) {
				return string(out)
			}
			out = append(out, '?')
		case size > 3:
			out = append(out, '?')
		case size > left:
			for _, c := range []byte(text[i : i+left]) {
				out = utf8.AppendRune(out, rune(c))
			}
			return string(out)
		default:
			out = append(out, text[i:i+size]...)
		}
		i += size
	}
	return string(out)
}

// sequence returns the number of bytes that a character of UTF-8 needs by its first byte.
func sequence(c byte) int {
	switch {
	case c < 0xc2:
		return 1
	case c < 0xe0:
		return 2
	case c < 0xf0:
		return 3
	}
	return 4
}

// wrongUsage notes that two parts of a statement exclude each other.
func (p *parser) wrongUsage(a, b string) {
	p.later(1221, "HY000", "Incorrect usage of %s and %s", a, b)
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
