package binlog

// MySQL's binary JSON. On disk; fixed.
//
//	document   type u8, value
//	object     count, size of the whole, then a key entry per key (offset, length u16), then a value entry per value, then keys, then values
//	array      count, size of the whole, then a value entry per element, then values
//	value entry   type u8, then the value itself if it fits (literals, 16-bit integers; 32-bit integers in the large form), or its offset
//	counts, sizes and offsets take 2 bytes in the small form, 4 in the large one; offsets count
//	from the start of the container's count
//	string     length in groups of 7 bits, low first, high bit: more follow; then the bytes
//	numbers    little-endian: int16, uint16, int32, uint32, int64, uint64, double
//
// Keys are sorted by length, then by bytes; of equal keys the last one stays. A container takes the
// small form if all of it fits into 64 KiB. Values come as JSON text, so what a number is follows
// from its digits: an integer takes the narrowest type that holds it, all others are doubles.
//
// Two passes: parse reads the text into nodes, children before their siblings, and computes each
// node's size; emit writes.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Value types. On disk; fixed.
const (
	jsonSmallObject = 0x00
	jsonLargeObject = 0x01
	jsonSmallArray  = 0x02
	jsonLargeArray  = 0x03
	jsonLiteral     = 0x04
	jsonInt16       = 0x05
	jsonUint16      = 0x06
	jsonInt32       = 0x07
	jsonUint32      = 0x08
	jsonInt64       = 0x09
	jsonUint64      = 0x0A
	jsonDouble      = 0x0B
	jsonString      = 0x0C

	jsonNull, jsonTrue, jsonFalse = 0, 1, 2

	jsonMaxDepth = 100
	jsonMaxKey   = math.MaxUint16
)

// jsonNode is one value.
type jsonNode struct {
	typ      byte   // the small form of containers until their size is known
	num      uint64 // numbers and literals
	key, str [2]int // ranges of the text arena: key in the parent object, content of a string
	children [2]int // range of jsonEncoder.order: nodes of the elements, sorted if an object
	size     int    // bytes of the value behind its type, if it does not stand in the entry
}

// jsonEncoder is the scratch memory of the encoder. Its owner uses it again.
type jsonEncoder struct {
	in    []byte
	pos   int
	nodes []jsonNode
	order []int
	stack []int
	arena []byte
}

// append appends the binary form of a JSON text.
func (e *jsonEncoder) append(dst, text []byte) ([]byte, error) {
	root, err := e.read(text)
	if err != nil {
		return dst, err
	}
	return e.appendNode(dst, root), nil
}

// read makes nodes of a JSON text and returns the root.
func (e *jsonEncoder) read(text []byte) (int, error) {
	e.in, e.pos = text, 0
	e.nodes, e.order, e.stack, e.arena = e.nodes[:0], e.order[:0], e.stack[:0], e.arena[:0]
	root, err := e.parse(0)
	if err == nil {
		if e.space(); e.pos < len(e.in) {
			err = e.fail("text behind the document")
		}
	}
	return root, err
}

// appendNode appends the binary form of a node as a document of its own.
func (e *jsonEncoder) appendNode(dst []byte, node int) []byte {
	n := &e.nodes[node]
	if n.typ == jsonLiteral {
		return append(dst, jsonLiteral, byte(n.num))
	}
	return e.emit(append(dst, n.typ), node)
}

func (e *jsonEncoder) fail(why string) error {
	return fmt.Errorf("JSON value of %d bytes: %s at offset %d", len(e.in), why, e.pos)
}

func (e *jsonEncoder) space() {
	for e.pos < len(e.in) {
		switch e.in[e.pos] {
		case ' ', '\t', '\n', '\r':
			e.pos++
		default:
			return
		}
	}
}

// next skips white space and gives the byte that follows, 0 at the end.
func (e *jsonEncoder) next() byte {
	e.space()
	if e.pos == len(e.in) {
		return 0
	}
	return e.in[e.pos]
}

// parse reads one value and returns its node.
func (e *jsonEncoder) parse(depth int) (int, error) {
	switch c := e.next(); {
	case c == '{':
		return e.parseContainer(depth+1, jsonSmallObject, '}')
	case c == '[':
		return e.parseContainer(depth+1, jsonSmallArray, ']')
	case c == '"':
		str, err := e.parseString()
		n := str[1] - str[0]
		return e.add(jsonNode{typ: jsonString, str: str, size: varLength(n) + n}), err
	case c == '-' || c >= '0' && c <= '9':
		return e.parseNumber()
	case e.take("null"):
		return e.add(jsonNode{typ: jsonLiteral, num: jsonNull}), nil
	case e.take("true"):
		return e.add(jsonNode{typ: jsonLiteral, num: jsonTrue}), nil
	case e.take("false"):
		return e.add(jsonNode{typ: jsonLiteral, num: jsonFalse}), nil
	}
	return 0, e.fail("no value")
}

