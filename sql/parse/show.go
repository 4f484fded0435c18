package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// show reads SHOW.
func (p *parser) show() ast.Statement {
	start := p.tok.From
	p.next()
	switch p.tok.Kind {
	case token.CREATE:
		return p.showCreate(start)
	case token.ENGINE:
		return p.showEngine(start)
	case token.PROFILE:
		return p.showProfile(start)
	case token.GRANTS:
		return p.showGrants(start)
	case token.PARSE_TREE: // MySQL reads it, and runs it in debug builds only
		at := p.tok
		p.next()
		p.statement()
		p.failAt(at.Pos())
	}
	s := &ast.Show{}
	p.showList(s)
	s.Span = p.from(start)
	return s
}

// showWords are the lists that one word names and that LIKE or WHERE may follow; true: FROM schema
// may stand before.
var showWords = map[token.Kind]struct {
	kind   ast.ShowKind
	schema bool
}{token.DATABASES: {ast.ShowDatabases, false}, token.EVENTS: {ast.ShowEvents, true},
	token.CHARSET: {ast.ShowCharset, false}, token.COLLATION: {ast.ShowCollation, false},
	token.TABLES: {ast.ShowTables, true}, token.TRIGGERS: {ast.ShowTriggers, true},
	token.VARIABLES: {ast.ShowVariables, false}, token.STATUS: {ast.ShowStatus, false}}

// showPlain are the lists that one word names and nothing follows.
var showPlain = map[token.Kind]ast.ShowKind{token.ENGINES: ast.ShowEngines, token.PLUGINS: ast.ShowPlugins,
	token.PRIVILEGES: ast.ShowPrivileges, token.PROFILES: ast.ShowProfiles, token.PROCESSLIST: ast.ShowProcesslist,
	token.REPLICAS: ast.ShowReplicas}

// showList reads what SHOW lists.
func (p *parser) showList(s *ast.Show) {
	p.showPrefix(s)
	if w, ok := showWords[p.tok.Kind]; ok {
		p.next()
		s.Kind = w.kind
		p.showFilter(s, w.schema)
		return
	}
	if kind, ok := showPlain[p.tok.Kind]; ok {
		p.next()
		s.Kind = kind
		p.warnOfShow(kind)
		return
	}
	switch p.tok.Kind {
	case token.CHAR:
		p.next()
		p.expect(token.SET)
		s.Kind = ast.ShowCharset
		p.showFilter(s, false)
	case token.OPEN:
		p.next()
		p.expect(token.TABLES)
		s.Kind = ast.ShowOpenTables
		p.showFilter(s, true)
	case token.TABLE:
		p.next()
		p.expect(token.STATUS)
		s.Kind = ast.ShowTableStatus
		p.showFilter(s, true)
	case token.STORAGE:
		p.next()
		p.expect(token.ENGINES)
		s.Kind = ast.ShowEngines
	case token.COLUMNS, token.INDEX, token.INDEXES, token.KEYS:
		p.showTable(s)
	case token.WARNINGS, token.ERRORS, token.COUNT:
		p.showConditions(s)
	case token.FUNCTION, token.PROCEDURE, token.LIBRARY:
		p.showRoutines(s)
	default:
		p.showReplication(s)
	}
}

// showPrefix reads EXTENDED, FULL, GLOBAL and SESSION, where what follows takes them.
func (p *parser) showPrefix(s *ast.Show) {
	at := p.tok
	switch p.tok.Kind {
	case token.GLOBAL, token.SESSION, token.LOCAL:
		s.Scope = map[token.Kind]ast.Scope{token.GLOBAL: ast.GlobalScope, token.SESSION: ast.SessionScope,
			token.LOCAL: ast.LocalScope}[p.tok.Kind]
		p.next()
		p.failIf(!p.oneOf(token.VARIABLES, token.STATUS))
		return
	}
	s.Extended = p.accept(token.EXTENDED)
	s.Full = p.accept(token.FULL)
	switch p.tok.Kind {
	case token.TABLES, token.COLUMNS:
	case token.INDEX, token.INDEXES, token.KEYS:
		p.failIf(s.Full)
	case token.TRIGGERS, token.PROCESSLIST:
		p.failIf(s.Extended)
	default:
		p.failIf(p.tok != at)
	}
}

