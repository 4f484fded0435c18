package isolation

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

// TestSnapshotIsolation holds innodb_snapshot_isolation=ON against the outcomes of MariaDB 11.8. A
// transaction reads, another one changes a row and commits, and the first goes on.
func TestSnapshotIsolation(t *testing.T) {
	if *dsn != "" {
		t.Skip("MySQL has no such variable")
	}
	s := emberd.Start(t)
	const database = "iso_snapshot"
	db := s.Open("")
	defer db.Close()
	_, err := db.Exec("CREATE DATABASE " + database)
	require.NoError(t, err)
	for _, tc := range []struct {
		name, level     string
		other           string // what the other one does
		then            string
		fails           bool
		first, settings string // another first statement and settings, where given
	}{
		{name: "update", other: "UPDATE t SET v = 21 WHERE id = 2", then: "UPDATE t SET v = v + 1 WHERE id = 2", fails: true},
		{name: "delete", other: "UPDATE t SET v = 21 WHERE id = 2", then: "DELETE FROM t WHERE id = 2", fails: true},
		{name: "for update", other: "UPDATE t SET v = 21 WHERE id = 2", then: "SELECT * FROM t WHERE id = 2 FOR UPDATE", fails: true},
		{name: "for share", other: "UPDATE t SET v = 21 WHERE id = 2", then: "SELECT * FROM t WHERE id = 2 FOR SHARE", fails: true},
		{name: "skip locked", other: "UPDATE t SET v = 21 WHERE id = 2", then: "SELECT * FROM t WHERE id = 2 FOR UPDATE SKIP LOCKED", fails: true},
		{name: "another row", other: "UPDATE t SET v = 21 WHERE id = 2", then: "UPDATE t SET v = v + 1 WHERE id = 3"},
		{name: "scan past a changed row", other: "UPDATE t SET v = 31 WHERE id = 3", then: "UPDATE t SET v = 0 WHERE v = 10", fails: true},
		{name: "inserted row", other: "INSERT INTO t VALUES (4, 40, 4)", then: "SELECT * FROM t WHERE id > 2 FOR UPDATE", fails: true},
		{name: "deleted row", other: "DELETE FROM t WHERE id = 3", then: "SELECT * FROM t WHERE id >= 2 FOR UPDATE", fails: true},
		{name: "duplicate", other: "INSERT INTO t VALUES (4, 40, 4)", then: "INSERT INTO t VALUES (4, 41, 4)", fails: true},
		{name: "on duplicate key", other: "INSERT INTO t VALUES (4, 40, 4)", then: "INSERT INTO t VALUES (4, 41, 4) ON DUPLICATE KEY UPDATE v = 9", fails: true},
		{name: "insert over a deleted row", other: "DELETE FROM t WHERE id = 3", then: "INSERT INTO t VALUES (3, 41, 4)", fails: true},
		{name: "index, key that the row had", other: "UPDATE t SET k = 7 WHERE id = 3", then: "SELECT * FROM t WHERE k = 3 FOR UPDATE"},
		{name: "index, key that the row has", other: "UPDATE t SET k = 7 WHERE id = 3", then: "SELECT * FROM t WHERE k = 7 FOR UPDATE", fails: true},
		{name: "index, another column", other: "UPDATE t SET v = 7 WHERE id = 3", then: "SELECT k FROM t WHERE k = 3 FOR UPDATE", fails: true},
		{name: "insert select", other: "UPDATE s SET v = 2", then: "INSERT INTO t SELECT id + 100, v, 0 FROM s", fails: true},
		{name: "consistent read", other: "UPDATE t SET v = 21 WHERE id = 2", then: "SELECT * FROM t"},
		{name: "no view yet", first: "DO 1", other: "UPDATE t SET v = 21 WHERE id = 2", then: "UPDATE t SET v = v + 1 WHERE id = 2"},
		{name: "off", settings: "SET innodb_snapshot_isolation = OFF", other: "UPDATE t SET v = 21 WHERE id = 2", then: "UPDATE t SET v = v + 1 WHERE id = 2"},
		{name: "READ COMMITTED", level: "READ COMMITTED", other: "UPDATE t SET v = 21 WHERE id = 2", then: "UPDATE t SET v = v + 1 WHERE id = 2"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			connect := func(queries ...string) *sql.Conn {
				pool := s.Open(database)
				t.Cleanup(func() { pool.Close() })
				conn, err := pool.Conn(context.Background())
				require.NoError(t, err)
				t.Cleanup(func() { conn.Close() })
				for _, q := range queries {
					_, err := conn.ExecContext(context.Background(), q)
					require.NoError(t, err, q)
				}
				return conn
			}
			other := connect("DROP TABLE IF EXISTS t, s", "CREATE TABLE t (id INT PRIMARY KEY, v INT, k INT, KEY (k))", "INSERT INTO t VALUES (1, 10, 1), (2, 20, 2), (3, 30, 3)",
				"CREATE TABLE s (id INT PRIMARY KEY, v INT)", "INSERT INTO s VALUES (1, 1)")
			level, settings, first := "REPEATABLE READ", "DO 1", "SELECT * FROM t WHERE id = 1"
			for from, to := range map[*string]*string{&tc.level: &level, &tc.settings: &settings, &tc.first: &first} {
				if *from != "" {
					*to = *from
				}
			}
			conn := connect("SET SESSION TRANSACTION ISOLATION LEVEL "+level, "SET innodb_snapshot_isolation = ON", settings, "BEGIN", first)
			_, err := other.ExecContext(context.Background(), tc.other)
			require.NoError(t, err)
			_, err = conn.ExecContext(context.Background(), "INSERT INTO t VALUES (9, 90, 9)")
			require.NoError(t, err)
			_, err = conn.ExecContext(context.Background(), tc.then)
			var own int
			if !tc.fails {
				require.NoError(t, err)
				require.NoError(t, conn.QueryRowContext(context.Background(), "SELECT COUNT(*) FROM t WHERE id = 9").Scan(&own))
				require.Equal(t, 1, own, "the transaction goes on")
				return
			}
			var my *mysql.MySQLError
			require.True(t, errors.As(err, &my), fmt.Sprint(err))
			require.EqualValues(t, 1020, my.Number)
			require.Regexp(t, `^Record has changed since last read in table '[ts]'$`, my.Message)
			require.NoError(t, other.QueryRowContext(context.Background(), "SELECT COUNT(*) FROM t WHERE id = 9 FOR UPDATE").Scan(&own))
			require.Zero(t, own, "the transaction is rolled back and holds no lock")
		})
	}
}