func (e *jsonEncoder) add(n jsonNode) int {
	e.nodes = append(e.nodes, n)
	return len(e.nodes) - 1
}

func (e *jsonEncoder) take(word string) bool {
	if !bytes.HasPrefix(e.in[e.pos:], []byte(word)) {
		return false
	}
	e.pos += len(word)
	return true
}

// parseContainer reads an object or array. Its elements gather on the stack and move to order when
// it ends.
func (e *jsonEncoder) parseContainer(depth int, typ, closing byte) (int, error) {
	if depth > jsonMaxDepth {
		return 0, e.fail("nested too deeply")
	}
	e.pos++
	bottom := len(e.stack)
	for first := true; ; first = false {
		c := e.next()
		if c == closing && first {
			break
		}
		var key [2]int
		if typ == jsonSmallObject {
			if c != '"' {
				return 0, e.fail("no key")
			}
			var err error
			if key, err = e.parseString(); err != nil {
				return 0, err
			}
			if key[1]-key[0] > jsonMaxKey {
				return 0, e.fail("key longer than 65535 bytes")
			}
			if e.next() != ':' {
				return 0, e.fail("no colon")
			}
			e.pos++
		}
		child, err := e.parse(depth)
		if err != nil {
			return 0, err
		}
		e.nodes[child].key = key
		e.stack = append(e.stack, child)
		if c = e.next(); c == closing {
			break
		}
		if c != ',' {
			return 0, e.fail("no comma")
		}
		e.pos++
	}
	e.pos++
	children := e.stack[bottom:]
	if typ == jsonSmallObject {
		children = e.sortKeys(children)
	}
	n := jsonNode{typ: typ, children: [2]int{len(e.order), len(e.order) + len(children)}}
	e.order = append(e.order, children...)
	e.stack = e.stack[:bottom]
	e.measure(&n)
	return e.add(n), nil
}

func (e *jsonEncoder) keyOf(node int) []byte {
	k := e.nodes[node].key
	return e.arena[k[0]:k[1]]
}

// sortKeys sorts the members of an object and keeps the last one of each key.
func (e *jsonEncoder) sortKeys(members []int) []int {
	slices.SortFunc(members, func(a, b int) int {
		if c := compareKeys(e.keyOf(a), e.keyOf(b)); c != 0 {
			return c
		}
		return a - b
	})
	kept := members[:0]
	for i, m := range members {
		if i+1 < len(members) && bytes.Equal(e.keyOf(m), e.keyOf(members[i+1])) {
			continue
		}
		kept = append(kept, m)
	}
	return kept
}

// inlined tells whether a value stands in its entry.
func inlined(typ byte, large bool) bool {
	switch typ {
	case jsonLiteral, jsonInt16, jsonUint16:
		return true
	case jsonInt32, jsonUint32:
		return large
	}
	return false
}

// measure chooses the form of a container and computes its size.
func (e *jsonEncoder) measure(n *jsonNode) {
	size := func(large bool) int {
		w := 2
		if large {
			w = 4
		}
		total := 2 * w
		for _, c := range e.order[n.children[0]:n.children[1]] {
			child := &e.nodes[c]
			total += 1 + w
			if n.typ == jsonSmallObject {
				total += w + 2 + child.key[1] - child.key[0]
			}
			if !inlined(child.typ, large) {
				total += child.size
			}
		}
		return total
	}
	if n.size = size(false); n.size > math.MaxUint16 {
		n.size = size(true)
		n.typ++ // the large form
	}
}

// emit appends a value without its type.
func (e *jsonEncoder) emit(dst []byte, node int) []byte {
	n := &e.nodes[node]
	switch n.typ {
	case jsonSmallObject, jsonLargeObject, jsonSmallArray, jsonLargeArray:
		return e.emitContainer(dst, n)
	case jsonString:
		s := e.arena[n.str[0]:n.str[1]]
		return append(appendVarLength(dst, len(s)), s...)
	case jsonInt16, jsonUint16:
		return appendUint(dst, n.num, 2)
	case jsonInt32, jsonUint32:
		return appendUint(dst, n.num, 4)
	}
	return appendUint(dst, n.num, 8)
}