// showFilter reads [FROM schema] [LIKE text | WHERE x].
func (p *parser) showFilter(s *ast.Show, schema bool) {
	if schema {
		s.Schema = p.fromSchema()
	}
	switch {
	case p.accept(token.LIKE):
		s.Like = p.stringLiteral()
	case p.accept(token.WHERE):
		s.Where = p.expr()
	}
}

func (p *parser) fromSchema() ast.Ident {
	if p.accept(token.FROM) || p.accept(token.IN) {
		return p.schemaName()
	}
	return ast.Ident{}
}

// showTable reads SHOW COLUMNS and SHOW INDEX.
func (p *parser) showTable(s *ast.Show) {
	s.Kind = ast.ShowColumns
	if !p.is(token.COLUMNS) {
		s.Kind = ast.ShowIndex
	}
	p.next()
	if !p.accept(token.FROM) {
		p.expect(token.IN)
	}
	s.Table = p.tableName()
	s.Schema = p.fromSchema()
	switch {
	case p.accept(token.WHERE):
		s.Where = p.expr()
	case s.Kind == ast.ShowColumns && p.accept(token.LIKE):
		s.Like = p.stringLiteral()
	}
}

// showConditions reads SHOW WARNINGS, SHOW ERRORS and their counts.
func (p *parser) showConditions(s *ast.Show) {
	if p.accept(token.COUNT) {
		p.expect('(', '*', ')')
		s.Kind = ast.ShowCountWarnings
		if !p.accept(token.WARNINGS) {
			p.expect(token.ERRORS)
			s.Kind = ast.ShowCountErrors
		}
		return
	}
	s.Kind = ast.ShowWarnings
	if p.is(token.ERRORS) {
		s.Kind = ast.ShowErrors
	}
	p.next()
	s.Limit = p.optionalLimit()
}

func (p *parser) optionalLimit() *ast.Limit {
	if p.is(token.LIMIT) {
		return p.limit()
	}
	return nil
}

// showRoutines reads SHOW FUNCTION, PROCEDURE and LIBRARY.
func (p *parser) showRoutines(s *ast.Show) {
	kind := p.tok.Kind
	p.next()
	if kind != token.LIBRARY && p.accept(token.CODE) {
		s.Kind = ast.ShowFunctionCode
		if kind == token.PROCEDURE {
			s.Kind = ast.ShowProcedureCode
		}
		s.Table = p.tableName()
		return
	}
	p.expect(token.STATUS)
	s.Kind = map[token.Kind]ast.ShowKind{token.FUNCTION: ast.ShowFunctionStatus,
		token.PROCEDURE: ast.ShowProcedureStatus, token.LIBRARY: ast.ShowLibraryStatus}[kind]
	p.showFilter(s, false)
}

// showReplication reads what SHOW tells of logs and replicas.
func (p *parser) showReplication(s *ast.Show) {
	switch {
	case p.accept(token.BINARY):
		if p.accept(token.LOGS) {
			s.Kind = ast.ShowBinaryLogs
			return
		}
		p.expect(token.LOG, token.STATUS)
		s.Kind = ast.ShowBinaryLogStatus
	case p.accept(token.REPLICA):
		p.expect(token.STATUS)
		s.Kind = ast.ShowReplicaStatus
		s.Channel = p.forChannel()
	case p.accept(token.BINLOG):
		s.Kind = ast.ShowBinlogEvents
		p.showEvents(s)
	case p.accept(token.RELAYLOG):
		s.Kind = ast.ShowRelaylogEvents
		p.showEvents(s)
		s.Channel = p.forChannel()
	default:
		p.fail()
	}
}

// showEvents reads EVENTS [IN log] [FROM position] [LIMIT ...].
func (p *parser) showEvents(s *ast.Show) {
	p.expect(token.EVENTS)
	if p.accept(token.IN) {
		s.Log = p.stringLiteral()
	}
	if p.accept(token.FROM) {
		s.Position = p.largeNumber()
	}
	s.Limit = p.optionalLimit()
}

// forChannel reads [FOR CHANNEL name].
func (p *parser) forChannel() *ast.Literal {
	if !p.accept(token.FOR) {
		return nil
	}
	p.expect(token.CHANNEL)
	return p.stringLiteral()
}

