package server

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/dolthub/go-mysql-server/sql/variables"
	"github.com/stretchr/testify/require"

	"emberdb/engine"
	"emberdb/engine/txn"
	"emberdb/internal/testkit"
	"emberdb/server/backend"
	"emberdb/server/commands"
	"emberdb/server/logs"
	"emberdb/server/options"
	"emberdb/sql/ast"
	"emberdb/sql/parse"
	"emberdb/sqllayer"
	"emberdb/sqllayer/planner"
)

// startReal runs the whole house: engine, SQL layer, server. stop may be called early, to start
// again in the same directory.
func startReal(t *testing.T, dir string, args ...string) (ts *testServer, stop func()) {
	t.Helper()
	variables.InitSystemVariables()
	ts = &testServer{t: t, asked: make(chan struct{}), socket: dir + "/s", logs: &syncBuffer{}}
	res, err := options.Load(append([]string{"--defaults-file=/dev/null", "--datadir=" + dir, "--port=0", "--socket=" + ts.socket,
		"--innodb-buffer-pool-size=16M", "--innodb-redo-log-capacity=16M", "--innodb-flush-method=fsync"}, args...))
	require.NoError(t, err)
	log := slog.New(logs.NewLineHandler(io.MultiWriter(ts.logs), slog.LevelInfo, logs.LogFormat{}))
	eng, err := engine.Open(backend.EngineOptions(res.Settings, log, time.Now()))
	require.NoError(t, err)
	layer, err := planner.New(eng, sqllayer.Options{})
	require.NoError(t, err)
	ts.Server, err = New(Config{Settings: res.Settings, SQL: layer.Engine, NewSession: layer.NewSession, Log: log,
		Backend: backend.NewEngineBackend(eng, res.Settings, log)})
	require.NoError(t, err)
	require.NoError(t, ts.Start())
	done := make(chan struct{})
	go func() {
		defer close(done)
		ts.Serve()
	}()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		ts.Shutdown(ctx)
		<-done
		require.NoError(t, eng.Close(false))
	}
	t.Cleanup(stop)
	return ts, stop
}

func TestWholeHouse(t *testing.T) {
	dir := t.TempDir()
	ts, stop := startReal(t, dir)
	root, err := ts.openDB("root", "", "", "multiStatements=true").Conn(context.Background())
	require.NoError(t, err)
	exec(t, root, "CREATE DATABASE d; USE d; CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(20)); INSERT INTO t VALUES (1,'x'),(2,'y')")
	require.Equal(t, [][]string{{"1", "x"}, {"2", "y"}}, rows(t, root, "SELECT * FROM t ORDER BY a"))
	exec(t, root, "CREATE USER u IDENTIFIED BY 'p'; GRANT SELECT ON d.* TO u")
	exec(t, root, "SET PERSIST max_connections = 77")
	require.Equal(t, [][]string{{"77"}}, rows(t, root, "SELECT @@max_connections"))
	require.Equal(t, [][]string{{"d.t", "check", "status", "OK"}}, rows(t, root, "CHECK TABLE t"))
	require.Len(t, rows(t, root, "CHECKSUM TABLE t"), 1)
	require.NotEqual(t, "0", rows(t, root, "SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_pages_total'")[0][1])
	require.Contains(t, rows(t, root, "SHOW ENGINE INNODB STATUS")[0][2], "Log sequence number")
	require.NoError(t, root.Close())
	stop()

	ts, _ = startReal(t, dir)
	u := ts.openDB("u", "p", "d", "")
	require.Equal(t, [][]string{{"1", "x"}, {"2", "y"}}, rows(t, u, "SELECT * FROM t ORDER BY a"))
	_, err = u.Exec("INSERT INTO t VALUES (3,'z')")
	requireCode(t, err, 1142, "42000")
	_, err = ts.openDB("u", "p", "mysql", "").Exec("SELECT 1")
	requireCode(t, err, 1044, "42000")
	require.Equal(t, [][]string{{"77"}}, rows(t, ts.openDB("root", "", "", ""), "SELECT @@max_connections"))
}

