package types

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Step is a part of a path into a document: a member of an object, or an element of an array.
type Step struct {
	Name    string
	Element int // of an array; -1: the member Name
}

// ParsePath reads a path of names and numbers, like $.a.b[3]."c d". ok is false for others: those
// with wild cards, with ranges, from the end, and with escapes.
func ParsePath(text string) (path []Step, ok bool) {
	if len(text) == 0 || text[0] != '$' {
		return nil, false
	}
	for at := 1; at < len(text); {
		var s Step
		var n int
		switch text[at] {
		case '.':
			s, n = memberStep(text[at+1:])
		case '[':
			s, n = elementStep(text[at+1:])
		}
		if n == 0 {
			return nil, false
		}
		path, at = append(path, s), at+1+n
	}
	return path, true
}

// memberStep reads a name, of letters, digits and _, or in quotes; n is its length.
func memberStep(text string) (s Step, n int) {
	if len(text) > 0 && text[0] == '"' {
		for n = 1; n < len(text) && text[n] != '"'; n++ {
			if text[n] == '\\' || text[n] < ' ' {
				return s, 0
			}
		}
		if n == len(text) {
			return s, 0
		}
		return Step{text[1:n], -1}, n + 1
	}
	for n < len(text) && (text[n] == '_' || isDigit(text[n]) && n > 0 || text[n]|0x20 >= 'a' && text[n]|0x20 <= 'z') {
		n++
	}
	return Step{text[:n], -1}, n
}

// elementStep reads a number and the bracket behind it.
func elementStep(text string) (s Step, n int) {
	for n < len(text) && n < 9 && isDigit(text[n]) {
		n++
	}
	if n == 0 || n == len(text) || text[n] != ']' {
		return s, 0
	}
	s.Element, _ = strconv.Atoi(text[:n])
	return s, n + 1
}

// FindInDocument finds the value at a path in a document that is written as MySQL writes it; it is a
// part of the text. ok is false if there is none.
func FindInDocument(text []byte, path []Step) (value []byte, ok bool) {
	for _, s := range path {
		switch {
		case len(text) == 0:
			return nil, false
		case s.Element < 0 && text[0] == '{':
			text, ok = memberOf(text, s.Name)
		case s.Element >= 0 && text[0] == '[':
			text, ok = elementOf(text, s.Element)
		default: // a value is the first element of itself
			ok = s.Element == 0
		}
		if !ok {
			return nil, false
		}
	}
	return text, true
}

// memberOf finds a member of an object. Names with escapes are no names of a path.
func memberOf(text []byte, name string) ([]byte, bool) {
	for at := 1; at < len(text) && text[at] == '"'; {
		end := valueEnd(text, at)
		from := behind(text, end, ':')
		if from == len(text) {
			return nil, false
		}
		to := valueEnd(text, from)
		if string(text[at+1:end-1]) == name {
			return text[from:to], true
		}
		at = behind(text, to, ',')
	}
	return nil, false
}

func elementOf(text []byte, n int) ([]byte, bool) {
	for at := 1; at < len(text) && text[at] != ']'; n-- {
		end := valueEnd(text, at)
		if n == 0 {
			return text[at:end], true
		}
		next := behind(text, end, ',')
		if next == at { // no document
			break
		}
		at = next
	}
	return nil, false
}

// behind is what follows a sign and the spaces behind it, if the sign is there.
func behind(text []byte, at int, sign byte) int {
	if at < len(text) && text[at] == sign {
		for at++; at < len(text) && text[at] == ' '; at++ {
		}
	}
	return at
}

// valueEnd is the end of the value that begins at from.
func valueEnd(text []byte, from int) int {
	depth := 0
	for at := from; at < len(text); at++ {
		switch text[at] {
		case '"':
			for at++; at < len(text) && text[at] != '"'; at++ {
				if text[at] == '\\' {
					at++
				}
			}
			if depth == 0 {
				return min(at+1, len(text))
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return at
			}
			if depth == 0 {
				return at + 1
			}
		case ',':
			if depth == 0 {
				return at
			}
		}
	}
	return len(text)
}

// escapes are what stands behind a backslash, but for u.
var escapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// AppendUnquoted appends the value of a document that is a text, and of any other one its text. ok is
// false for an escape that is none.
func AppendUnquoted(dst, text []byte) (_ []byte, ok bool) {
	if len(text) < 2 || text[0] != '"' {
		return append(dst, text...), true
	}
	text = text[1 : len(text)-1]
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			dst = append(dst, text[i])
			continue
		}
		if i++; i == len(text) {
			return dst, false
		}
		if c, plain := escapes[text[i]]; plain {
			dst = append(dst, c)
			continue
		}
		r, n := unicodeEscape(text[i:])
		if n == 0 {
			return dst, false
		}
		dst, i = utf8.AppendRune(dst, r), i+n-1
	}
	return dst, true
}

// unicodeEscape reads u and four digits, twice for a pair; n is the length, 0 for anything else.
func unicodeEscape(text []byte) (r rune, n int) {
	unit := func(b []byte) (rune, bool) {
		if len(b) < 5 || b[0] != 'u' {
			return 0, false
		}
		u, err := strconv.ParseUint(string(b[1:5]), 16, 16)
		return rune(u), err == nil
	}
	r, ok := unit(text)
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(r) {
		return r, 5
	}
	if len(text) < 11 || text[5] != '\\' {
		return 0, 0
	}
	low, ok := unit(text[6:])
	if r = utf16.DecodeRune(r, low); !ok || r == utf8.RuneError {
		return 0, 0
	}
	return r, 11
}
