package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// createTable reads CREATE TABLE behind the word CREATE.
func (p *parser) createTable(start uint32) *ast.CreateTable {
	c := &ast.CreateTable{}
	switch {
	case p.accept(token.TEMPORARY):
		c.Temporary = true
	case p.accept(token.EXTERNAL):
		c.External = true
	}
	p.expect(token.TABLE)
	c.IfNotExists = p.ifNotExists()
	c.Name = p.tableName()
	switch {
	case p.is(token.LIKE):
		c.Like = p.likeTable()
	case p.isTwo('(', token.LIKE):
		p.next()
		c.Like, c.LikeParens = p.likeTable(), true
		p.expect(')')
	default:
		p.tableBody(c)
	}
	c.Span = p.from(start)
	return c
}

func (p *parser) likeTable() *ast.TableName {
	p.expect(token.LIKE)
	t := p.tableName()
	return &t
}

// tableBody reads elements, options, partitions and the query, each of which may be absent.
func (p *parser) tableBody(c *ast.CreateTable) {
	if p.is('(') && !p.startsQueryAhead() {
		c.Elements = inParens(p, func() []ast.TableElement { return list(p, p.tableElement) })
	}
	c.Options = p.tableOptions()
	if p.is(token.PARTITION) {
		c.Partition = p.partitionBy()
	}
	switch {
	case p.accept(token.IGNORE):
		c.Duplicates = ast.IgnoreDuplicates
	case p.accept(token.REPLACE):
		c.Duplicates = ast.ReplaceDuplicates
	}
	c.As = p.accept(token.AS)
	if c.As || c.Duplicates != ast.FailDuplicates || p.startsQuery() {
		c.Query = p.query()
	}
}

// startsQuery reports whether the current token starts a query.
func (p *parser) startsQuery() bool {
	return p.oneOf('(', token.SELECT, token.WITH, token.VALUES, token.TABLE)
}

// startsQueryAhead reports whether the token behind the current one starts a query.
func (p *parser) startsQueryAhead() bool {
	switch p.peek() {
	case '(', token.SELECT, token.WITH, token.VALUES, token.TABLE:
		return true
	}
	return false
}

// ifNotExists reads IF NOT EXISTS.
func (p *parser) ifNotExists() bool {
	if !p.is(token.IF) {
		return false
	}
	p.next()
	if !p.acceptNot() {
		p.fail()
	}
	p.expect(token.EXISTS)
	return true
}

// ifExists reads IF EXISTS.
func (p *parser) ifExists() bool {
	if !p.accept(token.IF) {
		return false
	}
	p.expect(token.EXISTS)
	return true
}

// dropTable reads DROP [TEMPORARY] TABLE behind the word DROP.
func (p *parser) dropTable(start uint32) *ast.DropTable {
	d := &ast.DropTable{Temporary: p.accept(token.TEMPORARY)}
	p.tableWord()
	d.IfExists = p.ifExists()
	d.Tables = list(p, p.tableName)
	d.Behavior = p.dropBehavior()
	d.Span = p.from(start)
	return d
}

// tableWord reads TABLE or TABLES.
func (p *parser) tableWord() {
	if !p.accept(token.TABLES) {
		p.expect(token.TABLE)
	}
}

func (p *parser) dropBehavior() ast.DropBehavior {
	switch {
	case p.accept(token.RESTRICT):
		return ast.DropRestrict
	case p.accept(token.CASCADE):
		return ast.DropCascade
	}
	return ast.NoBehavior
}

// renameStatement reads RENAME TABLE and RENAME USER.
func (p *parser) renameStatement() ast.Statement {
	start := p.tok.From
	p.next()
	if p.is(token.USER) {
		return p.renameUser(start)
	}
	p.tableWord()
	r := &ast.RenameTable{Renames: list(p, p.rename)}
	r.Span = p.from(start)
	return r
}

func (p *parser) rename() ast.Rename {
	r := ast.Rename{From: p.tableName()}
	p.expect(token.TO)
	r.To = p.tableName()
	r.Span = p.from(r.From.Span.From)
	return r
}

// truncateTable reads TRUNCATE [TABLE] table.
func (p *parser) truncateTable() *ast.TruncateTable {
	start := p.tok.From
	p.next()
	p.accept(token.TABLE)
	t := &ast.TruncateTable{Table: p.tableName()}
	t.Span = p.from(start)
	return t
}

// importTable reads IMPORT TABLE FROM files.
func (p *parser) importTable() *ast.ImportTable {
	start := p.tok.From
	p.next()
	p.expect(token.TABLE, token.FROM)
	t := &ast.ImportTable{Files: list(p, p.stringLiteral)}
	t.Span = p.from(start)
	return t
}