func TestSessionCountsStatements(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	root, err := ts.openDB("root", "", "", "multiStatements=true").Conn(context.Background())
	require.NoError(t, err)
	exec(t, root, "CREATE DATABASE d; USE d; CREATE TABLE t (a INT PRIMARY KEY); INSERT INTO t VALUES (1)")
	exec(t, root, "FLUSH STATUS; PREPARE s FROM 'INSERT INTO t VALUES (7)'; EXECUTE s; PREPARE s FROM 'SELECT 1'; DEALLOCATE PREPARE s")
	require.Equal(t, [][]string{{"Com_dealloc_sql", "1"}, {"Com_execute_sql", "1"}, {"Com_insert", "1"}, {"Com_prepare_sql", "2"}, {"Com_show_status", "1"},
		{"Com_stmt_close", "2"}, {"Com_stmt_execute", "1"}, {"Com_stmt_prepare", "2"}},
		rows(t, root, "SHOW SESSION STATUS WHERE Variable_name LIKE 'Com\\_%' AND Value > 0"))
	require.Equal(t, [][]string{{"Innodb_redo_log_enabled", "ON"}}, rows(t, root, "SHOW STATUS LIKE 'Innodb_redo_log_enabled'"))
	for _, name := range []string{"Innodb_redo_log_physical_size", "Innodb_redo_log_uuid", "Innodb_num_open_files"} {
		require.NotEqual(t, "0", rows(t, root, "SHOW STATUS LIKE '"+name+"'")[0][1], name)
	}
}

func TestLockWaitsAreSeenAndEnded(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	ctx := context.Background()
	pool := ts.openDB("root", "", "", "multiStatements=true")
	root, err := pool.Conn(ctx)
	require.NoError(t, err)
	exec(t, root, "CREATE DATABASE d; USE d; CREATE TABLE t (a INT PRIMARY KEY, b INT); INSERT INTO t VALUES (1,1)")
	exec(t, root, "BEGIN; UPDATE t SET b = 2 WHERE a = 1")
	waiter := ts.openDB("root", "", "d", "multiStatements=true")
	waiter.SetMaxIdleConns(0)
	begin := func(prepare, query string) (id string, done chan error) {
		c, err := waiter.Conn(ctx)
		require.NoError(t, err)
		exec(t, c, prepare)
		id = rows(t, c, "SELECT CONNECTION_ID()")[0][0]
		done = make(chan error, 1)
		go func() {
			_, err := tryRows(c, query)
			done <- err
			c.Close()
		}()
		return id, done
	}
	wait := func(query string) (id string, done chan error) {
		id, done = begin("DO 0", query)
		testkit.Eventually(t, func() bool {
			return len(rows(t, pool, "SELECT 1 FROM information_schema.INNODB_TRX WHERE trx_state = 'LOCK WAIT' AND trx_mysql_thread_id = "+id)) == 1
		})
		return id, done
	}
	query := "SELECT * FROM t WHERE a = 1 FOR UPDATE"
	id, done := wait(query)
	got := rows(t, pool, "SELECT OBJECT_NAME, INDEX_NAME, LOCK_STATUS FROM performance_schema.data_locks WHERE LOCK_TYPE = 'RECORD' AND THREAD_ID = "+id)
	require.Equal(t, [][]string{{"t", "PRIMARY", "WAITING"}}, got)
	require.Len(t, rows(t, pool, "SELECT * FROM performance_schema.data_lock_waits"), 1)
	require.Contains(t, strings.ToUpper(rows(t, pool, "SELECT waiting_query FROM sys.innodb_lock_waits")[0][0]), "FOR UPDATE")
	exec(t, pool, "KILL QUERY "+id)
	requireCode(t, <-done, 1317, "70100")

	_, done = begin("SET max_execution_time = 300", query)
	requireCode(t, <-done, 3024, "HY000")

	_, done = begin("SET innodb_lock_wait_timeout = 1", query)
	requireCode(t, <-done, 1205, "HY000")

	id, done = wait(query)
	exec(t, pool, "KILL "+id)
	require.Error(t, <-done)

	exec(t, root, "COMMIT")
	require.Equal(t, [][]string{{"1", "2"}}, rows(t, waiter, query))
}

func TestPreparedLockingReads(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	c, err := ts.openDB("root", "", "", "multiStatements=true").Conn(context.Background())
	require.NoError(t, err)
	exec(t, c, "CREATE DATABASE d; USE d; CREATE TABLE t (a INT PRIMARY KEY, b INT); INSERT INTO t VALUES (1,10),(2,20)")
	for _, q := range []string{"FOR SHARE", "FOR SHARE NOWAIT", "FOR SHARE OF t SKIP LOCKED", "FOR UPDATE", "LOCK IN SHARE MODE"} {
		require.Equal(t, [][]string{{"20"}}, rows(t, c, "SELECT b FROM t WHERE a = ? AND b > ? "+q, 2, 1), q)
	}
}

