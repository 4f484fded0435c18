package server

import (
	"context"
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
)

// TestStagesAreShown: the process list shows what a statement waits for in MySQL's words. Each
// statement waits until it is killed.
func TestStagesAreShown(t *testing.T) {
	ts, _ := startReal(t, t.TempDir(), "--gtid-mode=ON", "--enforce-gtid-consistency=ON")
	db := ts.openDB("root", "", "", "")
	connect := func() *sql.Conn {
		c, err := db.Conn(context.Background())
		require.NoError(t, err)
		return c
	}
	root := connect()
	exec(t, root, "CREATE DATABASE d")
	exec(t, root, "CREATE TABLE d.t (a INT PRIMARY KEY)")
	reader := connect()
	exec(t, reader, "BEGIN")
	rows(t, reader, "SELECT * FROM d.t")
	require.Equal(t, [][]string{{"1"}}, rows(t, reader, "SELECT GET_LOCK('l', 0)"))
	for query, state := range map[string]string{
		"SELECT SLEEP(1000000)":            "User sleep",
		"DO SLEEP(1000000)":                "User sleep",
		"SELECT GET_LOCK('l', -1)":         "User lock",
		"ALTER TABLE d.t ADD COLUMN b INT": "Waiting for table metadata lock",
		"DROP TABLE d.t":                   "Waiting for table metadata lock",
		"RENAME TABLE d.t TO d.u":          "Waiting for table metadata lock",
		"LOCK TABLES d.t WRITE":            "Waiting for table metadata lock",
		"SELECT WAIT_FOR_EXECUTED_GTID_SET('3e11fa47-71ca-11e1-9e33-c80aa9429562:1')": "Waiting for GTID to be committed",
	} {
		c := connect()
		id := rows(t, c, "SELECT CONNECTION_ID()")[0][0]
		done := make(chan error, 1)
		go func() { done <- drain(c, query) }()
		testkit.Eventually(t, func() bool {
			return len(rows(t, root, "SELECT 1 FROM information_schema.PROCESSLIST WHERE ID = "+id+" AND STATE = '"+state+"' AND INFO = \""+query+"\"")) == 1
		})
		exec(t, root, "KILL QUERY "+id)
		<-done // SLEEP that is killed is no error
		testkit.Eventually(t, func() bool {
			return len(rows(t, root, "SELECT 1 FROM information_schema.PROCESSLIST WHERE COMMAND = 'Sleep' AND STATE = '' AND ID = "+id)) == 1
		})
	}
}

// A writer that comes while an ALTER TABLE waits for a reader waits, too: neither is a deadlock's
// victim, whoever runs the writer's statement.
func TestWritersWaitForAlterTable(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	db := ts.openDB("root", "", "", "")
	connect := func() (c *sql.Conn, id string) {
		c, err := db.Conn(context.Background())
		require.NoError(t, err)
		return c, rows(t, c, "SELECT CONNECTION_ID()")[0][0]
	}
	root, _ := connect()
	exec(t, root, "CREATE DATABASE d")
	exec(t, root, "CREATE TABLE d.t (a INT PRIMARY KEY, b INT)")
	exec(t, root, "INSERT INTO d.t VALUES (1, 1), (2, 2), (3, 3)")
	waiting := func(query string) (done chan error) {
		c, id := connect()
		done = make(chan error, 1)
		go func() { done <- drain(c, query) }()
		testkit.Eventually(t, func() bool {
			return len(rows(t, root, "SELECT 1 FROM information_schema.PROCESSLIST WHERE ID = "+id+" AND STATE = 'Waiting for table metadata lock'")) == 1
		})
		return done
	}
	for _, query := range []string{
		"UPDATE d.t SET b = b + 1 WHERE a = 1",
		"UPDATE d.t SET b = b + LENGTH(UUID()) WHERE a = 1",
		"UPDATE d.t x JOIN d.t y ON x.a = y.a + 1 SET x.b = y.b",
		"UPDATE d.t SET b = b + 1 ORDER BY a LIMIT 1",
		"DELETE FROM d.t WHERE a = 3 LIMIT 1",
		"DELETE d.t FROM d.t JOIN (SELECT 2 AS a) y ON d.t.a = y.a",
		"INSERT INTO d.t SELECT a + 10, b FROM (SELECT 7 AS a, 8 AS b) s",
		"REPLACE INTO d.t VALUES (1, LENGTH(UUID()))",
	} {
		reader, _ := connect()
		exec(t, reader, "BEGIN")
		rows(t, reader, "SELECT * FROM d.t")
		alter := waiting("ALTER TABLE d.t FORCE")
		writer := waiting(query)
		exec(t, reader, "COMMIT")
		require.NoError(t, <-alter, query)
		require.NoError(t, <-writer, query)
	}
}

// drain runs a statement to its end.
func drain(c *sql.Conn, query string) error {
	r, err := c.QueryContext(context.Background(), query)
	if err != nil {
		return err
	}
	for r.Next() {
	}
	return r.Close()
}
