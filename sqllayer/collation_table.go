package sqllayer

import (
	"sync"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/row"
)

// asciiWeight is the encoded weight of one ASCII character.
type asciiWeight struct {
	n    uint8
	code [4]byte
}

// asciiTable holds the weights of the ASCII characters. It is filled at first use: asking a sorter loads its whole collation, and a server uses few.
type asciiTable struct {
	once    sync.Once
	weights [utf8.RuneSelf]asciiWeight
}

func (t *asciiTable) get(sorter sql.CollationSorter) *[utf8.RuneSelf]asciiWeight {
	t.once.Do(func() {
		for r := range t.weights {
			w := &t.weights[r]
			w.n = uint8(len(row.AppendWeight(w.code[:0], weight(sorter, rune(r)))))
		}
	})
	return &t.weights
}
