package collation

import (
	"encoding/binary"
	"slices"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
)

// asciiWeight is the encoded weight of one ASCII character.
type asciiWeight struct {
	code uint32 // its first byte lowest
	n    uint32 // bytes; or apart
}

// apart says that the weights of a character are found otherwise.
const apart = 0xFF

type asciiWeights [utf8.RuneSelf]asciiWeight

// appendRun appends the weights of the ASCII characters s begins with, up to one that is apart, and
// returns the rest of s.
// There is room for the longest codes first; then a character is one store of four bytes, of which
// n count.
func (t *asciiWeights) appendRun(dst, s []byte) (out, rest []byte) {
	dst = slices.Grow(dst, 4*len(s))
	to := dst[len(dst):cap(dst)]
	at, i := 0, 0
	for ; i < len(s) && s[i] < utf8.RuneSelf && at+4 <= len(to); i++ {
		w := t[s[i]]
		if w.n == apart {
			break
		}
		binary.LittleEndian.PutUint32(to[at:at+4], w.code)
		at += int(w.n)
	}
	return dst[:len(dst)+at], s[i:]
}

// coder codes the weights of a collation. It is made at first use: asking a sorter loads its whole
// collation, and a server uses few.
type coder struct {
	code  appendCode
	ascii asciiWeights
}

func newCoder(sorter sql.CollationSorter, code appendCode) *coder {
	c := &coder{code: code}
	for r := range c.ascii {
		var buf [4]byte
		n := len(code(buf[:0], weight(sorter, rune(r))))
		c.ascii[r] = asciiWeight{binary.LittleEndian.Uint32(buf[:]), uint32(n)}
	}
	return c
}
