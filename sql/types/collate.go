package types

import (
	"bytes"
	"strings"
	"sync"
	"unicode/utf8"

	"emberdb/engine/row"
)

// Collator compares strings under a collation. Runs of ASCII characters are compared by a table of
// their ranks, the rest by the weights that the engine's indexes have.
type Collator struct {
	id     uint16
	col    row.Column
	pad    bool
	binary bool
	rank   [128]uint8 // of ASCII characters; 0 if they have none: they weigh nothing, or otherwise together with others
	ranked bool
	levels bool // what differs in the first place may be decided behind it

	weights func(dst, s []byte) []byte
}

// collators keeps what was made of collations, which are fixed once the server runs.
var collators sync.Map // uint16 -> *Collator

// CollatorOf is the collator of a collation, nil if there is none.
func CollatorOf(id uint16) *Collator {
	if c, ok := collators.Load(id); ok {
		return c.(*Collator)
	}
	known := row.LookupCollation(id)
	if known == nil {
		return nil
	}
	c := &Collator{id: id, pad: known.PadSpace, binary: id == Binary}
	c.col = row.Column{Type: row.TVarchar, Collation: id, Codes: row.NewestCodes(id)}
	if c.binary {
		c.col.Type = row.TVarbinary
	}
	c.weights = known.AppendWeights
	if known.Whole != nil {
		c.weights = known.Whole.AppendWeights
	}
	c.makeRanks(known)
	collators.Store(id, c)
	return c
}

// UTF8 tells whether the texts of a collation have the same bytes for clients as here, where all
// are UTF-8.
func UTF8(collation uint16) bool {
	known := row.LookupCollation(collation)
	return collation == Binary || known != nil && (strings.HasPrefix(known.Name, "utf8") || strings.HasPrefix(known.Name, "ascii"))
}

// ASCII tells the collations of a character set whose characters have one byte here, too.
func ASCII(collation uint16) bool { return charsetOf(collation) == "ascii" }

// SameCharset tells whether two collations are of one character set.
func SameCharset(a, b uint16) bool { return charsetOf(a) == charsetOf(b) }

// Wider tells utf8mb4 beside utf8mb3.
func Wider(a, b uint16) bool { return charsetOf(a) == "utf8mb4" && charsetOf(b) == "utf8mb3" }

// Reach is how much of Unicode a character set has. Texts of columns that are put together have the
// set of the greatest.
type Reach uint8

const (
	NoCharacters Reach = iota // bytes, or what is not known
	ASCIIAlone
	OneScript   // more than ASCII, but no Unicode
	SomeUnicode // one of the sets of Unicode that do not become one another
	AllUnicode  // what the others of Unicode become
)

// ReachOf is that of a collation's character set.
// Source: MySQL's manual, "Collation Coercibility in Expressions".
func ReachOf(collation uint16) Reach {
	switch charsetOf(collation) {
	case "", "binary":
		return NoCharacters
	case "ascii":
		return ASCIIAlone
	case "utf8mb3", "ucs2", "utf16", "utf16le":
		return SomeUnicode
	case "utf8mb4", "utf32":
		return AllUnicode
	}
	return OneScript
}

// CharBytes is how many bytes a character of a collation has at most.
func CharBytes(collation uint16) uint32 {
	switch charsetOf(collation) {
	case "utf8mb4", "utf16", "utf16le", "utf32", "gb18030":
		return 4
	case "utf8mb3", "eucjpms", "ujis":
		return 3
	case "ucs2", "big5", "cp932", "euckr", "gb2312", "gbk", "sjis":
		return 2
	}
	return 1
}

func charsetOf(collation uint16) string {
	known := row.LookupCollation(collation)
	if known == nil {
		return ""
	}
	charset, _, _ := strings.Cut(known.Name, "_")
	return charset
}

// ByCode tells the collations that compare the codes of characters: those named _bin.
func ByCode(collation uint16) bool {
	known := row.LookupCollation(collation)
	return known != nil && strings.HasSuffix(known.Name, "_bin")
}

// makeRanks orders the ASCII characters by their weights.
func (c *Collator) makeRanks(known *row.Collation) {
	var weights [128][]byte
	for i := range weights {
		weights[i] = c.weights(nil, []byte{byte(i)})
	}
	nothing := c.weights(nil, nil)
	c.levels = len(nothing) > 0
	for i, w := range weights {
		if bytes.Equal(w, nothing) || known.Whole != nil && i != ' ' && len(known.Whole.AppendBeginning(nil, []byte{byte(i)})) == 0 {
			continue
		}
		rank := uint8(1)
		for _, other := range weights {
			if bytes.Compare(other, w) < 0 {
				rank++
			}
		}
		c.rank[i] = rank
	}
	c.ranked = true
}

