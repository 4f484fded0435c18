package collation

import (
	"bytes"
	"encoding/binary"
	"sync"
	"unicode/utf8"

	"emberdb/engine/row"
	"emberdb/sql/charset"
)

// whole codes texts under a collation of Unicode's algorithm: on the first level the weights in a
// short code, on the others each as AppendWeight does.
type whole struct {
	order  *charset.Order
	levels int
	pad    bool
	short  *row.ShortCode
	space  []byte         // its code on the first level
	ascii  []asciiWeights // by level
}

// lazyWhole is a whole made at first use.
type lazyWhole func() *whole

var _ row.WholeCode = lazyWhole(nil)

// newWhole returns nil for a collation that has other rules.
func newWhole(collation string, pad bool) row.WholeCode {
	if !charset.Ordered(collation) {
		return nil
	}
	return lazyWhole(sync.OnceValue(func() *whole {
		order, levels := charset.OrderOf(collation)
		w := &whole{order: order, levels: levels, pad: pad}
		w.short = row.NewShortCode(func(r rune) uint32 {
			weights, _ := order.Next(nil, []byte{byte(r)}, 0)
			return uint32(weights[0])
		})
		w.space = w.character(nil, ' ', 0)
		w.ascii = make([]asciiWeights, levels)
		for level := range w.ascii {
			for r := range w.ascii[level] {
				w.ascii[level][r] = w.asciiWeight(byte(r), level)
			}
		}
		return w
	}))
}

// asciiWeight is the code of a character, unless one has to see what comes before or behind it.
func (w *whole) asciiWeight(c byte, level int) asciiWeight {
	var buf [4]byte
	code := w.character(buf[:0], c, level)
	n := len(code)
	if n > len(buf) || w.order.Begins(rune(c)) || w.pad && bytes.Compare(code, w.space) <= 0 {
		return asciiWeight{n: apart}
	}
	return asciiWeight{binary.LittleEndian.Uint32(buf[:]), uint32(n)}
}

// character appends the codes of a character alone.
func (w *whole) character(dst []byte, c byte, level int) []byte {
	weights, _ := w.order.Next(nil, []byte{c}, level)
	return w.appendCodes(dst, weights, level)
}

// level appends the codes of a text on one level.
func (w *whole) level(dst, s []byte, level int) []byte {
	var buf [32]uint16
	ascii := &w.ascii[level]
	for len(s) > 0 {
		if s[0] < utf8.RuneSelf && ascii[s[0]].n != apart {
			dst, s = ascii.appendRun(dst, s)
			continue
		}
		weights, n := w.order.Next(buf[:0], s, level)
		dst, s = w.appendCodes(dst, weights, level), s[n:]
	}
	return dst
}

// appendCodes appends the codes of weights.
func (w *whole) appendCodes(dst []byte, weights []uint16, level int) []byte {
	if level > 0 {
		for _, x := range weights {
			dst = row.AppendWeight(dst, uint32(x))
		}
		return dst
	}
	for i := 0; i < len(weights); i++ {
		n := uint32(weights[i])
		switch {
		case n < implicitLead:
		case n >= implicitBehind:
			n += leads*(leadSize+1) - (implicitBehind - implicitLead)
		default:
			n = implicitLead + leadOf(n)*(leadSize+1)
			if i+1 < len(weights) && weights[i+1] >= leadSize {
				i++
				n += 1 + uint32(weights[i]&(leadSize-1))
			}
		}
		dst = w.short.Append(dst, n)
	}
	return dst
}

// Weights from implicitLead on begin the implicit weights of a character, which are two: the second
// is from leadSize on. The code is one of a number that is made of both, so it is shorter. There are
// leads of them, in the ranges of leadRanges.
const (
	implicitLead   = 0xFB00
	implicitBehind = 0xFC00
	leadSize       = 0x8000
	leads          = 60
)

// leadOf numbers the leads of implicit weights: 00 to 03, 40 to 43, 80 to 8F, C0 to E3.
func leadOf(w uint32) uint32 {
	switch n := w - implicitLead; {
	case n < 0x40:
		return min(n, 3)
	case n < 0x80:
		return 4 + min(n-0x40, 3)
	case n < 0xC0:
		return 8 + min(n-0x80, 15)
	default:
		return 24 + min(n-0xC0, leads-24-1)
	}
}

// AppendWeights implements row.WholeCode.
func (l lazyWhole) AppendWeights(dst, s []byte) []byte {
	w := l()
	dst = w.level(dst, s, 0)
	for level := 1; level < w.levels; level++ {
		dst = w.level(append(dst, 0, 0xFF), s, level)
	}
	return dst
}

// AppendText implements row.WholeCode.
func (l lazyWhole) AppendText(dst, s []byte) []byte {
	w := l()
	if !w.pad {
		return l.AppendWeights(dst, s)
	}
	return append(w.padded(dst, s), w.space...)
}

// padded appends the codes of a text without its trailing spaces.
func (w *whole) padded(dst, s []byte) []byte {
	var buf [32]uint16
	var code [64]byte
	spaces := 0 // before s
	for {
		for len(s) > 0 && s[0] == ' ' {
			spaces, s = spaces+1, s[1:]
		}
		if len(s) == 0 {
			return dst
		}
		if s[0] < utf8.RuneSelf && w.ascii[0][s[0]].n != apart {
			dst, spaces = w.between(dst, spaces, false), 0
			dst, s = w.ascii[0].appendRun(dst, s)
			continue
		}
		weights, n := w.order.Next(buf[:0], s, 0)
		s = s[n:]
		switch next := w.appendCodes(code[:0], weights, 0); {
		case len(next) == 0:
		case bytes.Equal(next, w.space):
			spaces++
		default:
			dst, spaces = w.between(dst, spaces, bytes.Compare(next, w.space) < 0), 0
			dst = append(dst, next...)
		}
	}
}

// between appends spaces that come before something; below tells that it sorts below a space.
func (w *whole) between(dst []byte, spaces int, below bool) []byte {
	for range spaces {
		if dst = append(dst, w.space...); below {
			dst = append(dst, 0, 0)
		}
	}
	return dst
}

// AppendBeginning implements row.WholeCode.
func (l lazyWhole) AppendBeginning(dst, s []byte) []byte {
	w := l()
	s = s[:w.order.Settled(s)]
	if w.pad {
		return w.padded(dst, s)
	}
	return w.level(dst, s, 0)
}
