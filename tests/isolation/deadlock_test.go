package isolation

import (
	"context"
	"database/sql"
	"errors"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// A deadlock with a change of definitions is told to the statement that met it: its transaction is
// gone, and nothing more happens in its name. The statement has been compiled by another
// connection, so here only its expressions are planned before it runs.
//
//	c waits for b behind the change, the change for blocker, which has read b, and blocker, the
//	heavier one, for the row that c has changed
func TestDeadlockWithDefinitionsIsTold(t *testing.T) {
	t.Parallel()
	for name, q := range map[string]string{"update": "UPDATE b SET t = CONCAT(t, 'x') WHERE id = 1", "select": "SELECT id FROM b WHERE CONCAT(t, 'x') <> 'y'",
		"insert": "INSERT INTO b (id, t) VALUES (1, '') ON DUPLICATE KEY UPDATE t = CONCAT(t, 'x')"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			srv := emberd.Start(t)
			db := srv.Open("")
			defer db.Close()
			for _, s := range []string{"CREATE DATABASE d", "CREATE TABLE d.held (id INT PRIMARY KEY, v INT NOT NULL)", "CREATE TABLE d.b (id INT PRIMARY KEY, t VARCHAR(100) NOT NULL)",
				"INSERT INTO d.b VALUES (1, '')", "INSERT INTO d.held VALUES (1, 0)"} {
				_, err := db.Exec(s)
				require.NoError(t, err)
			}
			connect := func(texts ...string) *sql.Conn {
				c, err := db.Conn(ctx)
				require.NoError(t, err)
				t.Cleanup(func() { c.Close() })
				for _, s := range append([]string{"USE d"}, texts...) {
					_, err := c.ExecContext(ctx, s)
					require.NoError(t, err, s)
				}
				return c
			}
			connect(q, q, q)
			c := connect("BEGIN", "UPDATE held SET v = 1 WHERE id = 1")
			blocker, change := connect("BEGIN", "SELECT * FROM b", "INSERT INTO held VALUES (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0)"), connect()
			behind := func(c *sql.Conn, q string) <-chan error {
				var id int64
				require.NoError(t, c.QueryRowContext(ctx, "SELECT CONNECTION_ID()").Scan(&id))
				ended := make(chan error, 1)
				go func() {
					_, err := c.ExecContext(context.WithoutCancel(ctx), q)
					ended <- err
				}()
				testkit.Eventually(t, func() bool { return waitsForLock(ctx, db, id) }, "%s waits", q)
				return ended
			}
			first := behind(blocker, "UPDATE held SET v = 2 WHERE id = 1")
			second := behind(change, "ALTER TABLE b ADD COLUMN c INT")

			_, told := c.ExecContext(ctx, q)
			var my *mysql.MySQLError
			require.True(t, told == nil || errors.As(told, &my) && my.Number == 1213, "%v", told) // nil: another one was chosen
			_, err := c.ExecContext(ctx, "COMMIT")
			require.NoError(t, err)
			failed := 0
			for _, ended := range []<-chan error{first, second} {
				if testkit.Receive(t, ended) != nil {
					failed++
				}
				_, err := blocker.ExecContext(ctx, "ROLLBACK") // the change waits for blocker's end
				require.NoError(t, err)
			}
			if told == nil {
				require.Positive(t, failed, "none of the three was told")
			}
			var v int
			require.NoError(t, db.QueryRow("SELECT v FROM d.held WHERE id = 1").Scan(&v))
			require.Equal(t, told == nil, v == 1, "the transaction's change: %d, %v", v, told)
		})
	}
}
