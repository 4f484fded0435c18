package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// castType reads the type of CAST, CONVERT or RETURNING.
func (p *parser) castType() *ast.CastType {
	t := &ast.DataType{Span: p.tok.Span}
	switch p.tok.Kind {
	case token.SIGNED, token.UNSIGNED:
		t.Kind = ast.TypeSigned
		if p.is(token.UNSIGNED) {
			t.Kind = ast.TypeUnsigned
		}
		p.next()
		p.accept(token.INT)
	case token.BINARY:
		p.simpleType(t, ast.TypeBinary)
		p.length(t)
	case token.CHAR:
		p.simpleType(t, ast.TypeChar)
		p.length(t)
		p.textAttributes(t)
	case token.NCHAR, token.NATIONAL:
		if p.accept(token.NATIONAL) {
			p.failIf(!p.is(token.CHAR))
		}
		t.National = true
		p.simpleType(t, ast.TypeChar)
		p.length(t)
		p.warnOfNational()
	case token.DECIMAL:
		p.simpleType(t, ast.TypeDecimal)
		p.precision(t, true)
	case token.FLOAT:
		p.simpleType(t, ast.TypeFloat)
		p.length(t)
	case token.DOUBLE, token.REAL, token.DATE, token.YEAR, token.JSON:
		p.plainType(t)
	case token.TIME, token.DATETIME:
		p.plainType(t)
		p.fraction(t)
	default:
		k, ok := spatialTypes[p.tok.Kind]
		p.failIf(!ok || k == ast.TypeGeometry)
		p.simpleType(t, k)
	}
	t.To = p.end
	return t
}

// dataType reads the type of a column, a parameter or a variable.
func (p *parser) dataType() *ast.DataType {
	t := &ast.DataType{Span: p.tok.Span}
	switch p.tok.Kind {
	case token.TINYINT, token.SMALLINT, token.MEDIUMINT, token.INT, token.BIGINT, token.YEAR:
		p.plainType(t)
		p.length(t)
		p.numberAttributes(t)
	case token.REAL, token.DOUBLE:
		p.plainType(t)
		p.precision(t, false)
		p.numberAttributes(t)
	case token.DECIMAL, token.NUMERIC, token.FIXED, token.FLOAT:
		p.plainType(t)
		p.precision(t, true)
		p.numberAttributes(t)
	case token.BIT, token.BINARY, token.BLOB, token.VECTOR:
		p.plainType(t)
		p.length(t)
	case token.TIME, token.DATETIME, token.TIMESTAMP:
		p.plainType(t)
		p.fraction(t)
	case token.VARBINARY:
		p.plainType(t)
		p.requireLength(t)
	case token.ENUM, token.SET:
		p.plainType(t)
		p.expect('(')
		t.Values = list(p, p.textString)
		p.expect(')')
		p.textAttributes(t)
	case token.TEXT:
		p.plainType(t)
		p.length(t)
		p.textAttributes(t)
	case token.TINYTEXT, token.MEDIUMTEXT, token.LONGTEXT:
		p.plainType(t)
		p.textAttributes(t)
	case token.CHAR, token.VARCHAR, token.NCHAR, token.NVARCHAR, token.NATIONAL:
		p.charType(t)
	case token.LONG:
		p.longType(t)
	default:
		p.plainType(t)
	}
	t.To = p.end
	return t
}

var spatialTypes = map[token.Kind]ast.TypeKind{token.GEOMETRY: ast.TypeGeometry, token.POINT: ast.TypePoint,
	token.LINESTRING: ast.TypeLineString, token.POLYGON: ast.TypePolygon, token.MULTIPOINT: ast.TypeMultiPoint,
	token.MULTILINESTRING: ast.TypeMultiLineString, token.MULTIPOLYGON: ast.TypeMultiPolygon,
	token.GEOMETRYCOLLECTION: ast.TypeGeometryCollection}

var typeWords = map[token.Kind]ast.TypeKind{token.TINYINT: ast.TypeTinyInt, token.SMALLINT: ast.TypeSmallInt,
	token.MEDIUMINT: ast.TypeMediumInt, token.INT: ast.TypeInt, token.BIGINT: ast.TypeBigInt, token.YEAR: ast.TypeYear,
	token.REAL: ast.TypeReal, token.DOUBLE: ast.TypeDouble, token.DECIMAL: ast.TypeDecimal, token.NUMERIC: ast.TypeDecimal,
	token.FIXED: ast.TypeDecimal, token.FLOAT: ast.TypeFloat, token.BIT: ast.TypeBit, token.BOOL: ast.TypeBool,
	token.BOOLEAN: ast.TypeBool, token.SERIAL: ast.TypeSerial, token.BINARY: ast.TypeBinary,
	token.VARBINARY: ast.TypeVarbinary, token.TINYBLOB: ast.TypeTinyBlob, token.BLOB: ast.TypeBlob,
	token.MEDIUMBLOB: ast.TypeMediumBlob, token.LONGBLOB: ast.TypeLongBlob, token.TINYTEXT: ast.TypeTinyText,
	token.TEXT: ast.TypeText, token.MEDIUMTEXT: ast.TypeMediumText, token.LONGTEXT: ast.TypeLongText,
	token.ENUM: ast.TypeEnum, token.SET: ast.TypeSet, token.DATE: ast.TypeDate, token.TIME: ast.TypeTime,
	token.DATETIME: ast.TypeDatetime, token.TIMESTAMP: ast.TypeTimestamp, token.JSON: ast.TypeJSON,
	token.VECTOR: ast.TypeVector}