// Compare compares two strings.
func (c *Collator) Compare(a, b []byte) int {
	if c.binary {
		return bytes.Compare(a, b)
	}
	if len(a) > longText && len(b) > longText {
		a, b = c.differing(a, b)
	}
	if !c.ranked {
		return c.compareKeys(a, b)
	}
	n := min(len(a), len(b))
	for i := range n {
		x, y := a[i], b[i]
		if x|y >= 0x80 {
			return c.compareKeys(a, b)
		}
		p, q := c.rank[x], c.rank[y]
		if x == y && p != 0 {
			continue
		}
		if p == 0 || q == 0 || p != q && c.levels {
			return c.compareKeys(a, b)
		}
		if p < q {
			return -1
		} else if p > q {
			return 1
		}
	}
	switch {
	case len(a) == len(b):
		return 0
	case c.pad:
		return c.compareKeys(a, b)
	case len(a) < len(b):
		return -c.longer(a, b, n)
	}
	return c.longer(b, a, n)
}

// longer compares a text with the first n bytes of it.
func (c *Collator) longer(a, b []byte, n int) int {
	if next := b[n]; next >= utf8.RuneSelf || c.rank[next] == 0 {
		return c.compareKeys(b, a)
	}
	return 1
}

// longText is a length from which on texts are compared in parts: keys of the whole take a multiple
// of their memory.
const longText = 64 << 10

// differing cuts the bytes off that two texts begin with, as far as these are whole characters.
func (c *Collator) differing(a, b []byte) ([]byte, []byte) {
	const part = 4096
	n, most := 0, min(len(a), len(b))
	for n+part <= most && bytes.Equal(a[n:n+part], b[n:n+part]) {
		n += part
	}
	for n < most && a[n] == b[n] {
		n++
	}
	for n > 0 && (a[n-1] >= utf8.RuneSelf || c.rank[a[n-1]] == 0) {
		n-- // characters that may weigh otherwise together stay so
	}
	return a[n:], b[n:]
}

// characters is the number of bytes that the first n characters of a longer text take.
func characters(s []byte, n int) (size int) {
	for range n {
		_, w := utf8.DecodeRune(s[size:])
		size += w
	}
	return size
}

// compareKeys compares by the keys of indexes. Weights follow each other as characters do, so texts
// whose first characters weigh the same differ behind them. Where some characters have no weight,
// the parts do not end at the same place, and the rest is compared whole.
func (c *Collator) compareKeys(a, b []byte) int {
	const part = 1024
	var x, y [256]byte
	for p, q := x[:0], y[:0]; !c.levels && len(a) > longText && len(b) > longText; {
		n, m := characters(a, part), characters(b, part)
		p, q = c.weights(p[:0], a[:n]), c.weights(q[:0], b[:m])
		if d := bytes.Compare(p, q); d != 0 {
			if bytes.HasPrefix(p, q) || bytes.HasPrefix(q, p) {
				break
			}
			return d
		}
		a, b = a[n:], b[m:]
	}
	return bytes.Compare(c.AppendKey(x[:0], a), c.AppendKey(y[:0], b))
}

// Begins tells whether the first characters of two strings may be equal; false: the strings are
// not.
func (c *Collator) Begins(a, b []byte) bool {
	return len(a) == 0 || len(b) == 0 || !c.ranked || (a[0]|b[0]) >= 0x80 || c.rank[a[0]&0x7F] == c.rank[b[0]&0x7F] ||
		c.rank[a[0]&0x7F] == 0 || c.rank[b[0]&0x7F] == 0
}

// Equal tells whether two strings are equal.
func (c *Collator) Equal(a, b []byte) bool {
	return len(a) == len(b) && bytes.Equal(a, b) || !c.binary && c.Compare(a, b) == 0
}

// AppendKey appends the order-preserving key of a string, which ends by itself.
func (c *Collator) AppendKey(dst, s []byte) []byte {
	return row.AppendKeyPart(dst, c.col, row.KeyPart{}, row.BytesValue(s))
}

// Ranked tells whether ASCII characters have ranks: equal ranks are equal characters, but for rank 0.
// Binary strings have their bytes.
func (c *Collator) Ranked() bool { return c.ranked }

// Rank is the rank of an ASCII character; 0: it has none, and is compared otherwise.
func (c *Collator) Rank(b byte) byte { return c.rank[b] }

// EqualChars tells whether two characters are equal, as LIKE compares them.
func (c *Collator) EqualChars(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	return !c.binary && bytes.Equal(c.weights(nil, a), c.weights(nil, b))
}
