// Package charset converts texts between MySQL's character sets and UTF-8, and orders them by the
// collations of those sets.
//
//	charset.go  Set: names, widths, conversion of whole texts
//	table.go    sets that are tables: the eight-bit ones and those of East Asia
//	unicode.go  sets that are forms of Unicode
//	ranks.go    the order of characters under a collation
//	weights.go  what characters weigh under a collation: the bytes that clients see
//	orders.go   what texts weigh under the collations of Unicode's algorithm
//	tables.zip, weights.zip, orders.zip  the tables, as generate.go asked them of a MySQL server
//
// Every text of the server is UTF-8, whatever its character set: bytes become UTF-8 where they come
// in (statements, parameters, introducers, files, row images of a source), and become bytes of the
// set where they go out (results, files, row images, HEX and the like).
//
// Invariants:
//
//	(1) Every sequence of characters of a set survives decoding and encoding. A character without a
//	    Unicode code point, or one that shares its code point with the character that Unicode text
//	    becomes, is decoded to a code point of the private planes 15 and 16 that is made of its
//	    code. Only the set it came from takes that code point back; for others it is Foreign.
//	(2) What is not a character of the set is never decoded.
//	(3) Tables are read from the archive when a set is first used and never change after it.
package charset

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// Set is a character set.
type Set struct {
	name     string
	min, max int // bytes of its shortest and its longest character
	unicode  bool
	form     form
	load     func() form
	once     sync.Once
}

// form is how a set writes its characters.
type form interface {
	// decode reads the character at the front of b, which is not empty; n is zero if none is there.
	decode(b []byte) (r rune, n int)
	// append writes a character, and reports whether the set has it.
	append(dst []byte, r rune) ([]byte, bool)
	// upper and lower return the other case of a character, or the character.
	upper(r rune) rune
	lower(r rune) rune
}

// Name returns the set's name.
func (s *Set) Name() string { return s.name }

// MinLen is the number of bytes of the shortest character.
func (s *Set) MinLen() int { return s.min }

// MaxLen is the number of bytes of the longest character.
func (s *Set) MaxLen() int { return s.max }

// ASCII reports whether ASCII characters are the same bytes in the set. The others have only
// characters of two bytes and more.
func (s *Set) ASCII() bool { return s.min == 1 && s.name != "swe7" }

// IsUTF8 reports whether texts of the set have the bytes that they have here.
func (s *Set) IsUTF8() bool { return s.name == "utf8mb4" || s.name == "utf8mb3" }

// IsUnicode reports whether the set is a form of Unicode. Such a set has the cases and the
// collations of Unicode.
func (s *Set) IsUnicode() bool { return s.unicode }

func (s *Set) loaded() form {
	s.once.Do(func() {
		s.form = s.load()
		s.load = nil
	})
	return s.form
}

// DecodeRune returns the character at the front of b and its length; n is zero if b begins with
// none, or with a part of one.
func (s *Set) DecodeRune(b []byte) (r rune, n int) {
	if len(b) == 0 {
		return 0, 0
	}
	return s.loaded().decode(b)
}

// Decode appends a text of the set as UTF-8. It stops at the first byte that belongs to no
// character: read is the number of bytes before it.
func (s *Set) Decode(dst, text []byte) (out []byte, read int) {
	f, ascii := s.loaded(), s.ASCII()
	for read < len(text) {
		if ascii && text[read] < utf8.RuneSelf {
			dst = append(dst, text[read])
			read++
			continue
		}
		r, n := f.decode(text[read:])
		if n == 0 {
			break
		}
		dst = utf8.AppendRune(dst, r)
		read += n
	}
	return dst, read
}

// AppendRune appends a character. A question mark stands for one that the set lacks: then known is
// false.
func (s *Set) AppendRune(dst []byte, r rune) (out []byte, known bool) {
	f := s.loaded()
	if out, known = f.append(dst, r); !known {
		out, _ = f.append(dst, '?')
	}
	return out, known
}

