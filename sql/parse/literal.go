package parse

import (
	"errors"
	"strconv"
	"strings"

	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// literal reads a constant other than NULL, or returns nil when there is none.
func (p *parser) literal() *ast.Literal {
	switch p.tok.Kind {
	case token.Int, token.Decimal, token.Float, token.HexNum, token.BinNum:
		return p.numberLiteral()
	case token.String, token.NString:
		return p.text()
	case token.Introducer:
		return p.introduced()
	case token.TRUE:
		return p.wordLiteral(ast.TrueLiteral)
	case token.FALSE:
		return p.wordLiteral(ast.FalseLiteral)
	case token.DATE, token.TIME, token.TIMESTAMP:
		if p.peek() == token.String {
			return p.temporal()
		}
	}
	return nil
}

func (p *parser) wordLiteral(kind ast.LiteralKind) *ast.Literal {
	l := &ast.Literal{Span: p.tok.Span, Kind: kind}
	p.next()
	return l
}

var numberKinds = map[token.Kind]ast.LiteralKind{token.Int: ast.IntLiteral, token.Decimal: ast.DecimalLiteral,
	token.Float: ast.FloatLiteral, token.HexNum: ast.HexLiteral, token.BinNum: ast.BitLiteral}

func (p *parser) numberLiteral() *ast.Literal {
	l := &ast.Literal{Span: p.tok.Span, Kind: ast.IntLiteral, Text: p.value()}
	if p.tok.Kind != token.Int {
		l.Kind = numberKinds[p.tok.Kind]
	}
	if p.is(token.Float) {
		if _, err := strconv.ParseFloat(l.Text, 64); errors.Is(err, strconv.ErrRange) {
			p.raise(1367, "22007", "Illegal double '%s' value found during parsing", l.Text)
		}
	}
	p.next()
	return l
}

// text reads a string and the strings that follow it, which are one.
func (p *parser) text() *ast.Literal {
	p.failIf(!p.oneOf(token.String, token.NString))
	l := &ast.Literal{Span: p.tok.Span, Kind: ast.StringLiteral, Text: p.value()}
	if p.is(token.NString) {
		l.Kind = ast.NationalLiteral
		p.warnOfNational()
	}
	p.next()
	p.moreText(l)
	return l
}

// moreText appends the strings that follow a string.
func (p *parser) moreText(l *ast.Literal) {
	if !p.is(token.String) {
		return
	}
	var all strings.Builder
	all.WriteString(l.Text)
	for p.is(token.String) {
		all.WriteString(p.value())
		p.next()
	}
	l.Text, l.To = all.String(), p.end
}

// introduced reads a constant behind a character set introducer.
func (p *parser) introduced() *ast.Literal {
	start := p.tok.From
	charset := strings.ToLower(p.word()[1:])
	p.next()
	var l *ast.Literal
	switch p.tok.Kind {
	case token.String:
		l = p.text()
	case token.HexNum, token.BinNum:
		l = p.numberLiteral()
	default:
		p.fail()
	}
	l.From, l.Charset = start, charset
	p.warnOfCharset(charset)
	return l
}

func (p *parser) temporal() *ast.Literal {
	start, kind := p.tok.From, ast.DateLiteral
	switch p.tok.Kind {
	case token.TIME:
		kind = ast.TimeLiteral
	case token.TIMESTAMP:
		kind = ast.TimestampLiteral
	}
	p.next()
	l := p.stringLiteral()
	l.From, l.Kind = start, kind
	return l
}

// param reads a parameter marker.
func (p *parser) param() *ast.Param {
	x := &ast.Param{Span: p.tok.Span, Index: p.params}
	p.params++
	p.next()
	return x
}