func TestFlushTablesWithReadLock(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	ctx := context.Background()
	pool := ts.openDB("root", "", "", "multiStatements=true")
	locker, err := pool.Conn(ctx)
	require.NoError(t, err)
	exec(t, locker, "CREATE DATABASE d; CREATE TABLE d.t (a INT PRIMARY KEY)")
	writer, err := pool.Conn(ctx)
	require.NoError(t, err)
	exec(t, locker, "FLUSH TABLES WITH READ LOCK")
	_, err = locker.ExecContext(ctx, "INSERT INTO d.t VALUES (1)")
	requireCode(t, err, 1223, "HY000")
	done := make(chan error, 1)
	go func() {
		_, err := writer.ExecContext(ctx, "INSERT INTO d.t VALUES (2)")
		done <- err
	}()
	inState(t, locker, "INSERT INTO d.t VALUES (2)")
	require.Empty(t, done)
	require.Empty(t, rows(t, locker, "SELECT * FROM d.t"))
	exec(t, locker, "UNLOCK TABLES")
	require.NoError(t, <-done)
	exec(t, locker, "FLUSH TABLES WITH READ LOCK")
	require.NoError(t, locker.Raw(func(any) error { return nil }))
	exec(t, writer, "SET lock_wait_timeout = 1")
	_, err = writer.ExecContext(ctx, "INSERT INTO d.t VALUES (3)")
	requireCode(t, err, 1205, "HY000")
}

func TestCutUploadLeavesNothing(t *testing.T) {
	ts, _ := startReal(t, t.TempDir(), "--local-infile")
	db := ts.openDB("root", "", "", "multiStatements=true")
	exec(t, db, "CREATE DATABASE d; CREATE TABLE d.t (a INT PRIMARY KEY)")
	c := ts.dial()
	c.send(0, append([]byte{commands.ComQuery}, "LOAD DATA LOCAL INFILE 'x' INTO TABLE d.t"...))
	seq, p := c.recv()
	require.Equal(t, byte(0xfb), p[0], "%q", p)
	c.send(seq+1, []byte("1\n2\n3\n"))
	require.NoError(t, c.Close())
	testkit.Eventually(t, func() bool { return rows(t, db, "SHOW GLOBAL STATUS LIKE 'Threads_connected'")[0][1] == "1" })
	require.Empty(t, rows(t, db, "SELECT * FROM d.t"))
}

func TestShutdownEndsEvents(t *testing.T) {
	ts, stop := startReal(t, t.TempDir())
	db := ts.openDB("root", "", "", "multiStatements=true")
	exec(t, db, "CREATE DATABASE d; CREATE TABLE d.t (a INT PRIMARY KEY AUTO_INCREMENT, b INT)")
	exec(t, db, "USE d; CREATE EVENT tick ON SCHEDULE EVERY 1 SECOND DO INSERT INTO t (b) VALUES (1); CREATE EVENT slow ON SCHEDULE EVERY 1 SECOND DO INSERT INTO t (b) SELECT SLEEP(100000)")
	testkit.Eventually(t, func() bool { return rows(t, db, "SELECT COUNT(*) > 1 FROM d.t")[0][0] == "1" })
	require.NoError(t, db.Close())
	stop()
	require.NotContains(t, ts.logs.String(), "does not end")
}

// TestEventProgram runs an event whose body has all that a procedure's may have.
func TestEventProgram(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	db := ts.openDB("root", "", "", "multiStatements=true")
	exec(t, db, "CREATE DATABASE d; CREATE TABLE d.t (a INT)")
	exec(t, db, "USE d; CREATE PROCEDURE p() IF TRUE THEN FLUSH STATUS; END IF; CREATE VIEW v AS SELECT 1; CREATE EVENT later ON SCHEDULE EVERY 1 DAY DISABLE DO DO 1; DROP EVENT later")
	exec(t, db, `USE d; CREATE EVENT tick ON SCHEDULE EVERY 1 SECOND DO BEGIN
		DECLARE i INT DEFAULT 0;
		DECLARE CONTINUE HANDLER FOR SQLEXCEPTION INSERT INTO t VALUES (9);
		WHILE i < 2 DO INSERT INTO t VALUES (i); SET i = i + 1; END WHILE;
		PREPARE s FROM 'INSERT INTO t VALUES (5)';
		EXECUTE s;
		INSERT INTO missing VALUES (1);
	END`)
	testkit.Eventually(t, func() bool { return len(rows(t, db, "SELECT DISTINCT a FROM d.t WHERE a IN (0, 1, 5, 9)")) == 4 })
}

