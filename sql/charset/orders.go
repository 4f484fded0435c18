package charset

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

//go:embed orders.zip
var orderArchive []byte

// Order is what texts weigh under a collation of Unicode's algorithm. A text weighs what its
// characters weigh one behind another, level by level: a character may weigh nothing, or as much as
// several, and some that follow each other weigh otherwise together.
//
// An entry of the archive is, in this order:
//
//	root      the name of another entry, of which this one has everything it does not name
//	levels    how many there are
//	lifts     what weights of the root on the third level are here
//	runs      characters with implicit weights: two, their code behind a number that stands for a range
//	texts     each with its weights
type Order struct {
	levels int
	root   *Order // has what this one does not name; nil: there is none
	lifts  map[uint16]uint16
	runs   []run
	pages  [(unicode.MaxRune + 1) / pageSize]*[pageSize]place
	texts  map[rune][]contraction // by their first characters; the longest come first
	own    []uint16               // weights, behind the number of them, of each level
}

// run are characters with implicit weights.
type run struct {
	first, behind rune
	at            place
}

const pageSize = 256

// place tells where the weights of a character are.
type place uint32

const (
	isImplicit place = 1 << 31 // the rest is the number that stands for a range
	isSingle   place = 1 << 16 // it is the only weight
	isRoots    place = 1 << 30
	isHead     place = 1 << 29 // of a text that weighs otherwise than its characters
	placeMask  place = isHead - 1
)

type contraction struct {
	rest []byte // behind the first character
	at   place
}

// common are the weights of most characters behind the first level.
var common = [...]uint16{0, 0x20, 2}

// Ordered tells whether a collation has an Order.
func Ordered(collation string) bool {
	_, _, ok := findOrder(collation)
	return ok
}

// OrderOf returns the order of a collation that has one, and the number of levels that it compares.
func OrderOf(collation string) (o *Order, levels int) {
	load, levels, ok := findOrder(collation)
	if !ok {
		return nil, 0
	}
	if o = load(); levels == 0 {
		levels = o.levels
	}
	return o, levels
}

// findOrder finds the entry of a collation. levels is 0 if all count.
func findOrder(collation string) (load func() *Order, levels int, ok bool) {
	set, rest, _ := strings.Cut(collation, "_")
	name := "utf8mb4_" + rest
	switch s := Find(set); {
	case s == nil:
		return nil, 0, false
	case !s.IsUnicode() && collation != "gb18030_unicode_520_ci":
		name = collation
	}
	for i, strength := range []string{"_ai_ci", "_as_ci", "_as_cs"} {
		if before, ok := strings.CutSuffix(name, "0900"+strength); ok {
			name, levels = before+"0900_as_cs", i+1
			break
		}
	}
	if name == "utf8mb4_ja_0900_as_cs" {
		name += "_ks"
	}
	load, ok = orderEntries()[name]
	return load, levels, ok
}

// orderEntries are the entries of the archive.
var orderEntries = sync.OnceValue(func() map[string]func() *Order { return entriesOf(orderArchive, readOrder) })

func readOrder(name string, body []byte, all map[string]func() *Order) *Order {
	r := orderReader{name: name, body: body}
	o := &Order{texts: map[rune][]contraction{}, lifts: map[uint16]uint16{}}
	if root := r.text(r.count()); root != "" {
		o.root = all[root]()
		for head, list := range o.root.texts {
			for _, c := range list {
				o.texts[head] = append(o.texts[head], contraction{c.rest, c.at | isRoots})
			}
		}
	}
	o.levels = r.count()
	for n := r.count(); n > 0; n-- {
		from := r.count()
		o.lifts[uint16(from)] = uint16(r.count())
	}
	o.readRuns(&r)
	o.readTexts(&r)
	for _, list := range o.texts {
		slices.SortFunc(list, func(a, b contraction) int { return len(b.rest) - len(a.rest) })
	}
	return o
}

// orderReader reads the numbers of an entry.
type orderReader struct {
	name string
	body []byte
}

func (r *orderReader) count() int {
	n, size := binary.Uvarint(r.body)
	if size <= 0 {
		panic("charset: " + r.name + " is cut short")
	}
	r.body = r.body[size:]
	return int(n)
}

func (r *orderReader) distance() int {
	n, size := binary.Varint(r.body)
	if size <= 0 {
		panic("charset: " + r.name + " is cut short")
	}
	r.body = r.body[size:]
	return int(n)
}

func (r *orderReader) text(n int) string {
	s := string(r.body[:n])
	r.body = r.body[n:]
	return s
}

func (o *Order) readRuns(r *orderReader) {
	at := 0
	for n := r.count(); n > 0; n-- {
		at += r.count()
		length, lead := r.count(), place(r.count())
		o.runs = append(o.runs, run{rune(at), rune(at + length), isImplicit | lead})
		at += length
	}
}

