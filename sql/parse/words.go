package parse

import "strings"

// namedAction reads an identifier that is one of a few names which are no keywords.
func namedAction[T any](p *parser, names map[string]T) T {
	at := p.tok
	v, ok := names[strings.ToUpper(p.ident().Name)]
	if !ok {
		p.failAt(at.Pos())
	}
	return v
}
