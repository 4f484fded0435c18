// Package types holds MySQL's types and the values of statements, in batches of columns.
//
//	types.go    Type: what a column or an expression is, and how it is described to the client
//	vec.go      Vec, a column of values of one type; Batch, columns of equal length
//	int128.go   128-bit integers, the unscaled values of DECIMAL
//	decimal.go  DECIMAL: scales, rounding, texts, MySQL's binary form
//	temporal.go dates and times as packed integers, their texts
//	collate.go  comparison of strings under collations
//	key.go      order-preserving keys of values: for sorting, grouping and hash joins
//	text.go     values as the text protocol shows them;  float.go  FLOAT and DOUBLE
//
// Invariants:
//
//	(1) Values of a Vec have its Kind. Where Null is set the value beside it is undefined and is
//	    not read.
//	(2) DATE, DATETIME and TIMESTAMP share one packed form, so they compare as integers. A
//	    TIMESTAMP shows the session's time zone: it is converted when it is read.
//	(3) A DECIMAL is an integer and a scale. The scale of a Vec may exceed that of its Type: a
//	    quotient keeps the digits that MySQL computes beyond those it shows. Rounding to the
//	    type's scale happens where values are shown or kept.
//	(4) Keys of equal values are equal, and bytes.Compare of two keys is the SQL order of the
//	    values. Integers, signed and unsigned, share one form; DECIMALs are compared by keys of
//	    one scale.
//	(5) What cannot be represented is ErrRange, never a wrong value.
package types
