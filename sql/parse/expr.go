package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// expr reads an expression.
func (p *parser) expr() ast.Expr { return p.exprAt(ast.PrecLowest) }

// bitExpr reads an expression without comparisons and what binds looser.
func (p *parser) bitExpr() ast.Expr { return p.exprAt(ast.PrecBitOr) }

// simpleExpr reads an expression without operators that bind looser than concatenation.
func (p *parser) simpleExpr() ast.Expr { return p.exprAt(ast.PrecConcat) }

// exprList reads expressions with commas between.
func (p *parser) exprList() []ast.Expr {
	out := append(make([]ast.Expr, 0, 2), p.expr())
	for p.accept(',') {
		out = append(out, p.expr())
	}
	return out
}

// exprAt reads an expression whose operators bind at least as tight as min.
func (p *parser) exprAt(min ast.Precedence) ast.Expr {
	height := p.limits.height
	p.deeper(1)
	start := p.tok.From
	var x ast.Expr
	prec := ast.PrecPrimary
	if p.is(token.NOT) && min <= ast.PrecNot {
		p.next()
		x, prec = &ast.Unary{Op: ast.Not, X: p.exprAt(ast.PrecNot)}, ast.PrecNot
		x.(*ast.Unary).Span = p.from(start)
	} else {
		x = p.unary()
	}
	x = p.climb(start, x, prec, min)
	p.limits.height = height
	return x
}

// climb reads the operators behind x, which starts at start and binds like prec, as long as they
// bind at least as tight as min. Operators that need a tighter left operand than x end the
// expression.
func (p *parser) climb(start uint32, x ast.Expr, prec, min ast.Precedence) ast.Expr {
	for {
		op, got := p.infix()
		if got == noInfix || op.prec < min || prec < op.left {
			return x
		}
		p.deeper(1)
		switch got {
		case infixBinary:
			x = p.binary(start, x, op.op)
		case infixLogical:
			p.limits.height--
			x = p.logical(start, x, op.prec == ast.PrecOr)
		case infixIs:
			is := p.isTest(start, x)
			if x = is; is.What == ast.IsNull {
				prec = ast.PrecCompare
				continue
			}
		case infixPredicate:
			x = p.predicate(start, x)
		case infixCollate:
			p.next()
			c := &ast.Collate{X: x, Name: p.textName()}
			c.Span = p.from(start)
			x = c
		}
		prec = op.prec
	}
}

// infix kinds say how the operator behind an operand is read.
type infixKind uint8

const (
	noInfix infixKind = iota
	infixBinary
	infixLogical
	infixIs
	infixPredicate
	infixCollate
)

type infixOperator struct {
	prec, left ast.Precedence // how tight it binds, and how tight its left operand must
	op         ast.BinaryOp
}

// infix classes the current token as an operator.
func (p *parser) infix() (infixOperator, infixKind) {
	k := p.tok.Kind
	if op, ok := binaryOperator(k); ok {
		left, _ := op.Operands()
		return infixOperator{op.Precedence(), left, op}, infixBinary
	}
	switch k {
	case token.OR, token.OrOr:
		return infixOperator{prec: ast.PrecOr, left: ast.PrecOr}, infixLogical
	case token.AND, token.AndAnd:
		return infixOperator{prec: ast.PrecAnd, left: ast.PrecAnd}, infixLogical
	case token.IS:
		return infixOperator{prec: ast.PrecNot, left: ast.PrecCompare}, infixIs
	case token.NOT, token.Not2, token.IN, token.LIKE, token.BETWEEN, token.REGEXP, token.MEMBER, token.SOUNDS:
		return infixOperator{prec: ast.PrecPredicate, left: ast.PrecBitOr}, infixPredicate
	case token.COLLATE:
		return infixOperator{prec: ast.PrecCollate, left: ast.PrecCollate}, infixCollate
	}
	return infixOperator{}, noInfix
}

// binaryOperator returns the operator that a token is.
func binaryOperator(k token.Kind) (ast.BinaryOp, bool) {
	switch k {
	case '=':
		return ast.Equal, true
	case '<':
		return ast.Less, true
	case '>':
		return ast.Greater, true
	case '+':
		return ast.Add, true
	case '-':
		return ast.Sub, true
	case '*':
		return ast.Mul, true
	case '/':
		return ast.Div, true
	case '%', token.MOD:
		return ast.Mod, true
	case '|':
		return ast.BitOr, true
	case '&':
		return ast.BitAnd, true
	case '^':
		return ast.BitXor, true
	case token.XOR:
		return ast.Xor, true
	case token.LessEqual:
		return ast.LessEqual, true
	case token.GreaterEqual:
		return ast.GreaterEqual, true
	case token.NotEqual:
		return ast.NotEqual, true
	case token.NullSafeEqual:
		return ast.NullSafeEqual, true
	case token.ShiftLeft:
		return ast.ShiftLeft, true
	case token.ShiftRight:
		return ast.ShiftRight, true
	case token.DIV:
		return ast.IntDiv, true
	case token.Concat:
		return ast.Concat, true
	}
	return 0, false
}

// binary reads an operator and its right operand.
func (p *parser) binary(start uint32, x ast.Expr, op ast.BinaryOp) ast.Expr {
	at := p.tok.Pos()
	p.next()
	prec := op.Precedence()
	switch {
	case prec == ast.PrecCompare && (p.is(token.ALL) || p.isTwo(token.ANY, '(')):
		return p.quantified(start, x, op, at)
	case prec == ast.PrecAdd && p.is(token.INTERVAL):
		return p.dateArith(start, x, op == ast.Sub)
	}
	_, right := op.Operands()
	b := &ast.BinaryExpr{Op: op, L: x, R: p.exprAt(right)}
	b.Span = p.from(start)
	return b
}

