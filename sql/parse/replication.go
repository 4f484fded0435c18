package parse

import (
	"strings"

	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// startReplica reads START and STOP of a replica or of group replication from behind the first
// word.
func (p *parser) startReplica(start uint32, stop bool) ast.Statement {
	if p.accept(token.GROUP_REPLICATION) {
		g := &ast.GroupReplication{Stop: stop}
		if !stop && p.oneOf(token.USER, token.PASSWORD, token.DEFAULT_AUTH) {
			list(p, func() bool { p.groupOption(g); return true })
		}
		g.Span = p.from(start)
		return g
	}
	p.expect(token.REPLICA)
	s := &ast.StartReplica{Stop: stop}
	p.replicaThreads(s)
	if !stop {
		if p.accept(token.UNTIL) {
			s.Until = p.replicaUntil()
		}
		p.replicaLogin(s)
	}
	s.Channel = p.forChannel()
	s.Span = p.from(start)
	return s
}

func (p *parser) groupOption(g *ast.GroupReplication) {
	target := map[token.Kind]**ast.Literal{token.USER: &g.User, token.PASSWORD: &g.Pass,
		token.DEFAULT_AUTH: &g.Authentication}[p.tok.Kind]
	p.failIf(target == nil)
	p.next()
	p.expect('=')
	*target = p.stringLiteral()
}

// replicaThreads reads IO_THREAD and SQL_THREAD.
func (p *parser) replicaThreads(s *ast.StartReplica) {
	if !p.oneOf(token.RELAY_THREAD, token.SQL_THREAD) {
		return
	}
	for _, t := range list(p, p.replicaThread) {
		s.Threads |= t
	}
}

func (p *parser) replicaThread() ast.ReplicaThread {
	if p.accept(token.RELAY_THREAD) {
		return ast.ReceiverThread
	}
	p.expect(token.SQL_THREAD)
	return ast.ApplierThread
}

func (p *parser) replicaUntil() *ast.ReplicaUntil {
	u := &ast.ReplicaUntil{}
	start := p.tok.From
	switch kind := p.tok.Kind; kind {
	case token.SQL_AFTER_MTS_GAPS:
		p.next()
		u.Kind = ast.UntilAfterGaps
	case token.SQL_BEFORE_GTIDS, token.SQL_AFTER_GTIDS:
		if kind == token.SQL_AFTER_GTIDS {
			u.Kind = ast.UntilAfterGTIDs
		}
		p.next()
		p.expect('=')
		u.Text = p.stringLiteral()
	default:
		p.untilPosition(u)
	}
	if u.Kind != ast.UntilLog && p.accept(',') {
		p.untilPosition(&ast.ReplicaUntil{})
		p.wrongUntil()
	}
	u.Span = p.from(start)
	return u
}

// untilPosition reads the names of files and the positions of UNTIL, in any order. They count only
// when they name both a file and a position of one kind of log.
func (p *parser) untilPosition(u *ast.ReplicaUntil) {
	u.Kind = ast.UntilLog
	u.Items = list(p, p.untilItem)
	var file, pos [2]bool
	for _, item := range u.Items {
		if item.File != nil {
			file[relayIndex(item)] = true
		} else {
			pos[relayIndex(item)] = true
		}
	}
	if !(file[0] && pos[0] && !file[1]) && !(file[1] && pos[1] && !file[0]) {
		p.wrongUntil()
	}
}

func (p *parser) untilItem() ast.UntilItem {
	u := ast.UntilItem{Span: p.tok.Span, Relay: p.oneOf(token.RELAY_LOG_FILE, token.RELAY_LOG_POS)}
	file := p.oneOf(token.SOURCE_LOG_FILE, token.RELAY_LOG_FILE)
	p.failIf(!file && !p.oneOf(token.SOURCE_LOG_POS, token.RELAY_LOG_POS))
	p.next()
	p.expect('=')
	if file {
		u.File = p.stringLiteral()
	} else {
		u.Position = p.largeNumber()
	}
	u.To = p.end
	return u
}

func (p *parser) wrongUntil() {
	p.raise(1277, "HY000", "Incorrect parameter or combination of parameters for START REPLICA UNTIL")
}

// replicaLogin reads USER, PASSWORD, DEFAULT_AUTH and PLUGIN_DIR, in this order.
func (p *parser) replicaLogin(s *ast.StartReplica) {
	for _, o := range [...]struct {
		word   token.Kind
		target **ast.Literal
	}{{token.USER, &s.User}, {token.PASSWORD, &s.Pass}, {token.DEFAULT_AUTH, &s.Auth}, {token.PLUGIN_DIR, &s.Plugins}} {
		if p.accept(o.word) {
			p.expect('=')
			*o.target = p.stringLiteral()
		}
	}
}

// change reads CHANGE REPLICATION SOURCE and CHANGE REPLICATION FILTER.
func (p *parser) change() ast.Statement {
	start := p.tok.From
	p.next()
	p.expect(token.REPLICATION)
	if p.accept(token.FILTER) {
		f := &ast.ChangeFilter{Filters: list(p, p.replicationFilter)}
		f.Channel = p.forChannel()
		f.Span = p.from(start)
		return f
	}
	p.expect(token.SOURCE, token.TO)
	c := &ast.ChangeSource{Options: list(p, p.sourceOption)}
	c.Channel = p.forChannel()
	c.Span = p.from(start)
	return c
}

// sourceValue is the kind of value that an option of CHANGE REPLICATION SOURCE takes.
type sourceValue uint8

const (
	sourceText sourceValue = iota + 1
	sourceNumber
	sourceFraction
	sourceOther
)

var sourceOptions = map[token.Kind]sourceValue{token.SOURCE_HOST: sourceText, token.SOURCE_USER: sourceText,
	token.SOURCE_PASSWORD: sourceText, token.SOURCE_BIND: sourceText, token.SOURCE_LOG_FILE: sourceText,
	token.RELAY_LOG_FILE: sourceText, token.NETWORK_NAMESPACE: sourceText, token.SOURCE_SSL_CA: sourceText,
	token.SOURCE_SSL_CAPATH: sourceText, token.SOURCE_SSL_CERT: sourceText, token.SOURCE_SSL_CIPHER: sourceText,
	token.SOURCE_SSL_KEY: sourceText, token.SOURCE_SSL_CRL: sourceText, token.SOURCE_SSL_CRLPATH: sourceText,
	token.SOURCE_TLS_VERSION: sourceText, token.SOURCE_PUBLIC_KEY_PATH: sourceText,
	token.SOURCE_COMPRESSION_ALGORITHMS: sourceText, token.SOURCE_PORT: sourceNumber,
	token.SOURCE_CONNECT_RETRY: sourceNumber, token.SOURCE_RETRY_COUNT: sourceNumber, token.SOURCE_DELAY: sourceNumber,
	token.SOURCE_SSL: sourceNumber, token.SOURCE_SSL_VERIFY_SERVER_CERT: sourceNumber,
	token.GET_SOURCE_PUBLIC_KEY: sourceNumber, token.SOURCE_AUTO_POSITION: sourceNumber,
	token.REQUIRE_ROW_FORMAT: sourceNumber, token.GTID_ONLY: sourceNumber,
	token.SOURCE_ZSTD_COMPRESSION_LEVEL: sourceNumber, token.SOURCE_CONNECTION_AUTO_FAILOVER: sourceNumber,
	token.SOURCE_LOG_POS: sourceNumber, token.RELAY_LOG_POS: sourceNumber,
	token.SOURCE_HEARTBEAT_PERIOD: sourceFraction, token.IGNORE_SERVER_IDS: sourceOther,
	token.PRIVILEGE_CHECKS_USER: sourceOther, token.REQUIRE_TABLE_PRIMARY_KEY_CHECK: sourceOther,
	token.ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS: sourceOther, token.SOURCE_TLS_CIPHERSUITES: sourceOther}

func (p *parser) sourceOption() ast.SourceOption {
	start := p.tok.From
	kind := p.tok.Kind
	value, ok := sourceOptions[kind]
	if !ok {
		p.fail()
	}
	o := ast.SourceOption{Name: kind.String()}
	p.next()
	p.expect('=')
	switch value {
	case sourceText:
		o.Text = p.stringLiteral()
	case sourceNumber:
		p.failIf(!p.oneOf(token.Int, token.HexNum, token.Decimal, token.Float))
		o.Number = p.numberLiteral()
	case sourceFraction:
		p.failIf(!p.oneOf(token.Int, token.Decimal, token.Float))
		o.Number = p.numberLiteral()
	default:
		p.sourceOther(kind, &o)
	}
	o.Span = p.from(start)
	return o
}

// sourceOther reads the values of options that take words, lists or accounts.
func (p *parser) sourceOther(kind token.Kind, o *ast.SourceOption) {
	switch kind {
	case token.IGNORE_SERVER_IDS:
		p.expect('(')
		if !p.is(')') {
			o.IDs = list(p, p.number)
		}
		p.expect(')')
	case token.PRIVILEGE_CHECKS_USER:
		if p.accept(token.NULL) {
			o.Word = "NULL"
			return
		}
		o.Account = p.account()
	case token.SOURCE_TLS_CIPHERSUITES:
		if p.accept(token.NULL) {
			o.Word = "NULL"
			return
		}
		o.Text = p.stringLiteral()
	case token.REQUIRE_TABLE_PRIMARY_KEY_CHECK:
		o.Word = p.oneWord(token.STREAM, token.ON, token.OFF, token.GENERATE)
	default:
		if p.is(token.String) {
			o.Text = p.stringLiteral()
			return
		}
		o.Word = p.oneWord(token.OFF, token.LOCAL)
	}
}

// oneWord reads one of a few keywords and returns it in capitals.
func (p *parser) oneWord(kinds ...token.Kind) string {
	if !p.oneOf(kinds...) {
		p.fail()
	}
	word := p.tok.Kind.String()
	p.next()
	return word
}

var replicationFilters = map[token.Kind]ast.FilterKind{token.REPLICATE_DO_DB: ast.FilterDoDB,
	token.REPLICATE_IGNORE_DB: ast.FilterIgnoreDB, token.REPLICATE_DO_TABLE: ast.FilterDoTable,
	token.REPLICATE_IGNORE_TABLE: ast.FilterIgnoreTable, token.REPLICATE_WILD_DO_TABLE: ast.FilterWildDoTable,
	token.REPLICATE_WILD_IGNORE_TABLE: ast.FilterWildIgnoreTable, token.REPLICATE_REWRITE_DB: ast.FilterRewriteDB}

func (p *parser) replicationFilter() ast.ReplicationFilter {
	start := p.tok.From
	kind, ok := replicationFilters[p.tok.Kind]
	if !ok {
		p.fail()
	}
	f := ast.ReplicationFilter{Kind: kind}
	p.next()
	p.expect('=', '(')
	if !p.is(')') {
		switch kind {
		case ast.FilterDoDB, ast.FilterIgnoreDB:
			f.Schemas = p.identList()
		case ast.FilterDoTable, ast.FilterIgnoreTable:
			f.Tables = list(p, p.qualifiedTable)
		case ast.FilterRewriteDB:
			f.Rewrites = list(p, p.schemaRewrite)
		default:
			f.Patterns = list(p, p.stringLiteral)
		}
	}
	p.expect(')')
	f.Span = p.from(start)
	return f
}

// qualifiedTable reads schema.name.
func (p *parser) qualifiedTable() ast.TableName {
	t := ast.TableName{Schema: p.ident()}
	p.expect('.')
	t.Name = p.ident()
	t.Span = p.from(t.Schema.From)
	return t
}

func (p *parser) schemaRewrite() ast.SchemaRewrite {
	r := ast.SchemaRewrite{}
	start := p.tok.From
	p.expect('(')
	r.From = p.ident()
	p.expect(',')
	r.To = p.ident()
	p.expect(')')
	r.Span = p.from(start)
	return r
}

// xa reads XA START and its kin.
func (p *parser) xa() *ast.XA {
	x := &ast.XA{}
	start := p.tok.From
	p.next()
	switch kind := p.tok.Kind; kind {
	case token.START, token.BEGIN:
		p.next()
		x.ID = p.xid()
		x.Join = p.accept(token.JOIN)
		x.Resume = !x.Join && p.accept(token.RESUME)
	case token.END:
		p.next()
		x.Verb, x.ID = ast.XAEnd, p.xid()
		if p.accept(token.SUSPEND) {
			x.Suspend = true
			if p.accept(token.FOR) {
				p.expect(token.MIGRATE)
				x.Migrate = true
			}
		}
	case token.RECOVER:
		p.next()
		x.Verb = ast.XARecover
		if p.accept(token.CONVERT) {
			p.expect(token.XID)
			x.ConvertXID = true
		}
	case token.PREPARE, token.COMMIT, token.ROLLBACK:
		p.next()
		x.Verb = map[token.Kind]ast.XAVerb{token.PREPARE: ast.XAPrepare, token.COMMIT: ast.XACommit,
			token.ROLLBACK: ast.XARollback}[kind]
		x.ID = p.xid()
		if kind == token.COMMIT && p.accept(token.ONE) {
			p.expect(token.PHASE)
			x.OnePhase = true
		}
	default:
		p.fail()
	}
	x.Span = p.from(start)
	return x
}

// xid reads the name of a branch.
func (p *parser) xid() *ast.XID {
	x := &ast.XID{}
	start := p.tok.From
	x.Global = p.bytesLiteral()
	if p.accept(',') {
		x.Branch = p.bytesLiteral()
		if p.accept(',') {
			p.failIf(len(x.Branch.Bytes()) > maxXIDPart)
			p.failIf(!p.oneOf(token.Int, token.HexNum, token.Decimal, token.Float) || p.hugeInteger())
			x.Format = p.numberLiteral()
		}
	}
	x.Span = p.from(start)
	p.failIf(len(x.Global.Bytes()) > maxXIDPart || x.Branch != nil && len(x.Branch.Bytes()) > maxXIDPart)
	return x
}

// maxXIDPart is the length of each text of an XA transaction's identifier.
const maxXIDPart = 64

// hugeInteger reports whether the current token is an integer that does not fit 64 bits with a
// sign.
func (p *parser) hugeInteger() bool {
	const largest = "9223372036854775807"
	digits := strings.TrimLeft(p.word(), "0")
	return (p.is(token.Int) || p.is(token.Decimal) && strings.IndexByte(digits, '.') < 0) &&
		(len(digits) > len(largest) || len(digits) == len(largest) && digits > largest)
}

// bytesLiteral reads a string, or a hexadecimal or binary constant.
func (p *parser) bytesLiteral() *ast.Literal {
	if p.oneOf(token.HexNum, token.BinNum) {
		return p.numberLiteral()
	}
	return p.stringLiteral()
}

func relayIndex(u ast.UntilItem) int {
	if u.Relay {
		return 1
	}
	return 0
}
