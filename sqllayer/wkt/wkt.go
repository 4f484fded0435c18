// Package wkt reads characters of well-known text, the language of geometries and of spatial
// reference systems.
package wkt

import "strings"

const space = " \t\r\n\f\v"

// Reader reads from the front of Rest.
type Reader struct{ Rest string }

// Skip reads white space.
func (r *Reader) Skip() { r.Rest = strings.TrimLeft(r.Rest, space) }

// Take reads one character, with white space before it, if it is the next one.
func (r *Reader) Take(c byte) bool {
	r.Skip()
	if r.Rest == "" || r.Rest[0] != c {
		return false
	}
	r.Rest = r.Rest[1:]
	return true
}
