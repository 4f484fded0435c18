package parse

import (
	"strings"

	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// createStored reads CREATE of accounts, routines, triggers, events and libraries behind the word
// CREATE.
func (p *parser) createStored(start uint32) ast.Statement {
	switch p.tok.Kind {
	case token.USER:
		return p.createUser(start)
	case token.ROLE:
		return p.createRole(start)
	case token.LIBRARY:
		return p.library(start, false)
	case token.AGGREGATE:
		p.next()
		p.expect(token.FUNCTION)
		l := &ast.CreateLoadable{Aggregate: true, IfNotExists: p.ifNotExists()}
		l.Name = p.ident()
		return p.createLoadable(start, l)
	}
	return p.createProgram(start, nil)
}

// createProgram reads CREATE of a routine, a trigger or an event behind its definer.
func (p *parser) createProgram(start uint32, definer *ast.Account) ast.Statement {
	switch {
	case p.accept(token.PROCEDURE):
		r := &ast.CreateRoutine{Definer: definer, IfNotExists: p.ifNotExists()}
		r.Name = p.routineName()
		p.routine(r)
		r.Span = p.from(start)
		return r
	case p.accept(token.FUNCTION):
		return p.createFunction(start, definer)
	case p.accept(token.TRIGGER):
		return p.createTrigger(start, definer)
	}
	p.expect(token.EVENT)
	return p.createEvent(start, definer)
}

// createFunction reads CREATE FUNCTION of a stored or a loadable function from behind the word
// FUNCTION.
func (p *parser) createFunction(start uint32, definer *ast.Account) ast.Statement {
	r := &ast.CreateRoutine{Kind: ast.Function, Definer: definer, IfNotExists: p.ifNotExists()}
	r.Name = p.routineName()
	if definer == nil && !r.Name.Schema.Given() && p.is(token.RETURNS) {
		return p.createLoadable(start, &ast.CreateLoadable{IfNotExists: r.IfNotExists, Name: r.Name.Name})
	}
	p.routine(r)
	r.Span = p.from(start)
	return r
}

// routine reads a routine from its parameters on.
func (p *parser) routine(r *ast.CreateRoutine) {
	p.expect('(')
	if !p.is(')') {
		r.Params = list(p, func() ast.RoutineParam { return p.routineParam(r.Kind) })
	}
	p.expect(')')
	if r.Kind == ast.Function {
		p.expect(token.RETURNS)
		r.Returns, r.ReturnsCollate = p.variableType()
		if r.Returns.Binary {
			p.later(1235, "42000", "This version of MySQL doesn't yet support 'return value collation'")
		}
	}
	r.Characteristics = p.characteristics(true)
	if sqlLanguage(r.Characteristics) {
		if p.accept(token.AS) {
			p.fail()
		}
		r.Body = p.programStatement()
		return
	}
	if !p.accept(token.AS) {
		if !p.accept(token.BEGIN) {
			p.programStatement()
		}
		p.fail()
	}
	r.Source = p.source()
}

// source reads the source of a routine or a library in another language.
func (p *parser) source() *ast.Literal {
	if !p.is(token.DollarString) {
		return p.stringLiteral()
	}
	l := &ast.Literal{Span: p.tok.Span, Kind: ast.StringLiteral, Text: p.value()}
	p.next()
	return l
}

// sqlLanguage reports whether a routine is written in SQL.
func sqlLanguage(list []ast.Characteristic) bool {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].Kind == ast.RoutineLanguage {
			return strings.EqualFold(list[i].Name.Name, "sql")
		}
	}
	return true
}

func (p *parser) routineParam(kind ast.RoutineKind) ast.RoutineParam {
	r := ast.RoutineParam{}
	start := p.tok.From
	if kind == ast.Procedure {
		switch {
		case p.accept(token.IN):
			r.Mode = ast.ParamIn
		case p.accept(token.OUT):
			r.Mode = ast.ParamOut
		case p.accept(token.INOUT):
			r.Mode = ast.ParamInOut
		}
	}
	r.Name = p.objectName()
	p.checkRoutine(r.Name)
	r.Type, r.Collate = p.variableType()
	r.Span = p.from(start)
	return r
}

// variableType reads the type of a variable, a parameter or a result, with its collation.
func (p *parser) variableType() (*ast.DataType, ast.Ident) {
	t := p.dataType()
	if p.accept(token.COLLATE) {
		return t, p.collationName()
	}
	return t, ast.Ident{}
}