func (e *jsonEncoder) emitContainer(dst []byte, n *jsonNode) []byte {
	large, object := n.typ&1 != 0, n.typ <= jsonLargeObject
	w := 2
	if large {
		w = 4
	}
	start := len(dst)
	children := e.order[n.children[0]:n.children[1]]
	dst = appendUint(dst, uint64(len(children)), w)
	dst = appendUint(dst, uint64(n.size), w)
	entries := len(dst)
	head := len(children) * (1 + w)
	if object {
		head += len(children) * (w + 2)
	}
	dst = append(dst, make([]byte, head)...)
	if object {
		for i, c := range children {
			key := e.keyOf(c)
			entry := dst[entries+i*(w+2):]
			putUint(entry, len(dst)-start, w)
			binary.LittleEndian.PutUint16(entry[w:], uint16(len(key)))
			dst = append(dst, key...)
		}
		entries += len(children) * (w + 2)
	}
	for i, c := range children {
		child := &e.nodes[c]
		entry := dst[entries+i*(1+w):]
		entry[0] = child.typ
		if inlined(child.typ, large) {
			putUint(entry[1:], int(child.num), w)
			continue
		}
		putUint(entry[1:], len(dst)-start, w)
		dst = e.emit(dst, c)
	}
	return dst
}

func putUint(b []byte, v, n int) {
	for i := range n {
		b[i] = byte(v >> (8 * i))
	}
}

func varLength(n int) int {
	size := 1
	for n >>= 7; n > 0; n >>= 7 {
		size++
	}
	return size
}

func appendVarLength(dst []byte, n int) []byte {
	for ; n >= 0x80; n >>= 7 {
		dst = append(dst, byte(n)|0x80)
	}
	return append(dst, byte(n))
}

// parseNumber reads a number: an integer if it has digits only and fits 64 bits, otherwise a
// double.
func (e *jsonEncoder) parseNumber() (int, error) {
	start, integer := e.pos, true
	for e.pos < len(e.in) {
		switch c := e.in[e.pos]; {
		case c >= '0' && c <= '9' || c == '-' && e.pos == start:
		case c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-':
			integer = false
		default:
			goto end
		}
		e.pos++
	}
end:
	text := e.in[start:e.pos]
	if integer {
		if n, err := strconv.ParseInt(string(text), 10, 64); err == nil && string(text) != "-0" {
			return e.add(integerNode(n)), nil
		}
		if n, err := strconv.ParseUint(string(text), 10, 64); err == nil {
			return e.add(jsonNode{typ: jsonUint64, num: n, size: 8}), nil
		}
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return 0, e.fail("no number")
	}
	return e.add(jsonNode{typ: jsonDouble, num: math.Float64bits(f), size: 8}), nil
}

// integerNode chooses the type of a number as MySQL's parser does: what needs more than 32 bits and
// is positive counts as unsigned.
func integerNode(n int64) jsonNode {
	switch {
	case n >= math.MinInt16 && n <= math.MaxInt16:
		return jsonNode{typ: jsonInt16, num: uint64(n), size: 2}
	case n >= math.MinInt32 && n <= math.MaxInt32:
		return jsonNode{typ: jsonInt32, num: uint64(n), size: 4}
	case n > math.MaxUint32:
		return jsonNode{typ: jsonUint64, num: uint64(n), size: 8}
	}
	return jsonNode{typ: jsonInt64, num: uint64(n), size: 8}
}

// parseString reads a quoted string into the arena and returns its range.
func (e *jsonEncoder) parseString() ([2]int, error) {
	e.pos++
	from := len(e.arena)
	for e.pos < len(e.in) {
		c := e.in[e.pos]
		switch {
		case c == '"':
			e.pos++
			return [2]int{from, len(e.arena)}, nil
		case c == '\\':
			if err := e.parseEscape(); err != nil {
				return [2]int{}, err
			}
		default:
			e.arena = append(e.arena, c)
			e.pos++
		}
	}
	return [2]int{}, e.fail("string without an end")
}

func (e *jsonEncoder) parseEscape() error {
	if e.pos+1 >= len(e.in) {
		return e.fail("string without an end")
	}
	c := e.in[e.pos+1]
	e.pos += 2
	switch c {
	case '"', '\\', '/':
	case 'b':
		c = '\b'
	case 'f':
		c = '\f'
	case 'n':
		c = '\n'
	case 'r':
		c = '\r'
	case 't':
		c = '\t'
	case 'u':
		r, ok := e.hex4()
		if !ok {
			return e.fail("malformed escape")
		}
		if utf16.IsSurrogate(r) && bytes.HasPrefix(e.in[e.pos:], []byte(`\u`)) {
			e.pos += 2
			low, ok := e.hex4()
			if !ok {
				return e.fail("malformed escape")
			}
			r = utf16.DecodeRune(r, low)
		}
		e.arena = utf8.AppendRune(e.arena, r)
		return nil
	default:
		return e.fail("malformed escape")
	}
	e.arena = append(e.arena, c)
	return nil
}

func (e *jsonEncoder) hex4() (rune, bool) {
	if e.pos+4 > len(e.in) {
		return 0, false
	}
	r := rune(0)
	for _, c := range e.in[e.pos : e.pos+4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	e.pos += 4
	return r, true
}
