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
