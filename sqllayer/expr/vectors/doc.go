// Package vectors holds VECTOR: the type of columns, and the functions between vectors and texts. A
// value is the little-endian bytes of its numbers.
package vectors
