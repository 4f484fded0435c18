package row

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// A column with Elements set belongs to a multi-valued index. Its value is a list: the parts of keys
// that its elements have, ascending, none twice, each behind its length as a uvarint. A key of the
// index holds one of them in the column's place, so a row has as many entries as elements. The list
// without elements gives no entry, NULL gives one whose part is NULL.

// Element is the column that elements of c are values of.
func (c *Column) Element() Column {
	e := *c
	e.Type, e.Elements, e.Nullable = c.Elements, 0, true
	return e
}

// Sorted makes the value of a column of a multi-valued index of its elements' parts of keys, which
// it puts in order.
func Sorted(parts [][]byte) []byte {
	slices.SortFunc(parts, bytes.Compare)
	parts = slices.CompactFunc(parts, bytes.Equal)
	out := []byte{}
	for _, p := range parts {
		out = append(binary.AppendUvarint(out, uint64(len(p))), p...)
	}
	return out
}

// NextElement returns the first part of a list and what follows it; false at its end.
func NextElement(list []byte) (part, rest []byte, ok bool) {
	n, size := binary.Uvarint(list)
	if size <= 0 || n > uint64(len(list)-size) {
		return nil, nil, false
	}
	end := size + int(n)
	return list[size:end:end], list[end:], true
}

// HasElement tells whether a part is in a list.
func HasElement(list, part []byte) bool {
	for {
		p, rest, ok := NextElement(list)
		if !ok {
			return false
		}
		if c := bytes.Compare(p, part); c >= 0 {
			return c == 0
		}
		list = rest
	}
}

// NullPart is the part of a key that stands for NULL.
func NullPart() []byte { return []byte{markNull} }
