package token

import "strings"

// Charset holds what the lexer must know of a connection's character set: which bytes above 127
// belong to words, which separate words, and how long a character is. All of them extend ASCII;
// MySQL allows no others on a connection.
type Charset struct {
	name   string
	high   *charMap
	leads  [256]bool             // bytes that start a multi-byte character
	length func(text string) int // bytes of the multi-byte character at the front of text, or 0; nil: single-byte
}

// Name returns the character set's name.
func (c *Charset) Name() string { return c.name }

// char is the part that a byte plays at the start of a token.
type char uint8

const (
	charOther char = iota
	charSpace
	charWord
	charDigit
)

// charMap gives each byte its part. Words are made of charWord and charDigit.
type charMap [256]char

func newCharMap(word, space string) *charMap {
	m := new(charMap)
	for c := 'a'; c <= 'z'; c++ {
		m[c], m[c-'a'+'A'] = charWord, charWord
	}
	for c := '0'; c <= '9'; c++ {
		m[c] = charDigit
	}
	m['_'], m['$'] = charWord, charWord
	for _, c := range " \t\n\v\f\r" {
		m[c] = charSpace
	}
	m.set(word, charWord)
	m.set(space, charSpace)
	return m
}

// set gives the bytes of pairs (first, last) the part c.
func (m *charMap) set(pairs string, c char) {
	for i := 0; i+1 < len(pairs); i += 2 {
		for b := int(pairs[i]); b <= int(pairs[i+1]); b++ {
			m[b] = c
		}
	}
}

var charsets = newCharsets()

// FindCharset returns the character set with this name, or nil when a connection cannot use it.
func FindCharset(name string) *Charset { return charsets[strings.ToLower(name)] }

// UTF8MB4 is the character set of texts that the server itself writes.
var UTF8MB4 = FindCharset("utf8mb4")

func newCharsets() map[string]*Charset {
	sets := map[string]*Charset{}
	for _, s := range charsetRules {
		c := &Charset{name: s.name, high: newCharMap(s.word, s.space), length: s.length}
		for b := 0x80; b < 0x100; b++ {
			c.leads[b] = c.high[b] == charWord
		}
		sets[s.name] = c
	}
	for _, name := range []string{"utf8mb4", "utf8mb3"} { // whose words may hold bytes that start nothing
		for b := 0x80; b < 0x100; b++ {
			sets[name].leads[b] = 0xc2 <= b && (b < 0xf0 || b < 0xf8 && name == "utf8mb4")
		}
	}
	sets["utf8"] = sets["utf8mb3"]
	return sets
}

