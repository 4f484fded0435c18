package parse

import (
	"strings"

	"emberdb/sql/token"
)

// MySQL's grammar knows several classes of numbers: some take hexadecimal ones, some only whole
// ones. The readers here follow it and return the number as it is written.

// smallNumber reads a number that may be hexadecimal or have a fraction, which is cut.
func (p *parser) smallNumber() string {
	return p.numberOf(token.Int, token.HexNum, token.Decimal, token.Float)
}

// largeNumber reads a number that may have a fraction, but not be hexadecimal.
func (p *parser) largeNumber() string { return p.numberOf(token.Int, token.Decimal, token.Float) }

// wholeNumber reads a number without a fraction.
func (p *parser) wholeNumber() string {
	if p.oneOf(token.Decimal, token.Float) {
		p.failNumber()
	}
	return p.numberOf(token.Int, token.HexNum)
}

func (p *parser) numberOf(kinds ...token.Kind) string {
	if !p.oneOf(kinds...) {
		p.fail()
	}
	text := p.word()
	p.next()
	return text
}

// size reads a whole number or a word such as 10M.
func (p *parser) size() string {
	if p.is(token.Ident) {
		text := p.word()
		p.checkSize(text)
		p.next()
		return text
	}
	return p.wholeNumber()
}

// checkSize ends the parse when a word is not digits and a unit.
func (p *parser) checkSize(s string) {
	digits, unit := s[:len(s)-1], s[len(s)-1]
	if strings.Trim(digits, "0123456789") != "" || strings.IndexByte("kKmMgGtT", unit) < 0 {
		p.raise(1531, "HY000", "A size parameter was incorrectly specified, either number or on the form 10M")
	}
}

// ternary reads 0, 1 or DEFAULT.
func (p *parser) ternary() (number string, isDefault bool) {
	if p.accept(token.DEFAULT) {
		return "", true
	}
	at := p.tok
	number = p.smallNumber()
	if number != "0" && number != "1" {
		p.failAt(at.Pos())
	}
	return number, false
}