var showCreateKinds = map[token.Kind]ast.ShowCreateKind{token.TABLE: ast.ShowCreateTable, token.VIEW: ast.ShowCreateView,
	token.DATABASE: ast.ShowCreateDatabase, token.PROCEDURE: ast.ShowCreateProcedure,
	token.FUNCTION: ast.ShowCreateFunction, token.TRIGGER: ast.ShowCreateTrigger, token.EVENT: ast.ShowCreateEvent,
	token.LIBRARY: ast.ShowCreateLibrary, token.USER: ast.ShowCreateUser,
	token.MASKING: ast.ShowCreateMaskingPolicy}

// showCreate reads SHOW CREATE behind the word SHOW.
func (p *parser) showCreate(start uint32) *ast.ShowCreate {
	p.next()
	kind, ok := showCreateKinds[p.tok.Kind]
	if !ok {
		p.fail()
	}
	p.next()
	s := &ast.ShowCreate{Kind: kind}
	switch kind {
	case ast.ShowCreateUser:
		s.Account = p.account()
	case ast.ShowCreateMaskingPolicy:
		p.expect(token.POLICY)
		id := p.ident()
		s.Name = ast.TableName{Span: id.Span, Name: id}
	case ast.ShowCreateDatabase:
		s.IfNotExists = p.ifNotExists()
		id := p.schemaName()
		s.Name = ast.TableName{Span: id.Span, Name: id}
	case ast.ShowCreateTable, ast.ShowCreateView:
		s.Name = p.tableName()
	default:
		s.Name = p.routineName()
	}
	s.Span = p.from(start)
	return s
}

// showEngine reads SHOW ENGINE behind the word SHOW.
func (p *parser) showEngine(start uint32) *ast.ShowEngine {
	p.next()
	s := &ast.ShowEngine{}
	if !p.accept(token.ALL) {
		s.Name = p.textName()
	}
	switch {
	case p.accept(token.STATUS):
	case p.accept(token.MUTEX):
		s.What = ast.EngineMutex
	default:
		p.expect(token.LOGS)
		s.What = ast.EngineLogs
	}
	s.Span = p.from(start)
	return s
}

var profileTypes = map[token.Kind]struct {
	kind   ast.ProfileType
	second token.Kind
}{token.ALL: {ast.ProfileAll, 0}, token.BLOCK: {ast.ProfileBlockIO, token.IO},
	token.CONTEXT: {ast.ProfileContextSwitches, token.SWITCHES}, token.CPU: {ast.ProfileCPU, 0},
	token.IPC: {ast.ProfileIPC, 0}, token.MEMORY: {ast.ProfileMemory, 0},
	token.PAGE: {ast.ProfilePageFaults, token.FAULTS}, token.SOURCE: {ast.ProfileSource, 0},
	token.SWAPS: {ast.ProfileSwaps, 0}}

// showProfile reads SHOW PROFILE behind the word SHOW.
func (p *parser) showProfile(start uint32) *ast.ShowProfile {
	p.next()
	s := &ast.ShowProfile{}
	if _, ok := profileTypes[p.tok.Kind]; ok {
		for _, t := range list(p, p.profileType) {
			s.Types |= t
		}
	}
	if p.accept(token.FOR) {
		p.expect(token.QUERY)
		s.Query = p.numberOf(token.Int)
	}
	s.Limit = p.optionalLimit()
	s.Span = p.from(start)
	p.useInstead("SHOW PROFILE", "Performance Schema")
	return s
}

func (p *parser) profileType() ast.ProfileType {
	t, ok := profileTypes[p.tok.Kind]
	if !ok {
		p.fail()
	}
	p.next()
	if t.second != 0 {
		p.expect(t.second)
	}
	return t.kind
}

// showGrants reads SHOW GRANTS behind the word SHOW.
func (p *parser) showGrants(start uint32) *ast.ShowGrants {
	p.next()
	s := &ast.ShowGrants{}
	if p.accept(token.FOR) {
		s.For = p.account()
		if p.accept(token.USING) {
			s.Using = list(p, func() ast.Account { return *p.account() })
		}
	}
	s.Span = p.from(start)
	return s
}
