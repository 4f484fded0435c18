package statement

import (
	"encoding/hex"
	"unicode/utf8"

	"emberdb/sql/charset"
	"emberdb/sql/token"
)

// Decode returns the UTF-8 of a text that a client wrote in its character set. It is the only place
// where the client's bytes are looked at: what comes after it reads UTF-8.
//
// The bytes behind a character set introducer are not in the client's character set. They become
// digits: _sjis'...' is written as _sjis x'...'. A byte that is no character becomes a code point
// that no character set has.
func Decode(text string, mode token.Mode, cs *token.Charset) string {
	set := charset.Find(cs.Name())
	out := make([]byte, 0, len(text)+len(text)/2)
	l := token.NewLexer(text, mode, cs)
	done := 0
	for t := l.Next(); t.Kind != token.EOF && t.Kind != token.Invalid; {
		introduced := t.Kind == token.Introducer
		if t = l.Next(); !introduced || t.Kind != token.String {
			continue
		}
		from, end, raw := int(t.From), 0, []byte(nil)
		for ; t.Kind == token.String; t = l.Next() { // strings side by side are one
			raw, end = append(raw, l.Value(t)...), int(t.To)
		}
		if !ASCII(string(raw)) {
			out = appendDigits(AppendUTF8(out, set, []byte(text[done:from])), raw)
			done = end
		}
	}
	return string(AppendUTF8(out, set, []byte(text[done:])))
}

// ASCII reports whether a text has no byte above 127: it is then the same in every character set
// that a client may use.
func ASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}

// AppendUTF8 appends a text of a character set as UTF-8.
func AppendUTF8(dst []byte, set *charset.Set, text []byte) []byte {
	for {
		var n int
		dst, n = set.Decode(dst, text)
		if text = text[n:]; len(text) == 0 {
			return dst
		}
		dst = utf8.AppendRune(dst, charset.Stray(text[0]))
		text = text[1:]
	}
}

// appendDigits appends bytes as a hexadecimal number.
func appendDigits(dst []byte, raw []byte) []byte {
	return append(hex.AppendEncode(append(dst, " x'"...), raw), '\'')
}
