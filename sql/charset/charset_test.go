package charset

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// codeAt is the code at a position of a table; nil: there is none.
func codeAt(s *Set, at int) []byte {
	switch t := s.loaded().(*table); {
	case at < 0x100:
		return []byte{byte(at)}
	case at < 0x8000:
		return nil
	case at < behind:
		return []byte{byte(at >> 8), byte(at)}
	case t.four:
		return appendFour(nil, at-behind)
	}
	return []byte{0x8F, byte(at >> 8), byte(at)}
}

// TestTables compares every code of every set and every code point with what MySQL 9.7 makes of
// them. The digests are of its answers.
func TestTables(t *testing.T) {
	f, err := os.Open("testdata/digests")
	require.NoError(t, err)
	defer f.Close()
	tables := 0
	for in := bufio.NewScanner(f); in.Scan(); tables++ {
		var name, inward, outward string
		_, err := fmt.Sscan(in.Text(), &name, &inward, &outward)
		require.NoError(t, err)
		s := Find(name)
		sum := sha256.New()
		for at := range s.loaded().(*table).runes {
			code, shown := codeAt(s, at), rune(invalid)
			if r, n := s.DecodeRune(code); n > 0 && n == len(code) {
				if shown = s.Unicode(r); shown == '?' && r != '?' {
					shown = unmapped
				}
			}
			fmt.Fprintf(sum, "%X=%X\n", at, shown)
		}
		require.Equal(t, inward, fmt.Sprintf("%X", sum.Sum(nil)), "%s: characters", name)
		sum.Reset()
		var buf [4]byte
		var line []byte
		for r := rune(0); r <= utf8.MaxRune; r++ {
			if !utf8.ValidRune(r) {
				continue
			}
			code, known := s.AppendRune(buf[:0], r)
			if !known || Foreign(r) && name != "gb18030" { // those are ours
				code = nil
			}
			if name == "sjis" && r == '\\' { // to MySQL it is wide
				code = []byte{0x81, 0x5F}
			}
			line = strconv.AppendInt(line[:0], int64(r), 16)
			line = append(hex.AppendEncode(append(line, '='), code), '\n')
			sum.Write(bytes.ToUpper(line))
		}
		require.Equal(t, outward, fmt.Sprintf("%X", sum.Sum(nil)), "%s: code points", name)
	}
	require.Equal(t, 34, tables)
}

// TestRoundTrip decodes and encodes every character of every set.
func TestRoundTrip(t *testing.T) {
	for name, s := range sets {
		tab, ok := s.loaded().(*table)
		if !ok {
			continue
		}
		for at, r := range tab.runes {
			if r == invalid {
				continue
			}
			code := codeAt(s, at)
			text, read := s.Decode(nil, code)
			require.Equal(t, len(code), read, "%s %X", name, code)
			require.True(t, utf8.Valid(text))
			back, lost := s.Encode(nil, text)
			require.Zero(t, lost)
			require.Equal(t, code, back, name)
		}
	}
}

// TestInvalid reads bytes that are no characters.
func TestInvalid(t *testing.T) {
	for _, c := range []struct {
		set, text string
		read      int
	}{
		{"sjis", "a\x80", 1}, {"sjis", "\x83", 0}, {"sjis", "\x83\x5c\x83", 2}, {"gbk", "\xb0\x7f", 0}, {"ujis", "\x8f\xb0", 0},
		{"gb18030", "\x81\x30\x81", 0}, {"gb18030", "\xe3\x32\x9a\x36", 0}, {"gb18030", "\xe3\x32\x9a\x35", 4}, {"euckr", "\xff\xff", 0},
		{"ucs2", "\x00a\x00", 2}, {"ucs2", "\xd8\x00\xdc\x00", 0}, {"utf16", "\xd8\x00\xdc\x00", 4}, {"utf16", "\xd8\x00\x00a", 0},
		{"utf16le", "a\x00\x00\xd8", 2}, {"utf32", "\x00\x11\x00\x00", 0}, {"utf32", "\x00\x00\xd8\x00", 0}, {"utf8mb3", "\xf0\x9f\x98\x80", 0},
		{"utf8mb4", "\xf0\x9f\x98\x80", 4}, {"utf8mb4", "\xc0\x80", 0},
	} {
		_, read := Find(c.set).Decode(nil, []byte(c.text))
		require.Equal(t, c.read, read, "%s %X", c.set, c.text)
	}
}

// FuzzDecode holds invariants (1) and (2) against any bytes.
func FuzzDecode(f *testing.F) {
	var names []string
	for name := range sets {
		names = append(names, name)
	}
	f.Add(uint8(0), []byte("\x83\x5c\x8f\xb0\xa1\x81\x30\x81\x30"))
	f.Fuzz(func(t *testing.T, n uint8, text []byte) {
		s := Find(names[int(n)%len(names)])
		out, read := s.Decode(nil, text)
		if !utf8.Valid(out) {
			t.Fatalf("%s: %X decodes to %X", s.Name(), text, out)
		}
		if back, lost := s.Encode(nil, out); lost > 0 || string(back) != string(text[:read]) {
			t.Fatalf("%s: %X comes back as %X", s.Name(), text[:read], back)
		}
	})
}
