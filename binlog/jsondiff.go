package binlog

// The difference of two JSON documents, as row events carry it under
// binlog_row_value_options=PARTIAL_JSON. On disk; fixed.
//
//	one after the other: operation u8 (0 replace, 1 insert, 2 remove)   path: length, packed, text
//	value, but for remove: length, packed, binary JSON
//
// They are done in order. A path names a member or an element; insert puts an element before the
// one that is there, or behind the last. The difference is found by comparing the documents, so
// that any statement has it, not only those that call JSON_SET and its kin.

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const (
	diffReplace = 0
	diffInsert  = 1
	diffRemove  = 2
)

// mostCalls bounds how deep calls of functions stand in each other where a replica does a difference
// as SQL: operations of one kind that follow each other are one call.
const mostCalls = 32

// jsonDiff is the scratch memory of the comparison. Its owner uses it again.
type jsonDiff struct {
	old, new jsonEncoder
	path     []byte
	out      []byte
	most     int // longer differences are of no use
	calls    int // of SQL functions that a replica needs
	last     byte
}

// append appends the difference of two JSON texts; false: the whole document is as short, or they
// have nothing in common.
func (d *jsonDiff) append(dst, before, after []byte) ([]byte, bool, error) {
	from, err := d.old.read(before)
	if err != nil {
		return dst, false, err
	}
	to, err := d.new.read(after)
	if err != nil {
		return dst, false, err
	}
	d.path, d.out, d.most = append(d.path[:0], '$'), dst, len(dst)+d.new.nodes[to].size
	d.calls = 0
	ok := d.compare(from, to) && len(d.out) <= d.most && d.calls <= mostCalls
	if !ok {
		d.out = d.out[:len(dst)]
	}
	return d.out, ok, nil
}

// compare appends what makes the old node the new one; false: nothing shorter than the whole does.
func (d *jsonDiff) compare(from, to int) bool {
	if d.same(from, to) {
		return true
	}
	a, b := &d.old.nodes[from], &d.new.nodes[to]
	switch {
	case len(d.out) > d.most:
		return false
	case a.isObject() && b.isObject():
		return d.objects(d.old.order[a.children[0]:a.children[1]], d.new.order[b.children[0]:b.children[1]])
	case a.isArray() && b.isArray():
		return d.arrays(d.old.order[a.children[0]:a.children[1]], d.new.order[b.children[0]:b.children[1]])
	case len(d.path) == 1:
		return false // the document itself is another
	}
	d.put(diffReplace, to)
	return true
}

// objects compares members, which stand in the order of their keys.
func (d *jsonDiff) objects(from, to []int) bool {
	at := len(d.path)
	for len(from) > 0 || len(to) > 0 {
		order := -1
		switch {
		case len(from) == 0:
			order = 1
		case len(to) > 0:
			order = compareKeys(d.old.keyOf(from[0]), d.new.keyOf(to[0]))
		}
		ok := true
		switch {
		case order < 0:
			d.member(d.old.keyOf(from[0]))
			d.put(diffRemove, 0)
			from = from[1:]
		case order > 0:
			d.member(d.new.keyOf(to[0]))
			d.put(diffInsert, to[0])
			to = to[1:]
		default:
			d.member(d.new.keyOf(to[0]))
			ok = d.compare(from[0], to[0])
			from, to = from[1:], to[1:]
		}
		if d.path = d.path[:at]; !ok {
			return false
		}
	}
	return true
}

// arrays compares elements by their places: what is longer loses or gains some at its end.
func (d *jsonDiff) arrays(from, to []int) bool {
	at, both := len(d.path), min(len(from), len(to))
	for i := range both {
		d.element(i)
		ok := d.compare(from[i], to[i])
		if d.path = d.path[:at]; !ok {
			return false
		}
	}
	for i := len(from) - 1; i >= both; i-- {
		d.element(i)
		d.put(diffRemove, 0)
		d.path = d.path[:at]
	}
	for i := both; i < len(to); i++ {
		d.element(i)
		d.put(diffInsert, to[i])
		d.path = d.path[:at]
	}
	return true
}

