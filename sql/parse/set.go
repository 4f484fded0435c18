package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// set reads SET in all its forms.
func (p *parser) set() ast.Statement {
	start := p.tok.From
	p.next()
	if s := p.setAccount(start); s != nil {
		return s
	}
	scope := p.scopeWord()
	if p.is(token.TRANSACTION) && (p.peek() == token.READ || p.peek() == token.ISOLATION) {
		return p.setTransaction(start, scope)
	}
	n := &ast.Set{Items: []ast.SetItem{p.setItem(scope)}}
	for p.accept(',') {
		n.Items = append(n.Items, p.setItem(p.scopeWord()))
	}
	n.Span = p.from(start)
	return n
}

// scopeWord reads an optional GLOBAL, SESSION, LOCAL, PERSIST or PERSIST_ONLY.
func (p *parser) scopeWord() ast.Scope {
	scope := ast.NoScope
	switch p.tok.Kind {
	case token.GLOBAL:
		scope = ast.GlobalScope
	case token.SESSION:
		scope = ast.SessionScope
	case token.LOCAL:
		scope = ast.LocalScope
	case token.PERSIST:
		scope = ast.PersistScope
	case token.PERSIST_ONLY:
		scope = ast.PersistOnlyScope
	default:
		return scope
	}
	p.next()
	return scope
}

// setItem reads one assignment behind its scope.
func (p *parser) setItem(scope ast.Scope) ast.SetItem {
	start := p.tok.From
	if scope == ast.NoScope {
		switch {
		case p.is('@') && p.peek() != '@':
			v := &ast.SetUserVar{Var: p.userVar()}
			p.assignSign()
			v.Value = p.expr()
			v.Span = p.from(start)
			return v
		case p.is('@'):
			v := &ast.SetVariable{At: true}
			p.expect('@', '@')
			if v.Scope = p.scopeWord(); v.Scope != ast.NoScope {
				p.expect('.')
			}
			p.setVariable(v, true)
			v.Span = p.from(start)
			return v
		case p.is(token.NAMES) && p.peek() != '.':
			return p.setNames()
		case p.is(token.CHAR), p.is(token.CHARSET) && p.peek() != '=' && p.peek() != token.Assign && p.peek() != '.':
			return p.setCharset()
		}
	}
	v := &ast.SetVariable{Scope: scope}
	p.setVariable(v, false)
	v.Span = p.from(start)
	return v
}

// setVariable reads the name and the value of a variable. Behind @@ any identifier is a name.
func (p *parser) setVariable(v *ast.SetVariable, at bool) {
	switch {
	case p.is(token.DEFAULT):
		v.Default = p.take()
		p.expect('.')
		v.Name = p.ident()
	case at || p.tok.Kind.IsVariable() || p.isTwo(token.NAMES, '.') || p.isTwo(token.PASSWORD, '.'):
		if v.Name = p.ident(); p.accept('.') {
			v.Component, v.Name = v.Name, p.ident()
			p.checkComponent(v.Component)
		}
	default:
		p.fail()
	}
	p.assignSign()
	switch p.tok.Kind {
	case token.DEFAULT:
		p.failIf(p.trigger && isRowOfTrigger(v.Component.Name))
		v.Value = p.valueOrDefault()
	case token.ON, token.ALL, token.SYSTEM:
		v.Value = p.wordValue()
	case token.BINARY, token.ROW:
		switch p.peek() {
		case token.EOF, ',', ';':
			v.Value = p.wordValue()
			return
		}
		v.Value = p.expr()
	default:
		v.Value = p.expr()
	}
}

func (p *parser) wordValue() ast.Expr {
	w := &ast.WordValue{Span: p.tok.Span, Word: p.tok.Kind.String()}
	p.next()
	return w
}

func (p *parser) setNames() ast.SetItem {
	n := &ast.SetNames{Span: p.tok.Span}
	p.next()
	if at := p.tok.Pos(); p.accept('=') || p.accept(token.Assign) {
		p.expr()
		p.failAt(at)
	}
	if !p.accept(token.DEFAULT) {
		n.Charset = p.charsetName()
		if p.accept(token.COLLATE) {
			n.Collation = p.collationName()
		}
	}
	n.To = p.end
	return n
}

func (p *parser) setCharset() ast.SetItem {
	n := &ast.SetCharset{Span: p.tok.Span}
	if !p.accept(token.CHARSET) {
		p.expect(token.CHAR, token.SET)
	}
	if !p.accept(token.DEFAULT) {
		n.Charset = p.characterSet()
	}
	n.To = p.end
	return n
}

// setTransaction reads the characteristics of transactions: an isolation level and an access mode,
// each at most once.
func (p *parser) setTransaction(start uint32, scope ast.Scope) ast.Statement {
	n := &ast.SetTransaction{Scope: scope}
	p.next()
	p.transactionPart(n)
	if p.accept(',') {
		p.transactionPart(n)
	}
	n.Span = p.from(start)
	return n
}

func (p *parser) transactionPart(n *ast.SetTransaction) {
	switch {
	case n.Access == ast.NoAccessMode && p.is(token.READ):
		n.Access = p.accessMode()
	case n.Isolation == ast.NoIsolation:
		p.expect(token.ISOLATION, token.LEVEL)
		n.Isolation = p.isolation()
	default:
		p.fail()
	}
}

// accessMode reads READ ONLY or READ WRITE.
func (p *parser) accessMode() ast.AccessMode {
	p.expect(token.READ)
	if p.accept(token.ONLY) {
		return ast.ReadOnly
	}
	p.expect(token.WRITE)
	return ast.ReadWrite
}

func (p *parser) isolation() ast.Isolation {
	switch {
	case p.accept(token.SERIALIZABLE):
		return ast.Serializable
	case p.accept(token.REPEATABLE):
		p.expect(token.READ)
		return ast.RepeatableRead
	}
	p.expect(token.READ)
	if p.accept(token.COMMITTED) {
		return ast.ReadCommitted
	}
	p.expect(token.UNCOMMITTED)
	return ast.ReadUncommitted
}
