package parse

import (
	"strings"
	"sync/atomic"

	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// Options say how a text is to be read.
type Options struct {
	Mode      token.Mode
	Charset   *token.Charset // nil means utf8mb4
	MaxMemory uint64         // parser_max_mem_size; 0 means no limit
	Multi     bool           // more statements may follow a semicolon
	Version   int            // executable comments for later versions are comments; 0 means token.VersionID
	Ended     *atomic.Uint32 // other than 0: nobody waits for the statement any more; nil: somebody does
}

// Result is a statement and what was learnt while reading it.
type Result struct {
	Statement ast.Statement // nil when the text holds nothing but space and comments
	Params    int           // number of parameter markers
	Next      int           // offset of the next statement, or the text's length
	Warnings  []Warning     // also where an error is found
}

// Parse reads one statement. With Multi it stops behind the semicolon that ends it and Next says
// where to go on.
func Parse(text string, o Options) (Result, error) {
	return ParseAt(text, 0, o)
}

// ParseAt reads the statement that starts at an offset of text. Spans, and the line of an error,
// count from the front of the text.
func ParseAt(text string, from int, o Options) (r Result, err error) {
	p := parser{lex: token.NewLexer(text, o.Mode, o.Charset), opts: o}
	if o.Version > 0 {
		p.lex.SetVersion(o.Version)
	}
	p.lex.Seek(from)
	defer func() { r.Warnings = p.warnings }()
	defer p.recoverError(&err)
	p.tok = p.read()
	r.Statement, r.Next = p.statementEnd()
	if p.noted != nil {
		return Result{}, p.noted
	}
	r.Params = p.params
	return r, nil
}

// ParseExpr reads an expression that fills the text, such as a stored default or the body of a
// check.
func ParseExpr(text string, o Options) (x ast.Expr, err error) {
	p := parser{lex: token.NewLexer(text, o.Mode, o.Charset), opts: o}
	defer p.recoverError(&err)
	p.tok = p.read()
	x = p.expr()
	p.expect(token.EOF)
	return x, nil
}

// parser reads one text. Its methods consume what they name and return its node; on text that does
// not fit they call fail, which leaves the parse through a panic that recoverError turns into the
// error.
type parser struct {
	lex           token.Lexer
	opts          Options
	tok           token.Token // the next token to consume
	end           uint32      // where the last consumed token ended
	ahead         [2]token.Token
	waiting       int // tokens in ahead
	params        int
	tokens        uint64
	limits        limits
	queriesBarred bool   // the statement may have no subqueries
	trigger       bool   // the body of a trigger is read
	intoAllowed   bool   // the query at hand is a statement, so INTO may end it
	intoEnds      bool   // such an INTO is consumed
	noted         *Error // see later
	conflict      bool   // ON DUPLICATE KEY UPDATE is read
	body          bool   // statements of a program are read
	warnings      []Warning
	glued         int // how many of Lexer.Glued have been warned of
}

func (p *parser) read() token.Token {
	p.tokens++
	if p.opts.MaxMemory > 0 && p.tokens*tokenMemory > p.opts.MaxMemory {
		p.failMemory()
	}
	if p.tokens%tokensBetweenLooks == 0 && p.opts.Ended != nil && p.opts.Ended.Load() != 0 {
		p.raise(1317, "70100", "Query execution was interrupted")
	}
	t := p.lex.Next()
	if p.glued < p.lex.Glued() {
		p.warnOfVersion()
	}
	return t
}

// tokensBetweenLooks is how many tokens are read, in well under a millisecond, between two looks at
// Options.Ended.
const tokensBetweenLooks = 1024

// next consumes the current token.
func (p *parser) next() {
	p.end = p.tok.To
	if p.waiting == 0 {
		p.tok = p.read()
		return
	}
	p.tok, p.ahead[0] = p.ahead[0], p.ahead[1]
	p.waiting--
}

// peek returns the kind of the token behind the current one.
func (p *parser) peek() token.Kind { return p.peekToken(1).Kind }

// peekToken returns the n-th token behind the current one, n being 1 or 2.
func (p *parser) peekToken(n int) token.Token {
	for p.waiting < n {
		p.ahead[p.waiting] = p.read()
		p.waiting++
	}
	return p.ahead[n-1]
}

func (p *parser) is(k token.Kind) bool { return p.tok.Kind == k }

// isTwo reports whether the next two tokens have these kinds.
func (p *parser) isTwo(a, b token.Kind) bool { return p.tok.Kind == a && p.peek() == b }

// accept consumes the current token if it has the kind.
func (p *parser) accept(k token.Kind) bool {
	if p.tok.Kind != k {
		return false
	}
	p.next()
	return true
}

// acceptTwo consumes the next two tokens if they have these kinds.
func (p *parser) acceptTwo(a, b token.Kind) bool {
	if !p.isTwo(a, b) {
		return false
	}
	p.next()
	p.next()
	return true
}

// expect consumes tokens of these kinds.
func (p *parser) expect(kinds ...token.Kind) {
	for _, k := range kinds {
		if p.tok.Kind != k {
			p.fail()
		}
		p.next()
	}
}

// oneOf reports whether the current token has one of the kinds.
func (p *parser) oneOf(kinds ...token.Kind) bool {
	for _, k := range kinds {
		if p.tok.Kind == k {
			return true
		}
	}
	return false
}

// from returns the span from an offset to the end of the last consumed token.
func (p *parser) from(start uint32) ast.Span { return ast.Span{From: start, To: p.end} }

// value returns what the current token stands for.
func (p *parser) value() string { return p.lex.Value(p.tok) }

// word returns the text of the current token.
func (p *parser) word() string { return p.lex.Text()[p.tok.From:p.tok.To] }

// list reads elements with commas between.
func list[T any](p *parser, element func() T) []T {
	out := []T{element()}
	for p.accept(',') {
		out = append(out, element())
	}
	return out
}

// inParens reads an opening parenthesis, what f reads, and the closing one.
func inParens[T any](p *parser, f func() T) T {
	p.expect('(')
	out := f()
	p.expect(')')
	return out
}

// Trim cuts off what MySQL drops from the text of a command before it reads it: space in front, and
// space and semicolons behind. It does the same with the text of PREPARE.
func Trim(text string) string {
	const space = " \t\n\v\f\r"
	return strings.TrimRight(strings.TrimLeft(text, space), space+";")
}
