package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// partitionBy reads PARTITION BY with the partitions.
func (p *parser) partitionBy() *ast.PartitionBy {
	b := &ast.PartitionBy{}
	start := p.tok.From
	p.expect(token.PARTITION, token.BY)
	b.Linear = p.accept(token.LINEAR)
	switch {
	case p.accept(token.HASH):
		b.X = inParens(p, p.bitExpr)
	case p.accept(token.KEY):
		b.Method, b.ColumnList = ast.ByKey, true
		b.Algorithm = p.partitionAlgorithm()
		b.Columns = p.optionalNames()
	case !b.Linear && p.accept(token.RANGE):
		b.Method = ast.ByRange
		p.partitionKey(b)
	case !b.Linear && p.accept(token.LIST):
		b.Method = ast.ByList
		p.partitionKey(b)
	default:
		p.fail()
	}
	if p.accept(token.PARTITIONS) {
		b.Partitions = p.wholeNumber()
	}
	if p.is(token.SUBPARTITION) {
		b.Sub = p.subpartitionBy()
	}
	if p.is('(') {
		b.Defs = p.partitionDefs()
	}
	b.Span = p.from(start)
	return b
}

// partitionKey reads the key of RANGE and LIST: an expression, or COLUMNS with names.
func (p *parser) partitionKey(b *ast.PartitionBy) {
	if b.ColumnList = p.accept(token.COLUMNS); b.ColumnList {
		b.Columns = inParens(p, p.identList)
		return
	}
	b.X = inParens(p, p.bitExpr)
}

// partitionAlgorithm reads ALGORITHM = 1 or 2.
func (p *parser) partitionAlgorithm() string {
	if !p.accept(token.ALGORITHM) {
		return ""
	}
	p.expect('=')
	at := p.tok
	n := p.wholeNumber()
	if n != "1" && n != "2" {
		p.failAt(at.Pos())
	}
	return n
}

// optionalNames reads names in parentheses, or none.
func (p *parser) optionalNames() []ast.Ident {
	p.expect('(')
	if p.accept(')') {
		return nil
	}
	names := p.identList()
	p.expect(')')
	return names
}

func (p *parser) subpartitionBy() *ast.SubpartitionBy {
	s := &ast.SubpartitionBy{}
	start := p.tok.From
	p.expect(token.SUBPARTITION, token.BY)
	s.Linear = p.accept(token.LINEAR)
	if p.accept(token.HASH) {
		s.X = inParens(p, p.bitExpr)
	} else {
		p.expect(token.KEY)
		s.Algorithm = p.partitionAlgorithm()
		s.Columns = inParens(p, p.identList)
	}
	if p.accept(token.SUBPARTITIONS) {
		s.Subpartitions = p.wholeNumber()
	}
	s.Span = p.from(start)
	return s
}

// partitionDefs reads definitions of partitions in parentheses.
func (p *parser) partitionDefs() []ast.PartitionDef {
	return inParens(p, func() []ast.PartitionDef { return list(p, p.partitionDef) })
}

func (p *parser) partitionDef() ast.PartitionDef {
	start := p.tok.From
	p.expect(token.PARTITION)
	d := ast.PartitionDef{Name: p.ident()}
	if p.accept(token.VALUES) {
		p.partitionValues(&d)
	}
	d.Options = p.partitionOptions()
	if p.is('(') {
		d.Subs = inParens(p, func() []ast.PartitionDef { return list(p, p.subpartitionDef) })
	}
	d.Span = p.from(start)
	return d
}

func (p *parser) subpartitionDef() ast.PartitionDef {
	start := p.tok.From
	p.expect(token.SUBPARTITION)
	d := ast.PartitionDef{Name: p.textName()}
	d.Options = p.partitionOptions()
	d.Span = p.from(start)
	return d
}

// partitionValues reads what follows VALUES.
func (p *parser) partitionValues(d *ast.PartitionDef) {
	if p.accept(token.LESS) {
		p.expect(token.THAN)
		if p.accept(token.MAXVALUE) {
			d.Kind = ast.LessThanMaxValue
			return
		}
		d.Kind, d.Values = ast.LessThan, []ast.PartitionRow{p.partitionRow(true)}
		return
	}
	p.expect(token.IN)
	d.Kind = ast.InValues
	if p.isTwo('(', '(') {
		d.Values = inParens(p, func() []ast.PartitionRow {
			return list(p, func() ast.PartitionRow { return p.partitionRow(false) })
		})
		for i := range d.Values {
			d.Values[i].Parens = true
		}
		return
	}
	d.Values = []ast.PartitionRow{p.partitionRow(false)}
}

// partitionRow reads values in parentheses.
func (p *parser) partitionRow(maxValue bool) ast.PartitionRow {
	r := ast.PartitionRow{}
	start := p.tok.From
	r.Items = inParens(p, func() []ast.Expr {
		return list(p, func() ast.Expr { return p.partitionValue(maxValue) })
	})
	r.Span = p.from(start)
	return r
}

func (p *parser) partitionValue(maxValue bool) ast.Expr {
	if !p.is(token.MAXVALUE) {
		return p.bitExpr()
	}
	if !maxValue {
		p.laterNear(p.tok.Pos(), "Cannot use MAXVALUE as value in VALUES IN")
	}
	m := &ast.MaxValue{Span: p.tok.Span}
	p.next()
	return m
}

// partitionOptions reads the options of a partition.
func (p *parser) partitionOptions() []ast.TableOption {
	var out []ast.TableOption
	for {
		o := ast.TableOption{}
		start := p.tok.From
		switch p.tok.Kind {
		case token.STORAGE:
			p.next()
			p.failIf(!p.is(token.ENGINE))
			p.otherOption(&o)
		case token.ENGINE, token.TABLESPACE, token.DATA, token.INDEX:
			p.otherOption(&o)
		case token.NODEGROUP, token.MAX_ROWS, token.MIN_ROWS:
			o.Kind = map[token.Kind]ast.TableOptionKind{token.NODEGROUP: ast.OptionNodegroup,
				token.MAX_ROWS: ast.OptionMaxRows, token.MIN_ROWS: ast.OptionMinRows}[p.tok.Kind]
			p.optionWord()
			o.Number = p.wholeNumber()
		case token.COMMENT:
			p.optionWord()
			o.Kind, o.Text = ast.OptionComment, p.stringLiteral()
		default:
			return out
		}
		o.Span = p.from(start)
		out = append(out, o)
	}
}
