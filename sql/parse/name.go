package parse

import (
	"strings"
	"unicode/utf8"

	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// take consumes the current token as a name.
func (p *parser) take() ast.Ident {
	id := ast.Ident{Span: p.tok.Span, Name: p.value()}
	p.next()
	return id
}

// ident reads an identifier.
func (p *parser) ident() ast.Ident {
	if !p.tok.Kind.IsIdent() {
		p.fail()
	}
	return p.take()
}

// label reads the label of a block or a loop.
func (p *parser) label() ast.Ident {
	if !p.tok.Kind.IsLabel() {
		p.fail()
	}
	return p.take()
}

// textName reads an identifier or a string in its place.
func (p *parser) textName() ast.Ident {
	if p.is(token.String) {
		s := p.stringLiteral()
		return ast.Ident{Span: s.Span, Name: s.Text}
	}
	if p.is(token.Hostname) {
		return p.take()
	}
	return p.ident()
}

// roleName reads the name of a role without its host.
func (p *parser) roleName() ast.Ident {
	if p.is(token.String) || p.is(token.Hostname) {
		return p.textName()
	}
	if !p.tok.Kind.IsRole() {
		p.fail()
	}
	return p.take()
}

// alias reads an optional alias of an expression: AS name, AS 'name', name, 'name'.
func (p *parser) alias() ast.Ident {
	if p.accept(token.AS) || p.is(token.String) || p.tok.Kind.IsIdent() {
		if p.is(token.String) {
			return p.textName()
		}
		return p.ident()
	}
	return ast.Ident{}
}

// itemAlias reads the optional alias of a column in a select list. It has no spaces in front.
func (p *parser) itemAlias() ast.Ident {
	alias := p.alias()
	name := strings.TrimLeftFunc(alias.Name, func(r rune) bool { return r <= ' ' || r == 0x7f })
	switch {
	case name == alias.Name:
	case name == "":
		p.warn(1474, "Name '"+alias.Name+"' has become ''")
	default:
		p.warn(1466, "Leading spaces are removed from name '"+alias.Name+"'")
	}
	if alias.Name = ast.CutName(name, longestAlias); len(name) > longestAlias {
		p.warn(1466, "Leading spaces are removed from name '"+name+"'") // MySQL has no other words for it
	}
	return alias
}

// longestAlias is how many bytes of an alias name a column.
const longestAlias = 256

// tableAlias reads an optional alias of a table.
func (p *parser) tableAlias() ast.Ident {
	if p.accept(token.AS) || p.tok.Kind.IsIdent() {
		return p.ident()
	}
	return ast.Ident{}
}

// longestName is how many characters a name has at most.
const longestName = 64

// objectName reads the name of a schema, a table or a program, or what a definition gives a name to.
func (p *parser) objectName() ast.Ident {
	name := p.ident()
	p.checkLength(name)
	return name
}

func (p *parser) checkLength(name ast.Ident) {
	if len(name.Name) > longestName && utf8.RuneCountInString(name.Name) > longestName {
		p.later(1059, "42000", "Identifier name '%s' is too long", name.Name)
	}
}

// tableName reads name or schema.name of a table.
func (p *parser) tableName() ast.TableName { return p.qualifiedName(p.checkTable) }

// routineName reads name or schema.name of a routine, a trigger or an event.
func (p *parser) routineName() ast.TableName { return p.qualifiedName(p.checkRoutine) }

func (p *parser) qualifiedName(check func(ast.Ident)) ast.TableName {
	t := ast.TableName{}
	start := p.tok.From
	t.Name = p.objectName()
	if p.accept('.') {
		t.Schema, t.Name = t.Name, p.objectName()
		p.checkSchema(t.Schema)
	}
	check(t.Name)
	t.Span = p.from(start)
	return t
}

// schemaName reads the name of a database.
func (p *parser) schemaName() ast.Ident {
	name := p.objectName()
	p.checkSchema(name)
	return name
}

func (p *parser) checkSchema(name ast.Ident)  { p.checkName(name, 1102, "database") }
func (p *parser) checkTable(name ast.Ident)   { p.checkName(name, 1103, "table") }
func (p *parser) checkRoutine(name ast.Ident) { p.checkName(name, 1458, "routine") }

// checkName refuses names that are empty or end in a space.
func (p *parser) checkName(name ast.Ident, code uint16, kind string) {
	if name.Name == "" || name.Name[len(name.Name)-1] == ' ' {
		p.later(code, "42000", "Incorrect %s name '%s'", kind, name.Name)
	}
}

// column reads a column name of up to three parts.
func (p *parser) column() *ast.Column {
	start := p.tok.From
	return p.columnFrom(start, p.ident())
}

// columnFrom reads the rest of a column name whose first part is consumed.
func (p *parser) columnFrom(start uint32, first ast.Ident) *ast.Column {
	c := &ast.Column{Name: first}
	if p.accept('.') {
		c.Table, c.Name = c.Name, p.ident()
		if p.accept('.') {
			c.Schema, c.Table, c.Name = c.Table, c.Name, p.ident()
		}
	}
	c.Span = p.from(start)
	return c
}

// identList reads names with commas between.
func (p *parser) identList() []ast.Ident { return list(p, p.ident) }

// columnNames reads an optional list of names in parentheses.
func (p *parser) columnNames() []ast.Ident {
	if !p.is('(') {
		return nil
	}
	return inParens(p, p.identList)
}

// charsetName reads the name of a character set.
func (p *parser) charsetName() ast.Ident {
	name := p.characterSet()
	p.warnOfCharset(name.Name)
	return name
}

// characterSet reads the name of a character set that gets no warning.
func (p *parser) characterSet() ast.Ident {
	if p.is(token.BINARY) {
		return p.take()
	}
	return p.textName()
}

// collationName reads the name of a collation.
func (p *parser) collationName() ast.Ident {
	if p.is(token.BINARY) {
		return p.take()
	}
	name := p.textName()
	if w, ok := CollationWarning(name.Name); ok {
		p.warnings = append(p.warnings, w)
	}
	return name
}

// acceptCharset consumes CHARACTER SET or CHARSET.
func (p *parser) acceptCharset() bool {
	if p.accept(token.CHAR) {
		p.expect(token.SET)
		return true
	}
	return p.accept(token.CHARSET)
}

// acceptEqual consumes the = or := that may stand before the value of an option.
func (p *parser) acceptEqual() bool { return p.accept('=') || p.accept(token.Assign) }

// number reads an integer of 64 bits.
func (p *parser) number() *ast.Literal {
	if p.oneOf(token.Decimal, token.Float) {
		p.failNumber()
	}
	p.failIf(!p.oneOf(token.Int, token.HexNum))
	return p.numberLiteral()
}

// stringLiteral reads a string without introducer; it takes only one.
func (p *parser) stringLiteral() *ast.Literal {
	if !p.is(token.String) {
		p.fail()
	}
	s := &ast.Literal{Span: p.tok.Span, Kind: ast.StringLiteral, Text: p.value()}
	p.next()
	return s
}