// charsetRules lists, for each character set, the ranges of bytes above 127 that are part of words
// and those that are space, as MySQL's lexer classes them, and the length of multi-byte characters.
var charsetRules = []struct {
	name, word, space string
	length            func(string) int
}{
	{"utf8mb4", "\x80\xfe", "", utf8mb4Length},
	{"utf8mb3", "\x80\xfe", "", utf8mb3Length},
	{"big5", "\xa1\xf9", "", big5Length},
	{"cp932", "\x81\x9f\xe0\xfc", "", sjisLength},
	{"sjis", "\x81\x9f\xe0\xfc", "", sjisLength},
	{"euckr", "\x81\xfe", "", euckrLength},
	{"gb2312", "\xa1\xfe", "", gb2312Length},
	{"gbk", "\x81\xfe", "", gbkLength},
	{"gb18030", "\x80\xfe", "", gb18030Length},
	{"ujis", "\x8e\x8f\xa1\xfe", "", ujisLength},
	{"eucjpms", "\x8e\x8f\xa1\xfe", "", ujisLength},
	{"ascii", "", "", nil},
	{"binary", "", "", nil},
	{"swe7", "", "", nil},
	{"tis620", "", "", nil},
	{"armscii8", "\xb2\xfd", "\xa0\xa0", nil},
	{"cp1250", "\x8a\x8a\x8c\x8f\x9a\x9a\x9c\x9f\xa3\xa3\xa5\xa5\xa7\xa7\xaa\xaa\xaf\xaf\xb3\xb3\xb9\xba\xbc\xbc\xbe\xd6\xd8\xf6\xf8\xfe", "\xa0\xa0", nil},
	{"cp1251", "\x80\x81\x83\x83\x8a\x8a\x8c\x90\x9a\x9a\x9c\x9f\xa1\xa3\xa5\xa5\xa8\xa8\xaa\xaa\xaf\xaf\xb2\xb4\xb8\xb8\xba\xba\xbc\xff", "", nil},
	{"cp1256", "\x81\x81\x83\x83\x8c\x8e\x90\x90\x9c\x9c\xc1\xd6\xd8\xf6\xf8\xfc", "", nil},
	{"cp1257", "\xa8\xa8\xaa\xaa\xaf\xaf\xb8\xb8\xba\xba\xbf\xd6\xd8\xf6\xf8\xfe", "", nil},
	{"cp850", "\x80\x9b\x9d\x9d\xa0\xa5\xb5\xb7\xc6\xc7\xd0\xd8\xde\xde\xe0\xe5\xe7\xed", "", nil},
	{"cp852", "\x80\x9d\x9f\xa9\xab\xad\xb5\xb8\xbd\xbe\xc6\xc7\xd0\xd8\xdd\xde\xe0\xee\xfb\xfd", "\xff\xff", nil},
	{"cp866", "\x80\xaf\xe0\xf7", "\xff\xff", nil},
	{"dec8", "\xc0\xd6\xd8\xf6\xf8\xff", "\xa0\xa0", nil},
	{"geostd8", "\xc0\xe5", "\xa0\xa0", nil},
	{"greek", "\xb6\xb6\xb8\xba\xbc\xbc\xbe\xd1\xd3\xfe", "\xa0\xa0", nil},
	{"hebrew", "\xe0\xfa", "\xa0\xa0", nil},
	{"hp8", "\xc5\xc5\xcc\xcc\xce\xd0\xd3\xd4\xd7\xd8\xda\xdc", "", nil},
	{"keybcs2", "\x80\xab\xe0\xe5\xe7\xeb\xed\xee", "\xff\xff", nil},
	{"koi8r", "\xa3\xa3\xb3\xb3\xc0\xff", "", nil},
	{"koi8u", "\xa3\xa4\xa6\xa7\xad\xad\xb3\xb4\xb6\xb7\xbd\xbd\xc0\xff", "", nil},
	{"latin1", "\x83\x83\x8a\x8a\x8c\x8c\x8e\x8e\x9a\x9a\x9c\x9c\x9e\x9f\xc0\xd6\xd8\xf6\xf8\xff", "\xa0\xa0", nil},
	{"latin2", "\xa1\xa1\xa3\xa3\xa5\xa6\xa9\xac\xae\xaf\xb1\xb1\xb3\xb3\xb5\xb6\xb9\xbc\xbe\xcf\xd1\xd6\xd8\xde\xe0\xf6\xf8\xfe", "\xa0\xa0", nil},
	{"latin5", "\xc0\xd6\xd8\xf6\xf8\xff", "\xa0\xa0", nil},
	{"latin7", "\x80\x80\xaa\xaa\xaf\xaf\xba\xba\xbf\xd6\xd8\xf6\xf8\xfe", "\xa0\xa0", nil},
	{"macce", "\x80\x9f\xa2\xa2\xa7\xa7\xab\xab\xae\xb1\xb4\xb5\xb8\xc1\xc4\xc5\xcb\xcf\xd8\xdb\xde\xe1\xe4\xfe", "", nil},
	{"macroman", "\x81\x9f\xa7\xa7\xae\xaf\xbe\xbf\xc4\xc4\xcc\xcd\xd8\xd9\xe6\xef\xf1\xf5", "", nil},
}
