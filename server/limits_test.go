package server

import (
	"context"
	"database/sql"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/server/commands"
	"emberdb/server/wire"
)

func TestTooManyConnections(t *testing.T) {
	ts := start(t, "--max-connections=2")
	root := ts.conn()
	exec(t, root, "CREATE USER u")
	u := ts.login("u", "", "")
	ctx := context.Background()
	first, err := u.Conn(ctx)
	require.NoError(t, err)
	_, err = u.Conn(ctx)
	requireCode(t, err, 1040, "08004")
	spare := ts.conn() // the one kept for an administrator
	require.Equal(t, [][]string{{"1"}}, rows(t, spare, "SELECT 1"))
	c := ts.dialBare()
	require.Equal(t, 1040, c.recvError(), "beyond the spare one the greeting is an error")
	require.NoError(t, first.Close())
	require.NoError(t, u.Close())
	exec(t, root, "SET GLOBAL max_connections = 10")
	for range 3 {
		ts.conn()
	}
	require.NotEqual(t, "0", rows(t, root, "SHOW GLOBAL STATUS LIKE 'Connection_errors_max_connections'")[0][1])
}

func TestMaxUserConnections(t *testing.T) {
	ts := start(t)
	root := ts.conn()
	exec(t, root, "CREATE USER u")
	exec(t, root, "SET GLOBAL max_user_connections = 1")
	u := ts.login("u", "", "")
	c, err := u.Conn(context.Background())
	require.NoError(t, err)
	defer c.Close()
	_, err = u.Conn(context.Background())
	requireCode(t, err, 1203, "42000")
}

func TestIdleTimeout(t *testing.T) {
	ts := start(t)
	c := ts.dial()
	require.Equal(t, []string{"28800"}, c.query("SELECT @@wait_timeout"))
	c.send(0, append([]byte{commands.ComQuery}, "SET wait_timeout = 1"...))
	_, p := c.recv()
	require.Equal(t, byte(wire.OK), p[0])
	require.Equal(t, 4031, c.recvError())
	c.requireClosed()
}

func TestSlowLoginIsCut(t *testing.T) {
	ts := start(t, "--connect-timeout=2")
	c := ts.dialBare()
	c.recv() // the greeting; nothing is sent back
	require.Equal(t, 1159, c.recvError())
	c.requireClosed()
}

func TestPacketNotCompletedInTime(t *testing.T) {
	ts := start(t, "--net-read-timeout=1")
	c := ts.dial()
	_, err := c.Write([]byte{100, 0, 0, 0, commands.ComQuery, 'S'})
	require.NoError(t, err)
	c.requireClosed()
	require.Contains(t, ts.logs.String(), "packet not completed in time")
}

// running starts a statement on its own connection and returns its id and a channel with its error.
func running(t *testing.T, ts *testServer, query string) (id string, done chan error) {
	t.Helper()
	c := ts.conn()
	id = rows(t, c, "SELECT CONNECTION_ID()")[0][0]
	done = make(chan error, 1)
	go func() {
		_, err := tryRows(c, query)
		done <- err
	}()
	testkit.Eventually(t, func() bool {
		return len(rows(t, ts.root(), "SELECT ID FROM information_schema.PROCESSLIST WHERE COMMAND = 'Query' AND ID = "+id)) == 1
	})
	return id, done
}

func TestKill(t *testing.T) {
	ts := start(t)
	root := ts.conn()
	id, done := running(t, ts, "SELECT SLEEP(100000)")
	exec(t, root, "KILL QUERY "+id)
	err := <-done
	if err != nil { // SLEEP returns 1 when interrupted in MySQL; here the statement fails
		requireCode(t, err, 1317, "70100")
	}
	id, done = running(t, ts, "SELECT SLEEP(100000)")
	exec(t, root, "KILL "+id)
	require.Error(t, <-done)
	testkit.Eventually(t, func() bool {
		return len(rows(t, root, "SELECT ID FROM information_schema.PROCESSLIST WHERE ID = "+id)) == 0
	})
	exec(t, root, "SET @id = (SELECT MAX(ID) FROM information_schema.PROCESSLIST)")
	_, err = root.ExecContext(context.Background(), "KILL QUERY 4000000000")
	requireCode(t, err, 1094, "HY000")

	exec(t, root, "CREATE USER u")
	u := ts.login("u", "", "")
	mine := rows(t, root, "SELECT CONNECTION_ID()")[0][0]
	_, err = u.Exec("KILL " + mine)
	requireCode(t, err, 1095, "HY000")
	require.Len(t, rows(t, u, "SHOW PROCESSLIST"), 1, "without PROCESS only the own connections are seen")
}

func TestMaxExecutionTime(t *testing.T) {
	ts := start(t)
	c := ts.conn()
	exec(t, c, "SET max_execution_time = 50")
	_, err := tryRows(c, "SELECT SLEEP(100000)")
	requireCode(t, err, 3024, "HY000")
	exec(t, c, "SET max_execution_time = 0")
	_, err = tryRows(c, "SELECT /*+ MAX_EXECUTION_TIME(50) */ SLEEP(100000)")
	requireCode(t, err, 3024, "HY000")
	require.Equal(t, [][]string{{"1"}}, rows(t, c, "SELECT 1"))
	require.Equal(t, "2", rows(t, c, "SHOW GLOBAL STATUS LIKE 'Max_execution_time_exceeded'")[0][1])
}

