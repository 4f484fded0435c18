package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// externalOption reads an option of an external table.
func (p *parser) externalOption(o *ast.TableOption) {
	switch p.tok.Kind {
	case token.FILE_FORMAT:
		p.optionWord()
		o.Kind, o.Format = ast.OptionFileFormat, inParens(p, p.externalFormat)
	case token.FILES:
		p.optionWord()
		o.Kind = ast.OptionFiles
		o.Files = inParens(p, func() []ast.ExternalFile { return list(p, p.externalFile) })
	default:
		p.optionWord()
		o.Kind = ast.OptionAutoRefreshSource
		if !p.accept(token.NONE) {
			o.Text = p.stringLiteral()
		}
	}
}

func (p *parser) externalFormat() *ast.FileFormat {
	f := &ast.FileFormat{Span: p.tok.Span}
	for more := true; more; {
		switch {
		case p.accept(token.FORMAT):
			f.Format = p.textName()
		case p.accept(token.COMPRESSION):
			f.Compression = p.textName()
		case p.accept(token.HEADER):
			if f.Header = ast.HeaderOn; !p.accept(token.ON) {
				p.expect(token.OFF)
				f.Header = ast.HeaderOff
			}
		case p.acceptCharset():
			f.Charset = p.charsetName()
		default:
			more = false
		}
	}
	f.Fields, f.Lines = p.fileFormat()
	if p.accept(token.IGNORE) {
		p.failIf(!p.is(token.Int))
		f.Skip = p.numberLiteral()
		if !p.accept(token.LINES) {
			p.expect(token.ROWS)
		}
	}
	f.Span = p.spanOr(f.Span)
	return f
}

// spanOr returns the span from the start of s to the last consumed token, or an empty one when
// nothing was consumed.
func (p *parser) spanOr(s ast.Span) ast.Span {
	if p.end < s.From {
		return ast.Span{From: s.From, To: s.From}
	}
	return p.from(s.From)
}

func (p *parser) externalFile() ast.ExternalFile {
	f := ast.ExternalFile{Span: p.tok.Span}
	for {
		i := ast.ExternalItem{Span: p.tok.Span}
		switch p.tok.Kind {
		case token.URI, token.URL:
		case token.FILE_NAME:
			i.Kind = ast.FileName
		case token.FILE_PATTERN:
			i.Kind = ast.FilePattern
		case token.FILE_PREFIX:
			i.Kind = ast.FilePrefix
		case token.STRICT_LOAD:
			i.Kind = ast.FileStrictLoad
		case token.ALLOW_MISSING_FILES:
			i.Kind = ast.FileAllowMissing
		default:
			p.failIf(len(f.Items) == 0)
			f.To = p.end
			return f
		}
		p.optionWord()
		if i.Kind < ast.FileStrictLoad {
			i.Text = p.stringLiteral()
		} else {
			i.Number, i.IsDefault = p.ternary()
		}
		i.To = p.end
		f.Items = append(f.Items, i)
	}
}
