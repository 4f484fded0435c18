package server

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	sqle "github.com/dolthub/go-mysql-server"
	"github.com/dolthub/go-mysql-server/memory"
	gmssql "github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/variables"
	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/engine"
	"emberdb/engine/recovery"
	"emberdb/internal/testkit"
	"emberdb/server/backend"
	"emberdb/server/commands"
	"emberdb/server/grants"
	"emberdb/server/logs"
	"emberdb/server/options"
	"emberdb/server/wire"
)

// memBackend stands in for the engine.
type memBackend struct {
	mu       sync.Mutex
	accounts []byte
	applied  map[string]any
	warm     []string
	warmPct  atomic.Int32
}

func (b *memBackend) Apply(name string, v any) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.applied == nil {
		b.applied = map[string]any{}
	}
	b.applied[name] = v
	return nil
}

func (b *memBackend) get(name string) any {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.applied[name]
}

func (b *memBackend) Status(put func(string, any)) { put("Innodb_buffer_pool_pages_total", 42) }
func (b *memBackend) UUID() string                 { return "00000000-0000-0000-0000-000000000001" }
func (b *memBackend) Monitor() string              { return "-----\nTEST\n-----\n" }
func (b *memBackend) Transactions() []backend.TrxInfo {
	return []backend.TrxInfo{{ID: 7, State: "RUNNING", Isolation: "REPEATABLE READ"}}
}
func (b *memBackend) Locks() []backend.LockInfo {
	return []backend.LockInfo{{LockID: "7:1", TrxID: 7, Schema: "test", Table: "t", Type: "TABLE", Mode: "IX", Status: "GRANTED"}}
}
func (b *memBackend) Wait()                             {}
func (b *memBackend) Engine() *engine.Engine            { return nil }
func (b *memBackend) LockWaits() []backend.LockWaitInfo { return nil }
func (b *memBackend) LoadAccounts() ([]byte, error)     { return b.accounts, nil }

func (b *memBackend) SaveAccounts(_ context.Context, data []byte) error {
	b.accounts = append([]byte(nil), data...)
	return nil
}

func (b *memBackend) Warm(command string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.warm = append(b.warm, command)
	return nil
}

func (b *memBackend) Restore(context.Context) error         { return b.Warm("restore") }
func (b *memBackend) Warmth() ([]engine.TableWarmth, error) { return nil, nil }
func (b *memBackend) LRU() ([]engine.LRUPage, error)        { return nil, nil }
func (b *memBackend) Starts() []recovery.Start              { return nil }
func (b *memBackend) FirstQuery()                           {}
func (b *memBackend) WarmEnough(pct int) bool               { return int(b.warmPct.Load()) >= pct }

func (b *memBackend) commands() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.warm...)
}

// collated lets the memory provider create databases with a collation.
type collated struct{ *memory.DbProvider }

func (p collated) CreateCollatedDatabase(ctx *gmssql.Context, name string, _ gmssql.CollationID) error {
	return p.CreateDatabase(ctx, name)
}

// testServer is a running server over go-mysql-server's memory tables.
type testServer struct {
	*Server
	t       testing.TB
	backend *memBackend
	asked   chan struct{} // closed when a client asks for SHUTDOWN
	socket  string
	logs    *syncBuffer
}

type syncBuffer struct {
	mu sync.Mutex
	b  strings.Builder
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// start runs a server in a fresh directory with the given --name=value arguments.
func start(t testing.TB, args ...string) *testServer {
	t.Helper()
	return startIn(t, t.TempDir(), &memBackend{}, args...)
}

func startIn(t testing.TB, dir string, backend *memBackend, args ...string) *testServer {
	t.Helper()
	ts, err := newTestServer(t, dir, backend, args...)
	require.NoError(t, err)
	require.NoError(t, ts.Start())
	done := make(chan struct{})
	go func() {
		defer close(done)
		ts.Serve()
	}()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		ts.Shutdown(ctx)
		<-done
	})
	return ts
}

