package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// createDatabase reads CREATE DATABASE behind the word CREATE.
func (p *parser) createDatabase(start uint32) *ast.CreateDatabase {
	p.next()
	c := &ast.CreateDatabase{IfNotExists: p.ifNotExists()}
	c.Name = p.schemaName()
	c.Options = p.databaseOptions(false)
	c.Span = p.from(start)
	return c
}

// alterDatabase reads ALTER DATABASE behind the word ALTER.
func (p *parser) alterDatabase(start uint32) *ast.AlterDatabase {
	p.next()
	a := &ast.AlterDatabase{}
	if !p.startsDatabaseOption(true) {
		a.Name = p.schemaName()
	}
	a.Options = p.databaseOptions(true)
	p.failIf(len(a.Options) == 0)
	a.Span = p.from(start)
	return a
}

func (p *parser) startsDatabaseOption(alter bool) bool {
	switch p.tok.Kind {
	case token.DEFAULT, token.COLLATE, token.CHAR:
		return true
	case token.CHARSET, token.ENCRYPTION:
		return p.peek() != token.EOF && p.peek() != ';'
	case token.READ:
		return alter
	}
	return false
}

func (p *parser) databaseOptions(alter bool) []ast.DatabaseOption {
	var out []ast.DatabaseOption
	for p.startsDatabaseOption(alter) {
		out = append(out, p.databaseOption())
	}
	return out
}

func (p *parser) databaseOption() ast.DatabaseOption {
	o := ast.DatabaseOption{}
	start := p.tok.From
	o.Default = p.accept(token.DEFAULT)
	switch {
	case p.accept(token.COLLATE):
		p.acceptEqual()
		o.Kind, o.Name = ast.DatabaseCollate, p.collationName()
	case p.accept(token.ENCRYPTION):
		p.acceptEqual()
		o.Kind, o.Text = ast.DatabaseEncryption, p.stringLiteral()
	case !o.Default && p.accept(token.READ):
		p.expect(token.ONLY)
		p.acceptEqual()
		o.Kind = ast.DatabaseReadOnly
		o.Number, o.IsDefault = p.ternary()
	case p.acceptCharset():
		p.acceptEqual()
		o.Name = p.charsetName()
	default:
		p.fail()
	}
	o.Span = p.from(start)
	return o
}

// dropDatabase reads DROP DATABASE behind the word DROP.
func (p *parser) dropDatabase(start uint32) *ast.DropDatabase {
	p.next()
	d := &ast.DropDatabase{IfExists: p.ifExists()}
	d.Name = p.schemaName()
	d.Span = p.from(start)
	return d
}