// characteristics reads the characteristics of a routine; create also takes those that ALTER cannot
// change.
func (p *parser) characteristics(create bool) []ast.Characteristic {
	var out []ast.Characteristic
	libraries := false
	for {
		start := p.tok.From
		if p.is(token.USING) {
			if libraries {
				p.failNear(p.tok.Pos(), "You have an error in your SQL syntax; Multiple USING clauses are not supported")
			}
			libraries = true
		}
		c, ok := p.characteristic(create)
		if !ok {
			return out
		}
		c.Span = p.from(start)
		out = append(out, c)
	}
}

func (p *parser) characteristic(create bool) (c ast.Characteristic, ok bool) {
	switch p.tok.Kind {
	case token.COMMENT:
		p.next()
		c.Kind, c.Text = ast.RoutineComment, p.stringLiteral()
	case token.LANGUAGE:
		p.next()
		c.Kind = ast.RoutineLanguage
		if p.is(token.SQL) {
			c.Name = p.take()
		} else {
			c.Name = p.ident()
		}
	case token.NO:
		p.next()
		p.expect(token.SQL)
		c.Kind = ast.NoSQL
	case token.CONTAINS:
		p.next()
		p.expect(token.SQL)
		c.Kind = ast.ContainsSQL
	case token.READS, token.MODIFIES:
		c.Kind = ast.ReadsSQLData
		if p.is(token.MODIFIES) {
			c.Kind = ast.ModifiesSQLData
		}
		p.next()
		p.expect(token.SQL, token.DATA)
	case token.SQL:
		c.Kind, c.Security = ast.RoutineSecurity, p.security()
	case token.USING:
		p.next()
		c.Kind = ast.UsingLibraries
		p.expect('(')
		if create || !p.is(')') {
			c.Libraries = list(p, p.libraryUse)
		}
		p.expect(')')
	case token.DETERMINISTIC, token.NOT, token.Not2:
		if !create {
			return c, false
		}
		c.Kind = ast.Deterministic
		if p.acceptNot() {
			c.Kind = ast.NotDeterministic
		}
		p.expect(token.DETERMINISTIC)
	default:
		return c, false
	}
	return c, true
}

func (p *parser) libraryUse() ast.LibraryUse {
	u := ast.LibraryUse{Name: p.routineName()}
	u.Alias = p.tableAlias()
	u.Span = p.from(u.Name.From)
	return u
}

// library reads CREATE LIBRARY and ALTER LIBRARY from LIBRARY on.
func (p *parser) library(start uint32, alter bool) *ast.Library {
	p.next()
	l := &ast.Library{Alter: alter}
	if !alter {
		l.IfNotExists = p.ifNotExists()
	}
	l.Name = p.routineName()
	for p.is(token.COMMENT) && !(alter && len(l.Characteristics) > 0) || !alter && p.is(token.LANGUAGE) {
		from := p.tok.From
		c, _ := p.characteristic(false)
		c.Span = p.from(from)
		l.Characteristics = append(l.Characteristics, c)
	}
	if alter {
		p.failIf(len(l.Characteristics) == 0)
	} else {
		if p.is(token.AS) && sqlLanguage(l.Characteristics) {
			p.failNear(p.tok.Pos(), "Language is not specified for library.")
		}
		p.expect(token.AS)
		if p.oneOf(token.HexNum, token.BinNum) {
			l.Source = p.numberLiteral()
		} else {
			l.Source = p.source()
		}
	}
	l.Span = p.from(start)
	return l
}

// alterStored reads ALTER of accounts, routines, events and libraries behind the word ALTER.
func (p *parser) alterStored(start uint32) ast.Statement {
	switch p.tok.Kind {
	case token.USER:
		return p.alterUser(start)
	case token.LIBRARY:
		return p.library(start, true)
	case token.PROCEDURE, token.FUNCTION:
		a := &ast.AlterRoutine{}
		if p.is(token.FUNCTION) {
			a.Kind = ast.Function
		}
		p.next()
		a.Name = p.routineName()
		a.Characteristics = p.characteristics(false)
		a.Span = p.from(start)
		return a
	}
	return p.alterEvent(start, nil)
}

var dropPrograms = map[token.Kind]ast.ProgramKind{token.PROCEDURE: ast.DropProcedure, token.FUNCTION: ast.DropFunction,
	token.TRIGGER: ast.DropTrigger, token.EVENT: ast.DropEvent, token.LIBRARY: ast.DropLibrary}

// dropStored reads DROP of accounts, routines, triggers, events and libraries behind the word DROP.
func (p *parser) dropStored(start uint32) ast.Statement {
	if p.oneOf(token.USER, token.ROLE) {
		return p.dropUser(start)
	}
	kind, ok := dropPrograms[p.tok.Kind]
	if !ok {
		p.fail()
	}
	p.next()
	d := &ast.DropProgram{Kind: kind, IfExists: p.ifExists()}
	d.Name = p.routineName()
	d.Span = p.from(start)
	return d
}

