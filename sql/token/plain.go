package token

import "strings"

// PlainOptions say how Plain reads a text.
type PlainOptions struct {
	Mode    Mode
	Charset *Charset // nil means utf8mb4
	Version int      // executable comments for later versions are comments
	Keep    string   // comments that start so stay as they are; "" for none
}

// Plain returns a text with the same tokens that every reader finds, however it reads comments:
// executable comments lose their marks and what is for later versions, comments that only MySQL
// knows as such become spaces, and a space stands between two minus signs. Other comments stay,
// since logs and names of columns show them. All that stays keeps its place, but for what stands
// behind such minus signs.
//
// A text that no grammar accepts (it has an Invalid token) is returned unchanged. A text that is
// nothing but comments becomes one plain comment.
func Plain(text string, o PlainOptions) string {
	if !strings.Contains(text, "--") && !strings.Contains(text, "/*") && strings.IndexByte(text, '#') < 0 {
		return text
	}
	l := NewLexer(text, o.Mode, o.Charset)
	l.SetVersion(o.Version)
	p := plainWriter{text: text, keep: o.Keep, out: make([]byte, 0, len(text)+8)}
	for tokens := 0; ; tokens++ {
		p.gap = l
		t := l.Next()
		switch {
		case t.Kind == Invalid:
			return text
		case p.keeps(int(t.From)):
			l = p.gap
			continue
		}
		p.between(t)
		if t.Kind == EOF {
			if tokens == 0 && strings.TrimSpace(text) != "" {
				return "/* */"
			}
			return string(p.out)
		}
		p.out = append(p.out, text[t.From:t.To]...)
		p.last = t.Kind
	}
}

// plainWriter writes the text of Plain.
type plainWriter struct {
	text string
	keep string
	out  []byte
	gap  Lexer // at the end of the last token
	last Kind  // of the last token
}

// keeps writes what stands before the next comment to keep, and the comment, when that comes before
// an offset.
func (p *plainWriter) keeps(before int) bool {
	if p.keep == "" {
		return false
	}
	n := strings.Index(p.text[p.gap.pos:], p.keep)
	if n < 0 || p.gap.pos+n > before {
		return false
	}
	end := strings.Index(p.text[p.gap.pos+n:], "*/")
	if end < 0 || strings.TrimSpace(p.text[p.gap.pos:p.gap.pos+n]) != "" {
		return false
	}
	to := p.gap.pos + n + end + 2
	p.out = append(p.out, p.text[p.gap.pos:to]...)
	p.gap.Seek(to)
	return true
}

// between writes what stands between the last token and t.
func (p *plainWriter) between(t Token) {
	end := int(t.From)
	if p.last == '-' && t.Kind == '-' && p.gap.pos == end {
		p.out = append(p.out, ' ')
	}
	for p.gap.pos < end {
		from := p.gap.pos
		p.out = p.part(end)
		if p.gap.pos == from {
			p.out = append(p.out, p.text[from])
			p.gap.pos++
		}
	}
}

// part writes one space or one comment and moves behind it.
func (p *plainWriter) part(end int) []byte {
	from := p.gap.pos
	rest := p.text[from:end]
	switch {
	case rest[0] == '#', strings.HasPrefix(rest, "--"):
		p.gap.skipLine()
		line := p.text[from:p.gap.pos]
		if knownLine(line) {
			return append(p.out, line...)
		}
		return appendBlank(p.out, line)
	case strings.HasPrefix(rest, "/*"):
		p.gap.openComment()
		comment := p.text[from:p.gap.pos]
		if strings.HasPrefix(rest, "/*!") || p.last == '/' {
			return appendBlank(p.out, comment)
		}
		return append(p.out, comment...)
	case strings.HasPrefix(rest, "*/"):
		p.gap.pos += 2
		return append(p.out, ' ', ' ')
	}
	return p.out
}

// knownLine reports whether every reader takes a line for a comment and finds nothing in it.
func knownLine(line string) bool {
	inside, ok := strings.CutPrefix(line, "-- ")
	if !ok {
		inside, ok = strings.CutPrefix(line, "#")
	}
	return ok && !strings.ContainsAny(inside, "'\"`\\;#\x00") && !strings.Contains(inside, "--") &&
		!strings.Contains(inside, "/*")
}

// appendBlank appends a space for each byte of a comment, and its line ends.
func appendBlank(out []byte, comment string) []byte {
	for i := 0; i < len(comment); i++ {
		c := comment[i]
		if c != '\n' && c != '\r' {
			c = ' '
		}
		out = append(out, c)
	}
	return out
}
