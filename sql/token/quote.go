package token

// AppendString appends s as a string literal that a lexer with this mode and character set reads
// back as s.
func AppendString(dst []byte, s string, mode Mode, cs *Charset) []byte {
	dst = append(dst, '\'')
	for i := 0; i < len(s); {
		n := cs.length1(s[i:])
		switch c := s[i]; {
		case n == 1 && c == '\'':
			dst = append(dst, '\'', '\'')
		case n == 1 && c == '\\' && mode&NoBackslashEscapes == 0:
			dst = append(dst, '\\', '\\')
		default:
			dst = append(dst, s[i:i+n]...)
		}
		i += n
	}
	return append(dst, '\'')
}

// AppendIdent appends s as an identifier in backquotes.
func AppendIdent(dst []byte, s string, cs *Charset) []byte {
	dst = append(dst, '`')
	for i := 0; i < len(s); {
		n := cs.length1(s[i:])
		if n == 1 && s[i] == '`' {
			dst = append(dst, '`')
		}
		dst = append(dst, s[i:i+n]...)
		i += n
	}
	return append(dst, '`')
}

// length1 returns the length of the character at the front of s; a byte that starts none counts as
// one.
func (c *Charset) length1(s string) int {
	if s[0] < 0x80 || c.length == nil {
		return 1
	}
	return max(1, c.length(s))
}

// AppendEscaped appends s as a string literal with backslashes before what needs them, as MySQL
// stores definitions.
func AppendEscaped(dst []byte, s string, cs *Charset) []byte {
	escapes := map[byte]byte{0: '0', '\n': 'n', '\r': 'r', '\\': '\\', '\'': '\'', 26: 'Z'}
	dst = append(dst, '\'')
	for i := 0; i < len(s); {
		n := cs.length1(s[i:])
		if e, ok := escapes[s[i]]; ok && n == 1 {
			dst = append(dst, '\\', e)
		} else {
			dst = append(dst, s[i:i+n]...)
		}
		i += n
	}
	return append(dst, '\'')
}
