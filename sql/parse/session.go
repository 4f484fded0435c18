package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// prepare reads PREPARE name FROM text.
func (p *parser) prepare() ast.Statement {
	n := &ast.Prepare{Span: p.tok.Span}
	p.next()
	n.Name = p.ident()
	p.expect(token.FROM)
	if p.is('@') {
		n.From = p.userVar()
	} else {
		n.From = p.stringLiteral()
	}
	n.To = p.end
	return n
}

func (p *parser) execute() ast.Statement {
	n := &ast.Execute{Span: p.tok.Span}
	p.next()
	n.Name = p.ident()
	if p.accept(token.USING) {
		n.Vars = list(p, p.userVar)
	}
	n.To = p.end
	return n
}

// deallocate reads PREPARE name behind DEALLOCATE or DROP.
func (p *parser) deallocate(start uint32) ast.Statement {
	p.expect(token.PREPARE)
	n := &ast.Deallocate{Name: p.ident()}
	n.Span = p.from(start)
	return n
}
