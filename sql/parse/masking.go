package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// maskingPolicy reads CREATE MASKING POLICY behind the word CREATE.
func (p *parser) maskingPolicy(start uint32) *ast.CreateMaskingPolicy {
	p.expect(token.MASKING, token.POLICY)
	m := &ast.CreateMaskingPolicy{IfNotExists: p.ifNotExists()}
	m.Name = p.ident()
	m.Column = inParens(p, p.ident)
	m.X = p.expr()
	m.Span = p.from(start)
	return m
}

// dropMaskingPolicy reads DROP MASKING POLICY behind the word DROP.
func (p *parser) dropMaskingPolicy(start uint32) *ast.DropMaskingPolicy {
	p.expect(token.MASKING, token.POLICY)
	m := &ast.DropMaskingPolicy{IfExists: p.ifExists()}
	m.Name = p.ident()
	m.Span = p.from(start)
	return m
}
