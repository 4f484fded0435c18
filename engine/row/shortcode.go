package row

import (
	"slices"
	"sort"
)

// ShortCode codes the weights of a collation in fewer bytes than AppendWeight does where most of a
// text is ASCII. On disk in keys; fixed. The first byte is 1 to 255 and tells how many follow:
//
//	weight of a printable ASCII character    one byte
//	any other                                a byte for the weights between two of those, then the
//	                                         distance from the first of them in one to three digits
//	                                         of base 255, each plus 1
//	behind the largest of those              as many bytes as are left, in ascending order: one
//	                                         digit for all but two, then two digits, then three
//
// Codes sort like weights, form a prefix-free code and hold no zero byte.
type ShortCode struct {
	ranges []codeRange // ascending; the first one begins at weight 0
}

// codeRange are the weights from first on that share their first byte.
type codeRange struct {
	first  uint32
	lead   byte
	digits uint8
}

// maxWeight is the largest weight that AppendWeight knows.
const maxWeight = 0x1FFFFE

// firstPrintable and lastPrintable are the characters whose weights take one byte.
const (
	firstPrintable = ' '
	lastPrintable  = '~'
)

// NewShortCode makes the code of a collation, whose weight function is given.
func NewShortCode(weight func(r rune) uint32) *ShortCode {
	var single []uint32
	for r := rune(firstPrintable); r <= lastPrintable; r++ {
		single = append(single, weight(r))
	}
	slices.Sort(single)
	single = slices.Compact(single)
	c, next, lead := &ShortCode{}, uint32(0), byte(1)
	for _, w := range single {
		if n := w - next; n > 0 {
			c.ranges = append(c.ranges, codeRange{next, lead, digitsFor(n)})
			lead++
		}
		c.ranges = append(c.ranges, codeRange{w, lead, 0})
		next, lead = w+1, lead+1
	}
	for ; next <= maxWeight; lead++ {
		digits := uint8(1)
		switch {
		case lead == 0xFF:
			digits = 3
		case lead == 0xFE:
			digits = 2
		}
		c.ranges = append(c.ranges, codeRange{next, lead, digits})
		next += codes[digits]
	}
	return c
}

// codes are how many weights so many digits tell apart.
var codes = [...]uint32{1, 255, 255 * 255, 255 * 255 * 255}

// digitsFor is how many digits tell n weights apart: at least one.
func digitsFor(n uint32) uint8 {
	digits := uint8(1)
	for n > codes[digits] {
		digits++
	}
	return digits
}

// Append appends the code of a weight, at most 0x1FFFFE.
func (c *ShortCode) Append(dst []byte, w uint32) []byte {
	i := sort.Search(len(c.ranges), func(i int) bool { return c.ranges[i].first > w }) - 1
	r := c.ranges[i]
	dst = append(dst, r.lead)
	n := w - r.first
	switch r.digits {
	case 1:
		dst = append(dst, byte(n)+1)
	case 2:
		dst = append(dst, byte(n/255)+1, byte(n%255)+1)
	case 3:
		dst = append(dst, byte(n/(255*255))+1, byte(n/255%255)+1, byte(n%255)+1)
	}
	return dst
}
