package operand

import (
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/encodings"
)

// Index is the byte at which text has, for the first time, as many bytes as part that are equal to
// it, or -1. Sets whose characters have one byte count characters.
func (c Collated) Index(ctx *sql.Context, text, part string) (int, error) {
	if c.by == nil || part == "" {
		return strings.Index(text, part), nil
	}
	steps := Interrupts{Ctx: ctx}
	whole, looked := encodings.StringToBytes(text), encodings.StringToBytes(part)
	wide := len(part)
	if c.single {
		wide = utf8.RuneCount(looked)
	}
	for at := 0; at < len(whole); {
		if err := steps.Next(); err != nil {
			return -1, err
		}
		if rest := whole[at:]; c.by.Begins(rest, looked) {
			end := wide
			if c.single {
				end = characters(rest, wide)
			}
			if end > len(rest) {
				return -1, nil
			}
			if c.by.Compare(rest[:end], looked) == 0 && c.by.EqualChars(rest[:end], looked) {
				return at, nil
			}
		}
		_, n := utf8.DecodeRune(whole[at:])
		at += n
	}
	return -1, nil
}

// characters is how many bytes the first n characters of a text have; more than all if there are
// fewer.
func characters(s []byte, n int) int {
	at := 0
	for ; n > 0; n-- {
		if at >= len(s) {
			return len(s) + 1
		}
		_, size := utf8.DecodeRune(s[at:])
		at += size
	}
	return at
}
