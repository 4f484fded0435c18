package row

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// KeyRef stands for a key where many are sorted: its first bytes, and which one it is.
type KeyRef struct {
	head uint64
	At   int32
}

// NewKeyRef is the reference to key number at.
func NewKeyRef(key []byte, at int) KeyRef {
	var head [8]byte
	copy(head[:], key)
	return KeyRef{binary.BigEndian.Uint64(head[:]), int32(at)}
}

// SortKeys sorts references by their keys, those to equal keys by their numbers.
func SortKeys(refs []KeyRef, key func(at int32) []byte) {
	compare := func(a, b KeyRef) int {
		if c := cmp.Compare(a.head, b.head); c != 0 {
			return c
		}
		return cmp.Or(bytes.Compare(key(a.At), key(b.At)), cmp.Compare(a.At, b.At))
	}
	if !slices.IsSortedFunc(refs, compare) {
		slices.SortFunc(refs, compare)
	}
}
