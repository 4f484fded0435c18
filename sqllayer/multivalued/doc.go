// Package multivalued holds CAST(document AS type ARRAY), by which a multi-valued index knows the
// elements of a row.
//
// The cast is the expression of a hidden column (functional index). Its value is the list of parts
// of keys that package engine/row calls elements: the engine makes an entry of each, and nothing
// above it ever compares the column. A document that is no array has one element, an empty array
// none, NULL is the NULL that stands in one entry. Elements that the type cannot hold are errors,
// whatever sql_mode says, and name the index.
//
//	array.go  the cast;  element.go  one element on its way into a key;  text.go  the way back, for errors
package multivalued
