package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// tableElement reads a column, a key, a foreign key or a check.
func (p *parser) tableElement() ast.TableElement {
	if x := p.constraint(); x != nil {
		return x
	}
	return p.columnDef()
}

// constraint reads a key, a foreign key or a check, or returns nil when none follows.
func (p *parser) constraint() ast.TableElement {
	start := p.tok.From
	switch p.tok.Kind {
	case token.KEY, token.INDEX, token.FULLTEXT, token.SPATIAL:
		return p.key(start)
	case token.CONSTRAINT, token.PRIMARY, token.UNIQUE, token.FOREIGN, token.CHECK:
	default:
		return nil
	}
	given, name := p.constraintName()
	switch p.tok.Kind {
	case token.PRIMARY, token.UNIQUE:
		k := p.key(start)
		k.Constraint, k.Symbol = given, name
		return k
	case token.FOREIGN:
		return p.foreignKey(start, given, name)
	}
	c := &ast.Check{Constraint: given, Name: name}
	p.checkBody(c)
	c.Span = p.from(start)
	return c
}

// key reads a key of CREATE TABLE or ALTER TABLE that starts at start.
func (p *parser) key(start uint32) *ast.KeyDef {
	k := &ast.KeyDef{Kind: p.keyKind(true)}
	p.keyName(k)
	k.Parts = p.keyParts()
	k.Options = p.keyOptions(k.Kind)
	p.checkKeyOrder(k)
	k.Span = p.from(start)
	return k
}

// checkKeyOrder notes the error of a key without order whose parts name one.
func (p *parser) checkKeyOrder(k *ast.KeyDef) {
	using := k.Using
	for i := range k.Options {
		if k.Options[i].Kind == ast.KeyUsing {
			using = k.Options[i].Algorithm
		}
	}
	if k.Kind != ast.FulltextKey && k.Kind != ast.SpatialKey && using != ast.HashAlgorithm {
		return
	}
	for i := range k.Parts {
		if k.Parts[i].Direction != ast.NoDirection {
			p.wrongUsage("spatial/fulltext/hash index", "explicit index order")
		}
	}
}

// keyKind reads the words in front of a key's name. In CREATE INDEX the kind stands before the word
// INDEX.
func (p *parser) keyKind(optional bool) ast.KeyKind {
	kind := ast.PlainKey
	switch p.tok.Kind {
	case token.PRIMARY:
		p.next()
		p.expect(token.KEY)
		return ast.PrimaryKey
	case token.UNIQUE:
		kind = ast.UniqueKey
	case token.FULLTEXT:
		kind = ast.FulltextKey
	case token.SPATIAL:
		kind = ast.SpatialKey
	default:
		p.keyWord()
		return kind
	}
	p.next()
	if p.oneOf(token.KEY, token.INDEX) || !optional {
		p.keyWord()
	}
	return kind
}

// keyWord reads KEY or INDEX.
func (p *parser) keyWord() {
	if !p.oneOf(token.KEY, token.INDEX) {
		p.fail()
	}
	p.next()
}

// keyName reads the name of a key and the algorithm behind it; both may be absent.
func (p *parser) keyName(k *ast.KeyDef) {
	if p.tok.Kind.IsIdent() {
		k.Name = p.objectName()
	}
	if k.Kind == ast.FulltextKey || k.Kind == ast.SpatialKey {
		return
	}
	if p.is(token.USING) || k.Name.Given() && p.is(token.TYPE) {
		p.next()
		k.Using = p.keyAlgorithm()
	}
}

func (p *parser) keyAlgorithm() ast.KeyAlgorithm {
	switch {
	case p.accept(token.BTREE):
		return ast.BtreeAlgorithm
	case p.accept(token.RTREE):
		return ast.RtreeAlgorithm
	}
	p.expect(token.HASH)
	return ast.HashAlgorithm
}

// keyParts reads the parts of a key.
func (p *parser) keyParts() []ast.KeyPart {
	return inParens(p, func() []ast.KeyPart { return list(p, p.keyPart) })
}

func (p *parser) keyPart() ast.KeyPart {
	if !p.is('(') {
		return p.keyColumn()
	}
	k := ast.KeyPart{}
	start := p.tok.From
	k.X = inParens(p, p.expr)
	k.Direction = p.direction()
	k.Span = p.from(start)
	return k
}

// keyColumn reads a part of a key that is a column.
func (p *parser) keyColumn() ast.KeyPart {
	k := ast.KeyPart{Column: p.ident()}
	if p.accept('(') {
		p.failIf(!p.is(token.Int))
		k.Length = p.value()
		p.next()
		p.expect(')')
	}
	k.Direction = p.direction()
	k.Span = p.from(k.Column.From)
	return k
}

