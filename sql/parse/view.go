package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

var viewAlgorithms = map[token.Kind]ast.ViewAlgorithm{token.UNDEFINED: ast.AlgorithmUndefined,
	token.MERGE: ast.AlgorithmMerge, token.TEMPTABLE: ast.AlgorithmTemptable}

// createView reads CREATE VIEW and ALTER VIEW from the algorithm on.
func (p *parser) createView(start uint32, v *ast.CreateView) *ast.CreateView {
	if p.accept(token.ALGORITHM) {
		p.expect('=')
		var ok bool
		if v.Algorithm, ok = viewAlgorithms[p.tok.Kind]; !ok {
			p.fail()
		}
		p.next()
	}
	v.Definer = p.definer()
	return p.viewTail(start, v)
}

// viewTail reads a view from SQL SECURITY on.
func (p *parser) viewTail(start uint32, v *ast.CreateView) *ast.CreateView {
	defined := v.Definer != nil
	if p.is(token.SQL) {
		v.Security, defined = p.security(), true
	}
	switch {
	case !defined && p.accept(token.MATERIALIZED):
		v.Kind = ast.MaterializedView
	case p.accept(token.JSON):
		v.Kind, v.Relational = ast.DualityView, p.accept(token.RELATIONAL)
		p.expect(token.DUALITY)
	}
	p.expect(token.VIEW)
	at := p.tok.Pos()
	v.IfNotExists = p.ifNotExists()
	v.Name = p.tableName()
	v.Columns = p.columnNames()
	if v.IfNotExists && (v.OrReplace || v.Alter) {
		p.failAt(at)
	}
	p.expect(token.AS)
	v.Query = p.query()
	if p.accept(token.WITH) {
		v.Check = p.checkOption()
	}
	v.Span = p.from(start)
	return v
}

// security reads SQL SECURITY.
func (p *parser) security() ast.Security {
	p.expect(token.SQL, token.SECURITY)
	if p.accept(token.INVOKER) {
		return ast.SecurityInvoker
	}
	p.expect(token.DEFINER)
	return ast.SecurityDefiner
}

func (p *parser) checkOption() ast.CheckKind {
	kind := ast.CheckOptionPlain
	switch {
	case p.accept(token.CASCADED):
		kind = ast.CheckOptionCascaded
	case p.accept(token.LOCAL):
		kind = ast.CheckOptionLocal
	}
	p.expect(token.CHECK, token.OPTION)
	return kind
}

// dropView reads DROP VIEW behind the word DROP.
func (p *parser) dropView(start uint32) *ast.DropView {
	p.next()
	d := &ast.DropView{IfExists: p.ifExists()}
	d.Views = list(p, p.tableName)
	d.Behavior = p.dropBehavior()
	d.Span = p.from(start)
	return d
}
