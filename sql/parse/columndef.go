package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// columnDef reads a column with its name.
func (p *parser) columnDef() *ast.ColumnDef {
	return p.columnDefOf(p.objectName())
}

// columnDefOf reads what follows the name of a column.
func (p *parser) columnDefOf(name ast.Ident) *ast.ColumnDef {
	c := &ast.ColumnDef{Name: name, Type: p.dataType()}
	if p.startsGenerated() || p.is(token.COLLATE) {
		if p.is(token.COLLATE) {
			c.Attributes = append(c.Attributes, p.columnAttribute())
		}
		if p.startsGenerated() {
			c.Generated = p.generated()
		}
	}
	for p.startsAttribute() {
		start := p.tok
		p.failIf(p.startsEnforcement())
		a := p.columnAttribute()
		if c.Generated != nil {
			p.fitsGenerated(a.Kind)
		}
		if a.Kind == ast.AttrCollate && hasCollate(c.Attributes) {
			p.failNear(start.Pos(), "Multiple COLLATE clauses")
		}
		c.Attributes = append(c.Attributes, a)
	}
	if p.is(token.REFERENCES) {
		c.References = p.references()
	}
	c.Span = p.from(name.From)
	return c
}

func hasCollate(attributes []ast.ColumnAttribute) bool {
	for i := range attributes {
		if attributes[i].Kind == ast.AttrCollate {
			return true
		}
	}
	return false
}

func (p *parser) startsGenerated() bool { return p.oneOf(token.GENERATED, token.AS) }

// generated reads [GENERATED ALWAYS] AS (x) [VIRTUAL | STORED].
func (p *parser) generated() *ast.Generated {
	g := &ast.Generated{}
	start := p.tok.From
	if p.accept(token.GENERATED) {
		p.expect(token.ALWAYS)
	}
	p.expect(token.AS)
	g.X = inParens(p, p.expr)
	switch {
	case p.accept(token.VIRTUAL):
		g.Storage = ast.VirtualStorage
	case p.accept(token.STORED):
		g.Storage = ast.StoredStorage
	}
	g.Span = p.from(start)
	return g
}

// fitsGenerated ends the parse for attributes that a generated column cannot have.
func (p *parser) fitsGenerated(kind ast.ColumnAttributeKind) {
	names := map[ast.ColumnAttributeKind]string{ast.AttrDefault: "DEFAULT", ast.AttrOnUpdate: "ON UPDATE",
		ast.AttrAutoIncrement: "AUTO_INCREMENT", ast.AttrSerialDefault: "SERIAL DEFAULT VALUE",
		ast.AttrColumnFormat: "COLUMN_FORMAT", ast.AttrStorage: "STORAGE"}
	if name, ok := names[kind]; ok {
		p.wrongUsage(name, "generated column")
	}
}

// startsAttribute reports whether an attribute of a column follows.
func (p *parser) startsAttribute() bool {
	switch p.tok.Kind {
	case token.NULL, token.NOT, token.Not2, token.DEFAULT, token.ON, token.AUTO_INCREMENT, token.SERIAL, token.PRIMARY,
		token.KEY, token.UNIQUE, token.COMMENT, token.COLLATE, token.COLUMN_FORMAT, token.STORAGE,
		token.ENGINE_ATTRIBUTE, token.SECONDARY_ENGINE_ATTRIBUTE, token.SRID, token.VISIBLE, token.INVISIBLE,
		token.CONSTRAINT, token.CHECK, token.EXTERNAL_FORMAT, token.MASKING:
		return true
	}
	return false
}

// columnAttribute reads one attribute of a column.
func (p *parser) columnAttribute() ast.ColumnAttribute {
	a := ast.ColumnAttribute{}
	start := p.tok.From
	switch kind := p.tok.Kind; kind {
	case token.CONSTRAINT, token.CHECK:
		a.Kind, a.Check = ast.AttrCheck, p.check()
	case token.NOT, token.Not2:
		p.next()
		a.Kind = ast.AttrNotNull
		if p.accept(token.SECONDARY) {
			a.Kind = ast.AttrNotSecondary
		} else {
			p.expect(token.NULL)
		}
	case token.DEFAULT:
		p.next()
		a.Kind = ast.AttrDefault
		a.X, a.Parens = p.columnDefault()
	case token.ON:
		p.next()
		p.expect(token.UPDATE)
		a.Kind, a.X = ast.AttrOnUpdate, p.now()
	case token.SERIAL:
		p.next()
		p.expect(token.DEFAULT, token.VALUE)
		a.Kind = ast.AttrSerialDefault
	case token.PRIMARY:
		p.next()
		p.expect(token.KEY)
		a.Kind = ast.AttrPrimaryKey
	case token.UNIQUE:
		p.next()
		p.accept(token.KEY)
		a.Kind = ast.AttrUnique
	case token.COLLATE:
		p.next()
		a.Kind, a.Name = ast.AttrCollate, p.collationName()
	case token.MASKING:
		p.expect(token.MASKING, token.POLICY)
		a.Kind, a.Name = ast.AttrMaskingPolicy, p.ident()
	case token.COLUMN_FORMAT:
		p.next()
		a.Kind, a.Word = ast.AttrColumnFormat, p.storageWord(ast.WordFixed, ast.WordDynamic)
	case token.STORAGE:
		p.next()
		a.Kind, a.Word = ast.AttrStorage, p.storageWord(ast.WordDisk, ast.WordMemory)
	default:
		p.simpleAttribute(&a)
	}
	a.Span = p.from(start)
	return a
}

