package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// selectOptions maps the words between SELECT and the select list.
func selectOption(k token.Kind) ast.SelectOption {
	switch k {
	case token.ALL:
		return ast.SelectAll
	case token.DISTINCT:
		return ast.SelectDistinct
	case token.STRAIGHT_JOIN:
		return ast.StraightJoin
	case token.HIGH_PRIORITY:
		return ast.HighPriority
	case token.SQL_SMALL_RESULT:
		return ast.SmallResult
	case token.SQL_BIG_RESULT:
		return ast.BigResult
	case token.SQL_BUFFER_RESULT:
		return ast.BufferResult
	case token.SQL_NO_CACHE:
		return ast.NoCache
	case token.SQL_CALC_FOUND_ROWS:
		return ast.CalcFoundRows
	}
	return 0
}

// selectBlock reads one SELECT without ORDER BY and what follows it. q takes its INTO.
func (p *parser) selectBlock(q *ast.Query) *ast.Select {
	s := &ast.Select{Span: p.tok.Span, Hints: p.hints()}
	p.next()
	for o := selectOption(p.tok.Kind); o != 0; o = selectOption(p.tok.Kind) {
		if s.Options |= o; s.Options&ast.SelectAll != 0 && s.Options&ast.SelectDistinct != 0 {
			p.wrongUsage("ALL", "DISTINCT")
		}
		p.warnOfOption(o)
		p.next()
	}
	s.Items = p.selectItems()
	if p.is(token.INTO) {
		p.blockInto(q)
	}
	if p.accept(token.FROM) {
		s.From = p.fromList()
	}
	if p.accept(token.WHERE) {
		s.Where = p.expr()
	}
	if p.is(token.GROUP) {
		s.GroupBy = p.groupBy()
	}
	if p.accept(token.HAVING) {
		s.Having = p.expr()
	}
	if p.accept(token.WINDOW) {
		s.Windows = list(p, p.namedWindow)
	}
	if p.accept(token.QUALIFY) {
		s.Qualify = p.expr()
	}
	s.To = p.end
	return s
}

// hints returns the hint comment behind the current token.
func (p *parser) hints() *ast.Hints {
	if p.tok.Hint == 0 {
		return nil
	}
	text := p.lex.Text()
	from := p.tok.To
	for text[from] != '/' {
		from++
	}
	if !p.body {
		p.checkHints(from+3, p.tok.Hint-2)
	}
	return &ast.Hints{Span: ast.Span{From: from, To: p.tok.Hint}, Text: text[from+3 : p.tok.Hint-2]}
}

func (p *parser) selectItems() []ast.SelectItem {
	items := make([]ast.SelectItem, 0, 2)
	if p.is('*') {
		items = append(items, ast.SelectItem{Span: p.tok.Span, X: &ast.Star{Span: p.tok.Span}})
		p.next()
	} else {
		items = append(items, p.selectItem())
	}
	for p.accept(',') {
		items = append(items, p.selectItem())
	}
	return items
}

func (p *parser) selectItem() ast.SelectItem {
	start := p.tok.From
	var x ast.Expr
	if p.tok.Kind.IsIdent() && p.peek() == '.' {
		if x = p.name(true); !isStar(x) {
			x = p.climb(start, x, ast.PrecPrimary, ast.PrecLowest)
		}
	} else {
		x = p.expr()
	}
	item := ast.SelectItem{X: x}
	if !isStar(x) {
		item.Alias = p.itemAlias()
	}
	item.Span = p.from(start)
	return item
}

func isStar(x ast.Expr) bool {
	_, ok := x.(*ast.Star)
	return ok
}

// groupItem reads an expression to group by.
func (p *parser) groupItem() ast.OrderItem {
	start := p.tok.From
	o := ast.OrderItem{X: p.expr()}
	o.Span = p.from(start)
	return o
}

// orderItem reads an expression to order by, with its direction.
func (p *parser) orderItem() ast.OrderItem {
	start := p.tok.From
	o := ast.OrderItem{X: p.expr()}
	o.Direction = p.direction()
	o.Span = p.from(start)
	return o
}

func (p *parser) orderBy() []ast.OrderItem {
	p.expect(token.ORDER, token.BY)
	return list(p, p.orderItem)
}

func (p *parser) groupBy() *ast.GroupBy {
	g := &ast.GroupBy{Span: p.tok.Span}
	p.expect(token.GROUP, token.BY)
	switch {
	case p.isTwo(token.ROLLUP, '('), p.is(token.CUBE):
		if g.Rollup = ast.RollupCall; p.is(token.CUBE) {
			g.Rollup = ast.CubeCall
		}
		p.next()
		p.expect('(')
		g.Items = list(p, p.groupItem)
		p.expect(')')
	case p.isTwo(token.GROUPING, token.SETS):
		g.Rollup = ast.SetsCall
		p.next()
		p.next()
		p.expect('(')
		g.Items = list(p, p.groupingSet)
		p.expect(')')
	default:
		g.Items = list(p, p.groupItem)
		if p.acceptTwo(token.WITH, token.ROLLUP) {
			g.Rollup = ast.WithRollup
		}
	}
	g.To = p.end
	return g
}

// groupingSet reads one set of GROUPING SETS, which may be empty.
func (p *parser) groupingSet() ast.OrderItem {
	r := &ast.Row{Span: p.tok.Span}
	p.expect('(')
	if !p.is(')') {
		r.Items = p.exprList()
	}
	p.expect(')')
	r.To = p.end
	return ast.OrderItem{Span: r.Span, X: r}
}

func (p *parser) namedWindow() ast.NamedWindow {
	start := p.tok.From
	w := ast.NamedWindow{Name: p.ident()}
	p.expect(token.AS)
	w.Window = p.window()
	w.Span = p.from(start)
	return w
}

func (p *parser) limit() *ast.Limit {
	l := &ast.Limit{Span: p.tok.Span}
	p.expect(token.LIMIT)
	l.Count = p.limitValue()
	switch {
	case p.accept(','):
		l.Offset = l.Count
		l.Count = p.limitValue()
	case p.accept(token.OFFSET):
		l.Offset = p.limitValue()
	}
	l.To = p.end
	return l
}

// limitValue reads a number, a parameter or a routine's variable.
func (p *parser) limitValue() ast.Expr {
	switch p.tok.Kind {
	case token.Int:
		return p.numberLiteral()
	case token.Param:
		return p.param()
	}
	id := p.ident()
	return &ast.Column{Span: id.Span, Name: id}
}

func (p *parser) lock() ast.Lock {
	l := ast.Lock{Span: p.tok.Span}
	if p.accept(token.LOCK) {
		p.expect(token.IN, token.SHARE, token.MODE)
		l.Strength, l.To = ast.LockInShareMode, p.end
		return l
	}
	p.expect(token.FOR)
	if p.accept(token.SHARE) {
		l.Strength = ast.ForShare
	} else {
		p.expect(token.UPDATE)
	}
	if p.accept(token.OF) {
		l.Of = list(p, p.tableName)
	}
	switch {
	case p.accept(token.NOWAIT):
		l.Wait = ast.LockNowait
	case p.accept(token.SKIP):
		p.expect(token.LOCKED)
		l.Wait = ast.LockSkipLocked
	}
	l.To = p.end
	return l
}
