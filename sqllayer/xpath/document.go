package xpath

import (
	"fmt"
	"strings"
)

// Kind is what a node is.
type Kind uint8

// The kinds of nodes.
const (
	Element Kind = iota // the whole fragment is one, too
	Attribute
	Text
)

// node is a part of a fragment.
type node struct {
	kind   Kind
	parent int32
	last   int32 // the last node below it, or itself
	name   string
	from   int // in the text, with tags
	to     int
}

// Document is a fragment of XML.
type Document struct {
	text  string
	nodes []node
}

// Span tells where a node is in the text.
func (d *Document) Span(n int32) (from, to int) { return d.nodes[n].from, d.nodes[n].to }

// builder makes a document.
type builder struct {
	Document
	scanner
	open int32 // the element that is open
}

// Parse reads a fragment. The error says where and why it is none, in MySQL's words.
func Parse(text string) (*Document, error) {
	b := &builder{scanner: scanner{text: text}}
	b.Document.text = text
	b.nodes = []node{{kind: Element, parent: -1, to: len(text)}}
	for b.at < len(text) {
		if text[b.at] != '<' {
			b.plain()
		} else if err := b.markup(); err != nil {
			return nil, err
		}
	}
	if b.open != 0 {
		return nil, b.fail("unexpected END-OF-INPUT")
	}
	b.nodes[0].last = int32(len(b.nodes) - 1)
	return &b.Document, nil
}

// plain reads text up to the next tag.
func (b *builder) plain() {
	from := b.at
	if b.at = len(b.scanner.text); strings.IndexByte(b.scanner.text[from:], '<') >= 0 {
		b.at = from + strings.IndexByte(b.scanner.text[from:], '<')
	}
	b.add(Text, "", from, b.at)
}

// markup reads what begins with <.
func (b *builder) markup() error {
	switch b.next() {
	case comment:
		return nil
	case cdata:
		text := b.scanner.text[b.from:b.at]
		if !strings.HasSuffix(text, "]]>") || len(text) < len("<![CDATA[]]>") {
			b.at = len(b.scanner.text)
			return b.fail("unexpected END-OF-INPUT")
		}
		b.add(Text, "", b.from+len("<![CDATA["), b.at-len("]]>"))
		return nil
	}
	from, sign := b.from, kind(0)
	switch b.next() {
	case '/':
		if b.next() != identifier {
			return b.wanted("ident")
		}
		if err := b.close(b.scanner.text[b.from:b.at]); err != nil {
			return err
		}
		b.next()
		return b.finish()
	case '?', '!':
		sign = b.kind
		b.next()
	}
	if b.kind != identifier {
		return b.wanted("ident or '/'")
	}
	name := b.scanner.text[b.from:b.at]
	if sign == 0 {
		b.open = b.add(Element, name, from, b.at)
	}
	b.next()
	if err := b.attributes(sign); err != nil {
		return err
	}
	switch {
	case sign == '?':
		if b.kind != '?' {
			return b.wanted("'?'")
		}
		b.next()
	case sign == 0 && b.kind == '/':
		if err := b.close(name); err != nil {
			return err
		}
		b.next()
	}
	return b.finish()
}

// attributes reads the attributes of a tag, up to the token behind them.
func (b *builder) attributes(sign kind) error {
	for b.kind == identifier || sign == '!' && b.kind == quoted {
		name, from := b.scanner.text[b.from:b.at], b.from
		value, to, assigned := "", b.at, false
		if b.next() == '=' {
			if b.next() != identifier && b.kind != quoted {
				return b.wanted("ident or string")
			}
			value, to, assigned = b.scanner.text[b.from:b.at], b.at, true
			b.next()
		} else if b.kind == identifier { // a name without a value takes the next one with it
			to, assigned = b.at, true
			b.next()
		}
		if assigned && sign == 0 {
			b.attribute(name, value, from, to)
		}
	}
	return nil
}

// attribute adds an attribute and the text of its value.
func (b *builder) attribute(name, value string, from, to int) {
	at := b.add(Attribute, name, from, to)
	if value == "" {
		return
	}
	begin := to - len(value)
	if value[0] == '"' || value[0] == '\'' {
		begin++
		if to-1 >= begin && b.scanner.text[to-1] == value[0] {
			to--
		}
	}
	element := b.open
	b.open = at
	b.add(Text, "", begin, to)
	b.open = element
	b.nodes[at].last = int32(len(b.nodes) - 1)
}

// finish reads the > of a tag.
func (b *builder) finish() error {
	if b.kind != '>' {
		return b.wanted("'>'")
	}
	return nil
}

// close ends the element that is open, whatever its name.
func (b *builder) close(name string) error {
	if b.open == 0 {
		return b.fail("'</" + name + ">' unexpected (END-OF-INPUT wanted)")
	}
	n := &b.nodes[b.open]
	n.last, n.to = int32(len(b.nodes)-1), min(b.at+1, len(b.scanner.text))
	b.open = n.parent
	return nil
}

// add adds a node below the element that is open. Texts of no length are none, but for attributes.
func (b *builder) add(k Kind, name string, from, to int) int32 {
	if k == Text && from == to && b.nodes[b.open].kind != Attribute {
		return 0
	}
	n := int32(len(b.nodes))
	b.nodes = append(b.nodes, node{kind: k, parent: b.open, last: n, name: name, from: from, to: to})
	return n
}

func (b *builder) wanted(what string) error {
	return b.fail(b.found() + " unexpected (" + what + " wanted)")
}

// fail is the error at the place behind the token. A line begins with its line feed, but for the
// first.
func (b *builder) fail(why string) error {
	before := b.scanner.text[:b.at]
	return fmt.Errorf("parse error at line %d pos %d: %s", 1+strings.Count(before, "\n"), b.at-max(strings.LastIndexByte(before, '\n'), 0)+1, why)
}