func newTestServer(t testing.TB, dir string, backend *memBackend, args ...string) (*testServer, error) {
	t.Helper()
	variables.InitSystemVariables()
	ts := &testServer{t: t, backend: backend, asked: make(chan struct{}), socket: filepath.Join(dir, "s"), logs: &syncBuffer{}}
	args = append([]string{"--defaults-file=/dev/null", "--datadir=" + dir, "--port=0", "--socket=" + ts.socket, "--skip-log-bin"}, args...)
	res, err := options.Load(args)
	require.NoError(t, err)
	pro := memory.NewDBProvider(memory.NewDatabase("test"))
	builder := memory.NewSessionBuilder(pro)
	ts.Server, err = New(Config{Settings: res.Settings, SQL: sqle.NewDefault(collated{pro}), NewSession: builder, Backend: backend,
		Log:        slog.New(logs.NewLineHandler(io.MultiWriter(ts.logs), slog.LevelInfo, logs.LogFormat{})),
		OnShutdown: func() { close(ts.asked) }})
	return ts, err
}

func (ts *testServer) addr() string {
	for _, a := range ts.Addrs() {
		if a.Network() == "tcp" {
			return a.String()
		}
	}
	ts.t.Fatal("no TCP listener")
	return ""
}

// open returns a pool for a user; params are appended to the data source name.
func (ts *testServer) open(user, password, params string) *sql.DB {
	ts.t.Helper()
	return ts.openDB(user, password, "test", params)
}

// login is open without a database, for users who have no privileges.
func (ts *testServer) login(user, password, params string) *sql.DB {
	return ts.openDB(user, password, "", params)
}

func (ts *testServer) openDB(user, password, name, params string) *sql.DB {
	ts.t.Helper()
	db, err := sql.Open("mysql", fmt.Sprintf("%s:%s@tcp(%s)/%s?%s", user, password, ts.addr(), name, params))
	require.NoError(ts.t, err)
	ts.t.Cleanup(func() { db.Close() })
	return db
}

func (ts *testServer) root() *sql.DB { return ts.open("root", "", "multiStatements=true") }

// bare returns one connection of root's without a current database.
func (ts *testServer) bare() *sql.Conn {
	ts.t.Helper()
	c, err := ts.login("root", "", "").Conn(context.Background())
	require.NoError(ts.t, err)
	ts.t.Cleanup(func() { c.Close() })
	return c
}

// conn returns one connection of root's.
func (ts *testServer) conn() *sql.Conn {
	ts.t.Helper()
	c, err := ts.root().Conn(context.Background())
	require.NoError(ts.t, err)
	ts.t.Cleanup(func() { c.Close() })
	return c
}

func exec(t *testing.T, db interface {
	ExecContext(context.Context, string, ...any) (sql.Result, error)
}, query string, args ...any) {
	t.Helper()
	_, err := db.ExecContext(context.Background(), query, args...)
	require.NoError(t, err, query)
}

// rows runs a query and returns its rows as text; NULL is "NULL".
func rows(t *testing.T, db interface {
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
}, query string, args ...any) [][]string {
	t.Helper()
	out, err := tryRows(db, query, args...)
	require.NoError(t, err, query)
	return out
}

func tryRows(db interface {
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
}, query string, args ...any) ([][]string, error) {
	r, err := db.QueryContext(context.Background(), query, args...)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	cols, err := r.Columns()
	if err != nil {
		return nil, err
	}
	var out [][]string
	for r.Next() {
		raw := make([]sql.NullString, len(cols))
		ptrs := make([]any, len(cols))
		for i := range raw {
			ptrs[i] = &raw[i]
		}
		if err := r.Scan(ptrs...); err != nil {
			return nil, err
		}
		line := make([]string, len(cols))
		for i, v := range raw {
			line[i] = "NULL"
			if v.Valid {
				line[i] = v.String
			}
		}
		out = append(out, line)
	}
	return out, r.Err()
}

