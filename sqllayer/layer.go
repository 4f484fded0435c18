package sqllayer

import (
	"context"
	"fmt"

	sqle "github.com/dolthub/go-mysql-server"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/rowexec"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/engine"
	"emberdb/engine/catalog"
	"emberdb/engine/table"
	"emberdb/internal/quota"
	"emberdb/sql/partition"
	_ "emberdb/sqllayer/collation" // registers the collations
	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/rules"
)

// Options of a Layer.
type Options struct {
	// DefaultCollation of databases created without one while collation_server is unknown;
	// utf8mb4_0900_ai_ci if zero.
	DefaultCollation sql.CollationID
	// VersionPostfix is appended to version() by GMS.
	VersionPostfix string
	// ReadOnly refuses every statement that writes.
	ReadOnly bool
	// Memory is what the sessions' statements draw from; nil: what they hold is counted for each
	// alone.
	Memory *quota.Server
	// Plain leaves what GMS does unlike MySQL as it is (arithmetic, SHOW), for GMS's test suites.
	Plain bool
}

// Layer is GMS wired to one engine.
type Layer struct {
	Engine   *sqle.Engine
	Provider *Provider
	// HasAccounts tells that accounts were found in the data directory. The first start makes them.
	HasAccounts bool
	// EventsChanged, if set, is told of committed changes of events. It must not block.
	EventsChanged func()
	// Fields, if set, makes what converts the fields of LOAD DATA to the values of a table's
	// columns.
	Fields func(*DirectTable) FieldConverter
	// Steps, if set, makes a step of a statement of a stored program; nil: GMS runs it always.
	Steps func(ctx *sql.Context, s *Session, of *StepSource) Step
	// MayWrite, if set, is asked before a session changes a table that is not temporary, or a
	// definition: a server that is read-only refuses here whatever statement leads to it.
	MayWrite func(ctx *sql.Context) error
	// WaitForSource, if set, waits until a channel has applied all up to a place in its source's log,
	// and returns how many transactions that took; running: its applier runs, at that place or before.
	WaitForSource func(ctx context.Context, channel, file string, position uint32) (transactions int64, running bool)

	eng      *engine.Engine
	opts     Options
	cache    dictCache
	counting counting
	stats    *statistics
	aside    *expr.Aside // large calls of functions
	locks    *expr.UserLocks
}

// NewLayer gives a layer of eng that GMS does not know yet: package planner wires the two.
func NewLayer(eng *engine.Engine, o Options) *Layer {
	if o.DefaultCollation == sql.Collation_Unspecified {
		o.DefaultCollation = sql.Collation_utf8mb4_0900_ai_ci
	}
	l := &Layer{eng: eng, opts: o, aside: expr.NewAside(), locks: expr.NewUserLocks()}
	l.Provider = &Provider{layer: l}
	l.stats = newStatistics(l)
	eng.SetPlacer(func(def *catalog.Table) (table.Placer, error) { return partition.New(def) })
	return l
}

// Inform gives GMS's analyzer the layer's statistics and accounts.
func (l *Layer) Inform(a *analyzer.Analyzer) {
	a.Catalog.StatsProvider = l.stats
	a.Catalog.MySQLDb.SetPersister(accounts{l})
}

// Open makes the layer ready for sessions: it drops temporary tables that a crash has left, and
// reads the accounts.
func (l *Layer) Open(e *sqle.Engine) error {
	l.Engine = e
	ctx := sql.NewContext(context.Background(), sql.WithSession(newSession(l, sql.NewBaseSession())))
	if err := l.sweepTemporary(ctx); err != nil {
		return fmt.Errorf("temporary tables: %w", err)
	}
	var err error
	if l.HasAccounts, err = l.loadAccounts(ctx); err != nil {
		return fmt.Errorf("accounts: %w", err)
	}
	return nil
}

// New wires GMS to eng. Temporary tables that a crash has left are dropped.
func New(eng *engine.Engine, o Options) (*Layer, error) {
	l := NewLayer(eng, o)
	overrides := sql.EngineOverrides{Builder: sql.BuilderOverrides{Parser: &parser{plain: o.Plain}}}
	a := analyzer.NewBuilder(l.Provider).AddOverrides(overrides).AddPreAnalyzeRule(demandsRule, checkDemands).AddPreAnalyzeRule(rules.EscapeRule, rules.EscapedPatterns).AddPreAnalyzeRule(rules.LimitRule, rules.NullLimits).
		AddPreAnalyzeRule(settledRule, settledLeaves).AddPreAnalyzeRule(lateralRule, lateralLeft).AddPreAnalyzeRule(likeRule, likeFullText).
		AddPreAnalyzeRule(upsertRule, upsertQueries).AddPreAnalyzeRule(uniqueNamesRule, l.uniqueNames).AddPreAnalyzeRule(distinctRule, l.checkDistinct).
		AddPreAnalyzeRule(windowColumnsRule, windowColumns).AddPreAnalyzeRule(binaryTextsRule, binaryTexts).Build()
	if err := rules.GuardSorts(a); err != nil {
		return nil, err
	}
	if err := guardExists(a); err != nil {
		return nil, err
	}
	if err := rules.MendGroupCheck(a); err != nil {
		return nil, err
	}
	if err := rules.MendPruning(a); err != nil {
		return nil, err
	}
	if err := rules.MendPushdown(a); err != nil {
		return nil, err
	}
	if err := mendTriggers(a); err != nil {
		return nil, err
	}
	if err := mendDrops(a); err != nil {
		return nil, err
	}
	if err := mendDeletes(a); err != nil {
		return nil, err
	}
	if !o.Plain {
		if err := mendCreateSelect(a); err != nil {
			return nil, err
		}
	}
	if err := guardComparisons(a); err != nil {
		return nil, err
	}
	if err := rules.BoundSearch(a, joining); err != nil {
		return nil, err
	}
	rules.CheckInterrupts(a)
	priority := &builder{layer: l}
	executing := overrides
	executing.Builder.Parser = &parser{plain: true} // ALTER TABLE parses generated columns where own functions are not found
	priority.base = rowexec.NewBuilder(priority, executing)
	a.ExecBuilder = priority.base
	l.Inform(a)
	a.Catalog.InfoSchema = newInfoSchema(a.Catalog.InfoSchema, o.Plain)
	return l, l.Open(sqle.New(a, &sqle.Config{VersionPostfix: o.VersionPostfix, IsReadOnly: o.ReadOnly}))
}

// NewSession makes the session of a connection. It is a server.SessionBuilder.
func (l *Layer) NewSession(_ context.Context, conn *mysql.Conn, addr string) (sql.Session, error) {
	client := sql.Client{Capabilities: conn.Capabilities}
	if user, ok := conn.UserData.(sql.MysqlConnectionUser); ok {
		client.User, client.Address = user.User, user.Host
	}
	s := newSession(l, sql.NewBaseSessionWithClientServer(addr, client, conn.ConnectionID))
	s.internal = false
	return l.enter(s), nil
}

// NewInternalSession makes a session without a connection: the event scheduler, tests.
func (l *Layer) NewInternalSession() *Session { return newSession(l, sql.NewBaseSession()) }

// NewSessionOn makes a session of GMS's part of one.
func (l *Layer) NewSessionOn(base *sql.BaseSession) *Session { return newSession(l, base) }
