package compiled

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/dolthub/vitess/go/sqltypes"
)

// A key is the text of a statement with its literals replaced by question marks, a zero byte, and a
// byte for the kind of each literal. Texts with one key have the same tokens but for the values of
// literals, so they have the same tree.
//
// Scanner:
//
//	'...' "..."   string; a doubled quote is one in it, backslashes escape. No word right before it (introducers, x'', b'', N''), no other string around it
//	12            integer that fits 64 bits, no leading zero; one beyond the signed ones is of a kind of its own
//	12.5          decimal
//	word, `word`  copied
//	/* ... */     a space; but hints and comments that are executed are doubt
//	# @ ; : ? --  0x  1e5  .5  NUL  control characters: doubt
//
// The texts are those of sessions without ANSI_QUOTES and NO_BACKSLASH_ESCAPES.

// Bare cuts off what a text begins and ends with and means nothing: blanks, comments in front that
// are no hints and are not executed, a semicolon at the end; of a prepared text comments at its end
// as well: what a session has prepared has no string without an end, which such a comment might be
// in. Where there are no tables they may be part of a column's name.
func Bare(text []byte, prepared bool) []byte {
	text = trimmed(text)
	for bytes.HasPrefix(text, []byte("/*")) {
		n := comment(text)
		if n == 0 {
			return text
		}
		text = trimmed(text[n:])
	}
	for prepared && bytes.HasSuffix(text, []byte("*/")) {
		from := bytes.LastIndex(text, []byte("/*"))
		if from < 0 || from+comment(text[from:]) != len(text) || Plain(text[:from]) {
			return text
		}
		text = trimmed(text[:from])
	}
	return text
}

func trimmed(text []byte) []byte {
	text = bytes.TrimRight(bytes.TrimLeft(text, Blanks), Blanks)
	return bytes.TrimRight(bytes.TrimSuffix(text, []byte(";")), Blanks)
}

// Blanks stand between words.
const Blanks = " \n\t\r"

// Scanner splits texts. Its memory is used again; what it returns is valid until the next call.
type Scanner struct {
	key    []byte
	kinds  []byte
	params []Param
	arena  []byte
	after  bool // the token before is a string
	rows   Bulk // of INSERT and REPLACE, see bulk.go

	// Ended is not 0 once the statement is to end; nil: it is not asked. What is scanned then is in
	// doubt.
	Ended *atomic.Uint32
}

// endedSteps is how many tokens or rows are scanned between two looks at Ended.
const endedSteps = 1024

// endedAt tells at some steps of a scan whether the statement is to end.
func (s *Scanner) endedAt(step int) bool {
	return step%endedSteps == 0 && s.Ended != nil && s.Ended.Load() != 0
}

// MaxText is the longest text that is looked at, but for statements that Long tells. The programs of
// longer ones are not kept.
const MaxText = 15 << 10

const maxParams = 1000

// Long tells texts that are looked at however long they are: those of INSERT and REPLACE, for their
// rows, and those of UPDATE and DELETE, for their lists.
func Long(text []byte) bool { return Inserts(text) || Changes(text) }

// Scan returns the key behind prefix and the literals of text; ok is false if there is any doubt.
// The literals alias text or the scanner.
func (s *Scanner) Scan(prefix []byte, text []byte) (key []byte, params []Param, ok bool) {
	s.key = append(s.key[:0], prefix...)
	s.kinds, s.params, s.arena, s.after, s.rows = s.kinds[:0], s.params[:0], s.arena[:0], false, Bulk{}
	mayBulk, mostParams, mostKey := Inserts(text), maxParams, MaxText+len(prefix)
	if Changes(text) {
		mostParams, mostKey = len(text), len(text)+len(prefix)
	}
	for i, step := 0, 1; i < len(text); step++ {
		c := text[i]
		n, quote := 0, c == '\'' || c == '"'
		switch {
		case quote && s.after:
			return nil, nil, false
		case c == '/' && i+1 < len(text) && text[i+1] == '*':
			if n = comment(text[i:]); n > 0 {
				s.key = append(s.key, ' ')
			}
		case isWord(c) && !isDigit(c):
			n = wordLen(text[i:])
			s.key = append(s.key, text[i:i+n]...)
			if mayBulk && n == len("VALUES") && strings.EqualFold(string(text[i:i+n]), "VALUES") {
				mayBulk = false
				if end := s.bulk(text, i+n); end > 0 {
					n = end - i
				}
			}
		case isDigit(c):
			n = s.number(text, i)
		case quote:
			n = s.quoted(text, i)
		case c == '`':
			n = s.name(text[i:])
		case !plain(c), c == '-' && i+1 < len(text) && text[i+1] == '-':
			return nil, nil, false
		case c == '.' && i+1 < len(text) && isDigit(text[i+1]):
			return nil, nil, false
		default:
			s.key = append(s.key, c)
			n = 1
		}
		if n == 0 || len(s.params) > mostParams || len(s.key) > mostKey || s.endedAt(step) {
			return nil, nil, false
		}
		i += n
		s.after = quote || s.after && (c == '/' || c == ' ' || c == '\t' || c == '\n' || c == '\r')
	}
	s.key = append(append(s.key, 0), s.kinds...)
	return s.key, s.params, true
}

