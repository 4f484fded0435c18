package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

func (p *parser) jsonValue(start uint32) ast.Expr {
	p.next()
	p.expect('(')
	v := &ast.JSONValue{X: p.simpleExpr()}
	p.expect(',')
	v.Path = p.textLiteral()
	if p.accept(token.RETURNING) {
		v.Returning = p.castType()
	}
	v.OnEmpty, v.OnError = p.jsonDefaults(false)
	p.expect(')')
	v.Span = p.from(start)
	return v
}

// jsonDefaults reads what ON EMPTY and ON ERROR ask for. JSON_TABLE takes them in either order.
func (p *parser) jsonDefaults(anyOrder bool) (empty, err *ast.JSONDefault) {
	for (anyOrder || err == nil) && p.oneOf(token.NULL, token.ERROR, token.DEFAULT) {
		d := &ast.JSONDefault{Span: p.tok.Span}
		switch p.tok.Kind {
		case token.ERROR:
			d.Action = ast.JSONError
		case token.DEFAULT:
			d.Action = ast.JSONDefaultValue
		}
		if p.next(); d.Action == ast.JSONDefaultValue {
			d.Value = p.signedLiteral()
		}
		d.To = p.end
		p.expect(token.ON)
		switch {
		case empty == nil && (err == nil || anyOrder) && p.accept(token.EMPTY):
			empty = d
		case err == nil && p.accept(token.ERROR):
			err = d
		default:
			p.fail()
		}
	}
	return empty, err
}

// signedLiteral reads a constant, or a number with a sign.
func (p *parser) signedLiteral() ast.Expr {
	if p.oneOf('-', '+') {
		u := &ast.Unary{Span: p.tok.Span}
		if p.is('+') {
			u.Op = ast.Plus
		}
		p.next()
		p.failIf(!p.oneOf(token.Int, token.Decimal, token.Float))
		u.X = p.numberLiteral()
		u.To = p.end
		return u
	}
	l := p.literal()
	p.failIf(l == nil)
	return l
}

// signedLiteralOrNull reads NULL, a constant, or a number with a sign.
func (p *parser) signedLiteralOrNull() ast.Expr {
	if p.is(token.NULL) {
		return p.wordLiteral(ast.NullLiteral)
	}
	return p.signedLiteral()
}

func (p *parser) dualityObject(start uint32) ast.Expr {
	o := &ast.DualityObject{}
	p.next()
	p.expect('(')
	if p.accept(token.WITH) {
		if p.accept('(') {
			o.Tags = list(p, p.dualityTag)
			p.expect(')')
		} else {
			o.Tags = []ast.DualityTag{p.dualityTag()}
		}
	}
	o.Members = list(p, func() ast.DualityMember {
		m := ast.DualityMember{Span: p.tok.Span}
		m.Key = p.stringLiteral()
		p.expect(':')
		m.Value = p.expr()
		m.To = p.end
		return m
	})
	p.expect(')')
	if p.is(token.OVER) {
		o.Over = p.over()
	}
	o.Span = p.from(start)
	return o
}

func (p *parser) dualityTag() ast.DualityTag {
	t := ast.DualityTag{Span: p.tok.Span}
	t.No = p.accept(token.NO)
	p.failIf(!p.oneOf(token.INSERT, token.UPDATE, token.DELETE))
	t.Word = p.tok.Kind.String()
	p.next()
	t.To = p.end
	return t
}
