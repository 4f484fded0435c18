package isolation

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// victims are statements that come to the row of b that another transaction holds. Those that
// answer only what a handler makes of the error have the answer behind the arrow.
var victims = []string{
	"UPDATE b SET v = 5 WHERE id = 1",
	"UPDATE b SET v = v + 5",
	"UPDATE IGNORE b SET v = 5 WHERE id = 1",
	"UPDATE b JOIN c ON c.id = b.id SET b.v = 5",
	"DELETE FROM b WHERE id = 1",
	"DELETE IGNORE FROM b WHERE v < 100",
	"INSERT INTO b VALUES (1, 5)",
	"INSERT IGNORE INTO b VALUES (1, 5)",
	"INSERT INTO b VALUES (1, 5) ON DUPLICATE KEY UPDATE v = 6",
	"INSERT INTO c SELECT id + 10, v FROM b FOR UPDATE",
	"REPLACE INTO b VALUES (1, 5)",
	"SELECT * FROM b FOR UPDATE",
	"SELECT * FROM b WHERE id = 1 FOR SHARE",
	"SELECT COUNT(*) FROM c WHERE EXISTS (SELECT 1 FROM b WHERE b.id = c.id FOR UPDATE)",
	"SELECT v FROM b WHERE id = 1 FOR UPDATE INTO @v",
	"SET @v = (SELECT v FROM b WHERE id = 1 FOR UPDATE)",
	"DO (SELECT v FROM b WHERE id = 1 FOR UPDATE)",
	"SELECT IF(1, 2, (SELECT 3)) UNION SELECT v FROM b FOR UPDATE",
	"WITH x AS (SELECT v FROM b FOR UPDATE) SELECT * FROM x",
	"INSERT INTO triggered VALUES (1)",
	"INSERT INTO guarded VALUES (1)",
	"INSERT INTO child VALUES (1, 1)",
	"SELECT f(1)",
	"CALL p()",
	"CALL twice()",
	"CALL dynamic()",
	"CALL handled() -> handled",
	"CALL unseen() ->",
	"SELECT 7; UPDATE b SET v = 5; SELECT 8",
	"SET @q = 'UPDATE b SET v = 5'; PREPARE s FROM @q; EXECUTE s",
}

var victimTables = []string{"CREATE DATABASE d", "USE d", "CREATE TABLE held (id INT PRIMARY KEY, v INT NOT NULL)", "CREATE TABLE b (id INT PRIMARY KEY, v INT NOT NULL)",
	"CREATE TABLE c (id INT PRIMARY KEY, v INT NOT NULL)", "CREATE TABLE triggered (id INT PRIMARY KEY)", "CREATE TABLE guarded (id INT PRIMARY KEY)",
	"CREATE TABLE child (id INT PRIMARY KEY, b INT, FOREIGN KEY (b) REFERENCES b (id))",
	"CREATE TRIGGER tr BEFORE INSERT ON triggered FOR EACH ROW UPDATE b SET v = 5 WHERE id = 1",
	"CREATE TRIGGER tg BEFORE INSERT ON guarded FOR EACH ROW BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END; UPDATE b SET v = 5 WHERE id = 1; END",
	"CREATE FUNCTION f(x INT) RETURNS INT DETERMINISTIC MODIFIES SQL DATA BEGIN UPDATE b SET v = 5 WHERE id = x; RETURN x; END",
	"CREATE PROCEDURE p() UPDATE b SET v = 5 WHERE id = 1",
	"CREATE PROCEDURE twice() BEGIN UPDATE b SET v = 5 WHERE id = 1; INSERT INTO c VALUES (50, 50); END",
	"CREATE PROCEDURE dynamic() BEGIN SET @q = 'UPDATE b SET v = 5'; PREPARE s FROM @q; EXECUTE s; END",
	"CREATE PROCEDURE handled() BEGIN DECLARE EXIT HANDLER FOR 1213 SELECT 'handled'; UPDATE b SET v = 5 WHERE id = 1; END",
	"CREATE PROCEDURE unseen() BEGIN DECLARE CONTINUE HANDLER FOR SQLSTATE '40001' BEGIN END; UPDATE b SET v = 5 WHERE id = 1; END",
	"INSERT INTO b VALUES (1, 0)", "INSERT INTO c VALUES (1, 0)", "INSERT INTO held VALUES (1, 0)"}

