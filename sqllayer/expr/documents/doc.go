// Package documents holds the functions of JSON documents: paths, JSON_EXTRACT, JSON_CONTAINS,
// JSON_SEARCH, the functions that change documents, JSON_VALUE, MEMBER OF and aggregates.
package documents
