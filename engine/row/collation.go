package row

import (
	"bytes"
	"fmt"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// CollationBinary is the collation of binary strings: bytes as they are.
const CollationBinary = 63

// maxCollation bounds MySQL's collation ids.
const maxCollation = 2048

// Collation orders text. The engine knows no SQL library: whoever links it registers the weight
// functions it needs before it opens the engine.
type Collation struct {
	ID   uint16
	Name string
	// PadSpace collations compare as if the shorter string were padded with spaces.
	PadSpace bool
	// AppendWeights appends the weights of the UTF-8 string s, one code after the other, such that
	// bytes.Compare of two results is the order of the strings before padding. It must work
	// character by character (weights(a+b) = weights(a) + weights(b)) and no code may be a proper
	// prefix of another: fixed width big-endian will do, AppendWeight is shorter and free of zero
	// bytes, which keys must escape.
	AppendWeights func(dst, s []byte) []byte
	// AppendShort appends other codes of the same order that take less room, see ShortCode. Keys
	// of columns with ShortKeys hold these. A collation may have none.
	AppendShort func(dst, s []byte) []byte
	// Whole codes texts under a collation in which weights do not follow one another as characters
	// do. Columns with WholeCodes have these. A collation may have none.
	Whole WholeCode

	short    *Collation    // the same with AppendShort; nil: it has none
	identity bool          // weights are the bytes themselves
	space    func() []byte // weights of a space, looked up at first use: some weight functions load tables then, and a server uses few of its collations
}

var collations [maxCollation]atomic.Pointer[Collation]

// RegisterCollation makes c known under its id. A later registration of the same id wins; keys
// already stored must not change by it.
func RegisterCollation(c Collation) {
	if c.ID == 0 || c.ID >= maxCollation || c.AppendWeights == nil {
		panic(fmt.Sprintf("row: bad collation %d %q", c.ID, c.Name))
	}
	if c.AppendShort != nil {
		short := c
		short.AppendWeights = c.AppendShort
		c.short = short.weighed()
	}
	collations[c.ID].Store(c.weighed())
}

// weighed is the collation with what it derives from its weights.
func (c Collation) weighed() *Collation {
	c.space = sync.OnceValue(func() []byte { return c.AppendWeights(nil, []byte{' '}) })
	return &c
}

// NewestCodes are those that keys of new columns of a collation have.
func NewestCodes(id uint16) Codes {
	switch c := LookupCollation(id); {
	case c == nil:
		return LongCodes
	case c.Whole != nil:
		return WholeCodes
	case c.short != nil:
		return ShortCodes
	}
	return LongCodes
}

// Outdated tells whether keys hold the texts of a column in another order than that of comparisons:
// an earlier build made them. What is equal to a text, or follows it, is then found in part.
func (c *Column) Outdated() bool {
	return c.Elements == 0 && c.Codes != WholeCodes && NewestCodes(c.Collation) == WholeCodes
}

// LookupCollation returns the collation with this id, or nil.
func LookupCollation(id uint16) *Collation {
	if id >= maxCollation {
		return nil
	}
	return collations[id].Load()
}

// AppendWeight appends weight w, at most 0x1FFFFF-1, in one to four bytes that sort like w, form a
// prefix-free code and hold no zero byte: the bit pattern of UTF-8 of w+1.
func AppendWeight(dst []byte, w uint32) []byte {
	w++
	switch {
	case w < 1<<7:
		return append(dst, byte(w))
	case w < 1<<11:
		return append(dst, 0xC0|byte(w>>6), 0x80|byte(w)&0xBF)
	case w < 1<<16:
		return append(dst, 0xE0|byte(w>>12), 0x80|byte(w>>6)&0xBF, 0x80|byte(w)&0xBF)
	case w < 1<<21:
		return append(dst, 0xF0|byte(w>>18), 0x80|byte(w>>12)&0xBF, 0x80|byte(w>>6)&0xBF, 0x80|byte(w)&0xBF)
	}
	panic("row: weight out of range")
}

// The binary collations are built in: code point order is the byte order of UTF-8.
func init() {
	bin := func(dst, s []byte) []byte { return append(dst, s...) }
	for _, c := range []Collation{
		{ID: CollationBinary, Name: "binary"},
		{ID: 46, Name: "utf8mb4_bin", PadSpace: true},
		{ID: 47, Name: "latin1_bin", PadSpace: true},
		{ID: 65, Name: "ascii_bin", PadSpace: true},
		{ID: 83, Name: "utf8mb3_bin", PadSpace: true},
		{ID: 309, Name: "utf8mb4_0900_bin"},
	} {
		c.AppendWeights, c.identity = bin, true
		RegisterCollation(c)
	}
}

// keyCollation returns the collation that keys of a character column have. A table with an unknown
// one cannot have been created here.
func keyCollation(c *Column) *Collation {
	coll := LookupCollation(c.Collation)
	switch {
	case coll == nil || c.Codes == WholeCodes && coll.Whole == nil:
		coll = nil
	case c.Codes == ShortCodes:
		coll = coll.short
	}
	if coll == nil {
		panic(fmt.Sprintf("row: collation %d is not registered, or has no %s codes", c.Collation, c.Codes))
	}
	return coll
}

// trim strips what PAD SPACE does not see: trailing spaces, and characters that weigh the same.
func (c *Collation) trim(s []byte) []byte {
	for len(s) > 0 {
		last := s[len(s)-1]
		if last == ' ' {
			s = s[:len(s)-1]
			continue
		}
		if last < utf8.RuneSelf || c.identity {
			return s
		}
		_, n := utf8.DecodeLastRune(s)
		var buf [16]byte
		if !bytes.Equal(c.AppendWeights(buf[:0], s[len(s)-n:]), c.space()) {
			return s
		}
		s = s[:len(s)-n]
	}
	return s
}

// belowSpace tells whether the first character of s sorts below a space.
func (c *Collation) belowSpace(s []byte) bool {
	if c.identity {
		return s[0] < ' '
	}
	_, n := utf8.DecodeRune(s)
	var buf [16]byte
	w := c.AppendWeights(buf[:0], s[:n])
	return len(w) > 0 && bytes.Compare(w, c.space()) < 0
}

// cutChars returns the first n characters of s; a byte that is not UTF-8 counts as one.
func cutChars(s []byte, n int) []byte {
	if len(s) <= n {
		return s
	}
	i := 0
	for ; n > 0 && i < len(s); n-- {
		if s[i] < utf8.RuneSelf {
			i++
			continue
		}
		_, w := utf8.DecodeRune(s[i:])
		i += w
	}
	return s[:i]
}
