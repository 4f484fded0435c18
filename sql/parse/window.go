package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// aggregate reads an aggregate function, or returns nil when the current keyword is none.
func (p *parser) aggregate() ast.Expr {
	distinct := false
	switch p.tok.Kind {
	case token.COUNT:
		return p.count()
	case token.GROUP_CONCAT:
		return p.groupConcat()
	case token.AVG, token.MIN, token.MAX, token.SUM, token.ST_COLLECT:
		distinct = true
	case token.BIT_AND, token.BIT_OR, token.BIT_XOR, token.STDDEV, token.STDDEV_SAMP, token.VARIANCE, token.VAR_SAMP,
		token.JSON_ARRAYAGG, token.JSON_OBJECTAGG:
	default:
		return nil
	}
	kind := p.tok.Kind
	a := &ast.Aggregate{Name: p.wordName()}
	p.expect('(')
	a.Distinct = distinct && p.accept(token.DISTINCT)
	p.accept(token.ALL)
	a.Args = []ast.Expr{p.expr()}
	switch kind {
	case token.JSON_OBJECTAGG:
		p.expect(',')
		p.accept(token.ALL)
		a.Args = append(a.Args, p.expr())
	case token.JSON_ARRAYAGG:
		if p.oneOf(token.NULL, token.ABSENT) {
			a.Nulls = ast.NullOnNull
			if p.is(token.ABSENT) {
				a.Nulls = ast.AbsentOnNull
			}
			p.next()
			p.expect(token.ON, token.NULL)
		}
	}
	return p.overAggregate(a)
}

// overAggregate reads the end of an aggregate function and the window it may work over.
func (p *parser) overAggregate(a *ast.Aggregate) ast.Expr {
	p.expect(')')
	if p.is(token.OVER) {
		a.Over = p.over()
	}
	a.Span = p.from(a.Name.From)
	return a
}

func (p *parser) count() ast.Expr {
	a := &ast.Aggregate{Name: p.wordName()}
	p.expect('(')
	if a.Distinct = p.accept(token.DISTINCT); a.Distinct {
		a.Args = p.exprList()
		return p.overAggregate(a)
	}
	p.accept(token.ALL)
	if p.is('*') {
		a.Args = []ast.Expr{&ast.Star{Span: p.tok.Span}}
		p.next()
	} else {
		a.Args = []ast.Expr{p.expr()}
	}
	return p.overAggregate(a)
}

func (p *parser) groupConcat() ast.Expr {
	a := &ast.Aggregate{Name: p.wordName()}
	p.expect('(')
	a.Distinct = p.accept(token.DISTINCT)
	a.Args = p.exprList()
	if p.is(token.ORDER) {
		a.OrderBy = p.orderBy()
	}
	if p.accept(token.SEPARATOR) {
		a.Separator = p.textString()
	}
	return p.overAggregate(a)
}

// textString reads a string, a hexadecimal or a binary number that stands for text.
func (p *parser) textString() *ast.Literal {
	if p.oneOf(token.HexNum, token.BinNum) {
		return p.numberLiteral()
	}
	return p.stringLiteral()
}

// windowFunction reads a function that works over windows only, or returns nil when the current
// keyword is none.
func (p *parser) windowFunction() ast.Expr {
	kind := p.tok.Kind
	switch kind {
	case token.ROW_NUMBER, token.RANK, token.DENSE_RANK, token.CUME_DIST, token.PERCENT_RANK, token.NTILE, token.LEAD,
		token.LAG, token.FIRST_VALUE, token.LAST_VALUE, token.NTH_VALUE:
	default:
		return nil
	}
	f := &ast.WindowFunc{Name: p.wordName()}
	p.expect('(')
	switch kind {
	case token.NTILE:
		f.Args = []ast.Expr{p.stableInteger()}
	case token.FIRST_VALUE, token.LAST_VALUE:
		f.Args = []ast.Expr{p.expr()}
	case token.NTH_VALUE:
		f.Args = append(f.Args, p.expr())
		p.expect(',')
		f.Args = append(f.Args, p.simpleExpr())
	case token.LEAD, token.LAG:
		if f.Args = append(f.Args, p.expr()); p.accept(',') {
			if f.Args = append(f.Args, p.stableInteger()); p.accept(',') {
				f.Args = append(f.Args, p.expr())
			}
		}
	}
	p.expect(')')
	if kind == token.NTH_VALUE && p.accept(token.FROM) {
		if f.FromLast = ast.FromFirst; p.accept(token.LAST) {
			f.FromLast = ast.FromLast
		} else {
			p.expect(token.FIRST)
		}
	}
	if len(f.Args) > 0 && kind != token.NTILE {
		f.Nulls = p.nullTreatment()
	}
	p.failIf(!p.is(token.OVER))
	f.Over = p.over()
	f.Span = p.from(f.Name.From)
	return f
}