// TestXA goes through the states of a branch, leaves one prepared by a session that is gone, and
// ends it after a restart.
func TestXA(t *testing.T) {
	dir := t.TempDir()
	ts, stop := startReal(t, dir, "--log-bin=binlog", "--server-id=7")
	db := ts.openDB("root", "", "", "")
	_, err := db.Exec("CREATE DATABASE test")
	require.NoError(t, err)
	a := ts.conn()
	exec(t, a, "CREATE TABLE x (id INT PRIMARY KEY, v INT)")
	fails := func(query string, code uint16, state string) {
		t.Helper()
		_, err := a.ExecContext(context.Background(), query)
		requireCode(t, err, code, state)
	}
	exec(t, a, "XA START 'one', X'0203', 9")
	exec(t, a, "INSERT INTO x VALUES (1, 1)")
	for _, q := range []string{"COMMIT", "ROLLBACK", "BEGIN", "CREATE TABLE y (id INT)", "XA PREPARE 'one', X'0203', 9", "XA START 'two'", "LOCK TABLES x READ"} {
		fails(q, 1399, "XAE07")
	}
	fails("XA END 'two'", 1397, "XAE04")
	fails("XA END 'one', X'0203', 9 SUSPEND", 1398, "XAE05")
	fails("CREATE TEMPORARY TABLE y (id INT)", 4091, "HY000")
	exec(t, a, "XA END 'one', 0x0203, 9")
	fails("INSERT INTO x VALUES (2, 2)", 1399, "XAE07")
	fails("SELECT * FROM x", 1399, "XAE07")
	exec(t, a, "XA PREPARE 'one', X'0203', 9")
	fails("XA START 'one', X'0203', 9", 1440, "XAE08")
	exec(t, a, "BEGIN")
	fails("XA START 'two'", 1400, "XAE09")
	fails("XA COMMIT 'one', X'0203', 9", 1399, "XAE07")
	exec(t, a, "COMMIT")
	exec(t, a, "XA START 'two'")
	exec(t, a, "INSERT INTO x VALUES (3, 3)")
	exec(t, a, "XA END 'two'")
	exec(t, a, "XA COMMIT 'two' ONE PHASE")
	exec(t, a, "XA START 'gone'")
	exec(t, a, "INSERT INTO x VALUES (4, 4)")
	require.NoError(t, a.Close())
	stop()

	ts, _ = startReal(t, dir, "--log-bin=binlog", "--server-id=7")
	a = ts.conn()
	require.Equal(t, [][]string{{"9", "3", "2", "0x6F6E650203"}}, rows(t, a, "XA RECOVER CONVERT XID"))
	require.Equal(t, [][]string{{"3", "3"}}, rows(t, a, "SELECT * FROM x"))
	exec(t, a, "SET innodb_lock_wait_timeout = 1")
	fails("INSERT INTO x VALUES (1, 2)", 1205, "HY000")
	exec(t, a, "XA COMMIT 'one', X'0203', 9")
	fails("XA ROLLBACK 'one', X'0203', 9", 1397, "XAE04")
	require.Equal(t, [][]string{{"1", "1"}, {"3", "3"}}, rows(t, a, "SELECT * FROM x"))
	require.Empty(t, rows(t, a, "XA RECOVER"))
}

func TestXIDs(t *testing.T) {
	for query, want := range map[string]txn.XID{
		"xa begin 'a''b'":                           {Format: 1, Gtrid: "a'b"},
		"XA /* c */ END x'4142' , b'1000001'":       {Format: 1, Gtrid: "AB", Bqual: "A"},
		"XA COMMIT \"g\",'',4294967295 one  phase;": {Format: 4294967295, Gtrid: "g"},
		"XA PREPARE 0x4142,0b1,0x10":                {Format: 16, Gtrid: "AB", Bqual: "\x01"},
	} {
		r, err := parse.Parse(query, parse.Options{})
		require.NoError(t, err, query)
		require.Equal(t, want, xidOf(r.Statement.(*ast.XA).ID), query)
	}
	for _, query := range []string{"XA", "XA FOO 'a'", "XA START", "XA START 5", "XA START 'a','b',-1", "XA START 'a", "XA END 'a', " + strings.Repeat("x", 9),
		"XA START '" + strings.Repeat("x", 65) + "'", "XA START 'a','b',99999999999999999999"} {
		_, err := parse.Parse(query, parse.Options{})
		require.Error(t, err, query)
	}
}
