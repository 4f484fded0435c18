package parse

import (
	"strings"

	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// load reads LOAD DATA, LOAD XML or LOAD INDEX.
func (p *parser) load() ast.Statement {
	n := &ast.Load{Span: p.tok.Span}
	p.next()
	if p.is(token.INDEX) {
		return p.loadIndex(n.From)
	}
	if n.XML = p.accept(token.XML); !n.XML {
		p.expect(token.DATA)
	}
	switch {
	case p.accept(token.LOW_PRIORITY):
		n.Priority = ast.LowPriority
	case p.accept(token.CONCURRENT):
		n.Priority = ast.Concurrent
	}
	p.accept(token.FROM)
	n.Local = p.accept(token.LOCAL)
	p.loadSource(n)
	p.loadTable(n)
	p.loadRows(n)
	p.loadBulk(n)
	n.To = p.end
	return n
}

// loadSource reads which files to load.
func (p *parser) loadSource(n *ast.Load) {
	switch {
	case p.accept(token.URL), p.accept(token.URI):
		n.Source = ast.LoadURL
	case p.accept(token.S3):
		n.Source = ast.LoadS3
	default:
		p.expect(token.INFILE)
	}
	n.File = p.stringLiteral()
	if p.oneOf(token.Ident, token.QuotedIdent) {
		word := p.take()
		p.failIf(!p.is(token.Int))
		if n.Files = p.numberLiteral(); !strings.EqualFold(word.Name, "count") {
			p.failNear(word.Pos(), "COUNT expected")
		}
	}
	if p.accept(token.IN) {
		p.expect(token.PRIMARY, token.KEY, token.ORDER)
		n.KeyOrder = true
	}
	switch {
	case p.accept(token.REPLACE):
		n.Conflict = ast.LoadReplaces
	case p.accept(token.IGNORE):
		n.Conflict = ast.LoadIgnores
	}
}

// loadTable reads the table and the form of the files.
func (p *parser) loadTable(n *ast.Load) {
	p.expect(token.INTO, token.TABLE)
	n.Table = p.tableName()
	n.Partitions = p.usePartitions()
	if p.accept(token.COMPRESSION) {
		p.expect('=')
		n.Compression = p.stringLiteral()
	}
	if p.acceptCharset() {
		n.Charset = p.charsetName()
	}
	if p.accept(token.ROWS) {
		p.expect(token.IDENTIFIED, token.BY)
		n.RowTag = p.textString()
	}
	n.Fields, n.Lines = p.fileFormat()
	if p.accept(token.IGNORE) {
		p.failIf(!p.is(token.Int))
		n.Skip = p.numberLiteral()
		if !p.accept(token.LINES) {
			p.expect(token.ROWS)
		}
	}
}

// loadRows reads where the fields of a row go.
func (p *parser) loadRows(n *ast.Load) {
	if p.accept('(') {
		n.HasColumns = true
		if !p.is(')') {
			n.Columns = list(p, p.loadColumn)
		}
		p.expect(')')
	}
	if p.accept(token.SET) {
		n.Set = list(p, p.assign)
	}
}

func (p *parser) loadColumn() ast.Expr {
	if p.is('@') {
		return p.userVar()
	}
	return p.column()
}

// loadBulk reads the options of a bulk load.
func (p *parser) loadBulk(n *ast.Load) {
	if p.accept(token.PARALLEL) {
		p.expect('=')
		p.failIf(!p.is(token.Int))
		n.Parallel = p.numberLiteral()
	}
	if p.accept(token.MEMORY) {
		p.expect('=')
		n.Memory = p.size()
	}
	if p.accept(token.ALGORITHM) {
		p.expect('=', token.BULK)
		n.Bulk = true
	}
}
