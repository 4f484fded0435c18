package server

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"
)

const testName = "11111111-1111-1111-1111-111111111111:"

// answered is a statement with the number of its error, 0 if there is none.
type answered struct {
	sql  string
	code uint16
}

// answersAs runs a script on a connection.
func answersAs(t *testing.T, c *sql.Conn, script []answered) {
	t.Helper()
	for i, s := range script {
		_, err := c.ExecContext(context.Background(), s.sql)
		var e *mysql.MySQLError
		if s.code == 0 {
			require.NoError(t, err, "%d %s", i, s.sql)
			continue
		}
		require.ErrorAs(t, err, &e, "%d %s", i, s.sql)
		require.Equal(t, s.code, e.Number, "%d %s: %v", i, s.sql, err)
	}
}

// gtidScript is what MySQL 9.7 answers with gtid_mode=ON: the number of the error after each
// statement, 0 if there is none.
var gtidScript = []answered{
	{"SET gtid_next = '" + testName + "1'", 0},
	{"INSERT INTO a VALUES (1,1)", 0},
	{"INSERT INTO a VALUES (2,1)", 1837},
	{"SELECT * FROM a", 0},
	{"SHOW TABLES", 0},
	{"BEGIN", 0},
	{"INSERT INTO a VALUES (2,2)", 1837},
	{"COMMIT", 0},
	{"TRUNCATE a", 1837},
	{"FLUSH TABLES", 1837},
	// Executed already: nothing happens.
	{"SET gtid_next = '" + testName + "1'", 0},
	{"INSERT INTO a VALUES (3,3)", 0},
	{"BEGIN", 0},
	{"INSERT INTO a VALUES (4,4)", 0},
	{"COMMIT", 0},
	{"INSERT INTO a VALUES (3,3)", 1837},
	{"SET gtid_next = '" + testName + "1'", 0},
	{"CREATE TABLE b (id INT)", 0},
	{"UPDATE a SET v = 9", 1837},
	{"SET gtid_next = '" + testName + "1'", 0},
	{"SET gtid_next = '" + testName + "1'", 0},
	// Transactions of nothing.
	{"SET gtid_next = '" + testName + "5'", 0},
	{"COMMIT", 0},
	{"SET gtid_next = '" + testName + "6'", 0},
	{"ROLLBACK", 0},
	{"SET gtid_next = '" + testName + "6'", 0},
	{"BEGIN", 0},
	{"SELECT * FROM a", 0},
	{"COMMIT", 0},
	{"SET gtid_next = '" + testName + "8'", 0},
	{"UPDATE a SET v = v WHERE id = 99", 0},
	{"SET gtid_next = 'AUTOMATIC'", 1790},
	{"INSERT INTO a VALUES (8,8)", 1837},
	// Errors.
	{"SET gtid_next = '" + testName + "7'", 0},
	{"INSERT INTO a VALUES (1,1)", 1062},
	{"INSERT INTO a VALUES (7,7)", 1837},
	{"SET gtid_next = '" + testName + "7'", 0},
	{"BEGIN", 0},
	{"INSERT INTO a VALUES (1,1)", 1062},
	{"INSERT INTO a VALUES (7,7)", 0},
	{"CREATE TABLE c (a INT)", 1778},
	{"COMMIT", 0},
	{"SET gtid_next = '" + testName + "10'", 0},
	{"CREATE TABLE d SELECT * FROM a", 0},
	{"SET gtid_next = 'ANONYMOUS'", 1782},
	{"SET gtid_next = 'xyz'", 1774},
	{"SET gtid_next = '" + testName + "0'", 1774},
	{"SET gtid_next = 'AUTOMATIC'", 0},
	{"SET GLOBAL enforce_gtid_consistency = WARN", 1779},
	{"SET GLOBAL gtid_mode = OFF", 1788},
	{"BEGIN", 0},
	{"INSERT INTO a VALUES (20,1)", 0},
	{"SET gtid_next = '" + testName + "12'", 1766},
	{"SET GLOBAL gtid_mode = ON_PERMISSIVE", 1766},
	{"ROLLBACK", 0},
	{"SET GLOBAL gtid_mode = ON_PERMISSIVE", 0},
	{"SET gtid_next = 'ANONYMOUS'", 0},
	{"SET gtid_next = 'AUTOMATIC'", 1790},
	{"INSERT INTO a VALUES (20,1)", 0},
	{"INSERT INTO a VALUES (21,1)", 0},
	{"SET gtid_next = 'ANONYMOUS'", 0},
	{"SET GLOBAL gtid_mode = ON", 3138},
	{"COMMIT", 0},
	{"SET gtid_next = '" + testName + "13'", 0},
	{"SET GLOBAL gtid_mode = ON", 3138},
	{"ROLLBACK", 0},
	{"SET gtid_next = 'AUTOMATIC'", 0},
	{"SET GLOBAL gtid_mode = OFF_PERMISSIVE", 0},
	{"SET GLOBAL gtid_mode = OFF", 0},
	{"SET gtid_next = '" + testName + "14'", 1781},
	{"INSERT INTO a VALUES (22,1)", 0},
}

