package row

import "encoding/binary"

// Patch describes how to turn from into to: keep the first prefix and the last suffix bytes of
// from, put middle between them. middle aliases to.
func Patch(from, to []byte) (prefix, suffix int, middle []byte) {
	n := min(len(from), len(to))
	for prefix+8 <= n && binary.LittleEndian.Uint64(from[prefix:]) == binary.LittleEndian.Uint64(to[prefix:]) {
		prefix += 8
	}
	for prefix < n && from[prefix] == to[prefix] {
		prefix++
	}
	for suffix < n-prefix && from[len(from)-1-suffix] == to[len(to)-1-suffix] {
		suffix++
	}
	return prefix, suffix, to[prefix : len(to)-suffix]
}

// ApplyPatch appends to dst what Patch described. ok is false when the patch does not fit from. dst
// must not overlap from.
func ApplyPatch(dst, from []byte, prefix, suffix int, middle []byte) (to []byte, ok bool) {
	if prefix < 0 || suffix < 0 || prefix+suffix > len(from) {
		return dst, false
	}
	dst = append(dst, from[:prefix]...)
	dst = append(dst, middle...)
	return append(dst, from[len(from)-suffix:]...), true
}
