package charset

import (
	"encoding/binary"
	"math"
	"strings"
	"sync"
)

// Outside is the rank of a character that the set of a collation lacks: behind all others.
const Outside = math.MaxInt32

// Ranks returns the order of the characters under a collation of a set that is a table: characters
// of one rank are equal. A character that the set lacks has the rank Outside. The tables are read when
// the function that is returned is first called.
//
// Ranks are what the archive holds for each character, in the order of positions. Under a _bin
// collation characters compare as their bytes do.
func Ranks(collation string) func(r rune) int32 {
	name, _, _ := strings.Cut(collation, "_")
	set := Find(name)
	if strings.HasSuffix(collation, "_bin") {
		return func(r rune) int32 { return set.loaded().(*table).byBytes(r) }
	}
	ranks := sync.OnceValue(func() []uint32 { return readRanks(collation, set.loaded().(*table)) })
	return func(r rune) int32 {
		all, at := ranks(), set.loaded().(*table).place(r)
		if at < 0 {
			return Outside
		}
		return int32(all[at])
	}
}

// place is the position of a character, with those of the other planes behind the table; -1 if the
// set lacks it.
func (t *table) place(r rune) int {
	if t.four && r >= 0x10000 {
		return behind + linear + int(r) - 0x10000
	}
	return t.position(r)
}

// byBytes ranks a character by its bytes. Codes of more than two bytes stand among those of two
// with the same first byte.
func (t *table) byBytes(r rune) int32 {
	var buf [4]byte
	b, known := t.append(buf[:0], r)
	if !known {
		return Outside
	}
	lead, second := int32(b[0])<<8, int32(0)
	if len(b) > 1 {
		second = int32(b[1])
	}
	switch {
	case t.four:
		if len(b) == 1 {
			return int32(b[0])
		}
		lead = 0x100 + (int32(b[0])-0x81)*(12600+0x100) // codes of four bytes with one first byte, and those of two
		if len(b) == 4 {
			return lead + (second-0x30)*1260 + (int32(b[2])-0x81)*10 + int32(b[3]) - 0x30
		}
		return lead + 12600 + second
	case len(b) == 3:
		return lead + second<<8 + int32(b[2])
	case t.three && b[0] > 0x8F:
		return lead + 0xFF00 + second
	}
	return lead + second
}

func readRanks(collation string, t *table) []uint32 {
	size := len(t.runes)
	if t.four {
		size += 0x100000
	}
	body, ranks, last := read(collation), make([]uint32, size), int64(0)
	for i := range ranks {
		if i < len(t.runes) && t.runes[i] == invalid {
			continue
		}
		d, n := binary.Varint(body)
		if n <= 0 {
			panic("charset: " + collation + " is cut short")
		}
		body, last = body[n:], last+d
		ranks[i] = uint32(last)
	}
	return ranks
}
