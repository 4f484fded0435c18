package store

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// asMembers gives the number that a text on its way into an ENUM or SET stands for, if it names no
// members and is one; else the value as it is, but for a list with something else in it, which is
// none: go-mysql-server takes single numbers in it for members.
func asMembers(ctx *sql.Context, t sql.Type, v any) any {
	text, ok := v.(string)
	if !ok {
		return v
	}
	switch t := t.(type) {
	case types.EnumType:
		if t.IndexOf(text) < 0 {
			if n, ok := wholeNumber(strings.TrimRight(text, " "), uint64(t.NumberOfElements())); ok {
				return n
			}
		}
	case types.SetType:
		if strange := slices.ContainsFunc(strings.Split(text, ","), func(m string) bool { return !isMember(ctx, t, m) }); strange {
			if n, ok := wholeNumber(text, math.MaxUint64>>(64-t.NumberOfElements())); ok {
				return n
			}
			return noMembers{}
		}
	}
	return v
}

// noMembers is converted into no SET.
type noMembers struct{}

// isMember tells whether a text names a member. Of a number go-mysql-server takes the bits.
func isMember(ctx *sql.Context, t types.SetType, text string) bool {
	v, _, err := t.Convert(ctx, text)
	if err != nil {
		return false
	}
	if _, err := strconv.ParseUint(text, 10, 64); err != nil {
		return true
	}
	bits, _ := v.(uint64)
	named, err := t.BitsToString(bits)
	return err == nil && named == text
}

// wholeNumber reads a text that is a number and nothing else, up to the largest.
func wholeNumber(text string, largest uint64) (uint64, bool) {
	n, err := strconv.ParseUint(strings.TrimLeft(text, " "), 10, 64)
	return n, err == nil && n <= largest
}
