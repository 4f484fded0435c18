package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// account reads 'user'@'host', a user without host, or CURRENT_USER.
func (p *parser) account() *ast.Account {
	a := &ast.Account{}
	start := p.tok.From
	if p.accept(token.CURRENT_USER) {
		a.Current = true
		if p.accept('(') {
			p.expect(')')
		}
	} else {
		a.User = p.textName()
		if p.accept('@') {
			a.Host = p.textName()
		}
	}
	a.Span = p.from(start)
	return a
}

// definer reads [DEFINER = account].
func (p *parser) definer() *ast.Account {
	if !p.accept(token.DEFINER) {
		return nil
	}
	p.expect('=')
	return p.account()
}
