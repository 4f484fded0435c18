package ast

import (
	"strings"

	"emberdb/sql/token"
)

// Options say how to print.
type Options struct {
	Mode      token.Mode     // the text is to be read under this mode
	Charset   *token.Charset // of the tree's names and strings; nil means utf8mb4
	Canonical bool           // as MySQL stores and shows definitions: small words, every operator in parentheses
	// Blocks are numbers of query blocks, which canonical text writes before them as EXPLAIN does.
	Blocks map[*Select]int
	Bare   bool // columns stand without their tables, as in the definition of one
}

// Print returns n as text. Without Canonical the text reads back to an equal tree.
func Print(n Node, o Options) string {
	if o.Charset == nil {
		o.Charset = token.UTF8MB4
	}
	p := printer{Options: o}
	n.print(&p)
	return string(p.buf)
}

// printer collects the text of nodes. The print methods of nodes call put for what they are made
// of.
type printer struct {
	Options
	buf []byte
}

// put appends its arguments: strings are words and punctuation, which Canonical makes small; other
// values print themselves. An expression among them needs no parentheses; operands go through
// operand.
func (p *printer) put(parts ...any) {
	for _, part := range parts {
		switch x := part.(type) {
		case string:
			p.word(x)
		case Ident:
			p.ident(x)
		case Node:
			x.print(p)
		}
	}
}

func (p *printer) word(s string) {
	if !p.Canonical {
		p.buf = append(p.buf, s...)
		return
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		p.buf = append(p.buf, c)
	}
}

func (p *printer) raw(s string) { p.buf = append(p.buf, s...) }

// ident appends a name in quotes. One with a zero byte was read from a string, since no identifier
// can hold one.
func (p *printer) ident(x Ident) {
	if strings.IndexByte(x.Name, 0) >= 0 {
		p.buf = token.AppendString(p.buf, x.Name, p.Mode, p.Charset)
		return
	}
	p.buf = token.AppendIdent(p.buf, x.Name, p.Charset)
}

func (p *printer) str(s string) {
	if p.Canonical {
		p.canonicalString(s)
		return
	}
	p.buf = token.AppendString(p.buf, s, p.Mode, p.Charset)
}

// when appends a part that an option asks for.
func (p *printer) when(ok bool, parts ...any) {
	if ok {
		p.put(parts...)
	}
}

// dotted appends names with dots between those that are given.
func (p *printer) dotted(names ...Ident) {
	first := true
	for _, x := range names {
		if !x.Given() {
			continue
		}
		if !first {
			p.raw(".")
		}
		first = false
		p.ident(x)
	}
}

// idents appends names with commas between.
func (p *printer) idents(names []Ident) {
	for i, x := range names {
		p.comma(i)
		p.ident(x)
	}
}

// comma appends a comma before all elements of a list but the first.
func (p *printer) comma(i int) {
	switch {
	case i == 0:
	case p.Canonical:
		p.raw(",")
	default:
		p.raw(", ")
	}
}

// printList appends the elements of a list with commas between.
func printList[T Node](p *printer, list []T) {
	for i, x := range list {
		p.comma(i)
		x.print(p)
	}
}

// printValues does so for a list of nodes by value.
func printValues[T any, P interface {
	*T
	Node
}](p *printer, list []T) {
	for i := range list {
		p.comma(i)
		P(&list[i]).print(p)
	}
}

func (n *Ident) print(p *printer)     { p.ident(*n) }
func (n *TableName) print(p *printer) { p.dotted(n.Schema, n.Name) }