// simpleAttribute reads attributes that are a word, or a word and a constant.
func (p *parser) simpleAttribute(a *ast.ColumnAttribute) {
	kind := p.tok.Kind
	p.next()
	switch kind {
	case token.NULL:
		a.Kind = ast.AttrNull
	case token.AUTO_INCREMENT:
		a.Kind = ast.AttrAutoIncrement
	case token.KEY:
		a.Kind = ast.AttrPrimaryKey
	case token.VISIBLE:
		a.Kind = ast.AttrVisible
	case token.INVISIBLE:
		a.Kind = ast.AttrInvisible
	case token.COMMENT:
		a.Kind, a.Text = ast.AttrComment, p.stringLiteral()
	case token.EXTERNAL_FORMAT:
		a.Kind, a.Text = ast.AttrExternalFormat, p.stringLiteral()
	case token.ENGINE_ATTRIBUTE:
		p.acceptEqual()
		a.Kind, a.Text = ast.AttrEngineAttribute, p.stringLiteral()
	case token.SECONDARY_ENGINE_ATTRIBUTE:
		p.acceptEqual()
		a.Kind, a.Text = ast.AttrSecondaryEngineAttribute, p.stringLiteral()
	case token.SRID:
		a.Kind, a.Text = ast.AttrSRID, p.number()
	}
}

// columnDefault reads what follows DEFAULT; parens says that it is an expression in parentheses.
func (p *parser) columnDefault() (x ast.Expr, parens bool) {
	if p.is('(') {
		return inParens(p, p.expr), true
	}
	if p.is(token.NOW) {
		return p.now(), false
	}
	return p.signedLiteralOrNull(), false
}

// now reads NOW() or a synonym, with a precision.
func (p *parser) now() ast.Expr {
	if !p.is(token.NOW) {
		p.fail()
	}
	return p.clock(true)
}

func (p *parser) storageWord(fixed, dynamic ast.StorageWord) ast.StorageWord {
	words := map[token.Kind]ast.StorageWord{token.DEFAULT: ast.WordDefault}
	if fixed == ast.WordFixed {
		words[token.FIXED], words[token.DYNAMIC] = fixed, dynamic
	} else {
		words[token.DISK], words[token.MEMORY] = fixed, dynamic
	}
	w, ok := words[p.tok.Kind]
	if !ok {
		p.fail()
	}
	p.next()
	return w
}

// check reads [CONSTRAINT [name]] CHECK (x) [[NOT] ENFORCED].
func (p *parser) check() *ast.Check {
	c := &ast.Check{}
	start := p.tok.From
	c.Constraint, c.Name = p.constraintName()
	p.checkBody(c)
	c.Span = p.from(start)
	return c
}

// constraintName reads [CONSTRAINT [name]].
func (p *parser) constraintName() (given bool, name ast.Ident) {
	if !p.accept(token.CONSTRAINT) {
		return false, ast.Ident{}
	}
	if p.tok.Kind.IsIdent() {
		name = p.objectName()
	}
	return true, name
}

func (p *parser) checkBody(c *ast.Check) {
	p.expect(token.CHECK)
	c.X = inParens(p, p.expr)
	for p.startsEnforcement() {
		c.Enforced = ast.Enforced
		if p.acceptNot() {
			c.Enforced = ast.NotEnforced
		}
		p.next()
	}
}

// startsEnforcement reports whether [NOT] ENFORCED follows. It may be repeated; the last one
// counts.
func (p *parser) startsEnforcement() bool {
	return p.is(token.ENFORCED) || p.isTwo(token.NOT, token.ENFORCED)
}

// references reads REFERENCES table with what may follow.
func (p *parser) references() *ast.References {
	r := &ast.References{}
	start := p.tok.From
	p.expect(token.REFERENCES)
	r.Table = p.tableName()
	r.Columns = p.columnNames()
	if p.accept(token.MATCH) {
		r.Match = p.matchKind()
	}
	deletes, updates := false, false
	for p.is(token.ON) {
		p.next()
		switch {
		case !deletes && p.accept(token.DELETE):
			deletes, r.OnDelete = true, p.referenceAction()
		case !updates && p.accept(token.UPDATE):
			updates, r.OnUpdate = true, p.referenceAction()
		default:
			p.fail()
		}
	}
	r.Span = p.from(start)
	return r
}

func (p *parser) matchKind() ast.MatchKind {
	switch {
	case p.accept(token.FULL):
		return ast.MatchFull
	case p.accept(token.PARTIAL):
		return ast.MatchPartial
	}
	p.expect(token.SIMPLE)
	return ast.MatchSimple
}

func (p *parser) referenceAction() ast.ReferenceAction {
	switch {
	case p.accept(token.RESTRICT):
		return ast.Restrict
	case p.accept(token.CASCADE):
		return ast.Cascade
	case p.accept(token.NO):
		p.expect(token.ACTION)
		return ast.NoAction
	}
	p.expect(token.SET)
	if p.accept(token.NULL) {
		return ast.SetNull
	}
	p.expect(token.DEFAULT)
	return ast.SetDefault
}
