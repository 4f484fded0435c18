package account

import (
	"encoding/hex"
	"strings"
)

type tokenKind int

const (
	tokenEnd tokenKind = iota
	tokenWord
	tokenName // in backquotes
	tokenText // in quotes, or a hexadecimal literal
	tokenMark // one character of punctuation
)

type token struct {
	kind tokenKind
	at   int    // in the statement
	text string // the value, without quotes
}

// is compares an unquoted word or a mark.
func (t token) is(word string) bool {
	return (t.kind == tokenWord || t.kind == tokenMark) && strings.EqualFold(t.text, word)
}

// openText is a quoted text without an end.
type openText struct{ at int }

func (e *openText) Error() string { return "a quoted text does not end" }

// lex splits a statement into tokens, the last of which is tokenEnd.
func lex(query string, ansiQuotes bool) ([]token, error) {
	var out []token
	for i := 0; i < len(query); {
		c, rest := query[i], query[i:]
		switch {
		case strings.IndexByte(" \t\r\n\f\v", c) >= 0:
			i++
		case c == '#', strings.HasPrefix(rest, "--") && (len(rest) == 2 || rest[2] <= ' '):
			i += lengthTo(rest, "\n", 0)
		case strings.HasPrefix(rest, "/*"):
			i += lengthTo(rest, "*/", 2)
		case c == '\'' || c == '"' || c == '`':
			text, n := unquote(rest)
			if n < 0 {
				return nil, &openText{i}
			}
			kind := tokenText
			if c == '`' || c == '"' && ansiQuotes {
				kind = tokenName
			}
			out = append(out, token{kind, i, text})
			i += n
		case (c|0x20 == 'x') && len(rest) > 1 && rest[1] == '\'':
			text, n := unquote(rest[1:])
			raw, err := hex.DecodeString(text)
			if n < 0 || err != nil {
				return nil, &openText{i}
			}
			out = append(out, token{tokenText, i, string(raw)})
			i += n + 1
		case isWordByte(c):
			n := 0
			for n < len(rest) && isWordByte(rest[n]) {
				n++
			}
			out = append(out, wordToken(i, rest[:n]))
			i += n
		default:
			out = append(out, token{tokenMark, i, rest[:1]})
			i++
		}
	}
	return append(out, token{kind: tokenEnd, at: len(query)}), nil
}

func wordToken(at int, word string) token {
	if digits, ok := strings.CutPrefix(word, "0x"); ok && digits != "" {
		if raw, err := hex.DecodeString(digits); err == nil {
			return token{tokenText, at, string(raw)}
		}
	}
	return token{tokenWord, at, word}
}

func lengthTo(s, end string, from int) int {
	if i := strings.Index(s[from:], end); i >= 0 {
		return from + i + len(end)
	}
	return len(s)
}

func isWordByte(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '$' || c >= 0x80
}

// unquote reads a quoted text and tells how long it is in the statement; -1: it does not end.
func unquote(s string) (string, int) {
	quote := s[0]
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && quote != '`' && i+1 < len(s):
			i++
			b.WriteString(escaped(s[i]))
		case s[i] != quote:
			b.WriteByte(s[i])
		case i+1 < len(s) && s[i+1] == quote:
			i++
			b.WriteByte(quote)
		default:
			return b.String(), i + 1
		}
	}
	return "", -1
}

// escaped is what a character behind a backslash stands for.
func escaped(c byte) string {
	switch c {
	case '0':
		return "\x00"
	case 'b':
		return "\b"
	case 'n':
		return "\n"
	case 'r':
		return "\r"
	case 't':
		return "\t"
	case 'Z':
		return "\x1a"
	}
	return string(c)
}
