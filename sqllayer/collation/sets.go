package collation

import (
	"strings"
	"unicode/utf8"
	_ "unsafe" // go:linkname

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/encodings"

	"emberdb/binlog"
	"emberdb/sql/charset"
)

// The library's lists of character sets and collations, in which many have no encoder and no
// weights. There is no other door to them.

//go:linkname characterSets github.com/dolthub/go-mysql-server/sql.characterSetArray
var characterSets [256]sql.CharacterSet

//go:linkname collations github.com/dolthub/go-mysql-server/sql.collationArray
var collations [324]sql.Collation

// install gives the library the encoders of package charset, and weights for the collations that
// have none.
func install() {
	byName := map[string]sql.CollationSorter{}
	for i := range collations {
		byName[collations[i].Name] = collations[i].Sorter
	}
	for i := range characterSets {
		c := &characterSets[i]
		set := charset.Find(c.Name)
		if c.Name == "" || set == nil || set.IsUTF8() || c.ID == sql.CharacterSet_binary {
			continue
		}
		e := encoder{set: set}
		if set.IsUnicode() {
			e.cases = encodings.Utf16
		}
		c.Encoder = e
	}
	for i := range collations {
		if c := &collations[i]; c.Sorter == nil && c.ID != 0 {
			c.Sorter = sorterOf(c.Name, byName)
		}
	}
}

// sorterOf makes the weights of a collation for which the library has none. Those of one name in
// several forms of Unicode are the same.
func sorterOf(name string, byName map[string]sql.CollationSorter) sql.CollationSorter {
	set, order, _ := strings.Cut(name, "_")
	for _, same := range []string{"utf8mb4_", "utf8mb3_"} {
		if s := byName[same+order]; s != nil && (charset.Find(set).IsUnicode() || name == "gb18030_unicode_520_ci") {
			return s
		}
	}
	if charset.Find(set).IsUnicode() {
		for language, like := range alike {
			if rest, ok := strings.CutPrefix(order, language+"_0900_"); ok {
				return byName["utf8mb4_"+like+"_0900_"+rest]
			}
		}
		return nil
	}
	return charset.Ranks(name)
}

// alike are languages whose characters have the weights of another one's. Only the contractions
// differ, which are not weighed here, and the place of capitals in those like Danish.
var alike = map[string]string{"bg": "ru", "bs": "hr", "gl": "es", "mn_cyrl": "ru", "nb": "da", "nn": "da", "sr_latn": "hr"}

// encoder is a character set for the library. All of it works on copies.
type encoder struct {
	set   *charset.Set
	cases encodings.Encoder // whose cases of characters count, if not the set's
}

var _ encodings.Encoder = encoder{}

// Decode implements encodings.Encoder.
func (e encoder) Decode(text []byte) ([]byte, bool) {
	out, read := e.set.Decode(make([]byte, 0, len(text)), text)
	if read < len(text) {
		return nil, false
	}
	return out, true
}

// Encode implements encodings.Encoder. It never fails: MySQL writes a question mark for a character
// that a set lacks.
func (e encoder) Encode(text []byte) ([]byte, bool) { return e.EncodeReplaceUnknown(text), true }

// EncodeReplaceUnknown implements encodings.Encoder.
func (e encoder) EncodeReplaceUnknown(text []byte) []byte {
	out, _ := e.set.Encode(make([]byte, 0, len(text)), text)
	return out
}

// DecodeRune implements encodings.Encoder.
func (e encoder) DecodeRune(b []byte) ([]byte, bool) {
	r, n := e.set.DecodeRune(b)
	if n == 0 || n < len(b) {
		return nil, false
	}
	return utf8.AppendRune(nil, r), true
}

// EncodeRune implements encodings.Encoder.
func (e encoder) EncodeRune(b []byte) ([]byte, bool) {
	r, n := utf8.DecodeRune(b)
	if r == utf8.RuneError && n <= 1 || n < len(b) {
		return nil, false
	}
	out, known := e.set.AppendRune(nil, r)
	return out, known
}

// Uppercase implements encodings.Encoder.
func (e encoder) Uppercase(text string) string {
	if e.cases != nil {
		return e.cases.Uppercase(text)
	}
	return strings.Map(e.set.Upper, text)
}

// Lowercase implements encodings.Encoder.
func (e encoder) Lowercase(text string) string {
	if e.cases != nil {
		return e.cases.Lowercase(text)
	}
	return strings.Map(e.set.Lower, text)
}

// UppercaseRune implements encodings.Encoder.
func (e encoder) UppercaseRune(r rune) rune {
	if e.cases != nil {
		return e.cases.UppercaseRune(r)
	}
	return e.set.Upper(r)
}

// LowercaseRune implements encodings.Encoder.
func (e encoder) LowercaseRune(r rune) rune {
	if e.cases != nil {
		return e.cases.LowercaseRune(r)
	}
	return e.set.Lower(r)
}

// NextRune implements encodings.Encoder.
func (encoder) NextRune(text string) (rune, int) { return utf8.DecodeRuneInString(text) }

// IsReturnSafe implements encodings.Encoder.
func (encoder) IsReturnSafe() bool { return true }

// registerLogged tells the binary log how the texts of columns are written.
func registerLogged() {
	for i := range collations {
		c := &collations[i]
		set := charset.Find(c.CharacterSet.Name())
		if c.ID == 0 || set == nil || set.IsUTF8() {
			continue
		}
		binlog.RegisterCharset(binlog.Charset{Name: set.Name(), MaxLen: set.MaxLen(), Append: func(dst, text []byte) []byte {
			dst, _ = set.Encode(dst, text)
			return dst
		}}, uint16(c.ID))
	}
}