func TestClientGoesAway(t *testing.T) {
	ts := start(t)
	c := ts.dial()
	c.send(0, append([]byte{commands.ComQuery}, "SELECT SLEEP(100000)"...))
	root := ts.conn()
	sleeping := func() int {
		return len(rows(t, root, "SELECT ID FROM information_schema.PROCESSLIST WHERE INFO LIKE 'SELECT SLEEP%'"))
	}
	testkit.Eventually(t, func() bool { return sleeping() == 1 })
	require.NoError(t, c.Close())
	testkit.Eventually(t, func() bool { return sleeping() == 0 })
}

// many fills table many with n rows.
func many(t *testing.T, c *sql.Conn, n int) {
	t.Helper()
	exec(t, c, "CREATE TABLE many (a INT PRIMARY KEY)")
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, ",(%d)", i)
	}
	exec(t, c, "INSERT INTO many VALUES "+b.String()[1:])
}

func TestErrorAfterRowsWereSent(t *testing.T) {
	ts := start(t)
	c := ts.conn()
	many(t, c, 2000)
	for name, run := range map[string]func() error{
		"text": func() error {
			_, err := tryRows(c, "SELECT IF(a = 1000, (SELECT a FROM many), a) FROM many")
			return err
		},
		"prepared": func() error {
			_, err := tryRows(c, "SELECT IF(a = ?, (SELECT a FROM many), a) FROM many", 1000)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			requireCode(t, run(), 1242, "21000")
			require.Equal(t, [][]string{{"2000"}}, rows(t, c, "SELECT COUNT(*) FROM many"), "the connection goes on")
		})
	}
	require.Len(t, rows(t, c, "SELECT a FROM many"), 2000)
}

func TestMultiStatements(t *testing.T) {
	ts := start(t)
	c := ts.conn()
	r, err := c.QueryContext(context.Background(), "SELECT 1; DO 1; SHOW COUNT(*) WARNINGS; SELECT 2")
	require.NoError(t, err)
	defer r.Close()
	var got []string
	for more := true; more; more = r.NextResultSet() {
		for r.Next() {
			var v string
			require.NoError(t, r.Scan(&v))
			got = append(got, v)
		}
	}
	require.NoError(t, r.Err())
	require.Equal(t, []string{"1", "0", "2"}, got)
	_, err = c.ExecContext(context.Background(), "SET @a = 1; SELEC 2; SET @a = 3")
	requireCode(t, err, 1064, "42000")
	require.Equal(t, [][]string{{"1"}}, rows(t, c, "SELECT @a"))
}

func TestPreparedStatements(t *testing.T) {
	ts := start(t, "--max-prepared-stmt-count=2")
	c := ts.conn()
	ctx := context.Background()
	a, err := c.PrepareContext(ctx, "SELECT ? + 1, ':v'")
	require.NoError(t, err)
	var n, s string
	require.NoError(t, a.QueryRow(41).Scan(&n, &s))
	require.Equal(t, []string{"42", ":v"}, []string{n, s})
	b, err := c.PrepareContext(ctx, "SHOW ENGINE INNODB STATUS")
	require.NoError(t, err, "a statement the library's grammar lacks")
	var typ, name, status string
	require.NoError(t, b.QueryRow().Scan(&typ, &name, &status))
	require.Contains(t, status, "INNODB MONITOR OUTPUT")
	_, err = c.PrepareContext(ctx, "SELECT 1")
	requireCode(t, err, 1461, "42000")
	require.Equal(t, "2", rows(t, c, "SHOW GLOBAL STATUS LIKE 'Prepared_stmt_count'")[0][1])
	require.NoError(t, a.Close())
	testkit.Eventually(t, func() bool {
		return rows(t, c, "SHOW GLOBAL STATUS LIKE 'Prepared_stmt_count'")[0][1] == "1"
	})
	_, err = c.PrepareContext(ctx, "SELEC ?")
	requireCode(t, err, 1064, "42000")
	_, err = c.PrepareContext(ctx, "XA START 'a'")
	requireCode(t, err, 1295, "HY000")
	require.NoError(t, c.Close())
}

func TestLoadDataLocal(t *testing.T) {
	ts := start(t, "--local-infile")
	c := ts.conn()
	exec(t, c, "CREATE TABLE l (a INT PRIMARY KEY, b VARCHAR(10))")
	path := t.TempDir() + "/data"
	writeText(t, path, "1\tx\n2\ty\n")
	mysql.RegisterLocalFile(path)
	defer mysql.DeregisterLocalFile(path)
	exec(t, c, "LOAD DATA LOCAL INFILE '"+path+"' INTO TABLE l")
	require.Equal(t, [][]string{{"1", "x"}, {"2", "y"}}, rows(t, c, "SELECT * FROM l ORDER BY a"))
	require.Equal(t, [][]string{{"1"}}, rows(t, c, "SELECT 1"))
}

func TestShutdownStatement(t *testing.T) {
	ts := start(t)
	root := ts.root()
	exec(t, root, "CREATE USER u")
	_, err := ts.login("u", "", "").Exec("SHUTDOWN")
	requireCode(t, err, 1227, "42000")
	exec(t, root, "SHUTDOWN")
	<-ts.asked
}

func TestShutdownEndsStatements(t *testing.T) {
	ts := start(t)
	_, done := running(t, ts, "SELECT SLEEP(100000)")
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	ts.Shutdown(ctx)
	require.Error(t, <-done)
	_, err := net.Dial("tcp", ts.addr())
	require.Error(t, err)
}
