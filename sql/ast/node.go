package ast

import (
	"unicode/utf8"

	"emberdb/sql/token"
)

// Span is the part of the text that a node was read from.
type Span = token.Span

// Node is any part of a statement.
type Node interface {
	// Pos and End bound the node's text.
	Pos() int
	End() int

	walk(f func(Node) bool)
	print(p *printer)
}

// Statement is a node that can stand alone.
type Statement interface {
	Node
	statement()
}

// Ident is a name. The zero Ident says that an optional name is absent; a name that is given may
// still be empty, since “ is one.
type Ident struct {
	Span
	Name string
}

// CutName is a name without the characters behind its first most bytes.
func CutName(name string, most int) string {
	if len(name) <= most {
		return name
	}
	for !utf8.RuneStart(name[most]) {
		most--
	}
	return name[:most]
}

// TableName names a table, a view or another object of a schema.
type TableName struct {
	Span
	Schema, Name Ident
}

// Inspect calls f for n and, while f returns true, for everything below it, in the order of the
// text as far as the fields of a node follow it.
func Inspect(n Node, f func(Node) bool) {
	if n != nil && f(n) {
		n.walk(f)
	}
}

// inspectValues calls Inspect for each element of a list of nodes by value that is given.
func inspectValues[T any, P interface {
	*T
	Node
	Given() bool
}](list []T, f func(Node) bool) {
	for i := range list {
		if n := P(&list[i]); n.Given() {
			Inspect(n, f)
		}
	}
}

// inspectList calls Inspect for each element of a list of interfaces.
func inspectList[T Node](list []T, f func(Node) bool) {
	for _, n := range list {
		Inspect(n, f)
	}
}
