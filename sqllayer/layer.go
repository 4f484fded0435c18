package sqllayer

import (
	"context"
	"fmt"

	sqle "github.com/dolthub/go-mysql-server"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/engine"
	"emberdb/internal/quota"
	_ "emberdb/sqllayer/collation" // registers the collations
	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/programs"
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
	Steps func(ctx *sql.Context, s *Session, of *programs.StepSource) Step
	// MayWrite, if set, is asked before a session changes a table that is not temporary, or a
	// definition: a server that is read-only refuses here whatever statement leads to it.
	MayWrite func(ctx *sql.Context) error
	// WaitForSource, if set, waits until a channel has applied all up to a place in its source's log,
	// and returns how many transactions that took; running: its applier runs, at that place or before.
	WaitForSource func(ctx context.Context, channel, file string, position uint32) (transactions int64, running bool)

	Eng        *engine.Engine
	Opts       Options
	cache      dictCache
	counting   counting
	Stats      *statistics
	histograms histograms
	Aside      *operand.Aside // large calls of functions
	Locks      *expr.UserLocks
}

// Inform gives GMS's analyzer the layer's statistics and accounts.
func (l *Layer) Inform(a *analyzer.Analyzer) {
	a.Catalog.StatsProvider = l.Stats
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
