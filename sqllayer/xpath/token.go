package xpath

import "strings"

// kind is the kind of a token of a fragment. Punctuation is its own byte.
type kind int

const (
	end     kind = 0
	unknown kind = -iota
	identifier
	quoted
	comment
	cdata
)

// scanner reads the tokens inside the tags of a fragment.
type scanner struct {
	text string
	at   int // behind the token
	from int // where the token begins
	kind kind
}

// next reads a token. What is unknown is not passed.
func (s *scanner) next() kind {
	for s.at < len(s.text) && strings.IndexByte(" \t\r\n", s.text[s.at]) >= 0 {
		s.at++
	}
	s.from = s.at
	rest := s.text[s.at:]
	switch {
	case rest == "":
		s.kind = end
	case strings.HasPrefix(rest, "<!--"):
		s.kind, s.at = comment, s.behind(s.at+len("<!"), "-->")
	case strings.HasPrefix(rest, "<![CDATA["):
		s.kind, s.at = cdata, s.behind(s.at+len("<![CDATA["), "]]>")
	case strings.IndexByte("<>/=?!", rest[0]) >= 0:
		s.kind, s.at = kind(rest[0]), s.at+1
	case rest[0] == '"' || rest[0] == '\'':
		s.kind, s.at = quoted, s.behind(s.at+1, rest[:1])
	case startsName(rest[0]):
		s.kind, s.at = identifier, s.at+nameLength(rest)
	default:
		s.kind = unknown
	}
	return s.kind
}

// behind is the place behind the next such text, or the end.
func (s *scanner) behind(from int, text string) int {
	from = min(from, len(s.text))
	if i := strings.Index(s.text[from:], text); i >= 0 {
		return from + i + len(text)
	}
	return len(s.text)
}

// found shows the token in an error.
func (s *scanner) found() string {
	switch s.kind {
	case end:
		return "END-OF-INPUT"
	case unknown:
		return "unknown token"
	case identifier:
		return "IDENT"
	case quoted:
		return "STRING"
	case comment:
		return "COMMENT"
	case cdata:
		return "CDATA"
	}
	return "'" + string(rune(s.kind)) + "'"
}

func startsName(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= 0x80
}

// nameLength is the length of the name at the beginning of a text.
func nameLength(text string) int {
	for i := range len(text) {
		if c := text[i]; !startsName(c) && (c < '0' || c > '9') && strings.IndexByte("-.:", c) < 0 {
			return i
		}
	}
	return len(text)
}