func (d *jsonDiff) put(operation byte, value int) {
	if d.calls == 0 || operation != d.last {
		d.calls, d.last = d.calls+1, operation
	}
	d.out = append(appendPacked(append(d.out, operation), uint64(len(d.path))), d.path...)
	if operation == diffRemove {
		return
	}
	at := len(d.out)
	d.out = d.new.appendNode(d.out, value)
	var head [9]byte
	d.out = slices.Insert(d.out, at, appendPacked(head[:0], uint64(len(d.out)-at))...)
}

func (d *jsonDiff) element(i int) {
	d.path = append(strconv.AppendInt(append(d.path, '['), int64(i), 10), ']')
}

// member appends a key to the path, quoted unless it is a plain name.
func (d *jsonDiff) member(key []byte) {
	d.path = append(d.path, '.')
	plain := len(key) > 0
	for i, c := range key {
		plain = plain && (c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || i > 0 && c >= '0' && c <= '9')
	}
	if plain {
		d.path = append(d.path, key...)
		return
	}
	d.path = appendQuoted(d.path, key)
}

func compareKeys(a, b []byte) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return bytes.Compare(a, b)
}

// same tells whether two nodes are the same value, of the same type.
func (d *jsonDiff) same(from, to int) bool {
	a, b := &d.old.nodes[from], &d.new.nodes[to]
	if a.typ != b.typ || a.num != b.num || a.size != b.size {
		return false
	}
	if a.typ == jsonString {
		return bytes.Equal(d.old.arena[a.str[0]:a.str[1]], d.new.arena[b.str[0]:b.str[1]])
	}
	if !a.isObject() && !a.isArray() {
		return true
	}
	as, bs := d.old.order[a.children[0]:a.children[1]], d.new.order[b.children[0]:b.children[1]]
	return slices.EqualFunc(as, bs, func(x, y int) bool {
		return (!a.isObject() || bytes.Equal(d.old.keyOf(x), d.new.keyOf(y))) && d.same(x, y)
	})
}

func (n *jsonNode) isObject() bool { return n.typ == jsonSmallObject || n.typ == jsonLargeObject }
func (n *jsonNode) isArray() bool  { return n.typ == jsonSmallArray || n.typ == jsonLargeArray }

// DiffStep is one operation of a difference.
type DiffStep struct {
	Path  string
	Value string // JSON; empty for remove

	operation byte
}

// Function is the SQL function that does the step: given the document, the path and, but for
// JSON_REMOVE, the value.
func (s *DiffStep) Function() string {
	switch {
	case s.operation == diffReplace:
		return "JSON_REPLACE"
	case s.operation == diffRemove:
		return "JSON_REMOVE"
	case strings.HasSuffix(s.Path, "]"):
		return "JSON_ARRAY_INSERT"
	}
	return "JSON_INSERT"
}

// ReadDiff reads a difference as a row event carries it.
func ReadDiff(b []byte) (steps []DiffStep, err error) {
	for len(b) > 0 {
		s := DiffStep{operation: b[0]}
		var part []byte
		if part, b, err = cutString(b[1:]); err != nil {
			return nil, err
		}
		s.Path = string(part)
		switch s.operation {
		case diffRemove:
		case diffReplace, diffInsert:
			if part, b, err = cutString(b); err != nil {
				return nil, err
			}
			text, err := JSONText(part)
			if err != nil {
				return nil, err
			}
			s.Value = string(text)
		default:
			return nil, fmt.Errorf("operation %d of a JSON difference is unknown: %w", s.operation, errJSON)
		}
		steps = append(steps, s)
	}
	return steps, nil
}

// cutString cuts off what stands behind its packed length.
func cutString(b []byte) (part, rest []byte, err error) {
	n, ok := cutPacked(b)
	size := packedSize(n)
	if !ok || len(b) < size || n > uint64(len(b)-size) {
		return nil, nil, errJSON
	}
	return b[size : size+int(n)], b[size+int(n):], nil
}