func (o *Order) readTexts(r *orderReader) {
	at, weights := 0, make([]int, o.levels)
	o.own = append(o.own, make([]uint16, o.levels)...) // place 0: no weights at all
	for n := r.count(); n > 0; n-- {
		at += r.distance()
		var rest []byte
		for more := r.count(); more > 0; more-- {
			rest = utf8.AppendRune(rest, rune(r.count()))
		}
		to := place(len(o.own))
		for i := range weights {
			count := r.count()
			o.own = append(o.own, uint16(count))
			for ; count > 0; count-- {
				weights[i] += r.distance()
				o.own = append(o.own, uint16(weights[i]))
			}
		}
		if head := rune(at); len(rest) > 0 {
			o.contract(head, rest, to)
		} else {
			o.set(head, to|o.at(head)&isHead)
		}
	}
}

// contract notes a text that weighs otherwise than its characters.
func (o *Order) contract(head rune, rest []byte, to place) {
	list := slices.DeleteFunc(slices.Clone(o.texts[head]), func(c contraction) bool { return bytes.Equal(c.rest, rest) })
	o.texts[head] = append(list, contraction{rest, to})
	o.set(head, o.at(head)|isHead)
}

func (o *Order) set(r rune, p place) {
	page := &o.pages[r/pageSize]
	if *page == nil {
		*page = new([pageSize]place)
	}
	(*page)[r%pageSize] = p
}

func (o *Order) at(r rune) place {
	if page := o.pages[r/pageSize]; page != nil && page[r%pageSize] != 0 {
		return page[r%pageSize]
	}
	i := sort.Search(len(o.runs), func(i int) bool { return o.runs[i].behind > r })
	switch {
	case i < len(o.runs) && o.runs[i].first <= r:
		return o.runs[i].at
	case o.root == nil:
		return 0
	}
	p := o.root.at(r)
	if p&isImplicit == 0 {
		p |= isRoots
	}
	return p
}

// Begins tells whether a text that weighs otherwise than its characters begins with one.
func (o *Order) Begins(r rune) bool { return o.at(r)&isHead != 0 }

// Settled is how much of a text weighs the same whatever comes behind it.
func (o *Order) Settled(s []byte) int {
	var buf [32]uint16
	for at := 0; at < len(s); {
		r, n := utf8.DecodeRune(s[at:])
		if o.Begins(r) {
			rest := s[at+n:]
			for _, c := range o.texts[r] {
				if len(rest) < len(c.rest) && bytes.HasPrefix(c.rest, rest) {
					return at
				}
			}
		}
		_, n = o.Next(buf[:0], s[at:], 0)
		at += n
	}
	return len(s)
}

// Next appends the weights, on a level counted from 0, of what s begins with, and returns how many
// bytes of s these are.
func (o *Order) Next(dst []uint16, s []byte, level int) (out []uint16, n int) {
	r, n := utf8.DecodeRune(s)
	p := o.at(r)
	if p&isHead != 0 {
		for _, c := range o.texts[r] {
			if bytes.HasPrefix(s[n:], c.rest) {
				p, n = c.at, n+len(c.rest)
				break
			}
		}
	}
	if p&isImplicit != 0 {
		switch {
		case level >= len(common):
			return dst, n
		case level > 0:
			return append(dst, o.lifted(common[level], level)), n
		}
		lead := uint16(p & 0xFFFF)
		if p&isSingle != 0 {
			return append(dst, lead), n
		}
		return append(dst, lead+uint16(r>>15), uint16(r&0x7FFF)|0x8000), n
	}
	from := o.own
	if p&isRoots != 0 {
		if from = o.root.own; level >= o.root.levels {
			return dst, n
		}
	}
	at := p & placeMask
	for n := level; n > 0; n-- {
		at += place(from[at]) + 1
	}
	own := len(dst)
	dst = append(dst, from[at+1:at+1+place(from[at])]...)
	if level == third && p&isRoots != 0 && len(o.lifts) > 0 {
		for i, w := range dst[own:] {
			dst[own+i] = o.lifted(w, third)
		}
	}
	return dst, n
}

// third is the level of capitals.
const third = 2

// lifted is what a weight of the root is here.
func (o *Order) lifted(w uint16, level int) uint16 {
	if to, ok := o.lifts[w]; ok && level == third {
		return to
	}
	return w
}

// AppendBytes appends the weights of a text on the first levels, as MySQL shows them.
func (o *Order) AppendBytes(dst, s []byte, levels int) []byte {
	var buf [32]uint16
	for level := range levels {
		if level > 0 {
			dst = append(dst, 0, 0)
		}
		before := len(dst)
		for rest := s; len(rest) > 0; {
			weights, n := o.Next(buf[:0], rest, level)
			for _, w := range weights {
				dst = binary.BigEndian.AppendUint16(dst, w)
			}
			rest = rest[n:]
		}
		if level > third && len(dst) == before {
			return dst[:before-2] // only kana have weights there
		}
	}
	return dst
}