// quantified reads ALL or ANY and its query behind the comparison at an offset.
func (p *parser) quantified(start uint32, x ast.Expr, op ast.BinaryOp, at int) ast.Expr {
	c := &ast.Quantified{L: x, Op: op}
	if p.is(token.ALL) {
		c.Quant = ast.All
	}
	p.next()
	c.Query = p.subquery()
	if op == ast.NullSafeEqual {
		p.failAt(at)
	}
	c.Span = p.from(start)
	return c
}

// dateArith reads INTERVAL x unit behind + or -, or the function INTERVAL as the operand there.
func (p *parser) dateArith(start uint32, x ast.Expr, sub bool) ast.Expr {
	from := p.tok.From
	interval, call := p.interval()
	if call != nil {
		op := ast.Add
		if sub {
			op = ast.Sub
		}
		b := &ast.BinaryExpr{Op: op, L: x, R: p.climb(from, call, ast.PrecPrimary, ast.PrecAdd+1)}
		b.Span = p.from(start)
		return b
	}
	d := &ast.DateArith{Date: x, Interval: interval, Sub: sub}
	d.Span = p.from(start)
	return d
}

// logical reads the rest of a chain of AND or OR.
func (p *parser) logical(start uint32, x ast.Expr, or bool) ast.Expr {
	kinds, min := [2]token.Kind{token.AND, token.AndAnd}, ast.PrecAnd
	if or {
		kinds, min = [2]token.Kind{token.OR, token.OrOr}, ast.PrecOr
	}
	chain := &ast.Logical{Or: or, Items: appendChain(make([]ast.Expr, 0, 2), x, or)}
	for p.accept(kinds[0]) || p.acceptSymbol(kinds[1]) {
		chain.Items = appendChain(chain.Items, p.exprAt(min+1), or)
	}
	chain.Span = p.from(start)
	return chain
}

// acceptSymbol consumes && or ||.
func (p *parser) acceptSymbol(k token.Kind) bool {
	if !p.accept(k) {
		return false
	}
	if k == token.AndAnd {
		p.useInstead("&&", "AND")
	} else {
		p.useInstead("|| as a synonym for OR", "OR")
	}
	return true
}

// longChain is the length of a chain that is not taken apart when it stands in parentheses on the
// right of another: copying it each time would take quadratic time.
const longChain = 64

// appendChain appends an operand to a chain, or its parts when it is a chain of the same kind.
func appendChain(items []ast.Expr, x ast.Expr, or bool) []ast.Expr {
	inner, ok := x.(*ast.Logical)
	switch {
	case !ok || inner.Or != or:
		return append(items, x)
	case len(items) == 0:
		return inner.Items
	case len(inner.Items) > longChain:
		return append(items, x)
	}
	return append(items, inner.Items...)
}

// isTest reads IS [NOT] NULL, TRUE, FALSE or UNKNOWN.
func (p *parser) isTest(start uint32, x ast.Expr) *ast.Is {
	p.next()
	is := &ast.Is{X: x, Not: p.acceptNot()}
	switch p.tok.Kind {
	case token.NULL:
	case token.TRUE:
		is.What = ast.IsTrue
	case token.FALSE:
		is.What = ast.IsFalse
	case token.UNKNOWN:
		is.What = ast.IsUnknown
	default:
		p.fail()
	}
	p.next()
	is.Span = p.from(start)
	return is
}

// acceptNot consumes NOT, however tight it binds.
func (p *parser) acceptNot() bool { return p.accept(token.NOT) || p.accept(token.Not2) }

// predicate reads [NOT] IN, LIKE, BETWEEN, REGEXP, or MEMBER OF, or SOUNDS LIKE.
func (p *parser) predicate(start uint32, x ast.Expr) ast.Expr {
	not := p.acceptNot()
	switch {
	case p.accept(token.IN):
		in := &ast.In{X: x, Not: not}
		in.Query, in.List = p.parens()
		in.Span = p.from(start)
		return in
	case p.accept(token.LIKE):
		like := &ast.Like{X: x, Not: not, Pattern: p.simpleExpr()}
		if p.accept(token.ESCAPE) {
			like.Escape = p.simpleExpr()
		}
		like.Span = p.from(start)
		return like
	case p.accept(token.BETWEEN):
		b := &ast.Between{X: x, Not: not, Low: p.bitExpr()}
		p.expect(token.AND)
		b.High = p.exprAt(ast.PrecPredicate)
		b.Span = p.from(start)
		return b
	case p.accept(token.REGEXP):
		r := &ast.Regexp{X: x, Not: not, Pattern: p.bitExpr()}
		r.Span = p.from(start)
		return r
	case not:
		p.fail()
	case p.accept(token.MEMBER):
		p.accept(token.OF)
		m := &ast.MemberOf{X: x, Array: inParens(p, p.simpleExpr)}
		m.Span = p.from(start)
		return m
	}
	p.expect(token.SOUNDS, token.LIKE)
	b := &ast.BinaryExpr{Op: ast.SoundsLike, L: x, R: p.bitExpr()}
	b.Span = p.from(start)
	return b
}
