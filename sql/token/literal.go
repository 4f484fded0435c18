package token

import "strings"

// number reads what starts with a digit: a number, or a word.
func (l *Lexer) number() Token {
	from := l.pos
	if l.text[from] == '0' {
		switch l.peek(1) {
		case 'x':
			if end := l.digits(from+2, isHexDigit); end > from+2 && !l.wordAt(end) {
				l.pos = end
				return l.token(HexNum, from)
			}
			return l.numberedWord(from)
		case 'b':
			if end := l.digits(from+2, isBinDigit); end > from+2 && !l.wordAt(end) {
				l.pos = end
				return l.token(BinNum, from)
			}
			return l.numberedWord(from)
		}
	}
	end := l.digits(from, isDigit)
	if !l.wordAt(end) {
		if end < len(l.text) && l.text[end] == '.' {
			return l.fraction(from, end+1)
		}
		l.pos = end
		return l.token(intKind(l.text[from:end]), from)
	}
	if c := l.text[end]; c == 'e' || c == 'E' {
		if exp := l.exponent(end + 1); exp > 0 {
			l.pos = exp
			return l.token(Float, from)
		}
	}
	return l.numberedWord(from)
}

// numberedWord reads a word whose first character is a digit. It is never a keyword.
func (l *Lexer) numberedWord(from int) Token {
	l.pos = from
	return l.afterDot()
}

// fraction reads a number from its first byte; at is behind the dot.
func (l *Lexer) fraction(from, at int) Token {
	end := l.digits(at, isDigit)
	if end < len(l.text) && (l.text[end] == 'e' || l.text[end] == 'E') {
		if exp := l.exponent(end + 1); exp > 0 {
			l.pos = exp
			return l.token(Float, from)
		}
		return l.brokenExponent(from, end+1)
	}
	l.pos = end
	return l.token(Decimal, from)
}

// brokenExponent reads a number whose exponent, behind the e at the offset before at, has no
// digits. MySQL takes the character in the place of the digits for the token, and the number is
// lost.
func (l *Lexer) brokenExponent(from, at int) Token {
	if at < len(l.text) && (l.text[at] == '+' || l.text[at] == '-') {
		at++
	}
	l.pos = min(at+1, len(l.text))
	if at < len(l.text) && l.text[at] > ' ' && l.text[at] < 0x7f && !l.isWord(l.text[at]) {
		return l.token(Kind(l.text[at]), from)
	}
	return l.token(Invalid, from)
}

// exponent returns the end of the sign and digits at an offset, or zero when there are no digits.
func (l *Lexer) exponent(at int) int {
	if at < len(l.text) && (l.text[at] == '+' || l.text[at] == '-') {
		at++
	}
	if end := l.digits(at, isDigit); end > at {
		return end
	}
	return 0
}

func (l *Lexer) digits(at int, is func(byte) bool) int {
	for at < len(l.text) && is(l.text[at]) {
		at++
	}
	return at
}

func (l *Lexer) wordAt(at int) bool { return at < len(l.text) && l.isWord(l.text[at]) }

func isDigit(c byte) bool    { return in(c, '0', '9') }
func isBinDigit(c byte) bool { return c == '0' || c == '1' }
func isHexDigit(c byte) bool { return isDigit(c) || in(c|0x20, 'a', 'f') }

// maxInt is the largest integer of 64 bits without sign.
const maxInt = "18446744073709551615"

// intKind tells an integer of 64 bits from one that is a decimal.
func intKind(digits string) Kind {
	digits = strings.TrimLeft(digits, "0")
	if len(digits) > len(maxInt) || len(digits) == len(maxInt) && digits > maxInt {
		return Decimal
	}
	return Int
}

// quotedDigits reads x'4d' or b'01' at the current place.
func (l *Lexer) quotedDigits(kind Kind) Token {
	from := l.pos
	is := isHexDigit
	if kind == BinNum {
		is = isBinDigit
	}
	l.pos = l.digits(from+2, is)
	if l.peek(0) != '\'' || kind == HexNum && (l.pos-from)%2 != 0 {
		return l.token(Invalid, from)
	}
	l.pos++
	return l.token(kind, from)
}

// str reads a string whose quote is n bytes behind the current place.
func (l *Lexer) str(kind Kind, n int) Token {
	from := l.pos
	quote := l.text[from+n]
	special := string([]byte{quote, '\\'})
	multi := l.cs.length != nil && l.cs != UTF8MB4 // in utf8mb4 no trail byte looks like a quote
	for i := from + n + 1; i < len(l.text); {
		if !multi {
			at := strings.IndexAny(l.text[i:], special)
			if at < 0 {
				break
			}
			i += at
		}
		switch c := l.text[i]; {
		case c == quote:
			if i+1 < len(l.text) && l.text[i+1] == quote {
				i += 2
				continue
			}
			l.pos = i + 1
			return l.token(kind, from)
		case c == '\\' && l.mode&NoBackslashEscapes == 0:
			i += 2
			if multi && i <= len(l.text) {
				i += max(0, l.cs.length(l.text[i-1:])-1)
			}
		case multi && c >= 0x80:
			i += max(1, l.cs.length(l.text[i:]))
		default:
			i++
		}
	}
	l.pos = len(l.text)
	return l.token(Invalid, from)
}

