// Package enginetest runs go-mysql-server's own test suites over the storage engine.
//
// Every suite asks the harness for engines: each is a new data directory on the memory file system.
// Statements run as the server runs them: inside a command of the session that is told its outcome.
// What is not run, and why, stands in suites_test.go and skips_test.go.
package enginetest

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"
	"time"

	sqle "github.com/dolthub/go-mysql-server"
	"github.com/dolthub/go-mysql-server/enginetest"
	"github.com/dolthub/go-mysql-server/enginetest/scriptgen/setup"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/vitess/go/vt/sqlparser"
	"github.com/sirupsen/logrus"

	"emberdb/engine"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
	"emberdb/sqllayer"
	"emberdb/sqllayer/planner"
)

// The suites read ./testdata: they run in the directory of the package they come from.
func TestMain(m *testing.M) {
	logrus.SetLevel(logrus.FatalLevel)
	analyzer.ExternalFunctionProvider = nil // the suites expect the results of GMS's functions, where MySQL's differ
	at := runtime.FuncForPC(reflect.ValueOf(enginetest.TestQueries).Pointer())
	file, _ := at.FileLine(at.Entry())
	if err := os.Chdir(filepath.Dir(file)); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// harness implements enginetest's harness interfaces.
type harness struct {
	t       testing.TB
	scripts []setup.SetupScript
	store   *engine.Engine
	layer   *sqllayer.Layer
	session *sqllayer.Session
	skip    map[string]string
}

var (
	_ enginetest.Harness             = (*harness)(nil)
	_ enginetest.TransactionHarness  = (*harness)(nil)
	_ enginetest.ClientHarness       = (*harness)(nil)
	_ enginetest.IndexHarness        = (*harness)(nil)
	_ enginetest.ForeignKeyHarness   = (*harness)(nil)
	_ enginetest.KeylessTableHarness = (*harness)(nil)
	_ enginetest.SkippingHarness     = (*harness)(nil)
)

func newHarness(t testing.TB) *harness {
	h := &harness{t: t, skip: skippedQueries}
	h.reset()
	t.Cleanup(h.close)
	return h
}

func (h *harness) close() {
	if h.store == nil {
		return
	}
	if h.session != nil {
		h.session.SessionEnd()
	}
	_ = h.store.Close(true) // sessions of the suite may still be open
	h.store, h.session = nil, nil
}

// reset makes a new, empty engine.
func (h *harness) reset() {
	h.close()
	store, err := engine.Open(engine.Options{
		FS: vfs.NewMem(1), DataDir: "/d", PoolBytes: 2048 * base.PageSize, RedoCapacity: 32 << 20, RedoSegment: 1 << 20,
		LockWaitTimeout: time.Second, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		h.t.Fatal(err)
	}
	layer, err := planner.New(store, sqllayer.Options{Plain: true})
	if err != nil {
		h.t.Fatal(err)
	}
	layer.Engine.Analyzer.Catalog.MySQLDb.AddRootAccount()
	h.store, h.layer, h.session = store, layer, nil
}

// Setup implements enginetest.Harness.
func (h *harness) Setup(scripts ...[]setup.SetupScript) {
	h.scripts = nil
	for _, s := range scripts {
		h.scripts = append(h.scripts, s...)
	}
}

// NewEngine implements enginetest.Harness.
func (h *harness) NewEngine(*testing.T) (enginetest.QueryEngine, error) {
	h.reset()
	q := &queryEngine{Engine: h.layer.Engine, h: h}
	scripts := h.scripts
	if len(scripts) == 0 {
		scripts = setup.MydbData
	}
	ctx := enginetest.NewContext(h)
	for _, script := range scripts {
		for _, statement := range script {
			_, iter, _, err := q.Query(ctx.WithQuery(statement), statement)
			if err != nil {
				return nil, err
			}
			if _, err := sql.RowIterToRows(ctx, iter); err != nil {
				return nil, err
			}
		}
	}
	h.session.SessionEnd()
	h.session = nil
	return q, nil
}

func (h *harness) newSession(base *sql.BaseSession) *sqllayer.Session {
	return h.layer.NewSessionOn(base)
}

func (h *harness) context(s *sqllayer.Session) *sql.Context {
	return sql.NewContext(context.Background(), sql.WithSession(s), sql.WithProcessList(h.layer.Engine.ProcessList))
}

// NewContext implements enginetest.Harness.
func (h *harness) NewContext() *sql.Context {
	if h.session == nil {
		h.session = h.newSession(enginetest.NewBaseSession())
	}
	return h.context(h.session)
}

// NewSession implements enginetest.TransactionHarness.
func (h *harness) NewSession() *sql.Context {
	h.session = h.newSession(enginetest.NewBaseSession())
	return h.NewContext()
}

// NewContextWithClient implements enginetest.ClientHarness.
func (h *harness) NewContextWithClient(client sql.Client) *sql.Context {
	return h.context(h.newSession(sql.NewBaseSessionWithClientServer("address", client, 1)))
}

// SupportsNativeIndexCreation implements enginetest.IndexHarness.
func (h *harness) SupportsNativeIndexCreation() bool { return true }

// SupportsForeignKeys implements enginetest.ForeignKeyHarness.
func (h *harness) SupportsForeignKeys() bool { return true }

// SupportsKeylessTables implements enginetest.KeylessTableHarness.
func (h *harness) SupportsKeylessTables() bool { return true }

// SkipQueryTest implements enginetest.SkippingHarness.
func (h *harness) SkipQueryTest(query string) bool {
	_, skip := h.skip[plain(query)]
	return skip
}

// queryEngine runs every statement as a command of its session.
type queryEngine struct {
	*sqle.Engine
	h *harness
}

var _ enginetest.QueryEngine = (*queryEngine)(nil)

func (q *queryEngine) EngineAnalyzer() *analyzer.Analyzer { return q.Engine.Analyzer }
func (q *queryEngine) EngineEventScheduler() sql.EventScheduler {
	return q.Engine.EngineEventScheduler()
}

// Close implements enginetest.QueryEngine. The storage engine lives on until the harness makes the
// next one.
func (q *queryEngine) Close() error { return q.Engine.Close() }

// Query implements enginetest.QueryEngine.
func (q *queryEngine) Query(ctx *sql.Context, query string) (sql.Schema, sql.RowIter, *sql.QueryFlags, error) {
	return q.QueryWithBindings(ctx, query, nil, nil, nil)
}

// QueryWithBindings implements enginetest.QueryEngine.
func (q *queryEngine) QueryWithBindings(ctx *sql.Context, query string, parsed sqlparser.Statement, bindings map[string]sqlparser.Expr, flags *sql.QueryFlags) (sql.Schema, sql.RowIter, *sql.QueryFlags, error) {
	s, ok := ctx.Session.(*sqllayer.Session)
	if !ok {
		return q.Engine.QueryWithBindings(ctx, query, parsed, bindings, flags)
	}
	if err := s.CommandBegin(); err != nil {
		return nil, nil, nil, err
	}
	schema, iter, flags, err := q.Engine.QueryWithBindings(ctx, query, parsed, bindings, flags)
	if err != nil {
		s.CommandEnd()
		s.FinishStatement(err)
		return nil, nil, nil, err
	}
	return schema, &commandIter{RowIter: iter, s: s}, flags, nil
}

// commandIter ends the command with its rows.
type commandIter struct {
	sql.RowIter
	s   *sqllayer.Session
	err error
}

// Next implements sql.RowIter.
func (i *commandIter) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := i.RowIter.Next(ctx)
	if err != nil && err != io.EOF {
		i.err = err
	}
	return row, err
}

// Close implements sql.RowIter.
func (i *commandIter) Close(ctx *sql.Context) error {
	err := i.RowIter.Close(ctx)
	if i.err == nil {
		i.err = err
	}
	i.s.CommandEnd()
	i.s.FinishStatement(i.err)
	return err
}
