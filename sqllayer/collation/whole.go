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
	space  []byte // its code on the first level
	ascii  asciiWeights
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
		var ascii asciiWeights
		for r := range ascii {
			w.ascii[r].n = apart
		}
		w.space = w.first(nil, []byte{' '})
		for r := range ascii {
			ascii[r] = w.asciiWeight(byte(r))
		}
		w.ascii = ascii
		return w
	}))
}

// asciiWeight is the code of a character, unless one has to see what comes before or behind it.
func (w *whole) asciiWeight(c byte) asciiWeight {
	var buf [4]byte
	code := w.first(buf[:0], []byte{c})
	n := len(code)
	if n > len(buf) || w.order.Begins(rune(c)) || w.pad && bytes.Compare(code, w.space) <= 0 {
		return asciiWeight{n: apart}
	}
	return asciiWeight{binary.LittleEndian.Uint32(buf[:]), uint32(n)}
}

// first appends the codes of a text on the first level.
func (w *whole) first(dst, s []byte) []byte {
	var buf [32]uint16
	for len(s) > 0 {
		if s[0] < utf8.RuneSelf && w.ascii[s[0]].n != apart {
			dst, s = w.ascii.appendRun(dst, s)
			continue
		}
		weights, n := w.order.Next(buf[:0], s, 0)
		dst, s = w.appendCodes(dst, weights), s[n:]
	}
	return dst
}

// appendCodes appends the codes of weights of the first level.
func (w *whole) appendCodes(dst []byte, weights []uint16) []byte {
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
	dst = w.first(dst, s)
	var buf [32]uint16
	for level := 1; level < w.levels; level++ {
		dst = append(dst, 0, 0xFF)
		for rest := s; len(rest) > 0; {
			weights, n := w.order.Next(buf[:0], rest, level)
			for _, x := range weights {
				dst = row.AppendWeight(dst, uint32(x))
			}
			rest = rest[n:]
		}
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
		if s[0] < utf8.RuneSelf && w.ascii[s[0]].n != apart {
			dst, spaces = w.between(dst, spaces, false), 0
			dst, s = w.ascii.appendRun(dst, s)
			continue
		}
		weights, n := w.order.Next(buf[:0], s, 0)
		s = s[n:]
		switch next := w.appendCodes(code[:0], weights); {
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
	return w.first(dst, s)
}