// Inserts tells texts that begin with INSERT or REPLACE.
func Inserts(text []byte) bool {
	n := wordLen(text[:min(len(text), len("REPLACE")+1)])
	return strings.EqualFold(string(text[:n]), "INSERT") || strings.EqualFold(string(text[:n]), "REPLACE")
}

// Changes tells texts that begin with UPDATE or DELETE.
func Changes(text []byte) bool {
	n := wordLen(text[:min(len(text), len("UPDATE")+1)])
	return strings.EqualFold(string(text[:n]), "UPDATE") || strings.EqualFold(string(text[:n]), "DELETE")
}

// Bulk returns the rows of the text looked at last if they stand in its key as one, else nil. It is valid until the next Scan.
func (s *Scanner) Bulk() *Bulk {
	if s.rows.columns == 0 {
		return nil
	}
	return &s.rows
}

// comment is the length of the comment at the start of text; 0 is doubt.
func comment(text []byte) int {
	if len(text) > 2 && (text[2] == '!' || text[2] == '+' || text[2] == 'M') {
		return 0
	}
	end := bytes.Index(text[2:], []byte("*/"))
	if end < 0 || bytes.Contains(text[2:2+end], []byte("/*")) || bytes.IndexByte(text[:2+end], 0) >= 0 {
		return 0
	}
	return end + 4
}

// plain tells the characters that stand for themselves.
func plain(c byte) bool {
	switch c {
	case ' ', '\t', '\n', '\r', '(', ')', ',', '=', '<', '>', '!', '+', '-', '*', '/', '%', '.':
		return true
	}
	return false
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWord(c byte) bool {
	return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '$' || c >= utf8.RuneSelf
}

func wordLen(text []byte) int {
	for i, c := range text {
		if !isWord(c) {
			return i
		}
	}
	return len(text)
}

func (s *Scanner) add(p Param) {
	s.key = append(s.key, '?')
	s.kinds = append(s.kinds, byte(p.Kind)+'a')
	s.params = append(s.params, p)
}

// number reads an integer or a decimal; 0 is doubt.
func (s *Scanner) number(text []byte, at int) int {
	i, v := at, int64(0)
	for ; i < len(text) && isDigit(text[i]); i++ {
		v = v*10 + int64(text[i]-'0')
	}
	whole := i - at
	if whole > 1 && text[at] == '0' {
		return 0
	}
	if i == len(text) || text[i] != '.' {
		if i < len(text) && isWord(text[i]) {
			return 0
		}
		if whole > 18 {
			return s.long(text[at:i])
		}
		s.add(Param{Kind: KindInt, N: uint64(v)})
		return whole
	}
	for i++; i < len(text) && isDigit(text[i]); i++ {
	}
	if i-at == whole+1 || i-at > 60 || i < len(text) && (isWord(text[i]) || text[i] == '.') {
		return 0
	}
	s.add(Param{Kind: KindDecimal, B: text[at:i]})
	return i - at
}

// long reads an integer that may not fit.
func (s *Scanner) long(digits []byte) int {
	n, err := strconv.ParseUint(string(digits), 10, 64)
	if err != nil {
		return 0
	}
	p := Param{Kind: KindInt, N: n}
	if n > math.MaxInt64 {
		p.Kind = KindUint
	}
	s.add(p)
	return len(digits)
}

// quoted reads a string; 0 is doubt.
func (s *Scanner) quoted(text []byte, at int) int {
	if at > 0 && (isWord(text[at-1]) || text[at-1] == '`') {
		return 0
	}
	from, copied := len(s.arena), false
	start, delim := at+1, text[at]
	for i := start; i < len(text); i++ {
		switch c := text[i]; {
		case c == 0:
			return 0
		case c == '\\':
			if i+1 == len(text) || text[i+1] == 0 || text[i+1] >= utf8.RuneSelf {
				return 0
			}
			s.arena = append(s.arena, text[start:i]...)
			i++
			s.arena = appendUnescaped(s.arena, text[i])
			copied, start = true, i+1
		case c == delim:
			if i+1 < len(text) && text[i+1] == delim {
				s.arena = append(s.arena, text[start:i+1]...)
				i++
				copied, start = true, i+1
				continue
			}
			value := text[start:i:i]
			if copied {
				s.arena = append(s.arena, value...)
				value = s.arena[from:len(s.arena):len(s.arena)]
			}
			s.add(Param{Kind: KindString, B: value})
			return i + 1 - at
		}
	}
	return 0
}

// appendUnescaped adds what backslash and c stand for. Before wildcards the backslash stays, for
// patterns.
func appendUnescaped(to []byte, c byte) []byte {
	if c == '%' || c == '_' {
		return append(to, '\\', c)
	}
	if d := sqltypes.SQLDecodeMap[c]; d != sqltypes.DontEscape {
		c = d
	}
	return append(to, c)
}

// name reads a quoted identifier; 0 is doubt.
func (s *Scanner) name(text []byte) int {
	for i := 1; i < len(text); i++ {
		if text[i] == '`' {
			if i == 1 || i+1 < len(text) && text[i+1] == '`' {
				return 0
			}
			s.key = append(s.key, text[:i+1]...)
			return i + 1
		}
		if text[i] == 0 {
			return 0
		}
	}
	return 0
}

// splitKey takes the key behind its prefix apart.
func splitKey(key string) (text, kinds string, ok bool) {
	for i := 0; i < len(key); i++ {
		if key[i] == 0 {
			return key[:i], key[i+1:], true
		}
	}
	return "", "", false
}
