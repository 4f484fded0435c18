package collation

import (
	"encoding/binary"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/row"
)

// asciiWeight is the encoded weight of one ASCII character.
type asciiWeight struct {
	code uint32 // its first byte lowest
	n    uint32 // bytes
}

type asciiWeights [utf8.RuneSelf]asciiWeight

// appendRun appends the weights of the ASCII characters s begins with, and returns the rest of s.
// There is room for the longest codes first; then a character is one store of four bytes, of which
// n count.
func (t *asciiWeights) appendRun(dst, s []byte) (out, rest []byte) {
	dst = slices.Grow(dst, 4*len(s))
	to := dst[len(dst):cap(dst)]
	at, i := 0, 0
	for ; i < len(s) && s[i] < utf8.RuneSelf && at+4 <= len(to); i++ {
		w := t[s[i]]
		binary.LittleEndian.PutUint32(to[at:at+4], w.code)
		at += int(w.n)
	}
	return dst[:len(dst)+at], s[i:]
}

// asciiTable holds the weights of the ASCII characters. It is filled at first use: asking a sorter
// loads its whole collation, and a server uses few.
type asciiTable struct {
	once    sync.Once
	weights asciiWeights
}

func (t *asciiTable) get(sorter sql.CollationSorter) *asciiWeights {
	t.once.Do(func() {
		for r := range t.weights {
			var code [4]byte
			n := len(row.AppendWeight(code[:0], weight(sorter, rune(r))))
			t.weights[r] = asciiWeight{binary.LittleEndian.Uint32(code[:]), uint32(n)}
		}
	})
	return &t.weights
}
