package isolation

import (
	"errors"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

// Statements of all kinds wait for a locked table as long as lock_wait_timeout says.
func TestLockWaitTimeout(t *testing.T) {
	t.Parallel()
	srv := emberd.Start(t)
	db := srv.Open("")
	defer db.Close()
	for _, q := range []string{"CREATE DATABASE d", "CREATE TABLE d.t (id INT PRIMARY KEY, v INT, KEY (v))", "CREATE TABLE d.child (id INT PRIMARY KEY, v INT, FOREIGN KEY (v) REFERENCES d.t (id))",
		"INSERT INTO d.t VALUES (1, 1)"} {
		_, err := db.Exec(q)
		require.NoError(t, err)
	}
	locker, err := db.Conn(t.Context())
	require.NoError(t, err)
	defer locker.Close()
	_, err = locker.ExecContext(t.Context(), "LOCK TABLES d.t WRITE")
	require.NoError(t, err)
	waiting := srv.Open("d")
	defer waiting.Close()
	for _, q := range []string{"SELECT * FROM t WHERE id = 1", "SELECT COUNT(*), v FROM t GROUP BY v", "SELECT SLEEP(0) FROM t", "UPDATE t SET v = 2 WHERE id = 1",
		"INSERT INTO child VALUES (1, 1)"} {
		c, err := waiting.Conn(t.Context())
		require.NoError(t, err)
		_, err = c.ExecContext(t.Context(), "SET lock_wait_timeout = 1")
		require.NoError(t, err)
		_, err = c.ExecContext(t.Context(), q)
		var my *mysql.MySQLError
		require.True(t, errors.As(err, &my), "%s: %v", q, err)
		require.Equal(t, uint16(1205), my.Number, q)
		require.NoError(t, c.Close())
	}
}