// dollarTag returns the length of the $tag$ at the current place, or zero.
func (l *Lexer) dollarTag() int {
	for i := l.pos + 1; i < len(l.text) && l.isWord(l.text[i]); i++ {
		if l.text[i] == '$' {
			return i + 1 - l.pos
		}
	}
	return 0
}

// dollarString reads $tag$text$tag$, whose tag of n bytes is at the current place.
func (l *Lexer) dollarString(n int) Token {
	from := l.pos
	tag := l.text[from : from+n]
	if i := strings.Index(l.text[from+n:], tag); i >= 0 {
		return l.take(DollarString, n+i+n)
	}
	return l.take(Invalid, len(l.text))
}

// quotedIdent reads an identifier in quotes. A zero byte or the end of the text inside makes it
// invalid.
func (l *Lexer) quotedIdent(quote byte) Token {
	from := l.pos
	for i := from + 1; i < len(l.text); {
		switch c := l.text[i]; {
		case c == 0:
			l.pos = i
			return l.token(Invalid, from)
		case c == quote:
			if i+1 < len(l.text) && l.text[i+1] == quote {
				i += 2
				continue
			}
			l.pos = i + 1
			return l.token(QuotedIdent, from)
		case c >= 0x80 && l.cs.length != nil:
			i += max(1, l.cs.length(l.text[i:]))
		default:
			i++
		}
	}
	l.pos = len(l.text)
	return l.token(Invalid, from)
}

// Value returns what a token stands for: the name of an identifier, the bytes of a string, the
// digits of a hexadecimal or binary number, the text of any other token.
func (l *Lexer) Value(t Token) string {
	text := l.text[t.From:t.To]
	switch t.Kind {
	case QuotedIdent:
		return l.unquote(text[1:len(text)-1], text[0], false)
	case NString:
		text = text[1:]
		fallthrough
	case String:
		return l.unquote(text[1:len(text)-1], text[0], l.mode&NoBackslashEscapes == 0)
	case DollarString:
		n := 2 + strings.IndexByte(text[1:], '$')
		return text[n : len(text)-n]
	case HexNum, BinNum:
		return strings.TrimSuffix(text[2:], "'")
	}
	return text
}

// unquote decodes the inside of a quoted text: doubled quotes and, when asked, escapes.
func (l *Lexer) unquote(s string, quote byte, escapes bool) string {
	if strings.IndexByte(s, quote) < 0 && !(escapes && strings.IndexByte(s, '\\') >= 0) {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x80 && l.cs.length != nil {
			n := max(1, l.cs.length(s[i:]))
			out = append(out, s[i:i+n]...)
			i += n
			continue
		}
		switch {
		case c == quote:
			out = append(out, quote)
			i += 2
		case c == '\\' && escapes && i+1 < len(s):
			out, i = l.unescape(out, s, i+1)
		default:
			out = append(out, c)
			i++
		}
	}
	return string(out)
}

// unescape appends the character at i, which follows a backslash, and returns the offset behind it.
func (l *Lexer) unescape(out []byte, s string, i int) ([]byte, int) {
	switch c := s[i]; c {
	case 'n':
		return append(out, '\n'), i + 1
	case 't':
		return append(out, '\t'), i + 1
	case 'r':
		return append(out, '\r'), i + 1
	case 'b':
		return append(out, '\b'), i + 1
	case '0':
		return append(out, 0), i + 1
	case 'Z':
		return append(out, 26), i + 1
	case '_', '%': // kept for LIKE, which takes the backslash itself
		return append(out, '\\', c), i + 1
	default:
		n := 1
		if c >= 0x80 && l.cs.length != nil {
			n = max(1, l.cs.length(s[i:]))
		}
		return append(out, s[i:i+n]...), i + n
	}
}

// charsetNames lists every character set that an introducer can name.
const charsetNames = " armscii8 ascii big5 binary cp1250 cp1251 cp1256 cp1257 cp850 cp852 cp866 cp932 dec8 eucjpms euckr gb18030 " +
	"gb2312 gbk geostd8 greek hebrew hp8 keybcs2 koi8r koi8u latin1 latin2 latin5 latin7 macce macroman sjis swe7 tis620 " +
	"ucs2 ujis utf16 utf16le utf32 utf8 utf8mb3 utf8mb4 "

func isCharsetName(s string) bool {
	var buf [16]byte
	if len(s) == 0 || len(s) > len(buf)-2 {
		return false
	}
	name := append(append(append(buf[:0], ' '), s...), ' ')
	for i, c := range name {
		if in(c, 'A', 'Z') {
			name[i] = c | 0x20
		}
	}
	return strings.Contains(charsetNames, string(name))
}
