package sqllayer

// The words of a statement, for what is done to its text before it is parsed.

import (
	"fmt"
	"strings"
)

// ReplaceForShare replaces FOR SHARE, which the grammar lacks, by a form of FOR UPDATE that the layer reads as FOR SHARE. Text in quotes and comments
// stays. Every text that goes through another parser than the layer's (COM_STMT_PREPARE) needs it.
func ReplaceForShare(query string) string {
	if !mayHaveForShare(query) {
		return query
	}
	var out strings.Builder
	done := 0 // copied so far
	words := lexer{text: query}
	word, at := words.next()
	for word != "" {
		if !strings.EqualFold(word, "for") {
			word, at = words.next()
			continue
		}
		start := at
		if word, at = words.next(); !strings.EqualFold(word, "share") {
			continue
		}
		end := at + len(word)
		out.WriteString(query[done:start])
		fmt.Fprintf(&out, "FOR UPDATE OF `%s`", shareMark)
		if word, at = words.next(); strings.EqualFold(word, "of") {
			out.WriteString(",")
			end = at + len(word)
			word, at = words.next()
		}
		done = end
	}
	out.WriteString(query[done:])
	return out.String()
}

func mayHaveForShare(query string) bool {
	for i := 0; i+5 <= len(query); i++ {
		if query[i]|0x20 == 's' && strings.EqualFold(query[i:i+5], "share") {
			return true
		}
	}
	return false
}

// lexer gives the words of a statement outside quotes and comments; anything else counts as a word of one character.
type lexer struct {
	text string
	pos  int

	raw    bool // a backslash is a character like any other
	inside bool // what stands in executable comments counts
	ansi   bool // " quotes names
}

func (l *lexer) next() (word string, at int) {
	for l.pos < len(l.text) {
		c, rest := l.text[l.pos], l.text[l.pos:]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			l.pos++
		case c == '#' || strings.HasPrefix(rest, "-- "):
			l.skipPast("\n", 1)
		case l.inside && strings.HasPrefix(rest, "/*!"):
			l.pos += 3
		case strings.HasPrefix(rest, "/*"):
			l.skipPast("*/", 2)
		case c == '\'' || c == '"' || c == '`':
			return l.quoted(c)
		case isWord(c):
			at = l.pos
			for l.pos < len(l.text) && isWord(l.text[l.pos]) {
				l.pos++
			}
			return l.text[at:l.pos], at
		default:
			l.pos++
			return l.text[l.pos-1 : l.pos], l.pos - 1
		}
	}
	return "", l.pos
}

func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '$' || c >= 0x80
}

// skipPast moves behind the next end, which is looked for from skip on.
func (l *lexer) skipPast(end string, skip int) {
	l.pos += skip
	if i := strings.Index(l.text[min(l.pos, len(l.text)):], end); i >= 0 {
		l.pos += i + len(end)
	} else {
		l.pos = len(l.text)
	}
}

// quoted returns a quoted string as one word.
func (l *lexer) quoted(quote byte) (string, int) {
	at := l.pos
	for l.pos++; l.pos < len(l.text); l.pos++ {
		if l.text[l.pos] == '\\' && quote != '`' && !l.raw && (quote != '"' || !l.ansi) {
			l.pos++
		} else if l.text[l.pos] == quote {
			l.pos++
			if l.pos == len(l.text) || l.text[l.pos] != quote {
				break // a doubled quote is one in the string
			}
		}
	}
	l.pos = min(l.pos, len(l.text))
	return l.text[at:l.pos], at
}
