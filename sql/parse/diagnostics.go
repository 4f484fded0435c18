package parse

import (
	"strings"

	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// getDiagnostics reads GET DIAGNOSTICS.
func (p *parser) getDiagnostics() *ast.GetDiagnostics {
	g := &ast.GetDiagnostics{}
	start := p.tok.From
	p.next()
	switch {
	case p.accept(token.CURRENT):
		g.Area = ast.CurrentArea
	case p.accept(token.STACKED):
		g.Area = ast.StackedArea
	}
	p.expect(token.DIAGNOSTICS)
	names := statementItems
	if p.accept(token.CONDITION) {
		g.Condition = p.signalValue()
		names = conditionItems
	}
	g.Items = list(p, func() ast.DiagnosticsItem { return p.diagnosticsItem(names) })
	g.Span = p.from(start)
	return g
}

var (
	statementItems = []token.Kind{token.NUMBER, token.ROW_COUNT}
	signalItems    = []token.Kind{token.CLASS_ORIGIN, token.SUBCLASS_ORIGIN, token.CONSTRAINT_CATALOG,
		token.CONSTRAINT_SCHEMA, token.CONSTRAINT_NAME, token.CATALOG_NAME, token.SCHEMA_NAME, token.TABLE_NAME,
		token.COLUMN_NAME, token.CURSOR_NAME, token.MESSAGE_TEXT, token.MYSQL_ERRNO}
	conditionItems = append([]token.Kind{token.RETURNED_SQLSTATE}, signalItems...)
)

func (p *parser) diagnosticsItem(names []token.Kind) ast.DiagnosticsItem {
	i := ast.DiagnosticsItem{}
	start := p.tok.From
	if p.is('@') {
		i.Target = p.userVar()
	} else {
		id := p.ident()
		i.Target = &ast.Column{Span: id.Span, Name: id}
	}
	p.expect('=')
	i.Name = p.oneWord(names...)
	i.Span = p.from(start)
	return i
}

// signalValue reads a constant, a user variable or a routine's variable.
func (p *parser) signalValue() ast.Expr {
	if l := p.literal(); l != nil {
		return l
	}
	if p.is(token.NULL) {
		return p.wordLiteral(ast.NullLiteral)
	}
	if p.is('@') && p.peek() != '@' {
		return p.userVar()
	}
	if p.is('@') {
		return p.systemVar()
	}
	return p.column()
}

// signal reads SIGNAL and RESIGNAL.
func (p *parser) signal() *ast.Signal {
	s := &ast.Signal{Resignal: p.is(token.RESIGNAL)}
	start := p.tok.From
	p.next()
	switch {
	case p.is(token.SQLSTATE):
		s.State = p.sqlState()
	case p.tok.Kind.IsIdent():
		s.Name = p.ident()
	default:
		p.failIf(!s.Resignal)
	}
	if p.accept(token.SET) {
		s.Items = list(p, p.signalItem)
	}
	s.Span = p.from(start)
	return s
}

// sqlState reads SQLSTATE [VALUE] 'state'.
func (p *parser) sqlState() *ast.Literal {
	p.expect(token.SQLSTATE)
	p.accept(token.VALUE)
	s := p.stringLiteral()
	if !validState(s.Text) {
		p.raise(1407, "42000", "Bad SQLSTATE: '%s'", s.Text)
	}
	return s
}

// validState reports whether a text can be the SQLSTATE of a condition: five digits and capitals,
// and not that of success.
func validState(s string) bool {
	return len(s) == 5 && !strings.HasPrefix(s, "00") && strings.Trim(s, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

func (p *parser) signalItem() ast.SignalItem {
	i := ast.SignalItem{}
	start := p.tok.From
	i.Name = p.oneWord(signalItems...)
	p.expect('=')
	i.Value = p.signalValue()
	i.Span = p.from(start)
	return i
}
