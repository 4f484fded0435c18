package process

import (
	"context"
	"crypto/tls"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/internal/handover"
	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// Restarts that clients do not notice.

// patient makes a hand-over wait for every transaction, however slow the machine is.
const patient = "--ember-restart-wait=3600"

// way is how a client is connected, and how it sends statements.
type way struct {
	unix, tls, prepared, compressed bool
}

func (w way) String() string {
	return fmt.Sprintf("unix=%v tls=%v prepared=%v compressed=%v", w.unix, w.tls, w.prepared, w.compressed)
}

var ways = []way{{unix: true}, {unix: true, prepared: true}, {}, {prepared: true}, {tls: true}, {tls: true, prepared: true},
	{compressed: true}, {compressed: true, prepared: true, tls: true}}

// connect opens one connection.
func (w way) connect(t *testing.T, s *emberd.Server) *sql.Conn {
	t.Helper()
	cfg := s.Config("t")
	if !w.unix {
		cfg.Net, cfg.Addr = "tcp", fmt.Sprintf("127.0.0.1:%d", s.Port)
	}
	if w.tls {
		cfg.TLS = &tls.Config{InsecureSkipVerify: true}
	}
	cfg.InterpolateParams = !w.prepared
	require.NoError(t, cfg.Apply(mysql.EnableCompression(w.compressed)))
	connector, err := mysql.NewConnector(cfg)
	require.NoError(t, err)
	db := sql.OpenDB(connector)
	t.Cleanup(func() { db.Close() })
	c, err := db.Conn(context.Background())
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

// worker changes a row of its own, in statements and in transactions, and counts what was
// acknowledged.
type worker struct {
	id    int
	conn  *sql.Conn
	done  int
	pause time.Duration // longest that a statement took
	err   error
}

func (w *worker) exec(query string, args ...any) error {
	began := time.Now()
	_, err := w.conn.ExecContext(context.Background(), query, args...)
	w.pause = max(w.pause, time.Since(began))
	return err
}

// run works until stop. The session's own state is looked at in each round.
func (w *worker) run(rounds *atomic.Int64, stop <-chan struct{}) {
	ctx := context.Background()
	stmt, err := w.conn.PrepareContext(ctx, "UPDATE c SET n = n + 1, last = ? WHERE id = ?")
	var id int
	if err == nil {
		err = w.conn.QueryRowContext(ctx, "SELECT CONNECTION_ID()").Scan(&id)
	}
	if err == nil {
		err = w.exec("SET @n = 0, sql_mode = 'ANSI_QUOTES'")
	}
	for err == nil {
		select {
		case <-stop:
			return
		default:
		}
		if w.done%5 == 4 {
			err = w.transaction()
		} else if _, err = stmt.ExecContext(ctx, w.done, w.id); err == nil {
			err = w.exec("SET @n = @n + 1")
		}
		if err != nil {
			break
		}
		w.done++
		rounds.Add(1)
		var n, now int
		var mode string
		if err = w.conn.QueryRowContext(ctx, "SELECT @n, CONNECTION_ID(), @@sql_mode").Scan(&n, &now, &mode); err == nil && (n != w.done || now != id || mode != "ANSI_QUOTES") {
			err = fmt.Errorf("the session is not what it was: @n=%d of %d, id %d of %d, sql_mode %s", n, w.done, now, id, mode)
		}
	}
	w.err = err
}

func (w *worker) transaction() error {
	tx, err := w.conn.BeginTx(context.Background(), nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	for _, q := range []string{"UPDATE c SET n = n + 1 WHERE id = ?", "UPDATE c SET last = last + 1 WHERE id = ?"} {
		if _, err := tx.Exec(q, w.id); err != nil {
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return w.exec("SET @n = @n + 1")
}

// workload starts workers, each connected in one of the ways.
func workload(t *testing.T, s *emberd.Server, n int) (workers []*worker, rounds *atomic.Int64, end func()) {
	db := s.Open("")
	defer db.Close()
	execAll(t, db, "CREATE DATABASE t", "CREATE TABLE t.c (id INT PRIMARY KEY, n INT NOT NULL, last INT NOT NULL)")
	for i := range n {
		workers = append(workers, &worker{id: i, conn: ways[i%len(ways)].connect(t, s)})
		execAll(t, db, fmt.Sprintf("INSERT INTO t.c VALUES (%d, 0, 0)", i))
	}
	rounds = new(atomic.Int64)
	stop := make(chan struct{})
	var all sync.WaitGroup
	for _, w := range workers {
		all.Go(func() { w.run(rounds, stop) })
	}
	return workers, rounds, func() {
		close(stop)
		all.Wait()
	}
}

// more waits until the workers have done so many further rounds.
func more(t *testing.T, rounds *atomic.Int64, n int64) {
	t.Helper()
	want := rounds.Load() + n
	testkit.Eventually(t, func() bool { return rounds.Load() >= want })
}

// Sixty-four clients under load see no error, and nothing that they were told is lost.
func TestHandOverKeepsClients(t *testing.T) {
	for _, how := range []string{"hold", "tmpfs", "off"} {
		t.Run(how, func(t *testing.T) {
			args := []string{patient}
			if how != "off" {
				args = append(emberd.KeepMemory(t, how), patient)
			}
			s := emberd.Start(t, args...)
			workers, rounds, end := workload(t, s, 64)
			before := s.Pid()
			for range 2 {
				more(t, rounds, 500)
				answer, err := s.HandOver(t, "")
				require.NoError(t, err, answer)
				require.NotEqual(t, before, s.Pid())
				before = s.Pid()
			}
			more(t, rounds, 500)
			end()
			requireAcknowledged(t, s, workers)
			if how != "off" {
				pages, _ := kept(t, s)
				require.Positive(t, pages, "the pool's memory went along")
			}
			require.NoError(t, s.Stop())
			checkKeptDirectory(t, s.Dir)
		})
	}
}

// requireAcknowledged compares the rows with what the workers were told.
func requireAcknowledged(t *testing.T, s *emberd.Server, workers []*worker) {
	t.Helper()
	db := s.Open("t")
	defer db.Close()
	longest := time.Duration(0)
	for i, w := range workers {
		require.NoError(t, w.err, "%v", ways[i%len(ways)])
		var n int
		require.NoError(t, db.QueryRow("SELECT n FROM c WHERE id = ?", w.id).Scan(&n))
		require.Equal(t, w.done, n)
		longest = max(longest, w.pause)
	}
	t.Logf("longest statement %v", longest)
}

// A program that does not start, one that ends at once, and one that ends when it has been given
// everything: the server that runs goes on with its clients.
func TestHandOverFails(t *testing.T) {
	s := emberd.Start(t, patient)
	workers, rounds, end := workload(t, s, len(ways))
	dir := t.TempDir()
	script := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755))
		return path
	}
	before := s.Pid()
	for name, program := range map[string]string{
		"none":  filepath.Join(dir, "none"),
		"ends":  script("ends", "exit 3\n"),
		"other": script("other", "exec sleep 0\n"),
	} {
		answer, err := s.HandOver(t, program)
		require.Error(t, err, "%s: %s", name, answer)
		require.Equal(t, before, s.Pid())
		more(t, rounds, 20)
	}
	require.Equal(t, 3, strings.Count(s.Log(), "not handed over"))
	// It takes everything, and cannot serve: a setting that only it has is wrong when the directory
	// is open.
	answer, err := s.HandOver(t, script("late", fmt.Sprintf("exec %s \"$@\" --pid-file=/nowhere/at/all\n", emberd.Build(t, "emberd"))))
	require.Error(t, err)
	require.Contains(t, answer, "the one that was running goes on")
	require.NotEqual(t, before, s.Pid())
	more(t, rounds, 20)
	// It reads states of another format only, and sees that when it is given one.
	answer, err = s.HandOver(t, os.Args[0])
	require.Error(t, err)
	require.Contains(t, answer, "the one that was running goes on")
	more(t, rounds, 20)
	before = s.Pid() // it knows by which name to start the next one
	answer, err = s.HandOver(t, "")
	require.NoError(t, err, answer)
	require.NotEqual(t, before, s.Pid())
	testkit.Eventually(t, func() bool { return strings.Contains(s.Log(), fmt.Sprintf("Ember handed over to process %d", s.Pid())) })
	more(t, rounds, 20)
	end()
	requireAcknowledged(t, s, workers)
	require.NoError(t, s.Stop())
}

// What cannot move gets 1053; what can goes on as it was.
func TestHandOverOfSessions(t *testing.T) {
	s := emberd.Start(t, "--ember-restart-wait=0")
	db := s.Open("")
	defer db.Close()
	execAll(t, db, "CREATE DATABASE t", "CREATE TABLE t.a (id INT PRIMARY KEY AUTO_INCREMENT, s VARCHAR(20))", "CREATE TABLE t.l (i INT)", "INSERT INTO t.a VALUES (1, 'first')", "CREATE ROLE r", "GRANT r TO root@localhost")
	ctx := context.Background()
	stays := map[string]*sql.Conn{}
	for name, queries := range map[string][]string{
		"transaction":     {"BEGIN", "INSERT INTO a (s) VALUES ('lost')"},
		"temporary table": {"CREATE TEMPORARY TABLE x (i INT)"},
		"lock tables":     {"LOCK TABLES l READ"},
		"get_lock":        {"DO GET_LOCK('l', 0)"},
		"xa":              {"XA START 'x'"},
	} {
		stays[name] = way{}.connect(t, s)
		for _, q := range queries {
			_, err := stays[name].ExecContext(ctx, q)
			require.NoError(t, err, q)
		}
	}
	for _, w := range ways {
		t.Run(w.String(), func(t *testing.T) { testMovedSession(t, s, w.connect(t, s)) })
		if w == ways[0] { // the first hand-over has ended them
			for name, c := range stays {
				_, err := c.ExecContext(ctx, "SELECT 1")
				require.Error(t, err, name)
			}
		}
	}
	var n int
	require.NoError(t, db.QueryRow("SELECT COUNT(*) FROM t.a WHERE s = 'lost'").Scan(&n))
	require.Zero(t, n)
}

func testMovedSession(t *testing.T, s *emberd.Server, c *sql.Conn) {
	ctx := context.Background()
	for _, q := range []string{"SET @j = JSON_OBJECT('a', JSON_ARRAY(1.5, NULL)), @g = ST_GeomFromText('POINT(1 2)', 4326), @bit = b'101'", "SET @i = -5, @d = 12.50, @f = 1.5e0, @s = 'süß', @b = x'00ff', @n = NULL, @t = TIMESTAMP'2020-01-02 03:04:05.678'",
		"SET time_zone = '+03:00', sql_mode = '', character_set_results = 'latin1', max_execution_time = 123456", "SET ROLE r",
		"PREPARE p FROM 'SELECT ?, @s'", "INSERT INTO a (s) VALUES ('x'), ('y')", "SELECT CAST('1x' AS SIGNED)"} {
		_, err := c.ExecContext(ctx, q)
		require.NoError(t, err, q)
	}
	stmt, err := c.PrepareContext(ctx, "SELECT s, ? FROM a WHERE id = ?")
	require.NoError(t, err)
	state := func() (out []string) {
		for _, q := range []string{"SHOW WARNINGS", "SELECT LAST_INSERT_ID(), DATABASE(), CONNECTION_ID(), CURRENT_USER(), CURRENT_ROLE()",
			"SELECT @i, @d, @f, HEX(@s), HEX(@b), @n, @t, @i + 1, @d / 3, COLLATION(@s), @t + INTERVAL 1 SECOND", "EXECUTE p USING @d", "SELECT @j, JSON_TYPE(@j), HEX(@g), ST_SRID(@g), HEX(@bit)",
			"SELECT @@time_zone, @@sql_mode, @@character_set_results, @@max_execution_time, @@autocommit",
			"SELECT VARIABLE_VALUE FROM performance_schema.session_status WHERE VARIABLE_NAME = 'Ssl_cipher'",
			"SELECT ATTR_VALUE FROM performance_schema.session_connect_attrs WHERE ATTR_NAME = '_client_name' AND PROCESSLIST_ID = CONNECTION_ID()",
			"SELECT USER, HOST, DB FROM information_schema.PROCESSLIST WHERE ID = CONNECTION_ID()"} {
			out = append(out, oneResult(t, c, q))
		}
		var v, a string
		require.NoError(t, stmt.QueryRow("arg", 1).Scan(&v, &a))
		return append(out, v, a)
	}
	_, err = c.ExecContext(ctx, "SELECT CAST('1x' AS SIGNED)")
	require.NoError(t, err)
	want := state()
	_, err = c.ExecContext(ctx, "SELECT CAST('1x' AS SIGNED)")
	require.NoError(t, err)
	answer, err := s.HandOver(t, "")
	require.NoError(t, err, answer)
	require.Equal(t, want, state())
	more, err := c.PrepareContext(ctx, "SELECT ?")
	require.NoError(t, err)
	var v string
	require.NoError(t, more.QueryRow("new").Scan(&v))
	require.Equal(t, "new", v)
}

// oneResult is the text of a result.
func oneResult(t *testing.T, c *sql.Conn, query string) (out string) {
	t.Helper()
	rows, err := c.QueryContext(context.Background(), query)
	require.NoError(t, err, query)
	defer rows.Close()
	columns, err := rows.Columns()
	require.NoError(t, err)
	for rows.Next() {
		values, to := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range values {
			to[i] = &values[i]
		}
		require.NoError(t, rows.Scan(to...), query)
		out += fmt.Sprintln(values)
	}
	require.NoError(t, rows.Err())
	return out
}

// One of the two processes is killed at some moment of the hand-over: nothing that a client was
// told is lost, whoever serves then.
func TestHandOverIsKilled(t *testing.T) {
	rnd := rand.New(rand.NewPCG(testkit.Seed(t), 1))
	s := emberd.Start(t, append(emberd.KeepMemory(t, "hold"), patient, "--ember-pool-memory-verify=on")...)
	for range 5 {
		workers, rounds, end := workload(t, s, len(ways))
		more(t, rounds, 20)
		asked := make(chan struct{})
		go func() {
			defer close(asked)
			_, _ = s.HandOver(t, "")
		}()
		time.Sleep(time.Duration(rnd.IntN(600)) * time.Millisecond) // any moment will do
		all := s.Processes()
		require.NotEmpty(t, all)
		require.NoError(t, syscall.Kill(all[rnd.IntN(len(all))], syscall.SIGKILL))
		testkit.Receive(t, asked)
		time.Sleep(time.Duration(rnd.IntN(100)) * time.Millisecond)
		end()

		db := s.Open("t")
		serves := false
		testkit.Eventually(t, func() bool {
			ctx, cancel := context.WithTimeout(context.Background(), time.Second) // the socket is kept, and may have no server
			defer cancel()
			serves = db.PingContext(ctx) == nil
			return serves || len(s.Processes()) == 0
		})
		if left := s.Processes(); len(left) > 0 {
			s.HandedOver(left[len(left)-1])
		}
		if !serves {
			require.NoError(t, s.Launch())
		}
		for _, w := range workers {
			var n int
			require.NoError(t, db.QueryRow("SELECT n FROM c WHERE id = ?", w.id).Scan(&n))
			require.GreaterOrEqual(t, n, w.done, "%v", w.err)
			require.LessOrEqual(t, n, w.done+1, "one statement may have been done, and not told of")
		}
		db.Close()
		s.Kill()
		require.NoError(t, s.Launch())
		db = s.Open("")
		execAll(t, db, "DROP DATABASE t")
		db.Close()
	}
	require.NoError(t, s.Stop())
	checkKeptDirectory(t, s.Dir)
}

// silentProgram is a program that says nothing, and does not end. Nor does its child, which has all
// that the program has open. started is written when both run.
func silentProgram(t *testing.T) (program, started string) {
	dir := t.TempDir()
	program, started = filepath.Join(dir, "silent"), filepath.Join(dir, "started")
	text := fmt.Sprintf("#!/bin/sh\nsleep 1000000 &\necho $$ $! > %s.new\nmv %[1]s.new %[1]s\nwait\n", started)
	require.NoError(t, os.WriteFile(program, []byte(text), 0o755))
	return program, started
}

// A program that never says that it is ready keeps nobody from anything: clients are served, another
// restart is refused, and a shutdown ends the program and its children.
func TestSilentProgram(t *testing.T) {
	for name, shutDown := range map[string]func(t *testing.T, s *emberd.Server){
		"SHUTDOWN": func(t *testing.T, s *emberd.Server) {
			db := s.Open("")
			defer db.Close()
			execAll(t, db, "SHUTDOWN")
		},
		"SIGTERM": func(t *testing.T, s *emberd.Server) { require.NoError(t, syscall.Kill(s.Pid(), syscall.SIGTERM)) },
	} {
		t.Run(name, func(t *testing.T) {
			s := emberd.Start(t)
			program, started := silentProgram(t)
			asked := make(chan error, 1)
			go func() {
				_, err := handover.Ask(s.Dir, program)
				asked <- err
			}()
			var children string
			testkit.Eventually(t, func() bool {
				b, err := os.ReadFile(started)
				children = string(b)
				return err == nil
			})
			_, err := handover.Ask(s.Dir, "")
			require.ErrorContains(t, err, "another restart is under way")
			db := s.Open("")
			execAll(t, db, "DO 1")
			db.Close()
			shutDown(t, s)
			require.NoError(t, s.WaitExit())
			require.Error(t, testkit.Receive(t, asked))
			for _, text := range strings.Fields(children) {
				testkit.Eventually(t, func() bool { return !runs(t, text) }, "process %s", text)
			}
			require.Contains(t, s.Log(), "not handed over")
			require.NoError(t, s.Launch())
		})
	}
}

// runs tells whether a process does anything yet.
func runs(t *testing.T, pid string) bool {
	t.Helper()
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z")
}

// A shutdown does not wait for the sessions that a hand-over waits for.
func TestShutdownEndsHandOver(t *testing.T) {
	s := emberd.Start(t, patient)
	db := s.Open("")
	defer db.Close()
	execAll(t, db, "CREATE DATABASE t", "CREATE TABLE t.a (i INT PRIMARY KEY)")
	c := way{}.connect(t, s)
	for _, q := range []string{"BEGIN", "INSERT INTO a VALUES (1)"} {
		_, err := c.ExecContext(context.Background(), q)
		require.NoError(t, err)
	}
	asked := make(chan error, 1)
	go func() {
		_, err := handover.Ask(s.Dir, "")
		asked <- err
	}()
	testkit.Eventually(t, func() bool { return len(s.Processes()) == 2 }) // the transaction keeps it there
	require.NoError(t, s.Stop())
	require.Error(t, testkit.Receive(t, asked))
	testkit.Eventually(t, func() bool { return len(s.Processes()) == 0 })
	require.NoError(t, s.Launch())
	var n int
	require.NoError(t, db.QueryRow("SELECT COUNT(*) FROM t.a").Scan(&n))
	require.Zero(t, n)
}

// Only the server's own user and root may ask; the request is looked at.
func TestHandOverIsAskedFor(t *testing.T) {
	s := emberd.Start(t)
	for _, program := range []string{"relative", "/x\x00y", "/" + string(make([]byte, 5000))} {
		_, err := handover.Ask(s.Dir, program)
		require.Error(t, err)
	}
	_, err := handover.Ask(t.TempDir(), "")
	require.ErrorContains(t, err, "no server is to be reached")
	fi, err := os.Stat(filepath.Join(s.Dir, handover.SocketName))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), fi.Mode().Perm())
	require.NoError(t, s.Stop())
	_, err = os.Stat(filepath.Join(s.Dir, handover.SocketName))
	require.ErrorIs(t, err, os.ErrNotExist)
}
