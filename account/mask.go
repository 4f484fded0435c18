package account

import "strings"

// secret stands in the place of a password where a statement is logged or shown.
const secret = "<secret>"

// MaskSecrets takes passwords out of a text of statements, whatever else it holds. A text that
// cannot be read to its end is cut where it goes wrong.
func MaskSecrets(text string) string {
	if !mayHoldSecret(text) {
		return text
	}
	tokens, err := lex(text, false)
	if err != nil {
		return text[:err.(*openText).at] + secret
	}
	m := masker{text: text}
	for _, t := range tokens {
		m.look(t)
		if t.kind != tokenText {
			continue
		}
		end := t.at + lengthOf(text[t.at:])
		switch {
		case m.expects:
			m.put(t.at, end, secret)
			m.expects = false
		case (m.first == "PREPARE" || m.first == "SET") && mayHoldSecret(t.text): // a statement to prepare
			m.put(t.at, end, quoteShown(MaskSecrets(t.text)))
		}
	}
	return m.out.String() + text[m.done:]
}

func mayHoldSecret(text string) bool {
	for i := range len(text) {
		if c := text[i] | 0x20; (c == 'i' || c == 'p') && (foldPrefix(text[i:], "identified") || foldPrefix(text[i:], "password")) {
			return true
		}
	}
	return false
}

func foldPrefix(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// lengthOf is the length of the quoted text or hexadecimal literal that s starts with.
func lengthOf(s string) int {
	if s[0]|0x20 == 'x' {
		_, n := unquote(s[1:])
		return n + 1
	}
	if s[0] == '\'' || s[0] == '"' {
		_, n := unquote(s)
		return n
	}
	n := 0
	for n < len(s) && isWordByte(s[n]) {
		n++
	}
	return n
}

// masker follows the words of statements to where a password stands.
type masker struct {
	text string
	out  strings.Builder
	done int // of the text that is in out

	first      string // word of the statement
	identified bool   // IDENTIFIED has been read: BY, AS and REPLACE come before passwords
	password   bool   // PASSWORD has been read: =, TO, ( or the password itself comes next, perhaps behind FOR account
	expects    bool   // the next text is a password
}

func (m *masker) put(at, end int, by string) {
	m.out.WriteString(m.text[m.done:at] + by)
	m.done = end
}

// holders are the first words of statements that hold passwords behind the word PASSWORD.
var holders = map[string]bool{"SET": true, "CREATE": true, "ALTER": true, "CHANGE": true, "START": true, "GRANT": true, "CLONE": true}

func (m *masker) look(t token) {
	if t.kind == tokenText {
		return
	}
	word := strings.ToUpper(t.text)
	switch {
	case t.kind == tokenMark && word == ";":
		m.first, m.identified, m.password, m.expects = "", false, false, false
	case t.kind != tokenWord && t.kind != tokenMark:
		m.expects = false
	case m.first == "" && t.kind == tokenWord:
		m.first = word
	case word == "IDENTIFIED":
		m.identified = true
	case m.identified && (word == "BY" || word == "AS"):
		m.expects = true
	case word == "REPLACE" && (m.identified || m.password):
		m.expects = true
	case holders[m.first] && (word == "PASSWORD" || strings.HasSuffix(word, "_PASSWORD")):
		m.password, m.expects = true, true
	case m.password && (word == "=" || word == "TO" || word == "("):
		m.expects = true
	default:
		m.expects = false
	}
}
