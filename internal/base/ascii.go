package base

import (
	"encoding/binary"
	"unicode/utf8"
)

// IsASCII tells whether all bytes of a text are ASCII.
func IsASCII(b []byte) bool {
	const high = 0x8080808080808080
	for ; len(b) >= 8; b = b[8:] {
		if binary.NativeEndian.Uint64(b)&high != 0 {
			return false
		}
	}
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