var triggerEvents = map[token.Kind]ast.TriggerEvent{token.INSERT: ast.OnInsert, token.UPDATE: ast.OnUpdate,
	token.DELETE: ast.OnDelete}

// createTrigger reads CREATE TRIGGER from behind the word TRIGGER.
func (p *parser) createTrigger(start uint32, definer *ast.Account) *ast.CreateTrigger {
	t := &ast.CreateTrigger{Definer: definer, IfNotExists: p.ifNotExists()}
	t.Name = p.routineName()
	if t.After = p.accept(token.AFTER); !t.After {
		p.expect(token.BEFORE)
	}
	var ok bool
	if t.Event, ok = triggerEvents[p.tok.Kind]; !ok {
		p.fail()
	}
	p.next()
	p.expect(token.ON)
	t.Table = p.tableName()
	p.expect(token.FOR, token.EACH, token.ROW)
	switch {
	case p.accept(token.FOLLOWS):
		t.Order, t.Other = ast.Follows, p.textName()
	case p.accept(token.PRECEDES):
		t.Order, t.Other = ast.Precedes, p.textName()
	}
	p.trigger = true
	t.Body = p.programStatement()
	p.trigger = false
	t.Span = p.from(start)
	return t
}

// isRowOfTrigger reports whether a name is that of a trigger's old or new row.
func isRowOfTrigger(name string) bool {
	return strings.EqualFold(name, "new") || strings.EqualFold(name, "old")
}

// createEvent reads CREATE EVENT from behind the word EVENT.
func (p *parser) createEvent(start uint32, definer *ast.Account) *ast.CreateEvent {
	e := &ast.CreateEvent{Definer: definer, IfNotExists: p.ifNotExists()}
	e.Name = p.routineName()
	p.expect(token.ON, token.SCHEDULE)
	e.Schedule = p.schedule()
	if p.accept(token.ON) {
		e.Completion = p.completion()
	}
	p.eventTail(e)
	p.failIf(e.Body == nil)
	e.Span = p.from(start)
	return e
}

// alterEvent reads ALTER EVENT behind its definer.
func (p *parser) alterEvent(start uint32, definer *ast.Account) *ast.CreateEvent {
	p.expect(token.EVENT)
	e := &ast.CreateEvent{Alter: true, Definer: definer, Name: p.routineName()}
	if p.isTwo(token.ON, token.SCHEDULE) {
		p.next()
		p.next()
		e.Schedule = p.schedule()
	}
	if p.accept(token.ON) {
		e.Completion = p.completion()
	}
	if p.accept(token.RENAME) {
		p.expect(token.TO)
		t := p.routineName()
		e.RenameTo = &t
	}
	p.eventTail(e)
	p.failIf(e.Schedule == nil && e.Completion == 0 && e.RenameTo == nil && e.State == 0 && e.Comment == nil && e.Body == nil)
	e.Span = p.from(start)
	return e
}

// schedule reads AT time, or EVERY interval with STARTS and ENDS.
func (p *parser) schedule() *ast.Schedule {
	s := &ast.Schedule{}
	start := p.tok.From
	if p.accept(token.AT) {
		s.At = p.expr()
		s.Span = p.from(start)
		return s
	}
	p.expect(token.EVERY)
	every := &ast.Interval{}
	from := p.tok.From
	every.X = p.expr()
	every.Unit = p.intervalUnit()
	every.Span = p.from(from)
	s.Every = every
	if p.accept(token.STARTS) {
		s.Starts = p.expr()
	}
	if p.accept(token.ENDS) {
		s.Ends = p.expr()
	}
	s.Span = p.from(start)
	return s
}

// completion reads COMPLETION [NOT] PRESERVE.
func (p *parser) completion() ast.EventCompletion {
	p.expect(token.COMPLETION)
	c := ast.Preserve
	if p.acceptNot() {
		c = ast.NotPreserve
	}
	p.expect(token.PRESERVE)
	return c
}

// eventTail reads the state, the comment and the body of an event, each of which may be absent.
func (p *parser) eventTail(e *ast.CreateEvent) {
	switch {
	case p.accept(token.ENABLE):
		e.State = ast.EventEnabled
	case p.accept(token.DISABLE):
		e.State = ast.EventDisabled
		if p.accept(token.ON) {
			if !p.accept(token.REPLICA) {
				p.expect(token.SLAVE)
			}
			e.State = ast.EventDisabledOnReplica
		}
	}
	if p.accept(token.COMMENT) {
		e.Comment = p.stringLiteral()
	}
	if p.accept(token.DO) {
		e.Body = p.programStatement()
	}
}