func TestGTIDNextAsMySQL(t *testing.T) {
	ts, _, c := binlogServer(t, t.TempDir())
	exec(t, c, "CREATE DATABASE d; USE d; CREATE TABLE a (id INT PRIMARY KEY, v INT); RESET BINARY LOGS AND GTIDS")
	ctx := context.Background()
	answersAs(t, c, gtidScript)
	require.Equal(t, testName+"1:5-7:10", oneText(t, c, "SELECT @@GLOBAL.gtid_executed"))
	require.Equal(t, "1,7,20,21,22", oneText(t, c, "SELECT GROUP_CONCAT(id ORDER BY id) FROM a"))
	require.NoError(t, c.Close())

	// Two sessions with one name: the second waits, and then skips.
	one, two := conn(t, ts), conn(t, ts)
	exec(t, one, "SET GLOBAL gtid_mode = OFF_PERMISSIVE; SET GLOBAL gtid_mode = ON_PERMISSIVE; USE d; SET gtid_next = '"+testName+"30'; BEGIN; INSERT INTO a VALUES (30,1)")
	exec(t, two, "USE d; SET gtid_next = '"+testName+"30'")
	require.True(t, strings.HasPrefix(oneText(t, two, "SELECT @@GLOBAL.gtid_owned"), testName+"30#"))
	done := make(chan error, 1)
	go func() {
		_, err := two.ExecContext(ctx, "INSERT INTO a VALUES (30,2)")
		done <- err
	}()
	select {
	case err := <-done:
		t.Fatalf("the second session did not wait: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	exec(t, one, "COMMIT")
	require.NoError(t, <-done)
	require.Equal(t, "1", oneText(t, two, "SELECT v FROM a WHERE id = 30"))

	// One that goes away gives its name back.
	exec(t, two, "SET gtid_next = '"+testName+"31'")
	_ = two.Raw(func(any) error { return driver.ErrBadConn })
	exec(t, one, "SET gtid_next = '"+testName+"31'; INSERT INTO a VALUES (31,1); SET gtid_next = 'AUTOMATIC'")
	require.Equal(t, "1", oneText(t, one, "SELECT v FROM a WHERE id = 31"))
}

func conn(t *testing.T, ts *testServer) *sql.Conn {
	c, err := ts.openDB("root", "", "", "multiStatements=true").Conn(context.Background())
	require.NoError(t, err)
	return c
}

func oneText(t *testing.T, c *sql.Conn, query string) string {
	t.Helper()
	return rows(t, c, query)[0][0]
}

// TestGTIDsAsMySQLShowsThem: a line for each server, and names in one form.
func TestGTIDsAsMySQLShowsThem(t *testing.T) {
	_, stop, c := binlogServer(t, t.TempDir())
	defer stop()
	exec(t, c, "SET GLOBAL gtid_purged = 'FFFFFFFF-0000-0000-0000-000000000001:1-5,ffffffff-0000-0000-0000-000000000002:7'")
	const shown = "ffffffff-0000-0000-0000-000000000001:1-5,\nffffffff-0000-0000-0000-000000000002:7"
	require.Equal(t, []string{shown, shown}, rows(t, c, "SELECT @@gtid_executed, @@gtid_purged")[0])
	exec(t, c, "FLUSH BINARY LOGS")
	require.Equal(t, shown, rows(t, c, "SHOW BINLOG EVENTS IN 'binlog.000002'")[1][5])
	require.Equal(t, shown, rows(t, c, "SHOW BINARY LOG STATUS")[0][4])
	for text, want := range map[string]string{"automatic": "AUTOMATIC", "Automatic:Tag": "AUTOMATIC:tag", "FFFFFFFF-0000-0000-0000-000000000001:4": "ffffffff-0000-0000-0000-000000000001:4"} {
		exec(t, c, "SET gtid_next = '"+text+"'")
		require.Equal(t, want, rows(t, c, "SELECT @@gtid_next")[0][0])
	}
}
