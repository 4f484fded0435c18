package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

func (p *parser) into() *ast.Into {
	i := &ast.Into{Span: p.tok.Span}
	p.expect(token.INTO)
	switch {
	case p.isTwo(token.DUMPFILE, token.String):
		p.next()
		i.Kind, i.File = ast.IntoDumpfile, p.stringLiteral()
	case p.accept(token.OUTFILE):
		i.Kind, i.File = ast.IntoOutfile, p.stringLiteral()
		if p.acceptCharset() {
			i.Charset = p.charsetName()
		}
		i.Fields, i.Lines = p.fileFormat()
	default:
		i.Vars = list(p, p.intoVar)
	}
	i.To = p.end
	return i
}

func (p *parser) intoVar() ast.Expr {
	if p.is('@') {
		return p.userVar()
	}
	id := p.textName()
	return &ast.Column{Span: id.Span, Name: id}
}

// fileFormat reads the FIELDS and LINES clauses of OUTFILE and LOAD DATA.
func (p *parser) fileFormat() (*ast.FieldsFormat, *ast.LinesFormat) {
	var fields *ast.FieldsFormat
	var lines *ast.LinesFormat
	if p.is(token.COLUMNS) {
		fields = &ast.FieldsFormat{Span: p.tok.Span}
		p.next()
		p.fieldTerms(fields)
		fields.To = p.end
	}
	if p.is(token.LINES) {
		lines = &ast.LinesFormat{Span: p.tok.Span}
		p.next()
		p.lineTerms(lines)
		lines.To = p.end
	}
	return fields, lines
}

func (p *parser) lineTerms(l *ast.LinesFormat) {
	for n := 0; ; n++ {
		switch {
		case p.accept(token.TERMINATED):
			p.expect(token.BY)
			l.Terminated = p.textString()
		case p.accept(token.STARTING):
			p.expect(token.BY)
			l.Starting = p.textString()
		default:
			p.failIf(n == 0)
			return
		}
	}
}

func (p *parser) fieldTerms(f *ast.FieldsFormat) {
	for n := 0; ; n++ {
		switch {
		case p.accept(token.TERMINATED):
			p.expect(token.BY)
			f.Terminated = p.textString()
		case p.accept(token.OPTIONALLY):
			p.expect(token.ENCLOSED, token.BY)
			f.Optionally, f.Enclosed = true, p.textString()
		case p.accept(token.ENCLOSED):
			p.expect(token.BY)
			f.Enclosed = p.textString()
		case p.accept(token.ESCAPED):
			p.expect(token.BY)
			f.Escaped = p.textString()
		case p.accept(token.NOT):
			p.expect(token.ENCLOSED)
			f.NotEnclosed = true
		case p.accept(token.NULL):
			p.expect(token.AS)
			f.NullAs = p.textString()
		case p.accept(token.EMPTY):
			p.expect(token.VALUE)
			f.EmptyValue = p.textString()
		case p.oneOf(token.DATE, token.TIME, token.DATETIME):
			p.fieldFormat(f)
		default:
			p.failIf(n == 0)
			return
		}
	}
}

// fieldFormat reads the format of dates or times in a file.
func (p *parser) fieldFormat(f *ast.FieldsFormat) {
	at := &f.DateFormat
	switch p.tok.Kind {
	case token.TIME:
		at = &f.TimeFormat
	case token.DATETIME:
		at = &f.DatetimeFormat
	}
	p.next()
	p.expect(token.FORMAT)
	*at = p.textString()
}
