package operand

import (
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
)

// Index is the byte at which part begins in text for the first time, or -1. Characters are compared
// one by one, as if each had one weight: ß is s, and no two are ß. Every character is
// looked at once, however often the beginning of part comes.
func (c Collated) Index(ctx *sql.Context, text, part string) (int, error) {
	if c.sorter == nil || part == "" {
		return strings.Index(text, part), nil
	}
	weights := make([]int32, 0, len(part))
	for _, r := range part {
		weights = append(weights, c.sorter(r))
	}
	back := borders(weights)
	steps := Interrupts{Ctx: ctx}
	n, widths := 0, make([]uint8, len(weights)) // of the last characters
	for i, at := 0, 0; at < len(text); i++ {
		if err := steps.Next(); err != nil {
			return -1, err
		}
		r, width := utf8.DecodeRuneInString(text[at:])
		at += width
		widths[i%len(widths)] = uint8(width)
		w := c.sorter(r)
		for n > 0 && weights[n] != w {
			n = back[n-1]
		}
		if weights[n] == w {
			n++
		}
		if n == len(weights) {
			for _, width := range widths {
				at -= int(width)
			}
			return at, nil
		}
	}
	return -1, nil
}

// borders tells for each beginning of a list how much of it is also its end.
func borders(list []int32) []int {
	out := make([]int, len(list))
	for i, n := 1, 0; i < len(list); i++ {
		for n > 0 && list[n] != list[i] {
			n = out[n-1]
		}
		if list[n] == list[i] {
			n++
		}
		out[i] = n
	}
	return out
}