// The victim of a deadlock is told, in every kind of statement, and its transaction is gone as a
// whole.
func TestVictimIsTold(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	srv := emberd.Start(t, "--innodb-lock-wait-timeout=60")
	cfg := srv.Config("")
	cfg.MultiStatements = true
	db, err := sql.Open("mysql", cfg.FormatDSN())
	require.NoError(t, err)
	defer db.Close()
	connect := func(texts ...string) *sql.Conn {
		c, err := db.Conn(ctx)
		require.NoError(t, err)
		t.Cleanup(func() { c.Close() })
		for _, s := range texts {
			_, err := c.ExecContext(ctx, s)
			require.NoError(t, err, s)
		}
		return c
	}
	connect(victimTables...)
	for _, line := range victims {
		for _, prepared := range []bool{false, true} {
			statement, answer, handled := strings.Cut(line, " ->")
			if prepared && strings.Contains(statement, "; ") {
				continue
			}
			c := connect("USE d")
			run := func() error { return answered(ctx, c, statement, handled, strings.TrimSpace(answer)) }
			if prepared {
				st, err := c.PrepareContext(ctx, statement)
				require.NoError(t, err, statement)
				run = func() error { return drained(st.QueryContext(ctx)) }
			}
			for range 2 { // the second time it may be compiled
				_, err := c.ExecContext(ctx, "BEGIN; UPDATE held SET v = v + 1 WHERE id = 1")
				require.NoError(t, err)
				other := connect("USE d", "BEGIN", "UPDATE b SET v = v + 0 WHERE id = 1", "SELECT * FROM b WHERE id = 1 FOR UPDATE",
					"INSERT INTO held VALUES (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0)")
				waited := make(chan error, 1)
				go func() {
					_, err := other.ExecContext(context.WithoutCancel(ctx), "UPDATE held SET v = 2 WHERE id = 1")
					waited <- err
				}()
				testkit.Eventually(t, func() (waits bool) {
					require.NoError(t, db.QueryRow("SELECT COUNT(*) > 0 FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'").Scan(&waits))
					return waits
				})
				err = run()
				if !handled {
					var my *mysql.MySQLError
					require.True(t, errors.As(err, &my) && my.Number == 1213 && my.SQLState == [5]byte{'4', '0', '0', '0', '1'}, "%s, prepared %t: %v", statement, prepared, err)
				} else {
					require.NoError(t, err, "%s, prepared %t", statement, prepared)
				}
				require.NoError(t, <-waited, statement)
				_, err = other.ExecContext(ctx, "ROLLBACK")
				require.NoError(t, err)
				require.NoError(t, other.Close())
				var held, b, rows int
				require.NoError(t, db.QueryRow("SELECT (SELECT v FROM d.held WHERE id = 1), (SELECT SUM(v) FROM d.b), (SELECT COUNT(*) FROM d.c)").Scan(&held, &b, &rows))
				require.Equal(t, []int{0, 0, 1}, []int{held, b, rows}, "%s, prepared %t: something of the transaction is left", statement, prepared)
				_, err = c.ExecContext(ctx, "ROLLBACK")
				require.NoError(t, err)
			}
			require.NoError(t, c.Close())
		}
	}
}

// answered runs a statement. The answer of one that a handler saves is compared.
func answered(ctx context.Context, c *sql.Conn, statement string, handled bool, answer string) error {
	if !handled || answer == "" {
		return drained(c.QueryContext(ctx, statement))
	}
	var got string
	err := c.QueryRowContext(ctx, statement).Scan(&got)
	if err == nil && got != answer {
		return errors.New(got)
	}
	return err
}

// drained reads all results.
func drained(rows *sql.Rows, err error) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	for more := true; more; more = rows.NextResultSet() {
		for rows.Next() {
		}
	}
	return rows.Err()
}