// requireCode checks that err is a MySQL error with the code and SQLSTATE.
func requireCode(t *testing.T, err error, code uint16, state string) {
	t.Helper()
	var e *mysql.MySQLError
	require.ErrorAs(t, err, &e)
	require.Equal(t, code, e.Number, e.Message)
	require.Equal(t, state, string(e.SQLState[:]), e.Message)
}

// rawClient speaks packets directly.
type rawClient struct {
	t testing.TB
	net.Conn
}

// dial logs in as root over the unix socket and returns the bare connection.
func (ts *testServer) dial() *rawClient {
	ts.t.Helper()
	c, err := net.Dial("unix", ts.socket)
	require.NoError(ts.t, err)
	ts.t.Cleanup(func() { c.Close() })
	require.NoError(ts.t, c.SetDeadline(time.Now().Add(testkit.WaitLimit)))
	r := &rawClient{ts.t, c}
	_, greeting := r.recv()
	require.Equal(ts.t, byte(10), greeting[0])
	caps := uint32(wire.CapProtocol41 | wire.CapSecureConn | wire.CapPluginAuth | wire.CapDeprecateEOF | wire.CapExpiredPwd)
	login := []byte{byte(caps), byte(caps >> 8), byte(caps >> 16), byte(caps >> 24), 0, 0, 0, 1, 255}
	login = append(login, make([]byte, 23)...)
	login = append(login, "root\x00\x00"...)
	login = append(login, grants.PluginSha2+"\x00"...)
	r.send(1, login)
	_, ok := r.recv()
	require.Equal(ts.t, byte(wire.OK), ok[0], "%q", ok)
	return r
}

func (r *rawClient) send(seq byte, payload []byte) {
	r.t.Helper()
	_, err := r.Write(wire.Frame(seq, payload))
	require.NoError(r.t, err)
}

func (r *rawClient) recv() (byte, []byte) {
	r.t.Helper()
	seq, p, err := wire.ReadFrame(r.Conn, wire.MaxFrame)
	require.NoError(r.t, err)
	return seq, p
}

// recvError reads an ERR packet and returns its code.
func (r *rawClient) recvError() int {
	r.t.Helper()
	_, p := r.recv()
	require.Equal(r.t, byte(wire.Err), p[0], "%q", p)
	return int(p[1]) | int(p[2])<<8
}

func (r *rawClient) requireClosed() {
	r.t.Helper()
	_, err := r.Read(make([]byte, 1))
	require.Error(r.t, err)
	require.False(r.t, isTimeout(err), "connection is still open")
}

// dialBare connects to the unix socket without logging in.
func (ts *testServer) dialBare() *rawClient {
	ts.t.Helper()
	c, err := net.Dial("unix", ts.socket)
	require.NoError(ts.t, err)
	ts.t.Cleanup(func() { c.Close() })
	require.NoError(ts.t, c.SetDeadline(time.Now().Add(testkit.WaitLimit)))
	return &rawClient{ts.t, c}
}

func parseIP(s string) net.IP { return net.ParseIP(s) }

// query runs a statement with one row as result and returns its values.
func (r *rawClient) query(q string) []string {
	r.t.Helper()
	r.send(0, append([]byte{commands.ComQuery}, q...))
	_, p := r.recv()
	require.NotEqual(r.t, byte(wire.Err), p[0], "%q", p)
	n := int(p[0])
	for range n {
		r.recv()
	}
	_, row := r.recv()
	var out []string
	c := wire.Cursor{Rest: row}
	for range n {
		if len(c.Rest) > 0 && c.Rest[0] == 0xfb {
			c.Rest = c.Rest[1:]
			out = append(out, "NULL")
			continue
		}
		out = append(out, string(c.Bytes(c.LenEnc())))
	}
	require.False(r.t, c.Bad)
	r.recv() // the end
	return out
}

func writeText(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}