// simpleType consumes a word as a type of this kind.
func (p *parser) simpleType(t *ast.DataType, kind ast.TypeKind) {
	t.Kind = kind
	p.next()
}

// plainType reads a type's name of one word; DOUBLE may be followed by PRECISION.
func (p *parser) plainType(t *ast.DataType) {
	kind, ok := typeWords[p.tok.Kind]
	if !ok {
		kind, ok = spatialTypes[p.tok.Kind]
	}
	p.failIf(!ok)
	if kind == ast.TypeReal && p.opts.Mode&token.RealAsFloat != 0 {
		kind = ast.TypeFloat
	}
	p.simpleType(t, kind)
	if kind == ast.TypeDouble {
		p.accept(token.PRECISION)
	}
}

// charType reads CHAR, VARCHAR and their national forms.
func (p *parser) charType(t *ast.DataType) {
	t.Kind = ast.TypeChar
	t.National = !p.oneOf(token.CHAR, token.VARCHAR)
	if p.accept(token.NATIONAL) {
		p.failIf(!p.oneOf(token.CHAR, token.VARCHAR))
	}
	fixed := p.oneOf(token.CHAR, token.NCHAR)
	nchar := p.is(token.NCHAR)
	p.next()
	if !fixed || p.accept(token.VARYING) || nchar && p.accept(token.VARCHAR) {
		t.Kind = ast.TypeVarchar
		p.requireLength(t)
	} else {
		p.length(t)
	}
	if t.National {
		t.Binary = p.acceptBinary()
		p.warnOfNational()
		return
	}
	p.textAttributes(t)
}

// longType reads LONG VARBINARY, LONG VARCHAR and LONG, which are MEDIUMBLOB and MEDIUMTEXT.
func (p *parser) longType(t *ast.DataType) {
	p.next()
	if p.accept(token.VARBINARY) {
		t.Kind = ast.TypeMediumBlob
		return
	}
	t.Kind = ast.TypeMediumText
	if !p.accept(token.VARCHAR) && p.is(token.CHAR) && p.peek() == token.VARYING {
		p.acceptTwo(token.CHAR, token.VARYING)
	}
	p.textAttributes(t)
}

// length reads an optional length in parentheses.
func (p *parser) length(t *ast.DataType) {
	if p.is('(') {
		p.requireLength(t)
	}
}

func (p *parser) requireLength(t *ast.DataType) {
	p.expect('(')
	t.Length = p.digits()
	p.expect(')')
}

// digits consumes a number as the text that it is written with.
func (p *parser) digits() string {
	p.failIf(!p.oneOf(token.Int, token.Decimal))
	s := p.word()
	p.next()
	return s
}

// precision reads an optional precision and scale; single says that the precision may stand alone.
func (p *parser) precision(t *ast.DataType, single bool) {
	if !p.accept('(') {
		return
	}
	whole := p.is(token.Int)
	t.Length = p.digits()
	if (!single || p.is(',')) && whole {
		p.expect(',')
		p.failIf(!p.is(token.Int))
		t.Scale = p.digits()
	}
	p.expect(')')
}

// fraction reads the optional number of digits behind the seconds.
func (p *parser) fraction(t *ast.DataType) {
	if p.accept('(') {
		p.failIf(!p.is(token.Int))
		t.Length = p.digits()
		p.expect(')')
	}
}

// numberAttributes reads SIGNED, UNSIGNED and ZEROFILL.
func (p *parser) numberAttributes(t *ast.DataType) {
	for {
		switch {
		case p.accept(token.SIGNED):
			t.Signed = true
		case p.accept(token.UNSIGNED):
			t.Unsigned = true
		case p.accept(token.ZEROFILL):
			t.Zerofill = true
		default:
			p.warnOfNumber(t)
			return
		}
	}
}

// textAttributes reads the character set of a type and BINARY, which may stand on either side of
// it.
func (p *parser) textAttributes(t *ast.DataType) {
	t.Binary = p.acceptBinary()
	switch {
	case p.accept(token.ASCII):
		t.Shorthand = ast.AsciiWord
		p.useInstead("ASCII", "CHARACTER SET charset_name")
	case p.accept(token.UNICODE):
		t.Shorthand = ast.UnicodeWord
		p.useInstead("UNICODE", "CHARACTER SET charset_name")
	case !t.Binary && p.accept(token.BYTE):
		t.Shorthand = ast.ByteWord
		return
	case p.acceptCharset():
		t.Charset = p.charsetName()
	}
	if !t.Binary {
		t.Binary = (t.Shorthand != ast.NoCharsetWord || t.Charset.Given()) && p.acceptBinary()
	}
}
