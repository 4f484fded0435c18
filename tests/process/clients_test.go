package process

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"net"
	"strconv"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

func requireCode(t *testing.T, err error, code uint16) {
	t.Helper()
	var me *mysql.MySQLError
	require.ErrorAs(t, err, &me)
	require.Equal(t, code, me.Number, me.Message)
}

func openConfig(t *testing.T, cfg *mysql.Config) *sql.DB {
	t.Helper()
	c, err := mysql.NewConnector(cfg)
	require.NoError(t, err)
	db := sql.OpenDB(c)
	t.Cleanup(func() { db.Close() })
	return db
}

func session(t *testing.T, db *sql.DB) *sql.Conn {
	t.Helper()
	c, err := db.Conn(context.Background())
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

func TestTooManyConnections(t *testing.T) {
	s := emberd.Start(t, "--max-connections=10")
	root := openDB(t, s, "")
	mustExec(t, root, "CREATE USER guest")
	cfg := s.Config("")
	cfg.User = "guest"
	db := openConfig(t, cfg)
	db.SetMaxIdleConns(0)
	// The test's own connection is one of the ten.
	var open []*sql.Conn
	for range 9 {
		open = append(open, session(t, db))
	}
	_, err := db.Conn(context.Background())
	requireCode(t, err, 1040)
	require.Equal(t, "1", value(t, root, "SELECT 1"))
	require.NoError(t, open[0].Close())
	testkit.Eventually(t, func() bool {
		c, err := db.Conn(context.Background())
		if err == nil {
			c.Close()
		}
		return err == nil
	}, "a closed connection makes room")
}

func TestOversizedPacket(t *testing.T) {
	s := emberd.Start(t, "--max-allowed-packet=1M")
	db := openDB(t, s, "")
	mustExec(t, db, "CREATE DATABASE d")
	mustExec(t, db, "CREATE TABLE d.t (id INT PRIMARY KEY, b LONGBLOB)")
	other, large := session(t, db), session(t, db) // the server ends the connection: it must not go back to the pool
	_, err := large.ExecContext(context.Background(), "INSERT INTO d.t VALUES (1, '"+string(bytes.Repeat([]byte("x"), 3<<20))+"')")
	require.Error(t, err) // error 1153, or a connection closed before the client has read it
	require.NoError(t, other.PingContext(context.Background()))
	mustExec(t, db, "INSERT INTO d.t VALUES (1, REPEAT('x', 1000000))")
	require.Equal(t, "1000000", value(t, db, "SELECT LENGTH(b) FROM d.t"))
}

// packet frames a payload.
func packet(seq byte, payload []byte) []byte {
	head := make([]byte, 4)
	binary.LittleEndian.PutUint32(head, uint32(len(payload)))
	head[3] = seq
	return append(head, payload...)
}

// TestMalformedPackets sends what no client would, before and after login. The server answers with
// an error or closes the connection, and everybody else goes on.
func TestMalformedPackets(t *testing.T) {
	s := emberd.Start(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	noise := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	login := append([]byte{0x85, 0xa6, 0x3f, 0x00, 0, 0, 0, 1, 45}, make([]byte, 23)...)
	cases := map[string][]byte{
		"nothing":                {},
		"half a header":          {1, 0},
		"empty packet":           packet(1, nil),
		"claims 16 MB":           {0xff, 0xff, 0xff, 1, 'x'},
		"wrong sequence":         packet(77, login),
		"short login":            packet(1, login[:10]),
		"login without a name":   packet(1, login),
		"name without an end":    packet(1, append(login[:32:32], "root"...)),
		"lengths beyond the end": packet(1, append(append(login[:32:32], "root\x00"...), 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f)),
		"TLS that is none":       append(packet(1, []byte{0x85, 0xae, 0x3f, 0x00, 0, 0, 0, 1, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}), noise(100)...),
		"an HTTP request":        []byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
	}
	for i := range 20 {
		cases["noise "+strconv.Itoa(i)] = noise(r.IntN(300))
		cases["framed noise "+strconv.Itoa(i)] = packet(1, noise(r.IntN(300)))
	}
	witness := session(t, openDB(t, s, ""))
	for name, sent := range cases {
		c, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(s.Port)))
		require.NoError(t, err, name)
		require.NoError(t, c.SetDeadline(time.Now().Add(testkit.WaitLimit)))
		_, err = io.ReadAtLeast(c, make([]byte, 512), 5) // the greeting
		require.NoError(t, err, name)
		_, _ = c.Write(sent) // the server may have closed already
		require.NoError(t, c.(*net.TCPConn).CloseWrite(), name)
		_, _ = io.Copy(io.Discard, c) // until it closes
		c.Close()
		require.True(t, s.Alive(), name)
		require.NoError(t, witness.PingContext(context.Background()), name)
	}
	malformedCommands(t, s, noise, r)
	require.True(t, s.Alive())
	require.NoError(t, witness.PingContext(context.Background()))
}

