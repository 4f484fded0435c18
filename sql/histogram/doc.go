// Package histogram tells how the values of a column are spread, in MySQL's form.
//
//	column.go     columns that may have one; their values as literals of JSON and as points of an order
//	collect.go    Collector takes values of rows and makes the buckets
//	histogram.go  what part of the rows equals a value, or lies below or above it
//	read.go       the document of a histogram, read and checked;  write.go  the same, written
//
// A histogram is singleton if each bucket is one value, else equi-height: then buckets hold about as
// many rows each. Frequencies are cumulative, and NULLs are counted beside them.
package histogram
