package upgrade

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/internal/handover"
	"emberdb/tests/emberd"
)

// A hand-over of an earlier build is kept as FORMAT-handover.json, the state that it gave to the new
// process, with one connection. What its client saw stands in FORMAT-handover.txt.

// keptState names the variable with the file in which this program keeps the state that it is given.
const keptState = "EMBER_KEPT_STATE"

// keepState is a new process that keeps the state, and ends.
func keepState() {
	p, err := handover.FromEnvironment()
	var c *handover.Content
	if err == nil {
		c, err = p.Receive()
	}
	if err == nil {
		err = os.WriteFile(os.Getenv(keptState), append(c.State, '\n'), 0o644)
	}
	fmt.Fprintln(os.Stderr, "the state is kept", err)
	os.Exit(3)
}

// recordHandOver has the server hand over to this program. It goes on, as nobody takes over.
func recordHandOver(t *testing.T, s *emberd.Server, path string) {
	t.Helper()
	cfg := s.Config("shop")
	cfg.Net, cfg.Addr = "tcp", fmt.Sprintf("127.0.0.1:%d", s.Port)
	c := client(t, cfg)
	for _, q := range []string{"SET @n = 12.50, @s = 'süß', @j = JSON_OBJECT('a', 1), @t = TIMESTAMP'2026-01-02 03:04:05.678'",
		"SET time_zone = '+03:00', sql_mode = 'ANSI_QUOTES', max_execution_time = 123456, character_set_results = 'utf8mb4'",
		"PREPARE p FROM 'SELECT ?, @s'", "DO LAST_INSERT_ID(77)"} {
		_, err := c.ExecContext(context.Background(), q)
		require.NoError(t, err, q)
	}
	write(t, path+".txt", session(t, c, prepared(t, c)))
	answer, err := s.HandOver(t, os.Args[0])
	require.Error(t, err)
	require.Contains(t, answer, "the one that was running goes on")
}

func client(t *testing.T, cfg *mysql.Config) *sql.Conn {
	t.Helper()
	connector, err := mysql.NewConnector(cfg)
	require.NoError(t, err)
	db := sql.OpenDB(connector)
	t.Cleanup(func() { db.Close() })
	c, err := db.Conn(context.Background())
	require.NoError(t, err)
	return c
}

func prepared(t *testing.T, c *sql.Conn) *sql.Stmt {
	t.Helper()
	stmt, err := c.PrepareContext(context.Background(), "SELECT name, ? FROM customer WHERE id = ?")
	require.NoError(t, err)
	return stmt
}

// session describes what a client sees of its session.
func session(t *testing.T, c *sql.Conn, stmt *sql.Stmt) string {
	t.Helper()
	var out strings.Builder
	show := func(r *sql.Rows, err error) {
		require.NoError(t, err)
		for _, row := range values(t, r) {
			fmt.Fprintln(&out, strings.Join(row, " | "))
		}
	}
	for _, q := range []string{"SELECT @n, @s, @j, JSON_TYPE(@j), @t, @n / 3", "EXECUTE p USING @n", "SELECT DATABASE(), LAST_INSERT_ID(), CONNECTION_ID(), CURRENT_USER()",
		"SELECT @@time_zone, @@sql_mode, @@max_execution_time, @@character_set_results, @@autocommit"} {
		show(c.QueryContext(context.Background(), q))
	}
	show(stmt.Query("argument", 3))
	return out.String()
}

// A client of an earlier build goes on in this one as if nothing had happened. The client logs in
// to this build, which then ends behind its back: only its socket is given, with the kept state.
func TestHandOvers(t *testing.T) {
	all, err := filepath.Glob("testdata/*-handover.json")
	require.NoError(t, err)
	require.NotEmpty(t, all)
	for _, kept := range all {
		path := strings.TrimSuffix(kept, "-handover.json")
		t.Run(filepath.Base(path), func(t *testing.T) {
			s := prepare(t)
			unpack(t, path+"-clean.tar.zst", s.Dir)
			require.NoError(t, s.Launch())
			d := &doorway{to: fmt.Sprintf("127.0.0.1:%d", s.Port)}
			cfg := s.Config("shop")
			cfg.Net, cfg.DialFunc = "tcp", d.dial
			c := client(t, cfg)
			stmt := prepared(t, c)
			socket := d.leave(t)
			require.NoError(t, s.Stop())

			text, err := os.ReadFile(kept)
			require.NoError(t, err)
			var state struct{ Connections []struct{ ID uint32 } }
			require.NoError(t, json.Unmarshal(text, &state))
			require.Len(t, state.Connections, 1)
			next, err := handover.Start(t.Context(), emberd.Build(t, "emberd"), "emberd", s.Options())
			require.NoError(t, err)
			t.Cleanup(next.Kill)
			name := fmt.Sprintf("connection-%d", state.Connections[0].ID)
			require.NoError(t, next.Give(&handover.Content{State: text, Files: map[string]*os.File{name: socket}}))
			require.NoError(t, next.Serving())
			compare(t, path+"-handover.txt", session(t, c, stmt))
			_, err = c.ExecContext(context.Background(), "INSERT INTO audit (what) VALUES ('by a client that moved')")
			require.NoError(t, err)
		})
	}
}

// doorway is a client's way to a server, until it leaves.
type doorway struct {
	to      string
	in, out net.Conn
	passed  chan struct{} // closed when nothing more is passed on
}

func (d *doorway) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	defer l.Close()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return nil, err
	}
	if d.in, err = l.Accept(); err != nil {
		return nil, err
	}
	if d.out, err = net.Dial("tcp", d.to); err != nil {
		return nil, err
	}
	d.passed = make(chan struct{})
	go func() { _, _ = io.Copy(d.in, d.out) }() // until the server closes it
	go func() {
		defer close(d.passed)
		_, _ = io.Copy(d.out, d.in)
	}()
	return c, nil
}

// leave returns the server's end of the client's socket. The client notices nothing.
func (d *doorway) leave(t *testing.T) *os.File {
	t.Helper()
	require.NoError(t, d.in.SetReadDeadline(time.Now()))
	<-d.passed
	require.NoError(t, d.out.Close())
	f, err := d.in.(*net.TCPConn).File()
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	return f
}
