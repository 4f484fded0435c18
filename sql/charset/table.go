package charset

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"unicode"
	"unicode/utf8"
)

//go:embed tables.zip
var archive []byte

// read returns an entry of the archive, which is part of the program.
func read(name string) []byte {
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		panic(err)
	}
	f, err := z.Open(name)
	if err != nil {
		panic(fmt.Sprintf("charset: %v", err))
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	if err != nil {
		panic(fmt.Sprintf("charset: %s: %v", name, err))
	}
	return b
}

// A character's position in a table is its code, of one byte or two. Behind those follow the last
// two bytes of ujis and eucjpms behind 0x8F, or the four-byte codes of gb18030 for the basic plane
// in their order.
const (
	invalid  = 0xFFFF // not a character
	unmapped = 0xFFFE // a character that Unicode does not have

	behind = 0x10000 // the first position behind the codes of two bytes
	linear = 39420   // four-byte codes of gb18030 for the basic plane
	astral = 189000  // the number of the four-byte code for the first character of the other planes
)

// table is a character set that is a table.
type table struct {
	runes  []uint16        // by position; or invalid, or unmapped
	first  [0x10000]uint32 // by code point of the basic plane: its position, plus one
	own    bool            // characters without a code point of their own
	four   bool            // gb18030
	three  bool            // ujis and eucjpms
	uppers map[rune]rune   // where upper case is not Unicode's
	lowers map[rune]rune
}

func readTable(name string) *table {
	body := read(name)
	t := &table{runes: make([]uint16, len(body)/2), four: name == "gb18030", three: name == "ujis" || name == "eucjpms"}
	last := uint16(0)
	for i := range t.runes {
		last += binary.BigEndian.Uint16(body[2*i:])
		t.runes[i] = last
	}
	for i, r := range slices.Backward(t.runes) {
		if r < unmapped {
			t.first[r] = uint32(i) + 1
		}
	}
	for _, p := range readPairs(name + ".out") {
		t.first[p[0]] = p[1] + 1
	}
	for r := range utf8.RuneSelf { // sjis has a wide backslash for the same code point
		if t.runes[r] == uint16(r) {
			t.first[r] = uint32(r) + 1
		}
	}
	for i, r := range t.runes {
		t.own = t.own || r != invalid && Foreign(t.runeAt(i))
	}
	t.uppers, t.lowers = readCases(name+".upper"), readCases(name+".lower")
	return t
}

// readPairs returns an entry that is pairs of numbers.
func readPairs(name string) [][2]uint32 {
	body := read(name)
	out := make([][2]uint32, len(body)/8)
	for i := range out {
		out[i] = [2]uint32{binary.BigEndian.Uint32(body[8*i:]), binary.BigEndian.Uint32(body[8*i+4:])}
	}
	return out
}

func readCases(name string) map[rune]rune {
	m := map[rune]rune{}
	for _, p := range readPairs(name) {
		m[rune(p[0])] = rune(p[1])
	}
	return m
}

// decode implements form.
func (t *table) decode(b []byte) (rune, int) {
	at := int(b[0])
	if at < len(t.runes) && t.runes[at] != invalid {
		return t.runeAt(at), 1
	}
	if len(t.runes) == 256 || len(b) < 2 {
		return 0, 0
	}
	if t.four && b[1] < 0x40 {
		return t.decodeFour(b)
	}
	if at = at<<8 | int(b[1]); t.runes[at] != invalid {
		return t.runeAt(at), 2
	}
	if !t.three || b[0] != 0x8F || len(b) < 3 {
		return 0, 0
	}
	if at = behind | int(b[1])<<8 | int(b[2]); t.runes[at] != invalid {
		return t.runeAt(at), 3
	}
	return 0, 0
}

// runeAt is the code point of the character at a position.
func (t *table) runeAt(at int) rune {
	r := rune(t.runes[at])
	switch {
	case r != unmapped && int(t.first[r]) == at+1:
		return r
	case at < behind:
		return private2 | rune(at)
	}
	return private3 | rune(at-behind)
}

// decodeFour reads a code of four bytes of gb18030.
func (t *table) decodeFour(b []byte) (rune, int) {
	if len(b) < 4 || b[0] < 0x81 || b[0] > 0xFE || b[1] < 0x30 || b[1] > 0x39 || b[2] < 0x81 || b[2] > 0xFE || b[3] < 0x30 || b[3] > 0x39 {
		return 0, 0
	}
	n := (int(b[0])-0x81)*12600 + (int(b[1])-0x30)*1260 + (int(b[2])-0x81)*10 + int(b[3]) - 0x30
	switch {
	case n == linear-2 || n == linear-1: // U+FFFE and U+FFFF, which have another meaning in the table
		return rune(0x10000 + n - linear), 4
	case n < linear && t.runes[behind+n] != invalid:
		return t.runeAt(behind + n), 4
	case n >= astral && n <= astral+unicode.MaxRune-0x10000:
		return rune(n - astral + 0x10000), 4
	}
	return 0, 0
}

// position is the place of a character in the table, or -1.
func (t *table) position(r rune) int {
	if r < 0x10000 {
		if r < 0 {
			return -1
		}
		return int(t.first[r]) - 1
	}
	if t.four || !Foreign(r) {
		return -1
	}
	at := int(r - private2)
	if at < 0 {
		at = int(r-private3) + behind
	}
	if at >= len(t.runes) || t.runes[at] == invalid || t.runeAt(at) != r {
		return -1
	}
	return at
}

// append implements form.
func (t *table) append(dst []byte, r rune) ([]byte, bool) {
	at := t.position(r)
	switch {
	case at < 0:
		if t.four && r >= 0x10000 {
			return appendFour(dst, int(r)-0x10000+astral), true
		}
		return dst, false
	case at < 0x100:
		return append(dst, byte(at)), true
	case at < behind:
		return append(dst, byte(at>>8), byte(at)), true
	case t.four:
		return appendFour(dst, at-behind), true
	}
	return append(dst, 0x8F, byte(at>>8), byte(at)), true
}

// appendFour writes the code of four bytes with this number.
func appendFour(dst []byte, n int) []byte {
	return append(dst, byte(0x81+n/12600), byte(0x30+n/1260%10), byte(0x81+n/10%126), byte(0x30+n%10))
}

// upper implements form.
func (t *table) upper(r rune) rune {
	if u, ok := t.uppers[r]; ok {
		return u
	}
	return t.within(r, unicode.ToUpper(r))
}

// lower implements form.
func (t *table) lower(r rune) rune {
	if l, ok := t.lowers[r]; ok {
		return l
	}
	return t.within(r, unicode.ToLower(r))
}

// within returns a character if the set has it, else the other one.
func (t *table) within(r, other rune) rune {
	if other == r || other < 0x10000 && t.first[other] == 0 {
		return r
	}
	return other
}
