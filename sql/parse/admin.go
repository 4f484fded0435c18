package parse

import (
	"strconv"

	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// flush reads FLUSH.
func (p *parser) flush() ast.Statement {
	start := p.tok.From
	p.next()
	noBinlog := p.noBinlog()
	if p.oneOf(token.TABLE, token.TABLES) {
		return p.flushTables(start, noBinlog)
	}
	f := &ast.Flush{NoBinlog: noBinlog, Items: list(p, p.flushItem)}
	f.Span = p.from(start)
	return f
}

var (
	flushLogs = map[token.Kind]ast.FlushKind{token.BINARY: ast.FlushBinaryLogs, token.ENGINE: ast.FlushEngineLogs,
		token.ERROR: ast.FlushErrorLogs, token.GENERAL: ast.FlushGeneralLogs, token.SLOW: ast.FlushSlowLogs,
		token.RELAY: ast.FlushRelayLogs}
	flushWords = map[token.Kind]ast.FlushKind{token.LOGS: ast.FlushLogs, token.PRIVILEGES: ast.FlushPrivileges,
		token.STATUS: ast.FlushStatus, token.USER_RESOURCES: ast.FlushUserResources,
		token.OPTIMIZER_COSTS: ast.FlushOptimizerCosts}
)

func (p *parser) flushItem() ast.FlushItem {
	i := ast.FlushItem{}
	start := p.tok.From
	var ok bool
	if i.Kind, ok = flushLogs[p.tok.Kind]; ok {
		p.next()
		p.expect(token.LOGS)
		if i.Kind == ast.FlushRelayLogs {
			i.Channel = p.forChannel()
		}
	} else if i.Kind, ok = flushWords[p.tok.Kind]; ok {
		p.next()
	} else {
		p.fail()
	}
	i.Span = p.from(start)
	return i
}

// flushTables reads FLUSH TABLES from the word TABLES on.
func (p *parser) flushTables(start uint32, noBinlog bool) *ast.FlushTables {
	p.next()
	f := &ast.FlushTables{NoBinlog: noBinlog}
	if p.tok.Kind.IsIdent() {
		f.Tables = list(p, p.tableName)
	}
	switch {
	case p.accept(token.WITH):
		p.expect(token.READ, token.LOCK)
		f.ReadLock = true
	case p.is(token.FOR):
		at := p.tok
		p.next()
		if len(f.Tables) == 0 {
			p.failNear(at.Pos(), "No tables used")
		}
		p.expect(token.EXPORT)
		f.Export = true
	}
	f.Span = p.from(start)
	return f
}

// kill reads KILL [CONNECTION | QUERY] id.
func (p *parser) kill() *ast.Kill {
	start := p.tok.From
	p.next()
	k := &ast.Kill{Query: p.accept(token.QUERY)}
	if !k.Query {
		p.accept(token.CONNECTION)
	}
	k.ID = p.expr()
	k.Span = p.from(start)
	return k
}

// shutdown reads SHUTDOWN and RESTART.
func (p *parser) shutdown() *ast.Shutdown {
	s := &ast.Shutdown{Span: p.tok.Span, Restart: p.is(token.RESTART)}
	p.next()
	return s
}

// reset reads RESET.
func (p *parser) reset() ast.Statement {
	start := p.tok.From
	p.next()
	if p.accept(token.PERSIST) {
		return p.resetPersist(start)
	}
	r := &ast.Reset{Items: list(p, p.resetItem)}
	r.Span = p.from(start)
	return r
}

func (p *parser) resetPersist(start uint32) *ast.ResetPersist {
	r := &ast.ResetPersist{IfExists: p.ifExists()}
	if r.IfExists || p.tok.Kind.IsIdent() {
		r.Name = p.ident()
		if p.accept('.') {
			r.Component, r.Name = r.Name, p.ident()
		}
	}
	r.Span = p.from(start)
	return r
}

func (p *parser) resetItem() ast.ResetItem {
	i := ast.ResetItem{}
	start := p.tok.From
	if p.accept(token.REPLICA) {
		i.Replica = true
		i.All = p.accept(token.ALL)
		i.Channel = p.forChannel()
	} else {
		p.expect(token.BINARY, token.LOGS, token.AND, token.GTIDS)
		if p.accept(token.TO) {
			i.To = p.nextLog()
		}
	}
	i.Span = p.from(start)
	return i
}

// maxNextLog is the largest number RESET BINARY LOGS AND GTIDS TO takes.
const maxNextLog = 2_000_000_000

// nextLog reads the number that the next binary log is to have.
func (p *parser) nextLog() string {
	text := p.wholeNumber()
	if n, err := strconv.ParseUint(text, 0, 64); err != nil || n < 1 || n > maxNextLog {
		p.raise(3567, "HY000", "The requested value '%d' for the next binary log index is out of range. Please use a value between '1' and '%d'.", n, maxNextLog)
	}
	return text
}

// maintain reads ANALYZE, CHECK, CHECKSUM, OPTIMIZE and REPAIR TABLE.
func (p *parser) maintain() *ast.MaintainTables {
	m := &ast.MaintainTables{}
	start := p.tok.From
	kind := p.tok.Kind
	p.next()
	m.What = map[token.Kind]ast.Maintenance{token.ANALYZE: ast.AnalyzeTable, token.CHECK: ast.CheckTable,
		token.CHECKSUM: ast.ChecksumTable, token.OPTIMIZE: ast.OptimizeTable, token.REPAIR: ast.RepairTable}[kind]
	if kind != token.CHECK && kind != token.CHECKSUM {
		m.NoBinlog = p.noBinlog()
	}
	p.tableWord()
	m.Tables = list(p, p.tableName)
	switch kind {
	case token.ANALYZE:
		if p.oneOf(token.UPDATE, token.DROP) {
			m.Histogram = p.histogram()
		}
	case token.CHECK:
		m.Options = p.checkOptions(checkOptions)
	case token.REPAIR:
		m.Options = p.checkOptions(repairOptions)
	case token.CHECKSUM:
		switch {
		case p.accept(token.QUICK):
			m.Options = ast.CheckQuick
		case p.accept(token.EXTENDED):
			m.Options = ast.CheckExtended
		}
	}
	m.Span = p.from(start)
	return m
}

func (p *parser) histogram() *ast.Histogram {
	h := &ast.Histogram{Drop: p.is(token.DROP)}
	start := p.tok.From
	p.next()
	p.expect(token.HISTOGRAM, token.ON)
	h.Columns = p.identList()
	if h.Drop {
		h.Span = p.from(start)
		return h
	}
	if p.accept(token.USING) {
		p.expect(token.DATA)
		h.Data = p.stringLiteral()
		h.Span = p.from(start)
		return h
	}
	if p.accept(token.WITH) {
		h.Buckets = p.numberOf(token.Int)
		p.expect(token.BUCKETS)
	}
	switch {
	case p.accept(token.AUTO):
		p.expect(token.UPDATE)
		h.Update = ast.AutoUpdate
	case p.accept(token.MANUAL):
		p.expect(token.UPDATE)
		h.Update = ast.ManualUpdate
	}
	h.Span = p.from(start)
	return h
}

// cacheIndex reads CACHE INDEX.
func (p *parser) cacheIndex() *ast.CacheIndex {
	c := &ast.CacheIndex{}
	start := p.tok.From
	p.next()
	p.expect(token.INDEX)
	c.Tables = list(p, func() ast.CachedTable { return p.cachedTable(false) })
	p.expect(token.IN)
	if !p.accept(token.DEFAULT) {
		c.Cache = p.ident()
	}
	c.Span = p.from(start)
	return c
}

// loadIndex reads LOAD INDEX INTO CACHE from the word INDEX on.
func (p *parser) loadIndex(start uint32) *ast.CacheIndex {
	p.expect(token.INDEX, token.INTO, token.CACHE)
	c := &ast.CacheIndex{Load: true}
	c.Tables = list(p, func() ast.CachedTable { return p.cachedTable(true) })
	c.Span = p.from(start)
	return c
}

func (p *parser) cachedTable(load bool) ast.CachedTable {
	t := ast.CachedTable{Table: p.tableName()}
	if p.accept(token.PARTITION) {
		p.expect('(')
		if t.AllPartitions = p.accept(token.ALL); !t.AllPartitions {
			t.Partitions = p.identList()
		}
		p.expect(')')
	}
	if p.oneOf(token.KEY, token.INDEX) {
		p.next()
		t.KeysGiven = true
		p.expect('(')
		if !p.is(')') {
			t.Keys = list(p, p.keyNameOrPrimary)
		}
		p.expect(')')
	}
	if load && p.accept(token.IGNORE) {
		p.expect(token.LEAVES)
		t.IgnoreLeaves = true
	}
	t.Span = p.from(t.Table.Span.From)
	return t
}

// keyNameOrPrimary reads the name of a key, or the word PRIMARY.
func (p *parser) keyNameOrPrimary() ast.Ident {
	if p.is(token.PRIMARY) {
		return p.take()
	}
	return p.ident()
}