// keyOptions reads the options behind the parts of a key.
func (p *parser) keyOptions(kind ast.KeyKind) []ast.KeyOption {
	var out []ast.KeyOption
	for {
		start := p.tok.From
		o, ok := p.keyOption(kind)
		if !ok {
			return out
		}
		o.Span = p.from(start)
		out = append(out, o)
	}
}

func (p *parser) keyOption(kind ast.KeyKind) (o ast.KeyOption, ok bool) {
	switch p.tok.Kind {
	case token.USING, token.TYPE:
		if kind == ast.FulltextKey || kind == ast.SpatialKey {
			return o, false
		}
		p.next()
		o.Kind, o.Algorithm = ast.KeyUsing, p.keyAlgorithm()
	case token.WITH:
		if kind != ast.FulltextKey {
			return o, false
		}
		p.next()
		p.expect(token.PARSER)
		o.Kind, o.Parser = ast.KeyParser, p.ident()
	case token.KEY_BLOCK_SIZE:
		p.next()
		p.acceptEqual()
		o.Kind, o.Number = ast.KeyBlockSize, p.smallNumber()
	case token.COMMENT:
		p.next()
		o.Kind, o.Text = ast.KeyComment, p.stringLiteral()
	case token.VISIBLE:
		p.next()
		o.Kind = ast.KeyVisible
	case token.INVISIBLE:
		p.next()
		o.Kind = ast.KeyInvisible
	case token.ENGINE_ATTRIBUTE, token.SECONDARY_ENGINE_ATTRIBUTE:
		o.Kind = ast.KeyEngineAttribute
		if p.is(token.SECONDARY_ENGINE_ATTRIBUTE) {
			o.Kind = ast.KeySecondaryEngineAttribute
		}
		p.next()
		p.acceptEqual()
		o.Text = p.stringLiteral()
	default:
		return o, false
	}
	return o, true
}

// foreignKey reads FOREIGN KEY; the constraint's name is consumed.
func (p *parser) foreignKey(start uint32, given bool, symbol ast.Ident) *ast.ForeignKey {
	f := &ast.ForeignKey{Constraint: given, Symbol: symbol}
	p.expect(token.FOREIGN, token.KEY)
	if p.tok.Kind.IsIdent() {
		f.Name = p.ident()
	}
	f.Columns = inParens(p, func() []ast.KeyPart { return list(p, p.keyColumn) })
	f.References = p.references()
	f.Span = p.from(start)
	return f
}

// createIndex reads CREATE INDEX behind the word CREATE.
func (p *parser) createIndex(start uint32) *ast.CreateIndex {
	k := &ast.KeyDef{}
	from := p.tok.From
	k.Kind = p.keyKind(false)
	k.Name = p.objectName()
	p.keyNameAlgorithm(k)
	p.expect(token.ON)
	c := &ast.CreateIndex{Key: k, Table: p.tableName()}
	k.Parts = p.keyParts()
	k.Options = p.keyOptions(k.Kind)
	p.checkKeyOrder(k)
	k.Span = p.from(from)
	c.How = p.alterHows()
	c.Span = p.from(start)
	return c
}

func (p *parser) keyNameAlgorithm(k *ast.KeyDef) {
	if k.Kind != ast.FulltextKey && k.Kind != ast.SpatialKey && p.oneOf(token.USING, token.TYPE) {
		p.next()
		k.Using = p.keyAlgorithm()
	}
}

// dropIndex reads DROP INDEX behind the word DROP.
func (p *parser) dropIndex(start uint32) *ast.DropIndex {
	p.next()
	d := &ast.DropIndex{Name: p.ident()}
	p.expect(token.ON)
	d.Table = p.tableName()
	d.How = p.alterHows()
	d.Span = p.from(start)
	return d
}

// alterHows reads ALGORITHM and LOCK, each once at most.
func (p *parser) alterHows() []ast.AlterHow {
	var out []ast.AlterHow
	for p.oneOf(token.ALGORITHM, token.LOCK) {
		lock := p.is(token.LOCK)
		for i := range out {
			p.failIf(out[i].Lock == lock)
		}
		out = append(out, *p.alterHow())
	}
	return out
}

// alterHow reads ALGORITHM [=] word or LOCK [=] word.
func (p *parser) alterHow() *ast.AlterHow {
	h := &ast.AlterHow{Lock: p.is(token.LOCK)}
	start := p.tok.From
	p.next()
	p.acceptEqual()
	if p.is(token.DEFAULT) {
		h.Word = p.take()
	} else {
		h.Word = p.ident()
	}
	h.Span = p.from(start)
	return h
}
