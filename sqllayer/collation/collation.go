// Package collation registers go-mysql-server's collations with the engine when it is imported.
//
// Texts under the collations of Unicode's algorithm weigh what package charset says (whole.go): that
// is the order of new columns, and of all comparisons. What follows is the order of the other
// collations, and of the keys of columns that were made before.
//
// The engine asks for memcmp-sortable weights of UTF-8 strings (row.Collation), GMS knows a weight
// for every rune.
//
//	weights(s) = AppendWeight(sorter(r1)) AppendWeight(sorter(r2)) ...
//
// GMS compares rune by rune, so every character gives exactly one weight and equality of the
// weights is equality in GMS. A rune outside the collation's character set has GMS's "last" weight
// (MaxInt32); it becomes the largest weight the row encoding knows. The 0900 family compares
// without padding; the others as if padded with spaces.
//
// The weight of an ASCII character is one table look-up and, for the usual collations, one to three
// bytes; one in the short code.
package collation

import (
	"sync"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/row"
)

// lastWeight stands for "behind everything". On disk in keys; fixed.
const lastWeight = 0x1FFFFD

func init() {
	install()
	registerLogged()
	for it := sql.NewCollationsIterator(); ; {
		c, ok := it.Next()
		if !ok {
			return
		}
		if c.Sorter == nil || c.ID == sql.Collation_binary || c.ID == sql.Collation_utf8mb4_bin ||
			c.ID == sql.Collation_utf8mb3_bin || c.ID == sql.Collation_utf8mb4_0900_bin {
			continue // not supported, or code point order, which the engine has built in
		}
		row.RegisterCollation(row.Collation{
			ID:            uint16(c.ID),
			Name:          c.Name,
			PadSpace:      c.PadAttribute != "NO PAD",
			AppendWeights: appendWeights(c.Sorter, func() appendCode { return row.AppendWeight }),
			AppendShort:   appendWeights(c.Sorter, func() appendCode { return shortCode(c.Sorter).Append }),
			Whole:         newWhole(c.Name, c.PadAttribute != "NO PAD"),
		})
	}
}

// appendCode appends the code of a weight.
type appendCode func(dst []byte, w uint32) []byte

// shortCode makes the short code of a collation. It asks the sorter, so it is made at first use.
func shortCode(sorter sql.CollationSorter) *row.ShortCode {
	return row.NewShortCode(func(r rune) uint32 { return weight(sorter, r) })
}

// appendWeights makes the weight function of a collation, with the code that is given at first use.
func appendWeights(sorter sql.CollationSorter, code func() appendCode) func(dst, s []byte) []byte {
	get := sync.OnceValue(func() *coder { return newCoder(sorter, code()) })
	return func(dst, s []byte) []byte {
		c := get()
		for len(s) > 0 {
			if s[0] < utf8.RuneSelf {
				dst, s = c.ascii.appendRun(dst, s)
				continue
			}
			r, n := utf8.DecodeRune(s)
			dst = c.code(dst, weight(sorter, r))
			s = s[n:]
		}
		return dst
	}
}

func weight(sorter sql.CollationSorter, r rune) uint32 {
	if w := sorter(r); w >= 0 && w < lastWeight {
		return uint32(w)
	}
	return lastWeight
}