func (p *parser) nullTreatment() ast.NullTreatment {
	switch {
	case p.accept(token.RESPECT):
		p.expect(token.NULLS)
		return ast.RespectNulls
	case p.accept(token.IGNORE):
		p.expect(token.NULLS)
		return ast.IgnoreNulls
	}
	return ast.NoNullTreatment
}

// stableInteger reads an integer, a parameter, a user variable or a routine's variable.
func (p *parser) stableInteger() ast.Expr {
	switch {
	case p.is(token.Int):
		return p.numberLiteral()
	case p.is(token.Param):
		return p.param()
	case p.is('@'):
		return p.userVar()
	}
	id := p.ident()
	return &ast.Column{Span: id.Span, Name: id}
}

// over reads OVER and a window or its name.
func (p *parser) over() *ast.Over {
	o := &ast.Over{Span: p.tok.Span}
	p.expect(token.OVER)
	if p.is('(') {
		o.Window = p.window()
	} else {
		o.Name = p.ident()
	}
	o.To = p.end
	return o
}

// window reads a window in parentheses.
func (p *parser) window() *ast.Window {
	w := &ast.Window{Span: p.tok.Span}
	p.expect('(')
	if p.tok.Kind.IsIdent() {
		w.Base = p.take()
	}
	if p.accept(token.PARTITION) {
		p.expect(token.BY)
		w.PartitionBy = list(p, p.groupItem)
	}
	if p.is(token.ORDER) {
		w.OrderBy = p.orderBy()
	}
	if p.oneOf(token.ROWS, token.RANGE, token.GROUPS) {
		w.Frame = p.frame()
	}
	p.expect(')')
	w.To = p.end
	return w
}

func (p *parser) frame() *ast.Frame {
	f := &ast.Frame{Span: p.tok.Span}
	switch p.tok.Kind {
	case token.RANGE:
		f.Unit = ast.RangeFrame
	case token.GROUPS:
		f.Unit = ast.GroupsFrame
	}
	p.next()
	if p.accept(token.BETWEEN) {
		f.Start = p.frameBound(true)
		p.expect(token.AND)
		f.Stop = p.frameBound(true)
	} else {
		f.Start = p.frameBound(false)
	}
	if p.accept(token.EXCLUDE) {
		switch {
		case p.accept(token.CURRENT):
			p.expect(token.ROW)
			f.Exclude = ast.ExcludeCurrentRow
		case p.accept(token.GROUP):
			f.Exclude = ast.ExcludeGroup
		case p.accept(token.TIES):
			f.Exclude = ast.ExcludeTies
		default:
			p.expect(token.NO, token.OTHERS)
			f.Exclude = ast.ExcludeNoOthers
		}
	}
	f.To = p.end
	return f
}

// frameBound reads one bound; FOLLOWING may end it only where following is true.
func (p *parser) frameBound(following bool) *ast.FrameBound {
	b := &ast.FrameBound{Span: p.tok.Span}
	switch p.tok.Kind {
	case token.UNBOUNDED:
		p.next()
		if b.Kind = ast.UnboundedPreceding; following && p.accept(token.FOLLOWING) {
			b.Kind = ast.UnboundedFollowing
		} else {
			p.expect(token.PRECEDING)
		}
		b.To = p.end
		return b
	case token.CURRENT:
		p.next()
		p.expect(token.ROW)
		b.Kind, b.To = ast.CurrentRow, p.end
		return b
	case token.Int, token.Decimal, token.Float:
		b.X = p.numberLiteral()
	case token.Param:
		b.X = p.param()
	default:
		start := p.tok.From
		p.expect(token.INTERVAL)
		i := &ast.Interval{X: p.expr(), Unit: p.intervalUnit()}
		i.Span = p.from(start)
		b.X = i
	}
	if b.Kind = ast.Preceding; following && p.accept(token.FOLLOWING) {
		b.Kind = ast.Following
	} else {
		p.expect(token.PRECEDING)
	}
	b.To = p.end
	return b
}