// malformedCommands logs in properly and sends commands whose payload is noise.
func malformedCommands(t *testing.T, s *emberd.Server, noise func(int) []byte, r *rand.Rand) {
	t.Helper()
	// All but 0x08, by which older clients shut a server down.
	commands := []byte{0x00, 0x02, 0x03, 0x04, 0x05, 0x06, 0x09, 0x0a, 0x0c, 0x0d, 0x11, 0x12, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f, 0x7f, 0xff}
	for _, cmd := range commands {
		for range 3 {
			var raw net.Conn
			dial := "capture" + strconv.Itoa(int(cmd))
			mysql.RegisterDialContext(dial, func(_ context.Context, addr string) (net.Conn, error) {
				c, err := net.Dial("unix", addr)
				raw = c
				return c, err
			})
			cfg := s.Config("")
			cfg.Net = dial
			c := session(t, openConfig(t, cfg))
			require.NoError(t, c.PingContext(context.Background()))
			require.NoError(t, raw.SetDeadline(time.Now().Add(testkit.WaitLimit)))
			// A quit follows, so that the server closes in every case.
			if _, err := raw.Write(append(packet(0, append([]byte{cmd}, noise(r.IntN(60))...)), packet(0, []byte{1})...)); err == nil {
				_, _ = io.Copy(io.Discard, raw)
			}
			raw.Close()
			c.Close()
			require.True(t, s.Alive(), "command %#x", cmd)
		}
	}
}

func TestInvalidText(t *testing.T) {
	s := emberd.Start(t)
	db := openDB(t, s, "")
	mustExec(t, db, "CREATE DATABASE d CHARACTER SET utf8mb4")
	mustExec(t, db, "CREATE TABLE d.t (id INT PRIMARY KEY, v VARCHAR(20) CHARACTER SET utf8mb4, b VARBINARY(20))")
	_, err := db.Exec("INSERT INTO d.t VALUES (1, 'a\xff\xfeb', NULL)")
	requireCode(t, err, 1366)
	_, err = db.Exec("INSERT INTO d.t VALUES (1, ?, NULL)", "a\xc3")
	requireCode(t, err, 1366)
	mustExec(t, db, "INSERT INTO d.t VALUES (1, 'fine', ?)", []byte("a\xff\xfeb"))
	require.Equal(t, "a\xff\xfeb", value(t, db, "SELECT b FROM d.t"))
	_, err = db.Exec("SELECT * FROM d.`\xff\xfe`")
	require.Error(t, err)
	require.Equal(t, "1", value(t, db, "SELECT COUNT(*) FROM d.t"))
}

// TestKill ends a statement and a session of others.
func TestKill(t *testing.T) {
	s := emberd.Start(t)
	db := openDB(t, s, "")
	ctx := context.Background()
	mustExec(t, db, "CREATE DATABASE d")
	mustExec(t, db, "CREATE TABLE d.t (id INT PRIMARY KEY, v INT)")
	mustExec(t, db, "INSERT INTO d.t VALUES (1, 1)")
	holder, waiter := session(t, db), session(t, db)
	for _, c := range []*sql.Conn{holder, waiter} {
		_, err := c.ExecContext(ctx, "BEGIN")
		require.NoError(t, err)
	}
	_, err := holder.ExecContext(ctx, "UPDATE d.t SET v = 2 WHERE id = 1")
	require.NoError(t, err)
	var id int64
	require.NoError(t, waiter.QueryRowContext(ctx, "SELECT CONNECTION_ID()").Scan(&id))
	_, err = waiter.ExecContext(ctx, "INSERT INTO d.t VALUES (2, 2)")
	require.NoError(t, err)
	kill := func(how, statement string) error {
		ended := make(chan error, 1)
		go func() {
			_, err := waiter.ExecContext(ctx, statement)
			ended <- err
		}()
		testkit.Eventually(t, func() bool {
			var n int
			q := "SELECT COUNT(*) FROM information_schema.processlist WHERE id = ? AND command = 'Query'"
			require.NoError(t, db.QueryRow(q, id).Scan(&n))
			return n == 1
		})
		mustExec(t, db, "KILL "+how+" "+strconv.FormatInt(id, 10))
		return <-ended
	}
	requireCode(t, kill("QUERY", "UPDATE d.t SET v = 3 WHERE id = 1"), 1317)
	require.NoError(t, waiter.QueryRowContext(ctx, "SELECT COUNT(*) FROM d.t").Scan(&id))
	require.EqualValues(t, 2, id, "the transaction goes on after KILL QUERY")
	require.NoError(t, waiter.QueryRowContext(ctx, "SELECT CONNECTION_ID()").Scan(&id))
	require.Error(t, kill("CONNECTION", "UPDATE d.t SET v = 3 WHERE id = 1"))
	require.Error(t, waiter.PingContext(ctx))
	_, err = holder.ExecContext(ctx, "COMMIT")
	require.NoError(t, err)
	testkit.Eventually(t, func() bool { return value(t, db, "SELECT COUNT(*) FROM d.t") == "1" }, "the killed session is rolled back")
	_, err = db.Exec("KILL 999999999")
	requireCode(t, err, 1094)
}