// Encode appends a text of UTF-8 in the set, with question marks for the characters that the set
// lacks; lost is their number.
func (s *Set) Encode(dst, text []byte) (out []byte, lost int) {
	f, ascii := s.loaded(), s.ASCII()
	for i := 0; i < len(text); {
		if ascii && text[i] < utf8.RuneSelf {
			dst = append(dst, text[i])
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		i += n
		known := r != utf8.RuneError || n > 1
		if known {
			dst, known = f.append(dst, r)
		}
		if !known {
			dst, _ = f.append(dst, '?')
			lost++
		}
	}
	return dst, lost
}

// Unicode returns what a character of the set is in Unicode: a question mark if it is not there.
func (s *Set) Unicode(r rune) rune {
	if !Foreign(r) || s.unicode {
		return r
	}
	t, ok := s.loaded().(*table)
	if !ok || t.four {
		return r
	}
	if at := t.position(r); at >= 0 && t.runes[at] != unmapped {
		return rune(t.runes[at])
	}
	return '?'
}

// Has reports whether the set has a character.
func (s *Set) Has(r rune) bool {
	var buf [4]byte
	_, known := s.loaded().append(buf[:0], r)
	return known
}

// Holds reports whether the set has every character of a text of another set.
func (s *Set) Holds(text string) bool {
	if s.name == "utf8mb4" {
		return true
	}
	for _, r := range text {
		if r < utf8.RuneSelf && s.ASCII() {
			continue
		}
		if Foreign(r) || !s.Has(r) {
			return false
		}
	}
	return true
}

// OwnForms reports whether the set has characters that Unicode does not have, or has twice.
func (s *Set) OwnForms() bool {
	t, ok := s.loaded().(*table)
	return ok && t.own
}

// Upper returns the upper case of a character, or the character.
func (s *Set) Upper(r rune) rune { return s.loaded().upper(r) }

// Lower returns the lower case of a character, or the character.
func (s *Set) Lower(r rune) rune { return s.loaded().lower(r) }

// The private code points of invariant (1).
const (
	private2 = 0x100000 // of characters of one or two bytes
	private3 = 0xF0000  // of characters of three bytes
)

// Foreign reports whether a code point stands for a character that Unicode does not have, which is
// a question mark in every set but its own.
func Foreign(r rune) bool { return r >= private3 }

// Stray is the code point of a byte that is no character.
func Stray(b byte) rune { return private2 | rune(b) }

var sets = newSets()

// Find returns the character set with this name, nil if there is none. The name is in any case.
func Find(name string) *Set {
	if s := sets[name]; s != nil {
		return s
	}
	return sets[strings.ToLower(name)]
}

func newSets() map[string]*Set {
	m := map[string]*Set{}
	add := func(name string, shortest, longest int, load func() form) {
		m[name] = &Set{name: name, min: shortest, max: longest, load: load}
	}
	for _, name := range []string{"armscii8", "ascii", "cp1250", "cp1251", "cp1256", "cp1257", "cp850", "cp852", "cp866", "dec8", "geostd8", "greek",
		"hebrew", "hp8", "keybcs2", "koi8r", "koi8u", "latin1", "latin2", "latin5", "latin7", "macce", "macroman", "swe7", "tis620"} {
		add(name, 1, 1, func() form { return readTable(name) })
	}
	for _, name := range []string{"big5", "cp932", "euckr", "gb2312", "gbk", "sjis"} {
		add(name, 1, 2, func() form { return readTable(name) })
	}
	for _, name := range []string{"eucjpms", "ujis"} {
		add(name, 1, 3, func() form { return readTable(name) })
	}
	add("gb18030", 1, 4, func() form { return readTable("gb18030") })
	for _, u := range unicodeForms {
		add(u.name, u.min, u.max, func() form { return u.form })
		m[u.name].unicode = true
	}
	m["utf8"] = m["utf8mb3"]
	return m
}
