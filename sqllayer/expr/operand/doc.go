// Package operand holds what the functions below package expr share: the registry that finds them
// by name, the shapes of expressions over others, and their operands read as MySQL reads them.
//
//	registry.go   Register, Lookup, and what surrounds functions of a kind;  calls.go  calls in parsed trees;  scalar.go  functions of values
//	base.go       what expressions over others share;  session.go  what functions ask of a session;  aside.go  calls that end with their statement
//	number.go     values as numbers of one of three kinds;  text.go  arguments that are no texts as MySQL writes them;  moment.go  texts as dates and times
//	collate.go, collating.go  texts by collation, and the collation of what is made of them;  convertusing.go  texts in other character sets
//	jsonread.go, document.go  texts read as documents;  sizes.go  how large a value is;  errors.go
//	extreme.go, merge.go, elt.go  one of several values;  member.go  ENUM and SET as texts;  value.go, diagnostic.go, kepttext.go
package operand
