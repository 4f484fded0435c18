package parse

import (
	"strings"

	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// createServer reads CREATE SERVER and ALTER SERVER behind the first word.
func (p *parser) createServer(start uint32, alter bool) *ast.CreateServer {
	p.next()
	s := &ast.CreateServer{Alter: alter, Name: p.textName()}
	if !alter {
		p.expect(token.FOREIGN, token.DATA, token.WRAPPER)
		s.Wrapper = p.textName()
	}
	p.expect(token.OPTIONS)
	s.Options = inParens(p, func() []ast.ServerOption { return list(p, p.serverOption) })
	s.Span = p.from(start)
	return s
}

var serverOptions = map[token.Kind]ast.ServerOptionKind{token.USER: ast.ServerUser, token.HOST: ast.ServerHost,
	token.DATABASE: ast.ServerDatabase, token.OWNER: ast.ServerOwner, token.PASSWORD: ast.ServerPassword,
	token.SOCKET: ast.ServerSocket, token.PORT: ast.ServerPort}

func (p *parser) serverOption() ast.ServerOption {
	start := p.tok.From
	kind, ok := serverOptions[p.tok.Kind]
	if !ok {
		p.fail()
	}
	p.next()
	o := ast.ServerOption{Kind: kind}
	if kind == ast.ServerPort {
		o.Number = p.smallNumber()
	} else {
		o.Text = p.stringLiteral()
	}
	o.Span = p.from(start)
	return o
}

// dropServer reads DROP SERVER behind the word DROP.
func (p *parser) dropServer(start uint32) *ast.DropServer {
	p.next()
	d := &ast.DropServer{IfExists: p.ifExists()}
	d.Name = p.textName()
	d.Span = p.from(start)
	return d
}

// createReferenceSystem reads CREATE SPATIAL REFERENCE SYSTEM from SPATIAL on.
func (p *parser) createReferenceSystem(start uint32, orReplace bool) *ast.CreateReferenceSystem {
	c := &ast.CreateReferenceSystem{OrReplace: orReplace}
	p.expect(token.SPATIAL, token.REFERENCE, token.SYSTEM)
	if !orReplace {
		c.IfNotExists = p.ifNotExists()
	}
	c.SRID = p.wholeNumber()
	for {
		a, ok := p.referenceAttribute()
		if !ok {
			break
		}
		c.Attributes = append(c.Attributes, a)
	}
	c.Span = p.from(start)
	return c
}

func (p *parser) referenceAttribute() (a ast.ReferenceAttribute, ok bool) {
	start := p.tok.From
	switch {
	case p.accept(token.NAME):
		a.Kind = ast.ReferenceName
	case p.accept(token.DEFINITION):
		a.Kind = ast.ReferenceDefinition
	case p.accept(token.DESCRIPTION):
		a.Kind = ast.ReferenceDescription
	case p.accept(token.ORGANIZATION):
		a.Kind = ast.ReferenceOrganization
	default:
		return a, false
	}
	a.Text = p.stringLiteral()
	if a.Kind == ast.ReferenceOrganization {
		p.expect(token.IDENTIFIED, token.BY)
		a.ID = p.wholeNumber()
	}
	a.Span = p.from(start)
	return a, true
}

// dropReferenceSystem reads DROP SPATIAL REFERENCE SYSTEM behind the word DROP.
func (p *parser) dropReferenceSystem(start uint32) *ast.DropReferenceSystem {
	p.expect(token.SPATIAL, token.REFERENCE, token.SYSTEM)
	d := &ast.DropReferenceSystem{IfExists: p.ifExists()}
	d.SRID = p.wholeNumber()
	d.Span = p.from(start)
	return d
}

// resourceGroup reads CREATE, ALTER and DROP RESOURCE GROUP behind the first word.
func (p *parser) resourceGroup(start uint32, verb ast.ObjectVerb) *ast.ResourceGroup {
	p.expect(token.RESOURCE, token.GROUP)
	g := &ast.ResourceGroup{Verb: verb, Name: p.ident()}
	if verb == ast.CreateObject {
		p.expect(token.TYPE)
		p.acceptEqual()
		if g.System = p.accept(token.SYSTEM); !g.System {
			p.expect(token.USER)
		}
	}
	if verb != ast.DropObjectVerb {
		p.resourceOptions(g)
	}
	if verb != ast.CreateObject {
		g.Force = p.accept(token.FORCE)
	}
	g.Span = p.from(start)
	return g
}

func (p *parser) resourceOptions(g *ast.ResourceGroup) {
	if p.accept(token.VCPU) {
		p.acceptEqual()
		g.CPUs = []ast.CPURange{p.cpuRange()}
		for p.accept(',') || p.is(token.Int) {
			g.CPUs = append(g.CPUs, p.cpuRange())
		}
	}
	if p.accept(token.THREAD_PRIORITY) {
		p.acceptEqual()
		g.Priority = p.signedInteger()
	}
	switch {
	case p.accept(token.ENABLE):
		g.State = ast.GroupEnabled
	case p.accept(token.DISABLE):
		g.State = ast.GroupDisabled
	}
}

func (p *parser) cpuRange() ast.CPURange {
	r := ast.CPURange{}
	start := p.tok.From
	r.First = p.numberOf(token.Int)
	if p.accept('-') {
		r.Last = p.numberOf(token.Int)
	}
	r.Span = p.from(start)
	return r
}

// signedInteger reads an integer with a sign.
func (p *parser) signedInteger() *ast.Literal {
	start := p.tok.From
	negative := p.accept('-')
	l := &ast.Literal{Kind: ast.IntLiteral, Text: p.numberOf(token.Int)}
	if negative {
		l.Text = "-" + l.Text
	}
	l.Span = p.from(start)
	return l
}

// setResourceGroup reads SET RESOURCE GROUP behind the word SET.
func (p *parser) setResourceGroup(start uint32) *ast.SetResourceGroup {
	p.expect(token.RESOURCE, token.GROUP)
	s := &ast.SetResourceGroup{Name: p.ident()}
	if p.accept(token.FOR) {
		s.Threads = []string{p.wholeNumber()}
		for p.accept(',') || p.oneOf(token.Int, token.HexNum) {
			s.Threads = append(s.Threads, p.wholeNumber())
		}
	}
	s.Span = p.from(start)
	return s
}

// alterInstance reads ALTER INSTANCE behind the word ALTER.
func (p *parser) alterInstance(start uint32) *ast.AlterInstance {
	p.next()
	a := &ast.AlterInstance{}
	switch {
	case p.accept(token.ROTATE):
		what := p.ident()
		p.expect(token.MASTER, token.KEY)
		if a.Kind = ast.RotateInnodbKey; strings.EqualFold(what.Name, "binlog") {
			a.Kind = ast.RotateBinlogKey
		} else {
			p.failUnless(what, "innodb")
		}
	case p.oneOf(token.ENABLE, token.DISABLE):
		if a.Kind = ast.EnableRedoLog; p.is(token.DISABLE) {
			a.Kind = ast.DisableRedoLog
		}
		p.next()
		engine, what := p.ident(), p.ident()
		p.failUnless(engine, "innodb")
		p.failUnless(what, "redo_log")
	default:
		p.expect(token.RELOAD)
		p.reloadInstance(a)
	}
	a.Span = p.from(start)
	return a
}

// failUnless ends the parse with the syntax error at a name that is not the word.
func (p *parser) failUnless(name ast.Ident, word string) {
	if !strings.EqualFold(name.Name, word) {
		p.failAt(name.Pos())
	}
}

func (p *parser) reloadInstance(a *ast.AlterInstance) {
	if p.accept(token.KEYRING) {
		a.Kind = ast.ReloadKeyring
		return
	}
	p.expect(token.TLS)
	a.Kind = ast.ReloadTLS
	if p.accept(token.FOR) {
		p.expect(token.CHANNEL)
		a.Channel = p.ident()
	}
	if p.accept(token.NO) {
		p.expect(token.ROLLBACK, token.ON, token.ERROR)
		a.NoRollback = true
	}
}
