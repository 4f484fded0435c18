package token

import "strings"

// skip moves behind space and comments. It opens executable comments in place and leaves them at
// their end. When a comment has no end, it returns the invalid token and false.
func (l *Lexer) skip() (Token, bool) {
	for l.pos < len(l.text) {
		c := l.text[l.pos]
		switch {
		case l.cs.high[c] == charSpace:
			l.pos++
		case c == '#', c == '-' && l.peek(1) == '-' && l.endsDashes(l.peek(2)):
			l.skipLine()
		case c == '/' && l.peek(1) == '*':
			from := l.pos
			if !l.openComment() {
				l.pos = len(l.text)
				return l.token(Invalid, from), false
			}
		case c == '*' && l.code && l.peek(1) == '/':
			l.code = false
			l.pos += 2
		default:
			return Token{}, true
		}
	}
	return Token{}, true
}

// endsDashes reports whether c behind -- makes it a comment: space, a control character or the end.
func (l *Lexer) endsDashes(c byte) bool { return c < ' ' || c == 0x7f || l.cs.high[c] == charSpace }

// skipLine moves to the end of the line. A zero byte ends it too.
func (l *Lexer) skipLine() {
	if n := strings.IndexAny(l.text[l.pos:], "\n\x00"); n >= 0 {
		l.pos += n
		return
	}
	l.pos = len(l.text)
}

// openComment moves behind the comment at the current place or, when it is executable, behind its
// start. It returns false when the comment does not end.
func (l *Lexer) openComment() bool {
	if l.peek(2) != '!' {
		return l.closeComment(l.pos+2, false)
	}
	digits := 0
	for digits < 6 && in(l.peek(3+digits), '0', '9') {
		digits++
	}
	if digits < 5 {
		l.pos += 3
		l.code = true
		return true
	}
	if l.cs.high[l.peek(3+digits)] != charSpace {
		l.glued++
	}
	version := 0
	for i := 0; i < digits; i++ {
		version = version*10 + int(l.peek(3+i)-'0')
	}
	if version <= l.version {
		l.pos += 3 + digits
		l.code = true
		return true
	}
	return l.closeComment(l.pos+3+digits, true)
}

// closeComment moves behind the */ of a comment whose inside starts at from. nested says that one
// more comment may stand inside.
func (l *Lexer) closeComment(from int, nested bool) bool {
	for i := from; i < len(l.text); {
		n := strings.IndexAny(l.text[i:], "*/")
		if n < 0 || i+n+1 >= len(l.text) {
			return false
		}
		i += n
		switch l.text[i : i+2] {
		case "*/":
			l.pos = i + 2
			return true
		case "/*":
			if nested {
				if !l.closeComment(i+2, false) {
					return false
				}
				i = l.pos
				continue
			}
		}
		i++
	}
	return false
}

// hint returns the offset behind the hint comment that follows at once, or zero. It moves nothing:
// the comment is skipped like any other.
func (l *Lexer) hint() uint32 {
	at := l.pos
	for at < len(l.text) && l.cs.high[l.text[at]] == charSpace {
		at++
	}
	if !strings.HasPrefix(l.text[at:], "/*+") {
		return 0
	}
	end := strings.Index(l.text[at+3:], "*/")
	if end < 0 {
		return 0
	}
	return uint32(at + 3 + end + 2)
}
